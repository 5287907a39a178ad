// Dense rank-revealing engine.
//
//   M = L Lᵀ,  C = D⁻¹ G L⁻ᵀ with rows of length 1  (D = diag d_i),  w = Lᵀ x                                   [DEN.1]
//   w = L⁻¹f + C⁺ (D⁻¹b - C L⁻¹f),      d_i λ_i = -[(C Cᵀ)⁺ (D⁻¹b - C L⁻¹f)]_i                                  [DEN.2]
//
// Householder QR of Cᵀ, in the order of the rows but with nearly dependent ones put last, gives Cᵀ P = Q R; its pivots
// |r_kk| are the own parts of the rows (the local test of saddle.hpp). With X = Rᵀ (rows x r, r = number of rows that are not redundant by structure):
//
//   regular        X is square and triangular:  X⁺ = R⁻ᵀ
//   redundant      X = Z S, Z orthonormal, S triangular:  X⁺ = S⁻¹ Zᵀ
//   near-singular  X = U Σ Vᵀ by one-sided Jacobi; singular values below the tolerance are left out
//
// and C⁺ = Q X⁺ Pᵀ, (C Cᵀ)⁺ = P X⁺ᵀ X⁺ Pᵀ. Where nothing is left out all three give the same numbers, so the path may
// change from one pose to the next without a jump.
//
// Rejected: the eigenvalues of C Cᵀ (squares the condition number: a relative singular value of 1e-9 drowns), and
// dropping whole rows instead of directions near a singular pose (costs an order of accuracy there: the dropped row is
// free, while a dropped direction spreads the freedom over all rows that meet).
//
// M only semi-definite: M + Gᵀ W G is factorised instead and f + Gᵀ W b put on the right; x and λ stay the same for
// consistent rows, W weighs each row so that it adds what the mean mass would.                                   [DEN.3]

#include <algorithm>
#include <cmath>

#include <Eigen/Householder>

#include "driftless/math/jacobi.hpp"
#include "driftless/saddle/cholesky.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {
namespace {

class DenseSaddle final : public SaddleEngine {
 public:
  DenseSaddle(int size, int rows) : n_(size), m_(rows), steps_(std::min(size, rows)), lower_(size) {
    ct_ = Matrix::Zero(n_, m_);
    householder_ = Vector::Zero(steps_);
    scale_ = Vector::Ones(m_);
    permutation_.resize(static_cast<std::size_t>(m_));
    x_factor_ = Matrix::Zero(m_, steps_);
    v_factor_ = Matrix::Zero(steps_, steps_);
    z_householder_ = Vector::Zero(steps_);
    sigma_inverse_ = Vector::Zero(steps_);
    free_ = Vector::Zero(n_);
    work_n_ = Vector::Zero(n_);
    residual_ = Vector::Zero(m_);
    permuted_ = Vector::Zero(m_);
    y_ = Vector::Zero(steps_);
    z_ = Vector::Zero(steps_);
    row_weight_ = Vector::Zero(m_);
  }

  bool factorize(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& rows,
                 double rank_tolerance) override {
    const auto jacobian = rows.dense().topRows(m_);
    if (mass_changed || augmented_) {
      if (!factorize_mass(mass.dense(), jacobian)) return false;
    }
    set_rows(jacobian);
    pivoted_qr(rank_tolerance);
    find_rank(rank_tolerance);
    return true;
  }

  void solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) override {
    free_ = f;
    if (augmented_) free_.noalias() += jacobian_.transpose() * row_weight_.cwiseProduct(b);
    lower_.solve(free_);  // L⁻¹ f
    // D⁻¹ b - C L⁻¹ f. The rows of C were overwritten by the QR, so the product goes through Q and R.
    apply_q_transposed(free_, work_n_);
    set_scaled(b);
    for (int j = 0; j < m_; ++j) {
      const int top = std::min(j + 1, steps_);
      if (top > 0) permuted_[j] -= ct_.col(j).head(top).dot(work_n_.head(top));
    }
    solve_factor();
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
    double largest = 0.0;
    for (int i = 0; i < rows; ++i) {
      if (!(scale_[i] > 0.0)) continue;
      work_n_ = rate.row(i).transpose();
      lower_.solve(work_n_);
      largest = std::max(largest, work_n_.norm() / scale_[i]);
    }
    return largest;
  }

  int rank() const override { return rank_ - truncated_; }
  int truncated() const override { return truncated_; }
  double smallest_pivot() const override { return smallest_pivot_; }

