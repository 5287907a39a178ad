// The correction of energy and of several conserved quantities after a step.

#include "driftless/drift/invariants.hpp"

#include <gtest/gtest.h>

#include "driftless/run/exam_models_test.hpp"

namespace driftless {
namespace {

using testing::all_exam_models;
using testing::ExamModel;
using testing::make_state;
using testing::make_vector;
using testing::Random;

struct Outcome {
  State before, after;
  Vector error;  ///< I - I0 - work
  std::unique_ptr<Workspace> ws;
  std::vector<std::pair<std::string, double>> figures;

  double figure(const std::string& name) const {
    for (const auto& [key, value] : figures) {
      if (key == name) return value;
    }
    ADD_FAILURE() << "no figure " << name;
    return -1.0;
  }
};

/// Corrects `s` once, towards start + work.
template <class Spec>
Outcome correct(const System& system, const Spec& spec, const State& s, const Vector& start,
                const std::vector<double>& work) {
  Outcome outcome;
  outcome.before = outcome.after = s;
  Evaluator evaluator(system);
  const auto control = make_control(spec, system.info());
  control->start(Balance(start));
  State& after = outcome.after;
  CorrectionPoint point{s.t, after.q, after.v, work, evaluator, kDefaultRankTolerance};
  EXPECT_EQ(control->correct(point), CorrectionStatus::ok);
  outcome.ws = testing::eval_all(system, after);
  outcome.error = outcome.ws->invariant - start - as_vector(std::span<const double>(work));
  control->add_figures(outcome.figures);
  return outcome;
}

TEST(EnergyCorrection, BringsTheEnergyBackInOneShotAlongTheConstraints) {
  for (const ExamModel& model : all_exam_models()) {
    SCOPED_TRACE(model.name);
    const auto system = testing::make_test_system(model.text);
    Random random(5);
    for (int trial = 0; trial < 10; ++trial) {
      const State s = make_state(model, *system, random, 0.0);
      const auto ws = testing::eval_all(*system, s);
      const double off = 0.02 * random.number();
      const double work = random.number();
      const Vector start = ws->invariant - make_vector({off + work});
      const Outcome outcome = correct(*system, EnergyCorrection{}, s, start, {work});
      if (outcome.figure("energy_corrections_limited") > 0.0) continue;  // close to rest
      EXPECT_LE(std::abs(outcome.error[0]), 1e-12 * (1.0 + std::abs(ws->invariant[0])));
      const Vector change = outcome.after.v - s.v;
      EXPECT_GT(max_abs(change), 1e-3 * std::abs(off));
      EXPECT_LE(max_abs(ws->jacobian.dense() * change), 1e-12);
      EXPECT_EQ(outcome.after.q, s.q);
      // Along the steepest direction in the mass metric: M Δv = s dE/dv on the tangent space.
      const Matrix tangent = testing::find_null_space(ws->jacobian.dense());
      const Vector a = tangent.transpose() * ws->mass.dense() * change;
      const Vector b = tangent.transpose() * ws->invariant_v.row(0).transpose();
      EXPECT_LE(max_abs(a * b.norm() - b * (a.dot(b) > 0 ? 1.0 : -1.0) * a.norm()),
                1e-11 * b.norm());
    }
  }
}

TEST(EnergyCorrection, DoesNothingAtRestAndCountsIt) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  const State s{0.0, make_vector({0.6, -0.8}), Vector::Zero(2)};
  const Vector energy = testing::eval_all(*system, s)->invariant;
  const Outcome outcome =
      correct(*system, EnergyCorrection{}, s, energy + make_vector({0.1}), {0.0});
  EXPECT_EQ(outcome.after.v, s.v);
  EXPECT_EQ(outcome.figure("energy_corrections_without_direction"), 1.0);
  EXPECT_EQ(outcome.figure("energy_corrections_limited"), 0.0);
  const Outcome exact = correct(*system, EnergyCorrection{}, s, energy, {0.0});
  EXPECT_EQ(exact.figure("energy_corrections_without_direction"), 0.0)
      << "there was nothing to correct";
}

// [INV.3]: of a motion that was fast a step ago, position and velocity are changed together, by no more next to rest, and at
// rest, than a little farther from it; constraints stay as open as they are.
TEST(EnergyCorrection, MovesPositionsWhereTheMotionTurnsBack) {
  constexpr double h = 0.01;
  for (const ExamModel& model : all_exam_models()) {
    SCOPED_TRACE(model.name);
    const auto system = testing::make_test_system(model.text);
    if (system->info().has_time_rows) continue;  // does not come to rest
    Random random(12);
    for (int trial = 0; trial < 5; ++trial) {
      const State fast = make_state(model, *system, random, 1e-6);
      const double energy = testing::eval_all(*system, fast)->invariant[0];
      for (const double speed : {1e-3, 1e-6, 0.0}) {
        State slow = fast;
        slow.v *= speed;
        const auto before = testing::eval_all(*system, slow);
        const double off = 1e-7 * random.number();
        Vector start = before->invariant;
        start[0] += off;

        Evaluator evaluator(*system);
        const auto control = make_control(EnergyCorrection{}, system->info());
        control->start(Balance(start));
        const std::vector<double> work(1, energy - start[0]);  // of the first state, which fits
        const std::vector<double> no_work(1, 0.0);
        State s = fast;
        CorrectionPoint first{s.t, s.q, s.v, work, evaluator, kDefaultRankTolerance, h};
        ASSERT_EQ(control->correct(first), CorrectionStatus::ok);
        s = slow;
        CorrectionPoint second{s.t, s.q, s.v, no_work, evaluator, kDefaultRankTolerance, h};
        ASSERT_EQ(control->correct(second), CorrectionStatus::ok);

        const Matrix tangent = testing::find_null_space(before->jacobian.dense());
        const Matrix mass = tangent.transpose() * before->mass.dense() * tangent;
        const Vector pull = tangent.transpose() * before->invariant_q.row(0).transpose();
        const double a = std::sqrt(pull.dot(mass.ldlt().solve(pull)));
        if (h * a < 3.0 * std::sqrt(2.0 * std::abs(energy)) * speed) continue;
        const auto after = testing::eval_all(*system, s);
        EXPECT_LE(std::abs(after->invariant[0] - start[0]), 1e-13 * (1.0 + std::abs(energy)));
        const auto find_length = [&](const Vector& change) {
          return std::sqrt(change.dot(before->mass.dense() * change));
        };
        Vector moved(system->info().nv);
        system->find_increment(slow.q, s.q, moved);
        EXPECT_NEAR(find_length(moved), std::abs(off) / a, 0.2 * std::abs(off) / a);
        EXPECT_LE(find_length(s.v - slow.v), 0.6 * std::abs(off) / (h * a));
        EXPECT_LE(max_abs(after->phi - before->phi), 1e-12);
        EXPECT_LE(max_abs(after->velocity_residual - before->velocity_residual), 1e-12);
      }
    }
  }
}

// Nothing is free, and the direction is rounding: correcting along it would be noise.
TEST(EnergyCorrection, DoesNothingWhereEverythingIsDriven) {
  for (const ExamModel& model : all_exam_models()) {
    if (model.name != "slider_crank") continue;
    testing::ModelText text = model.text;
    text.constraints.push_back({"drive", "a1 - 3*t"});
    const auto system = testing::make_test_system(text);
    Random random(8);
    for (int trial = 0; trial < 20; ++trial) {
      const State s = make_state(model, *system, random, 0.0);
      const Vector energy = testing::eval_all(*system, s)->invariant;
      const Outcome outcome =
          correct(*system, EnergyCorrection{}, s, energy + make_vector({1e-6}), {0.0});
      EXPECT_EQ(outcome.after.v, s.v);
      EXPECT_EQ(outcome.figure("energy_corrections_without_direction"), 1.0);
      EXPECT_EQ(outcome.figure("energy_corrections_limited"), 0.0);
    }
  }
}

TEST(EnergyCorrection, LimitsTheChangeAndCountsIt) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  const State s{0.0, make_vector({0.6, -0.8}), make_vector({0.8, 0.6})};  // T = 1
  const Vector energy = testing::eval_all(*system, s)->invariant;
  // To three times the kinetic energy: √3 - 1 = 0.73. To less than none: no root.
  for (const double change : {2.0, -1.5}) {
    const Outcome outcome =
        correct(*system, EnergyCorrection{.limit = 0.25}, s, energy + make_vector({change}), {0.0});
    EXPECT_EQ(outcome.figure("energy_corrections_limited"), 1.0);
    const Vector limited = (change > 0 ? 1.25 : 0.75) * s.v;
    EXPECT_LE(max_abs(outcome.after.v - limited), 1e-14);
  }
  const Outcome free =
      correct(*system, EnergyCorrection{.limit = 0.8}, s, energy + make_vector({2.0}), {0.0});
  EXPECT_EQ(free.figure("energy_corrections_limited"), 0.0);
  EXPECT_NEAR(free.error[0], 0.0, 1e-13);
}

