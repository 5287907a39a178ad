#include "driftless/io/scene_camera.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

constexpr double kMargin = 0.05;            // of the picture's larger side, on each side
constexpr double kLow = 0.34, kHigh = 0.8;  // height over width

Vector3 normalize(const Vector3& v) { return (1.0 / norm(v)) * v; }

/// Against gravity, if there is some.
Vector3 find_up(const Scene& scene) {
  if (scene.plane) return {0, 1, 0};
  const double size = norm(scene.gravity);
  return size > 0 ? (-1.0 / size) * scene.gravity : Vector3{0, 0, 1};
}

}  // namespace

std::vector<std::string> all_views() { return {"front", "top", "side", "corner"}; }

View find_view(const Scene& scene, std::string_view word) {
  const std::vector<std::string> known = all_views();
  if (word.empty()) word = scene.plane ? "front" : "corner";
  if (std::find(known.begin(), known.end(), word) == known.end()) {
    throw ModelError(fmt::format("there is no view '{}'", word), suggest(word, known));
  }
  if (scene.plane && word != "front") {
    throw ModelError(
        fmt::format("view '{}': a mechanism in the plane is seen from the front", word),
        "leave --view out");
  }
  const Vector3 up = find_up(scene);
  // As on the report page: with z up, the front is -y; else the front is z.
  const Vector3 side = !scene.plane && std::abs(up.z) > 0.7 ? Vector3{0, -1, 0} : Vector3{0, 0, 1};
  const Vector3 right = normalize(cross(up, side));
  const Vector3 front = cross(right, up);
  if (word == "front") return {right, up, front};
  if (word == "top") return {right, -front, up};
  if (word == "side") return {-front, up, right};
  const Vector3 toward = normalize(front + 0.75 * right + 0.55 * up);
  const Vector3 across = normalize(cross(up, toward));
  return {across, cross(toward, across), toward};
}

Vector3 find_place(const Anchor& anchor, std::span<const BodyPose> poses) {
  if (anchor.body < 0) return anchor.at;
  const BodyPose& pose = poses[static_cast<std::size_t>(anchor.body)];
  return pose.origin + apply(pose.axes, anchor.at);
}

Camera::Camera(const View& view, Point2 low, Point2 high, double width)
    : view_(view), low_(low), high_(high), width_(10.0 * width) {
  const double margin = kMargin * std::max({high.x - low.x, high.y - low.y, 1e-12});
  low_ = {low.x - margin, low.y - margin};
  high_ = {high.x + margin, high.y + margin};
  const double wide = high_.x - low_.x, tall = high_.y - low_.y;
  const double proportion = std::clamp(tall / wide, kLow, kHigh);
  height_ = 10.0 * std::round(proportion * width_ / 10.0);
  scale_ = std::min(width_ / wide, height_ / tall);
  const double more_x = (width_ / scale_ - wide) / 2, more_y = (height_ / scale_ - tall) / 2;
  low_ = {low_.x - more_x, low_.y - more_y};
  high_ = {high_.x + more_x, high_.y + more_y};
}

Point2 Camera::project(const Vector3& world) const {
  const Point2 at = flatten(world);
  return {(at.x - low_.x) * scale_, (high_.y - at.y) * scale_};
}

Point2 Camera::turn(const Vector3& direction) const {
  const Point2 at = flatten(direction);
  return {at.x * scale_, -at.y * scale_};
}

}  // namespace driftless
