// RATTLE on mechanisms and on equations: order 2 in positions, velocities and reactions, constraints at round-off, the way
// back to the start, no trend of the energy.

#include <array>
#include <cmath>
#include <memory>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/formulations/mech_field.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/math/lu.hpp"
#include "driftless/math/vec3.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

/// A number that no digit is lost of, unsymmetric everywhere.
class RattleNumbers {
 public:
  explicit RattleNumbers(unsigned seed) : random_(seed) {}
  std::string between(double low, double high) {
    return fmt::format("{}", std::uniform_real_distribution<double>(low, high)(random_));
  }
  std::string vector(double size) {
    return fmt::format("[{}, {}, {}]", between(-size, size), between(-size, size),
                       between(-size, size));
  }

 private:
  std::mt19937 random_;
};

/// A four-bar with unequal links, a spring across it and a pendulum on its coupler.
std::string make_rattle_linkage(unsigned seed) {
  RattleNumbers number(seed);
  std::string text = "format = \"driftless/1\"\nspace = \"plane\"\n";
  text += fmt::format("gravity = [{}, -9.81]\n[points]\nA = [0, 0]\n", number.between(-1, 1));
  text += fmt::format("B = [{}, {}]\nC = [{}, {}]\nD = [{}, {}]\nE = [{}, {}]\n",
                      number.between(0.2, 0.4), number.between(0.6, 0.8), number.between(1.5, 1.8),
                      number.between(1.2, 1.5), number.between(2.0, 2.4), number.between(-0.2, 0.1),
                      number.between(0.8, 1.1), number.between(0.2, 0.5));
  const char* rods[][3] = {{"crank", "A", "B"}, {"coupler", "B", "C"}, {"rocker", "C", "D"}};
  for (const auto& rod : rods) {
    text += fmt::format("[body.{}]\nrod = [\"{}\", \"{}\"]\nmass = {}\n", rod[0], rod[1], rod[2],
                        number.between(0.5, 2.5));
  }
  text += fmt::format("[body.bob]\ncentre = \"E\"\nmass = {}\ninertia = {}\n",
                      number.between(0.3, 0.9), number.between(0.02, 0.08));
  const char* joints[][3] = {{"A", "ground", "crank"},
                             {"B", "crank", "coupler"},
                             {"C", "coupler", "rocker"},
                             {"D", "ground", "rocker"}};
  for (const auto& joint : joints) {
    text += fmt::format(
        "[joint.{0}]\ntype = \"revolute\"\nbetween = [\"{1}\", \"{2}\"]\nat = \"{0}\"\n", joint[0],
        joint[1], joint[2]);
  }
  text += fmt::format(
      "[joint.H]\ntype = \"revolute\"\nbetween = [\"coupler\", \"bob\"]\nat = [{}, {}]\n",
      number.between(0.9, 1.1), number.between(0.9, 1.1));
  text += fmt::format(
      "[force.spring]\ntype = \"spring_damper\"\nbetween = [\"crank\", \"rocker\"]\n"
      "at = [\"B\", \"D\"]\nstiffness = {}\n[start]\nA.rate = {}\nH.rate = {}\n",
      number.between(8, 14), number.between(1, 3), number.between(-2, 2));
  return text;
}

/// In space: a bent arm on a universal joint with a top on a ball joint.
std::string make_rattle_pendulum(unsigned seed) {
  RattleNumbers number(seed);
  std::string text = fmt::format(
      "format = \"driftless/1\"\ngravity = [{}, {}, -9.81]\n[body.arm]\nmass = {}\n"
      "centre = [0.3, {}, {}]\ninertia = [0.11, {}, 0.13]\n",
      number.between(-1, 1), number.between(-1, 1), number.between(1, 2), number.between(-0.2, 0.2),
      number.between(-0.4, -0.1), number.between(0.07, 0.12));
  text += fmt::format(
      "[body.top]\nmass = {}\ncentre = [{}, -0.1, -0.5]\n"
      "inertia = [[0.05, {}, 0.001], [{}, 0.06, -0.002], [0.001, -0.002, 0.04]]\n",
      number.between(0.5, 1), number.between(0.6, 0.8), 0.004, 0.004);
  text += fmt::format(
      "[joint.A]\ntype = \"universal\"\nbetween = [\"ground\", \"arm\"]\nat = [0, 0, 0]\n"
      "axis = [{}, {}, 1]\n[joint.B]\ntype = \"spherical\"\nbetween = [\"arm\", \"top\"]\n"
      "at = [0.5, {}, -0.3]\n",
      number.between(-0.3, 0.3), number.between(-0.3, 0.3), number.between(-0.1, 0.1));
  text += fmt::format(
      "[start]\ntop.wx = {}\ntop.wy = {}\ntop.wz = {}\nA.rate1 = {}\nA.rate2 = -0.7\n",
      number.between(1, 2), number.between(-2, -1), number.between(3, 5), number.between(0.5, 1.2));
  return text;
}

