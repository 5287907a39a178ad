#pragma once
// LU of large sparse systems whose pattern stays, real or complex: A = P⁻¹ L U Q⁻¹.
//
//   once      the order of columns Q, for the union of all patterns so far: one that bounds the fill whatever rows are
//             exchanged (COLAMD). Entries that come later take their places in that order; if the pattern grows to
//             more than twice its size, there is another one
//   seldom    the order of rows P by the numbers, column by column one of the largest that has few entries, and with it
//             the places of all entries of L and U (Gilbert, Peierls 1988)
//   else      the numbers alone, into these places. A pivot that has become small beside its column, 1/kLargestEntry,
//             asks for another order of rows.                                                                     [SLU.1]
//
// A matrix is written entry by entry; what occurs twice is added. Entries that were there once and are not written now
// are 0 and keep their place. Who writes in the same sequence as the last time has its entries found at no cost, and
// then neither writing, nor factorising, nor solving allocates. Nor do entries that come later, but for
// another order.

#include <complex>
#include <vector>

#include "driftless/math/linear.hpp"

namespace driftless {

template <class S>
class SparseLu {
 public:
  using VectorS = Eigen::Matrix<S, Eigen::Dynamic, 1>;

  /// Groups: what stays together in the order of columns, a number from 0 on for each unknown; within a group the last
  /// one comes first. Empty: each for itself.
  void resize(Eigen::Index n, std::vector<int> groups = {});
  Eigen::Index size() const { return n_; }

  /// Begins a new matrix.
  void clear();
  void add(Eigen::Index row, Eigen::Index column, S value) {
    const Place place{static_cast<int>(row), static_cast<int>(column)};
    if (next_ < places_.size() && places_[next_] == place) {
      values_[static_cast<std::size_t>(slots_[next_++])] += value;
    } else {
      add_elsewhere(place, value);
    }
  }
  /// False: singular, or not finite.
  bool factorize();
  /// A x = b in place.
  void solve(Eigen::Ref<VectorS> x);

  /// How often the order of columns was found: once, unless the pattern grew much.
  int analyses() const { return analyses_; }
  /// How often that of rows was.
  int pivotings() const { return pivotings_; }
  Eigen::Index entries() const { return static_cast<Eigen::Index>(values_.size()); }
  Eigen::Index factor_entries() const;  ///< of L and U

 private:
  struct Place {
    int row, column;
    bool operator==(const Place&) const = default;
    bool operator<(const Place& other) const {
      return column != other.column ? column < other.column : row < other.row;
    }
  };
  /// Columns one after the other; column k is entries first[k] to first[k + 1].
  struct Columns {
    std::vector<int> first, row;
    std::vector<S> value;
    void clear();
  };

  void add_elsewhere(const Place& place, S value);
  void grow();
  void find_columns();
  void reserve_room();
  bool choose_rows();
  /// The rows in which column `column` of L⁻¹A has entries, each after those that change it; from the returned place on.
  int find_reach(int column);
  void place_factors();
  bool refill();

  int n_ = 0;
  int analyses_ = 0, pivotings_ = 0;
  double ordered_for_ = 0.0;  // entries at the last analysis
  int room_for_ = 0;          // the analysis for which the factors have room
  // A, column by column
  std::vector<int> first_, row_;
  std::vector<S> values_;
  std::vector<int> group_;
  // how it is written
  std::vector<Place> places_;
  std::vector<int> slots_;  // in values_, of each place
  std::size_t next_ = 0;
  struct Extra {
    Place place;
    S value;
  };
  std::vector<Extra> extras_;  // outside of the pattern
  // the factors; L without its diagonal, U without its own, whose inverse stands apart
  std::vector<int> column_of_,
      position_;  // Q: position to column; P: row to position, -1: none yet
  Columns lower_, upper_;
  std::vector<S> inverse_pivot_;
  std::vector<int> row_position_;  // position_[row_]
  std::vector<int> row_entries_;   // how many A has in each row
  bool has_rows_ = false;
  // scratch
  std::vector<S> x_;
  std::vector<int> reach_, stack_, at_, mark_;
};

/// Whether a Newton matrix of this size with so many entries is better treated as sparse; bench/newton.cpp tells what both
/// kinds cost.
inline bool is_worth_sparse(Eigen::Index size, Eigen::Index entries) {
  constexpr Eigen::Index kSparseFrom = 40;
  constexpr double kMostlyEmpty = 0.3;
  return size >= kSparseFrom &&
         static_cast<double>(entries) < kMostlyEmpty * static_cast<double>(size * size);
}

/// From this many unknowns on it costs too much to look at each of them with each matrix.
inline constexpr Eigen::Index kManyUnknowns = 150;

}  // namespace driftless
