#pragma once
// A System from C++ functions templated on their scalar. They are traced once, with Symbol; the
// derivatives are exact.
//
//   struct Pendulum {
//     double m = 1.0, l = 1.0, g = 9.81;
//     template <class S>
//     S kinetic(const S& t, std::span<const S> q, std::span<const S> v) const;
//     // optional, as are all that follow:
//     template <class S>
//     S potential(const S& t, std::span<const S> q) const;
//     template <class S>
//     void forces(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> f) const;
//     template <class S>
//     void constraints(const S& t, std::span<const S> q, std::span<S> phi) const;
//     velocity_constraints, conserved, conserved_power (the rates at which these are fed), records:
//     like forces, with a span of results at the end
//     // first-order states c of force elements, c' = rates:
//     template <class S>
//     void states(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> c,
//                 std::span<S> rates) const;
//     // forces and potential may then take c before their results: forces(t, q, v, c, f), potential(t, q, c)
//   };
//   auto system = make_system(Pendulum{}, {.name = "pendulum",
//                                          .coordinates = {"x", "y"},
//                                          .constraints = {"rod"}});
//
// The layout's names give the sizes of the spans, which arrive filled with zeros.

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/equations/equation_system.hpp"
#include "driftless/expressions/symbol.hpp"

namespace driftless {

struct FunctionState {
  std::string name;
  double start = 0.0;
};

struct FunctionLayout {
  std::string name{};
  std::vector<std::string> coordinates{};
  std::vector<std::string> constraints{};
  std::vector<std::string> velocity_constraints{};
  std::vector<std::string> conserved{};
  std::vector<std::string> records{};
  std::vector<FunctionState> states{};
};

namespace functions {

using ConstSymbols = std::span<const Symbol>;
using Symbols = std::span<Symbol>;

// Is there a member template of that name, and can it be called as it must be?

template <class F>
concept HasKinetic = requires(const F& f, const Symbol& t, ConstSymbols x) {
  { f.kinetic(t, x, x) } -> std::convertible_to<Symbol>;
};
template <class F>
concept HasPotential = requires(const F& f, const Symbol& t, ConstSymbols x) {
  { f.potential(t, x) } -> std::convertible_to<Symbol>;
};
template <class F>
concept HasForces = requires(const F& f, const Symbol& t, ConstSymbols x, Symbols y) {
  f.forces(t, x, x, y);
};
template <class F>
concept HasConstraints = requires(const F& f, const Symbol& t, ConstSymbols x, Symbols y) {
  f.constraints(t, x, y);
};
template <class F>
concept HasVelocityConstraints = requires(const F& f, const Symbol& t, ConstSymbols x, Symbols y) {
  f.velocity_constraints(t, x, x, y);
};
template <class F>
concept HasConserved = requires(const F& f, const Symbol& t, ConstSymbols x, Symbols y) {
  f.conserved(t, x, x, y);
};
template <class F>
concept HasConservedPower = requires(const F& f, const Symbol& t, ConstSymbols x, Symbols y) {
  f.conserved_power(t, x, x, y);
};
template <class F>
concept HasRecords = requires(const F& f, const Symbol& t, ConstSymbols x, Symbols y) {
  f.records(t, x, x, y);
};

template <class F>
concept HasStates = requires(const F& f, const Symbol& t, ConstSymbols x, Symbols y) {
  f.states(t, x, x, x, y);
};
template <class F>
concept HasStatePotential = requires(const F& f, const Symbol& t, ConstSymbols x) {
  { f.potential(t, x, x) } -> std::convertible_to<Symbol>;
};
template <class F>
concept HasStateForces = requires(const F& f, const Symbol& t, ConstSymbols x, Symbols y) {
  f.forces(t, x, x, x, y);
};

template <class F>
concept NamesStates = requires {
  &F::template states<Symbol>;
};
template <class F>
concept NamesPotential = requires {
  &F::template potential<Symbol>;
};
template <class F>
concept NamesForces = requires {
  &F::template forces<Symbol>;
};
template <class F>
concept NamesConstraints = requires {
  &F::template constraints<Symbol>;
};
template <class F>
concept NamesVelocityConstraints = requires {
  &F::template velocity_constraints<Symbol>;
};
template <class F>
concept NamesConserved = requires {
  &F::template conserved<Symbol>;
};
template <class F>
concept NamesConservedPower = requires {
  &F::template conserved_power<Symbol>;
};
template <class F>
concept NamesRecords = requires {
  &F::template records<Symbol>;
};

/// What a model's functions are called with, and where their results go.
class Trace {
 public:
  /// Throws ModelError for a layout with empty, doubled or missing names.
  explicit Trace(const FunctionLayout& layout);
  Trace(const Trace&) = delete;  // the symbols point to the graph inside
  Trace& operator=(const Trace&) = delete;

  const Symbol& t() const { return t_; }
  ConstSymbols q() const { return q_; }
  ConstSymbols v() const { return v_; }
  ConstSymbols c() const { return c_; }

  /// A list of `names.size()` zeros to be filled by a function; `has_function` must agree with
  /// there being names.
  std::vector<Symbol> make_list(const std::vector<std::string>& names, const char* function,
                                bool has_function) const;

