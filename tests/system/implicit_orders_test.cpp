// Implicit methods on the constrained equations of motion (Arnold 2017, section 4): their orders in position, velocity and
// reactions by formulation, order reduction included, on what is not symmetric; example 8; what drifts and what does not.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "driftless/integrators/all.hpp"
#include "driftless/io/model_file.hpp"
#include "tests/system/linkages.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

struct OrderCase {
  const char* words;
  double q, v, lambda;  ///< as theory says
  int steps;            ///< of the coarser run
};

// Radau IIA, s = 3: Hairer, Lubich, Roche 1989. In index2_baumgarte the feedback's gain is C/h, so that ρ, and with it v,
// is of the order of Φ/h.
constexpr OrderCase kOrderCases[] = {
    {"index3/radau5", 5, 3, 2, 80},
    {"index2/radau5", 5, 5, 3, 80},
    {"ggl/radau5", 5, 5, 3, 80},
    {"index1/radau5", 5, 5, 5, 80},
    {"stabilized_index1/radau5", 5, 5, 5, 80},
    {"index3/generalized_alpha", 2, 2, 2, 200},
    {"index2/generalized_alpha", 2, 2, 2, 200},
    {"ggl/generalized_alpha", 2, 2, 2, 200},
    {"index3/hht", 2, 2, 2, 200},
    {"index2/hht", 2, 2, 2, 200},
    {"ggl/hht", 2, 2, 2, 200},
    {"index3/newmark", 2, 2, 2, 200},
    {"index2/newmark", 2, 2, 2, 200},
    {"ggl/newmark", 2, 2, 2, 200},
    {"index3/rattle", 2, 2, 2, 200},
    {"index1/rkmk4", 4, 4, 4, 100},
};

// BDF of order 5 by Radau's starting values, and backward Euler, which comes near its order slowly.
constexpr OrderCase kMultistepCases[] = {
    {"index3/bdf", 5, 5, 5, 400},
    {"index2/bdf", 5, 5, 5, 400},
    {"index1/bdf", 5, 5, 5, 400},
    {"index2_baumgarte/bdf", 5, 5, 5, 400},
    {"ggl/bdf", 5, 5, 5, 400},
    {"stabilized_index1/bdf", 5, 5, 5, 400},
    {"index3/backward_euler", 1, 1, 1, 3200},
    {"index2/backward_euler", 1, 1, 1, 3200},
    {"index1/backward_euler", 1, 1, 1, 3200},
    {"index2_baumgarte/backward_euler", 1, 1, 1, 3200},
    {"ggl/backward_euler", 1, 1, 1, 3200},
    {"stabilized_index1/backward_euler", 1, 1, 1, 3200},
};

double find_order_error(const Result& result, const Result& exact,
                        const std::vector<std::string>& names) {
  double error = 0.0;
  for (const std::string& name : names)
    error = std::max(error, std::abs(last(result, name) - last(exact, name)));
  return error;
}

void expect_orders(std::span<const OrderCase> methods, double below, double above) {
  constexpr double kRoundOff = 5e-8;
  for (const Linkage& each : kLinkages) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
    for (const OrderCase& method : methods) {
      SCOPED_TRACE(method.words);
      const auto run = [&](int steps) {
        return run_text(each.text,
                        {.method = method.words, .step = 1.0 / steps, .until = 1, .every = 1});
      };
      const Result coarse = run(method.steps);
      const Result fine = run(2 * method.steps);
      ASSERT_EQ(coarse.report.status, Status::ok) << coarse.report.message;
      ASSERT_EQ(fine.report.status, Status::ok) << fine.report.message;
      const auto expect_order = [&](const std::vector<std::string>& names, double order) {
        const double error = find_order_error(fine, exact, names);
        const double seen = std::log2(find_order_error(coarse, exact, names) / error);
        if (error < kRoundOff) return;  // reactions of index 3 are second differences
        // Reactions of order 3 come near it slowly.
        EXPECT_GT(seen, order - (order == 3 ? 0.6 : below)) << names.front() << ", error " << error;
        EXPECT_LT(seen, order + above) << names.front() << ", error " << error;
      };
      expect_order(each.positions, method.q);
      expect_order(each.rates, method.v);
      expect_order(each.reactions, method.lambda);
    }
  }
}

