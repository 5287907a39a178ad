#pragma once
// What there is to choose from in [joint.NAME] type = "...": every type of every all.hpp, with its fields. Reading,
// suggestions, `driftless list joints` and `driftless explain revolute` derive from it.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/fields.hpp"

namespace driftless {

struct ElementField {
  std::string key;
  std::string unit;  ///< "" if it has none
  std::string description;
  std::string standard;  ///< the default as text; "" if it has none that can be told
  bool needed = false;   ///< its default is out of bounds: the file must give it
  Bounds bounds;
};

struct ElementType {
  std::string kind;  ///< "joint", "constraint", "force": the section's name
  std::string name;
  std::string summary;
  bool in_plane = true;  ///< may stand in a mechanism with space = "plane"
  std::vector<ElementField> fields;
};

/// All of them, in the order of the lists.
const std::vector<ElementType>& all_element_types();

/// The type of that kind and name, or null.
const ElementType* find_element_type(std::string_view kind, std::string_view name);

/// Names of the types of one kind; empty if the kind has no list yet.
std::vector<std::string> known_types(std::string_view kind);
inline std::vector<std::string> known_joint_types() { return known_types("joint"); }

}  // namespace driftless
