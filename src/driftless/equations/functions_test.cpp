#include "driftless/equations/functions.hpp"

#include <gtest/gtest.h>

#include "driftless/equations/models_test.hpp"

namespace driftless {
namespace {

using namespace driftless::testing;

// A second-order dual number, a + b e1 + c e2 + d e1 e2: an independent way to derivatives.
struct Dual {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  Dual(double value = 0.0) : a(value) {}
  Dual(double a0, double b0, double c0, double d0) : a(a0), b(b0), c(c0), d(d0) {}
  friend Dual operator+(const Dual& x, const Dual& y) {
    return {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};
  }
  friend Dual operator-(const Dual& x, const Dual& y) {
    return {x.a - y.a, x.b - y.b, x.c - y.c, x.d - y.d};
  }
  friend Dual operator*(const Dual& x, const Dual& y) {
    return {x.a * y.a, x.a * y.b + x.b * y.a, x.a * y.c + x.c * y.a,
            x.a * y.d + x.b * y.c + x.c * y.b + x.d * y.a};
  }
  friend Dual apply(const Dual& x, double f, double f1, double f2) {
    return {f, f1 * x.b, f1 * x.c, f1 * x.d + f2 * x.b * x.c};
  }
  friend Dual sin(const Dual& x) { return apply(x, std::sin(x.a), std::cos(x.a), -std::sin(x.a)); }
  friend Dual cos(const Dual& x) { return apply(x, std::cos(x.a), -std::sin(x.a), -std::cos(x.a)); }
};

// A pendulum of two angles on a cart with a driven constraint, and everything else a model may
// have.
struct Machine {
  double m = 1.3, l = 0.8, g = 9.81;