TEST(ImplicitOrders, AreAsTheorySays) { expect_orders(kOrderCases, 0.3, 0.6); }
TEST(LongImplicitOrders, OfMultistepMethods) { expect_orders(kMultistepCases, 0.55, 0.85); }

// The feedback C/h makes of an error of Φ one of Φ/h in v, and of Φ/h² in λ; where the error of Φ is small, the order of v
// is seen nearer to 5.
TEST(ImplicitOrders, FeedbackReducesThemLikeIndex3) {
  for (const Linkage& each : kLinkages) {
    const auto run = [&](const char* words, double h) {
      return run_text(each.text, {.method = words, .step = h, .until = 1, .every = 1});
    };
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
    const Result coarse = run("index2_baumgarte/radau5", 0.01);
    const Result fine = run("index2_baumgarte/radau5", 0.005);
    const auto find_order = [&](const std::vector<std::string>& names) {
      return std::log2(find_order_error(coarse, exact, names) /
                       find_order_error(fine, exact, names));
    };
    EXPECT_NEAR(find_order(each.positions), 5.0, 0.4);
    EXPECT_GT(find_order(each.rates), 2.7);
    EXPECT_LT(find_order(each.rates), 5.3);
    EXPECT_GT(find_order(each.reactions), 1.7);
    EXPECT_LT(find_order(each.reactions), 3.3);
  }
}

// What the method begins with is nearly of its order, too: the worst reaction of the first steps comes near it. By Radau IIA alone it
// would be of order 2 at index 3, and 3 at index 2.
TEST(ImplicitOrders, FirstReactionsOfBdfAreNotThoseOfItsStart) {
  struct Case {
    const char* words;
    double order;
  };
  for (const Linkage& each : kLinkages) {
    for (const Case& method :
         {Case{"index3/bdf", 2.8}, Case{"index2/bdf", 3.7}, Case{"ggl/bdf", 3.7}}) {
      SCOPED_TRACE(method.words);
      const auto find_error = [&](double h) {
        const double until = 10 * h;
        const Result result =
            run_text(each.text, {.method = method.words, .step = h, .until = until, .every = h});
        const Result exact = run_text(
            each.text,
            {.method = "index1/dop853/project", .tolerance = 1e-13, .until = until, .every = h});
        EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
        return max_difference(result, exact, each.reactions);
      };
      const double coarse = find_error(0.01), fine = find_error(0.005);
      EXPECT_GT(std::log2(coarse / fine), method.order) << coarse << " " << fine;
    }
  }
}

// Wherever a run ends, its last step is no shorter than the others, which would magnify their errors in what index 3 has for
// reactions.
TEST(ImplicitOrders, ReactionsOfIndex3AreRightAtTheEnd) {
  for (const Linkage& each : kLinkages) {
    for (const char* words :
         {"index3/hht", "index3/generalized_alpha", "index3/radau5", "index3/bdf"}) {
      for (const double until : {0.40, 0.413, 0.42, 0.43, 0.44, 0.452, 0.46, 0.504}) {
        const auto run = [&](const char* method, double tolerance) {
          return run_text(
              each.text,
              {.method = method, .tolerance = tolerance, .until = until, .every = until / 50});
        };
        const Result result = run(words, 1e-6), exact = run("index1/dop853/project", 1e-13);
        ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
        const Values t = column(result, "t");
        double before = 0.0;
        for (std::size_t i = 5; i + 1 < t.size(); ++i) {
          const Values a = at(result, t[i], each.reactions), b = at(exact, t[i], each.reactions);
          for (std::size_t k = 0; k < a.size(); ++k)
            before = std::max(before, std::abs(a[k] - b[k]));
        }
        EXPECT_LT(find_order_error(result, exact, each.reactions), 5.0 * before + 1e-9)
            << words << " " << until;
      }
    }
  }
}

