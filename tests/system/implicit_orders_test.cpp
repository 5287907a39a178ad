// Implicit methods on the constrained equations of motion (Arnold 2017, section 4): their orders in position, velocity and
// reactions by formulation, order reduction included, on what is not symmetric; example 8; what drifts and what does not.

#include <cmath>

#include <gtest/gtest.h>

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
    {"ggl/hht", 2, 2, 2, 200},
    {"ggl/newmark", 2, 2, 2, 200},
    {"index3/backward_euler", 1, 1, 1, 3200},
    {"ggl/backward_euler", 1, 1, 1, 3200},
};

double find_order_error(const Result& result, const Result& exact,
                        const std::vector<std::string>& names) {
  double error = 0.0;
  for (const std::string& name : names)
    error = std::max(error, std::abs(last(result, name) - last(exact, name)));
  return error;
}

TEST(ImplicitOrders, AreAsTheorySays) {
  for (const Linkage& each : kLinkages) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
    for (const OrderCase& method : kOrderCases) {
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
        // Reactions of order 3 come near it slowly.
        EXPECT_GT(seen, order - (order == 3 ? 0.6 : 0.3)) << names.front() << ", error " << error;
        EXPECT_LT(seen, order + 0.6) << names.front() << ", error " << error;
      };
      expect_order(each.positions, method.q);
      expect_order(each.rates, method.v);
      expect_order(each.reactions, method.lambda);
    }
  }
}

TEST(ImplicitOrders, TolerancesAreKept) {
  for (const Linkage& each : kLinkages) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
    for (const char* words :
         {"index3/radau5", "ggl/radau5", "index1/radau5", "index3/bdf", "ggl/bdf", "index1/bdf",
          "stabilized_index1/bdf", "ggl/generalized_alpha"}) {
      SCOPED_TRACE(words);
      const bool low = std::string(words).ends_with("alpha");
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

// Where nothing is stiff, half-explicit and explicit methods need fewer evaluations than BDF (Arnold 2017, remarks 9, 10).
TEST(ImplicitOrders, BdfIsNotForWhatIsNotStiff) {
  const auto run = [](const char* words, double tolerance) {
    const Result result =
        run_model("andrews_squeezer",
                  {.method = words, .tolerance = tolerance, .until = 0.03, .every = 0.003});
    EXPECT_EQ(result.report.status, Status::ok) << words << result.report.message;
    return result;
  };
  const std::vector<std::string> names{"K1.angle", "K3.angle", "K7.angle"};
  const Result exact = run("index1/dop853/project", 1e-12);
  const Result bdf = run("ggl/bdf", 1e-7);
  const double error = find_order_error(bdf, exact, names);
  for (const char* words : {"index2/hedop5", "mdop5"}) {
    const Result other = run(words, words[0] == 'm' ? 1e-8 : 1e-6);
    EXPECT_LT(find_order_error(other, exact, names), error) << words;
    EXPECT_LT(1.3 * static_cast<double>(other.report.evaluations),
              static_cast<double>(bdf.report.evaluations))
        << words;
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
