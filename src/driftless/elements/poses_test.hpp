#pragma once
// Poses of two frames for tests of elements: random ones, moved ones, and ones that satisfy given rows.

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include <Eigen/Dense>

#include "driftless/elements/frame_function.hpp"
#include "driftless/elements/space.hpp"

namespace driftless::testing {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Poses = std::array<Frame<double>, 2>;
using Twists = std::array<Twist, 2>;

inline constexpr double kPi = std::numbers::pi;

/// The same numbers everywhere: the standard fixes the generator, not its distributions.
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}

  /// Between -size and size.
  double number(double size = 1.0) {
    return size * (2.0 * static_cast<double>(generator_()) / 4294967296.0 - 1.0);
  }
  Vector3 vector(double size = 1.0) {
    const double x = number(size), y = number(size), z = number(size);
    return {x, y, z};
  }
  Twist twist(Space space, double size = 1.0) {
    Twist result{vector(size), vector(size)};
    if (space == Space::plane) {
      result.linear.z = 0.0;
      result.angular.x = result.angular.y = 0.0;
    }
    return result;
  }
  Twists twists(Space space, double size = 1.0) {
    const Twist first = twist(space, size);
    return {first, twist(space, size)};
  }

 private:
  std::mt19937 generator_;
};

/// exp(r×) a
inline Vector3 turn(const Vector3& r, const Vector3& a) {
  const double angle = norm(r);
  const double half = 0.5 * angle;
  const double first = angle > 1e-8 ? std::sin(angle) / angle : 1.0;
  const double second = angle > 1e-8 ? 0.5 * std::pow(std::sin(half) / half, 2) : 0.5;
  const Vector3 ra = cross(r, a);
  return a + first * ra + second * cross(r, ra);
}

/// The frame after u s + u' s²/2 and a turn by ω s + ω' s²/2: with the given first and second derivatives at s = 0.
inline Frame<double> move(const Frame<double>& frame, const Twist& velocity, double s,
                          const Twist& acceleration = {}) {
  const double half = 0.5 * s * s;
  const Vector3 r = s * velocity.angular + half * acceleration.angular;
  return {frame.origin + s * velocity.linear + half * acceleration.linear,
          {turn(r, frame.axes.x), turn(r, frame.axes.y), turn(r, frame.axes.z)},
          frame.angle + r.z};
}
inline Poses move(const Poses& poses, const Twists& velocity, double s,
                  const Twists& acceleration = {}) {
  return {move(poses[0], velocity[0], s, acceleration[0]),
          move(poses[1], velocity[1], s, acceleration[1])};
}

/// At the world's origin. In space the angle means nothing: whoever uses it gets no number.
inline Frame<double> make_home(Space space) {
  return {{0, 0, 0},
          {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          space == Space::plane ? 0.0 : std::numeric_limits<double>::quiet_NaN()};
}
inline Poses make_poses(Space space, Random& random) {
  Poses poses{make_home(space), make_home(space)};
  for (Frame<double>& pose : poses) {
    Twist twist = random.twist(space);
    twist.angular = kPi * twist.angular;
    pose = move(pose, twist, 1.0);
  }
  return poses;
}

/// `inner`, given in the frame `outer`, in the world.
inline Frame<double> compose(const Frame<double>& outer, const Frame<double>& inner) {
  return {outer.origin + apply(outer.axes, inner.origin), compose(outer.axes, inner.axes),
          outer.angle + inner.angle};
}

/// Directions of a twist that exist.
inline std::vector<int> find_directions(Space space) {
  return space == Space::plane ? std::vector<int>{0, 1, 5} : std::vector<int>{0, 1, 2, 3, 4, 5};
}
inline Twist make_unit_twist(int direction) {
  Twist twist;
  std::array<double*, kTwist> entries{&twist.linear.x,  &twist.linear.y,  &twist.linear.z,
                                      &twist.angular.x, &twist.angular.y, &twist.angular.z};
  *entries[direction] = 1.0;
  return twist;
}
inline VectorXd stack(const Twists& twists) {
  VectorXd result(2 * kTwist);
  for (int k = 0; k < 2; ++k) {
    const Twist& t = twists[k];
    result.segment(kTwist * k, kTwist) << t.linear.x, t.linear.y, t.linear.z, t.angular.x,
        t.angular.y, t.angular.z;
  }
  return result;
}

inline VectorXd calc_value(const FrameFunction& function, const Poses& poses,
                           const double* turns = nullptr) {
  VectorXd f(function.outputs());
  function.eval(poses.data(), f.data(), turns);
  return f;
}
inline MatrixXd calc_jacobian(const FrameFunction& function, const Poses& poses,
                              const double* turns = nullptr) {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> jacobian(
      function.outputs(), 2 * kTwist);
  VectorXd f(function.outputs());
  function.eval_jacobian(poses.data(), f.data(), jacobian.data(), turns);
  return jacobian;
}
/// The columns of frame k, only the directions that exist.
inline MatrixXd find_columns(const MatrixXd& jacobian, int k, Space space) {
  const std::vector<int> directions = find_directions(space);
  MatrixXd result(jacobian.rows(), directions.size());
  for (std::size_t j = 0; j < directions.size(); ++j) {
    result.col(static_cast<int>(j)) = jacobian.col(kTwist * k + directions[j]);
  }
  return result;
}

/// Rows at some poses: their values and Jacobian (rows x 12).
using RowSet = std::function<void(const Poses&, VectorXd&, MatrixXd&)>;

inline RowSet make_row_set(const FrameFunction& function) {
  return [&function](const Poses& poses, VectorXd& f, MatrixXd& J) {
    f = calc_value(function, poses);
    J = calc_jacobian(function, poses);
  };
}

/// Moves frame 1 by Newton steps of least norm until the rows vanish; false if they do not.
inline bool project(const RowSet& rows, Space space, Poses& poses) {
  const std::vector<int> directions = find_directions(space);
  VectorXd f;
  MatrixXd J;
  for (int iteration = 0; iteration < 60; ++iteration) {
    rows(poses, f, J);
    if (f.lpNorm<Eigen::Infinity>() < 1e-14) return true;
    VectorXd step = -find_columns(J, 1, space).completeOrthogonalDecomposition().solve(f);
    if (!step.allFinite()) return false;
    step *= std::min(1.0, 0.7 / step.norm());
    if (step.norm() < 1e-16) break;
    for (std::size_t j = 0; j < directions.size(); ++j) {
      poses[1] = move(poses[1], make_unit_twist(directions[j]), step(static_cast<int>(j)));
    }
  }
  return f.lpNorm<Eigen::Infinity>() < 1e-12;
}

}  // namespace driftless::testing
