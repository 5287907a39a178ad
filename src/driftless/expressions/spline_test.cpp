#include "driftless/expressions/spline.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace driftless {
namespace {

CubicSpline sample(const std::vector<double>& x, const std::function<double(double)>& f) {
  std::vector<double> y;
  for (const double at : x) y.push_back(f(at));
  return CubicSpline(x, y);
}

TEST(CubicSpline, TwoPointsGiveTheLine) {
  const CubicSpline line(std::vector<double>{1, 3}, std::vector<double>{2, 8});
  for (const double x : {-4.0, 1.0, 1.7, 3.0, 9.0}) {
    EXPECT_DOUBLE_EQ(line.value(x), 3 * x - 1);
    EXPECT_DOUBLE_EQ(line.value(x, 1), 3);
    EXPECT_EQ(line.value(x, 2), 0);
  }
}

TEST(CubicSpline, ThreePointsGiveTheParabola) {
  const CubicSpline spline = sample({-1, 0.5, 3}, [](double x) { return 2 * x * x - x + 4; });
  for (const double x : {-1.0, 0.0, 0.5, 1.1, 3.0}) {
    EXPECT_NEAR(spline.value(x), 2 * x * x - x + 4, 1e-13);
    EXPECT_NEAR(spline.value(x, 1), 4 * x - 1, 1e-13);
    EXPECT_NEAR(spline.value(x, 2), 4, 1e-13);
    EXPECT_NEAR(spline.value(x, 3), 0, 1e-12);
  }
}

TEST(CubicSpline, ReproducesCubicsOnUnevenPoints) {
  const auto cubic = [](double x) { return x * x * x - 2 * x * x + 3 * x - 5; };
  for (const std::vector<double>& points :
       {std::vector<double>{0, 1, 1.5, 4}, std::vector<double>{-3, -2.9, 0, 0.1, 2, 7}}) {
    const CubicSpline spline = sample(points, cubic);
    for (double x = points.front(); x <= points.back(); x += 0.093) {
      EXPECT_NEAR(spline.value(x), cubic(x), 1e-11);
      EXPECT_NEAR(spline.value(x, 1), 3 * x * x - 4 * x + 3, 1e-11);
      EXPECT_NEAR(spline.value(x, 2), 6 * x - 4, 1e-11);
      EXPECT_NEAR(spline.value(x, 3), 6, 1e-9);
    }
  }
}

TEST(CubicSpline, IsTwiceContinuouslyDifferentiable) {
  const std::vector<double> x = {0, 0.4, 1.5, 1.7, 3, 4.4}, y = {1, -2, 0.5, 3, 3, -1};
  const CubicSpline spline(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(spline.value(x[i]), y[i], 1e-13);
  const double e = 1e-9;
  for (std::size_t i = 1; i + 1 < x.size(); ++i)
    for (int order = 0; order <= 2; ++order)
      EXPECT_NEAR(spline.value(x[i] - e, order), spline.value(x[i] + e, order), 1e-6)
          << "order " << order;
  // not-a-knot: also the third one, at the second and the last but one point
  EXPECT_NEAR(spline.value(x[1] - e, 3), spline.value(x[1] + e, 3), 1e-9);
  EXPECT_NEAR(spline.value(x[4] - e, 3), spline.value(x[4] + e, 3), 1e-9);
  EXPECT_GT(std::fabs(spline.value(x[2] - e, 3) - spline.value(x[2] + e, 3)), 1.0);
}

TEST(CubicSpline, IsOfFourthOrderUpToTheEnds) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const int n = k == 0 ? 20 : 40;
    std::vector<double> x;
    for (int i = 0; i <= n; ++i) x.push_back(2.0 * i / n);
    const CubicSpline spline = sample(x, [](double at) { return std::exp(at); });
    error[k] = 0;
    for (double at = 0; at <= 2; at += 0.001)
      error[k] = std::max(error[k], std::fabs(spline.value(at) - std::exp(at)));
  }
  const double order = std::log2(error[0] / error[1]);
  EXPECT_GT(order, 3.7);
  EXPECT_LT(order, 4.3);
}