// The start velocity of index 3 is corrected by what the curvature of the motion and the order of turns ask for: reactions
// have order 2 from the first step on, also undamped and on the group of rotations, where without the commutator of turns
// those of newmark would not converge at all.
TEST(ImplicitOrders, ReactionsOfIndex3HaveOrderTwoFromTheStart) {
  const Linkage top{
      nullptr, 0, {"top.x"}, {"top.wx"}, {"ball.force.x", "ball.force.y", "ball.force.z"}};
  const std::string top_text = edit_model("heavy_top", {});
  for (const Linkage* each : {&kLinkages[0], &kLinkages[1], &top}) {
    const std::string text = each->text != nullptr ? each->text : top_text;
    // At every step: what rings changes its sign from one to the next.
    const auto find_error = [&](const char* words, double h) {
      const Result result = run_text(text, {.method = words, .step = h, .until = 0.2, .every = h});
      const Result exact =
          run_text(text, {.method = "index1/dop853", .tolerance = 1e-12, .until = 0.2, .every = h});
      return max_difference(result, exact, each->reactions);
    };
    for (const char* words : {"index3/newmark", "index3/hht", "index3/generalized_alpha"}) {
      const double fine = find_error(words, 0.0025);
      EXPECT_NEAR(std::log2(find_error(words, 0.005) / fine), 2.0, 0.15)
          << words << " " << each->reactions.back() << " " << fine;
    }
  }
}

// Five decades of tolerances, at which lines of errors are fitted: many, as single errors are small by chance.
constexpr double kDigits[] = {4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9};
constexpr double kMeanDigits = 6.5;

// The error falls as the tolerance does, over five decades, at every index.
TEST(LongImplicitOrders, ErrorsFallAsTheTolerance) {
  const std::vector<std::string> names{"beta", "Theta", "gamma", "Phi", "delta"};
  const auto run = [](const std::string& words, double tolerance) {
    return run_model("andrews_squeezer_angles",
                     {.method = words, .tolerance = tolerance, .until = 0.03, .every = 0.001});
  };
  const Result exact = run("index1/dop853/project", 1e-13);
  for (const char* form : {"index1", "index2", "index3", "ggl", "stabilized_index1"}) {
    for (const char* integrator : {"/bdf", "/ida", "/radau5"}) {
      const std::string words = std::string(form) + integrator;
      if (words == "index3/ida") continue;  // refused
      double sum = 0.0, moment = 0.0;       // of log10 of errors
      for (const double digits : kDigits) {
        const Result result = run(words, std::pow(10.0, -digits));
        ASSERT_EQ(result.report.status, Status::ok) << words << result.report.message;
        const double error = std::log10(max_difference(result, exact, names));
        moment += (digits - kMeanDigits) * error;
        sum += (digits - kMeanDigits) * (digits - kMeanDigits);
      }
      const double slope = -moment / sum;
      // radau5 has one order. Its error at the ends of steps falls by 1.1, and at loose tolerances faster
      EXPECT_GE(slope, words.ends_with("radau5") ? 0.75 : 0.8) << words;
      EXPECT_LE(slope, words.ends_with("radau5") ? 1.35 : 1.2) << words;
    }
  }
}

/// Powers of the tolerance, q, v and reactions, from 1e-4 to 1e-9.
std::array<double, 3> find_tolerance_slopes(const std::string& text, const std::string& words,
                                            const Linkage& names, const Result& exact) {
  std::array<double, 3> moments{};
  double sum = 0.0;
  for (const double digits : kDigits) {
    const Result result = run_text(
        text, {.method = words, .tolerance = std::pow(10.0, -digits), .until = 1, .every = 0.05});
    EXPECT_EQ(result.report.status, Status::ok) << words << result.report.message;
    const std::vector<std::string>* parts[] = {&names.positions, &names.rates, &names.reactions};
    for (std::size_t i = 0; i < 3; ++i)
      moments[i] -= (digits - kMeanDigits) * std::log10(max_difference(result, exact, *parts[i]));
    sum += (digits - kMeanDigits) * (digits - kMeanDigits);
  }
  for (double& moment : moments) moment /= sum;
  return moments;
}

