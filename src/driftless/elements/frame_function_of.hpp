#pragma once
// From a function templated on its scalar to a FrameFunction. For .cpp files only: everything is instantiated here.

#include <memory>
#include <utility>

#include "driftless/elements/frame_function.hpp"

namespace driftless {
namespace frame_function_parts {

/// A frame with all its numbers in another scalar.
template <class S>
Frame<S> lift(const Frame<double>& frame) {
  const auto vec = [](const Vector3& a) { return Vec3<S>{S(a.x), S(a.y), S(a.z)}; };
  return {
      vec(frame.origin), {vec(frame.axes.x), vec(frame.axes.y), vec(frame.axes.z)}, S(frame.angle)};
}

/// Unit directions of the twist into d[first], d[first + 1], ...: three shifts, then three turns about the world's axes.
template <class S, int N>
void seed(Frame<Dual<S, N>>& frame, int first) {
  frame.origin.x.d[first] = 1.0;
  frame.origin.y.d[first + 1] = 1.0;
  frame.origin.z.d[first + 2] = 1.0;
  for (Vec3<Dual<S, N>>* axis : {&frame.axes.x, &frame.axes.y, &frame.axes.z}) {
    const S x = axis->x.value;
    const S y = axis->y.value;
    const S z = axis->z.value;
    axis->y.d[first + 3] = -z;  // e_x × a = (0, -z, y)
    axis->z.d[first + 3] = y;
    axis->x.d[first + 4] = z;  // e_y × a = (z, 0, -x)
    axis->z.d[first + 4] = -x;
    axis->x.d[first + 5] = -y;  // e_z × a = (-y, x, 0)
    axis->y.d[first + 5] = x;
  }
  frame.angle.d[first + 5] = 1.0;
}

using Line = Dual<double, 1>;

inline Line make_line(double value, double slope) {
  Line line(value);
  line.d[0] = slope;
  return line;
}
inline Vec3<Line> make_line(const Vector3& value, const Vector3& slope) {
  return {make_line(value.x, slope.x), make_line(value.y, slope.y), make_line(value.z, slope.z)};
}
inline Frame<Line> move(const Frame<double>& frame, const Twist& twist) {
  const auto turn = [&](const Vector3& axis) {
    return make_line(axis, cross(twist.angular, axis));
  };
  return {make_line(frame.origin, twist.linear),
          {turn(frame.axes.x), turn(frame.axes.y), turn(frame.axes.z)},
          make_line(frame.angle, twist.angular.z)};
}

template <int N>
Vec3<Dual<Line, N>> raise(const Vec3<Line>& a) {
  Vec3<Dual<Line, N>> result;
  result.x.value = a.x;
  result.y.value = a.y;
  result.z.value = a.z;
  return result;
}
template <int N>
Frame<Dual<Line, N>> raise(const Frame<Line>& frame) {
  Frame<Dual<Line, N>> result;
  result.origin = raise<N>(frame.origin);
  result.axes = {raise<N>(frame.axes.x), raise<N>(frame.axes.y), raise<N>(frame.axes.z)};
  result.angle.value = frame.angle;
  return result;
}

inline Vec3<Jet> make_jet(const Vector3& a, const Vector3& first, const Vector3& second) {
  return {Jet(a.x, first.x, second.x), Jet(a.y, first.y, second.y), Jet(a.z, first.z, second.z)};
}
inline Frame<Jet> make_jet(const FrameMotion& motion) {
  const Vector3& w = motion.velocity.angular;
  const auto turn = [&](const Vector3& axis) {
    const Vector3 first = cross(w, axis);
    return make_jet(axis, first, cross(motion.acceleration.angular, axis) + cross(w, first));
  };
  const Axes<double>& axes = motion.pose.axes;
  return {make_jet(motion.pose.origin, motion.velocity.linear, motion.acceleration.linear),
          {turn(axes.x), turn(axes.y), turn(axes.z)},
          Jet(motion.pose.angle, w.z, motion.acceleration.angular.z)};
}

template <class Function>
constexpr int count_turns() {
  if constexpr (requires { Function::kTurns; }) {
    return Function::kTurns;
  } else {
    return 0;
  }
}

}  // namespace frame_function_parts

template <class Function>
class FrameFunctionOf final : public FrameFunction {
 public:
  explicit FrameFunctionOf(Function function) : function_(std::move(function)) {}

