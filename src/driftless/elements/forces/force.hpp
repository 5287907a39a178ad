#pragma once
// What a force is made of. Two ways:
//
// Along one scalar of the motion (a distance, a joint's angle): a law made of expressions, `make_law` (elements/law.hpp).
// With the Jacobian J of the scalar, a force τ along it is the wrench Jᵀ τ.
//
// On frames: a kernel that gives a wrench for each, force at the frame's origin and torque, world axes, `make_force`. It
// knows the frames' motion and the values of the formulas that it asked for. Two parts, either may be absent:
//
//   potential   U(poses), with wrench -dU: counted in the energy                                                   [FRC.1]
//   applied     a wrench of formulas, poses and twists: its power Σ wrench·twist feeds the energy balance          [FRC.2]

#include <memory>
#include <string>
#include <vector>

#include "driftless/elements/frame_function.hpp"
#include "driftless/elements/law.hpp"

namespace driftless {

/// Force at the frame's origin, and torque.
struct Wrench {
  Vector3 force;
  Vector3 torque;

  Wrench& operator+=(const Wrench& other) {
    force = force + other.force;
    torque = torque + other.torque;
    return *this;
  }
};

inline double dot(const Wrench& wrench, const Twist& twist) {
  return dot(wrench.force, twist.linear) + dot(wrench.torque, twist.angular);
}

class ForceKernel {
 public:
  virtual ~ForceKernel() = default;

  virtual int frames() const = 0;
  virtual bool has_potential() const = 0;
  virtual bool has_applied() const = 0;

  /// U; -dU is added to `wrenches`.
  virtual double eval_potential(const Frame<double>* frames, Wrench* wrenches) const = 0;
  /// Added to `wrenches`. `inputs`: the values of ForceParts::inputs.
  virtual void eval_applied(const double* inputs, const FrameMotion* frames,
                            Wrench* wrenches) const = 0;
  /// How both together change while the inputs change by `input_changes`, the frames move by `directions` and their
  /// twists change by `changes`. Overwrites `wrench_changes`.                                                     [FRC.3]
  virtual void eval_change(const double* inputs, const FrameMotion* frames,
                           const double* input_changes, const Twist* directions,
                           const Twist* changes, Wrench* wrench_changes) const = 0;
  /// Of a force that is not finite: why, as "is turned by ...", and what to do. Left alone if nothing is known.
  virtual void explain_fault(const Frame<double>* /*frames*/, std::string& /*reason*/,
                             std::string& /*remedy*/) const {}
};

struct ForceParts {
  std::unique_ptr<ForceKernel> kernel;  ///< null: something is wrong, which is noted
  std::vector<NodeId> inputs = {};
};

}  // namespace driftless
