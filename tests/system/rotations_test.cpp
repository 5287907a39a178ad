// Orientations as quaternions, Euler angles and turns from the last step are the same motion, whatever integrates it.

#include <cmath>
#include <random>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/formulations/mech_field.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

constexpr const char* kRotationWords[] = {"quaternion", "euler", "lie"};

/// A free body without symmetry that turns over and over, past the singular poses of both sequences.
std::string make_free_stone(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  return fmt::format(R"~(
format = "driftless/1"
[body.stone]
mass = 1.3
centre = [0.1, 0.2, 0.3]
inertia = [[0.5, 0.03, 0.02], [0.03, 0.8, -0.05], [0.02, -0.05, 1.1]]
[joint.none]
type = "free"
between = ["ground", "stone"]
at = [0, 0, 0]
[start]
stone.wx = {}
stone.wy = {}
stone.wz = {}
)~",
                     number(random), 3.0 + number(random), number(random));
}

/// Two shafts and a universal joint, bent by a random angle.
std::string make_bent_shafts(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(0.0, 1.0);
  return edit_model(
      "elements/universal",
      {{"bend = \"40 deg\"", fmt::format("bend = \"{} deg\"", 20 + 30 * number(random))},
       {"mass = \"50 kg\"", fmt::format("mass = \"{} kg\"", 1 + number(random))},
       {"\"10 rad/s\"", fmt::format("\"{} rad/s\"", 4 + 2 * number(random))}});
}

struct RotationCase {
  std::string text;
  std::vector<std::string> names;
};

std::vector<RotationCase> make_rotation_cases(unsigned seed) {
  return {{edit_model("heavy_top", {}), {"top.x", "top.y", "top.z", "top.wx", "top.wz"}},
          {make_free_stone(seed), {"stone.q0", "stone.q1", "stone.q2", "stone.q3", "stone.wx"}},
          {make_bent_shafts(seed), {"first.rate", "second.angle", "output.q0", "output.q3"}}};
}

/// Largest difference at the end; a quaternion and its negative are the same pose.
double find_end_difference(const Result& a, const Result& b,
                           const std::vector<std::string>& names) {
  double same = 0.0, opposite = 0.0;
  for (const std::string& name : names) {
    const double sign = name.find(".q") != std::string::npos ? -1.0 : 1.0;
    same = std::max(same, std::abs(last(a, name) - last(b, name)));
    opposite = std::max(opposite, std::abs(last(a, name) - sign * last(b, name)));
  }
  return std::min(same, opposite);
}

Result run_rotations(const RotationCase& each, const std::string& method, const char* rotations) {
  Result result =
      run_text(each.text, {.method = method,
                           .tolerance = 1e-8,
                           .until = 3,
                           .every = 0.5,
                           .sets = {{"method.rotations", fmt::format("\"{}\"", rotations)}}});
  EXPECT_EQ(result.report.status, Status::ok)
      << method << " " << rotations << ": " << result.report.message;
  return result;
}

TEST(Rotations, AgreeWhateverIntegrates) {
  for (const RotationCase& each : make_rotation_cases(11)) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-12, .until = 3, .every = 3});
    ASSERT_EQ(exact.report.status, Status::ok) << exact.report.message;
    for (const char* method :
         {"index1/dopri5", "index1/adams", "baumgarte/dop853", "index2/hedop5", "index2/phem56",
          "ggl/radau5", "index3/radau5", "stabilized_index1/radau5", "ggl/bdf", "index3/bdf",
          "ggl/ida", "index1/ida"}) {
      for (const char* rotations : kRotationWords) {
        const Result result = run_rotations(each, method, rotations);
        EXPECT_LT(find_end_difference(result, exact, each.names), 3e-5)
            << method << " " << rotations << " " << each.names.front();
      }
    }
  }
}

/// Four hinges in a plane that lies anywhere, so that steps in angles leave it.
std::string make_tilted_four_bar(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const Eigen::Quaterniond turn =
      Eigen::Quaterniond(draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)).normalized();
  const auto write = [&](double x, double y, double z) {
    const Eigen::Vector3d at = turn * Eigen::Vector3d(x, y, z);
    return fmt::format("[{}, {}, {}]", at.x(), at.y(), at.z());
  };
  const std::string points[] = {write(0, 0, 0), write(0.2, draw(0.7, 1), 0),
                                write(draw(1.8, 2), draw(1.3, 1.5), 0), write(2.1, 0, 0)};
  const char* const bodies[] = {"ground", "crank", "coupler", "rocker"};
  std::string text = "format = \"driftless/1\"\ngravity = [1, -2, -3]\n";
  for (int k = 0; k < 4; ++k) {
    if (k > 0)
      text += fmt::format("[body.{}]\nrod = [{}, {}]\nmass = {}\n", bodies[k], points[k - 1],
                          points[k], draw(1, 2));
    text += fmt::format(
        "[joint.{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = {}\naxis = {}\n",
        "ABCD"[k], bodies[k], bodies[(k + 1) % 4], points[k], write(0, 0, 1));
  }
  return text + "[start]\nA.rate = 3.5\n";
}

