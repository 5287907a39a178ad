#pragma once
// What rolling elements have in common: a row that keeps contact, and rows for the slip of the material there along x0
// and, if there are two, y0. For .cpp files.

#include <memory>
#include <utility>

#include "driftless/elements/law.hpp"
#include "driftless/elements/velocity_function_of.hpp"

namespace driftless {

/// `Contact` gives the vector from p1 to the contact, from the two poses.
template <class Contact, int kDirections>
struct ContactSlip {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = kDirections;
  Contact contact;

  template <class S>
  void operator()(const MovingFrame<S>* f, S* out) const {
    const Vec3<S> arm = contact(f[0].pose, f[1].pose);
    const Vec3<S> place = f[1].pose.origin + arm - f[0].pose.origin;
    const Vec3<S> u =
        f[1].linear + cross(f[1].angular, arm) - f[0].linear - cross(f[0].angular, place);
    out[0] = dot(f[0].pose.axes.x, u);
    if constexpr (kDirections == 2) out[1] = dot(f[0].pose.axes.y, u);
  }
};

inline Relation make_rolling(std::unique_ptr<FrameFunction> height,
                             std::unique_ptr<VelocityFunction> slip, LawScope& scope) {
  Relation relation;
  relation.rows = {{"contact", scope.add_function(std::move(height))[0].value, "m"}};
  const std::string_view names[] = {"slip_x", "slip_y"};
  std::size_t k = 0;
  for (const NodeId node : scope.add_function(std::move(slip))) {
    relation.velocity_rows.push_back({names[k++], node, "m/s"});
  }
  return relation;
}

}  // namespace driftless
