#include "driftless/formulations/coordinate_partition.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

CoordinatePartition::CoordinatePartition(int position_rows, int rows, int rates)
    : position_rows_(position_rows), rows_(rows), rates_(rates) {
  work_ = Matrix::Zero(rows, rates);
  scales_ = Vector::Ones(rows);
  square_ = Matrix::Zero(rows, rows);
  right_ = Vector::Zero(rows);
  lu_.resize(rows);
  row_used_.assign(static_cast<std::size_t>(rows), false);
  rate_used_.assign(static_cast<std::size_t>(rates), false);
  for (auto* list : {&kept_, &dependent_, &independent_})
    list->reserve(static_cast<std::size_t>(std::max(rows, rates)));
}

namespace {

constexpr double kPreference = 3.0;

/// Length of a unit rate in the mass metric; a rate without mass is as long as the lightest that has one.
double find_length(ConstMatrixRef mass, Eigen::Index rate, double least) {
  return std::sqrt(std::max(mass(rate, rate), least));
}

double find_least_mass(ConstMatrixRef mass) {
  double least = 1.0;
  bool found = false;
  for (Eigen::Index j = 0; j < mass.rows(); ++j) {
    if (!(mass(j, j) > 0.0)) continue;
    least = found ? std::min(least, mass(j, j)) : mass(j, j);
    found = true;
  }
  return least;
}

}  // namespace

void CoordinatePartition::choose(ConstMatrixRef jacobian, ConstMatrixRef mass,
                                 double rank_tolerance, const Vector& shares,
                                 const std::vector<bool>& preferred) {
  const double least = find_least_mass(mass);
  work_ = jacobian;
  for (Eigen::Index j = 0; j < rates_; ++j) work_.col(j) /= find_length(mass, j, least);
  for (Eigen::Index i = 0; i < rows_; ++i) {
    const double length = work_.row(i).norm();
    scales_[i] = length > 0.0 ? (i < shares.size() ? shares[i] : 1.0) / length : 1.0;
    work_.row(i) *= scales_[i];
  }
  kept_.clear();
  dependent_.clear();
  independent_.clear();
  std::fill(row_used_.begin(), row_used_.end(), false);
  std::fill(rate_used_.begin(), rate_used_.end(), false);
  eliminate(0, position_rows_, rank_tolerance, preferred);
  position_rank_ = rank();
  eliminate(position_rows_, rows_, rank_tolerance, preferred);
  for (int j = 0; j < rates_; ++j)
    if (!rate_used_[static_cast<std::size_t>(j)]) independent_.push_back(j);
  chosen_ = true;
}

void CoordinatePartition::eliminate(int first_row, int last_row, double rank_tolerance,
                                    const std::vector<bool>& preferred) {
  while (true) {
    int row = -1, rate = -1;
    double largest = 0.0;
    for (int j = 0; j < rates_; ++j) {
      if (rate_used_[static_cast<std::size_t>(j)]) continue;
      for (int i = first_row; i < last_row; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double left = std::abs(work_(i, j));
        if (row_used_[at] || !(left > rank_tolerance)) continue;
        const double size = at < preferred.size() && preferred[at] ? kPreference * left : left;
        if (!(size > largest)) continue;
        largest = size;
        row = i;
        rate = j;
      }
    }
    if (row < 0) return;
    row_used_[static_cast<std::size_t>(row)] = true;
    rate_used_[static_cast<std::size_t>(rate)] = true;
    kept_.push_back(row);
    dependent_.push_back(rate);
    for (int i = 0; i < rows_; ++i) {
      if (row_used_[static_cast<std::size_t>(i)] || work_(i, rate) == 0.0) continue;
      const double factor = work_(i, rate) / work_(row, rate);
      for (int j = 0; j < rates_; ++j)
        if (!rate_used_[static_cast<std::size_t>(j)]) work_(i, j) -= factor * work_(row, j);
    }
  }
}

bool CoordinatePartition::factorize(ConstMatrixRef jacobian, int count) {
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < count; ++i)
      square_(i, k) =
          jacobian(kept_[static_cast<std::size_t>(i)], dependent_[static_cast<std::size_t>(k)]);
  return lu_.factorize(square_.topLeftCorner(count, count));
}

void CoordinatePartition::solve(ConstVectorRef right, VectorRef change) {
  const Eigen::Index count = lu_.size();
  for (Eigen::Index i = 0; i < count; ++i) right_[i] = right[kept_[static_cast<std::size_t>(i)]];
  lu_.solve(right_.head(count));
  change.setZero();
  for (Eigen::Index i = 0; i < count; ++i)
    change[dependent_[static_cast<std::size_t>(i)]] = right_[i];
}

void CoordinatePartition::solve_reactions(ConstVectorRef force, VectorRef lambda) {
  const Eigen::Index count = lu_.size();
  for (Eigen::Index i = 0; i < count; ++i)
    right_[i] = force[dependent_[static_cast<std::size_t>(i)]];
  lu_.solve_transposed(right_.head(count));
  lambda.setZero();
  for (Eigen::Index i = 0; i < count; ++i) lambda[kept_[static_cast<std::size_t>(i)]] = right_[i];
}

void CoordinatePartition::find_partial_velocities(ConstMatrixRef jacobian, Matrix& B) {
  B.topLeftCorner(rates_, static_cast<Eigen::Index>(independent_.size())).setZero();
  const auto count = static_cast<Eigen::Index>(rank());
  for (std::size_t k = 0; k < independent_.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    for (Eigen::Index i = 0; i < count; ++i)
      right_[i] = -jacobian(kept_[static_cast<std::size_t>(i)], independent_[k]);
    lu_.solve(right_.head(count));
    for (Eigen::Index i = 0; i < count; ++i)
      B(dependent_[static_cast<std::size_t>(i)], column) = right_[i];
    B(independent_[k], column) = 1.0;
  }
}

double CoordinatePartition::find_condition(const Matrix& B, ConstMatrixRef mass) const {
  const double least = find_least_mass(mass);
  double largest = 0.0;
  for (std::size_t k = 0; k < independent_.size(); ++k) {
    const double length = find_length(mass, independent_[k], least);
    for (const int rate : dependent_)
      largest = std::max(largest, std::abs(B(rate, static_cast<Eigen::Index>(k))) *
                                      find_length(mass, rate, least) / length);
  }
  return largest;
}

}  // namespace driftless
