#pragma once
// Small constrained mechanical systems in all their implicit forms, for the tests of implicit integrators.
//
//   q' = v [- G^T mu],   M(q) v' = f(t, q, v) - G^T lambda,   and of  g(t, q) = 0,  g' = 0,  g'' = 0  one or two.
//
// A system gives M, f and g as templates of their scalar; G, g', g'' and all derivatives of F follow by dual numbers,
// exact to rounding. y = (q, v, lambda [, mu]).

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "driftless/integrators/all.hpp"
#include "driftless/integrators/dense_dae_test.hpp"
#include "driftless/integrators/exam_problems_test.hpp"
#include "driftless/math/dual.hpp"

namespace driftless::exam {

enum class Form { index3, index2, ggl, index1 };
inline constexpr Form kForms[] = {Form::index3, Form::index2, Form::ggl, Form::index1};
inline constexpr const char* kFormNames[] = {"index3", "index2", "ggl", "index1"};

/// A point mass on a circle about the origin.
struct CirclePendulum {
  static constexpr int nq = 2, ng = 1;
  double mass = 1.0, length = 1.0, gravity = 9.81;

  template <class S>
  void eval_mass(const std::array<S, 2>&, std::array<S, 4>& m) const {
    m = {S(mass), S(0.0), S(0.0), S(mass)};
  }
  template <class S>
  void eval_force(const S&, const std::array<S, 2>&, const std::array<S, 2>&,
                  std::array<S, 2>& f) const {
    f = {S(0.0), S(-mass * gravity)};
  }
  template <class S>
  void eval_constraint(const S&, const std::array<S, 2>& q, std::array<S, 1>& g) const {
    g[0] = (q[0] * q[0] + q[1] * q[1] - S(length * length)) * S(0.5);
  }
  /// Angle from below, and its rate.
  Vector make_start(double angle, double rate) const {
    return {length * std::sin(angle), -length * std::cos(angle), length * rate * std::cos(angle),
            length * rate * std::sin(angle)};
  }
};

/// Three coordinates with a full mass matrix that depends on them, forces that depend on everything, and a curved
/// constraint that moves.
struct BentSystem {
  static constexpr int nq = 3, ng = 1;
  std::array<double, 3> c{1.3, 0.9, 1.7};
  double drive = 0.2;

  template <class S>
  void eval_mass(const std::array<S, 3>& q, std::array<S, 9>& m) const {
    using std::sin, std::cos;
    const std::array<S, 3> u{sin(q[0]), S(0.5) * cos(q[1]), S(0.3) * q[2]};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[3 * i + j] = u[i] * u[j] + S(i == j ? c[i] : 0.0);
  }
  template <class S>
  void eval_force(const S& t, const std::array<S, 3>& q, const std::array<S, 3>& v,
                  std::array<S, 3>& f) const {
    using std::sin;
    f[0] = S(-2.0) * sin(q[0]) - S(0.1) * v[1] + S(0.3) * sin(S(1.3) * t);
    f[1] = S(-1.5) * q[1] * q[2] + S(0.2) * v[0] * v[2];
    f[2] = S(1.0) - q[2] * q[2] * q[2] - S(0.3) * v[2];
  }
  template <class S>
  void eval_constraint(const S& t, const std::array<S, 3>& q, std::array<S, 1>& g) const {
    using std::sin;
    g[0] = q[0] * q[0] + S(0.7) * q[1] * q[1] + q[2] * (S(1.0) + S(0.2) * q[0]) - S(1.54) -
           S(drive) * sin(S(2.0) * t);
  }
  /// Fulfils the constraint and its derivative at t = 0.
  Vector make_start() const {
    const std::array<double, 3> q{1.0, 0.0, 0.45};
    const std::array<double, 2> v{0.3, 0.5};
    // g' = (2 q0 + 0.2 q2) v0 + 1.4 q1 v1 + (1 + 0.2 q0) v2 - 2 drive = 0
    const double v2 = (2.0 * drive - (2.0 * q[0] + 0.2 * q[2]) * v[0]) / (1.0 + 0.2 * q[0]);
    return {q[0], q[1], q[2], v[0], v[1], v2};
  }
};

template <class System>
class MechanicalDae : public OdeProblem, public DenseDae {
 public:
  static constexpr int nq = System::nq, ng = System::ng;

