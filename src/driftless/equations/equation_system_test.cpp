#include "driftless/equations/equation_system.hpp"

#include <gtest/gtest.h>

#include "driftless/equations/models_test.hpp"

namespace driftless {
namespace {

using namespace driftless::testing;

constexpr double kTight = 1e-12;

const Pairs kPendulumParameters{{"m", "1.3"}, {"l", "0.8"}, {"g", "9.81"}};

ModelText make_pendulum() {
  return {.parameters = kPendulumParameters,
          .coordinates = {{"x", "l"}, {"y", "0"}},
          .kinetic = "m/2*(x'^2 + y'^2)",
          .potential = "m*g*y",
          .constraints = {{"rod", "x^2 + y^2 - l^2"}},
          .records = {{"angle", "atan2(x, -y)"}, {"kinetic", "T"}}};
}

TEST(EquationSystem, PendulumByHand) {
  const auto system = make_test_system(make_pendulum());
  EXPECT_TRUE(system->info().constant_mass);
  EXPECT_EQ(system->info().rates, (Names{"x'", "y'"}));
  EXPECT_FALSE(system->info().invariants.at(0).has_power);
  EXPECT_TRUE(system->info().invariants.at(0).is_energy);
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    const State s = random.state(2);
    const auto ws = eval_all(*system, s);
    const double x = s.q[0], y = s.q[1], vx = s.v[0], vy = s.v[1];
    EXPECT_TRUE(ws->mass.dense().isApprox(1.3 * Matrix::Identity(2, 2), kTight));
    EXPECT_NEAR(ws->force[0], 0.0, kTight);
    EXPECT_NEAR(ws->force[1], -1.3 * 9.81, kTight);
    EXPECT_NEAR(ws->phi[0], x * x + y * y - 0.64, kTight);
    EXPECT_NEAR(ws->jacobian.dense()(0, 0), 2 * x, kTight);
    EXPECT_NEAR(ws->jacobian.dense()(0, 1), 2 * y, kTight);
    EXPECT_NEAR(ws->velocity_residual[0], 2 * (x * vx + y * vy), kTight);
    EXPECT_NEAR(ws->gamma[0], -2 * (vx * vx + vy * vy), kTight);
    EXPECT_NEAR(ws->invariant[0], 0.65 * (vx * vx + vy * vy) + 1.3 * 9.81 * y, kTight);
    Vector records(2);
    system->eval_records({s.t, s.q, s.v, s.v, s.v}, *ws, records);
    EXPECT_NEAR(records[0], std::atan2(x, -y), kTight);
    EXPECT_NEAR(records[1], 0.65 * (vx * vx + vy * vy), kTight);
  }
}

// Arnold, Example 3: M(q) and the forces as printed, T from the velocities of the two masses.
TEST(EquationSystem, DoublePendulumIsArnoldsExample3) {
  const auto system =
      make_test_system({.parameters = kPendulumParameters,
                        .coordinates = {{"a1", ""}, {"a2", ""}},
                        .kinetic = "m/2*l^2*a1'^2 + m/2*((l*a1'*cos(a1) + l*a2'*cos(a2))^2 + "
                                   "(l*a1'*sin(a1) + l*a2'*sin(a2))^2)",
                        .potential = "-m*g*l*(2*cos(a1) + cos(a2))"});
  EXPECT_FALSE(system->info().constant_mass);
  const double ml2 = 1.3 * 0.64;
  Random random(2);
  for (int k = 0; k < 20; ++k) {
    const State s = random.state(2);
    const auto ws = eval_all(*system, s);
    const double c = std::cos(s.q[1] - s.q[0]), d = std::sin(s.q[1] - s.q[0]);
    Matrix mass(2, 2);
    mass << 2, c, c, 1;
    EXPECT_TRUE(ws->mass.dense().isApprox(ml2 * mass, kTight));
    EXPECT_NEAR(ws->force[0], ml2 * (-2 * 9.81 / 0.8 * std::sin(s.q[0]) + d * s.v[1] * s.v[1]),
                10 * kTight);
    EXPECT_NEAR(ws->force[1], ml2 * (-9.81 / 0.8 * std::sin(s.q[1]) - d * s.v[0] * s.v[0]),
                10 * kTight);
  }
}

// T0: a bead on a rod that turns at w + e t. By hand: m r'' = m r (w + e t)^2, E = T.
TEST(EquationSystem, BeadOnRotatingRod) {
  const auto system = make_test_system({.parameters = {{"m", "2"}, {"w", "1.5"}, {"e", "0.3"}},
                                        .coordinates = {{"r", "1"}},
                                        .kinetic = "m/2*(r'^2 + r^2*(w + e*t)^2)"});
  EXPECT_TRUE(system->info().invariants.at(0).has_power);
  Random random(3);
  for (int k = 0; k < 10; ++k) {
    const State s = random.state(1);
    const auto ws = eval_all(*system, s);
    const double spin = 1.5 + 0.3 * s.t, r = s.q[0], v = s.v[0];
    EXPECT_NEAR(ws->force[0], 2 * r * spin * spin, kTight);
    // The rod's torque d(m r^2 w)/dt works at the rate w.
    const double torque = 2 * (2 * r * v * spin + r * r * 0.3);
    EXPECT_NEAR(ws->power[0], torque * spin, 10 * kTight);
    EXPECT_EQ(ws->power_acceleration(0, 0), 0.0);
    EXPECT_NEAR(calc_energy_defect(*ws, s), 0.0, 100 * kTight);
  }
}

// T1 and T0: motion seen from a frame that turns at W(t) = w + e t.
// By hand: m x'' = m (2 W y' + W^2 x + W' y), m y'' = m (-2 W x' + W^2 y - W' x).
TEST(EquationSystem, RotatingFrame) {
  const auto system =
      make_test_system({.parameters = {{"m", "2"}, {"w", "0.7"}, {"e", "0.2"}},
                        .coordinates = {{"x", ""}, {"y", ""}},
                        .kinetic = "m/2*((x' - (w + e*t)*y)^2 + (y' + (w + e*t)*x)^2)",
                        .potential = "2.5*(x^2 + y^2)"});
  Random random(4);
  for (int k = 0; k < 10; ++k) {
    const State s = random.state(2);
    const auto ws = eval_all(*system, s);
    const double W = 0.7 + 0.2 * s.t, x = s.q[0], y = s.q[1];
    EXPECT_NEAR(ws->force[0], 2 * (2 * W * s.v[1] + W * W * x + 0.2 * y) - 5 * x, 100 * kTight);
    EXPECT_NEAR(ws->force[1], 2 * (-2 * W * s.v[0] + W * W * y - 0.2 * x) - 5 * y, 100 * kTight);
    EXPECT_NEAR(ws->power_acceleration(0, 0), -2 * W * y, kTight);
    EXPECT_NEAR(ws->power_acceleration(0, 1), 2 * W * x, kTight);
    // The true energy, in the frame at rest: a central spring does not feed it.
    const Acceleration a = solve_motion(*ws);
    EXPECT_NEAR(ws->power[0] + ws->power_acceleration.row(0).dot(a.a), 0.0, 100 * kTight);
    EXPECT_NEAR(calc_energy_defect(*ws, s), 0.0, 100 * kTight);
  }
}

// f'' by five points.
double calc_second_difference(double h, const std::function<double(double)>& f) {
  return (-f(2 * h) + 16 * f(h) - 30 * f(0) + 16 * f(-h) - f(-2 * h)) / (12 * h * h);
}
double calc_difference(double h, const std::function<double(double)>& f) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

TEST(EquationSystem, MovingConstraintAlongATrajectory) {
  const auto system = make_test_system(
      {.coordinates = {{"x", ""}, {"y", ""}},
       .kinetic = "x'^2 + y'^2",
       .constraints = {{"rod", "(x - 0.3*sin(4*t))^2 + (y + t*x)^2 - 1"}, {"plain", "x*y^2"}}});
  EXPECT_TRUE(system->info().has_time_rows);
  EXPECT_TRUE(system->info().invariants.at(0).has_power);
  Random random(5);
  const auto moved = system->make_workspace();
  for (int k = 0; k < 10; ++k) {
    const State s = random.state(2);
    const Vector a = random.vector(2);
    const auto ws = eval_all(*system, s);
    for (int row = 0; row < 2; ++row) {
      const auto phi = [&](double h) {
        const Vector q = s.q + h * s.v + 0.5 * h * h * a;
        system->eval_configuration(s.t + h, q, *moved);
        return moved->phi[row];
      };
      EXPECT_NEAR(ws->velocity_residual[row], calc_difference(1e-3, phi), 1e-7);
      EXPECT_NEAR(ws->jacobian.dense().row(row).dot(a) - ws->gamma[row],
                  calc_second_difference(2e-3, phi), 1e-5);
    }
  }
}

TEST(EquationSystem, JacobianRateIsTheDerivativeOfTheJacobian) {
  const auto system = make_test_system(
      {.coordinates = {{"x", ""}, {"y", ""}, {"z", ""}},
       .kinetic = "x'^2 + y'^2 + z'^2",
       .constraints = {{"a", "x*y*z + sin(t)*x"}, {"b", "cos(x*y) + z"}, {"c", "x + y"}}});
  Random random(6);
  const auto ws = system->make_workspace();
  const State s = random.state(3);
  const Vector w = random.vector(3);
  // What was there before must not shine through.
  BlockMatrix blocks = Matrix(Matrix::Constant(3, 3, 7.0));
  system->eval_jacobian_rate(s.t, s.q, w, *ws, blocks);
  const Matrix rate = blocks.dense();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto entry = [&](double h) {
        system->eval_configuration(s.t, Vector(s.q + h * w), *ws);
        return ws->jacobian.dense()(i, j);
      };
      EXPECT_NEAR(rate(i, j), calc_difference(1e-3, entry), 1e-9);
    }
}

