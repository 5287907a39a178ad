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
// Slender rods: with M̃ = M + Σ δ n nᵀ (body_masses.hpp) and f + Σ δ n (nᵀx) on the right, again and again until nᵀx
// stays. It does at once where rods do not turn about themselves, as in most linkages; the error shrinks by δ over the
// inertia that the other bodies give that turn. Whether anything holds the turn is asked of the dense engine.
//
// Masses far apart [SAD.3]: if rows are left out of a larger system, an engine of the same kind with even masses says
// which, and S is eliminated again with those.
//
// Squaring halves the digits: pivots below kRounding of s_ii are rounding, whatever the tolerance. Behind a small pivot p
// rounding is 1/p times larger and may pass for a row's own part, so that more rows are kept than there are rates. Of two
// such pivots the smaller one is below kDoubtful of its s_ii; where one is, the dense engine is asked in small systems.
//
// Rejected: the KKT matrix [M Gᵀ; G 0] itself (more and larger blocks: M⁻¹ is known and constant here); a proximal term in
// all rows (on a straight chain of 1e5 bodies it leaves errors of a tenth).

#include "driftless/saddle/sparse.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "driftless/base/hot.hpp"
#include "driftless/saddle/body_masses.hpp"
#include "driftless/saddle/elimination.hpp"
#include "driftless/saddle/padded.hpp"
#include "driftless/saddle/saddle.hpp"
#include "driftless/saddle/strip_rows.hpp"

namespace driftless {
namespace {

constexpr int kSmall = 64;
constexpr int kFewRates = 1000;  // of more, the dense engine's M alone is too large
constexpr int kTiny = 4;         // rows of any form up to which the dense engine is faster
constexpr double kRounding = 1e-12;
constexpr double kDoubtful = 1e-7;
constexpr double kStructural = 1e-4;  // up to this own part, squared, a redundant row stays one
constexpr int kMaxLifts = 100;        // rounds until slender rods' turns stay

// The passes in which the time goes; those of the common sizes are compiled for newer machines as well, below.
template <class Engine>
void decompose(Engine& engine, const double* G, bool mass_changed, double threshold) {
  engine.pass_decompose(G, mass_changed, threshold);
}
template <class Engine>
void find_motion(Engine& engine, double* x, double* lambda, bool is_correction) {
  engine.pass_motion(x, lambda, is_correction);
}
template <class Engine>
void finish_motion(Engine& engine, double* x, double* lambda) {
  engine.pass_finish(x, lambda);
}

/// R rows in every strip and C columns in every block, or any number if 0; Rows: strip_rows.hpp.
template <int R, int C, class Rows>
class SparseSaddle final : public SaddleEngine {
 public:
  SparseSaddle(const BlockMatrix& mass, const BlockMatrix& jacobian, int rows,
               const BlockMatrix& even)
      : n_(mass.columns()),
        m_(rows),
        masses_(mass),
        plan_(make_elimination_plan(jacobian, rows)),
        values_(static_cast<std::size_t>(plan_.size), 0.0),
        scaled_(values_),
        blocks_(find_blocks(jacobian, rows)),
        rows_(blocks_, plan_.products, count_values(jacobian)),
        own_(static_cast<std::size_t>(rows), 0.0),
        kept_(static_cast<std::size_t>(rows), 1),
        structural_(static_cast<std::size_t>(rows), 0),
        right_(static_cast<std::size_t>(rows), 0.0),
        even_mass_(even) {
    z_ = Vector::Zero(rows);
    y_ = Vector::Zero(rows);
    if (rows <= kSmall && n_ <= kFewRates) {
      small_ = make_dense_saddle(n_, rows, even);
    } else if (even.rows() > 0) {
      even_ = std::make_unique<SparseSaddle>(even, jacobian, rows, BlockMatrix());
    }
  }

  bool factorize(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& jacobian,
                 double rank_tolerance) override {
    if (mass_changed) {
      definite_ = masses_.set(mass);
      is_held_ = definite_ && masses_.lifts().empty();
    }
    if (!definite_ || lifts_too_long_)
      return factorize_dense(mass, mass_changed || small_mass_changed_, jacobian, rank_tolerance);
    decompose(*this, jacobian.data(), mass_changed, rank_tolerance * rank_tolerance);
    dense_ = false;
    if (dropped_ > nothing_left_ && even_ != nullptr) compare_evenly(jacobian, rank_tolerance);
    if (small_ == nullptr || (is_held_ && !is_suspicious(rank_tolerance))) return true;
    is_held_ = factorize_dense(mass, small_mass_changed_ || mass_changed, jacobian, rank_tolerance);
    return is_held_;
  }

