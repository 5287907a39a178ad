#pragma once
// What a field of an element may be besides a number (double, or std::optional<double> where it may be left out).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

/// A quantity of the motion by its name: of = "A.angle".
struct MeasureName {
  std::string name;
  Source where;
};

/// An expression of t and measures: torque = "2*sin(t) - 0.1*A.rate".
struct Formula {
  std::string text;  ///< empty: left out
  Source where;

  bool given() const { return !text.empty(); }
};

/// One per axis: [x, y, z], in the plane [x, y].
struct FormulaVector {
  std::vector<Formula> entries;  ///< empty: left out

  bool given() const { return !entries.empty(); }
};

/// A square matrix: a list of rows, or a list of its diagonal.
struct MatrixField {
  std::vector<std::vector<double>> rows;  ///< empty: left out
  Source where;
};

/// One of a few words, the first of which is the default.
struct Choice {
  std::vector<std::string_view> words;
  std::string_view word;
};

}  // namespace driftless
