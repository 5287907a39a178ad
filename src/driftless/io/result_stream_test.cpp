// Results that are read piece by piece: the same as read at once, in memory that does not grow with the rows.

#include <algorithm>
#include <cmath>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "driftless/io/page.hpp"
#include "driftless/io/result_files.hpp"
#include "driftless/io/result_files_test.hpp"
#include "driftless/io/result_hdf5_container.hpp"
#include "driftless/io/result_posix.hpp"

namespace driftless {
namespace {

using namespace testing_results;

/// Rows enough for several blocks of reading, and for more than one of writing.
Result make_long_result(std::size_t rows, std::size_t columns) {
  Result result;
  result.info.version = "1";
  result.columns = make_columns(columns);
  result.report.steps = 7;
  for (std::size_t k = 0; k < rows; ++k) {
    result.data.push_back(static_cast<double>(k) * 0.25);
    for (std::size_t c = 1; c < columns; ++c)
      result.data.push_back(std::sin(static_cast<double>(k * columns + c)));
  }
  return result;
}

/// Where in memory the rows lay that came: a reader that holds everything shows all of it.
class PlaceSink final : public ResultSink {
 public:
  void begin(const RunInfo&, const std::vector<Column>& columns) override {
    columns_ = columns.size();
  }
  void row(std::span<const double> values) override {
    ++rows_;
    low_ = low_ == nullptr ? values.data() : std::min(low_, values.data());
    high_ = std::max(high_, values.data() + values.size());
  }
  void finish(const Report&) override { finished_ = true; }
  std::size_t reach() const { return static_cast<std::size_t>(high_ - low_) * sizeof(double); }

  std::size_t columns_ = 0, rows_ = 0;
  bool finished_ = false;

