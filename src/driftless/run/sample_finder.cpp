#include "driftless/run/sample_finder.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/run/run_failures.hpp"

namespace driftless {

SampleFinder::SampleFinder(const SystemInfo& info, const Method& method, WorkingMethod& parts,
                           Corrector& corrector)
    : info_(info),
      integrator_(method.integrator),
      parts_(parts),
      corrector_(corrector),
      y_(Vector::Zero(parts.field->size())),
      interpolated_(y_),
      y_before_(y_) {}

void SampleFinder::begin_step(double t, const Vector& y) {
  t_before_ = t;
  if (parts_.aside == nullptr) return;
  y_before_ = y;
  largest_pivot_ = std::max(largest_pivot_, parts_.evaluator.smallest_pivot());
}

std::optional<Failure> SampleFinder::find(double t, double theta) {
  if (!parts_.stepper->interpolate(*parts_.field, theta, as_span(y_)))
    return describe_field_failure(*parts_.field, info_);
  interpolated_ = y_;
  const double h = (t - t_before_) / theta;
  if (auto failure = corrector_.correct(t, y_, h, false)) return failure;
  if (parts_.aside == nullptr || !(is_blind() || is_moved_far())) return {};
  std::optional<Failure> failure;
  if (step_aside(t, failure) || failure) return failure;
  y_ = interpolated_;
  return corrector_.correct(t, y_, h, false);
}

bool SampleFinder::step_aside(double t, std::optional<Failure>& failure) {
  constexpr int kMostSteps = 10;
  AccelerationField& field = *parts_.field;
  Stepper& aside = *parts_.aside;
  double reached = t_before_;
  y_ = y_before_;
  if (!aside.start(field, reached, as_span(y_), t)) return false;
  for (int k = 0; k < kMostSteps; ++k) {
    const StepReport step = aside.step(field, reached, as_span(y_), t);
    if (step.status != StepStatus::ok) return false;
    failure = corrector_.correct(reached, y_, step.h, false);
    if (failure) return false;
    if (reached == t) return true;
    if (!aside.accept(field, reached, as_span(y_), Change::corrected)) return false;
  }
  return false;
}

bool SampleFinder::is_blind() const {
  constexpr double kNearlyDependent = 0.03;  // own part of a row
  constexpr double kFallen = 0.2;            // of slender bars it may be that small in every pose
  return info_.row_count() > 0 &&
         parts_.evaluator.smallest_pivot() < std::min(kNearlyDependent, kFallen * largest_pivot_);
}

bool SampleFinder::is_moved_far() const {
  constexpr double kFar = 10.0;  // tolerances
  for (int i = 0; i < parts_.field->layout().nx; ++i) {
    const double scale = integrator_.atol + integrator_.rtol * std::abs(y_[i]);
    if (std::abs(y_[i] - interpolated_[i]) > kFar * scale) return true;
  }
  return false;
}

}  // namespace driftless
