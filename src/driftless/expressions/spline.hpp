#pragma once
// Cubic spline through (x, y) pairs: the curve behind table(name, x).
//
// Inside [x_0, x_n-1]: piecewise cubic, twice continuously differentiable, with the not-a-knot end
// condition (the third derivative is continuous at the second and the last but one point). It
// reproduces every cubic and is of fourth order up to the ends; the natural spline, which forces
// y'' = 0 there, is of second order near them. Two points give the line, three the parabola.
// Outside: the straight line with the end's slope, so value and slope stay continuous and nothing
// runs away as a cubic would.

#include <span>
#include <string_view>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

class CubicSpline {
 public:
  /// x strictly increasing, at least 2 points, all finite; ModelError (at `where`) otherwise.
  CubicSpline(std::span<const double> x, std::span<const double> y, const Source& where = {});

  /// Derivative of order 0 (the value) to 3 at x; the third one is right-continuous. Higher orders
  /// are 0.
  double value(double x, int derivative = 0) const;

  double lower() const { return x_.front(); }  ///< first x
  double upper() const { return x_.back(); }   ///< last x
  std::size_t size() const { return x_.size(); }

 private:
  // y = c0 + s*(c1 + s*(c2 + s*c3)) with s = x - x_i, on interval i.
  struct Cubic {
    double c0 = 0.0, c1 = 0.0, c2 = 0.0, c3 = 0.0;
  };

  std::vector<double> x_;      // (n)
  std::vector<Cubic> pieces_;  // (n - 1)
  double upper_value_ = 0.0;   // at x_.back()
  double upper_slope_ = 0.0;
};

/// Two columns of numbers, separated by comma, semicolon or blanks; one optional header line; #
/// starts a comment. `where` names the file; lines and columns in messages count from its place.
CubicSpline read_table_csv(std::string_view text, const Source& where);

}  // namespace driftless