/// Equations with a mass matrix that depends on the coordinates: two coupled pendulums, and a slide on a bent rail.
constexpr const char* kBentRail = R"~(
format = "driftless/1"
name = "bent rail"
[coordinates]
a = { start = 0.4, rate = 0.7 }
b = { start = -0.9, rate = -0.3 }
s = { start = "1.1 + 0.2*sin(0.4)", rate = "0.14*cos(0.4)" }
[energy]
kinetic = """0.7*a'^2 + (0.9 + 0.3*cos(a - b))*b'^2 + 0.8*cos(a - b)*a'*b' + 0.5*s'^2 + 0.3*s^2*b'^2 \
  + 0.2*s'*b'*sin(b)"""
potential = "-9.81*(1.7*cos(a) + 0.6*cos(b)) + 3*(s - 1)^2"
[constraint]
rail = "s - 1.1 - 0.2*sin(a)"
)~";

PreparedModel prepare_rattle(const std::string& text) {
  PreparedModel model = prepare_model(parse_model(text, "rattle.toml"), {});
  EXPECT_TRUE(model.start_report.success);
  return model;
}

/// A motion in the hands of a stepper, step by step.
class RattleMotion {
 public:
  RattleMotion(const PreparedModel& model, const std::string& integrator, double step)
      : evaluator_(model.system()) {
    const IntegratorInfo& info = *find_integrator(integrator);
    FieldOptions options;
    options.rank_tolerance = 1e-8;
    if (info.second_order) {
      field_ = std::make_unique<MechField>(evaluator_, options, MechProblem::Level::both);
    } else {
      field_ = std::make_unique<AccelerationField>(evaluator_, options, std::vector<FieldTerm*>{});
    }
    stepper_ = step > 0.0
                   ? make_stepper(integrator, {.step = step}, false)
                   : make_stepper(integrator, {.step = 0.0, .rtol = 1e-13, .atol = 1e-13}, true);
    q = model.start.q;
    v = model.start.v;
    v_dot = Vector::Zero(v.size());
    lambda = Vector::Zero(model.system().info().row_count());
    work.assign(model.system().info().invariants.size(), 0.0);
    begin(0.0);
  }

  void begin(double at) {
    t = at;
    y = Vector::Zero(field_->size());
    field_->from_state(q, v, as_span(y));
    ASSERT_TRUE(stepper_->start(*field_, t, as_span(y), 1e6));
    read();
  }

  bool step(double until) {
    const StepReport report = stepper_->step(*field_, t, as_span(y), until);
    EXPECT_EQ(report.status, StepStatus::ok) << "t = " << t << ": " << field_->failure();
    if (report.status != StepStatus::ok) return false;
    const bool ok = stepper_->accept(*field_, t, as_span(y), Change::unchanged);
    EXPECT_TRUE(ok);
    read();
    return ok;
  }
  void run(double until) {
    while (t < until && step(until)) {
    }
    EXPECT_TRUE(field_->find_reactions(t, as_span(y), q, v, v_dot, lambda));
  }
  void turn_back() {
    v = -v;
    begin(t);
  }

  double find_energy() {
    evaluator_.system().eval_invariants(t, q, v, evaluator_.ws());
    return evaluator_.ws().invariant[0] - work[0];
  }
  Matrix find_mass() {
    evaluator_.set_configuration(t, q);
    return evaluator_.ws().mass.dense();
  }
  /// Largest of Φ and of ρ.
  std::pair<double, double> find_gaps() {
    evaluator_.set_configuration(t, q);
    evaluator_.set_velocity(v);
    return {max_abs(evaluator_.ws().phi), max_abs(evaluator_.ws().velocity_residual)};
  }
  Stepper& stepper() { return *stepper_; }
  AccelerationField& field() { return *field_; }

  double t = 0.0;
  Vector y, q, v, v_dot, lambda;
  std::vector<double> work;

 private:
  void read() { field_->to_state(as_span(y), q, v, work); }

  Evaluator evaluator_;
  std::unique_ptr<AccelerationField> field_;
  std::unique_ptr<Stepper> stepper_;
};

