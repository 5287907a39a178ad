#pragma once
// The blocks of G and of H = G M⁻¹, as the sparse engine needs them: S = G Hᵀ, G x and Hᵀλ. Two kinds:
//
//   AnyRows   whatever the blocks hold;
//   GapRows   rows of joints that close a gap between two points, and then perhaps turn about axes. Of rigid bodies with
//             mass m and inertia J, d shifts and the turns left of C columns, each block is                        [STR.1]
//
//               G = [ s 1  A ]    d rows        H = [ s/m 1  A J⁻¹ ]      s = ±1,
//                   [  0   B ]                      [   0    B J⁻¹ ]
//
//             so that only the turns are multiplied out: in the plane a third of the products, in space half of them.
//
// R rows in every strip and C columns in every block, or any number if 0. All blocks column by column.

#include <algorithm>
#include <vector>

#include "driftless/saddle/body_masses.hpp"
#include "driftless/saddle/elimination.hpp"

namespace driftless {

template <int R, int C>
class AnyRows {
 public:
  AnyRows(std::vector<Block> blocks, std::vector<EliminationPlan::Product> products, int size)
      : blocks_(std::move(blocks)), products_(std::move(products)) {
    rows_.assign(static_cast<std::size_t>(size), 0.0);
    scaled_ = rows_;
  }

  void set(const BodyMasses& masses, bool /*mass_changed*/, const double* rows) {
    std::copy_n(rows, rows_.size(), rows_.begin());
    masses.scale_rows<R, C>(blocks_, rows_.data(), scaled_.data());
  }

  /// S = G Hᵀ where it is not 0.
  void multiply(double* S) const {
    for (const EliminationPlan::Product& op : products_)
      std::fill_n(S + op.target, op.left_rows * op.right_rows, 0.0);
    for (const EliminationPlan::Product& op : products_) {
      const Size<R> rows(op.left_rows), columns(op.right_rows);
      const Size<C> inner(op.columns);
      const double* left = rows_.data() + op.left;
      const double* right = scaled_.data() + op.right;
      double* target = S + op.target;
      for (int j = 0; j < columns; ++j) {
        auto sum = Column<R>::load(target + j * rows, rows);
        for (int k = 0; k < inner; ++k)
          sum.add(Column<R>::load(left + k * rows, rows), right[k * columns + j], rows);
        sum.store(target + j * rows, rows);
      }
    }
  }

  /// y += G x
  void add_rows(const double* x, double* y) const {
    for (const Block& block : blocks_) {
      const Size<R> rows(block.rows);
      const Size<C> columns(block.columns);
      const double* value = rows_.data() + block.first;
      auto sum = Column<R>::load(y + block.row, rows);
      for (int j = 0; j < columns; ++j)
        sum.add(Column<R>::load(value + j * rows, rows), x[block.column + j], rows);
      sum.store(y + block.row, rows);
    }
  }

  /// x -= Hᵀλ
  void subtract_scaled(const double* lambda, double* x) const {
    for (const Block& block : blocks_) {
      const Size<R> rows(block.rows);
      const Size<C> columns(block.columns);
      const double* value = scaled_.data() + block.first;
      double in[kStripRoom<R>];
      for (int i = 0; i < rows; ++i) in[i] = lambda[block.row + i];
      for (int j = 0; j < columns; ++j) {
        double sum = 0.0;
        for (int i = 0; i < rows; ++i) sum += value[j * rows + i] * in[i];
        x[block.column + j] -= sum;
      }
    }
  }

  /// y += what each row of `rows`, which have the blocks of G, is long, squared, in the metric of M⁻¹
  void add_squares(const BodyMasses& masses, const double* rows, double* y) {
    other_scaled_.resize(rows_.size());
    masses.scale_rows<R, C>(blocks_, rows, other_scaled_.data());
    for (const Block& block : blocks_) {
      const double* g = rows + block.first;
      const double* h = other_scaled_.data() + block.first;
      for (int j = 0; j < block.columns; ++j)
        for (int i = 0; i < block.rows; ++i) y[block.row + i] += *g++ * *h++;
    }
  }

