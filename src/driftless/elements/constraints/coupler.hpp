#pragma once
// Coupler: any equation between measures of position and time.

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"

namespace driftless {

struct Coupler {
  static constexpr std::string_view kName = "coupler";
  static constexpr std::string_view kSummary =
      "an equation between measures of position and t, 1 row";
  static constexpr bool kInPlane = true;
  static constexpr Attachment kAttachment = Attachment::measures;

  Formula equation;

  static constexpr auto fields() {
    return std::make_tuple(field("equation", &Coupler::equation, "",
                                 "stays 0, such as \"B.angle - 0.2*sin(A.angle)\"", kNeeded));
  }
};

Relation make_relation(const Coupler& spec, LawScope& scope);

}  // namespace driftless
