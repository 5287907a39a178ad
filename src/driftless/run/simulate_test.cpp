// The loop: samples, endings, failures as values, figures, repeatability.

#include "driftless/run/simulate.hpp"

#include <cmath>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/run/exam_models_test.hpp"

namespace driftless {
namespace {

using testing::make_test_system;
using testing::make_vector;

const State kPendulumStart{0.0, make_vector({0.6, -0.8}), make_vector({1.6, 1.2})};

Method make_method(const char* integrator, double step_or_tolerance) {
  Method method = make_default_method();
  method.integrator.name = integrator;
  method.integrator.adaptive = std::string(integrator) != "rk4";
  if (method.integrator.adaptive) {
    method.integrator.step = 0.0;
    method.integrator.rtol = method.integrator.atol = step_or_tolerance;
  } else {
    method.integrator.step = step_or_tolerance;
  }
  return method;
}

Result run(const System& system, const State& start, const Method& method, double until,
           double every) {
  RunOptions options;
  options.until = until;
  options.every = every;
  return simulate(system, start, method, options);
}

// --- samples ---------------------------------------------------------------------------------------

TEST(Samples, DoNotDependOnTheSteps) {
  const auto system = make_test_system(testing::pendulum_text());
  const Result exact = run(*system, kPendulumStart, make_method("dop853", 1e-12), 1.0, 0.07);
  for (const Method& method : {make_method("rk4", 0.01), make_method("dopri5", 1e-8)}) {
    const Result result = run(*system, kPendulumStart, method, 1.0, 0.07);
    ASSERT_EQ(result.row_count(), exact.row_count());
    for (std::size_t k = 0; k < result.row_count(); ++k) {
      EXPECT_EQ(result.row(k)[0], exact.row(k)[0]);
      EXPECT_NEAR(result.row(k)[1], exact.row(k)[1], 3e-6);
      EXPECT_NEAR(result.row(k)[4], exact.row(k)[4], 3e-5);
    }
    EXPECT_LE(result.report.max_phi, 1e-12) << "samples between steps are closed, too";
    EXPECT_LE(result.report.max_phi_dot, 1e-12);
  }
}

TEST(Samples, HaveTheStartTheGridAndTheEnd) {
  const auto system = make_test_system(testing::pendulum_text());
  const Result result = run(*system, kPendulumStart, make_method("rk4", 0.03), 1.0, 0.3);
  ASSERT_EQ(result.row_count(), 5U);  // 0, 0.3, 0.6, 0.9, 1
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(result.row(k)[0], static_cast<double>(k) * 0.3);
  EXPECT_EQ(result.row(4)[0], 1.0);
  EXPECT_EQ(result.report.t_end, 1.0);
  EXPECT_EQ(result.row(0)[1], 0.6);
  EXPECT_EQ(result.row(0)[3], 1.6);
  std::vector<std::string> names;
  for (const Column& column : result.columns) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"t", "x", "y", "x'", "y'", "phi", "phi_dot",
                                             "energy_error", "sigma_min", "step", "order"}));
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(result.row(k)[8], 1.0, 1e-12) << "one row of length 1";
    EXPECT_NEAR(result.row(k)[9], k == 0 ? 0.0 : 0.03, k == 4 ? 0.0201 : 1e-12);
    EXPECT_EQ(result.row(k)[10], 4.0);
  }
  EXPECT_EQ(run(*system, kPendulumStart, make_method("rk4", 0.03), 1.0, 0.0).row_count(), 1001U);
}

TEST(Samples, TellTheStepsOfAnAdaptiveMethod) {
  const auto system = make_test_system(testing::pendulum_text());
  const Result result = run(*system, kPendulumStart, make_method("dopri5", 1e-8), 1.0, 0.001);
  double sum = 0.0;
  double last = 0.0;
  for (std::size_t k = 1; k < result.row_count(); ++k) {
    EXPECT_GT(result.row(k)[9], 0.0);
    EXPECT_EQ(result.row(k)[10], 5.0);
    if (result.row(k)[9] != last) sum += last = result.row(k)[9];
  }
  EXPECT_NEAR(sum, 1.0, 1e-9) << "the steps fill the run";
}

