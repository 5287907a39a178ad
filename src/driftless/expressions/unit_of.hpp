#pragma once
// The unit of what an expression gives, as far as the units of its names tell it. For people who look at plots and tables:
// nothing is refused, and where a unit is not certain there is none.

#include <functional>
#include <string>
#include <string_view>

#include "driftless/expressions/parser.hpp"

namespace driftless {

/// The unit of a name, with its quotes ("A.angle", "x1'"). Empty: not known; "1": a number without a unit.
using FindUnit = std::function<std::string(std::string_view)>;

/// "m/s", "rad", "N"; "1" for a ratio, empty if it is not certain. The text must be one that can be parsed; `is_declared` as
/// of parse_syntax.
std::string find_unit_of(std::string_view text, const Source& where,
                         const std::function<bool(std::string_view)>& is_declared,
                         const FindUnit& unit_of);

/// The unit of the rate of something: "m" -> "m/s", "rad/s" -> "rad/s^2", "" -> "".
std::string find_unit_of_rate(std::string_view unit);

}  // namespace driftless