// |v| prescribed: nonlinear in the rates, depends on t and q.
TEST(EquationSystem, NonlinearVelocityConstraint) {
  const auto system =
      make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                        .kinetic = "x'^2/2 + y'^2/2",
                        .constraints = {{"track", "x*y - 1"}},
                        .velocity_constraints = {{"speed", "x'^2 + y'^2 - (2 + t*x)^2"}}});
  EXPECT_FALSE(system->info().velocity_rows_linear);
  EXPECT_EQ(system->info().rows, (Names{"track", "speed"}));
  EXPECT_TRUE(system->info().invariants.at(0).has_power);
  Random random(7);
  for (int k = 0; k < 10; ++k) {
    const State s = random.state(2);
    const auto ws = eval_all(*system, s);
    const double u = 2 + s.t * s.q[0];
    EXPECT_NEAR(ws->velocity_residual[1], s.v.squaredNorm() - u * u, kTight);
    EXPECT_NEAR(ws->jacobian.dense()(1, 0), 2 * s.v[0], kTight);
    EXPECT_NEAR(ws->jacobian.dense()(1, 1), 2 * s.v[1], kTight);
    EXPECT_NEAR(ws->gamma[1], 2 * u * (s.q[0] + s.t * s.v[0]), 10 * kTight);
    EXPECT_NEAR(ws->jacobian.dense()(0, 0), s.q[1], kTight);
    EXPECT_NEAR(ws->gamma[0], -2 * s.v[0] * s.v[1], kTight);
  }
}

