#pragma once
// M x'' + C x' + K x = E f(t): reads and checks the matrices, and turns them into parts of an
// equation system.

#include "driftless/equations/equation_parts.hpp"
#include "driftless/math/linear.hpp"
#include "driftless/model/scopes.hpp"

namespace driftless {

struct LinearMatrices {
  Matrix mass;       ///< M (n x n), symmetric, positive definite
  Matrix damping;    ///< C (n x n)
  Matrix stiffness;  ///< K (n x n)
  Matrix input;      ///< E (n x r)
  bool symmetric_stiffness = true;
};

/// Adds findings to `errors`; the result is usable only if there are none.
LinearMatrices read_linear_matrices(const LinearSpec& spec, int n, const ParameterScope& parameters,
                                    DiagnosticList& errors);

/// C = M Ψ diag(2 ζ ω) Ψᵀ M with Ψᵀ M Ψ = 1: the damping matrix with these ratios of critical
/// damping per mode. One ratio serves all modes. False if M is not positive definite or a mode is
/// unstable (ω² < 0).
bool make_modal_damping(ConstMatrixRef mass, ConstMatrixRef stiffness, ConstVectorRef ratios,
                        Matrix& damping);

/// Mass matrix, U = xᵀ K x / 2 (symmetric K; otherwise -K x is a force) and F = -C x' + E f into
/// the parts. Potential and forces that are there already are added to.
void add_linear_parts(const LinearMatrices& matrices, const std::vector<NodeId>& load,
                      const Source& where, EquationParts& parts);

}  // namespace driftless
