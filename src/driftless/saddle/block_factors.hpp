#pragma once
// S = W D⁻¹ Wᵀ by blocks [SPA.2] (sparse_class.hpp), one strip of rows after the other in an order fixed once (elimination.hpp),
// with the test that leaves rows out; and S λ = r with these factors [SPA.3].
//
// R rows in every strip, or any number if 0.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "driftless/saddle/columns.hpp"
#include "driftless/saddle/elimination.hpp"

namespace driftless {

template <int R>
class BlockFactors {
 public:
  using Plan = EliminationPlan;

  /// Pivots below this part of s_ii are rounding, whatever the tolerance.
  static constexpr double kRounding = 1e-12;

  /// `sorts`: [SPA.7]
  BlockFactors(Plan plan, int rows, bool sorts)
      : plan_(std::move(plan)),
        values_(static_cast<std::size_t>(plan_.size), 0.0),
        scaled_(values_),
        own_(static_cast<std::size_t>(rows), 0.0),
        kept_(static_cast<std::size_t>(rows), 1),
        structural_(static_cast<std::size_t>(rows), 0),
        structure_aside_(structural_),
        left_before_(structural_),
        sorts_(sorts),
        right_(static_cast<std::size_t>(rows), 0.0),
        spare_(right_),
        before_(right_),
        direction_(right_) {
    std::vector<char> is_there(static_cast<std::size_t>(rows), 0);
    for (const Plan::Node& node : plan_.nodes)
      std::fill_n(is_there.begin() + node.row, node.rows, char{1});
    for (int i = 0; i < rows; ++i)
      if (is_there[static_cast<std::size_t>(i)] == 0) bare_.push_back(i);
    forget_choice();
  }

  const Plan& plan() const { return plan_; }

  /// S = G Hᵀ. Row i is compared with a whole of which it is this share; none: all are whole.
  template <class Rows>
  void set(const Rows& rows, const Vector& shares) {
    for (const Plan::Span& span : plan_.fill)
      std::fill_n(values_.data() + span.first, span.count, 0.0);
    rows.multiply(values_.data());
    for (const Plan::Node& node : plan_.nodes) {
      const Size<R> size(node.rows);
      const double* diagonal = values_.data() + node.diagonal;
      double* own = own_.data() + node.row;
      for (int i = 0; i < size; ++i) own[i] = diagonal[i * (size + 1)];
    }
    if (shares.size() == 0) return;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const double share = shares[static_cast<Eigen::Index>(i)];
      if (share > 0.0) own_[i] /= share * share;
    }
  }

  /// r = -b, which substitution and an elimination with it overwrite.
  void set_right(const double* b) {
    for (std::size_t i = 0; i < right_.size(); ++i) right_[i] = -b[i];
  }
  double* right() { return right_.data(); }

  /// [SPA.2], and of [SPA.3] the way forward of right(). `chosen`, per row: whether it may be kept; null: any.
  template <bool kWithRight>
  void eliminate(double threshold, const char* chosen = nullptr) {
    if (dropped_ > 0) forget_choice();
    chosen_ = chosen;
    dropped_ = nothing_left_ = static_cast<int>(bare_.size());
    smallest_ = 1.0;
    largest_left_out_ = 0.0;
    threshold = std::max(threshold, kRounding);
    double* const values = values_.data();
    double* const scaled = scaled_.data();
    double* const right = right_.data();
    const Plan::Entry* entry = plan_.entries.data();
    const Plan::Update* update = plan_.updates.data();
    for (const Plan::Node& node : plan_.nodes) {
      const Size<R> size(node.rows);
      invert(values + node.diagonal, size, node.row, threshold);
      const Columns<R> inverse{values + node.diagonal, size};
      [[maybe_unused]] Column<R> z;
      if constexpr (kWithRight) z = pull_right(inverse, right + node.row, size);
      for (int count = node.entries; count > 0; --count, ++entry) {
        const Size<R> rows(entry->rows);
        const double* W = values + entry->value;
        double* Z = scaled + entry->value;
        for (int i = 0; i < rows; ++i) {
          auto sum = Column<R>::product(inverse[0], W[i], size);
          for (int l = 1; l < size; ++l) sum.add(inverse[l], W[l * rows + i], size);
          sum.store(Z + i * size, size);
        }
        if constexpr (kWithRight) push_right(z, size, {W, rows}, right + entry->row, rows);
      }
      for (int count = node.updates; count > 0; --count, ++update) {
        const Size<R> rows(update->left_rows), columns(update->right_rows);
        const Columns<R> W{values + update->left, rows};
        const double* Z = scaled + update->right;
        double* target = values + update->target;
        for (int j = 0; j < columns; ++j) {
          auto sum = Column<R>::load(target + j * rows, rows);
          for (int l = 0; l < size; ++l) sum.subtract(W[l], Z[j * size + l], rows);
          sum.store(target + j * rows, rows);
        }
      }
    }
  }

