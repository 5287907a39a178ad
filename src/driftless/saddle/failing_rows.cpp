#include "driftless/saddle/failing_rows.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

FailingRows::FailingRows(int rows, int steps) : m_(rows), steps_(steps) {
  waiting_.reserve(static_cast<std::size_t>(rows));
  passed_ = Matrix::Zero(steps, steps);
  rest_ = along_ = Vector::Zero(steps);
}

int FailingRows::count(const OrderedQr& qr, int certain, double tolerance) {
  waiting_.clear();
  for (int j = certain; j < m_; ++j) waiting_.push_back(j);
  std::sort(waiting_.begin(), waiting_.end(),
            [&qr](int a, int b) { return qr.place(a) < qr.place(b); });
  const int size = steps_ - certain;
  auto rest = rest_.head(size);
  int passes = 0;
  for (const int j : waiting_) {
    const int filled = std::min(j + 1, steps_) - certain;
    rest.setZero();
    rest.head(filled) = qr.values().col(j).segment(certain, filled);
    const auto basis = passed_.topLeftCorner(size, passes);
    auto along = along_.head(passes);
    for (int again = 0; again < 2; ++again) {  // what rounding leaves the first time
      along.noalias() = basis.transpose() * rest;
      rest.noalias() -= basis * along;
    }
    const double own = rest.norm();
    if (passes == size || !(own >= tolerance * find_spread(qr, j, certain))) continue;
    passed_.col(passes++).head(size) = rest / own;
  }
  return static_cast<int>(waiting_.size()) - passes;
}

double FailingRows::find_spread(const OrderedQr& qr, int column, int certain) {
  double square = 1.0;
  auto b = along_.head(certain);
  b = qr.values().col(column).head(certain);
  for (int k = certain - 1; k >= 0; --k) {
    b[k] *= qr.inverse_pivot(k);
    b.head(k) -= b[k] * qr.values().col(k).head(k);
    square += b[k] * b[k];
  }
  return std::sqrt(square);
}

}  // namespace driftless
