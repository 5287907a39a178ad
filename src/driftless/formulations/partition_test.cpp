#include "driftless/formulations/partition.hpp"

#include <gtest/gtest.h>

#include "driftless/run/exam_models_test.hpp"

namespace driftless {
namespace {

/// x^2 + y^2 = 1 with y dependent: for x = 1.5 there is no y.
TEST(PartitionField, NamesTheConstraintThatCannotBeClosed) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  Evaluator evaluator(*system);
  PartitionField field(evaluator, Partition{}, Partition{}.field_options(),
                       PartitionField::Equations::partial_velocities, {});
  Vector y = testing::make_vector({0.6, -0.8, 0.8, 0.6});
  Vector slope(4);
  y.conservativeResize(field.size());
  slope.resize(field.size());
  field.begin_step(0.0, 0.1, as_span(y), {});
  ASSERT_TRUE(field.eval(0.0, as_span(y), as_span(slope)));
  y[0] = 1.5;
  EXPECT_FALSE(field.eval(0.25, as_span(y), as_span(slope)));
  const std::string& row = system->info().rows[0];
  EXPECT_EQ(field.worst(), row);
  EXPECT_NE(field.failure().find("at t = 0.25 the dependent coordinates cannot be found"),
            std::string::npos);
  EXPECT_NE(field.failure().find("constraint '" + row + "' stays open by"), std::string::npos)
      << field.failure();
}

/// Where y runs out of slope the roles change, once, and the state does not jump.
TEST(PartitionField, ChangesItsPartitionWhereItBecomesPoor) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  Evaluator evaluator(*system);
  PartitionField field(evaluator, Partition{}, Partition{}.field_options(),
                       PartitionField::Equations::multipliers, {});
  Vector y = Vector::Zero(field.size());
  for (int k = 0; k <= 60; ++k) {  // from the bottom to the side
    const double angle = -std::acos(-1.0) / 2 * (1.0 - k / 60.0);
    y[0] = std::cos(angle);
    y[1] = std::sin(angle);
    field.begin_step(0.1 * k, 0.1, as_span(y), {});
    Vector q = y.head(2), v = y.segment(2, 2);
    ASSERT_TRUE(field.correct(0.1 * k, q, v));
    EXPECT_LE(max_abs(q - y.head(2)), 1e-15);
  }
  std::vector<std::pair<std::string, double>> figures;
  field.add_figures(figures);
  EXPECT_EQ(figures[0].first, "partition_changes");
  EXPECT_EQ(figures[0].second, 1.0);
  EXPECT_LE(figures[1].second, 1.2) << "never worse than about 1";
}

}  // namespace
}  // namespace driftless
