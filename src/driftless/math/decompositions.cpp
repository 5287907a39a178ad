#include "driftless/math/decompositions.hpp"

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace driftless {

namespace {

// Jacobi's method is the more accurate one for small singular values; beyond this size its sweeps take too long.
constexpr Eigen::Index kLarge = 48;

bool is_large(ConstMatrixRef A) { return std::min(A.rows(), A.cols()) > kLarge; }

template <class Svd>
Vector solve_by(ConstMatrixRef A, ConstVectorRef b, double tolerance) {
  Svd svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(tolerance);
  return svd.solve(b);
}

}  // namespace

Vector solve_least_norm(ConstMatrixRef A, ConstVectorRef b, double tolerance) {
  if (A.rows() == 0 || A.cols() == 0) return Vector::Zero(A.cols());
  return is_large(A) ? solve_by<Eigen::BDCSVD<Matrix>>(A, b, tolerance)
                     : solve_by<Eigen::JacobiSVD<Matrix>>(A, b, tolerance);
}

Vector solve_damped(ConstMatrixRef A, ConstVectorRef b, double damping) {
  if (A.rows() == 0) return Vector::Zero(A.cols());
  Matrix normal = A * A.transpose();
  normal.diagonal().array() += damping;
  return A.transpose() * Eigen::LDLT<Matrix>(normal).solve(b);
}

bool is_definite(ConstMatrixRef A, double least) {
  Matrix shifted = A;
  shifted.diagonal().array() -= least;
  return Eigen::LLT<Matrix>(shifted).info() == Eigen::Success;
}

bool find_inverse_factor(ConstMatrixRef M, Matrix& factor) {
  const Eigen::LLT<Matrix> cholesky(M);
  if (cholesky.info() != Eigen::Success) return false;
  factor = cholesky.matrixU().solve(Matrix::Identity(M.rows(), M.cols()));
  return true;
}

Matrix find_left_null_space(ConstMatrixRef A, Eigen::Index rank) {
  if (A.cols() == 0) return Matrix::Identity(A.rows(), A.rows());
  const Eigen::ColPivHouseholderQR<Matrix> qr(A);
  const Matrix q = qr.householderQ();
  return q.rightCols(A.rows() - rank);
}

Vector find_singular_values(ConstMatrixRef A) {
  if (A.rows() == 0 || A.cols() == 0) return Vector();
  return is_large(A) ? Eigen::BDCSVD<Matrix>(A).singularValues()
                     : Eigen::JacobiSVD<Matrix>(A).singularValues();
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
