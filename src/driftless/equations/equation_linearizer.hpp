#pragma once
// Derivatives of the residual r = M v' + Gᵀλ - Q and of ρ for Newton's method, by the graph: with v' and λ as variables,
// r is a list of nodes, and one backward sweep per node gives its row of dr/dq, dr/dv and dr/dc; d likewise.       [EQ.10]
//
// The rate of momentum that Q leaves out is D(M) v, D the derivative along the motion.                             [EQ.11]
//
// Compiled at the first use: explicit methods do without.

#include <mutex>
#include <vector>

#include "driftless/equations/derive.hpp"
#include "driftless/expressions/tape.hpp"

namespace driftless {

class EquationLinearizer {
 public:
  struct Scratch {
    std::vector<double> variables;  // t, q, v, v', c, λ
    std::vector<double> tape, out;
    std::vector<double> momentum_tape, momentum_out;
  };

  EquationLinearizer(Graph graph, DerivedEquations derived)
      : graph_(std::move(graph)), derived_(std::move(derived)) {}

  void eval(const Moment& moment, const Vector& states, Scratch& scratch, Linearization& out) const;
  /// [EQ.11]; `variables` begin with t, q, v.
  void add_momentum_rate(std::span<const double> variables, Scratch& scratch,
                         VectorRef force) const;

 private:
  enum class Target { stiffness, damping, residual_q, residual_c, rate_q, rate_v, rate_c };
  struct Place {
    Target target;
    int row, col;
  };

  void compile() const;
  void compile_momentum_rate() const;

  mutable std::once_flag once_;  // for both tapes: they grow one graph
  mutable Graph graph_;
  DerivedEquations derived_;
  mutable std::vector<Place> places_;
  mutable Tape tape_, momentum_tape_;
};

}  // namespace driftless
