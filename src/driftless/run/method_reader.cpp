#include "driftless/run/method_reader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/run/integrator_reader.hpp"
#include "driftless/run/method_words.hpp"
#include "driftless/run/option_value.hpp"

namespace driftless {
namespace {

bool is_common(std::string_view key) {
  return key == "formulation" || key == "integrator" || key == "drift" || is_integrator_key(key);
}

/// "rk4 is an integrator: ..." for a word of another kind than the one wanted; empty for other words.
std::string explain_place(const std::string& word) {
  constexpr std::string_view kPlaces = "write formulation/integrator[/drift+drift], for example ";
  if (find_integrator(word) != nullptr)
    return fmt::format("{} is an integrator: {}{}/{}", word, kPlaces,
                       find_integrator(word)->half_explicit ? "index2"
                       : find_integrator(word)->implicit || find_integrator(word)->second_order
                           ? "ggl"
                           : "braun_goldfarb",
                       word);
  if (const auto found = find_spec<Formulation>(word))
    return fmt::format("{} is a formulation: {}{}/{}", word, kPlaces, word,
                       find_usual_integrator(word));
  if (find_spec<DriftSpec>(word))
    return fmt::format("{} is a drift control: {}index1/rk4/{}", word, kPlaces, word);
  return {};
}

/// What to do about a word that is none of those known.
std::string suggest_word(const std::string& word, const std::vector<std::string>& known) {
  const std::string place = explain_place(word);
  return place.empty() ? suggest(word, known) : place;
}

std::vector<std::string> find_formulation_names() {
  std::vector<std::string> names = find_names<Formulation>();
  names.emplace_back(kConstraintStabilisation);
  return names;
}

Formulation read_formulation(const MethodSpec& spec) {
  const std::string word = read_word(spec, "formulation", std::string(BraunGoldfarb::kName));
  if (auto found = find_spec<Formulation>(word)) return *found;
  if (word == kConstraintStabilisation) {
    Baumgarte stabilisation;
    stabilisation.notation = "2alpha_beta2";
    return stabilisation;
  }
  const Value* value = find_entry(spec, "formulation");
  throw ModelError(Diagnostic{value != nullptr ? value->where : spec.where,
                              "there is no formulation '" + word + "'",
                              suggest_word(word, find_formulation_names())});
}

DriftSpec make_drift(const std::string& word, const Source& where, bool braun_goldfarb) {
  auto found = find_spec<DriftSpec>(word);
  if (!found) {
    throw ModelError(Diagnostic{where, "there is no drift control '" + word + "'",
                                suggest_word(word, find_names<DriftSpec>())});
  }
  if (braun_goldfarb && std::holds_alternative<Project>(*found))
    std::get<Project>(*found).iterations = 1;
  return *found;
}

void check_algebra(const Formulation& formulation, const Value& value) {
  std::visit(
      [&](const auto& spec) {
        if constexpr (std::is_base_of_v<PartitionOptions, std::decay_t<decltype(spec)>>) {
          if (spec.algebra == "own" || spec.algebra == "dense") return;
          throw ModelError(Diagnostic{value.where,
                                      "method.algebra = \"" + spec.algebra + "\" is not known",
                                      "write \"own\" or \"dense\""});
        }
      },
      formulation);
}

void check_start_velocity(const NewmarkOptions& options, const Value& value) {
  if (options.start_velocity == "corrected" || options.start_velocity == "given") return;
  throw ModelError(Diagnostic{
      value.where, "method.start_velocity = \"" + options.start_velocity + "\" is not known",
      "write \"corrected\" or \"given\""});
}

void check_group(const IntegratorChoice& integrator, const Value& value) {
  const std::string& group = integrator.newmark.group;
  if (group != "so3" && group != "se3")
    throw ModelError(Diagnostic{value.where, "method.group = \"" + group + "\" is not known",
                                "write \"so3\" or \"se3\""});
  if (group == "se3" && driftless::find_rotations(integrator) != Rotations::lie)
    throw ModelError(Diagnostic{
        value.where,
        "method.group = \"se3\": screws need turns from the last step, but rotations = \"" +
            integrator.rotations + "\"",
        "leave one of group and rotations out"});
  if (group == "se3" && integrator.name == "rattle")
    throw ModelError(Diagnostic{
        value.where, "rattle moves bodies by shifts and turns apart: group = \"so3\"",
        "leave group out, or use newmark, hht or generalized_alpha, which also move along screws"});
}

/// Braun and Goldfarb's method corrects the energy as well, unless a motion is prescribed. The work of what drives it is
/// an integral with an error of its own, and whatever is left free would have to make up for that: an excavator's bucket
/// was off by 3e-3, and is by 2e-7 without.
std::vector<DriftSpec> make_default_drift(const Source& where, bool has_time_rows) {
  std::vector<DriftSpec> drift{make_drift("project", where, true)};
  if (!has_time_rows) drift.push_back(make_drift("energy", where, true));
  return drift;
}

std::vector<DriftSpec> read_drift(const MethodSpec& spec, const Formulation& formulation,
                                  bool has_time_rows) {
  const bool braun_goldfarb = std::holds_alternative<BraunGoldfarb>(formulation);
  const Value* value = find_entry(spec, "drift");
  if (value == nullptr) {
    return braun_goldfarb ? make_default_drift(spec.where, has_time_rows)
                          : std::vector<DriftSpec>{};
  }
  std::vector<std::pair<std::string, Source>> words;
  if (value->is_text()) {
    if (value->text() != kNoDrift && !value->text().empty())
      words.emplace_back(value->text(), value->where);
  } else if (value->is_list()) {
    for (const Value& item : value->list()) {
      if (!item.is_text())
        throw ModelError(
            Diagnostic{item.where, "method.drift: a text is wanted, not " + item.kind(), ""});
      words.emplace_back(item.text(), item.where);
    }
  } else {
    throw ModelError(Diagnostic{value->where,
                                "method.drift: a list of words is wanted, not " + value->kind(),
                                "for example drift = [\"project\", \"energy\"]"});
  }
  std::vector<DriftSpec> drift;
  std::set<std::string> seen;
  for (const auto& [word, where] : words) {
    if (!seen.insert(word).second) {
      throw ModelError(
          Diagnostic{where, "method.drift: '" + word + "' is listed twice", "name it once"});
    }
    drift.push_back(make_drift(word, where, braun_goldfarb));
  }
  // Position and velocity are corrected before the invariants, whatever the order of the words.
  std::stable_sort(drift.begin(), drift.end(), [](const DriftSpec& a, const DriftSpec& b) {
    return std::holds_alternative<Project>(a) && !std::holds_alternative<Project>(b);
  });
  return drift;
}

/// Reads `value` into every field of `spec` called `key`. True if there is one.
template <class Spec>
bool read_into(Spec& spec, const std::string& key, const Value& value,
               const OptionContext& context) {
  bool found = false;
  for_each_field<Spec>([&](const auto& each) {
    if (each.key != key) return;
    read_option(value, {each.key, each.unit, each.bounds}, context, spec.*(each.member));
    found = true;
  });
  return found;
}

/// A misspelt `formulation` or `drift`: then it is not known which options fit.
bool misspells_words(const MethodSpec& spec) {
  return std::any_of(spec.entries.begin(), spec.entries.end(), [](const auto& entry) {
    if (is_common(entry.first)) return false;
    const std::string nearest = find_nearest(entry.first, {"formulation", "drift"});
    return !nearest.empty();
  });
}

bool is_option(const std::string& key) {
  const std::vector<OptionInfo> options = all_options();
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionInfo& option) { return option.key == key; });
}