TEST(Rotations, OfRedundantLoopsRunAtAnyTolerance) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const std::string text = make_tilted_four_bar(seed);
    const Result exact = run_text(
        text, {.method = "braun_goldfarb/dop853", .tolerance = 1e-11, .until = 1, .every = 1});
    for (const char* method : {"ggl/radau5", "index3/radau5", "index1/radau5", "ggl/bdf"}) {
      for (const double tolerance : {1e-2, 1e-3, 1e-5}) {
        const Result result = run_text(text, {.method = method,
                                              .tolerance = tolerance,
                                              .until = 1,
                                              .every = 1,
                                              .sets = {{"method.rotations", "\"euler\""}}});
        ASSERT_EQ(result.report.status, Status::ok)
            << method << " " << tolerance << " " << seed << ": " << result.report.message;
        EXPECT_NEAR(last(result, "D.angle"), last(exact, "D.angle"), 100.0 * tolerance)
            << method << " " << tolerance << " " << seed;
      }
    }
  }
}

// What would turn the axes of a joint by mistake does so at the start: the drawing pose is singular for z-x-z.
TEST(Rotations, BeginAtSingularPoses) {
  for (const char* turn : {"z = [0, 0, -1], x = [1, 0, 0]", "z = [1, 0, 0], x = [0, 1, 0]",
                           "z = [-1, 0, 0], x = [0, 0.6, 0.8]", "z = [0, 0, 1], x = [0, 1, 0]"}) {
    const std::string text = fmt::format(R"~(
format = "driftless/1"
[body.top]
mass = 1.1
inertia = [0.2, 0.3, 0.4]
pose = {{ at = [0.3, 0.4, 0.5], {} }}
[joint.ball]
type = "spherical"
between = ["ground", "top"]
at = [0, 0, 0]
[start]
top.wy = 2
)~",
                                         turn);
    const Trial trial{.method = "ggl/radau5", .tolerance = 1e-8, .until = 1, .every = 1};
    Trial euler = trial;
    euler.sets = {{"method.rotations", "\"euler\""}};
    const Result a = run_text(text, trial), b = run_text(text, euler);
    ASSERT_EQ(b.report.status, Status::ok) << turn << ": " << b.report.message;
    EXPECT_LT(find_end_difference(a, b, {"top.x", "top.y", "top.z", "top.wx", "top.wz"}), 1e-6)
        << turn;
  }
}

