#pragma once
// Rows of a result: time, state, recorded quantities and figures at one moment.

#include <optional>
#include <vector>

#include "driftless/math/range_projection.hpp"
#include "driftless/result/result.hpp"
#include "driftless/run/part_times.hpp"
#include "driftless/run/run_state.hpp"

namespace driftless {

/// CPU time of this thread.
double find_cpu_seconds();

class RowWriter {
 public:
  RowWriter(AccelerationField& field, Evaluator& evaluator, double rank_tolerance, ResultSink& sink,
            PartTimes& times);

  /// The rank of the mechanism, to which sigma_min belongs [RVA.1]; before the first row.
  void set_rank(int rank) { mechanism_rank_ = rank; }

  /// The state and its current figures as the row of time t, with the step that led there (0: none) and its order; y is
  /// what the integrator has there.
  void write(double t, const RunState& state, const Vector& y, double step, int order);

  double last_t() const { return last_t_; }            ///< of the last row; 0: none yet
  double cpu_seconds() const { return cpu_seconds_; }  ///< spent in the sink

 private:
  void solve_reactions(double t, const RunState& state, const Vector& y);
  double find_sigma(double t, const RunState& state);

  AccelerationField& field_;
  Evaluator& evaluator_;
  int mechanism_rank_ = 0;
  int rank_ = -1;  // of G, where reactions are solved for
  double rank_tolerance_;
  ResultSink& sink_;
  PartTimes& times_;
  Vector records_, v_dot_, lambda_;
  std::optional<RangeProjection> range_;  // made when rows are redundant
  std::vector<double> row_;
  double last_t_ = 0.0;
  double cpu_seconds_ = 0.0;
};

}  // namespace driftless
