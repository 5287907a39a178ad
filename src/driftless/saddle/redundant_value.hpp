#pragma once
// σ_r of all rows [RVA.1] (rank_value.hpp) from the sparse factors of some of them, at a cost that is linear in the number
// of rows but for those that are redundant.
//
// K are r rows that are kept, chosen once, and d those that depend on them: C_d = Yᵀ C_K, Y = S_K⁻¹ C_K C_dᵀ, a solution
// for each of d. With B = [1; Yᵀ] all rows are C = B C_K, so that on the range of C                                [RDV.1]
//
//   (C Cᵀ)⁺ = B⁺ᵀ S_K⁻¹ B⁺,   B⁺ = (BᵀB)⁻¹ Bᵀ,   (BᵀB)⁻¹ = 1 - Y (1 + YᵀY)⁻¹ Yᵀ
//
// whose largest eigenvalue, by Lanczos, is 1/σ_r². What a redundant row has of its own is left out: of ε of it (drift, the
// misfit of a drawing) σ_r² changes by ε².

#include <optional>

#include <Eigen/Cholesky>

#include "driftless/math/lanczos.hpp"
#include "driftless/saddle/block_factors.hpp"

namespace driftless {

template <int R, class Rows>
class RedundantValue {
 public:
  /// `chosen`, per row: whether it is kept.
  RedundantValue(const BlockFactors<R>& factors, std::vector<char> chosen, int rates)
      : factors_(factors),
        chosen_(std::move(chosen)),
        lanczos_(static_cast<int>(chosen_.size())),
        x_(Vector::Zero(rates)) {
    const auto m = static_cast<Eigen::Index>(chosen_.size());
    for (int i = 0; i < m; ++i)
      if (chosen_[static_cast<std::size_t>(i)] == 0) aside_.push_back(i);
    const auto d = static_cast<Eigen::Index>(aside_.size());
    lambda_ = z_ = length_ = Vector::Zero(m);
    y_ = Matrix::Zero(m, d);
    gram_ = Matrix::Zero(d, d);
    small_ = Vector::Zero(d);
    gram_factor_.emplace(d);
  }

  /// `shares`: of G, or none. 0 where rows that are kept depend on each other. No allocation.
  double find(const Rows& rows, const Vector& shares) {
    factors_.set(rows, shares);
    factors_.template eliminate<false>(0.0, chosen_.data());
    if (factors_.dropped() > std::ssize(aside_)) return 0.0;
    for (Eigen::Index i = 0; i < length_.size(); ++i)
      length_[i] = std::sqrt(factors_.own(static_cast<int>(i)));
    set_relations(rows);
    const double largest = lanczos_.find_largest([&](const Vector& in, Vector& out) {
      z_ = in;
      for (std::size_t k = 0; k < aside_.size(); ++k) {  // Bᵀ
        z_.noalias() += in[aside_[k]] * y_.col(static_cast<Eigen::Index>(k));
        z_[aside_[k]] = 0.0;
      }
      solve_gram(z_);
      for (Eigen::Index i = 0; i < z_.size(); ++i) factors_.right()[i] = z_[i] * length_[i];
      factors_.substitute(lambda_.data());
      z_ = lambda_.cwiseProduct(length_);
      solve_gram(z_);
      out = z_;
      if (aside_.empty()) return;
      small_.noalias() = y_.transpose() * z_;
      for (std::size_t k = 0; k < aside_.size(); ++k)
        out[aside_[k]] = small_[static_cast<Eigen::Index>(k)];
    });
    return 1.0 / std::sqrt(largest);
  }

 private:
  /// Y and 1 + YᵀY.
  void set_relations(const Rows& rows) {
    for (std::size_t k = 0; k < aside_.size(); ++k) {
      const int row = aside_[k];
      auto y = y_.col(static_cast<Eigen::Index>(k));
      y.setZero();
      if (!(length_[row] > 0.0)) continue;
      lambda_.setZero();
      lambda_[row] = -1.0;
      x_.setZero();
      rows.subtract_scaled(lambda_.data(), x_.data());
      std::fill_n(factors_.right(), length_.size(), 0.0);
      rows.add_rows(x_.data(), factors_.right());
      factors_.substitute(lambda_.data());
      y = lambda_.cwiseProduct(length_) / length_[row];
    }
    if (aside_.empty()) return;
    gram_.setIdentity();
    gram_.template selfadjointView<Eigen::Lower>().rankUpdate(y_.transpose());
    gram_factor_->compute(gram_);
  }

  /// w := (BᵀB)⁻¹ w
  void solve_gram(Vector& w) {
    if (aside_.empty()) return;
    small_.noalias() = y_.transpose() * w;
    gram_factor_->solveInPlace(small_);
    w.noalias() -= y_ * small_;
  }

  BlockFactors<R> factors_;
  std::vector<char> chosen_;
  std::vector<int> aside_;
  Lanczos lanczos_;
  Vector x_, lambda_, z_, length_, small_;
  Matrix y_, gram_;
  std::optional<Eigen::LLT<Matrix>> gram_factor_;
};

}  // namespace driftless
