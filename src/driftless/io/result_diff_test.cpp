#include "driftless/io/result_diff.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

using Function = std::function<double(double)>;

Result sample(const std::vector<double>& times,
              const std::vector<std::pair<std::string, Function>>& columns) {
  Result result;
  result.columns = {{"t", "s"}};
  for (const auto& [name, f] : columns) result.columns.push_back({name, "m"});
  for (const double t : times) {
    result.data.push_back(t);
    for (const auto& [name, f] : columns) result.data.push_back(f(t));
  }
  return result;
}

std::vector<double> make_grid(double begin, double end, int count) {
  std::vector<double> grid;
  for (int k = 0; k <= count; ++k) grid.push_back(begin + (end - begin) * k / count);
  return grid;
}

double sine(double t) { return std::sin(t); }
double cosine(double t) { return std::cos(t); }

TEST(ResultDiff, OnTheSameGridIsExact) {
  const auto grid = make_grid(0, 10, 100);
  const Result a = sample(grid, {{"x", sine}, {"y", cosine}});
  const Result b = sample(
      grid, {{"x", [](double t) { return std::sin(t) + (t == 3.0 ? 0.5 : 0.0); }}, {"y", cosine}});
  const auto differences = diff_results(a, b);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_NEAR(differences[0].max, 0.5, 1e-15);
  EXPECT_EQ(differences[0].t_max, 3.0);
  EXPECT_NEAR(differences[0].rms, 0.5 / std::sqrt(101.0), 1e-15);
  EXPECT_EQ(differences[0].samples, 101u);
  EXPECT_EQ(differences[1].max, 0.0);
}

// The error of interpolation must fall with the fourth power of the step, with and without a rate
// column.
TEST(ResultDiff, InterpolatesToFourthOrder) {
  const auto fine = make_grid(0, 5, 777);
  for (const bool with_rate : {true, false}) {
    std::vector<double> errors;
    for (const int count : {40, 80, 160}) {
      std::vector<std::pair<std::string, Function>> columns{{"x", sine}};
      if (with_rate) columns.emplace_back("x'", cosine);
      errors.push_back(
          diff_results(sample(fine, {{"x", sine}}), sample(make_grid(0, 5, count), columns))[0]
              .max);
    }
    EXPECT_GT(std::log2(errors[0] / errors[1]), 3.8);
    EXPECT_GT(std::log2(errors[1] / errors[2]), 3.8);
    EXPECT_LT(errors[2], 1e-7);
    EXPECT_GT(errors[2], 0.0);
  }
}

TEST(ResultDiff, IsExactForLowPolynomials) {
  const auto cubic = [](double t) { return 1 + t - 2 * t * t + 0.3 * t * t * t; };
  const auto rate = [](double t) { return 1 - 4 * t + 0.9 * t * t; };
  const auto square = [](double t) { return 2 - t + 3 * t * t; };
  const Result a = sample(make_grid(0, 2, 57), {{"c", cubic}, {"s", square}, {"d", cubic}});
  std::vector<double> uneven{0, 0.3, 0.35, 1.0, 1.1, 1.9, 2.0};
  const auto differences =
      diff_results(a, sample(uneven, {{"c", cubic}, {"c'", rate}, {"s", square}, {"d", cubic}}));
  EXPECT_LT(differences[0].max, 1e-14);
  EXPECT_LT(differences[1].max, 1e-13);
  EXPECT_LT(differences[2].max, 1e-13);
  const auto line = [](double t) { return 3 - t; };
  EXPECT_LT(
      diff_results(sample(make_grid(0, 2, 9), {{"l", line}}), sample({0, 2}, {{"l", line}}))[0].max,
      1e-15);
}

TEST(ResultDiff, UsesTheCommonSpanOnly) {
  const auto differences = diff_results(sample(make_grid(0, 10, 10), {{"x", sine}}),
                                        sample(make_grid(4, 20, 16), {{"x", sine}}));
  EXPECT_EQ(differences[0].samples, 7u);
  EXPECT_EQ(differences[0].max, 0.0);
}

TEST(ResultDiff, ListsWhatOnlyOneHas) {
  const auto grid = make_grid(0, 1, 4);
  const auto differences = diff_results(sample(grid, {{"x", sine}, {"p", sine}}),
                                        sample(grid, {{"q", sine}, {"x", sine}}));
  ASSERT_EQ(differences.size(), 3u);
  EXPECT_EQ(differences[1].name, "p");
  EXPECT_EQ(differences[1].kind, ColumnDifference::Kind::only_in_a);
  EXPECT_EQ(differences[2].name, "q");
  EXPECT_EQ(differences[2].kind, ColumnDifference::Kind::only_in_b);
}

TEST(ResultDiff, TakesBothSidesOfAJump) {
  const std::vector<double> times{0, 1, 1, 2};
  Result a = sample(times, {{"x", sine}});
  a.data = {0, 5, 1, 5, 1, 7, 2, 7};
  EXPECT_EQ(diff_results(a, a)[0].max, 0.0);
  // Between the samples of b no slope is taken across the jump: constant before and after.
  Result b = a;
  Result middle = sample({0.5, 1.5}, {{"x", sine}});
  middle.data = {0.5, 5, 1.5, 7};
  EXPECT_EQ(diff_results(middle, b)[0].max, 0.0);
}

TEST(ResultDiff, CountsWhatCannotBeCompared) {
  constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
  Result a = sample({0, 1, 2}, {{"x", sine}});
  Result b = a;
  a.data[1] = kNoNumber;
  b.data[1] = kNoNumber;
  b.data[3] = kNoNumber;
  const auto difference = diff_results(a, b)[0];
  EXPECT_EQ(difference.samples, 2u);
  EXPECT_EQ(difference.skipped, 1u);
  EXPECT_EQ(difference.max, 0.0);
}

TEST(ResultDiff, RefusesWhatHasNoTimeInCommon) {
  const Result a = sample({0, 1}, {{"x", sine}});
  EXPECT_THROW(diff_results(a, sample({2, 3}, {{"x", sine}})), ModelError);
  EXPECT_THROW(diff_results(a, sample({1, 0}, {{"x", sine}})), ModelError);
  EXPECT_THROW(diff_results(a, Result{}), ModelError);
  EXPECT_THROW(diff_results(sample({}, {{"x", sine}}), a), ModelError);
}

}  // namespace
}  // namespace driftless
