#include "driftless/integrators/alpha_matrix.hpp"

namespace driftless {
namespace {

/// factor · A T; T couples the rates of a body, so that most of its entries are 0.
void multiply_by_tangent(const Matrix& A, const Matrix& T, double factor, Matrix& product) {
  product.setZero();
  for (Eigen::Index j = 0; j < T.cols(); ++j)
    for (Eigen::Index k = 0; k < T.rows(); ++k)
      if (T(k, j) != 0.0) product.col(j) += (factor * T(k, j)) * A.col(k);
}

}  // namespace

void AlphaMatrix::resize(Eigen::Index n, Eigen::Index m, Eigen::Index p) {
  n_ = n;
  m_ = m;
  p_ = p;
  motion_ = turned_stiffness_ = Matrix::Zero(n, n);
  turned_rows_ = turned_rho_ = Matrix::Zero(m, n);
  is_sparse_.reset();
  if (n + m + p < kSparseFrom) is_sparse_ = false;
  if (!is_sparse_) return;
  matrix_ = Matrix::Zero(n + m + p, n + m + p);
  dense_.resize(n + m + p);
}

bool AlphaMatrix::find_sparse(const Blocks& blocks) const {
  constexpr double kMostlyEmpty = 0.1;
  const auto count = [](const Matrix& matrix) { return (matrix.array() != 0.0).count(); };
  const auto size = static_cast<double>(n_ + m_ + p_);
  const auto filled = count(motion_) + count(turned_stiffness_) + 2 * count(blocks.jacobian);
  return static_cast<double>(filled) < kMostlyEmpty * size * size;
}

bool AlphaMatrix::factorize(const MechProblem& mech, const Blocks& blocks) {
  fill_products(blocks);
  if (!is_sparse_) {
    is_sparse_ = find_sparse(blocks);
    if (*is_sparse_) {
      all_ = Vector::Zero(n_ + m_ + p_ + (p_ > 0 ? n_ : 0));
      sparse_.resize(all_.size());
    } else {
      matrix_ = Matrix::Zero(n_ + m_ + p_, n_ + m_ + p_);
      dense_.resize(n_ + m_ + p_);
    }
  }
  if (*is_sparse_) {
    fill_sparse(mech, blocks);
    return sparse_.factorize();
  }
  fill_dense(mech, blocks);
  return dense_.factorize(matrix_);
}

void AlphaMatrix::solve(Vector& right) {
  if (!*is_sparse_) {
    dense_.solve(right);
    return;
  }
  all_.setZero();
  all_.head(right.size()) = right;
  sparse_.solve(all_);
  right = all_.head(right.size());
}

void AlphaMatrix::fill_products(const Blocks& blocks) {
  motion_ = blocks.sigma * blocks.mass + (blocks.h * blocks.ratio) * blocks.damping;
  multiply_by_tangent(blocks.stiffness, blocks.tangent, blocks.h * blocks.h, turned_stiffness_);
  multiply_by_tangent(blocks.jacobian, blocks.tangent, 1.0, turned_rows_);
  multiply_by_tangent(blocks.rho_q, blocks.tangent, blocks.h, turned_rho_);
}

/// [GA.6]
void AlphaMatrix::fill_dense(const MechProblem& mech, const Blocks& blocks) {
  const Matrix& G = blocks.jacobian;
  const auto G0 = blocks.start_jacobian.topRows(p_);
  const bool at_position = mech.level() == MechProblem::Level::position;
  matrix_.setZero();
  matrix_.topLeftCorner(n_, n_) = motion_ + turned_stiffness_;
  if (p_ > 0) matrix_.block(0, n_ + m_, n_, p_).noalias() = motion_ * G0.transpose();
  matrix_.block(0, n_, n_, m_) = G.transpose();
  for (int i = 0; i < m_; ++i) {
    auto row = matrix_.row(n_ + i);
    if (!mech.is_kept(i)) {  // hλ_i = c·hλ
      row.segment(n_, m_) = -mech.relation(i);
      row[n_ + i] += 1.0;
    } else if (at_position && i < mech.position_rows()) {
      row.head(n_) = turned_rows_.row(i);
    } else {
      row.head(n_) = turned_rho_.row(i) + blocks.ratio * G.row(i);
      if (p_ > 0) row.tail(p_).noalias() = blocks.ratio * G.row(i) * G0.transpose();
    }
  }
  for (int i = 0; i < p_; ++i) {
    auto row = matrix_.row(n_ + m_ + i);
    if (mech.is_position_kept(i)) {
      row.head(n_) = turned_rows_.row(i);
    } else {
      row[n_ + m_ + i] = 1.0;
    }
  }
}

/// [GA.10]
void AlphaMatrix::fill_sparse(const MechProblem& mech, const Blocks& blocks) {
  const Eigen::Index at_mu = n_ + m_;
  const Eigen::Index at_e = p_ > 0 ? at_mu + p_ : 0;
  const bool at_position = mech.level() == MechProblem::Level::position;
  sparse_.clear();
  const auto add_block = [&](Eigen::Index row, Eigen::Index column, const auto& block) {
    for (Eigen::Index j = 0; j < block.cols(); ++j)
      for (Eigen::Index i = 0; i < block.rows(); ++i)
        if (block(i, j) != 0.0) sparse_.add(row + i, column + j, block(i, j));
  };
  const auto add_row = [&](Eigen::Index row, Eigen::Index column, const Matrix& block, int index,
                           double factor) {
    for (Eigen::Index j = 0; j < block.cols(); ++j)
      if (block(index, j) != 0.0) sparse_.add(row, column + j, factor * block(index, j));
  };
  add_block(0, at_e, motion_);
  add_block(0, 0, turned_stiffness_);
  add_block(0, n_, blocks.jacobian.transpose());
  for (int i = 0; i < m_; ++i) {
    const Eigen::Index row = n_ + i;
    if (!mech.is_kept(i)) {
      sparse_.add(row, row, 1.0);
      const auto relation = mech.relation(i);
      for (Eigen::Index j = 0; j < m_; ++j)
        if (relation[j] != 0.0) sparse_.add(row, n_ + j, -relation[j]);
    } else if (at_position && i < mech.position_rows()) {
      add_row(row, 0, turned_rows_, i, 1.0);
    } else {
      add_row(row, 0, turned_rho_, i, 1.0);
      add_row(row, at_e, blocks.jacobian, i, blocks.ratio);
    }
  }
  if (p_ == 0) return;
  for (int i = 0; i < p_; ++i) {
    if (mech.is_position_kept(i)) {
      add_row(at_mu + i, 0, turned_rows_, i, 1.0);
    } else {
      sparse_.add(at_mu + i, at_mu + i, 1.0);
    }
  }
  for (Eigen::Index j = 0; j < n_; ++j) {
    sparse_.add(at_e + j, at_e + j, 1.0);
    sparse_.add(at_e + j, j, -1.0);
  }
  for (int i = 0; i < p_; ++i)
    for (Eigen::Index j = 0; j < n_; ++j)
      if (blocks.start_jacobian(i, j) != 0.0)
        sparse_.add(at_e + j, at_mu + i, -blocks.start_jacobian(i, j));
}

}  // namespace driftless
