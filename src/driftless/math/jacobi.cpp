#include "driftless/math/jacobi.hpp"

#include <algorithm>
#include <cmath>

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
      for (Eigen::Index q = p + 1; q < n; ++q) {
        const double alpha = X.col(p).squaredNorm();
        const double beta = X.col(q).squaredNorm();
        const double gamma = X.col(p).dot(X.col(q));
        if (std::abs(gamma) <= orthogonal * std::sqrt(alpha * beta) || gamma == 0.0) continue;
        rotated = true;
        const double zeta = (beta - alpha) / (2.0 * gamma);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1.0 + zeta * zeta));
        const double c = 1.0 / std::sqrt(1.0 + t * t);
        const double s = c * t;
        for (Eigen::Index i = 0; i < X.rows(); ++i) {
          const double xp = X(i, p);
          const double xq = X(i, q);
          X(i, p) = c * xp - s * xq;
          X(i, q) = s * xp + c * xq;
        }
        for (Eigen::Index i = 0; i < V.rows(); ++i) {
          const double vp = V(i, p);
          const double vq = V(i, q);
          V(i, p) = c * vp - s * vq;
          V(i, q) = s * vp + c * vq;
        }
      }
    }
    if (!rotated) return;
  }
}

}  // namespace driftless