 private:
  const double* low_ = nullptr;
  const double* high_ = nullptr;
};

class ResultStream : public ::testing::TestWithParam<const char*> {
 protected:
  std::string path(const std::string& name) const { return scratch_ / (name + GetParam()); }
  Scratch scratch_;
};

class KeepSink final : public ResultSink {
 public:
  void begin(const RunInfo& info, const std::vector<Column>& columns) override {
    ++begun;
    result.info = info;
    result.columns = columns;
    result.complete = false;
  }
  void row(std::span<const double> values) override {
    result.data.insert(result.data.end(), values.begin(), values.end());
  }
  void finish(const Report& report) override {
    result.report = report;
    result.complete = true;
  }
  Result result;
  int begun = 0;
};

TEST_P(ResultStream, GivesWhatReadingAtOnceGives) {
  Result few = make_odd_result();
  Result none = few;
  none.data.clear();
  for (const Result& result : {few, none, make_long_result(300'000, 3)}) {
    write_result(result, path("run"));
    KeepSink sink;
    double share = 0.0;
    stream_result(path("run"), sink, [&](double now) {
      EXPECT_GE(now, share);
      share = now;
    });
    EXPECT_EQ(sink.begun, 1);
    expect_same(sink.result, read_result(path("run")));
    if (result.row_count() > 0) {
      EXPECT_EQ(share, 1.0);
    }
  }
}

TEST_P(ResultStream, HoldsOneBlockAtATime) {
  const Result result = make_long_result(200'000, 8);
  write_result(result, path("run"));
  PlaceSink sink;
  stream_result(path("run"), sink);
  EXPECT_EQ(sink.rows_, 200'000U);
  EXPECT_TRUE(sink.finished_);
  EXPECT_LE(sink.reach(), result.data.size() * sizeof(double) / 3);
}

TEST_P(ResultStream, OverviewHasTheEndsOnly) {
  for (const std::size_t rows : {0U, 1U, 2U, 5000U}) {
    const Result result = make_long_result(rows, 4);
    write_result(result, path("run"));
    const ResultOverview overview = read_overview(path("run"));
    EXPECT_EQ(overview.rows, rows);
    EXPECT_EQ(overview.ends.row_count(), std::min<std::size_t>(rows, 2));
    EXPECT_EQ(overview.ends.report.steps, 7);
    if (rows == 0) continue;
    EXPECT_EQ(overview.ends.row(0)[1], result.row(0)[1]);
    EXPECT_EQ(overview.ends.row(overview.ends.row_count() - 1)[3], result.row(rows - 1)[3]);
  }
}

TEST_P(ResultStream, PartHasItsColumnsInItsOrder) {
  const Result result = make_long_result(1000, 6);
  write_result(result, path("run"));
  const Result part = read_part(path("run"), [](const RunInfo&, const std::vector<Column>& all) {
    EXPECT_EQ(all.size(), 6U);
    ResultPart wanted;
    wanted.columns = {0, 5, 2};
    return wanted;
  });
  ASSERT_EQ(part.row_count(), 1000U);
  ASSERT_EQ(part.columns.size(), 3U);
  EXPECT_EQ(part.columns[1].name, "x5");
  EXPECT_TRUE(part.complete);
  for (std::size_t k = 0; k < 1000; ++k) {
    ASSERT_EQ(part.row(k)[0], result.row(k)[0]);
    ASSERT_EQ(part.row(k)[1], result.row(k)[5]);
    ASSERT_EQ(part.row(k)[2], result.row(k)[2]);
  }
}

TEST_P(ResultStream, WindowKeepsItsNeighboursAndTheEnds) {
  const Result result = make_long_result(1000, 2);  // t = 0, 0.25, ...
  write_result(result, path("run"));
  const Result part = read_part(path("run"), [](const RunInfo&, const std::vector<Column>&) {
    ResultPart wanted;
    wanted.columns = {0, 1};
    wanted.from = 10.1;
    wanted.to = 11.1;
    return wanted;
  });
  std::vector<double> times;
  for (std::size_t k = 0; k < part.row_count(); ++k) times.push_back(part.row(k)[0]);
  EXPECT_EQ(times, (std::vector<double>{0, 10, 10.25, 10.5, 10.75, 11, 11.25, 11.5, 249.75}));
}

TEST_P(ResultStream, TooManyRowsAreHalvedAndTheLastStays) {
  const Result result = make_long_result(1000, 2);
  write_result(result, path("run"));
  const Result part = read_part(path("run"), [](const RunInfo&, const std::vector<Column>&) {
    ResultPart wanted;
    wanted.columns = {0, 1};
    wanted.max_rows = 100;
    return wanted;
  });
  EXPECT_LE(part.row_count(), 102U);
  EXPECT_GE(part.row_count(), 50U);
  EXPECT_EQ(part.row(0)[0], 0.0);
  EXPECT_EQ(part.row(part.row_count() - 1)[0], 249.75);
  const double step = part.row(1)[0];
  for (std::size_t k = 0; k + 1 < part.row_count(); ++k)
    EXPECT_EQ(part.row(k)[0], step * static_cast<double>(k));
}

TEST_P(ResultStream, ConvertsWithoutHoldingIt) {
  const Result result = make_odd_result();
  write_result(result, path("run"));
  convert_result(path("run"), scratch_ / "copy.h5");
  Result want = read_result(path("run"));
  expect_same(read_result(scratch_ / "copy.h5"), want);
  EXPECT_NE(find_error([&] { convert_result(path("run"), path("run")); }).find("is read"),
            std::string::npos);
  expect_same(read_result(path("run")), want);
}

TEST_P(ResultStream, ConvertsARunThatWasKilled) {
  Result result = make_long_result(100, 3);
  result.complete = false;
  write_result(result, path("run"));
  convert_result(path("run"), scratch_ / "copy.h5");
  EXPECT_FALSE(read_result(scratch_ / "copy.h5").complete);
  EXPECT_EQ(read_result(scratch_ / "copy.h5").row_count(), 100U);
}

INSTANTIATE_TEST_SUITE_P(Formats, ResultStream, ::testing::Values(".h5", ".csv"));

TEST(ResultStreamCsv, CellsAndLinesMayLieAcrossBlocks) {
  const Scratch scratch;
  // Longer than a block of reading (1 MiB) on the first line, and in a quoted name.
  std::string header = "t,\"";
  header += std::string(1'500'000, 'n') + "\nmore\"";
  std::string rows;
  for (int k = 0; k < 200'000; ++k) rows += std::to_string(k) + ",\"0.5\"\n";
  write_file(scratch / "table.csv", header + "\n" + rows);
  const Result result = read_result(scratch / "table.csv");
  ASSERT_EQ(result.columns.size(), 2U);
  EXPECT_EQ(result.columns[1].name.size(), 1'500'005U);
  ASSERT_EQ(result.row_count(), 200'000U);
  EXPECT_EQ(result.row(199'999)[0], 199'999.0);
  EXPECT_EQ(result.row(199'999)[1], 0.5);
}

TEST(ResultStreamCsv, WhatCannotBeReadToItsEndLeavesNoCopy) {
  const Scratch scratch;
  write_file(scratch / "table.csv", "t,x\n0,1\n1,oops\n");
  const std::string message =
      find_error([&] { convert_result(scratch / "table.csv", scratch / "copy.h5"); });
  EXPECT_NE(message.find("'oops' is not a number"), std::string::npos) << message;
  EXPECT_EQ(scratch.count_files(), 1U);
}

// A table of 1.6 GB, nearly all of it a hole: one sample in it is not zero, and the page has it.
TEST(LongResultStream, PageOfAHugeTableKeepsItsPeak) {
  const Scratch scratch;
  constexpr std::size_t kRows = 20'000, kColumns = 10'000;
  const Report report;
  RunInfo info;
  info.version = "1";
  const std::vector<Column> columns = make_columns(kColumns);
  const Container container = create_container(scratch / "huge.h5", info, columns, kRows, &report);
  {
    PosixFile file(scratch / "huge.h5", O_RDWR);
    ASSERT_TRUE(file.is_open());
    for (std::size_t k = 0; k < kRows; ++k) {
      const double t = static_cast<double>(k);
      const double peak = 12345.678;
      const std::size_t row = container.data + k * kColumns * sizeof(double);
      ASSERT_EQ(file.write(&t, sizeof t, static_cast<off_t>(row)), 0);
      if (k == 13'331) {
        ASSERT_EQ(file.write(&peak, sizeof peak, static_cast<off_t>(row + 777 * sizeof(double))),
                  0);
      }
    }
  }
  PlaceSink place;
  stream_result(scratch / "huge.h5", place);
  EXPECT_EQ(place.rows_, kRows);
  EXPECT_LE(place.reach(), std::size_t{8} << 20);
  PageRun run;
  stream_result(scratch / "huge.h5", run);
  const std::vector<double> shown = run.thinned().column(777);
  EXPECT_LE(shown.size(), 400U);
  EXPECT_EQ(*std::max_element(shown.begin(), shown.end()), 12345.678);
  EXPECT_EQ(run.thinned().rows(), kRows);
}

}  // namespace
}  // namespace driftless
