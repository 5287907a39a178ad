// Newton. Gauss-Newton steps of least change:
//   delta = -U (D G U)⁺ D r,      U Uᵀ = M⁻¹,  D = 1/row norms of G U                                          [START.1]
// so that deltaᵀ M delta is least among all steps that remove the linearised residual; redundant rows are no obstacle
// (pseudoinverse). A step is halved until it reduces |D r|.
//
// From far. With A = D G U, D that of the first pose,
//   delta = -U Aᵀ (A Aᵀ + μ)⁻¹ D r                                                                              [START.4]
// and μ smaller after each step that reduces |D r|, larger after one that does not (Levenberg, Marquardt). It passes
// singular poses at which [START.1] is stuck, and it costs a Cholesky factorisation instead of singular values.
//
// Pull. The motion that changes the soft residual s while the hard rows H hold, and then Newton back onto them:
//   delta = -U P (S U P)⁺ s,      P = 1 - (H U)⁺ (H U)                                                          [START.5]
// Its length is halved until |s| falls. Where s cannot become 0 this is slow; then Newton's method for the least |s|²,
// with the curvature along the motions z that are left found by differences of the gradient ∇ = P Uᵀ Sᵀ s,
//   delta = -U Z |C|⁻¹ Zᵀ ∇,      C_jk = z_j · (∇(q + h U z_k) - ∇(q))/h                                        [START.6]
// It ends where no motion that is left makes s smaller.
//
// Least change. With the way d back to where the values came from, the part of it that the rows G leave, and then Newton
// back onto them, shorter until dᵀ M d falls:
//   delta = d - U (D G U)⁺ D G d                                                                                [START.7]
//
// No body turns by more than half a radian in one step, and a step that would bring a joint near to turning over is
// shortened: rows such as x₀·z₁ = 0 hold as well with the axes opposed.

#include "driftless/assembly/start_solver.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/assembly/metric.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr int kMaxHalvings = 20;
constexpr double kRankTolerance = 1e-10;
// Relative to the other motions: what moves the soft rows by less is no way to go, but a way off the hard ones.
constexpr double kPullTolerance = 1e-6;

bool is_any_more_tilted(const std::vector<bool>& before, const std::vector<bool>& after) {
  for (std::size_t k = 0; k < before.size(); ++k)
    if (after[k] && !before[k]) return true;
  return false;
}

// Moves by `delta`, shorter as need be. `accept` says whether the new values will do.
template <class Accept>
bool move_shortened(StartLevel& level, const Vector& delta, int max_halvings, Accept&& accept) {
  if (!delta.allFinite() || max_abs(delta) == 0.0) return false;
  const Vector start = level.values();
  const std::vector<bool> was_tilted = level.find_tilted();
  double length = level.find_step_limit(delta);
  for (int halving = 0; halving < max_halvings; ++halving, length *= 0.5) {
    level.values() = start;
    level.move(length * delta);
    level.eval();
    if (is_any_more_tilted(was_tilted, level.find_tilted())) continue;
    if (accept(length)) return true;
  }
  level.values() = start;
  level.eval();
  return false;
}

Vector find_newton_step(StartLevel& level, const FreeFlags& is_free, Vector& norms) {
  const Matrix scaling = level.make_scaling(is_free);
  const Matrix rows = normalize_rows(level.jacobian() * scaling, norms);
  const Vector residual = level.residual().cwiseQuotient(norms);
  return -(scaling * solve_least_norm(rows, residual, kRankTolerance));
}

// One damped step of [START.1]; false if no length of it reduces the residual.
bool take_newton_step(StartLevel& level, const FreeFlags& is_free) {
  Vector norms;
  const Vector delta = find_newton_step(level, is_free, norms);
  const Vector before = level.residual().cwiseQuotient(norms);
  return move_shortened(level, delta, kMaxHalvings, [&](double length) {
    const double after = level.residual().cwiseQuotient(norms).norm();
    return after < (1.0 - 1e-3 * length) * before.norm();
  });
}

}  // namespace