TEST(Samples, TheReportSaysWhereTheTimeWent) {
  const auto system = make_test_system(testing::pendulum_text());
  RunOptions options;
  options.until = 1.0;
  options.seconds_before = {{"start", 0.5}};
  const Result result = simulate(*system, kPendulumStart, make_method("rk4", 0.01), options);
  std::vector<std::string> names;
  for (const auto& [name, value] : result.report.seconds) {
    names.push_back(name);
    EXPECT_GT(value, 0.0) << name;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"start", "steps", "corrections", "samples", "output"}));
}

TEST(Samples, AStopKeepsWhatWasComputed) {
  const auto system = make_test_system(testing::pendulum_text());
  std::atomic<bool> stop{true};
  RunOptions options;
  options.until = 1.0;
  options.every = 0.01;
  options.stop = &stop;
  const Result result = simulate(*system, kPendulumStart, make_method("rk4", 0.02), options);
  EXPECT_EQ(result.report.status, Status::interrupted);
  EXPECT_EQ(result.report.steps, 1);
  EXPECT_EQ(result.row_count(), 3U);
  EXPECT_EQ(result.report.t_end, 0.02);
  EXPECT_EQ(result.report.message, "stopped at t = 0.02 s");
}

// --- failures --------------------------------------------------------------------------------------

TEST(Failures, AForceThatIsNotFiniteNamesItsCoordinate) {
  const auto system = make_test_system(
      {.coordinates = {{"x", ""}}, .kinetic = "x'^2", .forces = {{"x", "sqrt(x)"}}});
  const State start{0.0, make_vector({0.5}), make_vector({-4.0})};
  const Result result = run(*system, start, make_method("rk4", 0.01), 1.0, 0.01);
  EXPECT_EQ(result.report.status, Status::failed);
  EXPECT_TRUE(result.report.message.starts_with("the force on 'x' is not finite at t = 0."))
      << result.report.message;
  EXPECT_EQ(result.report.failure.worst, "x");
  EXPECT_GT(result.row_count(), 8U) << "what was computed is kept";
  EXPECT_FALSE(result.report.failure.suggestion.empty());
  ASSERT_EQ(result.report.failure.last_good.size(), 2U);
  EXPECT_GT(result.report.failure.last_good[0], 0.0);
  for (const double value : result.data) EXPECT_TRUE(std::isfinite(value));
}

TEST(Failures, MassThatIsNotDefinite) {
  const auto system = make_test_system(
      {.coordinates = {{"x", ""}, {"y", ""}}, .kinetic = "x*x'^2 + y'^2", .forces = {{"x", "0"}}});
  const State start{0.0, make_vector({0.5, 0.0}), make_vector({-4.0, 0.0})};
  const Result result = run(*system, start, make_method("rk4", 0.01), 1.0, 0.01);
  EXPECT_EQ(result.report.status, Status::failed);
  EXPECT_NE(result.report.message.find("not positive definite"), std::string::npos)
      << result.report.message;
}

TEST(Failures, RedundantRowsThatContradictEachOther) {
  const auto system = make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                                        .kinetic = "x'^2 + y'^2",
                                        .constraints = {{"a", "x - t"}, {"b", "x - t - t^2"}}});
  const State start{0.0, Vector::Zero(2), make_vector({1.0, 0.0})};
  const Result result = run(*system, start, make_method("rk4", 0.01), 1.0, 0.01);
  EXPECT_EQ(result.report.status, Status::failed);
  EXPECT_NE(result.report.message.find("the constraints contradict each other"), std::string::npos)
      << result.report.message;
  EXPECT_EQ(result.report.redundant, std::vector<std::string>{"b"});
  EXPECT_FALSE(result.report.failure.worst.empty());
}

TEST(Failures, ConstraintsThatCannotBeMetLaterNameTheWorst) {
  // A hand that moves away further than the arm is long.
  const auto system =
      make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                        .kinetic = "x'^2 + y'^2",
                        .constraints = {{"arm", "x^2 + y^2 - 1"}, {"hand", "x - 0.5 - t"}}});
  const State start{0.0, make_vector({0.5, std::sqrt(0.75)}),
                    make_vector({1.0, -0.5 / std::sqrt(0.75)})};
  const Result result = run(*system, start, make_method("rk4", 0.01), 3.0, 0.01);
  EXPECT_EQ(result.report.status, Status::failed) << "max phi " << result.report.max_phi;
  EXPECT_TRUE(result.report.failure.worst == "arm" || result.report.failure.worst == "hand")
      << result.report.message;
  EXPECT_GT(result.report.failure.t, 0.45);
}

