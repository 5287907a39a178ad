// Work and precision: orders that are known, runs that fail, references that are too coarse.

#include "driftless/studies/converge.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/equations/models_test.hpp"

namespace driftless {
namespace {

using testing::make_model;
using testing::ModelText;

/// A pendulum in space whose mass is another one along z, with drag along x: smooth, and nothing in it is symmetric.
ModelText pendulum_text() {
  return {.coordinates = {{"x", "0.7"}, {"y", "-0.4"}, {"z", "0.2"}},
          .kinetic = "1.3/2*(x'^2 + y'^2) + 0.8/2*z'^2",
          .potential = "9.81*1.3*y",
          .forces = {{"x", "-0.3*x'"}},
          .constraints = {{"rod", "x^2 + y^2 + z^2 - 0.69"}}};
}

PreparedModel prepare_text(const ModelText& text, double until, double every) {
  ModelFile file;
  file.model = make_model(text);
  return prepare_model(file, {.until = until, .every = every});
}

ConvergeMethod make_method(const PreparedModel& model, const std::string& word, bool adaptive,
                           std::vector<double> settings) {
  ConvergeMethod method{.name = word, .adaptive = adaptive, .settings = std::move(settings)};
  for (const double setting : method.settings) {
    MethodRequest request{.word = word};
    (adaptive ? request.tolerance : request.step) = setting;
    method.methods.push_back(find_method({}, request, model.context));
  }
  return method;
}

struct Study {
  Reference reference;
  std::vector<ConvergeCurve> curves;

  double order(std::size_t curve, ErrorKind kind) const {
    return fit_order(curves[curve], reference.doubt, kind).order;
  }
};

Study run_study(const PreparedModel& model, const std::vector<ConvergeMethod>& methods,
                std::optional<Reference> given = {}, int threads = 1) {
  Study study{make_reference(model, model.options, std::move(given)), {}};
  const ErrorMeasure measure(model.system().info(), study.reference.result, study.reference.name);
  study.curves = converge(model, methods, measure, {.threads = threads, .repeats = false});
  return study;
}

TEST(Converge, FixedStepsShowTheOrdersOfTheirMethods) {
  const PreparedModel model = prepare_text(pendulum_text(), 2.0, 0.1);
  const std::vector<double> steps{0.04, 0.02, 0.01};
  const Study study = run_study(model, {make_method(model, "index1/rk4", false, steps),
                                        make_method(model, "index1/dopri5", false, steps),
                                        make_method(model, "braun_goldfarb/rk4", false, steps),
                                        make_method(model, "index1/heun", false, steps),
                                        make_method(model, "braun_goldfarb/dopri5", false, steps)});
  EXPECT_EQ(study.reference.name, "braun_goldfarb/dop853/project at tolerance 1e-12");
  EXPECT_EQ(study.reference.other, "partial_velocity/adams at tolerance 1e-12");
  EXPECT_LT(study.reference.doubt.q, 1e-9);
  EXPECT_GT(study.reference.doubt.q, 0.0) << "two independent ones cannot agree to the last bit";
  const double expected[] = {4.0, 5.0, 4.0, 2.0, 5.0};
  for (std::size_t m = 0; m < 5; ++m) {
    for (const ErrorKind kind : {&RunErrors::q, &RunErrors::v})
      EXPECT_NEAR(study.order(m, kind), expected[m], 0.2) << study.curves[m].name;
    EXPECT_EQ(study.curves[m].runs.size(), 3U);
    EXPECT_GT(study.curves[m].runs[0].seconds, 0.0);
    EXPECT_TRUE(std::isnan(study.curves[m].runs[0].errors.lambda)) << "no reactions are recorded";
    EXPECT_EQ(study.curves[m].runs[0].errors.samples, 21U);
  }
  EXPECT_EQ(find_reference_problem(study.curves, study.reference), "");
}

TEST(Converge, MultipliersOfEquationsHaveErrorsAndOrders) {
  ModelFile file;
  file.model = make_model(pendulum_text());
  record_multipliers(file);
  record_multipliers(file);  // once is enough
  ASSERT_EQ(file.model.records.size(), 1U);
  const PreparedModel model = prepare_model(file, {.until = 2.0, .every = 0.1});
  const std::vector<double> steps{0.04, 0.02, 0.01};
  const Study study = run_study(model, {make_method(model, "index1/rk4", false, steps),
                                        make_method(model, "ggl/radau5", false, steps)});
  EXPECT_NEAR(study.order(0, &RunErrors::lambda), 4.0, 0.2);
  EXPECT_NEAR(study.order(1, &RunErrors::lambda), 3.0, 0.4) << "index 2";
}

// A result that has not recorded the multipliers: they follow from its states.
TEST(Converge, MultipliersOfAResultAreFoundFromItsStates) {
  ModelText text = pendulum_text();
  text.velocity_constraints = {{"skate", "x*z' - 0.3*y'"}};
  ModelFile file;
  file.model = make_model(text);
  const PreparedModel plain = prepare_model(file, {.until = 0.5, .every = 0.1});
  record_multipliers(file);
  const PreparedModel recording = prepare_model(file, {.until = 0.5, .every = 0.1});
  const Method method =
      find_method({}, {.word = "index1/dop853", .tolerance = 1e-12}, plain.context);
  Result without = run_prepared(plain, method, plain.options);
  const Result with = run_prepared(recording, method, recording.options);
  ASSERT_LT(without.find_column("lambda_rod"), 0);
  add_multipliers(recording.system(), without);
  for (const char* name : {"lambda_rod", "lambda_skate"}) {
    const int found = without.find_column(name), recorded = with.find_column(name);
    ASSERT_GE(found, 0) << name;
    const auto values = without.column(static_cast<std::size_t>(found));
    const auto expected = with.column(static_cast<std::size_t>(recorded));
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], expected[k], 1e-10);
  }
  const RunErrors errors = ErrorMeasure(recording.system().info(), without, "run.h5").find(with);
  EXPECT_LT(errors.lambda, 1e-10);  // and not NaN
  const std::size_t columns = without.columns.size();
  add_multipliers(recording.system(), without);
  EXPECT_EQ(without.columns.size(), columns);  // each once
}

