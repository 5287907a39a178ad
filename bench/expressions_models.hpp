#pragma once
// Equation models, each beside a hand-written C++ function that fills the same M, Φ, G, Q, γ and ρ: sines and cosines
// once per angle, products shared, entries that never change left alone.

#include <cmath>

#include <fmt/format.h>

#include "driftless/equations/functions.hpp"

namespace driftless::bench {

inline void calc_sincos(double a, double& sine, double& cosine) {
  sine = std::sin(a);
  cosine = std::cos(a);  // the compiler makes one call of the two
}

/// Slider-crank with two equal links in absolute coordinates (x, y, angle of each).
struct SliderCrank {
  static constexpr int kCoordinates = 6, kRows = 5;
  double m = 1.0, l = 1.0, g = 9.81, inertia = 1.0 / 12.0;

  template <class S>
  S kinetic(const S&, std::span<const S>, std::span<const S> v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1] + v[3] * v[3] + v[4] * v[4]) +
           inertia / 2 * (v[2] * v[2] + v[5] * v[5]);
  }
  template <class S>
  S potential(const S&, std::span<const S> q) const {
    return m * g * (q[1] + q[4]);
  }
  template <class S>
  void constraints(const S&, std::span<const S> q, std::span<S> phi) const {
    phi[0] = q[0] - l / 2 * cos(q[2]);
    phi[1] = q[1] - l / 2 * sin(q[2]);
    phi[2] = q[0] + l / 2 * cos(q[2]) - q[3] + l / 2 * cos(q[5]);
    phi[3] = q[1] + l / 2 * sin(q[2]) - q[4] + l / 2 * sin(q[5]);
    phi[4] = q[4] + l / 2 * sin(q[5]);
  }

  void eval(const double* q, const double* v, Workspace& ws) const {
    double s1, c1, s2, c2;
    calc_sincos(q[2], s1, c1);
    calc_sincos(q[5], s2, c2);
    const double h = l / 2;
    s1 *= h, c1 *= h, s2 *= h, c2 *= h;
    double* const phi = ws.phi.data();
    double* const jacobian = ws.jacobian.data();
    double* const rho = ws.velocity_residual.data();
    double* const gamma = ws.gamma.data();
    phi[0] = q[0] - c1;
    phi[1] = q[1] - s1;
    phi[2] = q[0] + c1 - q[3] + c2;
    phi[3] = q[1] + s1 - q[4] + s2;
    phi[4] = q[4] + s2;
    jacobian[10] = s1;
    jacobian[11] = -c1;
    jacobian[12] = -s1;
    jacobian[13] = c1;
    jacobian[27] = -s2;
    jacobian[28] = c2;
    jacobian[29] = c2;
    const double w1 = v[2], w2 = v[5];
    const double s1w = s1 * w1, c1w = c1 * w1, s2w = s2 * w2, c2w = c2 * w2;
    rho[0] = v[0] + s1w;
    rho[1] = v[1] - c1w;
    rho[2] = v[0] - s1w - v[3] - s2w;
    rho[3] = v[1] + c1w - v[4] + c2w;
    rho[4] = v[4] + c2w;
    gamma[0] = -c1w * w1;
    gamma[1] = -s1w * w1;
    gamma[4] = s2w * w2;
    gamma[2] = c1w * w1 + c2w * w2;
    gamma[3] = s1w * w1 + gamma[4];
  }
};

/// Five links with the moving joints as coordinates: no sine, no root, nothing but products.
struct DoubleFourBar {
  static constexpr int kCoordinates = 6, kRows = 5;
  double m = 1.0, l = 1.0, g = 9.81;

