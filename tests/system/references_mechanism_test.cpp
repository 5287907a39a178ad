// Mechanisms against published reference values: IFToMM's A01 and A02, from 128-bit runs of the reduced equations of
// motion and, where nothing is tabulated, from elliptic functions; and chains against a closed form and their equations.

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/templates.hpp"
#include "tests/problems/references.hpp"
#include "tests/system/reference_samples.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

/// Smaller values are compared with this, as in the benchmark library.
constexpr double kLeast = 1e-3;

// ---- A01: the simple pendulum ------------------------------------------------------------------------

const Columns kBob{"bob.x", "bob.y", "bob.x'", "bob.y'"};

const std::vector<Sample>& a01() {
  static const std::vector<Sample> samples{{1,
                                            {9.862917511318753194e-01, -1.650108531255411688e-01,
                                             2.969055159163158216e-01, 1.774643641112655626e+00}},
                                           {2,
                                            {-7.935661953433217470e-01, -6.084839304437915146e-01,
                                             -2.102437874436125790e+00, 2.741935393010509080e+00}},
                                           {5,
                                            {-9.423054350437573355e-01, -3.347543384140005808e-01,
                                             8.579042568859490731e-01, -2.414928654370488623e+00}},
                                           {9.99,
                                            {-3.164364699130322912e-01, -9.486137045757765192e-01,
                                             4.092451991494020743e+00, -1.365151120240304706e+00}},
                                           {10,
                                            {-2.750874625761168601e-01, -9.614192050991250643e-01,
                                             4.175598100951728836e+00, -1.194749054560475272e+00}},
                                           {20,
                                            {9.969071739909918154e-01, -7.858808080933375103e-02,
                                             9.758532797669008710e-02, 1.237891452932287606e+00}}};
  return samples;
}

TEST(ReferenceA01, ElevenDigits) {
  const Result result = run_model("pendulum_bodies", make_tight(20, 0.01));
  expect_at_most("error", find_relative_error(result, kBob, a01(), kLeast), 1e-10);
}

// The library allows an error of 1e-3 at its highest precision, and 5e-5 J of energy.
TEST(ReferenceA01, AsTheFileSays) {
  const Result result = run_model("pendulum_bodies", {.until = 20, .every = 0.01});
  ASSERT_EQ(result.report.status, Status::ok);
  expect_at_most("error", find_relative_error(result, kBob, a01(), kLeast), 1e-5);
  expect_at_most("energy", result.report.max_energy_error, 1e-12);
}

TEST(VerifyReferences, A01Over2000Seconds) {
  const std::vector<Sample> end{{2000,
                                 {8.146030685890321521e-01, -5.800188278369354616e-01,
                                  -1.956647707882657870e+00, -2.747999117430392282e+00}}};
  Trial trial = make_tight(2000, 0.5);
  trial.tolerance = 1e-13;
  expect_at_most("tight",
                 find_relative_error(run_model("pendulum_bodies", trial), kBob, end, kLeast), 1e-8);
  expect_at_most("as_the_file_says",
                 find_relative_error(run_model("pendulum_bodies", {.until = 2000, .every = 0.5}),
                                     kBob, end, kLeast),
                 1e-3);
}

// ---- A02: n four-bars --------------------------------------------------------------------------------

std::string make_four_bars(int n) {
  return make_template("n-four-bar", {{"n", std::to_string(n)}});
}

const Columns kCrank{"B0_x", "B0_y", "crank0.angle", "crank0.angle'"};

/// Bx, By, and the angle from where it starts, π/2, with its rate.
std::vector<Sample> a02(int n) {
  struct Row {
    double t, x, y, th, rate;
  };
  static const std::array<std::vector<Row>, 2> rows{
      {{{1, -2.607126751836503563e-01, -9.654164391590731679e-01, -1.834556661142161277e+00,
         -6.875591948593315021e+00},
        {2, 7.708547179286707673e-02, 9.970244881839518260e-01, -4.789550999536391904e+00,
         -1.034434845796021224e+00},
        {4, 1.589555042571177732e-01, 9.872857477277616477e-01, -1.115520690345757740e+01,
         -1.139887869703673865e+00},
        {5, -9.449081860429538914e-01, -3.273354853189834608e-01, -1.537448094142012887e+01,
         -5.678977607488001585e+00},
        {10, 4.783850577609705590e-01, 8.781501787912093012e-01, -3.034394497094312789e+01,
         -1.966934719440319456e+00},
        {20, 9.590999596306679719e-01, -2.830676022374356190e-01, -6.311884409590109382e+01,
         -5.586460742462814820e+00}},
       {{1, -1.950203019494350936e-01, -9.807992056621738326e-01, -1.767074476310201113e+00,
         -6.807385240869445537e+00},
        {2, 5.781579576801143185e-02, 9.983272678634554813e-01, -4.770237034517434986e+00,
         -1.018964591438536707e+00},
        {4, 1.176161023768086117e-01, 9.930591384513251010e-01, -1.111346326671907530e+01,
         -1.076511180085543022e+00},
        {5, -8.113104610051074122e-01, -5.846155453489755477e-01, -1.508355715985858601e+01,
         -6.105067553519620989e+00},
        {10, 3.284581115408153787e-01, 9.445185381786009622e-01, -3.017980086019120520e+01,
         -1.506642180841829470e+00},
        {20, 8.397465743068435465e-01, 5.429785363528846616e-01, -6.225787306635122397e+01,
         -3.385442556429287591e+00}}}};
  std::vector<Sample> samples;
  for (const Row& row : rows[static_cast<std::size_t>(n - 1)]) {
    samples.push_back({row.t, {row.x, row.y, row.th - pi / 2, row.rate}});
  }
  return samples;
}