[[noreturn]] void refuse_key(const std::string& key, const Value& value, const Method& method) {
  std::vector<std::string> known = list_keys_below("method");
  for (const OptionInfo& option : all_options()) {
    if (option.key == key) {
      throw ModelError(Diagnostic{value.where,
                                  fmt::format("method.{} is an option of {}, but this method is {}",
                                              key, option.owner, describe(method)),
                                  fmt::format("remove it, or use {}", option.owner)});
    }
    known.push_back(option.key);
  }
  std::sort(known.begin(), known.end());  // several words have the same option
  known.erase(std::unique(known.begin(), known.end()), known.end());
  throw ModelError(
      Diagnostic{value.where, "method has no option '" + key + "'", suggest(key, known)});
}

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
  const bool adaptive = info != nullptr && info->adaptive && find_entry(spec, "step") == nullptr;
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

std::string join(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The integrators that a formulation goes with.
std::string list_integrators(const Formulation& formulation) {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : all_integrators()) {
    IntegratorChoice choice;
    choice.name = info.name;
    if (has_shape(formulation, driftless::find_shape(choice))) names.emplace_back(info.name);
  }
  return join(names);
}

std::string_view describe_shape(ProblemShape shape) {
  switch (shape) {
    case ProblemShape::slopes: return "needs accelerations from positions and velocities";
    case ProblemShape::half_explicit:
      return "is half-explicit: it takes constraints at velocity level";
    case ProblemShape::implicit: return "is implicit: it takes equations with their multipliers";
    case ProblemShape::implicit_index2:
      return "takes constraints of index 1 or 2 (for more its error test does not hold)";
    case ProblemShape::second_order: break;
  }
  return "is for second-order equations with their constraints";
}

