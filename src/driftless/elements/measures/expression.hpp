#pragma once
// An expression of other measures.

#include "driftless/base/fields.hpp"
#include "driftless/elements/measures/measure.hpp"

namespace driftless {

struct ExpressionMeasure {
  static constexpr std::string_view kName = "expression";
  static constexpr std::string_view kSummary = "an expression of t and other measures: NAME";
  static constexpr bool kInPlane = true;
  static constexpr Attachment kAttachment = Attachment::measures;

  Formula value;

  static constexpr auto fields() {
    return std::make_tuple(field("value", &ExpressionMeasure::value, "",
                                 "for example \"A.angle - 2*B.angle\"", kNeeded));
  }
};

}  // namespace driftless
