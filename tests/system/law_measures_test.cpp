// Measures of one's own, what is refused where, and all derivatives of all laws by differences, off the constraints.

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/derivative_check.hpp"
#include "driftless/base/error.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "driftless/system/system.hpp"
#include "tests/system/law_trials.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

// ---- measures ------------------------------------------------------------------------------------------

TEST(Measures, RatesAndAccelerationsAreThoseOfTheValues) {
  const std::string text = R"~(format = "driftless/1"
gravity = [1, -2, -9.81]
[body.a]
mass = 1.9
inertia = [0.2, 0.3, 0.17]
centre = [0.4, 0.1, 0]
[body.a.frame.tip]
at = [0.3, 0.2, -0.1]
[body.b]
mass = 0.9
inertia = [0.12, 0.13, 0.07]
centre = [1, 0.1, 0.2]
[joint.A]
type = "spherical"
between = ["ground", "a"]
at = [0, 0, 0]
[joint.B]
type = "revolute"
between = ["a", "b"]
at = [0.8, 0.1, 0.1]
axis = [1, 2, 3]
[measure.reach]
type = "distance"
between = ["ground", "b"]
at = [[0.1, 0.2, 1.3], [1, 0, 0]]
[measure.turn]
type = "angle"
between = ["a", "b"]
at = [0, 0, 0]
axis = [1, 2, 3]
[measure.mixed]
type = "expression"
value = "reach^2*sin(turn) + a.tip.x*t"
[record]
mixed_rate = "mixed'"
reach_rate = "reach'"
reach_acceleration = "reach''"
tip_rate = "a.tip.y'"
tip_acceleration = "a.tip.y''"
tip = "a.tip.y"
spin_rate = "b.wy'"
turn_again = "B.angle"
energy = "T + U"
[start]
a.wx = 2
a.wy = -1
a.wz = 3
B.rate = 4
)~";
  Trial trial = until(1);
  trial.every = 1e-3;
  const Result result = run_text(text, trial);
  const auto check = [&](const std::string& value, const std::string& rate, int order) {
    const Values f = column(result, value);
    const Values g = column(result, rate);
    for (std::size_t k = 1; k + 1 < f.size(); ++k) {
      const double found =
          order == 1 ? (f[k + 1] - f[k - 1]) / 2e-3 : (f[k + 1] - 2 * f[k] + f[k - 1]) / 1e-6;
      EXPECT_NEAR(found, g[k], 2e-3 * std::max(1.0, std::abs(g[k]))) << rate << " at " << k;
      if (::testing::Test::HasFailure()) return;
    }
  };
  check("mixed", "mixed_rate", 1);
  check("reach", "reach_rate", 1);
  check("reach", "reach_acceleration", 2);
  check("tip", "tip_rate", 1);
  check("tip", "tip_acceleration", 2);
  check("b.wy", "spin_rate", 1);
  EXPECT_NEAR(last(result, "turn"), last(result, "turn_again"), 1e-9);
  const Values energy = column(result, "energy");
  EXPECT_NEAR(energy.front(), energy.back(), 1e-9);
}