/// Two masses and a spring: energy, momentum, angular momentum.
testing::ModelText satellites() {
  return {.coordinates = {{"x1", ""}, {"y1", ""}, {"x2", ""}, {"y2", ""}},
          .kinetic = "x1'^2 + y1'^2 + (x2'^2 + y2'^2)/2",
          .potential = "5*((x2 - x1)^2 + (y2 - y1)^2)",
          .conserved = {{"px", "2*x1' + x2'"},
                        {"px_again", "6*x1' + 3*x2'"},
                        {"spin", "2*(x1*y1' - y1*x1') + x2*y2' - y2*x2'"}}};
}

TEST(InvariantCorrection, BringsSeveralBackAtOnceAndSkipsDependentOnes) {
  const auto system = testing::make_test_system(satellites());
  Random random(6);
  for (int trial = 0; trial < 20; ++trial) {
    const State s{0.0, random.vector(4), 2.0 * random.vector(4)};
    const Vector now = testing::eval_all(*system, s)->invariant;
    const Vector off = 1e-3 * random.vector(4);
    Vector start = now + off;
    start[2] = now[2] + 3.0 * off[1];  // says the same as px
    const Outcome outcome = correct(*system, InvariantCorrection{}, s, start, {0.0, 0.0, 0.0, 0.0});
    EXPECT_EQ(outcome.figure("invariant_corrections_limited"), 0.0);
    EXPECT_LE(max_abs(outcome.error), 1e-11) << outcome.error.transpose();
    EXPECT_LE(max_abs(outcome.after.v - s.v), 0.1);
  }
}

