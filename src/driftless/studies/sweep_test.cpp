// Axes, metrics and the grid of runs.

#include "driftless/studies/sweep.hpp"

#include <cmath>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

template <class Function>
std::string find_message(Function&& function) {
  try {
    function();
  } catch (const ModelError& error) {
    return error.diagnostics().front().message;
  }
  return "nothing was thrown";
}

template <class Function>
std::string find_remedy(Function&& function) {
  try {
    function();
  } catch (const ModelError& error) {
    return error.diagnostics().front().remedy;
  }
  return "nothing was thrown";
}

TEST(ParseAxis, ReadsRangesAndLists) {
  const Axis range = parse_axis("alpha=1:3:5");
  EXPECT_EQ(range.name, "alpha");
  EXPECT_EQ(range.values, (std::vector<double>{1.0, 1.5, 2.0, 2.5, 3.0}));
  EXPECT_EQ(parse_axis("x'=-1:-3:2").values, (std::vector<double>{-1.0, -3.0}));
  EXPECT_EQ(parse_axis("x'=-1:-3:2").name, "x'");
  EXPECT_EQ(parse_axis("n=1,2,5").values, (std::vector<double>{1.0, 2.0, 5.0}));
  EXPECT_EQ(parse_axis("n=7").values, (std::vector<double>{7.0}));
  EXPECT_EQ(parse_axis("n=2:9:1").values, (std::vector<double>{2.0}));
  const Axis lengths = parse_axis("l=50, 80 ,0.2 mm");
  EXPECT_EQ(lengths.values, (std::vector<double>{0.05, 0.08, 0.0002}));
  EXPECT_EQ(lengths.unit, "m");
  EXPECT_EQ(lengths.shown_unit, "mm");
  EXPECT_EQ(parse_axis("l=1 mm:2 m:2").values, (std::vector<double>{0.001, 2.0}));
  EXPECT_EQ(parse_axis("a=90 deg").unit, "") << "angles have no dimension";
}

TEST(ParseAxis, LogarithmicRangesHaveEqualRatiosAndExactEnds) {
  const Axis axis = parse_axis("h=1e-4:1e-1:7:log");
  ASSERT_EQ(axis.values.size(), 7U);
  EXPECT_EQ(axis.values.front(), 1e-4);
  EXPECT_EQ(axis.values.back(), 1e-1);
  for (std::size_t k = 1; k < 7; ++k)
    EXPECT_NEAR(axis.values[k] / axis.values[k - 1], std::sqrt(10.0), 1e-12);
}

TEST(ParseAxis, SaysWhatIsWrong) {
  const auto message = [](const char* text) { return find_message([&] { parse_axis(text); }); };
  EXPECT_EQ(message("alpha"), "--vary alpha: the name or the values are missing");
  EXPECT_EQ(message("=1,2"), "--vary =1,2: the name or the values are missing");
  EXPECT_EQ(message("a="), "--vary a=: '' is not a number");
  EXPECT_EQ(message("a=1,b"), "--vary a=1,b: 'b' is not a number");
  EXPECT_EQ(message("a=1,,2"), "--vary a=1,,2: '' is not a number");
  EXPECT_EQ(message("a=1:2"), "--vary a=1:2: a range has three parts, or four with log");
  EXPECT_EQ(message("a=1:2:3:log:4"),
            "--vary a=1:2:3:log:4: a range has three parts, or four with log");
  EXPECT_EQ(message("a=1:2:2.5"),
            "--vary a=1:2:2.5: the count 2.5 is not a whole number from 1 to 1000000");
  EXPECT_EQ(message("a=1:2:0"),
            "--vary a=1:2:0: the count 0 is not a whole number from 1 to 1000000");
  EXPECT_EQ(message("a=1:2:1e9"),
            "--vary a=1:2:1e9: the count 1e9 is not a whole number from 1 to 1000000");
  EXPECT_EQ(message("a=1:2:3:lin"), "--vary a=1:2:3:lin: 'lin' is not known");
  EXPECT_EQ(message("a=0:2:3:log"), "--vary a=0:2:3:log: a log range needs positive ends");
  EXPECT_EQ(message("a=nan,1"), "--vary a=nan,1: 'nan' is not a number");
  EXPECT_EQ(message("a=1:inf:3"), "--vary a=1:inf:3: 'inf' is not a number");
  EXPECT_EQ(find_remedy([] { parse_axis("a"); }),
            "write NAME=from:to:count, NAME=from:to:count:log, or NAME=a,b,c; units may follow the "
            "numbers: NAME=10 deg:60 deg:6");
}

