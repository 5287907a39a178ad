#include "driftless/math/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/SparseLU>

namespace driftless {

template <class S>
struct SparseLu<S>::Parts {
  using MatrixS = Eigen::SparseMatrix<S>;

  Eigen::Index n = 0;
  std::vector<Eigen::Triplet<S>> written;
  MatrixS matrix;  // of the pattern
  VectorS scratch;
  Eigen::SparseLU<MatrixS, Eigen::COLAMDOrdering<int>> lu;
  int analyses = 0;

  /// The place of an entry in the pattern, or null.
  S* find(int row, int column) {
    const int* const begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column];
    const int* const end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column + 1];
    const int* const place = std::lower_bound(begin, end, row);
    if (place == end || *place != row) return nullptr;
    return matrix.valuePtr() + (place - matrix.innerIndexPtr());
  }

  /// The numbers into the pattern. False: it is too small.
  bool fill() {
    if (analyses == 0) return false;
    std::fill_n(matrix.valuePtr(), matrix.nonZeros(), S(0.0));
    for (const auto& each : written) {
      S* const place = find(static_cast<int>(each.row()), static_cast<int>(each.col()));
      if (place == nullptr) return false;
      *place += each.value();
    }
    return true;
  }

  void grow() {
    std::vector<Eigen::Triplet<S>> all = written;
    for (int column = 0; column < matrix.outerSize() && analyses > 0; ++column)
      for (typename MatrixS::InnerIterator it(matrix, column); it; ++it)
        all.emplace_back(it.row(), it.col(), S(0.0));
    MatrixS larger(n, n);
    larger.setFromTriplets(all.begin(), all.end());
    larger.makeCompressed();
    matrix.swap(larger);
    lu.analyzePattern(matrix);
    ++analyses;
  }
};

template <class S>
SparseLu<S>::SparseLu() : parts_(std::make_unique<Parts>()) {}
template <class S>
SparseLu<S>::~SparseLu() = default;
template <class S>
SparseLu<S>::SparseLu(SparseLu&&) noexcept = default;
template <class S>
SparseLu<S>& SparseLu<S>::operator=(SparseLu&&) noexcept = default;

template <class S>
void SparseLu<S>::resize(Eigen::Index n) {
  parts_->n = n;
  parts_->analyses = 0;
  parts_->matrix.resize(n, n);
  parts_->scratch = VectorS::Zero(n);
  parts_->written.clear();
}

template <class S>
Eigen::Index SparseLu<S>::size() const {
  return parts_->n;
}

template <class S>
void SparseLu<S>::clear() {
  parts_->written.clear();
}

template <class S>
void SparseLu<S>::add(Eigen::Index row, Eigen::Index column, S value) {
  parts_->written.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
}

template <class S>
bool SparseLu<S>::factorize() {
  if (!parts_->fill()) parts_->grow();
  const S* const values = parts_->matrix.valuePtr();
  for (Eigen::Index k = 0; k < parts_->matrix.nonZeros(); ++k)
    if (!std::isfinite(std::abs(values[k]))) return false;
  parts_->lu.factorize(parts_->matrix);
  return parts_->lu.info() == Eigen::Success;
}

template <class S>
void SparseLu<S>::solve(Eigen::Ref<VectorS> x) {
  parts_->scratch = x;
  x = parts_->lu.solve(parts_->scratch);
}

template <class S>
int SparseLu<S>::analyses() const {
  return parts_->analyses;
}

template <class S>
Eigen::Index SparseLu<S>::entries() const {
  return parts_->matrix.nonZeros();
}

template class SparseLu<double>;
template class SparseLu<std::complex<double>>;

}  // namespace driftless