  template <class S>
  S kinetic(const S&, std::span<const S>, std::span<const S> v) const {
    const auto link = [&](const S& ax, const S& ay, const S& bx, const S& by) {
      return m / 6 * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by);
    };
    const S zero = 0.0 * v[0];
    return link(zero, zero, v[0], v[1]) + link(zero, zero, v[2], v[3]) +
           link(zero, zero, v[4], v[5]) + link(v[0], v[1], v[2], v[3]) +
           link(v[2], v[3], v[4], v[5]);
  }
  template <class S>
  S potential(const S&, std::span<const S> q) const {
    return m * g * (q[1] + 1.5 * q[3] + q[5]);
  }
  template <class S>
  void constraints(const S&, std::span<const S> q, std::span<S> phi) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const S x = q[2 * k] - static_cast<double>(k) * l;
      phi[k] = x * x + q[2 * k + 1] * q[2 * k + 1] - l * l;
    }
    for (std::size_t k = 0; k < 2; ++k) {
      const S x = q[2 * k + 2] - q[2 * k], y = q[2 * k + 3] - q[2 * k + 1];
      phi[3 + k] = x * x + y * y - l * l;
    }
  }

  void eval(const double* q, const double* v, Workspace& ws) const {
    double* const phi = ws.phi.data();
    double* const jacobian = ws.jacobian.data();
    double* const rho = ws.velocity_residual.data();
    double* const gamma = ws.gamma.data();
    const double length = l * l;
    for (int k = 0; k < 3; ++k) {
      const double x = q[2 * k] - k * l, y = q[2 * k + 1], u = v[2 * k], w = v[2 * k + 1];
      const double x2 = x + x, y2 = y + y;
      phi[k] = x * x + y * y - length;
      jacobian[10 * k + k] = x2;
      jacobian[10 * k + 5 + k] = y2;
      rho[k] = x2 * u + y2 * w;
      gamma[k] = -2.0 * (u * u + w * w);
    }
    for (int k = 0; k < 2; ++k) {
      const double x = q[2 * k + 2] - q[2 * k], y = q[2 * k + 3] - q[2 * k + 1];
      const double u = v[2 * k + 2] - v[2 * k], w = v[2 * k + 3] - v[2 * k + 1];
      const double x2 = x + x, y2 = y + y;
      phi[3 + k] = x * x + y * y - length;
      jacobian[10 * k + 3 + k] = -x2;
      jacobian[10 * k + 8 + k] = -y2;
      jacobian[10 * k + 13 + k] = x2;
      jacobian[10 * k + 18 + k] = y2;
      rho[3 + k] = x2 * u + y2 * w;
      gamma[3 + k] = -2.0 * (u * u + w * w);
    }
  }
};

/// Andrews' squeezer in its seven relative angles.
struct Andrews {
  static constexpr int kCoordinates = 7, kRows = 6;
  double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706,
         m7 = 0.05498;
  double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7,
         i7 = 1.912e-5;
  double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  double c0 = 4530.0, l0 = 0.07785;
  double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035;
  double sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916;
  double u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421, mom = 0.033;

  template <class S>
  S kinetic(const S&, std::span<const S> q, std::span<const S> v) const {
    const double E = e - ea, Z = zf - fa;
    const S w2 = v[0] + v[1], w4 = v[3] + v[4], w6 = v[5] + v[6];
    return (m1 * ra * ra + i1) / 2 * v[0] * v[0] + i2 / 2 * w2 * w2 +
           m2 / 2 *
               (rr * rr * v[0] * v[0] - 2 * da * rr * cos(q[1]) * v[0] * w2 + da * da * w2 * w2) +
           (m3 * (sa * sa + sb * sb) + i3) / 2 * v[2] * v[2] + i4 / 2 * w4 * w4 +
           m4 / 2 * (zt * zt * v[4] * v[4] + 2 * zt * E * sin(q[3]) * v[4] * w4 + E * E * w4 * w4) +
           (m5 * (ta * ta + tb * tb) + i5) / 2 * v[4] * v[4] + i6 / 2 * w6 * w6 +
           m6 / 2 * (u * u * v[6] * v[6] - 2 * u * Z * sin(q[5]) * v[6] * w6 + Z * Z * w6 * w6) +
           (m7 * (ua * ua + ub * ub) + i7) / 2 * v[6] * v[6];
  }
  template <class S>
  S potential(const S&, std::span<const S> q) const {
    const S x = sd * cos(q[2]) + sc * sin(q[2]) + (xb - xc);
    const S y = sd * sin(q[2]) - sc * cos(q[2]) + (yb - yc);
    const S length = sqrt(x * x + y * y) - l0;
    return c0 / 2 * length * length;
  }
  template <class S>
  void forces(const S&, std::span<const S>, std::span<const S>, std::span<S> f) const {
    f[0] = f[0] + mom;
  }
  template <class S>
  void constraints(const S&, std::span<const S> q, std::span<S> phi) const {
    const S x = rr * cos(q[0]) - d * cos(q[0] + q[1]), y = rr * sin(q[0]) - d * sin(q[0] + q[1]);
    phi[0] = x - ss * sin(q[2]) - xb;
    phi[1] = y + ss * cos(q[2]) - yb;
    phi[2] = x - e * sin(q[3] + q[4]) - zt * cos(q[4]) - xa;
    phi[3] = y + e * cos(q[3] + q[4]) - zt * sin(q[4]) - ya;
    phi[4] = x - zf * cos(q[5] + q[6]) - u * sin(q[6]) - xa;
    phi[5] = y - zf * sin(q[5] + q[6]) + u * cos(q[6]) - ya;
  }

