#include "driftless/drift/invariants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace driftless {
namespace {

/// Part of the kinetic energy below which that of the free motion is rounding: nothing is free, or what is free rests.
constexpr double kNoDirection = 1e-13;

/// Part of the kinetic energy at an end of the last steps below which a motion may be turning back [INV.3].
constexpr double kSlow = 0.25;

/// Part of the kinetic energy that is rounding next to rest, where little is left of what potentials have given.
constexpr double kNothing = 1e-12;

/// Parts of the kinetic energy that the steps may lose, and that the correction may leave, without a warning.
constexpr double kMuch = 1e-2;
constexpr double kLeft = 1e-3;

class Correction final : public DriftControl {
 public:
  Correction(std::vector<int> which, double limit, const SystemInfo& info)
      : which_(std::move(which)), limit_(limit) {
    const auto count = static_cast<Eigen::Index>(which_.size());
    rhs_ = direction_ = shift_ = move_ = zero_ = Vector::Zero(info.nv);
    zero_rows_ = lambda_ = rho_ = Vector::Zero(info.row_count());
    phi_ = Vector::Zero(info.position_rows);
    q_ = Vector::Zero(info.nq);
    v_ = Vector::Zero(info.nv);
    directions_ = Matrix::Zero(info.nv, count);
    gram_ = Matrix::Zero(count, count);
    error_ = s_ = own_ = Vector::Zero(count);
    has_energy_ = count > 0 && info.invariants[static_cast<std::size_t>(which_[0])].is_energy;
    energy_only_ = count == 1 && has_energy_;
  }

  bool corrects() const override { return true; }
  void start(const Balance& balance) override { balance_ = balance; }

  CorrectionStatus correct(CorrectionPoint& point) override {
    Evaluator& evaluator = point.evaluator;
    evaluator.set_configuration(point.t, point.q);
    evaluator.set_velocity(point.v);
    if (!evaluator.ensure_factorized(point.rank_tolerance)) return CorrectionStatus::unsolvable;
    Workspace& ws = evaluator.ws();
    evaluator.system().eval_invariants(point.t, point.q, point.v, ws);
    const double error = has_energy_ ? find_error(point) : 0.0;
    const double kinetic = has_energy_ ? 0.5 * std::abs(ws.invariant_v.row(0).dot(point.v)) : 0.0;
    const double put_back = energy_only_ ? correct_energy(point, error) : correct_several(point);
    if (!point.is_step) return CorrectionStatus::ok;
    b_before_ = b_last_;
    b_last_ = b_;
    ++steps_;
    if (!has_energy_) return CorrectionStatus::ok;
    put_back_ += put_back;
    max_put_back_ = std::max(max_put_back_, std::abs(put_back_));
    max_kinetic_ = std::max(max_kinetic_, kinetic);
    if (b_ > kNoDirection * kinetic) max_left_ = std::max(max_left_, std::abs(error + put_back));
    return CorrectionStatus::ok;
  }

  void add_figures(std::vector<std::pair<std::string, double>>& figures) const override {
    const std::string name = energy_only_ ? "energy" : "invariant";
    figures.emplace_back(name + "_corrections_limited", static_cast<double>(limited_));
    figures.emplace_back(name + "_corrections_without_direction", static_cast<double>(idle_));
    if (has_energy_) figures.emplace_back("energy_put_back", max_put_back_);
  }

  void add_warnings(std::vector<std::string>& warnings) const override {
    const auto limited = static_cast<double>(limited_);
    const auto steps = static_cast<double>(steps_);
    if (limited > 0.01 * steps && (limited >= 3.0 || limited >= 0.5 * steps)) {
      warnings.push_back(fmt::format(
          "the energy correction reached its limit {} times in {} steps: the step is too long",
          limited_, steps_));
    } else if (energy_only_ && max_left_ > kLeft * max_kinetic_) {
      warnings.push_back(fmt::format(
          "the energy correction left {:.3g} J, against a kinetic energy of at most {:.3g} J, "
          "where the motion is next to rest: the step is too long, or it rests in a singular pose",
          max_left_, max_kinetic_));
    } else if (has_energy_ && max_put_back_ > kMuch * max_kinetic_) {
      warnings.push_back(fmt::format(
          "the energy correction put back {:.3g} J in all, against a kinetic energy of at most "
          "{:.3g} J: the steps are too long, and what it does not correct may be as wrong",
          max_put_back_, max_kinetic_));
    }
  }

 private:
  /// The figures are numbers of steps.
  static void note(long& figure, const CorrectionPoint& point) {
    if (point.is_step) ++figure;
  }

