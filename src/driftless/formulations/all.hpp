#pragma once
// All formulations. File keyword, command-line listing, explanations and the exam follow from this list.

#include <memory>
#include <variant>
#include <vector>

#include "driftless/formulations/baumgarte.hpp"
#include "driftless/formulations/braun_goldfarb.hpp"
#include "driftless/formulations/index1.hpp"
#include "driftless/formulations/index2.hpp"
#include "driftless/formulations/partition.hpp"
#include "driftless/formulations/udwadia_kalaba.hpp"

namespace driftless {

using Formulation = std::variant<BraunGoldfarb, Index1, UdwadiaKalaba, Baumgarte, Partition,
                                 PartialVelocity, Index2>;

/// The field of a formulation; `terms` are what it and the drift controls add.
std::unique_ptr<AccelerationField> make_field(const Formulation& formulation, Evaluator& evaluator,
                                              bool fixed_steps, std::vector<FieldTerm*> terms);

}  // namespace driftless
