#pragma once
// Drive: a measure moves as prescribed.

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"

namespace driftless {

struct Drive {
  static constexpr std::string_view kName = "drive";
  static constexpr std::string_view kSummary =
      "a measure moves as prescribed, by t or by other measures, 1 row";
  static constexpr bool kInPlane = true;
  static constexpr Attachment kAttachment = Attachment::measures;

  MeasureName of;
  Formula value;

  static constexpr auto fields() {
    return std::make_tuple(
        field("of", &Drive::of, "", "what is driven, such as \"A.angle\" or \"B.position\"",
              kNeeded),
        field(
            "value", &Drive::value, "<coordinate>",
            "its value, an expression of t and measures of position: \"2*pi*t\", \"0.1*sin(5*t)\"",
            kNeeded));
  }
};

Relation make_relation(const Drive& spec, LawScope& scope);

}  // namespace driftless
