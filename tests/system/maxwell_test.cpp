// First-order states of forces: Maxwell's element against its closed form, as a mechanism and as equations; carried by
// every integrator with its own order on a pendulum that is held by one; and an energy balance that closes.

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/derivative_check.hpp"
#include "driftless/base/error.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/law_trials.hpp"

namespace driftless::trials {
namespace {

using Square = std::array<std::array<double, 4>, 4>;

Square multiply(const Square& a, const Square& b) {
  Square product{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k) product[i][j] += a[i][k] * b[k][j];
  return product;
}

/// exp(A t) by its series for t/2^20 and squaring.
Square calc_exponential(Square a, double t) {
  constexpr int kHalvings = 20;
  for (auto& row : a)
    for (double& value : row) value *= std::ldexp(t, -kHalvings);
  Square sum{}, term{};
  for (std::size_t i = 0; i < 4; ++i) sum[i][i] = term[i][i] = 1.0;
  for (int n = 1; n < 16; ++n) {
    term = multiply(term, a);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) sum[i][j] += (term[i][j] /= n);
  }
  for (int k = 0; k < kHalvings; ++k) sum = multiply(sum, sum);
  return sum;
}

constexpr double kMass = 0.8, kStiffness = 120.0, kDamping = 9.0, kPush = 2.5;

/// (x, x', c) of m x'' = f - k (x - c), c' = k (x - c)/η.
Values solve_exactly(double t, double x, double v, double c) {
  const double k = kStiffness;
  const Square a{{{0, 1, 0, 0},
                  {-k / kMass, 0, k / kMass, kPush / kMass},
                  {k / kDamping, 0, -k / kDamping, 0},
                  {0, 0, 0, 0}}};
  const Square e = calc_exponential(a, t);
  const std::array<double, 4> start{x, v, c, 1.0};
  Values end(3, 0.0);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) end[i] += e[i][j] * start[j];
  return end;
}

const char* const kSlider = R"~(format = "driftless/1"
space = "plane"
[body.block]
mass = 0.8
inertia = 0.1
centre = [2, 0]
[joint.P]
type = "prismatic"
between = ["ground", "block"]
at = [2, 0]
axis = [1, 0]
[force.link]
type = "maxwell"
between = ["ground", "block"]
at = [[0, 0], [2, 0]]
stiffness = "120 N/m"
damping = "9 N*s/m"
length = "2 m"
damper = "30 mm"
[force.push]
type = "point_force"
body = "block"
at = [2, 0]
force = [2.5, 0]
[start]
P.speed = 0.7
[record]
twice = "2*link.damper"
)~";

const char* const kOscillator = R"~(format = "driftless/1"
[parameters]
k = 120
eta = 9
[coordinates]
x = { start = 0, rate = 0.7 }
[state]
c = { start = "30 mm", rate = "k/eta*(x - c)" }
[energy]
kinetic = "0.8/2*x'^2"
potential = "k/2*(x - c)^2"
[force]
x = "2.5"
[record]
twice = "2*c"
)~";

TEST(Maxwell, OnAMassIsTheMatrixExponential) {
  const auto exact = [](double t) { return solve_exactly(t, 0.0, 0.7, 0.03); };
  const Result body = run_text(kSlider, until(3));
  expect_at_most("mechanism", max_error(body, {"P.position", "P.speed", "link.damper"}, exact),
                 1e-9);
  expect_at_most("energy of the mechanism", body.report.max_energy_error, 1e-9);
  const Result equations = run_text(kOscillator, until(3));
  expect_at_most("equations", max_error(equations, {"x", "x'", "c"}, exact), 1e-9);
  expect_at_most("energy of the equations", equations.report.max_energy_error, 1e-9);
  EXPECT_EQ(last(body, "twice"), 2.0 * last(body, "link.damper"));
  EXPECT_EQ(last(equations, "twice"), 2.0 * last(equations, "c"));
}