 private:
  std::vector<Block> blocks_;
  std::vector<EliminationPlan::Product> products_;
  std::vector<double> rows_;
  std::vector<double> scaled_;        // H, as G
  std::vector<double> other_scaled_;  // of add_squares
};

/// [STR.1]: C is 3 in the plane and 6 in space.
template <int R, int C>
class GapRows {
 public:
  GapRows(const std::vector<Block>& blocks, const std::vector<EliminationPlan::Product>& products,
          int size) {
    std::vector<int> side_at(static_cast<std::size_t>(size));  // per first value of a block
    for (const Block& block : blocks) {
      const int turns = static_cast<int>(turns_.size());
      side_at[static_cast<std::size_t>(block.first)] = static_cast<int>(sides_.size());
      sides_.push_back({block.row, block.rows, block.column, turns, block.first});
      turns_.resize(turns_.size() + static_cast<std::size_t>(kTurns * block.rows), 0.0);
    }
    scaled_ = turns_;
    for (const EliminationPlan::Product& op : products) {
      if (targets_.empty() || targets_.back().value != op.target)
        targets_.push_back({op.target, op.left_rows, op.right_rows, 0});
      const int left = side_at[static_cast<std::size_t>(op.left)];
      const int right = side_at[static_cast<std::size_t>(op.right)];
      products_.push_back({sides_[static_cast<std::size_t>(left)].turns,
                           sides_[static_cast<std::size_t>(right)].turns, left, right});
      ++targets_.back().count;
    }
  }

  void set(const BodyMasses& masses, bool mass_changed, const double* G) {
    if (mass_changed) set_masses(masses, G);
    double* turn = turns_.data();
    double* h = scaled_.data();
    for (const Side& side : sides_) {
      const Size<R> rows(side.rows);
      const double* a = G + side.first + kShifts * rows;
      for (int j = 0; j < kTurns; ++j) {
        Column<R>::load(a + j * rows, rows).store(turn + j * rows, rows);
        auto sum = Column<R>::product(Column<R>::load(a, rows), side.inertia[j * kTurns], rows);
        for (int l = 1; l < kTurns; ++l)
          sum.add(Column<R>::load(a + l * rows, rows), side.inertia[j * kTurns + l], rows);
        sum.store(h + j * rows, rows);
      }
      turn += kTurns * rows;
      h += kTurns * rows;
    }
  }

  /// S = G Hᵀ where it is not 0, each block once.
  void multiply(double* S) const {
    const double* const turns = turns_.data();
    const double* const scaled = scaled_.data();
    const Product* op = products_.data();
    for (const Target& target : targets_) {
      const Size<R> rows(target.rows), columns(target.columns);
      Column<R> sum[kStripRoom<R>];
      for_each<R>(columns, [&](auto j) {
        sum[j] = j < kShifts ? Column<R>::unit(j, target.shift, rows) : Column<R>::zero(rows);
      });
      for (int count = target.count; count > 0; --count, ++op) {
        const double* h = scaled + op->right;
        for (int k = 0; k < kTurns; ++k) {
          const auto a = Column<R>::load(turns + op->left + k * rows, rows);
          for_each<R>(columns, [&](auto j) { sum[j].add(a, h[k * columns + j], rows); });
        }
      }
      for_each<R>(columns, [&](auto j) { sum[j].store(S + target.value + j * rows, rows); });
    }
  }

  /// y += G x
  void add_rows(const double* x, double* y) const {
    const double* turn = turns_.data();
    for (const Side& side : sides_) {
      const Size<R> rows(side.rows);
      const double* in = x + side.column;
      auto sum = Column<R>::load(y + side.row, rows);
      add_shift(sum, in, side.sign);
      for (int k = 0; k < kTurns; ++k, turn += rows)
        sum.add(Column<R>::load(turn, rows), in[kShifts + k], rows);
      sum.store(y + side.row, rows);
    }
  }