/// index1 with the energy's correction but no projection.
Method make_unprojected(double step) {
  Method method = make_method("rk4", step);
  method.formulation = Index1{};
  method.drift = {EnergyCorrection{}};
  return method;
}

TEST(Failures, SlowDriftWithoutProjectionIsNone) {
  // Off the circle by more than the projection's watch allows, and growing all the time: nothing closes it.
  const auto system = make_test_system(testing::pendulum_text());
  State start = kPendulumStart;
  start.v += 0.003 * start.q;
  const Result result = run(*system, start, make_unprojected(0.01), 2.0, 0.01);
  EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_GT(result.report.max_phi, 0.01) << "otherwise the watch would have been silent anyway";
  EXPECT_TRUE(result.report.warnings.empty());
  // The same over a time in which the gap becomes as large as the pendulum: said, but not a failure.
  const Result torn = run(*system, start, make_unprojected(0.01), 40.0, 0.01);
  EXPECT_EQ(torn.report.status, Status::ok) << torn.report.message;
  ASSERT_EQ(torn.report.warnings.size(), 1U);
  EXPECT_TRUE(torn.report.warnings[0].starts_with("the constraints drifted open, '"))
      << torn.report.warnings[0];
}

TEST(Failures, BlowUpWithoutProjectionNamesTheRow) {
  // The double four-bar of Braun and Goldfarb (2012): plain index 1 is thrown off at a singular pose at 4.6 s.
  const auto system = make_test_system(
      {.coordinates = {{"x1", ""}, {"y1", ""}, {"x2", ""}, {"y2", ""}, {"x3", ""}, {"y3", ""}},
       .kinetic = "(x1'^2 + y1'^2 + x2'^2 + y2'^2 + x3'^2 + y3'^2)/2",
       .potential = "9.81*(y1 + y2 + y3)",
       .constraints = {{"crank", "1 - x1^2 - y1^2"},
                       {"coupler1", "1 - (x2 - x1)^2 - (y2 - y1)^2"},
                       {"rocker1", "1 - (x2 - 1)^2 - y2^2"},
                       {"coupler2", "1 - (x3 - x2)^2 - (y3 - y2)^2"},
                       {"rocker2", "1 - (x3 - 2)^2 - y3^2"}}});
  const State start{0.0, make_vector({0, 1, 1, 1, 2, 1}), make_vector({1, 0, 1, 0, 1, 0})};
  const Result result = run(*system, start, make_unprojected(0.01), 20.0, 0.01);
  EXPECT_EQ(result.report.status, Status::failed) << result.report.max_phi;
  EXPECT_TRUE(result.report.message.starts_with("the state left the constraints at t = "))
      << result.report.message;
  EXPECT_EQ(result.report.message.find("open by -"), std::string::npos) << "a gap is a size";
  EXPECT_FALSE(result.report.failure.worst.empty());
  EXPECT_NE(result.report.failure.suggestion.find("braun_goldfarb"), std::string::npos)
      << result.report.failure.suggestion;
}

TEST(Failures, AtTheStartDoNotBlameTheStep) {
  const auto expect_start = [](const testing::ModelText& text, const State& start,
                               const std::string& message) {
    const Report report =
        run(*make_test_system(text), start, make_method("rk4", 0.01), 1.0, 0.1).report;
    EXPECT_EQ(report.status, Status::failed);
    EXPECT_EQ(report.steps, 0);
    EXPECT_NE(report.message.find(message), std::string::npos) << report.message;
    EXPECT_EQ(report.failure.suggestion.find("step"), std::string::npos)
        << report.failure.suggestion;
    EXPECT_NE(report.failure.suggestion.find("start values"), std::string::npos)
        << report.failure.suggestion;
  };
  const State start{0.0, make_vector({0.0}), make_vector({1.0})};
  expect_start({.coordinates = {{"x", ""}}, .kinetic = "x'^2", .forces = {{"x", "1/x"}}}, start,
               "the force on 'x' is not finite at t = 0");
  expect_start({.coordinates = {{"x", ""}}, .kinetic = "-x'^2", .forces = {{"x", "1"}}}, start,
               "not positive definite");
  expect_start({.coordinates = {{"x", ""}}, .kinetic = "x'^2", .potential = "1/x"}, start,
               "not finite at t = 0");
}

