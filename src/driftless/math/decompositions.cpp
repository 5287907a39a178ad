#include "driftless/math/decompositions.hpp"

#include <algorithm>
#include <functional>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "driftless/math/jacobi.hpp"

namespace driftless {

namespace {

// [SVD] Rows ≥ columns: A P = Q R by pivoted Householder reflections, then Rᵀ V = U Σ by Jacobi rotations, so that
// A = Q V Σ (P U)ᵀ. Rotating the columns of Rᵀ, which descend in length, takes few sweeps; and Jacobi's method keeps the
// digits of small singular values, on which ranks are judged. A wide matrix is taken by its transpose. (Eigen has both
// parts in one class, for ten times the compile time.)
struct TallSvd {
  static constexpr Eigen::Index kManyColumns = 100;

  explicit TallSvd(ConstMatrixRef A, bool with_left)
      : qr(A.rows() < A.cols() ? Matrix(A.transpose()) : Matrix(A)) {
    const Eigen::Index n = qr.cols();
    x = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>().transpose();
    if (n < kManyColumns || !divide_and_conquer(with_left)) {
      v.resize(with_left ? n : 0, n);
      orthogonalize_columns(x, v);
    }
    values = x.colwise().norm().transpose();
  }

  /// A fifth of the time of rotations, but small singular values are known only to 1e-15 of the largest. False: it failed.
  bool divide_and_conquer(bool with_left) {
    const unsigned right = with_left ? static_cast<unsigned>(Eigen::ComputeThinV) : 0U;
    const Eigen::BDCSVD<Matrix> svd(x, Eigen::ComputeThinU | right);
    const Matrix scaled = svd.matrixU() * svd.singularValues().asDiagonal();
    if (!scaled.allFinite() || (with_left && !svd.matrixV().allFinite())) return false;
    x = scaled;
    if (with_left) v = svd.matrixV();
    return true;
  }

  /// Q V
  Matrix find_left() const {
    Matrix left = Matrix::Zero(qr.rows(), qr.cols());
    left.topRows(qr.cols()) = v;
    left.applyOnTheLeft(qr.householderQ());
    return left;
  }
  /// P U Σ
  Matrix find_right() const { return qr.colsPermutation() * x; }

  Eigen::ColPivHouseholderQR<Matrix> qr;
  Matrix x, v;    // U Σ, V
  Vector values;  // not sorted
};

}  // namespace

Vector solve_least_norm(ConstMatrixRef A, ConstVectorRef b, double tolerance) {
  if (A.rows() == 0 || A.cols() == 0) return Vector::Zero(A.cols());
  const bool wide = A.rows() < A.cols();
  const TallSvd svd(A, true);
  Matrix in = svd.find_left(), out = svd.find_right();
  if (wide) in.swap(out);
  Vector c = in.transpose() * b;
  const double least = tolerance * svd.values.maxCoeff();
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    const double sigma = svd.values[i];
    c[i] = sigma > least ? c[i] / (sigma * sigma) : 0.0;  // one σ is in P U Σ already
  }
  return out * c;
}

SingularDirections find_singular_directions(ConstMatrixRef A) {
  if (A.rows() == 0 || A.cols() == 0)
    return {Vector::Zero(0), Matrix(A.rows(), 0), Matrix(A.cols(), 0)};
  const TallSvd svd(A, true);
  SingularDirections found{svd.values, svd.find_left(), svd.find_right()};
  for (Eigen::Index k = 0; k < found.values.size(); ++k)
    if (found.values[k] > 0.0) found.right.col(k) /= found.values[k];
  if (A.rows() < A.cols()) found.left.swap(found.right);
  return found;
}

Matrix solve_independent(ConstMatrixRef A, ConstMatrixRef B) {
  if (A.rows() == 0 || A.cols() == 0) return Matrix::Zero(A.cols(), B.cols());
  return Eigen::ColPivHouseholderQR<Matrix>(A).solve(B);
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

int find_common_sense(ConstMatrixRef A, ConstMatrixRef B) {
  constexpr double kDependent = 1e-9;
  if (A.rows() == 0) return 1;
  Eigen::ColPivHouseholderQR<Matrix> qr(A.transpose());
  qr.setThreshold(kDependent);
  const Eigen::Index rank = qr.rank();
  Matrix product(rank, rank);
  for (Eigen::Index i = 0; i < rank; ++i) {
    const auto row = A.row(qr.colsPermutation().indices()[i]);
    for (Eigen::Index j = 0; j < rank; ++j)
      product(i, j) = row.dot(B.row(qr.colsPermutation().indices()[j]));
  }
  const Eigen::PartialPivLU<Matrix> lu(product);
  int sign = lu.permutationP().determinant() > 0 ? 1 : -1;
  for (Eigen::Index i = 0; i < rank; ++i) {
    const double pivot = lu.matrixLU()(i, i);
    if (!(std::abs(pivot) > kDependent)) return 0;
    if (pivot < 0.0) sign = -sign;
  }
  return sign;
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
  Vector values = TallSvd(A, false).values;
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
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
