#include "driftless/elements/forces/force.hpp"

#include <cassert>
#include <utility>
#include <vector>

namespace driftless {
namespace {

constexpr int kMaxFrames = 3;

class ScalarForce final : public ForceKernel {
 public:
  ScalarForce(std::unique_ptr<FrameFunction> scalar, std::unique_ptr<ScalarLaw> law)
      : scalar_(std::move(scalar)), law_(std::move(law)) {
    assert(scalar_->outputs() == 1 && scalar_->frames() <= kMaxFrames);
  }

  int frames() const override { return scalar_->frames(); }
  bool has_potential() const override { return law_->has_potential(); }
  bool has_applied() const override { return law_->has_applied(); }

  double eval_potential(const Frame<double>* frames, Wrench* wrenches) const override {
    double s = 0.0;
    double jacobian[kTwist * kMaxFrames];
    scalar_->eval_jacobian(frames, &s, jacobian);
    double slope = 0.0;
    const double energy = law_->eval_potential(s, slope);
    add(-slope, jacobian, wrenches);
    return energy;
  }

  void eval_applied(double t, const FrameMotion* frames, Wrench* wrenches) const override {
    Frame<double> poses[kMaxFrames];
    for (int k = 0; k < scalar_->frames(); ++k) poses[k] = frames[k].pose;
    double s = 0.0;
    double jacobian[kTwist * kMaxFrames];
    scalar_->eval_jacobian(poses, &s, jacobian);
    double rate = 0.0;
    for (int k = 0; k < scalar_->frames(); ++k) {
      const double* j = jacobian + kTwist * k;
      rate += dot(Wrench{{j[0], j[1], j[2]}, {j[3], j[4], j[5]}}, frames[k].velocity);
    }
    add(law_->eval_applied(t, s, rate), jacobian, wrenches);
  }

 private:
  void add(double force, const double* jacobian, Wrench* wrenches) const {
    for (int k = 0; k < scalar_->frames(); ++k) {
      const double* j = jacobian + kTwist * k;
      wrenches[k] += {force * Vector3{j[0], j[1], j[2]}, force * Vector3{j[3], j[4], j[5]}};
    }
  }

  std::unique_ptr<FrameFunction> scalar_;
  std::unique_ptr<ScalarLaw> law_;
};

}  // namespace

std::unique_ptr<ForceKernel> make_scalar_force(std::unique_ptr<FrameFunction> scalar,
                                               std::unique_ptr<ScalarLaw> law) {
  return std::make_unique<ScalarForce>(std::move(scalar), std::move(law));
}

}  // namespace driftless
