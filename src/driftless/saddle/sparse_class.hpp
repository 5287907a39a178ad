#pragma once
// Sparse engine for a mass matrix with a block per body: its cost grows with the number of strips and of the bodies that
// they touch, on chains, trees and ladders of loops linearly in the number of bodies.
//
//   H = G M⁻¹,   S = H Gᵀ,   S λ = H f - b,   x = M⁻¹f - Hᵀλ                                                     [SPA.1]
//   S = W D⁻¹ Wᵀ by blocks, one strip of rows after the other in an order fixed once (elimination.hpp)            [SPA.2]
//
// with D on the diagonal of W. Of column k, what stands below D_k is W_ik, and Z_ki = D_k⁻¹ W_ikᵀ is computed beside it:
//
//   S_ij -= W_ik Z_kj       forward:  z_k = D_k⁻¹ r_k,  r_i -= W_ik z_k       backward:  λ_k = z_k - Σ Z_ki λ_i   [SPA.3]
//
// so that all products run down columns of blocks, as they stand in memory.
//
// Rank. In the elimination each scalar pivot p_i is what of row i the rows before it do not span, squared and in the mass
// metric, and s_ii is its whole length, squared. Row i is left out if p_i < tolerance² s_ii: λ_i = 0, and its row of D⁻¹
// vanishes, so that the rows behind it do not notice it. The test is local: a straight chain of any length passes it
// (saddle.hpp). For a redundant row this loses nothing: the others imply it, x and Gᵀλ are those of every solution, and λ
// is one of many (whoever shows reactions takes the least of them). Near a singular pose, however, a direction shared by
// several rows has to be left out, not one row of them (dense.cpp says why). In systems of up to kSmall rows the dense
// engine solves such poses; whether rows were left out by structure or by the pose is told apart by their number where
// the dense engine last saw redundant rows only. In larger ones the row is left out: in the ladders tried no accuracy was
// lost by it, because what is free in one stage of a step is projected back at its end.
//
// Rows that are redundant by structure are so on the manifold; in the stages of a step, off it, a small part of them is
// their own. Which ones they are is remembered from where the dense engine last saw redundant rows only, and they are left
// out while their own part is small: the same rows everywhere near the manifold, so that the field stays smooth.
//
// Slender rods: with M̃ = M + Σ δ n nᵀ (body_masses.hpp), and then the turns nᵀx are settled (slender_turns.hpp). Whether
// anything holds them is asked of the dense engine in small systems, of the rows [SLT.2] in larger ones; once, because what
// holds them where a run starts does so all along but for poses in passing.
//
// Masses far apart [SAD.3]: if rows are left out of a larger system, an engine of the same kind with even masses says
// which, and S is eliminated again with those.
//
// Squaring halves the digits: pivots below kRounding of s_ii are rounding, whatever the tolerance. Behind a small pivot p
// rounding is 1/p times larger and may pass for a row's own part, so that more rows are kept than there are rates. Of two
// such pivots the smaller one is below kDoubtful of its s_ii; where one is, the dense engine is asked in small systems. In
// larger ones nobody can be asked: there rows are left out from kUnseen down, and directions below 1e-5 are not told from
// redundant ones, whatever tolerance is given (twenty windows of hinges in space, some pivots of 1e-3: 4e-12 is left of
// redundant rows). There, and where pivots stay small, the solution is refined: x follows from λ exactly, so what is left is in the
// rows that are kept,
//
//   S δ = G x - b,     λ += δ,     x -= Hᵀδ                                                                      [SPA.4]
//
// Each time the error falls by as much as it was relative to λ: of a ladder of 60 windows that is stuck by axes 1e-3 out of
// line, with λ of 2e6 N, accelerations that should be 0 by 3e-2, and then by 2e-8. Of pivots above kDoubtful once is enough,
// unless masses are far apart. Where it does not fall, the factors are rounding themselves, and it is left at that.
// Rounding that is far too small to be seen in a motion is noise to an integrator with a tolerance: with a pivot of 1e-6
// and a tolerance of 1e-9 it takes a thousand times as many steps. Pivots stay small where rows are redundant or bodies
// light beside others; elsewhere they are so in passing, beside a singular pose, and are not worth it.
//
// A pivot is what a row adds to those before it, and may be small in a pose that is far from singular: of a row that
// redundant rows behind it support, or of long loops. In small systems, where the dense engine would be asked next, the
// smallest singular value of the rows that are kept is estimated before, by inverse iteration,
//
//   S x' = O x,  O = diag s_ii,      σ² ~ x'ᵀO x / x'ᵀO x'                                                       [SPA.5]
//
// always from the same x, so that no pose depends on those before it: three rounds, each of which costs as much as a right
// side. It comes from above: a round weakens what x has along a larger σ' by (σ/σ')², and where σ is below the tolerance but
// for it all are near 1, so that of x a part of 1e-5 along the direction is enough. If it is clear of the tolerance, nothing
// is left out: all rows together have a larger one than those that are kept. Below kClear the dense engine is asked all the
// same: where redundant rows do not quite fit together, as beside a loop that closes only in space, the row that is left out
// misses by one over σ, and the dense engine spreads that over all of them.
//
// Of redundant rows others than those left out before may be needed in another pose: then a pivot of the kept ones falls,
// though the pose is not singular, and what is left out misses by one over its root. So where a pivot is below kPoor, the
// rows are chosen anew, without those whose own part is small; if these are as many as are redundant, they are the ones  [SPA.6]
// to leave out from now on. Small is kClear first, then less: of light bodies between heavy ones own parts are small
// whatever is chosen. Where no choice is better, the dense engine is asked below kPoorest.
// Rows are not chosen anew wherever it would be a little better: in the stages of a step, off the manifold, each choice
// gives another acceleration, and to an integrator a field that changes its mind is noise.
//
// Rows of one strip follow one another in no special order. What is left out misses by one over the root of the smallest
// pivot before it, and of redundant loops that hang on each other each one hands that on to the next: of parallelograms of
// hinges in space, whose rows along the hinges' axis are redundant, written in x, y, z, with an axis that is nearly across z,
// z used to be left out with a pivot of y of the square of that axis' z, and six of them in a row were enough for rounding to
// reach 1. So in larger systems the rows of a strip in which one hardly stands out are taken by their largest pivot, and what
// was left out before is the last to come back.                                                                  [SPA.7]
//
// Rejected: the KKT matrix [M Gᵀ; G 0] itself (more and larger blocks: M⁻¹ is known and constant here); a proximal term in
// all rows (on a straight chain of 1e5 bodies it leaves errors of a tenth).
//
// For sparse.cpp alone.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "driftless/saddle/block_factors.hpp"
#include "driftless/saddle/body_masses.hpp"
#include "driftless/saddle/redundant_value.hpp"
#include "driftless/saddle/round_rods.hpp"
#include "driftless/saddle/saddle.hpp"
#include "driftless/saddle/slender_turns.hpp"
#include "driftless/saddle/strip_rows.hpp"

