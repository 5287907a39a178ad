// Newton. Gauss-Newton steps of least change:
//   delta = -U (D G U)⁺ D r,      U Uᵀ = M⁻¹,  D = 1/row norms of G U                                          [START.1]
// so that deltaᵀ M delta is least among all steps that remove the linearised residual; redundant rows are no obstacle
// (pseudoinverse; [START.8] says which directions count). A step is halved until it reduces |D r|.
//
// From far. With A = D G U, D that of the first pose,
//   delta = -U Aᵀ (A Aᵀ + μ)⁻¹ D r                                                                              [START.4]
// and μ smaller after each step that reduces |D r|, larger after one that does not (Levenberg, Marquardt). It passes
// singular poses at which [START.1] is stuck, and it costs a Cholesky factorisation instead of singular values. Where it
// ends at a saddle, it goes on from beside it (start_saddle.cpp).
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

#include "driftless/assembly/move_shortened.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/system/drawn_rank.hpp"

namespace driftless {
namespace {

constexpr int kMaxHalvings = 20;

// One damped step of [START.1]; false if no length of it reduces the residual. Where most of the residual stays, because
// redundant rows do not fit together, the part must fall that can.
bool take_newton_step(StartLevel& level, const FreeFlags& is_free) {
  const StartLevel::Step step = level.find_step(is_free);
  const Vector before = level.residual().cwiseQuotient(step.norms);
  const double kept_before = (step.kept.transpose() * before).norm();
  return move_shortened(level, step.delta, kMaxHalvings, [&](double length) {
    const Vector after = level.residual().cwiseQuotient(step.norms);
    if (after.norm() < (1.0 - 1e-3 * length) * before.norm()) return true;
    return after.norm() < (1.0 + 1e-3) * before.norm() &&
           (step.kept.transpose() * after).norm() < 0.5 * kept_before;
  });
}

}  // namespace

bool solve_newton(StartLevel& level, const FreeFlags& is_free, int max_iterations,
                  int& iterations) {
  level.eval();
  for (int k = 0; k < max_iterations; ++k) {
    if (level.is_closed()) {
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
  return level.find_step(is_free).delta;
}

void polish(StartLevel& level, const FreeFlags& is_free, int& iterations) {
  constexpr int kSteps = 8;
  const Vector before = level.values();
  level.eval();
  if (level.is_closed()) {
    iterations += int{take_newton_step(level, is_free)};
  } else if (!solve_newton(level, is_free, kSteps, iterations)) {
    level.values() = before;
    level.eval();
  }
}

namespace {

// [START.4] until the selection holds or nothing is gained. What is left of |D r|, as a share of what it was.
double go_down(StartLevel& level, const FreeFlags& is_free, int max_iterations, int& iterations) {
  constexpr int kMaxSlow = 8;  // steps in a row that gain next to nothing: no slope is left
  Matrix scaling = level.make_scaling(is_free);
  Vector norms;
  level.find_unit_rows(scaling, norms);
  const double first = level.residual().cwiseQuotient(norms).norm();
  double before = first;
  double damping = 1e-2;
  int slow = 0;
  for (int k = 0; k < max_iterations && slow < kMaxSlow && !level.is_closed(); ++k) {
    if (!level.is_finite()) break;
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
    if (is_shorter) before = after;
  }
  return first > 0.0 ? before / first : 0.0;
}

}  // namespace

bool solve_from_far(StartLevel& level, const FreeFlags& is_free, int max_iterations,
                    int& iterations) {
  constexpr int kMostSaddles = 6;
  constexpr double kNear = 1e-3;  // share of what was missing: from here Newton does the rest
  level.eval();
  double left = 1.0;
  for (int saddles = 0; level.is_finite(); ++saddles) {
    left *= go_down(level, is_free, max_iterations, iterations);
    if ((left < kNear || level.is_met()) &&
        solve_newton(level, is_free, max_iterations, iterations))
      return true;
    if (saddles == kMostSaddles || !leave_saddle(level, is_free, iterations)) return false;
  }
  return false;
}

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
    const Matrix rows = level.find_unit_rows(scaling, norms);
    const Vector across = (level.jacobian() * way).cwiseQuotient(norms);
    const Vector delta = way - scaling * solve_least_norm(rows, across, kDrawnTolerance);
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

}  // namespace driftless
