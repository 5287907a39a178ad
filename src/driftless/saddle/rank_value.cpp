#include "driftless/saddle/rank_value.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

double RankValue::find(const OrderedQr& qr, int rank) {
  constexpr double kSmallBeside = 1e-4;  // its square is what is lost
  if (rank <= 0) return 1.0;
  if (rank > steps_) return 0.0;
  if (rank == m_) return find_of_triangle(qr.values(), rank);
  double rest = 0.0;
  for (int j = rank; j < m_; ++j) {
    const int end = std::min(j + 1, steps_);
    if (end > rank) rest += qr.values().col(j).segment(rank, end - rank).squaredNorm();
  }
  inverse_.set(qr, rank);
  inverse_.factorize_redundant();
  const double sigma = find_of_triangle(inverse_.triangle(), rank);
  if (std::sqrt(rest) <= kSmallBeside * sigma) return sigma;
  inverse_.set(qr, steps_);
  inverse_.factorize_singular();
  return inverse_.find_singular_value(rank - 1);
}

double RankValue::find_of_triangle(const Matrix& triangle, int rank) {
  constexpr double kNothing = 1e-150;  // its inverse has a square
  for (int i = 0; i < rank; ++i)
    if (!(std::abs(triangle(i, i)) > kNothing)) return 0.0;
  if (!lanczos_ || lanczos_size_ != rank) {
    lanczos_.emplace(rank);
    lanczos_size_ = rank;
    y_ = Vector::Zero(rank);
  }
  const double largest = lanczos_->find_largest([&](const Vector& x, Vector& z) {
    for (int i = 0; i < rank; ++i)  // Sᵀ y = x
      y_[i] = (x[i] - triangle.col(i).head(i).dot(y_.head(i))) / triangle(i, i);
    z = y_;
    for (int i = rank - 1; i >= 0; --i) {  // S z = y
      z[i] /= triangle(i, i);
      if (i > 0) z.head(i) -= z[i] * triangle.col(i).head(i);
    }
  });
  return 1.0 / std::sqrt(largest);
}

}  // namespace driftless