  void solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) override {
    if (dense_) {
      small_->solve(f, b, x, lambda);
      return;
    }
    solve_definite(f, b, x, lambda);
    if (!masses_.lifts().empty()) settle_lifts(f, b, x, lambda);
  }

  bool factorize_and_correct(const BlockMatrix& mass, bool mass_changed,
                             const BlockMatrix& jacobian, double rank_tolerance,
                             ConstVectorRef zero, ConstVectorRef b, VectorRef x,
                             VectorRef lambda) override {
    set_right(b);
    right_goes_along_ = true;
    const bool is_solvable = factorize(mass, mass_changed, jacobian, rank_tolerance);
    const bool is_half_done = !dense_ && right_goes_along_ && masses_.lifts().empty();
    right_goes_along_ = false;
    if (!is_solvable) return false;
    if (is_half_done) {
      x.setZero();
      finish_motion(*this, x.data(), lambda.data());
    } else {
      solve(zero, b, x, lambda);
    }
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
    rate_scaled_.resize(static_cast<std::size_t>(count_values(rate)));
    masses_.scale_rows<R, C>(blocks_, rate.data(), rate_scaled_.data());
    double largest = 0.0;
    for (const Strip& strip : rate.strips()) {
      if (strip.row >= rows) break;
      for (int i = 0; i < strip.rows; ++i) {
        const double length = own_[static_cast<std::size_t>(strip.row + i)];
        if (!(length > 0.0)) continue;
        double sum = 0.0;
        for (int k = 0; k < strip.blocks; ++k) {
          const Block& block = rate.blocks()[static_cast<std::size_t>(strip.first_block + k)];
          for (int j = 0; j < block.columns; ++j) {
            const auto at = static_cast<std::size_t>(block.first + j * block.rows + i);
            sum += rate.data()[at] * rate_scaled_[at];
          }
        }
        largest = std::max(largest, sum / length);
      }
    }
    return std::sqrt(largest);
  }

  std::string describe() const override {
    return "sparse: " + std::to_string(plan_.nodes.size()) + " strips of rows on " +
           std::to_string(masses_.count()) + " bodies";
  }

  std::vector<int> find_dropped() const override {
    std::vector<int> rows;
    for (int i = 0; i < m_ && !dense_; ++i) {
      if (!is_kept(i)) rows.push_back(i);
    }
    return rows;
  }

  int rank() const override { return dense_ ? small_->rank() : m_ - dropped_; }
  int truncated() const override {
    if (dense_) return small_->truncated();
    return std::max(0, dropped_ - std::max(redundant_, nothing_left_));
  }
  double smallest_pivot() const override {
    return dense_ ? small_->smallest_pivot() : std::sqrt(smallest_);
  }

  /// Of S scaled to a diagonal of 1, by inverse iteration; the rows left out are left out here, too.
  double calc_smallest_singular_value() override {
    if (dense_) return small_->calc_smallest_singular_value();
    if (m_ == dropped_) return 1.0;
    constexpr int kMaxTurns = 60;
    constexpr double kSettled = 1e-6;
    for (int i = 0; i < m_; ++i) z_[i] = is_kept(i) ? 1.0 + 0.37 * std::sin(1.0 + 2.3 * i) : 0.0;
    double sigma = 0.0;
    for (int turn = 0; turn < kMaxTurns; ++turn) {
      z_ /= z_.norm();
      for (int i = 0; i < m_; ++i) {
        const auto at = static_cast<std::size_t>(i);
        right_[at] = is_kept(i) ? z_[i] * std::sqrt(own_[at]) : 0.0;
      }
      substitute(y_.data());
      for (int i = 0; i < m_; ++i) z_[i] = y_[i] * std::sqrt(own_[static_cast<std::size_t>(i)]);
      const double before = sigma;
      sigma = 1.0 / std::sqrt(z_.norm());
      if (std::abs(sigma - before) <= kSettled * sigma) break;
    }
    return sigma;
  }

  /// [SPA.2] of G.
  void pass_decompose(const double* G, bool mass_changed, double threshold) {
    rows_.set(masses_, mass_changed, G);
    multiply_rows();
    if (right_goes_along_) {
      eliminate<true>(threshold);
    } else {
      eliminate<false>(threshold);
    }
  }

  /// λ, and x -= Hᵀλ, where x = M⁻¹f and right_ = -b.
  void pass_motion(double* x, double* lambda, bool is_correction) {
    if (!is_correction) rows_.add_rows(x, right_.data());
    substitute(lambda);
    rows_.subtract_scaled(lambda, x);
  }

