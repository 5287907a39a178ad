// Newton's method with the least change in the mass metric, by the engine that the System makes. With the rows C of the
// values that are wanted, of which there are few beside the rows G of the constraints, and what is missing of both, b and
// c, each change is                                                                                             [STM.1]
//
//   d = d0 + D y,    d0 = saddle(f = 0, b),    D_k = saddle(f = C_kᵀ, b = 0),    (C D) y = c - C d0
//
// the D_k being the motions that the constraints allow along which value k changes fastest. A value of which C_k D_k
// vanishes cannot be changed: the constraints, or values before it, exclude it.

#include "driftless/assembly/start_many.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/math/lu.hpp"
#include "driftless/system/drawn_rank.hpp"
#include "driftless/system/evaluator.hpp"

namespace driftless {
namespace {

constexpr double kClosed = 1e-12;    // relative to the size of the values
constexpr double kExcluded = 1e-10;  // part of a value's own motion that the constraints leave

class ManyStart {
 public:
  ManyStart(const System& system, State& state, const StartTargets* targets)
      : system_(system), info_(system.info()), state_(state), targets_(targets), at_(system) {
    system.let_turns_free(at_.ws(), TurnFreedom::not_given);
    zero_ = Vector::Zero(info_.nv);
    no_rows_ = lambda_ = Vector::Zero(info_.row_count());
    row_ = delta_ = change_ = zero_;
  }

  double find_phi() {
    at_.set_configuration(state_.t, state_.q);
    return max_abs(at_.ws().phi);
  }
  double find_rho() {
    at_.set_configuration(state_.t, state_.q);
    at_.set_velocity(state_.v);
    return max_abs(at_.ws().velocity_residual);
  }
  std::vector<double> find_counted_angles() {
    return system_.find_counted_angles(state_.t, state_.q, at_.ws());
  }

  bool close(bool rates, const StartOptions& options, int& iterations) {
    choose_targets(rates);
    for (; iterations < options.max_iterations; ++iterations) {
      if (is_met(rates)) return true;
      if (!find_change(rates)) return false;
      if (is_met_as_drawn(rates)) return true;
      if (rates) {
        state_.v += delta_;
      } else {
        system_.retract(state_.q, delta_);
        system_.normalize(state_.q);
      }
    }
    return is_met(rates);
  }

  void list_unmet(StartReport& report) const {
    for (const std::size_t index : excluded_) {
      const StartTarget& target = targets_->list()[index];
      report.unmet_targets.push_back(
          fmt::format("{} = {:.6g} {}", target.name, target.value, target.unit));
    }
  }

  void name_worst(bool rates, StartReport& report) {
    const Vector& residual = rates ? at_.ws().velocity_residual : at_.ws().phi;
    Eigen::Index worst = 0;
    residual.cwiseAbs().maxCoeff(&worst);
    report.worst_row = info_.rows[static_cast<std::size_t>(worst)];
    report.worst_residual = residual[worst];
    if (!info_.row_sources.empty())
      report.where = info_.row_sources[static_cast<std::size_t>(worst)];
    report.message =
        fmt::format("the {} cannot be closed: '{}' stays open by {:.3g}",
                    rates ? "rates" : "joints", report.worst_row, report.worst_residual);
    report.suggestion = fmt::format(
        "draw the mechanism closed; of {} rows only the given pose is tried", info_.row_count());
  }

 private:
  void choose_targets(bool rates) {
    wanted_.clear();
    if (targets_ == nullptr) return;
    for (std::size_t k = 0; k < targets_->list().size(); ++k) {
      const StartTarget& target = targets_->list()[k];
      if (target.is_rate == rates && target.priority != Priority::guess) wanted_.push_back(k);
    }
  }

  double eval_target(std::size_t index, bool rates) {
    return rates ? targets_->eval_rate(index, state_.q, state_.v, row_)
                 : targets_->eval_position(index, state_.q, row_);
  }

  bool is_met(bool rates) {
    const double size = 1.0 + max_abs(rates ? state_.v : state_.q);
    if (!((rates ? find_rho() : find_phi()) <= kClosed * size)) return false;
    for (const std::size_t index : wanted_) {
      if (!(std::abs(eval_target(index, rates)) <= kClosed * size)) return false;
    }
    return true;
  }

