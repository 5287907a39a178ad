// driftless list, explain, new: what there is, what a word means, a model to start from.

#include <array>
#include <filesystem>

#include "commands.hpp"
#include "element_help.hpp"
#include <fmt/format.h>

#include "driftless/base/units.hpp"
#include "driftless/expressions/parser.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/io/templates.hpp"
#include "driftless/model/element_types.hpp"
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
  fmt::print("\npresets\n");
  print_rows(list_words("preset"));
}

void list_options() {
  Rows rows;
  for (const OptionInfo& option : all_options()) {
    rows.push_back({option.owner + "." + option.key, option.description});
  }
  print_rows(rows);
}

std::string describe_tableau(const Tableau& tableau) {
  std::string text = fmt::format("order {}, {} stage{}", tableau.order, tableau.stages(),
                                 tableau.stages() == 1 ? "" : "s");
  if (tableau.error_order > 0)
    text += fmt::format(", error estimate of order {}", tableau.error_order);
  return text;
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
      rows.push_back({std::string(key.key), std::string(key.description)});
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

std::string describe_unit(const Unit& unit) {
  const std::string dimension = to_string(unit.dimension);
  return dimension == "1" ? fmt::format("{:.10g}", unit.factor)
                          : fmt::format("{:.10g} {}", unit.factor, dimension);
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
  for (const KeyInfo& key : all_keys())
    rows.push_back({std::string(key.key), std::string(key.description)});
  print_rows(rows);
}

/// Figures that are no columns' maxima: those are explained in model/keys.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kFigures{{
    {"steps", "accepted steps"},
    {"rejected", "steps that were tried again, shorter, because the error was too large"},
    {"evaluations", "how often the accelerations were solved for"},
    {"factorisations", "how often the mass and constraint matrices were factorised"},
    {"cpu_seconds", "CPU time of the step loop, without reading and writing"},
    {"t_end", "the time that was reached, in s"},
    {"dof", "degrees of freedom at the start: rates less the rank of the constraints"},
    {"rank", "rank of the constraints at the start: how many are independent"},
    {"min_rank",
     "lowest rank at an accepted step: less than rank where a singular pose was passed"},
    {"rows", "number of constraints: position and velocity"},
    {"redundant", "names of the constraints that say nothing new at the start"},
    {"not_unique",
     "names of the reactions that redundant constraints could share in other ways; their values "
     "are "
     "those of least norm"},
    {"status", "how a run ended: ok, failed, invalid or interrupted"},
}};

/// How the program ends.
struct Ending {
  std::string_view status;
  int code;
  std::string_view description;
};
constexpr std::array<Ending, 4> kEndings{{
    {"ok", kExitOk, "the answer is complete"},
    {"failed", kExitFailed,
     "the numbers failed at the time given, or a result could not be written; what was computed "
     "is kept"},
    {"invalid", kExitMisuse, "a wrong model, option or combination: nothing was run"},
    {"interrupted", kExitInterrupted, "stopped by Ctrl-C or a signal; what was computed is kept"},
}};

std::string describe_figure(std::string_view name) {
  for (const auto& [known, description] : kFigures) {
    if (known == name) return std::string(description);
  }
  for (const ColumnInfo& column : all_columns()) {
    if (column.name == name) return std::string(column.description);
  }
  return {};
}

/// Figures that only some methods have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kMethodFigures{{
    {"newton_failures",
     "implicit integrators: attempts in which Newton's method found nothing and the step was "
     "halved"},
    {"partition_changes",
     "partition, partial_velocity: how often other coordinates became independent"},
    {"partition_condition",
     "partition, partial_velocity: how many times faster than the independent coordinates the "
     "dependent ones became, at most"},
    {"energy_put_back", "energy, invariant: the largest energy that one correction put back, in J"},
    {"max_coupling", "yoon12, yoon13, yoon17: how much the energy control pulls on constraints"},
    {"energy_control_without_direction",
     "yoon12, yoon13, yoon17: evaluations in which energy could not be changed"},
}};

void list_figures() {
  Rows rows;
  for (const std::string& name : all_figures()) rows.push_back({name, describe_figure(name)});
  for (const auto& [name, description] : kMethodFigures)
    rows.push_back({std::string(name), std::string(description)});
  print_rows(rows);
}

