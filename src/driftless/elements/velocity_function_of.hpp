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
      seed_twist(frames[k].velocity.linear, frames[k].velocity.angular, kTwist * k, moving[k]);
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

  void eval_jacobian_change(const FrameMotion* frames, const Twist* directions,
                            const Twist* changes, double* change) const override {
    using frame_function_parts::Line;
    using frame_function_parts::make_line;
    using Scalar = Dual<Line, kColumns>;
    MovingFrame<Scalar> moving[kFrames];
    Scalar out[kOutputs];
    for (int k = 0; k < kFrames; ++k) {
      moving[k].pose = frame_function_parts::raise<kColumns>(
          frame_function_parts::move(frames[k].pose, directions[k]));
      seed_twist(make_line(frames[k].velocity.linear, changes[k].linear),
                 make_line(frames[k].velocity.angular, changes[k].angular), kTwist * k, moving[k]);
    }
    function_(moving, out);
    for (int i = 0; i < kOutputs; ++i) {
      for (int j = 0; j < kColumns; ++j) change[i * kColumns + j] = out[i].d[j].d[0];
    }
  }

 private:
  static constexpr int kFrames = Function::kFrames;
  static constexpr int kOutputs = Function::kOutputs;
  static constexpr int kColumns = kTwist * kFrames;

  /// The twist's values, and its unit directions from d[first] on.
  template <class S>
  static void seed_twist(const Vec3<S>& linear, const Vec3<S>& angular, int first,
                         MovingFrame<Dual<S, kColumns>>& frame) {
    const S* const twist[] = {&linear.x, &linear.y, &linear.z, &angular.x, &angular.y, &angular.z};
    Dual<S, kColumns>* const entries[] = {&frame.linear.x,  &frame.linear.y,  &frame.linear.z,
                                          &frame.angular.x, &frame.angular.y, &frame.angular.z};
    for (int i = 0; i < kTwist; ++i) {
      entries[i]->value = *twist[i];
      entries[i]->d[first + i] = 1.0;
    }
  }

  Function function_;
};

template <class Function>
std::unique_ptr<VelocityFunction> make_velocity_function(Function function) {
  return std::make_unique<VelocityFunctionOf<Function>>(std::move(function));
}

}  // namespace driftless
