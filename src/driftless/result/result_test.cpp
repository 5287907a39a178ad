#include "driftless/result/result.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(Result, MemorySinkKeepsARun) {
  MemorySink sink;
  RunInfo info;
  info.method = "index1/rk4";
  sink.begin(info, {{"t", "s"}, {"x", "m"}});
  sink.row(std::vector<double>{0.0, 1.0});
  sink.row(std::vector<double>{0.5, 2.0});
  sink.poll();
  Report report;
  report.steps = 7;
  sink.finish(report);
  EXPECT_EQ(sink.error(), "");

  const Result result = sink.take();
  EXPECT_EQ(result.info.method, "index1/rk4");
  EXPECT_EQ(result.report.steps, 7);
  ASSERT_EQ(result.row_count(), 2u);
  EXPECT_EQ(result.row(1)[1], 2.0);
  EXPECT_EQ(result.find_column("x"), 1);
  EXPECT_EQ(result.find_column("y"), -1);
  EXPECT_EQ(result.column(1), (std::vector<double>{1.0, 2.0}));
}

TEST(Result, MemorySinkStartsAfresh) {
  MemorySink sink;
  sink.begin({}, {{"t", "s"}});
  sink.row(std::vector<double>{0.0});
  sink.begin({}, {{"t", "s"}});
  EXPECT_EQ(sink.result().row_count(), 0u);
  EXPECT_EQ(Result{}.row_count(), 0u);
}

}  // namespace
}  // namespace driftless
