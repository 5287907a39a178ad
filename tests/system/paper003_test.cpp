// Park, Yoo, Hwang 2000: the three examples by partial velocities, coordinate partitioning and constraint stabilisation.
// Reference values: one-degree-of-freedom models of the same linkages, integrated to 12 digits.

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/system/reference_samples.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

const std::array<std::string, 4> kMethods{"partial_velocity/adams", "partition/adams",
                                          "partial_velocity/dop853", "partition/dop853"};

Trial make_trial(const std::string& method, double tolerance, Sets sets = {}) {
  return {
      .method = method, .tolerance = tolerance, .until = 10, .every = 1, .sets = std::move(sets)};
}

/// Largest difference over the samples.
double find_error(const Result& result, const std::string& name, double shift,
                  const Values& expected) {
  const Values got = column(result, name);
  EXPECT_EQ(got.size(), expected.size());
  double worst = 0.0;
  for (std::size_t k = 0; k < std::min(got.size(), expected.size()); ++k)
    worst = std::max(worst, std::abs(got[k] + shift - expected[k]));
  return worst;
}

const Values kTheta1{0.524000000, 0.717239017, 1.155243830, 1.563198866, 1.790056493, 1.797574872,
                     1.647328319, 1.412259220, 1.125899018, 0.837117866, 0.650656722};
const Values kTheta2{0.785000000, 0.668404649, 0.483073824, 0.530664585, 0.806959779, 1.088091990,
                     1.162249624, 0.963530924, 0.624426800, 0.375195021, 0.343295043};
const Values kCase1{1.758227957,  -0.779405242, -1.955686171, 1.201676324,
                    1.252178627,  -1.945884590, -0.864592888, 1.757594414,
                    -0.692220918, -1.963909437, 1.148139063};
const Values kCase2{1.89969622, 2.78373872, 0.97016598, 0.82154980, 2.07495410, 2.16687739,
                    2.85004340, 1.23739203, 0.71249027, 1.35927167, 2.74040455};
const Values kWheel{0.000000000, 0.661153481, 1.619368877, 1.794347479, 1.465476338, 1.286871701,
                    1.362215387, 1.460324075, 1.462109129, 1.422706534, 1.409125962};
const Values kCoupler{0.000000000,  -0.614027685, -0.998820586, -0.975116331,
                      -0.994458975, -0.959963447, -0.978325747, -0.993904144,
                      -0.994099359, -0.989054732, -0.986959787};

class Paper003 : public testing::TestWithParam<std::string> {};

TEST_P(Paper003, DoubleBarPendulum) {
  const Result result = run_model("double_bar_pendulum", make_trial(GetParam(), 1e-10));
  EXPECT_LE(find_error(result, "bar1.angle", 0.524, kTheta1), 1e-6);
  EXPECT_LE(find_error(result, "bar2.angle", 0.785, kTheta2), 1e-6);
  EXPECT_LE(result.report.max_phi, 1e-12);
}

TEST_P(Paper003, PlanarFourBarThroughItsSingularPose) {
  const Result result = run_model("planar_four_bar", make_trial(GetParam(), 1e-10));
  EXPECT_LE(find_error(result, "coupler.y", 0.0, kCase1), 1e-6);
  EXPECT_LE(result.report.max_phi, 1e-12);
  EXPECT_GT(figure(result, "partition_changes"), 5.0);
}

TEST_P(Paper003, PlanarFourBarWithoutOne) {
  const Result result = run_model(
      "planar_four_bar", make_trial(GetParam(), 1e-10, {{"l0", "1.9"}, {"theta1", "1.104"}}));
  EXPECT_LE(find_error(result, "coupler.x", 0.0, kCase2), 1e-6);
}

