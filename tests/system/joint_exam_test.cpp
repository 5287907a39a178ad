// Every joint type in a whole model: between two bodies that float, with frames in no special place. Its coordinates are
// start values, are moved by motors and drives and rub; its reactions are Newton's.

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/model/element_types.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

struct Candidate {
  std::string name;
  ElementType type;
  bool plane = false;
};

std::vector<Candidate> list_candidates() {
  std::vector<Candidate> all;
  for (const ElementType& type : all_element_types()) {
    if (type.kind != "joint") continue;
    all.push_back({type.name, type, false});
    if (type.in_plane) all.push_back({type.name + "_in_plane", type, true});
  }
  return all;
}

constexpr std::array<double, 2> kMass{1.7, 0.9};

std::string make_model(const Candidate& joint) {
  std::string text = "format = \"driftless/1\"\n";
  text += joint.plane ? fmt::format(R"~(space = "plane"
[body.first]
mass = {}
inertia = 0.31
centre = [0.2, -0.1]
[body.second]
mass = {}
inertia = 0.17
centre = [0.5, 0.3]
[joint.J]
on = {{ body = "first", at = [0.23, 0.11], x = [1, 0.4] }}
to = {{ body = "second", at = [-0.17, -0.2], x = [0.9, 0.1] }}
)~",
                                    kMass[0], kMass[1])
                      : fmt::format(R"~([body.first]
mass = {}
inertia = [0.31, 0.42, 0.23]
centre = [0.2, -0.1, 0.3]
[body.second]
mass = {}
inertia = [0.12, 0.2, 0.17]
centre = [0.5, 0.3, 0.1]
[joint.J]
on = {{ body = "first", at = [0.23, 0.11, -0.08], x = [1, 0.4, 0.2], z = [-0.3, 0.2, 1] }}
to = {{ body = "second", at = [-0.17, -0.2, 0.13], x = [0.9, 0.1, -0.1], z = [0.1, 0.2, 1] }}
)~",
                                    kMass[0], kMass[1]);
  text += fmt::format("type = \"{}\"\n", joint.type.name);
  double number = 0.31;
  for (const ElementField& field : joint.type.fields) {
    if (field.kind == FieldKind::number) text += fmt::format("{} = {}\n", field.key, number);
    number += 0.1;
  }
  return text;
}

/// Where a coordinate starts: angles beyond the first turn.
double find_start(const ElementCoordinate& coordinate, std::size_t index) {
  return (coordinate.unit == "rad" ? 7.9 : 0.37) + 0.1 * static_cast<double>(index);
}

std::string effort_of(const ElementCoordinate& coordinate) {
  return coordinate.unit == "rad" ? "torque" : "force";
}

Trial run_for(double until) {
  return {
      .method = "braun_goldfarb/dop853", .tolerance = 1e-11, .until = until, .every = until / 200};
}

void expect_clean(const Result& result) {
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("phi", result.report.max_phi, 1e-9);
  expect_at_most("phi_dot", result.report.max_phi_dot, 1e-9);
  expect_at_most("energy", result.report.max_energy_error, 1e-7);
}

/// Largest distance of a column from a function of the same row's other columns.
void expect_columns(const Result& result, const std::string& name,
                    const std::vector<std::string>& others,
                    const std::function<double(const Values&)>& expected, double tolerance) {
  const Values values = column(result, name);
  std::vector<Values> inputs;
  for (const std::string& other : others) inputs.push_back(column(result, other));
  double worst = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    Values row;
    for (const Values& input : inputs) row.push_back(input[k]);
    const double error = std::abs(values[k] - expected(row));
    if (!(error <= worst)) worst = error;
  }
  expect_at_most(name, worst, tolerance);
}

class JointExam : public ::testing::TestWithParam<Candidate> {
 protected:
  /// The coordinates that are independent of each other: not the advance of a screw.
  std::size_t count_freedoms() const {
    const std::string text = make_model(GetParam());
    return static_cast<std::size_t>(run_text(text, run_for(0.01)).report.dof -
                                    (GetParam().plane ? 3 : 6));
  }
  std::vector<std::string> list_axes() const {
    return GetParam().plane ? std::vector<std::string>{"x", "y"}
                            : std::vector<std::string>{"x", "y", "z"};
  }
};

TEST_P(JointExam, CoordinatesAreStartValuesAndTheirRatesFollow) {
  const auto& coordinates = GetParam().type.coordinates;
  if (coordinates.empty()) return;
  std::string text = make_model(GetParam()) + "[start]\n";
  const std::size_t count = std::min(coordinates.size(), count_freedoms());
  for (std::size_t k = 0; k < count; ++k) {
    text += fmt::format("J.{} = {}\nJ.{} = {}\n", coordinates[k].name,
                        find_start(coordinates[k], k), coordinates[k].rate, 0.4 - 0.3 * k);
  }
  const Result result = run_text(text, run_for(1));
  ASSERT_NO_FATAL_FAILURE(expect_clean(result));
  for (std::size_t k = 0; k < count; ++k) {
    const Values values = column(result, "J." + coordinates[k].name);
    EXPECT_NEAR(values.front(), find_start(coordinates[k], k), 1e-9);
    const Values rates = column(result, "J." + coordinates[k].rate);
    EXPECT_NEAR(rates.front(), 0.4 - 0.3 * static_cast<double>(k), 1e-9);
    const double h = 1.0 / 200;
    double worst = 0.0;  // central differences over four intervals: error O(h⁴)
    for (std::size_t i = 2; i + 2 < values.size(); ++i) {
      const double slope =
          (8 * (values[i + 1] - values[i - 1]) - (values[i + 2] - values[i - 2])) / (12 * h);
      worst = std::max(worst, std::abs(slope - rates[i]));
    }
    expect_at_most(coordinates[k].rate, worst, 1e-5);
  }
}

