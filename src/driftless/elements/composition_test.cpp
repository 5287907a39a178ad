// Every joint by a second way: composed of primitive constraints, and as the motion that its coordinates describe.

#include <set>

#include <gtest/gtest.h>

#include "driftless/base/trials_test.hpp"
#include "driftless/elements/constraints/all.hpp"
#include "driftless/elements/joints/all.hpp"
#include "driftless/elements/poses_test.hpp"

namespace driftless {
namespace {

using testing::calc_jacobian;
using testing::calc_value;
using testing::kPi;
using testing::make_home;
using testing::make_poses;
using testing::MatrixXd;
using testing::Poses;
using testing::Random;
using testing::RowSet;
using testing::VectorXd;

/// Which of a frame's own axes a constraint takes as its axis: z in space, x in the plane, unless said otherwise.
enum class Along { axis, x, y };

Frame<double> reorient(const Frame<double>& frame, Along along, Space space) {
  const auto& [x, y, z] = frame.axes;
  if (along == Along::axis) return frame;
  if (space == Space::plane) return {frame.origin, {y, -x, z}, frame.angle + 0.5 * kPi};
  if (along == Along::x) return {frame.origin, {y, z, x}, frame.angle};
  return {frame.origin, {z, x, y}, frame.angle};
}

struct Part {
  std::unique_ptr<FrameFunction> rows;
  Along first = Along::axis;
  Along second = Along::axis;
};

template <class Spec>
Part make_part(const Spec& spec, Space space, Along first = Along::axis,
               Along second = Along::axis) {
  return {make_constraint(spec, space).rows, first, second};
}

/// Turning a frame in its body changes neither its origin nor its twist: the Jacobians are stacked as they are.
RowSet make_row_set(const std::vector<Part>& parts, Space space) {
  return [&parts, space](const Poses& poses, VectorXd& f, MatrixXd& J) {
    f.resize(0);
    J.resize(0, 2 * kTwist);
    for (const Part& part : parts) {
      const Poses turned{reorient(poses[0], part.first, space),
                         reorient(poses[1], part.second, space)};
      const int before = static_cast<int>(f.size());
      const int more = part.rows->outputs();
      f.conservativeResize(before + more);
      J.conservativeResize(before + more, Eigen::NoChange);
      f.tail(more) = calc_value(*part.rows, turned);
      J.bottomRows(more) = calc_jacobian(*part.rows, turned);
    }
  };
}

/// Random poses brought onto one set are in the other.
void expect_first_in_second(const RowSet& first, const RowSet& second, Space space) {
  Random random(11);
  int found = 0;
  VectorXd f;
  MatrixXd J;
  for (int trial = 0; trial < trials(100); ++trial) {
    Poses poses = make_poses(space, random);
    if (!testing::project(first, space, poses)) continue;
    ++found;
    second(poses, f, J);
    ASSERT_LE(f.lpNorm<Eigen::Infinity>(), 1e-10);
  }
  EXPECT_GE(found, trials(50));
}

template <class Joint>
void expect_composed(Space space, const std::vector<Part>& parts) {
  SCOPED_TRACE(Joint::kName);
  const JointParts joint = make_joint(Joint{}, space);
  const RowSet rows = testing::make_row_set(*joint.rows);
  const RowSet composed = make_row_set(parts, space);
  expect_first_in_second(rows, composed, space);
  expect_first_in_second(composed, rows, space);
}

template <class... Parts>
std::vector<Part> list(Parts... parts) {
  std::vector<Part> result;
  (result.push_back(std::move(parts)), ...);
  return result;
}

TEST(Composition, JointsInSpaceFromConstraints) {
  const Space s = Space::space;
  const auto on_line = [&] { return make_part(PointOnLine{}, s); };
  const auto in_slot = [&] { return make_part(PointOnLine{}, s, Along::x); };
  const auto on_plane = [&] { return make_part(PointOnPlane{}, s); };
  const auto parallel = [&] { return make_part(ParallelAxes{}, s); };
  const auto no_turn = [&] { return make_part(PerpendicularAxes{}, s, Along::y, Along::x); };
  const auto pins = [&] { return make_part(PerpendicularAxes{}, s, Along::x, Along::y); };
  expect_composed<Revolute>(s, list(on_line(), on_plane(), parallel()));
  expect_composed<Prismatic>(s, list(on_line(), parallel(), no_turn()));
  expect_composed<Cylindrical>(s, list(on_line(), parallel()));
  expect_composed<Spherical>(s, list(on_line(), on_plane()));
  expect_composed<Universal>(s, list(on_line(), on_plane(), pins()));
  expect_composed<Planar>(s, list(on_plane(), parallel()));
  expect_composed<Slot>(s, list(in_slot(), parallel()));
  expect_composed<Fixed>(s, list(on_line(), on_plane(), parallel(), no_turn()));
}

TEST(Composition, JointsInThePlaneFromConstraints) {
  const Space s = Space::plane;
  const auto on_x = [&] { return make_part(PointOnLine{}, s); };
  const auto on_y = [&] { return make_part(PointOnLine{}, s, Along::y); };
  const auto parallel = [&] { return make_part(ParallelAxes{}, s); };
  expect_composed<Revolute>(s, list(on_x(), on_y()));
  expect_composed<Prismatic>(s, list(on_x(), parallel()));
  expect_composed<Slot>(s, list(on_x()));
  expect_composed<Fixed>(s, list(on_x(), on_y(), parallel()));
}

// A circle is where a sphere and a plane meet.
TEST(Composition, CircleFromDistanceAndPlane) {
  const PointOnCircle circle{.radius = 0.8};
  const Distance distance{.length = 0.8};
  const ConstraintParts one = make_constraint(circle, Space::space);
  const RowSet rows = testing::make_row_set(*one.rows);
  const std::vector<Part> parts =
      list(make_part(distance, Space::space), make_part(PointOnPlane{}, Space::space));
  const RowSet composed = make_row_set(parts, Space::space);
  expect_first_in_second(rows, composed, Space::space);
  expect_first_in_second(composed, rows, Space::space);
}

// The motion between the frames, by its own formula.

Frame<double> turn_about(const Vector3& axis, double angle, const Vector3& shift = {}) {
  return testing::move(make_home(Space::space), {shift, angle * axis}, 1.0);
}
constexpr Vector3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};

/// Joints of one space, and which of them were tried.
class Motions {
 public:
  Motions(Space space, unsigned seed) : space_(space), random_(seed) {}

