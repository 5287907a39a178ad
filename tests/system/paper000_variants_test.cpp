// The same mechanisms with other numbers: order of convergence, lengths, masses and starts at random, samples between
// steps, and what the corrections cost.

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/system/paper000.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

// ---- order 4 with all corrections on -------------------------------------------------------------

constexpr double kHalvedSteps[] = {0.02, 0.01, 0.005, 0.0025};

void expect_order_four(const Values& errors) {
  for (const double order : orders(errors)) {
    EXPECT_GE(order, 3.7);
    EXPECT_LE(order, 4.6);
  }
}

TEST(Paper000Order, SliderCrank) {
  Values errors;
  for (const double step : kHalvedSteps) {
    errors.push_back(slider_error(
        run_model("slider_crank", {.step = step, .until = 10, .every = 0.02}), SliderCrank()));
  }
  expect_order_four(errors);
}

TEST(Paper000Order, DoubleFourBar) {
  Values errors;
  for (const double step : kHalvedSteps) {
    errors.push_back(
        joint_error(run_model("double_four_bar", {.step = step, .until = 10, .every = 0.02}),
                    make_four_bar(1.0)));
  }
  expect_order_four(errors);
}

// ---- random mechanisms ---------------------------------------------------------------------------

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }

 private:
  std::mt19937_64 engine_;
};

/// The slider-crank with two different links of the same length: the singular pose stays.
std::string make_slider_crank(const problems::SliderCrankData& data) {
  const std::string links = "m1 = " + text_of(data.m1) + "\nm2 = " + text_of(data.m2) +
                            "\nJ1 = " + text_of(data.J1) + "\nJ2 = " + text_of(data.J2);
  return edit_model("slider_crank",
                    {{"m = \"1 kg\"", links},
                     {"J = \"m*l^2/12\"", ""},
                     {"m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2) + J/2*(a1'^2 + a2'^2)",
                      "m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2) + J1/2*a1'^2 + J2/2*a2'^2"},
                     {"m*g*(y1 + y2)", "g*(m1*y1 + m2*y2)"}});
}

/// The same of bodies, in the plane or in space.
std::string make_slider_crank_bodies(const problems::SliderCrankData& data, bool plane) {
  const double x = data.l * std::cos(data.start);
  const double y = data.l * std::sin(data.start);
  const std::string end = plane ? "]" : ", 0]";
  const auto at = [&](double a, double b) { return "[" + text_of(a) + ", " + text_of(b) + end; };
  const auto body = [&](const std::string& name, double m, double J, const std::string& centre) {
    // The inertia across the plane counts; the others make a body of it.
    const std::string j = text_of(J);
    return "[body." + name + "]\nmass = " + text_of(m) + "\ncentre = " + centre +
           "\ninertia = " + (plane ? j : "[" + j + ", " + j + ", " + j + "]") + "\n";
  };
  const auto hinge = [](const std::string& name, const std::string& between,
                        const std::string& place) {
    return "[joint." + name + "]\ntype = \"revolute\"\nbetween = " + between + "\nat = " + place +
           "\n";
  };
  return "format = \"driftless/1\"\n" + std::string(plane ? "space = \"plane\"\n" : "") +
         "gravity = " + at(0, -data.g) + "\n" + body("crank", data.m1, data.J1, at(x / 2, y / 2)) +
         body("rod", data.m2, data.J2, at(1.5 * x, y / 2)) +
         hinge("A", R"(["ground", "crank"])", at(0, 0)) +
         hinge("B", R"(["crank", "rod"])", at(x, y)) +
         "[constraint.C]\ntype = \"point_on_line\"\nbetween = [\"ground\", \"rod\"]\nat = " +
         at(2 * x, 0) + "\naxis = " + at(1, 0) +
         "\n[measure.S]\ntype = \"point\"\nbody = \"rod\"\nat = " + at(2 * x, 0) +
         "\n[record]\nx_s = \"S.x\"\n[method]\nformulation = \"braun_goldfarb\"\n"
         "integrator = \"rk4\"\nstep = 0.01\n";
}

enum class Maker { equations, plane, space };