/// ((n+1)/3 + n) th'' = -((n+1)/2 + n) g cos(th): a pendulum, whose motion elliptic functions tell.
double find_a02_error(const Result& result, int n) {
  const problems::Pendulum exact(9.81 * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n), pi / 2, -1);
  return max_error(result, {"B0_x", "B0_y"}, [&](double t) {
    return Values{std::cos(exact.angle(t)), std::sin(exact.angle(t))};
  });
}

TEST(LongReferenceA02, NineDigitsForOneAndTwo) {
  for (const int n : {1, 2}) {
    SCOPED_TRACE(n);
    const Result result = run_text(make_four_bars(n), make_tight(20, 0.01));
    expect_at_most("table", find_relative_error(result, kCrank, a02(n), kLeast), 1e-9);
    expect_at_most("exact", find_a02_error(result, n), 1e-9);
  }
}

TEST(LongReferenceA02, AnyNumberOfLoops) {
  for (const int n : {3, 5, 8}) {
    SCOPED_TRACE(n);
    Trial trial = make_tight(4, 0.02);
    trial.tolerance = 1e-11;
    const Result result = run_text(make_four_bars(n), trial);
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    expect_at_most("exact", find_a02_error(result, n), 1e-8);
    expect_at_most("phi", result.report.max_phi, 1e-12);
  }
}

TEST(LongReferenceA02, AsTheTemplateSays) {
  for (const int n : {1, 2, 4}) {
    SCOPED_TRACE(n);
    const Result result = run_text(make_four_bars(n), {.until = 10, .every = 0.02});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    expect_at_most("exact", find_a02_error(result, n), 1e-5);
    expect_at_most("phi", result.report.max_phi, 1e-12);
    expect_at_most("energy", result.report.max_energy_error, 1e-11);
  }
}

TEST(VerifyReferences, A02GridOfLoops) {
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20}) {
    SCOPED_TRACE(n);
    for (const double step : {0.02, 0.01, 0.005}) {
      const Result result = run_text(make_four_bars(n), {.step = step, .until = 10, .every = 0.02});
      ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
      expect_at_most("exact", find_a02_error(result, n), 1e-5 * std::pow(step / 0.01, 4));
      expect_at_most("phi", result.report.max_phi, 1e-9);
    }
  }
}

TEST(VerifyReferences, A02FortyLoopsAsIn2005) {
  const Result result = run_text(make_four_bars(40), {.until = 20, .every = 0.05});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("exact", find_a02_error(result, 40), 1e-3);  // the library's high precision
}

TEST(VerifyReferences, A02TwoLoopsOver1000Seconds) {
  const Result result = run_text(make_four_bars(2), {.until = 1000, .every = 0.5});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("exact", find_a02_error(result, 2), 5e-4);
  const Values middle = at(result, 100, {"B0_x", "B0_y"});
  EXPECT_NEAR(middle[0], 0.2662388331726499, 5e-5);
  EXPECT_NEAR(middle[1], -0.9639070928833680, 5e-5);
  EXPECT_NEAR(last(result, "B0_x"), -0.4989931346860123, 5e-4);
  EXPECT_NEAR(last(result, "B0_y"), 0.8666059378611638, 5e-4);
}

// ---- chains ------------------------------------------------------------------------------------------

std::string make_chain(int n, const std::string& joint) {
  return make_template("chain", {{"n", std::to_string(n)}, {"joint", joint}});
}

constexpr double kInertia = (3 * 0.03 * 0.03 + 1) / 12;  // of a link, 1 kg, across it

