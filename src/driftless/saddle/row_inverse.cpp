#include "driftless/saddle/row_inverse.hpp"

#include <algorithm>
#include <functional>

#include <Eigen/Householder>

#include "driftless/math/jacobi.hpp"

namespace driftless {

RowInverse::RowInverse(int rows, int steps) : m_(rows) {
  x_ = Matrix::Zero(rows, steps);
  v_ = reduced_ = turn_ = Matrix::Zero(steps, steps);
  householder_ = sigma_inverse_ = work_ = Vector::Zero(steps);
}

void RowInverse::set(const OrderedQr& qr, int rank) {
  rank_ = rank;
  left_out_ = 0;
  x_.setZero();
  for (int j = 0; j < m_; ++j) {
    const int top = std::min(j + 1, rank_);
    x_.row(j).head(top) = qr.values().col(j).head(top).transpose();
  }
}

void RowInverse::factorize_redundant() {
  is_singular_ = false;
  for (int k = 0; k < rank_; ++k) {
    double beta = 0.0;
    auto column = x_.col(k).tail(m_ - k);
    column.makeHouseholderInPlace(householder_[k], beta);
    x_(k, k) = beta;
    for (int j = k + 1; j < rank_; ++j) {
      auto target = x_.col(j).tail(m_ - k);
      const double along = target[0] + x_.col(k).tail(m_ - k - 1).dot(target.tail(m_ - k - 1));
      const double factor = householder_[k] * along;
      target[0] -= factor;
      target.tail(m_ - k - 1) -= factor * x_.col(k).tail(m_ - k - 1);
    }
  }
}

void RowInverse::factorize_singular() {
  is_singular_ = true;
  orthogonalize_columns(x_.leftCols(rank_), v_.topLeftCorner(rank_, rank_));
  leave_out_nothing();
}

void RowInverse::leave_out_nothing() {
  left_out_ = 0;
  for (int k = 0; k < rank_; ++k) {
    const double sigma = x_.col(k).norm();
    sigma_inverse_[k] = sigma > 0.0 ? 1.0 / sigma : 0.0;
  }
}

double RowInverse::find_singular_value(int number) {
  for (int k = 0; k < rank_; ++k) work_[k] = x_.col(k).norm();
  std::nth_element(work_.data(), work_.data() + number, work_.data() + rank_, std::greater<>());
  return work_[number];
}

void RowInverse::leave_out_smallest(int most, double tolerance) {
  for (int count = 0; count < most; ++count) {
    int smallest = -1;
    for (int k = 0; k < rank_; ++k) {
      if (sigma_inverse_[k] * tolerance <= 1.0) continue;
      if (smallest < 0 || sigma_inverse_[k] > sigma_inverse_[smallest]) smallest = k;
    }
    if (smallest < 0) break;
    largest_left_out_ = 1.0 / sigma_inverse_[smallest];
    sigma_inverse_[smallest] = 0.0;
    ++left_out_;
  }
}

int RowInverse::copy_directions(MatrixRef to) const {
  int kept = 0;
  for (int k = 0; k < rank_; ++k) {
    if (sigma_inverse_[k] != 0.0) to.col(kept++) = sigma_inverse_[k] * x_.col(k);
  }
  return kept;
}

void RowInverse::keep_directions(MatrixRef left, double largest_left_out) {
  const auto kept = static_cast<int>(left.cols());
  auto reduced = reduced_.topLeftCorner(rank_, kept);
  auto turn = turn_.topLeftCorner(kept, kept);
  reduced.noalias() = x_.leftCols(rank_).transpose() * left;
  for (int k = 0; k < kept; ++k) {
    const double length = reduced.col(k).norm();
    if (!(length > 0.0)) continue;
    reduced.col(k) /= length;
    left.col(k) /= length;
  }
  orthogonalize_columns(reduced, turn);
  x_.leftCols(rank_).setZero();
  v_.topLeftCorner(rank_, rank_).setZero();
  sigma_inverse_.head(rank_).setZero();
  x_.leftCols(kept).noalias() = left * turn;
  for (int k = 0; k < kept; ++k) {
    const double sigma = reduced.col(k).norm();
    if (!(sigma > 0.0)) continue;
    sigma_inverse_[k] = 1.0 / sigma;
    x_.col(k) *= sigma;
    v_.col(k).head(rank_) = reduced.col(k) / sigma;
  }
  left_out_ = rank_ - kept;
  largest_left_out_ = largest_left_out;
}

void RowInverse::solve(Vector& c, Vector& y, Vector& z) {
  if (is_singular_) {
    solve_singular(c, y, z);
  } else {
    solve_redundant(c, y, z);
  }
}

void RowInverse::solve_redundant(Vector& c, Vector& y, Vector& z) const {
  for (int k = 0; k < rank_; ++k) {  // c := Zᵀ c
    auto tail = c.tail(m_ - k - 1);
    const auto direction = x_.col(k).tail(m_ - k - 1);
    const double factor = householder_[k] * (c[k] + direction.dot(tail));
    c[k] -= factor;
    tail -= factor * direction;
  }
  for (int i = rank_ - 1; i >= 0; --i) {  // S y = c
    double sum = c[i];
    for (int j = i + 1; j < rank_; ++j) sum -= x_(i, j) * y[j];
    y[i] = sum / x_(i, i);
  }
  z.setZero();
  for (int i = 0; i < rank_; ++i) {  // Sᵀ z = -y
    double sum = -y[i];
    for (int j = 0; j < i; ++j) sum -= x_(j, i) * z[j];
    z[i] = sum / x_(i, i);
  }
  for (int k = rank_ - 1; k >= 0; --k) {  // z := Z z
    auto tail = z.tail(m_ - k - 1);
    const auto direction = x_.col(k).tail(m_ - k - 1);
    const double factor = householder_[k] * (z[k] + direction.dot(tail));
    z[k] -= factor;
    tail -= factor * direction;
  }
}

void RowInverse::solve_singular(const Vector& c, Vector& y, Vector& z) {
  const auto us = x_.leftCols(rank_);  // U Σ
  const auto v = v_.topLeftCorner(rank_, rank_);
  const auto inverse = sigma_inverse_.head(rank_).array();
  work_.head(rank_).noalias() = us.transpose() * c;  // Σ Uᵀ c
  work_.head(rank_).array() *= inverse.square();     // Σ⁺ Uᵀ c
  y.head(rank_).noalias() = v * work_.head(rank_);
  work_.head(rank_).array() *= inverse.square();  // U Σ (Σ⁺)³ Uᵀ c = U Σ⁺² Uᵀ c
  z.noalias() = -(us * work_.head(rank_));
}

}  // namespace driftless