  int frames() const override { return kFrames; }
  int outputs() const override { return kOutputs; }

  int turn_inputs() const override { return kTurns; }

  void eval(const Frame<double>* frames, double* f, const double* turns) const override {
    call(frames, turns, f);
  }

  void eval_jacobian(const Frame<double>* frames, double* f, double* jacobian,
                     const double* turns) const override {
    if constexpr (requires { function_.jacobian(frames, f, jacobian); }) {
      function_.jacobian(frames, f, jacobian);
    } else {
      differentiate(frames, f, jacobian, turns);
    }
  }

  void eval_motion(const FrameMotion* frames, double* first, double* second,
                   const double* turns) const override {
    if constexpr (requires { function_.motion(frames, first, second); }) {
      function_.motion(frames, first, second);
    } else {
      follow(frames, first, second, turns);
    }
  }

  /// [FRF.1] by the template.
  void differentiate(const Frame<double>* frames, double* f, double* jacobian,
                     const double* turns) const {
    using Scalar = Dual<double, kColumns>;
    Frame<Scalar> moved[kFrames];
    Scalar out[kOutputs];
    for (int k = 0; k < kFrames; ++k) {
      moved[k] = frame_function_parts::lift<Scalar>(frames[k]);
      frame_function_parts::seed(moved[k], kTwist * k);
    }
    call(moved, turns, out);
    for (int i = 0; i < kOutputs; ++i) {
      f[i] = out[i].value;
      for (int j = 0; j < kColumns; ++j) jacobian[i * kColumns + j] = out[i].d[j];
    }
  }

  /// [FRF.2] by the template.
  void follow(const FrameMotion* frames, double* first, double* second, const double* turns) const {
    Frame<Jet> moved[kFrames];
    Jet out[kOutputs];
    for (int k = 0; k < kFrames; ++k) moved[k] = frame_function_parts::make_jet(frames[k]);
    call(moved, turns, out);
    for (int i = 0; i < kOutputs; ++i) {
      first[i] = out[i].first;
      second[i] = out[i].second;
    }
  }

  void eval_jacobian_rate(const Frame<double>* frames, const Twist* twists, double* rate,
                          const double* turns) const override {
    if constexpr (requires { function_.rate(frames, twists, rate); }) {
      function_.rate(frames, twists, rate);
    } else {
      differentiate_rate(frames, twists, rate, turns);
    }
  }

  /// [FRF.3] by the template.
  void differentiate_rate(const Frame<double>* frames, const Twist* twists, double* rate,
                          const double* turns) const {
    using Scalar = Dual<frame_function_parts::Line, kColumns>;
    Frame<Scalar> moved[kFrames];
    Scalar out[kOutputs];
    for (int k = 0; k < kFrames; ++k) {
      moved[k] =
          frame_function_parts::raise<kColumns>(frame_function_parts::move(frames[k], twists[k]));
      frame_function_parts::seed(moved[k], kTwist * k);
    }
    call(moved, turns, out);
    for (int i = 0; i < kOutputs; ++i) {
      for (int j = 0; j < kColumns; ++j) rate[i * kColumns + j] = out[i].d[j].d[0];
    }
  }

 private:
  static constexpr int kFrames = Function::kFrames;
  static constexpr int kOutputs = Function::kOutputs;
  static constexpr int kColumns = kTwist * kFrames;
  static constexpr int kTurns = frame_function_parts::count_turns<Function>();

  template <class S>
  void call(const Frame<S>* frames, [[maybe_unused]] const double* turns, S* out) const {
    if constexpr (kTurns > 0) {
      static constexpr double kNone[kTurns] = {};
      function_(frames, turns != nullptr ? turns : kNone, out);
    } else {
      function_(frames, out);
    }
  }

  Function function_;
};

template <class Function>
std::unique_ptr<FrameFunction> make_frame_function(Function function) {
  return std::make_unique<FrameFunctionOf<Function>>(std::move(function));
}

}  // namespace driftless
