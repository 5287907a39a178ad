#pragma once
// Joints, constraints, forces and measures for `driftless list` and `driftless explain`.

#include <string>
#include <string_view>
#include <vector>

namespace driftless::cli {

/// Name and summary of every type of a kind, such as "joint".
std::vector<std::vector<std::string>> list_element_types(std::string_view kind);

/// Prints the types of that name, with fields and an example; false if there is none.
bool explain_element_type(std::string_view name);

/// Prints the types that have a key of that name, or a key that takes the word; false if there is none.
bool explain_element_key(std::string_view word);

/// A column such as pin.force.x or A.angle; true if it can be one.
bool explain_measure(std::string_view name);

}  // namespace driftless::cli