  /// The same behind an elimination with which right_ went along.
  void pass_finish(double* x, double* lambda) {
    substitute_back(lambda);
    rows_.subtract_scaled(lambda, x);
  }

 private:
  using Plan = EliminationPlan;

  void set_right(ConstVectorRef b) {
    for (int i = 0; i < m_; ++i) right_[static_cast<std::size_t>(i)] = -b[i];
  }
  void solve_definite(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) {
    set_right(b);
    const bool is_correction = is_zero(f);
    if (is_correction) {
      x.setZero();
    } else {
      masses_.solve(f.data(), x.data());
    }
    find_motion(*this, x.data(), lambda.data(), is_correction);
  }

  /// [MAS.1]
  void settle_lifts(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) {
    constexpr double kSettled = 1e-14;
    constexpr double kGoodEnough = 1e-10;  // where rounding does not let it settle
    turns_.assign(masses_.lifts().size(), 0.0);
    lifted_force_.resize(n_);
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kMaxLifts; ++round) {
      double change = 0.0;
      lifted_force_ = f;
      for (std::size_t k = 0; k < turns_.size(); ++k) {
        const BodyMasses::Lift& lift = masses_.lifts()[k];
        double turn = 0.0;
        for (int i = 0; i < 3; ++i) turn += lift.axis[i] * x[lift.column + i];
        change = std::max(change, std::abs(turn - turns_[k]));
        turns_[k] = turn;
        for (int i = 0; i < 3; ++i)
          lifted_force_[lift.column + i] += lift.inertia * turn * lift.axis[i];
      }
      const double size = max_abs(x);
      if (!(change > kSettled * size)) return;
      if (change > 0.5 * before && before <= kGoodEnough * size) return;
      before = change;
      solve_definite(lifted_force_, b, x, lambda);
    }
    lifts_too_long_ = small_ != nullptr;
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
  bool is_kept(int row) const { return kept_[static_cast<std::size_t>(row)] != 0; }

  /// More is missing than redundancy explains, or a pivot is so small that singular values should be asked.
  bool is_suspicious(double tolerance) const {
    return dropped_ != redundant_ || smallest_ < kDoubtful ||
           std::sqrt(smallest_) < kPivotMargin * tolerance;
  }

  bool factorize_dense(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& jacobian,
                       double tolerance) {
    if (small_ == nullptr) small_ = make_dense_saddle(n_, m_, even_mass_);
    dense_ = true;
    if (!small_->factorize(mass, mass_changed, jacobian, tolerance)) return false;
    small_mass_changed_ = false;
    if (definite_ && small_->truncated() == 0) {
      redundant_ = m_ - small_->rank();
      if (dropped_ == redundant_) {
        for (std::size_t i = 0; i < kept_.size(); ++i) structural_[i] = kept_[i] == 0 ? 1 : 0;
        has_structural_ = redundant_ > 0;
      }
    }
    return true;
  }

  /// [SAD.3]: fewer rows may be left out.
  void compare_evenly(const BlockMatrix& jacobian, double rank_tolerance) {
    even_->factorize(even_mass_, even_is_new_, jacobian, rank_tolerance);
    even_is_new_ = false;
    if (even_->dropped_ >= dropped_) return;
    multiply_rows();
    chosen_ = even_->kept_.data();
    eliminate<false>(kRounding);
    chosen_ = nullptr;
    right_goes_along_ = false;  // it went along with the elimination before
  }

  /// S = G Hᵀ
  void multiply_rows() {
    for (const Plan::Span& span : plan_.fill)
      std::fill_n(values_.data() + span.first, span.count, 0.0);
    rows_.multiply(values_.data());
    for (const Plan::Node& node : nodes()) {
      const Size<R> size(node.rows);
      const double* diagonal = values_.data() + node.diagonal;
      double* own = own_.data() + node.row;
      for (int i = 0; i < size; ++i) own[i] = diagonal[i * (size + 1)];
    }
  }

