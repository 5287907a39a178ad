// Every model's derivatives for Newton's method against differences of its own equations, off the manifold, with random
// accelerations and multipliers: every joint, constraint, force and measure that some model in models/ uses.

#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

struct Equations {
  Vector residual;  ///< M v' + Gᵀλ - Q
  Vector rho;
  Vector state_rate;
};

Equations eval_equations(const System& system, const Moment& moment, Workspace& ws) {
  system.eval_configuration(moment.t, moment.q, ws);
  system.eval_motion(moment.t, moment.q, moment.v, ws);
  return {
      ws.mass.dense() * moment.v_dot + ws.jacobian.dense().transpose() * moment.lambda - ws.force,
      ws.velocity_residual, ws.state_rate};
}

/// Of one column: how far the derivative is from the difference quotient, relative to what is measured.
void expect_column(const std::string& what, const Vector& exact, const Vector& quotient,
                   const Vector& noise) {
  for (Eigen::Index i = 0; i < exact.size(); ++i) {
    EXPECT_NEAR(exact[i], quotient[i], 1e-6 * (1.0 + std::abs(exact[i])) + noise[i])
        << what << ", row " << i;
  }
}

void check_linearization(const System& system, const State& start, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const SystemInfo& info = system.info();
  const auto make = [&](int size, double scale) {
    Vector values(size);
    for (double& value : values) value = scale * number(random);
    return values;
  };
  Vector q = start.q;
  system.retract(q, make(info.nv, 0.02));
  const Vector v = start.v + make(info.nv, 0.7);
  const Vector v_dot = make(info.nv, 2.0);
  const Vector lambda = make(info.row_count(), 3.0);
  const double t = start.t + 0.3;
  const std::unique_ptr<Workspace> ws = system.make_workspace();
  const Vector c = ws->states + make(info.nc, 0.05);
  ws->states = c;
  Linearization derivatives = system.make_linearization();
  const Equations here = eval_equations(system, {t, q, v, v_dot, lambda}, *ws);
  system.eval_linearization({t, q, v, v_dot, lambda}, *ws, derivatives);
  constexpr double kStep = 1e-5;
  const Vector noise_r = here.residual.cwiseAbs() * 1e-9;
  const Vector noise_rho = here.rho.cwiseAbs() * 1e-9;
  const Vector noise_d = here.state_rate.cwiseAbs() * 1e-9;
  for (int j = 0; j < info.nv; ++j) {
    Vector step = Vector::Zero(info.nv);
    step[j] = kStep;
    Vector q_up = q, q_down = q;
    system.retract(q_up, step);
    system.retract(q_down, Vector(-step));
    const Equations up = eval_equations(system, {t, q_up, v, v_dot, lambda}, *ws);
    const Equations down = eval_equations(system, {t, q_down, v, v_dot, lambda}, *ws);
    const std::string name = info.rates[static_cast<std::size_t>(j)];
    expect_column("dr/dq along " + name, derivatives.stiffness.dense().col(j),
                  (up.residual - down.residual) / (2.0 * kStep), noise_r);
    expect_column("drho/dq along " + name, derivatives.residual_q.dense().col(j),
                  (up.rho - down.rho) / (2.0 * kStep), noise_rho);
    const Equations faster = eval_equations(system, {t, q, v + step, v_dot, lambda}, *ws);
    const Equations slower = eval_equations(system, {t, q, v - step, v_dot, lambda}, *ws);
    expect_column("dr/dv by " + name, derivatives.damping.dense().col(j),
                  (faster.residual - slower.residual) / (2.0 * kStep), noise_r);
    expect_column("dd/dq along " + name, derivatives.states.rate_q.col(j),
                  (up.state_rate - down.state_rate) / (2.0 * kStep), noise_d);
    expect_column("dd/dv by " + name, derivatives.states.rate_v.col(j),
                  (faster.state_rate - slower.state_rate) / (2.0 * kStep), noise_d);
  }
  for (int j = 0; j < info.nc; ++j) {
    ws->states = c;
    ws->states[j] += kStep;
    const Equations up = eval_equations(system, {t, q, v, v_dot, lambda}, *ws);
    ws->states[j] -= 2.0 * kStep;
    const Equations down = eval_equations(system, {t, q, v, v_dot, lambda}, *ws);
    const std::string& name = info.states[static_cast<std::size_t>(j)];
    expect_column("dr/dc by " + name, derivatives.states.residual_c.col(j),
                  (up.residual - down.residual) / (2.0 * kStep), noise_r);
    expect_column("dd/dc by " + name, derivatives.states.rate_c.col(j),
                  (up.state_rate - down.state_rate) / (2.0 * kStep), noise_d);
  }
}

TEST(Linearization, HasABlockForEachPairOfBodiesThatActOnEachOther) {
  std::string text = "format = \"driftless/1\"\nspace = \"plane\"\n";
  const int count = 200;
  for (int k = 0; k < count; ++k) {
    const std::string name = "b" + std::to_string(k);
    const std::string before = k == 0 ? "ground" : "b" + std::to_string(k - 1);
    text += "[body." + name + "]\nrod = [[" + std::to_string(k) + ", 0], [" +
            std::to_string(k + 1) + ", 0]]\nmass = 1\n[joint.J" + std::to_string(k) +
            "]\ntype = \"revolute\"\nbetween = [\"" + before + "\", \"" + name + "\"]\nat = [" +
            std::to_string(k) + ", 0]\n";
  }
  const PreparedModel model = prepare_model(parse_model(text, "chain.toml"), {});
  const Linearization blocks = model.system().make_linearization();
  EXPECT_EQ(blocks.stiffness.count(), 9 * (3 * count - 2));
  EXPECT_EQ(blocks.damping.count(), 9 * (3 * count - 2));
  EXPECT_EQ(blocks.residual_q.count(), 2 * 3 * (2 * count - 1));
  EXPECT_TRUE(blocks.stiffness.has(3, 0));
  EXPECT_FALSE(blocks.stiffness.has(6, 0));
}

TEST(Linearization, OfEveryModelAgreesWithDifferences) {
  int models = 0;
  const std::filesystem::path folder =
      std::filesystem::path(find_model("slider_crank")).parent_path();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const PreparedModel model = prepare_model(read_model_file(entry.path().string()), {});
    if (model.system().info().nv > 130) continue;
    for (int trial = 0; trial < 2; ++trial)
      check_linearization(model.system(), model.start, 17u + static_cast<unsigned>(trial));
    ++models;
  }
  EXPECT_GT(models, 60);
}

}  // namespace
}  // namespace driftless::trials
