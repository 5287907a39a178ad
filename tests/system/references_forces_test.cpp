// Mechanisms with springs, motors, blades and rolling against published or closed-form references: Andrews' squeezer and
// the slider-crank of SUNDIALS from 128-bit runs of their equations of motion, Chaplygin's sleigh and the rolling disc
// from their exact solutions.

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/problems/references.hpp"
#include "tests/system/reference_samples.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

/// A model's text with further lines in [record], which must be followed by [run].
std::string add_records(const std::string& name, const std::string& lines) {
  return edit_model(name, {{"\n[run]\n", lines + "\n[run]\n"}});
}

// ---- Andrews' squeezer -------------------------------------------------------------------------------

const Columns kAngles{"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
const Columns kRates{"v1", "v2", "v3", "v4", "v5", "v6", "v7"};
const Columns kAccelerations{"w1", "w2", "w3", "w4", "w5", "w6", "w7"};
/// What the pin E does to the three links that hang on it.
const Columns kForces{"E3.force.x", "E3.force.y", "E4.force.x",
                      "E4.force.y", "E6.force.x", "E6.force.y"};

std::string make_squeezer() {
  std::string lines;
  const std::array<std::string, 7> angles{
      "K1.angle", "K2.angle@ - K1.angle", "K3.angle", "K4.angle@ - K5.angle",
      "K5.angle", "K6.angle@ - K7.angle", "K7.angle"};
  for (std::size_t k = 0; k < angles.size(); ++k) {
    for (const auto& [letter, prime] : {std::pair{"v", "'"}, std::pair{"w", "''"}}) {
      std::string angle = angles[k] + prime;
      if (const std::size_t mark = angle.find('@'); mark != std::string::npos) {
        angle.replace(mark, 1, prime);
      }
      lines += letter + std::to_string(k + 1) + " = \"" + angle + "\"\n";
    }
  }
  return add_records("andrews_squeezer", lines);
}

const std::vector<Sample> kSqueezerAngles{
    {0.01,
     {2.1601131315315265062, -1.8833642311070443193, 0.15851675800122669325,
      -0.32864107517467030658, 0.52515477479772946110, 0.32864107517467030658,
      1.0684272046324011487}},
    {0.02,
     {8.1849058896616755441, -7.8905053637304495097, 0.20953691338469755819,
      -0.23832559659585124773, 0.52253691715599637191, 0.23832559659585124773,
      1.0862751085998732416}},
    {0.03,
     {15.810771195153707097, -15.756371058411839470, 0.040822240119645804858,
      -0.53473011634207959377, 0.52440996587995406937, 0.53473011634207959377,
      1.0480807410419378731}},
    {0.05,
     {33.825867766954517332, -33.583431517463868498, 0.11339507381259901503,
      -0.40785286560188444249, 0.52606044491699582713, 0.40785286560188444249,
      1.0569024294349628310}}};

const std::vector<Sample> kSqueezerRates{
    {0.01,
     {711.92315283110397906, -786.77008085993975666, -136.43819137811969770, -240.29302926786455147,
      4.7915482253710542423, 240.29302926786455147, -41.140566961610488299}},
    {0.03,
     {1139.9203022591060642, -1424.3792951775400732, 11.032911910618593745, 19.293374105032040832,
      0.57356991482950245382, -19.293374105032040832, 0.32317914924913087499}},
    {0.05,
     {1144.5355026538474684, -1336.0337226511924540, -190.93706860429462468, -334.31706087086465358,
      0.87586508294301516139, 334.31706087086465358, -39.617288978352995018}}};

const std::vector<Sample> kSqueezerAccelerations{
    {0.03,
     {-24631.763122874634470, 51850.319636464231534, 324102.60070757860581, 566749.42200099532649,
      16743.635418345444610, -566749.42200099532649, 9826.5078015441626885}}};

const std::vector<Sample> kSqueezerForces{
    {0.01,
     {57.02529043750258, 2.967904246249483, 3.218860385008939, -18.17926986794036,
      5.159502718032351, 34.24011729160661}},
    {0.03,
     {199.17534810453862819, -29.755309974971763324, 23.066543611622151129, 31.452725275771137075,
      22.642494786394378578, 11.617392352611255907}}};

TEST(ReferenceSqueezer, TenDigits) {
  const Result result = run_text(make_squeezer(), make_tight(0.05, 1e-3));
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("angles", find_relative_error(result, kAngles, kSqueezerAngles, 0.0), 1e-10);
  expect_at_most("rates", find_relative_error(result, kRates, kSqueezerRates, 0.0), 1e-9);
  expect_at_most("accelerations",
                 find_relative_error(result, kAccelerations, kSqueezerAccelerations, 0.0), 1e-9);
  expect_at_most("forces", find_relative_error(result, kForces, kSqueezerForces, 0.0), 1e-9);
  expect_at_most("energy", result.report.max_energy_error, 1e-12);
}

// The values of the literature at the start, where everything rests.
TEST(ReferenceSqueezer, AtTheStart) {
  const Result result = run_text(make_squeezer(), {.until = 1e-4});
  const Values w = at(result, 0, kAccelerations);
  EXPECT_NEAR(w[0], 14222.4439199541138706, 1e-9);
  EXPECT_NEAR(w[1], -10666.8329399655854029, 1e-9);
  for (std::size_t k = 2; k < 7; ++k) EXPECT_NEAR(w[k], 0, 1e-9);
  const Values force = at(result, 0, kForces);
  EXPECT_NEAR(force[0], 98.5668703962410896, 1e-11);
  EXPECT_NEAR(force[1], -6.12268834425566266, 1e-11);
}

TEST(LongReferenceSqueezer, AsTheFileSays) {
  const Result result = run_model("andrews_squeezer", {.until = 0.03});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("angles", find_relative_error(result, kAngles, {kSqueezerAngles[2]}, 0.0), 1e-8);
  expect_at_most("phi", result.report.max_phi, 1e-15);
  expect_at_most("energy", result.report.max_energy_error, 1e-13);
}

// ---- the slider-crank of SUNDIALS --------------------------------------------------------------------

const Columns kSlider{"q", "x", "p", "crank.angle'", "rod.x'", "rod.angle'", "pin_x", "pin_y"};

/// q, x, p, their rates, and the multipliers: minus the force of the pin on the rod.
const std::vector<Sample> kSliderSamples{
    {1,
     {1.315420570881698150, 1.001491807230800283, -0.5049734706420014522, -0.5087929769098691673,
      0.2816690946869872423, 0.07342752901418531328, 1.054815246655325296, -0.5538207266639643729}},
    {2.5,
     {0.07223610546591181718, 1.498044718149749700, -0.03609448680772366461, -1.060526553868483560,
      0.05736881176746644320, 0.5292251099415716921, 2.058625888048209647, 0.01654951419014897381}},
    {5,
     {-1.429996967647227373, 0.9390306135782662263, 0.5178947564898862480, 0.05499161053776447944,
      0.02942223164778110037, -0.004440989758956746846, 1.221808744705758461,
      1.013122040058803464}},
    {7.5,
     {0.1804184666939866909, 1.487851315824066889, -0.08984144198250137055, 0.9941507551197133609,
      -0.1332475298238996793, -0.4909873584147283195, 2.022428645045318226,
      0.02892903743216497709}},
    {10,
     {1.275675848650239411, 1.023578558979839504, -0.4988130491824987493, -0.2399149971960006839,
      0.1337782832157776300, 0.03973149599132174184, 1.113756158263046586,
      -0.7625072751064477988}}};

std::string make_slider_crank() {
  return add_records("slider_crank_damped", "pin_x = \"-P.force.x\"\npin_y = \"-P.force.y\"\n");
}

TEST(ReferenceSliderCrank, TenDigits) {
  const Result result = run_text(make_slider_crank(), make_tight(10, 0.1));
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("error", find_relative_error(result, kSlider, kSliderSamples, 0.0), 1e-9);
}

TEST(ReferenceSliderCrank, AsTheFileSays) {
  const Result result = run_text(make_slider_crank(), {.until = 10, .every = 0.1});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("error", find_relative_error(result, kSlider, kSliderSamples, 0.0), 1e-6);
  expect_at_most("energy", result.report.max_energy_error, 1e-13);
}

// ---- Chaplygin's sleigh as a body --------------------------------------------------------------------

double find_sleigh_error(const Result& result) {
  const problems::ChaplyginSleigh exact;
  return max_error(
      result, {"blade.x", "blade.y", "sleigh.angle", "speed", "sleigh.angle'"}, [&](double t) {
        const std::vector<double> blade = exact.blade(t);
        return Values{blade[0], blade[1], exact.heading(t), exact.speed(t), exact.turning(t)};
      });
}

TEST(ReferenceSleigh, OfABodyTenDigits) {
  const Result result = run_model("chaplygin_sleigh_bodies", make_tight(10, 0.1));
  expect_at_most("error", find_sleigh_error(result), 1e-10);
  const Result own = run_model("chaplygin_sleigh_bodies", {.until = 10, .every = 0.1});
  expect_at_most("as_the_file_says", find_sleigh_error(own), 1e-7);
  EXPECT_NEAR(last(own, "blade.x"), 3.84807, 5e-6) << "the number in the model file";
}

// Across the blade: m (a w' + u w) = m u w (1 - a k), the acceleration of the mass centre; along it nothing.
TEST(ReferenceSleigh, ForceOfTheBlade) {
  const Result result = run_model("chaplygin_sleigh_bodies", make_tight(10, 0.1));
  const problems::ChaplyginSleigh exact;
  const double k = 0.2 / (0.1 + 0.04);  // m a/(J + m a²): w' = -k u w
  expect_at_most("force",
                 max_error(result, {"edge.force.x", "edge.force.y"},
                           [&](double t) {
                             const double across =
                                 exact.speed(t) * exact.turning(t) * (1 - 0.2 * k);
                             return Values{-across * std::sin(exact.heading(t)),
                                           across * std::cos(exact.heading(t))};
                           }),
                 1e-9);
}

// ---- the rolling disc --------------------------------------------------------------------------------

// Moments about the disc's middle give the rate W of the steady circle; the derivation is in relations_test.cpp.
double find_disc_error(const Result& result, double lean) {
  const double m = 1.2, R = 0.3, b = 0.55, A = 0.27 * m * R * R, C = m * R * R / 2;
  const double W =
      std::sqrt(m * 9.81 * R * std::tan(lean) / (m * R * b + C * b / R + A * std::sin(lean)));
  const double pull = m * b * W * W;
  return max_error(result,
                   {"disc.x", "disc.y", "disc.z", "roll.force.x", "roll.force.y", "roll.force.z",
                    "towards_middle"},
                   [&](double t) {
                     const double c = std::cos(W * t), s = std::sin(W * t);
                     return Values{b * c,    b * s, R * std::cos(lean), -pull * c, -pull * s,
                                   m * 9.81, pull};
                   });
}

TEST(ReferenceDisc, SteadyCircleTenDigits) {
  const Result result = run_model("rolling_disc", make_tight(10, 0.1));
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("error", find_disc_error(result, 20 * pi / 180), 1e-9);
  Trial steep = make_tight(5, 0.1);
  steep.sets = {{"lean", "55 deg"}};
  expect_at_most("steep", find_disc_error(run_model("rolling_disc", steep), 55 * pi / 180), 1e-8);
}

TEST(ReferenceDisc, AsTheFileSays) {
  const Result result = run_model("rolling_disc", {.until = 10, .every = 0.1});
  expect_at_most("error", find_disc_error(result, 20 * pi / 180), 1e-5);
  expect_at_most("phi", result.report.max_phi, 1e-14);
  expect_at_most("energy", result.report.max_energy_error, 1e-13);
  EXPECT_NEAR(last(result, "towards_middle"), 2.7636, 5e-5) << "the number in the model file";
}

}  // namespace
}  // namespace driftless::trials