void expect_order_two(const PreparedModel& model, double step, double until) {
  RattleMotion exact(model, "dop853", 0.0);
  exact.run(until);
  std::array<double, 3> last{};
  for (int halving = 0; halving < 3; ++halving) {
    RattleMotion motion(model, "rattle", step / std::pow(2.0, halving));
    motion.run(until);
    const std::array<double, 3> errors{max_abs(motion.q - exact.q), max_abs(motion.v - exact.v),
                                       max_abs(motion.lambda - exact.lambda)};
    for (std::size_t k = 0; k < 3; ++k) {
      if (halving == 2 && model.system().info().row_count() + 2 > static_cast<int>(k)) {
        EXPECT_NEAR(std::log2(last[k] / errors[k]), 2.0, 0.1) << "qvl"[k] << " " << errors[k];
      }
    }
    last = errors;
    const auto [phi, rho] = motion.find_gaps();
    EXPECT_LT(phi, 1e-13);
    EXPECT_LT(rho, 1e-12);
  }
}

TEST(Rattle, HasOrderTwoInThePlane) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    expect_order_two(prepare_rattle(make_rattle_linkage(seed)), 0.005, 1.0);
  }
}

TEST(Rattle, HasOrderTwoInSpace) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    expect_order_two(prepare_rattle(make_rattle_pendulum(seed)), 0.005, 1.0);
  }
  expect_order_two(prepare_model(read_model_file(find_model("heavy_top")), {}), 0.005, 1.0);
}

TEST(Rattle, HasOrderTwoWithMassesThatChange) {
  expect_order_two(prepare_rattle(kBentRail), 0.01, 1.0);
  std::string text = kBentRail;  // and with t
  text.replace(text.find("0.7*a'^2"), 8, "(0.7 + 0.2*sin(3*t))*a'^2 + 0.4*a'*cos(b + 2*t)");
  expect_order_two(prepare_rattle(text), 0.01, 1.0);
}

TEST(Rattle, HasOrderTwoWithForcesOfVelocityAndDrives) {
  std::string text = make_rattle_linkage(4);
  text.replace(text.find("[start]"), 7,
               "damping = 0.7\n[constraint.motor]\ntype = \"drive\"\nof = \"H.angle\"\n"
               "value = \"1.3*sin(2*t)\"\n[start]");
  text.erase(text.find("H.rate"));
  expect_order_two(prepare_rattle(text), 0.005, 1.0);
}

TEST(Rattle, HasOrderTwoWithVelocityRows) {
  expect_order_two(prepare_model(read_model_file(find_model("chaplygin_sleigh")), {}), 0.01, 2.0);
  expect_order_two(prepare_model(read_model_file(find_model("rolling_disc")), {}), 0.005, 1.0);
}

TEST(Rattle, HasOrderTwoWithRedundantRows) {
  expect_order_two(prepare_model(read_model_file(find_model("four_bar_3d")), {}), 0.005, 1.0);
}

// N steps, rates turned round, N steps: back at the start. Nothing of order h² is left: the steps are symmetric.
TEST(Rattle, FindsTheWayBack) {
  for (const std::string& text :
       {make_rattle_linkage(5), make_rattle_pendulum(5), std::string(kBentRail)}) {
    const PreparedModel model = prepare_rattle(text);
    RattleMotion motion(model, "rattle", 0.01);
    const Vector q = motion.q, v = motion.v;
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(motion.step(1e6));
    EXPECT_GT(max_abs(motion.q - q), 0.1);
    motion.turn_back();
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(motion.step(1e6));
    EXPECT_LT(max_abs(motion.q - q), 1e-10);
    EXPECT_LT(max_abs(motion.v + v), 1e-10);
  }
}

// Between steps: cubic in positions and velocities; linear in reactions, whose error h² is not above the method's.
TEST(Rattle, HasOrderTwoBetweenSteps) {
  const PreparedModel model = prepare_rattle(make_rattle_pendulum(6));
  RattleMotion exact(model, "dop853", 0.0);
  exact.run(0.5);
  double last = 0.0;
  for (const int steps : {60, 120, 240}) {
    RattleMotion motion(model, "rattle", 0.5 / (steps - 0.4));
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(motion.step(1e6));
    Vector y = motion.y;
    ASSERT_TRUE(motion.stepper().interpolate(motion.field(), 0.6, as_span(y)));
    MechPoint sample;
    motion.field().mech()->read(as_span(y), sample);
    const double error = max_abs(sample.lambda - exact.lambda);
    EXPECT_LT(max_abs(sample.q - exact.q) + max_abs(sample.v - exact.v), 0.1 * 60 / steps);
    if (steps == 240) {
      EXPECT_NEAR(std::log2(last / error), 2.0, 0.3) << error;
    }
    last = error;
  }
}