TEST(EquationSystem, LinearHomogeneousVelocityRowsFeedNothing) {
  ModelText sleigh{.coordinates = {{"x", ""}, {"y", ""}, {"a", ""}},
                   .kinetic = "(x'^2 + y'^2 + a'^2)/2 + 0.3*a'*(y'*cos(a) - x'*sin(a))",
                   .velocity_constraints = {{"edge", "x'*sin(a) - y'*cos(a)"}}};
  const auto free = make_test_system(sleigh);
  EXPECT_TRUE(free->info().velocity_rows_linear);
  EXPECT_FALSE(free->info().invariants.at(0).has_power);
  sleigh.velocity_constraints = {{"edge", "x'*sin(a) - y'*cos(a) + 0.1"}};
  EXPECT_TRUE(make_test_system(sleigh)->info().invariants.at(0).has_power);
}

// dE/dt = power, with accelerations and reactions from a dense solve, at states off the manifold.
TEST(EquationSystem, EnergyBalance) {
  const std::vector<ModelText> models{
      make_pendulum(),
      {.coordinates = {{"x", ""}, {"y", ""}},
       .kinetic = "(2 + sin(t)*x)^2*x'^2/2 + x'*y'*cos(x*y)/2 + y'^2 + exp(t*x/4)*y' + x'*sin(y) + "
                  "x^2*y*t",
       .potential = "x^2*cos(t) + y^4",
       .forces = {{"x", "-0.3*x' + sin(t)"}, {"y", "x*y'"}},
       .constraints = {{"c", "x^2 + t*y - sin(x*y)"}}},
      {.coordinates = {{"x", ""}, {"y", ""}, {"a", ""}},
       .kinetic = "(x'^2 + y'^2 + a'^2)/2 + 0.3*a'*(y'*cos(a) - x'*sin(a))",
       .forces = {{"a", "1 - a'"}},
       .velocity_constraints = {{"edge", "x'*sin(a) - y'*cos(a) + 0.1*t"}}},
  };
  std::uint64_t seed = 10;
  for (const ModelText& model : models) {
    const auto system = make_test_system(model);
    Random random(seed++);
    for (int k = 0; k < 20; ++k) {
      const State s = random.state(system->info().nv);
      const auto ws = eval_all(*system, s);
      EXPECT_NEAR(calc_energy_defect(*ws, s), 0.0, 1e-9);
    }
  }
}

