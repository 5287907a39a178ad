#pragma once
// Random numbers, directions and poses of the mechanisms that tests draw.

#include <random>

#include <Eigen/Geometry>

namespace driftless::testing {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  double between(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  double number(double size = 1.0) { return between(-size, size); }
  Eigen::Vector3d vector(double size = 1.0) { return {number(size), number(size), number(size)}; }
  Eigen::Vector3d direction() {
    Eigen::Vector3d v = vector();
    while (v.norm() < 0.1 || v.norm() > 1.0) v = vector();
    return v.normalized();
  }
  /// Any attitude, each as likely as another.
  Eigen::Quaterniond turn() {
    Eigen::Vector4d q;
    for (double& each : q) each = std::normal_distribution<double>()(random_);
    return Eigen::Quaterniond(q.normalized());
  }
  /// Anywhere near the origin, turned by this angle about any axis.
  Eigen::Isometry3d pose(double angle) {
    Eigen::Isometry3d p = Eigen::Isometry3d::Identity();
    p.translate(vector());
    p.rotate(Eigen::AngleAxisd(angle, direction()));
    return p;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace driftless::testing