namespace driftless::sparse_passes {

constexpr int kSmall = 64;
constexpr int kMostDense = 3000;  // rows that the dense engine is ever asked for
constexpr double kDoubtful = 1e-7;
constexpr double kUnseen = 1e-10;  // of larger systems rounding may leave a pivot like this
constexpr double kPoor = 1e-5;     // a pivot below this asks for other rows
constexpr double kPoorest = 1e-6;
constexpr double kRefined = 1e-3;  // a pivot below this costs three digits or more
constexpr int kMostRefined = 5;
constexpr double kValueMargin = 1.5;  // by which an estimated singular value may be too large
constexpr double kClear =
    0.02;  // from here on it hardly matters which of redundant rows are left out

// The passes in which the time goes; those of the common sizes are compiled for newer machines as well, below.
template <class Engine>
void decompose(Engine& engine, const BlockMatrix& G, bool mass_changed, double threshold,
               const double* b) {
  engine.pass_decompose(G, mass_changed, threshold, b);
}
template <class Engine>
void find_motion(Engine& engine, const double* f, const double* b, double* x, double* lambda) {
  engine.pass_motion(f, b, x, lambda);
}
template <class Engine>
void finish_motion(Engine& engine, double* x, double* lambda) {
  engine.pass_finish(x, lambda);
}
template <class Engine>
double estimate_value(Engine& engine) {
  return engine.pass_estimate();
}
template <class Engine>
void add_squares(Engine& engine, const double* rows) {
  engine.pass_squares(rows);
}

/// R rows in every strip and C columns in every block, or any number if 0; Rows: strip_rows.hpp.
template <int R, int C, class Rows>
class SparseSaddle final : public SaddleEngine {
 public:
  SparseSaddle(const BlockMatrix& mass, const BlockMatrix& jacobian, int rows,
               const EvenMasses& even)
      : n_(mass.columns()),
        m_(rows),
        factors_(make_elimination_plan(jacobian, rows), rows, !is_small(rows, mass.columns())),
        masses_(mass, find_share(mass, rows)),
        blocks_(find_blocks(jacobian, rows)),
        rows_(blocks_, factors_.plan().products, count_values(jacobian)),
        change_(Vector::Zero(rows)),
        turns_(n_, rows),
        even_masses_(even) {
    if (is_small(rows, n_)) {
      small_ = make_dense_saddle(n_, rows, even);
    } else if (even.are_needed()) {
      even_ = std::make_unique<SparseSaddle>(even.mass, jacobian, rows, EvenMasses());
    }
  }

