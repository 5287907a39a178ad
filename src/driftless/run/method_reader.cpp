#include "driftless/run/method_reader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/run/integrator_reader.hpp"
#include "driftless/run/method_suggestions.hpp"
#include "driftless/run/method_words.hpp"
#include "driftless/run/option_value.hpp"

namespace driftless {
namespace {

bool is_common(std::string_view key) {
  return key == "formulation" || key == "integrator" || key == "drift" || is_integrator_key(key);
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
  if (!errors.empty()) {  // which options there are depends on the words, but some are none of any
    for (const auto& [key, value] : spec.entries)
      if (!is_common(key) && !is_option(key))
        errors.gather([&key = key, &value = value, &method] { refuse_key(key, value, method); });
  }
  errors.finish();
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

}  // namespace driftless
