// The references against published values (shared tables of the papers, 12 digits and more) and against the equations of
// motion they claim to solve, by finite differences.

#include "tests/problems/references.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace driftless::problems {
namespace {

using std::numbers::pi;

/// x'' from values at five times.
template <class Function>
double second_derivative(Function&& x, double t, double h = 1e-3) {
  return (-x(t - 2 * h) + 16 * x(t - h) - 30 * x(t) + 16 * x(t + h) - x(t + 2 * h)) / (12 * h * h);
}
template <class Function>
double first_derivative(Function&& x, double t, double h = 1e-3) {
  return (x(t - 2 * h) - 8 * x(t - h) + 8 * x(t + h) - x(t + 2 * h)) / (12 * h);
}

TEST(EllipticFunctions, AmplitudeInvertsTheIntegral) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> angle(-20.0, 20.0);
  std::uniform_real_distribution<double> parameter(0.0, 0.999);
  for (int k = 0; k < 200; ++k) {
    const double phi = angle(random);
    const double m = parameter(random);
    EXPECT_NEAR(calc_amplitude(calc_elliptic_f(phi, m), m), phi, 1e-12) << "m = " << m;
  }
  EXPECT_NEAR(calc_elliptic_f(pi / 2, 0.5), 1.854074677301371918,
              1e-15);  // Gamma(1/4)^2/(4 sqrt(pi))
  EXPECT_DOUBLE_EQ(calc_elliptic_f(0.7, 0.0), 0.7);
}

TEST(PendulumReference, YoonsPendulum) {
  const Pendulum pendulum(1.0, 0.0, 2.0);
  EXPECT_NEAR(pendulum.period(), 3.313276340473, 1e-12);
  EXPECT_NEAR(pendulum.angle(10), 18.968089749867, 1e-12);
  EXPECT_NEAR(pendulum.angle(50), 94.805466215757, 1e-12);
  EXPECT_NEAR(pendulum.angle(100), 189.535547894357, 1e-12);
}

TEST(PendulumReference, DoubleFourBar) {
  const Pendulum bar(7 * 9.81 / 6, pi / 2, -1.0);
  EXPECT_NEAR(bar.period(), 1.942514922607, 1e-12);
  EXPECT_NEAR(bar.angle(1), -1.767074476310201113, 1e-13);
  EXPECT_NEAR(bar.rate(1), -6.807385240869445537, 1e-13);
  EXPECT_NEAR(bar.angle(20), -62.25787306635122397, 1e-12);
  EXPECT_NEAR(bar.angle(1000), -3233.7472003333, 1e-10);
  EXPECT_NEAR(std::cos(bar.angle(1000)), -0.4989931346860123, 5e-12);
  EXPECT_NEAR(std::sin(bar.angle(1000)), 0.8666059378611638, 5e-12);
}

TEST(PendulumReference, SolvesItsEquation) {
  struct Start {
    double k, angle, rate;
  };
  for (const Start& start :
       {Start{1.0, 0.0, 2.0}, Start{11.4, pi / 2, -1.0}, Start{9.81, -1.4, 0.0},
        Start{4.0, 0.3, -2.5}, Start{4.0, -2.0, 1.0}, Start{2.0, 0.5, 3.5}}) {
    const Pendulum pendulum(start.k, start.angle, start.rate);
    const auto angle = [&](double t) { return pendulum.angle(t); };
    EXPECT_NEAR(std::remainder(pendulum.angle(0) - start.angle, 2 * pi), 0.0, 1e-13);
    EXPECT_NEAR(pendulum.rate(0), start.rate, 1e-12);
    for (const double t : {0.3, 1.1, 2.7, 6.2}) {
      EXPECT_NEAR(second_derivative(angle, t), -start.k * std::cos(pendulum.angle(t)), 1e-7);
      EXPECT_NEAR(first_derivative(angle, t), pendulum.rate(t), 1e-8);
      EXPECT_NEAR(std::cos(pendulum.angle(t + pendulum.period())), std::cos(pendulum.angle(t)),
                  1e-12);
    }
  }
}