  /// [SPA.2], and of [SPA.3] the way forward of right_.
  template <bool kWithRight>
  void eliminate(double threshold) {
    if (dropped_ > 0) std::fill(kept_.begin(), kept_.end(), char{1});
    dropped_ = nothing_left_ = 0;
    smallest_ = 1.0;
    threshold = std::max(threshold, kRounding);
    double* const values = values_.data();
    double* const scaled = scaled_.data();
    double* const right = right_.data();
    const Plan::Entry* entry = plan_.entries.data();
    const Plan::Update* update = plan_.updates.data();
    for (const Plan::Node& node : nodes()) {
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
    double lower[kLargest * kLargest];
    double pivot_inverse[kLargest];
    for (int j = 0; j < size; ++j) {
      const double pivot = block[j * size + j];
      const double own = own_[static_cast<std::size_t>(row + j)];
      const double least = structural_[static_cast<std::size_t>(row + j)] != 0
                               ? std::max(threshold, kStructural)
                               : threshold;
      const bool keep = pivot > least * own && (chosen_ == nullptr || chosen_[row + j] != 0);
      pivot_inverse[j] = keep ? 1.0 / pivot : 0.0;
      if (keep) {
        smallest_ = std::min(smallest_, pivot / own);
      } else {
        ++dropped_;
        kept_[static_cast<std::size_t>(row + j)] = 0;
        if (!(pivot > kRounding * own)) ++nothing_left_;
      }
      for (int i = j + 1; i < size; ++i) {
        lower[j * size + i] = block[j * size + i] * pivot_inverse[j];
        for (int l = j + 1; l <= i; ++l)
          block[l * size + i] -= lower[j * size + i] * block[j * size + l];
      }
    }
    // L⁻¹, then Σ_k (row k of L⁻¹)ᵀ (row k of L⁻¹) / p_k.
    double unit[kLargest * kLargest];
    for (int j = 0; j < size; ++j) {
      unit[j * size + j] = 1.0;
      for (int i = j + 1; i < size; ++i) {
        double sum = -lower[j * size + i];
        for (int l = j + 1; l < i; ++l) sum -= lower[l * size + i] * unit[j * size + l];
        unit[j * size + i] = sum;
      }
    }
    for (int j = 0; j < size; ++j) {
      for (int i = j; i < size; ++i) {
        double sum = 0.0;
        for (int k = i; k < size; ++k)
          sum += unit[i * size + k] * unit[j * size + k] * pivot_inverse[k];
        block[j * size + i] = sum;
        block[i * size + j] = sum;
      }
    }
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
    for (int j = 0; j < size; ++j) sum.subtract(W[j], z.x[j], rows);
    sum.store(r, rows);
  }

  /// S λ = right_, which is overwritten.
  void substitute(double* lambda) {
    const double* const values = values_.data();
    double* const right = right_.data();
    const Plan::Entry* entry = plan_.entries.data();
    for (const Plan::Node& node : nodes()) {
      const Size<R> size(node.rows);
      const auto z = pull_right({values + node.diagonal, size}, right + node.row, size);
      for (int count = node.entries; count > 0; --count, ++entry) {
        const Size<R> rows(entry->rows);
        push_right(z, size, {values + entry->value, rows}, right + entry->row, rows);
      }
    }
    substitute_back(lambda);
  }

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
  }

  std::span<const Plan::Node> nodes() const { return plan_.nodes; }

  static constexpr int kLargest = kStripRoom<R>;

