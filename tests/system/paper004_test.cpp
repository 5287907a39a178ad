// Arnold, "DAE aspects of multibody system dynamics": examples 4 and 5 and theorem 2.

#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

PreparedModel prepare(const std::string& text) {
  PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
  EXPECT_TRUE(model.start_report.success) << model.start_report.message;
  return model;
}

struct Solved {
  Vector v_dot;
  Vector lambda;
  Vector constraint_force;  // Gᵀλ
  Matrix jacobian;
  Matrix mass;
  Vector force;
};

/// Accelerations and multipliers at a state, eq. (17).
Solved solve(const PreparedModel& model, const State& state) {
  const SystemInfo& info = model.system().info();
  Evaluator evaluator(model.system());
  evaluator.set_configuration(state.t, state.q);
  evaluator.set_velocity(state.v);
  EXPECT_TRUE(evaluator.factorize(1e-10));
  evaluator.eval_motion(state.v);
  const Workspace& ws = evaluator.ws();
  Solved solved{Vector(info.nv),     Vector(info.row_count()), {},
                ws.jacobian.dense(), ws.mass.dense(),          ws.force};
  evaluator.solve(ws.force, ws.gamma, solved.v_dot, solved.lambda);
  solved.constraint_force = solved.jacobian.transpose() * solved.lambda;
  return solved;
}

/// A point mass on a rod. `constraints`: lines of [constraint].
std::string make_pendulum(double mass, double length, const std::string& start,
                          const std::string& constraints) {
  return fmt::format(R"toml(format = "driftless/1"
[parameters]
m = {:.17g}
l = {:.17g}
g = 9.81
[coordinates]
{}
[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"
[constraint]
{}
)toml",
                     mass, length, start, constraints);
}

const std::string kRod = "rod = \"(x^2 + y^2 - l^2)/2\"\n";

// Example 4: x² + y² = l², x x' + y y' = 0 and λ = m (-g y + x'² + y'²)/l² are the conditions on consistent values, eq. (15).
TEST(Paper004, Example4ConsistentValuesOfThePendulum) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> draw(0.4, 2.0);
  for (int k = 0; k < 20; ++k) {
    const double m = draw(random), l = draw(random);
    const double x = (k % 2 == 0 ? 1 : -1) * draw(random), y = draw(random) - 1.2;
    const PreparedModel model = prepare(
        make_pendulum(m, l,
                      fmt::format("x = {{ start = {}, rate = {} }}\ny = {{ start = {}, rate = {} "
                                  "}}",
                                  x, draw(random), y, -draw(random)),
                      kRod));
    const Vector& q = model.start.q;
    const Vector& v = model.start.v;
    EXPECT_NEAR(q.squaredNorm(), l * l, 1e-12);
    EXPECT_NEAR(q.dot(v), 0.0, 1e-12);
    const Solved solved = solve(model, model.start);
    const double lambda = m * (-9.81 * q[1] + v.squaredNorm()) / (l * l);
    EXPECT_NEAR(solved.lambda[0], lambda, 1e-11 * (1.0 + std::abs(lambda)));
    EXPECT_NEAR(solved.v_dot[0], -q[0] * lambda / m, 1e-10 * (1.0 + std::abs(lambda)));
    EXPECT_NEAR(solved.v_dot[1], -9.81 - q[1] * lambda / m, 1e-10 * (1.0 + std::abs(lambda)));
  }
}

