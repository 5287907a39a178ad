#pragma once
// Rows between two frames put together from scalars that know their derivatives, so that no element writes them again:
//
//   using ParallelAxesRows = PairFunction<Product<Axis::x, Axis::z>, Product<Axis::y, Axis::z>>;
//
// [HND.1] and [HND.2] of hand_written.hpp. For .cpp files.

#include "driftless/elements/frame_function_of.hpp"
#include "driftless/elements/hand_written.hpp"

namespace driftless {

enum class Axis { x, y, z };

template <Axis kAxis, class S>
const Vec3<S>& axis_of(const Frame<S>& frame) {
  if constexpr (kAxis == Axis::x) {
    return frame.axes.x;
  } else if constexpr (kAxis == Axis::y) {
    return frame.axes.y;
  } else {
    return frame.axes.z;
  }
}

/// p1 - p0 along an axis of frame 0.
template <Axis kAxis>
struct Shift {
  template <class S>
  static S value(const Frame<S>* f) {
    return dot(axis_of<kAxis>(f[0]), f[1].origin - f[0].origin);
  }
  static void jacobian(const Frame<double>* f, double* out, double* J) {
    hand_written::write_shift(f, axis_of<kAxis>(f[0]), out, J);
  }
  static void motion(const FrameMotion* f, double* first, double* second) {
    using namespace hand_written;
    write_dot_motion(turn_with(f[0], axis_of<kAxis>(f[0].pose)), find_gap_motion(f), first, second);
  }
  static void rate(const Frame<double>* f, const Twist* twists, double* rate) {
    hand_written::write_shift_rate(f, axis_of<kAxis>(f[0]), twists, rate);
  }
};

/// The cosine between an axis of frame 0 and one of frame 1.
template <Axis kFirst, Axis kSecond>
struct Product {
  template <class S>
  static S value(const Frame<S>* f) {
    return dot(axis_of<kFirst>(f[0]), axis_of<kSecond>(f[1]));
  }
  static void jacobian(const Frame<double>* f, double* out, double* J) {
    hand_written::write_product(axis_of<kFirst>(f[0]), axis_of<kSecond>(f[1]), out, J);
  }
  static void motion(const FrameMotion* f, double* first, double* second) {
    using namespace hand_written;
    write_dot_motion(turn_with(f[0], axis_of<kFirst>(f[0].pose)),
                     turn_with(f[1], axis_of<kSecond>(f[1].pose)), first, second);
  }
  static void rate(const Frame<double>* f, const Twist* twists, double* rate) {
    hand_written::write_product_rate(axis_of<kFirst>(f[0]), axis_of<kSecond>(f[1]), twists, rate);
  }
};

/// The angle between the frames in the plane, where they count their turns.
struct PlaneTurn {
  template <class S>
  static S value(const Frame<S>* f) {
    return f[1].angle - f[0].angle;
  }
  static void jacobian(const Frame<double>* f, double* out, double* J) {
    *out = value(f);
    hand_written::write_row({}, {0.0, 0.0, -1.0}, {}, {0.0, 0.0, 1.0}, J);
  }
  static void motion(const FrameMotion* f, double* first, double* second) {
    *first = f[1].velocity.angular.z - f[0].velocity.angular.z;
    *second = f[1].acceleration.angular.z - f[0].acceleration.angular.z;
  }
  static void rate(const Frame<double>* /*f*/, const Twist* /*twists*/, double* rate) {
    hand_written::write_row({}, {}, {}, {}, rate);
  }
};

/// One output per scalar.
template <class... Scalars>
struct PairFunction {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = sizeof...(Scalars);

  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    ((*out++ = Scalars::value(f)), ...);
  }
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    int i = 0;
    ((Scalars::jacobian(f, out + i, J + kColumns * i), ++i), ...);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    ((Scalars::motion(f, first++, second++)), ...);
  }
  void rate(const Frame<double>* f, const Twist* twists, double* rate) const {
    int i = 0;
    ((Scalars::rate(f, twists, rate + kColumns * i), ++i), ...);
  }

 private:
  static constexpr int kColumns = kTwist * kFrames;
};

}  // namespace driftless
