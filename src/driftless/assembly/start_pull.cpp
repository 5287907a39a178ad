// The least of |s|²/2, s being what is missing of the soft rows S, along motions that leave the hard rows H alone. In the
// mass metric, dq = U dx with U Uᵀ = M⁻¹, and with Z an orthonormal basis of the motions that are left, H U Z = 0:
//
//   Gauss, Newton     dx = -Z (S U Z)⁺ s                                                                          [START.5]
//
// which is fast where s can become 0 and slow where it cannot. There the hard rows bear forces ν that balance the pull,
// (H U)ᵀ ν ≈ g = (S U)ᵀ s, and the curvature is that of |s|²/2 - ν·h, by differences of its gradient along each z,
//
//   C_jk = z_j · [(g - (H U)ᵀ ν)(q ⊕ ε U z_k) - (g - (H U)ᵀ ν)(q)]/ε
//   dx = -Z V (|Λ| + μ)⁻¹ Vᵀ Zᵀ g,    C = V Λ Vᵀ                                                                 [START.6]
//
// |Λ|: a saddle, as of a chain that is folded back, is left downhill. μ falls after each step that does and grows after
// one that had to be shortened: a rod that spins about its own length has no curvature but that of rounding, and steps of
// which most is such a spin get nowhere. Where the slope vanishes at a saddle, the way is along its most negative mode.
// Each step ends with Newton's method back onto the hard rows, and is halved until |s| falls.
//
// Rejected: differences of the gradient within the hard rows, Zᵀ g, which need singular values at each q ⊕ ε U z_k.

#include <algorithm>
#include <cmath>

#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/move_shortened.hpp"
#include "driftless/assembly/start_solver.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/math/row_choice.hpp"
#include "driftless/system/drawn_rank.hpp"

namespace driftless {
namespace {

// Relative to the other motions, and to a soft row's own length: what moves the soft rows by less is no way to go, but a way
// off the hard ones.
constexpr double kPullTolerance = 1e-6;
constexpr double kBalanceTolerance = 1e-9;
constexpr double kNothingMissing = 1e-9;
constexpr int kCurvedSteps = 120;
constexpr Eigen::Index kMostFree = 120;  // motions: each costs an evaluation

class Pull {
 public:
  Pull(StartLevel& level, const Selection& hard, const Selection& soft, int& iterations)
      : level_(level), hard_(hard), soft_(soft), iterations_(iterations) {}

  void run(int max_iterations) {
    for (int k = 0; k < max_iterations; ++k) {
      find_point();
      const Matrix along = find_slopes_along();
      const Vector step =
          -(free_ * solve_least_norm(along, missing_, kPullTolerance));  // [START.5]
      const double before = missing_.norm();
      if (!(take_step(step) > 0.0) || !(find_missing() < 0.9 * before)) break;
    }
    if (!level_.is_velocity()) follow_curvature();
  }

 private:
  /// S U Z; 0 for soft rows that no motion moves but by rounding.
  Matrix find_slopes_along() const {
    Matrix along = slopes_ * free_;
    for (Eigen::Index i = 0; i < along.rows(); ++i)
      if (!(along.row(i).norm() > kPullTolerance * slopes_.row(i).norm())) along.row(i).setZero();
    return along;
  }

  /// Everything at the level's values.
  void find_point() {
    level_.select(soft_);
    level_.eval();
    missing_ = level_.residual();
    scaling_ = level_.make_scaling({});
    slopes_ = level_.jacobian() * scaling_;
    level_.select(hard_);
    level_.eval();
    const Matrix fixed = normalize_rows(level_.jacobian() * scaling_, norms_);
    gradient_ = slopes_.transpose() * missing_;
    balance_ = solve_least_norm(fixed.transpose(), gradient_, kBalanceTolerance);
    const auto rank = static_cast<Eigen::Index>(choose_rows(fixed, kDrawnTolerance).needed.size());
    free_ = fixed.rows() == 0 ? Matrix(Matrix::Identity(scaling_.cols(), scaling_.cols()))
                              : find_left_null_space(fixed.transpose(), rank);
  }

  double find_missing() {
    level_.select(soft_);
    level_.eval();
    const double missing = level_.residual().norm();
    level_.select(hard_);
    level_.eval();
    return missing;
  }

