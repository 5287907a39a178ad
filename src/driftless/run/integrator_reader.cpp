#include "driftless/run/integrator_reader.hpp"

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/run/method_words.hpp"
#include "driftless/run/tableau_reader.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {

const Value* find_entry(const MethodSpec& spec, std::string_view key) {
  for (const auto& [name, value] : spec.entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string read_word(const MethodSpec& spec, std::string_view key, std::string fallback) {
  const Value* value = find_entry(spec, key);
  if (value == nullptr) return fallback;
  if (!value->is_text()) {
    throw ModelError(Diagnostic{
        value->where, fmt::format("method.{}: a text is wanted, not {}", key, value->kind()),
        fmt::format("for example {} = \"{}\"", key, fallback)});
  }
  return value->text();
}

bool is_integrator_key(std::string_view key) {
  bool found = key == kToleranceKey || key == kTableauWord;
  for_each_field<IntegratorChoice>([&](const auto& each) { found = found || each.key == key; });
  return found;
}

std::string_view find_usual_integrator(std::string_view formulation) {
  const auto found = find_spec<Formulation>(formulation);
  if (!found || has_shape(*found, ProblemShape::slopes)) return "rk4";
  return has_shape(*found, ProblemShape::half_explicit) ? "hedop5" : "radau5";
}

namespace {

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : all_integrators()) names.emplace_back(info.name);
  names.emplace_back(kTableauWord);
  return names;
}

std::string adaptive_names() {
  std::string names;
  for (const IntegratorInfo& info : all_integrators()) {
    if (info.adaptive) names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  return names;
}

/// Name and tableau. Returns whether it has an error estimate.
bool read_name(const MethodSpec& spec, const Source& where, const OptionContext& context,
               IntegratorChoice& choice) {
  const Value* tableau = find_entry(spec, kTableauWord);
  const Value* formulation = find_entry(spec, "formulation");
  const std::string fallback(
      tableau != nullptr
          ? kTableauWord
          : find_usual_integrator(
                formulation != nullptr && formulation->is_text() ? formulation->text() : ""));
  choice.name = read_word(spec, "integrator", fallback);
  const IntegratorInfo* info = find_integrator(choice.name);
  if (tableau != nullptr) {
    if (choice.name != kTableauWord) {
      throw ModelError(Diagnostic{
          tableau->where,
          fmt::format("method: both the integrator '{}' and a tableau are given", choice.name),
          "write integrator = \"tableau\", or remove the tableau"});
    }
    choice.tableau = read_tableau(*tableau, context);
    return !choice.tableau->e.empty();
  }
  if (choice.name == kTableauWord) {
    throw ModelError(Diagnostic{where, "integrator = \"tableau\" needs its coefficients",
                                "add tableau = { order = ..., a = [...], b = [...] }"});
  }
  if (info == nullptr) {
    throw ModelError(Diagnostic{where, "there is no integrator '" + choice.name + "'",
                                suggest(choice.name, integrator_names())});
  }
  return info->adaptive;
}

/// What excludes each other.
void check_steps(const MethodSpec& spec, DiagnosticList& errors) {
  const Value* step = find_entry(spec, "step");
  const Value* tolerance = find_entry(spec, kToleranceKey);
  const bool two_tolerances =
      find_entry(spec, "rtol") != nullptr || find_entry(spec, "atol") != nullptr;
  if (step != nullptr && (tolerance != nullptr || two_tolerances)) {
    errors.add(step->where, "method: both a fixed step and a tolerance are given",
               "keep step for fixed steps, or tolerance for adaptive ones");
  }
  if (tolerance != nullptr && two_tolerances) {
    errors.add(tolerance->where, "method: both tolerance and rtol or atol are given",
               "tolerance sets rtol and atol alike; keep one way");
  }
}

void check_adaptive(const MethodSpec& spec, const Source& where, const IntegratorChoice& choice,
                    bool can_adapt, DiagnosticList& errors) {
  if (choice.adaptive && !can_adapt) {
    errors.add(where,
               fmt::format("{} has no error estimate, so it cannot keep a tolerance", choice.name),
               "give a step, or use an integrator that adapts: " + adaptive_names());
  }
  const IntegratorInfo* info = find_integrator(choice.name);
  const Value* step = find_entry(spec, "step");
  if (step != nullptr && info != nullptr && info->only_adaptive) {
    errors.add(
        step->where,
        fmt::format("{} chooses its steps by a tolerance: it cannot keep a fixed one", choice.name),
        "give a tolerance instead, or use bdf, which takes fixed steps, too");
  }
  const Value* max_step = find_entry(spec, "max_step");
  if (max_step != nullptr && !choice.adaptive) {
    errors.add(max_step->where, "method.max_step bounds adaptive steps, but the step is fixed",
               can_adapt ? "remove it, or give a tolerance instead of a step"
                         : "remove it, or use an integrator that adapts: " + adaptive_names());
  }
}

/// The word itself, and what the integrator says of it.
void check_rotations(const MethodSpec& spec, IntegratorChoice& choice, DiagnosticList& errors) {
  const Value* given = find_entry(spec, "rotations");
  const IntegratorInfo* info = find_integrator(choice.name);
  if (choice.rotations == IntegratorChoice{}.rotations) return;
  if (find_rotations(choice.rotations) == nullptr) {
    errors.add(given->where, "method.rotations = \"" + choice.rotations + "\" is not known",
               "write \"quaternion\", \"euler\", \"lie\" or \"auto\"");
  } else if (info != nullptr && info->on_group && choice.rotations != name_of(Rotations::lie)) {
    errors.add(given->where,
               fmt::format("method.rotations = \"{}\", but {} turns bodies from where the last "
                           "step ended: rotations = \"lie\"",
                           choice.rotations, choice.name),
               "leave rotations out, or use rk4, which takes them as they are written");
  }
}

void check_engine(const MethodSpec& spec, const IntegratorChoice& choice, DiagnosticList& errors) {
  if (find_engine_kind(choice.engine)) return;
  errors.add(find_entry(spec, "engine")->where,
             "method.engine = \"" + choice.engine + "\" is not known",
             "write \"auto\", \"dense\" or \"sparse\"");
}

}  // namespace

IntegratorChoice read_integrator(const MethodSpec& spec, const OptionContext& context) {
  IntegratorChoice choice;
  const Value* name = find_entry(spec, "integrator");
  const Source& where = name != nullptr ? name->where : spec.where;
  const bool can_adapt = read_name(spec, where, context, choice);
  DiagnosticList errors;
  check_steps(spec, errors);
  const Value* tolerance = find_entry(spec, kToleranceKey);
  const bool wants_control = tolerance != nullptr || find_entry(spec, "rtol") != nullptr ||
                             find_entry(spec, "atol") != nullptr;
  const Value* formulation = find_entry(spec, "formulation");
  const bool wants_fixed = formulation != nullptr && formulation->is_text() &&
                           formulation->text() == Index2Baumgarte::kName;  // it goes with 1/step
  choice.adaptive =
      wants_control || (find_entry(spec, "step") == nullptr && can_adapt && !wants_fixed);
  check_adaptive(spec, where, choice, can_adapt, errors);
  for_each_field<IntegratorChoice>([&](const auto& each) {
    const Value* value = find_entry(spec, each.key);
    if (value == nullptr) return;
    try {
      read_option(*value, {each.key, each.unit, each.bounds}, context, choice.*(each.member));
    } catch (const ModelError& error) {
      errors.add(error);
    }
  });
  if (tolerance != nullptr) {
    try {
      choice.rtol = choice.atol =
          read_number(*tolerance, {kToleranceKey, "", IntegratorChoice::kToleranceBounds}, context);
    } catch (const ModelError& error) {
      errors.add(error);
    }
  }
  check_rotations(spec, choice, errors);
  check_engine(spec, choice, errors);
  errors.finish();
  if (choice.adaptive) choice.step = 0.0;
  return choice;
}

}  // namespace driftless
