#include "driftless/io/templates_mechanism.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless {

namespace {

std::string make_joint_lines(std::string_view name, std::string_view type, std::string_view first,
                             std::string_view second, std::string_view point) {
  return fmt::format("\n[joint.{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\nat = \"{}\"\n", name,
                     type, first, second, point);
}

std::string make_run_lines(double step) {
  return fmt::format(R"(
[run]
until = 10
every = 0.01

[method]
formulation = "braun_goldfarb"
integrator = "rk4"
step = {}
)",
                     step);
}

/// A hanging chain of n links of mass m and length l bears T = n m g at its top. There its links swing to and fro in turn,
/// with a rate of ω² = 12 T/(m l): with steps of 0.01 s, ω h = 1.1 at n = 100. Beyond, ω h is kept.
double find_chain_step(int n) {
  const double step = 0.01 / std::sqrt(std::max(1.0, n / 100.0));
  return std::floor(step * 1e5) / 1e5;
}

}  // namespace

std::string make_n_four_bar(int n) {
  std::string text = fmt::format(
      R"(# {0} four-bar linkage{2} side by side, of {1} equal bars: 1 m, 1 kg each (IFToMM benchmark A02).
# All bars pass through one line twice in each turn. There {0} more motion{2} would be possible; the run goes on smoothly.
# The angle th of the cranks follows ((n + 1)/3 + n) th'' = -((n + 1)/2 + n) g cos(th), with n = {0}.
format = "driftless/1"
name = "n-four-bar"
description = "{0} four-bar linkage{2} in a row: singular whenever all bars lie in line"
space = "plane"
gravity = [0, -9.81]

[points]
)",
      n, 2 * n + 1, n == 1 ? "" : "s");
  for (int k = 0; k <= n; ++k) text += fmt::format("A{0} = [{0}, 0]\nB{0} = [{0}, 1]\n", k);
  for (int k = 0; k <= n; ++k) {
    text += fmt::format("\n[body.crank{0}]\nrod = [\"A{0}\", \"B{0}\"]\nmass = 1\n", k);
  }
  for (int k = 1; k <= n; ++k) {
    text += fmt::format("\n[body.coupler{0}]\nrod = [\"B{1}\", \"B{0}\"]\nmass = 1\n", k, k - 1);
  }
  for (int k = 0; k <= n; ++k) {
    text += make_joint_lines(fmt::format("A{}", k), "revolute", "ground", fmt::format("crank{}", k),
                             fmt::format("A{}", k));
  }
  for (int k = 1; k <= n; ++k) {
    const std::string coupler = fmt::format("coupler{}", k);
    text += make_joint_lines(fmt::format("left{}", k), "revolute", fmt::format("crank{}", k - 1),
                             coupler, fmt::format("B{}", k - 1));
    text += make_joint_lines(fmt::format("right{}", k), "revolute", fmt::format("crank{}", k),
                             coupler, fmt::format("B{}", k));
  }
  text += R"(
[start]
A0.rate = "-1 rad/s"

[record]
B0_x = "2*crank0.x"
B0_y = "2*crank0.y"
)";
  return text + make_run_lines(0.01);
}

std::string make_link_chain(int n, std::string_view joint) {
  std::string text = fmt::format(
      R"(# A chain of {} link(s), 1 m and 1 kg each, on {} joints. It starts straight, 30 deg off the vertical.
format = "driftless/1"
name = "chain"
description = "A hanging chain of {} link(s) on {} joints"
gravity = [0, -9.81, 0]

[parameters]
start = "30 deg"

[points]
)",
      n, joint, n, joint);
  for (int k = 0; k <= n; ++k) {
    text += fmt::format("P{0} = [\"{0}*sin(start)\", \"-{0}*cos(start)\", 0]\n", k);
  }
  for (int k = 1; k <= n; ++k) {
    text += fmt::format(
        "\n[body.link{0}]\ncylinder = [\"P{1}\", \"P{0}\"]\nradius = \"3 cm\"\nmass = 1\n", k,
        k - 1);
  }
  for (int k = 1; k <= n; ++k) {
    text += make_joint_lines(fmt::format("J{}", k), joint,
                             k == 1 ? "ground" : fmt::format("link{}", k - 1),
                             fmt::format("link{}", k), fmt::format("P{}", k - 1));
  }
  if (joint == "spherical") text += "\n[start]\n\"link1.z'\" = \"0.5 m/s\"\n";
  text += fmt::format("\n[record]\nlast_height = \"link{}.y\"\n", n);
  return text + make_run_lines(find_chain_step(n));
}

}  // namespace driftless