  double number(double size = 1.0) { return random_.number(size); }

  /// The rows hold at frame 0 and `motion` in it, and the coordinates are the given ones.
  template <class Joint>
  void expect(const Joint& spec, const Frame<double>& motion,
              const std::vector<double>& coordinates) {
    SCOPED_TRACE(Joint::kName);
    tried_.insert(Joint::kName);
    const JointParts joint = make_joint(spec, space_);
    Poses poses = make_poses(space_, random_);
    poses[1] = testing::compose(poses[0], motion);
    EXPECT_LE(calc_value(*joint.rows, poses).lpNorm<Eigen::Infinity>(), 1e-13);
    if (joint.find_nearest != nullptr) {  // it is allowed, so it is the nearest one itself
      const Frame<double> nearest = joint.find_nearest(poses.data());
      EXPECT_LE(norm(nearest.origin - poses[1].origin), 1e-12);
      EXPECT_LE(norm(nearest.axes.x - poses[1].axes.x) + norm(nearest.axes.y - poses[1].axes.y),
                1e-12);
    }
    ASSERT_EQ(joint.coordinate_info.size(), coordinates.size());
    if (coordinates.empty()) return;
    const VectorXd found = calc_value(*joint.coordinates, poses);
    for (int i = 0; i < found.size(); ++i) EXPECT_NEAR(found(i), coordinates[i], 1e-13) << i;
  }

  /// Every joint of the list that has rows here was tried.
  void expect_all() const {
    const auto check = [&]<class Joint>(std::type_identity<Joint>) {
      if (space_ == Space::plane && !Joint::kInPlane) return;
      if (!make_joint(Joint{}, space_).rows) return;
      EXPECT_TRUE(tried_.contains(Joint::kName)) << "add the motion of " << Joint::kName;
    };
    [&]<class... Joints>(std::type_identity<std::tuple<Joints...>>) {
      (check(std::type_identity<Joints>{}), ...);
    }(std::type_identity<AllJoints>{});
  }

