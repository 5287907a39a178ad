// Every alternative of the DriftSpec variant: leaves a consistent state alone, keeps the order of the integrator. The
// projection reaches its tolerance with the least change. Corrections of invariants: invariants_test.cpp; terms in the
// field: yoon_test.cpp.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/run/exam_models_test.hpp"
#include "driftless/run/simulate.hpp"

namespace driftless {
namespace {

using testing::all_exam_models;
using testing::ExamModel;
using testing::make_state;
using testing::Random;

std::unique_ptr<DriftControl> make(const DriftSpec& spec, const SystemInfo& info) {
  return std::visit([&](const auto& each) { return make_control(each, info); }, spec);
}

class DriftExam : public ::testing::TestWithParam<DriftSpec> {};

TEST_P(DriftExam, LeavesAConsistentStateAlone) {
  for (const ExamModel& model : all_exam_models()) {
    SCOPED_TRACE(model.name);
    const auto system = testing::make_test_system(model.text);
    Random random(7);
    for (int trial = 0; trial < 8; ++trial) {
      State s = make_state(model, *system, random, 0.0);
      Evaluator evaluator(*system);
      const auto control = make(GetParam(), system->info());
      control->start(Balance(testing::eval_all(*system, s)->invariant));
      const std::vector<double> work(system->info().invariants.size(), 0.0);
      const State before = s;
      CorrectionPoint point{s.t, s.q, s.v, work, evaluator, kDefaultRankTolerance};
      ASSERT_EQ(control->correct(point), CorrectionStatus::ok);
      EXPECT_LE(max_abs(s.q - before.q), 1e-12);
      EXPECT_LE(max_abs(s.v - before.v), 1e-11);

      std::vector<FieldTerm*> terms;
      if (FieldTerm* term = control->field_term()) terms.push_back(term);
      AccelerationField plain(evaluator, {}, {}), field(evaluator, {}, terms);
      Vector y = Vector::Zero(field.size()), expected = y, slope = y;
      y.head(s.q.size()) = before.q;
      y.segment(s.q.size(), s.v.size()) = before.v;
      ASSERT_TRUE(plain.eval(s.t, as_span(y), as_span(expected)));
      ASSERT_TRUE(field.eval(s.t, as_span(y), as_span(slope)));
      EXPECT_LE(max_abs(slope - expected), 1e-9 * (1.0 + max_abs(expected)));
    }
  }
}

// Through the bottom and not up to rest: there the energy has no direction to be corrected in, and the order of
// everything that divides by the speed falls.
constexpr double kSpeed = -2.0;
constexpr double kUntil = 0.6;

/// (x, y, x', y') from the angle, θ'' = -g sin θ, by classical steps of 1/4000: their error is 1e-14.
Vector calc_pendulum(double until, double speed = kSpeed) {
  using Pair = std::array<double, 2>;
  const auto rate = [](const Pair& s) { return Pair{s[1], -9.81 * std::sin(s[0])}; };
  const auto move = [](const Pair& s, double h, const Pair& k) {
    return Pair{s[0] + h * k[0], s[1] + h * k[1]};
  };
  Pair s{std::atan2(0.6, 0.8), speed};
  const int count = static_cast<int>(std::lround(until * 4000));
  const double h = until / count;
  for (int n = 0; n < count; ++n) {
    const Pair a = rate(s), b = rate(move(s, h / 2, a)), c = rate(move(s, h / 2, b)),
               d = rate(move(s, h, c));
    for (std::size_t i = 0; i < 2; ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return testing::make_vector(
      {std::sin(s[0]), -std::cos(s[0]), s[1] * std::cos(s[0]), s[1] * std::sin(s[0])});
}

/// Gains that the steps below resolve: rates of 10 1/s at most. The pendulum's ψ_v M⁻¹ ψ_v is 16, ψ_q M⁻¹ ψ_q is 190.
DriftSpec make_gentle(const DriftSpec& spec) {
  DriftSpec gentle = spec;
  if (auto* control = std::get_if<Yoon12>(&gentle)) control->energy_gain = 10.0;
  if (auto* control = std::get_if<Yoon13>(&gentle)) control->rho_q = control->rho_v = 0.02;
  if (auto* control = std::get_if<Yoon17>(&gentle)) control->rho_v = 0.2;
  return gentle;
}

double calc_order(const DriftSpec& drift, const Formulation& formulation, const char* integrator,
                  double h) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  const State start{0.0, testing::make_vector({0.6, -0.8}),
                    kSpeed * testing::make_vector({0.8, 0.6})};
  double error[2] = {0.0, 0.0};
  for (const int k : {0, 1}) {
    Method method;
    method.formulation = formulation;
    method.integrator.name = integrator;
    method.integrator.step = k == 0 ? h : h / 2;
    method.drift = {drift};
    RunOptions options;
    options.until = kUntil;
    options.every = kUntil / 6;
    const Result result = simulate(*system, start, method, options);
    EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
    for (std::size_t row = 1; row < result.row_count(); ++row) {
      const std::span<const double> cells = result.row(row);
      const Vector difference = as_vector(cells.subspan(1, 4)) - calc_pendulum(cells[0]);
      error[k] = std::max(error[k], difference.norm());
    }
  }
  EXPECT_GT(error[1], 1e-12) << "nothing to measure";
  EXPECT_LT(error[0], 1e-2);
  return std::log2(error[0] / error[1]);
}

TEST_P(DriftExam, DoesNotLowerTheOrder) {
  const DriftSpec gentle = make_gentle(GetParam());
  EXPECT_GE(calc_order(gentle, Index1{}, "rk4", 1.0 / 100), 3.8);
  EXPECT_GE(calc_order(gentle, BraunGoldfarb{}, "rk4", 1.0 / 100), 3.8);
  EXPECT_GE(calc_order(gentle, Index1{}, "dopri5", 1.0 / 50), 4.8);
  // As it is if nothing is said. (Yoon's gains follow the step down to h = 0.01.)
  EXPECT_GE(calc_order(GetParam(), Index1{}, "rk4", 1.0 / 100), 3.8);
}

// [INV.3]: from rest through five turning points, with steps that end anywhere beside them. The error of the path is that
// without the correction, and falls with the order.
TEST(DriftExamAtTurningPoints, CorrectionOfTheEnergyCostsNoAccuracy) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  const State start{0.0, testing::make_vector({0.6, -0.8}), Vector::Zero(2)};
  constexpr double kEnd = 5.0;
  const Vector exact = calc_pendulum(kEnd, 0.0);
  const auto find_error = [&](const std::vector<DriftSpec>& drift, double h) {
    Method method;
    method.formulation = Index1{};
    method.integrator.step = h;
    method.drift = drift;
    RunOptions options;
    options.until = kEnd;
    const Result result = simulate(*system, start, method, options);
    EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
    const std::span<const double> last = result.row(result.row_count() - 1);
    return (as_vector(last.subspan(1, 4)) - exact).norm();
  };
  constexpr double kFloor = 2e-11;
  for (int steps = 250; steps <= 4000; steps += steps / 20) {
    const double h = kEnd / steps;
    const double without = find_error({Project{}}, h);
    const double with = find_error({Project{}, EnergyCorrection{}}, h);
    EXPECT_LE(with, 1.1 * without + kFloor) << steps << " steps";
    EXPECT_LE(with, 30.0 * std::pow(h, 4) + kFloor) << steps << " steps";
  }
}

// [INV.3] with a force that has no potential as far as is known: the energy changes with q by more, or less, than the forces say.
TEST(DriftExamAtTurningPoints, TheSlopeThatIsSeenCounts) {
  for (const double share : {-0.8, -0.4, 0.4, 0.8}) {  // of the spring, by a force
    SCOPED_TRACE(share);
    const testing::ModelText text{.coordinates = {{"x", ""}},
                                  .kinetic = "x'^2/2",
                                  .potential = fmt::format("{}*x^2", 8.0 * (1.0 - share)),
                                  .forces = {{"x", fmt::format("{}*x", -16.0 * share)}}};
    const auto system = testing::make_test_system(text);
    const State start{0.0, testing::make_vector({1.0}), testing::make_vector({0.3})};
    for (int k = 0; k < 20; ++k) {
      Method method;
      method.formulation = BraunGoldfarb{};
      method.integrator.name = "dopri5";
      method.integrator.adaptive = true;
      method.integrator.rtol = method.integrator.atol = 1e-8 * (1.0 + 0.05 * k);
      method.drift = {Project{}, EnergyCorrection{}};
      RunOptions options;
      options.until = 10.0;
      const Result result = simulate(*system, start, method, options);
      ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
      const std::span<const double> last = result.row(result.row_count() - 1);
      const double exact = std::cos(40.0) + 0.3 / 4.0 * std::sin(40.0);
      EXPECT_LE(std::abs(last[1] - exact), 15.0 * method.integrator.rtol);
      EXPECT_LE(result.report.max_energy_error, 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DriftExam,
                         ::testing::ValuesIn(testing::make_alternatives<DriftSpec>()),
                         [](const auto& each) { return testing::find_name(each.param); });

// --- projection ------------------------------------------------------------------------------------

struct Projected {
  State before, after;
  double phi_before = 0.0, phi = 0.0, rho = 0.0;
  double phi_relative = 0.0;  ///< to the row's length times the size of q
  long factorisations = 0;
};

Projected project(const System& system, State s, const Project& options) {
  Projected result;
  result.before = s;
  result.phi_before = max_abs(testing::eval_all(system, s)->phi);
  Evaluator evaluator(system);
  const auto control = make_control(options, system.info());
  const std::vector<double> work(system.info().invariants.size(), 0.0);
  CorrectionPoint point{s.t, s.q, s.v, work, evaluator, kDefaultRankTolerance};
  EXPECT_EQ(control->correct(point), CorrectionStatus::ok);
  result.after = s;
  result.factorisations = evaluator.counts().factorisations;
  const auto ws = testing::eval_all(system, s);
  result.phi = max_abs(ws->phi);
  result.rho = max_abs(ws->velocity_residual);
  for (Eigen::Index i = 0; i < ws->phi.size(); ++i) {
    const double length = ws->jacobian.dense().row(i).norm() * (1.0 + max_abs(s.q));
    result.phi_relative = std::max(result.phi_relative, std::abs(ws->phi[i]) / length);
  }
  return result;
}

TEST(Projection, ReachesItsToleranceQuadratically) {
  for (const ExamModel& model : all_exam_models()) {
    SCOPED_TRACE(model.name);
    const auto system = testing::make_test_system(model.text);
    Random random(3);
    for (int trial = 0; trial < 10; ++trial) {
      const State s = make_state(model, *system, random, 1e-3);
      const Projected once = project(*system, s, {.iterations = 1});
      const Projected full = project(*system, s, {.iterations = 5});
      EXPECT_LE(once.phi, 20.0 * once.phi_before * once.phi_before + 1e-14);
      EXPECT_LE(full.phi_relative, 1.01e-13);
      EXPECT_LE(once.rho, 1e-12);
      EXPECT_LE(full.rho, 1e-12);
      if (system->info().position_rows > 0) {
        EXPECT_GT(once.phi_before, 1e-5);
        EXPECT_GT(max_abs(once.after.q - s.q), 1e-5);
      }
      EXPECT_GT(max_abs(once.after.v - s.v), 1e-5);
    }
  }
}

// A full Newton's method would take a factorisation for each pass.
TEST(Projection, TakesOneFactorisationForPositionsAndOneForVelocities) {
  for (const ExamModel& model : all_exam_models()) {
    SCOPED_TRACE(model.name);
    const auto system = testing::make_test_system(model.text);
    if (system->info().position_rows == 0) continue;
    Random random(3);
    for (int trial = 0; trial < 10; ++trial) {
      const State s = make_state(model, *system, random, 1e-3);
      const Projected full = project(*system, s, {.iterations = 8});
      EXPECT_GT(full.phi_before, 1e-5);
      EXPECT_LE(full.phi_relative, 1.01e-13);
      EXPECT_EQ(full.factorisations, 2);
    }
  }
}

TEST(Projection, IsTheLeastChangeInTheMassMetric) {
  for (const ExamModel& model : all_exam_models()) {
    SCOPED_TRACE(model.name);
    const auto system = testing::make_test_system(model.text);
    const SystemInfo& info = system->info();
    Random random(4);
    for (int trial = 0; trial < 10; ++trial) {
      const State s = make_state(model, *system, random, 1e-3);
      const Projected once = project(*system, s, {.iterations = 1});
      const auto ws = testing::eval_all(*system, s);
      Matrix tangent = testing::find_null_space(ws->jacobian.dense().topRows(info.position_rows));
      EXPECT_LE(max_abs(tangent.transpose() * ws->mass.dense() * (once.after.q - s.q)), 1e-13);
      if (!info.velocity_rows_linear) continue;
      const auto there = testing::eval_all(*system, {s.t, once.after.q, s.v});
      tangent = testing::find_null_space(there->jacobian.dense());
      EXPECT_LE(max_abs(tangent.transpose() * there->mass.dense() * (once.after.v - s.v)), 1e-13);
    }
  }
}

TEST(Projection, StopsAtTheToleranceThatWasAsked) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  const State s{0.0, testing::make_vector({0.6001, -0.8}), testing::make_vector({0.8, 0.6})};
  const Projected loose = project(*system, s, {.iterations = 5, .projection_tolerance = 1e-3});
  EXPECT_EQ(loose.after.q, s.q) << "it is met already";
  const Projected tight = project(*system, s, {.iterations = 5, .projection_tolerance = 1e-13});
  EXPECT_LE(tight.phi, 1e-12);
}

}  // namespace
}  // namespace driftless
