#pragma once
// Knife edge: a blade on a plane that does not slip sideways.

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"

namespace driftless {

struct KnifeEdge {
  static constexpr std::string_view kName = "knife_edge";
  static constexpr std::string_view kSummary =
      "the second body's point moves along its x axis and not sideways, 1 row of velocity";
  static constexpr bool kInPlane = true;

  static constexpr auto fields() { return std::make_tuple(); }
};

Relation make_relation(const KnifeEdge& spec, LawScope& scope);

}  // namespace driftless