 private:
  Space space_;
  Random random_;
  std::set<std::string_view> tried_;
};

TEST(Motion, JointsInSpaceByTheirCoordinates) {
  Motions joints(Space::space, 12);
  for (int trial = 0; trial < trials(50); ++trial) {
    const double a = joints.number(3.1), b = joints.number(3.1), x = joints.number();
    const double y = joints.number(), z = joints.number();
    joints.expect(Revolute{}, turn_about(kZ, a), {a});
    joints.expect(Prismatic{}, turn_about(kZ, 0.0, {0, 0, z}), {z});
    joints.expect(Cylindrical{}, turn_about(kZ, a, {0, 0, z}), {a, z});
    joints.expect(Spherical{}, turn_about({x, y, z}, 2.0), {});
    joints.expect(Planar{}, turn_about(kZ, a, {x, y, 0}), {x, y, a});
    const Screw screw{.pitch = 0.3};
    const double c = 0.3 * a / (2.0 * kPi);
    joints.expect(screw, turn_about(kZ, a, {0, 0, c}), {a, c});
    joints.expect(Slot{}, turn_about(kZ, a, {x, 0, 0}), {x, a});
    joints.expect(Fixed{}, make_home(Space::space), {});
    joints.expect(Universal{}, testing::compose(turn_about(kX, a), turn_about(kY, b)), {a, b});
    const Frame<double> bend = testing::compose(
        turn_about(kZ, a), testing::compose(turn_about(kX, b), turn_about(kZ, -a)));
    joints.expect(ConstantVelocity{}, bend, {});
  }
  joints.expect_all();
}

// From anywhere, and from exactly opposed axes, too. A screw's advance is not part of it.
TEST(NearestPose, IsOneThatTheJointAllows) {
  const auto check = [](const auto& spec) {
    using Joint = std::decay_t<decltype(spec)>;
    SCOPED_TRACE(Joint::kName);
    const JointParts joint = make_joint(spec, Space::space);
    ASSERT_EQ(joint.find_nearest != nullptr, joint.rows != nullptr);
    if (!joint.rows) return;
    Random random(16);
    for (int trial = 0; trial < trials(60); ++trial) {
      Poses poses = make_poses(Space::space, random);
      if (trial % 3 == 0) {
        const auto& [x, y, z] = poses[0].axes;
        poses[1].axes = trial % 2 == 0 ? Axes<double>{x, -y, -z} : Axes<double>{-x, -y, z};
      }
      const bool has_advance = Joint::kName == Screw::kName;
      poses[1] = joint.find_nearest(poses.data());
      const VectorXd rows = calc_value(*joint.rows, poses);
      EXPECT_LE(rows.head(rows.size() - int{has_advance}).lpNorm<Eigen::Infinity>(), 1e-12);
      const Frame<double> again = joint.find_nearest(poses.data());
      EXPECT_LE(norm(again.axes.x - poses[1].axes.x) + norm(again.axes.y - poses[1].axes.y), 1e-9);
    }
  };
  std::apply([&](const auto&... spec) { (check(spec), ...); }, AllJoints{});
}

TEST(Motion, JointsInThePlaneByTheirCoordinates) {
  Motions joints(Space::plane, 13);
  const Frame<double> home = make_home(Space::plane);
  for (int trial = 0; trial < trials(50); ++trial) {
    const double turns = joints.number(20.0), x = joints.number();
    joints.expect(Revolute{}, testing::move(home, {{}, {0, 0, turns}}, 1.0), {turns});
    joints.expect(Prismatic{}, testing::move(home, {{x, 0, 0}, {}}, 1.0), {x});
    joints.expect(Slot{}, testing::move(home, {{x, 0, 0}, {0, 0, turns}}, 1.0), {x, turns});
    joints.expect(Fixed{}, home, {});
  }
  joints.expect_all();
}

// The cross of a universal joint as a body of its own, on a revolute joint to either side.
TEST(Composition, UniversalFromTwoRevolutesAndACross) {
  const JointParts universal = make_joint(Universal{}, Space::space);
  const JointParts revolute = make_joint(Revolute{}, Space::space);
  const RowSet rows = testing::make_row_set(*universal.rows);
  const Space space = Space::space;
  Random random(14);
  int found = 0;
  for (int trial = 0; trial < trials(100); ++trial) {
    Poses poses = make_poses(space, random);
    if (!testing::project(rows, space, poses)) continue;
    ++found;
    const Vector3 x = poses[0].axes.x, y = poses[1].axes.y;
    const Frame<double> cross_body{poses[0].origin, {x, y, cross(x, y)}, poses[0].angle};
    const Poses first{reorient(poses[0], Along::x, space), reorient(cross_body, Along::x, space)};
    const Poses second{reorient(cross_body, Along::y, space), reorient(poses[1], Along::y, space)};
    EXPECT_LE(calc_value(*revolute.rows, first).lpNorm<Eigen::Infinity>(), 1e-12);
    EXPECT_LE(calc_value(*revolute.rows, second).lpNorm<Eigen::Infinity>(), 1e-12);
    const VectorXd angles = calc_value(*universal.coordinates, poses);
    EXPECT_NEAR(angles(0), calc_value(*revolute.coordinates, first)(0), 1e-12);
    EXPECT_NEAR(angles(1), calc_value(*revolute.coordinates, second)(0), 1e-12);
  }
  EXPECT_GE(found, trials(90));
}

// Two universal joints with a shaft between them that bends equally at both: R0ᵀR1 = Rx(a) Ry(b) Ry(b) Rx(a). Every pose
// of a constant-velocity joint is one of these, with the quaternion (cos b cos a, cos b sin a, sin b, 0).
TEST(Composition, ConstantVelocityFromTwoUniversalsAndAShaft) {
  const JointParts joint = make_joint(ConstantVelocity{}, Space::space);
  const JointParts universal = make_joint(Universal{}, Space::space);
  const RowSet rows = testing::make_row_set(*joint.rows);
  const auto bend = [](double a, double b) {
    return testing::compose(turn_about(kX, a), turn_about(kY, b));
  };
  const auto bend_back = [](double a, double b) {
    return testing::compose(turn_about(kY, b), turn_about(kX, a));
  };
  Random random(17);
  for (int trial = 0; trial < trials(100); ++trial) {
    const double a = random.number(1.5), b = random.number(0.7);
    Poses poses = make_poses(Space::space, random);
    const Frame<double> shaft = testing::compose(poses[0], bend(a, b));
    poses[1] = testing::compose(shaft, bend_back(a, b));
    EXPECT_LE(calc_value(*universal.rows, {poses[0], shaft}).lpNorm<Eigen::Infinity>(), 1e-13);
    EXPECT_LE(calc_value(*universal.rows, {poses[1], shaft}).lpNorm<Eigen::Infinity>(), 1e-13);
    EXPECT_LE(calc_value(*joint.rows, poses).lpNorm<Eigen::Infinity>(), 1e-13);

    poses[1] = testing::move(poses[0], random.twist(Space::space, 0.9), 1.0);
    ASSERT_TRUE(testing::project(rows, Space::space, poses));
    const auto& [x0, y0, z0] = poses[0].axes;
    const auto& [x1, y1, z1] = poses[1].axes;
    const double w = 0.5 * std::sqrt(1.0 + dot(x0, x1) + dot(y0, y1) + dot(z0, z1));
    const double i = 0.25 * (dot(z0, y1) - dot(y0, z1)) / w;
    const double j = 0.25 * (dot(x0, z1) - dot(z0, x1)) / w;
    const double bend_x = std::atan2(i, w), bend_y = std::asin(j);
    const Frame<double> between = testing::compose(poses[0], bend(bend_x, bend_y));
    const Frame<double> end = testing::compose(between, bend_back(bend_x, bend_y));
    EXPECT_LE(norm(end.axes.x - x1) + norm(end.axes.y - y1), 1e-12);
  }
}

// A cylindrical joint whose advance is geared to its angle.
TEST(Composition, ScrewFromACylindricalJointAndItsCoordinates) {
  const Screw spec{.pitch = 0.3};
  const JointParts screw = make_joint(spec, Space::space);
  const JointParts cylindrical = make_joint(Cylindrical{}, Space::space);
  const RowSet composed = [&](const Poses& poses, VectorXd& f, MatrixXd& J) {
    const VectorXd coordinates = calc_value(*cylindrical.coordinates, poses);
    const MatrixXd slopes = calc_jacobian(*cylindrical.coordinates, poses);
    const double advance = spec.pitch / (2.0 * kPi);
    f.resize(5);
    J.resize(5, 2 * kTwist);
    f << calc_value(*cylindrical.rows, poses), coordinates(1) - advance * coordinates(0);
    J << calc_jacobian(*cylindrical.rows, poses), slopes.row(1) - advance * slopes.row(0);
  };
  const RowSet rows = testing::make_row_set(*screw.rows);
  expect_first_in_second(rows, composed, Space::space);
  expect_first_in_second(composed, rows, Space::space);
}

// [CVJ.1], [CVJ.5]: the bisecting plane reflects one half onto the other, and the row's gradient is its normal, so that
// shafts in bearings turn equally fast.
TEST(ConstantVelocity, BisectsAndTurnsEquallyFast) {
  const JointParts joint = make_joint(ConstantVelocity{}, Space::space);
  Random random(15);
  for (int trial = 0; trial < trials(100); ++trial) {
    Poses poses = make_poses(Space::space, random);
    poses[1] = testing::move(poses[0], random.twist(Space::space, 0.9), 1.0);
    ASSERT_TRUE(testing::project(testing::make_row_set(*joint.rows), Space::space, poses));
    const auto& [x0, y0, z0] = poses[0].axes;
    const auto& [x1, y1, z1] = poses[1].axes;
    const Vector3 m = (1.0 / norm(z0 + z1)) * (z0 + z1);
    EXPECT_LE(norm(x0 - (2.0 * dot(m, x0)) * m - x1), 1e-12);
    EXPECT_LE(norm(y0 - (2.0 * dot(m, y0)) * m - y1), 1e-12);
    const MatrixXd J = calc_jacobian(*joint.rows, poses);
    const Vector3 gradient{J(3, 9), J(3, 10), J(3, 11)};
    EXPECT_LE(norm(gradient - m), 1e-12);
    EXPECT_NEAR(dot(gradient, z0), dot(gradient, z1), 1e-12);
  }
}

// At any bend, folded up included, the slope of the last row is 1 along the normal m of the bisecting plane.
TEST(ConstantVelocity, HoldsTheTwistAtAnyBend) {
  const JointParts joint = make_joint(ConstantVelocity{}, Space::space);
  Random random(16);
  for (int trial = 0; trial < trials(200); ++trial) {
    const double a = kPi * random.number();
    const double bend = trial % 4 == 0 ? kPi : 2.0 * kPi * random.number();
    const Vector3 axis{std::cos(a), std::sin(a), 0.0};
    const Poses poses{make_home(Space::space),
                      testing::move(make_home(Space::space), {{}, bend * axis}, 1.0)};
    EXPECT_NEAR(calc_value(*joint.rows, poses)(3), 0.0, 1e-14);
    const MatrixXd J = calc_jacobian(*joint.rows, poses);
    const Vector3 gradient{J(3, 9), J(3, 10), J(3, 11)};
    const double half = 0.5 * bend;  // m is z0 turned half way
    const Vector3 m = std::cos(half) * Vector3{0, 0, 1} + std::sin(half) * cross(axis, {0, 0, 1});
    EXPECT_NEAR(std::abs(dot(gradient, m)), 1.0, 1e-12) << bend;
    EXPECT_NEAR(norm(gradient), 1.0, 1e-12) << bend;
  }
}

// A nut turned through several turns stays on its thread when the turns are counted, and only then.
TEST(Screw, AdvancesOverTurns) {
  const double pitch = -0.05;
  const JointParts joint = make_joint(Screw{.pitch = pitch}, Space::space);
  ASSERT_EQ(joint.rows->turn_inputs(), 1);
  for (double angle = -20.0; angle <= 20.0; angle += 0.37) {
    const Poses poses{make_home(Space::space),
                      turn_about(kZ, angle, {0, 0, pitch * angle / (2.0 * kPi)})};
    const double n = std::round((angle - calc_value(*joint.coordinates, poses)(0)) / (2.0 * kPi));
    const double turns = 2.0 * kPi * n;
    EXPECT_LE(calc_value(*joint.rows, poses, &turns).lpNorm<Eigen::Infinity>(), 1e-14);
    EXPECT_NEAR(calc_value(*joint.rows, poses)(4), n * pitch, 1e-14);
  }
}

TEST(Distance, TheRowIsInMetresWithSlopeOne) {
  const ConstraintParts rod = make_constraint(Distance{.length = 2.0}, Space::space);
  const Poses poses{make_home(Space::space), turn_about(kX, 0.3, {0, 2.0, 0})};
  EXPECT_NEAR(calc_value(*rod.rows, poses)(0), 0.0, 1e-15);
  EXPECT_NEAR(calc_jacobian(*rod.rows, poses)(0, 7), 1.0, 1e-15);
  EXPECT_NEAR(calc_jacobian(*rod.rows, poses)(0, 1), -1.0, 1e-15);
}

TEST(Distance, ZeroIsOutOfBounds) {
  const auto bounds = [](const auto& fields) { return std::get<0>(fields).bounds; };
  EXPECT_FALSE(bounds(Distance::fields()).contains(0.0));
  EXPECT_FALSE(bounds(PointOnCircle::fields()).contains(PointOnCircle{}.radius));
}

}  // namespace
}  // namespace driftless