TEST(SliderCrankReference, PublishedTable) {
  const SliderCrank crank;
  EXPECT_NEAR(crank.period(), 3.53031348614507919, 1e-14);
  struct Row {
    double t, angle, rate, slider;
  };
  for (const Row& row :
       {Row{1, -1.992602483448094679, -3.691667965369802341, -0.8188179374582876699},
        Row{2, -3.803900360924525455, 1.127310768121473930, -1.577150469881570352},
        Row{5, -3.722957225680555346, -1.562159321577759745, -1.671428106415219102},
        Row{10, -0.4370073393799634355, 4.651679045054877367, 1.812044604196024793},
        Row{20, -2.74045606434624, 4.70786388029826, -1.84123558093934},
        Row{50, -0.3648496300181709902, -4.759973138527752407, 1.868354850125195254},
        Row{70, -0.507413580299652, 4.53347800951942, 1.74800843669373},
        Row{100, -2.599660450676154222, -4.473840433622289309, -1.713427331666223265}}) {
    EXPECT_NEAR(crank.angle(row.t), row.angle, 1e-12) << "t = " << row.t;
    EXPECT_NEAR(crank.rate(row.t), row.rate, 1e-12) << "t = " << row.t;
    EXPECT_NEAR(crank.slider(row.t), row.slider, 1e-12) << "t = " << row.t;
  }
}

TEST(SliderCrankReference, SolvesEquation24) {
  const SliderCrank crank({.l = 0.8,
                           .g = 7.0,
                           .m1 = 1.3,
                           .m2 = 1.3,
                           .J1 = 1.3 * 0.64 / 12,
                           .J2 = 1.3 * 0.64 / 12,
                           .start = 0.6});
  const auto angle = [&](double t) { return crank.angle(t); };
  for (const double t : {0.2, 0.9, 1.7, 3.3, 8.1}) {
    const double th = crank.angle(t);
    const double rate = crank.rate(t);
    const double expected = -3 / (5 - 3 * std::cos(2 * th)) *
                            (std::sin(2 * th) * rate * rate + 7.0 / 0.8 * std::cos(th));
    EXPECT_NEAR(second_derivative(angle, t), expected, 1e-7);
  }
}

TEST(SliderCrankReference, UnequalLinksKeepTheirEnergy) {
  const SliderCrankData data{
      .l = 1.2, .g = 9.0, .m1 = 0.5, .m2 = 2.0, .J1 = 0.1, .J2 = 0.3, .start = -3.9};
  const SliderCrank crank(data);
  const double l = data.l;
  const auto energy = [&](double t) {
    const auto x2 = [&](double s) { return 1.5 * l * std::cos(crank.angle(s)); };
    const auto y2 = [&](double s) { return 0.5 * l * std::sin(crank.angle(s)); };
    const double w = first_derivative([&](double s) { return crank.angle(s); }, t);
    const double vx = first_derivative(x2, t);
    const double vy = first_derivative(y2, t);
    return data.m1 / 2 * l * l / 4 * w * w + (data.J1 + data.J2) / 2 * w * w +
           data.m2 / 2 * (vx * vx + vy * vy) + (data.m1 + data.m2) * data.g * y2(t);
  };
  EXPECT_NEAR(crank.angle(0), data.start, 1e-14);
  for (const double t : {0.4, 1.3, 2.9, 5.5}) EXPECT_NEAR(energy(t), energy(0.0), 1e-7);
}

// The rocker's tip as the intersection of two circles, without the half-angle formula: of both, the one nearer to (x, y).
void find_tip(const ChangePointData& d, double th, double& x, double& y) {
  const double ax = d.crank * std::cos(th);
  const double ay = d.crank * std::sin(th);
  const double dx = d.ground - ax;
  const double dy = -ay;
  const double dist = std::hypot(dx, dy);
  const double along = (d.coupler * d.coupler - d.rocker * d.rocker + dist * dist) / (2 * dist);
  const double across = std::sqrt(std::max(0.0, d.coupler * d.coupler - along * along));
  const double x1 = ax + (along * dx - across * dy) / dist;
  const double y1 = ay + (along * dy + across * dx) / dist;
  const double x2 = ax + (along * dx + across * dy) / dist;
  const double y2 = ay + (along * dy - across * dx) / dist;
  const bool first = std::hypot(x1 - x, y1 - y) < std::hypot(x2 - x, y2 - y);
  x = first ? x1 : x2;
  y = first ? y1 : y2;
}