  /// All return the change of the energy.
  double correct_energy(CorrectionPoint& point, double error) {
    const double whole = point.evaluator.ws().invariant_v.row(which_[0]).dot(point.v);
    if (error == 0.0) {
      b_ = whole;  // but for what is driven
      return 0.0;
    }
    find_direction(point);
    if (b_ < kSlow * std::max(b_last_, b_before_)) {
      if (const auto change = correct_turning(point, error)) return *change;
    }
    if (!(b_ > kNoDirection * std::abs(whole))) {  // at rest, but for what is driven
      note(idle_, point);
      return 0.0;
    }
    const double radicand = 1.0 - 2.0 * error / b_;
    double s = std::sqrt(std::max(radicand, 0.0)) - 1.0;  // [INV.2]
    if (std::abs(s) > limit_) {
      note(limited_, point);
      s = std::clamp(s, -limit_, limit_);
    }
    point.v += s * direction_;
    return b_ * s * (1.0 + 0.5 * s);  // [INV.2]
  }

  /// Of the energy; 0 within its rounding.
  double find_error(const CorrectionPoint& point) {
    const Workspace& ws = point.evaluator.ws();
    return is_round_off(which_[0], ws, point.work) ? 0.0 : balance_.eval(ws, point.work)[which_[0]];
  }

  /// d and b of [INV.2].
  void find_direction(CorrectionPoint& point) {
    rhs_ = point.evaluator.ws().invariant_v.row(which_[0]).transpose();
    point.evaluator.solve(rhs_, zero_rows_, direction_, lambda_);
    b_ = rhs_.dot(direction_);
  }

  /// h² e of [INV.3], and k.
  double find_shift(CorrectionPoint& point) {
    Workspace& ws = point.evaluator.ws();
    point.evaluator.eval_forces(point.v);
    point.evaluator.solve(ws.force, zero_rows_, shift_, lambda_);
    shift_ *= -point.h * point.h;
    return -ws.force.dot(shift_);
  }

  /// [INV.3]. Nothing: the motion is not turning back, or this is no way to change the energy.
  std::optional<double> correct_turning(CorrectionPoint& point, double error) {
    constexpr int kRounds = 5;
    constexpr double kFlattest = 0.1, kSteepest = 1e3;  // what was seen over what was expected
    const double k = find_shift(point);
    double slope = b_ + k;
    if (!(k > 4.0 * b_) || std::abs(error) > limit_ * slope) return {};
    q_ = point.q;
    v_ = point.v;
    double left = error;
    for (int round = 0; round < kRounds && left != 0.0; ++round) {
      move(point, -left / slope);
      const double now = find_error(point);
      const double reached = std::abs((left - now) / left);
      const bool is_way = reached > kFlattest && reached < kSteepest;
      if (!is_way && round == 0) break;
      slope *= (left - now) / left;
      left = now;
      if (!is_way || std::abs(left) > limit_ * std::abs(slope)) break;  // !is_way: rounding
    }
    if (std::abs(left) < std::abs(error)) return left - error;
    point.q = q_;
    point.v = v_;
    if (std::abs(error) > kNothing * max_kinetic_) return {};
    return 0.0;
  }

  /// By s along d and e, with the constraints as closed as they are.
  void move(CorrectionPoint& point, double s) {
    Evaluator& evaluator = point.evaluator;
    Workspace& ws = evaluator.ws();
    phi_ = ws.phi;
    rho_ = ws.velocity_residual;
    point.v += s * direction_;
    move_ = s * shift_;
    move_q(point);
    phi_ -= ws.phi;
    if (evaluator.solve_position(point.rank_tolerance, phi_, move_)) move_q(point);
    if (evaluator.factorize(point.rank_tolerance)) {
      rho_ -= ws.velocity_residual;
      evaluator.solve(zero_, rho_, move_, lambda_);
      point.v += move_;
      evaluator.set_velocity(point.v);
    }
    evaluator.system().eval_invariants(point.t, point.q, point.v, ws);
  }

  /// By move_.
  void move_q(CorrectionPoint& point) {
    point.evaluator.system().retract(point.q, move_);
    point.evaluator.set_configuration(point.t, point.q);
    point.evaluator.set_velocity(point.v);
  }

  /// An error within the rounding of the energy itself says nothing; near rest, correcting it would still change v.
  bool is_round_off(int index, const Workspace& ws, std::span<const double> work) {
    const double size = std::max({std::abs(ws.invariant[index]), std::abs(balance_.start()[index]),
                                  std::abs(work[static_cast<std::size_t>(index)])});
    constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
    return std::abs(balance_.eval(ws, work)[index]) <= kRounding * size;
  }

