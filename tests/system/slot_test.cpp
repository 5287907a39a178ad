// The shaping machine of models/elements/slot.toml by two other ways: with points on lines instead of slots, and in space.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/math/vec3.hpp"
#include "tests/system/law_trials.hpp"

namespace driftless::trials {
namespace {

TEST(Slot, MovesAsAPointOnALine) {
  const Result slots = run_model("elements/slot", until(2));
  const Result lines = run_text(
      edit_model(
          "elements/slot",
          {{"[joint.pin]\ntype = \"slot\"", "[constraint.pin]\ntype = \"point_on_line\""},
           {"[joint.tool]\ntype = \"slot\"", "[constraint.tool]\ntype = \"point_on_line\""}}),
      until(2));
  expect_at_most("motion", max_difference(slots, lines, {"crank.angle", "lever.angle", "ram.x"}),
                 1e-9);
  expect_at_most("force", max_difference(slots, lines, {"pin.force.x", "tool.force.y"}), 1e-6);
}

/// The machine in a plane that leans and turns: its x and y there.
struct Plane {
  Vector3 x, y, z;
  Plane() {
    const double a = 0.7, b = -0.4;
    x = {std::cos(a), std::sin(a), 0};
    y = {-std::sin(a) * std::cos(b), std::cos(a) * std::cos(b), std::sin(b)};
    z = cross(x, y);
  }
  static std::string list(const Vector3& v) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x, v.y, v.z);
  }
  std::string at(double u, double v) const { return list(Vector3{0.3, -0.2, 0.5} + u * x + v * y); }
};

std::string make_in_space() {
  const Plane p;
  const auto joint = [&](const char* name, const char* type, const char* between,
                         const std::string& at, const Vector3& axis, const Vector3& side) {
    return fmt::format("[joint.{}]\ntype = \"{}\"\nbetween = {}\nat = {}\naxis = {}\nx = {}\n",
                       name, type, between, at, Plane::list(axis), Plane::list(side));
  };
  const std::string D = p.at(0, -0.18), P = p.at(0, 0.09), E = p.at(0, 0.22);
  return fmt::format("format = \"driftless/1\"\ngravity = {}\n", Plane::list(-9.81 * p.y)) +
         fmt::format(
             "[body.crank]\ndisc = {{ radius = 0.13, axis = {} }}\nmass = 14\ncentre = {}\n",
             Plane::list(p.z), p.at(0, 0)) +
         fmt::format("[body.lever]\nrod = [{}, {}]\nmass = 1.6\n", D, p.at(0, 0.3)) +
         fmt::format("[body.ram]\nmass = 0.7\ninertia = [0.01, 0.02, 0.03]\ncentre = {}\n",
                     p.at(0.05, 0.22)) +
         joint("axle", "revolute", R"(["ground", "crank"])", p.at(0, 0), p.z, p.x) +
         joint("pivot", "revolute", R"(["ground", "lever"])", D, p.z, p.x) +
         joint("pin", "slot", R"(["lever", "crank"])", "[" + D + ", " + P + "]", p.z, p.y) +
         joint("tool", "slot", R"(["lever", "ram"])", "[" + D + ", " + E + "]", p.z, p.y) +
         joint("guide", "prismatic", R"(["ground", "ram"])", E, p.x, p.y) +
         "[start]\naxle.rate = 12\n[record]\nacross = \"pin.joint.force.y\"\n" +
         "along = \"pin.joint.force.x\"\n";
}

TEST(LongSlot, MovesInSpaceAsInThePlane) {
  const Result flat = run_model("elements/slot", until(2));
  const Result leaning = run_text(make_in_space(), until(2));
  ASSERT_EQ(leaning.report.status, Status::ok) << leaning.report.message;
  EXPECT_EQ(leaning.report.rows, 5 + 5 + 4 + 4 + 5);
  EXPECT_EQ(leaning.report.dof, 1);
  expect_at_most("phi", leaning.report.max_phi, 1e-9);
  expect_at_most("motion",
                 max_difference(flat, leaning,
                                {"pin.position", "pin.speed", "pin.angle", "pin.rate",
                                 "tool.position", "tool.angle", "guide.position"}),
                 1e-8);
  expect_at_most("force", max_difference(flat, leaning, {"across", "along"}), 1e-5);
  EXPECT_GT(last(leaning, "pin.angle"), 20);
}

}  // namespace
}  // namespace driftless::trials
