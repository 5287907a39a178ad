#include "driftless/expressions/unit_of.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace driftless {
namespace {

/// x and y in m, angle in rad, rate in rad/s, F in N, M in N*m, E in J, ratio a pure number, k not known.
std::string unit_of(std::string_view text) {
  static const std::map<std::string, std::string, std::less<>> kUnits = {
      {"t", "s"},    {"x", "m"},       {"x'", "m/s"},     {"x''", "m/s^2"},   {"y", "m"},
      {"y'", "m/s"}, {"angle", "rad"}, {"rate", "rad/s"}, {"A.force.x", "N"}, {"M", "N*m"},
      {"E", "J"},    {"ratio", "1"},   {"mass", "kg"},    {"k", ""},          {"sheet", ""}};
  const auto is_declared = [](std::string_view name) {
    return kUnits.contains(name) && name != "t";
  };
  return find_unit_of(text, {}, is_declared, [](std::string_view name) {
    const auto place = kUnits.find(name);
    return place == kUnits.end() ? std::string() : place->second;
  });
}

TEST(UnitOf, SumsAndProductsOfNamesThatHaveUnits) {
  EXPECT_EQ(unit_of("x"), "m");
  EXPECT_EQ(unit_of("-x''"), "m/s^2");
  EXPECT_EQ(unit_of("(x*y' - y*x')/2"), "m^2/s");
  EXPECT_EQ(unit_of("sqrt(x'^2 + y'^2)"), "m/s");
  EXPECT_EQ(unit_of("mass*x''"), "N");
  EXPECT_EQ(unit_of("A.force.x*x'"), "W");
  EXPECT_EQ(unit_of("A.force.x/x"), "N/m");
  EXPECT_EQ(unit_of("x/y"), "1");
  EXPECT_EQ(unit_of("x/t"), "m/s");
  EXPECT_EQ(unit_of("x^-2"), "1/m^2");
  EXPECT_EQ(unit_of("max(x, 2*y)"), "m");
  EXPECT_EQ(unit_of("if(t > 1 s, x, 0)"), "m");
  EXPECT_EQ(unit_of("step(t, 0, x, 1, y)"), "m");
}

TEST(UnitOf, WhatIsAddedOrScaledKeepsTheNameOfItsUnit) {
  EXPECT_EQ(unit_of("2*M"), "N*m");
  EXPECT_EQ(unit_of("E/2 + E*ratio"), "J");
  EXPECT_EQ(unit_of("abs(A.force.x) + 3.7"), "N");
  EXPECT_EQ(unit_of("x + 0.3"), "m");
  EXPECT_EQ(unit_of("x + k"), "m") << "a sum has one unit";
  EXPECT_EQ(unit_of("x*sin(angle)"), "m");
  EXPECT_EQ(unit_of("x*(1 - cos(angle))"), "m");
  EXPECT_EQ(unit_of("1.5 m*ratio"), "m");
}

TEST(UnitOf, AnglesAreAngles) {
  EXPECT_EQ(unit_of("angle - 90 deg"), "rad");
  EXPECT_EQ(unit_of("rate*t"), "rad");
  EXPECT_EQ(unit_of("angle/t"), "rad/s");
  EXPECT_EQ(unit_of("rate/t"), "rad/s^2");
  EXPECT_EQ(unit_of("rate*x"), "m/s") << "the way of a wheel";
  EXPECT_EQ(unit_of("M*rate"), "W");
  EXPECT_EQ(unit_of("angle/angle"), "1");
  EXPECT_EQ(unit_of("atan2(y, x)"), "rad");
}

TEST(UnitOf, NothingIsSaidWhereItIsNotCertain) {
  EXPECT_EQ(unit_of("k"), "");
  EXPECT_EQ(unit_of("k*x"), "");
  EXPECT_EQ(unit_of("x + t"), "");
  EXPECT_EQ(unit_of("(x/0.45)^2"), "") << "0.45 may be a length";
  EXPECT_EQ(unit_of("1000*x"), "") << "millimetres";
  EXPECT_EQ(unit_of("angle/(2*pi)"), "") << "turns";
  EXPECT_EQ(unit_of("angle*180/pi"), "") << "degrees";
  EXPECT_EQ(unit_of("0.015*sin(angle)"), "");
  EXPECT_EQ(unit_of("2*t"), "") << "2 may be a rate";
  EXPECT_EQ(unit_of("x^k"), "");
  EXPECT_EQ(unit_of("sqrt(x)"), "");
  EXPECT_EQ(unit_of("x^0.4"), "");
}

TEST(UnitOf, RatesArePerSecond) {
  EXPECT_EQ(find_unit_of_rate("m"), "m/s");
  EXPECT_EQ(find_unit_of_rate("m/s"), "m/s^2");
  EXPECT_EQ(find_unit_of_rate("rad"), "rad/s");
  EXPECT_EQ(find_unit_of_rate("rad/s"), "rad/s^2");
  EXPECT_EQ(find_unit_of_rate("J"), "W");
  EXPECT_EQ(find_unit_of_rate("1"), "1/s");
  EXPECT_EQ(find_unit_of_rate(""), "");
}

}  // namespace
}  // namespace driftless
