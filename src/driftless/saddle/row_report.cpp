// Redundancy in the order of the file, of rows of length 1, or of their share, as row_choice.hpp says: those whose own part
// is below the tolerance, or those beyond the rank, where it is known beforehand. A reaction λ_i is unique if no combination
// of rows that cancels contains row i, that is if e_i has no part in the null space of Gᵀ.
//
// Of more than kManyRows rows the reactions are not looked at. The sparse engine is asked first; where it finds rows that
// depend on others, or nearly do, its squared pivots are not to be trusted, and up to kMostExactRows the rows are looked at
// by Gram-Schmidt after all: ladders of 40 windows in space have been given a rank above the number of their rates.

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "driftless/math/decompositions.hpp"
#include "driftless/math/row_choice.hpp"
#include "driftless/saddle/saddle.hpp"
#include "driftless/saddle/sparse.hpp"

namespace driftless {

namespace {

/// Rows of length 1, and which of them say something new.
struct RowSelection {
  Matrix rows;
  std::vector<Eigen::Index> kept;

  Matrix find_independent() const {
    Matrix independent(static_cast<Eigen::Index>(kept.size()), rows.cols());
    for (std::size_t k = 0; k < kept.size(); ++k)
      independent.row(static_cast<Eigen::Index>(k)) = rows.row(kept[k]);
    return independent;
  }
};

/// Rank and redundant rows of the report.
RowSelection select_rows(ConstVectorRef mass, const BlockMatrix& jacobian, double tolerance,
                         int rank, RowReport& report) {
  const Eigen::Index m = jacobian.rows();
  const Eigen::Index n = jacobian.columns();
  // A diagonal metric is enough to decide the rank, and it exists for a singular M too.
  Vector metric(n);
  double largest = mass.cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) largest = 1e12;  // no mass at all: any metric does
  for (Eigen::Index j = 0; j < n; ++j) {
    // What has no mass must not outweigh the rest of a row: of hinged rods other rows would pass for redundant.
    const double own = std::abs(mass[j]);
    metric[j] = 1.0 / std::sqrt(own > 1e-12 * largest ? own : largest);
  }
  RowSelection selection{jacobian.dense() * metric.asDiagonal(), {}};
  Matrix& rows = selection.rows;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double length = rows.row(i).norm();
    if (length > 0.0) rows.row(i) *= jacobian.find_share(static_cast<int>(i)) / length;
  }
  RowChoice choice = rank >= 0 ? choose_some_rows(rows, rank) : choose_rows(rows, tolerance);
  std::sort(choice.needed.begin(), choice.needed.end());
  selection.kept = std::move(choice.needed);
  for (const Eigen::Index i : choice.redundant) report.redundant.push_back(static_cast<int>(i));
  report.rank = static_cast<int>(selection.kept.size());
  return selection;
}

/// Of many rows, whose singular values all together would take too long: by inverse iteration with A Aᵀ, which has half of
/// the digits; where these do not suffice, it is small.
double find_smallest_singular_value(const Matrix& A) {
  constexpr int kIterations = 40;
  const Eigen::LDLT<Matrix> gram(A * A.transpose());
  Vector x = Vector::Ones(A.rows());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    x[i] += 0.5 * std::sin(1.0 + 2.3 * static_cast<double>(i));
  double inverse = 0.0;
  for (int k = 0; k < kIterations; ++k) {
    x.normalize();
    x = gram.solve(x);
    inverse = x.norm();
    if (!std::isfinite(inverse)) return 0.0;
  }
  return inverse > 0.0 ? 1.0 / std::sqrt(inverse) : 0.0;
}

/// Rank, redundant rows and the smallest singular value, without the reactions.
RowReport find_many_row_report(ConstVectorRef mass, const BlockMatrix& jacobian, double tolerance,
                               int rank) {
  RowReport report;
  const RowSelection selection = select_rows(mass, jacobian, tolerance, rank, report);
  report.unique_reaction.assign(static_cast<std::size_t>(jacobian.rows()), true);
  for (const int row : report.redundant)
    report.unique_reaction[static_cast<std::size_t>(row)] = false;
  if (report.rank > 0)
    report.smallest_singular_value = find_smallest_singular_value(selection.find_independent());
  return report;
}

}  // namespace

RowReport find_dense_row_report(ConstVectorRef mass, const BlockMatrix& jacobian, double tolerance,
                                int rank) {
  const Eigen::Index m = jacobian.rows();
  RowReport report;
  report.unique_reaction.assign(static_cast<std::size_t>(m), true);
  if (m == 0) return report;
  if (jacobian.columns() == 0) {  // nothing can move: no row says anything that is not so already
    for (Eigen::Index i = 0; i < m; ++i) report.redundant.push_back(static_cast<int>(i));
    report.unique_reaction.assign(static_cast<std::size_t>(m), false);
    return report;
  }
  const RowSelection selection = select_rows(mass, jacobian, tolerance, rank, report);
  if (report.rank > 0) {
    report.smallest_singular_value =
        find_singular_values(selection.find_independent())[report.rank - 1];
  }
  if (!report.redundant.empty()) {
    constexpr double kNoPart = 1e-4;  // rows are redundant but for the tolerance
    const Matrix null_space = find_left_null_space(selection.rows, report.rank);
    for (Eigen::Index i = 0; i < m; ++i) {
      report.unique_reaction[static_cast<std::size_t>(i)] = null_space.row(i).norm() < kNoPart;
    }
  }
  return report;
}

RowReport find_row_report(const BlockMatrix& mass, const BlockMatrix& jacobian, double tolerance,
                          int rank) {
  // So many rows are looked at in time that counts beside a short run; most often they all are independent, and clearly so.
  constexpr int kFewRows = 30;
  constexpr int kMostExactRows = 1500;
  constexpr double kClearly = 1e-4;  // own part, far above what squaring leaves of the digits
  const int rows = jacobian.rows();
  if (rows == 0) return {};
  const auto find_exactly = [&] {
    return find_dense_row_report(mass.find_diagonal(), jacobian, tolerance, rank);
  };
  if (rows <= kFewRows || !fits_sparse_engine(mass, jacobian)) return find_exactly();
  const auto engine = make_saddle(mass, jacobian, rows, EngineKind::sparse);
  const bool is_definite = engine->factorize(mass, true, jacobian, tolerance);
  const bool is_clear =
      is_definite && engine->rank() == rows && engine->smallest_pivot() > kClearly;
  if (rows <= kManyRows && !is_clear) return find_exactly();
  // Behind the small pivots of rows that nearly depend on each other rounding passes for rows of their own (sparse_class.hpp).
  if (rows <= kMostExactRows && !is_clear)
    return find_many_row_report(mass.find_diagonal(), jacobian, tolerance, rank);
  RowReport report;
  report.rank = engine->rank();
  report.redundant = engine->find_dropped();
  report.unique_reaction.assign(static_cast<std::size_t>(rows), true);
  for (const int row : report.redundant)
    report.unique_reaction[static_cast<std::size_t>(row)] = false;
  report.smallest_singular_value = engine->calc_singular_value(mass, jacobian, report.rank);
  return report;
}

}  // namespace driftless
