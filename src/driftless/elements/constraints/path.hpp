#pragma once
// Path: a point moves along a path given by time.

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"

namespace driftless {

struct Path {
  static constexpr std::string_view kName = "path";
  static constexpr std::string_view kSummary =
      "the second body's point moves as prescribed in the first body's frame, 1 row per axis given";
  static constexpr bool kInPlane = true;

  Formula along_x;
  Formula along_y;
  Formula along_z;

  static constexpr auto fields() {
    return std::make_tuple(
        field("along_x", &Path::along_x, "m",
              "place along x of the first frame, an expression of t; left out: free"),
        field("along_y", &Path::along_y, "m", "likewise along y"),
        field("along_z", &Path::along_z, "m", "likewise along z; not in the plane"));
  }
};

Relation make_relation(const Path& spec, LawScope& scope);

}  // namespace driftless
