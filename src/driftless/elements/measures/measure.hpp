#pragma once
// What a measure of one's own is made of: [measure.NAME] with a type. A measure type is a spec and one function,
//
//   MeasureParts make_measure(const DistanceMeasure& spec, Space space);
//
// Each output is a measure of position; its rate and its acceleration follow by themselves, with ' and '' behind the name.

#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "driftless/elements/frame_function.hpp"
#include "driftless/elements/law.hpp"
#include "driftless/elements/space.hpp"

namespace driftless {

struct MeasureOutput {
  std::string_view suffix;  ///< ".x", or empty: the measure's name alone
  std::string_view unit;
  bool wraps = false;  ///< known up to whole turns, which are counted
  /// No pose makes it less.
  double least = -std::numeric_limits<double>::infinity();
};

struct MeasureParts {
  std::unique_ptr<FrameFunction> function;
  std::vector<MeasureOutput> outputs;
};

}  // namespace driftless