struct SliderCrankTrials {
  Maker maker = Maker::equations;
  unsigned seed = 1;
  int count = 0;
  /// Steps per period; 0: adaptive. With 350 the singular pose, at a quarter period, is hit by the middle stages.
  double steps = 350;
  double error = 2e-4;  ///< largest one, relative to a link's length
};

void check_slider_cranks(const SliderCrankTrials& trials) {
  Random random(trials.seed);
  const int count = trials.count;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE("slider-crank " + std::to_string(k));
    const double l = random.between(0.2, 3.0);
    const problems::SliderCrankData data{.l = l,
                                         .g = random.between(1.0, 20.0),
                                         .m1 = random.between(0.1, 5.0),
                                         .m2 = random.between(0.1, 5.0),
                                         .J1 = random.between(0.02, 0.3) * l * l,
                                         .J2 = random.between(0.02, 0.3) * l * l,
                                         .start = random.between(0.3, 1.2)};
    const SliderCrank exact(data);
    Trial trial;
    if (trials.steps > 0) {
      trial.step = exact.period() / trials.steps;
    } else {
      trial.method = "braun_goldfarb/dopri5";
      trial.tolerance = 1e-8;
    }
    trial.until = 10 * exact.period();
    std::string text;
    if (trials.maker == Maker::equations) {
      trial.sets = start_slider_crank(data.start);
      trial.sets.insert(trial.sets.begin(), {{"l", text_of(data.l)}, {"g", text_of(data.g)}});
      text = make_slider_crank(data);
    } else {
      text = make_slider_crank_bodies(data, trials.maker == Maker::plane);
    }
    const Result result = run_text(text, trial);
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    const double energy = (data.m1 + data.m2) * data.g * l;
    expect_at_most("phi", result.report.max_phi / l, 1e-9);
    expect_at_most("energy", result.report.max_energy_error / energy, 1e-9);
    expect_at_most("error", slider_error(result, exact) / l, trials.error);
  }
}

TEST(LongPaper000Random, SliderCranksWithAdaptiveSteps) {
  check_slider_cranks({.count = 12, .steps = 0});
}

// Links of different mass make the singular pose unsymmetric, and the rows' acceleration vanishes there.
TEST(LongPaper000Random, SliderCranksWithFixedSteps) { check_slider_cranks({.count = 40}); }

TEST(LongPaper000Random, SliderCranksOfBodies) {
  check_slider_cranks({.maker = Maker::plane, .count = 20});
  check_slider_cranks({.maker = Maker::space, .count = 5});
}

TEST(LongPaper000Random, SliderCranksOfBodiesWithAdaptiveSteps) {
  check_slider_cranks({.maker = Maker::plane, .count = 5, .steps = 0});
}

// The bars are those of order 4 for the hardest of them, a light crank that starts almost upright; another branch is
// off by a link's length.
TEST(VerifyPaper000Random, SliderCranksWithFixedSteps) {
  for (const auto& [steps, error] :
       {std::pair{200.0, 5e-3}, {350.0, 5e-4}, {353.7, 5e-4}, {700.0, 4e-5}}) {
    SCOPED_TRACE(steps);
    for (const Maker maker : {Maker::equations, Maker::plane}) {
      check_slider_cranks({.maker = maker, .seed = 7, .count = 97, .steps = steps, .error = error});
    }
  }
}

/// The double four-bar with five different links and any start angle: still theta'' = -k cos(theta).
struct FourBarData {
  double l, g, angle, rate;
  double rocker[3], coupler[2];  ///< masses
};

