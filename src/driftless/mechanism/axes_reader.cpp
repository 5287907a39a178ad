// The axes of a frame, from the directions that the user gives.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "driftless/mechanism/body_reader.hpp"

namespace driftless {

Axes<double> make_axes(const Vector3& z, const Vector3* x) {
  Vector3 side = x != nullptr ? *x : cross(Vector3{0, 0, 1}, z);
  side = side - dot(side, z) * z;
  if (norm(side) < 1e-9) side = Vector3{1, 0, 0} - z.x * z;
  if (norm(side) < 1e-9) side = Vector3{0, 1, 0} - z.y * z;
  side = (1.0 / norm(side)) * side;
  return {side, cross(z, side), z};
}

namespace {

void check_across(ElementReader& reader, const Vector3& z, const Vector3& x, Skew skew) {
  const double kAllowed = skew == Skew::refused ? 1e-3 : 1.0 - 1e-9;  // numbers may be rounded
  const double slope = std::abs(dot(z, x));
  if (slope <= kAllowed) return;
  const char* key = reader.has("z") ? "z" : "axis";
  const double angle = std::acos(std::min(slope, 1.0)) * 180.0 / std::numbers::pi;
  reader.fault(reader.take("x")->where,
               fmt::format("{}: x and {} must be at a right angle, but they are at {:.4g} deg",
                           reader.path(), key, angle),
               "turn one of them, or leave one out");
}

}  // namespace

Axes<double> read_axes(ElementReader& reader, Skew skew) {
  const std::size_t before = reader.context().trouble();
  auto x = reader.direction("x");
  if (reader.context().plane) {  // the axis of a sliding joint
    if (const auto axis = reader.direction("axis"); axis && !x) x = axis;
    const Vector3 z{0, 0, 1};
    const Vector3 default_x{1, 0, 0};
    return make_axes(z, x ? &*x : &default_x);
  }
  auto z = reader.direction("z");
  if (const auto axis = reader.direction("axis"); axis && !z) z = axis;
  if (z && x && reader.context().trouble() == before) check_across(reader, *z, *x, skew);
  const Vector3 default_z{0, 0, 1};
  const Vector3 default_x{1, 0, 0};
  if (!z && x) {  // x alone: z stays as upright as it can
    Vector3 up = default_z - dot(default_z, *x) * *x;
    if (norm(up) < 1e-9) {
      reader.fault(reader.take("x")->where,
                   fmt::format("{}: x is along [0, 0, 1], where the axis is if none is given",
                               reader.path()),
                   "give the axis (of a pose: z) as well, at a right angle to x");
      up = Vector3{0, 1, 0};
    }
    return make_axes((1.0 / norm(up)) * up, &*x);
  }
  if (!z) return make_axes(default_z, &default_x);
  return make_axes(*z, x ? &*x : nullptr);
}

std::array<Axes<double>, 2> read_axes_pair(ElementReader& reader) {
  std::array<Axes<double>, 2> pair;
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t before = reader.context().trouble();
    reader.choose_side(side);
    pair[side] = read_axes(reader, Skew::turned);
    if (reader.context().trouble() > before) break;  // once is enough
  }
  return pair;
}

double find_angle(const Axes<double>& axes) { return std::atan2(axes.x.y, axes.x.x); }

}  // namespace driftless
