#pragma once
// Which of redundant rows are kept, and what is asked of the multipliers of the others: implicit_field.hpp [DAE.5].
//
// Rows once kept are kept as long as they serve. Where constraints are held at velocity level, positions drift, and rows that
// depend on each other contradict each other by as much: Σ c_ij ρ_j - ρ_i ~ |Φ| |v|. Each change of the choice lets v jump by
// that, which may be more than the tolerance, and no step is short enough for a jump.                              [RR.1]

#include <memory>
#include <vector>

#include "driftless/formulations/coordinate_partition.hpp"
#include "driftless/math/block_matrix.hpp"

namespace driftless {

class RedundantRows {
 public:
  RedundantRows(int position_rows, int rows, int rates);

  void choose(const Matrix& jacobian, const Matrix& mass, double rank_tolerance,
              const Vector& shares = {});

  /// Of more than kManyRows rows the sparse engine tells, at linear cost, whether any depend on others; only then they are
  /// chosen, at a cost that is cubic.
  void choose(const BlockMatrix& jacobian, const BlockMatrix& mass, double rank_tolerance);

  /// All rows were kept at the last choice.
  bool is_full() const { return chosen_ && aside_.empty(); }
  /// G⁺Φ by the kept rows, near where they were chosen; needs a choice that has set rows aside.
  void find_way_back(ConstVectorRef phi, VectorRef way) { partition_->solve(phi, way); }
  /// The last choice did not serve.
  void forget() { chosen_ = false; }

  bool is_kept(int row) const { return kept_[static_cast<std::size_t>(row)]; }
  bool is_position_kept(int row) const { return position_kept_[static_cast<std::size_t>(row)]; }
  const std::vector<int>& aside() const { return aside_; }
  /// c with λ_i = c·λ of a row set aside.
  auto relation(int row) const { return relations_.row(place_[static_cast<std::size_t>(row)]); }
  /// Rows of one number have depended on each other, at this choice or before: any of them may be set aside next time. -1:
  /// the row has never been part of such a relation. Numbers stay unless a relation joins two groups.
  int group(int row) const { return group_[static_cast<std::size_t>(row)]; }

 private:
  void join(int row, int other);

  int position_rows_, rates_;
  std::unique_ptr<CoordinatePartition> partition_;  // of many rows only if some are redundant
  bool chosen_ = false;
  std::vector<bool> kept_, position_kept_;
  std::vector<int> aside_;
  Matrix relations_;        // a row for each that is set aside
  std::vector<int> place_;  // in relations_, per row
  std::vector<int> group_;  // per row
  Vector row_, force_;
};

}  // namespace driftless