TEST_P(Paper003, SpatialFourBar) {
  const Result result = run_model("spatial_four_bar", make_trial(GetParam(), 1e-10));
  EXPECT_LE(find_error(result, "axle.angle", 0.0, kWheel), 1e-6);
  EXPECT_LE(find_error(result, "coupler.y", 0.0, kCoupler), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, Paper003, testing::ValuesIn(kMethods), [](const auto& each) {
  std::string name = each.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

TEST(Paper003Stabilisation, AgreesWithLargeGains) {
  const Trial trial = make_trial("cs/adams", 1e-10);
  EXPECT_LE(find_error(run_model("double_bar_pendulum", trial), "bar2.angle", 0.785, kTheta2),
            1e-6);
  EXPECT_LE(find_error(run_model("spatial_four_bar", trial), "coupler.y", 0.0, kCoupler), 1e-6);
}

/// Reactions by eq. (24) are those of the saddle point, and balance what the bodies do: Newton's and Euler's equations of
/// the coupler, and the moment about the rocker's axle.
TEST(Paper003Reactions, BalanceTheMotion) {
  const std::string text =
      edit_model("spatial_four_bar",
                 {{"\n[run]\n",
                   "\n[record]\nax = \"coupler.x''\"\nay = \"coupler.y''\"\naz = \"coupler.z''\"\n"
                   "turn = \"D.angle''\"\n\n[run]\n"}});
  const auto run = [&](const std::string& method) {
    return run_text(text, make_trial(method, 1e-11));
  };
  const Result by_partial = run("partial_velocity/adams");
  const Result dense = run_text(
      text, make_trial("partial_velocity/adams", 1e-11, {{"method.algebra", "\"dense\""}}));
  const Result by_saddle = run("braun_goldfarb/dop853");
  for (const std::string name :
       {"A.force.x", "A.force.y", "A.force.z", "B.force.x", "B.force.y", "B.force.z", "D.force.x",
        "D.torque.x", "axle.force.y", "A.torque.x"}) {
    const Values a = column(by_partial, name), b = column(by_saddle, name), c = column(dense, name);
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_NEAR(a[k], b[k], 1e-6) << name;
      EXPECT_NEAR(a[k], c[k], 1e-6) << name;
    }
  }
  const std::size_t samples = column(by_partial, "t").size();
  const auto get = [&](const std::string& name, std::size_t k) {
    return column(by_partial, name)[k];
  };
  for (std::size_t k = 0; k < samples; ++k) {
    EXPECT_NEAR(get("A.force.x", k) + get("B.force.x", k), get("ax", k), 1e-8);
    EXPECT_NEAR(get("A.force.y", k) + get("B.force.y", k), get("ay", k) + 9.81, 1e-8);
    EXPECT_NEAR(get("A.force.z", k) + get("B.force.z", k), get("az", k), 1e-8);
    const double angle = get("D.angle", k);
    const double moment =
        -2 * std::cos(angle) * get("B.force.x", k) + 2 * std::sin(angle) * get("B.force.z", k);
    EXPECT_NEAR(moment, (4.54 + 1.0) * get("turn", k), 1e-8);
  }
  EXPECT_NEAR(get("B.force.y", 0), 4.30447084, 1e-7);
}

/// Whether the motion is still that of the parallelogram, in which the coupler does not turn.
bool keeps_its_branch(const Result& result) {
  return result.report.status == Status::ok && max_of(column(result, "coupler.angle")) < 0.3;
}

TEST(Paper003Branch, SmallGainsLeaveItPartitionsDoNot) {
  Trial trial = make_trial("cs/adams", 1e-4, {{"method.alpha", "2"}, {"method.beta", "2"}});
  EXPECT_FALSE(keeps_its_branch(run_model("planar_four_bar", trial)));
  for (const std::string& method : kMethods)
    EXPECT_TRUE(keeps_its_branch(run_model("planar_four_bar", make_trial(method, 1e-4)))) << method;
}

/// Twenty runs each that come to the singular pose with other steps.
TEST(LongPaper003Branch, NeverLeftInTwentyRuns) {
  for (const std::string& method : kMethods) {
    for (int k = 0; k < 20; ++k) {
      Trial trial = make_trial(method, 1e-6 * (1.0 + 0.05 * k));
      trial.every = 0.01 + 0.001 * k;
      trial.sets = {{"theta1", std::to_string(1.074 + 0.003 * k)}};
      EXPECT_TRUE(keeps_its_branch(run_model("planar_four_bar", trial))) << method << " " << k;
    }
  }
}

/// Columns of coordinates and rates: between the time and what is recorded or measured.
std::vector<std::string> list_coordinates(const Result& result) {
  std::vector<std::string> names;
  for (const Column& each : result.columns) {
    if (each.name.find('.') == std::string::npos && each.name != "t") break;
    if (each.name != "t") names.push_back(each.name);
  }
  return names;
}

/// Every kind of constraint: moving ones, velocity constraints, redundant rows, closed loops in space, singular poses.
TEST(LongPartition, MovesAsTheSaddlePointDoes) {
  for (const std::string model :
       {"bead_on_moving_wire", "chaplygin_sleigh_bodies", "rolling_disc", "four_bar_3d",
        "double_four_bar_bodies", "slider_crank_bodies", "machines/stewart_platform",
        "machines/double_wishbone", "elements/drive", "elements/gear", "elements/rolling_ball"}) {
    const Trial tight{
        .method = "braun_goldfarb/dop853", .tolerance = 1e-12, .until = 1, .every = 0.1};
    const Result reference = run_model(model, tight);
    for (const std::string method : {"partial_velocity/adams", "partition/dop853"}) {
      Trial trial = tight;
      trial.method = method;
      trial.tolerance = 1e-10;
      const Result result = run_model(model, trial);
      ASSERT_EQ(result.report.status, Status::ok) << model << ": " << result.report.message;
      EXPECT_LE(max_difference(result, reference, list_coordinates(result)), 1e-5)
          << model << " " << method;
      EXPECT_LE(result.report.max_phi, 1e-11) << model << " " << method;
    }
  }
}

}  // namespace
}  // namespace driftless::trials