struct Kind {
  std::string name;
  std::string description;
  void (*print)();
};

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
           rows.push_back({std::string(find_last_word(key->key)), std::string(key->description)});
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

void print_option(const OptionInfo& option) {
  fmt::print("method.{} (option of {}){}\n    {}\n", option.key, option.owner,
             option.unit.empty() ? "" : ", in " + option.unit, option.description);
  if (!option.fallback.empty()) fmt::print("    default: {}\n", option.fallback);
}

/// Options of the integrators belong to all of them; those of adaptive steps to the ones that have an error estimate.
bool has_option(const std::string& word, const OptionInfo& option) {
  if (option.owner == word ||
      (word == kConstraintStabilisation && option.owner == Baumgarte::kName))
    return true;
  if (option.owner != "integrator") return false;
  if (word == "tableau") return option.key != word;  // explained in its own right
  const IntegratorInfo* info = find_integrator(word);
  if (info == nullptr || option.key == "tableau") return false;
  return info->adaptive || option.key == "step";
}

/// True if anything is called `word`.
bool explain_word(const std::string& word) {
  bool found = false;
  for (const WordInfo& info : all_words()) {
    if (info.name != word) continue;
    fmt::print("{} ({})\n    {}\n", info.name, info.kind, info.summary);
    if (const auto tableau = find_tableau(info.name))
      fmt::print("    {}\n    tableau = {}\n", describe_tableau(*tableau),
                 format_tableau(*tableau));
    found = true;
  }
  found = explain_element_type(word) || found;
  found = explain_element_key(word) || found;
  found = explain_measure(word) || found;
  for (const OptionInfo& option : all_options()) {
    if (option.owner + "." + option.key == word) {
      print_option(option);
      found = true;
    } else if (has_option(word, option)) {
      fmt::print("  ");
      print_option(option);
    } else if (option.key == word || "method." + option.key == word) {
      print_option(option);
      found = true;
    }
  }
  for (const KeyInfo& key : all_keys()) {
    const std::string_view full = key.key;
    if (full != word && !full.ends_with("." + word)) continue;
    fmt::print("{} (model file)\n    {}\n    example: {}\n", key.key, key.description, key.example);
    found = true;
  }
  for (const ValueInfo& value : all_values()) {
    if (value.value != word) continue;
    fmt::print("{} (value of {})\n    {}\n", value.value, value.key, value.description);
    found = true;
  }
  for (const NameInfo& name : all_fixed_names()) {
    if (name.name != word) continue;
    fmt::print("{} (name in expressions)\n    {}\n", name.name, name.description);
    found = true;
  }
  for (const FunctionInfo& function : all_functions()) {
    if (function.name != word) continue;
    fmt::print("{} (function)\n    {}\n", function.name, function.description);
    found = true;
  }
  for (const ColumnInfo& column : all_columns()) {
    if (column.name != word) continue;
    fmt::print("{} (result)\n    {}\n", column.name, column.description);
    found = true;
  }
  for (const auto& [name, description] : kMethodFigures) {
    if (name != word) continue;
    fmt::print("{} (figure of a report)\n    {}\n", name, description);
    found = true;
  }
  for (const auto& [name, description] : kFigures) {
    if (name != word) continue;
    fmt::print("{} (figure of a report)\n    {}\n", name, description);
    found = true;
  }
  for (const Ending& ending : kEndings) {
    if (ending.status != word && std::to_string(ending.code) != word) continue;
    fmt::print("{} (status, exit code {})\n    {}\n", ending.status, ending.code,
               ending.description);
    found = true;
  }
  for (const TemplateInfo& each : all_templates()) {
    if (each.name != word) continue;
    fmt::print("{} (template)\n    {}\n    write it: driftless new {} -o {}.toml\n", each.name,
               each.description, each.name, each.name);
    for (const TemplateOption& option : each.options) {
      fmt::print("    --{}: {}\n", option.name, describe(option));
    }
    found = true;
  }
  if (const std::optional<Unit> unit = parse_unit(word)) {
    fmt::print("{} (unit)\n    {}\n", word, describe_unit(*unit));
    found = true;
  }
  for (const Kind& kind : all_kinds()) {
    if (found || kind.name != word) continue;
    fmt::print("{}\n", kind.description);
    kind.print();
    found = true;
  }
  return found;
}

