#pragma once
// The distance of two origins, for forces along their line. At s = 0 the line has no direction; the distance is therefore
// taken as sqrt(d·d + ε²), ε = 1e-9 m: the force stays finite, and beyond a micrometre nothing is changed in the last
// digit that counts. For .cpp files.                                                                             [PTD.1]

#include "driftless/elements/frame_function_of.hpp"

namespace driftless {

struct PointDistance {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;

  double least_squared = 1e-18;  ///< ε²

  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    using std::sqrt;
    const Vec3<S> d = f[1].origin - f[0].origin;
    out[0] = sqrt(dot(d, d) + least_squared);
  }
};

}  // namespace driftless