/// x = 1, -3, 2 at t = 0, 1, 3.
Result make_result() {
  Result result;
  result.columns = {{"t", "s"}, {"x", ""}};
  result.data = {0, 1, 1, -3, 3, 2};
  result.report.max_phi = 0.25;
  result.report.steps = 12;
  result.report.figures = {{"max_momentum_error", 0.5}};
  return result;
}

TEST(Metrics, AreFiguresOrFunctionsOfAColumn) {
  const Result result = make_result();
  const auto eval = [&](const char* text) { return eval_metric(parse_metric(text), result); };
  EXPECT_EQ(eval("max_phi"), 0.25);
  EXPECT_EQ(eval("steps"), 12.0);
  EXPECT_EQ(eval("max_momentum_error"), 0.5);
  EXPECT_EQ(eval("max(x)"), 3.0);
  EXPECT_EQ(eval("min(x)"), -3.0);
  EXPECT_EQ(eval("last(x)"), 2.0);
  // Trapezoids: of x: (1 - 3)/2 + (-3 + 2); of x²: (1 + 9)/2 + (9 + 4).
  EXPECT_NEAR(eval("mean(x)"), -2.0 / 3.0, 1e-15);
  EXPECT_NEAR(eval("rms(x)"), std::sqrt(18.0 / 3.0), 1e-15);
  EXPECT_NEAR(eval("l2(x)"), std::sqrt(18.0), 1e-15);
  for (const std::string& name : all_figures()) EXPECT_NO_THROW(eval(name.c_str())) << name;
}

TEST(Metrics, SayWhatIsWrong) {
  const Result result = make_result();
  const auto eval = [&](const char* text) {
    return [&result, text] { eval_metric(parse_metric(text), result); };
  };
  EXPECT_EQ(find_message(eval("max(x")), "'max(x': the closing parenthesis is missing");
  EXPECT_EQ(find_message(eval("mex(x)")), "'mex(x)': there is no function 'mex' of a column");
  EXPECT_EQ(find_remedy(eval("mex(x)")), "did you mean 'max'?");
  EXPECT_EQ(find_message(eval("max(y)")), "there is no column 'y'");
  EXPECT_EQ(find_message(eval("max_phy")), "the report has no figure 'max_phy'");
  EXPECT_EQ(find_remedy(eval("max_phy")).substr(0, 23), "did you mean 'max_phi'?");
}

Metric sum_metric() { return parse_metric("last(sum)"); }

Result make_sum(const std::vector<double>& values) {
  Result result;
  result.columns = {{"t", "s"}, {"sum", ""}};
  double sum = 0.0;
  for (const double value : values) sum = 10.0 * sum + value;
  result.data = {0.0, 0.0, 1.0, sum};
  return result;
}

TEST(Sweep, VariesTheFirstAxisSlowest) {
  const auto points = sweep({{"a", {1, 2}}, {"b", {3, 4, 5}}}, {sum_metric()}, make_sum, {});
  ASSERT_EQ(points.size(), 6U);
  std::vector<double> sums;
  for (const SweepPoint& point : points) sums.push_back(point.metrics.at(0));
  EXPECT_EQ(sums, (std::vector<double>{13, 14, 15, 23, 24, 25}));
  EXPECT_EQ(points[3].values, (std::vector<double>{2, 3}));
}