// Two linkages and a top: mass matrices that change, in space. Codes of variable order follow the tolerance in all that
// they compute; radau5 where theory does not reduce its order (radau5.cpp [R5.1]).
TEST(LongImplicitOrders, ErrorsFallAsTheToleranceInAllVariables) {
  const Linkage top{nullptr,
                    0,
                    {"top.x", "top.y", "top.z"},
                    {"top.wx", "top.wy", "top.wz"},
                    {"ball.force.x", "ball.force.y", "ball.force.z"}};
  const std::string top_text = edit_model("heavy_top", {});
  struct Expected {
    const char* words;
    std::array<double, 3> power;  // 0: the tolerance's own
  };
  const Expected expected[] = {{"index1/adams", {}},
                               {"index1/bdf", {}},
                               {"index2/bdf", {}},
                               {"ggl/bdf", {}},
                               {"stabilized_index1/bdf", {}},
                               {"index3/bdf", {}},
                               {"index1/ida", {}},
                               {"index2/ida", {}},
                               {"ggl/ida", {}},
                               {"stabilized_index1/ida", {}},
                               {"index1/radau5", {}},
                               {"stabilized_index1/radau5", {}},
                               {"ggl/radau5", {0, 0, 0.6}},
                               {"index3/radau5", {0, 0.6, 0.4}}};
  for (const Linkage* each : {&kLinkages[0], &kLinkages[1], &top}) {
    const std::string text = each->text != nullptr ? each->text : top_text;
    const Result exact =
        run_text(text, {.method = "index1/dop853", .tolerance = 1e-13, .until = 1, .every = 0.05});
    for (const Expected& method : expected) {
      const auto slopes = find_tolerance_slopes(text, method.words, *each, exact);
      const bool is_radau = std::string(method.words).ends_with("radau5");
      for (std::size_t i = 0; i < 3; ++i) {
        const double power = method.power[i];
        EXPECT_GE(slopes[i], power > 0  ? power - 0.15
                             : is_radau ? 0.65
                                        : 0.8)
            << method.words << " " << each->rates.front() << " " << i;
        EXPECT_LE(slopes[i], power > 0 ? power + 0.2 : 1.2)
            << method.words << " " << each->rates.front() << " " << i;
      }
    }
  }
}

// Reactions in all samples from the first on: low orders, with which BDF begins, must not leave the largest errors of the run,
// nor Newton's method those of index 3.
TEST(ImplicitOrders, ReactionsFollowTheToleranceFromTheStart) {
  const auto run = [](const char* words, double tolerance) {
    return run_model("pendulum_index3",
                     {.method = words, .tolerance = tolerance, .until = 1, .every = 0.001});
  };
  const Result exact = run("index1/dop853", 1e-13);
  for (const char* words :
       {"index1/bdf", "index2/bdf", "ggl/bdf", "stabilized_index1/bdf", "index3/bdf", "index1/ida",
        "index2/ida", "ggl/ida", "stabilized_index1/ida"}) {
    double sum = 0.0, moment = 0.0;
    for (const double digits : kDigits) {
      const Result result = run(words, std::pow(10.0, -digits));
      ASSERT_EQ(result.report.status, Status::ok) << words << result.report.message;
      moment -= (digits - kMeanDigits) * std::log10(max_difference(result, exact, {"lam"}));
      sum += (digits - kMeanDigits) * (digits - kMeanDigits);
    }
    EXPECT_GE(moment / sum, 0.8) << words;
    EXPECT_LE(moment / sum, 1.2) << words;
  }
}

TEST(ImplicitOrders, TolerancesAreKept) {
  for (const Linkage& each : kLinkages) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
    for (const char* words :
         {"index3/radau5", "ggl/radau5", "index1/radau5", "index3/bdf", "ggl/bdf", "index1/bdf",
          "stabilized_index1/bdf", "ggl/ida", "index2/ida", "index1/ida", "stabilized_index1/ida",
          "ggl/generalized_alpha", "index3/newmark", "ggl/newmark"}) {
      SCOPED_TRACE(words);
      const bool low =
          find_integrator(std::string(words).substr(std::string(words).find('/') + 1))->order == 2;
      for (const double tolerance : {1e-4, low ? 1e-5 : 1e-7}) {
        const Result result = run_text(
            each.text, {.method = words, .tolerance = tolerance, .until = 1, .every = 0.1});
        ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
        EXPECT_LT(find_order_error(result, exact, each.positions), 200 * tolerance);
      }
    }
  }
}

