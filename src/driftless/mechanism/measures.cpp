#include "driftless/mechanism/measures.hpp"

#include <utility>

#include "driftless/elements/measures/point.hpp"
#include "driftless/elements/velocity_function_of.hpp"
#include "driftless/model/mechanism_check.hpp"

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

/// Angular velocity along the body's own axes.
struct Spin {
  static constexpr int kFrames = 1;
  static constexpr int kOutputs = 3;
  template <class S>
  void operator()(const MovingFrame<S>* f, S* out) const {
    out[0] = dot(f[0].pose.axes.x, f[0].angular);
    out[1] = dot(f[0].pose.axes.y, f[0].angular);
    out[2] = dot(f[0].pose.axes.z, f[0].angular);
  }
};

}  // namespace

MeasureList::MeasureList(MechanismParts& parts, Assembly& assembly, bool plane)
    : parts_(parts), assembly_(assembly), plane_(plane) {
  add({.name = "T", .unit = "J", .kind = Measure::Kind::kinetic});
  add({.name = "U", .unit = "J", .kind = Measure::Kind::potential});
}

void MeasureList::add(Measure measure, bool is_standard) {
  if (is_standard) standard_.push_back(measure);
  measures_[measure.name] = std::move(measure);
}

void MeasureList::add_position(const std::string& name, std::string_view unit, int block,
                               int output, int counter, bool is_standard) {
  const std::string u(unit);
  add({.name = name,
       .unit = u,
       .kind = Measure::Kind::value,
       .block = block,
       .component = output,
       .counter = counter},
      is_standard);
  add({.name = name + "'",
       .unit = u + "/s",
       .kind = Measure::Kind::rate,
       .block = block,
       .component = output});
  add({.name = name + "''",
       .unit = u + "/s^2",
       .kind = Measure::Kind::acceleration,
       .block = block,
       .component = output});
}

int MeasureList::add_counter(int block, int output) {
  parts_.counters.push_back({block, output});
  return static_cast<int>(parts_.counters.size()) - 1;
}

std::vector<int> MeasureList::add_joint(const std::string& name, JointParts& joint,
                                        const std::vector<int>& frames) {
  if (!joint.coordinates) return {};
  std::vector<int> counters;
  const auto block = static_cast<int>(parts_.functions.size());
  parts_.functions.push_back({std::move(joint.coordinates), frames});
  for (std::size_t k = 0; k < joint.coordinate_info.size(); ++k) {
    const JointCoordinate& info = joint.coordinate_info[k];
    const auto output = static_cast<int>(k);
    int counter = -1;
    if (info.wraps || info.unit == "rad") counter = add_counter(block, output);
    if (info.wraps) {
      counters.push_back(counter);
    } else if (counter >= 0) {
      parts_.counters.back().continuous = true;
    }
    if (info.angle_per_unit != 0.0) {
      parts_.counters.back().teller = output;
      parts_.counters.back().angle_per_unit = info.angle_per_unit;
    }
    const std::string value = name + "." + std::string(info.name);
    const std::string rate = name + "." + std::string(info.rate);
    add_position(value, info.unit, block, output, counter, true);
    Measure named_rate = *find(value + "'");
    Measure named_acceleration = *find(value + "''");
    named_rate.name = rate;
    named_acceleration.name = rate + "'";
    add(std::move(named_rate), true);
    add(std::move(named_acceleration));
  }
  return counters;
}

int MeasureList::add_point(const BodyFrame& frame) {
  MeasureParts place = make_measure(PointMeasure{}, plane_ ? Space::plane : Space::space);
  parts_.functions.push_back({std::move(place.function), {assembly_.add(frame)}});
  return static_cast<int>(parts_.functions.size()) - 1;
}

void MeasureList::add_body(const DrawnBody& drawn, int body_index) {
  const Body& body = drawn.body;
  BodyFrame centre;
  centre.body = body_index;
  const int axes = plane_ ? 2 : 3;
  const int block = add_point(centre);
  const int frame = parts_.functions.back().frames[0];
  for (int axis = 0; axis < axes; ++axis) {
    add_position(body.name + "." + kAxis[axis], "m", block, axis, -1, false);
  }
  for (const auto& [key, each] : drawn.frames) {
    BodyFrame fixed = each;
    fixed.body = body_index;
    const int point = add_point(fixed);
    for (int axis = 0; axis < axes; ++axis) {
      add_position(body.name + "." + key + "." + kAxis[axis], "m", point, axis, -1, false);
    }
  }
  if (body.kind == BodyKind::plane_body) {
    parts_.functions.push_back({make_frame_function(PlaneAngle{}), {frame}});
    add_position(body.name + ".angle", "rad", static_cast<int>(parts_.functions.size()) - 1, 0, -1,
                 false);
  }
  if (body.kind != BodyKind::space_body) return;
  for (int part = 0; part < 4; ++part) {
    add({.name = body.name + ".q" + std::to_string(part),
         .unit = "",
         .kind = Measure::Kind::coordinate,
         .component = body.q + 3 + part});
  }
  const auto spin = static_cast<int>(parts_.velocities.size());
  parts_.velocities.push_back({make_velocity_function(Spin{}), {frame}});
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name = body.name + ".w" + kAxis[axis];
    add({.name = name,
         .unit = "rad/s",
         .kind = Measure::Kind::velocity,
         .block = spin,
         .component = axis});
    add({.name = name + "'",
         .unit = "rad/s^2",
         .kind = Measure::Kind::velocity_acceleration,
         .block = spin,
         .component = axis});
  }
}