  int n_, m_;
  BodyMasses masses_;
  EliminationPlan plan_;
  std::vector<double> values_;       // S, then W and D⁻¹
  std::vector<double> scaled_;       // Z, at the places of W
  std::vector<Block> blocks_;        // of G, as far as they count
  Rows rows_;                        // G and H of the last factorisation
  std::vector<double> rate_scaled_;  // likewise of a rate of G
  std::vector<double> own_;          // s_ii
  std::vector<char> kept_;           // per row
  std::vector<char> structural_;     // per row: redundant by structure
  bool has_structural_ = false;
  std::vector<double> right_;
  bool right_goes_along_ = false;  // with the next elimination
  Vector z_, y_;
  std::vector<double> turns_;  // of slender rods about themselves
  Vector lifted_force_;
  bool definite_ = false;
  bool is_held_ = false;         // M is known to be definite on the null space
  bool lifts_too_long_ = false;  // hardly anything holds a rod's turn about itself
  int dropped_ = 0;
  int nothing_left_ = 0;                 // of them, those of which only rounding is left
  int redundant_ = 0;                    // rows that are so by structure
  double smallest_ = 1.0;                // p_i/s_ii of the rows that are kept
  std::unique_ptr<SaddleEngine> small_;  // for singular poses, and for masses that are not definite
  bool small_mass_changed_ = true;
  bool dense_ = false;                  // small_ has the last factorisation
  BlockMatrix even_mass_;               // [SAD.3]; of no size: none
  std::unique_ptr<SparseSaddle> even_;  // with these, in large systems
  bool even_is_new_ = true;
  const char* chosen_ = nullptr;  // per row: whether even_ keeps it
};

// As tried, these are worth it; in blocks of any size the loops over their rows take the time.
using PlanePins = SparseSaddle<2, 3, GapRows<2, 3>>;
using PlaneRows = SparseSaddle<2, 3, AnyRows<2, 3>>;
using SpaceBalls = SparseSaddle<3, 6, GapRows<3, 6>>;
using SpaceHinges = SparseSaddle<5, 6, GapRows<5, 6>>;
#define DRIFTLESS_PASSES(Engine)                                                                  \
  template <>                                                                                     \
  DRIFTLESS_HOT void decompose(Engine& engine, const double* G, bool mass_changed,                \
                               double threshold) {                                                \
    engine.pass_decompose(G, mass_changed, threshold);                                            \
  }                                                                                               \
  template <>                                                                                     \
  DRIFTLESS_HOT void find_motion(Engine& engine, double* x, double* lambda, bool is_correction) { \
    engine.pass_motion(x, lambda, is_correction);                                                 \
  }                                                                                               \
  template <>                                                                                     \
  DRIFTLESS_HOT void finish_motion(Engine& engine, double* x, double* lambda) {                   \
    engine.pass_finish(x, lambda);                                                                \
  }
DRIFTLESS_PASSES(PlanePins)
DRIFTLESS_PASSES(PlaneRows)
DRIFTLESS_PASSES(SpaceBalls)
DRIFTLESS_PASSES(SpaceHinges)

/// The one number of rows per strip, and of columns per block; 0 if they differ.
template <class List, class Get>
int find_common(const List& list, Get get) {
  if (list.empty()) return 0;
  const int first = get(list.front());
  const bool all =
      std::all_of(list.begin(), list.end(), [&](const auto& each) { return get(each) == first; });
  return all ? first : 0;
}

template <int R, int C>
std::unique_ptr<SaddleEngine> make_for_any(const BlockMatrix& mass, const BlockMatrix& jacobian,
                                           int rows, const BlockMatrix& even) {
  return std::make_unique<SparseSaddle<R, C, AnyRows<R, C>>>(mass, jacobian, rows, even);
}
template <int R, int C>
std::unique_ptr<SaddleEngine> make_for_gaps(const BlockMatrix& mass, const BlockMatrix& jacobian,
                                            int rows, const BlockMatrix& even) {
  return std::make_unique<SparseSaddle<R, C, GapRows<R, C>>>(mass, jacobian, rows, even);
}

}  // namespace

bool fits_sparse_engine(const BlockMatrix& mass, const BlockMatrix& jacobian) {
  if (mass.columns() == 0)
    return false;  // joint coordinates of bodies that are all fixed: no blocks at all
  if (!BodyMasses::fits(mass, jacobian)) return false;
  return std::all_of(jacobian.strips().begin(), jacobian.strips().end(),
                     [](const Strip& strip) { return strip.rows <= kLargestStrip; });
}

std::optional<EngineKind> find_engine_kind(std::string_view name) {
  if (name == "auto") return EngineKind::automatic;
  if (name == "dense") return EngineKind::dense;
  if (name == "sparse") return EngineKind::sparse;
  return {};
}

std::unique_ptr<SaddleEngine> make_saddle(const BlockMatrix& mass, const BlockMatrix& jacobian,
                                          int rows, EngineKind kind, RowForm form,
                                          const BlockMatrix& even) {
  const bool is_tiny =
      rows == 0 || (kind == EngineKind::automatic && form == RowForm::any && rows <= kTiny);
  if (kind == EngineKind::dense || (is_tiny && mass.columns() <= kFewRates) ||
      !fits_sparse_engine(mass, jacobian))
    return make_dense_saddle(mass.columns(), rows, even);
  const int strip = find_common(jacobian.strips(), [](const Strip& each) { return each.rows; });
  const int body = find_common(mass.blocks(), [](const Block& each) { return each.columns; });
  if (form == RowForm::gaps) {
    if (body == 3 && strip == 2) return make_for_gaps<2, 3>(mass, jacobian, rows, even);
    if (body == 6 && strip == 3) return make_for_gaps<3, 6>(mass, jacobian, rows, even);
    if (body == 6 && strip == 5) return make_for_gaps<5, 6>(mass, jacobian, rows, even);
    if (body == 6) return make_for_gaps<0, 6>(mass, jacobian, rows, even);
  }
  if (body == 3 && strip == 2) return make_for_any<2, 3>(mass, jacobian, rows, even);
  if (body == 3 && can_be_padded(jacobian, rows))
    return make_padded_saddle(mass, jacobian, rows, even);
  if (body == 6) return make_for_any<0, 6>(mass, jacobian, rows, even);
  return make_for_any<0, 0>(mass, jacobian, rows, even);
}

}  // namespace driftless
