// Errors of hand-made results.

#include "driftless/studies/run_error.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

/// One body in space, one coordinate beside it, and a joint with a reaction that is unique and one that is not.
SystemInfo make_info() {
  SystemInfo info;
  info.coordinates = {"b.x", "b.y", "b.z", "b.q0", "b.q1", "b.q2", "b.q3", "a"};
  info.coordinate_units = {"m", "m", "m", "", "", "", "", "rad"};
  info.rates = {"b.x'", "a'"};
  info.rate_units = {"m/s", "rad/s"};
  info.bodies = {{.name = "b", .coordinate = 0, .rates = 6, .turns = 3}};
  info.elements = {{.name = "J", .rows = {}, .bodies = {}}};
  info.records = {"J.force.x", "J.force.y", "J.angle", "JJ.force.x", "spring.force"};
  info.record_units = {"N", "N", "rad", "N", "N"};
  return info;
}

Result make_result(const SystemInfo& info, const std::vector<double>& times) {
  Result result;
  result.columns = {{"t", "s"}};
  for (const auto* names : {&info.coordinates, &info.rates, &info.records}) {
    for (const std::string& name : *names) result.columns.push_back({name, ""});
  }
  for (const double t : times) {
    // Lengths up to 3, the orientation of a turn of 0.8 rad, an angle of 4, rates up to 2 and 5, reactions up to 50.
    const std::vector<double> row{t,  1, -3, 0.5, std::cos(0.4), 0, 0, std::sin(0.4), 4, 2, -5, 50,
                                  20, 9, 7,  8};
    result.data.insert(result.data.end(), row.begin(), row.end());
  }
  return result;
}

void change(Result& result, std::size_t row, const std::string& column, double by) {
  const int index = result.find_column(column);
  ASSERT_GE(index, 0) << column;
  result.data[row * result.columns.size() + static_cast<std::size_t>(index)] += by;
}

void fill(Result& result, const std::string& column, double value) {
  const auto index = static_cast<std::size_t>(result.find_column(column));
  for (std::size_t row = 0; row < result.row_count(); ++row)
    result.data[row * result.columns.size() + index] = value;
}

class ErrorOfRun : public ::testing::Test {
 protected:
  const SystemInfo info = make_info();
  const Result reference = make_result(info, {0, 0.5, 1});
  const ErrorMeasure measure{info, reference, "r.h5"};
  Result run = reference;
};

TEST_F(ErrorOfRun, IsRelativeToTheLargestOfTheSameUnit) {
  EXPECT_EQ(measure.find(run).q, 0.0);
  change(run, 1, "b.x", 0.06);
  change(run, 2, "a'", -0.5);
  change(run, 2, "J.force.y", 1.0);
  const RunErrors errors = measure.find(run);
  EXPECT_NEAR(errors.q, 0.02, 1e-14) << "of 3 m, though b.x itself is 1";
  EXPECT_NEAR(errors.v, 0.1, 1e-14);
  EXPECT_NEAR(errors.lambda, 0.02, 1e-14) << "of 50 N";
  EXPECT_EQ(errors.samples, 3U);
  change(run, 2, "a", 0.4);
  EXPECT_NEAR(measure.find(run).q, 0.1, 1e-14) << "of 4 rad";
}

TEST_F(ErrorOfRun, KnowsWhichColumnsAreReactions) {
  for (const char* other : {"J.angle", "JJ.force.x", "spring.force"}) change(run, 1, other, 100);
  EXPECT_EQ(measure.find(run).lambda, 0.0);
  change(run, 1, "J.force.x", 5);
  EXPECT_NEAR(measure.find(run).lambda, 0.1, 1e-14);
  run.report.not_unique = {"J.force.x"};
  EXPECT_EQ(measure.find(run).lambda, 0.0) << "shared in another way";
  run.report.not_unique = {"J.force.x", "J.force.y"};
  EXPECT_TRUE(std::isnan(measure.find(run).lambda)) << "nothing is left to compare";
}

TEST_F(ErrorOfRun, TakesQuaternionsAsRotations) {
  const char* const parts[] = {"b.q0", "b.q1", "b.q2", "b.q3"};
  for (const char* part : parts) {
    const int index = run.find_column(part);
    change(run, 1, part, -2 * reference.row(1)[static_cast<std::size_t>(index)]);
  }
  EXPECT_LT(measure.find(run).q, 1e-15) << "of the other sign";
  // Turned by 1e-9 rad more: below what an arc cosine could tell.
  change(run, 2, "b.q0", std::cos(0.4 + 0.5e-9) - std::cos(0.4));
  change(run, 2, "b.q3", std::sin(0.4 + 0.5e-9) - std::sin(0.4));
  EXPECT_NEAR(measure.find(run).q, 1e-9, 1e-15);
  for (const char* part : parts) {  // its length says nothing
    const int index = run.find_column(part);
    change(run, 0, part, 0.7 * reference.row(0)[static_cast<std::size_t>(index)]);
  }
  EXPECT_NEAR(measure.find(run).q, 1e-9, 1e-15);
}

TEST_F(ErrorOfRun, RoundOffHasNoSizeOfItsOwn) {
  SystemInfo torques = info;
  torques.record_units = {"N", "N*m", "rad", "N", "N"};  // J.force.y stands for a torque
  Result quiet = reference;
  fill(quiet, "J.force.y", 1e-14);
  run = quiet;
  change(run, 1, "J.force.y", 1e-13);
  EXPECT_LT(ErrorMeasure(torques, quiet, "r.h5").find(run).lambda, 1e-14) << "of 50 N";
  fill(quiet, "J.force.x", 0.0);
  fill(quiet, "J.force.y", 0.0);
  Result none = quiet;
  change(none, 2, "J.force.x", 0.25);
  EXPECT_NEAR(ErrorMeasure(torques, quiet, "r.h5").find(none).lambda, 0.25, 1e-12) << "all zero";
}

TEST_F(ErrorOfRun, ComparesAtCommonTimesOnly) {
  Result other = make_result(info, {0, 0.25, 0.5, 0.75, 1});
  change(other, 1, "b.x", 9);
  change(other, 3, "b.x", 9);
  change(other, 4, "b.x", 0.3);
  EXPECT_NEAR(measure.find(other).q, 0.1, 1e-14);
  EXPECT_EQ(measure.find(other).samples, 3U);
  EXPECT_THROW(measure.find(make_result(info, {0, 0.3, 0.6})), ModelError);
}

TEST_F(ErrorOfRun, IsInfiniteWhereAValueIsNotFinite) {
  change(run, 1, "b.x", NAN);
  EXPECT_EQ(measure.find(run).q, INFINITY);
}

TEST_F(ErrorOfRun, RefusesAResultOfAnotherModel) {
  Result other = reference;
  other.columns[1].name = "c.x";
  try {
    const ErrorMeasure wrong(info, other, "r.h5");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().front().message, "r.h5 has no column 'b.x', which the model has");
  }
  EXPECT_THROW(ErrorMeasure(info, Result{}, "r.h5"), ModelError);
}

}  // namespace
}  // namespace driftless
