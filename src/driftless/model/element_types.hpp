#pragma once
// What there is to choose from in [joint.NAME] type = "...": every type of every all.hpp, with its fields. Reading,
// suggestions, `driftless list joints` and `driftless explain revolute` derive from it.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"

namespace driftless {

enum class FieldKind {
  number,
  flag,
  measure,   ///< the name of a measure
  measures,  ///< a list of such names
  formula,   ///< an expression of t and measures
  formulas,  ///< one per axis
  matrix,
  choice  ///< one of a few words
};

struct ElementField {
  std::string key;
  std::string unit;  ///< "" if it has none; may contain <effort> and <coordinate>
  std::string description;
  std::string standard;  ///< the default as text; "" if it has none that can be told
  bool needed = false;   ///< the file must give it
  Bounds bounds;
  FieldKind kind = FieldKind::number;
  std::vector<std::string> choices = {};
};

/// A coordinate of a joint: NAME.angle and its rate, NAME.rate.
struct ElementCoordinate {
  std::string name;
  std::string rate;
  std::string unit;
};

struct ElementType {
  std::string kind;  ///< "joint", "constraint", "force", "measure": the section's name
  std::string name;
  std::string summary;
  bool in_plane = true;  ///< may stand in a mechanism with space = "plane"
  Attachment attachment = Attachment::two_frames;
  bool has_place = true;  ///< needs `at`
  std::vector<ElementField> fields;
  std::vector<ElementCoordinate> coordinates = {};  ///< of a joint
};

/// All of them, in the order of the lists.
const std::vector<ElementType>& all_element_types();

/// The type of that kind and name, or null.
const ElementType* find_element_type(std::string_view kind, std::string_view name);

/// Names of the types of one kind; empty if the kind has no list yet.
std::vector<std::string> known_types(std::string_view kind);
/// What to write instead of a type that the kind does not have: the nearest name, the section of another kind that has
/// it ('revolute' under [force.NAME]), or the type whose summary has that word ('hinge').
std::string suggest_type(std::string_view kind, const std::string& word);
inline std::vector<std::string> known_joint_types() { return known_types("joint"); }

}  // namespace driftless
