// With (a, b, c) = p1 - p0 along the axes of frame 0; the slot is x0, the pin is along z1,
//
//   b = c = 0                           the pin is in the slot                                                   [SLO.1]
//   x0·z1 = y0·z1 = 0                   the pin stands across the slot's plane                                   [SLO.2]
//   position = a, angle = atan2(y0·x1, x0·x1)                                                                    [SLO.3]
//
// Rejected for [SLO.1]: x0 × (p1 - p0) = 0, three rows of rank two; and a shift along the axes of frame 1, which would fix
// the slot in the second body. Nothing is singular on the joint's poses, wherever the pin is in the slot; [SLO.2] also
// holds with the axes opposed, as for the revolute joint. The slot has no ends: those are stops on `position`.
// In the plane:
//
//   b = 0, position = a, angle = angle1 - angle0, which counts turns                                             [SLO.4]

#include "driftless/elements/joints/slot.hpp"

#include "driftless/elements/joints/nearest_pose.hpp"
#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using SlotRows = PairFunction<Shift<Axis::y>, Shift<Axis::z>, Product<Axis::x, Axis::z>,
                              Product<Axis::y, Axis::z>>;

struct SlotCoordinates {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 2;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_shift(f).x;
    out[1] = find_angle(f);
  }
};

using PlaneSlotRows = PairFunction<Shift<Axis::y>>;

using PlaneSlotCoordinates = PairFunction<Shift<Axis::x>, PlaneTurn>;

Frame<double> find_nearest_slot(const Frame<double>* f) {
  return {keep_shift(f, true, false, false), align_axis(f), f[1].angle};
}

}  // namespace

JointParts make_joint(const Slot& /*spec*/, Space space) {
  JointParts parts;
  parts.joint_form = JointForm::slot;
  const bool plane = space == Space::plane;
  if (plane) {
    parts.rows = make_frame_function(PlaneSlotRows{});
    parts.row_names = {"y"};
    parts.coordinates = make_frame_function(PlaneSlotCoordinates{});
  } else {
    parts.find_nearest = find_nearest_slot;
    parts.rows = make_frame_function(SlotRows{});
    parts.row_names = {"y", "z", "tilt_x", "tilt_y"};
    parts.coordinates = make_frame_function(SlotCoordinates{});
  }
  parts.coordinate_info = {{"position", "speed", "m", false}, {"angle", "rate", "rad", !plane}};
  return parts;
}

}  // namespace driftless
