#pragma once
// For the tests of this folder: models in a few lines, everything evaluated at once, a dense solve.

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "driftless/equations/compile.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless::testing {

using Names = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// The parts of a model as plain strings; empty ones are left out. Line numbers: one per entry, in
/// this order.
struct ModelText {
  Pairs parameters{};
  Pairs coordinates{};  ///< name, start value (or empty)
  std::string kinetic{};
  std::string potential{};
  Pairs forces{};
  Pairs constraints{};
  Pairs velocity_constraints{};
  Pairs conserved{};
  Pairs records{};
};

inline EquationModel make_model(const ModelText& text) {
  int line = 0;
  const auto place = [&](const std::string& value) {
    return Text{value, Source{"model.toml", ++line, 1}};
  };
  const auto list = [&](const Pairs& pairs) {
    std::vector<NamedText> named;
    for (const auto& [name, value] : pairs) named.push_back({name, place(value)});
    return named;
  };
  EquationModel model;
  model.name = "test";
  model.parameters = list(text.parameters);
  for (const auto& [name, start] : text.coordinates) {
    CoordinateSpec spec;
    spec.name = name;
    const Text value = place(start);
    spec.where = value.where;
    if (!start.empty()) spec.start = value;
    model.coordinates.push_back(spec);
  }
  if (!text.kinetic.empty()) model.kinetic = place(text.kinetic);
  if (!text.potential.empty()) model.potential = place(text.potential);
  model.forces = list(text.forces);
  model.constraints = list(text.constraints);
  model.velocity_constraints = list(text.velocity_constraints);
  for (const auto& [name, value] : text.conserved)
    model.conserved.push_back({name, place(value), {}});
  model.records = list(text.records);
  return model;
}

inline std::unique_ptr<System> make_test_system(const ModelText& text) {
  return compile(make_model(text)).system;
}

inline MatrixText make_matrix(const std::vector<std::vector<std::string>>& rows) {
  MatrixText matrix;
  for (const auto& row : rows) {
    matrix.emplace_back();
    for (const std::string& entry : row) matrix.back().push_back(Text{entry, Source{}});
  }
  return matrix;
}

/// Numbers in [-1, 1), the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435761U + 88172645463325252U) {}
  double number() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return std::ldexp(static_cast<double>(state_ >> 11U), -52) - 1.0;
  }
  Vector vector(Eigen::Index n) {
    Vector values(n);
    for (double& value : values) value = number();
    return values;
  }
  /// Anywhere: hardly ever on the manifold.
  State state(Eigen::Index n) {
    const double t = 1.0 + number();
    Vector q = 1.5 * vector(n);
    Vector v = 2.0 * vector(n);
    return {t, std::move(q), std::move(v)};
  }

 private:
  std::uint64_t state_;
};

inline std::unique_ptr<Workspace> eval_all(const System& system, const State& s) {
  auto ws = system.make_workspace();
  system.eval_configuration(s.t, s.q, *ws);
  system.eval_motion(s.t, s.q, s.v, *ws);
  system.eval_invariants(s.t, s.q, s.v, *ws);
  system.eval_invariant_gradients(s.t, s.q, s.v, *ws);
  system.eval_power(s.t, s.q, s.v, *ws);
  return ws;
}

struct Acceleration {
  Vector a;
  Vector lambda;
};

/// M a + Gᵀ λ = Q, G a = γ.
inline Acceleration solve_motion(const Workspace& ws) {
  const Eigen::Index n = ws.mass.dense().rows();
  const Eigen::Index m = ws.jacobian.dense().rows();
  Matrix kkt = Matrix::Zero(n + m, n + m);
  kkt.topLeftCorner(n, n) = ws.mass.dense();
  kkt.topRightCorner(n, m) = ws.jacobian.dense().transpose();
  kkt.bottomLeftCorner(m, n) = ws.jacobian.dense();
  Vector right(n + m);
  right << ws.force, ws.gamma;
  const Vector x = solve_least_norm(kkt, right);
  return {x.head(n), x.tail(m)};
}

/// dE/dt by the chain rule, minus what feeds it: zero at any state, on the manifold or off it.
inline double calc_energy_defect(const Workspace& ws, const State& s) {
  const Acceleration x = solve_motion(ws);
  const double stored =
      ws.invariant_v.row(0).dot(x.a) + ws.invariant_q.row(0).dot(s.v) + ws.invariant_t[0];
  const double fed =
      ws.power[0] + ws.power_acceleration.row(0).dot(x.a) - x.lambda.dot(ws.jacobian.dense() * s.v);
  return stored - fed;
}

}  // namespace driftless::testing