bool solve_newton(StartLevel& level, const FreeFlags& is_free, int max_iterations,
                  int& iterations) {
  level.eval();
  for (int k = 0; k < max_iterations; ++k) {
    if (level.is_met()) {
      if (k > 0) iterations += int{take_newton_step(level, is_free)};  // as polish does
      return true;
    }
    if (!level.is_finite()) return false;
    if (!take_newton_step(level, is_free)) return level.is_met();
    ++iterations;
  }
  return level.is_met();
}

Vector find_newton_step(StartLevel& level, const FreeFlags& is_free) {
  Vector norms;
  return find_newton_step(level, is_free, norms);
}

void polish(StartLevel& level, const FreeFlags& is_free, int& iterations) {
  level.eval();
  if (level.is_met()) iterations += int{take_newton_step(level, is_free)};
}

bool solve_from_far(StartLevel& level, const FreeFlags& is_free, int max_iterations,
                    int& iterations) {
  constexpr int kMaxSlow = 8;  // steps in a row that gain next to nothing: a local minimum
  level.eval();
  if (!level.is_finite()) return false;
  Matrix scaling = level.make_scaling(is_free);
  Vector norms;
  normalize_rows(level.jacobian() * scaling, norms);
  const double first = level.residual().cwiseQuotient(norms).norm();
  double before = first;
  double damping = 1e-2;
  int slow = 0;
  for (int k = 0; k < max_iterations && slow < kMaxSlow && !level.is_met(); ++k) {
    if (!level.is_finite()) return false;
    if (!level.info().constant_mass) scaling = level.make_scaling(is_free);
    const Matrix rows = norms.cwiseInverse().asDiagonal() * (level.jacobian() * scaling);
    const Vector step =
        solve_damped(rows, Vector(level.residual().cwiseQuotient(norms)), damping);  // [START.4]
    double after = before;
    const bool is_shorter = move_shortened(level, -(scaling * step), 1, [&](double) {
      after = level.residual().cwiseQuotient(norms).norm();
      return after < before;
    });
    ++iterations;
    slow = is_shorter && after < 0.999 * before ? 0 : slow + 1;
    damping = is_shorter ? std::max(damping / 4.0, 1e-14) : damping * 8.0;
    before = after;
  }
  if (!(before < 1e-3 * first) && !level.is_met()) return false;
  return solve_newton(level, is_free, max_iterations, iterations);
}

namespace {

/// The soft residual along motions that leave the hard rows alone, at the level's values.
struct PullPoint {
  Matrix scaling;   // U
  Matrix fixed;     // hard rows in the mass metric, of length 1
  Vector missing;   // s
  Matrix free;      // (S U P)ᵀ
  Vector gradient;  // of |s|²/2
};

PullPoint find_pull_point(StartLevel& level, const Selection& hard, const Selection& soft) {
  PullPoint point;
  level.select(soft);
  level.eval();
  point.missing = level.residual();
  point.scaling = level.make_scaling({});
  point.free = (level.jacobian() * point.scaling).transpose();
  level.select(hard);
  level.eval();
  Vector norms;
  point.fixed = normalize_rows(level.jacobian() * point.scaling, norms);
  for (Eigen::Index i = 0; i < point.free.cols(); ++i) {
    const Vector column = point.free.col(i);
    point.free.col(i) -=
        solve_least_norm(point.fixed, Vector(point.fixed * column), kRankTolerance);
  }
  point.gradient = point.free * point.missing;
  return point;
}

/// Moves by `step` (mass metric) and back onto the hard rows, shorter until less is missing.
bool take_pull_step(StartLevel& level, const Selection& hard, const Selection& soft,
                    const PullPoint& point, const Vector& step, int& iterations) {
  constexpr int kProjection = 20;
  constexpr int kPullHalvings = 12;
  const double before = point.missing.norm();
  double after = before;
  ++iterations;
  const bool is_nearer =
      move_shortened(level, point.scaling * step, kPullHalvings, [&](double /*length*/) {
        if (!solve_newton(level, {}, kProjection, iterations)) return false;
        level.select(soft);
        level.eval();
        after = level.residual().norm();
        level.select(hard);
        level.eval();
        return after < before;
      });
  return is_nearer && after < (1.0 - 1e-12) * before;
}

/// [START.6]
Vector find_curved_step(StartLevel& level, const Selection& hard, const Selection& soft,
                        const PullPoint& point, int& iterations) {
  constexpr double kDifference = 1e-5;
  const RowChoice choice = choose_rows(point.fixed);
  const Matrix basis = find_left_null_space(point.fixed.transpose(),
                                            static_cast<Eigen::Index>(choice.needed.size()));
  const Vector start = level.values();
  const Eigen::Index n = basis.cols();
  if (n == 0) return Vector::Zero(basis.rows());
  Matrix curvature(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    level.move(kDifference * (point.scaling * basis.col(k)));
    solve_newton(level, {}, 5, iterations);
    const PullPoint beside = find_pull_point(level, hard, soft);
    curvature.col(k) = basis.transpose() * (beside.gradient - point.gradient) / kDifference;
    level.values() = start;
    level.eval();
  }
  Vector values;
  Matrix vectors;
  const Matrix symmetric = 0.5 * (curvature + curvature.transpose());
  if (!symmetric.allFinite() || !find_modes(Matrix::Identity(n, n), symmetric, values, vectors))
    return Vector::Zero(basis.rows());
  const double least = 1e-8 * max_abs(values);
  Vector part = vectors.transpose() * (basis.transpose() * point.gradient);
  for (Eigen::Index k = 0; k < n; ++k)
    part[k] = std::abs(values[k]) > least ? part[k] / std::abs(values[k]) : 0.0;
  return -(basis * (vectors * part));
}

}  // namespace