  /// S λ = right()
  void substitute(double* lambda) {
    const double* const values = values_.data();
    double* const right = right_.data();
    const Plan::Entry* entry = plan_.entries.data();
    for (const Plan::Node& node : plan_.nodes) {
      const Size<R> size(node.rows);
      const auto z = pull_right({values + node.diagonal, size}, right + node.row, size);
      for (int count = node.entries; count > 0; --count, ++entry) {
        const Size<R> rows(entry->rows);
        push_right(z, size, {values + entry->value, rows}, right + entry->row, rows);
      }
    }
    substitute_back(lambda);
  }

  /// Its second half, behind an elimination with right().
  void substitute_back(double* lambda) {
    const double* const scaled = scaled_.data();
    const double* const right = right_.data();
    const Plan::Entry* entry = plan_.entries.data() + plan_.entries.size();
    const Plan::Node* node = plan_.nodes.data() + plan_.nodes.size();
    for (std::size_t left = plan_.nodes.size(); left > 0; --left) {
      --node;
      const Size<R> size(node->rows);
      auto sum = Column<R>::load(right + node->row, size);
      // The last one first: what was solved for just now is waited for least.
      for (int count = node->entries; count > 0; --count) {
        --entry;
        const Size<R> rows(entry->rows);
        const Columns<R> Z{scaled + entry->value, size};
        const double* in = lambda + entry->row;
        for (int i = 0; i < rows; ++i) sum.subtract(Z[i], in[i], size);
      }
      sum.store(lambda + node->row, size);
    }
    for (const int row : bare_) lambda[row] = 0.0;
  }

  /// [SPA.5] of the rows that are kept, from above. right() stays.
  double estimate_value() {
    constexpr int kRounds = 3;
    const std::size_t m = own_.size();
    double* const x = direction_.data();
    double* const before = before_.data();  // O x
    spare_.swap(right_);
    // All rows have a share in it, in no special proportion.
    for (std::size_t i = 0; i < m; ++i)
      before[i] =
          (i % 2 == 0 ? 1.0 : -1.0) * (0.5 + 0.5 / static_cast<double>(i + 1)) * std::sqrt(own_[i]);
    double value = 1.0;
    for (int round = 0; round < kRounds; ++round) {
      std::copy_n(before, m, right_.begin());
      substitute(x);
      double across = 0.0, square = 0.0;
      for (std::size_t i = 0; i < m; ++i) {
        across += x[i] * before[i];
        before[i] = own_[i] * x[i];
        square += x[i] * before[i];
      }
      value = across / square;
      const double factor = 1.0 / std::sqrt(square);
      for (std::size_t i = 0; i < m; ++i) before[i] *= factor;
    }
    spare_.swap(right_);
    return value;
  }

  /// Rows left out now are redundant by structure: they stay so while their own part is small.
  void note_structure() {
    for (std::size_t i = 0; i < kept_.size(); ++i) structural_[i] = kept_[i] == 0 ? 1 : 0;
    has_structural_ = dropped_ > 0;
  }
  /// No row is known to be redundant, until these are known again.
  void set_structure_aside() {
    structural_.swap(structure_aside_);
    std::fill(structural_.begin(), structural_.end(), char{0});
    has_structural_ = false;
  }
  void restore_structure() {
    structural_.swap(structure_aside_);
    has_structural_ = true;
  }