TEST(Failures, StepsThatAreFarTooLongAreAdmittedHoweverFewTheyAre) {
  const auto system = make_test_system(testing::pendulum_text());
  for (const double step : {2.0, 5.0, 10.0, 100.0}) {
    const Report report = run(*system, kPendulumStart, make_method("rk4", step), 10.0, 0.01).report;
    EXPECT_EQ(report.status, Status::failed) << step << " s, max |Phi| " << report.max_phi;
    EXPECT_TRUE(report.failure.suggestion.starts_with("try a smaller step"))
        << report.failure.suggestion;
  }
}

TEST(Failures, AStepThatThrowsTheStateFarOffMakesNoGapSmall) {
  const auto system = make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                                        .kinetic = "(x'^2 + y'^2)/2",
                                        .potential = "9.81*y",
                                        .constraints = {{"wire", "y - x^2"}}});
  const State start{0.0, make_vector({0.5, 0.25}), make_vector({0.0, 0.0})};
  for (const double step : {5.0, 20.0, 100.0}) {
    const Report report = run(*system, start, make_method("rk4", step), 10.0, 0.1).report;
    EXPECT_EQ(report.status, Status::failed) << step << " s, max |Phi| " << report.max_phi;
    EXPECT_EQ(report.failure.worst, "wire");
  }
}

// A driven slider-crank whose rod is too short to let it turn: the drive goes on, the joints cannot.
TEST(Failures, ADriveBeyondReachEndsTheRunWithinAFewSteps) {
  const auto system = make_test_system({.coordinates = {{"a", ""}, {"b", ""}, {"x", ""}},
                                        .kinetic = "(a'^2 + b'^2 + x'^2)/2",
                                        .constraints = {{"along", "cos(a) + 0.95*cos(b) - x"},
                                                        {"across", "sin(a) + 0.95*sin(b)"},
                                                        {"drive", "a - 2*pi*t"}}});
  const State start{0.0, make_vector({0.0, 0.0, 1.95}),
                    make_vector({2.0 * M_PI, -2.0 * M_PI / 0.95, 0.0})};
  for (const double step : {0.01, 0.003}) {
    const Report report = run(*system, start, make_method("rk4", step), 10.0, step).report;
    EXPECT_EQ(report.status, Status::failed) << step << " s, max |Phi| " << report.max_phi;
    EXPECT_GT(report.failure.t, 0.195) << "sin(a) = 0.95 at 0.2 s";
    EXPECT_LT(report.failure.t, 0.30);
    EXPECT_LT(report.max_phi, 1.0);
  }
}

// The same motion with steps that are a little too long: the joints come open, and that is said.
TEST(Figures, GapsOnTheWayAreToldWithTheRowAndTheTime) {
  const auto system = make_test_system(testing::pendulum_text());
  const Report rough = run(*system, kPendulumStart, make_method("rk4", 0.35), 7.0, 0.35).report;
  EXPECT_EQ(rough.status, Status::ok) << rough.message;
  ASSERT_FALSE(rough.warnings.empty()) << rough.max_phi;
  EXPECT_TRUE(rough.warnings[0].starts_with("the constraints came open for a while, '"))
      << rough.warnings[0];
  EXPECT_NE(rough.warnings[0].find("try a smaller step"), std::string::npos) << rough.warnings[0];
  EXPECT_TRUE(
      run(*system, kPendulumStart, make_method("rk4", 0.01), 10.0, 0.2).report.warnings.empty());
}

