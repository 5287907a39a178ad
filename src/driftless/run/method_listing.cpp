// What a method may be made of, for listings and explanations: derived from the specs that the reader reads.

#include <type_traits>

#include <fmt/format.h>

#include "driftless/integrators/all.hpp"
#include "driftless/run/integrator_reader.hpp"
#include "driftless/run/method_reader.hpp"
#include "driftless/run/method_words.hpp"

namespace driftless {
namespace {

std::string format_default(double value) { return fmt::format("{}", value); }
std::string format_default(int value) { return fmt::format("{}", value); }
std::string format_default(const std::string& value) { return "\"" + value + "\""; }
std::string format_default(const std::optional<double>& value) {
  return value ? format_default(*value) : "";
}
std::string format_default(const Gain& gain) {
  return gain.empty() ? "" : format_default(gain.value(0, 0));
}

ValueKind find_kind(double) { return ValueKind::number; }
ValueKind find_kind(int) { return ValueKind::whole_number; }
ValueKind find_kind(const std::string&) { return ValueKind::word; }
ValueKind find_kind(const std::optional<double>&) { return ValueKind::number; }
ValueKind find_kind(const Gain&) { return ValueKind::gain; }

/// A spec as it is if nothing is given.
template <class Spec>
Spec find_defaults(const Spec& spec) {
  if constexpr (std::is_same_v<Spec, Baumgarte>) {
    return with_default_gains(spec);
  } else {
    return spec;
  }
}

const auto kEachKey = [](std::string_view) { return true; };

template <class Spec, class Wanted>
void collect_options(const Spec& spec, std::string_view owner, std::vector<OptionInfo>& options,
                     const Wanted& wanted) {
  for_each_field<Spec>([&](const auto& each) {
    if (!wanted(each.key)) return;
    options.push_back({std::string(each.key), std::string(owner), std::string(each.unit),
                       std::string(each.description), format_default(spec.*(each.member)),
                       find_kind(spec.*(each.member)), each.bounds});
  });
}

}  // namespace

std::vector<OptionInfo> all_options() {
  constexpr std::string_view kIntegrator = "integrator";
  std::vector<OptionInfo> options;
  collect_options(IntegratorChoice{}, kIntegrator, options, kEachKey);
  options.push_back({std::string(kToleranceKey), std::string(kIntegrator), "",
                     "adaptive steps: relative and absolute tolerance alike",
                     format_default(IntegratorChoice{}.rtol), ValueKind::number,
                     IntegratorChoice::kToleranceBounds});
  options.push_back(
      {std::string(kTableauWord), std::string(kIntegrator), "",
       "a method of your own: { order, a = [[], [...], ...], b = [...], c, b_hat, error_order }",
       "", ValueKind::keys});
  for (const std::string_view name : {"generalized_alpha", "hht", "newmark"}) {
    collect_options(NewmarkOptions{}, name, options,
                    [&](std::string_view key) { return takes_newmark_option(name, key); });
  }
  for_each_alternative<Formulation>([&](const auto& spec) {
    collect_options(find_defaults(spec), spec.kName, options, kEachKey);
  });
  for_each_alternative<DriftSpec>(
      [&](const auto& spec) { collect_options(spec, spec.kName, options, kEachKey); });
  return options;
}

std::vector<WordInfo> all_words() {
  std::vector<WordInfo> words;
  for_each_alternative<Formulation>([&](const auto& spec) {
    words.push_back({std::string(spec.kName), "formulation", std::string(spec.kSummary)});
  });
  words.push_back({std::string(kConstraintStabilisation), "formulation",
                   "constraint stabilisation, another name of baumgarte: Phi'' + 2 alpha Phi' + "
                   "beta^2 Phi = 0"});
  for (const IntegratorInfo& info : all_integrators()) {
    words.push_back({std::string(info.name), "integrator", std::string(info.summary)});
  }
  words.push_back(
      {std::string(kTableauWord), "integrator",
       "any explicit Runge-Kutta method, by its coefficients: see driftless list tableaus"});
  for_each_alternative<DriftSpec>([&](const auto& spec) {
    words.push_back({std::string(spec.kName), "drift", std::string(spec.kSummary)});
  });
  words.push_back({std::string(kNoDrift), "drift", "no drift control at all, alone in its place"});
  for (const Preset& preset : all_presets()) {
    words.push_back(
        {std::string(preset.name), "preset", fmt::format("{}: {}", preset.words, preset.summary)});
  }
  return words;
}

}  // namespace driftless
