// Dense rank-revealing engine.
//
//   M = L Lᵀ,  C = D⁻¹ G L⁻ᵀ with rows of length 1  (D = diag d_i),  w = Lᵀ x                                   [DEN.1]
//   w = L⁻¹f + C⁺ (D⁻¹b - C L⁻¹f),      d_i λ_i = -[(C Cᵀ)⁺ (D⁻¹b - C L⁻¹f)]_i                                  [DEN.2]
//
// Householder QR of Cᵀ, in the order of the rows but with nearly dependent ones put last, gives Cᵀ P = Q R; its pivots
// |r_kk| are the own parts of the rows (the local test of saddle.hpp). With X = Rᵀ (rows x r, r = number of rows that are not redundant by structure):
//
//   regular        X is square and triangular:  X⁺ = R⁻ᵀ
//   redundant, near-singular:  see row_inverse.hpp; how many directions are left out: failing_rows.hpp
//
// and C⁺ = Q X⁺ Pᵀ, (C Cᵀ)⁺ = P X⁺ᵀ X⁺ Pᵀ. Where nothing is left out all three give the same numbers, so the path may
// change from one pose to the next without a jump. The same, to round-off, and faster, are of a few rows that are far from
// depending on each other (separate_rows.hpp)
//
//   separate       C⁺ = Cᵀ (C Cᵀ)⁻¹ with the triangle of C Cᵀ
//
// Rejected: the eigenvalues of C Cᵀ where rows nearly depend on each other (squares the condition number: a relative singular value of 1e-9 drowns), and
// dropping whole rows instead of directions near a singular pose (costs an order of accuracy there: the dropped row is
// free, while a dropped direction spreads the freedom over all rows that meet).
//
// Masses far apart [SAD.3]: where directions fall below the tolerance, the same rows are looked at with even masses, by
// an engine of the same kind. Let U be the directions that stay there, of rows scaled to length 1, E = diag e_i. Then
// Uᵀ E⁻¹ (G x - b) = 0 is solved in the mass metric, whatever its singular values: with W = D E⁻¹ U               [DEN.4]
//
//   (Wᵀ X)ᵀ = A,  A V = Q Σ   →   W V Σ,  Q
//
// take the places of U Σ and V of X, and λ is of the least norm among W μ.
//
// M only semi-definite: M + Gᵀ W G is factorised instead and f + Gᵀ W b put on the right; x and λ stay the same for
// consistent rows, W weighs each row so that it adds what the mean mass would. Singular values of rows would depend on W,
// which has units of length in it: those of bodies are found with M̂ [MAS.2] instead.                             [DEN.3]

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/kernels.hpp"
#include "driftless/math/ordered_qr.hpp"
#include "driftless/saddle/body_masses.hpp"
#include "driftless/saddle/cholesky.hpp"
#include "driftless/saddle/failing_rows.hpp"
#include "driftless/saddle/rank_value.hpp"
#include "driftless/saddle/row_inverse.hpp"
#include "driftless/saddle/saddle.hpp"
#include "driftless/saddle/separate_rows.hpp"
#include "driftless/saddle/slender_turns.hpp"

namespace driftless {
namespace {

class DenseSaddle final : public SaddleEngine {
 public:
  DenseSaddle(int size, int rows, const EvenMasses& even)
      : n_(size),
        m_(rows),
        steps_(std::min(size, rows)),
        lower_(size),
        qr_(size, rows),
        separate_(std::clamp(rows, 1, SeparateRows::kMostRows), size),
        failing_(rows, steps_),
        inverse_(rows, steps_),
        even_masses_(even) {
    scale_ = inverse_scale_ = Vector::Ones(m_);
    work_n_ = Vector::Zero(n_);
    residual_ = Vector::Zero(m_);
    permuted_ = Vector::Zero(m_);
    y_ = Vector::Zero(steps_);
    row_weight_ = Vector::Zero(m_);
    if (!even.are_needed()) return;
    even_ = std::make_unique<DenseSaddle>(size, rows, EvenMasses());
    left_ = even_left_ = Matrix::Zero(m_, steps_);
    place_.resize(static_cast<std::size_t>(m_));
  }