TEST(CubicSpline, ContinuesStraightOutside) {
  const CubicSpline spline = sample({0, 1, 2, 3}, [](double x) { return x * x * x; });
  EXPECT_NEAR(spline.value(5), 27 + 27 * 2, 1e-12);
  EXPECT_NEAR(spline.value(-2), 0, 1e-12);
  EXPECT_NEAR(spline.value(5, 1), 27, 1e-12);
  EXPECT_EQ(spline.value(5, 2), 0);
  EXPECT_EQ(spline.value(-1, 3), 0);
  EXPECT_TRUE(std::isnan(spline.value(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(spline.lower(), 0);
  EXPECT_EQ(spline.upper(), 3);
}

void expect_failure(const std::function<void()>& action, const std::string& part) {
  try {
    action();
    FAIL() << "no error; expected " << part;
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(CubicSpline, RefusesBadPoints) {
  using V = std::vector<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  expect_failure([] { CubicSpline(V{1}, V{1}); }, "at least 2");
  expect_failure([] { CubicSpline(V{}, V{}); }, "at least 2");
  expect_failure([] { CubicSpline(V{1, 2}, V{1}); }, "2 x values but 1 y");
  expect_failure([] { CubicSpline(V{1, 1}, V{1, 2}); }, "must increase");
  expect_failure([] { CubicSpline(V{1, 3, 2}, V{1, 2, 3}); }, "point 3 has x = 2 after x = 3");
  expect_failure([&] { CubicSpline(V{1, nan}, V{1, 2}); }, "not finite");
  expect_failure([&] { CubicSpline(V{1, 2}, V{1, infinity}); }, "not finite");
  expect_failure([] { CubicSpline(V{0, 1e-300}, V{0, 1e100}); }, "not finite");
  expect_failure([] { CubicSpline(V{-1e308, 1e308, 1.1e308}, V{0, 1, 2}); }, "not finite");
}

TEST(ReadTableCsv, AcceptsTheUsualForms) {
  for (const char* text : {
           "0,1\n1,3\n",
           "0;1\r\n1;3",
           "0 1\n1\t3",
           "x,y\n0,1\n1,3\n",
           "time [s]; force [N]\n0;1\n1;3\n",
           "# a comment\n\n  0 , 1 # start\n\n+1.0e0 , 3.\n# end",
           "\xef\xbb\xbf"
           "0,1\n1,3\n",
           "x,y # header\n\n0,1\n1,3",
       }) {
    const CubicSpline table = read_table_csv(text, {"t.csv"});
    EXPECT_EQ(table.size(), 2u) << text;
    EXPECT_DOUBLE_EQ(table.value(0.5), 2.0) << text;
  }
}

TEST(ReadTableCsv, SaysWhereItIsWrong) {
  const auto read = [](const char* text) { return [text] { read_table_csv(text, {"t.csv"}); }; };
  expect_failure(read("0,1\n1,x\n"), "t.csv:2:3: error: table: 'x' is not a number");
  expect_failure(read("0,1\n1\n"), "t.csv:2:2: error: table: the second number is missing");
  expect_failure(read("0,1\n1,2,3\n"), "t.csv:2:4: error: table: ',' is one column too many");
  expect_failure(read("0,5;1,5\n"), "one column too many");
  expect_failure(read("x,y\na,b\n0,1\n1,2"), "t.csv:2:1: error: table: 'a' is not a number");
  expect_failure(read("0,1\n1,nan\n"), "t.csv:2:3: error: table: 'nan' is not finite");
  expect_failure(read("0,1\n1,1e999\n"), "t.csv:2:3: error: table: '1e999' is out of range");
  expect_failure(read("0,1\n2,1\n1,1\n"),
                 "t.csv:3:1: error: table: '1' does not increase: the x before it is 2");
  expect_failure(read("0,1\n1,,3\n"), "t.csv:2:3");
  expect_failure(read("0,1mm\n1,3\n"), "t.csv:1:3: error: table: '1mm' is not a number");
  expect_failure(read(""), "at least 2");
  expect_failure(read("x,y\n0,1"), "at least 2");
}

}  // namespace
}  // namespace driftless