  MechanicalDae(System chosen, Form form) : system(chosen), form_(form) {
    resize(static_cast<std::size_t>(size()));
    kkt_.resize(nq + ng);
    kkt_rhs_.assign(nq + ng, 0.0);
  }

  System system;

  int size() const override { return 2 * nq + (form_ == Form::ggl ? 2 : 1) * ng; }
  int dae_size() const override { return size(); }
  DaeProblem* dae() override { return this; }
  /// The reduced equations, for explicit methods: q' and v' as they should be, multipliers at rest.
  bool eval(double t, std::span<const double> y, std::span<double> dydt) override {
    Vector copy(y.begin(), y.end());
    return find_slopes(t, copy, dydt);
  }
  double error_weight(int component) const override {
    return explicit_reference && component >= 2 * nq ? 0.0 : 1.0;
  }
  bool explicit_reference = false;

  int variable_index(int i) const override {
    const int kind = i < nq ? 0 : i < 2 * nq ? 1 : 2;
    switch (form_) {
      case Form::index3: return kind + 1;
      case Form::index2:
      case Form::ggl: return kind == 2 ? 2 : 1;
      case Form::index1: return 1;
    }
    return 1;
  }
  bool is_algebraic(int i) const override { return i >= 2 * nq; }

  bool eval_residual(double t, std::span<const double> y, std::span<const double> y_dot,
                     std::span<double> residual) override {
    if (t > undefined_after) return false;
    std::array<double, kMost> at{}, slope{}, r{};
    std::copy(y.begin(), y.end(), at.begin());
    std::copy(y_dot.begin(), y_dot.end(), slope.begin());
    eval_generic<double>(t, at, slope, r);
    std::copy_n(r.begin(), size(), residual.begin());
    return true;
  }
  double undefined_after = 1e30;

  bool eval_derivatives(double t, std::span<const double> y,
                        std::span<const double> y_dot) override {
    using S = Dual<double, 1>;
    const auto n = static_cast<std::size_t>(size());
    for (std::size_t j = 0; j < 2 * n; ++j) {
      std::array<S, kMost> at{}, slope{}, r{};
      for (std::size_t i = 0; i < n; ++i) {
        at[i] = S(y[i]);
        slope[i] = S(y_dot[i]);
      }
      (j < n ? at[j] : slope[j - n]).d[0] = 1.0;
      eval_generic<S>(S(t), at, slope, r);
      std::vector<double>& matrix = j < n ? f_y_ : f_y_dot_;
      for (std::size_t i = 0; i < n; ++i) matrix[i * n + j % n] = r[i].d[0];
    }
    return true;
  }

  /// M v' + G^T lambda = f,  G v' = -(second derivative along the motion).
  bool find_slopes(double t, std::span<double> y, std::span<double> y_dot) override {
    std::array<double, nq> q{}, v{}, f{};
    std::copy_n(y.begin(), nq, q.begin());
    std::copy_n(y.begin() + nq, nq, v.begin());
    system.template eval_force<double>(t, q, v, f);
    const auto gamma = eval_second<double>(t, q, v);
    std::copy_n(f.begin(), nq, kkt_rhs_.begin());
    for (std::size_t c = 0; c < ng; ++c) kkt_rhs_[nq + c] = -gamma[c];
    if (!solve_saddle(t, q)) return false;
    std::fill(y_dot.begin(), y_dot.end(), 0.0);
    for (std::size_t i = 0; i < nq; ++i) {
      y_dot[i] = v[i];
      y_dot[nq + i] = kkt_rhs_[i];
    }
    for (std::size_t i = 2 * nq; i < y.size(); ++i) y[i] = 0.0;
    for (std::size_t c = 0; c < ng; ++c) y[2 * nq + c] = kkt_rhs_[nq + c];
    return true;
  }