TEST(EquationSystem, EnergyBalanceOfAGivenMassMatrix) {
  EquationModel model = make_model({.coordinates = {{"x", ""}, {"y", ""}},
                                    .potential = "x^2*cos(t) + y^2",
                                    .forces = {{"x", "-y'"}},
                                    .constraints = {{"c", "x^2 + y - t"}}});
  model.mass = make_matrix({{"3 + sin(x)*t", "x*y/5"}, {"y*x/5", "2 + y^2"}});
  const auto system = compile(model).system;
  Random random(20);
  for (int k = 0; k < 20; ++k) {
    const State s = random.state(2);
    const auto ws = eval_all(*system, s);
    EXPECT_NEAR(ws->force[0], -s.v[1] - 2 * s.q[0] * std::cos(s.t),
                kTight);  // nothing derived from M
    EXPECT_NEAR(ws->mass.dense()(0, 1), s.q[0] * s.q[1] / 5, kTight);
    EXPECT_NEAR(ws->mass.dense()(1, 0), s.q[0] * s.q[1] / 5, kTight);
    EXPECT_NEAR(ws->invariant[0] - s.q[0] * s.q[0] * std::cos(s.t) - s.q[1] * s.q[1],
                0.5 * s.v.dot(ws->mass.dense() * s.v), 10 * kTight);
    EXPECT_NEAR(calc_energy_defect(*ws, s), 0.0, 1e-10);
  }
}

TEST(EquationSystem, ConservedEntries) {
  ModelText text = make_pendulum();
  text.conserved = {{"height", "y + 0*x'"}, {"energy", "U + T"}};
  auto invariants = make_test_system(text)->info().invariants;
  ASSERT_EQ(invariants.size(), 2U);
  EXPECT_EQ(invariants[0].name, "energy");
  EXPECT_TRUE(invariants[0].is_energy);
  EXPECT_EQ(invariants[1].name, "height");
  EXPECT_FALSE(invariants[1].is_energy);

  // The same energy in another form is recognised; another one is not.
  text.conserved = {{"energy", "m*(g*y + y'*y'/2) + x'^2*m/2"}};
  EXPECT_TRUE(make_test_system(text)->info().invariants.at(0).is_energy);
  text.conserved = {{"energy", "T + U + 1e-6*x*x'"}};
  EXPECT_FALSE(make_test_system(text)->info().invariants.at(0).is_energy);

  text.conserved = {{"momentum", "m*(x*y' - y*x')"}};
  EquationModel model = make_model(text);
  model.conserved[0].power = Text{"-m*g*x", {}};
  const auto system = compile(model).system;
  ASSERT_EQ(system->info().invariants.size(), 2U);
  EXPECT_TRUE(system->info().invariants[1].has_power);
  Random random(30);
  const State s = random.state(2);
  const auto ws = eval_all(*system, s);
  const Acceleration x = solve_motion(*ws);
  EXPECT_NEAR(ws->power[1], -1.3 * 9.81 * s.q[0], kTight);
  EXPECT_NEAR(
      ws->invariant_v.row(1).dot(x.a) + ws->invariant_q.row(1).dot(s.v) + ws->invariant_t[1],
      ws->power[1], 1e-10);
}

