#pragma once
// Functions of the poses and twists of a few frames that are no rate of anything: the slip of a wheel, the components of
// an angular velocity. Linear in the twists or not, written once, templated on the scalar,
//
//   struct Slip {
//     static constexpr int kFrames = 2;
//     static constexpr int kOutputs = 2;
//     template <class S> void operator()(const MovingFrame<S>* frame, S* out) const;
//   };
//
// and made by `make_velocity_function` (velocity_function_of.hpp, for .cpp files only).
//
//   ψ                  at the poses and twists
//   J = dψ/d(twists)   Dual over 6 directions per frame                                                            [VEF.1]
//   dψ                 with the poses moving by some twists and the twists changing by others: Dual over one       [VEF.2]
//   dJ                 likewise: Dual over Dual                                                                    [VEF.3]

#include "driftless/elements/frame_function.hpp"

namespace driftless {

template <class S>
struct MovingFrame {
  Frame<S> pose;
  Vec3<S> linear;   ///< velocity of the origin
  Vec3<S> angular;  ///< world axes
};

class VelocityFunction {
 public:
  virtual ~VelocityFunction() = default;

  virtual int frames() const = 0;
  virtual int outputs() const = 0;

  /// ψ, and J row by row: outputs x (6 frames). Accelerations are not looked at. [VEF.1]
  virtual void eval_jacobian(const FrameMotion* frames, double* psi, double* jacobian) const = 0;
  /// dψ with the poses moving by `directions` and the twists changing by `changes`. [VEF.2]
  virtual void eval_change(const FrameMotion* frames, const Twist* directions, const Twist* changes,
                           double* change) const = 0;
  /// dJ likewise: outputs x (6 frames). [VEF.3]
  virtual void eval_jacobian_change(const FrameMotion* frames, const Twist* directions,
                                    const Twist* changes, double* change) const = 0;
};

}  // namespace driftless