void MeasureList::add_declared(const std::string& name, MeasureParts parts,
                               const std::vector<int>& frames) {
  const auto block = static_cast<int>(parts_.functions.size());
  parts_.functions.push_back({std::move(parts.function), frames});
  parts_.declared.push_back({name, block});
  for (std::size_t k = 0; k < parts.outputs.size(); ++k) {
    const MeasureOutput& output = parts.outputs[k];
    const int counter = output.wraps ? add_counter(block, static_cast<int>(k)) : -1;
    const std::string whole = name + std::string(output.suffix);
    add_position(whole, output.unit, block, static_cast<int>(k), counter, true);
    measures_[whole].least = output.least;
  }
}

void MeasureList::add_expression(const std::string& name, const Formula& value) {
  expressions_[name] = value;
}

void MeasureList::add_reactions(const std::string& name, Measure::Kind force, Measure::Kind torque,
                                int index) {
  for (const bool on_first : {false, true}) {
    for (const bool in_joint_axes : {false, true}) {
      const std::string prefix =
          name + (on_first ? ".first" : "") + (in_joint_axes ? ".joint" : "");
      for (const Measure::Kind kind : {force, torque}) {
        const bool is_force = kind == force;
        for (int axis = 0; axis < 3; ++axis) {
          if (plane_ && is_force == (axis == 2)) continue;
          add({.name = prefix + (is_force ? ".force." : ".torque.") + kAxis[axis],
               .unit = is_force ? "N" : "N*m",
               .kind = kind,
               .block = index,
               .component = axis,
               .on_first = on_first,
               .in_joint_axes = in_joint_axes},
              !on_first && !in_joint_axes);
        }
      }
    }
  }
}

void MeasureList::add_joint_reactions(const std::string& name, int row_block) {
  add_reactions(name, Measure::Kind::joint_force, Measure::Kind::joint_torque, row_block);
}

void MeasureList::add_relation(const std::string& name, int index, const Relation& relation,
                               bool moves) {
  if (!relation.effort.empty()) {
    add({.name = name + "." + std::string(relation.effort),
         .unit = std::string(relation.effort_unit),
         .kind = Measure::Kind::effort,
         .block = index},
        true);
  }
  if (!parts_.relations[static_cast<std::size_t>(index)].frames.empty()) {
    add_reactions(name, Measure::Kind::relation_force, Measure::Kind::relation_torque, index);
  }
  if (moves) {
    add({.name = name + ".power",
         .unit = "W",
         .kind = Measure::Kind::relation_power,
         .block = index},
        true);
  }
}

void MeasureList::add_law_force(const std::string& name, std::string_view coordinate_unit,
                                int index) {
  const bool is_angle = coordinate_unit == "rad";
  add({.name = name + (is_angle ? ".torque" : ".force"),
       .unit = is_angle ? "N*m" : "N",
       .kind = Measure::Kind::law_effort,
       .block = index},
      true);
  add({.name = name + ".power", .unit = "W", .kind = Measure::Kind::law_power, .block = index},
      true);
}

/// No standard record: states are columns of their own.
void MeasureList::add_state(const std::string& name, std::string_view unit, int index) {
  add({.name = name, .unit = std::string(unit), .kind = Measure::Kind::state, .block = index});
}

void MeasureList::add_kernel(const std::string& name, int index) {
  for (const Measure::Kind kind : {Measure::Kind::kernel_force, Measure::Kind::kernel_torque}) {
    const bool is_force = kind == Measure::Kind::kernel_force;
    for (int axis = 0; axis < 3; ++axis) {
      if (plane_ && is_force == (axis == 2)) continue;
      add({.name = name + (is_force ? ".force." : ".torque.") + kAxis[axis],
           .unit = is_force ? "N" : "N*m",
           .kind = kind,
           .block = index,
           .component = axis},
          true);
    }
  }
  add({.name = name + ".power", .unit = "W", .kind = Measure::Kind::kernel_power, .block = index},
      true);
}

bool MeasureList::is_doubtful(std::string_view name) const {
  const bool doubtful = doubtful_.contains(find_owner(name));
  if (doubtful) ++doubts_;
  return doubtful;
}

const MeasureList::Later* MeasureList::find_later(std::string_view name) const {
  const auto place = later_.find(find_owner(name));
  if (place == later_.end() || name == place->first) return nullptr;  // no measure without a dot
  return &place->second;
}

const Measure* MeasureList::find(std::string_view name) const {
  const auto place = measures_.find(name);
  return place == measures_.end() ? nullptr : &place->second;
}

const Formula* MeasureList::find_expression(std::string_view name) const {
  const auto place = expressions_.find(name);
  return place == expressions_.end() ? nullptr : &place->second;
}

std::vector<std::string> MeasureList::names() const {
  std::vector<std::string> names;
  for (const auto& [name, measure] : measures_) names.push_back(name);
  for (const auto& [name, formula] : expressions_) names.push_back(name);
  return names;
}

std::vector<std::string> MeasureList::names_of(Measure::Kind kind) const {
  std::vector<std::string> names;
  for (const auto& [name, measure] : measures_) {
    if (measure.kind == kind) names.push_back(name);
  }
  return names;
}

}  // namespace driftless