  bool factorize(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& rows,
                 double rank_tolerance) override {
    const auto jacobian = rows.dense().topRows(m_);
    if (mass_changed) {
      round_is_known_ = false;
      has_rods_ = BodyMasses::fits(mass, rows) && has_slender_rods(mass);
      if (has_rods_ && !are_turns_held(mass, rows, m_)) return false;
    }
    if (mass_changed || augmented_) {
      if (!factorize_mass(mass.dense(), jacobian)) return false;
    }
    if (m_ == 0) return true;
    if (are_separate(jacobian, rows)) {
      path_ = Path::separate;
      rank_ = m_;
      smallest_pivot_ = separate_.smallest_pivot();
      return true;
    }
    set_rows(jacobian, rows);
    qr_.factorize(std::max(kPivotMargin * rank_tolerance, 1e-8));
    find_rank(rank_tolerance, rows);
    return true;
  }

  void solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) override {
    if (m_ == 0) {
      solve_mass(f, x);
      return;
    }
    if (path_ == Path::separate)
      return separate_.solve(lower_, f.data(), b.data(), x.data(), lambda.data());
    set_free(f, b);
    set_scaled(b);
    if (path_ == Path::regular) {
      solve_regular();
    } else {
      // D⁻¹ b - C L⁻¹ f. The rows of C were overwritten by the QR, so the product goes through Q and R.
      for (int j = 0; j < m_; ++j)
        permuted_[j] -= kernels::calc_dot(qr_.column(j), work_n_.data(), std::min(j + 1, steps_));
      inverse_.solve(permuted_, y_, residual_);
      work_n_.head(rank_) += y_.head(rank_);
    }
    write_solution(x, lambda);
  }

  bool solve_mass(ConstVectorRef f, VectorRef x) override {
    if (augmented_) return false;
    x = f;
    lower_.solve(x);
    lower_.solve_transposed(x);
    return true;
  }

  double find_row_change(const BlockMatrix& blocks, int rows) override {
    const Matrix& rate = blocks.dense();
    if (path_ == Path::separate && rows == m_)
      return std::sqrt(separate_.find_change(lower_, rate.data(), rate.outerStride()));
    double largest = 0.0;
    for (int i = 0; i < rows; ++i) {
      const double own = path_ == Path::separate ? separate_.square(i) : scale_[i] * scale_[i];
      if (!(own > 0.0)) continue;
      lower_.solve_row(rate.data() + i, rate.outerStride(), work_n_);
      largest = std::max(largest, kernels::calc_dot(work_n_.data(), work_n_.data(), n_) / own);
    }
    return std::sqrt(largest);
  }

  std::string describe() const override {
    return "dense: " + std::to_string(n_) + (n_ == 1 ? " rate, " : " rates, ") +
           std::to_string(m_) + (m_ == 1 ? " row" : " rows");
  }

  int rank() const override { return rank_ - truncated(); }
  int truncated() const override { return path_ == Path::singular ? inverse_.left_out() : 0; }
  double largest_left_out() const override {
    return truncated() > 0 ? inverse_.largest_left_out() : 0.0;
  }
  double smallest_pivot() const override { return smallest_pivot_; }

  /// [RVA.2]
  double calc_singular_value(const BlockMatrix& mass, const BlockMatrix& jacobian,
                             int rank) override {
    if (augmented_ && factorize_round(mass, jacobian))
      return round_->calc_singular_value(round_mass_, jacobian, rank);
    if (value_ == nullptr) value_ = std::make_unique<RankValue>(m_, steps_);
    if (path_ != Path::separate) return value_->find(qr_, rank);
    if (rank == m_) {
      if (triangle_.size() == 0) triangle_ = Matrix::Zero(m_, m_);
      separate_.find_triangle(triangle_);
      return value_->find_of_triangle(triangle_, rank);
    }
    // at a start that is singular more rows depend on each other than here
    set_rows(jacobian.dense().topRows(m_), jacobian);
    qr_.factorize(0.0);
    return value_->find(qr_, rank);
  }

 private:
  enum class Path { separate, regular, redundant, singular };

  /// False: there is no M̂.
  bool factorize_round(const BlockMatrix& mass, const BlockMatrix& jacobian) {
    const bool is_new = !round_is_known_;
    if (is_new) round_mass_ = make_round_mass(mass);
    round_is_known_ = true;
    if (round_mass_.rows() == 0) return false;
    if (round_ == nullptr) round_ = std::make_unique<DenseSaddle>(n_, m_, EvenMasses());
    return round_->factorize(round_mass_, is_new, jacobian, kDefaultRankTolerance) &&
           !round_->augmented_;
  }

