#pragma once
// The matrix of RATTLE's two systems, rattle.cpp [RTL.2] and [RTL.3]:
//
//   [ A  Bᵀ ]
//   [ D  0  ]      rows that are set aside: λ_i = relation·λ
//
// dense for few unknowns, sparse for many.

#include "driftless/math/lu.hpp"
#include "driftless/math/sparse_lu.hpp"
#include "driftless/problem/mech_problem.hpp"

namespace driftless {

class RattleMatrix {
 public:
  /// False: singular.
  bool factorize(const MechProblem& mech, const BlockMatrix& A, const BlockMatrix& B,
                 const BlockMatrix& D);
  /// In place.
  void solve(Vector& right);

 private:
  void resize(const BlockMatrix& A, const BlockMatrix& D);
  void fill_dense(const MechProblem& mech, const BlockMatrix& A, const BlockMatrix& B,
                  const BlockMatrix& D);
  void fill_sparse(const MechProblem& mech, const BlockMatrix& A, const BlockMatrix& B,
                   const BlockMatrix& D);

  Eigen::Index n_ = 0, m_ = 0;
  bool is_sparse_ = false;
  Matrix matrix_;
  DenseLu dense_;
  SparseLu<double> sparse_;
};

}  // namespace driftless