  /// v is moved by the least, in the mass metric, that makes the derivative of the constraints vanish.
  bool make_consistent(double t, std::span<double> y, std::span<double> y_dot) override {
    std::array<double, nq> q{}, v{};
    std::copy_n(y.begin(), nq, q.begin());
    std::copy_n(y.begin() + nq, nq, v.begin());
    const auto along = eval_along<double>(t, q, v);
    std::fill(kkt_rhs_.begin(), kkt_rhs_.end(), 0.0);
    for (std::size_t c = 0; c < ng; ++c) kkt_rhs_[nq + c] = along[c].d[0];
    if (!solve_saddle(t, q)) return false;
    for (std::size_t i = 0; i < nq; ++i) y[nq + i] -= kkt_rhs_[i];
    return find_slopes(t, y, y_dot);
  }

  /// (q, v, lambda [, mu]) from (q, v).
  Vector complete(double t, Vector y) {
    y.resize(static_cast<std::size_t>(size()), 0.0);
    Vector slope(y.size());
    find_slopes(t, y, slope);
    return y;
  }

 private:
  static constexpr int kMost = 2 * nq + 2 * ng;

  template <class S>
  using Q = std::array<S, nq>;

  /// (M, G^T; G, 0) x = kkt_rhs_, in place.
  bool solve_saddle(double t, const std::array<double, nq>& q) {
    std::array<double, std::size_t(nq) * nq> m{};
    system.template eval_mass<double>(q, m);
    const auto G = eval_jacobian<double>(t, q);
    constexpr std::size_t k = nq + ng;
    std::fill(kkt_.a.begin(), kkt_.a.end(), 0.0);
    for (std::size_t i = 0; i < nq; ++i) {
      for (std::size_t j = 0; j < nq; ++j) kkt_.a[i * k + j] = m[i * nq + j];
      for (std::size_t c = 0; c < ng; ++c)
        kkt_.a[i * k + nq + c] = kkt_.a[(nq + c) * k + i] = G[c * nq + i];
    }
    if (!kkt_.factorize()) return false;
    kkt_.solve(kkt_rhs_);
    return true;
  }

  /// G, row-major.
  template <class S>
  std::array<S, std::size_t(ng) * nq> eval_jacobian(const S& t, const Q<S>& q) const {
    using D = Dual<S, nq>;
    std::array<D, nq> at{};
    for (int i = 0; i < nq; ++i) {
      at[i].value = q[i];
      at[i].d[i] = S(1.0);
    }
    D time{};
    time.value = t;
    std::array<D, ng> g{};
    system.template eval_constraint<D>(time, at, g);
    std::array<S, std::size_t(ng) * nq> G{};
    for (int c = 0; c < ng; ++c)
      for (int i = 0; i < nq; ++i) G[c * nq + i] = g[c].d[i];
    return G;
  }

  /// g and its first derivative along (1, v).
  template <class S>
  std::array<Dual<S, 1>, ng> eval_along(const S& t, const Q<S>& q, const Q<S>& v) const {
    using D = Dual<S, 1>;
    std::array<D, nq> at{};
    for (int i = 0; i < nq; ++i) {
      at[i].value = q[i];
      at[i].d[0] = v[i];
    }
    D time{};
    time.value = t;
    time.d[0] = S(1.0);
    std::array<D, ng> g{};
    system.template eval_constraint<D>(time, at, g);
    return g;
  }

  template <class S>
  std::array<S, ng> eval_second(const S& t, const Q<S>& q, const Q<S>& v) const {
    using D = Dual<S, 1>;
    std::array<D, nq> at{}, along{};
    for (int i = 0; i < nq; ++i) {
      at[i].value = q[i];
      at[i].d[0] = along[i].value = v[i];
    }
    D time{};
    time.value = t;
    time.d[0] = S(1.0);
    const auto g = eval_along<D>(time, at, along);
    std::array<S, ng> second{};
    for (int c = 0; c < ng; ++c) second[c] = g[c].d[0].d[0];
    return second;
  }

