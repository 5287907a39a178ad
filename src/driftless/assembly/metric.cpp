#include "driftless/assembly/metric.hpp"

#include <cmath>

#include "driftless/math/decompositions.hpp"

namespace driftless {

namespace {

constexpr double kDefinite = 1e-12;
constexpr double kLeast = 1e-3;  // inertia of motions that have none, in units of the diagonal

}  // namespace

Vector find_diagonal_scale(ConstMatrixRef mass) {
  Vector scale(mass.rows());
  for (Eigen::Index i = 0; i < mass.rows(); ++i)
    scale[i] = mass(i, i) > 0.0 ? 1.0 / std::sqrt(mass(i, i)) : 1.0;
  return scale;
}

bool is_positive_definite(ConstMatrixRef matrix) {
  const Eigen::Index n = matrix.rows();
  if (n == 0) return true;
  if (!matrix.allFinite() || !(matrix.diagonal().minCoeff() > 0.0)) return false;
  const Vector scale = find_diagonal_scale(matrix);
  const Matrix scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  return is_definite(scaled, kDefinite);
}

Matrix make_mass_scaling(ConstMatrixRef mass) {
  const Eigen::Index n = mass.rows();
  Vector values;
  Matrix modes;
  if (is_positive_definite(mass) && find_inverse_factor(mass, modes)) return modes;
  const Vector scale = find_diagonal_scale(mass);
  const Matrix scaled = scale.asDiagonal() * mass * scale.asDiagonal();
  if (!scaled.allFinite() || !find_modes(Matrix::Identity(n, n), scaled, values, modes))
    return scale.asDiagonal();
  return scale.asDiagonal() * modes *
         values.cwiseMax(kLeast).cwiseSqrt().cwiseInverse().asDiagonal();
}

Matrix normalize_rows(ConstMatrixRef matrix, Vector& norms) {
  norms = matrix.rowwise().norm();
  for (double& norm : norms)
    if (!(norm > 0.0)) norm = 1.0;
  return norms.cwiseInverse().asDiagonal() * matrix;
}

Matrix normalize_rows(ConstMatrixRef matrix, const Vector& shares, Vector& norms) {
  norms = matrix.rowwise().norm();
  for (Eigen::Index i = 0; i < norms.size(); ++i) {
    if (i < shares.size() && shares[i] > 0.0) norms[i] /= shares[i];
    if (!(norms[i] > 0.0)) norms[i] = 1.0;
  }
  return norms.cwiseInverse().asDiagonal() * matrix;
}

}  // namespace driftless
