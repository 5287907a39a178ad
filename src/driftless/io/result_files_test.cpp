#include "driftless/io/result_files.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

#include "driftless/io/result_files_test.hpp"
#include "driftless/io/result_paths.hpp"

namespace driftless {
namespace {

using namespace testing_results;
namespace fs = std::filesystem;

class BothFormats : public ::testing::TestWithParam<const char*> {
 protected:
  std::string path(const std::string& stem) const { return scratch_ / (stem + GetParam()); }
  bool is_csv() const { return std::string(GetParam()) == ".csv"; }
  Scratch scratch_;
};

INSTANTIATE_TEST_SUITE_P(Formats, BothFormats, ::testing::Values(".h5", ".csv"));

TEST_P(BothFormats, KeepsEveryBitAndEveryOddCharacter) {
  Result result = make_odd_result();
  write_result(result, path("odd"));
  if (is_csv()) result.info.model_text.clear();  // CSV has no place for it
  expect_same(read_result(path("odd")), result);
  EXPECT_EQ(scratch_.count_files(), 1u) << "temporary files are left over";
}

TEST_P(BothFormats, KeepsEmptyThings) {
  Result result;
  write_result(result, path("nothing"));
  expect_same(read_result(path("nothing")), result);
  result.columns = make_columns(3);
  write_result(result, path("no_rows"));
  expect_same(read_result(path("no_rows")), result);
}

TEST_P(BothFormats, ConvertsThereAndBack) {
  Result result = make_odd_result();
  result.info.model_text.clear();
  write_result(result, scratch_ / "a.h5");
  write_result(read_result(scratch_ / "a.h5"), scratch_ / "b.csv");
  write_result(read_result(scratch_ / "b.csv"), scratch_ / "c.h5");
  expect_same(read_result(scratch_ / "c.h5"), result);
}

TEST_P(BothFormats, OverwritesItsOwnButNoOther) {
  Result result = make_odd_result();
  write_result(result, path("run"));
  result.data.resize(10);
  write_result(result, path("run"));
  EXPECT_EQ(read_result(path("run")).row_count(), 2u);

  write_file(path("diary"), "dear diary, # driftless is fast\n");
  const auto message = find_error([&] { make_result_file(path("diary")); });
  EXPECT_NE(message.find("was not written by Driftless"), std::string::npos) << message;
  EXPECT_NE(message.find("choose another file"), std::string::npos) << message;
  EXPECT_EQ(read_file(path("diary")), "dear diary, # driftless is fast\n");

  write_file(path("touched"), "");
  EXPECT_EQ(find_error([&] { write_result(result, path("touched")); }), "");
}

TEST_P(BothFormats, AnotherFileAppearsDuringTheRun) {
  auto sink = make_result_file(path("run"));
  write_file(path("run"), "mine\n");
  EXPECT_NE(find_error([&] { sink->begin({}, make_columns(2)); }), "");
  EXPECT_EQ(read_file(path("run")), "mine\n");
}

TEST_P(BothFormats, SaysWhyItCannotWrite) {
  const auto missing =
      find_error([&] { make_result_file(scratch_ / ("no/such/run" + std::string(GetParam()))); });
  EXPECT_NE(missing.find("no directory"), std::string::npos) << missing;
  fs::create_directory(path("folder"));
  const auto folder = find_error([&] { make_result_file(path("folder")); });
  EXPECT_NE(folder.find("is a directory"), std::string::npos) << folder;
}

TEST_P(BothFormats, NothingIsTouchedBeforeBegin) {
  const Result result = make_odd_result();
  write_result(result, path("run"));
  { const auto sink = make_result_file(path("run")); }
  EXPECT_EQ(read_result(path("run")).row_count(), result.row_count());
}

TEST_P(BothFormats, FollowsALinkInsteadOfReplacingIt) {
  const Result result = make_odd_result();
  write_result(result, path("real"));
  fs::create_symlink(path("real"), path("link"));
  Result shorter = result;
  shorter.data.resize(5);
  write_result(shorter, path("link"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_result(path("real")).row_count(), 1u);
}

TEST_P(BothFormats, ARunWithoutAnEndHasItsRowsButNoReport) {
  {
    const auto sink = make_result_file(path("run"));
    sink->begin({}, make_columns(2));
    for (int k = 0; k < 1000; ++k) sink->row(std::vector<double>{k * 1.0, k * 2.0});
  }
  const Result result = read_result(path("run"));
  EXPECT_FALSE(result.complete);
  ASSERT_EQ(result.row_count(), 1000u);
  EXPECT_EQ(result.row(999)[1], 1998.0);
  write_result(result, path("copy"));
  EXPECT_FALSE(read_result(path("copy")).complete);
  EXPECT_EQ(read_result(path("copy")).row_count(), 1000u);
}

TEST_P(BothFormats, CanBeReadWhileTheRunGoesOn) {
  const auto sink = make_result_file(path("run"));
  sink->begin({}, make_columns(2));
  EXPECT_EQ(read_result(path("run")).row_count(), 0u);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  sink->row(std::vector<double>{0.0, 1.0});  // comes slowly: flushed at once
  EXPECT_EQ(read_result(path("run")).row_count(), 1u);
  sink->row(std::vector<double>{1.0, 1.0});
  sink->poll();
  EXPECT_EQ(read_result(path("run")).row_count(), 1u);
  std::this_thread::sleep_for(std::chrono::milliseconds(950));
  sink->poll();
  const Result live = read_result(path("run"));
  EXPECT_EQ(live.row_count(), 2u);
  EXPECT_FALSE(live.complete);
  sink->finish({});
  EXPECT_TRUE(read_result(path("run")).complete);
}

TEST_P(BothFormats, TwoReadersAtOnce) {
  const Result result = make_odd_result();
  write_result(result, path("run"));
  std::size_t rows[2] = {0, 0};
  const auto read = [&](int which) {
    for (int k = 0; k < 10; ++k) rows[which] += read_result(path("run")).row_count();
  };
  std::thread first(read, 0), second(read, 1);
  first.join();
  second.join();
  EXPECT_EQ(rows[0], 10 * result.row_count());
  EXPECT_EQ(rows[1], 10 * result.row_count());
}

TEST_P(BothFormats, AnyPrefixOfAFileIsReadOrRefusedWithAMessage) {
  Result result = make_odd_result();
  result.info.model_text = "short";
  write_result(result, path("whole"));
  const std::string whole = read_file(path("whole"));
  const std::size_t step = whole.size() / 97 + 1;
  for (std::size_t size = 0; size < whole.size(); size += step) {
    write_file(path("cut"), whole.substr(0, size));
    try {
      const Result cut = read_result(path("cut"));
      EXPECT_FALSE(cut.complete) << size;
      EXPECT_LE(cut.row_count(), result.row_count());
      for (std::size_t k = 0; k < cut.data.size(); ++k)
        ASSERT_TRUE(same(cut.data[k], result.data[k]));
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("cut"), std::string::npos);
    }
  }
}

TEST(ResultFiles, KnowTheirExtensions) {
  const Scratch scratch;
  for (const char* name : {"run.txt", "run", "run.h5.gz", ".h5"}) {
    const auto message = find_error([&] { make_result_file(scratch / name); });
    EXPECT_NE(message.find(".csv"), std::string::npos) << name << ": " << message;
  }
  EXPECT_EQ(find_error([&] { make_result_file(scratch / "RUN.CSV"); }), "");
}

TEST(ResultFiles, ReadingSaysWhatIsWrong) {
  const Scratch scratch;
  const auto expect = [&](const std::string& path, const char* part) {
    const auto message = find_error([&] { read_result(path); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(scratch / "absent.h5", "no such file");
  expect(scratch / "", "directory");
  write_file(scratch / "garbage.h5", "not HDF5 at all");
  expect(scratch / "garbage.h5", "not an HDF5 file");
  write_file(scratch / "garbage2.h5", "\x89HDF\r\n\x1a\n" + std::string(500, '\x7F'));
  expect(scratch / "garbage2.h5", "damaged");
  write_file(scratch / "empty.csv", "");
  expect(scratch / "empty.csv", "no table");
  write_file(scratch / "empty.h5", "");
  expect(scratch / "empty.h5", "not an HDF5 file");
}

TEST(LongResultFiles, AMillionRowsInSeconds) {
  const Scratch scratch;
  const std::string path = scratch / "long.h5";
  const auto start = std::chrono::steady_clock::now();
  auto sink = make_result_file(path);
  sink->begin({}, make_columns(8));
  std::vector<double> row(8);
  for (int k = 0; k < 1'000'000; ++k) {
    row[0] = k * 1e-3;
    row[7] = k;
    sink->row(row);
  }
  sink->finish({});
  EXPECT_EQ(sink->error(), "");
  const Result result = read_result(path);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(result.row_count(), 1'000'000u);
  EXPECT_EQ(result.row(999'999)[7], 999'999.0);
  EXPECT_LT(elapsed.count(), 20.0) << "0.3 s on an idle machine";
}

TEST(WriteRemedy, SpaceIsNoRemedyForPermission) {
  for (const int code : {EACCES, EPERM, EROFS}) {
    const std::string text = make_write_error("a.h5", format_errno(code)).what();
    EXPECT_EQ(text.find("space"), std::string::npos) << text;
    EXPECT_NE(text.find("permissions"), std::string::npos) << text;
  }
  for (const int code : {ENOSPC, EFBIG})
    EXPECT_NE(find_write_remedy("cannot write 'a': " + format_errno(code)).find("free some space"),
              std::string::npos);
}

}  // namespace
}  // namespace driftless
