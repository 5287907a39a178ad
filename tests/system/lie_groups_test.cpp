// Newmark's family on the two groups of rigid motions, R3 x SO(3) and SE(3): the same motion with order 2 in positions,
// velocities and reactions, on slow and fast heavy tops and on a top without any symmetry.

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using Columns = std::vector<std::string>;

const Columns kTopPlace{"top.x", "top.y", "top.z", "top.q0", "top.q1", "top.q2", "top.q3"};
const Columns kTopRates{"top.x'", "top.y'", "top.z'", "top.wx", "top.wy", "top.wz"};
const Columns kTopForce{"ball.force.x", "ball.force.y", "ball.force.z"};

/// A body held by a ball joint and a spring, with a product of inertia, an arm in no plane and a damper.
const char* const kSkewTop = R"~(format = "driftless/1"
gravity = [0.4, -0.3, -9.81]
[body.top]
centre = [0.31, 0.42, 0.23]
mass = 2.3
inertia = [[0.11, 0.02, -0.01], [0.02, 0.09, 0.03], [-0.01, 0.03, 0.14]]
[joint.ball]
type = "spherical"
between = ["ground", "top"]
at = [0, 0, 0]
[force.spring]
type = "spring_damper"
between = ["ground", "top"]
at = [[1, 0.2, 0.1], [0.5, 0.6, 0.3]]
stiffness = 30
damping = 0.8
[force.link]
type = "maxwell"
between = ["ground", "top"]
at = [[-0.3, 1, 0.4], [0.4, 0.5, 0.1]]
stiffness = 55
damping = 6
[start]
top.wx = 2.1
top.wy = -3.2
top.wz = 1.7
)~";

struct TopCase {
  const char* model;  ///< in models/; empty: kSkewTop
  double until;
  int steps;
};
constexpr TopCase kTops[] = {
    {"heavy_top", 0.4, 400}, {"heavy_top_fast", 0.05, 800}, {"", 0.4, 400}};

Result run_top(const TopCase& top, Trial trial) {
  trial.until = top.until;
  trial.every = top.until / 20.0;
  return top.model[0] != '\0' ? run_model(top.model, trial) : run_text(kSkewTop, trial);
}

/// Over all samples after the start, a quaternion by the nearer sign.
double find_distance(const Result& run, const Result& exact, const Columns& names) {
  double worst = 0.0;
  double size = 0.0;
  std::vector<Values> a, b;
  for (const std::string& name : names) {
    a.push_back(column(run, name));
    b.push_back(column(exact, name));
  }
  for (std::size_t row = 1; row < a.front().size(); ++row) {
    double sign = 1.0;
    if (names.size() == 7) {
      double product = 0.0;
      for (std::size_t k = 3; k < 7; ++k) product += a[k][row] * b[k][row];
      sign = product < 0.0 ? -1.0 : 1.0;
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      const double factor = names.size() == 7 && k > 2 ? sign : 1.0;
      worst = std::max(worst, std::abs(a[k][row] - factor * b[k][row]));
      size = std::max(size, std::abs(b[k][row]));
    }
  }
  return worst / size;
}

TEST(LongLieGroups, BothHaveOrderTwoInPositionVelocityAndReaction) {
  for (const TopCase& top : kTops) {
    const Result exact = run_top(top, {.method = "braun_goldfarb/dop853", .tolerance = 1e-12});
    for (const char* group : {"so3", "se3"}) {
      for (const char* words : {"index3/generalized_alpha", "index2/generalized_alpha",
                                "ggl/generalized_alpha", "index3/hht", "ggl/newmark"}) {
        SCOPED_TRACE(std::string(top.model) + " " + words + " on " + group);
        const auto run = [&](int steps) {
          return run_top(
              top, {.method = words, .step = top.until / steps, .sets = {{"method.group", group}}});
        };
        const Result coarse = run(top.steps);
        const Result fine = run(2 * top.steps);
        ASSERT_EQ(coarse.report.status, Status::ok) << coarse.report.message;
        for (const Columns& names : {kTopPlace, kTopRates, kTopForce}) {
          const double first = find_distance(coarse, exact, names);
          const double second = find_distance(fine, exact, names);
          EXPECT_GT(std::log2(first / second), 1.8)
              << names.front() << ": " << first << ", " << second;
          EXPECT_LT(second, 2e-2) << names.front();
        }
      }
    }
  }
}

TEST(LieGroups, AdaptiveStepsFollowBoth) {
  for (const char* group : {"so3", "se3"}) {
    SCOPED_TRACE(group);
    const Result exact = run_top(kTops[2], {.method = "braun_goldfarb/dop853", .tolerance = 1e-12});
    const Result run = run_top(
        kTops[2],
        {.method = "ggl/generalized_alpha", .tolerance = 1e-6, .sets = {{"method.group", group}}});
    ASSERT_EQ(run.report.status, Status::ok) << run.report.message;
    EXPECT_LT(find_distance(run, exact, kTopPlace), 1e-3);
    EXPECT_LT(run.report.max_phi, 1e-6);  // as far as Newton's method goes at this tolerance
  }
}

TEST(LieGroups, RattleRefusesScrews) {
  try {
    run_model(
        "heavy_top",
        {.method = "ggl/rattle", .step = 1e-3, .until = 0.01, .sets = {{"method.group", "se3"}}});
    FAIL() << "nothing was refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("newmark, hht or generalized_alpha"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace driftless::trials
