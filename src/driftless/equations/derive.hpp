#pragma once
// From energies, forces and constraints to the terms of the equations of motion, as nodes of the
// same graph.

#include <vector>

#include "driftless/equations/equation_parts.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// An entry of a matrix that is not structurally zero.
struct MatrixEntry {
  int row = 0;
  int col = 0;
  NodeId node = -1;
};

/// Nodes of all that a System evaluates. Lists of entries leave out what is structurally zero.
struct DerivedEquations {
  std::vector<MatrixEntry> mass;                ///< M, lower triangle
  std::vector<NodeId> force;                    ///< Q (n)
  std::vector<NodeId> state_rate;               ///< d (nc)
  std::vector<NodeId> phi;                      ///< Φ (position rows)
  std::vector<MatrixEntry> position_jacobian;   ///< G of the position rows
  std::vector<MatrixEntry> velocity_jacobian;   ///< G of the velocity rows; row counts all rows
  std::vector<MatrixEntry> velocity_rows_q;     ///< dΨ/dq (velocity rows x n)
  std::vector<NodeId> gamma;                    ///< γ (rows)
  std::vector<NodeId> velocity_residual;        ///< ρ (rows)
  std::vector<MatrixEntry> jacobian_rate;       ///< of the position rows, along w
  std::vector<NodeId> invariant;                ///< I (k)
  std::vector<MatrixEntry> invariant_v;         ///< dI/dv (k x n)
  std::vector<MatrixEntry> invariant_q;         ///< dI/dq (k x n)
  std::vector<NodeId> invariant_t;              ///< dI/dt explicit, with I_c d (k)
  std::vector<NodeId> power;                    ///< (k)
  std::vector<MatrixEntry> power_acceleration;  ///< (k x n)
  SystemInfo info;
};

/// Adds the derived nodes to parts.graph. Throws ModelError with all findings.
DerivedEquations derive_equations(EquationParts& parts);

}  // namespace driftless
