#include "driftless/formulations/all.hpp"

#include <utility>

namespace driftless {

std::unique_ptr<AccelerationField> make_field(const Formulation& formulation, Evaluator& evaluator,
                                              bool fixed_steps, std::vector<FieldTerm*> terms) {
  using Equations = PartitionField::Equations;
  if (const auto* spec = std::get_if<Partition>(&formulation)) {
    return std::make_unique<PartitionField>(evaluator, *spec, Equations::multipliers,
                                            std::move(terms));
  }
  if (const auto* spec = std::get_if<PartialVelocity>(&formulation)) {
    return std::make_unique<PartitionField>(evaluator, *spec, Equations::partial_velocities,
                                            std::move(terms));
  }
  if (const auto* spec = std::get_if<Index2>(&formulation))
    return std::make_unique<Index2Field>(evaluator, *spec);
  FieldOptions options =
      std::visit([](const auto& spec) { return spec.field_options(); }, formulation);
  if (!fixed_steps) options.stage_factor = 0.0;  // see braun_goldfarb.hpp
  return std::make_unique<AccelerationField>(evaluator, options, std::move(terms));
}

}  // namespace driftless
