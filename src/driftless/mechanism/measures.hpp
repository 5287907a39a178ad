#pragma once
// The measures of a mechanism by name: "A.angle", "crank.x", "A.force.x", "reach". Position measures have a rate and an
// acceleration, with ' and '' behind the name; a joint's coordinate also has the names that its type gives.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/elements/joints/joint.hpp"
#include "driftless/elements/measures/measure.hpp"
#include "driftless/mechanism/parts.hpp"
#include "driftless/mechanism/placement.hpp"

namespace driftless {

class MeasureList {
 public:
  MeasureList(MechanismParts& parts, Assembly& assembly, bool plane);

  /// The joint's coordinates join parts.functions. Answers the counters of those that wrap.
  std::vector<int> add_joint(const std::string& name, JointParts& joint,
                             const std::vector<int>& frames);
  void add_body(const DrawnBody& drawn, int body_index);
  /// [measure.NAME] of frames.
  void add_declared(const std::string& name, MeasureParts parts, const std::vector<int>& frames);
  /// [measure.NAME] value = "...".
  void add_expression(const std::string& name, const Formula& value);

  void add_joint_reactions(const std::string& name, int row_block);
  void add_relation(const std::string& name, int index, const Relation& relation, bool moves);
  void add_law_force(const std::string& name, std::string_view coordinate_unit, int index);
  void add_state(const std::string& name, std::string_view unit, int index);
  void add_kernel(const std::string& name, int index);

  /// Something is wrong with this element, so its measures are not known; whoever names one is not judged.
  void add_doubtful(const std::string& element) { doubtful_.insert(element); }
  /// Whether a name may be a measure of such an element.
  bool is_doubtful(std::string_view name) const;
  /// How often that was the answer.
  std::size_t doubts() const { return doubts_; }

  /// A constraint or force that is being read or declared further below.
  struct Later {
    Source where;
    bool is_force = false;
  };
  void add_later(const std::string& element, const Later& later) { later_[element] = later; }
  void remove_later(const std::string& element) { later_.erase(element); }
  /// The owner of a measure, if it is such an element; else null.
  const Later* find_later(std::string_view name) const;

  /// Null: there is none.
  const Measure* find(std::string_view name) const;
  const Formula* find_expression(std::string_view name) const;
  std::vector<std::string> names() const;
  std::vector<std::string> names_of(Measure::Kind kind) const;

  /// What a result holds without being asked: coordinates and rates of joints, declared measures, reactions, drives.
  const std::vector<Measure>& standard() const { return standard_; }

 private:
  void add(Measure measure, bool is_standard = false);
  /// A measure of position with its rate and acceleration.
  void add_position(const std::string& name, std::string_view unit, int block, int output,
                    int counter, bool is_standard);
  void add_reactions(const std::string& name, Measure::Kind force, Measure::Kind torque, int index);
  int add_counter(int block, int output);
  int add_point(const BodyFrame& frame);

  MechanismParts& parts_;
  Assembly& assembly_;
  bool plane_;
  std::map<std::string, Measure, std::less<>> measures_;
  std::map<std::string, Formula, std::less<>> expressions_;
  std::vector<Measure> standard_;
  std::set<std::string, std::less<>> doubtful_;
  std::map<std::string, Later, std::less<>> later_;
  mutable std::size_t doubts_ = 0;
};

}  // namespace driftless