  template <class S>
  S kinetic(const S& t, std::span<const S> q, std::span<const S> v) const {
    const S vx = v[0] + l * v[1] * cos(q[1]) + l * v[2] * cos(q[2]);
    const S vy = l * v[1] * sin(q[1]) + l * v[2] * sin(q[2]) + 0.2 * sin(t) * q[0];
    return 0.5 * m * (v[0] * v[0] + l * l * v[1] * v[1] + vx * vx + vy * vy);
  }
  template <class S>
  S potential(const S& t, std::span<const S> q) const {
    return -m * g * l * (2.0 * cos(q[1]) + cos(q[2])) + t * q[0] * q[0];
  }
  template <class S>
  void forces(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> f) const {
    f[0] = sin(3.0 * t) - 0.1 * v[0];
    f[2] = -0.2 * v[2] * q[0];
  }
  template <class S>
  void constraints(const S& t, std::span<const S> q, std::span<S> phi) const {
    phi[0] = q[0] + l * sin(q[1]) + l * sin(q[2]) - 0.1 * t * t * cos(q[0]);
  }
  template <class S>
  void velocity_constraints(const S& t, std::span<const S> q, std::span<const S> v,
                            std::span<S> psi) const {
    psi[0] = v[0] * v[1] - sin(q[2]) * v[2] + t;
  }
  template <class S>
  void records(const S&, std::span<const S> q, std::span<const S> v, std::span<S> values) const {
    values[0] = q[0] * v[0];
  }
  template <class S>
  void conserved(const S&, std::span<const S> q, std::span<const S> v, std::span<S> values) const {
    values[0] = q[1] + v[1];
  }
  template <class S>
  void conserved_power(const S&, std::span<const S> q, std::span<const S>,
                       std::span<S> values) const {
    values[0] = q[2];
  }
};

const FunctionLayout kLayout{.name = "machine",
                             .coordinates = {"x", "a", "b"},
                             .constraints = {"guide"},
                             .velocity_constraints = {"gear"},
                             .conserved = {"something"},
                             .records = {"product"}};

std::unique_ptr<System> make_text_machine() {
  EquationModel model = make_model({
      .parameters = {{"m", "1.3"}, {"l", "0.8"}, {"g", "9.81"}},
      .coordinates = {{"x", ""}, {"a", ""}, {"b", ""}},
      .kinetic = "m/2*(x'^2 + l^2*a'^2 + (x' + l*a'*cos(a) + l*b'*cos(b))^2"
                 " + (l*a'*sin(a) + l*b'*sin(b) + 0.2*sin(t)*x)^2)",
      .potential = "-m*g*l*(2*cos(a) + cos(b)) + t*x^2",
      .forces = {{"x", "sin(3*t) - 0.1*x'"}, {"b", "-0.2*b'*x"}},
      .constraints = {{"guide", "x + l*sin(a) + l*sin(b) - 0.1*t^2*cos(x)"}},
      .velocity_constraints = {{"gear", "x'*a' - sin(b)*b' + t"}},
      .conserved = {{"something", "a + a'"}},
      .records = {{"product", "x*x'"}},
  });
  model.conserved[0].power = Text{"b", {}};
  return compile(model).system;
}

TEST(Functions, SameSystemAsTheText) {
  const auto traced = make_system(Machine{}, kLayout);
  const auto text = make_text_machine();
  EXPECT_EQ(traced->info().rows, (Names{"guide", "gear"}));
  EXPECT_EQ(traced->info().name, "machine");
  Random random(1);
  for (int k = 0; k < 10; ++k) {
    const State s = random.state(3);
    const auto a = eval_all(*traced, s);
    const auto b = eval_all(*text, s);
    EXPECT_TRUE(a->mass.dense().isApprox(b->mass.dense(), 1e-12));
    EXPECT_TRUE(a->jacobian.dense().isApprox(b->jacobian.dense(), 1e-12));
    EXPECT_TRUE(a->phi.isApprox(b->phi, 1e-12));
    EXPECT_TRUE(a->force.isApprox(b->force, 1e-12));
    EXPECT_TRUE(a->gamma.isApprox(b->gamma, 1e-12));
    EXPECT_TRUE(a->velocity_residual.isApprox(b->velocity_residual, 1e-12));
    EXPECT_TRUE(a->invariant.isApprox(b->invariant, 1e-12));
    EXPECT_TRUE(a->invariant_v.isApprox(b->invariant_v, 1e-12));
    EXPECT_TRUE(a->invariant_q.isApprox(b->invariant_q, 1e-12));
    EXPECT_TRUE(a->power.isApprox(b->power, 1e-12));
    EXPECT_TRUE(a->power_acceleration.isApprox(b->power_acceleration, 1e-12));
    Vector record(1);
    traced->eval_records({s.t, s.q, s.v, s.v, s.v}, *a, record);
    EXPECT_NEAR(record[0], s.q[0] * s.v[0], 1e-12);
    EXPECT_NEAR(calc_energy_defect(*a, s), 0.0, 1e-9);
  }
}

// The state as dual numbers: e1 along (t, q, v) = d1, e2 along d2.
struct DualState {
  Dual t;
  std::vector<Dual> q, v;
  DualState(const State& s, const Vector& d1, const Vector& d2) : t(s.t, d1[0], d2[0], 0.0) {
    const Eigen::Index n = s.q.size();
    for (Eigen::Index i = 0; i < n; ++i) {
      q.emplace_back(s.q[i], d1[1 + i], d2[1 + i], 0.0);
      v.emplace_back(s.v[i], d1[1 + n + i], d2[1 + n + i], 0.0);
    }
  }
};

TEST(Functions, DerivativesMatchDualNumbers) {
  const Machine machine;
  const auto system = make_system(machine, kLayout);
  Random random(2);
  for (int k = 0; k < 5; ++k) {
    const State s = random.state(3);
    const auto ws = eval_all(*system, s);
    const auto unit = [](int i) { return Vector::Unit(7, i); };
    Vector motion(7);
    motion << 1.0, s.v, Vector::Zero(3);
    const auto kinetic = [&](const Vector& d1, const Vector& d2) {
      const DualState x(s, d1, d2);
      return machine.kinetic<Dual>(x.t, x.q, x.v);
    };
    std::vector<Dual> f(3), phi(1);
    const DualState plain(s, Vector::Zero(7), Vector::Zero(7));
    machine.forces<Dual>(plain.t, plain.q, plain.v, f);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(ws->mass.dense()(i, j), kinetic(unit(4 + i), unit(4 + j)).d, 1e-12);
      const DualState x(s, unit(1 + i), Vector::Zero(7));
      const double force = f[static_cast<std::size_t>(i)].a - machine.potential<Dual>(x.t, x.q).b +
                           kinetic(unit(1 + i), unit(0)).b - kinetic(unit(4 + i), motion).d;
      EXPECT_NEAR(ws->force[i], force, 1e-11);
      machine.constraints<Dual>(x.t, x.q, phi);
      EXPECT_NEAR(ws->jacobian.dense()(0, i), phi[0].b, 1e-12);
    }
    const DualState along(s, motion, motion);
    machine.constraints<Dual>(along.t, along.q, phi);
    EXPECT_NEAR(ws->velocity_residual[0], phi[0].b, 1e-12);
    EXPECT_NEAR(ws->gamma[0], -phi[0].d, 1e-11);
    machine.velocity_constraints<Dual>(along.t, along.q, along.v, phi);
    EXPECT_NEAR(ws->gamma[1], -phi[0].b, 1e-12);
  }
}

/// A mass on a Maxwell element: the spring's other end, c, follows by a damper.
struct Maxwell {
  template <class S>
  S kinetic(const S&, std::span<const S>, std::span<const S> v) const {
    return 0.5 * v[0] * v[0];
  }
  template <class S>
  S potential(const S&, std::span<const S> q, std::span<const S> c) const {
    return 20.0 * (q[0] - c[0]) * (q[0] - c[0]);
  }
  template <class S>
  void forces(const S& t, std::span<const S>, std::span<const S> v, std::span<const S> c,
              std::span<S> f) const {
    f[0] = sin(t) - 0.1 * v[0] * c[0];
  }
  template <class S>
  void states(const S&, std::span<const S> q, std::span<const S> v, std::span<const S> c,
              std::span<S> rates) const {
    rates[0] = 8.0 * (q[0] - c[0]) + 0.3 * v[0] * c[0];
  }
};

TEST(Functions, CarryStates) {
  const auto system = make_system(Maxwell{}, {.coordinates = {"x"}, .states = {{"c", 0.25}}});
  ASSERT_EQ(system->info().nc, 1);
  EXPECT_EQ(system->info().states, std::vector<std::string>{"c"});
  EXPECT_EQ(system->info().state_start[0], 0.25);
  const auto ws = system->make_workspace();
  EXPECT_EQ(ws->states[0], 0.25);
  ws->states[0] = 0.4;
  const Vector q = Vector::Constant(1, 1.1), v = Vector::Constant(1, -0.7);
  system->eval_configuration(0.5, q, *ws);
  system->eval_motion(0.5, q, v, *ws);
  EXPECT_NEAR(ws->force[0], std::sin(0.5) + 0.1 * 0.7 * 0.4 - 40.0 * (1.1 - 0.4), 1e-12);
  EXPECT_NEAR(ws->state_rate[0], 8.0 * (1.1 - 0.4) - 0.3 * 0.7 * 0.4, 1e-12);
  Linearization slopes = system->make_linearization();
  const Vector v_dot = Vector::Zero(1), lambda = Vector::Zero(0);
  system->eval_linearization({0.5, q, v, v_dot, lambda}, *ws, slopes);
  EXPECT_NEAR(slopes.states.residual_c(0, 0), 0.1 * -0.7 - 40.0, 1e-12);
  EXPECT_NEAR(slopes.states.rate_c(0, 0), -8.0 - 0.3 * 0.7, 1e-12);
}

struct Free {
  template <class S>
  S kinetic(const S&, std::span<const S>, std::span<const S> v) const {
    return v[0] * v[0] * v[0];
  }
};

struct FreeWithRows {
  template <class S>
  S kinetic(const S&, std::span<const S>, std::span<const S> v) const {
    return v[0] * v[0];
  }
  template <class S>
  void constraints(const S&, std::span<const S>, std::span<S>) const {}
};

template <class F>
std::string find_message(const F& f, const FunctionLayout& layout) {
  try {
    make_system(f, layout);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Functions, SaysWhatDoesNotFit) {
  const auto expect = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(find_message(Free{}, {.coordinates = {"x"}}), "not quadratic in the rates");
  expect(find_message(Free{}, {.coordinates = {}}), "the layout has no coordinates");
  expect(find_message(Free{}, {.coordinates = {"x", "x"}}),
         "the layout names a coordinate 'x' twice");
  expect(find_message(Free{}, {.coordinates = {"x"}, .constraints = {"c"}}),
         "1 names for the results of a function constraints, which the model lacks");
  expect(find_message(Free{}, {.coordinates = {"x"}, .states = {{"c"}}}),
         "1 names for the results of a function states, which the model lacks");
  expect(find_message(Maxwell{}, {.coordinates = {"x"}}),
         "the model has a function states, but the layout names none of its results");
  expect(find_message(Maxwell{}, {.coordinates = {"x"}, .states = {{"c"}, {"c"}}}),
         "the layout names a state 'c' twice");
  expect(find_message(FreeWithRows{}, {.coordinates = {"x"}}),
         "the model has a function constraints, but the layout names none of its results");
  expect(find_message(FreeWithRows{}, {.coordinates = {"x"}, .constraints = {"c"}}),
         "contains no coordinate");
}

}  // namespace
}  // namespace driftless
