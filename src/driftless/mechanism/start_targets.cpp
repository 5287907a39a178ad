#include <cmath>
#include <numbers>
#include <utility>

#include "driftless/mechanism/kinematics.hpp"
#include "driftless/mechanism/mechanism_system.hpp"

namespace driftless {
namespace {

class MechanismTargets final : public StartTargets {
 public:
  MechanismTargets(std::shared_ptr<const MechanismParts> parts, std::vector<StartTarget> targets,
                   std::vector<Measure> measures)
      : parts_(std::move(parts)),
        kinematics_(*parts_),
        measures_(std::move(measures)),
        state_(kinematics_.make_state()) {
    list_ = std::move(targets);
  }

  double eval_position(std::size_t index, ConstVectorRef q, VectorRef row) const override {
    const Measure& measure = measures_[index];
    kinematics_.place(q, state_);
    eval_function(measure, row);
    const double difference =
        state_.first[static_cast<std::size_t>(measure.component)] - list_[index].value;
    // An angle is met by any number of turns; the counter starts with the wanted one.
    return measure.counter < 0 ? difference : std::remainder(difference, 2.0 * std::numbers::pi);
  }

  int find_counter(std::size_t index) const override { return measures_[index].counter; }

  double eval_rate(std::size_t index, ConstVectorRef q, ConstVectorRef v,
                   VectorRef row) const override {
    const Measure& measure = measures_[index];
    kinematics_.place(q, state_);
    if (measure.kind == Measure::Kind::velocity) {
      const VelocityBlock& block = parts_->velocities[static_cast<std::size_t>(measure.block)];
      kinematics_.move(v, state_);
      kinematics_.eval_velocity(block, state_, state_.first.data(), state_.jacobian.data());
      fill(block.frames, measure.component, row);
    } else {
      eval_function(measure, row);
    }
    return row.dot(v) - list_[index].value;
  }

 private:
  void eval_function(const Measure& measure, VectorRef row) const {
    const FunctionBlock& block = parts_->functions[static_cast<std::size_t>(measure.block)];
    kinematics_.eval_jacobian(block, state_, state_.first.data(), state_.jacobian.data());
    fill(block.frames, measure.component, row);
  }
  void fill(const std::vector<int>& frames, int output, VectorRef row) const {
    row.setZero();
    const std::size_t columns = kTwist * frames.size();
    kinematics_.add_row(frames, state_.jacobian.data() + static_cast<std::size_t>(output) * columns,
                        1.0, state_, row);
  }

  std::shared_ptr<const MechanismParts> parts_;
  Kinematics kinematics_;
  std::vector<Measure> measures_;
  mutable MotionState state_;
};

}  // namespace

std::shared_ptr<const StartTargets> make_start_targets(std::shared_ptr<const MechanismParts> parts,
                                                       std::vector<StartTarget> targets,
                                                       std::vector<Measure> measures) {
  return std::make_shared<MechanismTargets>(std::move(parts), std::move(targets),
                                            std::move(measures));
}

}  // namespace driftless