// Its feedback goes with 1/step: it takes fixed steps, also in a file with a tolerance.
TEST(Converge, BaumgartesIndex2TakesFixedSteps) {
  ModelFile file;
  file.model = make_model(pendulum_text());
  const PreparedModel model = prepare_model(file, {.until = 0.5, .every = 0.1});
  MethodSpec spec;
  spec.entries.emplace_back("integrator", Value{std::string("dopri5"), {}});
  spec.entries.emplace_back("tolerance", Value{1e-6, {}});
  const Method method = find_method({spec}, {.word = "index2_baumgarte/radau5"}, model.context);
  EXPECT_FALSE(method.integrator.adaptive);
  EXPECT_FALSE(can_adapt(method));
  EXPECT_TRUE(can_adapt(find_method({spec}, {.word = "ggl/radau5"}, model.context)));
  EXPECT_FALSE(can_adapt(find_method({spec}, {.word = "index1/rk4"}, model.context)));
}

TEST(Converge, ErrorsFollowTolerances) {
  const PreparedModel model = prepare_text(pendulum_text(), 2.0, 0.1);
  const std::vector<double> tolerances{1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  const Study study =
      run_study(model, {make_method(model, "index1/dopri5/project", true, tolerances),
                        make_method(model, "braun_goldfarb/dopri5", true, tolerances)});
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_GT(study.order(m, &RunErrors::q), 0.8) << study.curves[m].name;
    EXPECT_LT(study.order(m, &RunErrors::q), 1.2) << study.curves[m].name;
  }
}

TEST(Converge, DoesNotDependOnThreads) {
  const PreparedModel model = prepare_text(pendulum_text(), 0.5, 0.1);
  const std::vector<ConvergeMethod> methods{
      make_method(model, "index1/rk4", false, {0.02, 0.01, 0.005}),
      make_method(model, "index1/dopri5", true, {1e-4, 1e-6})};
  const Study one = run_study(model, methods);
  const Study three = run_study(model, methods, {}, 3);
  for (std::size_t m = 0; m < 2; ++m) {
    ASSERT_EQ(one.curves[m].runs.size(), three.curves[m].runs.size());
    for (std::size_t k = 0; k < one.curves[m].runs.size(); ++k) {
      EXPECT_EQ(one.curves[m].runs[k].setting, three.curves[m].runs[k].setting);
      EXPECT_EQ(one.curves[m].runs[k].errors.q, three.curves[m].runs[k].errors.q);
    }
  }
}

TEST(Converge, CostsAreThoseOfTheSteps) {
  const PreparedModel often = prepare_text(pendulum_text(), 1.0, 0.001);
  const PreparedModel seldom = prepare_text(pendulum_text(), 1.0, 0.5);
  const auto find_run = [](const PreparedModel& model) {
    return run_study(model, {make_method(model, "index1/dop853", true, {1e-6, 1e-7})})
        .curves[0]
        .runs[0]
        .report;
  };
  const Report many = find_run(often);
  const Report few = find_run(seldom);
  EXPECT_EQ(many.steps, few.steps);
  EXPECT_EQ(many.evaluations, few.evaluations);
  EXPECT_EQ(many.factorisations, few.factorisations);
}