  /// Of the triangle R or S by inverse iteration: 1/|R⁻ᵀz| falls to σ as z turns into its direction.
  double calc_smallest_singular_value() override {
    if (rank_ == 0) return 1.0;
    if (path_ == Path::singular) return smallest_sigma_;
    constexpr int kMaxTurns = 60;
    constexpr double kSettled = 1e-6;
    const Matrix& triangle = path_ == Path::regular ? ct_ : x_factor_;
    auto z = z_.head(rank_);
    for (int i = 0; i < rank_; ++i)
      z[i] = 1.0 + 0.37 * std::sin(1.0 + 2.3 * i);  // no direction is left out
    double sigma = 0.0;
    for (int turn = 0; turn < kMaxTurns; ++turn) {
      z /= z.norm();
      for (int i = 0; i < rank_; ++i) {  // Rᵀ y = z
        y_[i] = (z[i] - triangle.col(i).head(i).dot(y_.head(i))) / triangle(i, i);
      }
      const double before = sigma;
      sigma = 1.0 / y_.head(rank_).norm();
      if (std::abs(sigma - before) <= kSettled * sigma) break;
      z = y_.head(rank_);
      for (int i = rank_ - 1; i >= 0; --i) {  // R z = y
        z[i] /= triangle(i, i);
        if (i > 0) z.head(i) -= z[i] * triangle.col(i).head(i);
      }
    }
    return sigma;
  }

 private:
  enum class Path { regular, redundant, singular };

  /// permuted_ = Pᵀ D⁻¹ b.
  void set_scaled(ConstVectorRef b) {
    for (int j = 0; j < m_; ++j) {
      const int row = permutation_[static_cast<std::size_t>(j)];
      permuted_[j] = scale_[row] > 0.0 ? b[row] / scale_[row] : 0.0;
    }
  }

  /// x = L⁻ᵀ Q (work_n_ + y_), λ from residual_.
  void write_solution(VectorRef x, VectorRef lambda) {
    work_n_.head(rank_) += y_.head(rank_);
    apply_q(work_n_, x);
    lower_.solve_transposed(x);
    for (int j = 0; j < m_; ++j) {
      const int row = permutation_[static_cast<std::size_t>(j)];
      lambda[row] = scale_[row] > 0.0 ? residual_[j] / scale_[row] : 0.0;
    }
  }

  bool factorize_mass(ConstMatrixRef mass, ConstMatrixRef jacobian) {
    augmented_ = false;
    if (lower_.factorize(mass)) return true;
    // [DEN.3]
    jacobian_ = jacobian;
    const double mean_mass = std::max(mass.diagonal().cwiseAbs().sum() / n_, 1e-300);
    for (int i = 0; i < m_; ++i) {
      const double length = jacobian.row(i).squaredNorm();
      row_weight_[i] = length > 0.0 ? mean_mass / length : 0.0;
    }
    augmented_mass_ = mass;
    augmented_mass_.noalias() += jacobian.transpose() * row_weight_.asDiagonal() * jacobian;
    augmented_ = true;
    return lower_.factorize(augmented_mass_);
  }

  /// Columns of Cᵀ: L⁻¹ g_i, scaled to length 1; scale_[i] = d_i (0: the row is zero).
  void set_rows(ConstMatrixRef jacobian) {
    double largest = 0.0;
    for (int i = 0; i < m_; ++i) {
      ct_.col(i) = jacobian.row(i).transpose();
      lower_.solve(ct_.col(i));
      scale_[i] = ct_.col(i).norm();
      largest = std::max(largest, scale_[i]);
    }
    for (int i = 0; i < m_; ++i) {
      if (scale_[i] > 1e-150 && scale_[i] > 1e-14 * largest) {
        ct_.col(i) /= scale_[i];
      } else {
        scale_[i] = 0.0;
        ct_.col(i).setZero();
      }
    }
  }

  /// Which column comes next: the first one, in the order of the rows, of which enough is left; if there is none, the
  /// one of which most is left. Taking the largest always would reveal the global singular values instead: on a chain
  /// its pivots fall as N^-½, although in the order of the chain they stay at 0.7.
  Eigen::Index find_next_column(int k, double enough) const {
    Eigen::Index best = k;
    double best_norm = -1.0;
    for (int j = k; j < m_; ++j) {
      const double norm = ct_.col(j).tail(n_ - k).norm();
      if (norm >= enough) return j;
      if (norm > best_norm * (1.0 + 1e-9)) {
        best_norm = norm;
        best = j;
      }
    }
    return best;
  }

