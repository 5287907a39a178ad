// driftless list: what there is.

#include "commands.hpp"
#include "element_help.hpp"
#include "help_words.hpp"
#include <fmt/format.h>

#include "driftless/expressions/parser.hpp"
#include "driftless/io/templates.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/run/method.hpp"
#include "driftless/run/method_words.hpp"
#include "driftless/studies/metric.hpp"

namespace driftless::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

void print_rows(const Rows& rows) { fmt::print("{}", format_list(rows, find_answer_columns())); }

Rows list_words(std::string_view kind) {
  Rows rows;
  for (const WordInfo& word : all_words()) {
    if (word.kind == kind) rows.push_back({word.name, word.summary});
  }
  return rows;
}

template <class Wanted>
std::string join_integrators(const Wanted& wanted) {
  std::vector<std::string_view> names;
  for (const IntegratorInfo& info : all_integrators())
    if (wanted(info)) names.push_back(info.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// As the reader of methods has it.
void list_drift_pairs() {
  const auto builds_on_states = [](const IntegratorInfo& info) {
    return info.implicit && info.variable_order;
  };
  const auto moves_states = [&](const IntegratorInfo& info) {
    return (info.half_explicit || info.implicit || info.second_order) && !builds_on_states(info);
  };
  const std::string not_states = "all but " + join_integrators(builds_on_states);
  const std::string plain =
      not_states + ", " + join_integrators(moves_states) + ": those that follow slopes";
  Rows rows;
  for (const std::vector<std::string>& control : list_words("drift")) {
    const std::string& name = control[0];
    const bool any = name == "none";
    const bool moves = name == "project" || name == "energy" || name == "invariant";
    rows.push_back({name, any ? "all" : moves ? not_states : plain});
  }
  fmt::print("\nintegrators that drift controls go with\n");
  print_rows(rows);
}

void list_rotations() {
  const auto is_on_group = [](const IntegratorInfo& info) { return info.on_group; };
  const auto is_lie = [](const IntegratorInfo& info) { return info.on_group || info.second_order; };
  const std::string all_but = "for all but " + join_integrators(is_on_group);
  fmt::print("\norientations in space: method.rotations\n");
  Rows rows{
      {"quaternion", "unit quaternions, " + all_but},
      {"euler", "angles in a sequence that is not singular, " + all_but},
      {"lie", "turns from the last step, for all; the default of " + join_integrators(is_lie)}};
  print_rows(rows);
  fmt::print("\nsteps on the group of rotations: method.group\n");
  std::vector<std::string> owners;
  for (const OptionInfo& option : all_options())
    if (option.key == "group") owners.push_back(option.owner);
  const std::string of = fmt::format(", of {}", fmt::join(owners, ", "));
  print_rows({{"so3", "shift and turn apart" + of}, {"se3", "along a screw" + of}});
}

void list_methods() {
  fmt::print("A method is a preset, or formulation/integrator[/drift+drift].\n\nformulations\n");
  print_rows(list_words("formulation"));
  for (const ProblemShape shape :
       {ProblemShape::slopes, ProblemShape::half_explicit, ProblemShape::implicit,
        ProblemShape::implicit_index2, ProblemShape::second_order}) {
    Rows rows;
    for (auto& row : list_words("integrator")) {
      IntegratorChoice choice;
      choice.name = row[0];
      if (find_shape(choice) == shape) rows.push_back(row);
    }
    fmt::print("\nintegrators for {}\n", fmt::join(find_formulations(shape), ", "));
    print_rows(rows);
  }
  fmt::print("\ndrift controls (any number, joined by +)\n");
  print_rows(list_words("drift"));
  list_drift_pairs();
  list_rotations();
  fmt::print("\npresets\n");
  print_rows(list_words("preset"));
}

void list_options() {
  Rows rows;
  for (const OptionInfo& option : all_options()) {
    const std::string bounds = describe_bounds(option.bounds);
    rows.push_back({option.owner + "." + option.key,
                    option.description + (bounds.empty() ? "" : " (" + bounds + ")")});
  }
  print_rows(rows);
}

void list_tableaus() {
  Rows rows;
  for (const IntegratorInfo& info : all_integrators()) {
    if (const auto tableau = find_tableau(info.name))
      rows.push_back({std::string(info.name), describe_tableau(*tableau)});
  }
  rows.push_back(
      {"tableau", "your own: integrator = \"tableau\" and tableau = { ... } in [method]"});
  print_rows(rows);
  fmt::print("\nKeys of a tableau of your own:\n");
  rows.clear();
  for (const KeyInfo& key : all_keys()) {
    if (key.key.starts_with("method.tableau."))
      rows.push_back({std::string(key.key), describe_key(key)});
  }
  print_rows(rows);
}

void list_values() {
  Rows rows;
  for (const ValueInfo& value : all_values())
    rows.push_back({std::string(value.value), fmt::format("{}: {}", value.key, value.description)});
  print_rows(rows);
}

void list_names() {
  Rows rows;
  for (const NameInfo& name : all_fixed_names())
    rows.push_back({std::string(name.name), std::string(name.description)});
  print_rows(rows);
}

void list_units() {
  Rows rows;
  for (const std::string& name : all_units())
    rows.push_back({name, describe_unit(*find_unit(name))});
  print_rows(rows);
  fmt::print("\nwith prefixes where customary: mm, kN, MPa, ms, mrad\n");
}

void list_functions() {
  Rows rows;
  for (const FunctionInfo& function : all_functions()) {
    rows.push_back({std::string(function.name), std::string(function.description)});
  }
  print_rows(rows);
}

void list_templates() {
  Rows rows;
  for (const TemplateInfo& each : all_templates()) {
    rows.push_back({std::string(each.name), std::string(each.description)});
    for (const TemplateOption& option : each.options) {
      rows.push_back({"  --" + std::string(option.name), describe(option)});
    }
  }
  print_rows(rows);
}

void list_keys() {
  Rows rows;
  for (const KeyInfo& key : all_keys()) rows.push_back({std::string(key.key), describe_key(key)});
  print_rows(rows);
}

std::string describe_figure(std::string_view name) {
  for (const auto& [known, description] : kFigures) {
    if (known == name) return std::string(description);
  }
  for (const ColumnInfo& column : all_columns()) {
    if (column.name == name) return std::string(column.description);
  }
  return {};
}

void list_figures() {
  Rows rows;
  for (const std::string& name : all_figures()) rows.push_back({name, describe_figure(name)});
  for (const auto& [name, description] : kMethodFigures)
    rows.push_back({std::string(name), std::string(description)});
  print_rows(rows);
}

}  // namespace

std::string describe_tableau(const Tableau& tableau) {
  std::string text = fmt::format("order {}, {} stage{}", tableau.order, tableau.stages(),
                                 tableau.stages() == 1 ? "" : "s");
  if (tableau.error_order > 0)
    text += fmt::format(", error estimate of order {}", tableau.error_order);
  return text;
}

std::string describe_unit(const Unit& unit) {
  const std::string dimension = to_string(unit.dimension);
  return dimension == "1" ? fmt::format("{:.10g}", unit.factor)
                          : fmt::format("{:.10g} {}", unit.factor, dimension);
}

const std::vector<Kind>& all_kinds() {
  static const std::vector<Kind> kinds{
      {"methods", "formulations, integrators, drift controls, presets", list_methods},
      {"formulations", "how constraints enter the equations",
       [] { print_rows(list_words("formulation")); }},
      {"integrators", "how time is stepped", [] { print_rows(list_words("integrator")); }},
      {"drift", "drift controls", [] { print_rows(list_words("drift")); }},
      {"presets", "well-known combinations", [] { print_rows(list_words("preset")); }},
      {"tableaus", "Runge-Kutta methods by their coefficients, and how to give your own",
       list_tableaus},
      {"options", "every option of [method]", list_options},
      {"keys", "sections and keys of a model file", list_keys},
      {"values", "words that keys take as values", list_values},
      {"names", "names with a fixed meaning in expressions", list_names},
      {"functions", "functions in expressions", list_functions},
      {"units", "units that a number may carry", list_units},
      {"figures", "figures of a report, for sweep --show", list_figures},
      {"templates", "models that `driftless new` writes", list_templates},
      {"bodies", "shapes and other keys of [body.NAME]",
       [] {
         Rows rows;
         for (const KeyInfo* key : find_keys_below("body"))
           rows.push_back({std::string(find_last_word(key->key)), describe_key(*key)});
         print_rows(rows);
       }},
      {"joints", "types of [joint.NAME]", [] { print_rows(list_element_types("joint")); }},
      {"constraints", "types of [constraint.NAME] of a mechanism",
       [] { print_rows(list_element_types("constraint")); }},
      {"forces", "types of [force.NAME] of a mechanism",
       [] { print_rows(list_element_types("force")); }},
      {"measures", "types of [measure.NAME]", [] { print_rows(list_element_types("measure")); }},
  };
  return kinds;
}

std::vector<std::string> all_listed() {
  std::vector<std::string> names;
  for (const Kind& kind : all_kinds()) names.push_back(kind.name);
  return names;
}

void add_list(CommandLine& line) {
  auto kind = std::make_shared<std::string>();
  Verb verb = line.add_verb("list", "what there is: methods, options, keys, functions, ...");
  std::string kinds;
  for (const Kind& each : all_kinds()) kinds += (kinds.empty() ? "" : ", ") + each.name;
  verb.text("KIND", *kind, kinds).completes(Values::kind);
  verb.footer("Example:\n  driftless list methods");
  verb.action([kind] {
    std::vector<std::string> names;
    for (const Kind& each : all_kinds()) {
      if (each.name == *kind) {
        each.print();
        return;
      }
      names.push_back(each.name);
    }
    if (!kind->empty())
      throw ModelError("there is nothing called '" + *kind + "' to list", suggest(*kind, names));
    Rows rows;
    for (const Kind& each : all_kinds()) rows.push_back({each.name, each.description});
    print_rows(rows);
  });
}

}  // namespace driftless::cli
