#include "driftless/formulations/all.hpp"

#include <optional>
#include <utility>

#include "driftless/formulations/mech_field.hpp"

namespace driftless {
namespace {

/// Its form in implicit equations; none: it has no such form.
std::optional<ConstraintForm> find_form(const Formulation& formulation) {
  if (std::holds_alternative<Index1>(formulation)) return ConstraintForm::index1;
  if (std::holds_alternative<Index2>(formulation)) return ConstraintForm::index2;
  return std::visit(
      [](const auto& spec) -> std::optional<ConstraintForm> {
        if constexpr (requires { spec.kForm; }) return spec.kForm;
        return std::nullopt;
      },
      formulation);
}

/// The constraints that steps of second-order equations hold; none: it has no such form.
std::optional<MechProblem::Level> find_level(const Formulation& formulation) {
  using Level = MechProblem::Level;
  if (std::holds_alternative<Index3>(formulation)) return Level::position;
  if (std::holds_alternative<Index2>(formulation)) return Level::velocity;
  if (std::holds_alternative<Ggl>(formulation)) return Level::both;
  return std::nullopt;
}

}  // namespace

bool has_shape(const Formulation& formulation, ProblemShape shape) {
  const bool is_index2 = std::holds_alternative<Index2>(formulation);
  switch (shape) {
    case ProblemShape::half_explicit: return is_index2;
    case ProblemShape::implicit: return find_form(formulation).has_value();
    case ProblemShape::implicit_index2: {
      const auto form = find_form(formulation);
      // The feedback C/h of index2_baumgarte makes it one of index 3.
      return form && *form != ConstraintForm::index3 && *form != ConstraintForm::index2_baumgarte;
    }
    case ProblemShape::second_order: return find_level(formulation).has_value();
    case ProblemShape::slopes: break;
  }
  return std::holds_alternative<Index1>(formulation) || (!is_index2 && !find_form(formulation));
}

std::unique_ptr<AccelerationField> make_field(const Formulation& formulation, Evaluator& evaluator,
                                              const FieldRequest& request,
                                              std::vector<FieldTerm*> terms) {
  FieldOptions options =
      std::visit([](const auto& spec) { return spec.field_options(); }, formulation);
  options.rotations = request.rotations;
  if (is_implicit(request.shape)) {
    const auto* baumgarte = std::get_if<Index2Baumgarte>(&formulation);
    return std::make_unique<ImplicitField>(evaluator, options,
                                           find_form(formulation).value_or(ConstraintForm::ggl),
                                           baumgarte != nullptr ? baumgarte->gain : 1.0);
  }
  if (request.shape == ProblemShape::second_order) {
    options.in_charts = request.rotations != Rotations::lie;
    if (!options.in_charts) options.rotations = Rotations::quaternion;  // increments turn them
    options.along_screws = request.along_screws;
    return std::make_unique<MechField>(evaluator, options,
                                       find_level(formulation).value_or(MechProblem::Level::both));
  }
  if (request.shape == ProblemShape::half_explicit)
    return std::make_unique<Index2Field>(evaluator, options);
  using Equations = PartitionField::Equations;
  if (const auto* spec = std::get_if<Partition>(&formulation)) {
    return std::make_unique<PartitionField>(evaluator, *spec, options, Equations::multipliers,
                                            std::move(terms));
  }
  if (const auto* spec = std::get_if<PartialVelocity>(&formulation)) {
    return std::make_unique<PartitionField>(evaluator, *spec, options,
                                            Equations::partial_velocities, std::move(terms));
  }
  if (!request.fixed_steps) options.stage_factor = 0.0;  // see braun_goldfarb.hpp
  options.is_projected = request.is_projected;
  return std::make_unique<AccelerationField>(evaluator, options, std::move(terms));
}

}  // namespace driftless
