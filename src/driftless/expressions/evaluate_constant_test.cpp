#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "driftless/expressions/parser_test.hpp"

namespace driftless {
namespace {

constexpr double kPi = std::numbers::pi;

class EvaluateConstant : public ::testing::Test {
 protected:
  EvaluateConstant() {
    constants_.set("m", {2.0, std::nullopt});
    constants_.set("n", {3.0, std::nullopt});
    constants_.set("l", {0.5, find_unit("m")->dimension});
    constants_.set("T0", {4.0, find_unit("s")->dimension});
    constants_.set("zero", {0.0, std::nullopt});
  }

  /// "value dimension", "?" for a dimension that is not known.
  std::string eval(const std::string& text) {
    const Quantity quantity = evaluate_constant(text, {"f", 1, 1}, constants_);
    value_ = quantity.value;
    return quantity.dimension ? to_string(*quantity.dimension) : "?";
  }
  std::string find_error(const std::string& text) {
    return testing::find_error([&] { evaluate_constant(text, {"f", 1, 1}, constants_); });
  }
  void expect(const std::string& text, double value, const std::string& dimension) {
    EXPECT_EQ(eval(text), dimension) << text;
    EXPECT_DOUBLE_EQ(value_, value) << text;
  }
  void expect_error(const std::string& text, const std::string& part) {
    const std::string error = find_error(text);
    EXPECT_NE(error.find(part), std::string::npos) << text << "\n" << error;
  }

  testing::TestConstants constants_;
  double value_ = 0.0;
};

TEST_F(EvaluateConstant, NumbersAndUnits) {
  expect("3", 3, "?");
  expect("50 mm", 0.05, "m");
  expect("200 N/mm", 2e5, "kg/s^2");
  expect("30 deg", kPi / 6, "1");
  expect("1500 rpm", 50 * kPi, "1/s");
  expect("2 t", 2000, "kg");
  expect("10 1/s", 10, "1/s");
  expect("-5 mm", -0.005, "m");
  expect("10 ms", 0.01, "s");
}

TEST_F(EvaluateConstant, UnitsWhereTheNameIsAlsoDeclared) {
  expect("1 m", 1, "m");  // as in the design's example: parameters m and l = "1 m"
  expect_error("1 N*m", "'m' is ambiguous");
  expect_error("1m", "ambiguous");
}

TEST_F(EvaluateConstant, LiteralsFitEverything) {
  expect("l + 0.5", 1.0, "m");
  expect("0.5 + l", 1.0, "m");
  expect("2*l", 1.0, "m");
  expect("l/2", 0.25, "m");
  expect("1/T0", 0.25, "1/s");
  expect("2 + 3*4", 14, "?");
  expect("max(l, 3)", 3, "m");
  expect("if(l > 0.1, l, 2)", 0.5, "m");
}

TEST_F(EvaluateConstant, NamesWithoutUnitMayStandForAnything) {
  expect("m*l^2/12", 2.0 * 0.25 / 12, "?");
  expect("m + l", 2.5, "m");
  expect("l/m", 0.25, "?");
  expect("m*l*T0", 4.0, "?");  // stays unknown in further products
  expect("n^2", 9, "?");
  expect("l^n", 0.125, "m^3");
}

TEST_F(EvaluateConstant, DimensionsArePropagated) {
  expect("l*l", 0.25, "m^2");
  expect("l/T0", 0.125, "m/s");
  expect("l/T0^2", 0.5 / 16, "m/s^2");
  expect("l^-1", 2, "1/m");
  expect("sqrt(l^2)", 0.5, "m");
  expect("(l^2)^0.5", 0.5, "m");
  expect("(l^2)^1.5", 0.125, "m^3");
  expect("l/(25 cm)", 2, "1");
  expect("abs(-l)", 0.5, "m");
  expect("min(l, 20 cm, 3 ft)", 0.2, "m");
  expect("sign(-l)", -1, "?");
  expect("3 kN/(2 cm)", 150000, "kg/s^2");
  expect("step(T0, 0 s, 0 mm, 8 s, 10 mm)", 0.005, "m");
  expect("step(9, 0, 1, 8, 2)", 2, "?");
  expect("step(-9, 0, 1, 8, 2)", 1, "?");
}

TEST_F(EvaluateConstant, FunctionsOfPureNumbers) {
  expect("l/2*cos(60 deg)", 0.125, "m");
  expect("sin(0.5)", std::sin(0.5), "?");
  expect("atan2(l, 3 m)", std::atan2(0.5, 3), "?");
  expect("exp(l/(1 m))", std::exp(0.5), "?");
  expect("2*pi", 2 * kPi, "?");
  expect("tan(0.1)+asin(0.1)+acos(0.1)+atan(0.1)+sinh(0.1)+cosh(0.1)+tanh(0.1)+log(2)",
         std::tan(0.1) + std::asin(0.1) + std::acos(0.1) + std::atan(0.1) + std::sinh(0.1) +
             std::cosh(0.1) + std::tanh(0.1) + std::log(2),
         "?");
}

TEST_F(EvaluateConstant, MismatchesNameBothSides) {
  expect_error("l + T0", "1:3: cannot add l (m) and T0 (s) | both must have the same dimension");
  expect_error("3 mm - 2*T0", "1:6: cannot subtract 3 mm (m) and 2*T0 (s)");
  expect_error("min(l, T0)", "cannot compare l (m) and T0 (s)");
  expect_error("if(l < T0, 1, 2)", "cannot compare l (m) and T0 (s)");
  expect_error("if(1 < 2, l, T0)", "cannot choose between l (m) and T0 (s)");
  expect_error("atan2(l, T0)", "cannot take atan2 of l (m) and T0 (s)");
  expect_error("step(T0, 0 m, 1, 2, 3)", "cannot compare");
  expect_error("step(1, 2, 1, 2, 3)", "x0 must be less than x1");
  expect_error("l + 30 deg", "cannot add l (m) and 30 deg (1)");
  expect_error("sin(l)", "1:5: sin of l (m)");
  expect_error("2*exp(3 mm)", "exp of 3 mm (m)");
  expect_error("2^l", "a power of l (m)");
  expect_error("sqrt(l)", "whole numbers");
  expect_error("l^0.3", "whole numbers");
  expect_error("l^1e9", "whole numbers");
}

TEST_F(EvaluateConstant, ResultMustBeFinite) {
  expect_error("1/0", "1:1: 1/0 is not finite");
  expect_error("2 + 1/zero", "1:5: 1/zero is not finite");
  expect_error("log(-1)", "log(-1) is not finite");
  expect_error("1e200*1e200", "is not finite");
  expect_error("1/(1/zero)", "1:3: (1/zero) is not finite");
  expect("if(zero == 0, 5, 1/zero)", 5, "?");
  constants_.set("bad", {std::nan(""), std::nullopt});
  expect_error("bad", "bad is not finite");
}

TEST_F(EvaluateConstant, WhatIsNotConstant) {
  expect_error("x'", "x': a rate cannot be used in a constant");
  expect_error("2*t", "the time t cannot be used in a constant");
  expect_error("table(road, 1)", "table(...) cannot be used in a constant");
  expect_error("ll", "unknown name 'll' | did you mean 'l'?");
  expect_error("", "empty");
  expect_error("3 mmm", "'mmm' is neither a unit nor a name");
}

}  // namespace
}  // namespace driftless