  bool factorize(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& jacobian,
                 double rank_tolerance) override {
    const double* nothing = nullptr;
    return factorize_along(mass, mass_changed, jacobian, rank_tolerance, nothing);
  }

  void solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) override {
    if (dense_) {
      small_->solve(f, b, x, lambda);
      return;
    }
    solve_lifted(f, b, x, lambda);
    if (!masses_.lifts().empty()) settle_turns(x, lambda);
  }

  bool factorize_and_correct(const BlockMatrix& mass, bool mass_changed,
                             const BlockMatrix& jacobian, double rank_tolerance,
                             ConstVectorRef zero, ConstVectorRef b, VectorRef x,
                             VectorRef lambda) override {
    const double* along = b.data();
    if (!factorize_along(mass, mass_changed, jacobian, rank_tolerance, along)) return false;
    if (along == nullptr || dense_) {
      solve(zero, b, x, lambda);
      return true;
    }
    finish_motion(*this, x.data(), lambda.data());
    refine(b, x, lambda);
    if (!masses_.lifts().empty()) settle_turns(x, lambda);
    return true;
  }
  bool solve_mass(ConstVectorRef f, VectorRef x) override {
    if (!definite_) return small_->solve_mass(f, x);
    if (!masses_.lifts().empty()) return false;
    masses_.solve(f.data(), x.data());
    return true;
  }

  double find_row_change(const BlockMatrix& rate, int rows) override {
    if (!definite_) return small_->find_row_change(rate, rows);
    change_.setZero();
    add_squares(*this, rate.data());
    double largest = 0.0;
    for (int i = 0; i < rows; ++i) {
      const double length = factors_.own(i);
      if (change_[i] > largest * length) largest = change_[i] / length;
    }
    return std::sqrt(largest);
  }

  std::string describe() const override {
    const auto count = [](std::size_t number, const char* one, const char* many) {
      return std::to_string(number) + (number == 1 ? one : many);
    };
    return "sparse: " + count(factors_.plan().nodes.size(), " strip", " strips") + " of rows on " +
           count(masses_.count(), " body", " bodies");
  }

  std::vector<int> find_dropped() const override {
    std::vector<int> rows;
    for (int i = 0; i < m_ && !dense_; ++i) {
      if (!factors_.is_kept(i)) rows.push_back(i);
    }
    return rows;
  }

  int rank() const override { return dense_ ? small_->rank() : m_ - factors_.dropped(); }
  int truncated() const override {
    if (dense_) return small_->truncated();
    return std::max(0, factors_.dropped() - std::max(redundant_, factors_.nothing_left()));
  }
  /// Of single rows; those of more than kRounding are looked at by the dense engine in small systems.
  double largest_left_out() const override {
    return dense_ ? small_->largest_left_out() : std::sqrt(factors_.largest_left_out());
  }
  double smallest_pivot() const override {
    return dense_ ? small_->smallest_pivot() : std::sqrt(factors_.smallest());
  }

