#pragma once
// What a model of equations is made of, once its texts or functions have become nodes of one graph.
// Two makers fill it, compile.hpp (text) and functions.hpp (C++ functions); equation_system.hpp
// turns it into a System.

#include <optional>
#include <string>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/expressions/graph.hpp"

namespace driftless {

/// How the graph's variables are numbered: t, coordinates, rates, a direction for the rate of the Jacobian (in records:
/// the accelerations), first-order states, and multipliers.
struct EquationVariables {
  int n = 0;   ///< number of coordinates
  int nc = 0;  ///< number of states

  int t() const { return 0; }
  int q(int i) const { return 1 + i; }
  int v(int i) const { return 1 + n + i; }
  int w(int i) const { return 1 + 2 * n + i; }
  int c(int i) const { return 1 + 3 * n + i; }

  int configuration_count() const { return 1 + n; }                  ///< t, q
  int motion_count() const { return nc > 0 ? count() : 1 + 2 * n; }  ///< t, q, v, and c
  int count() const { return 1 + 3 * n + nc; }                       ///< t, q, v, w, c
  int lambda(int row) const { return count() + row; }
  /// Known only where the motion is solved for: accelerations and multipliers.
  bool is_solved(int variable) const {
    return (variable >= w(0) && variable < w(n)) || variable >= lambda(0);
  }

  bool is_coordinate(int variable) const { return variable >= q(0) && variable < v(0); }
  bool is_rate(int variable) const { return variable >= v(0) && variable < w(0); }
  bool is_state(int variable) const { return variable >= c(0) && variable < count(); }
};

/// An expression and where the user wrote it.
struct PlacedNode {
  NodeId node = -1;
  Source where;
};

struct NamedNode {
  std::string name;
  NodeId node = -1;
  Source where;
};

/// A first-order state: c' = rate(t, q, v, c).
struct StatePart {
  std::string name;
  std::string unit;  ///< SI, as far as the start value tells; else ""
  double start = 0.0;
  PlacedNode rate;
};

struct ConservedPart {
  std::string name;
  PlacedNode value;
  std::optional<PlacedNode> power;
};

struct EquationParts {
  std::string name;
  Graph graph;
  std::vector<std::string> coordinates;
  std::vector<std::string> coordinate_units = {};  ///< SI, as far as start values tell; else ""
  std::optional<PlacedNode> kinetic;               ///< T(t, q, v), or ...
  std::vector<PlacedNode> mass;  ///< ... M(t, q) by rows (n*n): then nothing is derived from it
  std::vector<StatePart> states = {};
  std::optional<PlacedNode> potential;   ///< U(t, q, c)
  std::vector<PlacedNode> forces;        ///< F(t, q, v, c) (n), or empty
  std::vector<NamedNode> position_rows;  ///< Φ(t, q)
  std::vector<NamedNode> velocity_rows;  ///< Ψ(t, q, v)
  std::vector<ConservedPart> conserved;  ///< the entry "energy" replaces the default one, T + U
  std::vector<NamedNode> records;
  std::vector<std::string> record_units;  ///< as many as records, or none; "": not known

  int size() const { return static_cast<int>(coordinates.size()); }
  EquationVariables variables() const { return {size(), static_cast<int>(states.size())}; }
};

/// T as given, or vᵀ M v / 2.
NodeId find_kinetic_energy(EquationParts& parts);
/// U as given, or 0.
NodeId find_potential_energy(EquationParts& parts);

}  // namespace driftless
