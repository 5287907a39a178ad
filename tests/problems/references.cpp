#include "tests/problems/references.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace driftless::problems {
namespace {

using std::numbers::pi;

// a, b, c of the arithmetic-geometric mean: a' = (a + b)/2, b' = sqrt(a b), c' = (a - b)/2, from 1, sqrt(1 - m).
struct Means {
  std::array<long double, 16> a{}, c{};
  int last = 0;
};

Means find_means(double m) {
  Means means;
  long double a = 1.0L;
  long double b = std::sqrt(1.0L - static_cast<long double>(m));
  means.a[0] = a;
  means.c[0] = std::sqrt(static_cast<long double>(m));
  while (means.last < 14 && std::abs(a - b) > 1e-19L * a) {
    const long double next = (a + b) / 2;
    const long double c = (a - b) / 2;
    b = std::sqrt(a * b);
    a = next;
    ++means.last;
    means.a[static_cast<std::size_t>(means.last)] = a;
    means.c[static_cast<std::size_t>(means.last)] = c;
  }
  return means;
}

// Nodes and weights of the Gauss-Legendre rule with 10 points on [-1, 1]: roots of the Legendre polynomial by Newton.
constexpr int kPoints = 10;
struct GaussRule {
  std::array<double, kPoints> x{}, w{};
  GaussRule() {
    for (int i = 0; i < kPoints; ++i) {
      long double z = std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (kPoints + 0.5L));
      long double slope = 1.0L;
      for (int pass = 0; pass < 20; ++pass) {
        long double p = 1.0L;
        long double before = 0.0L;
        for (int n = 1; n <= kPoints; ++n) {
          const long double next = ((2 * n - 1) * z * p - (n - 1) * before) / n;
          before = p;
          p = next;
        }
        slope = kPoints * (z * p - before) / (z * z - 1);
        z -= p / slope;
      }
      x[static_cast<std::size_t>(i)] = static_cast<double>(z);
      w[static_cast<std::size_t>(i)] = static_cast<double>(2 / ((1 - z * z) * slope * slope));
    }
  }
};

template <class Function>
double integrate(Function&& f, double from, double to) {
  static const GaussRule rule;
  const double middle = (from + to) / 2;
  const double half = (to - from) / 2;
  double sum = 0.0;
  for (std::size_t i = 0; i < kPoints; ++i) sum += rule.w[i] * f(middle + half * rule.x[i]);
  return half * sum;
}

}  // namespace

// ---- elliptic functions ----------------------------------------------------------------------------
//
// Abramowitz and Stegun 16.4: phi_N = 2^N a_N u, then downwards sin(2 phi_{n-1} - phi_n) = (c_n/a_n) sin phi_n gives
// am(u) = phi_0; and 17.6 upwards: tan(phi_{n+1} - phi_n) = (b_n/a_n) tan phi_n, F = phi_N/(2^N a_N). In long double,
// since u counts hundreds of revolutions.

double calc_amplitude(double u, double m) {
  const Means means = find_means(m);
  long double phi = std::ldexp(1.0L, means.last) * means.a[static_cast<std::size_t>(means.last)] *
                    static_cast<long double>(u);
  for (auto n = static_cast<std::size_t>(means.last); n > 0; --n) {
    phi = (phi + std::asin(means.c[n] / means.a[n] * std::sin(phi))) / 2;
  }
  return static_cast<double>(phi);
}

double calc_elliptic_f(double phi, double m) {
  const Means means = find_means(m);
  long double angle = phi;
  for (std::size_t n = 0; n < static_cast<std::size_t>(means.last); ++n) {
    const long double b = means.a[n + 1] - means.c[n + 1];  // b_n: a' = (a+b)/2, c' = (a-b)/2
    // atan((b/a) tan(angle)) on the branch next to `angle`
    const long double turns = std::round(angle / std::numbers::pi_v<long double>);
    const long double local = angle - turns * std::numbers::pi_v<long double>;
    const long double turned = std::atan2(b * std::sin(local), means.a[n] * std::cos(local));
    angle += turned + turns * std::numbers::pi_v<long double>;
  }
  const auto last = static_cast<std::size_t>(means.last);
  return static_cast<double>(angle / (std::ldexp(1.0L, means.last) * means.a[last]));
}