  void pivoted_qr(double tolerance) {
    const double enough = std::max(kPivotMargin * tolerance, 1e-8);
    for (int j = 0; j < m_; ++j) permutation_[static_cast<std::size_t>(j)] = j;
    for (int k = 0; k < steps_; ++k) {
      const Eigen::Index next = find_next_column(k, enough);
      // Rotated, not swapped: the rows that wait keep their order.
      for (Eigen::Index j = next; j > k; --j) {
        ct_.col(j).swap(ct_.col(j - 1));
        std::swap(permutation_[static_cast<std::size_t>(j)],
                  permutation_[static_cast<std::size_t>(j - 1)]);
      }
      double beta = 0.0;
      auto column = ct_.col(k).tail(n_ - k);
      column.makeHouseholderInPlace(householder_[k], beta);
      ct_(k, k) = beta;
      for (int j = k + 1; j < m_; ++j) {
        auto target = ct_.col(j).tail(n_ - k);
        const double along = target[0] + ct_.col(k).tail(n_ - k - 1).dot(target.tail(n_ - k - 1));
        const double factor = householder_[k] * along;
        target[0] -= factor;
        target.tail(n_ - k - 1) -= factor * ct_.col(k).tail(n_ - k - 1);
      }
    }
  }

  void find_rank(double tolerance) {
    rank_ = 0;
    truncated_ = 0;
    smallest_pivot_ = 1.0;
    int suspects = 0;
    for (int k = 0; k < steps_; ++k) {
      const double pivot = std::abs(ct_(k, k));
      if (!(pivot > kRedundantRow)) break;
      ++rank_;
      smallest_pivot_ = std::min(smallest_pivot_, pivot);
      if (pivot < kPivotMargin * tolerance) ++suspects;
    }
    if (suspects > 0) {
      factorize_singular(tolerance, suspects);
    } else if (rank_ == m_) {
      path_ = Path::regular;
    } else {
      factorize_redundant();
    }
  }

  /// X = Rᵀ without the part that is zero.
  void set_x_factor() {
    x_factor_.setZero();
    for (int j = 0; j < m_; ++j) {
      const int top = std::min(j + 1, rank_);
      x_factor_.row(j).head(top) = ct_.col(j).head(top).transpose();
    }
  }

  void factorize_redundant() {
    path_ = Path::redundant;
    set_x_factor();
    for (int k = 0; k < rank_; ++k) {
      double beta = 0.0;
      auto column = x_factor_.col(k).tail(m_ - k);
      column.makeHouseholderInPlace(z_householder_[k], beta);
      x_factor_(k, k) = beta;
      for (int j = k + 1; j < rank_; ++j) {
        auto target = x_factor_.col(j).tail(m_ - k);
        const double along =
            target[0] + x_factor_.col(k).tail(m_ - k - 1).dot(target.tail(m_ - k - 1));
        const double factor = z_householder_[k] * along;
        target[0] -= factor;
        target.tail(m_ - k - 1) -= factor * x_factor_.col(k).tail(m_ - k - 1);
      }
    }
  }

  void factorize_singular(double tolerance, int suspects) {
    path_ = Path::singular;
    set_x_factor();
    orthogonalize_columns(x_factor_.leftCols(rank_), v_factor_.topLeftCorner(rank_, rank_));
    smallest_sigma_ = 1.0;
    for (int k = 0; k < rank_; ++k) {
      const double sigma = x_factor_.col(k).norm();
      sigma_inverse_[k] = sigma > 0.0 ? 1.0 / sigma : 0.0;
      smallest_sigma_ = std::min(smallest_sigma_, sigma);
    }
    // Of the directions below the tolerance at most as many as rows failed the local test, smallest first.
    for (int count = 0; count < suspects; ++count) {
      int smallest = -1;
      for (int k = 0; k < rank_; ++k) {
        if (sigma_inverse_[k] * tolerance <= 1.0) continue;
        if (smallest < 0 || sigma_inverse_[k] > sigma_inverse_[smallest]) smallest = k;
      }
      if (smallest < 0) break;
      sigma_inverse_[smallest] = 0.0;
      ++truncated_;
    }
  }

  void apply_q_transposed(const Vector& in, Vector& out) const {
    out = in;
    for (int k = 0; k < steps_; ++k) {
      auto tail = out.tail(n_ - k - 1);
      const auto direction = ct_.col(k).tail(n_ - k - 1);
      const double factor = householder_[k] * (out[k] + direction.dot(tail));
      out[k] -= factor;
      tail -= factor * direction;
    }
  }

