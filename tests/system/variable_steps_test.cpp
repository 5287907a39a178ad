// Newmark's family with steps that change as a hard motion makes them change: up and down by factors of 4, and by a hundred at
// once after a shock. Positions, velocities and reactions stay of order 2, and as good as with equal steps of the largest size.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "driftless/run/run_setup.hpp"
#include "tests/system/linkages.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

/// A method that is led from one time to the next by hand.
class LedMethod {
 public:
  LedMethod(const std::string& text, const MethodRequest& request, double until)
      : file_(parse_model(text, "test.toml")),
        model_(prepare_model(file_, {.method = request, .until = until, .every = until})),
        parts_(model_.system(), model_.start, model_.start_rows,
               prepare_method(file_, model_, request)),
        y_(Vector::Zero(parts_.field->size())) {
    AccelerationField& field = *parts_.field;
    field.from_state(model_.start.q, model_.start.v, as_span(y_));
    field.recentre(as_span(y_), true);
    EXPECT_TRUE(field.complete(t_, as_span(y_)));
    EXPECT_TRUE(parts_.stepper->start(field, t_, as_span(y_), until));
    read();
  }

  void lead_to(double t) {
    AccelerationField& field = *parts_.field;
    while (t_ < t) {
      ASSERT_EQ(parts_.stepper->step(field, t_, as_span(y_), t).status, StepStatus::ok)
          << t_ << field.failure();
      ASSERT_TRUE(parts_.stepper->accept(field, t_, as_span(y_), Change::unchanged));
      const Change change = field.recentre(as_span(y_), !parts_.stepper->keeps_history());
      if (change == Change::unchanged) continue;
      ASSERT_TRUE(parts_.stepper->accept(field, t_, as_span(y_), change));
    }
    read();
  }

  Vector q, v, lambda;

 private:
  void read() {
    const SystemInfo& info = parts_.evaluator.info();
    q.resize(info.nq);
    v.resize(info.nv);
    Vector v_dot = Vector::Zero(info.nv);
    lambda = Vector::Zero(info.row_count());
    std::vector<double> work(info.invariants.size());
    parts_.field->to_state(as_span(y_), q, v, work);
    EXPECT_TRUE(parts_.field->find_reactions(t_, as_span(y_), q, v, v_dot, lambda));
  }

  ModelFile file_;
  PreparedModel model_;
  WorkingMethod parts_;
  double t_ = 0.0;
  Vector y_;
};

/// Ends of steps up to 1: of one size, or of sizes between h/100 and h, each in two halves or not.
struct Sequence {
  double h = 0.01;
  bool at_random = true;
  int parts = 1;
};

std::vector<double> make_times(const Sequence& sequence) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> times;
  double size = sequence.at_random ? 0.3 : 1.0;
  for (double t = 0.0; t < 1.0;) {
    if (sequence.at_random) {
      size = uniform(random) < 0.08 ? 0.01 : size * std::pow(4.0, 2.0 * uniform(random) - 0.9);
      size = std::clamp(size, 0.01, 1.0);
    }
    const double step = t + 1.01 * size * sequence.h < 1.0 ? size * sequence.h : 1.0 - t;
    for (int k = 1; k < sequence.parts; ++k) times.push_back(t + step * k / sequence.parts);
    t = step < size * sequence.h ? 1.0 : t + step;
    times.push_back(t);
  }
  return times;
}

struct LedErrors {
  double q = 0.0, v = 0.0, lambda = 0.0;
};

LedErrors find_led_errors(const std::string& text, const char* words, const Sequence& sequence) {
  LedMethod exact(text, {.word = "index1/dop853", .tolerance = 1e-12}, 1.0);
  LedMethod led(text, {.word = words, .step = 1.0}, 1.0);
  LedErrors errors;
  for (const double t : make_times(sequence)) {
    exact.lead_to(t);
    led.lead_to(t);
    errors.q = std::max(errors.q, max_abs(led.q - exact.q));
    errors.v = std::max(errors.v, max_abs(led.v - exact.v));
    errors.lambda = std::max(errors.lambda, max_abs(led.lambda - exact.lambda));
  }
  return errors;
}

