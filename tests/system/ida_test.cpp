// IDA beside Driftless's own implicit methods on whole models: the same motion and reactions, redundant joints, orientations
// in every form, samples, and how a run ends that cannot go on.

#include <gtest/gtest.h>

#include "tests/system/beyond_reach.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

const char* const kIdaForms[] = {"index1/ida", "index2/ida", "ggl/ida", "stabilized_index1/ida"};

struct Agreement {
  const char* model;
  double until;
  std::vector<std::string> motion, reactions;
};

TEST(IdaRuns, AgreeWithRadauAndBdfInMotionAndReactions) {
  const Agreement cases[] = {
      {"pendulum", 3, {"x", "y", "x'", "y'"}, {}},
      {"pendulum_index3", 1, {"x", "y", "x'", "y'"}, {"lam"}},
      {"andrews_squeezer", 0.02, {"beta", "gamma", "epsilon"}, {}},
      {"four_bar_3d",
       1,
       {"coupler.x", "coupler.y", "coupler.z", "crank.wz"},
       {"A.force.x", "A.force.y"}},
      {"heavy_top", 1, {"top.x", "top.y", "top.z", "top.wx"}, {"ball.force.x", "ball.force.z"}},
      {"pendulum_maxwell", 2, {"x", "y", "c"}, {}},
      {"rolling_disc", 1, {"disc.x", "disc.y"}, {}},
  };
  for (const Agreement& each : cases) {
    const auto run = [&](const char* words, double tolerance) {
      return run_model(
          each.model,
          {.method = words, .tolerance = tolerance, .until = each.until, .every = each.until / 40});
    };
    const Result radau = run("ggl/radau5", 1e-10), bdf = run("ggl/bdf", 1e-9);
    for (const char* words : kIdaForms) {
      SCOPED_TRACE(std::string(each.model) + " " + words);
      const Result ida = run(words, 1e-8);
      ASSERT_EQ(ida.report.status, Status::ok) << ida.report.message;
      EXPECT_EQ(ida.report.redundant, radau.report.redundant);
      for (const Result* other : {&radau, &bdf})
        EXPECT_LT(max_difference(ida, *other, each.motion), 2e-5);
      if (!each.reactions.empty()) {
        EXPECT_LT(max_difference(ida, radau, each.reactions), 1e-3);  // of some newtons
      }
    }
  }
}

TEST(IdaRuns, ClosesWhatItsFormHolds) {
  for (const char* words : {"ggl/ida", "stabilized_index1/ida"}) {
    const Result result =
        run_model("four_bar_3d", {.method = words, .tolerance = 1e-8, .until = 2, .every = 0.1});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_LT(result.report.max_phi, 1e-8) << words;
    EXPECT_LT(result.report.max_phi_dot, 1e-7) << words;
  }
}

// A stiff pin that relaxes within a millisecond: a method that compares orders by other errors than it tests goes up to order 2
// and back to 1 all the time, with steps of tens of microseconds.
TEST(IdaRuns, DoNotStayAtLowOrdersInStiffSystems) {
  for (const char* stiffness : {"3e7", "1e8", "3e8"}) {
    const std::string text =
        edit_model("stiff_slider_crank",
                   {{"stiffness = [1e8, 1e8, 0]",
                     std::string("stiffness = [") + stiffness + ", " + stiffness + ", 0]"}});
    for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
      const Result own =
          run_text(text, {.method = "ggl/bdf", .tolerance = tolerance, .until = 1, .every = 0.1});
      for (const char* words : kIdaForms) {
        SCOPED_TRACE(std::string(words) + " " + stiffness + " " + text_of(tolerance));
        const Result ida =
            run_text(text, {.method = words, .tolerance = tolerance, .until = 1, .every = 0.1});
        ASSERT_EQ(ida.report.status, Status::ok) << ida.report.message;
        EXPECT_LT(ida.report.evaluations, 2 * own.report.evaluations);
      }
    }
  }
}

TEST(IdaRuns, EndWithTheWorstEquation) {
  for (const char* words : kIdaForms) {
    const Result result =
        run_text(kBeyondReach, {.method = words, .tolerance = 1e-6, .until = 2, .every = 0.03});
    EXPECT_EQ(result.report.status, Status::failed) << words;
    EXPECT_LT(result.report.t_end, 0.6) << words;
    EXPECT_FALSE(result.report.message.empty()) << words;
    EXPECT_EQ(result.report.message.find("z'"), std::string::npos)
        << words << ": " << result.report.message;
  }
}

}  // namespace
}  // namespace driftless::trials
