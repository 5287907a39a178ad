#pragma once
// What can be said about a system before it runs: degrees of freedom, rank, redundancies, mass
// matrix, derivatives.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/assembly/derivative_check.hpp"
#include "driftless/system/drawn_rank.hpp"

namespace driftless {

/// A motion of a body that has no kinetic energy.
struct MasslessMotion {
  std::string body;
  std::string how;  ///< "turning about [0, 1, 0] (its own axes)"
};

/// How well an element's derivatives agree with differences.
struct ElementCheck {
  std::string element;
  double error = 0.0;
};

/// Of a mechanism whose motion is prescribed altogether: poses on its way, along which angles count their turns, and a time
/// up to which there is none beyond the last.
struct HaltedMotion {
  std::vector<State> way;
  double until = 0.0;
  DrawnRank drawn;              ///< of the start
  double rank_tolerance = 0.0;  ///< of a run from there
};

struct CheckReport {
  int bodies = 0;
  int coordinates = 0;  ///< nq
  int rates = 0;        ///< nv
  int rows = 0;
  int rank = 0;
  int dof = 0;             ///< rates - rank
  int gruebler = 0;        ///< rates - rows: Gruebler's count, which is wrong if rows are redundant
  int dof_beside = 0;      ///< a little beside the start; less than dof at a singular pose
  Vector singular_values;  ///< of the rows G U of length 1, U by [DRW.9] or M^(-1/2), largest first
  double smallest_singular_value =
      1.0;                      ///< of those that count for the rank, relative to the largest
  double smallest_pivot = 1.0;  ///< smallest part of a needed row that those before it do not say
  std::vector<std::string> redundant;           ///< rows that follow from the others at this state
  std::vector<std::string> redundant_elements;  ///< joints and constraints that have such rows
  std::vector<std::string>
      sharing_elements;  ///< those from whose rows they follow, and they themselves
  std::vector<std::string>
      not_unique;  ///< records made of reactions that rigid bodies do not determine
  std::vector<std::string> loose_bodies;  ///< connected with the ground by nothing
  std::vector<std::string> inconsistent;  ///< redundant rows that contradict those they depend on
  std::vector<std::string> unmet;         ///< rows with a residual at this state
  double max_phi = 0.0;
  double max_rho = 0.0;
  bool mass_definite = true;
  bool mass_definite_on_tangent = true;      ///< on the null space of G: enough for a motion
  std::vector<std::string> without_inertia;  ///< coordinates that can move without kinetic energy
  std::vector<std::string>
      negative_inertia;                  ///< coordinates with a motion of negative kinetic energy
  std::vector<MasslessMotion> massless;  ///< the same, by bodies
  std::vector<DerivativeCheck> derivatives;
  std::vector<ElementCheck> elements;  ///< joints, constraints, forces and measures, in this order
  bool derivatives_ok = true;
  std::optional<HaltedMotion> halted;  ///< see run/prescribed_failure.hpp
  std::string not_finite;  ///< "constraint 'rod' is not finite": so nothing else is known
  std::vector<std::string> warnings;  ///< sentences for the user
  std::vector<std::string> errors;    ///< what makes a run impossible
  std::string remedy;                 ///< what to change then; may be empty
  Source where;  ///< in the file, of what the first error names, if it is known

  bool ok() const { return errors.empty(); }
};

struct CheckOptions {
  double until = 10.0;  ///< end of the run: what is prescribed is looked at before that
  /// Told at the beginning of each part: "rank and redundancy".
  std::function<void(const char*)> watch = {};
};

CheckReport check_system(const System& system, const State& state,
                         const CheckOptions& options = {});

}  // namespace driftless
