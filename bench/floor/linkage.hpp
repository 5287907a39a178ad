#pragma once
// Mechanisms of one degree of freedom in their one coordinate. With every point a function of the angle of the crank, known
// with its first two derivatives,
//
//   m(a) a'' + m_a/2 a'^2 = Q(a),    m = sum (mass |c_a|^2 + inertia phi_a^2),   Q = torque - V_a                  [LNK.1]
//
// A dyad closes two rods of lengths l, k that start at the points P and Q: with D = Q - P, r = |D|^2,
//
//   X = P + x D + h D_perp,    x = (l^2 - k^2 + r)/(2 r),   h = ± sqrt(l^2/r - x^2)                                 [LNK.2]

#include <cmath>

#include "bench/common/data.hpp"

namespace bench {

/// A value with its first two derivatives by the crank's angle.
template <class Real>
struct Jet {
  Real v = 0, d = 0, dd = 0;
};
template <class Real>
Jet<Real> operator+(Jet<Real> a, Jet<Real> b) {
  return {a.v + b.v, a.d + b.d, a.dd + b.dd};
}
template <class Real>
Jet<Real> operator-(Jet<Real> a, Jet<Real> b) {
  return {a.v - b.v, a.d - b.d, a.dd - b.dd};
}
template <class Real>
Jet<Real> operator*(Real s, Jet<Real> a) {
  return {s * a.v, s * a.d, s * a.dd};
}
template <class Real>
Jet<Real> operator*(Jet<Real> a, Jet<Real> b) {
  return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
}
template <class Real>
Jet<Real> inverse(Jet<Real> a) {
  const Real i = 1 / a.v, ii = i * i;
  return {i, -a.d * ii, (2 * a.d * a.d * i - a.dd) * ii};
}
template <class Real>
Jet<Real> square_root(Jet<Real> a) {
  const Real s = std::sqrt(a.v), d = a.d / (2 * s);
  return {s, d, (a.dd / 2 - d * d) / s};
}

template <class Real>
struct Point {
  Jet<Real> x, y;
};
template <class Real>
Point<Real> make_fixed(double x, double y) {
  return {{Real(x)}, {Real(y)}};
}
template <class Real>
Point<Real> operator-(Point<Real> a, Point<Real> b) {
  return {a.x - b.x, a.y - b.y};
}
/// P + (along D + across D_perp) / length: a point of a rod from P to P + D.
template <class Real>
Point<Real> find_on_rod(Point<Real> p, Point<Real> d, double length, double along, double across) {
  const Real a = Real(along) / Real(length), c = Real(across) / Real(length);
  return {p.x + a * d.x - c * d.y, p.y + a * d.y + c * d.x};
}
/// [LNK.2]
template <class Real>
Point<Real> close_dyad(Point<Real> p, double l, Point<Real> q, double k, double side) {
  const Point<Real> d = q - p;
  const Jet<Real> r = d.x * d.x + d.y * d.y;
  const Jet<Real> i = inverse(r);
  const Real ll = Real(l) * Real(l), kk = Real(k) * Real(k);
  const Jet<Real> x = Jet<Real>{Real(0.5)} + (Real(0.5) * (ll - kk)) * i;
  const Jet<Real> h = Real(side) * square_root(ll * i - x * x);
  return {p.x + x * d.x - h * d.y, p.y + x * d.y + h * d.x};
}

/// The terms of [LNK.1] and the potential.
template <class Real>
struct Terms {
  Real mass = 0, mass_a = 0, force = 0, potential = 0;