/// Three bodies that hang on each other by ball joints and a universal joint, of any lengths, masses and rates.
std::string make_random_chain(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::string text = "format = \"driftless/1\"\ngravity = [0, 0.5, -9.81]\n", start = "[start]\n";
  double x[3] = {0, 0, 0};
  const char* names[] = {"a", "b", "c"};
  for (int k = 0; k < 3; ++k) {
    const double old[3] = {x[0], x[1], x[2]};
    for (double& each : x) each += draw(-0.5, 0.5);
    x[2] -= 0.3;
    text += fmt::format(
        "[body.{}]\nmass = {}\ncentre = [{}, {}, {}]\ninertia = [{}, {}, {}]\n"
        "[joint.j{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\nat = [{}, {}, {}]\n",
        names[k], draw(0.5, 2), 0.5 * (x[0] + old[0]), 0.5 * (x[1] + old[1]), 0.5 * (x[2] + old[2]),
        draw(0.08, 0.1), draw(0.08, 0.1), draw(0.08, 0.1), k, k == 1 ? "universal" : "spherical",
        k == 0 ? "ground" : names[k - 1], names[k], old[0], old[1], old[2]);
    if (k == 1) text += fmt::format("axis = [{}, {}, 1]\n", draw(-1, 1), draw(-1, 1));
    if (k != 1)
      start += fmt::format("{0}.wx = {1}\n{0}.wz = {2}\n", names[k], draw(-2, 2), draw(-2, 2));
  }
  return text + start;
}

void expect_order_two(const std::string& text, const std::vector<const char*>& methods) {
  for (const char* words : methods) {
    SCOPED_TRACE(words);
    const LedErrors even = find_led_errors(text, words, {.h = 0.005, .at_random = false});
    const LedErrors coarse = find_led_errors(text, words, {.h = 0.005});
    const LedErrors fine = find_led_errors(text, words, {.h = 0.005, .parts = 2});
    EXPECT_LT(coarse.q, even.q);
    EXPECT_LT(coarse.v, even.v);
    EXPECT_LT(coarse.lambda, 2.0 * even.lambda);
    EXPECT_NEAR(std::log2(coarse.q / fine.q), 2.0, 0.2);
    EXPECT_NEAR(std::log2(coarse.v / fine.v), 2.0, 0.2);
    EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), 2.0, 0.3);
  }
}

TEST(VariableSteps, KeepTheOrderOfNewmarksFamily) {
  expect_order_two(kBentPendulum, {"index3/newmark", "index3/generalized_alpha", "ggl/newmark"});
  expect_order_two(make_random_chain(1), {"index3/hht"});
}

TEST(LongVariableSteps, KeepTheOrderOfNewmarksFamily) {
  for (const std::string& text :
       {std::string(kDrivenLinkage), make_random_chain(1), make_random_chain(2)}) {
    expect_order_two(text,
                     {"index3/newmark", "index3/hht", "index3/generalized_alpha", "ggl/newmark",
                      "ggl/generalized_alpha", "index2/newmark", "index2/generalized_alpha"});
  }
}

// Chosen by a tolerance: the error of twice as many steps is a quarter, in reactions, too.
TEST(VariableSteps, ByATolerance) {
  for (const Linkage& each : kLinkages) {
    const auto run = [&](const char* words, double tolerance) {
      return run_text(each.text,
                      {.method = words, .tolerance = tolerance, .until = 1, .every = 0.05});
    };
    const Result exact = run("index1/dop853/project", 1e-13);
    for (const char* words : {"ggl/generalized_alpha", "index3/generalized_alpha", "ggl/hht",
                              "index3/hht", "index3/newmark", "ggl/newmark", "index2/newmark"}) {
      const Result coarse = run(words, 1e-5), fine = run(words, 1e-8);
      ASSERT_EQ(fine.report.status, Status::ok) << words << fine.report.message;
      const double refined = std::log(static_cast<double>(fine.report.steps) /
                                      static_cast<double>(coarse.report.steps));
      for (const auto* names : {&each.positions, &each.rates, &each.reactions}) {
        const double order =
            std::log(max_difference(coarse, exact, *names) / max_difference(fine, exact, *names)) /
            refined;
        EXPECT_GT(order, 1.8) << words << " " << names->front();
        EXPECT_LT(order, 2.4) << words << " " << names->front();
      }
    }
  }
}

/// A pendulum, and beside it a mass that bounces on a stiff spring: only its shocks make the steps of both change.
constexpr const char* kShocks = R"~(
format = "driftless/1"
[coordinates]
x = { start = 0.2, rate = 0.761217236607 }
y = { start = -0.979795897113, rate = 0.155382817758 }
z = { start = 0.1 }
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*y + 9.81*z"
[force]
z = "if(z < 0, -1e6*z - 100*z', 0)"
[constraint]
rod = "(x^2 + y^2 - 1)/2"
[record]
lam = "rod.lambda"
)~";

