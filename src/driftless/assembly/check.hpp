#pragma once
// What can be said about a system before it runs: degrees of freedom, rank, redundancies, mass
// matrix, derivatives.

#include <string>
#include <vector>

#include "driftless/assembly/derivative_check.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

struct CheckReport {
  int rates = 0;  ///< nv
  int rows = 0;
  int rank = 0;
  int dof = 0;             ///< rates - rank
  Vector singular_values;  ///< of the row-normalised G M^(-1/2), largest first
  double smallest_singular_value =
      1.0;  ///< of those that count for the rank, relative to the largest
  std::vector<std::string> redundant;     ///< rows that follow from the others at this state
  std::vector<std::string> inconsistent;  ///< redundant rows that contradict those they depend on
  std::vector<std::string> unmet;         ///< rows with a residual at this state
  double max_phi = 0.0;
  double max_rho = 0.0;
  bool mass_definite = true;
  bool mass_definite_on_tangent = true;      ///< on the null space of G: enough for a motion
  std::vector<std::string> without_inertia;  ///< coordinates that can move without kinetic energy
  std::vector<std::string>
      negative_inertia;  ///< coordinates with a motion of negative kinetic energy
  std::vector<DerivativeCheck> derivatives;
  bool derivatives_ok = true;
  std::string not_finite;  ///< "constraint 'rod'": has no value here, so nothing else is known
  std::vector<std::string> warnings;  ///< sentences for the user
  std::vector<std::string> errors;    ///< what makes a run impossible

  bool ok() const { return errors.empty(); }
};

CheckReport check_system(const System& system, const State& state);

}  // namespace driftless