TEST(ReferenceChain, OneLinkIsAPendulum) {
  const problems::Pendulum exact(9.81 / 2 / (kInertia + 0.25), -pi / 3, 0);
  const Result result = run_text(make_chain(1, "revolute"), make_tight(10, 0.1));
  expect_at_most(
      "place",
      max_error(result, {"link1.x", "link1.y"},
                [&](double t) {
                  return Values{std::cos(exact.angle(t)) / 2, std::sin(exact.angle(t)) / 2};
                }),
      1e-9);
}

/// The same chain by the angles of its links from the vertical, with the places of their centres.
std::string make_chain_equations(int n) {
  std::string coordinates, kinetic, potential, records;
  std::string x = "0", y = "0", u = "0", w = "0";  // of the joint above, and its velocity
  for (int k = 1; k <= n; ++k) {
    const auto step = [k](std::string& place, const char* term) {
      const std::string before = place;
      place += " + " + fmt::format(fmt::runtime(term), k);
      return "0.5*((" + before + ") + (" + place + "))";  // the centre is half way
    };
    coordinates += fmt::format("a{} = \"30 deg\"\n", k);
    records += fmt::format("x{} = \"{}\"\n", k, step(x, "sin(a{0})"));
    const std::string height = step(y, "(-cos(a{0}))");
    records += fmt::format("y{} = \"{}\"\n", k, height);
    potential += " + " + height;
    kinetic += fmt::format(" + {:.17g}*a{}'^2 + ({})^2 + ({})^2", kInertia, k,
                           step(u, "cos(a{0})*a{0}'"), step(w, "sin(a{0})*a{0}'"));
  }
  return fmt::format(
      "format = \"driftless/1\"\n[coordinates]\n{}[energy]\nkinetic = \"0.5*(0{})\"\npotential = "
      "\"9.81*(0{})\"\n[record]\n{}[method]\nformulation = \"index1\"\nintegrator = \"dop853\"\n",
      coordinates, kinetic, potential, records);
}

TEST(ReferenceChain, LinksMoveAsTheirEquations) {
  Trial trial = make_tight(3, 0.1);
  const Result hinges = run_text(make_chain(4, "revolute"), trial);
  trial.sets = {{"link1.z'", "0"}};
  const Result balls = run_text(make_chain(4, "spherical"), trial);
  trial.sets.clear();
  trial.method = "index1/dop853";
  const Result equations = run_text(make_chain_equations(4), trial);
  ASSERT_EQ(equations.report.status, Status::ok) << equations.report.message;
  for (int k = 1; k <= 4; ++k) {
    for (const char axis : {'x', 'y'}) {
      const Values exact = column(equations, fmt::format("{}{}", axis, k));
      const Values one = column(hinges, fmt::format("link{}.{}", k, axis));
      const Values two = column(balls, fmt::format("link{}.{}", k, axis));
      for (std::size_t row = 0; row < exact.size(); ++row) {
        EXPECT_NEAR(one[row], exact[row], 1e-9);
        EXPECT_NEAR(two[row], exact[row], 1e-9);
      }
    }
  }
}

// Thrown sideways, a chain of balls keeps its angular momentum about the vertical through its joint, y.
TEST(ReferenceChain, BallsKeepTheMomentumAboutTheVertical) {
  const Result result = run_text(make_chain(3, "spherical"), make_tight(2, 0.1));
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  Values momentum(result.row_count(), 0.0);
  for (int k = 1; k <= 3; ++k) {
    const auto get = [&](const char* what) {
      return column(result, fmt::format("link{}.{}", k, what));
    };
    const Values x = get("x"), z = get("z"), u = get("x'"), w = get("z'");
    const Values q0 = get("q0"), q1 = get("q1"), q2 = get("q2"), q3 = get("q3");
    const Values wx = get("wx"), wy = get("wy"), wz = get("wz");
    // J = across everywhere, less along the link, which is drawn 30 deg off the vertical: d in body axes.
    const double along = 0.03 * 0.03 / 2;
    const double d[2] = {0.5, -std::sqrt(0.75)};
    for (std::size_t row = 0; row < x.size(); ++row) {
      const double spin = (along - kInertia) * (d[0] * wx[row] + d[1] * wy[row]);
      const double l[3] = {kInertia * wx[row] + spin * d[0], kInertia * wy[row] + spin * d[1],
                           kInertia * wz[row]};
      momentum[row] += z[row] * u[row] - x[row] * w[row] +
                       2 * (q1[row] * q2[row] + q0[row] * q3[row]) * l[0] +
                       (1 - 2 * (q1[row] * q1[row] + q3[row] * q3[row])) * l[1] +
                       2 * (q2[row] * q3[row] - q0[row] * q1[row]) * l[2];
    }
  }
  EXPECT_GT(std::abs(momentum.front()), 0.1);
  for (const double value : momentum) EXPECT_NEAR(value, momentum.front(), 1e-9);
}

}  // namespace
}  // namespace driftless::trials
