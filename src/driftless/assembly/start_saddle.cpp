// Saddles. Of f = |D r|²/2, D dividing the rows by their lengths, least squares go down to where the slope vanishes,
//   g = (D G U)ᵀ D r = 0,
// and that need not be a minimum: points that are drawn on one line have no slope across it, and coincident ones none at
// all, although a step to the side closes what lies along the line. The curvature tells, by differences of g,
//   C = V Λ Vᵀ,    C_k = [g(q ⊕ ε U e_k) - g(q)]/ε
// Where some of it is negative, the step goes down along all modes that bend down, several parts of a mechanism at once:
//   delta = ±|D r| U Σ_{λ_k < 0} v_k c_k/√|λ_k|,    c_k ~ v_k·w,  |c| = 1                                       [START.9]
// With one mode, f would be 0 there if it went on bending as it begins. w is a vector of fixed random numbers: the sum
// does not depend on which basis of a repeated λ the decomposition finds, and it has no symmetry that the drawing has.
// It is halved until f falls.
//
// Rejected: moving every drawing a little at random before it is closed. Drawings that only look singular would be left.

#include <algorithm>
#include <cmath>
#include <random>

#include "driftless/assembly/move_shortened.hpp"
#include "driftless/assembly/random_numbers.hpp"
#include "driftless/assembly/start_solver.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr Eigen::Index kMostModes = 600;  // each costs an evaluation
constexpr double kBendsDown = 1e-5;   // of the largest bend; less is round-off of the differences
constexpr double kDifference = 1e-6;  // of a coordinate
constexpr int kSaddleHalvings = 16;

/// g, with D and U as given.
Vector find_slope(const StartLevel& level, const Matrix& scaling, const Vector& norms) {
  const Vector residual = level.residual().cwiseQuotient(norms).cwiseQuotient(norms);
  return scaling.transpose() * (level.jacobian().transpose() * residual);
}

/// False: it is not known.
bool find_curvature(StartLevel& level, const Matrix& scaling, const Vector& norms, Vector& bends,
                    Matrix& modes) {
  const Eigen::Index n = scaling.cols();
  const Vector here = level.values();
  const Vector slope = find_slope(level, scaling, norms);
  Matrix curvature(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double step = kDifference / std::max(max_abs(Vector(scaling.col(k))), 1e-300);
    level.move(step * scaling.col(k));
    level.eval();
    curvature.col(k) = (find_slope(level, scaling, norms) - slope) / step;
    level.values() = here;
  }
  level.eval();
  const Matrix symmetric = 0.5 * (curvature + curvature.transpose());
  return symmetric.allFinite() && find_modes(Matrix::Identity(n, n), symmetric, bends, modes);
}

}  // namespace

bool leave_saddle(StartLevel& level, const FreeFlags& is_free, int& iterations) {
  if (level.is_velocity() && level.info().velocity_rows_linear) return false;
  level.eval();
  const Matrix scaling = level.make_scaling(is_free);
  if (!level.is_finite() || scaling.cols() == 0 || scaling.cols() > kMostModes) return false;
  Vector norms, bends;
  Matrix modes;
  level.find_unit_rows(scaling, norms);
  const double before = level.residual().cwiseQuotient(norms).norm();
  if (!find_curvature(level, scaling, norms, bends, modes)) return false;
  const double least = kBendsDown * max_abs(bends);
  std::mt19937_64 random(20260310);
  const Vector shares = modes.transpose() * draw_vector(scaling.cols(), random);
  Vector way = Vector::Zero(scaling.cols());
  double size = 0.0;
  for (Eigen::Index k = 0; k < bends.size() && bends[k] < -least; ++k) {
    way += shares[k] / std::sqrt(-bends[k]) * modes.col(k);
    size += shares[k] * shares[k];
  }
  if (!(size > 0.0)) return false;
  way *= before / std::sqrt(size);
  if (find_slope(level, scaling, norms).dot(way) > 0.0) way = -way;
  ++iterations;
  return move_shortened(
      level, scaling * way, kSaddleHalvings, [&](double /*length*/) {  // [START.9]
        return level.residual().cwiseQuotient(norms).norm() < (1.0 - 1e-9) * before;
      });
}

}  // namespace driftless