  /// The forces of [DEN.3], and whether there are any. Projections have f = 0, and half of all solves are projections.
  bool set_forces(ConstVectorRef f, ConstVectorRef b, VectorRef forces) {
    forces = f;
    if (augmented_) forces.noalias() += jacobian_.transpose() * row_weight_.cwiseProduct(b);
    for (int j = 0; j < n_; ++j) {
      if (forces[j] != 0.0) return true;
    }
    return false;
  }

  /// work_n_ = Qᵀ L⁻¹ f
  void set_free(ConstVectorRef f, ConstVectorRef b) {
    if (!set_forces(f, b, work_n_)) return;
    lower_.solve(work_n_);
    qr_.apply_transposed(work_n_.data());
  }

  /// Then their triangle is there. Where M is singular, motions that the rows hold may have next to no inertia, and what a
  /// force makes of them must not be left over as a difference.
  bool are_separate(ConstMatrixRef jacobian, const BlockMatrix& rows) {
    if (augmented_ || m_ == 0 || m_ > SeparateRows::kMostRows || rows.shares().size() > 0)
      return false;
    return separate_.factorize(lower_, jacobian.data(), jacobian.outerStride());
  }

  /// permuted_ = Pᵀ D⁻¹ b.
  void set_scaled(ConstVectorRef b) {
    for (int j = 0; j < m_; ++j) {
      const int row = qr_.place(j);
      permuted_[j] = inverse_scale_[row] > 0.0 ? b[row] * inverse_scale_[row] : 0.0;
    }
  }

  /// x = L⁻ᵀ Q work_n_, λ from residual_.
  void write_solution(VectorRef x, VectorRef lambda) {
    x = work_n_;
    qr_.apply(x.data());
    lower_.solve_transposed(x);
    for (int j = 0; j < m_; ++j) {
      const int row = qr_.place(j);
      lambda[row] = inverse_scale_[row] > 0.0 ? residual_[j] * inverse_scale_[row] : 0.0;
    }
  }

  bool factorize_mass(ConstMatrixRef mass, ConstMatrixRef jacobian) {
    augmented_ = false;
    if (!has_rods_ && lower_.factorize(mass)) return true;
    // [DEN.3]
    jacobian_ = jacobian;
    const double mean_mass = std::max(mass.diagonal().cwiseAbs().sum() / n_, 1e-300);
    for (int i = 0; i < m_; ++i) {
      const double length = jacobian.row(i).squaredNorm();
      row_weight_[i] = length > 0.0 ? mean_mass / length : 0.0;
    }
    augmented_mass_ = mass;
    weighted_ = row_weight_.asDiagonal() * jacobian_;
    augmented_mass_.noalias() += jacobian_.transpose() * weighted_;
    augmented_ = true;
    return lower_.factorize(augmented_mass_);
  }

  /// Columns of Cᵀ: L⁻¹ g_i, scaled to length 1 or to the row's share; scale_[i] = d_i (0: the row is zero).
  void set_rows(ConstMatrixRef jacobian, const BlockMatrix& rows) {
    if (n_ == 0) {  // nothing can move
      scale_.setZero();
      inverse_scale_.setZero();
      return;
    }
    double largest = 0.0;
    for (int i = 0; i < m_; ++i) {
      double* const row = qr_.column(i);
      lower_.solve_row(jacobian.data() + i, jacobian.outerStride(), qr_.values().col(i));
      scale_[i] = std::sqrt(kernels::calc_dot(row, row, n_));
      if (const double share = rows.find_share(i); share > 0.0) scale_[i] /= share;
      largest = std::max(largest, scale_[i]);
    }
    for (int i = 0; i < m_; ++i) {
      if (scale_[i] > 1e-150 && scale_[i] > 1e-14 * largest) {
        inverse_scale_[i] = 1.0 / scale_[i];
        for (double *x = qr_.column(i), *end = x + n_; x != end; ++x) *x *= inverse_scale_[i];
      } else {
        scale_[i] = inverse_scale_[i] = 0.0;
        qr_.values().col(i).setZero();
      }
    }
  }

