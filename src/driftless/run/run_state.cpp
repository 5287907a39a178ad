#include "driftless/run/run_state.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless {

bool has_energy(const SystemInfo& info) {
  return !info.invariants.empty() && info.invariants[0].is_energy;
}

RunState::RunState(Evaluator& evaluator, const AccelerationField& field, const State& start)
    : q(start.q),
      v(start.v),
      c(start.c.size() > 0 ? start.c : evaluator.info().state_start),
      work(evaluator.info().invariants.size(), 0.0),
      evaluator_(evaluator),
      field_(field),
      max_invariant_error_(Vector::Zero(static_cast<Eigen::Index>(work.size()))),
      max_invariant_size_(max_invariant_error_) {}

const Balance& RunState::begin(double t_start) {
  evaluator_.set_states(c);
  evaluator_.set_configuration(t_start, q);
  evaluator_.set_velocity(v);
  evaluator_.system().eval_invariants(t_start, q, v, evaluator_.ws());
  balance_ = Balance(evaluator_.ws().invariant);
  return balance_;
}

void RunState::read(const Vector& y) {
  field_.to_state(as_span(y), q, v, work);
  c = field_.states_of(as_span(y));
  evaluator_.set_states(c);
}

void RunState::write(Vector& y) const {
  field_.from_state(q, v, as_span(y));
  field_.set_states(c, as_span(y));
}

void RunState::measure(double at, const Vector& y) {
  read(y);
  t = at;
  evaluator_.set_configuration(t, q);
  evaluator_.set_velocity(v);
  Workspace& ws = evaluator_.ws();
  phi = max_abs(ws.phi);
  phi_dot = max_abs(ws.velocity_residual);
  evaluator_.system().eval_invariants(t, q, v, ws);
  const Vector& error = balance_.eval(ws, work);
  energy_error = has_energy(evaluator_.info()) ? std::abs(error[0]) : 0.0;
  before_.phi = max_phi;
  before_.phi_dot = max_phi_dot;
  before_.energy_error = max_energy_error;
  before_.invariant_error = max_invariant_error_;
  before_.invariant_size = max_invariant_size_;
  max_invariant_error_ = max_invariant_error_.cwiseMax(error.cwiseAbs());
  for (Eigen::Index k = 0; k < error.size();
       ++k) {  // its parts may cancel: a momentum of 0 has a size
    const double size = ws.invariant_v.row(k).cwiseAbs().dot(v.cwiseAbs());
    max_invariant_size_[k] = std::max({max_invariant_size_[k], size, std::abs(ws.invariant[k])});
  }
  max_phi = std::max(max_phi, phi);
  max_phi_dot = std::max(max_phi_dot, phi_dot);
  max_energy_error = std::max(max_energy_error, energy_error);
}

void RunState::forget_last() {
  max_phi = before_.phi;
  max_phi_dot = before_.phi_dot;
  max_energy_error = before_.energy_error;
  max_invariant_error_ = before_.invariant_error;
  max_invariant_size_ = before_.invariant_size;
}

std::optional<Failure> RunState::find_not_finite() const {
  const SystemInfo& info = evaluator_.info();
  const Workspace& ws = evaluator_.ws();
  if (ws.phi.allFinite() && ws.velocity_residual.allFinite() && ws.invariant.allFinite()) return {};
  Failure failure;
  for (int i = 0; i < info.row_count() && failure.worst.empty(); ++i) {
    const bool finite = std::isfinite(ws.velocity_residual[i]) &&
                        (i >= info.position_rows || std::isfinite(ws.phi[i]));
    if (!finite) failure.worst = info.rows[static_cast<std::size_t>(i)];
  }
  failure.message =
      fmt::format("{} is not finite at t = {:.6g}",
                  failure.worst.empty() ? "the energy" : "constraint '" + failure.worst + "'", t);
  return failure;
}

void RunState::write_figures(Report& report) const {
  const SystemInfo& info = evaluator_.info();
  report.max_phi = max_phi;
  report.max_phi_dot = max_phi_dot;
  report.max_energy_error = max_energy_error;
  for (std::size_t k = has_energy(info) ? 1 : 0; k < info.invariants.size(); ++k) {
    report.figures.emplace_back("max_" + info.invariants[k].name + "_error",
                                max_invariant_error_[static_cast<Eigen::Index>(k)]);
  }
}

std::string RunState::describe_lost_energy() const {
  constexpr double kLost = 0.1;    // relative to what moves
  constexpr double kNone = 1e-30;  // J: round-off of what does not move
  if (!has_energy(evaluator_.info())) return {};
  const double size = max_invariant_size_[0];
  if (!(size > kNone) || !(max_energy_error > kLost * size)) return {};
  return fmt::format(
      "the energy is off by {:.3g} J, and is itself of the size {:.3g} J: this is not the motion "
      "of the model",
      max_energy_error, size);
}

void RunState::add_warnings(std::vector<std::string>& warnings) const {
  constexpr double kFar = 1e-2;  // relative to its size
  const SystemInfo& info = evaluator_.info();
  for (std::size_t k = has_energy(info) ? 1 : 0; k < info.invariants.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const double error = max_invariant_error_[row];
    const double size = max_invariant_size_[row];
    if (!(error > kFar * size)) continue;
    warnings.push_back(
        fmt::format("'{}' is declared as conserved but changed by {:.3g}, and is itself of the "
                    "size {:.3g}",
                    info.invariants[k].name, error, size));
  }
}

}  // namespace driftless