TEST(Maxwell, HeldAtALengthFades) {
  const Result held = run_text(R"~(format = "driftless/1"
space = "plane"
[body.block]
mass = 1
inertia = 1
centre = [1.5, 0]
[joint.P]
type = "fixed"
between = ["ground", "block"]
at = [1.5, 0]
[force.link]
type = "maxwell"
between = ["ground", "block"]
at = [[0, 0], [1.5, 0]]
stiffness = 40
damping = 20
length = 1.2
)~",
                               until(2));
  EXPECT_NEAR(last(held, "link.force"), -40 * 0.3 * std::exp(-4.0), 1e-9);
}

/// A pendulum of two coordinates whose rod is a constraint, held by a Maxwell element off its axis.
const char* const kMaxwellPendulum = R"~(format = "driftless/1"
[parameters]
k = 60
eta = 11
[coordinates]
x = { start = 0.6, rate = 0.8 }
y = { start = -0.8, rate = 0.6 }
[state]
c = { start = 0.02, rate = "k/eta*(sqrt((x - 1.7)^2 + (y + 0.4)^2) - 1.1 - c)" }
[energy]
kinetic = "1.4/2*(x'^2 + y'^2)"
potential = "1.4*9.81*y + k/2*(sqrt((x - 1.7)^2 + (y + 0.4)^2) - 1.1 - c)^2"
[constraint]
rod = "x^2 + y^2 - 1"
)~";

struct StateOrder {
  const char* words;
  double order;  ///< of q, v and c
  int steps;     ///< of the coarser run over 1 s
};

constexpr StateOrder kStateOrders[] = {
    {"index1/rk4", 4, 40},
    {"braun_goldfarb/rk4/project", 4, 40},
    {"baumgarte/rk4", 4, 40},
    {"udwadia_kalaba/rk4", 4, 40},
    {"partition/rk4", 4, 40},
    {"partial_velocity/rk4", 4, 40},
    {"index1/ab3", 3, 400},
    {"index2/hedop5", 5, 20},
    {"index2/phem56", 5, 20},
    {"index2/hem4", 4, 40},
    {"index2/hem3", 3, 80},
    {"index1/radau5", 5, 20},
    {"index2/radau5", 5, 20},
    {"ggl/radau5", 5, 20},
    {"stabilized_index1/radau5", 5, 20},
    {"ggl/backward_euler", 1, 3200},
    {"index3/backward_euler", 1, 3200},
    {"index3/generalized_alpha", 2, 200},
    {"index2/generalized_alpha", 2, 200},
    {"ggl/generalized_alpha", 2, 200},
    {"ggl/hht", 2, 200},
    {"ggl/newmark", 2, 200},
    {"index3/rattle", 2, 200},
};

TEST(FirstOrderStates, AreCarriedWithTheOrderOfEachMethod) {
  constexpr double kEvery = 0.125;  // errors at one instant may cancel
  const Result exact = run_text(
      kMaxwellPendulum,
      {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = kEvery});
  for (const StateOrder& each : kStateOrders) {
    SCOPED_TRACE(each.words);
    const auto find_errors = [&](int steps) {
      const Result result =
          run_text(kMaxwellPendulum,
                   {.method = each.words, .step = 1.0 / steps, .until = 1, .every = kEvery});
      EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
      return Values{max_difference(result, exact, {"x", "y"}),
                    max_difference(result, exact, {"x'", "y'"}),
                    max_difference(result, exact, {"c"})};
    };
    const Values coarse = find_errors(each.steps);
    const Values fine = find_errors(2 * each.steps);
    for (std::size_t k = 0; k < 3; ++k) {
      const double order = std::log2(coarse[k] / fine[k]);
      EXPECT_GT(order, each.order - 0.25)
          << "of part " << k << ": " << coarse[k] << ", " << fine[k];
    }
  }
}

