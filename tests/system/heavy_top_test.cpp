// The heavy tops of the Lie-group literature, to reference values of a 128-bit run and to the top's own equations on
// SO(3), which are integrated here; also tops without any symmetry.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/math/vec3.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using Columns = std::vector<std::string>;

Trial make_tight(double until, double every) {
  return {.method = "braun_goldfarb/dop853", .tolerance = 1e-12, .until = until, .every = every};
}

const Columns kPlace{"top.x", "top.y", "top.z"};
const Columns kTurn{"top.q0", "top.q1", "top.q2", "top.q3", "top.wx", "top.wy", "top.wz"};

/// Place; quaternion and rates. A quaternion and its negative are the same.
struct TopSample {
  double t;
  Values place, turn;
};

const std::vector<TopSample>& slow_top() {
  static const std::vector<TopSample> samples{
      {1,
       {-3.11686470626238197744e-02, -9.83383681419676809500e-01, -1.78843648357354807238e-01},
       {5.54561190876888451914e-02, -7.32572046516722851309e-01, 7.23379440258960371723e-02,
        -6.74559142975720740239e-01, -1.96690095476840065460e-01, 1.5,
        -1.84888406693620768476e+00}},
      {2,
       {4.96286282388583733249e-02, 7.58123502845548779557e-01, -6.50219773378451157649e-01},
       {6.76206853961763308849e-02, 1.38868042414957250589e-03, 9.35141269717750043687e-01,
        -3.47758997214889026924e-01, -3.49061297751797339533e+00, 1.5, 6.15464727156444454304e-01}},
      {5,
       {1.64103957467813514678e-01, 9.54852587852527856469e-01, -2.47641730358057029916e-01},
       {-8.22139156744830660700e-01, 5.80535222629671620062e-02, -5.49102450252375663335e-01,
        1.38576674179312182851e-01, -8.48242742702397607886e-01, 1.5, -2.01658014184704476551e+00}},
      {10,
       {1.86964766776935503857e-01, 5.32607737463549793619e-01, -8.25453314232855044085e-01},
       {2.80576358531277693035e-01, -4.99609791562276258864e-02, 8.29204905777276990738e-01,
        -4.80832644305662853249e-01, 2.70006138813037517181e+00, 1.5,
        -2.94245353247078135541e+00}}};
  return samples;
}

const std::vector<TopSample>& fast_top() {
  static const std::vector<TopSample> samples{
      {0.2,
       {6.05550561377119770136e-01, 5.98957681794919157685e-01, -5.23983027430003184781e-01},
       {-7.08279152974312562109e-01, 4.38781088126581897370e-01, 5.45728396145417673415e-01,
        8.93997528240050104624e-02, -2.69159091214340862135e+00, 150, 4.91726098989399441715e+00}},
      {1,
       {1.73343964098386042592e-01, 6.40088592070568782861e-01, -7.48490791133581309484e-01},
       {7.32943980679663718147e-01, -2.78285719337612678518e-01, 5.31824611334162617923e-01,
        -3.20176142736249281409e-01, -8.22078101682704456256e-01, 150,
        -5.92329134811733618608e+00}},
      {2,
       {-1.50416822745641759810e-01, -7.24165591636895650749e-01, -6.73022269560444096050e-01},
       {1.22947135041533467104e-01, -4.91079892550027014699e-01, 3.50430030343620961839e-01,
        -7.87986887550485669324e-01, 1.22233219497394236787e-01, 150,
        -5.85562458920545772829e+00}}};
  return samples;
}

double find_top_error(const Result& result, const std::vector<TopSample>& samples) {
  double worst = 0.0;
  for (const TopSample& sample : samples) {
    Values turn = at(result, sample.t, kTurn);
    double product = 0.0;
    for (std::size_t k = 0; k < 4; ++k) product += turn[k] * sample.turn[k];
    for (std::size_t k = 0; k < 4; ++k) turn[k] *= product < 0.0 ? -1.0 : 1.0;
    const Values place = at(result, sample.t, kPlace);
    for (std::size_t k = 0; k < 3; ++k) {
      worst = std::max(worst, std::abs(place[k] - sample.place[k]));
    }
    for (std::size_t k = 0; k < 7; ++k) {
      worst = std::max(worst, std::abs(turn[k] - sample.turn[k]));
    }
  }
  return worst;
}

