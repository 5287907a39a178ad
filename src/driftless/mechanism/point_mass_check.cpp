#include "driftless/mechanism/point_mass_check.hpp"

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driftless/elements/joints/nearest_pose.hpp"
#include "driftless/mechanism/kinematics.hpp"

namespace driftless {
namespace {

/// Some output changes if the frame turns where it is; the Jacobian is there.
bool depends_on_turn(const FunctionBlock& block, std::size_t frame, bool in_plane,
                     const MotionState& state) {
  const std::size_t columns = kTwist * block.frames.size();
  for (int i = 0; i < block.function->outputs(); ++i) {
    const double* turn =
        state.jacobian.data() + static_cast<std::size_t>(i) * columns + kTwist * frame + 3;
    for (int k = in_plane ? 2 : 0; k < 3; ++k)
      if (std::abs(turn[k]) > 1e-9) return true;
  }
  return false;
}

/// Frames in no special pose and motion.
std::vector<FrameMotion> make_motions(std::size_t count, bool in_plane) {
  std::vector<FrameMotion> motions(count);
  double seed = 0.3;
  const auto number = [&seed] { return seed = std::fmod(17.0 * seed + 0.377, 1.0); };
  const auto vector = [&] { return Vector3{number(), number(), number()}; };
  for (FrameMotion& motion : motions) {
    motion.pose.origin = vector();
    motion.pose.angle = number();
    const Vector3 turn = in_plane ? Vector3{0, 0, motion.pose.angle} : vector();
    motion.pose.axes = turn_axes(turn, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    motion.velocity = {vector(), vector()};
  }
  return motions;
}

/// Some wrench has a torque on the frame.
bool gives_torque(const ForceBlock& force, std::size_t frame, bool in_plane,
                  const MechanismParts& parts) {
  const std::vector<FrameMotion> motions = make_motions(force.frames.size(), in_plane);
  std::vector<Frame<double>> poses;
  for (const FrameMotion& motion : motions) poses.push_back(motion.pose);
  std::vector<double> inputs;
  for (int k = 0; k < force.inputs; ++k) {
    const NodeId node = parts.laws.inputs[static_cast<std::size_t>(force.first_input + k)];
    inputs.push_back(parts.laws.graph.is_zero(node) ? 0.0 : 1.0 + 0.1 * k);
  }
  std::vector<Wrench> wrenches(force.frames.size());
  if (force.kernel->has_potential()) force.kernel->eval_potential(poses.data(), wrenches.data());
  if (force.kernel->has_applied())
    force.kernel->eval_applied(inputs.data(), motions.data(), wrenches.data());
  return norm(wrenches[frame].torque) > 0.0;
}

/// The function depends on how the frame is turned, or on how fast it turns.
bool depends_on_turn(const VelocityBlock& block, std::size_t frame, bool in_plane,
                     MotionState& state) {
  std::vector<FrameMotion> motions = make_motions(block.frames.size(), in_plane);
  const auto count = static_cast<std::size_t>(block.function->outputs());
  block.function->eval_jacobian(motions.data(), state.first.data(), state.jacobian.data());
  FrameMotion& turned = motions[frame];
  turned.velocity.angular = 1.5 * turned.velocity.angular;
  turned.pose.angle += 0.3;
  turned.pose.axes =
      turn_axes(in_plane ? Vector3{0, 0, 0.3} : Vector3{0.1, -0.2, 0.3}, turned.pose.axes);
  block.function->eval_jacobian(motions.data(), state.second.data(), state.jacobian.data());
  for (std::size_t i = 0; i < count; ++i)
    if (std::abs(state.first[i] - state.second[i]) > 1e-9) return true;
  return false;
}

class PointMassCheck {
 public:
  PointMassCheck(const MechanismParts& parts, ConstVectorRef q, DiagnosticList& errors)
      : parts_(parts), errors_(errors), kinematics_(parts), state_(kinematics_.make_state()) {
    kinematics_.place(q, state_);
  }

  void run() {
    for (const RowBlock& row : parts_.rows) check_function(row.block, row.name, row.where);
    for (const LawParts::Force& force : parts_.laws.forces) {
      const LawScalar& along = parts_.laws.scalars[static_cast<std::size_t>(force.scalar)];
      if (along.is_velocity) continue;
      check_function(parts_.functions[static_cast<std::size_t>(along.block)], force.name,
                     force.where);
    }
    for (const RelationBlock& relation : parts_.relations) check_relation(relation);
    for (const ForceBlock& force : parts_.forces)
      check(force.frames, force.name, force.where, [&](std::size_t frame, bool in_plane) {
        return gives_torque(force, frame, in_plane, parts_);
      });
  }

 private:
  /// By the scalars in its rows: of its own frames, or measures by name.
  void check_relation(const RelationBlock& relation) {
    std::set<std::pair<bool, int>> seen;
    const std::size_t before = errors_.size();
    const auto check_row = [&](NodeId node) {
      for (const int variable : parts_.laws.graph.dependencies(node)) {
        if (variable == LawParts::time() || errors_.size() > before) continue;
        const LawScalar& scalar = parts_.laws.scalars[static_cast<std::size_t>((variable - 1) / 2)];
        if (!seen.emplace(scalar.is_velocity, scalar.block).second) continue;
        const auto block = static_cast<std::size_t>(scalar.block);
        if (scalar.is_velocity) {
          check_velocity(parts_.velocities[block], relation.name, relation.where);
        } else {
          check_function(parts_.functions[block], relation.name, relation.where);
        }
      }
    };
    for (const int row : relation.rows)
      check_row(parts_.laws.position_rows[static_cast<std::size_t>(row)].node);
    for (const int row : relation.velocity_rows)
      check_row(parts_.laws.velocity_rows[static_cast<std::size_t>(row)].node);
  }

  void check_velocity(const VelocityBlock& block, const std::string& name, const Source& where) {
    check(block.frames, name, where, [&](std::size_t frame, bool in_plane) {
      return depends_on_turn(block, frame, in_plane, state_);
    });
  }

  void check_function(const FunctionBlock& block, const std::string& name, const Source& where) {
    kinematics_.eval_jacobian(block, state_, state_.first.data(), state_.jacobian.data());
    check(block.frames, name, where, [&](std::size_t frame, bool in_plane) {
      return depends_on_turn(block, frame, in_plane, state_);
    });
  }

  /// `turns(k, in_plane)`: whether the element wants to turn frame k.
  template <class Turns>
  void check(const std::vector<int>& frames, const std::string& name, const Source& where,
             const Turns& turns) {
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const BodyFrame& frame = parts_.frames[static_cast<std::size_t>(frames[k])];
      if (frame.body < 0) continue;
      const Body& body = parts_.bodies[static_cast<std::size_t>(frame.body)];
      if (!body.is_point()) continue;
      const bool is_beside = norm(frame.offset) > 1e-9;  // m: else round-off of the drawing
      if (!is_beside && !turns(k, body.in_plane())) continue;
      errors_.add(where,
                  fmt::format("'{}' {} '{}', but a point mass has no orientation", name,
                              is_beside ? "acts beside" : "would turn or hold the orientation of",
                              body.name),
                  fmt::format("connect it where it is by something that leaves it free to turn "
                              "({}, point_on_line, distance, spring), or give it an inertia "
                              "instead of point = true",
                              body.in_plane() ? "revolute, slot" : "spherical"));
      break;
    }
  }

  const MechanismParts& parts_;
  DiagnosticList& errors_;
  Kinematics kinematics_;
  MotionState state_;
};

}  // namespace

void check_point_masses(const MechanismParts& parts, ConstVectorRef q, DiagnosticList& errors) {
  PointMassCheck(parts, q, errors).run();
}

}  // namespace driftless
