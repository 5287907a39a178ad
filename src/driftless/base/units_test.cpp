#include "driftless/base/units.hpp"

#include <numbers>

#include <gtest/gtest.h>

namespace driftless {
namespace {

constexpr double kPi = std::numbers::pi;

struct UnitCase {
  const char* text;
  double factor;
  const char* dimension;
};

class ParseUnit : public ::testing::TestWithParam<UnitCase> {};

TEST_P(ParseUnit, HasFactorAndDimension) {
  const std::optional<Unit> unit = parse_unit(GetParam().text);
  ASSERT_TRUE(unit) << GetParam().text;
  EXPECT_DOUBLE_EQ(unit->factor, GetParam().factor) << GetParam().text;
  EXPECT_EQ(to_string(unit->dimension), GetParam().dimension) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Single, ParseUnit,
    ::testing::Values(
        UnitCase{"m", 1, "m"}, UnitCase{"mm", 1e-3, "m"}, UnitCase{"cm", 1e-2, "m"},
        UnitCase{"dm", 0.1, "m"}, UnitCase{"km", 1e3, "m"}, UnitCase{"um", 1e-6, "m"},
        UnitCase{"nm", 1e-9, "m"}, UnitCase{"in", 0.0254, "m"}, UnitCase{"ft", 0.3048, "m"},
        UnitCase{"kg", 1, "kg"}, UnitCase{"g", 1e-3, "kg"}, UnitCase{"mg", 1e-6, "kg"},
        UnitCase{"t", 1e3, "kg"}, UnitCase{"lb", 0.45359237, "kg"}, UnitCase{"s", 1, "s"},
        UnitCase{"ms", 1e-3, "s"}, UnitCase{"us", 1e-6, "s"}, UnitCase{"min", 60, "s"},
        UnitCase{"h", 3600, "s"}, UnitCase{"Hz", 1, "1/s"}, UnitCase{"kHz", 1e3, "1/s"},
        UnitCase{"N", 1, "kg*m/s^2"}, UnitCase{"kN", 1e3, "kg*m/s^2"},
        UnitCase{"MN", 1e6, "kg*m/s^2"}, UnitCase{"mN", 1e-3, "kg*m/s^2"},
        UnitCase{"lbf", 0.45359237 * 9.80665, "kg*m/s^2"}, UnitCase{"Nm", 1, "kg*m^2/s^2"},
        UnitCase{"kNm", 1e3, "kg*m^2/s^2"}, UnitCase{"Pa", 1, "kg/m/s^2"},
        UnitCase{"kPa", 1e3, "kg/m/s^2"}, UnitCase{"MPa", 1e6, "kg/m/s^2"},
        UnitCase{"GPa", 1e9, "kg/m/s^2"}, UnitCase{"bar", 1e5, "kg/m/s^2"},
        UnitCase{"mbar", 100, "kg/m/s^2"}, UnitCase{"psi", 6894.757293168361, "kg/m/s^2"},
        UnitCase{"J", 1, "kg*m^2/s^2"}, UnitCase{"kJ", 1e3, "kg*m^2/s^2"},
        UnitCase{"W", 1, "kg*m^2/s^3"}, UnitCase{"kW", 1e3, "kg*m^2/s^3"}));

INSTANTIATE_TEST_SUITE_P(
    AnglesAndElectric, ParseUnit,
    ::testing::Values(UnitCase{"rad", 1, "1"}, UnitCase{"mrad", 1e-3, "1"},
                      UnitCase{"deg", kPi / 180, "1"}, UnitCase{"rev", 2 * kPi, "1"},
                      UnitCase{"rpm", 2 * kPi / 60, "1/s"}, UnitCase{"A", 1, "A"},
                      UnitCase{"mA", 1e-3, "A"}, UnitCase{"C", 1, "s*A"},
                      UnitCase{"V", 1, "kg*m^2/s^3/A"}, UnitCase{"ohm", 1, "kg*m^2/s^3/A^2"},
                      UnitCase{"uF", 1e-6, "s^4*A^2/kg/m^2"},
                      UnitCase{"mH", 1e-3, "kg*m^2/s^2/A^2"}, UnitCase{"K", 1, "K"}));

INSTANTIATE_TEST_SUITE_P(
    Compound, ParseUnit,
    ::testing::Values(UnitCase{"N/mm", 1e3, "kg/s^2"}, UnitCase{"kg*m^2", 1, "kg*m^2"},
                      UnitCase{"N*m/rad", 1, "kg*m^2/s^2"}, UnitCase{"m/s^2", 1, "m/s^2"},
                      UnitCase{"1/s", 1, "1/s"}, UnitCase{"km/h", 1 / 3.6, "m/s"},
                      UnitCase{"mm^2", 1e-6, "m^2"}, UnitCase{"mm^4", 1e-12, "m^4"},
                      UnitCase{"s^-1", 1, "1/s"}, UnitCase{" N * m ", 1, "kg*m^2/s^2"},
                      UnitCase{"m/m", 1, "1"}, UnitCase{"g/cm^3", 1e3, "kg/m^3"},
                      UnitCase{"deg/s", kPi / 180, "1/s"}, UnitCase{"1", 1, "1"},
                      UnitCase{"N*s/mm", 1e3, "kg/s"}));

TEST(ParseUnit, RefusesWhatIsNoUnit) {
  for (const char* text : {"",      " ",     "x",   "mm mm", "kkg",          "M",      "k",
                           "mmin",  "kin",   "cN",  "N/",    "*m",           "m^",     "m^x",
                           "m^1.5", "m^2^2", "2",   "N//m",  "m^100",        "m^-100", "Tm^99",
                           "deg C", "N.m",   "(m)", "Mt",    "m^99999999999"})
    EXPECT_FALSE(parse_unit(text)) << "'" << text << "'";
}

TEST(FindUnit, IsExact) {
  EXPECT_EQ(find_unit("mg")->factor, 1e-6);
  EXPECT_EQ(find_unit("nm")->factor, 1e-9);
  EXPECT_EQ(find_unit("cm")->factor, 1e-2);
  EXPECT_EQ(find_unit("in")->factor, 0.0254);
  EXPECT_FALSE(find_unit("N/mm")) << "a compound is not a name";
  EXPECT_EQ(parse_unit("mm^2")->factor, 1e-6);
}

TEST(ToSi, GivesTheDoubleThatTheUserWouldWrite) {
  // 9*0.001 is 0.0090000000000000011
  for (int i = 0; i <= 1000; ++i) EXPECT_EQ(to_si(i, *find_unit("mm")), i / 1000.0);
  EXPECT_EQ(to_si(9, *find_unit("mm")), 0.009);
  EXPECT_EQ(to_si(200, *parse_unit("N/mm")), 2e5);
  EXPECT_DOUBLE_EQ(to_si(180, *find_unit("deg")), kPi);
  EXPECT_DOUBLE_EQ(to_si(60, *find_unit("rpm")), 2 * kPi);
  EXPECT_EQ(to_si(-3, *find_unit("um")), -3e-6);
}

TEST(Dimension, Algebra) {
  const Dimension force = find_unit("N")->dimension, length = find_unit("m")->dimension;
  EXPECT_EQ(force * length, find_unit("J")->dimension);
  EXPECT_EQ(force / pow(length, 2), find_unit("Pa")->dimension);
  EXPECT_EQ(pow(length, 0), Dimension{});
  EXPECT_EQ(to_string(Dimension{}), "1");
  EXPECT_EQ(to_string(pow(length, -1)), "1/m");
}

TEST(AllUnits, AreFound) {
  const std::vector<std::string> names = all_units();
  EXPECT_GT(names.size(), 25u);
  for (const std::string& name : names) EXPECT_TRUE(find_unit(name)) << name;
}

}  // namespace
}  // namespace driftless