TEST(ReferenceHeavyTop, SlowAndFastToNineDigits) {
  const Result slow = run_model("heavy_top", make_tight(10, 0.1));
  expect_at_most("slow", find_top_error(slow, slow_top()), 1e-9);
  const Result fast = run_model("heavy_top_fast", make_tight(2, 0.1));
  expect_at_most("fast", find_top_error(fast, fast_top()), 1e-9);
}

TEST(ReferenceHeavyTop, AsTheFilesSay) {
  const Result slow = run_model("heavy_top", {.until = 10, .every = 0.1});
  ASSERT_EQ(slow.report.status, Status::ok);
  expect_at_most("slow", find_top_error(slow, slow_top()), 1e-5);
  const Result fast = run_model("heavy_top_fast", {.until = 2, .every = 0.1});
  ASSERT_EQ(fast.report.status, Status::ok);
  expect_at_most("fast", find_top_error(fast, fast_top()), 1e-4);
  for (const Result& result : {slow, fast}) {
    expect_at_most("phi", result.report.max_phi, 1e-12);
    expect_at_most("energy", result.report.max_energy_error, 1e-10);
  }
}

/// The top's own equations (Arnold 2016, eq. (34)), J̄ = J - m X̃X̃ about the tip:
///   R' = R Ω̃,   J̄ Ω' = X × Rᵀ m γ - Ω × J̄ Ω
/// in steps of RK4, with the axes of the body in the world as columns of R.
struct TopEquations {
  double mass;
  std::array<double, 3> moments;  ///< J, principal
  Vector3 arm;                    ///< X, body axes

  struct Motion {
    Axes<double> axes;
    Vector3 rate;
  };