// ---- pendulum --------------------------------------------------------------------------------------
//
// With x = (theta + pi/2)/2, half the angle from the hanging position, theta'' = -k cos(theta) has the energy integral
//   x'^2 = W^2 (1 - m sin^2 x),      W^2 = x0'^2 + k sin^2 x0,   m = k/W^2.
// m < 1: it rotates, x = +-am(W t + u0 | m) with u0 = +-F(x0 | m), and x' = +-W dn.
// m > 1: it swings, sin x = a sn(sqrt(k) t + u0 | a^2) with a = 1/sqrt(m), x' = sqrt(k) a cn.

Pendulum::Pendulum(double k, double angle, double rate) {
  const double x = (angle + pi / 2) / 2;
  const double w2 = rate * rate / 4 + k * std::sin(x) * std::sin(x);
  rotates_ = w2 > k;
  sense_ = rate < 0 ? -1.0 : 1.0;
  if (rotates_) {
    speed_ = std::sqrt(w2);
    m_ = k / w2;
    amplitude_ = 1.0;
    u0_ = sense_ * calc_elliptic_f(x, m_);
  } else {
    speed_ = std::sqrt(k);
    m_ = w2 / k;
    amplitude_ = std::sqrt(m_);
    u0_ = calc_elliptic_f(std::atan2(std::sin(x), rate / (2 * speed_)), m_);
  }
}

Pendulum::Phase Pendulum::find(double t) const {
  const double am = calc_amplitude(speed_ * t + u0_, m_);
  if (rotates_) {
    const double s = std::sin(am);
    return {sense_ * am, sense_ * 2 * speed_ * std::sqrt(1 - m_ * s * s)};
  }
  return {std::asin(amplitude_ * std::sin(am)), 2 * speed_ * amplitude_ * std::cos(am)};
}

double Pendulum::angle(double t) const { return 2 * find(t).half_angle - pi / 2; }
double Pendulum::rate(double t) const { return find(t).rate; }
double Pendulum::period() const {
  return calc_elliptic_f(rotates_ ? pi : 2 * pi, m_) / speed_;  // 2 K, 4 K
}

// ---- time by quadrature ----------------------------------------------------------------------------

Clock::Clock(std::function<double(double)> f, double period, int cells)
    : f_(std::move(f)), period_(period), cell_(period / cells), times_{0.0} {
  for (int k = 0; k < cells; ++k) {
    times_.push_back(times_.back() + integrate(f_, k * cell_, (k + 1) * cell_));
  }
}

double Clock::find(double t) const {
  const double turns = std::floor(t / duration());
  const double rest = t - turns * duration();
  const auto above = std::upper_bound(times_.begin() + 1, times_.end() - 1, rest);
  const auto cell = static_cast<std::size_t>(above - times_.begin()) - 1;
  const double from = static_cast<double>(cell) * cell_;
  double s = from + cell_ * (rest - times_[cell]) / (times_[cell + 1] - times_[cell]);
  for (int pass = 0; pass < 8; ++pass) {
    const double change = (rest - times_[cell] - integrate(f_, from, s)) / f_(s);
    s += change;
    if (std::abs(change) < 1e-15 * period_) break;
  }
  return turns * period_ + s;
}

// ---- slider-crank ----------------------------------------------------------------------------------
//
// The second link has the opposite angle: x1 = l/2 (cos, sin), x2 = (3l/2 cos, l/2 sin). So
//   T = I(theta) theta'^2/2,  I = m1 l^2/4 + J1 + J2 + m2 l^2 (1/4 + 2 sin^2 theta),   U = W sin(theta),  W = (m1 + m2) g l/2
// and Lagrange's equation I theta'' + I'/2 theta'^2 + W cos(theta) = 0 is the paper's (24) for equal uniform links.
// Released at rest it swings about the hanging pose: with phi = theta + pi/2, largest value A,
//   I phi'^2 = 2 W (cos phi - cos A) = 4 W (sin^2(A/2) - sin^2(phi/2)).
// As for the pendulum sin(phi/2) = k cos(s), k = sin(A/2), takes out the turning points: s grows steadily,
//   dt/ds = sqrt(I/W) / sqrt(1 - k^2 cos^2 s),
// smooth with the period pi; s = 0 is the start.