// Runge-Kutta-Munthe-Kaas: order 4, and the motion of rk4 in other coordinates.
TEST(Rotations, Rkmk4HasOrderFour) {
  const std::vector<std::string> names{"top.x", "top.y", "top.z", "top.wx", "top.wz"};
  const auto run = [&](const char* method, double h) {
    return run_model("heavy_top", {.method = method, .step = h, .until = 1, .every = 1});
  };
  const Result exact = run_model(
      "heavy_top", {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
  const double coarse = find_end_difference(run("index1/rkmk4", 0.01), exact, names);
  const double fine = find_end_difference(run("index1/rkmk4", 0.005), exact, names);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.2);
  EXPECT_LT(fine, 1e-7);
  EXPECT_LT(find_end_difference(run("index1/rkmk4", 0.005), run("index1/rk4", 0.005), names), 1e-6);
  // Another method than rk4 by itself, and the one that rk4 becomes.
  Trial lie{.method = "index1/rk4", .step = 0.01, .until = 1, .every = 1};
  lie.sets = {{"method.rotations", "\"lie\""}};
  EXPECT_EQ(find_end_difference(run_model("heavy_top", lie), run("index1/rkmk4", 0.01), names),
            0.0);
  EXPECT_GT(find_end_difference(run("index1/rk4", 0.01), run("index1/rkmk4", 0.01), names), 1e-12);
}

TEST(Rotations, Rkmk4AndScrewsRefuseOtherAngles) {
  const auto refuse = [](const char* method, const char* group) {
    try {
      run_model("heavy_top",
                {.method = method,
                 .step = 0.01,
                 .until = 1,
                 .sets = {{"method.rotations", "\"euler\""}, {"method.group", group}}});
    } catch (const ModelError& error) {
      return format_diagnostic(error.diagnostics().front());
    }
    return std::string();
  };
  EXPECT_NE(refuse("index1/rkmk4", "so3").find("rkmk4 turns bodies from where"), std::string::npos);
  EXPECT_NE(refuse("ggl/hht", "se3").find("screws need turns from the last step"),
            std::string::npos);
}

/// Largest difference to the exact end for one step size.
double find_fixed_error(const RotationCase& each, const std::string& method, const char* rotations,
                        double h, const Result& exact) {
  const Result result =
      run_text(each.text, {.method = method,
                           .step = h,
                           .until = 1,
                           .every = 1,
                           .sets = {{"method.rotations", fmt::format("\"{}\"", rotations)}}});
  EXPECT_EQ(result.report.status, Status::ok)
      << method << " " << rotations << ": " << result.report.message;
  return find_end_difference(result, exact, each.names);
}

// In charts a step is another one than on the group, with the same order: to the same motion.
TEST(Rotations, SecondOrderMethodsAgree) {
  for (const RotationCase& each : make_rotation_cases(7)) {
    const Result exact = run_text(
        each.text, {.method = "index1/dop853/project", .tolerance = 1e-12, .until = 1, .every = 1});
    ASSERT_EQ(exact.report.status, Status::ok) << exact.report.message;
    for (const char* method : {"index3/newmark", "index2/newmark", "ggl/newmark", "index3/hht",
                               "index2/hht", "ggl/hht", "index3/generalized_alpha",
                               "index2/generalized_alpha", "ggl/generalized_alpha", "ggl/rattle"}) {
      for (const char* rotations : kRotationWords) {
        const double coarse = find_fixed_error(each, method, rotations, 4e-3, exact);
        const double fine = find_fixed_error(each, method, rotations, 2e-3, exact);
        EXPECT_LT(fine, 1e-2) << method << " " << rotations << " " << each.names.front();
        if (fine < 1e-9) continue;
        EXPECT_GT(std::log2(coarse / fine), 1.7)
            << method << " " << rotations << " " << each.names.front() << " " << fine;
      }
    }
  }
}

// A spin of 150 rad/s changes the sequence of angles time and again.
TEST(Rotations, FastTopInAnglesKeepsItsOrder) {
  const RotationCase each{edit_model("heavy_top_fast", {}), {"top.x", "top.y", "top.z"}};
  const Result exact = run_text(
      each.text, {.method = "index1/dop853/project", .tolerance = 1e-13, .until = 1, .every = 1});
  for (const char* method : {"index3/generalized_alpha", "ggl/generalized_alpha", "ggl/hht",
                             "ggl/rattle", "ggl/newmark"}) {
    const double coarse = find_fixed_error(each, method, "euler", 2e-4, exact);
    const double fine = find_fixed_error(each, method, "euler", 1e-4, exact);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.3) << method << " " << fine;
  }
}

// The trapezoidal rule damps nothing. With accelerations that are carried along, what rings at position level grows as
// exp(c t), whatever the step: the slow top would fly apart after 6 s, the fast one after 0.7 s, or 0.2 s in angles.
TEST(Rotations, UndampedMethodsStayBoundedAtPositionLevel) {
  const auto expect_order = [](const char* model, double until, double h, const char* rotations,
                               const char* method,
                               std::vector<std::pair<std::string, std::string>> sets) {
    SCOPED_TRACE(fmt::format("{} {} {}", model, rotations, method));
    const std::string text = edit_model(model, {});
    sets.push_back({"method.rotations", fmt::format("\"{}\"", rotations)});
    const auto run = [&](double step) {
      return run_text(
          text, {.method = method, .step = step, .until = until, .every = 0.02, .sets = sets});
    };
    const Result coarse = run(h), fine = run(0.5 * h);
    ASSERT_EQ(coarse.report.status, Status::ok) << coarse.report.message;
    ASSERT_EQ(fine.report.status, Status::ok) << fine.report.message;
    const Result exact = run_text(
        text,
        {.method = "index1/dop853/project", .tolerance = 1e-13, .until = until, .every = 0.02});
    for (const std::vector<std::string>& names :
         {std::vector<std::string>{"top.x", "top.y", "top.z"},
          std::vector<std::string>{"ball.force.x", "ball.force.y", "ball.force.z"}}) {
      const double error = max_difference(fine, exact, names);
      EXPECT_GT(std::log2(max_difference(coarse, exact, names) / error), 1.6)
          << names.front() << " " << error;
    }
    EXPECT_LT(fine.report.max_phi_dot, 0.3 * coarse.report.max_phi_dot + 1e-10);
  };
  for (const char* rotations : kRotationWords) {
    expect_order("heavy_top", 10, 2e-3, rotations, "index3/newmark", {});
    expect_order("heavy_top_fast", 1, 1e-4, rotations, "index3/newmark", {});
  }
  expect_order("heavy_top", 10, 2e-3, "lie", "index3/generalized_alpha",
               {{"method.rho_infinity", "1"}});
  expect_order("heavy_top", 10, 2e-3, "lie", "index3/hht", {{"method.hht_alpha", "0"}});
}