TEST(Sweep, DoesNotDependOnTheNumberOfThreads) {
  const std::vector<Axis> axes{parse_axis("a=0:9:10"), parse_axis("b=0:9:10")};
  const auto run = [](const std::vector<double>& values) {
    if (static_cast<int>(values[1]) % 3 == 0) std::this_thread::yield();
    return make_sum(values);
  };
  const auto one = sweep(axes, {sum_metric()}, run, {});
  std::set<std::size_t> told;
  SweepOptions options;
  options.threads = 4;
  options.watch = [&](std::size_t done, std::size_t all) {
    EXPECT_EQ(all, 100U);
    EXPECT_TRUE(told.insert(done).second);
  };
  const auto four = sweep(axes, {sum_metric()}, run, options);
  ASSERT_EQ(one.size(), 100U);
  ASSERT_EQ(four.size(), 100U);
  EXPECT_EQ(told.size(), 100U);
  for (std::size_t k = 0; k < 100; ++k) {
    EXPECT_EQ(one[k].values, four[k].values);
    EXPECT_EQ(one[k].metrics, four[k].metrics);
  }
}

TEST(Sweep, GivesNoNumberForARunThatFailed) {
  const auto run = [](const std::vector<double>& values) {
    Result result = make_sum(values);
    if (values[0] == 2.0) {
      result.report.status = Status::failed;
      result.report.message = "the force on 'x' is not finite";
    }
    return result;
  };
  const auto points = sweep({{"a", {1, 2, 3}}}, {sum_metric(), parse_metric("max_phi")}, run, {});
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].metrics[0], 1.0);
  EXPECT_EQ(points[1].status, Status::failed);
  EXPECT_EQ(points[1].message, "the force on 'x' is not finite");
  ASSERT_EQ(points[1].metrics.size(), 2U);
  EXPECT_TRUE(std::isnan(points[1].metrics[0]));
  EXPECT_TRUE(std::isnan(points[1].metrics[1]));
  EXPECT_EQ(points[2].metrics[0], 3.0);
}

TEST(Sweep, AStopKeepsWhatWasReached) {
  std::atomic<bool> stop{false};
  SweepOptions options;
  options.stop = &stop;
  const auto run = [&](const std::vector<double>& values) {
    if (values[0] == 3.0) stop = true;
    Result result = make_sum(values);
    if (stop) result.report.status = Status::interrupted;
    return result;
  };
  std::size_t told = 0;
  options.watch = [&](std::size_t done, std::size_t) { told = done; };
  const auto points = sweep({parse_axis("a=1:9:9")}, {sum_metric()}, run, options);
  ASSERT_EQ(points.size(), 3U) << "what was not begun is no point";
  EXPECT_EQ(points[1].metrics[0], 2.0);
  EXPECT_EQ(points[2].status, Status::interrupted);
  EXPECT_TRUE(std::isnan(points[2].metrics[0]));
  EXPECT_EQ(told, 2U) << "an interrupted run is not done";
}

TEST(Sweep, MisuseInOneRunIsTheWholeSweeps) {
  const auto run = [](const std::vector<double>& values) -> Result {
    if (values[0] == 3.0) throw ModelError("method.alpha: no");
    return make_sum(values);
  };
  for (const int threads : {1, 3}) {
    SweepOptions options;
    options.threads = threads;
    EXPECT_EQ(find_message([&] { sweep({parse_axis("a=1:9:9")}, {sum_metric()}, run, options); }),
              "method.alpha: no");
  }
  EXPECT_EQ(find_message([&] {
              sweep({{"a", {1}}}, {parse_metric("max(other)")}, make_sum, {});
            }),
            "there is no column 'other'");
}

TEST(Sweep, RefusesGridsThatAreTooLarge) {
  const Axis axis = parse_axis("a=1:2:2000");
  EXPECT_EQ(find_message([&] {
              sweep({axis, axis}, {}, make_sum, {});
            }),
            "the grid has more than 1000000 points");
}

}  // namespace
}  // namespace driftless
