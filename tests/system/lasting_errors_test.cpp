// [FLD.5]: what the field takes out of an error is what the projection behind a step takes away, to first order, in whatever
// chart positions stand.

#include <random>

#include <gtest/gtest.h>

#include "driftless/drift/project.hpp"
#include "driftless/formulations/all.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

/// "NAME" or "NAME in joints".
ModelFile read(const std::string& model) {
  const auto end = model.find(" in joints");
  ModelFile file = read_model_file(find_model(model.substr(0, end)));
  if (end != std::string::npos) file.mechanism->joint_coordinates = true;
  return file;
}

class Errors {
 public:
  Errors(const std::string& model, Rotations rotations)
      : model_(prepare_model(read(model), {})),
        evaluator_(system()),
        control_(make_control(Project{}, system().info())),
        field_(make_field(BraunGoldfarb{}, evaluator_,
                          {.fixed_steps = false, .is_projected = true, .rotations = rotations},
                          {})) {}

  const State& start() const { return model_.start; }
  const StateLayout& layout() const { return field_->layout(); }

  /// y of the start, in charts centred there.
  Vector find_state() {
    Vector y = Vector::Zero(field_->size());
    field_->from_state(start().q, start().v, as_span(y));
    field_->recentre(as_span(y), true);
    return project(y);
  }

  Vector project(const Vector& y) {
    Vector q(system().info().nq), v(system().info().nv), corrected = y;
    std::vector<double> work(system().info().invariants.size());
    field_->to_state(as_span(y), q, v, work);
    CorrectionPoint point{start().t, q, v, work, evaluator_, kDefaultRankTolerance};
    EXPECT_EQ(control_->correct(point), CorrectionStatus::ok);
    field_->from_state(q, v, as_span(corrected));
    return corrected;
  }

  Vector drop(const Vector& y, Vector error) {
    field_->drop_corrected(start().t, as_span(y), as_span(error));
    return error;
  }

 private:
  const System& system() const { return model_.system(); }

  PreparedModel model_;
  Evaluator evaluator_;
  std::unique_ptr<DriftControl> control_;
  std::unique_ptr<AccelerationField> field_;
};

TEST(LastingErrors, AreWhatAProjectionLeaves) {
  constexpr double kSize = 1e-5;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const char* model :
       {"slider_crank", "double_four_bar_bodies", "four_bar_3d", "spatial_four_bar",
        "machines/stewart_platform", "machines/stewart_platform in joints", "rolling_disc"}) {
    for (const Rotations rotations : {Rotations::quaternion, Rotations::euler, Rotations::lie}) {
      SCOPED_TRACE(std::string(model) + ", " + std::string(name_of(rotations)));
      Errors errors(model, rotations);
      const Vector y = errors.find_state();
      const int nx = errors.layout().nx, nv = errors.layout().nv;
      // Where positions move, velocities turn with them: each is looked at alone.
      for (const auto& [first, count] : {std::pair{0, nx}, std::pair{nx, nv}}) {
        Vector error = Vector::Zero(y.size());
        for (double& each : error.segment(first, count)) each = kSize * number(random);
        const Vector lasting = errors.drop(y, error);
        const Vector corrected = errors.project(y + error) - y;
        EXPECT_LE(max_abs((lasting - corrected).segment(first, count)),
                  100.0 * kSize * kSize * (1.0 + max_abs(y)));
        EXPECT_LE(max_abs(errors.drop(y, lasting) - lasting), 100.0 * kSize * kSize);
        EXPECT_GT(max_abs(lasting - error), 0.1 * kSize) << "nothing was across the constraints";
      }
    }
  }
}

}  // namespace
}  // namespace driftless::trials