/// Which words go with each other.
void check_pairs(const MethodSpec& spec, const Method& method) {
  const ProblemShape shape = driftless::find_shape(method.integrator);
  const Value* word = find_entry(spec, "integrator");
  const Source& where = word != nullptr ? word->where : spec.where;
  const std::string& name = method.integrator.name;
  const std::string_view formulation =
      std::visit([](const auto& each) { return each.kName; }, method.formulation);
  if (!has_shape(method.formulation, shape)) {
    throw ModelError(Diagnostic{
        where,
        fmt::format("{} {}, which {} does not give", name, describe_shape(shape), formulation),
        fmt::format("works with {}: {}; {} works with {}", formulation,
                    list_integrators(method.formulation), name, join(find_formulations(shape)))});
  }
  if (std::holds_alternative<Index2Baumgarte>(method.formulation) && method.integrator.adaptive) {
    throw ModelError(Diagnostic{where,
                                "the feedback of index2_baumgarte goes with 1/step: steps that "
                                "change would change the equations",
                                "give a fixed step, or use ggl"});
  }
  if (shape == ProblemShape::slopes) return;
  const IntegratorInfo* info = find_integrator(name);
  for (const DriftSpec& drift : method.drift) {
    const std::string_view control = std::visit([](const auto& each) { return each.kName; }, drift);
    const bool moves_state = control == Project::kName || control == EnergyCorrection::kName ||
                             control == InvariantCorrection::kName;
    if (!moves_state) {
      throw ModelError(Diagnostic{
          where,
          fmt::format("{} acts on accelerations, which {} does not have", control, formulation),
          "use project, energy or invariant, or another formulation"});
    }
    if (is_implicit(shape) && info->variable_order) {
      throw ModelError(Diagnostic{
          where,
          fmt::format("{} moves the state, and {} builds on the states before it", control, name),
          fmt::format("leave {} out: ggl and stabilized_index1 keep constraints closed by "
                      "themselves; or use radau5",
                      control)});
    }
  }
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

Method read_method(const MethodSpec& spec, const MethodContext& context) {
  OptionContext options{context.parameters, context.position_rows, "method."};
  Method method;
  method.name = spec.name;
  DiagnosticList errors;
  errors.gather([&] { method.formulation = read_formulation(spec); });
  errors.gather([&] { method.integrator = read_integrator(spec, options); });
  errors.gather(
      [&] { method.drift = read_drift(spec, method.formulation, context.has_time_rows); });
  errors.finish();  // which options there are depends on the words
  check_pairs(spec, method);
  // Gains may scale with the step: alpha = "2/h".
  if (!method.integrator.adaptive) options.names.emplace_back("h", method.integrator.step);
  for (const auto& entry : spec.entries) {
    const std::string& key = entry.first;
    const Value& value = entry.second;
    if (is_common(key)) continue;
    errors.gather([&] {
      OptionContext local = options;
      if (key == "eta") local.rows = context.velocity_rows;
      bool known =
          std::visit([&](auto& f) { return read_into(f, key, value, local); }, method.formulation);
      for (DriftSpec& drift : method.drift) {
        known |= std::visit([&](auto& d) { return read_into(d, key, value, local); }, drift);
      }
      if (takes_newmark_option(method.integrator.name, key) ||
          (key == "group" && method.integrator.name == "rattle"))  // told by check_group
        known |= read_into(method.integrator.newmark, key, value, local);
      if (key == "algebra") check_algebra(method.formulation, value);
      if (key == "start_velocity") check_start_velocity(method.integrator.newmark, value);
      if (key == "group") check_group(method.integrator, value);
      if (known || (misspells_words(spec) && is_option(key))) return;
      refuse_key(key, value, method);
    });
  }
  errors.finish();
  return method;
}

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
