// Joints closed from any orientation, and closed the right way round. Rows of joints also hold with an axis turned over;
// so what was closed is looked at by its own formula here, frame against frame.

#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/assembly/draw.hpp"

namespace driftless::trials {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using std::numbers::pi;
using testing::Draw;

constexpr std::array<const char*, 10> kTypes{
    "revolute",          "prismatic", "cylindrical", "spherical", "universal",
    "constant_velocity", "planar",    "screw",       "slot",      "fixed"};
constexpr double kPitch = 0.2;

/// A motion that the joint allows, of frame 1 in frame 0.
Isometry3d draw_motion(const std::string& type, Draw& draw) {
  const double a = draw.number(3.0), b = draw.number(0.6);
  const auto turn = [](double angle, const Vector3d& axis) {
    return Eigen::AngleAxisd(angle, axis);
  };
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  Isometry3d m = Isometry3d::Identity();
  if (type == "revolute") m.rotate(turn(a, z));
  if (type == "prismatic") m.translate(b * z);
  if (type == "cylindrical") m.translate(b * z).rotate(turn(a, z));
  if (type == "spherical") m.rotate(turn(a, draw.direction()));
  if (type == "universal") m.rotate(turn(a, x)).rotate(turn(b, y));
  if (type == "constant_velocity") m.rotate(turn(b, {std::cos(a), std::sin(a), 0.0}));
  if (type == "planar") m.translate(Vector3d(b, draw.number(), 0.0)).rotate(turn(a, z));
  if (type == "slot") m.translate(b * x).rotate(turn(a, z));
  if (type == "screw") m.translate(kPitch * a / (2.0 * pi) * z).rotate(turn(a, z));
  return m;
}

/// How far frame 1 in frame 0 is from what the joint allows, by lengths and sines; 2 for an axis turned over.
double find_error(const std::string& type, const Isometry3d& m) {
  const Vector3d p = m.translation();
  const Eigen::Matrix3d r = m.rotation();
  const double tilt = (r.col(2) - Vector3d::UnitZ()).norm();
  const double turn = (r - Eigen::Matrix3d::Identity()).norm();
  const double angle = std::atan2(r(1, 0), r(0, 0));
  if (type == "revolute") return p.norm() + tilt;
  if (type == "prismatic") return std::hypot(p.x(), p.y()) + turn;
  if (type == "cylindrical") return std::hypot(p.x(), p.y()) + tilt;
  if (type == "spherical") return p.norm();
  if (type == "universal") return p.norm() + std::abs(r(0, 1));
  if (type == "constant_velocity") return p.norm() + 2.0 * std::abs(Eigen::Quaterniond(r).z());
  if (type == "planar") return std::abs(p.z()) + tilt;
  if (type == "slot") return std::hypot(p.y(), p.z()) + tilt;
  if (type == "screw") {
    const double left = std::remainder(p.z() - kPitch * angle / (2.0 * pi), kPitch);
    return std::hypot(p.x(), p.y()) + tilt + std::abs(left);
  }
  return p.norm() + turn;
}

struct Joint {
  std::string type;
  int first = 0;  // bodies; -1: the ground
  int second = 0;
  Isometry3d on, to;  // in the bodies
};

/// Bodies that joints connect so that they can be closed, drawn elsewhere.
struct Puzzle {
  std::vector<Isometry3d> closed;  // poses of the bodies
  std::vector<Isometry3d> drawn;
  std::vector<Joint> joints;

  Isometry3d find(const std::vector<Isometry3d>& poses, int body) const {
    return body < 0 ? Isometry3d::Identity() : poses[static_cast<std::size_t>(body)];
  }
  void add_joint(const std::string& type, int first, int second, const Isometry3d& where,
                 Draw& draw) {
    const Isometry3d there = where * draw_motion(type, draw);
    joints.push_back({type, first, second, find(closed, first).inverse() * where,
                      find(closed, second).inverse() * there});
  }

