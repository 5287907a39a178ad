#include "driftless/drift/yoon.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr Eigen::Index kEnergy = 0;  // the energy is the first invariant

/// What the three controls share: ψ, its gradients, and the largest coupling on the way.
class YoonControl : public DriftControl, public FieldTerm {
 public:
  explicit YoonControl(const SystemInfo& info) {
    step_q_ = step_v_ = psi_q_ = psi_v_ = Vector::Zero(info.nv);
    q_change_ = Vector::Zero(info.nq);
    coupling_ = Vector::Zero(info.row_count());
  }

  void start(const Balance& balance) override { balance_ = balance; }
  FieldTerm* field_term() override { return this; }

  void add_figures(std::vector<std::pair<std::string, double>>& figures) const override {
    figures.emplace_back("max_coupling", max_coupling_);
  }

 protected:
  double eval_psi(const FieldPoint& point) {
    Workspace& ws = point.evaluator.ws();
    const System& system = point.evaluator.system();
    system.eval_invariants(point.t, point.q, point.v, ws);
    system.eval_invariant_gradients(point.t, point.q, point.v, ws);
    psi_q_ = ws.invariant_q.row(kEnergy).transpose();
    psi_v_ = ws.invariant_v.row(kEnergy).transpose();
    calc_coupling(system.info(), ws, coupling_);
    max_coupling_ = std::max(max_coupling_, max_abs(coupling_));
    return balance_.eval(ws, point.work)[kEnergy];
  }

  Balance balance_;
  Vector psi_q_, psi_v_;  // dψ/dq, dψ/dv; filled by eval_psi
  Vector step_q_, step_v_, q_change_, coupling_;
  double max_coupling_ = 0.0;
};

class BaumgarteType final : public YoonControl {
 public:
  BaumgarteType(const Yoon12& options, const SystemInfo& info)
      : YoonControl(info), options_(options) {}

  void after_solve(const FieldPoint& point, VectorRef /*q_dot*/, VectorRef v_dot) override {
    const double psi = eval_psi(point);
    const Workspace& ws = point.evaluator.ws();
    point.evaluator.solve_mass(psi_v_, step_v_);
    const double metric = psi_v_.dot(step_v_);
    const double rate =
        psi_v_.dot(v_dot) + psi_q_.dot(point.v) + ws.invariant_t[kEnergy] - point.power[kEnergy];
    const double demand = rate + options_.energy_gain * psi;
    // No direction at rest; a demand that would change v' by more than it could in one time constant is not met.
    if (!(metric > 1e-14 * (std::abs(ws.invariant[kEnergy]) + 1e-300))) {
      ++idle_;
      return;
    }
    v_dot -= step_v_ * (demand / metric);  // [YON.1]
  }

  void add_figures(std::vector<std::pair<std::string, double>>& figures) const override {
    YoonControl::add_figures(figures);
    figures.emplace_back("energy_control_without_direction", static_cast<double>(idle_));
  }

 private:
  Yoon12 options_;
  long idle_ = 0;
};

// η of [YON.5].
constexpr double kRate = 10.0;
constexpr double kPerStep = 0.1;

class SteepestDescent final : public YoonControl {
 public:
  SteepestDescent(std::optional<double> rho_q, std::optional<double> rho_v, const SystemInfo& info)
      : YoonControl(info), rho_q_(rho_q), rho_v_(rho_v) {}

  void begin_step(double /*t*/, double h) override { eta_ = std::min(kRate, kPerStep / h); }

  void after_solve(const FieldPoint& point, VectorRef q_dot, VectorRef v_dot) override {
    const double psi = eval_psi(point);
    point.evaluator.solve_mass(psi_v_, step_v_);
    if (!rho_v_ || rho_q_ != 0.0) point.evaluator.solve_mass(psi_q_, step_q_);
    const double rho_v = rho_v_ ? *rho_v_ : find_rho(psi, psi_v_.dot(step_v_), psi_q_.dot(step_q_));
    v_dot -= (2.0 * rho_v * psi) * step_v_;  // [YON.3]
    if (rho_q_ == 0.0) return;
    const double rho_q = rho_q_ ? *rho_q_ : rho_v / (eta_ * eta_);
    point.evaluator.system().map_velocity(point.q, step_q_, q_change_);
    q_dot -= (2.0 * rho_q * psi) * q_change_;  // [YON.2]
  }

 private:
  /// [YON.5]
  double find_rho(double psi, double a_v, double a_q) const {
    const double size = a_v + a_q / (eta_ * eta_) + std::abs(psi);
    return size > 0.0 ? eta_ / (2.0 * size) : 0.0;
  }

  std::optional<double> rho_q_, rho_v_;
  double eta_ = kRate;
};

}  // namespace

std::unique_ptr<DriftControl> make_control(const Yoon12& options, const SystemInfo& info) {
  return std::make_unique<BaumgarteType>(options, info);
}

std::unique_ptr<DriftControl> make_control(const Yoon13& options, const SystemInfo& info) {
  return std::make_unique<SteepestDescent>(options.rho_q, options.rho_v, info);
}

std::unique_ptr<DriftControl> make_control(const Yoon17& options, const SystemInfo& info) {
  return std::make_unique<SteepestDescent>(0.0, options.rho_v, info);
}

void calc_coupling(const SystemInfo& info, const Workspace& ws, VectorRef coupling) {
  if (info.invariants.empty()) return;
  const int m = info.position_rows;
  coupling.head(m).noalias() =
      ws.jacobian.dense().topRows(m) * ws.invariant_q.row(kEnergy).transpose();
  coupling.tail(info.velocity_rows).noalias() =
      ws.jacobian.dense().bottomRows(info.velocity_rows) * ws.invariant_v.row(kEnergy).transpose() +
      ws.velocity_rows_q * ws.invariant_q.row(kEnergy).transpose();
}

}  // namespace driftless
