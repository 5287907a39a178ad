#include "driftless/integrators/rattle_matrix.hpp"

namespace driftless {

void RattleMatrix::resize(const BlockMatrix& A, const BlockMatrix& D) {
  n_ = A.rows();
  m_ = D.rows();
  const Eigen::Index size = n_ + m_;
  const Eigen::Index filled = A.count() + 2 * D.count();
  is_sparse_ = is_worth_sparse(size, filled);
  if (is_sparse_) {
    sparse_.resize(size);
  } else {
    matrix_ = Matrix::Zero(size, size);
    dense_.resize(size);
  }
}

bool RattleMatrix::factorize(const MechProblem& mech, const BlockMatrix& A, const BlockMatrix& B,
                             const BlockMatrix& D) {
  if (n_ != A.rows() || m_ != D.rows()) resize(A, D);
  if (is_sparse_) {
    fill_sparse(mech, A, B, D);
    return sparse_.factorize();
  }
  fill_dense(mech, A, B, D);
  return dense_.factorize(matrix_);
}

void RattleMatrix::solve(Vector& right) {
  if (is_sparse_) {
    sparse_.solve(right);
  } else {
    dense_.solve(right);
  }
}

void RattleMatrix::fill_dense(const MechProblem& mech, const BlockMatrix& A, const BlockMatrix& B,
                              const BlockMatrix& D) {
  matrix_.setZero();
  matrix_.topLeftCorner(n_, n_) = A.dense();
  matrix_.topRightCorner(n_, m_) = B.dense().transpose();
  matrix_.bottomLeftCorner(m_, n_) = D.dense();
  for (int i = 0; i < m_; ++i) {
    if (mech.is_kept(i)) continue;
    matrix_.row(n_ + i).setZero();
    matrix_.row(n_ + i).tail(m_) = -mech.relation(i);
    matrix_(n_ + i, n_ + i) += 1.0;
  }
}

void RattleMatrix::fill_sparse(const MechProblem& mech, const BlockMatrix& A, const BlockMatrix& B,
                               const BlockMatrix& D) {
  sparse_.clear();
  for (int i = 0; i < n_; ++i)
    A.for_each_in_row(i, [&](int j, double value) { sparse_.add(i, j, value); });
  for (int i = 0; i < m_; ++i) {
    const Eigen::Index row = n_ + i;
    B.for_each_in_row(i, [&](int j, double value) { sparse_.add(j, row, value); });
    if (mech.is_kept(i)) {
      D.for_each_in_row(i, [&](int j, double value) { sparse_.add(row, j, value); });
      continue;
    }
    sparse_.add(row, row, 1.0);
    const auto relation = mech.relation(i);
    for (Eigen::Index j = 0; j < m_; ++j)
      if (relation[j] != 0.0) sparse_.add(row, n_ + j, -relation[j]);
  }
}

}  // namespace driftless
