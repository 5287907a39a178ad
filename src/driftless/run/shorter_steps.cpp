#include "driftless/run/shorter_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {

bool ShorterSteps::follow(const Vector& y0, double t0, double t1, int parts) {
  IntegratorChoice choice = method_.integrator;
  choice.step = step_ = method_.integrator.step / parts;
  const std::unique_ptr<Stepper> stepper = make_stepper(choice);
  AccelerationField& field = *parts_.field;
  Evaluator& evaluator = parts_.evaluator;
  ConstraintWatch watch = watch_;
  fastest_ = 0.0;
  body_.clear();
  double t = t0;
  Vector y = y0;
  state_.read(y);
  system_.accept(t, state_.q, state_.v, evaluator.ws());
  if (!stepper->start(field, t, as_span(y), t1)) return false;
  while (t < t1) {
    if (stepper->step(field, t, as_span(y), t1).status != StepStatus::ok) return false;
    if (!correct_(t, y, step_)) return false;
    if (!stepper->accept(field, t, as_span(y), Change::corrected)) return false;
    state_.read(y);
    state_.t = t;
    evaluator.set_configuration(t, state_.q);
    evaluator.set_velocity(state_.v);
    state_.phi = max_abs(evaluator.ws().phi);
    if (!std::isfinite(state_.phi) || !watch.accept(state_, evaluator.ws()) ||
        watch.is_visibly_open())
      return false;
    system_.accept(t, state_.q, state_.v, evaluator.ws());
    for (const BodyInfo& body : evaluator.info().bodies) {
      const double rate = state_.v.segment(body.rate + body.rates - body.turns, body.turns).norm();
      if (!(rate > fastest_)) continue;
      fastest_ = rate;
      body_ = body.name;
    }
  }
  return true;
}

std::optional<std::string> ShorterSteps::explain(const Vector& y0, double t0, double t1) {
  constexpr double kFast = 0.1;     // rad in a step
  constexpr double kMostSteps = 8;  // that are made again
  if (method_.integrator.adaptive || y0.size() == 0 || !(t1 > t0)) return {};
  const double h = method_.integrator.step;
  const double end = std::min(t1, t0 + kMostSteps * h);
  for (const int parts : {8, 64, 512}) {
    if (!follow(y0, t0, end, parts)) continue;
    std::string text =
        fmt::format("the step is too long there: with steps of {:.2g} s they stay closed", step_);
    if (fastest_ * h > kFast)
      text += fmt::format("; body '{}' turns at up to {:.3g} rad/s", body_, fastest_);
    return text;
  }
  return {};
}

std::string ShorterSteps::suggest_step() const { return fmt::format("{:.0e}", step_); }

}  // namespace driftless