// A spring between two masses that are free together: the energy's correction shifts both and with them the momentum
// that nobody corrects.
TEST(Figures, WhatTheEnergyCorrectionHidesIsTold) {
  const auto system = make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                                        .kinetic = "(x'^2 + 3*y'^2)/2",
                                        .potential = "200*(x - y)^2",
                                        .conserved = {{"momentum", "x' + 3*y'"}}});
  const State start{0.0, make_vector({1.0, 0.0}), make_vector({0.5, 0.2})};
  const Report rough = run(*system, start, make_method("rk4", 0.05), 10.0, 0.05).report;
  ASSERT_EQ(rough.warnings.size(), 2U) << rough.max_energy_error;
  EXPECT_TRUE(rough.warnings[0].starts_with("the energy correction put back "))
      << rough.warnings[0];
  EXPECT_TRUE(rough.warnings[1].starts_with("'momentum' is declared as conserved but changed by "))
      << rough.warnings[1];
  EXPECT_TRUE(run(*system, start, make_method("rk4", 0.001), 10.0, 0.05).report.warnings.empty());
}

TEST(Failures, TheStepBecomesTooSmall) {
  const auto system = make_test_system({.coordinates = {{"x", ""}},
                                        .kinetic = "x'^2/2",
                                        .forces = {{"x", "2*x^3"}}});  // x = 1/(1 - t)
  const State start{0.0, make_vector({1.0}), make_vector({1.0})};
  Method method = make_method("dopri5", 1e-8);
  method.formulation = Index1{};
  method.drift.clear();
  const Result result = run(*system, start, method, 2.0, 0.01);
  EXPECT_EQ(result.report.status, Status::failed);
  EXPECT_NEAR(result.report.failure.t, 1.0, 1e-3);
  EXPECT_NEAR(result.report.t_end, 0.99, 0.011);
}

/// Counts what a sink is told.
class CountingSink : public ResultSink {
 public:
  void begin(const RunInfo&, const std::vector<Column>&) override { ++begun; }
  void row(std::span<const double>) override { ++rows; }
  void finish(const Report&) override { ++finished; }
  int begun = 0, rows = 0, finished = 0;
};

TEST(Misuse, ThrowsBeforeAnythingIsWritten) {
  const auto system = make_test_system(testing::pendulum_text());
  const auto message = [&](const State& start, const Method& method, double until, double every) {
    CountingSink sink;
    RunOptions options;
    options.until = until;
    options.every = every;
    try {
      simulate(*system, start, method, options, sink);
    } catch (const ModelError& error) {
      EXPECT_EQ(sink.begun + sink.rows + sink.finished, 0);
      return error.diagnostics().front().message;
    }
    return std::string("nothing was thrown");
  };
  const Method method = make_method("rk4", 0.01);
  EXPECT_EQ(message({0.0, Vector::Zero(3), Vector::Zero(2)}, method, 1.0, 0.1),
            "the start state has 3 coordinates and 2 rates; the system has 2 and 2");
  State wild = kPendulumStart;
  wild.q[1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message(wild, method, 1.0, 0.1), "the start value y = inf is not finite");
  wild = kPendulumStart;
  wild.v[0] = std::nan("");
  EXPECT_EQ(message(wild, method, 1.0, 0.1), "the start value x' = nan is not finite");
  EXPECT_EQ(message(kPendulumStart, method, 0.0, 0.1),
            "run.until = 0 s: must be greater than the start time 0 s");
  EXPECT_EQ(message(kPendulumStart, method, std::nan(""), 0.1),
            "run.until = nan s: must be greater than the start time 0 s");
  EXPECT_EQ(message(kPendulumStart, method, 1.0, -0.1),
            "run.every = -0.1 s: must be greater than 0");
  EXPECT_EQ(message(kPendulumStart, method, 1.0, 1e-10),
            "run.every = 1e-10 s makes 1e+10 samples; at most 1e9 are written");
  Method gains = method;
  Baumgarte wrong;
  wrong.R.value = Matrix::Zero(2, 2);
  gains.formulation = wrong;
  EXPECT_EQ(message(kPendulumStart, gains, 1.0, 0.1),
            "method.R: the matrix is 2 x 2, but there are 1 constraints");
}

// --- figures and bits ------------------------------------------------------------------------------