  double correct_several(CorrectionPoint& point) {
    constexpr int kPasses = 4;
    double change = 0.0;  // to first order
    Workspace& ws = point.evaluator.ws();
    const auto count = static_cast<Eigen::Index>(which_.size());
    for (Eigen::Index k = 0; k < count; ++k) {
      rhs_ = ws.invariant_v.row(which_[static_cast<std::size_t>(k)]).transpose();
      point.evaluator.solve(rhs_, zero_rows_, direction_, lambda_);
      directions_.col(k) = direction_;
    }
    for (int pass = 0; pass < kPasses; ++pass) {
      if (pass > 0) point.evaluator.system().eval_invariants(point.t, point.q, point.v, ws);
      balance_.eval(ws, point.work);
      for (Eigen::Index k = 0; k < count; ++k) {
        const int row = which_[static_cast<std::size_t>(k)];
        error_[k] = is_round_off(row, ws, point.work) ? 0.0 : balance_.eval(ws, point.work)[row];
        gram_.row(k).noalias() = ws.invariant_v.row(row) * directions_;
      }
      if (!solve_gram()) {
        if (pass == 0 && max_abs(error_) > 0.0) note(idle_, point);
        break;
      }
      const bool goes_on = apply_limited(point);
      change += ws.invariant_v.row(0).dot(direction_);
      if (!goes_on) break;
    }
    return change;
  }

  /// s = -K⁻¹ error by Gauss-Jordan elimination. A row of which (nearly) nothing is left, relative to its own diagonal
  /// entry, is implied by the earlier ones and skipped: invariants of different units are not compared.
  bool solve_gram() {
    const Eigen::Index count = gram_.rows();
    own_ = gram_.diagonal();
    s_.setZero();
    bool any = false;
    for (Eigen::Index k = 0; k < count; ++k) {
      const double pivot = gram_(k, k);
      if (!(std::abs(pivot) > 1e-12 * std::abs(own_[k]))) continue;
      error_[k] /= pivot;
      gram_.row(k) /= pivot;
      for (Eigen::Index i = 0; i < count; ++i) {
        const double factor = gram_(i, k);
        if (i == k || factor == 0.0) continue;
        gram_.row(i) -= factor * gram_.row(k);
        error_[i] -= factor * error_[k];
      }
      s_[k] = 1.0;  // marks a row that was solved
      any = true;
    }
    for (Eigen::Index k = 0; k < count; ++k) s_[k] = s_[k] != 0.0 ? -error_[k] : 0.0;
    return any;
  }

  /// v += Σ s d, cut to the limit relative to v. False: limited, no further pass.
  bool apply_limited(CorrectionPoint& point) {
    direction_.noalias() = directions_ * s_;
    const double change = direction_.norm();
    const double size = point.v.norm();
    if (change > limit_ * size && change > 0.0) {
      note(limited_, point);
      direction_ *= limit_ * size / change;
      point.v += direction_;
      return false;
    }
    point.v += direction_;
    return change > 1e-16 * size;
  }

  std::vector<int> which_;
  double limit_;
  bool has_energy_ = false;  // it is the first one then
  bool energy_only_ = false;
  Balance balance_;
  Vector rhs_, direction_, zero_rows_, lambda_, error_, s_, own_;
  Vector shift_, move_, zero_, phi_, rho_, q_, v_;  // of [INV.3]
  Matrix directions_, gram_;
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  double b_ = 0.0;                                  // of [INV.2] in this state,
  double b_last_ = kUnknown, b_before_ = kUnknown;  // and at the ends of the last steps
  // Whether the correction does much: what the steps lost, it hides.
  double put_back_ = 0.0;  // sum of all changes of the energy
  double max_put_back_ = 0.0;
  double max_left_ = 0.0;  // in steps
  double max_kinetic_ = 0.0;
  long steps_ = 0;
  long limited_ = 0;
  long idle_ = 0;
};

}  // namespace

std::unique_ptr<DriftControl> make_control(const EnergyCorrection& options,
                                           const SystemInfo& info) {
  return std::make_unique<Correction>(std::vector<int>{0}, options.limit, info);
}

std::unique_ptr<DriftControl> make_control(const InvariantCorrection& options,
                                           const SystemInfo& info) {
  std::vector<int> all(info.invariants.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  return std::make_unique<Correction>(std::move(all), options.limit, info);
}

}  // namespace driftless