  void set_kinetic(const Symbol& value) { parts_.kinetic = place(value); }
  void set_potential(const Symbol& value) { parts_.potential = place(value); }
  void set_forces(const std::vector<Symbol>& values);
  void set_constraints(const std::vector<Symbol>& values);
  void set_velocity_constraints(const std::vector<Symbol>& values);
  void set_conserved(const std::vector<Symbol>& values);
  void set_conserved_power(const std::vector<Symbol>& values);
  void set_records(const std::vector<Symbol>& values);
  void set_states(const std::vector<Symbol>& values);

  /// Once, at the end.
  std::unique_ptr<System> make() { return make_equation_system(std::move(parts_)); }

 private:
  PlacedNode place(const Symbol& value) { return {value.node(parts_.graph), {}}; }

  const FunctionLayout& layout_;
  EquationParts parts_;
  Symbol t_;
  std::vector<Symbol> q_;
  std::vector<Symbol> v_;
  std::vector<Symbol> c_;
};

}  // namespace functions

/// Throws ModelError if the functions do not make equations of motion, or do not fit the layout.
template <class F>
std::unique_ptr<System> make_system(const F& f, const FunctionLayout& layout) {
  using namespace functions;
  static_assert(HasKinetic<F>,
                "a model needs: template <class S> S kinetic(const S& t, std::span<const S> q, "
                "std::span<const S> v) const");
  static_assert(
      HasPotential<F> || HasStatePotential<F> || !NamesPotential<F>,
      "potential must be: template <class S> S potential(const S& t, std::span<const S> q) const, "
      "or with the states: potential(t, q, c)");
  static_assert(HasForces<F> || HasStateForces<F> || !NamesForces<F>,
                "forces must be callable as forces(t, q, v, std::span<S> f) const, or with the "
                "states: forces(t, q, v, c, f)");
  static_assert(HasStates<F> || !NamesStates<F>,
                "states must be callable as states(t, q, v, c, std::span<S> rates) const");
  static_assert(HasConstraints<F> || !NamesConstraints<F>,
                "constraints must be callable as constraints(t, q, std::span<S> phi) const");
  static_assert(HasVelocityConstraints<F> || !NamesVelocityConstraints<F>,
                "velocity_constraints must be callable as velocity_constraints(t, q, v, "
                "std::span<S> psi) const");
  static_assert(HasConserved<F> || !NamesConserved<F>,
                "conserved must be callable as conserved(t, q, v, std::span<S> values) const");
  static_assert(
      HasConservedPower<F> || !NamesConservedPower<F>,
      "conserved_power must be callable as conserved_power(t, q, v, std::span<S> values) const");
  static_assert(HasRecords<F> || !NamesRecords<F>,
                "records must be callable as records(t, q, v, std::span<S> values) const");

  Trace trace(layout);
  const Symbol& t = trace.t();
  const ConstSymbols q = trace.q();
  const ConstSymbols v = trace.v();
  std::vector<std::string> state_names;
  for (const FunctionState& state : layout.states) state_names.push_back(state.name);
  auto rates = trace.make_list(state_names, "states", HasStates<F>);
  trace.set_kinetic(f.kinetic(t, q, v));
  if constexpr (HasStatePotential<F>) {
    trace.set_potential(f.potential(t, q, trace.c()));
  } else if constexpr (HasPotential<F>) {
    trace.set_potential(f.potential(t, q));
  }
  if constexpr (HasForces<F> || HasStateForces<F>) {
    auto values = trace.make_list(layout.coordinates, "forces", true);
    if constexpr (HasStateForces<F>) {
      f.forces(t, q, v, trace.c(), Symbols(values));
    } else {
      f.forces(t, q, v, Symbols(values));
    }
    trace.set_forces(values);
  }
  if constexpr (HasStates<F>) f.states(t, q, v, trace.c(), Symbols(rates));
  trace.set_states(rates);
  auto phi = trace.make_list(layout.constraints, "constraints", HasConstraints<F>);
  if constexpr (HasConstraints<F>) f.constraints(t, q, Symbols(phi));
  trace.set_constraints(phi);
  auto psi = trace.make_list(layout.velocity_constraints, "velocity_constraints",
                             HasVelocityConstraints<F>);
  if constexpr (HasVelocityConstraints<F>) f.velocity_constraints(t, q, v, Symbols(psi));
  trace.set_velocity_constraints(psi);
  auto conserved = trace.make_list(layout.conserved, "conserved", HasConserved<F>);
  if constexpr (HasConserved<F>) f.conserved(t, q, v, Symbols(conserved));
  trace.set_conserved(conserved);
  if constexpr (HasConservedPower<F>) {
    auto values = trace.make_list(layout.conserved, "conserved_power", true);
    f.conserved_power(t, q, v, Symbols(values));
    trace.set_conserved_power(values);
  }
  auto records = trace.make_list(layout.records, "records", HasRecords<F>);
  if constexpr (HasRecords<F>) f.records(t, q, v, Symbols(records));
  trace.set_records(records);
  return trace.make();
}

}  // namespace driftless