TEST(FirstOrderStates, AreUnderErrorControl) {
  const Result exact =
      run_text(kMaxwellPendulum,
               {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 2, .every = 2});
  for (const char* words :
       {"index1/dopri5/project", "braun_goldfarb/dop853", "index1/adams", "ggl/bdf", "index3/bdf",
        "stabilized_index1/bdf", "ggl/ida", "index1/ida", "stabilized_index1/ida", "ggl/radau5",
        "index2/hedop5", "ggl/generalized_alpha"}) {
    SCOPED_TRACE(words);
    const double bar = std::string(words) == "ggl/generalized_alpha" ? 1e-3 : 2e-5;
    const Result result =
        run_text(kMaxwellPendulum, {.method = words, .tolerance = 1e-7, .until = 2, .every = 2});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    for (const char* name : {"x", "y", "x'", "y'", "c"})
      EXPECT_NEAR(last(result, name), last(exact, name), bar) << name;
  }
}

TEST(FirstOrderStates, ThatRelaxFastAreNotFollowedByImplicitSteps) {
  // η/k = 1e-6 s: the element is a damper of 60e-6 N s/m, and nearly free
  std::string text = kMaxwellPendulum;
  text.replace(text.find("eta = 11"), 8, "eta = 6e-5");
  for (const char* words : {"ggl/radau5", "ggl/bdf", "ggl/generalized_alpha", "index3/rattle"}) {
    SCOPED_TRACE(words);
    const bool is_adaptive = std::string(words) == "ggl/bdf";
    Trial trial{.method = words, .until = 1, .every = 1};
    if (is_adaptive) {
      trial.tolerance = 1e-7;
    } else {
      trial.step = 1e-3;
    }
    const Result result = run_text(text, trial);
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_LT(result.report.steps, 3000);
    const double stretch = std::hypot(last(result, "x") - 1.7, last(result, "y") + 0.4) - 1.1;
    // The midpoint rule of rattle follows what relaxes fast, but does not damp it.
    const bool is_damped = std::string(words) != "index3/rattle";
    EXPECT_NEAR(last(result, "c"), stretch, is_damped ? 1e-4 : 5e-3);
  }
}

TEST(FirstOrderStates, EnergyBalanceClosesWithTheOrderOfTheWork) {
  double last_error = 0.0;
  for (const int steps : {400, 800}) {
    const Result result = run_text(
        kMaxwellPendulum, {.method = "ggl/generalized_alpha", .step = 2.0 / steps, .until = 2});
    const double error = result.report.max_energy_error;
    if (steps == 800) {
      EXPECT_GT(last_error / error, 3.5);
    }
    last_error = error;
  }
  const Result result = run_text(
      kMaxwellPendulum, {.method = "index1/dop853/project", .tolerance = 1e-11, .until = 2});
  EXPECT_LT(result.report.max_energy_error, 1e-8);
}

TEST(FirstOrderStates, AreExaminedByTheDerivativeCheck) {
  for (const char* text : {kSlider, kOscillator, kMaxwellPendulum}) {
    const PreparedModel model = prepare_model(parse_model(text, "test"), {});
    for (const DerivativeCheck& check : check_derivatives(model.system(), model.start))
      EXPECT_LT(check.error, kDerivativeTolerance) << check.what << ": " << check.worst;
  }
}

std::string find_refusal(const std::string& text) {
  try {
    prepare_model(parse_model(text, "test"), {});
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(FirstOrderStates, MayNotMoveInertiaOrConstraints) {
  std::string text = kMaxwellPendulum;
  text.replace(text.find("x^2 + y^2 - 1"), 13, "x^2 + y^2 - c");
  EXPECT_NE(find_refusal(text).find("constraint 'rod' contains the state c"), std::string::npos)
      << find_refusal(text);
  text = kMaxwellPendulum;
  text.replace(text.find("1.4/2*(x'^2"), 3, "(1+c)");
  EXPECT_NE(find_refusal(text).find("kinetic energy contains the state c"), std::string::npos)
      << find_refusal(text);
  text = kOscillator;
  text.replace(text.find(", rate = \"k/eta"), 0, ", rat = 1");
  EXPECT_NE(find_refusal(text).find("rat"), std::string::npos);
  text = kOscillator;
  const std::size_t rate = text.find(", rate = \"k/eta*(x - c)\"");
  text.erase(rate, 24);
  EXPECT_NE(find_refusal(text).find("state.c.rate is missing"), std::string::npos)
      << find_refusal(text);
}

}  // namespace
}  // namespace driftless::trials
