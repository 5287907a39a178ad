// With (a, b, c) = p1 - p0 along the axes of frame 0,
//
//   a = b = c = 0                       the origins meet                                                         [SPH.1]
//
// Rejected: p1 - p0 along the world's axes, which is shorter but not invariant: the multipliers of [SPH.1] are the force
// as the first body feels it. Nothing is singular. No coordinates: any three angles of a ball are singular somewhere.

#include "driftless/elements/joints/spherical.hpp"

#include <cassert>

#include "driftless/elements/frame_pair.hpp"

namespace driftless {
namespace {

struct Rows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 3;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> shift = find_shift(f);
    out[0] = shift.x;
    out[1] = shift.y;
    out[2] = shift.z;
  }
};

}  // namespace

JointParts make_joint(const Spherical& /*spec*/, [[maybe_unused]] Space space) {
  assert(space == Space::space);
  JointParts parts;
  parts.rows = make_frame_function(Rows{});
  parts.row_names = {"x", "y", "z"};
  return parts;
}

}  // namespace driftless
