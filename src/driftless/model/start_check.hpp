#pragma once
// The form of a start value in [start]: a number, an expression, or { value, priority }.

#include <string>

#include "driftless/model/mechanism_model.hpp"
#include "driftless/model/names.hpp"

namespace driftless {

/// Notes what is wrong with the value; `key` is its name in messages, such as "start.A.angle".
void check_start_value(const std::string& key, const NamedValue& start, Findings& findings);

}  // namespace driftless
