#pragma once
// Which of redundant rows are kept, and what is asked of the multipliers of the others: implicit_field.hpp [DAE.5].

#include <vector>

#include "driftless/formulations/coordinate_partition.hpp"
#include "driftless/math/block_matrix.hpp"

namespace driftless {

class RedundantRows {
 public:
  RedundantRows(int position_rows, int rows, int rates)
      : partition_(position_rows, rows, rates),
        kept_(static_cast<std::size_t>(rows), true),
        position_kept_(static_cast<std::size_t>(position_rows), true),
        relations_(Matrix::Zero(rows, rows)),
        row_(Vector::Zero(rows)),
        force_(Vector::Zero(rates)) {}

  void choose(const Matrix& jacobian, const Matrix& mass, double rank_tolerance);

  /// Of more than kManyRows rows the sparse engine tells, at linear cost, whether any depend on others; only then they are
  /// chosen, at a cost that is cubic.
  void choose(const BlockMatrix& jacobian, const BlockMatrix& mass, double rank_tolerance);

  /// All rows were kept at the last choice.
  bool is_full() const { return chosen_ && aside_.empty(); }
  /// The last choice did not serve.
  void forget() { chosen_ = false; }

  bool is_kept(int row) const { return kept_[static_cast<std::size_t>(row)]; }
  bool is_position_kept(int row) const { return position_kept_[static_cast<std::size_t>(row)]; }
  const std::vector<int>& aside() const { return aside_; }
  /// c with λ_i = c·λ of a row set aside.
  auto relation(int row) const { return relations_.row(row); }

 private:
  CoordinatePartition partition_;
  bool chosen_ = false;
  std::vector<bool> kept_, position_kept_;
  std::vector<int> aside_;
  Matrix relations_;
  Vector row_, force_;
};

}  // namespace driftless