TEST(ChangePointReference, FollowsTheSmoothBranchThroughTheCollinearPose) {
  const ChangePointData data;
  const ChangePointFourBar bar(data);
  const double psi0 = bar.rocker_angle(data.start);
  double x = data.ground + data.rocker * std::cos(psi0);
  double y = data.rocker * std::sin(psi0);
  const double along = (9.0 - 4.0 + 17.0) / (2 * std::sqrt(17.0));  // the model file's start
  const double across = std::sqrt(9.0 - along * along);
  EXPECT_NEAR(x, (4 * along + across) / std::sqrt(17.0), 1e-14);
  EXPECT_NEAR(y, 1 - (along - 4 * across) / std::sqrt(17.0), 1e-14);
  // Near the pose the candidates meet; the one nearer to the straight continuation is on the smooth branch.
  double x_before = x;
  double y_before = y;
  const double step = 0.01;
  for (double th = data.start + step; th < data.start + 8 * pi; th += step) {
    double xn = 2 * x - x_before;
    double yn = 2 * y - y_before;
    find_tip(data, th, xn, yn);
    const double psi = bar.rocker_angle(th);
    ASSERT_NEAR(data.ground + data.rocker * std::cos(psi), xn, 1e-7) << "th = " << th;
    ASSERT_NEAR(data.rocker * std::sin(psi), yn, 1e-7) << "th = " << th;
    const double slope = first_derivative([&](double s) { return bar.rocker_angle(s); }, th);
    ASSERT_NEAR(bar.rocker_ratio(th), slope, 1e-9) << "th = " << th;
    x_before = x;
    y_before = y;
    x = xn;
    y = yn;
  }
}

TEST(ChangePointReference, KeepsItsEnergyInCartesianCoordinates) {
  const ChangePointData data{.crank = 0.8,
                             .coupler = 2.1,
                             .rocker = 1.7,
                             .ground = 3.0,
                             .m = 1.4,
                             .g = 8.0,
                             .start = 0.4,
                             .speed = 7.0,
                             .side = 1.0};
  const ChangePointFourBar bar(data);
  ASSERT_GT(bar.least_kinetic_energy(), 0.0);
  const auto energy = [&](double t) {
    double kinetic = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      const double v = first_derivative([&](double s) { return bar.position(s)[k]; }, t, 1e-4);
      kinetic += data.m / 2 * v * v;
    }
    return kinetic + data.m * data.g * (bar.position(t)[1] + bar.position(t)[3]);
  };
  EXPECT_NEAR(bar.crank_angle(0.0), data.start, 1e-14);
  EXPECT_NEAR(bar.crank_rate(0.0), data.speed, 1e-12);
  for (const double t : {0.5, 1.9, 3.3, 7.7}) {
    EXPECT_NEAR(energy(t), energy(0.1), 1e-7 * energy(0.1)) << "t = " << t;
    const std::vector<double> p = bar.position(t);
    EXPECT_NEAR(std::hypot(p[2] - p[0], p[3] - p[1]), data.coupler, 1e-13);
  }
}

TEST(SleighReference, SolvesItsEquations) {
  for (const SleighData& data :
       {SleighData{}, SleighData{.m = 2.0, .J = 0.4, .a = 0.5, .u0 = 0.3, .w0 = 2.0}}) {
    const ChaplyginSleigh sleigh(data);
    const double k = data.m * data.a / (data.J + data.m * data.a * data.a);
    EXPECT_NEAR(sleigh.speed(0), data.u0, 1e-14);
    EXPECT_NEAR(sleigh.turning(0), data.w0, 1e-14);
    EXPECT_NEAR(sleigh.heading(0), 0.0, 1e-14);
    for (const double t : {0.2, 1.1, 1.7, 4.0}) {
      const double u = sleigh.speed(t);
      const double w = sleigh.turning(t);
      const double th = sleigh.heading(t);
      EXPECT_NEAR(first_derivative([&](double s) { return sleigh.speed(s); }, t), data.a * w * w,
                  1e-9);
      EXPECT_NEAR(first_derivative([&](double s) { return sleigh.turning(s); }, t), -k * u * w,
                  1e-9);
      EXPECT_NEAR(first_derivative([&](double s) { return sleigh.heading(s); }, t), w, 1e-9);
      EXPECT_NEAR(first_derivative([&](double s) { return sleigh.blade(s)[0]; }, t),
                  u * std::cos(th), 1e-9);
      EXPECT_NEAR(first_derivative([&](double s) { return sleigh.blade(s)[1]; }, t),
                  u * std::sin(th), 1e-9);
    }
  }
}

}  // namespace
}  // namespace driftless::problems
