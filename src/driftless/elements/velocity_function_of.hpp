#pragma once
// From a function templated on its scalar to a VelocityFunction. For .cpp files only: everything is instantiated here.

#include <memory>
#include <utility>

#include "driftless/elements/frame_function_of.hpp"
#include "driftless/elements/velocity_function.hpp"

namespace driftless {

template <class Function>
class VelocityFunctionOf final : public VelocityFunction {
 public:
  explicit VelocityFunctionOf(Function function) : function_(std::move(function)) {}

  int frames() const override { return kFrames; }
  int outputs() const override { return kOutputs; }

  void eval_jacobian(const FrameMotion* frames, double* psi, double* jacobian) const override {
    using Scalar = Dual<double, kColumns>;
    MovingFrame<Scalar> moving[kFrames];
    Scalar out[kOutputs];
    for (int k = 0; k < kFrames; ++k) {
      moving[k].pose = frame_function_parts::lift<Scalar>(frames[k].pose);
      const double* const twist[] = {&frames[k].velocity.linear.x,  &frames[k].velocity.linear.y,
                                     &frames[k].velocity.linear.z,  &frames[k].velocity.angular.x,
                                     &frames[k].velocity.angular.y, &frames[k].velocity.angular.z};
      Scalar* const entries[] = {&moving[k].linear.x,  &moving[k].linear.y,  &moving[k].linear.z,
                                 &moving[k].angular.x, &moving[k].angular.y, &moving[k].angular.z};
      for (int i = 0; i < kTwist; ++i) {
        entries[i]->value = *twist[i];
        entries[i]->d[kTwist * k + i] = 1.0;
      }
    }
    function_(moving, out);
    for (int i = 0; i < kOutputs; ++i) {
      psi[i] = out[i].value;
      for (int j = 0; j < kColumns; ++j) jacobian[i * kColumns + j] = out[i].d[j];
    }
  }

  void eval_change(const FrameMotion* frames, const Twist* directions, const Twist* changes,
                   double* change) const override {
    using frame_function_parts::Line;
    using frame_function_parts::make_line;
    MovingFrame<Line> moving[kFrames];
    Line out[kOutputs];
    for (int k = 0; k < kFrames; ++k) {
      moving[k] = {frame_function_parts::move(frames[k].pose, directions[k]),
                   make_line(frames[k].velocity.linear, changes[k].linear),
                   make_line(frames[k].velocity.angular, changes[k].angular)};
    }
    function_(moving, out);
    for (int i = 0; i < kOutputs; ++i) change[i] = out[i].d[0];
  }

 private:
  static constexpr int kFrames = Function::kFrames;
  static constexpr int kOutputs = Function::kOutputs;
  static constexpr int kColumns = kTwist * kFrames;

  Function function_;
};

template <class Function>
std::unique_ptr<VelocityFunction> make_velocity_function(Function function) {
  return std::make_unique<VelocityFunctionOf<Function>>(std::move(function));
}

}  // namespace driftless
