// Half-explicit methods on the equations of index 2 (Arnold 2017, section 4.3): their orders in position, velocity and
// multipliers, on what is not symmetric; and that they agree with the equations of index 1.

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "tests/system/linkages.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

struct HalfExplicitMethod {
  const char* name;
  int order;
};
constexpr HalfExplicitMethod kHalfExplicitMethods[] = {
    {"hem3", 3}, {"hem4", 4}, {"hedop5", 5}, {"phem56", 5}};

double find_end_error(const Result& result, const Result& exact,
                      const std::vector<std::string>& names) {
  double error = 0.0;
  for (const std::string& name : names)
    error = std::max(error, std::abs(last(result, name) - last(exact, name)));
  return error;
}

TEST(HalfExplicit, HaveTheirOrdersInPositionVelocityAndMultipliers) {
  for (const Linkage& each : kLinkages) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
    ASSERT_EQ(exact.report.status, Status::ok) << exact.report.message;
    for (const HalfExplicitMethod& method : kHalfExplicitMethods) {
      const double h = (method.order == 3 ? 0.5 : 1.0) / each.steps;
      const std::string words = std::string("index2/") + method.name;
      const Result coarse =
          run_text(each.text, {.method = words, .step = h, .until = 1, .every = 1});
      const Result fine =
          run_text(each.text, {.method = words, .step = h / 2, .until = 1, .every = 1});
      ASSERT_EQ(fine.report.status, Status::ok) << fine.report.message;
      for (const auto* names : {&each.positions, &each.rates, &each.reactions}) {
        const double error = find_end_error(fine, exact, *names);
        const double order = std::log2(find_end_error(coarse, exact, *names) / error);
        EXPECT_GT(order, method.order - 0.35) << method.name << " " << names->front();
        EXPECT_LT(error, 1e-3) << method.name << " " << names->front();
      }
      // Velocity constraints hold in each step; positions drift by the error of the method.
      EXPECT_LT(fine.report.max_phi_dot, 1e-11) << method.name;
      EXPECT_LT(fine.report.max_phi, find_end_error(coarse, exact, each.positions)) << method.name;
    }
  }
}

TEST(HalfExplicit, KeepTheirTolerance) {
  for (const Linkage& each : kLinkages) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
    for (const char* words : {"index2/hem4", "index2/hedop5", "index2/phem56/project"}) {
      for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
        const Result result = run_text(
            each.text, {.method = words, .tolerance = tolerance, .until = 1, .every = 0.1});
        ASSERT_EQ(result.report.status, Status::ok) << words << result.report.message;
        EXPECT_LT(find_end_error(result, exact, each.positions), 100 * tolerance + 1e-12) << words;
        EXPECT_LT(find_end_error(result, exact, each.rates), 1000 * tolerance + 1e-11) << words;
      }
    }
  }
}

// In positions, velocities and reactions, also between steps. At loose tolerances the steps of order 5 are longer than where
// their error is h^5: it falls somewhat faster.
TEST(HalfExplicit, ErrorsFallAsTheTolerance) {
  for (const Linkage& each : kLinkages) {
    const Result exact = run_text(
        each.text,
        {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 0.03});
    for (const char* words : {"index2/hem3", "index2/hem4", "index2/hedop5", "index2/phem56"}) {
      for (const auto* names : {&each.positions, &each.rates, &each.reactions}) {
        double sum = 0.0, moment = 0.0;  // the line through five decades
        for (int k = 0; k < 6; ++k) {
          const Result result = run_text(
              each.text,
              {.method = words, .tolerance = std::pow(10.0, -3 - k), .until = 1, .every = 0.03});
          ASSERT_EQ(result.report.status, Status::ok) << words << result.report.message;
          moment += (k - 2.5) * std::log10(max_difference(result, exact, *names));
          sum += (k - 2.5) * (k - 2.5);
        }
        EXPECT_GE(-moment / sum, 0.8) << words << " " << names->front();
        EXPECT_LE(
            -moment / sum,
            std::string(words).ends_with('5') || std::string(words).ends_with('6') ? 1.4 : 1.2)
            << words << " " << names->front();
      }
    }
  }
}

// Redundant rows; rows nonlinear in the rates; rows that cannot be integrated; a free body.
TEST(HalfExplicit, MoveAsIndexOneDoes) {
  const auto compare = [](const std::string& text, const std::vector<std::string>& names) {
    const Result exact =
        run_text(text, {.method = "index1/dop853/project", .tolerance = 1e-12, .until = 1});
    const Result result =
        run_text(text, {.method = "index2/hedop5/project", .tolerance = 1e-10, .until = 1});
    ASSERT_EQ(exact.report.status, Status::ok) << exact.report.message;
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_LT(find_end_error(result, exact, names), 1e-7) << names.front();
  };
  compare(read_model_file(find_model("four_bar_3d")).text, {"A.angle", "C.angle", "A.rate"});
  compare(read_model_file(find_model("elements/rolling_disc")).text, {"wheel.x", "wheel.angle"});
  compare(read_model_file(find_model("elements/knife_edge")).text, {"skate.x", "skate.y"});
  compare(R"(
format = "driftless/1"
gravity = [0, 0, -9.81]
[body.bead]
mass = 1.2
point = true
centre = [0.1, 0.2, 0.3]
[constraint.speed]
type = "velocity"
equation = "bead.x'^2 + bead.y'^2 + bead.z'^2 - (2 + sin(t))^2"
[start]
"bead.x'" = 1.2
"bead.y'" = 1.6
"bead.z'" = 0
)",
          {"bead.x", "bead.z", "bead.y'"});
}

// Positions drift linearly in time, as the survey says; those of index 1 quadratically.
TEST(HalfExplicit, PositionsDriftLinearly) {
  const auto drift = [](const char* words, double until) {
    return run_text(kDrivenLinkage, {.method = words, .step = 0.01, .until = until, .every = until})
        .report.max_phi;
  };
  const double growth = drift("index2/hem3", 8) / drift("index2/hem3", 2);
  EXPECT_GT(growth, 1.5);
  EXPECT_LT(growth, 8.0);
  EXPECT_LT(drift("index2/hem3/project", 8), 1e-10);
}

// Projection on demand: gaps stay below the bound, by few projections.
TEST(HalfExplicit, ProjectionWaitsForItsBound) {
  const Result result = run_text(kDrivenLinkage, {.method = "index2/hem3/project",
                                                  .step = 0.01,
                                                  .until = 8,
                                                  .sets = {{"method.projection_bound", "2e-5"}}});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_GT(result.report.max_phi, 1e-5);
  EXPECT_LT(result.report.max_phi, 4e-5);
  EXPECT_GE(figure(result, "projections"), 1);
  EXPECT_LT(figure(result, "projections"), 100);
}

}  // namespace
}  // namespace driftless::trials
