#include "driftless/expressions/spline.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless {

namespace {

void check_points(std::span<const double> x, std::span<const double> y, const Source& where) {
  if (x.size() != y.size())
    throw ModelError({where, fmt::format("table: {} x values but {} y values", x.size(), y.size()),
                      "give pairs"});
  if (x.size() < 2)
    throw ModelError({where, fmt::format("table: {} point(s); at least 2 are needed", x.size()),
                      "give two columns of numbers, x and y, one pair per line"});
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw ModelError({where,
                        fmt::format("table: point {} is ({}, {}): not finite", i + 1, x[i], y[i]),
                        "remove or correct this point"});
    if (i > 0 && !(x[i - 1] < x[i]))
      throw ModelError({where,
                        fmt::format("table: x must increase, but point {} has x = {} after x = {}",
                                    i + 1, x[i], x[i - 1]),
                        "sort the points by x and give each x once"});
  }
}

// Slopes at the points of the not-a-knot spline, n >= 4: the continuity of y'' at the inner points,
//   h_i s_i-1 + 2 (h_i-1 + h_i) s_i + h_i-1 s_i+1 = 3 (h_i d_i-1 + h_i-1 d_i),
// and the continuity of y''' at the second and last but one, both already reduced to two unknowns.
// h: widths, d: divided differences. Elimination without pivoting: after the first row the matrix
// is diagonally dominant.
std::vector<double> calc_slopes(const std::vector<double>& h, const std::vector<double>& d) {
  const std::size_t n = h.size() + 1;
  std::vector<double> diagonal(n), upper(n), s(n);
  const double first = h[0] + h[1];
  diagonal[0] = h[1];
  upper[0] = first;
  s[0] = ((h[0] + 2 * first) * h[1] * d[0] + h[0] * h[0] * d[1]) / first;
  const double last = h[n - 2] + h[n - 3];
  for (std::size_t i = 1; i < n; ++i) {
    const bool at_end = i == n - 1;
    const double lower = at_end ? last : h[i];
    diagonal[i] = at_end ? h[n - 3] : 2 * (h[i - 1] + h[i]);
    upper[i] = at_end ? 0.0 : h[i - 1];
    s[i] = at_end ? (h[n - 2] * h[n - 2] * d[n - 3] + (2 * last + h[n - 2]) * h[n - 3] * d[n - 2]) /
                        last
                  : 3 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
    const double factor = lower / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    s[i] -= factor * s[i - 1];
  }
  s[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) s[i] = (s[i] - upper[i] * s[i + 1]) / diagonal[i];
  return s;
}

// The parabola through three points, the line through two.
std::vector<double> calc_slopes_few(const std::vector<double>& h, const std::vector<double>& d) {
  if (h.size() == 1) return {d[0], d[0]};
  const double bend = (d[1] - d[0]) / (h[0] + h[1]);
  return {d[0] - bend * h[0], d[0] + bend * h[0], d[1] + bend * h[1]};
}

}  // namespace

CubicSpline::CubicSpline(std::span<const double> x, std::span<const double> y,
                         const Source& where) {
  check_points(x, y, where);
  const std::size_t n = x.size();
  std::vector<double> h(n - 1), d(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    d[i] = (y[i + 1] - y[i]) / h[i];
  }
  const std::vector<double> s = n < 4 ? calc_slopes_few(h, d) : calc_slopes(h, d);
  x_.assign(x.begin(), x.end());
  for (std::size_t i = 0; i + 1 < n; ++i) {
    // Hermite: the cubic with the values and slopes of both ends.
    const double bend = (s[i] + s[i + 1] - 2 * d[i]) / h[i];
    pieces_.push_back({y[i], s[i], (d[i] - s[i]) / h[i] - bend, bend / h[i]});
    const Cubic& p = pieces_.back();
    if (!std::isfinite(p.c1) || !std::isfinite(p.c2) || !std::isfinite(p.c3))
      throw ModelError(
          {where,
           fmt::format("table: the slope between points {} and {} is not finite", i + 1, i + 2),
           "the points are too close in x or too far in y"});
  }
  upper_value_ = y[n - 1];
  upper_slope_ = s[n - 1];
}

double CubicSpline::value(double x, int derivative) const {
  if (x < x_.front() || x > x_.back()) {
    const bool below = x < x_.front();
    const double slope = below ? pieces_.front().c1 : upper_slope_;
    if (derivative == 0)
      return below ? pieces_.front().c0 + slope * (x - x_.front())
                   : upper_value_ + slope * (x - x_.back());
    return derivative == 1 ? slope : 0.0;
  }
  // The last point belongs to the last interval; NaN lands there as well and stays NaN.
  const auto after = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  const std::size_t i = static_cast<std::size_t>(after - x_.begin()) - 1;
  const Cubic& p = pieces_[i];
  const double s = x - x_[i];
  switch (derivative) {
    case 0: return p.c0 + s * (p.c1 + s * (p.c2 + s * p.c3));
    case 1: return p.c1 + s * (2 * p.c2 + s * 3 * p.c3);
    case 2: return 2 * p.c2 + s * 6 * p.c3;
    case 3: return x == x ? 6 * p.c3 : x;
    default: return 0.0;
  }
}

}  // namespace driftless