void expect_error(const std::string& text, const std::string& message) {
  try {
    prepare_model(parse_model(text, "test.toml"), {});
    ADD_FAILURE() << "no error; wanted: " << message;
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

// By law of cosines: 0.3 m from the axis, 0.8 m to the point, r r' = 0.24 m^2 sin(angle) angle'.
TEST(Measures, StartValuesMayBeMeasures) {
  const std::string text = make_wheels(R"~(
[measure.reach]
type = "distance"
between = ["ground", "first"]
at = [[0.8, 0, 0], [0.24, 0.18, 0]]
[start]
reach = 0.7
"reach'" = "0.2 m/s"
)~");
  Trial trial = until(0.5);
  const auto expect_start = [&](double r, double rate) {
    const Result result = run_text(text, trial);
    const double angle = std::acos((0.09 + 0.64 - r * r) / 0.48);
    EXPECT_NEAR(column(result, "reach").front(), r, 1e-12);
    EXPECT_NEAR(column(result, "A.angle").front() + std::atan2(0.18, 0.24), angle, 1e-9);
    EXPECT_NEAR(column(result, "A.rate").front(), r * rate / (0.24 * std::sin(angle)), 1e-9);
    EXPECT_TRUE(result.report.warnings.empty());
  };
  expect_start(0.7, 0.2);
  trial.sets = {{"reach", "900 mm"}, {"reach'", "-0.3"}};
  expect_start(0.9, -0.3);
  expect_error(make_wheels("[measure.reach]\nbetween = [\"ground\", \"first\"]\nat = [0, 0, 0]\n"),
               "measure.reach.type is missing");
}

// The motion that a drive prescribes is no surprise.
TEST(Drive, RatesThatNobodyGaveFollowWithoutAWarning) {
  const std::string text = make_wheels(R"~(
[constraint.D]
type = "drive"
of = "A.angle"
value = "3*t"
)~");
  const PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
  EXPECT_TRUE(model.start_report.success);
  EXPECT_TRUE(model.warnings.empty()) << model.warnings.front();
  // A drawing that does not close is one.
  std::string open = make_wheels("");
  open.replace(open.find("at = [0.5, 0.1, 0]"), 18, "at = [[0.5, 0.1, 0], [0.6, 0.1, 0]]");
  EXPECT_EQ(prepare_model(parse_model(open, "test.toml"), {}).warnings.size(), 1U);
}

TEST(Measures, WhatIsNotKnownInTimeIsRefusedByName) {
  for (const std::string& name : {std::string("A.rate'"), std::string("B.torque.z")}) {
    expect_error(make_wheels(R"~(
[force.M]
type = "motor"
of = "A.angle"
torque = "0.1*)~" + name + "\"\n"),
                 "'" + name + "' depends on accelerations or reactions");
  }
  expect_error(make_wheels(R"~(
[force.M]
type = "motor"
of = "A.angle"
torque = "0.1*first.x''"
)~"),
               "accelerations cannot be used here");
  expect_error(make_wheels(R"~(
[measure.p]
type = "expression"
value = "q + A.angle"
[measure.q]
type = "expression"
value = "2*p"
)~"),
               "depends on itself");
  expect_error(make_wheels(R"~(
[constraint.D]
type = "drive"
of = "A.angle"
value = "t"
[constraint.E]
type = "drive"
of = "A.angle"
value = "2*t"
)~"),
               "which constraint.D drives already");
  expect_error(make_wheels("[constraint.D]\ntype = \"drive\"\nof = \"A.angel\"\nvalue = \"t\"\n"),
               "there is no measure 'A.angel'");
  expect_error(make_wheels("[constraint.D]\ntype = \"drive\"\nof = \"A.angle\"\n"),
               "constraint.D.value is missing");
  expect_error(
      make_wheels("[constraint.D]\ntype = \"drive\"\nof = \"A.angle\"\nvalue = \"B.rate\"\n"),
      "contains rates, but a constraint of positions is wanted");
  expect_error(make_wheels("[constraint.C]\ntype = \"coupler\"\nequation = \"A.rate - 2\"\n"),
               "contains rates");
  expect_error(
      make_wheels("[force.F]\ntype = \"friction\"\nof = \"A.angle\"\nviscous = \"3 N*s/m\"\n"),
      "has the dimension");
  expect_error(make_wheels("[constraint.G]\ntype = \"gear\"\nof = [\"A.angle\", "
                           "\"B.angle\"]\nratio = 0\n"),
               "constraint.G.ratio = 0: out of bounds\n    it must be other than 0");
}

// ---- derivatives ---------------------------------------------------------------------------------------

/// dΨ/dq, v held, against differences of Ψ.
void check_velocity_rows_by_q(const System& system, const State& start) {
  const SystemInfo& info = system.info();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  Vector v(info.nv);
  for (double& each : v) each = part(random);
  const auto ws = system.make_workspace();
  const auto find_rows = [&](int direction, double step) {
    Vector q = start.q;
    Vector delta = Vector::Zero(info.nv);
    delta[direction] = step;
    system.retract(q, delta);
    system.eval_configuration(0.3, q, *ws);
    system.eval_velocity(0.3, q, v, *ws);
    return Vector(ws->velocity_residual.tail(info.velocity_rows));
  };
  system.eval_invariant_gradients(0.3, start.q, v, *ws);
  const Matrix claimed = ws->velocity_rows_q;
  for (int k = 0; k < info.nv; ++k) {
    const Vector found = (find_rows(k, 1e-6) - find_rows(k, -1e-6)) / 2e-6;
    EXPECT_LT((found - claimed.col(k)).lpNorm<Eigen::Infinity>(), 1e-7) << info.rates[k];
  }
}

TEST(Laws, AllDerivativesOffTheConstraints) {
  const std::string everything = make_wheels(R"~(
[body.cart]
mass = 3
inertia = [[0.3, 0.02, 0.01], [0.02, 0.4, 0.03], [0.01, 0.03, 0.5]]
centre = [0.3, -0.4, 0.9]
[measure.reach]
type = "distance"
between = ["second", "cart"]
at = [[0.6, 0.2, 0.3], [0.2, -0.3, 1]]
[constraint.gear]
type = "gear"
of = ["A.angle", "B.angle"]
ratio = -0.7
[constraint.drive]
type = "drive"
of = "reach"
value = "0.8 + 0.1*sin(2*t)"
[constraint.coupler]
type = "coupler"
equation = "cart.x*cart.y - 0.3*sin(A.angle + t)*reach"
[constraint.velocity]
type = "velocity"
equation = "cart.x'*cart.wz - 0.2*reach'*A.rate + sin(t)*cart.y' - 0.1*cart.wx^2"
[constraint.disc]
type = "rolling_disc"
between = ["first", "cart"]
at = [[0, 0, 0], [0.3, -0.4, 0.9]]
axis = [[0.1, 0.2, 1], [1, 0.3, 0.2]]
radius = 0.3
[constraint.ball]
type = "rolling_ball"
between = ["second", "cart"]
at = [[0, 0, 0], [0.1, -0.4, 0.9]]
radius = 0.3
[constraint.knife]
type = "knife_edge"
between = ["first", "cart"]
at = [[0.1, 0, 0], [0.3, -0.4, 0.7]]
[constraint.path]
type = "path"
between = ["second", "cart"]
at = [[0.1, 0, 0], [0.3, -0.4, 0.7]]
along_x = "0.2*cos(t)"
along_z = "0.1*t^2"
[force.spring]
type = "spring_damper"
between = ["first", "cart"]
at = [[0.1, 0.1, 0], [0.3, -0.2, 0.7]]
stiffness = 30
damping = 2
law = "3*stretch^3 + 0.1*cart.wx"
[force.motor]
type = "motor"
of = "reach"
force = "A.rate*sin(t) - 0.2*spring.force"
[force.bushing]
type = "bushing"
between = ["first", "cart"]
at = [[0.1, 0.1, 0], [0.3, -0.2, 0.7]]
axis = [[0.1, 0.2, 1], [0.4, 0.3, 1]]
stiffness = [90, 80, 70, 3, 4, 5]
damping = [1, 2, 3, 0.1, 0.2, 0.3]
[force.pull]
type = "point_force"
body = "cart"
at = [0.3, -0.2, 0.7]
force = ["cart.x'", "-t*reach", 3]
torque = [0, "A.angle", 0]
axes = "body"
[conserved]
odd = { value = "cart.x*cart.wy + reach'*sin(A.angle) + t*cart.z'", power = "A.rate^2" }
)~");
  const PreparedModel model =
      prepare_model(parse_model(everything + "[run]\nstart = \"given\"\n", "test.toml"), {});
  for (const DerivativeCheck& each : check_derivatives(model.system(), model.start)) {
    EXPECT_LT(each.error, kDerivativeTolerance) << each.what << ": " << each.worst;
  }
  check_velocity_rows_by_q(model.system(), model.start);
}

}  // namespace
}  // namespace driftless::trials
