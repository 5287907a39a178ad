#include "driftless/io/pose_track.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/base/error.hpp"

namespace driftless {

std::vector<std::string> list_pose_columns(const SceneBody& body, bool plane) {
  std::vector<std::string> names;
  const std::vector<const char*> parts =
      plane ? (body.point ? std::vector{"x", "y"} : std::vector{"x", "y", "angle"})
            : (body.point ? std::vector{"x", "y", "z"}
                          : std::vector{"x", "y", "z", "q0", "q1", "q2", "q3"});
  for (const char* part : parts) names.push_back(body.name + "." + part);
  return names;
}

PoseTrack::PoseTrack(const Scene& scene, const Result& result) : plane_(scene.plane) {
  std::vector<std::size_t> columns;
  for (const SceneBody& body : scene.bodies) {
    const std::vector<std::string> names = list_pose_columns(body, scene.plane);
    parts_.push_back({columns.size(), names.size()});
    for (const std::string& name : names) {
      const int index = result.find_column(name);
      if (index < 0) {
        throw ModelError("the result has no column " + name + ", so the motion is not known",
                         "run the model again");
      }
      columns.push_back(static_cast<std::size_t>(index));
    }
  }
  width_ = columns.size();
  for (std::size_t k = 0; k < result.row_count(); ++k) {
    const std::span<const double> row = result.row(k);
    const bool finite = std::all_of(columns.begin(), columns.end(),
                                    [&](std::size_t column) { return std::isfinite(row[column]); });
    if (!finite || !std::isfinite(row[0])) break;
    if (!times_.empty() && row[0] <= times_.back()) continue;
    times_.push_back(row[0]);
    for (const std::size_t column : columns) values_.push_back(row[column]);
  }
  if (times_.empty()) throw ModelError("the result has no samples", "see driftless info");
}

/// A quaternion and its negative are the same turn: -1 if the other row's must be taken negative.
double PoseTrack::sign_of_turn(std::size_t row, std::size_t other, std::size_t first) const {
  double product = 0.0;
  for (std::size_t k = first; k < first + 4; ++k) product += value(row, k) * value(other, k);
  return product < 0.0 ? -1.0 : 1.0;
}

/// The cubic from row to row + 1 whose slopes at the ends are those of the chords around them.
double PoseTrack::interpolate(std::size_t column, std::size_t row, double t, double sign_before,
                              double sign_next, double sign_after) const {
  const std::size_t before = row == 0 ? 0 : row - 1;
  const std::size_t after = std::min(row + 2, times_.size() - 1);
  const double h = times_[row + 1] - times_[row];
  const double from = value(row, column);
  const double to = sign_next * value(row + 1, column);
  const double slope0 =
      (to - sign_before * value(before, column)) / (times_[row + 1] - times_[before]);
  const double slope1 = (sign_after * value(after, column) - from) / (times_[after] - times_[row]);
  const double s = (t - times_[row]) / h;
  const double r = 1.0 - s;
  return r * r * (1.0 + 2.0 * s) * from + s * s * (1.0 + 2.0 * r) * to +
         h * s * r * (r * slope0 - s * slope1);
}

BodyPose PoseTrack::find_pose(const Part& part, std::size_t row, double t) const {
  const bool turns = part.count == 7;
  double before = 1.0, next = 1.0, after = 1.0;
  if (turns && times_.size() > 1) {
    const std::size_t first = part.first + 3;
    before = sign_of_turn(row, row == 0 ? 0 : row - 1, first);
    next = sign_of_turn(row, row + 1, first);
    after = sign_of_turn(row, std::min(row + 2, times_.size() - 1), first);
  }
  double numbers[7] = {};
  for (std::size_t k = 0; k < part.count; ++k) {
    const bool signs = turns && k >= 3;
    numbers[k] = times_.size() == 1 ? value(0, part.first + k)
                                    : interpolate(part.first + k, row, t, signs ? before : 1.0,
                                                  signs ? next : 1.0, signs ? after : 1.0);
  }
  BodyPose pose;
  pose.origin = {numbers[0], numbers[1], plane_ ? 0.0 : numbers[2]};
  if (plane_) {
    const double angle = part.count == 3 ? numbers[2] : 0.0;
    const double c = std::cos(angle), s = std::sin(angle);
    pose.axes = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  } else if (turns) {
    const double length = std::sqrt(numbers[3] * numbers[3] + numbers[4] * numbers[4] +
                                    numbers[5] * numbers[5] + numbers[6] * numbers[6]);
    const double a = numbers[3] / length, b = numbers[4] / length;
    const double c = numbers[5] / length, d = numbers[6] / length;
    pose.axes = {{1 - 2 * (c * c + d * d), 2 * (b * c + a * d), 2 * (b * d - a * c)},
                 {2 * (b * c - a * d), 1 - 2 * (b * b + d * d), 2 * (c * d + a * b)},
                 {2 * (b * d + a * c), 2 * (c * d - a * b), 1 - 2 * (b * b + c * c)}};
  }
  return pose;
}

std::vector<BodyPose> PoseTrack::at(double t) const {
  t = std::clamp(t, begin(), end());
  const auto above = std::upper_bound(times_.begin(), times_.end(), t);
  const auto last = static_cast<std::size_t>(
      std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(times_.size()) - 2));
  const std::size_t row = std::min(
      last, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, above - times_.begin() - 1)));
  std::vector<BodyPose> poses;
  poses.reserve(parts_.size());
  for (const Part& part : parts_) poses.push_back(find_pose(part, row, t));
  return poses;
}

}  // namespace driftless