// Positions of index 3, of GGL and of the stabilised index-1 form stay closed; those of index 2 and 1 drift.
TEST(ImplicitOrders, StableFormsStayClosed) {
  for (const Linkage& each : kLinkages) {
    for (const char* words : {"index3/radau5", "ggl/radau5", "stabilized_index1/radau5",
                              "ggl/generalized_alpha", "ggl/newmark"}) {
      SCOPED_TRACE(words);
      const Result result =
          run_text(each.text, {.method = words, .step = 0.005, .until = 3, .every = 0.5});
      ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
      EXPECT_LT(result.report.max_phi, 1e-10);
      const bool at_velocity = std::string(words).substr(0, 6) != "index3";
      if (at_velocity) {
        EXPECT_LT(result.report.max_phi_dot, 1e-8);
      }
    }
    const auto drift = [&](const char* words) {
      return run_text(each.text, {.method = words, .step = 0.01, .until = 3, .every = 3})
          .report.max_phi;
    };
    EXPECT_GT(drift("index2/generalized_alpha"), 1e-7);
    EXPECT_LT(drift("index2/generalized_alpha/project"), 1e-10);
  }
}

// Arnold 2017, example 8: the largest error of λ over one second, ρ∞ = 0.9. Start values on the same motion, at the lowest
// point and beside it.
double find_example8_error(const char* words, double x0, double step, const char* start) {
  const std::string text =
      R"(
format = "driftless/1"
space = "plane"
gravity = [0, -9.81]
[body.mass]
point = true
mass = 1
centre = [)" +
      text_of(x0) + ", " + text_of(-std::sqrt(1.0 - x0 * x0)) + R"(]
[constraint.rod]
type = "distance"
between = ["ground", "mass"]
at = [[0, 0], [)" +
      text_of(x0) + ", " + text_of(-std::sqrt(1.0 - x0 * x0)) + R"(]]
[start]
"mass.x'" = )" +
      text_of(std::sqrt((1.0 - 2.0 * 9.81 * (1.0 - std::sqrt(1.0 - x0 * x0))) * (1.0 - x0 * x0))) +
      "\n";
  const Sets sets = {{"method.start_velocity", start}};
  const Result exact =
      run_text(text, {.method = "index1/dop853", .tolerance = 1e-13, .until = 1, .every = step});
  const Result result =
      run_text(text, {.method = words, .step = step, .until = 1, .every = step, .sets = sets});
  EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
  const auto find_lambda = [](const Result& run) {
    Values x = column(run, "rod.force.x");
    const Values y = column(run, "rod.force.y");
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::hypot(x[k], y[k]);
    return x;
  };
  Values difference = find_lambda(result);
  const Values reference = find_lambda(exact);
  for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= reference[k];
  return max_of(difference);
}

TEST(ImplicitOrders, Example8) {
  const auto expect = [](const char* words, double x0, double coarse, double fine) {
    EXPECT_NEAR(find_example8_error(words, x0, 0.02, "given") / coarse, 1.0, 0.03) << words << x0;
    EXPECT_NEAR(find_example8_error(words, x0, 0.01, "given") / fine, 1.0, 0.03) << words << x0;
  };
  expect("index3/generalized_alpha", 0.0, 3.938e-3, 9.856e-4);
  expect("index3/generalized_alpha", 0.2, 2.483e-1, 1.231e-1);
  expect("ggl/generalized_alpha", 0.0, 1.986e-3, 4.967e-4);
  expect("ggl/generalized_alpha", 0.2, 1.917e-3, 4.783e-4);
  // With the corrected start the order is 2 everywhere.
  const double coarse = find_example8_error("index3/generalized_alpha", 0.2, 0.02, "corrected");
  const double fine = find_example8_error("index3/generalized_alpha", 0.2, 0.01, "corrected");
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.25);
}