// What no torque acts on stays: the momentum in space of a free body without symmetry, to round-off.
TEST(Rattle, KeepsTheMomentumOfAFreeBody) {
  const PreparedModel model = prepare_rattle(R"(
format = "driftless/1"
[body.stone]
mass = 1.3
centre = [0.1, 0.2, 0.3]
inertia = [[0.5, 0.03, 0.02], [0.03, 0.8, -0.05], [0.02, -0.05, 1.1]]
[start]
stone.wx = 0.4
stone.wy = 3
stone.wz = -0.7
)");
  RattleMotion motion(model, "rattle", 0.02);
  const auto find_momentum = [&] {
    const double w = motion.q[3];
    const Vector3 r{motion.q[4], motion.q[5], motion.q[6]};
    const double a = motion.v[3], b = motion.v[4], c = motion.v[5];
    const Vector3 p{0.5 * a + 0.03 * b + 0.02 * c, 0.03 * a + 0.8 * b - 0.05 * c,
                    0.02 * a - 0.05 * b + 1.1 * c};
    return p + 2.0 * (w * cross(r, p) + cross(r, cross(r, p)));
  };
  const Vector3 before = find_momentum();
  for (int k = 0; k < 2000; ++k) ASSERT_TRUE(motion.step(1e6));
  EXPECT_LT(norm(find_momentum() - before), 1e-11);
}

/// The largest error of the energy, and its trend over the run by least squares, in J/s.
struct EnergyTrend {
  double size = 0.0, slope = 0.0;
};
EnergyTrend find_energy_trend(const PreparedModel& model, const std::string& integrator, double h,
                              int steps) {
  RattleMotion motion(model, integrator, h);
  const double energy = motion.find_energy();
  EnergyTrend trend;
  double sum = 0.0, moment = 0.0;
  const double middle = 0.5 * steps * h;
  for (int k = 0; k < steps; ++k) {
    if (!motion.step(1e6)) break;
    const double error = motion.find_energy() - energy;
    trend.size = std::max(trend.size, std::abs(error));
    sum += error * (motion.t - middle);
    moment += (motion.t - middle) * (motion.t - middle);
    if (k % 1000 == 0 && integrator == "rattle") {
      const auto [phi, rho] = motion.find_gaps();
      EXPECT_LT(phi + rho, 1e-12);
    }
  }
  trend.slope = sum / moment;
  return trend;
}

/// Rattle over all steps, and rk4, whose constraints drift apart besides, over a tenth or less of them.
void expect_no_trend(const PreparedModel& model, int steps, int rk4_steps) {
  const double h = 0.01;
  const EnergyTrend rattle = find_energy_trend(model, "rattle", h, steps);
  const EnergyTrend rk4 = find_energy_trend(model, "rk4", h, rk4_steps);
  EXPECT_LT(std::abs(rattle.slope) * h * steps, 0.2 * rattle.size);
  EXPECT_LT(std::abs(rattle.slope), 0.1 * std::abs(rk4.slope)) << rattle.size << " " << rk4.size;
}

TEST(LongRattle, LetsNoEnergyDrift) {
  expect_no_trend(prepare_model(read_model_file(find_model("heavy_top")), {}), 100000, 10000);
  expect_no_trend(prepare_rattle(kBentRail), 100000, 10000);
  expect_no_trend(prepare_rattle(make_rattle_linkage(7)), 20000, 1000);
}

// A mass matrix that changes: dp∧dq is the same before and after a long step. With Q alone for the rate of momentum, or
// with M at one end only, it differs by 1e-3.
TEST(Rattle, IsSymplectic) {
  const PreparedModel model =
      prepare_model(read_model_file(find_model("double_pendulum_angles")), {});
  const double h = 0.1;
  RattleMotion motion(model, "rattle", h);
  const Eigen::Index n = motion.v.size();
  Vector z(2 * n);
  z.head(n) = motion.q + Vector::Constant(n, 0.3);
  z.tail(n) << 0.7, -0.4;
  const auto step = [&](const Vector& at) -> Vector {
    motion.q = at.head(n);
    motion.v = at.tail(n);
    Matrix mass = motion.find_mass();
    EXPECT_TRUE(solve_definite(mass, motion.v));
    motion.begin(0.0);
    EXPECT_TRUE(motion.step(1e6));
    Vector end(2 * n);
    end << motion.q, motion.find_mass() * motion.v;
    return end;
  };
  Matrix J(2 * n, 2 * n);
  for (Eigen::Index k = 0; k < 2 * n; ++k) {
    const Vector change = 1e-5 * Vector::Unit(2 * n, k);
    J.col(k) = (step(z + change) - step(z - change)) / 2e-5;
  }
  Matrix form = Matrix::Zero(2 * n, 2 * n);
  form.topRightCorner(n, n).setIdentity();
  form.bottomLeftCorner(n, n) = -Matrix::Identity(n, n);
  EXPECT_LT((J.transpose() * form * J - form).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_GT((J - Matrix::Identity(2 * n, 2 * n)).cwiseAbs().maxCoeff(), 0.05);
}

}  // namespace
}  // namespace driftless::trials
