// Constraints on velocities: Chaplygin's sleigh against its exact solution.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/problems/references.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using problems::ChaplyginSleigh;
using problems::SleighData;

double sleigh_error(const Result& result, const ChaplyginSleigh& exact) {
  return max_error(result, {"x_blade", "y_blade", "th", "speed", "th'"}, [&](double t) {
    const std::vector<double> blade = exact.blade(t);
    return Values{blade[0], blade[1], exact.heading(t), exact.speed(t), exact.turning(t)};
  });
}

TEST(Nonholonomic, SleighFollowsItsExactSolution) {
  const Result result = run_model("chaplygin_sleigh", {.until = 10, .every = 0.05});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_EQ(result.report.rows, 1);
  expect_at_most("blade", result.report.max_phi_dot, 1e-14);
  expect_at_most("energy", result.report.max_energy_error, 1e-14);
  expect_at_most("error", sleigh_error(result, ChaplyginSleigh()), 1e-7);
  EXPECT_NEAR(last(result, "speed"), 1.017349497, 1e-9) << "the number in the model file";
  EXPECT_NEAR(last(result, "th") * 180 / std::numbers::pi, 317, 1.0)
      << "the number in the model file";
}

TEST(Nonholonomic, OrderFour) {
  Values errors;
  for (const double step : {0.04, 0.02, 0.01, 0.005}) {
    errors.push_back(
        sleigh_error(run_model("chaplygin_sleigh", {.step = step, .until = 4, .every = 0.04}),
                     ChaplyginSleigh()));
  }
  for (const double order : orders(errors)) {
    EXPECT_GE(order, 3.7);
    EXPECT_LE(order, 4.4);
  }
}

TEST(Nonholonomic, EveryMethodAgrees) {
  for (const std::string method :
       {"braun_goldfarb/dop853", "index1/dop853", "udwadia_kalaba/dop853", "baumgarte/dop853"}) {
    const Result result = run_model(
        "chaplygin_sleigh", {.method = method, .tolerance = 1e-11, .until = 5, .every = 0.05});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_LT(sleigh_error(result, ChaplyginSleigh()), 1e-8) << method;
  }
}

TEST(Nonholonomic, OtherSleighs) {
  for (const SleighData& data :
       {SleighData{.m = 2.0, .J = 0.4, .a = 0.5, .u0 = 0.3, .w0 = 2.0},
        SleighData{.m = 0.5, .J = 0.02, .a = 0.1, .u0 = -2.0, .w0 = 0.1}}) {
    const Result result = run_model("chaplygin_sleigh", {.method = "braun_goldfarb/dopri5",
                                                         .tolerance = 1e-10,
                                                         .until = 5,
                                                         .every = 0.05,
                                                         .sets = {{"m", text_of(data.m)},
                                                                  {"J", text_of(data.J)},
                                                                  {"a", text_of(data.a)},
                                                                  {"u0", text_of(data.u0)},
                                                                  {"w0", text_of(data.w0)}}});
    expect_at_most("error", sleigh_error(result, ChaplyginSleigh(data)), 1e-7);
  }
}

// Rows of velocities have no gap; on demand it is their own residual that asks for a projection.
TEST(Nonholonomic, ProjectionOnDemandLooksAtVelocityRows) {
  const auto run = [](const char* words, const Sets& sets) {
    return run_model("chaplygin_sleigh",
                     {.method = words, .step = 0.05, .until = 10, .every = 0.05, .sets = sets});
  };
  const double drift = run("index1/rk4", {}).report.max_phi_dot;
  const double bound = drift / 5.0;
  const Result result = run("index1/rk4/project", {{"method.projection_bound", text_of(bound)}});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_LT(result.report.max_phi_dot, 1.001 * bound);
  EXPECT_GE(figure(result, "projections"), 2);
  EXPECT_LT(figure(result, "projections"), 40);
}

// Psi' + eta Psi = 0: a blade that is pushed across at the start is pulled in exponentially.
TEST(Nonholonomic, FeedbackOnVelocityRows) {
  const Result result =
      run_model("chaplygin_sleigh", {.method = "baumgarte/dop853",
                                     .tolerance = 1e-12,
                                     .until = 1,
                                     .every = 0.01,
                                     .sets = {{"run.start", "given"}, {"y'", "0.3"}}});
  const double start = 0.3 - 0.2 * 0.5;  // y' - a w0
  const Values t = column(result, "t");
  const Values psi = column(result, "phi_dot");
  for (std::size_t k = 0; k < t.size(); ++k) {
    ASSERT_NEAR(psi[k], start * std::exp(-20.0 * t[k]), 1e-10) << "eta is alpha, 20 by default";
  }
}

/// A sled on a blade with a swinging mass on a pin: a row of velocities beside rows of positions.
constexpr const char* kSled = R"(
format = "driftless/1"
space = "plane"
[body.sled]
mass = 1.544
centre = [0, 0]
inertia = 0.174
[body.mass]
mass = 0.6831
centre = [0.3, 0.4]
inertia = 0.02
[constraint.edge]
type = "knife_edge"
between = ["ground", "sled"]
at = [-0.225, 0]
axis = [1, 0]
[joint.pin]
type = "revolute"
between = ["sled", "mass"]
at = [0.1, 0.1]
[force.k]
type = "spring_damper"
between = ["sled", "mass"]
at = [[0, 0], [0.35, 0.4]]
stiffness = 2992
damping = 16.41
[start]
"sled.x'" = 0.598
"sled.angle'" = -1.95
)";

TEST(Nonholonomic, ImplicitMethodsFollowABladeBesideAPin) {
  const Result exact = run_text(
      kSled, {.method = "index1/dop853/project", .tolerance = 1e-12, .until = 0.5, .every = 0.5});
  ASSERT_EQ(exact.report.status, Status::ok) << exact.report.message;
  for (const char* form : {"index3", "index2", "index1", "ggl", "stabilized_index1"}) {
    for (const char* integrator : {"/radau5", "/bdf", "/ida"}) {
      const std::string words = std::string(form) + integrator;
      if (words == "index3/ida") continue;  // refused
      const Result result =
          run_text(kSled, {.method = words, .tolerance = 1e-7, .until = 0.5, .every = 0.5});
      ASSERT_EQ(result.report.status, Status::ok) << words << ": " << result.report.message;
      EXPECT_LT(max_difference(result, exact, {"sled.x", "sled.y", "mass.x"}), 1e-5) << words;
      EXPECT_LT(result.report.steps, 400) << words;
    }
  }
}

}  // namespace
}  // namespace driftless::trials