  bool is_kept(int row) const { return kept_[static_cast<std::size_t>(row)] != 0; }
  const std::vector<char>& kept() const { return kept_; }
  /// s_ii
  double own(int row) const { return own_[static_cast<std::size_t>(row)]; }
  int dropped() const { return dropped_; }
  /// Of the rows left out, those of which only rounding is left.
  int nothing_left() const { return nothing_left_; }
  /// The largest p_i/s_ii of the rows that are left out; 0 if only rounding is left of them.
  double largest_left_out() const { return largest_left_out_; }
  /// p_i/s_ii of the rows that are kept
  double smallest() const { return smallest_; }

 private:
  static constexpr double kStructural =
      1e-4;  // up to this own part, squared, a redundant row stays one
  static constexpr double kStandsOut =
      0.05;  // own part, squared, of rows that need not be sorted [SPA.7]
  static constexpr double kStays =
      0.25;  // what was left out before comes back if others have less than this
  static constexpr int kLargest = kStripRoom<R>;

  /// The inverse by its determinant, which takes one division where pivots take two, one after the other: in a long
  /// chain of strips everything waits for it. False: a row fails the test, nothing is done.
  bool invert_pair(double* block, int row, double threshold) {
    const double first = block[0], below = block[1], last = block[3];
    const double* own = own_.data() + row;
    const double determinant = first * last - below * below;
    if (chosen_ != nullptr) return false;
    const double inverse = 1.0 / determinant;
    const double whole = own[1] * first;
    // What passes better than the worst row before it passes the test, too.
    if (!(first > smallest_ * own[0] && determinant > smallest_ * whole) || has_structural_) {
      if (!(first > threshold * own[0] && determinant > threshold * whole) ||
          structural_[static_cast<std::size_t>(row)] +
              structural_[static_cast<std::size_t>(row + 1)])
        return false;
      smallest_ = std::min({smallest_, first / own[0], determinant / whole});
    }
    using Pair = Column<2>::Pair;
    const Size<2> rows(2);
    Column<2>{Pair{last, -below} * inverse}.store(block, rows);
    Column<2>{Pair{-below, first} * inverse}.store(block + 2, rows);
    return true;
  }

  /// The diagonal block becomes its inverse, without the rows that fail the test.
  void invert(double* block, const Size<R>& size, int row, double threshold) {
    if constexpr (R == 2) {
      if (invert_pair(block, row, threshold)) return;
    }
    if (sorts_) {
      invert_or_sort(block, size, row, threshold);
    } else {
      exchange_all(block, size, [&](double pivot, int j) {
        return find_pivot_inverse(pivot, row + j, threshold);
      });
    }
  }

  /// Gauss and Jordan's exchange: row j is solved for its unknown, which takes the row's place. Its pivot is that of LDLᵀ, and
  /// `invert_pivot(pivot, j)` its inverse, or 0: the row is left out.
  template <class InvertPivot>
  static void exchange_all(double* block, const Size<R>& size, const InvertPivot& invert_pivot) {
    Column<R> a[kLargest];
    for_each<R>(size, [&](auto j) { a[j] = Column<R>::load(block + j * size, size); });
    for_each<R>(size, [&](auto j) {
      const Column<R> exchanged = a[j];
      const double pivot_inverse = invert_pivot(exchanged.at(j), j);
      for_each<R>(size, [&](auto k) {
        if (k == j) return;
        const double part = a[k].at(j) * pivot_inverse;
        a[k].subtract(exchanged, part, size);
        a[k].set(j, part);
      });
      a[j] = Column<R>::product(exchanged, -pivot_inverse, size);
      a[j].set(j, pivot_inverse);
    });
    for_each<R>(size, [&](auto j) { a[j].store(block + j * size, size); });
  }

  /// [SPA.7]: in the order of the rows where all of them stand out, else by the largest pivot.
  void invert_or_sort(double* block, const Size<R>& size, int row, double threshold) {
    double before[kLargest * kLargest];
    std::copy_n(block, size * size, before);
    const double* own = own_.data() + row;
    const char* structural = structural_.data() + row;
    double least = smallest_;
    bool stand_out = chosen_ == nullptr;
    exchange_all(block, size, [&](double pivot, int j) {
      stand_out = stand_out && pivot > kStandsOut * own[j] && structural[j] == 0;
      least = std::min(least, pivot / own[j]);
      return 1.0 / pivot;
    });
    if (stand_out) {
      smallest_ = least;
    } else {
      std::copy_n(before, size * size, block);
      invert_sorted(block, size, row, threshold);
    }
  }

