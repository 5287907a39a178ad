#pragma once
// Trials of the machines in models/machines/: what each must pass, and the geometry that their checks share.

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/math/vec3.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {

inline constexpr double kPi = std::numbers::pi;

inline ModelFile read_machine(const std::string& name, const Sets& sets = {}) {
  ModelFile file = read_model_file(find_model("machines/" + name));
  apply_overrides(file, sets);
  return file;
}

/// The counts at the start, as `check` tells them.
inline void expect_count(const ModelFile& file, int rates, int rows, int rank) {
  const PreparedModel model = prepare_model(file, {});
  ASSERT_TRUE(model.start_report.success) << model.start_report.message;
  const CheckReport report = check_system(model.system(), model.start);
  EXPECT_EQ(report.rates, rates);
  EXPECT_EQ(report.rows, rows);
  EXPECT_EQ(report.rank, rank);
  EXPECT_EQ(report.dof, rates - rank);
  EXPECT_EQ(report.redundant.size(), static_cast<std::size_t>(rows - rank));
  EXPECT_TRUE(report.inconsistent.empty());
  EXPECT_TRUE(report.ok());
}

/// As the file says, for `until` seconds: closed joints, and energy to 1e-9 of `scale` joules.
inline Result run_machine(const ModelFile& file, double until, double every, double scale) {
  Result result = run_file(file, {.until = until, .every = every});
  EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("phi", result.report.max_phi, 1e-9);
  expect_at_most("energy", result.report.max_energy_error, 1e-9 * scale);
  return result;
}

/// A number within `part` of `value`.
inline std::string vary(double value, double part, std::mt19937_64& random) {
  return text_of(value * (1.0 + part * std::uniform_real_distribution<>(-1, 1)(random)));
}

/// Where a circle of radius r1 about p and one of radius r2 about q meet, on the left of the way from p to q.
inline Vector3 meet_circles(const Vector3& p, double r1, const Vector3& q, double r2) {
  const Vector3 d = q - p;
  const double along = (r1 * r1 - r2 * r2 + dot(d, d)) / (2 * norm(d));
  const double across = std::sqrt(r1 * r1 - along * along);
  const Vector3 u = (1 / norm(d)) * d;
  return p + along * u + across * Vector3{-u.y, u.x, 0};
}

/// Where three spheres meet, on the side of (b - a) x (c - a).
inline Vector3 meet_spheres(const Vector3& a, double ra, const Vector3& b, double rb,
                            const Vector3& c, double rc) {
  const double d = norm(b - a);
  const Vector3 ex = (1 / d) * (b - a);
  const double i = dot(ex, c - a);
  const Vector3 rest = c - a - i * ex;
  const double j = norm(rest);
  const Vector3 ey = (1 / j) * rest;
  const double x = (ra * ra - rb * rb + d * d) / (2 * d);
  const double y = (ra * ra - rc * rc + i * i + j * j - 2 * i * x) / (2 * j);
  return a + x * ex + y * ey + std::sqrt(ra * ra - x * x - y * y) * cross(ex, ey);
}

/// The vector turned by a unit quaternion (w, x, y, z).
inline Vector3 turn(const Values& q, const Vector3& a) {
  const Vector3 u{q[1], q[2], q[3]};
  const Vector3 c = 2.0 * cross(u, a);
  return a + q[0] * c + cross(u, c);
}

/// The vector turned about a unit axis.
inline Vector3 turn(const Vector3& axis, double angle, const Vector3& a) {
  return std::cos(angle) * a + std::sin(angle) * cross(axis, a) +
         (1 - std::cos(angle)) * dot(axis, a) * axis;
}

}  // namespace driftless::trials
