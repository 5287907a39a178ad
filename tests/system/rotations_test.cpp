// Orientations as quaternions, Euler angles and turns from the last step are the same motion, whatever integrates it.

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

constexpr const char* kRotationWords[] = {"quaternion", "euler", "lie"};

/// A free body without symmetry that turns over and over, past the singular poses of both sequences.
std::string make_free_stone(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  return fmt::format(R"~(
format = "driftless/1"
[body.stone]
mass = 1.3
centre = [0.1, 0.2, 0.3]
inertia = [[0.5, 0.03, 0.02], [0.03, 0.8, -0.05], [0.02, -0.05, 1.1]]
[joint.none]
type = "free"
between = ["ground", "stone"]
at = [0, 0, 0]
[start]
stone.wx = {}
stone.wy = {}
stone.wz = {}
)~",
                     number(random), 3.0 + number(random), number(random));
}

/// Two shafts and a universal joint, bent by a random angle.
std::string make_bent_shafts(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(0.0, 1.0);
  return edit_model(
      "elements/universal",
      {{"bend = \"40 deg\"", fmt::format("bend = \"{} deg\"", 20 + 30 * number(random))},
       {"mass = \"50 kg\"", fmt::format("mass = \"{} kg\"", 1 + number(random))},
       {"\"10 rad/s\"", fmt::format("\"{} rad/s\"", 4 + 2 * number(random))}});
}

struct RotationCase {
  std::string text;
  std::vector<std::string> names;
};

std::vector<RotationCase> make_rotation_cases(unsigned seed) {
  return {{edit_model("heavy_top", {}), {"top.x", "top.y", "top.z", "top.wx", "top.wz"}},
          {make_free_stone(seed), {"stone.q0", "stone.q1", "stone.q2", "stone.q3", "stone.wx"}},
          {make_bent_shafts(seed), {"first.rate", "second.angle", "output.q0", "output.q3"}}};
}

/// Largest difference at the end; a quaternion and its negative are the same pose.
double find_end_difference(const Result& a, const Result& b,
                           const std::vector<std::string>& names) {
  double same = 0.0, opposite = 0.0;
  for (const std::string& name : names) {
    const double sign = name.find(".q") != std::string::npos ? -1.0 : 1.0;
    same = std::max(same, std::abs(last(a, name) - last(b, name)));
    opposite = std::max(opposite, std::abs(last(a, name) - sign * last(b, name)));
  }
  return std::min(same, opposite);
}

Result run_rotations(const RotationCase& each, const std::string& method, const char* rotations) {
  Result result =
      run_text(each.text, {.method = method,
                           .tolerance = 1e-8,
                           .until = 3,
                           .every = 0.5,
                           .sets = {{"method.rotations", fmt::format("\"{}\"", rotations)}}});
  EXPECT_EQ(result.report.status, Status::ok)
      << method << " " << rotations << ": " << result.report.message;
  return result;
}

TEST(Rotations, AgreeWhateverIntegrates) {
  for (const RotationCase& each : make_rotation_cases(11)) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-12, .until = 3, .every = 3});
    ASSERT_EQ(exact.report.status, Status::ok) << exact.report.message;
    for (const char* method : {"index1/dopri5", "ggl/radau5", "index3/radau5", "ggl/bdf"}) {
      for (const char* rotations : kRotationWords) {
        const Result result = run_rotations(each, method, rotations);
        EXPECT_LT(find_end_difference(result, exact, each.names), 3e-5)
            << method << " " << rotations << " " << each.names.front();
      }
    }
  }
}

// What would turn the axes of a joint by mistake does so at the start: the drawing pose is singular for z-x-z.
TEST(Rotations, BeginAtSingularPoses) {
  for (const char* turn : {"z = [0, 0, -1], x = [1, 0, 0]", "z = [1, 0, 0], x = [0, 1, 0]",
                           "z = [-1, 0, 0], x = [0, 0.6, 0.8]", "z = [0, 0, 1], x = [0, 1, 0]"}) {
    const std::string text = fmt::format(R"~(
format = "driftless/1"
[body.top]
mass = 1.1
inertia = [0.2, 0.3, 0.4]
pose = {{ at = [0.3, 0.4, 0.5], {} }}
[joint.ball]
type = "spherical"
between = ["ground", "top"]
at = [0, 0, 0]
[start]
top.wy = 2
)~",
                                         turn);
    const Trial trial{.method = "ggl/radau5", .tolerance = 1e-8, .until = 1, .every = 1};
    Trial euler = trial;
    euler.sets = {{"method.rotations", "\"euler\""}};
    const Result a = run_text(text, trial), b = run_text(text, euler);
    ASSERT_EQ(b.report.status, Status::ok) << turn << ": " << b.report.message;
    EXPECT_LT(find_end_difference(a, b, {"top.x", "top.y", "top.z", "top.wx", "top.wz"}), 1e-6)
        << turn;
  }
}

// Runge-Kutta-Munthe-Kaas: order 4, and the motion of rk4 in other coordinates.
TEST(Rotations, Rkmk4HasOrderFour) {
  const std::vector<std::string> names{"top.x", "top.y", "top.z", "top.wx", "top.wz"};
  const auto run = [&](const char* method, double h) {
    return run_model("heavy_top", {.method = method, .step = h, .until = 1, .every = 1});
  };
  const Result exact = run_model(
      "heavy_top", {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
  const double coarse = find_end_difference(run("index1/rkmk4", 0.01), exact, names);
  const double fine = find_end_difference(run("index1/rkmk4", 0.005), exact, names);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.2);
  EXPECT_LT(fine, 1e-7);
  EXPECT_LT(find_end_difference(run("index1/rkmk4", 0.005), run("index1/rk4", 0.005), names), 1e-6);
  // Another method than rk4 by itself, and the one that rk4 becomes.
  Trial lie{.method = "index1/rk4", .step = 0.01, .until = 1, .every = 1};
  lie.sets = {{"method.rotations", "\"lie\""}};
  EXPECT_EQ(find_end_difference(run_model("heavy_top", lie), run("index1/rkmk4", 0.01), names),
            0.0);
  EXPECT_GT(find_end_difference(run("index1/rk4", 0.01), run("index1/rkmk4", 0.01), names), 1e-12);
}

TEST(Rotations, Rkmk4AndRattleRefuseOtherAngles) {
  const auto refuse = [](const char* method) {
    try {
      run_model("heavy_top", {.method = method,
                              .step = 0.01,
                              .until = 1,
                              .sets = {{"method.rotations", "\"euler\""}}});
    } catch (const ModelError& error) {
      return format_diagnostic(error.diagnostics().front());
    }
    return std::string();
  };
  EXPECT_NE(refuse("index1/rkmk4").find("rkmk4 turns bodies from where"), std::string::npos);
  EXPECT_NE(refuse("index3/rattle").find("rattle moves bodies by turns"), std::string::npos);
}

}  // namespace
}  // namespace driftless::trials
