// Which method is meant: one of the file's, a preset, or words joined by '/'; and what of the file's options it takes.

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/run/integrator_reader.hpp"
#include "driftless/run/method_reader.hpp"
#include "driftless/run/method_suggestions.hpp"
#include "driftless/run/method_words.hpp"

namespace driftless {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

MethodSpec spec_from_words(const std::string& word, std::string_view words) {
  const std::vector<std::string> parts = split(words, '/');
  if (parts.size() > 3) {
    throw ModelError("method '" + word + "' has more than three parts",
                     "write formulation/integrator or formulation/integrator/drift+drift");
  }
  MethodSpec spec;
  spec.name = word;
  spec.entries.emplace_back("formulation", Value{parts[0], {}});
  if (parts.size() > 1) spec.entries.emplace_back("integrator", Value{parts[1], {}});
  if (parts.size() > 2) {
    Value::List drift;
    if (parts[2] != kNoDrift) {
      for (const std::string& part : split(parts[2], '+')) drift.push_back(Value{part, {}});
    }
    spec.entries.emplace_back("drift", Value{std::move(drift), {}});
  }
  return spec;
}

void erase_entry(MethodSpec& spec, std::string_view key) {
  std::erase_if(spec.entries, [&](const auto& entry) { return entry.first == key; });
}

const MethodSpec* find_named(const std::vector<MethodSpec>& methods, std::string_view name) {
  for (const MethodSpec& spec : methods) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

/// What was set for the run as method.KEY holds for the method that runs, whichever it is; method.NAME.KEY wins.
void apply_overrides(MethodSpec& spec, const MethodSpec* base) {
  if (base == nullptr) return;
  for (const auto& [key, value] : base->overrides) {
    const bool own = std::any_of(spec.overrides.begin(), spec.overrides.end(),
                                 [&, &key = key](const auto& entry) { return entry.first == key; });
    if (own) continue;
    erase_entry(spec, key);
    spec.entries.emplace_back(key, value);
  }
}

/// Words on the command line take step or tolerance from the file, whichever fits the integrator.
void inherit_steps(MethodSpec& spec, const MethodSpec* base) {
  if (base == nullptr) return;
  const Value* word = find_entry(spec, "integrator");
  const Value* base_word = find_entry(*base, "integrator");
  if (word == nullptr && base_word != nullptr) {
    spec.entries.emplace_back("integrator", *base_word);
    word = base_word;
  }
  const IntegratorInfo* info =
      find_integrator(word != nullptr && word->is_text() ? word->text() : "rk4");
  const Value* formulation = find_entry(spec, "formulation");
  const bool wants_fixed = formulation != nullptr && formulation->is_text() &&
                           formulation->text() == Index2Baumgarte::kName;  // it goes with 1/step
  const bool adaptive =
      info != nullptr && info->adaptive && !wants_fixed && find_entry(spec, "step") == nullptr;
  for (const std::string_view key : {"step", "tolerance", "rtol", "atol", "max_step"}) {
    const Value* value = find_entry(*base, key);
    if (value == nullptr || find_entry(spec, key) != nullptr) continue;
    if ((key == "step") != adaptive) spec.entries.emplace_back(key, *value);
  }
}

ProblemShape find_shape(const MethodSpec& spec) {
  const Value* word = find_entry(spec, "integrator");
  IntegratorChoice choice;
  if (word != nullptr && word->is_text()) choice.name = word->text();
  return driftless::find_shape(choice);
}

MethodSpec find_method_spec(const std::vector<MethodSpec>& methods, const std::string& word) {
  const MethodSpec* base = find_named(methods, "");
  if (word.empty()) return base != nullptr ? *base : MethodSpec{};
  if (const MethodSpec* named = find_named(methods, word)) {
    MethodSpec spec = *named;
    apply_overrides(spec, base);
    return spec;
  }
  if (word.find('/') == std::string::npos) {
    for (const Preset& preset : all_presets()) {
      if (preset.name != word) continue;
      MethodSpec spec = spec_from_words(word, preset.words);
      // A preset that is a bare formulation keeps the file's integrator, if it can.
      const MethodSpec* file = base != nullptr && find_entry(*base, "integrator") ? base : nullptr;
      const auto formulation = find_spec<Formulation>(word);
      if (formulation && file != nullptr && has_shape(*formulation, find_shape(*file)))
        erase_entry(spec, "integrator");
      apply_overrides(spec, base);
      inherit_steps(spec, base);
      return spec;
    }
  }
  if (word.find('/') == std::string::npos && !find_spec<Formulation>(word)) {
    std::vector<std::string> known = find_formulation_names();
    for (const Preset& preset : all_presets()) known.emplace_back(preset.name);
    for (const MethodSpec& spec : methods) {
      if (!spec.name.empty()) known.push_back(spec.name);
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    throw ModelError("there is no method '" + word + "'", suggest_word(word, known));
  }
  MethodSpec spec = spec_from_words(word, word);
  apply_overrides(spec, base);
  inherit_steps(spec, base);
  return spec;
}

}  // namespace

Method find_method(const std::vector<MethodSpec>& methods, const MethodRequest& request,
                   const MethodContext& context) {
  if (request.step && request.tolerance) {
    throw ModelError("both --step and --tolerance are given",
                     "--step is for fixed steps, --tolerance for adaptive ones");
  }
  MethodSpec spec = find_method_spec(methods, request.word);
  if (request.step || request.tolerance) {
    for (const std::string_view key : {"step", "tolerance", "rtol", "atol"}) erase_entry(spec, key);
    if (request.step) {
      erase_entry(spec, "max_step");  // it was for the file's adaptive steps
      spec.entries.emplace_back("step", Value{*request.step, {}});
    }
    if (request.tolerance) spec.entries.emplace_back("tolerance", Value{*request.tolerance, {}});
  }
  return read_method(spec, context);
}

}  // namespace driftless
