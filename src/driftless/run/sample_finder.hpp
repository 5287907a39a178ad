#pragma once
// The state at a time within the last step: interpolated, then corrected. Stages next to a singular pose spoil what is
// interpolated, though not the end of the step, which is corrected from nearby. So where the correction moves a sample by
// much more than the tolerance, or is blind because rows nearly depend on each other there, the sample is found by steps
// of its own instead, from where the last one began.

#include <optional>

#include "driftless/run/corrector.hpp"
#include "driftless/run/method.hpp"

namespace driftless {

class SampleFinder {
 public:
  SampleFinder(const SystemInfo& info, const Method& method, WorkingMethod& parts,
               Corrector& corrector);

  /// Before each step, with its state.
  void begin_step(double t, const Vector& y);
  /// At t, the share `theta` of the last step. The failure, if there is one.
  std::optional<Failure> find(double t, double theta);
  /// What was found.
  const Vector& y() const { return y_; }

 private:
  /// From the beginning of the last step. False: it is too far, something is not defined on the way, or `failure` says
  /// what could not be corrected.
  bool step_aside(double t, std::optional<Failure>& failure);
  bool is_blind() const;
  bool is_moved_far() const;

  const SystemInfo& info_;
  const IntegratorChoice& integrator_;
  WorkingMethod& parts_;
  Corrector& corrector_;
  Vector y_;
  Vector interpolated_;  // y_ before its correction
  Vector y_before_;      // at the beginning of the last step
  double t_before_ = 0.0;
  double largest_pivot_ = 0.0;  // where steps began
};

}  // namespace driftless