SliderCrank::SliderCrank(const SliderCrankData& data)
    : data_(data),
      k_(std::sin((data.start + pi / 2) / 2)),
      load_((data.m1 + data.m2) * data.g * data.l / 2),
      clock_([this](double s) { return find_weight(s); }, pi, 200) {}

double SliderCrank::find_inertia(double angle) const {
  const double sine = std::sin(angle);
  const double l2 = data_.l * data_.l;
  return data_.m1 * l2 / 4 + data_.J1 + data_.J2 + data_.m2 * l2 * (0.25 + 2 * sine * sine);
}

double SliderCrank::find_weight(double s) const {
  const double sine = k_ * std::cos(s);  // sin(phi/2)
  const double angle = 2 * std::asin(sine) - pi / 2;
  return std::sqrt(find_inertia(angle) / load_ / (1 - sine * sine));
}

double SliderCrank::angle(double t) const {
  return 2 * std::asin(k_ * std::cos(clock_.find(t))) - pi / 2;
}

double SliderCrank::rate(double t) const {
  const double s = clock_.find(t);
  const double sine = k_ * std::cos(s);
  return -2 * k_ * std::sin(s) / std::sqrt(1 - sine * sine) / find_weight(s);
}

double SliderCrank::slider(double t) const { return 2 * data_.l * std::cos(angle(t)); }
double SliderCrank::period() const { return 2 * clock_.duration(); }

// ---- change-point four-bar -------------------------------------------------------------------------
//
// Crank c, coupler p, rocker r, ground g with c + g = p + r. Crank's tip A = c (cos th, sin th), rocker's pivot D = (g, 0),
// d = |A - D|, d^2 = c^2 + g^2 - 2 c g cos th. The rocker makes the angle delta with DA:
//   cos delta = (d^2 + r^2 - p^2)/(2 d r)   =>   sin^2(delta/2) = (p + r - d)(p - r + d)/(4 d r).
// At th = pi the first factor vanishes quadratically: p + r - d = c + g - d = 4 c g cos^2(th/2)/(c + g + d), so the root
// can be drawn:
//   sin(delta/2) = cos(th/2) w,   w^2 = c g (p - r + d)/(d r (p + r + d)).
// cos(th/2) changes sign at th = pi: this is the smooth branch, the linkage bends over to the other side. The other branch
// has |cos|, with a kink. psi = angle(A - D) +- delta; A is always left of D, so angle(A - D) = pi - atan2(c sin th,
// g - c cos th) without unwrapping. After two turns of the crank everything repeats.
//
// Energy: m/2 (c^2 + r^2 psi'(th)^2) th'^2 + m g (c sin th + r sin psi) = E, hence dt/dth = 1/th'(th).

ChangePointFourBar::ChangePointFourBar(const ChangePointData& data)
    : data_(data),
      energy_([&] {
        const double ratio = rocker_ratio(data.start);
        const double inertia =
            data.m * (data.crank * data.crank + data.rocker * data.rocker * ratio * ratio);
        const double height =
            data.crank * std::sin(data.start) + data.rocker * std::sin(rocker_angle(data.start));
        return inertia * data.speed * data.speed / 2 + data.m * data.g * height;
      }()),
      clock_([this](double s) { return 1.0 / find_speed(data_.start + s); }, 4 * pi, 1200) {}

double ChangePointFourBar::rocker_angle(double th) const {
  const auto& [c, p, r, g, mass, gravity, start, speed, side] = data_;
  const double d = std::sqrt(c * c + g * g - 2 * c * g * std::cos(th));
  const double w = std::sqrt(c * g * (p - r + d) / (d * r * (p + r + d)));
  const double delta = 2 * std::asin(std::cos(th / 2) * w);
  return pi - std::atan2(c * std::sin(th), g - c * std::cos(th)) + side * delta;
}