std::string make_four_bar_text(const FourBarData& data) {
  const auto link = [](double mass, const std::string& a, const std::string& b) {
    const std::string m = text_of(mass / 6);
    return " + " + m + "*(" + a + "'^2 + " + a + "'*" + b + "' + " + b + "'^2)";
  };
  std::string kinetic = "0";
  std::string potential = "0";
  for (int k = 0; k < 3; ++k) {
    const std::string n = std::to_string(k + 1);
    kinetic += " + " + text_of(data.rocker[k] / 6) + "*(x" + n + "'^2 + y" + n + "'^2)";
    potential += " + " + text_of(data.rocker[k] / 2) + "*y" + n;
  }
  for (int k = 0; k < 2; ++k) {
    const std::string n = std::to_string(k + 1);
    const std::string next = std::to_string(k + 2);
    kinetic +=
        link(data.coupler[k], "x" + n, "x" + next) + link(data.coupler[k], "y" + n, "y" + next);
    potential += " + " + text_of(data.coupler[k] / 2) + "*(y" + n + " + y" + next + ")";
  }
  const std::string old_kinetic = R"(m/6*(x1'^2 + y1'^2) + m/6*(x2'^2 + y2'^2) + m/6*(x3'^2 + y3'^2)
+ m/6*(x1'^2 + x1'*x2' + x2'^2 + y1'^2 + y1'*y2' + y2'^2)
+ m/6*(x2'^2 + x2'*x3' + x3'^2 + y2'^2 + y2'*y3' + y3'^2))";
  return edit_model("double_four_bar",
                    {{old_kinetic, kinetic}, {"m*g*(y1 + 3/2*y2 + y3)", "g*(" + potential + ")"}});
}

TEST(LongPaper000Random, DoubleFourBars) {
  Random random(2);
  for (int k = 0; k < 12; ++k) {
    SCOPED_TRACE("double four-bar " + std::to_string(k));
    FourBarData data{.l = random.between(0.3, 3.0),
                     .g = random.between(1.0, 20.0),
                     .angle = random.between(-pi, pi),
                     .rate = 0.0,
                     .rocker = {},
                     .coupler = {}};
    double inertia = 0.0;
    double moment = 0.0;
    for (double& mass : data.rocker) {
      mass = random.between(0.2, 3.0);
      inertia += mass / 3;
      moment += mass / 2;
    }
    for (double& mass : data.coupler) {
      mass = random.between(0.2, 3.0);
      inertia += mass;
      moment += mass;
    }
    const double stiffness = moment / inertia * data.g / data.l;
    // Enough to pass the upright pose, slowly or fast.
    const double least = std::sqrt(2 * stiffness * (1 - std::sin(data.angle)));
    data.rate =
        (k % 2 == 0 ? -1.0 : 1.0) * (least + random.between(0.3, 1.5) * std::sqrt(stiffness));
    const Pendulum exact(stiffness, data.angle, data.rate);
    Trial trial;
    trial.step = 0.034 / std::sqrt(stiffness);  // as 0.01 s in the paper's example
    trial.until = 20 / std::sqrt(stiffness);
    trial.sets = {{"l", text_of(data.l)}, {"g", text_of(data.g)}};
    for (int joint = 1; joint <= 3; ++joint) {
      const std::string n = std::to_string(joint);
      const double c = std::cos(data.angle);
      const double s = std::sin(data.angle);
      trial.sets.emplace_back("x" + n, text_of(data.l * (joint - 1 + c)));
      trial.sets.emplace_back("y" + n, text_of(data.l * s));
      trial.sets.emplace_back("x" + n + "'", text_of(-data.l * s * data.rate));
      trial.sets.emplace_back("y" + n + "'", text_of(data.l * c * data.rate));
    }
    const Result result = run_text(make_four_bar_text(data), trial);
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    expect_at_most("phi", result.report.max_phi / (data.l * data.l), 1e-10);
    expect_at_most("energy", result.report.max_energy_error / (moment * data.g * data.l), 1e-10);
    expect_at_most("error", joint_error(result, exact, data.l) / data.l, 2e-4);
  }
}

