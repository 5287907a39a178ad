#include "driftless/math/jacobi.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Jacobi>

namespace driftless {

void orthogonalize_columns(MatrixRef X, MatrixRef V) {
  const Eigen::Index n = X.cols();
  V.setIdentity();
  constexpr int kMaxSweeps = 60;
  // Products of columns are known to about this share of their lengths; asking for less never ends.
  const double orthogonal = std::max(1e-15, 2e-16 * std::sqrt(static_cast<double>(X.rows())));
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool rotated = false;
    for (Eigen::Index p = 0; p + 1 < n; ++p) {
      double alpha = X.col(p).squaredNorm();
      for (Eigen::Index q = p + 1; q < n; ++q) {
        const double beta = X.col(q).squaredNorm();
        const double gamma = X.col(p).dot(X.col(q));
        if (std::abs(gamma) <= orthogonal * std::sqrt(alpha * beta) || gamma == 0.0) continue;
        rotated = true;
        const double zeta = (beta - alpha) / (2.0 * gamma);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1.0 + zeta * zeta));
        const double c = 1.0 / std::sqrt(1.0 + t * t);
        const Eigen::JacobiRotation<double> rotation(c, c * t);
        X.applyOnTheRight(p, q, rotation);
        V.applyOnTheRight(p, q, rotation);
        alpha = X.col(p).squaredNorm();
      }
    }
    if (!rotated) return;
  }
}

}  // namespace driftless