  void add_mass(Real mass_, Point<Real> c) {
    mass += mass_ * (c.x.d * c.x.d + c.y.d * c.y.d);
    mass_a += 2 * mass_ * (c.x.d * c.x.dd + c.y.d * c.y.dd);
  }
  /// A rod along d, of that length.
  void add_inertia(Real inertia, Point<Real> d, double length) {
    const Real i = 1 / (Real(length) * Real(length));
    const Real w = (d.x.v * d.y.d - d.y.v * d.x.d) * i;
    const Real w_a = (d.x.v * d.y.dd - d.y.v * d.x.dd) * i;
    mass += inertia * w * w;
    mass_a += 2 * inertia * w * w_a;
  }
  void add_weight(Real mass_, Point<Real> c) {
    potential += mass_ * Real(kGravity) * c.y.v;
    force -= mass_ * Real(kGravity) * c.y.d;
  }
  /// A slender rod under its weight.
  void add_rod(double mass_, Point<Real> p, Point<Real> d, double length) {
    const Point<Real> c = find_on_rod(p, d, length, length / 2, 0);
    add_mass(Real(mass_), c);
    add_weight(Real(mass_), c);
    add_inertia(Real(mass_) * Real(length) * Real(length) / 12, d, length);
  }
};

template <class Real>
Point<Real> turn_crank(double length, Real angle) {
  const Real c = Real(length) * std::cos(angle), s = Real(length) * std::sin(angle);
  return {{c, -s, -c}, {s, c, -s}};
}

/// models/four_bar_3d.toml
template <class Real>
Terms<Real> find_four_bar_terms(Real angle) {
  const FourBar f;
  const double l = std::hypot(f.bx, f.by), k = std::hypot(f.cx - f.bx, f.cy - f.by),
               j = std::hypot(f.cx - f.dx, f.cy - f.dy);
  const Point<Real> A = make_fixed<Real>(0, 0), D = make_fixed<Real>(f.dx, f.dy);
  const Point<Real> B = turn_crank(l, angle), C = close_dyad(B, k, D, j, 1.0);
  Terms<Real> terms;
  terms.add_rod(f.crank_mass, A, B, l);
  terms.add_rod(f.coupler_mass, B, C - B, k);
  terms.add_rod(f.rocker_mass, D, C - D, j);
  return terms;
}

/// models/andrews_squeezer.toml
template <class Real>
Terms<Real> find_andrews_terms(Real angle) {
  const Andrews a;
  const Point<Real> O = make_fixed<Real>(0, 0), A = make_fixed<Real>(a.xa, a.ya),
                    B = make_fixed<Real>(a.xb, a.yb), C = make_fixed<Real>(a.xc, a.yc);
  const Point<Real> F = turn_crank(a.rr, angle), E = close_dyad(F, a.d, B, a.ss, 1.0),
                    G = close_dyad(A, a.zt, E, a.e, 1.0), H = close_dyad(A, a.u, E, a.zf, -1.0);
  Terms<Real> terms;
  const auto add = [&](int body, Point<Real> p, Point<Real> d, double length, double along,
                       double across) {
    const AndrewsBody& each = a.body[static_cast<std::size_t>(body - 1)];
    terms.add_mass(Real(each.mass), find_on_rod(p, d, length, along, across));
    terms.add_inertia(Real(each.inertia), d, length);
  };
  add(1, O, F, a.rr, a.ra, 0);
  add(2, F, E - F, a.d, a.da, 0);
  add(3, B, E - B, a.ss, a.sa, a.sb);
  add(4, G, E - G, a.e, a.e - a.ea, 0);
  add(5, A, G - A, a.zt, a.ta, a.tb);
  add(6, H, E - H, a.zf, a.zf - a.fa, 0);
  add(7, A, H - A, a.u, a.ua, -a.ub);
  const Point<Real> spring = find_on_rod(B, E - B, a.ss, a.sc, a.sd) - C;
  const Jet<Real> length = square_root(spring.x * spring.x + spring.y * spring.y);
  const Real stretch = length.v - Real(a.length);
  terms.potential = Real(a.stiffness) * stretch * stretch / 2 - Real(a.torque) * angle;
  terms.force = Real(a.torque) - Real(a.stiffness) * stretch * length.d;
  return terms;
}

}  // namespace bench
