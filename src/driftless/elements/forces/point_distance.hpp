#pragma once
// The distance of two origins, for forces along their line. At s = 0 the line has no direction; the distance is therefore
// taken as sqrt(d·d + ε²), ε = 1e-9 m: the force stays finite, and beyond a micrometre nothing is changed in the last
// digit that counts. For .cpp files.                                                                             [PTD.1]

#include "driftless/elements/frame_function_of.hpp"
#include "driftless/elements/hand_written.hpp"

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

  // l² = d·d + ε²: l l' = d·d', l l'' = d'·d' + d·d'' - l'².
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    (*this)(f, out);
    hand_written::write_half_square(f, 1.0 / out[0], J);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    const hand_written::Moving d = hand_written::find_gap_motion(f);
    const double length = std::sqrt(dot(d.value, d.value) + least_squared);
    *first = dot(d.value, d.first) / length;
    *second = (dot(d.first, d.first) + dot(d.value, d.second) - *first * *first) / length;
  }
  void rate(const Frame<double>* f, const Twist* twists, double* rate) const {
    const Vector3 d = f[1].origin - f[0].origin;
    const Vector3 d_rate = twists[1].linear - twists[0].linear;
    const double squared = dot(d, d) + least_squared;
    const Vector3 change = (1.0 / std::sqrt(squared)) * (d_rate - (dot(d, d_rate) / squared) * d);
    hand_written::write_row(-change, {}, change, {}, rate);
  }
};

}  // namespace driftless