void minimise_change(StartLevel& level, const Vector& start, const std::function<bool()>& keeps,
                     int max_iterations, int& iterations) {
  constexpr int kProjection = 20;
  constexpr int kHalvings = 8;
  Vector way(level.info().nv);
  const auto find_way = [&] { level.system().find_increment(level.values(), start, way); };
  const auto find_size = [&](const Vector& step) { return step.dot(level.mass() * step); };
  for (int k = 0; k < max_iterations; ++k) {
    level.eval();
    find_way();
    const double before = find_size(way);
    const Matrix scaling = level.make_scaling({});
    Vector norms;
    const Matrix rows = normalize_rows(level.jacobian() * scaling, norms);
    const Vector across = (level.jacobian() * way).cwiseQuotient(norms);
    const Vector delta = way - scaling * solve_least_norm(rows, across, kRankTolerance);
    if (!(find_size(delta) > 1e-16 * before)) return;
    ++iterations;
    const bool is_nearer = move_shortened(level, delta, kHalvings, [&](double /*length*/) {
      if (!solve_newton(level, {}, kProjection, iterations) || !keeps()) return false;
      find_way();
      return find_size(way) < (1.0 - 1e-9) * before;
    });
    if (!is_nearer) return;
  }
}

bool pull(StartLevel& level, const Selection& hard, const Selection& soft, int max_iterations,
          int& iterations) {
  constexpr int kCurvedSteps = 40;
  constexpr Eigen::Index kMostFree = 60;
  level.select(hard);
  if (!solve_newton(level, {}, max_iterations, iterations)) return false;
  for (int k = 0; k < max_iterations; ++k) {
    const PullPoint point = find_pull_point(level, hard, soft);
    const double before = point.missing.norm();
    const Vector step =
        -solve_least_norm(point.free.transpose(), point.missing, kPullTolerance);  // [START.5]
    if (!take_pull_step(level, hard, soft, point, step, iterations)) break;
    level.select(soft);
    level.eval();
    const bool is_slow = !(level.residual().norm() < 0.9 * before);
    level.select(hard);
    level.eval();
    if (is_slow) break;
  }
  for (int k = 0; k < kCurvedSteps; ++k) {
    const PullPoint point = find_pull_point(level, hard, soft);
    if (level.is_velocity() || point.fixed.cols() - point.fixed.rows() > kMostFree) break;
    if (!(point.missing.norm() > 1e-9)) break;
    const Vector step = find_curved_step(level, hard, soft, point, iterations);
    if (!take_pull_step(level, hard, soft, point, step, iterations)) break;
  }
  return true;
}

}  // namespace driftless
