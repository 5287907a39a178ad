#include "tests/assembly/random_linkages.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace driftless::trials {
namespace {

using std::numbers::pi;
using Point = std::array<double, 2>;

double draw(std::mt19937_64& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

/// Writes points of the linkage's plane as the model wants them.
class Drawing {
 public:
  Drawing(std::mt19937_64& random, Surroundings where) : where_(where) {
    if (where != Surroundings::tilted) return;
    std::normal_distribution<double> normal;
    double q[4];
    double norm = 0.0;
    for (double& part : q) {
      part = normal(random);
      norm += part * part;
    }
    for (double& part : q) part /= std::sqrt(norm);
    const auto [w, x, y, z] = q;
    turn_ = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
              {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
              {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
  }

  std::string place(const Point& p) const {
    return where_ == Surroundings::plane ? fmt::format("[{:.17g}, {:.17g}]", p[0], p[1])
                                         : vector(p[0], p[1], 0.0);
  }
  std::string direction(double angle) const { return place({std::cos(angle), std::sin(angle)}); }
  std::string vector(double x, double y, double z) const {
    std::array<double, 3> v{};
    for (std::size_t i = 0; i < 3; ++i) v[i] = turn_[i][0] * x + turn_[i][1] * y + turn_[i][2] * z;
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]);
  }
  std::array<double, 3> normal() const { return {turn_[0][2], turn_[1][2], turn_[2][2]}; }
  /// The key `axis` of a joint that turns in the linkage's plane.
  std::string axis() const {
    return where_ == Surroundings::plane ? "" : "axis = " + vector(0, 0, 1) + "\n";
  }
  std::string head() const {
    return std::string("format = \"driftless/1\"\n") +
           (where_ == Surroundings::plane ? "space = \"plane\"\n" : "");
  }

 private:
  Surroundings where_;
  std::array<std::array<double, 3>, 3> turn_{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

std::string rod(const std::string& name, const std::string& from, const std::string& to,
                double mass) {
  return fmt::format("[body.{}]\nrod = [\"{}\", \"{}\"]\nmass = {}\n", name, from, to, mass);
}

std::string joint(const std::string& name, const std::string& type, const std::string& first,
                  const std::string& second, const std::string& rest) {
  return fmt::format("[joint.{0}]\ntype = \"{1}\"\nbetween = [\"{2}\", \"{3}\"]\nat = \"{0}\"\n{4}",
                     name, type, first, second, rest);
}

std::string start(double turn, const std::string& priority) {
  if (priority == "drive") {
    return fmt::format(
        "[constraint.motor]\ntype = \"drive\"\nof = \"A.angle\"\nvalue = \"{:.17g} + 2*t\"\n",
        turn);
  }
  return fmt::format("[start]\nA.angle = {{ value = {:.17g}, priority = \"{}\" }}\n", turn,
                     priority);
}

}  // namespace

Linkage make_four_bar(std::mt19937_64& random, Surroundings where, bool loose,
                      const std::string& priority) {
  const Drawing drawing(random, where);
  double ground, crank, coupler, rocker, angle, distance;
  Point B;
  do {
    ground = draw(random, 0.3, 2.0);
    crank = draw(random, 0.3, 2.0);
    coupler = draw(random, 0.3, 2.0);
    rocker = draw(random, 0.3, 2.0);
    angle = draw(random, -pi, pi);
    B = {crank * std::cos(angle), crank * std::sin(angle)};
    distance = std::hypot(ground - B[0], B[1]);
  } while (distance > coupler + rocker || distance < std::abs(coupler - rocker));
  // C at the intersection of two circles, on either side.
  const double along =
      (coupler * coupler - rocker * rocker + distance * distance) / (2.0 * distance);
  const double beside = (random() % 2 == 0 ? 1.0 : -1.0) *
                        std::sqrt(std::max(0.0, coupler * coupler - along * along));
  const Point u{(ground - B[0]) / distance, -B[1] / distance};
  const Point C{B[0] + along * u[0] - beside * u[1], B[1] + along * u[1] + beside * u[0]};

  Linkage linkage;
  linkage.turn = draw(random, -0.95 * pi, 0.95 * pi);
  linkage.find_gap = [=](double turn) {
    const double there =
        std::hypot(ground - crank * std::cos(angle + turn), crank * std::sin(angle + turn));
    return std::max(there - coupler - rocker, std::abs(coupler - rocker) - there);
  };
  linkage.gap = linkage.find_gap(linkage.turn);
  linkage.normal = drawing.normal();
  linkage.describe = fmt::format(
      "four-bar {:.3f} {:.3f} {:.3f} {:.3f}, drawn at {:.1f} deg, turned by {:.1f} deg, gap {:.4f} "
      "m",
      ground, crank, coupler, rocker, angle * 180 / pi, linkage.turn * 180 / pi, linkage.gap);

  const std::string axis = drawing.axis();
  const bool is_loose = linkage.is_loose = loose && where != Surroundings::plane;
  // Its pins across the linkage's plane on the coupler, and in that plane on the rocker.
  const std::string pins = "axis = " + drawing.place({C[0] - B[0], C[1] - B[1]}) +
                           "\nx = " + drawing.vector(0, 0, 1) + "\n";
  linkage.text = drawing.head() + "[points]\nA = " + drawing.place({0, 0}) +
                 "\nB = " + drawing.place(B) + "\nC = " + drawing.place(C) +
                 "\nD = " + drawing.place({ground, 0}) + "\n" +
                 rod("crank", "A", "B", draw(random, 0.2, 5)) +
                 rod("coupler", "B", "C", draw(random, 0.2, 5)) +
                 rod("rocker", "C", "D", draw(random, 0.2, 5)) +
                 joint("A", "revolute", "ground", "crank", axis) +
                 (is_loose ? joint("B", "spherical", "crank", "coupler", "") +
                                 joint("C", "universal", "coupler", "rocker", pins)
                           : joint("B", "revolute", "crank", "coupler", axis) +
                                 joint("C", "revolute", "coupler", "rocker", axis)) +
                 joint("D", "revolute", "rocker", "ground", axis) + start(linkage.turn, priority);
  return linkage;
}

Linkage make_slider_crank(std::mt19937_64& random, Surroundings where,
                          const std::string& priority) {
  const Drawing drawing(random, where);
  double crank, length, offset, angle;
  do {
    crank = draw(random, 0.3, 1.5);
    length = draw(random, 0.3, 2.0);
    offset = draw(random, -0.8, 0.8);
    angle = draw(random, -pi, pi);
  } while (std::abs(crank * std::sin(angle) - offset) > length);
  const Point B{crank * std::cos(angle), crank * std::sin(angle)};
  const double side = random() % 2 == 0 ? 1.0 : -1.0;
  const Point C{B[0] + side * std::sqrt(length * length - std::pow(B[1] - offset, 2)), offset};

  Linkage linkage;
  linkage.turn = draw(random, -0.95 * pi, 0.95 * pi);
  linkage.find_gap = [=](double turn) {
    return std::abs(crank * std::sin(angle + turn) - offset) - length;
  };
  linkage.gap = linkage.find_gap(linkage.turn);
  linkage.normal = drawing.normal();
  linkage.describe = fmt::format(
      "slider-crank {:.3f} {:.3f}, offset {:.3f}, drawn at {:.1f} deg, turned by {:.1f} deg, gap "
      "{:.4f} m",
      crank, length, offset, angle * 180 / pi, linkage.turn * 180 / pi, linkage.gap);
  const std::string axis = drawing.axis();
  const bool plane = where == Surroundings::plane;
  linkage.text =
      drawing.head() + "[points]\nA = " + drawing.place({0, 0}) + "\nB = " + drawing.place(B) +
      "\nC = " + drawing.place(C) + "\n" + rod("crank", "A", "B", draw(random, 0.2, 5)) +
      rod("rod", "B", "C", draw(random, 0.2, 5)) +
      fmt::format("[body.block]\ncentre = \"C\"\nmass = {}\ninertia = {}\n", draw(random, 0.2, 5),
                  plane ? "0.1" : "[0.1, 0.12, 0.15]") +
      joint("A", "revolute", "ground", "crank", axis) +
      joint("B", "revolute", "crank", "rod", axis) + joint("C", "revolute", "rod", "block", axis) +
      "[joint.guide]\ntype = \"prismatic\"\nbetween = [\"ground\", \"block\"]\nat = \"C\"\naxis "
      "= " +
      drawing.direction(0) + "\n" + start(linkage.turn, priority);
  return linkage;
}

ScatteredRods scatter_rods(std::mt19937_64& random, bool plane, bool too_long) {
  std::array<double, 4> lengths{};  // the ground's first
  double sum = 0.0;
  for (double& length : lengths) sum += length = draw(random, 0.3, 2.0);
  const std::size_t longest = random() % 4;
  if (too_long) {
    sum -= lengths[longest];
    lengths[longest] = 1.2 * sum;
    sum += lengths[longest];
  }
  ScatteredRods rods;
  for (const double length : lengths) rods.gap = std::max(rods.gap, 2.0 * length);
  rods.gap -= sum;

  const auto place = [&](double x, double y, double z) {
    return plane ? fmt::format("[{:.17g}, {:.17g}]", x, y)
                 : fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x, y, z);
  };
  const std::array<std::string, 4> names{"ground", "crank", "coupler", "rocker"};
  rods.text = std::string("format = \"driftless/1\"\n") + (plane ? "space = \"plane\"\n" : "");
  for (std::size_t k = 1; k < 4; ++k) {
    const double angle = draw(random, -pi, pi);
    rods.text +=
        fmt::format("[body.{}]\nmass = {}\ninertia = {}\npose = {{ at = {}, x = {} }}\n", names[k],
                    draw(random, 0.2, 5), plane ? "0.1" : "[0.1, 0.12, 0.15]",
                    place(draw(random, -1, 2), draw(random, -1, 1), draw(random, -0.3, 0.3)),
                    place(std::cos(angle), std::sin(angle), draw(random, -0.2, 0.2)));
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t next = (k + 1) % 4;
    rods.text += fmt::format(
        "[joint.{}]\ntype = \"revolute\"\non = {{ body = \"{}\", at = {} }}\n"
        "to = {{ body = \"{}\", at = {} }}\n",
        "ABCD"[k], names[k], place(k == 0 ? 0.0 : lengths[k] / 2, 0, 0), names[next],
        place(next == 0 ? lengths[0] : -lengths[next] / 2, 0, 0));
  }
  return rods;
}

}  // namespace driftless::trials