// Reactions of index 3 are as good as those of ggl, though steps shrink by a thousand at each shock and some have no solution.
TEST(VariableSteps, ReactionsSurviveShocks) {
  const auto run = [](const std::string& words, double tolerance) {
    return run_text(kShocks, {.method = words, .tolerance = tolerance, .until = 1, .every = 0.001});
  };
  const Result exact = run("index1/dop853", 1e-10);
  for (const std::string integrator : {"newmark", "hht", "generalized_alpha"}) {
    for (const double tolerance : {1e-4, 1e-5, 1e-6}) {
      const auto find_error = [&](const std::string& form) {
        const Result result = run(form + "/" + integrator, tolerance);
        EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
        EXPECT_GT(result.report.rejected, 50);
        return max_difference(result, exact, {"lam"});
      };
      EXPECT_LT(find_error("index3"), 3.0 * find_error("ggl")) << integrator << tolerance;
      EXPECT_LT(find_error("index3"), 5.0 * std::pow(tolerance, 0.6)) << integrator << tolerance;
    }
  }
}

// Fixed steps that have no solution are halved, and so are off the grid: reactions stay.
TEST(VariableSteps, ReactionsSurviveHalvedSteps) {
  const auto run = [](const std::string& words, double step) {
    return run_text(kShocks, {.method = words, .step = step, .until = 1, .every = step});
  };
  const Result exact =
      run_text(kShocks, {.method = "index1/dop853", .tolerance = 1e-10, .until = 1, .every = 0.01});
  const Result result = run("index3/generalized_alpha", 0.01);
  EXPECT_GE(figure(result, "newton_failures"), 1);
  EXPECT_LT(max_difference(result, exact, {"lam"}), 5e-3);
}

// Projected velocities are not those that index 3 goes on with. Reactions keep order 2.
TEST(VariableSteps, ReactionsOfIndex3KeepTheirOrderIfProjected) {
  struct Reactions {
    std::string text;
    std::vector<std::string> names;
  };
  for (const Reactions& model :
       {Reactions{kDrivenLinkage, kLinkages[0].reactions},
        Reactions{kBentPendulum, kLinkages[1].reactions},
        Reactions{make_random_chain(3), {"j0.force.x", "j1.force.y", "j2.force.z"}}}) {
    const Result exact = run_text(
        model.text, {.method = "index1/dop853", .tolerance = 1e-12, .until = 0.5, .every = 0.05});
    for (const char* words :
         {"index3/newmark/project", "index3/hht/project", "index3/generalized_alpha/project"}) {
      const auto find_error = [&](double step) {
        const Result result =
            run_text(model.text, {.method = words, .step = step, .until = 0.5, .every = 0.05});
        EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
        EXPECT_LT(result.report.max_phi_dot, 1e-9);
        return max_difference(result, exact, model.names);
      };
      EXPECT_NEAR(std::log2(find_error(0.005) / find_error(0.0025)), 2.0, 0.3)
          << words << " " << model.names.front();
    }
  }
}

// Its feedback and projection do the same thing, and together they do it worse: told, and as it is told.
TEST(VariableSteps, ProjectionLowersTheOrderOfFeedbackAndSaysSo) {
  const Linkage& linkage = kLinkages[0];
  const Result exact =
      run_text(linkage.text,
               {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
  const auto find_order = [&](const char* words, bool warns) {
    const auto run = [&](double step) {
      return run_text(linkage.text, {.method = words, .step = step, .until = 1, .every = 1});
    };
    const Result coarse = run(0.005), fine = run(0.0025);
    bool found = false;
    for (const std::string& warning : fine.report.warnings)
      found = found || warning.find("order 3 in positions and velocities") != std::string::npos;
    EXPECT_EQ(found, warns) << words;
    return std::log2(max_difference(coarse, exact, linkage.positions) /
                     max_difference(fine, exact, linkage.positions));
  };
  EXPECT_NEAR(find_order("index2_baumgarte/radau5/project", true), 3.0, 0.2);
  EXPECT_GT(find_order("index2_baumgarte/radau5", false), 4.7);
  EXPECT_NEAR(find_order("index2/radau5/project", false), 5.0, 0.1);
}

}  // namespace
}  // namespace driftless::trials
