#include "driftless/mechanism/point_mass_check.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/mechanism/kinematics.hpp"

namespace driftless {
namespace {

/// Some output changes if the frame turns where it is.
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

}  // namespace

void check_point_masses(const MechanismParts& parts, ConstVectorRef q, DiagnosticList& errors) {
  const Kinematics kinematics(parts);
  MotionState state = kinematics.make_state();
  kinematics.place(q, state);
  for (const RowBlock& row : parts.rows) {
    const FunctionBlock& block = row.block;
    kinematics.eval_jacobian(block, state, state.first.data(), state.jacobian.data());
    for (std::size_t j = 0; j < block.frames.size(); ++j) {
      const BodyFrame& frame = parts.frames[static_cast<std::size_t>(block.frames[j])];
      if (frame.body < 0) continue;
      const Body& body = parts.bodies[static_cast<std::size_t>(frame.body)];
      if (!body.is_point()) continue;
      const bool is_beside = dot(frame.offset, frame.offset) > 0.0;
      if (!is_beside && !depends_on_turn(block, j, body.in_plane(), state)) continue;
      errors.add(row.where,
                 fmt::format("'{}' {} '{}', but a point mass has no orientation", row.name,
                             is_beside ? "acts beside" : "holds the orientation of", body.name),
                 "connect it where it is by something that leaves it free to turn (spherical, "
                 "slot, point_on_line, distance), or give it an inertia instead of point = true");
      break;
    }
  }
}

}  // namespace driftless
