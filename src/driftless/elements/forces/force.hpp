#pragma once
// What a force is made of. It acts on a few frames; it knows their motion and the time, and gives a wrench for each:
// force at the frame's origin and torque, world axes. Two parts, either may be absent:
//
//   potential   U(poses), with wrench -dU: counted in the energy                                                   [FRC.1]
//   applied     a wrench of time, poses and twists: its power Σ wrench·twist feeds the energy balance              [FRC.2]
//
// Most forces are a law on one scalar s of the frames (a distance, a joint's angle): with s, its rate s' and the
// Jacobian J of s, a force τ along s is the wrench Jᵀ τ (`ScalarForce`).

#include <memory>

#include "driftless/elements/frame_function.hpp"

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
  /// Added to `wrenches`.
  virtual void eval_applied(double t, const FrameMotion* frames, Wrench* wrenches) const = 0;
};

/// A law on one scalar: τ = -dU/ds + applied.
class ScalarLaw {
 public:
  virtual ~ScalarLaw() = default;
  virtual bool has_potential() const = 0;
  virtual bool has_applied() const = 0;
  virtual double eval_potential(double s, double& slope) const = 0;
  virtual double eval_applied(double t, double s, double rate) const = 0;
};

/// `scalar` has one output.
std::unique_ptr<ForceKernel> make_scalar_force(std::unique_ptr<FrameFunction> scalar,
                                               std::unique_ptr<ScalarLaw> law);

}  // namespace driftless