/// `angle`: what the crank turns in a step, about.
void check_change_point_four_bars(int count, double angle, double error) {
  Random random(3);
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE("change-point four-bar " + std::to_string(k));
    const double scale = random.between(0.2, 3.0);
    const double crank = random.between(0.6, 1.2);
    const double coupler = random.between(1.8, 3.2);
    const double rocker = random.between(1.6, 3.0);
    problems::ChangePointData data{.crank = scale * crank,
                                   .coupler = scale * coupler,
                                   .rocker = scale * rocker,
                                   .ground = scale * (coupler + rocker - crank),
                                   .m = random.between(0.2, 5.0),
                                   .g = random.between(1.0, 20.0)};
    data.speed = std::sqrt(data.g / data.crank) * random.between(2.8, 4.0);
    const ChangePointFourBar exact(data);
    ASSERT_GT(exact.least_kinetic_energy(), 0.0);
    Trial trial;
    trial.step = angle / data.speed;
    trial.until = 50 / data.speed;
    trial.sets = {{"crank", text_of(data.crank)},   {"coupler", text_of(data.coupler)},
                  {"rocker", text_of(data.rocker)}, {"ground", text_of(data.ground)},
                  {"m", text_of(data.m)},           {"g", text_of(data.g)},
                  {"speed", text_of(data.speed)}};
    const Result result = run_model("change_point_four_bar", trial);
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    expect_at_most("phi", result.report.max_phi / (data.crank * data.crank), 1e-5);
    expect_at_most("error", linkage_error(result, exact) / data.crank, error);
  }
}

TEST(LongPaper000Random, ChangePointFourBars) { check_change_point_four_bars(12, 0.04, 1e-2); }

TEST(VerifyPaper000Random, ChangePointFourBars) {
  for (const double angle : {0.08, 0.04, 0.02}) check_change_point_four_bars(97, angle, 1e-3);
}

// ---- samples between steps -----------------------------------------------------------------------

TEST(Paper000Samples, BetweenStepsAsGoodAsOnSteps) {
  const Trial on_steps{.step = 0.01, .until = 20, .every = 0.01};
  const Trial between{.step = 0.01, .until = 20, .every = 0.0173};
  {
    const SliderCrank exact;
    const Result a = run_model("slider_crank", on_steps);
    const Result b = run_model("slider_crank", between);
    EXPECT_LE(slider_error(b, exact), 1.2 * slider_error(a, exact));
    expect_at_most("slider_crank_phi", max_of(column(b, "phi")), 1e-12);
    expect_at_most("slider_crank_energy", max_of(column(b, "energy_error")), 1e-11);
  }
  {
    const Result a = run_model("double_four_bar", on_steps);
    const Result b = run_model("double_four_bar", between);
    const Pendulum exact = make_four_bar(1.0);
    EXPECT_LE(joint_error(b, exact), 1.2 * joint_error(a, exact));
    expect_at_most("double_four_bar_phi", max_of(column(b, "phi")), 1e-11);
    expect_at_most("double_four_bar_energy", max_of(column(b, "energy_error")), 1e-11);
  }
}

TEST(Paper000Samples, DoNotChangeTheRun) {
  const Result a = run_model("double_four_bar", {.step = 0.01, .until = 5, .every = 5});
  const Result b = run_model("double_four_bar", {.step = 0.01, .until = 5, .every = 0.0173});
  for (const std::string name : {"x1", "y1", "x3", "y3", "x3'", "y3'"}) {
    EXPECT_EQ(last(a, name), last(b, name)) << name;
  }
}

// ---- cost ----------------------------------------------------------------------------------------

// Five factorisations per step: four stages and the projection, whose factorisation at the new velocity's place is the
// next step's first stage, but for the few steps near a singular pose, where the two take different tolerances. The
// energy correction uses that one, too, and adds none.
TEST(Paper000Cost, AboutFiveFactorisationsPerStep) {
  for (const std::string model : {"slider_crank", "double_four_bar", "change_point_four_bar"}) {
    const Trial trial{.step = 0.01, .until = 1, .every = 0.01};
    Trial without_energy = trial;
    without_energy.method = "braun_goldfarb/rk4/project";
    const Report a = run_model(model, trial).report;
    const Report b = run_model(model, without_energy).report;
    EXPECT_EQ(a.steps, 100) << model;
    // Beside singular poses stages take up to two more [FLD.6].
    EXPECT_LE(a.factorisations, 5 * a.steps + 1 + a.steps / 2) << model;
    EXPECT_EQ(a.factorisations, b.factorisations) << model;
  }
}

}  // namespace
}  // namespace driftless::trials