TEST(Figures, FiveFactorisationsPerStepWithAndWithoutEnergy) {
  const auto system = make_test_system(testing::slider_crank_text());
  const State start{0.0, testing::all_exam_models()[1].q, Vector::Zero(6)};
  Method with = make_method("rk4", 0.01);
  Method without = with;
  without.drift.pop_back();
  const Report a = run(*system, start, with, 1.0, 1.0).report;
  const Report b = run(*system, start, without, 1.0, 1.0).report;
  EXPECT_EQ(a.steps, 100);
  EXPECT_EQ(a.evaluations, 1 + 4 * 100);
  EXPECT_EQ(a.factorisations, b.factorisations) << "the energy's correction is free";
  EXPECT_LE(a.factorisations, 2 + 5 * 100 + 10) << "a few more beside the singular pose [FLD.6]";
  EXPECT_GE(a.factorisations, 5 * 100);
  EXPECT_EQ(a.rows, 5);
  EXPECT_EQ(a.rank, 5);
  EXPECT_EQ(a.dof, 1);
  EXPECT_LT(a.max_energy_error, 1e-10);
  EXPECT_GT(b.max_energy_error, 1e-10);
}

// Samples between steps are corrected, too, but the figure and the warning speak of steps.
TEST(Figures, LimitedCorrectionsAreCountedInStepsAlone) {
  const auto system = make_test_system(testing::pendulum_text());
  Method method = make_method("rk4", 0.05);
  for (DriftSpec& drift : method.drift) {
    if (auto* energy = std::get_if<EnergyCorrection>(&drift)) energy->limit = 1e-12;
  }
  const auto limited = [&](double every) {
    const Result result = run(*system, kPendulumStart, method, 1.0, every);
    for (const auto& [name, value] : result.report.figures) {
      if (name == "energy_corrections_limited") return value;
    }
    return -1.0;
  };
  EXPECT_EQ(limited(0.05), 20.0);
  EXPECT_EQ(limited(0.01), 20.0);
  EXPECT_EQ(limited(0.013), 20.0);
  const Report report = run(*system, kPendulumStart, method, 1.0, 0.01).report;
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_TRUE(report.warnings[0].starts_with(
      "the energy correction reached its limit 20 times in 20 steps: the step is too long"))
      << report.warnings[0];
}

TEST(Figures, NoFreedomIsWarnedOf) {
  const auto warnings = [](const char* constraint, bool is_velocity) {
    testing::ModelText model = testing::pendulum_text();
    (is_velocity ? model.velocity_constraints : model.constraints).push_back({"extra", constraint});
    const auto system = make_test_system(model);
    State start = kPendulumStart;
    EXPECT_TRUE(make_consistent(*system, start).success);
    const Report report = run(*system, start, make_method("rk4", 0.01), 0.1, 0.1).report;
    EXPECT_EQ(report.status, Status::ok) << report.message;
    EXPECT_EQ(report.dof, 0);
    return report.warnings;
  };
  const std::string none = "there is no degree of freedom: the constraints ";
  EXPECT_EQ(warnings("x - 0.6", false), std::vector{none + "hold everything, nothing can move"});
  EXPECT_EQ(warnings("x - 0.6 - t/10", false), std::vector{none + "alone prescribe the motion"});
  EXPECT_EQ(warnings("x' - 0.1", true), std::vector{none + "alone prescribe the motion"});
  const auto free = make_test_system(testing::pendulum_text());
  EXPECT_TRUE(
      run(*free, kPendulumStart, make_method("rk4", 0.01), 0.1, 0.1).report.warnings.empty());
}

TEST(Bits, AreTheSameInEveryRunAndThread) {
  const auto system = make_test_system(testing::slider_crank_text());
  const State start{0.0, testing::all_exam_models()[1].q, Vector::Zero(6)};
  for (const Method& method : {make_method("rk4", 0.01), make_method("dopri5", 1e-6)}) {
    const Result first = run(*system, start, method, 1.0, 0.013);
    Result other[2];
    std::thread one([&] { other[0] = run(*system, start, method, 1.0, 0.013); });
    std::thread two([&] { other[1] = run(*system, start, method, 1.0, 0.013); });
    one.join();
    two.join();
    for (const Result& each : other) {
      EXPECT_EQ(each.data, first.data);
      EXPECT_EQ(each.report.factorisations, first.report.factorisations);
    }
  }
}

}  // namespace
}  // namespace driftless