TEST_P(JointExam, ReactionsAreNewtons) {
  const Candidate& joint = GetParam();
  std::string text = make_model(joint) + "[start]\n\"first.x'\" = 0.4\n\"second.y'\" = -0.7\n";
  text += joint.plane ? "\"first.angle'\" = 2.3\n\"second.angle'\" = -1.1\n"
                      : "first.wx = 2.3\nsecond.wy = -1.1\nsecond.wz = 0.8\n";
  text += "[record]\n";
  for (const std::string& axis : list_axes()) {
    text += fmt::format("a1{0} = \"first.{0}''\"\na2{0} = \"second.{0}''\"\n", axis);
    if (joint.type.name == "free") continue;
    text += fmt::format("r1{0} = \"J.first.force.{0}\"\n", axis);
  }
  const Result result = run_text(text, run_for(2));
  ASSERT_NO_FATAL_FAILURE(expect_clean(result));
  if (joint.type.name == "free") return;
  for (const std::string& axis : list_axes()) {
    expect_columns(
        result, "J.force." + axis, {"a2" + axis}, [](const Values& a) { return kMass[1] * a[0]; },
        1e-8);
    expect_columns(
        result, "r1" + axis, {"a1" + axis}, [](const Values& a) { return kMass[0] * a[0]; }, 1e-8);
  }
}

// The work of the motor and of friction is counted, and neither moves the mass centre of both bodies.
TEST_P(JointExam, MotorsAndFrictionActAlongCoordinates) {
  for (const ElementCoordinate& coordinate : GetParam().type.coordinates) {
    SCOPED_TRACE(coordinate.name);
    const std::string effort = effort_of(coordinate);
    const Result result = run_text(make_model(GetParam()) + fmt::format(R"~(
[force.M]
type = "motor"
of = "J.{0}"
{1} = "1.3 + cos(3*t)"
[force.F]
type = "friction"
of = "J.{0}"
viscous = 0.21
)~",
                                                                        coordinate.name, effort),
                                   run_for(2));
    ASSERT_NO_FATAL_FAILURE(expect_clean(result));
    EXPECT_GT(last(result, "J." + coordinate.rate), 0.02) << "it is not moved";
    const std::string rate = "J." + coordinate.rate;
    expect_columns(
        result, "M.power", {"t", rate},
        [](const Values& in) { return (1.3 + std::cos(3 * in[0])) * in[1]; }, 1e-9);
    expect_columns(
        result, "F.power", {rate}, [](const Values& in) { return -0.21 * in[0] * in[0]; }, 1e-9);
    for (const std::string& axis : list_axes()) {
      expect_columns(
          result, "first." + axis + "'", {"second." + axis + "'"},
          [](const Values& in) { return -kMass[1] / kMass[0] * in[0]; }, 1e-8);
    }
  }
}

TEST_P(JointExam, DrivesMoveCoordinatesOverTurns) {
  for (const ElementCoordinate& coordinate : GetParam().type.coordinates) {
    SCOPED_TRACE(coordinate.name);
    const bool turns = coordinate.unit == "rad";
    const auto value = [&](double t) { return 0.1 + (turns ? 5 : 0.3) * t * t; };
    const auto rate = [&](double t) { return turns ? 10 * t : 0.6 * t; };
    const Result result = run_text(
        make_model(GetParam()) +
            fmt::format(
                "[constraint.D]\ntype = \"drive\"\nof = \"J.{}\"\nvalue = \"0.1 + {}*t^2\"\n",
                coordinate.name, turns ? "5" : "0.3"),
        run_for(2));
    ASSERT_NO_FATAL_FAILURE(expect_clean(result));
    EXPECT_TRUE(!turns || last(result, "J." + coordinate.name) > 3 * 2 * std::numbers::pi);
    expect_columns(
        result, "J." + coordinate.name, {"t"}, [&](const Values& in) { return value(in[0]); },
        1e-9);
    expect_columns(
        result, "J." + coordinate.rate, {"t"}, [&](const Values& in) { return rate(in[0]); }, 1e-8);
    expect_columns(
        result, "D.power", {"D." + effort_of(coordinate), "t"},
        [&](const Values& in) { return in[0] * rate(in[1]); }, 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(All, JointExam, ::testing::ValuesIn(list_candidates()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace driftless::trials
