// Projection onto the constraints by a simplified Newton's method: as closed as by a full one, at the cost of one factorisation.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

struct LongSteps {
  const char* model;
  double step, until;
  bool is_wide;  ///< so wide a gap that one factorisation does not close it
};

// The stages of rk4 factorise four times, the projection once at the end of the step and once, for velocities, where it has moved
// q; the first stage of the next step has the last one's factors. A full Newton's method takes one more for each pass.
TEST(Projection, ClosesWideGapsWithOneFactorisation) {
  for (const LongSteps& each :
       {LongSteps{"pendulum", 0.25, 10, false}, LongSteps{"slider_crank_bodies", 0.05, 2, false},
        LongSteps{"four_bar_3d", 0.04, 2, false}, LongSteps{"four_bar", 0.05, 2, true}}) {
    SCOPED_TRACE(each.model);
    const Result result = run_model(each.model, {.method = "index1/rk4/project",
                                                 .step = each.step,
                                                 .until = each.until,
                                                 .every = each.until});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_LT(result.report.max_phi, 1e-11);
    const double steps = static_cast<double>(result.report.steps);
    const double factorisations = static_cast<double>(result.report.factorisations);
    if (each.is_wide) {
      EXPECT_GT(factorisations, 5.2 * steps);  // here it is not enough, and found not to be
    } else {
      EXPECT_LT(factorisations, 5.2 * steps);
    }
  }
}

}  // namespace
}  // namespace driftless::trials
