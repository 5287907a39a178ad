#pragma once
// Newton's matrix of the generalised-α method, generalized_alpha.cpp [GA.6]: dense for few unknowns, sparse for many. With
// e = Δ + G0ᵀμ as a further unknown where there are μ, no product fills the sparse one:                           [GA.14]
//
//   (σM + h γ/β C) e + h² K T Δ + Gᵀ hλ,    G T Δ,    γ/β G e + h ρ_q T Δ,    e - Δ - G0ᵀμ = 0
//
// Without μ, e is Δ.

#include <optional>

#include "driftless/math/lu.hpp"
#include "driftless/math/sparse_lu.hpp"
#include "driftless/problem/mech_problem.hpp"

namespace driftless {

class AlphaMatrix {
 public:
  /// What a matrix is made of.
  struct Blocks {
    const BlockMatrix& mass;
    const BlockMatrix& jacobian;        ///< G
    const BlockMatrix& start_jacobian;  ///< G0
    const BlockMatrix& stiffness;
    const BlockMatrix& damping;
    const BlockMatrix& rho_q;
    const BlockMatrix& tangent;  ///< T
    double h, sigma, ratio;      ///< ratio: γ/β
  };

  /// For n rates, m rows and p multipliers μ.
  void resize(Eigen::Index n, Eigen::Index m, Eigen::Index p);
  /// False: singular.
  bool factorize(const MechProblem& mech, const Blocks& blocks);
  /// (n + m + p) in place.
  void solve(Vector& right);

 private:
  void fill_products(const Blocks& blocks);
  void write_row(Eigen::Index row, Eigen::Index column, const BlockMatrix& A, int index,
                 double factor);
  void fill_dense(const MechProblem& mech, const Blocks& blocks);
  void fill_sparse(const MechProblem& mech, const Blocks& blocks);
  bool find_sparse(const Blocks& blocks) const;

  Eigen::Index n_ = 0, m_ = 0, p_ = 0;
  std::optional<bool> is_sparse_;  // none: not decided yet
  BlockMatrix turned_stiffness_;   // h² K T
  BlockMatrix turned_rows_;        // G T
  BlockMatrix turned_rho_;         // h ρ_q T
  Matrix motion_;                  // σM + h γ/β C, if it is dense
  Matrix matrix_;
  DenseLu dense_;
  SparseLu<double> sparse_;
  Vector all_;  // unknowns of [GA.14]
};

}  // namespace driftless