  /// Of S scaled to a diagonal of 1, with M̂ of slender rods; of redundant rows by [RVA.2] in small systems, by [RDV.1] in
  /// others.
  double calc_singular_value(const BlockMatrix& mass, const BlockMatrix& jacobian,
                             int rank) override {
    if (rank == 0) return 1.0;
    if (dense_) return small_->calc_singular_value(mass, jacobian, rank);
    if (round_ == nullptr && !masses_.lifts().empty())
      round_ = std::make_unique<RoundRods<Rows>>(mass, rows_);
    const int aside = m_ - rank, zeros = count_zero_rows();
    if (small_ != nullptr && aside > zeros) return find_dense_value(mass, jacobian, rank);
    if (factors_.dropped() > aside) return std::sqrt(factors_.largest_left_out());
    // What follows takes a number for each row and each that is redundant; of a hundred thousand bodies some rows may seem so.
    constexpr double kMostNumbers = 2e7;
    if (static_cast<double>(m_) * aside > kMostNumbers ||
        (m_ > kMostDense && factors_.dropped() < aside))
      return std::sqrt(factors_.smallest());
    if (value_ == nullptr) {
      if (factors_.dropped() < aside) return find_dense_value(mass, jacobian, rank);
      value_ = std::make_unique<RedundantValue<R, Rows>>(factors_, factors_.kept(), n_);
    }
    return value_->find(round_ != nullptr ? round_->set_rows(jacobian) : rows_, jacobian.shares());
  }

  /// [SPA.2] of G; with it goes the right side -b, if there is one.
  void pass_decompose(const BlockMatrix& G, bool mass_changed, double threshold, const double* b) {
    rows_.set(masses_, mass_changed, G.data());
    factors_.set(rows_, G.shares());
    if (b == nullptr) return factors_.template eliminate<false>(threshold);
    factors_.set_right(b);
    factors_.template eliminate<true>(threshold);
  }

  /// x and λ of f, or of no force.
  void pass_motion(const double* f, const double* b, double* x, double* lambda) {
    factors_.set_right(b);
    if (f != nullptr) {
      masses_.solve(f, x);
      rows_.add_rows(x, factors_.right());
    } else {
      std::fill_n(x, n_, 0.0);
    }
    factors_.substitute(lambda);
    rows_.subtract_scaled(lambda, x);
  }

  /// The same of no force behind an elimination with which -b went along.
  void pass_finish(double* x, double* lambda) {
    std::fill_n(x, n_, 0.0);
    factors_.substitute_back(lambda);
    rows_.subtract_scaled(lambda, x);
  }

  /// [SPA.5]
  double pass_estimate() { return factors_.estimate_value(); }

  /// Of rows with the blocks of G, to change_.
  void pass_squares(const double* rows) { rows_.add_squares(masses_, rows, change_.data()); }

  /// [SPA.4]: G x - b of the rows that are kept, each over its length; the largest. It is the right side then.
  double pass_miss(const double* b, const double* x) {
    factors_.set_right(b);
    rows_.add_rows(x, factors_.right());
    double largest = 0.0;
    for (int i = 0; i < m_; ++i) {
      if (factors_.is_kept(i))
        largest = std::max(largest, square(factors_.right()[i]) / factors_.own(i));
    }
    return std::sqrt(largest);
  }
  /// [SPA.4] once, behind that: λ and x by δ, which is left in `change`.
  void pass_refine(double* x, double* lambda, double* change) {
    factors_.substitute(change);
    rows_.subtract_scaled(change, x);
    for (int i = 0; i < m_; ++i) lambda[i] += change[i];
  }

 private:
  /// With M̃ of slender rods.
  void solve_lifted(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) {
    find_motion(*this, is_zero(f) ? nullptr : f.data(), b.data(), x.data(), lambda.data());
    refine(b, x, lambda);
  }

  /// [SPA.4]
  void refine(ConstVectorRef b, VectorRef x, VectorRef lambda) {
    const bool lasts = has_spare_rows_ || even_masses_.are_needed();
    if (!(factors_.smallest() < (lasts ? kRefined : kDoubtful))) return;
    const bool is_hard = factors_.smallest() < kDoubtful || even_masses_.are_needed();
    double missed = std::numeric_limits<double>::infinity();
    for (int k = 0; k < (is_hard ? kMostRefined : 1); ++k) {
      const double miss = pass_miss(b.data(), x.data());
      if (!(miss <= 0.5 * missed)) {
        if (k > 0 && !(miss <= missed)) take_back(x, lambda);
        return;
      }
      missed = miss;
      pass_refine(x.data(), lambda.data(), change_.data());
    }
  }

