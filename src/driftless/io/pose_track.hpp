#pragma once
// Where the bodies of a run are at any time. Between samples each number goes along a cubic through its neighbours.

#include <string>
#include <vector>

#include "driftless/result/result.hpp"
#include "driftless/system/scene.hpp"

namespace driftless {

struct BodyPose {
  Vector3 origin;  ///< of the mass centre, in the world
  Axes<double> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

/// Names of the columns with a body's pose.
std::vector<std::string> list_pose_columns(const SceneBody& body, bool plane);

class PoseTrack {
 public:
  /// Samples that are not finite end the track. Throws ModelError if a column is missing or nothing is left.
  PoseTrack(const Scene& scene, const Result& result);

  double begin() const { return times_.front(); }
  double end() const { return times_.back(); }
  /// One pose per body. A time outside of the run is moved to its nearer end.
  std::vector<BodyPose> at(double t) const;

 private:
  struct Part {
    std::size_t first = 0;  ///< of the body's numbers in a row of values_
    std::size_t count = 0;  ///< 2 or 3: a point; 3 with an angle in the plane; 7 in space
  };
  BodyPose find_pose(const Part& part, std::size_t row, double t) const;
  double interpolate(std::size_t column, std::size_t row, double t, double sign_before,
                     double sign_next, double sign_after) const;
  double value(std::size_t row, std::size_t column) const { return values_[row * width_ + column]; }
  double sign_of_turn(std::size_t row, std::size_t other, std::size_t first) const;

  bool plane_;
  std::vector<Part> parts_;
  std::size_t width_ = 0;
  std::vector<double> times_;
  std::vector<double> values_;  ///< times_.size() rows of width_
};

}  // namespace driftless
