#pragma once
// What may be added to the equations at each evaluation, on top of [SYS.1]: Baumgarte's terms on the right of G v' = γ,
// Yoon's controls on q' and v'. A formulation calls its terms; it does not know what they are for.

#include <span>

#include "driftless/system/evaluator.hpp"

namespace driftless {

/// Where the equations are being evaluated. `work[k]` is ∫P dt of invariant k so far, `power[k]` is P (known after the
/// solve).
struct FieldPoint {
  double t;
  const Vector& q;
  const Vector& v;
  std::span<const double> work;
  std::span<const double> power;
  Evaluator& evaluator;
};

class FieldTerm {
 public:
  virtual ~FieldTerm() = default;

  /// Before each attempt of a step of size h.
  virtual void begin_step(double /*t*/, double /*h*/) {}
  /// May add to the right-hand sides f (of M v') and b (of G v').
  virtual void before_solve(const FieldPoint& /*point*/, VectorRef /*f*/, VectorRef /*b*/) {}
  /// May add to the slopes.
  virtual void after_solve(const FieldPoint& /*point*/, VectorRef /*q_dot*/, VectorRef /*v_dot*/) {}
};

}  // namespace driftless
