#pragma once
// What joints have in common that turn about z and shift along it: cylindrical and screw. For .cpp files.

#include "driftless/elements/joints/nearest_pose.hpp"

namespace driftless {

/// The angle about the axis, up to whole turns, and the shift along it.
struct ShaftCoordinates {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 2;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_angle(f);
    out[1] = find_shift(f).z;
  }
};

inline Frame<double> find_nearest_on_shaft(const Frame<double>* f) {
  return {keep_shift(f, false, false, true), align_axis(f), f[1].angle};
}

}  // namespace driftless
