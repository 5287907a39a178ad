#include "driftless/mechanism/measures.hpp"

#include <string>
#include <utility>

#include "driftless/elements/frame_function_of.hpp"

namespace driftless {
namespace {

constexpr const char* kAxis[] = {"x", "y", "z"};

/// A body's angle in the plane.
struct PlaneAngle {
  static constexpr int kFrames = 1;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = f[0].angle;
  }
};

/// The place of a frame's origin.
struct Place {
  static constexpr int kFrames = 1;
  static constexpr int kOutputs = 3;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = f[0].origin.x;
    out[1] = f[0].origin.y;
    out[2] = f[0].origin.z;
  }
};

}  // namespace

void MeasureList::add(Measure measure, bool is_standard) {
  if (is_standard) standard_.push_back(measure);
  measures_[measure.name] = std::move(measure);
}

void MeasureList::add_joint(const std::string& name, JointParts& joint,
                            const std::vector<int>& frames) {
  if (!joint.coordinates) return;
  const auto block = static_cast<int>(parts_.functions.size());
  parts_.functions.push_back({std::move(joint.coordinates), frames});
  for (std::size_t k = 0; k < joint.coordinate_info.size(); ++k) {
    const JointCoordinate& info = joint.coordinate_info[k];
    const auto output = static_cast<int>(k);
    int counter = -1;
    if (info.wraps) {
      counter = static_cast<int>(parts_.counters.size());
      parts_.counters.push_back({block, output});
    }
    const std::string unit(info.unit);
    const std::string per_second = unit == "rad" ? "rad/s" : unit + "/s";
    add({name + "." + std::string(info.name), unit, Measure::Kind::value, block, output, counter},
        true);
    add({name + "." + std::string(info.rate), per_second, Measure::Kind::rate, block, output},
        true);
    add({name + "." + std::string(info.rate) + "'", per_second + "^2", Measure::Kind::acceleration,
         block, output},
        false);
  }
}

void MeasureList::add_reactions(const std::string& name, int row_block) {
  for (int axis = 0; axis < 3; ++axis) {
    if (plane_ && axis == 2) continue;
    add({name + ".force." + kAxis[axis], "N", Measure::Kind::reaction_force, row_block, axis},
        true);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (plane_ && axis != 2) continue;
    add({name + ".torque." + kAxis[axis], "N*m", Measure::Kind::reaction_torque, row_block, axis},
        true);
  }
}

void MeasureList::add_body(const Body& body, int body_index) {
  const auto frame = static_cast<int>(parts_.frames.size());
  BodyFrame at_centre;
  at_centre.body = body_index;
  parts_.frames.push_back(at_centre);
  const auto block = static_cast<int>(parts_.functions.size());
  parts_.functions.push_back({make_frame_function(Place{}), {frame}});
  for (int axis = 0; axis < (plane_ ? 2 : 3); ++axis) {
    const std::string name = body.name + "." + kAxis[axis];
    add({name, "m", Measure::Kind::value, block, axis}, false);
    add({name + "'", "m/s", Measure::Kind::rate, block, axis}, false);
    add({name + "''", "m/s^2", Measure::Kind::acceleration, block, axis}, false);
  }
  if (body.kind == BodyKind::space_body) add_orientation(body, body_index);
  if (body.kind != BodyKind::plane_body) return;
  const auto angle = static_cast<int>(parts_.functions.size());
  parts_.functions.push_back({make_frame_function(PlaneAngle{}), {frame}});
  add({body.name + ".angle", "rad", Measure::Kind::value, angle, 0}, false);
  add({body.name + ".angle'", "rad/s", Measure::Kind::rate, angle, 0}, false);
}

void MeasureList::add_orientation(const Body& body, int body_index) {
  for (int part = 0; part < 4; ++part) {
    add({body.name + ".q" + std::to_string(part), "", Measure::Kind::quaternion, body_index, part},
        false);
  }
  for (int axis = 0; axis < 3; ++axis) {
    add({body.name + ".w" + kAxis[axis], "rad/s", Measure::Kind::angular_velocity, body_index,
         axis},
        false);
  }
}

const Measure* MeasureList::find(std::string_view name) const {
  const auto place = measures_.find(name);
  return place == measures_.end() ? nullptr : &place->second;
}

std::vector<std::string> MeasureList::names() const {
  std::vector<std::string> names;
  for (const auto& [name, measure] : measures_) names.push_back(name);
  return names;
}

}  // namespace driftless
