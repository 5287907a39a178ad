#pragma once
// The few dense decompositions that are used outside of the step loop (start values, gain checks, modal damping). The
// step loop's own live in saddle/.

#include <complex>
#include <vector>

#include "driftless/math/linear.hpp"

namespace driftless {

/// The least-norm solution of the least-squares problem A x = b, directions below `tolerance` times the largest
/// singular value left out.
Vector solve_least_norm(ConstMatrixRef A, ConstVectorRef b, double tolerance = 1e-12);

/// A = Σ σ_k u_k v_kᵀ, in no order; where σ_k is 0, one of the vectors may be 0 as well.
struct SingularDirections {
  Vector values;
  Matrix left, right;  ///< u_k and v_k, one column each
};
SingularDirections find_singular_directions(ConstMatrixRef A);

/// The least-squares solutions of A X = B for independent columns of A, by one factorisation for all.
Matrix solve_independent(ConstMatrixRef A, ConstMatrixRef B);

/// The damped solution Aᵀ (A Aᵀ + μ)⁻¹ b of A x = b, for μ > 0.
Vector solve_damped(ConstMatrixRef A, ConstVectorRef b, double damping);

/// All eigenvalues of a symmetric matrix exceed `least`.
bool is_definite(ConstMatrixRef A, double least);

/// U, upper triangular, with U Uᵀ = M⁻¹; false if M is not positive definite.
bool find_inverse_factor(ConstMatrixRef M, Matrix& factor);

/// An orthonormal basis of all y with yᵀ A = 0, given the rank of A, one column each.
Matrix find_left_null_space(ConstMatrixRef A, Eigen::Index rank);

/// The sign of det(A Bᵀ), with those rows left out that depend on others in A; 0 where it is not clear. For square matrices
/// that is whether both have determinants of the same sign.
int find_common_sense(ConstMatrixRef A, ConstMatrixRef B);

/// Singular values, largest first.
Vector find_singular_values(ConstMatrixRef A);

/// Eigenvalues of a general square matrix, largest real part first.
std::vector<std::complex<double>> find_eigenvalues(ConstMatrixRef A);

/// Modes of K u = ω² M u with Uᵀ M U = 1, ω² ascending. M must be positive definite; false if it is not.
bool find_modes(ConstMatrixRef M, ConstMatrixRef K, Vector& omega_squared, Matrix& modes);

}  // namespace driftless
