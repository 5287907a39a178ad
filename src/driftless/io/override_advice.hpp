#pragma once
// What to write so that a number that stands somewhere in a model can be set from outside: a parameter with its value,
// and the parameter's name in its place.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/io/model_file.hpp"

namespace driftless {

/// Names that can be set: parameters, start values, coordinates, and some of the run's and the method's.
std::vector<std::string> find_settable_names(const ModelFile& file);

struct OverrideAdvice {
  std::string message;  ///< what the name stands for
  std::string remedy;   ///< the lines to write, then what can be set already
};

/// For a name that cannot be set but is a key of the mechanism: "mass", "crank.mass", "body.crank.mass", a point, "gravity".
/// Nothing: it is none, or it may be a start value.
std::optional<OverrideAdvice> advise_override(const ModelFile& file, std::string_view name,
                                              std::string_view text);

}  // namespace driftless