  void apply_q(const Vector& in, VectorRef out) const {
    out = in;
    for (int k = steps_ - 1; k >= 0; --k) {
      auto tail = out.tail(n_ - k - 1);
      const auto direction = ct_.col(k).tail(n_ - k - 1);
      const double factor = householder_[k] * (out[k] + direction.dot(tail));
      out[k] -= factor;
      tail -= factor * direction;
    }
  }

  /// y_ = X⁺ permuted_, residual_ = -X⁺ᵀ y_.
  void solve_factor() {
    switch (path_) {
      case Path::regular: solve_regular(); break;
      case Path::redundant: solve_redundant(); break;
      case Path::singular: solve_singular(); break;
    }
  }

  void solve_regular() {
    for (int i = 0; i < rank_; ++i) {  // Rᵀ y = c
      y_[i] = (permuted_[i] - ct_.col(i).head(i).dot(y_.head(i))) / ct_(i, i);
    }
    residual_ = -y_.head(m_);
    for (int i = rank_ - 1; i >= 0; --i) {  // R λ = -y
      residual_[i] /= ct_(i, i);
      if (i > 0) residual_.head(i) -= residual_[i] * ct_.col(i).head(i);
    }
  }

  void solve_redundant() {
    // c := Zᵀ c
    for (int k = 0; k < rank_; ++k) {
      auto tail = permuted_.tail(m_ - k - 1);
      const auto direction = x_factor_.col(k).tail(m_ - k - 1);
      const double factor = z_householder_[k] * (permuted_[k] + direction.dot(tail));
      permuted_[k] -= factor;
      tail -= factor * direction;
    }
    for (int i = rank_ - 1; i >= 0; --i) {  // S y = c
      double sum = permuted_[i];
      for (int j = i + 1; j < rank_; ++j) sum -= x_factor_(i, j) * y_[j];
      y_[i] = sum / x_factor_(i, i);
    }
    residual_.setZero();
    for (int i = 0; i < rank_; ++i) {  // Sᵀ z = -y
      double sum = -y_[i];
      for (int j = 0; j < i; ++j) sum -= x_factor_(j, i) * residual_[j];
      residual_[i] = sum / x_factor_(i, i);
    }
    for (int k = rank_ - 1; k >= 0; --k) {  // λ = Z z
      auto tail = residual_.tail(m_ - k - 1);
      const auto direction = x_factor_.col(k).tail(m_ - k - 1);
      const double factor = z_householder_[k] * (residual_[k] + direction.dot(tail));
      residual_[k] -= factor;
      tail -= factor * direction;
    }
  }

  void solve_singular() {
    const auto us = x_factor_.leftCols(rank_);  // U Σ
    const auto v = v_factor_.topLeftCorner(rank_, rank_);
    const auto inverse = sigma_inverse_.head(rank_).array();
    z_.head(rank_).noalias() = us.transpose() * permuted_;  // Σ Uᵀ c
    z_.head(rank_).array() *= inverse.square();             // Σ⁺ Uᵀ c
    y_.head(rank_).noalias() = v * z_.head(rank_);
    z_.head(rank_).array() *= inverse.square();  // U Σ (Σ⁺)³ Uᵀ c = U Σ⁺² Uᵀ c
    residual_.noalias() = -(us * z_.head(rank_));
  }

  int n_, m_, steps_;
  CholeskyFactor lower_;  // L
  bool augmented_ = false;
  Path path_ = Path::regular;
  int rank_ = 0;
  int truncated_ = 0;
  double smallest_pivot_ = 1.0;
  double smallest_sigma_ = 1.0;  // on the path `singular`
  Matrix ct_;                    // Cᵀ, then Q (below) and R (above and on the diagonal) (n x m)
  Vector householder_;           // coefficients of Q
  Vector scale_;                 // d_i
  std::vector<int> permutation_;
  Matrix x_factor_;  // X; then Z and S; or U Σ (m x steps)
  Matrix v_factor_;  // V (steps x steps)
  Vector z_householder_;
  Vector sigma_inverse_;
  Vector free_, work_n_, residual_, permuted_, y_, z_;
  Matrix jacobian_, augmented_mass_;  // only if M is singular
  Vector row_weight_;
};

}  // namespace

std::unique_ptr<SaddleEngine> make_dense_saddle(int size, int rows) {
  return std::make_unique<DenseSaddle>(size, rows);
}

}  // namespace driftless