  void eval(const double* q, const double* v, Workspace& ws) const {
    double sbe, cbe, sbt, cbt, sth, cth, sga, cga, sph, cph, spd, cpd, sde, cde, som, com, soe, coe,
        sep, cep;
    calc_sincos(q[0], sbe, cbe);
    calc_sincos(q[0] + q[1], sbt, cbt);
    calc_sincos(q[1], sth, cth);
    calc_sincos(q[2], sga, cga);
    calc_sincos(q[3], sph, cph);
    calc_sincos(q[3] + q[4], spd, cpd);
    calc_sincos(q[4], sde, cde);
    calc_sincos(q[5], som, com);
    calc_sincos(q[5] + q[6], soe, coe);
    calc_sincos(q[6], sep, cep);
    const double E = e - ea, Z = zf - fa;
    double* const mass = ws.mass.data();
    double* const force = ws.force.data();
    const double k2 = m2 * da * rr, k4 = m4 * zt * E, k6 = m6 * u * Z;
    const double c2 = k2 * cth, s4 = k4 * sph, s6 = k6 * som;
    mass[0] = m1 * ra * ra + m2 * (rr * rr + da * da) + i1 + i2 - 2.0 * c2;
    mass[1] = mass[7] = m2 * da * da + i2 - c2;
    mass[25] = mass[31] = m4 * E * E + i4 + s4;
    mass[32] = m4 * (zt * zt + E * E) + m5 * (ta * ta + tb * tb) + i4 + i5 + 2.0 * s4;
    mass[41] = mass[47] = m6 * Z * Z + i6 - s6;
    mass[48] = m6 * (Z * Z + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7 - 2.0 * s6;
    const double dx = sd * cga + sc * sga, dy = sd * sga - sc * cga;
    const double fx = dx + (xb - xc), fy = dy + (yb - yc);
    const double length = std::sqrt(fx * fx + fy * fy), pull = -c0 * (length - l0) / length;
    force[0] = mom - k2 * sth * v[1] * (v[1] + 2.0 * v[0]);
    force[1] = k2 * sth * v[0] * v[0];
    force[2] = pull * (fy * dx - fx * dy);
    force[3] = k4 * cph * v[4] * v[4];
    force[4] = -k4 * cph * v[3] * (v[3] + 2.0 * v[4]);
    force[5] = -k6 * com * v[6] * v[6];
    force[6] = k6 * com * v[5] * (v[5] + 2.0 * v[6]);
    sbe *= rr, cbe *= rr, sbt *= d, cbt *= d, sga *= ss, cga *= ss, spd *= e, cpd *= e, sde *= zt,
        cde *= zt, soe *= zf, coe *= zf, sep *= u, cep *= u;
    const double x = cbe - cbt, y = sbe - sbt;
    double* const phi = ws.phi.data();
    phi[0] = x - sga - xb;
    phi[1] = y + cga - yb;
    phi[2] = x - spd - cde - xa;
    phi[3] = y + cpd - sde - ya;
    phi[4] = x - coe - sep - xa;
    phi[5] = y - soe + cep - ya;
    double* const jacobian = ws.jacobian.data();  // 6 x 7 by columns
    jacobian[0] = jacobian[2] = jacobian[4] = sbt - sbe;
    jacobian[1] = jacobian[3] = jacobian[5] = x;
    jacobian[6] = jacobian[8] = jacobian[10] = sbt;
    jacobian[7] = jacobian[9] = jacobian[11] = -cbt;
    jacobian[12] = -cga;
    jacobian[13] = -sga;
    jacobian[20] = -cpd;
    jacobian[21] = -spd;
    jacobian[26] = sde - cpd;
    jacobian[27] = -spd - cde;
    jacobian[34] = soe;
    jacobian[35] = -coe;
    jacobian[40] = soe - cep;
    jacobian[41] = -coe - sep;
    const double w1 = v[0], w2 = v[0] + v[1], w3 = v[3] + v[4], w4 = v[5] + v[6];
    const double xd = sbt * w2 - sbe * w1, yd = cbe * w1 - cbt * w2;
    double* const rho = ws.velocity_residual.data();
    rho[0] = xd - cga * v[2];
    rho[1] = yd - sga * v[2];
    rho[2] = xd - cpd * w3 + sde * v[4];
    rho[3] = yd - spd * w3 - cde * v[4];
    rho[4] = xd + soe * w4 - cep * v[6];
    rho[5] = yd - coe * w4 - sep * v[6];
    const double q1 = w1 * w1, q2 = w2 * w2, q3 = w3 * w3, q4 = w4 * w4;
    const double g2 = v[2] * v[2], d2 = v[4] * v[4], e2 = v[6] * v[6];
    const double xdd = cbt * q2 - cbe * q1, ydd = sbt * q2 - sbe * q1;
    double* const gamma = ws.gamma.data();
    gamma[0] = -(xdd + sga * g2);
    gamma[1] = -(ydd - cga * g2);
    gamma[2] = -(xdd + spd * q3 + cde * d2);
    gamma[3] = -(ydd - cpd * q3 + sde * d2);
    gamma[4] = -(xdd + coe * q4 + sep * e2);
    gamma[5] = -(ydd + soe * q4 - cep * e2);
  }
};

/// Masses on rods, one below the other, in Cartesian coordinates.
template <int N>
struct Chain {
  static constexpr int kCoordinates = 2 * N, kRows = N;
  double m = 1.0, l = 0.1, g = 9.81;

