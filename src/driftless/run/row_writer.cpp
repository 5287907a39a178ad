#include "driftless/run/row_writer.hpp"

#include <algorithm>

#include <time.h>

namespace driftless {
double find_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

RowWriter::RowWriter(AccelerationField& field, Evaluator& evaluator, double rank_tolerance,
                     ResultSink& sink, PartTimes& times)
    : field_(field),
      evaluator_(evaluator),
      rank_tolerance_(rank_tolerance),
      sink_(sink),
      times_(times) {
  const SystemInfo& info = evaluator.info();
  records_ = Vector::Zero(static_cast<Eigen::Index>(info.records.size()));
  v_dot_ = Vector::Zero(info.nv);
  lambda_ = Vector::Zero(info.row_count());
  row_.resize(1 + static_cast<std::size_t>(info.nq + info.nv + info.nc) + info.records.size() + 6);
}

void RowWriter::write(double t, const RunState& state, const Vector& y, double step, int order) {
  times_.lap(PartTimes::kSamples);
  times_.begin();  // rows come by the clock of the run, not by that of steps
  solve_reactions(t, state, y);
  evaluator_.system().eval_records({t, state.q, state.v, v_dot_, lambda_, rank_}, evaluator_.ws(),
                                   records_);
  double* cell = row_.data();
  *cell++ = t;
  cell = std::copy(state.q.begin(), state.q.end(), cell);
  cell = std::copy(state.v.begin(), state.v.end(), cell);
  cell = std::copy(state.c.begin(), state.c.end(), cell);
  cell = std::copy(records_.begin(), records_.end(), cell);
  *cell++ = state.phi;
  *cell++ = state.phi_dot;
  *cell++ = state.energy_error;
  *cell++ = find_sigma(t, state);
  *cell++ = step;
  *cell++ = order;
  times_.lap(PartTimes::kSamples);
  const double before = find_cpu_seconds();
  sink_.row(row_);
  cpu_seconds_ += find_cpu_seconds() - before;
  times_.lap(PartTimes::kOutput);
  last_t_ = t;
}

/// Steps and corrections have a factorisation here already, but for samples between uncorrected steps.
double RowWriter::find_sigma(double t, const RunState& state) {
  if (evaluator_.info().row_count() == 0) return 1.0;
  evaluator_.set_configuration(t, state.q);
  evaluator_.set_velocity(state.v);
  if (!evaluator_.ensure_factorized(rank_tolerance_)) return 0.0;  // the next step says so
  return evaluator_.calc_singular_value(mechanism_rank_);
}

/// Acceleration and reactions, if a record is made of them.
void RowWriter::solve_reactions(double t, const RunState& state, const Vector& y) {
  if (!evaluator_.info().records_need_reactions) return;
  if (!field_.find_reactions(t, as_span(y), state.q, state.v, v_dot_, lambda_)) return;
  rank_ = field_.rank();
  // Of all reactions with the same Gᵀλ the engine takes those of least norm in its scaled rows, which depend on inertia
  // and on the world's axes. Of a mechanism, whose reactions are forces and torques, the least in N and N m are told.
  const SystemInfo& info = evaluator_.info();
  if (info.row_units.empty() || field_.rank() == info.row_count()) return;
  const BlockMatrix& jacobian = evaluator_.ws().jacobian;
  if (!range_) range_.emplace(jacobian);
  if (range_->set(jacobian, field_.rank())) range_->project(lambda_);
}

}  // namespace driftless
