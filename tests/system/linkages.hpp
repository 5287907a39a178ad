#pragma once
// Mechanisms without symmetry, small enough to measure orders on: in the plane, driven, and in space.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::trials {

/// Of a four-bar in the plane: where its pins are as drawn, and what its links weigh.
struct FourBar {
  std::string head = {};  ///< further keys before the points
  std::array<double, 2> A = {0, 0};
  std::array<double, 2> B = {0, 1};
  std::array<double, 2> C = {2, 1.5};
  std::array<double, 2> D = {2, 0};
  std::array<double, 3> masses = {1, 1, 1};
};

/// Rods crank, coupler and rocker with the joints A, B, C and D, of which A and D are at the ground.
inline std::string write_four_bar(const FourBar& spec) {
  std::string text = "format = \"driftless/1\"\nspace = \"plane\"\n" + spec.head;
  text += fmt::format("[points]\nA = [{}]\nB = [{}]\nC = [{}]\nD = [{}]\n", fmt::join(spec.A, ", "),
                      fmt::join(spec.B, ", "), fmt::join(spec.C, ", "), fmt::join(spec.D, ", "));
  const char* links[] = {"crank", "coupler", "rocker"};
  const char* pins[] = {"A", "B", "C", "D"};
  const char* firsts[] = {"ground", "crank", "coupler", "ground"};
  for (std::size_t k = 0; k < 3; ++k)
    text += fmt::format("[body.{}]\nrod = [\"{}\", \"{}\"]\nmass = {}\n", links[k], pins[k],
                        pins[k + 1], spec.masses[k]);
  for (std::size_t k = 0; k < 4; ++k)
    text += fmt::format(
        "[joint.{0}]\ntype = \"revolute\"\nbetween = [\"{1}\", \"{2}\"]\nat = \"{0}\"\n", pins[k],
        firsts[k], links[std::min<std::size_t>(k, 2)]);
  return text;
}

/// A four-bar with unequal links, a spring and a damper between two of them, and a motor that turns a wheel on the coupler:
/// constraints that do not depend on t and one that does.
inline constexpr const char* kDrivenLinkage = R"~(
format = "driftless/1"
space = "plane"
gravity = [0.3, -9.81]
[points]
A = [0, 0]
B = [0.31, 0.72]
C = [1.73, 1.41]
D = [2.2, -0.1]
[body.crank]
rod = ["A", "B"]
mass = 1.3
[body.coupler]
rod = ["B", "C"]
mass = 2.1
[body.rocker]
rod = ["C", "D"]
mass = 1.7
[body.wheel]
mass = 0.6
centre = [1.1, 1.2]
inertia = 0.05
[joint.A]
type = "revolute"
between = ["ground", "crank"]
at = "A"
[joint.B]
type = "revolute"
between = ["crank", "coupler"]
at = "B"
[joint.C]
type = "revolute"
between = ["coupler", "rocker"]
at = "C"
[joint.D]
type = "revolute"
between = ["ground", "rocker"]
at = "D"
[joint.W]
type = "revolute"
between = ["coupler", "wheel"]
at = [1.0, 1.06]
[force.spring]
type = "spring_damper"
between = ["crank", "rocker"]
at = [[0.2, 0.4], "C"]
stiffness = 11
damping = 0.7
[constraint.motor]
type = "drive"
of = "W.angle"
value = "1.3*sin(2*t)"
[start]
A.rate = 3.1
)~";

/// In space: a bent pendulum on a universal joint with a top on a ball joint.
inline constexpr const char* kBentPendulum = R"(
format = "driftless/1"
gravity = [0.4, 0.2, -9.81]
[body.arm]
mass = 1.4
centre = [0.3, 0.1, -0.2]
inertia = [0.11, 0.09, 0.13]
[body.top]
mass = 0.7
centre = [0.7, -0.1, -0.5]
inertia = [[0.05, 0.004, 0.001], [0.004, 0.06, -0.002], [0.001, -0.002, 0.04]]
[joint.A]
type = "universal"
between = ["ground", "arm"]
at = [0, 0, 0]
axis = [0.2, 0.1, 1]
[joint.B]
type = "spherical"
between = ["arm", "top"]
at = [0.5, 0.05, -0.3]
[start]
top.wx = 2
top.wy = -1
top.wz = 5
A.rate1 = 1.1
A.rate2 = -0.7
)";

struct Linkage {
  const char* text;
  int steps;  ///< of the coarser run of methods of high order
  std::vector<std::string> positions, rates, reactions;
};

inline const Linkage kLinkages[] = {{kDrivenLinkage,
                                     200,
                                     {"crank.angle", "coupler.x", "rocker.angle"},
                                     {"A.rate", "wheel.x'", "rocker.angle'"},
                                     {"B.force.x", "D.force.y", "motor.torque"}},
                                    {kBentPendulum,
                                     80,
                                     {"arm.x", "top.z", "top.y"},
                                     {"top.wx", "arm.wy", "top.x'"},
                                     {"B.force.x", "A.force.z"}}};

}  // namespace driftless::trials
