// driftless explain: what a word means.

#include "commands.hpp"
#include "element_help.hpp"
#include "help_words.hpp"
#include <fmt/format.h>

#include "driftless/expressions/parser.hpp"
#include "driftless/io/templates.hpp"
#include "driftless/model/element_types.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/run/integrator_reader.hpp"
#include "driftless/run/method.hpp"
#include "driftless/run/method_words.hpp"

namespace driftless::cli {
namespace {

void print_option(const OptionInfo& option) {
  fmt::print("method.{} (option of {}){}\n    {}\n", option.key, option.owner,
             option.unit.empty() ? "" : ", in " + option.unit, option.description);
  if (!option.fallback.empty()) fmt::print("    default: {}\n", option.fallback);
  if (const std::string bounds = describe_bounds(option.bounds); !bounds.empty())
    fmt::print("    must be {}\n", bounds);
}

/// Options of the integrators belong to all of them; those of adaptive steps to the ones that have an error estimate, a fixed step
/// to the ones that can keep it.
bool has_option(const std::string& word, const OptionInfo& option) {
  if (option.owner == word ||
      (word == kConstraintStabilisation && option.owner == Baumgarte::kName))
    return true;
  if (option.owner != "integrator") return false;
  if (word == "tableau") return option.key != word;  // explained in its own right
  const IntegratorInfo* info = find_integrator(word);
  if (info == nullptr || option.key == "tableau") return false;
  if (option.key == "step") return !info->only_adaptive;
  const bool is_of_adaptive_steps = option.key == kToleranceKey || option.key == "rtol" ||
                                    option.key == "atol" || option.key == "max_step";
  return info->adaptive || !is_of_adaptive_steps;
}

// Each: true if anything is called `word`.

bool explain_method_word(const std::string& word) {
  bool found = false;
  for (const WordInfo& info : all_words()) {
    if (info.name != word) continue;
    fmt::print("{} ({})\n    {}\n", info.name, info.kind, info.summary);
    if (const auto tableau = find_tableau(info.name))
      fmt::print("    {}\n    tableau = {}\n", describe_tableau(*tableau),
                 format_tableau(*tableau));
    found = true;
  }
  return found;
}

bool explain_option(const std::string& word) {
  bool found = false;
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
  return found;
}

/// Keys of a model file, and what stands in its expressions.
bool explain_in_model(const std::string& word) {
  bool found = false;
  for (const KeyInfo& key : all_keys()) {
    const std::string_view full = key.key;
    if (full != word && !full.ends_with("." + word)) continue;
    fmt::print("{} (model file)\n    {}\n    example: {}\n", key.key, describe_key(key),
               key.example);
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
  return found;
}

/// Columns and figures of a result, and how it ended.
bool explain_in_result(const std::string& word) {
  bool found = false;
  for (const ColumnInfo& column : all_columns()) {
    if (column.name != word) continue;
    fmt::print("{} (result)\n    {}\n", column.name, column.description);
    found = true;
  }
  const auto explain_figure = [&](std::string_view name, std::string_view description) {
    if (name != word) return;
    fmt::print("{} (figure of a report)\n    {}\n", name, description);
    found = true;
  };
  for (const auto& [name, description] : kMethodFigures) explain_figure(name, description);
  for (const auto& [name, description] : kFigures) explain_figure(name, description);
  for (const Ending& ending : kEndings) {
    if (ending.status != word && std::to_string(ending.code) != word) continue;
    fmt::print("{} (status, exit code {})\n    {}\n", ending.status, ending.code,
               ending.description);
    found = true;
  }
  return found;
}

bool explain_template(const std::string& word) {
  bool found = false;
  for (const TemplateInfo& each : all_templates()) {
    if (each.name != word) continue;
    fmt::print("{} (template)\n    {}\n    write it: driftless new {} -o {}.toml\n", each.name,
               each.description, each.name, each.name);
    for (const TemplateOption& option : each.options) {
      fmt::print("    --{}: {}\n", option.name, describe(option));
    }
    found = true;
  }
  return found;
}

bool explain_unit(const std::string& word) {
  const std::optional<Unit> unit = parse_unit(word);
  if (!unit) return false;
  fmt::print("{} (unit)\n    {}\n", word, describe_unit(*unit));
  return true;
}

bool explain_kind(const std::string& word) {
  for (const Kind& kind : all_kinds()) {
    if (kind.name != word) continue;
    fmt::print("{}\n", kind.description);
    kind.print();
    return true;
  }
  return false;
}

/// A word may have several meanings; a kind of words is told only if it has no other.
bool explain_word(const std::string& word) {
  bool found = explain_method_word(word);
  found = explain_element_type(word) || found;
  found = explain_element_key(word) || found;
  found = explain_measure(word) || found;
  found = explain_option(word) || found;
  found = explain_in_model(word) || found;
  found = explain_in_result(word) || found;
  found = explain_template(word) || found;
  found = explain_unit(word) || found;
  return found || explain_kind(word);
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
  for (const auto& figure : kMethodFigures) known.emplace_back(figure.first);
  for (const Ending& ending : kEndings) known.emplace_back(ending.status);
  for (const TemplateInfo& each : all_templates()) known.emplace_back(each.name);
  for (const Kind& kind : all_kinds()) known.push_back(kind.name);
  return known;
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

}  // namespace driftless::cli
