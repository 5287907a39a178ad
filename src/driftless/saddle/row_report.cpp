// Redundancy in the order of the file: Gram-Schmidt, twice, on rows of length 1. A row whose remainder is below the
// tolerance is implied by the earlier ones. A reaction λ_i is unique if no combination of rows that cancels contains
// row i, that is if e_i has no part in the null space of Gᵀ.

#include <cmath>

#include "driftless/math/decompositions.hpp"
#include "driftless/saddle/saddle.hpp"
#include "driftless/saddle/sparse.hpp"

namespace driftless {

RowReport find_dense_row_report(ConstVectorRef mass, ConstMatrixRef jacobian, double tolerance) {
  const Eigen::Index m = jacobian.rows();
  const Eigen::Index n = jacobian.cols();
  RowReport report;
  report.unique_reaction.assign(static_cast<std::size_t>(m), true);
  if (m == 0) return report;
  if (n == 0) {  // nothing can move: no row says anything that is not so already
    for (Eigen::Index i = 0; i < m; ++i) report.redundant.push_back(static_cast<int>(i));
    report.unique_reaction.assign(static_cast<std::size_t>(m), false);
    return report;
  }

  // A diagonal metric is enough to decide the rank, and it exists for a singular M too.
  Vector metric(n);
  double largest = mass.cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) largest = 1e12;  // no mass at all: any metric does
  for (Eigen::Index j = 0; j < n; ++j) {
    metric[j] = 1.0 / std::sqrt(std::max(std::abs(mass[j]), 1e-12 * largest));
  }
  Matrix rows = jacobian * metric.asDiagonal();
  Matrix basis(n, m);
  Eigen::Index count = 0;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double length = rows.row(i).norm();
    if (length > 0.0) rows.row(i) /= length;
    Vector rest = rows.row(i).transpose();
    for (int pass = 0; pass < 2; ++pass) {
      rest -= basis.leftCols(count) * (basis.leftCols(count).transpose() * rest).eval();
    }
    if (rest.norm() > tolerance && count < n) {
      basis.col(count++) = rest.normalized();
      kept.push_back(i);
    } else {
      report.redundant.push_back(static_cast<int>(i));
    }
  }
  report.rank = static_cast<int>(count);
  if (count > 0) {
    Matrix independent(count, n);
    for (Eigen::Index k = 0; k < count; ++k)
      independent.row(k) = rows.row(kept[static_cast<std::size_t>(k)]);
    report.smallest_singular_value = find_singular_values(independent)[count - 1];
  }
  if (!report.redundant.empty()) {
    const Matrix null_space = find_left_null_space(rows, count);
    for (Eigen::Index i = 0; i < m; ++i) {
      report.unique_reaction[static_cast<std::size_t>(i)] = null_space.row(i).norm() < 1e-7;
    }
  }
  return report;
}

RowReport find_row_report(const BlockMatrix& mass, const BlockMatrix& jacobian, double tolerance) {
  // So many rows are looked at in time that counts beside a short run; most often they all are independent, and clearly so.
  constexpr int kFewRows = 30;
  constexpr double kClearly = 1e-4;  // own part, far above what squaring leaves of the digits
  const int rows = jacobian.rows();
  if (rows == 0) return {};
  const auto find_exactly = [&] {
    return find_dense_row_report(mass.find_diagonal(), jacobian.dense(), tolerance);
  };
  if (rows <= kFewRows || !fits_sparse_engine(mass, jacobian)) return find_exactly();
  const auto engine = make_saddle(mass, jacobian, rows, EngineKind::sparse);
  const bool is_definite = engine->factorize(mass, true, jacobian, tolerance);
  const bool is_clear =
      is_definite && engine->rank() == rows && engine->smallest_pivot() > kClearly;
  if (rows <= kManyRows && !is_clear) return find_exactly();
  RowReport report;
  report.rank = engine->rank();
  report.redundant = engine->find_dropped();
  report.unique_reaction.assign(static_cast<std::size_t>(rows), true);
  for (const int row : report.redundant)
    report.unique_reaction[static_cast<std::size_t>(row)] = false;
  report.smallest_singular_value = engine->calc_smallest_singular_value();
  return report;
}

}  // namespace driftless