  std::string write() const {
    const auto list = [](const Vector3d& v) {
      return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
    };
    const auto place = [&](const Isometry3d& p) {
      const Eigen::Matrix3d r = p.rotation();
      return fmt::format("at = {}, x = {}, z = {}", list(p.translation()), list(r.col(0)),
                         list(r.col(2)));
    };
    const auto name = [](int body) {
      return body < 0 ? std::string("ground") : fmt::format("b{}", body);
    };
    std::string text = "format = \"driftless/1\"\n";
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      text += fmt::format("[body.b{}]\nmass = {}\ninertia = [0.1, 0.2, 0.25]\npose = {{ {} }}\n", k,
                          1.0 + 0.7 * static_cast<double>(k), place(drawn[k]));
    }
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const Joint& joint = joints[k];
      text += fmt::format(
          "[joint.J{}]\ntype = \"{}\"\non = {{ body = \"{}\", {} }}\nto = {{ body = \"{}\", {} "
          "}}\n{}",
          k, joint.type, name(joint.first), place(joint.on), name(joint.second), place(joint.to),
          joint.type == "screw" ? fmt::format("pitch = {}\n", kPitch) : "");
    }
    return text;
  }

  void expect_closed() const {
    const PreparedModel model = prepare_model(parse_model(write(), "puzzle.toml"), {});
    ASSERT_TRUE(model.start_report.success) << model.start_report.message;
    std::vector<Isometry3d> poses;
    for (const BodyInfo& body : model.system().info().bodies) {
      const auto q = model.start.q.segment(body.coordinate, 7);
      poses.push_back(Isometry3d::Identity());
      poses.back().translate(Vector3d(q.head(3)));
      poses.back().rotate(Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized());
    }
    for (const Joint& joint : joints) {
      const Isometry3d frame0 = find(poses, joint.first) * joint.on;
      const Isometry3d frame1 = find(poses, joint.second) * joint.to;
      EXPECT_LE(find_error(joint.type, frame0.inverse() * frame1), 1e-9) << joint.type;
    }
  }
};

/// One body on the ground, or on another that is free; drawn turned by `angle`.
Puzzle make_pair(const std::string& type, bool on_ground, double angle, Draw& draw) {
  Puzzle puzzle;
  const int count = on_ground ? 1 : 2;
  for (int k = 0; k < count; ++k) puzzle.closed.push_back(draw.pose(draw.number(pi)));
  puzzle.drawn = puzzle.closed;
  puzzle.drawn.back() = puzzle.drawn.back() * draw.pose(angle);
  const bool is_reversed = draw.number() > 0.0;
  const int other = on_ground ? -1 : 0;
  puzzle.add_joint(type, is_reversed ? count - 1 : other, is_reversed ? other : count - 1,
                   draw.pose(draw.number(pi)), draw);
  return puzzle;
}

TEST(LongOrientation, SingleJointsCloseFromAnyOrientation) {
  for (const std::string type : kTypes) {
    Draw draw(3);
    for (const double degrees : {30.0, 60.0, 80.0, 100.0, 120.0, 150.0, 179.0, 180.0}) {
      for (int k = 0; k < 12; ++k) {
        SCOPED_TRACE(fmt::format("{} at {} deg, {}", type, degrees, k));
        make_pair(type, k % 2 == 0, degrees * pi / 180.0, draw).expect_closed();
      }
    }
  }
}

/// Ground and three bodies in a ring, all of them turned by up to half a turn.
Puzzle make_loop(const std::array<std::string, 4>& types, Draw& draw) {
  Puzzle puzzle;
  for (int k = 0; k < 3; ++k) {
    puzzle.closed.push_back(draw.pose(draw.number(pi)));
    puzzle.drawn.push_back(puzzle.closed.back() * draw.pose(draw.number(pi)));
  }
  for (int k = 0; k < 4; ++k)
    puzzle.add_joint(types[static_cast<std::size_t>(k)], k - 1, k == 3 ? -1 : k,
                     draw.pose(draw.number(pi)), draw);
  return puzzle;
}

TEST(LongOrientation, LoopsWithBallsCloseFromAnyOrientation) {
  for (const std::string type : kTypes) {
    Draw draw(4);
    for (int k = 0; k < 10; ++k) {
      SCOPED_TRACE(fmt::format("{}, {}", type, k));
      make_loop({type, "spherical", type, "spherical"}, draw).expect_closed();
    }
  }
}

// Not hinges and threads, whose rings move only with parallel axes.
TEST(Orientation, LoopsOfOneTypeCloseFromAnyOrientation) {
  for (const std::string type : {"prismatic", "cylindrical", "spherical", "universal",
                                 "constant_velocity", "planar", "fixed"}) {
    Draw draw(5);
    for (int k = 0; k < 10; ++k) {
      SCOPED_TRACE(fmt::format("{}, {}", type, k));
      make_loop({type, type, type, type}, draw).expect_closed();
    }
  }
}

