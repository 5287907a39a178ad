#pragma once
// What the user wrote about a mechanism, as data: points, bodies, joints, constraints, forces, start values. The entries
// of an element are kept as they stand, each with its place; mechanism/ knows what its type wants and turns all of it
// into a System.

#include <string>
#include <vector>

#include "driftless/base/value.hpp"
#include "driftless/model/model_common.hpp"

namespace driftless {

/// [body.crank], [joint.A], [constraint.rod], [force.spring], [measure.reach].
struct ElementSpec {
  std::string name;
  std::string type;  ///< the entry `type`; empty for bodies
  Source type_where;
  Value::Table entries;  ///< all others, in the file's order
  Source where;          ///< of the name
};

struct NamedValue {
  std::string name;
  Value value;
  Source where;
};

struct MechanismModel : ModelCommon {
  bool plane = false;                ///< space = "plane"
  bool joint_coordinates = false;    ///< coordinates = "joint"
  std::vector<Text> cut;             ///< joints that stay rows in joint coordinates
  Value gravity{Value::List{}, {}};  ///< a list; empty list: none
  std::vector<NamedValue> points;    ///< hardpoints: world coordinates in the drawing pose
  std::vector<ElementSpec> bodies;
  std::vector<ElementSpec> joints;
  std::vector<ElementSpec> constraints;
  std::vector<ElementSpec> forces;
  std::vector<ElementSpec> measures;
  /// "A.angle", "crank.x", ...: number, text, or the table { value, priority }. In the file's order.
  std::vector<NamedValue> start;
  /// Of a result that is read again: a mesh that is not there any more is no fault.
  bool meshes_may_be_gone = false;
};

}  // namespace driftless
