#pragma once
// Start values that satisfy the constraints: Φ(t,q) = 0, then ρ(t,q,v) = 0.

#include <string>
#include <vector>

#include "driftless/assembly/gaps.hpp"
#include "driftless/system/start_targets.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// Which values the user gave; the others are guesses and move first. Empty: all are given. Flags
/// are per velocity component (nv), so they apply to systems whose coordinates and rates are one to
/// one.
struct GivenFlags {
  std::vector<bool> q;
  std::vector<bool> v;
  const StartTargets* targets = nullptr;  ///< values of measures that the user wants
};

struct StartOptions {
  int max_iterations = 50;
  int max_tries = 32;  ///< poses to begin from, if the given one does not do
  bool keep_given =
      false;  ///< change nothing, only report the residuals: for deliberately inconsistent starts
};

/// What StartReport::closed_how says if no other pose was needed.
inline constexpr const char* kFromGivenPose = "from the given pose";

struct StartChange {
  std::string name;
  double from = 0.0;
  double to = 0.0;
};

struct StartReport {
  bool success = false;
  std::vector<StartChange> changes;  ///< empty: the state was left alone, bit for bit
  bool moved_given =
      false;  ///< guesses alone did not do: values that the user gave were changed, too
  /// Wanted values that the constraints or firmer ones exclude.
  std::vector<std::string> unmet_targets;
  double phi_before = 0.0;  ///< max |Φ|
  double phi_after = 0.0;
  double rho_before = 0.0;  ///< max |ρ|, at the q of that moment
  double rho_after = 0.0;
  int position_iterations = 0;
  int velocity_iterations = 0;
  int tries = 0;              ///< further poses that were tried; 0: the given one did
  std::string closed_how;     ///< from which of them it closed: "with the bodies turned"
  bool other_branch = false;  ///< after several tries: maybe not as drawn, but mirrored somewhere
  std::vector<double> counted_angles;  ///< what the system counts from (System::set_counted_angles)

  /// What stays open although the start is closed, the widest first: redundant rows of a drawing that is rounded [DRW.5].
  std::vector<Gap> drawn_gaps;

  // on failure; the state is then as it was
  std::string worst_row;
  double worst_residual = 0.0;
  std::vector<std::string> contradictory;  ///< all rows that cannot hold together, if that is why
  std::vector<Gap> gaps;                   ///< joints and constraints that stay open
  std::string message;
  std::string suggestion;
  Source where;  ///< of the element that the message names, if its place in the file is known
};

StartReport make_consistent(const System& system, State& state, const GivenFlags& given = {},
                            const StartOptions& options = {});

}  // namespace driftless