  Motion run(Motion y, double until, int steps) const {
    const double h = until / steps;
    for (int n = 0; n < steps; ++n) {
      const Motion k1 = derive(y);
      const Motion k2 = derive(move(y, h / 2, k1));
      const Motion k3 = derive(move(y, h / 2, k2));
      const Motion k4 = derive(move(y, h, k3));
      y = move(move(move(move(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    }
    return y;
  }

 private:
  static Motion move(const Motion& y, double h, const Motion& k) {
    return {{y.axes.x + h * k.axes.x, y.axes.y + h * k.axes.y, y.axes.z + h * k.axes.z},
            y.rate + h * k.rate};
  }
  Vector3 multiply(const Vector3& a) const {  // J̄ a = J a + m X × (a × X)
    const Vector3 own{moments[0] * a.x, moments[1] * a.y, moments[2] * a.z};
    return own + mass * cross(arm, cross(a, arm));
  }
  /// J̄ x = b by Cramer's rule.
  Vector3 solve(const Vector3& b) const {
    const Vector3 c0 = multiply({1, 0, 0});
    const Vector3 c1 = multiply({0, 1, 0});
    const Vector3 c2 = multiply({0, 0, 1});
    const double d = dot(c0, cross(c1, c2));
    return (1 / d) * Vector3{dot(b, cross(c1, c2)), dot(c0, cross(b, c2)), dot(c0, cross(c1, b))};
  }
  Motion derive(const Motion& y) const {
    const Vector3& w = y.rate;
    const Vector3 weight = apply_inverse(y.axes, {0, 0, -9.81 * mass});
    return {{w.z * y.axes.y - w.y * y.axes.z, w.x * y.axes.z - w.z * y.axes.x,
             w.y * y.axes.x - w.x * y.axes.y},
            solve(cross(arm, weight) - cross(w, multiply(w)))};
  }
};

/// Of place and rates at the times 1, 2, ... s.
double compare_top(const Result& result, const TopEquations& top, TopEquations::Motion motion,
                   int seconds) {
  double worst = 0.0;
  for (int t = 1; t <= seconds; ++t) {
    motion = top.run(motion, 1.0, 4000);
    const Values got = at(result, t, {"top.x", "top.y", "top.z", "top.wx", "top.wy", "top.wz"});
    const Vector3 place = apply(motion.axes, top.arm);
    worst = std::max({worst, norm(Vector3{got[0], got[1], got[2]} - place),
                      norm(Vector3{got[3], got[4], got[5]} - motion.rate)});
  }
  return worst;
}

const TopEquations kTop{15, {0.234375, 0.46875, 0.234375}, {0, 1, 0}};

TEST(ReferenceHeavyTop, TurnedAsInArnoldsSurvey) {
  const Result result = run_model("heavy_top_turned", make_tight(10, 0.01));
  const TopEquations::Motion start{{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}, {0, 1.5, -0.0461538}};
  expect_at_most("turned", compare_top(result, kTop, start, 10), 1e-9);
  // The equations as written here give the tabulated motion of the other pose.
  const TopEquations::Motion other{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1.5, -0.0461538}};
  const Vector3 end = apply(kTop.run(other, 10.0, 40000).axes, kTop.arm);
  EXPECT_NEAR(end.z, -8.25453314232855044085e-01, 1e-11);
  // Remark 6: the nutation has its least value of 0.059 rad at about 1.1 s.
  const Values nutation = column(result, "nutation");
  const auto least = std::min_element(nutation.begin(), nutation.end()) - nutation.begin();
  EXPECT_NEAR(*(nutation.begin() + least), 0.059, 5e-4);
  EXPECT_NEAR(result.row(static_cast<std::size_t>(least))[0], 1.1, 0.05);
}

// At the start the vertical is the body's z axis; of the turned top it is its -x axis, about which it does not turn.
TEST(ReferenceHeavyTop, MomentumAboutTheVertical) {
  const std::vector<std::pair<std::string, double>> tops{{"heavy_top", 15.234375 * -0.0461538},
                                                         {"heavy_top_fast", 15.234375 * -4.61538},
                                                         {"heavy_top_turned", 0.0}};
  for (const auto& [name, momentum] : tops) {
    const Result result = run_model(name, make_tight(2, 0.01));
    for (const double value : column(result, "L_z")) EXPECT_NEAR(value, momentum, 1e-9) << name;
  }
}

// No symmetry: three different moments, a tip anywhere, any pose and any rates.
TEST(ReferenceHeavyTop, AnyTop) {
  std::mt19937_64 random(31);
  std::uniform_real_distribution<> any(-1, 1);
  for (int trial = 0; trial < 4; ++trial) {
    const TopEquations top{2 + any(random),
                           {0.05 + 0.02 * any(random), 0.06 + 0.02 * any(random), 0.07},
                           {0.3 * any(random), 0.3 * any(random), 0.4 + 0.2 * any(random)}};
    Vector3 x{any(random), any(random), any(random)};
    x = (1 / norm(x)) * x;
    Vector3 z = cross(x, Vector3{any(random), any(random), any(random)});
    z = (1 / norm(z)) * z;
    const TopEquations::Motion start{{x, cross(z, x), z},
                                     {4 * any(random), 4 * any(random), 10 * any(random)}};
    const Vector3 centre = apply(start.axes, top.arm);
    const auto list = [](const Vector3& a) {
      return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", a.x, a.y, a.z);
    };
    const std::string text =
        edit_model("heavy_top_turned",
                   {{"C = [0, 1, 0]", "C = " + list(centre)},
                    {"mass = \"15 kg\"", "mass = " + text_of(top.mass)},
                    {"inertia = [\"J1\", \"J2\", \"J1\"]",
                     "inertia = " + list({top.moments[0], top.moments[1], top.moments[2]})},
                    {"pose = { x = [0, 0, -1], z = [1, 0, 0] }",
                     "pose = { x = " + list(x) + ", z = " + list(z) + " }"},
                    {"top.wx = 0", "top.wx = " + text_of(start.rate.x)},
                    {"top.wy = \"spin\"", "top.wy = " + text_of(start.rate.y)},
                    {"top.wz = \"swing\"", "top.wz = " + text_of(start.rate.z)}});
    const Result result = run_text(text, make_tight(3, 0.1));
    expect_at_most("any", compare_top(result, top, start, 3), 1e-8);
  }
}

TEST(VerifyReferences, HeavyTopsOver1000Seconds) {
  const Result result = run_model("heavy_top", make_tight(1000, 0.1));
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("energy", result.report.max_energy_error, 1e-10);
  expect_at_most("spin", max_error(result, {"top.wy"}, [](double) { return Values{1.5}; }), 1e-8);
  expect_at_most("momentum",
                 max_error(result, {"L_z"}, [](double) { return Values{15.234375 * -0.0461538}; }),
                 1e-8);
}

}  // namespace
}  // namespace driftless::trials
