#pragma once
// How far a run is from a reference.
//
// At all times t_i that both have a sample of (nothing is interpolated: that would add an error of its own), with the
// columns in groups g of one unit,
//   e = max over g, i, k in g  |x_k(t_i) - x̂_k(t_i)| / s_g        s_g = max over i, k in g  |x̂_k(t_i)|          [ERR.1]
// for coordinates, rates and reactions (of equations: multipliers). A group that is zero but for round-off, such as the torques of a linkage that only
// forces hold, has no size of its own: it takes the largest one of its kind, and 1 if all are zero. Coordinates with the same
// unit share one size because the origin is arbitrary: a coordinate that happens to pass near zero is no worse for it.
//
// Quaternions a and -a are the same orientation. With unit quaternions d = min(|a - â|, |a + â|), the angle between the
// two orientations is 4 asin(d/2), and it counts in radians, s_g = 1.                                          [ERR.2]
// The form 2 acos|a·â| has no digits left below 1e-8.
//
// Reactions that redundant joints could share in other ways are left out: methods may share them differently.

#include <cstddef>
#include <string>
#include <vector>

#include "driftless/model/equation_model.hpp"
#include "driftless/result/result.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// [ERR.1]; NaN: there is nothing of that kind. Infinity: a value is not finite.
struct RunErrors {
  double q = 0.0;
  double v = 0.0;
  double lambda = 0.0;
  std::size_t samples = 0;  ///< compared
};

/// Multipliers of an equation model's constraints as further records, so that their errors are seen. Mechanisms record
/// reactions anyway.
void record_multipliers(ModelFile& file);

/// Those that a result of an equation model lacks, by M v' + Gᵀλ = Q and G v' = γ at its samples. A run records multipliers only
/// if it is told to; they follow from the state. Nothing is added if a part of the state is missing, or λ is not unique.
void add_multipliers(const System& system, Result& result);

/// Measures runs of one system against one reference, which it keeps.
class ErrorMeasure {
 public:
  /// Throws ModelError if the reference has no samples, or lacks coordinates or rates of the system.
  ErrorMeasure(const SystemInfo& info, Result reference, const std::string& name);

  /// Throws ModelError if there is no time in common but the start.
  RunErrors find(const Result& run) const;
  const Result& reference() const { return reference_; }

 private:
  enum class Kind { coordinates, rates, reactions, orientation };
  struct Group {
    Kind kind;
    std::vector<std::size_t> columns;  ///< of the reference; of an orientation q0 to q3
    double size = 1.0;                 ///< s_g
  };
  struct Pair {
    std::size_t row, reference_row;
  };

  void add(Kind kind, const std::string& column, const std::string& unit);
  void add_coordinates(const SystemInfo& info);
  void add_reactions(const SystemInfo& info);
  void find_sizes();
  std::vector<Pair> find_common_times(const Result& run) const;
  double find_error(const Group& group, const Result& run, const std::vector<Pair>& pairs) const;

  Result reference_;
  std::string name_;
  std::vector<Group> groups_;
  std::vector<std::string> units_;  ///< of the groups
};

}  // namespace driftless
