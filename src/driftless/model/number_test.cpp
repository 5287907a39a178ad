#include "driftless/model/number.hpp"

#include <limits>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "driftless/model/scopes.hpp"

namespace driftless {
namespace {

const Source kPlace{"model.toml", 7, 3};

/// With a parameter l = 250 mm and k = 4 without a unit.
double read(const Value& value, std::string_view unit, const Bounds& bounds = {}) {
  std::set<std::string> used;
  ParameterScope scope(used);
  scope.add("l", {0.25, parse_unit("m")->dimension});
  scope.add("k", {4.0, {}});
  return read_number_field(value, {"joint.A.pitch", unit, bounds},
                           [&](const Text& text) { return scope.evaluate(text); });
}

Value text(std::string words) { return {std::move(words), kPlace}; }

std::string refusal(const Value& value, std::string_view unit, const Bounds& bounds = {}) {
  try {
    read(value, unit, bounds);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

std::string place(const std::string& words) {
  return "model.toml:7:3: error: joint.A.pitch" + words;
}

TEST(Number, IsANumberOrAnExpressionWithAUnit) {
  EXPECT_EQ(read({-2.5, kPlace}, "m"), -2.5);
  EXPECT_EQ(read(text("3*l"), "m"), 0.75);
  EXPECT_EQ(read(text("12 mm"), "m"), 0.012);
  EXPECT_EQ(read(text("k/2"), "m"), 2.0) << "without a unit: SI of whatever is wanted";
  EXPECT_EQ(read(text("2*k"), "", Bounds{8, 8}), 8.0);
}

TEST(Number, OfAnotherDimensionIsRefused) {
  EXPECT_EQ(refusal(text("3*l"), "kg"), place(": '3*l' has the dimension m, but kg is wanted\n"
                                              "    give it in kg or a unit that converts to it"));
  EXPECT_EQ(refusal(text("3 s"), ""), place(": '3 s' has the dimension s, but 1 is wanted\n"
                                            "    give a number without a unit"));
}

TEST(Number, OutOfBoundsOrNotFiniteIsRefused) {
  EXPECT_EQ(refusal({0.0, kPlace}, "m", kPositive),
            place(" = 0: out of bounds\n    it must be greater than 0"));
  EXPECT_EQ(refusal(text("-l"), "m", Bounds{0.0, 2.0}),
            place(" = -0.25: out of bounds\n    it must be at least 0 and at most 2"));
  EXPECT_EQ(refusal({std::numeric_limits<double>::infinity(), kPlace}, "m"),
            place(" is not finite"));
}

TEST(Number, ThatCannotBeEvaluatedIsToldWithTheNameOfItsField) {
  for (const auto& [words, complaint] :
       {std::pair("0/0", "0/0 is not finite"), std::pair("1/(k - 4)", "1/(k - 4) is not finite"),
        std::pair("1e300*1e300", "1e300*1e300 is not finite"), std::pair("q", "unknown name 'q'"),
        std::pair("", "the expression is empty")})
    EXPECT_TRUE(refusal(text(words), "m").starts_with(place(": ") + complaint))
        << refusal(text(words), "m");
}

TEST(Number, OfAnotherKindIsRefused) {
  EXPECT_EQ(refusal({true, kPlace}, "m"), place(" is true or false; wanted: a number"));
  EXPECT_EQ(refusal({Value::List{}, kPlace}, "m"), place(" is a list; wanted: a number"));
}

}  // namespace
}  // namespace driftless
