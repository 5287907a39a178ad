#pragma once
// For tests: random trees of bodies, with joints of every type in every direction, as parts of a mechanism.

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "driftless/elements/constraints/distance.hpp"
#include "driftless/elements/joints/all.hpp"
#include "driftless/mechanism/mechanism_system.hpp"
#include "driftless/mechanism/tree_bodies.hpp"

namespace driftless::testing {

class RandomTree {
 public:
  RandomTree(unsigned seed, bool plane) : random_(seed), plane_(plane) {}

  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vector3 vector() {
    return {number(-1.0, 1.0), number(-1.0, 1.0), plane_ ? 0.0 : number(-1.0, 1.0)};
  }
  Vector numbers(Eigen::Index size, double bound) {
    Vector out(size);
    for (double& each : out) each = number(-bound, bound);
    return out;
  }

  /// Each body hangs on a random earlier one, or on the ground, by joints of all types in turn; every fifth one, which may
  /// be a point mass, is free, and nothing hangs on points.
  std::shared_ptr<MechanismParts> make(int bodies) {
    auto parts = std::make_shared<MechanismParts>();
    parts->name = "random tree";
    parts->gravity = plane_ ? Vector3{0.3, -9.81, 0.0} : Vector3{0.3, -9.81, 1.2};
    int q = 0;
    int v = 0;
    for (int k = 0; k < bodies; ++k) {
      Body body = make_body(k);
      body.q = q;
      body.v = v;
      q += body.nq();
      v += body.nv();
      parts->bodies.push_back(std::move(body));
      if (k % 5 == 4) continue;
      const int other = static_cast<int>(number(0.0, k + 1.0)) - 1;
      const bool hangs = other < 0 || !parts->bodies[static_cast<std::size_t>(other)].is_point();
      add_joint(*parts, k, hangs ? other : -1);
    }
    return parts;
  }

  /// A joint between two bodies, -1 being the ground; rows and frames are appended.
  void add_joint(MechanismParts& parts, int body, int other) {
    const bool backward = number(0.0, 1.0) < 0.5;
    const std::vector<int> frames{add_frame(parts, backward ? body : other),
                                  add_frame(parts, backward ? other : body)};
    add_joint(parts, frames, choose());
  }

  /// A ball joint that is closed with the bodies where they are, up to `gap`.
  void add_loop(MechanismParts& parts, int body, int other, ConstVectorRef q, double gap) {
    const Vector3 at = 2.0 * vector();
    std::vector<int> frames;
    for (const int each : {other, body}) {
      BodyFrame frame;
      frame.body = each;
      frame.offset = at + gap * vector();
      if (each >= 0 && parts.bodies[static_cast<std::size_t>(each)].is_point()) {
        frame.offset = {};  // a point has no other place
      } else if (each >= 0) {
        const BodyState pose = find_pose(parts.bodies[static_cast<std::size_t>(each)], q);
        frame.offset = apply_inverse(pose.axes, frame.offset - pose.position);
      }
      parts.frames.push_back(frame);
      frames.push_back(static_cast<int>(parts.frames.size()) - 1);
    }
    add_joint(
        parts, frames,
        plane_ ? make_joint(Revolute{}, Space::plane) : make_joint(Spherical{}, Space::space));
  }

  /// A rod of this length between two bodies, wherever they are; -1 is the ground.
  void add_rod(MechanismParts& parts, int body, int other, double length) {
    RowBlock row;
    row.name = "R" + std::to_string(parts.rows.size());
    row.block.frames = {add_frame(parts, body), add_frame(parts, other)};
    for (const int frame : row.block.frames)
      if (is_point(parts, frame)) parts.frames[static_cast<std::size_t>(frame)].offset = {};
    ConstraintParts rod = make_constraint(Distance{length}, plane_ ? Space::plane : Space::space);
    row.block.function = std::move(rod.rows);
    row.rod_length = rod.rod_length;
    row.row_names = {row.name + ".length"};
    row.first_row = parts.frame_rows++;
    parts.rows.push_back(std::move(row));
  }

  /// Records of the reactions of all joints.
  static void record_reactions(MechanismParts& parts) {
    for (std::size_t k = 0; k < parts.rows.size(); ++k) {
      for (const bool is_force : {true, false}) {
        for (int axis = 0; axis < 3; ++axis) {
          Measure measure;
          measure.name =
              parts.rows[k].name + (is_force ? ".force" : ".torque") + std::to_string(axis);
          measure.kind = is_force ? Measure::Kind::joint_force : Measure::Kind::joint_torque;
          measure.block = static_cast<int>(k);
          measure.component = axis;
          parts.measures.push_back(measure);
          parts.record_names.push_back(measure.name);
          parts.record_units.emplace_back();
          parts.records.push_back(
              parts.record_graph.variable(static_cast<int>(parts.measures.size())));
        }
      }
    }
  }