double ChangePointFourBar::rocker_ratio(double th) const {
  const auto& [c, p, r, g, mass, gravity, start, speed, side] = data_;
  const double d = std::sqrt(c * c + g * g - 2 * c * g * std::cos(th));
  const double d_rate = c * g * std::sin(th) / d;
  const double w = std::sqrt(c * g * (p - r + d) / (d * r * (p + r + d)));
  const double w_rate = w / 2 * (1 / (p - r + d) - 1 / d - 1 / (p + r + d)) * d_rate;
  const double u = std::cos(th / 2) * w;
  const double u_rate = -std::sin(th / 2) * w / 2 + std::cos(th / 2) * w_rate;
  const double base_rate = (c * c - c * g * std::cos(th)) / (d * d);
  return base_rate + side * 2 * u_rate / std::sqrt(1 - u * u);
}

double ChangePointFourBar::find_kinetic(double th) const {
  const double height = data_.crank * std::sin(th) + data_.rocker * std::sin(rocker_angle(th));
  return energy_ - data_.m * data_.g * height;
}

double ChangePointFourBar::find_speed(double th) const {
  const double ratio = rocker_ratio(th);
  const double inertia =
      data_.m * (data_.crank * data_.crank + data_.rocker * data_.rocker * ratio * ratio);
  return std::sqrt(2 * find_kinetic(th) / inertia);
}

double ChangePointFourBar::crank_angle(double t) const { return data_.start + clock_.find(t); }

std::vector<double> ChangePointFourBar::position(double t) const {
  const double th = crank_angle(t);
  const double psi = rocker_angle(th);
  return {data_.crank * std::cos(th), data_.crank * std::sin(th),
          data_.ground + data_.rocker * std::cos(psi), data_.rocker * std::sin(psi)};
}

double ChangePointFourBar::least_kinetic_energy() const {
  double least = find_kinetic(0.0);
  for (int k = 1; k < 4000; ++k) least = std::min(least, find_kinetic(4 * pi * k / 4000));
  return least;
}

// ---- Chaplygin's sleigh ----------------------------------------------------------------------------
//
// u' = a w^2, w' = -k u w with k = m a/(J + m a^2); U^2 = u^2 + (J + m a^2) w^2/m is conserved (twice the energy over m).
// So u' = (m a/(J + m a^2)) (U^2 - u^2) = k (U^2 - u^2):
//   u = U tanh(k U (t - t0)),   w = W/cosh(k U (t - t0)),   W = U sqrt(m/(J + m a^2)),
//   heading = W/(k U) (gd(k U (t - t0)) - gd(-k U t0)),     gd(z) = atan(sinh z).
// The blade's path is the integral of u (cos, sin) of the heading, by quadrature.

ChaplyginSleigh::ChaplyginSleigh(const SleighData& data) : data_(data) {
  const double inertia = data.J + data.m * data.a * data.a;
  top_ = std::sqrt(data.u0 * data.u0 + inertia * data.w0 * data.w0 / data.m);
  rate_ = data.m * data.a / inertia * top_;
  t0_ = -std::atanh(data.u0 / top_) / rate_;
  ratio_ = top_ * std::sqrt(data.m / inertia) / rate_;
}

double ChaplyginSleigh::speed(double t) const { return top_ * std::tanh(rate_ * (t - t0_)); }
double ChaplyginSleigh::turning(double t) const {
  return ratio_ * rate_ / std::cosh(rate_ * (t - t0_));
}
double ChaplyginSleigh::heading(double t) const {
  return ratio_ * (std::atan(std::sinh(rate_ * (t - t0_))) + std::atan(std::sinh(rate_ * t0_)));
}

std::vector<double> ChaplyginSleigh::blade(double t) const {
  const int cells = 1 + static_cast<int>(t * rate_ * 8);
  std::vector<double> place{0.0, 0.0};
  for (int k = 0; k < cells; ++k) {
    const double from = t * k / cells;
    const double to = t * (k + 1) / cells;
    place[0] += integrate([&](double s) { return speed(s) * std::cos(heading(s)); }, from, to);
    place[1] += integrate([&](double s) { return speed(s) * std::sin(heading(s)); }, from, to);
  }
  return place;
}

}  // namespace driftless::problems
