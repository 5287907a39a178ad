#pragma once
// What a model declares and nobody uses: most often a slip of the pen.

#include <set>
#include <string>
#include <vector>

#include "driftless/mechanism/element_reader.hpp"
#include "driftless/mechanism/placement.hpp"
#include "driftless/model/mechanism_model.hpp"

namespace driftless {

/// Points, tables, frames and parameters; `used` are the names that expressions use.
void warn_of_unused(const MechanismModel& model, const std::vector<DrawnBody>& bodies,
                    const ReadingContext& context, const std::set<std::string>& used,
                    std::vector<std::string>& warnings);

}  // namespace driftless