  [[gnu::noinline]] void invert_sorted(double* a, int size, int row, double threshold) {
    bool is_done[kLargest] = {};
    double inverse[kLargest] = {};
    for (int count = 0; count < size; ++count) {
      int next = -1;
      double most = 0.0;
      for (int j = 0; j < size; ++j) {
        if (is_done[j]) continue;
        const auto at = static_cast<std::size_t>(row + j);
        const double stays = left_before_[at] != 0 ? kStays : 1.0;
        const double part = own_[at] > 0.0 ? stays * a[j * (size + 1)] / own_[at] : 0.0;
        if (next >= 0 && !(part > most)) continue;
        next = j;
        most = part;
      }
      is_done[next] = true;
      const double by = find_pivot_inverse(a[next * (size + 1)], row + next, threshold);
      inverse[next] = by;
      left_before_[static_cast<std::size_t>(row + next)] = by == 0.0 ? 1 : 0;
      if (by != 0.0) exchange(a, size, next, by);
    }
    for (int j = 0; j < size; ++j) {
      if (inverse[j] != 0.0) continue;
      for (int k = 0; k < size; ++k) a[j * size + k] = a[k * size + j] = 0.0;
    }
  }

  /// Of row and column j.
  static void exchange(double* a, int size, int j, double inverse) {
    for (int k = 0; k < size; ++k) {
      if (k == j) continue;
      const double part = a[k * size + j] * inverse;
      for (int i = 0; i < size; ++i) {
        if (i != j) a[k * size + i] -= part * a[j * size + i];
      }
      a[k * size + j] = part;
    }
    for (int i = 0; i < size; ++i) a[j * size + i] *= i == j ? 0.0 : -inverse;
    a[j * (size + 1)] = inverse;
  }

  void forget_choice() {
    std::fill(kept_.begin(), kept_.end(), char{1});
    for (const int row : bare_) kept_[static_cast<std::size_t>(row)] = 0;
  }

  /// 0 if the row fails the test.
  double find_pivot_inverse(double pivot, int row, double threshold) {
    const auto at = static_cast<std::size_t>(row);
    const double own = own_[at];
    const double least = structural_[at] != 0 ? std::max(threshold, kStructural) : threshold;
    if (pivot > least * own && (chosen_ == nullptr || chosen_[row] != 0)) {
      if (pivot < smallest_ * own) smallest_ = pivot / own;
      return 1.0 / pivot;
    }
    ++dropped_;
    kept_[at] = 0;
    if (!(pivot > kRounding * own)) {
      ++nothing_left_;
    } else {
      largest_left_out_ = std::max(largest_left_out_, pivot / own);
    }
    return 0.0;
  }

  /// z = D⁻¹ r, which takes the place of r
  static Column<R> pull_right(const Columns<R>& inverse, double* r, const Size<R>& size) {
    auto z = Column<R>::product(inverse[0], r[0], size);
    for (int j = 1; j < size; ++j) z.add(inverse[j], r[j], size);
    z.store(r, size);
    return z;
  }
  /// r -= W z
  static void push_right(const Column<R>& z, const Size<R>& size, const Columns<R>& W, double* r,
                         const Size<R>& rows) {
    auto sum = Column<R>::load(r, rows);
    for (int j = 0; j < size; ++j) sum.subtract(W[j], z.at(j), rows);
    sum.store(r, rows);
  }

  Plan plan_;
  std::vector<int> bare_;         // rows of which no body that can move has a part
  std::vector<double> values_;    // S, then W and D⁻¹
  std::vector<double> scaled_;    // Z, at the places of W
  std::vector<double> own_;       // s_ii
  std::vector<char> kept_;        // per row
  std::vector<char> structural_;  // per row
  std::vector<char> structure_aside_;
  std::vector<char> left_before_;  // per row; of strips that were sorted
  bool sorts_;
  std::vector<double> right_;
  std::vector<double> spare_, before_, direction_;  // of [SPA.5]
  bool has_structural_ = false;
  const char* chosen_ = nullptr;
  int dropped_ = 0;
  int nothing_left_ = 0;
  double smallest_ = 1.0;
  double largest_left_out_ = 0.0;
};

}  // namespace driftless
