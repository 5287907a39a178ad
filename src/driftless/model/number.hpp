#pragma once
// A number in a file or on the command line: written as a number, or as a text with an expression and a unit.

#include <functional>
#include <string>
#include <string_view>

#include "driftless/base/fields.hpp"
#include "driftless/base/value.hpp"
#include "driftless/expressions/parser.hpp"
#include "driftless/model/model_common.hpp"

namespace driftless {

/// What a number is for.
struct NumberField {
  std::string name;       ///< in messages: "joint.A.pitch", "method.step"
  std::string_view unit;  ///< SI; "" if it has none
  Bounds bounds = {};
};

/// The value of a text, from whoever knows the names in it. Throws ModelError.
using EvaluateText = std::function<Quantity(const Text&)>;

/// Throws ModelError for anything but a finite number of the field's dimension within its bounds.
double read_number_field(const Value& value, const NumberField& field,
                         const EvaluateText& evaluate);

}  // namespace driftless
