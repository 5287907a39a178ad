#pragma once
// The problems in numbers, the same for all programs. Lengths in m, masses in kg, angles in rad; rods are slender.

#include <array>
#include <cmath>

namespace bench {

inline constexpr double kGravity = 9.81;

/// IFToMM A01: a point mass on a massless rod of 1 m, released at (-1, 0).
inline constexpr double kPendulumEnd = 10.0;

/// IFToMM A02: N windows of rods of 1 m and 1 kg, upright at the start, turning at -1 rad/s.
inline constexpr double kLadderEnd = 10.0;
inline constexpr double kLadderRate = -1.0;

/// Braun and Goldfarb 2012, 4.1: two rods of 1 m and 1 kg, the crank at 45 deg, at rest.
inline constexpr double kSliderEnd = 100.0;
inline constexpr double kSliderStart = 0.78539816339744831;

/// The four-bar of models/four_bar_3d.toml.
inline constexpr double kFourBarEnd = 10.0;
struct FourBar {
  double bx = 0.0, by = 1.0;  ///< crank pin; A is the origin
  double cx = 2.0, cy = 2.0;
  double dx = 2.5, dy = 0.0;
  double crank_mass = 1.0, coupler_mass = 2.0, rocker_mass = 1.5;
  double rate = 6.283185307179586;
};

/// Andrews' squeezer, IFToMM A03: as in models/andrews_squeezer.toml.
inline constexpr double kAndrewsEnd = 0.05;
struct AndrewsBody {
  double mass, inertia;
};
struct Andrews {
  double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
  double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02;
  double ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449;
  double zf = 0.02, zt = 0.04, fa = 0.01421;
  double torque = 0.033, stiffness = 4530.0, length = 0.07785;
  double beta = -0.0617138900142764496, Theta = 0.0, gamma = 0.455279819163070380;
  double Phi = 0.222668390165885885, delta = 0.487364979543842550;
  double Omega = -0.222668390165885885, epsilon = 1.23054744454982119;
  std::array<AndrewsBody, 7> body{{{0.04325, 2.194e-6},
                                   {0.00365, 4.410e-7},
                                   {0.02373, 5.255e-6},
                                   {0.00706, 5.667e-7},
                                   {0.07050, 1.169e-5},
                                   {0.00706, 5.667e-7},
                                   {0.05498, 1.912e-5}}};
};

/// Open chains: N cylinders of 1 m, 3 cm radius and 1 kg. A link's x axis runs from its joint to the next one. Joint k
/// (from 1) turns about z if k is odd, about y if it is even, or is a ball; the links are drawn, and start, with the angles
/// 0.3 sin k about these axes, the first one hanging from an angle of -60 deg further about z. Gravity is along -y. At rest
/// the accelerations are a0; the state in which one evaluation is timed has the velocities 0.1 s a0.
inline constexpr double kLinkLength = 1.0, kLinkRadius = 0.03, kLinkMass = 1.0;
inline constexpr double kLinkAxial = kLinkMass * kLinkRadius * kLinkRadius / 2;
inline constexpr double kLinkTransverse =
    kLinkMass * (3 * kLinkRadius * kLinkRadius + kLinkLength * kLinkLength) / 12;
inline constexpr double kChainSpeedTime = 0.1;
inline constexpr double kChainStep = 1e-3;
inline bool turns_about_z(int joint) { return joint % 2 == 1; }
inline double find_chain_angle(int joint) {
  return 0.3 * std::sin(static_cast<double>(joint)) - (joint == 1 ? 1.0471975511965976 : 0.0);
}

}  // namespace bench
