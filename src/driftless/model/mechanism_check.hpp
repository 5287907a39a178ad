#pragma once
// What can be said about a mechanism without numbers: names, the bodies and points that elements refer to, lists of the
// right length. Which entries an element may have is known to mechanism/, which knows its type.

#include <string>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/model/mechanism_model.hpp"

namespace driftless {

/// The body that does not move and is not declared.
inline constexpr std::string_view kGround = "ground";

/// Everything that is wrong, in no particular order; empty if nothing is.
std::vector<Diagnostic> find_mechanism_errors(const MechanismModel& model);

/// Throws ModelError with all that find_mechanism_errors finds.
void check_mechanism(const MechanismModel& model);

/// Bodies, joints, constraints, forces and measures: what may stand before the dot in "A.angle".
std::vector<std::string> find_element_names(const MechanismModel& model);

/// Whose quantity a name is: "A" of "A.angle", "reach" of "reach'".
std::string_view find_owner(std::string_view dotted_name);

/// True for [measure.NAME], whose value has no dot in its name.
bool is_measure(const MechanismModel& model, std::string_view name);

/// The entry of that key, or null.
const Value* find_value(const Value::Table& entries, std::string_view key);

}  // namespace driftless
