#include "driftless/math/triangle_mesh_test.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::find_volume;

/// A ball of 2·n·n triangles, each with points of its own, around a centre.
TriangleMesh make_ball(int n, double radius, const Vector3& centre) {
  TriangleMesh ball;
  const auto place = [&](int i, int j) {
    const double a = std::numbers::pi * i / n;
    const double b = 2 * std::numbers::pi * (j % n) / n;
    const double ring = i == 0 || i == n ? 0.0 : std::sin(a);
    return centre + radius * Vector3{ring * std::cos(b), ring * std::sin(b), std::cos(a)};
  };
  const auto add = [&](const Vector3& a, const Vector3& b, const Vector3& c) {
    const auto first = static_cast<int>(ball.points.size());
    ball.points.insert(ball.points.end(), {a, b, c});
    ball.triangles.push_back({first, first + 1, first + 2});
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      add(place(i, j), place(i + 1, j), place(i + 1, j + 1));
      add(place(i, j), place(i + 1, j + 1), place(i, j + 1));
    }
  }
  return ball;
}

TEST(TriangleMesh, EqualPointsBecomeOne) {
  const TriangleMesh ball = make_ball(20, 0.3, {1, -2, 3});
  const TriangleMesh merged = merge_points(ball);
  EXPECT_EQ(merged.points.size(), 20U * 19U + 2U);
  EXPECT_EQ(merged.triangles.size(), 2U * 20U * 20U - 2U * 20U) << "those at the poles are lines";
  EXPECT_NEAR(find_volume(merged), find_volume(ball), 1e-12);
}

TEST(TriangleMesh, ThinningKeepsTheShape) {
  const TriangleMesh ball = merge_points(make_ball(120, 0.3, {1, -2, 3}));
  const double volume = 4.0 / 3.0 * std::numbers::pi * 0.027;
  for (const std::size_t most : {20000U, 3000U, 500U}) {
    const TriangleMesh thin = thin_mesh(ball, most);
    EXPECT_LE(thin.triangles.size(), most);
    EXPECT_GE(thin.triangles.size(), most / 4);
    EXPECT_NEAR(find_volume(thin), volume, 0.12 * volume) << most;
  }
  EXPECT_EQ(thin_mesh(ball, 1000000).triangles.size(), ball.triangles.size());
  EXPECT_EQ(thin_mesh(ball, 0).triangles.size(), 0U);
}

}  // namespace
}  // namespace driftless
