#include "driftless/run/corrector.hpp"

#include <fmt/format.h>

#include "driftless/run/run_failures.hpp"

namespace driftless {

std::optional<Failure> Corrector::correct(double t, Vector& y, double h, bool is_step) {
  if (!is_active()) return {};
  state_.read(y);
  const bool normalizes = system_.info().normalizes;
  // A projection begins where the step ended, bit for bit: there the last stage of many methods was evaluated, and its
  // factors serve. Where it moves q, `retract` normalizes.
  const bool projects_first = parts_.projects && !parts_.field->corrects();
  if (normalizes && !projects_first) system_.normalize(state_.q);
  if (parts_.corrects) {
    if (!parts_.field->correct(t, state_.q, state_.v))
      return describe_field_failure(*parts_.field, system_.info());
    CorrectionPoint point{t,           state_.q,         state_.v,
                          state_.work, parts_.evaluator, parts_.rank_tolerance,
                          h,           is_step,          parts_.start_kind == StartKind::singular};
    for (const auto& control : parts_.controls) {
      if (control->correct(point) == CorrectionStatus::ok) continue;
      Failure failure;
      failure.message = fmt::format(
          "the mass matrix is not positive definite on the motions that the constraints leave "
          "free, at t = {:.6g}",
          t);
      return failure;
    }
  }
  if (normalizes) system_.normalize(state_.q);
  state_.write(y);
  return {};
}

}  // namespace driftless