  template <class S>
  void eval_generic(const S& t, const std::array<S, kMost>& y, const std::array<S, kMost>& y_dot,
                    std::array<S, kMost>& r) const {
    Q<S> q{}, v{}, f{};
    for (int i = 0; i < nq; ++i) {
      q[i] = y[i];
      v[i] = y[nq + i];
    }
    std::array<S, std::size_t(nq) * nq> m{};
    system.template eval_mass<S>(q, m);
    system.template eval_force<S>(t, q, v, f);
    const auto G = eval_jacobian<S>(t, q);
    const auto g = eval_along<S>(t, q, v);
    for (int i = 0; i < nq; ++i) {
      r[i] = y_dot[i] - v[i];
      r[nq + i] = -f[i];
      for (int j = 0; j < nq; ++j) r[nq + i] = r[nq + i] + m[i * nq + j] * y_dot[nq + j];
      for (int c = 0; c < ng; ++c) {
        r[nq + i] = r[nq + i] + G[c * nq + i] * y[2 * nq + c];
        if (form_ == Form::ggl) r[i] = r[i] + G[c * nq + i] * y[2 * nq + ng + c];
      }
    }
    const auto second = eval_second<S>(t, q, v);
    for (int c = 0; c < ng; ++c) {
      S& row = r[2 * nq + c];
      switch (form_) {
        case Form::index3: row = g[c].value; break;
        case Form::index2: row = g[c].d[0]; break;
        case Form::ggl:
          row = g[c].d[0];
          r[2 * nq + ng + c] = g[c].value;
          break;
        case Form::index1:
          row = second[c];
          for (int i = 0; i < nq; ++i) row = row + G[c * nq + i] * y_dot[nq + i];
          break;
      }
    }
  }

  Form form_;
  SmallLu<double> kkt_;
  Vector kkt_rhs_;
};

/// Errors of the three kinds of components.
struct MechanicalErrors {
  bool ok = true;
  double q = 0.0, v = 0.0, lambda = 0.0;
};

/// The solution at kCheckpoints equal parts of [0, t_end], by DOP853 on the reduced equations.
inline constexpr int kCheckpoints = 4;
template <class System>
std::vector<Vector> calc_reference(const System& system, const Vector& start, double t_end) {
  MechanicalDae<System> problem(system, Form::index1);
  problem.explicit_reference = true;
  const auto stepper = make_stepper("dop853", {.step = 0.0, .rtol = 1e-13, .atol = 1e-13}, true);
  double t = 0.0;
  Vector y = problem.complete(t, start);
  stepper->start(problem, t, y, t_end);
  std::vector<Vector> points;
  for (int k = 1; k <= kCheckpoints; ++k) {
    const double stop = t_end * k / kCheckpoints;
    while (t < stop) {
      if (stepper->step(problem, t, y, stop).status != StepStatus::ok) return {};
      stepper->accept(problem, t, y, Change::unchanged);
    }
    points.push_back(problem.complete(t, {y.begin(), y.begin() + 2 * System::nq}));
  }
  return points;
}

/// Errors at the checkpoints, where steps end.
template <class System>
MechanicalErrors measure_errors(MechanicalDae<System>& problem, Stepper& stepper,
                                const Vector& start, double t_end,
                                const std::vector<Vector>& reference) {
  MechanicalErrors errors;
  double t = 0.0;
  Vector y = problem.complete(t, start);
  errors.ok = stepper.start(problem, t, y, t_end) && reference.size() == kCheckpoints;
  for (int k = 1; k <= kCheckpoints && errors.ok; ++k) {
    const double stop = t_end * k / kCheckpoints;
    while (t < stop && errors.ok) {
      errors.ok = stepper.step(problem, t, y, stepper.is_adaptive() ? stop : t_end).status ==
                      StepStatus::ok &&
                  stepper.accept(problem, t, y, Change::unchanged);
      if (std::abs(t - stop) < 1e-9 * stop) break;
    }
    const Vector& exact = reference[static_cast<std::size_t>(k - 1)];
    for (int i = 0; i < 2 * System::nq + System::ng; ++i) {
      const double e =
          std::abs(y[static_cast<std::size_t>(i)] - exact[static_cast<std::size_t>(i)]);
      double& largest = i < System::nq ? errors.q : i < 2 * System::nq ? errors.v : errors.lambda;
      largest = std::max(largest, e);
    }
  }
  return errors;
}

}  // namespace driftless::exam
