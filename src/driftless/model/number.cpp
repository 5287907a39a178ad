#include "driftless/model/number.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driftless/base/units.hpp"
#include "driftless/model/names.hpp"

namespace driftless {
namespace {

/// What is wrong with an expression is said of the field that it stands in.
Quantity evaluate_field(const Value& value, const NumberField& field,
                        const EvaluateText& evaluate) {
  try {
    return evaluate({value.text(), value.where});
  } catch (const ModelError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& each : diagnostics) each.message = field.name + ": " + each.message;
    throw ModelError(std::move(diagnostics));
  }
}

double read_text(const Value& value, const NumberField& field, const EvaluateText& evaluate) {
  const Quantity quantity = evaluate_field(value, field, evaluate);
  if (quantity.doubtful) return find_stand_in(field.bounds);
  const Dimension wanted = field.unit.empty() ? Dimension{} : parse_unit(field.unit)->dimension;
  if (!quantity.dimension || *quantity.dimension == wanted) return quantity.value;
  throw ModelError(Diagnostic{
      value.where,
      fmt::format("{}: '{}' has the dimension {}, but {} is wanted", field.name,
                  shorten(value.text()), to_string(*quantity.dimension), to_string(wanted)),
      field.unit.empty() ? "give a number without a unit"
                         : fmt::format("give it in {} or a unit that converts to it", field.unit)});
}

}  // namespace

double read_number_field(const Value& value, const NumberField& field,
                         const EvaluateText& evaluate) {
  if (!value.is_number() && !value.is_text()) {
    throw ModelError(Diagnostic{
        value.where, fmt::format("{} is {}; wanted: a number", field.name, value.kind()), ""});
  }
  const double number = value.is_number() ? value.number() : read_text(value, field, evaluate);
  if (!std::isfinite(number)) {
    throw ModelError(Diagnostic{value.where, field.name + " is not finite", ""});
  }
  if (!field.bounds.contains(number)) {
    throw ModelError(Diagnostic{value.where,
                                fmt::format("{} = {}: out of bounds", field.name, number),
                                "it must be " + describe_bounds(field.bounds)});
  }
  return number;
}

}  // namespace driftless