// Example 5: without any mass, but as many independent constraints as coordinates, λ = G⁻ᵀ f, and the constraints alone
// prescribe the motion.
TEST(Paper004, Example5NoMassAtAll) {
  const std::string text = R"toml(format = "driftless/1"
[coordinates]
x = { start = 0.3 }
y = { start = -0.4 }
[energy]
mass = [[0, 0], [0, 0]]
[force]
x = "3 - 0.7*x*y + 0.2*x'"
y = "sin(t) + 1.3*y - 0.4*y'"
[constraint]
first = "x + 0.2*sin(y) - 0.5*sin(t)"
second = "y - 0.3*x^2 + 0.1*t"
)toml";
  const PreparedModel model = prepare(text);
  const Solved solved = solve(model, model.start);
  const Vector lambda = solved.jacobian.transpose().fullPivLu().solve(solved.force);
  EXPECT_LE((solved.lambda - lambda).norm(), 1e-11 * (1.0 + lambda.norm()));
  EXPECT_EQ(solved.mass.norm(), 0.0);
  Trial trial;
  trial.until = 2.0;
  trial.method = "braun_goldfarb/rk4";
  trial.step = 0.01;
  const Result result = run_text(text, trial);
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  const double x = last(result, "x"), y = last(result, "y");
  EXPECT_NEAR(x + 0.2 * std::sin(y) - 0.5 * std::sin(2.0), 0.0, 1e-10);
  EXPECT_NEAR(y - 0.3 * x * x + 0.2, 0.0, 1e-10);
}

// Theorem 2: with constraints that are consistent but redundant, q and Gᵀλ are unique, λ is not.
TEST(LongPaper004, Theorem2RedundantConstraints) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  const std::vector<std::string> redundant{
      kRod + "again = \"x^2 + y^2 - l^2\"\n",
      kRod + "product = \"(x^2 + y^2 - l^2)*(5 + x*y)\"\n",
      "first = \"x - l*cos(a)\"\nsecond = \"y - l*sin(a)\"\n" + kRod,
  };
  for (int k = 0; k < 12; ++k) {
    const std::string& rows = redundant[static_cast<std::size_t>(k % 3)];
    const bool has_angle = rows.find("cos(a)") != std::string::npos;
    const double angle = 3.0 * draw(random), rate = 2.0 * draw(random), m = 1.5 + draw(random),
                 l = 1.6 + draw(random);
    std::string start = fmt::format(
        "x = {{ start = {:.17g}, rate = {:.17g} }}\ny = {{ start = {:.17g}, rate = {:.17g} }}",
        l * std::cos(angle), -l * rate * std::sin(angle), l * std::sin(angle),
        l * rate * std::cos(angle));
    const PreparedModel plain = prepare(make_pendulum(m, l, start, kRod));
    if (has_angle) start += fmt::format("\na = {{ start = {:.17g}, rate = {:.17g} }}", angle, rate);
    const std::string text = make_pendulum(m, l, start, rows);
    const PreparedModel model = prepare(text);
    const Solved one = solve(plain, plain.start);
    const Solved many = solve(model, model.start);
    SCOPED_TRACE(text);

    const Matrix free = find_left_null_space(many.jacobian, many.jacobian.rows() - 1);
    ASSERT_EQ(free.cols(), 1);
    EXPECT_LE((many.jacobian.transpose() * free).norm(), 1e-12 * many.jacobian.norm());
    EXPECT_LE((many.v_dot.head(2) - one.v_dot).norm(), 1e-10 * (1.0 + one.v_dot.norm()));
    EXPECT_LE((many.constraint_force.head(2) - one.constraint_force).norm(),
              1e-10 * (1.0 + one.constraint_force.norm()));
    // Another λ does as well, with the same Gᵀλ.
    const Vector other = many.lambda + 3.0 * free.col(0);
    const Vector left = many.mass * many.v_dot + many.jacobian.transpose() * other - many.force;
    EXPECT_LE(left.norm(), 1e-10 * (1.0 + many.force.norm() + other.norm()));
    EXPECT_GT((other - many.lambda).norm(), 1e-3);

    Trial trial;
    trial.until = 2.0;
    trial.every = 0.1;
    trial.method = "braun_goldfarb/rk4";
    trial.step = 0.002;
    const Result a =
        run_text(make_pendulum(m, l, start.substr(0, start.find("\na =")), kRod), trial);
    const Result b = run_text(text, trial);
    EXPECT_LE(max_difference(a, b, {"x", "y"}), 1e-8);
    EXPECT_LE(max_difference(a, b, {"x'", "y'"}), 1e-7);
  }
}

}  // namespace
}  // namespace driftless::trials
