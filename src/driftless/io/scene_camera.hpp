#pragma once
// From points of the world to points of a picture, without perspective.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/io/pose_track.hpp"
#include "driftless/io/scene_figures.hpp"

namespace driftless {

struct Point2 {
  double x = 0.0, y = 0.0;
};

/// Directions of the picture in the world, of length 1.
struct View {
  Vector3 right, up, toward;  ///< toward the reader
};

/// Words for --view: "front", "top", "side", "corner".
std::vector<std::string> all_views();

/// Up is against gravity, without one z, in the plane y. Empty: front in the plane, corner in space. Throws ModelError
/// for other words, and for another view than the front of a mechanism in the plane.
View find_view(const Scene& scene, std::string_view word);

/// World coordinates of an anchor.
Vector3 find_place(const Anchor& anchor, std::span<const BodyPose> poses);

/// Maps the world to a picture whose y goes down, in tenths of a pixel: whole numbers are the shortest text.
class Camera {
 public:
  /// A picture of that width in pixels, as high as the box needs within sensible proportions.
  Camera(const View& view, Point2 low, Point2 high, double width);

  Point2 flatten(const Vector3& world) const {
    return {dot(view_.right, world), dot(view_.up, world)};
  }
  Point2 project(const Vector3& world) const;
  /// Of a direction: no shift.
  Point2 turn(const Vector3& direction) const;
  double depth(const Vector3& world) const { return dot(view_.toward, world); }
  double scale() const { return scale_; }  ///< tenths of a pixel per m
  double width() const { return width_; }
  double height() const { return height_; }
  const View& view() const { return view_; }
  Point2 low() const { return low_; }  ///< corners of the picture, in m along right and up
  Point2 high() const { return high_; }

 private:
  View view_;
  Point2 low_, high_;
  double scale_ = 1.0, width_ = 0.0, height_ = 0.0;
};

}  // namespace driftless