  /// The last change of λ.
  void take_back(VectorRef x, VectorRef lambda) {
    lambda -= change_;
    change_ = -change_;
    rows_.subtract_scaled(change_.data(), x.data());
  }

  /// The right side -b, if there is one, goes along with the elimination; null afterwards: it did not.
  bool factorize_along(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& jacobian,
                       double rank_tolerance, const double*& b) {
    if (mass_changed) {
      definite_ = masses_.set(mass);
      is_held_ = definite_ && masses_.lifts().empty();
      round_.reset();
      exact_mass_is_new_ = true;
    }
    if (!definite_ || is_turn_loose_)
      return factorize_dense(mass, mass_changed || small_mass_changed_, jacobian, rank_tolerance);
    const double least = small_ != nullptr ? 0.0 : kUnseen;
    decompose(*this, jacobian, mass_changed, std::max(square(rank_tolerance), least), b);
    dense_ = false;
    if (factors_.dropped() > factors_.nothing_left() && even_ != nullptr &&
        compare_evenly(jacobian, rank_tolerance))
      b = nullptr;  // it went along with the elimination before
    if (small_ == nullptr) {
      is_held_ = is_held_ || are_turns_held(mass, jacobian, m_);
      return is_held_;
    }
    if (is_held_ && may_miss()) {
      choose_anew(jacobian, rank_tolerance);
      b = nullptr;  // it went along with the elimination before
    }
    if (is_held_ && !is_suspicious(rank_tolerance)) return true;
    is_held_ = factorize_dense(mass, small_mass_changed_ || mass_changed, jacobian, rank_tolerance);
    return is_held_;
  }

  void settle_turns(VectorRef x, VectorRef lambda) {
    const bool is_settled = turns_.settle(
        masses_.lifts(),
        [this](ConstVectorRef f, ConstVectorRef b, VectorRef step, VectorRef multipliers) {
          solve_lifted(f, b, step, multipliers);
        },
        x, lambda);
    is_turn_loose_ = is_turn_loose_ || (!is_settled && small_ != nullptr);
  }

  /// Of padding, or of a pose.
  int count_zero_rows() const {
    int count = 0;
    for (int i = 0; i < m_; ++i) count += factors_.own(i) > 0.0 ? 0 : 1;
    return count;
  }
  /// The factors that solve stay.
  double find_dense_value(const BlockMatrix& mass, const BlockMatrix& jacobian, int rank) {
    if (exact_ == nullptr) exact_ = make_dense_saddle(n_, m_);
    const BlockMatrix& metric = round_ != nullptr ? round_->mass() : mass;
    if (!exact_->factorize(metric, exact_mass_is_new_, jacobian, kDefaultRankTolerance)) return 0.0;
    exact_mass_is_new_ = false;
    return exact_->calc_singular_value(metric, jacobian, rank);
  }

  /// Rows that padding adds do not make a system large.
  static bool is_small(int rows, int rates) {
    return std::min(rows, rates) <= kSmall && rates <= kFewRates;
  }
  /// What a rod gets of inertia about itself. Little of it settles soon where rods turn about themselves, in chains and trees,
  /// but makes rows that hold such turns nearly depend on each other. In loops some do so anyway, and the dense engine would
  /// be asked for nothing.
  double find_share(const BlockMatrix& mass, int rows) const {
    const bool has_loops = factors_.plan().nodes.size() > mass.blocks().size();
    return is_small(rows, n_) && has_loops ? 1.0 : 0.01;
  }
  static std::vector<Block> find_blocks(const BlockMatrix& jacobian, int rows) {
    std::vector<Block> blocks;
    for (const Block& block : jacobian.blocks()) {
      if (block.row < rows) blocks.push_back(block);
    }
    return blocks;
  }
  static int count_values(const BlockMatrix& matrix) {
    if (matrix.blocks().empty()) return 0;
    const Block& last = matrix.blocks().back();
    return last.first + last.rows * last.columns;
  }
  static double square(double x) { return x * x; }
  static bool is_zero(ConstVectorRef f) {
    constexpr Eigen::Index kPiece = 8;
    const double* x = f.data();
    Eigen::Index rest = f.size();
    for (; rest >= kPiece; rest -= kPiece, x += kPiece) {
      std::uint64_t bits = 0;
      for (Eigen::Index k = 0; k < kPiece; ++k) bits |= std::bit_cast<std::uint64_t>(x[k]);
      if (bits << 1U != 0) return false;  // -0 is 0
    }
    return std::all_of(x, x + rest, [](double each) { return each == 0.0; });
  }

