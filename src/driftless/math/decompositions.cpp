#include "driftless/math/decompositions.hpp"

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace driftless {

Vector solve_least_norm(ConstMatrixRef A, ConstVectorRef b, double tolerance) {
  if (A.rows() == 0 || A.cols() == 0) return Vector::Zero(A.cols());
  Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(tolerance);
  return svd.solve(b);
}

Vector solve_damped(ConstMatrixRef A, ConstVectorRef b, double damping) {
  if (A.rows() == 0) return Vector::Zero(A.cols());
  Matrix normal = A * A.transpose();
  normal.diagonal().array() += damping;
  return A.transpose() * Eigen::LDLT<Matrix>(normal).solve(b);
}

Matrix find_left_null_space(ConstMatrixRef A, Eigen::Index rank) {
  if (A.cols() == 0) return Matrix::Identity(A.rows(), A.rows());
  const Eigen::ColPivHouseholderQR<Matrix> qr(A);
  const Matrix q = qr.householderQ();
  return q.rightCols(A.rows() - rank);
}

Vector find_singular_values(ConstMatrixRef A) {
  if (A.rows() == 0 || A.cols() == 0) return Vector();
  return Eigen::JacobiSVD<Matrix>(A).singularValues();
}

std::vector<std::complex<double>> find_eigenvalues(ConstMatrixRef A) {
  const Eigen::VectorXcd values = Eigen::EigenSolver<Matrix>(A, false).eigenvalues();
  std::vector<std::complex<double>> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
  });
  return sorted;
}

bool find_modes(ConstMatrixRef M, ConstMatrixRef K, Vector& omega_squared, Matrix& modes) {
  if (M.rows() == 0) {
    omega_squared = Vector();
    modes = Matrix();
    return true;
  }
  if (Eigen::LLT<Matrix>(M).info() != Eigen::Success) return false;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(K, M);
  if (solver.info() != Eigen::Success) return false;
  omega_squared = solver.eigenvalues();
  modes = solver.eigenvectors();
  return true;
}

}  // namespace driftless