/// Commands have their own pages.
bool explain_command(const CommandLine& line, const std::string& word) {
  for (const VerbInfo& verb : line.verbs()) {
    if (verb.name != word) continue;
    fmt::print("{} (command)\n    {}\n    see driftless {} --help\n", word, verb.summary, word);
    return true;
  }
  return false;
}

void add_explain(CommandLine& line) {
  auto words = std::make_shared<std::vector<std::string>>();
  Verb verb = line.add_verb(
      "explain", "what words mean: a method, an option, an element, a key, a function, a column");
  verb.all_arguments("WORD", *words, "the word, or several").completes(Values::word);
  verb.footer("Examples:\n  driftless explain braun_goldfarb\n  driftless explain gear belt");
  verb.action([words, &line] {
    for (const std::string& word : *words) {
      const bool is_command = explain_command(line, word);
      if (explain_word(word) || is_command) continue;
      const std::string nearest = find_nearest(word, all_explained());
      throw ModelError("nothing is called '" + word + "'",
                       nearest.empty() ? "see driftless list" : "did you mean '" + nearest + "'?");
    }
  });
}

void add_new(CommandLine& line) {
  struct Arguments {
    std::string name;
    std::string out;
    std::string n;
    std::string joint;
  };
  auto arguments = std::make_shared<Arguments>();
  Verb verb = line.add_verb("new", "print a model to start from");
  verb.text("TEMPLATE", arguments->name,
            "see driftless list templates (default: a commented first mechanism)")
      .completes(Values::model_template);
  verb.text("-o,--output", arguments->out, "write it to this file").completes(Values::file);
  verb.text("--n", arguments->n, "size, for templates that have one");
  verb.text("--joint", arguments->joint, "type of joint, for templates that have one");
  verb.footer(
      "Examples:\n  driftless new -o first.toml\n  driftless new equations -o pendulum.toml\n  "
      "driftless new n-four-bar --n 40 -o n40.toml\n  "
      "driftless new chain --n 20 --joint spherical -o chain.toml");
  verb.action([arguments] {
    const std::string name =
        arguments->name.empty() ? std::string(all_templates().front().name) : arguments->name;
    std::vector<std::pair<std::string, std::string>> options;
    if (!arguments->n.empty()) options.emplace_back("n", arguments->n);
    if (!arguments->joint.empty()) options.emplace_back("joint", arguments->joint);
    const std::string text = make_template(name, options);
    if (arguments->out.empty()) {
      fmt::print("{}", text);
      return;
    }
    if (std::filesystem::exists(arguments->out)) {
      throw ModelError(arguments->out + " exists already",
                       "choose another name; nothing was overwritten");
    }
    write_text_file(arguments->out, text);
    fmt::print("{}\n", arguments->out);
  });
}

}  // namespace

std::vector<std::string> all_explained() {
  std::vector<std::string> known;
  for (const WordInfo& info : all_words()) known.push_back(info.name);
  for (const OptionInfo& option : all_options()) known.push_back(option.key);
  for (const KeyInfo& key : all_keys()) known.emplace_back(key.key);
  for (const ElementType& type : all_element_types()) {
    known.push_back(type.name);
    for (const ElementField& field : type.fields) known.push_back(field.key);
  }
  for (const ValueInfo& value : all_values()) known.emplace_back(value.value);
  for (const FunctionInfo& function : all_functions()) known.emplace_back(function.name);
  for (const ColumnInfo& column : all_columns()) known.emplace_back(column.name);
  for (const auto& figure : kFigures) known.emplace_back(figure.first);
  for (const Ending& ending : kEndings) known.emplace_back(ending.status);
  for (const TemplateInfo& each : all_templates()) known.emplace_back(each.name);
  for (const Kind& kind : all_kinds()) known.push_back(kind.name);
  return known;
}

std::vector<std::string> all_listed() {
  std::vector<std::string> names;
  for (const Kind& kind : all_kinds()) names.push_back(kind.name);
  return names;
}

void add_help(CommandLine& line) {
  add_list(line);
  add_explain(line);
  add_new(line);
}

}  // namespace driftless::cli