  /// Moves by dx and back onto the hard rows, shorter until less is missing. The length; 0: none will do.
  double take_step(const Vector& step) {
    constexpr int kProjection = 20;
    constexpr int kHalvings = 12;
    const double before = missing_.norm();
    double taken = 0.0;
    ++iterations_;
    move_shortened(level_, scaling_ * step, kHalvings, [&](double length) {
      if (!solve_newton(level_, {}, kProjection, iterations_)) return false;
      if (!(find_missing() < (1.0 - 1e-12) * before)) return false;
      taken = length;
      return true;
    });
    if (taken > 0.0) level_.hold_threads();  // else they stop half a turn from where they began
    return taken;
  }

  /// Of |s|²/2 - ν·h, in the mass metric of the point.
  Vector find_balanced_gradient() {
    level_.select(soft_);
    level_.eval();
    Vector gradient = level_.jacobian().transpose() * level_.residual();
    level_.select(hard_);
    level_.eval();
    gradient -= level_.jacobian().transpose() * balance_.cwiseQuotient(norms_);
    return scaling_.transpose() * gradient;
  }

  /// [START.6]; false: it is not known.
  bool find_curvature() {
    constexpr double kDifference = 1e-6;
    const Eigen::Index n = free_.cols();
    if (n == 0 || n > kMostFree) return false;
    const Vector start = level_.values();
    const Vector here = find_balanced_gradient();
    Matrix curvature(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      level_.move(kDifference * (scaling_ * free_.col(k)));
      curvature.col(k) = free_.transpose() * (find_balanced_gradient() - here) / kDifference;
      level_.values() = start;
    }
    level_.eval();
    const Matrix symmetric = 0.5 * (curvature + curvature.transpose());
    return symmetric.allFinite() && find_modes(Matrix::Identity(n, n), symmetric, bends_, modes_);
  }

  void follow_curvature() {
    constexpr double kLeastDamping = 1e-8;
    constexpr double kGain = 1e-9;
    constexpr int kMostIdle = 3;
    double damping = 1e-3;  // of the largest bend
    int idle = 0;
    for (int k = 0; k < kCurvedSteps && idle < kMostIdle; ++k) {
      find_point();
      const double before = missing_.norm();
      if (!(before > kNothingMissing) || !find_curvature()) return;
      const double largest = max_abs(bends_);
      if (!(largest > 0.0)) return;
      const Vector slope = modes_.transpose() * (free_.transpose() * gradient_);
      const Vector bend = (bends_.cwiseAbs().array() + damping * largest).matrix();
      double length = take_step(-(free_ * (modes_ * slope.cwiseQuotient(bend))));
      if (length > 0.5) {
        damping = std::max(damping / 8.0, kLeastDamping);
      } else {
        damping = std::min(damping * (length > 0.0 ? 4.0 : 64.0), 1.0);
      }
      if (find_missing() < (1.0 - kGain) * before) {
        idle = 0;
      } else if (++idle >= kMostIdle && leave_saddle(largest)) {
        idle = 0;
      }
    }
  }

  /// Downhill along the mode that bends down most, if one does.
  bool leave_saddle(double largest) {
    constexpr double kBendsDown = 1e-4;
    if (!(bends_[0] < -kBendsDown * largest)) return false;
    const Vector way = free_ * modes_.col(0) / std::sqrt(std::abs(bends_[0]));
    find_point();
    return take_step(missing_.norm() * way) > 0.0 || take_step(-missing_.norm() * way) > 0.0;
  }

  StartLevel& level_;
  const Selection& hard_;
  const Selection& soft_;
  int& iterations_;
  Matrix scaling_;             // U
  Matrix slopes_;              // S U
  Matrix free_;                // Z
  Matrix modes_;               // V
  Vector bends_;               // Λ, ascending
  Vector missing_, norms_;     // s; lengths of the rows of H U
  Vector gradient_, balance_;  // g; ν, of rows of length 1
};

}  // namespace

bool pull(StartLevel& level, const Selection& hard, const Selection& soft, int max_iterations,
          int& iterations) {
  level.select(hard);
  if (!solve_newton(level, {}, max_iterations, iterations)) return false;
  Pull(level, hard, soft, iterations).run(max_iterations);
  level.select(hard);
  level.eval();
  return true;
}

}  // namespace driftless