TEST(InvariantCorrection, StaysOnTheConstraints) {
  testing::ModelText text = satellites();
  text.constraints = {{"rod", "(x2 - x1)^2 + (y2 - y1)^2 - 1"}};
  const ExamModel model{"satellites", text, make_vector({0.0, 0.0, 0.8, 0.6}), false};
  const auto system = testing::make_test_system(text);
  Random random(9);
  for (int trial = 0; trial < 10; ++trial) {
    const State s = make_state(model, *system, random, 0.0);
    const auto ws = testing::eval_all(*system, s);
    Vector start = ws->invariant + 1e-3 * random.vector(4);
    start[2] = ws->invariant[2] + 3.0 * (start[1] - ws->invariant[1]);
    const Outcome outcome = correct(*system, InvariantCorrection{}, s, start, {0.0, 0.0, 0.0, 0.0});
    EXPECT_LE(max_abs(outcome.error), 1e-11) << outcome.error.transpose();
    EXPECT_LE(max_abs(outcome.ws->velocity_residual), 1e-12);
  }
}

TEST(InvariantCorrection, CountsWhatItCannotDo) {
  const auto system = testing::make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                                                 .kinetic = "x'^2 + y'^2",
                                                 .conserved = {{"spin", "x*y' - y*x'"}}});
  const State rest{0.0, Vector::Zero(2), Vector::Zero(2)};
  const Outcome idle =
      correct(*system, InvariantCorrection{}, rest, make_vector({0.1, 0.1}), {0.0, 0.0});
  EXPECT_EQ(idle.figure("invariant_corrections_without_direction"), 1.0);
  const State moving{0.0, make_vector({1.0, 0.0}), make_vector({0.1, 1.0})};
  const Outcome limited = correct(*system, InvariantCorrection{.limit = 0.1}, moving,
                                  make_vector({4.0, 2.0}), {0.0, 0.0});
  EXPECT_EQ(limited.figure("invariant_corrections_limited"), 1.0);
  EXPECT_NEAR((limited.after.v - moving.v).norm(), 0.1 * moving.v.norm(), 1e-14);
}

}  // namespace
}  // namespace driftless