  template <class S>
  S kinetic(const S&, std::span<const S>, std::span<const S> v) const {
    S sum = m / 2 * (v[0] * v[0]);
    for (std::size_t i = 1; i < v.size(); ++i) sum = sum + m / 2 * (v[i] * v[i]);
    return sum;
  }
  template <class S>
  S potential(const S&, std::span<const S> q) const {
    S sum = m * g * q[1];
    for (std::size_t i = 3; i < q.size(); i += 2) sum = sum + m * g * q[i];
    return sum;
  }
  template <class S>
  void constraints(const S&, std::span<const S> q, std::span<S> phi) const {
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - l * l);
    for (std::size_t k = 1; k < N; ++k) {
      const S x = q[2 * k] - q[2 * k - 2], y = q[2 * k + 1] - q[2 * k - 1];
      phi[k] = 0.5 * (x * x + y * y - l * l);
    }
  }

  void eval(const double* q, const double* v, Workspace& ws) const {
    double* const phi = ws.phi.data();
    double* const jacobian = ws.jacobian.data();  // N x 2N by columns
    double* const rho = ws.velocity_residual.data();
    double* const gamma = ws.gamma.data();
    double px = 0.0, py = 0.0, pu = 0.0, pw = 0.0;
    for (int k = 0; k < N; ++k) {
      const double x = q[2 * k] - px, y = q[2 * k + 1] - py;
      const double u = v[2 * k] - pu, w = v[2 * k + 1] - pw;
      phi[k] = 0.5 * (x * x + y * y - l * l);
      jacobian[2 * k * N + k] = x;
      jacobian[(2 * k + 1) * N + k] = y;
      if (k > 0) {
        jacobian[(2 * k - 2) * N + k] = -x;
        jacobian[(2 * k - 1) * N + k] = -y;
      }
      rho[k] = x * u + y * w;
      gamma[k] = -(u * u + w * w);
      px = q[2 * k], py = q[2 * k + 1], pu = v[2 * k], pw = v[2 * k + 1];
    }
  }
};

template <class Model>
std::unique_ptr<System> make_bench_system(const Model& model, const std::string& name) {
  FunctionLayout layout{.name = name};
  for (int i = 0; i < Model::kCoordinates; ++i) layout.coordinates.push_back(fmt::format("q{}", i));
  for (int i = 0; i < Model::kRows; ++i) layout.constraints.push_back(fmt::format("c{}", i));
  return make_system(model, layout);
}

}  // namespace driftless::bench
