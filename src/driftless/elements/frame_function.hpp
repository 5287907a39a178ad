#pragma once
// Smooth functions of the poses of a few frames: constraint rows, joint coordinates, distances, angles. A function is
// written once, templated on its scalar,
//
//   struct PointsMeet {
//     static constexpr int kFrames = 2;
//     static constexpr int kOutputs = 3;
//     template <class S> void operator()(const Frame<S>* frame, S* out) const;
//   };
//
// and `make_frame_function` (frame_function_of.hpp, for .cpp files only) turns it into the interface below. With twists
// (u, ω) of the frames in world axes at their origins, and accelerations (u', ω'),
//
//   f       at the poses
//   J       df = Σ J_k (δp_k, δθ_k)                    Dual over 6 directions per frame; δR = δθ × R               [FRF.1]
//   f', f'' along a motion                             Jet: p + u s + u' s²/2, R + (ω×)R s + (ω'× + ω×ω×)R s²/2   [FRF.2]
//   dJ/ds   along twists                               Dual over Dual                                              [FRF.3]
//
// A function may bring J, f' and f'' written out by hand (hand_written.hpp).
// An element knows no coordinates, no state vector and no method.
//
// Turns. In space a pose knows an angle up to whole turns only. A function that needs the turns (a screw) declares
// `static constexpr int kTurns` and takes one offset 2π n per angle, added to that angle:
//
//     template <class S> void operator()(const Frame<S>* frame, const double* turns, S* out) const;
//
// Whoever watches the motion counts n. The offsets are constants: they do not appear in derivatives.

#include <memory>

#include "driftless/math/vec3.hpp"

namespace driftless {

struct Twist {
  Vector3 linear;   ///< of the frame's origin
  Vector3 angular;  ///< world axes
};

/// A frame, how it moves, and how that changes while v' = 0 (or with the whole acceleration).
struct FrameMotion {
  Frame<double> pose;
  Twist velocity;
  Twist acceleration;
};

class FrameFunction {
 public:
  virtual ~FrameFunction() = default;

  virtual int frames() const = 0;
  virtual int outputs() const = 0;
  /// Length of `turns` below; null counts as no turns.
  virtual int turn_inputs() const { return 0; }

  virtual void eval(const Frame<double>* frames, double* f,
                    const double* turns = nullptr) const = 0;
  /// f, and J row by row: outputs x (6 frames). [FRF.1]
  virtual void eval_jacobian(const Frame<double>* frames, double* f, double* jacobian,
                             const double* turns = nullptr) const = 0;
  /// f' and f''. [FRF.2]
  virtual void eval_motion(const FrameMotion* frames, double* first, double* second,
                           const double* turns = nullptr) const = 0;
  /// dJ/ds with the frames moving by `twists`: outputs x (6 frames). [FRF.3]
  virtual void eval_jacobian_rate(const Frame<double>* frames, const Twist* twists, double* rate,
                                  const double* turns = nullptr) const = 0;
};

}  // namespace driftless
