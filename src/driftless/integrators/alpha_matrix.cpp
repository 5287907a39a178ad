#include "driftless/integrators/alpha_matrix.hpp"

namespace driftless {

void AlphaMatrix::resize(Eigen::Index n, Eigen::Index m, Eigen::Index p) {
  n_ = n;
  m_ = m;
  p_ = p;
  is_sparse_.reset();
}

bool AlphaMatrix::find_sparse(const Blocks& blocks) const {
  const Eigen::Index size = n_ + m_ + p_;
  const Eigen::Index filled = blocks.mass.count() + blocks.damping.count() +
                              blocks.stiffness.count() + 2 * blocks.jacobian.count();
  return is_worth_sparse(size, filled);
}

bool AlphaMatrix::factorize(const MechProblem& mech, const Blocks& blocks) {
  if (!is_sparse_) {
    is_sparse_ = find_sparse(blocks);
    turned_stiffness_ = blocks.stiffness;
    turned_rows_ = blocks.jacobian;
    turned_rho_ = blocks.rho_q;
    if (*is_sparse_) {
      all_ = Vector::Zero(n_ + m_ + p_ + (p_ > 0 ? n_ : 0));
      // Unknowns of one rate, and those of one row, are eliminated together.
      std::vector<int> groups(static_cast<std::size_t>(all_.size()));
      for (Eigen::Index k = 0; k < all_.size(); ++k) {
        const Eigen::Index group = k < n_ + m_ ? k : k < n_ + m_ + p_ ? k - m_ : k - n_ - m_ - p_;
        groups[static_cast<std::size_t>(k)] = static_cast<int>(group);
      }
      sparse_.resize(all_.size(), std::move(groups));
    } else {
      matrix_ = Matrix::Zero(n_ + m_ + p_, n_ + m_ + p_);
      dense_.resize(n_ + m_ + p_);
    }
  }
  fill_products(blocks);
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
  multiply_right(blocks.stiffness, blocks.tangent, blocks.h * blocks.h, turned_stiffness_);
  multiply_right(blocks.jacobian, blocks.tangent, 1.0, turned_rows_);
  multiply_right(blocks.rho_q, blocks.tangent, blocks.h, turned_rho_);
}

/// [GA.6]
void AlphaMatrix::fill_dense(const MechProblem& mech, const Blocks& blocks) {
  const Matrix& G = blocks.jacobian.dense();
  const auto G0 = blocks.start_jacobian.dense().topRows(p_);
  const Matrix& turned_rows = turned_rows_.dense();
  const Matrix& turned_rho = turned_rho_.dense();
  const bool at_position = mech.level() == MechProblem::Level::position;
  matrix_.setZero();
  motion_ = blocks.sigma * blocks.mass.dense();
  motion_ += (blocks.h * blocks.ratio) * blocks.damping.dense();
  matrix_.topLeftCorner(n_, n_) = motion_ + turned_stiffness_.dense();
  if (p_ > 0) matrix_.block(0, n_ + m_, n_, p_).noalias() = motion_ * G0.transpose();
  matrix_.block(0, n_, n_, m_) = G.transpose();
  for (int i = 0; i < m_; ++i) {
    auto row = matrix_.row(n_ + i);
    if (!mech.is_kept(i)) {  // hλ_i = c·hλ
      row.segment(n_, m_) = -mech.relation(i);
      row[n_ + i] += 1.0;
    } else if (at_position && i < mech.position_rows()) {
      row.head(n_) = turned_rows.row(i);
    } else {
      row.head(n_) = turned_rho.row(i) + blocks.ratio * G.row(i);
      if (p_ > 0) row.tail(p_).noalias() = blocks.ratio * G.row(i) * G0.transpose();
    }
  }
  for (int i = 0; i < p_; ++i) {
    auto row = matrix_.row(n_ + m_ + i);
    if (mech.is_position_kept(i)) {
      row.head(n_) = turned_rows.row(i);
    } else {
      row[n_ + m_ + i] = 1.0;
    }
  }
}

void AlphaMatrix::write_row(Eigen::Index row, Eigen::Index column, const BlockMatrix& A, int index,
                            double factor) {
  A.for_each_in_row(index,
                    [&](int j, double value) { sparse_.add(row, column + j, factor * value); });
}

/// [GA.14]
void AlphaMatrix::fill_sparse(const MechProblem& mech, const Blocks& blocks) {
  const Eigen::Index at_mu = n_ + m_;
  const Eigen::Index at_e = p_ > 0 ? at_mu + p_ : 0;
  const bool at_position = mech.level() == MechProblem::Level::position;
  sparse_.clear();
  for (int i = 0; i < n_; ++i) {
    write_row(i, at_e, blocks.mass, i, blocks.sigma);
    write_row(i, at_e, blocks.damping, i, blocks.h * blocks.ratio);
    write_row(i, 0, turned_stiffness_, i, 1.0);
  }
  for (int i = 0; i < m_; ++i) {
    const Eigen::Index row = n_ + i;
    blocks.jacobian.for_each_in_row(i, [&](int j, double value) { sparse_.add(j, row, value); });
    if (!mech.is_kept(i)) {
      sparse_.add(row, row, 1.0);
      const auto relation = mech.relation(i);
      for (Eigen::Index j = 0; j < m_; ++j)
        if (relation[j] != 0.0) sparse_.add(row, n_ + j, -relation[j]);
    } else if (at_position && i < mech.position_rows()) {
      write_row(row, 0, turned_rows_, i, 1.0);
    } else {
      write_row(row, 0, turned_rho_, i, 1.0);
      write_row(row, at_e, blocks.jacobian, i, blocks.ratio);
    }
  }
  if (p_ == 0) return;
  for (int i = 0; i < p_; ++i) {
    if (mech.is_position_kept(i)) {
      write_row(at_mu + i, 0, turned_rows_, i, 1.0);
    } else {
      sparse_.add(at_mu + i, at_mu + i, 1.0);
    }
    blocks.start_jacobian.for_each_in_row(
        i, [&](int j, double value) { sparse_.add(at_e + j, at_mu + i, -value); });
  }
  for (int j = 0; j < n_; ++j) {
    sparse_.add(at_e + j, at_e + j, 1.0);
    sparse_.add(at_e + j, j, -1.0);
  }
}

}  // namespace driftless