/// Eight bodies on a random tree of random joints, and two more joints that close loops.
Puzzle make_network(Draw& draw) {
  constexpr int kBodies = 8;
  constexpr std::array<const char*, 5> kLoose{"spherical", "universal", "constant_velocity",
                                              "cylindrical", "planar"};
  const auto pick = [&](int count) {
    return static_cast<int>(0.5 * (draw.number() + 1.0) * count);
  };
  Puzzle puzzle;
  for (int k = 0; k < kBodies; ++k) {
    puzzle.closed.push_back(draw.pose(draw.number(pi)));
    puzzle.drawn.push_back(puzzle.closed.back() * draw.pose(draw.number(pi)));
    const std::string type = kTypes[static_cast<std::size_t>(pick(kTypes.size()))];
    puzzle.joints.reserve(kBodies + 2);
    puzzle.add_joint(type, pick(k + 1) - 1, k, draw.pose(draw.number(pi)), draw);
  }
  for (int k = 0; k < 2; ++k) {
    const int first = pick(kBodies) - 1;
    const int second = first + 1 + pick(kBodies - 1 - first);
    puzzle.add_joint(kLoose[static_cast<std::size_t>(pick(kLoose.size()))], first, second,
                     draw.pose(draw.number(pi)), draw);
  }
  return puzzle;
}

TEST(LongOrientation, NetworksCloseFromAnyOrientation) {
  Draw draw(7);
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    make_network(draw).expect_closed();
  }
}

/// A four-bar in space with parallel axes, of hinges or threads, its bodies turned by up to half a turn.
Puzzle make_four_bar(const std::string& type, Draw& draw) {
  Puzzle puzzle;
  const Isometry3d plane = draw.pose(draw.number(pi));
  for (int k = 0; k < 3; ++k) {
    puzzle.closed.push_back(draw.pose(draw.number(pi)));
    puzzle.drawn.push_back(puzzle.closed.back() * draw.pose(draw.number(pi)));
  }
  const std::array<Vector3d, 4> corners{Vector3d(0, 0, 0), Vector3d(0.3, 0.9, 0),
                                        Vector3d(1.6, 1.3, 0), Vector3d(1.9, -0.2, 0)};
  for (int k = 0; k < 4; ++k) {
    Isometry3d corner = plane;
    corner.translate(corners[static_cast<std::size_t>(k)] + 0.1 * draw.vector());
    corner.translation() -= plane.rotation().col(2) *
                            plane.rotation().col(2).dot(corner.translation() - plane.translation());
    corner.rotate(Eigen::AngleAxisd(draw.number(pi), Vector3d::UnitZ()));
    puzzle.add_joint(type, k - 1, k == 3 ? -1 : k, corner, draw);
  }
  return puzzle;
}

TEST(Orientation, FourBarsInSpaceCloseFromAnyOrientation) {
  Draw draw(6);
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    make_four_bar("revolute", draw).expect_closed();
  }
}

// A hinge whose two axes are drawn opposed is open by half a turn. Alone it is turned over; in a loop that cannot, it is
// refused by name.
TEST(Orientation, OpposedAxesAreNotClosed) {
  const std::string head = R"toml(
format = "driftless/1"
[points]
A = [0, 0, 0]
B = [0.4, 0.1, 0.2]
[body.bar]
centre = "B"
mass = 2
inertia = [0.1, 0.2, 0.3]
[joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = "A"
axis = [[0, 0, 1], [0, 0, -1]]
)toml";
  const PreparedModel alone = prepare_model(parse_model(head, "hinge.toml"), {});
  ASSERT_TRUE(alone.start_report.success);
  EXPECT_FALSE(alone.start_report.changes.empty());
  const std::string tail = R"toml([joint.second]
type = "revolute"
between = ["ground", "bar"]
at = [0, 0, 0.5]
)toml";
  const PreparedModel twice = prepare_model(parse_model(head + tail, "hinge.toml"), {});
  const StartReport& report = twice.start_report;
  ASSERT_FALSE(report.success);
  EXPECT_EQ(report.message,
            "the mechanism closes only with 'pin' the wrong way round: its frames stay turned by "
            "180 deg against what the joint allows");
  EXPECT_NE(report.suggestion.find("reverse one of its two axes"), std::string::npos);
  EXPECT_EQ(report.where.line, 10);
  ASSERT_EQ(report.gaps.size(), 1u);
  EXPECT_NEAR(report.gaps[0].radians, pi, 1e-9);
}

}  // namespace
}  // namespace driftless::trials