  /// [DRW.5]: nothing is left to change, and what is open is the drawing's.
  bool is_met_as_drawn(bool rates) {
    constexpr double kStill = 1e-10;
    if (info_.row_units.empty()) return false;
    const double size = 1.0 + max_abs(rates ? state_.v : state_.q);
    if (!(max_abs(delta_) <= kStill * size)) return false;
    for (const std::size_t index : wanted_)
      if (!(std::abs(eval_target(index, rates)) <= kStill * size)) return false;
    return max_abs(rates ? at_.ws().velocity_residual : at_.ws().phi) <= kDrawnGap * size;
  }

  // [STM.1]
  bool find_change(bool rates) {
    at_.set_configuration(state_.t, state_.q);
    at_.set_velocity(state_.v);
    if (!at_.factorize(kDefaultRankTolerance)) return false;
    if (rates) {
      at_.solve(zero_, Vector(-at_.ws().velocity_residual), delta_, lambda_);
    } else if (!at_.solve_position(kDefaultRankTolerance, Vector(-at_.ws().phi), delta_)) {
      return false;
    }
    const auto count = static_cast<Eigen::Index>(wanted_.size());
    if (count == 0) return delta_.allFinite();
    Matrix rows(count, info_.nv), motions(info_.nv, count);
    Vector missing(count), own(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      missing[k] = -eval_target(wanted_[static_cast<std::size_t>(k)], rates);
      rows.row(k) = row_.transpose();
      missing[k] -= row_.dot(delta_);
      at_.solve(row_, no_rows_, change_, lambda_);
      motions.col(k) = change_;
      at_.solve_mass(row_, change_);
      own[k] = row_.dot(change_);
    }
    Matrix gram = rows * motions;
    if (!drop_excluded(gram, own)) return find_change(rates);
    DenseLu lu;
    lu.resize(count);
    if (!lu.factorize(gram)) return false;
    lu.solve(missing);
    delta_ += motions * missing;
    return delta_.allFinite();
  }

  /// False: some value is excluded, and no longer wanted.
  bool drop_excluded(Matrix gram, const Vector& own) {
    const Eigen::Index count = gram.rows();
    for (Eigen::Index k = 0; k < count; ++k) {  // elimination, in the order of the file
      if (!(gram(k, k) > kExcluded * own[k])) {
        excluded_.push_back(wanted_[static_cast<std::size_t>(k)]);
        wanted_.erase(wanted_.begin() + k);
        return false;
      }
      for (Eigen::Index i = k + 1; i < count; ++i)
        gram.row(i) -= (gram(i, k) / gram(k, k)) * gram.row(k);
    }
    return true;
  }

  const System& system_;
  const SystemInfo& info_;
  State& state_;
  const StartTargets* targets_;
  Evaluator at_;
  std::vector<std::size_t> wanted_;    // of targets_
  std::vector<std::size_t> excluded_;  // likewise
  Vector zero_, no_rows_, lambda_, row_, delta_, change_;
};

}  // namespace

StartReport make_many_consistent(const System& system, State& state, const GivenFlags& given,
                                 const StartOptions& options) {
  StartReport report;
  report.closed_how = kFromGivenPose;
  const State before = state;
  ManyStart start(system, state, given.targets);
  report.phi_before = report.phi_after = start.find_phi();
  report.rho_before = report.rho_after = start.find_rho();
  if (!options.keep_given) {
    const bool closed = start.close(false, options, report.position_iterations);
    report.phi_after = start.find_phi();
    if (!closed) start.name_worst(false, report);
    report.success = closed && start.close(true, options, report.velocity_iterations);
    report.rho_after = start.find_rho();
    if (closed && !report.success) start.name_worst(true, report);
    if (!report.success) {
      state = before;
      return report;
    }
    start.list_unmet(report);
  }
  report.success = true;
  report.counted_angles = start.find_counted_angles();
  list_changes(system.info(), before, state, report);
  return report;
}

}  // namespace driftless