// RATTLE is symplectic in any coordinates: the energy of a stone does not drift, whether it turns by angles or not.
TEST(Rotations, RattleKeepsEnergyInAngles) {
  for (const char* rotations : kRotationWords) {
    const Result result = run_text(
        make_free_stone(3), {.method = "ggl/rattle",
                             .step = 0.01,
                             .until = 100,
                             .every = 1,
                             .sets = {{"method.rotations", fmt::format("\"{}\"", rotations)}}});
    ASSERT_EQ(result.report.status, Status::ok) << rotations << ": " << result.report.message;
    // Another sequence is another modified energy, so that in angles the error walks at each change.
    const bool is_euler = rotations == std::string("euler");
    EXPECT_LT(result.report.max_energy_error, is_euler ? 0.2 : 2e-2) << rotations;
  }
}

/// r, Φ and ρ of a point, one after the other, with x, x' and x'' moved along d.
Vector eval_moved(MechProblem& mech, MechPoint point, const Vector& d, double s, bool by_q) {
  (by_q ? point.q : point.v) += s * d;
  MechTerms terms;
  EXPECT_TRUE(mech.eval_point(point, terms));
  Vector all(terms.residual.size() + terms.phi.size() + terms.rho.size());
  all << terms.residual, terms.phi, terms.rho;
  return all;
}

// Derivatives in charts against differences, off the constraints.
TEST(Rotations, ChartDerivativesAreExact) {
  const PreparedModel model =
      prepare_model(parse_model(make_bent_shafts(2), "shafts.toml"), RunRequest{});
  for (const Rotations rotations : {Rotations::quaternion, Rotations::euler}) {
    Evaluator evaluator(model.system());
    MechField field(evaluator, {.rotations = rotations, .in_charts = true},
                    MechProblem::Level::both);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    Vector y = Vector::Zero(field.size());
    field.from_state(model.start.q, model.start.v, as_span(y));
    field.recentre(as_span(y), true);
    MechProblem& mech = *field.mech();
    MechPoint point;
    mech.read(as_span(y), point);
    point.v_dot = Vector::Zero(point.v.size());
    for (Vector* each : {&point.q, &point.v, &point.v_dot, &point.lambda})
      for (double& value : *each) value += 0.1 * number(random);
    MechTerms terms;
    MechDerivatives derivatives;
    ASSERT_TRUE(mech.eval_point(point, terms));
    ASSERT_TRUE(mech.eval_derivatives(point, derivatives));
    Vector d(point.q.size());
    for (double& value : d) value = number(random);
    constexpr double kStep = 1e-6;
    const auto n = terms.residual.size(), p = terms.phi.size(), m = terms.rho.size();
    const Vector by_q =
        (eval_moved(mech, point, d, kStep, true) - eval_moved(mech, point, d, -kStep, true)) /
        (2.0 * kStep);
    const Vector by_v =
        (eval_moved(mech, point, d, kStep, false) - eval_moved(mech, point, d, -kStep, false)) /
        (2.0 * kStep);
    const double size = 1.0 + by_q.cwiseAbs().maxCoeff();
    const auto expect_same = [&](const Vector& a, const Vector& b) {
      EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-7 * size) << name_of(rotations);
    };
    expect_same(by_q.head(n), derivatives.stiffness.dense() * d);
    expect_same(by_q.segment(n, p), terms.jacobian.dense().topRows(p) * d);
    expect_same(by_q.tail(m), derivatives.rho_q.dense() * d);
    expect_same(by_v.head(n), derivatives.damping.dense() * d);
    expect_same(by_v.tail(m), terms.jacobian.dense() * d);
  }
}

}  // namespace
}  // namespace driftless::trials