// κ vanishes, and its error is that of v: a tolerance of its own would ask for steps that nothing else needs.
TEST(ImplicitOrders, StabilisingAccelerationsCostsNoSteps) {
  const auto count_steps = [](const char* words) {
    return run_model("andrews_squeezer",
                     {.method = words, .tolerance = 1e-6, .until = 0.01, .every = 0.01})
        .report.steps;
  };
  EXPECT_LT(static_cast<double>(count_steps("stabilized_index1/radau5")),
            1.3 * static_cast<double>(count_steps("ggl/radau5")));
}

// Where nothing is stiff, half-explicit and explicit methods need fewer evaluations than BDF (Arnold 2017, remarks 9, 10):
// whatever BDF reaches, in any form, they reach with less. As equations and as a mechanism.
TEST(LongImplicitOrders, BdfIsNotForWhatIsNotStiff) {
  struct Run {
    double error;
    long evaluations;
  };
  for (const char* model : {"andrews_squeezer_angles", "andrews_squeezer"}) {
    const std::vector<std::string> names{"beta", "gamma", "epsilon"};
    const auto run = [&](const std::string& words, double tolerance) {
      return run_model(model,
                       {.method = words, .tolerance = tolerance, .until = 0.03, .every = 0.003});
    };
    const Result exact = run("index1/dop853/project", 1e-13);
    const auto measure = [&](const std::string& words, int digits) {
      const Result result = run(words, std::pow(10.0, -digits));
      EXPECT_EQ(result.report.status, Status::ok) << words << result.report.message;
      return Run{max_difference(result, exact, names), result.report.evaluations};
    };
    for (const char* words : {"index2/hedop5", "mdop5"}) {
      std::vector<Run> runs;
      for (int digits = 3; digits <= 10; ++digits) runs.push_back(measure(words, digits));
      for (const char* form : {"index3/bdf", "index1/bdf", "ggl/bdf", "stabilized_index1/bdf",
                               "ggl/ida", "index1/ida"}) {
        for (int digits = 4; digits <= 8; digits += 2) {
          const Run bdf = measure(form, digits);
          EXPECT_TRUE(std::any_of(runs.begin(), runs.end(),
                                  [&](const Run& each) {
                                    return each.error <= bdf.error &&
                                           each.evaluations < bdf.evaluations;
                                  }))
              << model << ": " << words << " against " << form << ", " << bdf.error << " with "
              << bdf.evaluations << " evaluations";
        }
      }
    }
  }
}

// Arnold 2017, section 4.2, on the pendulum of example 8 begun at x = 0.2: gaps grow with t² at index 1, with t at index 2,
// and not at all with projection or in the forms that hold positions.
TEST(ImplicitOrders, GapsGrowAsTheIndexSays) {
  const Sets sets = {{"start", "asin(0.2)"}, {"x'", "0.761217236607"}, {"y'", "0.155382817758"}};
  const auto find_gap = [&](const char* words, double until) {
    const Result result = run_model(
        "pendulum", {.method = words, .step = 0.02, .until = until, .every = 1, .sets = sets});
    EXPECT_EQ(result.report.status, Status::ok) << words << ": " << result.report.message;
    return result.report.max_phi;
  };
  const auto find_exponent = [&](const char* words) {
    return std::log2(find_gap(words, 200) / find_gap(words, 100));
  };
  EXPECT_NEAR(find_gap("index1/rk4", 100) / 1.968e-4, 1.0, 0.01);  // computed independently
  EXPECT_NEAR(find_gap("index1/rk4", 200) / 7.966e-4, 1.0, 0.01);
  EXPECT_NEAR(find_exponent("index1/rk4"), 2.0, 0.05);
  EXPECT_NEAR(find_exponent("index2/hem3"), 1.0, 0.1);
  EXPECT_NEAR(find_exponent("index2/radau5"), 1.0, 0.15);
  for (const char* words : {"index1/rk4/project", "index2/hem3/project", "ggl/radau5",
                            "stabilized_index1/radau5", "index3/radau5", "ggl/generalized_alpha"})
    EXPECT_LT(find_gap(words, 100), 1e-11) << words;
}

}  // namespace
}  // namespace driftless::trials
