#include "driftless/math/row_choice.hpp"

#include <algorithm>

#include "driftless/math/decompositions.hpp"

namespace driftless {

namespace {

constexpr double kEnough = 0.01;  // of a row, to take it before the others

RowChoice choose_rows(ConstMatrixRef normalized_rows, double tolerance, Eigen::Index most) {
  RowChoice choice;
  Matrix rest = normalized_rows
                    .transpose();  // one column per row that is left, orthogonal to the chosen ones
  std::vector<bool> is_chosen(static_cast<std::size_t>(rest.cols()), false);
  for (Eigen::Index step = 0; step < most; ++step) {
    Eigen::Index best = -1;
    double best_norm = tolerance;
    for (Eigen::Index i = 0; i < rest.cols(); ++i) {
      if (is_chosen[static_cast<std::size_t>(i)]) continue;
      const double norm = rest.col(i).norm();
      if (norm > best_norm * (1.0 + 1e-9)) {  // the earlier one of equals
        best = i;
        best_norm = norm;
      }
      if (norm >= kEnough) break;
    }
    if (best < 0) break;
    is_chosen[static_cast<std::size_t>(best)] = true;
    choice.needed.push_back(best);
    choice.own_parts.push_back(best_norm);
    const Vector direction = rest.col(best) / best_norm;
    for (Eigen::Index i = 0; i < rest.cols(); ++i) {
      if (is_chosen[static_cast<std::size_t>(i)]) continue;
      const double part = direction.dot(rest.col(i));
      if (part == 0.0) continue;  // rows of other bodies: most of them in a large mechanism
      rest.col(i) -= part * direction;
      rest.col(i) -= direction.dot(rest.col(i)) * direction;  // twice is enough (Kahan)
    }
  }
  for (Eigen::Index i = 0; i < rest.cols(); ++i)
    if (!is_chosen[static_cast<std::size_t>(i)]) choice.redundant.push_back(i);
  return choice;
}

}  // namespace

RowChoice choose_rows(ConstMatrixRef normalized_rows, double tolerance) {
  return choose_rows(normalized_rows, tolerance, normalized_rows.rows());
}

RowChoice choose_some_rows(ConstMatrixRef normalized_rows, int count) {
  return choose_rows(normalized_rows, 0.0, std::min<Eigen::Index>(count, normalized_rows.rows()));
}

Matrix find_combinations(ConstMatrixRef normalized_rows, const RowChoice& choice,
                         const std::vector<Eigen::Index>& redundant) {
  constexpr double kShare = 1e-7;  // below: round-off of a row that has no share
  const auto pick = [&](const std::vector<Eigen::Index>& which) {
    Matrix picked(normalized_rows.cols(), static_cast<Eigen::Index>(which.size()));
    for (std::size_t k = 0; k < which.size(); ++k)
      picked.col(static_cast<Eigen::Index>(k)) = normalized_rows.row(which[k]).transpose();
    return picked;
  };
  const Matrix shares = solve_independent(pick(choice.needed), pick(redundant));
  Matrix combinations = Matrix::Zero(normalized_rows.rows(), shares.cols());
  for (std::size_t k = 0; k < choice.needed.size(); ++k) {
    const auto row = shares.row(static_cast<Eigen::Index>(k));
    combinations.row(choice.needed[k]) = (row.array().abs() > kShare).select(row, 0.0);
  }
  return combinations;
}

Vector find_combination(ConstMatrixRef normalized_rows, const RowChoice& choice,
                        Eigen::Index redundant) {
  return find_combinations(normalized_rows, choice, {redundant});
}

}  // namespace driftless
