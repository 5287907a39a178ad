#include "driftless/expressions/parser.hpp"

#include <clocale>
#include <cmath>
#include <locale>
#include <numbers>

#include <gtest/gtest.h>

#include "driftless/expressions/parser_test.hpp"
#include "driftless/expressions/spline.hpp"
#include "driftless/expressions/tape.hpp"

namespace driftless {
namespace {

//                           x    y     a    m    s    x'   y'    t
const std::vector<double> kAt = {1.3, -0.7, 0.4, 2.5, 3.5, 0.9, -1.1, 0.2};

double eval(const std::string& text) {
  Graph graph;
  const int table =
      graph.add_spline(CubicSpline(std::vector<double>{0, 1, 2}, std::vector<double>{0, 1, 4}));
  const testing::TestScope scope(graph, table);
  return eval_node(graph, parse_expression(text, {"f.toml", 1, 1}, scope, graph), kAt);
}

struct ValueCase {
  const char* text;
  double value;
};

class ParserValue : public ::testing::TestWithParam<ValueCase> {};

TEST_P(ParserValue, IsAsExpected) {
  EXPECT_DOUBLE_EQ(eval(GetParam().text), GetParam().value) << GetParam().text;
}

namespace at_the_point {

using std::numbers::pi;
const double x = kAt[0], y = kAt[1], a = kAt[2], m = kAt[3], s = kAt[4], vx = kAt[5], vy = kAt[6],
             time = kAt[7];

INSTANTIATE_TEST_SUITE_P(
    Precedence, ParserValue,
    ::testing::Values(ValueCase{"-x^2", -x* x}, ValueCase{"2^3^2", 512}, ValueCase{"(2^3)^2", 64},
                      ValueCase{"x-y-a", x - y - a}, ValueCase{"x-(y-a)", x - (y - a)},
                      ValueCase{"x/y/a", x / y / a}, ValueCase{"x/(y/a)", x / (y / a)},
                      ValueCase{"x/y*a", x / y* a}, ValueCase{"2*-3", -6}, ValueCase{"2--3", 5},
                      ValueCase{"2+-3", -1}, ValueCase{"2^-2", 0.25}, ValueCase{"-2^-2", -0.25},
                      ValueCase{"--x", x}, ValueCase{"-+-x", x}, ValueCase{"+x", x},
                      ValueCase{"1+2*3", 7}, ValueCase{"(1+2)*3", 9}, ValueCase{"2*x^2", 2 * x* x},
                      ValueCase{"x^2*y", x* x* y}, ValueCase{"2^-x^2", std::pow(2, -x* x)},
                      ValueCase{"-x*y", -(x* y)}, ValueCase{"1 - -x^2 + 3", 1 + x* x + 3},
                      ValueCase{"((((x))))", x},
                      ValueCase{"x*y + a*m - s/2", x* y + a* m - s / 2}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, ParserValue,
    ::testing::Values(ValueCase{"1", 1}, ValueCase{"1.", 1}, ValueCase{".5", 0.5},
                      ValueCase{"1e3", 1000}, ValueCase{"1E3", 1000}, ValueCase{"1.5e-3", 0.0015},
                      ValueCase{"1e+2", 100}, ValueCase{"007", 7}, ValueCase{"0.1", 0.1},
                      ValueCase{"123456789012345678", 123456789012345678.0},
                      ValueCase{"1.7976931348623157e308", 1.7976931348623157e308},
                      ValueCase{"pi", pi}, ValueCase{"2*pi", 2 * pi}, ValueCase{" \t\n 3 \r\n", 3},
                      ValueCase{"0e999", 0}));

INSTANTIATE_TEST_SUITE_P(Names, ParserValue,
                         ::testing::Values(ValueCase{"x", x}, ValueCase{"x'", vx},
                                           ValueCase{"x'^2+y'^2", vx* vx + vy* vy},
                                           ValueCase{"x*y'", x* vy}, ValueCase{"t", time},
                                           ValueCase{"x' - x", vx - x}));

INSTANTIATE_TEST_SUITE_P(
    Functions, ParserValue,
    ::testing::Values(ValueCase{"sin(x)", std::sin(x)}, ValueCase{"cos(x)", std::cos(x)},
                      ValueCase{"tan(x)", std::tan(x)}, ValueCase{"asin(a)", std::asin(a)},
                      ValueCase{"acos(a)", std::acos(a)}, ValueCase{"atan(x)", std::atan(x)},
                      ValueCase{"atan2(y, x)", std::atan2(y, x)},
                      ValueCase{"sinh(x)", std::sinh(x)}, ValueCase{"cosh(x)", std::cosh(x)},
                      ValueCase{"tanh(x)", std::tanh(x)}, ValueCase{"exp(x)", std::exp(x)},
                      ValueCase{"log(x)", std::log(x)}, ValueCase{"sqrt(x)", std::sqrt(x)},
                      ValueCase{"abs(y)", -y}, ValueCase{"sign(y)", -1}, ValueCase{"min(x, y)", y},
                      ValueCase{"max(x, y)", x}, ValueCase{"min(x, y, a, -9)", -9},
                      ValueCase{"max(x,m,s,a)", s}, ValueCase{"sin (x)", std::sin(x)},
                      ValueCase{"table(road, x)", x* x},
                      ValueCase{"sin(cos(x)*2)", std::sin(std::cos(x) * 2)}));

INSTANTIATE_TEST_SUITE_P(
    Conditions, ParserValue,
    ::testing::Values(ValueCase{"if(x < y, 1, 2)", 2}, ValueCase{"if(x > y, 1, 2)", 1},
                      ValueCase{"if(x <= x, 1, 2)", 1}, ValueCase{"if(x >= y, 1, 2)", 1},
                      ValueCase{"if(x == y, 1, 2)", 2}, ValueCase{"if(x != y, 1, 2)", 1},
                      ValueCase{"if(x != x, 1, 2)", 2}, ValueCase{"if(y, 1, 2)", 1},
                      ValueCase{"if(0, 1, 2)", 2}, ValueCase{"if(x + 1 < y * 2, x, y)", y},
                      ValueCase{"if(x>y,if(x<a,1,2),3)", 2}, ValueCase{"if(k == 0, 7, 1/k)", 7},
                      ValueCase{"if(k != 0, log(k), 7)", 7}));

INSTANTIATE_TEST_SUITE_P(
    Steps, ParserValue,
    ::testing::Values(ValueCase{"step(x, 2, 5, 3, 9)", 5}, ValueCase{"step(x, 0, 5, 1, 9)", 9},
                      ValueCase{"step(x, 0.3, 5, 2.3, 9)", 7}, ValueCase{"step(2, 2, 5, 3, 9)", 5},
                      ValueCase{"step(3, 2, 5, 3, 9)", 9},
                      ValueCase{"step(0.25, 0, 0, 1, 1)", 3 * 0.0625 - 2 * 0.015625},
                      ValueCase{"step(x, y, 0, m, 32)",
                                32 * (3 * 0.625 * 0.625 - 2 * 0.625 * 0.625 * 0.625)}));

// m and s are names of the model: units only where no operator stands before.
INSTANTIATE_TEST_SUITE_P(
    Units, ParserValue,
    ::testing::Values(
        ValueCase{"45 deg", pi / 4}, ValueCase{"45deg", pi / 4}, ValueCase{"200 N/mm", 2e5},
        ValueCase{"50 mm", 0.05}, ValueCase{"2 t", 2000}, ValueCase{"1500 rpm", 50 * pi},
        ValueCase{"2 m", 2}, ValueCase{"3 km/h", 3 / 3.6}, ValueCase{"2 mm^2", 2e-6},
        ValueCase{"2 kN*cm", 20}, ValueCase{"2 mm^-1", 2000}, ValueCase{"5 1/min", 5 / 60.0},
        ValueCase{"5 min*min(2, 3)", 600}, ValueCase{"2 km*x", 2000 * x},
        ValueCase{"2 km/x", 2000 / x}, ValueCase{"(2 km)^2", 4e6}, ValueCase{"2 kN/2", 1000},
        ValueCase{"-2 km", -2000}, ValueCase{"2 N*(3 mm)", 0.006}, ValueCase{"sin(30 deg)", 0.5},
        ValueCase{"2*3 km", 6000}, ValueCase{"1/2 ms", 1 / 0.002}, ValueCase{"2 kg*mm^2/ms^2", 2},
        ValueCase{"2 km + 3", 2003}));

}  // namespace at_the_point

TEST(Parser, RateOfAUnitNameIsNoUnit) {
  Graph graph;
  class Rates : public testing::TestScope {
   public:
    explicit Rates(Graph& g) : TestScope(g), rate_(g.variable(9)) {}
    std::optional<NodeId> find(std::string_view name) const override {
      return name == "m'" ? rate_ : TestScope::find(name);
    }

   private:
    NodeId rate_;
  } scope(graph);
  const NodeId node = parse_expression("2 N*m'", {}, scope, graph);
  EXPECT_EQ(node, graph.mul(graph.constant(2), graph.variable(9)));
}

TEST(Parser, StepIsSmooth) {
  Graph graph;
  const testing::TestScope scope(graph);
  const NodeId node = parse_expression("step(x, 1, 2, 3, -4)", {}, scope, graph);
  const NodeId slope = graph.derivative(node, 0);
  for (const double edge : {1.0, 3.0})
    for (const double side : {-1e-9, 0.0, 1e-9}) {
      const std::vector<double> at = {edge + side, 0, 0, 0, 0, 0, 0, 0};
      EXPECT_NEAR(eval_node(graph, node, at), edge == 1.0 ? 2 : -4, 1e-12);
      EXPECT_NEAR(eval_node(graph, slope, at), 0, 1e-7);
    }
  EXPECT_DOUBLE_EQ(eval_node(graph, slope, std::vector<double>{2, 0, 0, 0, 0, 0, 0, 0}),
                   -6 / 2.0 * 1.5);
}

TEST(Parser, LongSumsAndProducts) {
  std::string sum = "x", product = "y";
  for (int i = 1; i < 1000; ++i) sum += i % 2 == 0 ? " + x" : " - sin(y)";
  for (int i = 1; i < 1000; ++i) product += "*x/x";
  EXPECT_NEAR(eval(sum), 500 * kAt[0] - 500 * std::sin(kAt[1]), 1e-9);
  EXPECT_NEAR(eval(product), kAt[1], 1e-9);
  std::string longest = "1";
  while (longest.size() + 2 <= 20000) longest += "+1";
  EXPECT_EQ(eval(longest), static_cast<double>((longest.size() + 1) / 2));
}

TEST(Parser, DoesNotDependOnTheLocale) {
  class CommaPoint : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
    std::setlocale(LC_ALL, name);
  EXPECT_EQ(eval("1234.5"), 1234.5);
  EXPECT_EQ(eval("1.5 km"), 1500);
  Graph graph;
  const testing::TestScope scope(graph);
  const std::string message = testing::find_error([&] {
    parse_expression("step(x, 1234.5, 0, 2.5, 1)", {"f", 1, 1}, scope, graph);
  });
  EXPECT_NE(message.find("x0 = 1234.5 to x1 = 2.5"), std::string::npos) << message;
  EXPECT_DOUBLE_EQ(read_table_csv("0.5,1.5\n1.5,2.5", {}).value(1.0), 2.0);
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
}

TEST(Parser, FunctionsAreListedAndReserved) {
  EXPECT_EQ(all_functions().size(), 20u);
  for (const FunctionInfo& function : all_functions()) {
    EXPECT_TRUE(is_reserved(function.name)) << function.name;
    EXPECT_TRUE(is_identifier(function.name));
    EXPECT_FALSE(function.description.empty());
    EXPECT_TRUE(function.signature.starts_with(std::string(function.name) + "("));
    // Every listed function is known to the parser, with this number of arguments.
    std::string call = std::string(function.name) + (function.name == "table" ? "(road" : "(1");
    for (int i = 1; i < std::abs(function.arguments); ++i) call += "," + std::to_string(i + 1);
    EXPECT_NO_THROW(eval(call + ")")) << call;
  }
  for (const char* name : {"t", "pi", "T", "U"}) EXPECT_TRUE(is_reserved(name)) << name;
  for (const char* name : {"x", "m", "tt", "Pi", ""}) EXPECT_FALSE(is_reserved(name)) << name;
  for (const char* name : {"x", "_", "x1", "A_b9"}) EXPECT_TRUE(is_identifier(name)) << name;
  for (const char* name : {"", "1x", "x'", "x.y", "a b", "\xc3\xa4"})
    EXPECT_FALSE(is_identifier(name)) << name;
}

}  // namespace
}  // namespace driftless
