#pragma once
// The state of a run out of y, and the figures that prove it: residuals of the constraints, errors of the invariants,
// and the largest of them so far.

#include <optional>
#include <vector>

#include "driftless/drift/drift_control.hpp"
#include "driftless/formulations/acceleration_field.hpp"
#include "driftless/result/result.hpp"

namespace driftless {

bool has_energy(const SystemInfo& info);

class RunState {
 public:
  RunState(Evaluator& evaluator, const AccelerationField& field, const State& start);

  /// Evaluates everything at the start; invariants are measured against what they are there.
  const Balance& begin(double t);
  /// q, v, c and the work integrals out of y; what is evaluated from here on is so with this c.
  void read(const Vector& y);
  /// q, v and c into y.
  void write(Vector& y) const;
  /// Reads y, and the figures at that state become the current ones.
  void measure(double t, const Vector& y);
  /// The step was none: the largest figures are again those before the last `measure`.
  void forget_last();
  /// What is not finite in the figures, if anything is: the row by name, or the energy.
  std::optional<Failure> find_not_finite() const;
  /// The largest figures.
  void write_figures(Report& report) const;
  /// Quantities declared as conserved that are not.
  void add_warnings(std::vector<std::string>& warnings) const;
  /// That the energy went astray altogether; empty: it did not.
  std::string describe_lost_energy() const;

  Vector q, v;
  Vector c;                  ///< first-order states
  std::vector<double> work;  ///< ∫P dt of each invariant

  // filled by measure
  double t = 0.0;  ///< of the state whose figures these are
  double phi = 0.0, phi_dot = 0.0, energy_error = 0.0;
  double max_phi = 0.0, max_phi_dot = 0.0, max_energy_error = 0.0;

 private:
  Evaluator& evaluator_;
  const AccelerationField& field_;
  Balance balance_;
  struct Largest {
    double phi = 0.0, phi_dot = 0.0, energy_error = 0.0;
    Vector invariant_error, invariant_size;
  };
  Vector max_invariant_error_, max_invariant_size_;
  Largest before_;  // the last measure
};

}  // namespace driftless
