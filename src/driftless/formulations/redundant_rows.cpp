#include "driftless/formulations/redundant_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/saddle/saddle.hpp"

namespace driftless {
namespace {

constexpr double kLeastShare = 1e-12;  // of a row in a relation; below it is rounding

}  // namespace

RedundantRows::RedundantRows(int position_rows, int rows, int rates)
    : position_rows_(position_rows),
      rates_(rates),
      kept_(static_cast<std::size_t>(rows), true),
      position_kept_(static_cast<std::size_t>(position_rows), true),
      place_(static_cast<std::size_t>(rows), 0),
      group_(static_cast<std::size_t>(rows), -1),
      row_(Vector::Zero(rows)),
      force_(Vector::Zero(rates)) {
  aside_.reserve(static_cast<std::size_t>(rows));
  if (rows > kManyRows) return;
  partition_ = std::make_unique<CoordinatePartition>(position_rows, rows, rates);
  relations_ = Matrix::Zero(rows, rows);
}

void RedundantRows::join(int row, int other) {
  int& own = group_[static_cast<std::size_t>(row)];
  if (own < 0) own = row;
  int& its = group_[static_cast<std::size_t>(other)];
  if (its < 0) its = own;
  if (its != own) std::replace(group_.begin(), group_.end(), int(its), int(own));
}

void RedundantRows::choose(const BlockMatrix& jacobian, const BlockMatrix& mass,
                           double rank_tolerance) {
  if (jacobian.rows() <= kManyRows ||
      !find_row_report(mass, jacobian, rank_tolerance).redundant.empty()) {
    choose(jacobian.dense(), mass.dense(), rank_tolerance, jacobian.shares());
    return;
  }
  aside_.clear();
  chosen_ = true;
  std::fill(kept_.begin(), kept_.end(), true);
  std::fill(position_kept_.begin(), position_kept_.end(), true);
}

void RedundantRows::choose(const Matrix& jacobian, const Matrix& mass, double rank_tolerance,
                           const Vector& shares) {
  aside_.clear();
  const bool had_choice = std::exchange(chosen_, true);
  const int rows = static_cast<int>(kept_.size());
  if (rows == 0) return;
  if (!partition_) partition_ = std::make_unique<CoordinatePartition>(position_rows_, rows, rates_);
  if (had_choice) {  // [RR.1]
    partition_->choose(jacobian, mass, rank_tolerance, shares, kept_);
  } else {
    partition_->choose(jacobian, mass, rank_tolerance, shares);
  }
  std::fill(kept_.begin(), kept_.end(), false);
  std::fill(position_kept_.begin(), position_kept_.end(), false);
  for (std::size_t k = 0; k < partition_->kept().size(); ++k) {
    const auto row = static_cast<std::size_t>(partition_->kept()[k]);
    kept_[row] = true;
    if (static_cast<int>(k) < partition_->position_rank()) position_kept_[row] = true;
  }
  for (int i = 0; i < rows; ++i)
    if (!is_kept(i)) join(i, i);
  if (partition_->rank() == rows || !partition_->factorize(jacobian)) return;
  const int most = rows - partition_->rank();
  if (relations_.rows() < most) relations_.resize(most, rows);
  for (int i = 0; i < rows; ++i) {
    if (is_kept(i)) continue;
    const auto place = static_cast<int>(aside_.size());
    place_[static_cast<std::size_t>(i)] = place;
    aside_.push_back(i);
    force_ = jacobian.row(i).transpose();
    partition_->solve_reactions(force_, row_);  // Σ c_ij G_j = G_i
    relations_.row(place) = row_.transpose();
    for (int j = 0; j < rows; ++j)
      if (std::abs(row_[j]) > kLeastShare) join(i, j);
  }
}

}  // namespace driftless