TEST(Converge, KeepsRunsThatFail) {
  // With Euler's steps of 0.1 s a spring of 100 rad/s swings ten times as far after each: beyond all numbers in 20 s.
  const PreparedModel model = prepare_text(
      {.coordinates = {{"x", "0.3"}}, .kinetic = "x'^2/2", .potential = "1e4*x^2/2"}, 20.0, 2.0);
  const Study study = run_study(model, {make_method(model, "index1/euler", false, {0.1, 0.08}),
                                        make_method(model, "index1/dop853", true, {1e-4, 1e-6})});
  EXPECT_TRUE(study.reference.name.starts_with("index1/dop853 ")) << study.reference.name;
  ASSERT_EQ(study.curves[0].runs.size(), 2U);
  for (const ConvergeRun& run : study.curves[0].runs) {
    EXPECT_EQ(run.report.status, Status::failed);
    EXPECT_FALSE(run.report.message.empty());
    EXPECT_TRUE(std::isnan(run.errors.q));
  }
  EXPECT_EQ(study.curves[1].runs[0].report.status, Status::ok);
  EXPECT_TRUE(std::isnan(study.order(0, &RunErrors::q)));
}

TEST(Converge, SaysThatTheReferenceIsTooCoarse) {
  const PreparedModel model = prepare_text(pendulum_text(), 2.0, 0.1);
  const auto methods = {make_method(model, "index1/dopri5", true, {1e-7, 1e-8, 1e-9})};
  const Method coarse = find_method({}, {.word = "index1/rk4", .step = 0.1}, model.context);
  Reference given;
  given.name = "coarse.h5";
  given.result = run_prepared(model, coarse, model.options);
  const Study study = run_study(model, methods, given);
  EXPECT_EQ(study.reference.name, "coarse.h5");
  EXPECT_GT(study.reference.doubt.q, 1e-6);
  const std::string problem = find_reference_problem(study.curves, study.reference);
  EXPECT_TRUE(problem.starts_with("the reference is too coarse: it differs by ")) << problem;
  EXPECT_TRUE(problem.ends_with("3 of 3 errors are less than ten times that")) << problem;
  EXPECT_TRUE(std::isnan(study.order(0, &RunErrors::q)));
  EXPECT_EQ(find_reference_problem(run_study(model, methods).curves, study.reference), problem);
}

TEST(Converge, LeavesOutWhatAStopKeptItFrom) {
  PreparedModel model = prepare_text(pendulum_text(), 0.5, 0.1);
  const Reference reference = make_reference(model, model.options);
  const ErrorMeasure measure(model.system().info(), reference.result, reference.name);
  std::atomic<bool> stop = false;
  model.options.stop = &stop;
  ConvergeOptions options{.repeats = false};
  options.watch = [&](std::size_t done, std::size_t all) {
    EXPECT_EQ(all, 4U);
    if (done == 3) stop = true;
  };
  const auto curves = converge(model,
                               {make_method(model, "index1/rk4", false, {0.05, 0.02}),
                                make_method(model, "index1/heun", false, {0.05, 0.02})},
                               measure, options);
  EXPECT_EQ(curves[0].runs.size(), 2U);
  EXPECT_EQ(curves[1].runs.size(), 1U);
}

// ---- orders of numbers

ConvergeCurve make_curve(const std::vector<std::pair<double, double>>& points) {
  ConvergeCurve curve;
  for (const auto& [setting, error] : points) {
    ConvergeRun run;
    run.setting = setting;
    run.errors.q = error;
    curve.runs.push_back(run);
  }
  return curve;
}

TEST(ConvergeOrder, IsTheSlopeOfTheErrorsThatAreKnownAndSmall) {
  const RunErrors doubt{.q = 1e-9};
  const ConvergeCurve curve = make_curve(
      {{0.8, 0.9}, {0.4, 3e-2}, {0.2, 3e-2 / 8}, {0.1, 3e-2 / 64}, {0.05, 9.9e-9}, {0.02, 0.0}});
  const OrderFit fit = fit_order(curve, doubt, &RunErrors::q);
  EXPECT_NEAR(fit.order, 3.0, 1e-12);
  EXPECT_EQ(fit.rows, 3);
  EXPECT_NEAR(find_order(curve.runs[1], curve.runs[2], doubt, &RunErrors::q), 3.0, 1e-12);
  EXPECT_TRUE(std::isnan(find_order(curve.runs[3], curve.runs[4], doubt, &RunErrors::q)));
  EXPECT_FALSE(is_known(curve.runs[4], doubt, &RunErrors::q));
  EXPECT_FALSE(is_known(curve.runs[5], doubt, &RunErrors::q)) << "equal to the reference";
  EXPECT_TRUE(is_known(curve.runs[4], {.q = NAN}, &RunErrors::q)) << "nothing speaks against it";
}

TEST(ConvergeSteps, AreAroundTheModelsOwn) {
  EXPECT_EQ(make_default_steps(0.01, 10.0), (std::vector{0.04, 0.02, 0.01, 0.005, 0.0025}));
  EXPECT_EQ(make_default_steps(0.01, 0.16).front(), 0.016) << "ten steps at least";
  EXPECT_EQ(make_default_tolerances().size(), 7U);
}

}  // namespace
}  // namespace driftless
