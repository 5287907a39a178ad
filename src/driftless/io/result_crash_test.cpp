// What is left when the program or the disk fails while a result is written.

#include <cerrno>
#include <chrono>
#include <random>
#include <thread>

#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "driftless/io/result_files.hpp"
#include "driftless/io/result_files_test.hpp"
#include "driftless/io/result_hdf5.hpp"
#include "driftless/io/result_hdf5_handle.hpp"

namespace driftless {
namespace {

using namespace testing_results;
using std::chrono::milliseconds;

double value_at(std::size_t row, std::size_t column) {
  return static_cast<double>(row) * (column == 0 ? 1.0 : static_cast<double>(column));
}

void write_rows(ResultSink& sink, std::size_t rows) {
  std::vector<double> values(10);
  for (std::size_t k = 0; k < rows; ++k) {
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = value_at(k, j);
    sink.row(values);
  }
}

// begin, rows and finish again and again, flushing all the time, until killed.
[[noreturn]] void write_forever(const std::string& path) {
  RunInfo info;
  info.model_text = std::string(50'000, 'm');
  while (true) {
    const auto sink = make_hdf5_sink(path, milliseconds(1));
    sink->begin(info, make_columns(10));
    write_rows(*sink, 60'000);  // more than the first table holds
    sink->finish({});
  }
}

TEST(ResultCrash, KilledAtAnyMomentTheFileOpens) {
  const Scratch scratch;
  const std::string path = scratch / "run.h5";
  std::mt19937 random(20240917);
  int with_rows = 0;
  for (int round = 0; round < 20; ++round) {
    std::filesystem::remove(path);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) write_forever(path);
    for (int k = 0; k < 10'000 && !std::filesystem::exists(path); ++k) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);

    Result result;
    ASSERT_EQ(find_error([&] { result = read_result(path); }), "") << "round " << round;
    EXPECT_EQ(result.info.model_text.size(), 50'000u);
    if (result.complete) {
      EXPECT_EQ(result.row_count(), 60'000u);
    }
    for (std::size_t k = 0; k < result.row_count(); ++k) {
      for (std::size_t j = 0; j < 10; ++j)
        ASSERT_EQ(result.row(k)[j], value_at(k, j)) << "row " << k;
    }
    with_rows += result.row_count() > 0;
  }
  EXPECT_GT(with_rows, 0) << "no round got as far as a flush: the test saw nothing";
}

// Runs the action in a child process whose files may not grow beyond `bytes`: what a full disk
// does, without one.
template <class Action>
int run_with_small_disk(std::size_t bytes, const Action& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int answer = 99;
    try {
      answer = action();
    } catch (const std::exception&) {  // must not escape into a second run of the other tests
    }
    ::_exit(answer);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class FullDisk : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, FullDisk, ::testing::Values(".h5", ".csv"));

TEST_P(FullDisk, DuringTheRunKeepsWhatWasWritten) {
  const Scratch scratch;
  const std::string path = scratch / ("run" + std::string(GetParam()));
  const int answer = run_with_small_disk(5'000'000, [&] {
    const auto sink = make_result_file(path);
    sink->begin({}, make_columns(10));
    write_rows(*sink, 2'000);
    std::this_thread::sleep_for(milliseconds(950));
    write_rows(*sink, 1);  // due: everything is flushed
    if (!sink->error().empty()) return 1;
    write_rows(*sink, 150'000);
    const std::string error = sink->error();
    if (error.find(path) == std::string::npos) return 2;
    if (error.find("File too large") == std::string::npos) return 3;
    sink->finish({});
    return sink->error() == error ? 0 : 4;
  });
  ASSERT_EQ(answer, 0);
  const Result result = read_result(path);
  EXPECT_FALSE(result.complete);
  ASSERT_GE(result.row_count(), 2'000u);
  for (std::size_t j = 0; j < 10; ++j) EXPECT_EQ(result.row(1'999)[j], value_at(1'999, j));
}

TEST_P(FullDisk, AtTheStartIsAnErrorBeforeTheRun) {
  for (const std::size_t bytes : {0u, 20u, 100u, 600u, 2000u}) {
    const Scratch scratch;
    const std::string path = scratch / ("run" + std::string(GetParam()));
    const int answer = run_with_small_disk(bytes, [&] {
      RunInfo info;
      info.method = std::string(3000, 'm');
      const auto sink = make_result_file(path);
      const auto message = find_error([&] { sink->begin(info, make_columns(10)); });
      const auto expected = "cannot write '" + path + "': File too large";
      if (message.find(expected) == std::string::npos) return 1;
      return H5close() < 0 ? 2 : 0;  // HDF5 can still end; damaged, it crashes or hangs here
    });
    EXPECT_EQ(answer, 0) << bytes;
    EXPECT_EQ(scratch.count_files(), 0u);
  }
}

TEST(ResultCrash, Hdf5ReadsBackWhatTheDiskRefused) {
  const Scratch scratch;
  const int answer = run_with_small_disk(50'000, [&] {
    const std::string text = std::string(100'000, 'a') + std::string(100'000, 'b');
    int problem = 0;
    h5::Handle file = h5::create_file(scratch / "raw.h5", &problem);
    h5::write_text(file.get(), "text", text);
    if (problem != EFBIG) return 1;
    if (h5::read_text(file.get(), "text") != text) return 2;
    return file.close() < 0 ? 3 : 0;
  });
  EXPECT_EQ(answer, 0);
}

TEST(ResultCrash, AtTheEndTheReportIsMissingButNotTheRows) {
  const Scratch scratch;
  const std::string path = scratch / "run.h5";
  const int answer = run_with_small_disk(5'000'000, [&] {
    const auto sink = make_result_file(path);
    sink->begin({}, make_columns(10));
    write_rows(*sink, 1'000);
    Report report;
    report.warnings = {std::string(6'000'000, 'w')};
    sink->finish(report);
    return sink->error().find("File too large") != std::string::npos ? 0 : 1;
  });
  ASSERT_EQ(answer, 0);
  EXPECT_EQ(scratch.count_files(), 1u);
  const Result result = read_result(path);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.row_count(), 1'000u);
}

TEST(ResultCrash, FullDeviceForCsv) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const Scratch scratch;
  std::filesystem::create_symlink("/dev/full", scratch / "run.csv");
  const auto sink = make_result_file(scratch / "run.csv");
  const auto message = find_error([&] { sink->begin({}, make_columns(2)); });
  EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
  EXPECT_NE(message.find("run.csv"), std::string::npos) << message;
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST(ResultCrash, FileOfAnotherProgramMeetsTheFinishedRun) {
  const Scratch scratch;
  const std::string path = scratch / "run.h5";
  const auto sink = make_result_file(path);
  sink->begin({}, make_columns(10));
  write_rows(*sink, 10);
  std::filesystem::remove(path);
  write_file(path, "mine\n");
  sink->finish({});
  EXPECT_EQ(read_file(path), "mine\n");
  const std::string error = sink->error();
  const auto begin = error.find("the result is in '");
  ASSERT_NE(begin, std::string::npos) << error;
  const std::string kept = error.substr(begin + 18, error.size() - begin - 19);
  EXPECT_EQ(read_result(kept).row_count(), 10u) << kept;
}

TEST(ResultHdf5, ReadsFilesOfVersionsWithoutSettings) {
  const Scratch scratch;
  const std::string path = scratch / "old.h5";
  Result result = make_odd_result();
  write_result(result, path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_GE(H5Ldelete(file, "run/settings", H5P_DEFAULT), 0);
  H5Fclose(file);
  result.info.settings.clear();
  expect_same(read_result(path), result);
}

}  // namespace
}  // namespace driftless
