#include "driftless/io/pose_track.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

Result make_result(const std::vector<std::string>& names) {
  Result result;
  for (const std::string& name : names) result.columns.push_back({name, ""});
  return result;
}

SceneBody make_body(const std::string& name, bool point) {
  SceneBody body;
  body.name = name;
  body.point = point;
  return body;
}

TEST(PoseTrack, FollowsASmoothMotionBetweenSamples) {
  Scene scene;
  scene.plane = true;
  scene.bodies = {make_body("link", false), make_body("bob", true)};
  Result result = make_result({"t", "link.angle", "bob.y", "link.x", "link.y", "bob.x"});
  const auto x = [](double t) { return std::sin(3 * t); };
  for (double t = 0; t < 2; t += 0.02)
    result.data.insert(result.data.end(), {t, 5 * t, 2 - t * t, x(t), std::cos(t), 0.7});
  const PoseTrack track(scene, result);
  double worst = 0;
  for (double t = 0.03; t < 1.9; t += 0.0137) {
    const std::vector<BodyPose> poses = track.at(t);
    ASSERT_EQ(poses.size(), 2U);
    worst = std::max({worst, std::abs(poses[0].origin.x - x(t)),
                      std::abs(poses[0].origin.y - std::cos(t)),
                      std::abs(poses[0].axes.x.x - std::cos(5 * t)),
                      std::abs(poses[0].axes.y.x + std::sin(5 * t)),
                      std::abs(poses[1].origin.y - 2 + t * t), std::abs(poses[1].origin.x - 0.7)});
  }
  EXPECT_LT(worst, 2e-5);  // straight lines between the samples would be 4.5e-4 off
  EXPECT_GT(worst, 1e-9);
}

TEST(PoseTrack, TurnsInSpaceWhateverTheSignOfTheQuaternion) {
  Scene scene;
  scene.bodies = {make_body("top", false)};
  Result result =
      make_result({"t", "top.x", "top.y", "top.z", "top.q0", "top.q1", "top.q2", "top.q3"});
  const Vector3 axis = (1.0 / std::sqrt(14.0)) * Vector3{1, -2, 3};
  for (int k = 0; k < 50; ++k) {
    const double t = 0.1 * k, half = 0.6 * t, sign = k % 3 == 0 ? -1 : 1;
    result.data.insert(result.data.end(),
                       {t, t, 2 * t, -t, sign * std::cos(half), sign * std::sin(half) * axis.x,
                        sign * std::sin(half) * axis.y, sign * std::sin(half) * axis.z});
  }
  const PoseTrack track(scene, result);
  for (double t = 0.15; t < 4.8; t += 0.071) {
    const BodyPose pose = track.at(t)[0];
    EXPECT_NEAR(norm(apply(pose.axes, axis) - axis), 0, 1e-12);
    const Vector3 across = cross(axis, Vector3{1, 0, 0});
    const Vector3 turned = apply(pose.axes, across);
    const Vector3 wanted = std::cos(1.2 * t) * across + std::sin(1.2 * t) * cross(axis, across);
    EXPECT_NEAR(norm(turned - wanted), 0, 1e-4);
    EXPECT_NEAR(pose.origin.y, 2 * t, 1e-12);
  }
}

TEST(PoseTrack, EndsBeforeWhatIsNoNumber) {
  Scene scene;
  scene.plane = true;
  scene.bodies = {make_body("bob", true)};
  Result result = make_result({"t", "bob.x", "bob.y"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  result.data = {0, 1, 2, 0.5, 2, 3, 1, nan, 4, 1.5, 3, 4};
  EXPECT_DOUBLE_EQ(PoseTrack(scene, result).end(), 0.5);
  EXPECT_DOUBLE_EQ(PoseTrack(scene, result).at(7)[0].origin.x, 2);
  result.data = {0, nan, 2};
  EXPECT_THROW(PoseTrack(scene, result), ModelError);
  result = make_result({"t", "bob.x"});
  EXPECT_THROW(PoseTrack(scene, result), ModelError);
}

}  // namespace
}  // namespace driftless
