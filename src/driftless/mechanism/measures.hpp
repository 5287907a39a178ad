#pragma once
// The measures of a mechanism by name: "A.angle", "crank.x", "A.force.x". A measure is made the first time somebody asks
// for it.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/elements/joints/joint.hpp"
#include "driftless/mechanism/mechanism_system.hpp"

namespace driftless {

class MeasureList {
 public:
  MeasureList(MechanismParts& parts, bool plane) : parts_(parts), plane_(plane) {}

  /// The joint's coordinates join parts.functions; its measures are known from now on.
  void add_joint(const std::string& name, JointParts& joint, const std::vector<int>& frames);
  /// Reactions of rows.
  void add_reactions(const std::string& name, int row_block);
  void add_body(const Body& body, int body_index);

  /// Null: there is none.
  const Measure* find(std::string_view name) const;
  std::vector<std::string> names() const;

  /// What a result holds without being asked: coordinates and rates of joints, and reactions.
  const std::vector<Measure>& standard() const { return standard_; }

 private:
  void add(Measure measure, bool is_standard);
  /// Of a body in space: q0 to q3, and wx, wy, wz along its own axes.
  void add_orientation(const Body& body, int body_index);

  MechanismParts& parts_;
  bool plane_;
  std::map<std::string, Measure, std::less<>> measures_;
  std::vector<Measure> standard_;
};

}  // namespace driftless