  void add_joint(MechanismParts& parts, const std::vector<int>& frames, JointParts joint) {
    RowBlock row;
    row.name = "J" + std::to_string(parts.rows.size());
    row.block.function = std::move(joint.rows);
    row.block.frames = frames;
    if (row.block.function->turn_inputs() > 0) {
      const auto block = static_cast<int>(parts.functions.size());
      parts.functions.push_back({std::move(joint.coordinates), frames, {}});
      row.block.counters = {static_cast<int>(parts.counters.size())};
      parts.counters.push_back({.function = block, .output = 0});
    }
    for (const std::string_view each : joint.row_names) {
      row.row_names.push_back(row.name + "." + std::string(each));
    }
    row.first_row = parts.frame_rows;
    row.find_nearest = joint.find_nearest;
    row.is_joint = true;
    row.joint_form = joint.joint_form;
    const bool has_point = std::any_of(frames.begin(), frames.end(),
                                       [&](int frame) { return is_point(parts, frame); });
    if (!has_point) row.form = joint.form;
    row.advance = joint.advance;
    row.coordinates = joint.coordinate_info;
    parts.frame_rows += row.block.function->outputs();
    parts.rows.push_back(std::move(row));
  }

  static bool is_point(const MechanismParts& parts, int frame) {
    const int body = parts.frames[static_cast<std::size_t>(frame)].body;
    return body >= 0 && parts.bodies[static_cast<std::size_t>(body)].is_point();
  }

  Axes<double> axes() {
    if (plane_) {
      angle_ = number(-3.0, 3.0);
      const double c = std::cos(angle_);
      const double s = std::sin(angle_);
      return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
    }
    const Vector3 a = vector();
    const Vector3 x = (1.0 / norm(a)) * a;
    const Vector3 b = cross(x, vector());
    const Vector3 y = (1.0 / norm(b)) * b;
    return {x, y, cross(x, y)};
  }

  Body make_body(int index) {
    Body body;
    body.name = "b" + std::to_string(index);
    body.kind = plane_ ? BodyKind::plane_body : BodyKind::space_body;
    if (index % 5 == 4 && number(0.0, 1.0) < 0.5) {
      body.kind = plane_ ? BodyKind::plane_point : BodyKind::space_point;
    }
    body.mass = number(0.2, 3.0);
    const Matrix a = numbers(9, 1.0).reshaped(3, 3);
    const Matrix square = a * a.transpose();  // the inertia of points: trace minus squares
    body.inertia = square.trace() * Matrix::Identity(3, 3) - square;
    return body;
  }

 private:
  int add_frame(MechanismParts& parts, int body) {
    BodyFrame frame;
    frame.body = body;
    frame.offset = vector();
    frame.axes = axes();
    frame.angle = plane_ ? angle_ : 0.0;
    parts.frames.push_back(frame);
    return static_cast<int>(parts.frames.size()) - 1;
  }

  JointParts choose() {
    if (plane_) {
      switch (next_++ % 4) {
        case 0: return make_joint(Revolute{}, Space::plane);
        case 1: return make_joint(Slot{}, Space::plane);
        case 2: return make_joint(Prismatic{}, Space::plane);
        default: return make_joint(Fixed{}, Space::plane);
      }
    }
    switch (next_++ % 10) {
      case 0: return make_joint(Revolute{}, Space::space);
      case 1: return make_joint(Spherical{}, Space::space);
      case 2: return make_joint(Universal{}, Space::space);
      case 3: return make_joint(Planar{}, Space::space);
      case 4: return make_joint(Slot{}, Space::space);
      case 5: return make_joint(Prismatic{}, Space::space);
      case 6: return make_joint(Cylindrical{}, Space::space);
      case 7: return make_joint(Screw{.pitch = 0.4}, Space::space);
      case 8: return make_joint(ConstantVelocity{}, Space::space);
      default: return make_joint(Fixed{}, Space::space);
    }
  }

  std::mt19937 random_;
  bool plane_;
  double angle_ = 0.0;
  int next_ = 0;
};

/// Coordinates of the bodies at a random pose of the tree, with the joints that carry it closed.
inline Vector draw_tree(RandomTree& random, const MechanismParts& parts) {
  const SpanningTree open = find_spanning_tree(parts, {});
  const TreeRecursion recursion(open.tree);
  TreeState state = recursion.make_state();
  const TreeBodies bodies(parts, open, recursion);
  TreeBodiesWorkspace scratch = bodies.make_workspace();
  Vector at = random.numbers(recursion.nq(), 1.0);
  recursion.normalize(at);
  int nq = 0;
  for (const Body& body : parts.bodies) nq += body.nq();
  Vector drawn = Vector::Zero(nq);
  recursion.place(at, state);
  bodies.find_coordinates(at, state, scratch, drawn);
  return drawn;
}

}  // namespace driftless::testing