  void find_rank(double tolerance, const BlockMatrix& rows) {
    rank_ = 0;
    smallest_pivot_ = 1.0;
    int certain = 0;
    for (int k = 0; k < steps_; ++k) {
      const double pivot = std::abs(qr_.pivot(k));
      if (!(pivot > kRedundantRow)) break;
      ++rank_;
      smallest_pivot_ = std::min(smallest_pivot_, pivot);
      if (certain == k && pivot >= kPivotMargin * tolerance) ++certain;
    }
    // Rows that are redundant by structure fail, too, but are no directions of the singular values.
    const int without =
        certain == rank_ ? 0 : failing_.count(qr_, certain, tolerance) - (m_ - rank_);
    if (without <= 0 && rank_ == m_) {
      path_ = Path::regular;
      return;
    }
    inverse_.set(qr_, rank_);
    if (without <= 0) {
      path_ = Path::redundant;
      inverse_.factorize_redundant();
      return;
    }
    path_ = Path::singular;
    inverse_.factorize_singular();
    inverse_.leave_out_smallest(without, tolerance);
    if (truncated() > 0 && even_ != nullptr) compare_evenly(tolerance, rows);
  }

  /// [SAD.3]: fewer directions may be left out.
  void compare_evenly(double tolerance, const BlockMatrix& rows) {
    if (!even_->factorize(even_masses_.mass, even_is_new_, even_masses_.find_rows(rows), tolerance))
      return;
    even_is_new_ = false;
    const int without = rank_ - even_->rank();
    if (without >= truncated()) return;
    if (without > 0 && even_->path_ == Path::singular) {
      keep_directions_of(*even_);
      return;
    }
    inverse_.leave_out_nothing();
    inverse_.leave_out_smallest(without, tolerance);
  }

  /// [DEN.4]
  void keep_directions_of(const DenseSaddle& even) {
    for (int j = 0; j < m_; ++j) place_[static_cast<std::size_t>(even.qr_.place(j))] = j;
    const int kept = even.inverse_.copy_directions(even_left_);
    for (int j = 0; j < m_; ++j) {
      const int row = qr_.place(j);
      left_.row(j).head(kept) = scale_[row] * even.inverse_scale_[row] *
                                even_left_.row(place_[static_cast<std::size_t>(row)]).head(kept);
    }
    inverse_.set(qr_, rank_);
    inverse_.keep_directions(left_.leftCols(kept), even.largest_left_out());
  }

  /// With work_n_ = (w, ...), w of the length of the rank: y = R⁻ᵀ c, which takes the place of w, and
  /// residual_ = -R⁻¹(y - w).
  void solve_regular() {
    double* const w = work_n_.data();
    for (int i = 0; i < m_; ++i) {
      const double y =
          (permuted_[i] - kernels::calc_dot(qr_.column(i), y_.data(), i)) * qr_.inverse_pivot(i);
      residual_[i] = w[i] - y;
      y_[i] = w[i] = y;
    }
    for (int i = m_ - 1; i >= 0; --i) {
      residual_[i] *= qr_.inverse_pivot(i);
      add_scaled(-residual_[i], qr_.column(i), residual_.data(), static_cast<std::size_t>(i));
    }
  }

  int n_, m_, steps_;
  CholeskyFactor lower_;  // L
  bool has_rods_ = false;
  bool augmented_ = false;
  Path path_ = Path::regular;
  int rank_ = 0;  // with what is left out
  double smallest_pivot_ = 1.0;
  OrderedQr qr_;                  // of Cᵀ
  SeparateRows separate_;         // all of it, where they are
  FailingRows failing_;           // where they may depend on each other
  RowInverse inverse_;            // X⁺, unless R is all that it takes
  Vector scale_, inverse_scale_;  // d_i and 1/d_i; 0: the row is zero
  Vector work_n_, residual_, permuted_, y_;
  std::unique_ptr<RankValue> value_;             // made where it is asked
  Matrix triangle_;                              // likewise
  Matrix jacobian_, weighted_, augmented_mass_;  // only if M is singular
  Vector row_weight_;
  BlockMatrix round_mass_;              // M̂
  std::unique_ptr<DenseSaddle> round_;  // with these
  bool round_is_known_ = false;
  EvenMasses even_masses_;
  std::unique_ptr<DenseSaddle> even_;  // with these
  bool even_is_new_ = true;
  Matrix left_, even_left_;  // [DEN.4]: W and U, columns of which are used
  std::vector<int> place_;   // per row: where it stands in even_
};

}  // namespace

std::unique_ptr<SaddleEngine> make_dense_saddle(int size, int rows, const EvenMasses& even) {
  return std::make_unique<DenseSaddle>(size, rows, even);
}

}  // namespace driftless