std::string find_message(const ModelText& text) {
  try {
    make_test_system(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(EquationSystem, RefusesWhatIsNotMechanics) {
  const Pairs xy{{"x", ""}, {"y", ""}};
  const auto expect = [](const ModelText& text, const char* part) {
    EXPECT_NE(find_message(text).find(part), std::string::npos) << find_message(text);
  };
  expect({.coordinates = xy, .kinetic = "x'^2 + x'*y'^3"},
         "model.toml:3:1: error: kinetic energy is not quadratic in the rates: its second "
         "derivatives still contain x', y'");
  expect({.coordinates = xy, .kinetic = "x'^2 + y'^2", .potential = "x*y'"},
         "the potential energy contains y'");
  expect({.coordinates = xy, .kinetic = "x'^2", .constraints = {{"c", "x + y'"}}},
         "move it to [velocity_constraint]");
  expect({.coordinates = xy, .kinetic = "x'^2", .constraints = {{"c", "t - 1"}}},
         "contains no coordinate");
  expect({.coordinates = xy, .kinetic = "x'^2", .velocity_constraints = {{"c", "x + y"}}},
         "move it to [constraint]");
  expect({.coordinates = xy, .kinetic = "x'^2", .conserved = {{"c", "t + 2"}}},
         "conserved quantity 'c' contains no coordinate and no rate");
}

TEST(EquationSystem, RefusesAnAsymmetricMassMatrix) {
  EquationModel model = make_model({.coordinates = {{"x", ""}, {"y", ""}}});
  model.mass = make_matrix({{"1", "x"}, {"x + 1e-6*y", "2"}});
  try {
    compile(model);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("entries (2, 1) and (1, 2) differ"), std::string::npos)
        << error.what();
  }
  model.mass = make_matrix({{"1", "(x + y)^2"}, {"x^2 + 2*x*y + y^2", "2"}});
  EXPECT_NO_THROW(compile(model));
}

TEST(EquationSystem, WorkspacesAreIndependent) {
  const auto system = make_test_system(make_pendulum());
  Random random(40);
  const State a = random.state(2);
  const State b = random.state(2);
  const auto first = eval_all(*system, a);
  const auto second = eval_all(*system, b);
  EXPECT_EQ(first->phi[0], eval_all(*system, a)->phi[0]);
  EXPECT_NE(first->phi[0], second->phi[0]);
}

// Levels share what depends on t and q alone: the order in which they are asked for, and what was asked for elsewhere in
// between, must not show.
TEST(EquationSystem, LevelsMayBeAskedForInAnyOrder) {
  const auto system =
      testing::make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                                 .kinetic = "(1 + sin(x)^2)*x'^2 + exp(y)*y'^2 + cos(x*y)*x'*y'",
                                 .potential = "sin(x*y) + exp(y)*t",
                                 .forces = {{"x", "-x'*sin(x)"}},
                                 .constraints = {{"c", "sin(x)*exp(y) - t"}},
                                 .velocity_constraints = {{"d", "x'*sin(x) - y'*exp(y)"}}});
  testing::Random random(7);
  const State here = random.state(2), there = random.state(2);
  const auto fresh = [&](const State& s) {
    auto ws = system->make_workspace();
    system->eval_configuration(s.t, s.q, *ws);
    system->eval_motion(s.t, s.q, s.v, *ws);
    system->eval_invariants(s.t, s.q, s.v, *ws);
    system->eval_invariant_gradients(s.t, s.q, s.v, *ws);
    system->eval_power(s.t, s.q, s.v, *ws);
    return ws;
  };
  const auto expected = fresh(here);
  const auto ws = fresh(there);
  BlockMatrix rate = ws->jacobian, expected_rate = ws->jacobian;
  system->eval_power(here.t, here.q, here.v, *ws);
  system->eval_jacobian_rate(there.t, there.q, there.v, *ws, rate);
  system->eval_configuration(here.t, here.q, *ws);
  system->eval_invariants(there.t, there.q, there.v, *ws);
  system->eval_motion(here.t, here.q, here.v, *ws);
  system->eval_jacobian_rate(here.t, here.q, here.v, *ws, rate);
  system->eval_jacobian_rate(here.t, here.q, here.v, *expected, expected_rate);
  system->eval_invariant_gradients(here.t, here.q, here.v, *ws);
  system->eval_invariants(here.t, here.q, here.v, *ws);
  EXPECT_EQ(ws->mass.dense(), expected->mass.dense());
  EXPECT_EQ(ws->phi, expected->phi);
  EXPECT_EQ(ws->jacobian.dense(), expected->jacobian.dense());
  EXPECT_EQ(ws->force, expected->force);
  EXPECT_EQ(ws->gamma, expected->gamma);
  EXPECT_EQ(ws->velocity_residual, expected->velocity_residual);
  EXPECT_EQ(ws->invariant, expected->invariant);
  EXPECT_EQ(ws->invariant_v, expected->invariant_v);
  EXPECT_EQ(ws->invariant_q, expected->invariant_q);
  EXPECT_EQ(ws->power, expected->power);
  EXPECT_EQ(rate.dense().row(0), expected_rate.dense().row(0));
}

}  // namespace
}  // namespace driftless
