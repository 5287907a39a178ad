// The closed forms behind the gallery of elements.

#include "tests/system/gallery_promises.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace driftless::trials {
namespace {

using std::atan;
using std::cos;
using std::exp;
using std::log;
using std::sin;
using std::sqrt;
using std::numbers::pi;
using Find = std::function<double(const Result&)>;

constexpr double kGravity = 9.81;
constexpr double deg = pi / 180;

// ---- what is looked up in a result ---------------------------------------------------------------------

Find end(const std::string& name) {
  return [name](const Result& result) { return last(result, name); };
}

Find sample(const std::string& name, double t) {
  return [=](const Result& result) { return at(result, t, {name})[0]; };
}

Find highest(const std::string& name) {
  return [name](const Result& result) {
    const Values values = column(result, name);
    return *std::max_element(values.begin(), values.end());
  };
}

Find lowest(const std::string& name) {
  return [name](const Result& result) {
    const Values values = column(result, name);
    return *std::min_element(values.begin(), values.end());
  };
}

/// Of the values at all samples the one farthest off.
Find always(const std::string& name, double exact) {
  return [=](const Result& result) {
    double worst = exact;
    for (const double value : column(result, name)) {
      if (!(std::abs(value - exact) <= std::abs(worst - exact))) worst = value;
    }
    return worst;
  };
}

/// Where `name` changes its sign between two samples, and the value of `other` there, both by straight lines.
std::vector<std::pair<double, double>> find_zeros(const Result& result, const std::string& name,
                                                  const std::string& other) {
  std::vector<std::pair<double, double>> zeros;
  const Values t = column(result, "t");
  const Values y = column(result, name);
  const Values z = column(result, other);
  for (std::size_t k = 1; k < t.size(); ++k) {
    if ((y[k - 1] < 0) == (y[k] < 0)) continue;
    const double part = y[k - 1] / (y[k - 1] - y[k]);
    zeros.emplace_back(t[k - 1] + part * (t[k] - t[k - 1]), z[k - 1] + part * (z[k] - z[k - 1]));
  }
  return zeros;
}

/// Time from one zero to the `count`-th after it.
Find spacing(const std::string& name, std::size_t count) {
  return [=](const Result& result) {
    const auto zeros = find_zeros(result, name, name);
    return zeros.size() <= count ? 0.0 : zeros[count].first - zeros[0].first;
  };
}

Find at_first_zero(const std::string& name, const std::string& other) {
  return [=](const Result& result) {
    const auto zeros = find_zeros(result, name, other);
    return zeros.empty() ? 0.0 : zeros[0].second;
  };
}

/// x(0) = x0, x'(0) = v0 of x'' + 2 d x' + (w² + d²) x = 0.
struct DampedSwing {
  double d, w;
  DampedSwing(double inertia, double damping, double stiffness)
      : d(damping / 2 / inertia), w(sqrt(stiffness / inertia - d * d)) {}
  double value(double t, double x0, double v0) const {
    return exp(-d * t) * (x0 * cos(w * t) + (v0 + d * x0) / w * sin(w * t));
  }
  double rate(double t, double x0, double v0) const {
    return exp(-d * t) * (v0 * cos(w * t) - (d * v0 + (w * w + d * d) * x0) / w * sin(w * t));
  }
};

// ---- joints --------------------------------------------------------------------------------------------

/// Euler's equations with the moments J1 < J2 < J3, in the case L² < 2 T J2: about the axis of J1, turning over.
struct Tumble {
  double J[3] = {0.02, 0.07, 0.085};
  double w[3] = {0.2, 5, 0.1};
  double energy2 = 0, momentum2 = 0;
  Tumble() {
    for (int k = 0; k < 3; ++k) {
      energy2 += J[k] * w[k] * w[k];
      momentum2 += J[k] * J[k] * w[k] * w[k];
    }
  }
  double highest() const { return sqrt((momentum2 - energy2 * J[0]) / (J[1] * (J[1] - J[0]))); }
  double half_period() const {
    const double rate = sqrt((J[1] - J[0]) * (energy2 * J[2] - momentum2) / (J[0] * J[1] * J[2]));
    const double k2 = (J[2] - J[1]) * (momentum2 - energy2 * J[0]) /
                      ((J[1] - J[0]) * (energy2 * J[2] - momentum2));
    return 2 * std::comp_ellint_1(sqrt(k2)) / rate;
  }
};

void add_joints(std::vector<Promise>& all) {
  const double gate = 15 * kGravity * cos(12 * deg);
  all.push_back({"revolute", "2.053",
                 sqrt(3 * kGravity * sin(12 * deg) * (1 - cos(80 * deg)) / 1.2), 1e-4,
                 highest("A.rate")});
  all.push_back({"revolute", "143.93", gate, 1e-9, always("along_axis", gate)});
  const double press = 3.4 * kGravity * cos(25 * deg);
  all.push_back({"prismatic", "8.2918", kGravity * sin(25 * deg) * 2, 1e-9, end("A.position")});
  all.push_back({"prismatic", "30.229", press, 1e-9, always("normal", press)});
  all.push_back({"prismatic", "4.5343", 0.15 * press, 1e-9, always("roll", 0.15 * press)});
  all.push_back({"cylindrical", "21", 14 * 1.5, 1e-5, end("A.angle")});
  all.push_back({"cylindrical", "-9.0404", -kGravity * cos(35 * deg) * 1.5 * 1.5 / 2, 1e-9,
                 end("A.position")});
  const double m = 1.7, l = 0.8, r = 0.05;
  const double across = m * (3 * r * r + l * l) / 12 + m * l * l / 4;
  const double W = sqrt(m * kGravity * l / 2 / ((across - m * r * r / 2) * cos(35 * deg)));
  all.push_back({"spherical", "1.324", 2 * pi / W, 1e-4, spacing("bar.y", 2)});
  all.push_back({"spherical", "-0.21690", l / 2 * sin(35 * deg) * cos(10 * W), 1e-6, end("bar.x")});
  all.push_back({"universal", "0.76604", cos(40 * deg), 1e-6, lowest("ratio")});
  all.push_back({"universal", "1.30541", 1 / cos(40 * deg), 1e-6, highest("ratio")});
  all.push_back({"constant_velocity", "1", 1, 1e-12, end("ratio")});
  all.push_back({"constant_velocity", "62.5", 62.5, 1e-9, end("second.rate")});
  all.push_back({"constant_velocity", "3.75", 3.75, 1e-9, always("passed_on", 3.75)});
  all.push_back(
      {"planar", "11.1977", kGravity * sin(15 * deg) * 4.5 + 0.3 * cos(15), 1e-6, end("A.x")});
  all.push_back({"planar", "1.3951", 0.4 * 3 + 0.3 * sin(15), 1e-6, end("A.y")});
  const double sink = kGravity / (1 + std::pow(2 * pi / 0.05, 2) * 0.2 * 0.2 / 2);
  all.push_back({"screw", "-0.38704", -sink * 12.5, 1e-6, end("A.position")});
  all.push_back({"screw", "-7.7408", -sink * 12.5 / 0.05, 1e-5, end("turns")});
  const double swung = 1.6 * 0.48 * 0.48 / 3 + 0.7 * 0.4 * 0.4;  // lever and ram, about the pivot
  const double crank = 14 * 0.13 * 0.13 / 2, far = 0.09 / 0.27, near = 0.09 / 0.09;
  const double slowed = sqrt((crank + swung * far * far) / (crank + swung * near * near));
  all.push_back({"slot", "0.09", 0.18 - 0.09, 1e-5, lowest("pin.position")});
  all.push_back({"slot", "0.27", 0.18 + 0.09, 1e-5, highest("pin.position")});
  all.push_back({"slot", "0.23094", 0.4 * 0.09 / sqrt(0.18 * 0.18 - 0.09 * 0.09), 1e-6,
                 highest("guide.position")});
  all.push_back({"slot", "7.6730", 12 * slowed, 1e-4, lowest("axle.rate")});
  all.push_back({"slot", "0", 0, 1e-9, always("along", 0)});
  all.push_back({"fixed", "16.8", 16.8, 1e-5, always("pull", 16.8)});
  all.push_back({"fixed", "2.96257", 1.2 * 2 + 2 / 2.7 * 0.9 * cos(12), 1e-6, end("small.x")});
  const Tumble tumble;
  const double momentum = sqrt(tumble.momentum2);
  all.push_back({"free", "5.00158", tumble.highest(), 1e-5, highest("racket.wy")});
  all.push_back({"free", "2.82313", tumble.half_period(), 1e-5, spacing("racket.wy", 1)});
  all.push_back({"free", "0.350126", momentum, 1e-8, always("L", momentum)});
}

// ---- constraints ---------------------------------------------------------------------------------------

void add_frame_constraints(std::vector<Promise>& all) {
  const double fall = 1 - cos(50 * deg);
  all.push_back(
      {"distance_constraint", "3.01845", sqrt(2 * kGravity * 1.3 * fall), 1e-5, highest("speed")});
  all.push_back(
      {"distance_constraint", "504.56", 30 * kGravity * (1 + 2 * fall), 1e-2, highest("pull")});
  all.push_back({"distance_constraint", "0", 0, 1e-12, always("boat.angle", 0)});
  all.push_back({"point_on_line", "1", 1, 1e-12, always("ellipse", 1)});
  all.push_back({"point_on_line", "0.51404", 1.65 * sin(6.6), 1e-6, end("pen.y")});
  const double J = 1.2 * (3 * 0.02 * 0.02 + 0.9 * 0.9) / 12;
  all.push_back({"point_on_plane", "5.6545",
                 sqrt(1.2 * kGravity * 0.9 * cos(12 * deg) / (J + 1.2 * 0.81 / 4)), 1e-3,
                 at_first_zero("stick.z", "stick.wy")});
  all.push_back({"point_on_plane", "0", 0, 1e-12, always("stick.x", 0)});
  all.push_back({"point_on_circle", "0.045885", 0.6 * cos(10 * deg) - 2 * kGravity / 36, 1e-5,
                 highest("bead.z")});
  const double l = 1.1, m1 = 1.6, m2 = 0.9;
  all.push_back({"parallel_axes", "3.4949",
                 sqrt(2 * kGravity * (m1 / 2 + m2) * (1 - cos(65 * deg)) / ((m1 / 3 + m2) * l)),
                 1e-4, highest("A.rate")});
  all.push_back({"parallel_axes", "2", 2, 1e-6, always("gondola.wz", 2)});
  all.push_back({"perpendicular_axes", "-42.984", -2 * atan(0.9 * 0.35 / (2 * 0.4)) / deg, 1e-2,
                 lowest("A.angle"), 1 / deg});
}

void add_relations(std::vector<Promise>& all) {
  const double i = -17.0 / 61.0;
  const double gear = 0.9 / (0.004 + i * i * 0.31);
  all.push_back({"gear", "144.25", gear * 4.5, 1e-9, end("A.angle")});
  all.push_back({"gear", "-26.800", i * gear * 3, 1e-9, end("B.rate")});
  all.push_back({"gear", "-2.7693", i * 0.31 * gear, 1e-9, end("mesh.torque")});
  const double rack = 1.7 * kGravity / (1.7 + 0.0065 / (0.031 * 0.031));
  all.push_back({"rack_and_pinion", "-3.9408", -2 * rack, 1e-9, end("B.position")});
  all.push_back({"rack_and_pinion", "13.327", 1.7 * (kGravity - rack), 1e-9, end("teeth.force")});
  const double belt = 1.5 / (0.11 + 2.4 * 2.4 * 0.018);
  all.push_back({"belt", "67.390", 4 * 2.4 * belt, 1e-9, end("B.rate")});
  all.push_back({"belt", "6.0651", 0.018 * 2.4 * belt / 0.05, 1e-9, end("belt.force")});
  all.push_back({"coupler", "8.4606", sqrt(81 - 2 * 0.8 * kGravity * 0.03 / 0.05), 1e-4,
                 lowest("shaft.rate")});
  const double a = 0.8 * sin(8);
  all.push_back({"drive", "2.3529",
                 (0.17 + 1.9 * 0.17) * -4 * a + 1.9 * kGravity * (0.4 * cos(a) - 0.1 * sin(a)),
                 1e-5, end("swing.torque")});
  all.push_back(
      {"path", "-20.795", -2 * atan(1.8 / kGravity) / deg, 1e-2, lowest("load.angle"), 1 / deg});
  const double m = 1.4, r = 0.25, e = 0.07, J = 0.03;
  all.push_back({"rolling_disc", "3.6095",
                 sqrt(((J + m * (r - e) * (r - e)) * 81 - 4 * m * kGravity * e) /
                      (J + m * (r + e) * (r + e))),
                 1e-4, highest("wheel.angle'"), -1});
  all.push_back({"rolling_ball", "0.1301", 0.2 + 0.25 * sin(6), 1e-5, end("ball.x")});
  const double skate = kGravity * sin(10 * deg) / (2 * 1.6 * 1.6);
  all.push_back({"knife_edge", "0.33271", skate, 1e-5, lowest("skate.y"), -1});
  all.push_back({"knife_edge", "3.1369", skate * (9.6 - sin(19.2) / 2), 1e-6, end("skate.x")});
  const double w = sqrt(12 / 0.3);
  all.push_back({"velocity", "1.8974", 4 * 0.06 / 0.02 / w, 1e-3, highest("B.angle")});
  all.push_back({"velocity", "0.1568", 4 * 0.06 / 0.02 / w * sin(2 * w), 2e-5, end("B.angle")});
}

// ---- forces and measures -------------------------------------------------------------------------------

void add_forces(std::vector<Promise>& all) {
  const double sag = 1.3 * kGravity / 85;
  all.push_back({"spring_damper", "-0.57351",
                 -0.4 - sag - DampedSwing(1.3, 0.9, 85).value(5, -sag, 0), 1e-6, end("mass.y")});
  // By the matrix exponential: maxwell_test.cpp
  all.push_back({"maxwell", "-1.39034", -1.3903384883982899, 1e-6, end("mass.y")});
  const DampedSwing wheel(0.004, 0.0006, 0.03);
  all.push_back({"torsion_spring", "14.451", 2.3 * 2 * pi, 1e-12, sample("A.angle", 0)});
  all.push_back(
      {"torsion_spring", "-7.879", wheel.value(8, 2.3 * 2 * pi, 0), 1e-4, end("A.angle")});
  all.push_back({"torsion_spring", "2.2952", 2 * pi / wheel.w, 1e-3, spacing("A.angle", 2)});
  const double k = 0.35, R = 1.6, V = 24;
  const double rate = V / k * (1 - exp(-2 * k * k / (R * 0.09)));
  all.push_back({"motor", "56.062", rate, 1e-6, end("A.rate")});
  all.push_back({"motor", "53.694", k * (V - k * rate) / R * rate, 1e-6, end("motor.power")});
  const double m = 1.2, c = 0.8, dry = 1.5, v = 3;
  all.push_back(
      {"friction", "0.62791", (v + dry / c) * exp(-c / m) - dry / c, 1e-6, sample("A.speed", 1)});
  all.push_back(
      {"friction", "1.813", m / c * (v - dry / c * log(1 + c * v / dry)), 1e-4, end("A.position")});
  const double contact = sqrt(2 / 450.0);
  all.push_back({"stop", "0.09333", 1.4 * contact, 1e-4,
                 [](const Result& result) { return highest("A.position")(result) - 0.3; }});
  all.push_back(
      {"stop", "1.7046", 2 * 0.9 / 1.4 + 2 * pi * contact, 1e-4, spacing("A.position", 2)});
  const double mu = 3.4 / 2;
  const double axis = 1 / (2 - (1.5 * 1.5 + 0.3 * 0.3) / mu);
  all.push_back({"attraction", "2.2075", 2 * axis - 1, 1e-4, highest("distance")});
  all.push_back(
      {"attraction", "9.787", 2 * pi * sqrt(axis * axis * axis / mu), 1e-4,
       [](const Result& result) { return find_zeros(result, "planet.y", "t").at(1).first; }});
  const double F = 1.8, w = 1.7;
  all.push_back(
      {"point_force", "5.3298", F / 0.9 / (w * w) * (5 * w - sin(5 * w)), 1e-6, end("craft.y")});
  all.push_back(
      {"point_force", "1.1087", F / 0.9 / (w * w) * (1 - cos(5 * w)), 1e-6, end("craft.x")});
  const double drop = 12 * kGravity / 9000;
  all.push_back({"bushing", "-13.389",
                 1e3 * (-drop - DampedSwing(12, 60, 9000).value(1.5, -drop, 0)), 1e-4,
                 end("engine.z"), 1e3});
  all.push_back(
      {"bushing", "0.48508", DampedSwing(0.3, 0.1, 25).rate(1.5, 0, 1.5), 1e-5, end("engine.wz")});
}

void add_measures(std::vector<Promise>& all) {
  all.push_back({"distance_measure", "0.5", 0.5, 1e-5, lowest("reach")});
  all.push_back({"distance_measure", "1.1", 1.1, 1e-5, highest("reach")});
  all.push_back({"distance_measure", "1.2", 4 * 0.3, 1e-4, highest("reach_rate")});
  all.push_back({"angle", "74", (2.3 + 5.1) * 10, 1e-5, end("heading")});
  const double pull = 1.5 * 1.5 / 0.32;
  all.push_back({"point", "3", 2 * 1.5, 1e-3, highest("speed")});
  all.push_back({"point", "7.03125", pull, 1e-9, always("acceleration", pull)});
  all.push_back({"point", "6.0318", 1.5 * 4 - 0.32 * sin(6 / 0.32), 1e-9, end("mark.x")});
  const DampedSwing error(0.06, 0.35, 2.4);
  const double late = atan(error.w / error.d) / error.w;
  all.push_back({"expression", "0.04483", error.value(late, 0, 0.5), 1e-5, highest("error")});
  all.push_back({"expression", "0.00094797", error.value(1.5, 0, 0.5), 1e-7, end("error")});
}

}  // namespace

const std::vector<Promise>& all_promises() {
  static const std::vector<Promise> promises = [] {
    std::vector<Promise> all;
    add_joints(all);
    add_frame_constraints(all);
    add_relations(all);
    add_forces(all);
    add_measures(all);
    return all;
  }();
  return promises;
}

std::string find_gallery_file(const ElementType& type) {
  const auto& types = all_element_types();
  const bool shared = std::count_if(types.begin(), types.end(), [&](const ElementType& other) {
                        return other.name == type.name;
                      }) > 1;
  return shared ? type.name + "_" + type.kind : type.name;
}

}  // namespace driftless::trials