  /// x -= Hᵀλ
  void subtract_scaled(const double* lambda, double* x) const {
    const double* h = scaled_.data();
    const Size<kShifts> shifts(kShifts);
    for (const Side& side : sides_) {
      const Size<R> rows(side.rows);
      const double* in = lambda + side.row;
      double* out = x + side.column;
      auto moved = Column<kShifts>::load(out, shifts);
      moved.subtract(Column<kShifts>::load(in, shifts), side.shift, shifts);
      moved.store(out, shifts);
      for (int k = 0; k < kTurns; ++k, h += rows) {
        double sum = h[0] * in[0];
        for (int i = 1; i < rows; ++i) sum += h[i] * in[i];
        out[kShifts + k] -= sum;
      }
    }
  }

  /// y += what each row of `G`, another one, is long, squared, in the metric of M⁻¹
  void add_squares(const BodyMasses& /*masses*/, const double* G, double* y) const {
    for (const Side& side : sides_) {
      const Size<R> rows(side.rows);
      const double* g = G + side.first;
      const double mass_inverse = side.sign * side.shift;
      auto sum = Column<R>::load(y + side.row, rows);
      for (int j = 0; j < kShifts; ++j, g += rows) {
        const auto a = Column<R>::load(g, rows);
        sum.add_product(a, a, mass_inverse, rows);
      }
      for (int j = 0; j < kTurns; ++j) {
        const auto a = Column<R>::load(g + j * rows, rows);
        for (int l = 0; l < kTurns; ++l)
          sum.add_product(a, Column<R>::load(g + l * rows, rows), side.inertia[j * kTurns + l],
                          rows);
      }
      sum.store(y + side.row, rows);
    }
  }

 private:
  static constexpr int kTurns = C == 3 ? 1 : 3;
  static constexpr int kShifts = C - kTurns;

  /// The first rows of a column, which are the gap's.
  static void add_shift(Column<R>& sum, const double* in, double factor) {
    if constexpr (R == kShifts) {
      sum.add(Column<R>::load(in, Size<R>(kShifts)), factor, Size<R>(kShifts));
    } else {
      for (int i = 0; i < kShifts; ++i) sum.x[i] += factor * in[i];
    }
  }

  struct Side {
    int row = 0;
    int rows = 0;
    int column = 0;
    int turns = 0;  // of its A and B, in turns_ and scaled_
    int first = 0;  // of its block in G
    double sign = 0.0;
    double shift = 0.0;                 // s/m
    double inertia[kTurns * kTurns]{};  // J⁻¹
  };
  /// turns_[left] · scaled_[right]ᵀ
  struct Product {
    int left = 0;
    int right = 0;
    int left_side = 0;
    int right_side = 0;
  };
  /// A block of S, the sum of some products.
  struct Target {
    int value = 0;
    int rows = 0;
    int columns = 0;
    int count = 0;       // of its products
    double shift = 0.0;  // s s/m of these
  };

  void set_masses(const BodyMasses& masses, const double* G) {
    for (Side& side : sides_) {
      const double* inverse = masses.inverse_at(side.column);
      side.sign = G[side.first];
      side.shift = side.sign * inverse[0];
      for (int j = 0; j < kTurns; ++j) {
        for (int i = 0; i < kTurns; ++i)
          side.inertia[j * kTurns + i] = inverse[(kShifts + j) * C + kShifts + i];
      }
    }
    const Product* op = products_.data();
    for (Target& target : targets_) {
      target.shift = 0.0;
      for (int count = target.count; count > 0; --count, ++op)
        target.shift += sides_[static_cast<std::size_t>(op->left_side)].sign *
                        sides_[static_cast<std::size_t>(op->right_side)].shift;
    }
  }

  std::vector<Side> sides_;
  std::vector<Product> products_;
  std::vector<Target> targets_;
  std::vector<double> turns_;   // A over B
  std::vector<double> scaled_;  // times J⁻¹
};

}  // namespace driftless