  /// Rows that are left out may not be implied by the others.
  bool may_miss() const { return has_spare_rows_ && factors_.smallest() < kPoor; }

  /// [SPA.6]. S is eliminated anew.
  void choose_anew(const BlockMatrix& jacobian, double tolerance) {
    factors_.set_structure_aside();
    for (const double least : {square(kClear), 10.0 * kPoor, 2.0 * kPoor}) {
      factors_.set(rows_, jacobian.shares());
      factors_.template eliminate<false>(least);
      if (factors_.dropped() == redundant_) return factors_.note_structure();
    }
    factors_.restore_structure();
    factors_.set(rows_, jacobian.shares());
    factors_.template eliminate<false>(square(tolerance));
  }

  /// More is missing than redundancy explains, or singular values may be below the tolerance.
  bool is_suspicious(double tolerance) {
    const double worst = has_spare_rows_ ? kPoorest : kDoubtful;
    if (factors_.dropped() != redundant_ || factors_.smallest() < worst) return true;
    if (factors_.smallest() >= square(kPivotMargin * tolerance)) return false;
    const double least = square(std::max(kClear, kValueMargin * tolerance));
    return factors_.smallest() < least || !(estimate_value(*this) >= least);
  }

  bool factorize_dense(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& jacobian,
                       double tolerance) {
    if (small_ == nullptr) small_ = make_dense_saddle(n_, m_, even_masses_);
    dense_ = true;
    if (!small_->factorize(mass, mass_changed, jacobian, tolerance)) return false;
    small_mass_changed_ = false;
    if (definite_ && small_->truncated() == 0) {
      redundant_ = m_ - small_->rank();
      has_spare_rows_ = redundant_ > count_zero_rows();
      if (factors_.dropped() == redundant_) factors_.note_structure();
    }
    return true;
  }

  /// [SAD.3]: fewer rows may be left out. True: S is eliminated anew.
  bool compare_evenly(const BlockMatrix& jacobian, double rank_tolerance) {
    even_->factorize(even_masses_.mass, even_is_new_, even_masses_.find_rows(jacobian),
                     rank_tolerance);
    even_is_new_ = false;
    if (even_->factors_.dropped() >= factors_.dropped()) return false;
    factors_.set(rows_, jacobian.shares());
    factors_.template eliminate<false>(BlockFactors<R>::kRounding, even_->factors_.kept().data());
    return true;
  }

  int n_, m_;
  BlockFactors<R> factors_;  // of S
  BodyMasses masses_;
  std::vector<Block> blocks_;  // of G, as far as they count
  Rows rows_;                  // G and H of the last factorisation
  Vector change_;              // of λ, where it is refined; or of rows
  SlenderTurns turns_;
  bool definite_ = false;
  bool is_held_ = false;                 // M is known to be definite on the null space
  bool is_turn_loose_ = false;           // hardly anything holds a rod's turn about itself
  int redundant_ = 0;                    // rows that are so by structure
  bool has_spare_rows_ = false;          // some of these are not zero
  std::unique_ptr<SaddleEngine> small_;  // for singular poses, and for masses that are not definite
  bool small_mass_changed_ = true;
  bool dense_ = false;  // small_ has the last factorisation
  EvenMasses even_masses_;
  std::unique_ptr<SparseSaddle> even_;  // with these, in large systems
  bool even_is_new_ = true;
  std::unique_ptr<RoundRods<Rows>> round_;  // of slender rods; these are made where they are asked
  std::unique_ptr<SaddleEngine> exact_;     // [RVA.2]
  bool exact_mass_is_new_ = true;
  std::unique_ptr<RedundantValue<R, Rows>> value_;  // [RDV.1]
};

}  // namespace driftless::sparse_passes
