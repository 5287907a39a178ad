#include "driftless/io/model_sections.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "driftless/expressions/parser.hpp"
#include "driftless/model/model_check.hpp"

namespace driftless {

namespace {

using Kind = TomlNode::Kind;

void read_named(std::string_view section, const TomlNode& table, std::vector<NamedText>& into,
                FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    into.push_back(
        {entry.key, read_text(join_key(section, entry.key), entry.value, findings), entry.where});
  }
}

void read_parameters(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_named("parameters", table, file.model.parameters, findings);
}

void read_coordinates(const TomlNode& table, ModelFile& file, FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    const std::string key = join_key("coordinates", entry.key);
    CoordinateSpec coordinate;
    coordinate.name = entry.key;
    coordinate.where = entry.where;
    if (entry.value.kind == Kind::number || entry.value.kind == Kind::text) {
      coordinate.start = read_text(key, entry.value, findings);
    } else if (entry.value.kind != Kind::table) {
      findings.add_wrong_kind(key, entry.value, "a number, a text, or { start = ..., rate = ... }");
    }
    for (const TomlEntry& part : entry.value.entries) {
      if (part.key == "start") {
        coordinate.start = read_text(key + ".start", part.value, findings);
      } else if (part.key == "rate") {
        coordinate.rate = read_text(key + ".rate", part.value, findings);
      } else {
        findings.add_unknown(key, part, {"start", "rate"});
      }
    }
    file.model.coordinates.push_back(std::move(coordinate));
  }
}

void read_energy(const TomlNode& table, ModelFile& file, FindingList& findings) {
  EquationModel& model = file.model;
  std::optional<Source> unknown;
  for (const TomlEntry& entry : table.entries) {
    const std::string key = join_key("energy", entry.key);
    if (entry.key == "kinetic") {
      model.kinetic = read_text(key, entry.value, findings);
    } else if (entry.key == "potential") {
      model.potential = read_text(key, entry.value, findings);
    } else if (entry.key == "mass") {
      model.mass = read_matrix(key, entry.value, false, model.coordinates.size(), findings);
    } else {
      findings.add_unknown("energy", entry, {"kinetic", "potential", "mass"});
      unknown = entry.where;
    }
  }
  // A misspelt "kinetic" is reported as that, not as a missing one too.
  if (unknown && !model.kinetic && model.mass.empty()) model.kinetic = Text{"0", *unknown};
}

void read_matrices(const TomlNode& table, ModelFile& file, FindingList& findings) {
  const std::size_t n = file.model.coordinates.size();
  LinearSpec linear;
  linear.where = table.where;
  for (const TomlEntry& entry : table.entries) {
    const std::string key = join_key("matrices", entry.key);
    const TomlNode& value = entry.value;
    if (entry.key == "M") {
      linear.mass = read_matrix(key, value, true, n, findings);
    } else if (entry.key == "C") {
      linear.damping = read_matrix(key, value, true, n, findings);
    } else if (entry.key == "K") {
      linear.stiffness = read_matrix(key, value, true, n, findings);
    } else if (entry.key == "E") {
      linear.input = read_matrix(key, value, false, n, findings);
    } else if (entry.key == "f") {
      linear.load = read_texts(key, value, findings);
    } else if (entry.key == "damping_ratio") {
      linear.damping_ratios = read_texts(key, value, findings);
    } else {
      findings.add_unknown("matrices", entry, {"M", "C", "K", "E", "f", "damping_ratio"});
    }
  }
  for (const std::string_view name : {std::string_view("M"), std::string_view("K")}) {
    if (find_entry(table, name) != nullptr) continue;
    findings.add(
        table.where, fmt::format("matrices.{} is missing", name),
        fmt::format("give its rows, {} = [[...], ...], or its diagonal, {} = [...]", name, name));
    // Stands in for the missing one, so that its shape is not reported as well.
    (name == "M" ? linear.mass : linear.stiffness) =
        MatrixText(n, std::vector<Text>(n, Text{"0", table.where}));
  }
  file.model.linear = std::move(linear);
}

void read_forces(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_named("force", table, file.model.forces, findings);
}

void read_constraints(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_named("constraint", table, file.model.constraints, findings);
}

void read_velocity_constraints(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_named("velocity_constraint", table, file.model.velocity_constraints, findings);
}

void read_conserved(const TomlNode& table, ModelFile& file, FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    const std::string key = join_key("conserved", entry.key);
    ConservedSpec conserved;
    conserved.name = entry.key;
    conserved.where = entry.where;
    if (entry.value.kind != Kind::table) {
      conserved.value = read_text(key, entry.value, findings);
    } else if (find_entry(entry.value, "value") == nullptr) {
      findings.add(
          entry.where, key + ".value is missing",
          fmt::format(R"(write {} = {{ value = "T + U", power = "..." }})", shorten(entry.key)));
    }
    for (const TomlEntry& part : entry.value.entries) {
      if (part.key == "value") {
        conserved.value = read_text(key + ".value", part.value, findings);
      } else if (part.key == "power") {
        conserved.power = read_text(key + ".power", part.value, findings);
      } else {
        findings.add_unknown(key, part, {"value", "power"});
      }
    }
    file.model.conserved.push_back(std::move(conserved));
  }
}

void read_records(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_named("record", table, file.model.records, findings);
}

void read_tables(const TomlNode& table, ModelFile& file, FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    const std::string key = join_key("table", entry.key);
    if (entry.value.kind != Kind::text) {
      findings.add_wrong_kind(key, entry.value, "the name of a CSV file in quotes");
      continue;
    }
    file.model.tables.push_back({entry.key, entry.value.text, entry.where});
  }
}

void read_run(const TomlNode& table, ModelFile& file, FindingList& findings) {
  file.run.where = table.where;
  for (const TomlEntry& entry : table.entries) {
    std::optional<Value>* target = find_run_field(file.run, entry.key);
    if (target == nullptr) {
      findings.add_unknown("run", entry, {"until", "every", "start"});
      continue;
    }
    const std::string key = join_key("run", entry.key);
    const bool number = entry.value.kind == Kind::number && entry.key != "start";
    if (!number && entry.value.kind != Kind::text) {
      findings.add_wrong_kind(key, entry.value,
                              entry.key == "start" ? "\"consistent\" or \"given\""
                                                   : "a time in seconds, as a number or a text");
      continue;
    }
    *target = read_value(key, entry.value, findings);
  }
}

MethodSpec read_method(const TomlEntry& declared, FindingList& findings) {
  const std::string key = join_key("method", declared.key);
  if (!is_identifier(declared.key)) {
    findings.add(declared.where,
                 fmt::format("'{}' cannot be the name of a method", shorten(declared.key)),
                 "a name has letters, digits and _, and does not begin with a digit");
  }
  return {declared.key, read_value(key, declared.value, findings).table(), declared.where};
}

/// [method.NAME] is another method; a table in braces is an entry like any other.
void read_methods(const TomlNode& table, ModelFile& file, FindingList& findings) {
  MethodSpec standard;
  standard.where = table.where;
  std::vector<MethodSpec> named;
  for (const TomlEntry& entry : table.entries) {
    if (entry.value.kind == Kind::table && !entry.value.is_inline) {
      named.push_back(read_method(entry, findings));
    } else {
      standard.entries.emplace_back(
          entry.key, read_value(join_key("method", entry.key), entry.value, findings));
    }
  }
  if (!standard.entries.empty()) file.methods.push_back(std::move(standard));
  std::move(named.begin(), named.end(), std::back_inserter(file.methods));
}

/// Runs after the model's sections: its keys are the result's columns.
void read_display(const TomlNode& table, ModelFile& file, FindingList& findings) {
  std::vector<std::string> columns = {"t", "phi", "phi_dot", "energy_error"};
  for (const CoordinateSpec& coordinate : file.model.coordinates) {
    columns.push_back(coordinate.name);
    columns.push_back(coordinate.name + "'");
  }
  for (const NamedText& record : file.model.records) columns.push_back(record.name);
  for (const ConservedSpec& conserved : file.model.conserved) columns.push_back(conserved.name);
  const std::unordered_set<std::string> known(columns.begin(), columns.end());
  for (const TomlEntry& entry : table.entries) {
    if (!known.contains(entry.key)) {
      findings.add_unknown("display", entry, columns);
    } else if (entry.value.kind != Kind::text) {
      findings.add_wrong_kind(join_key("display", entry.key), entry.value,
                              "a unit in quotes, such as \"mm\"");
    } else {
      file.display.emplace_back(entry.key, read_value(entry.key, entry.value, findings));
    }
  }
}

struct Section {
  std::string_view name;
  void (*read)(const TomlNode& table, ModelFile& file, FindingList& findings);
};

// In the order of reading, which is not the file's: matrices need the number of coordinates,
// [display] the columns.
constexpr std::array<Section, 13> kSections{{
    {"parameters", read_parameters},
    {"coordinates", read_coordinates},
    {"energy", read_energy},
    {"matrices", read_matrices},
    {"force", read_forces},
    {"constraint", read_constraints},
    {"velocity_constraint", read_velocity_constraints},
    {"conserved", read_conserved},
    {"record", read_records},
    {"table", read_tables},
    {"run", read_run},
    {"method", read_methods},
    {"display", read_display},
}};

// Words of the mechanism format (design section 8), so that such a file gets a sentence of its own.
constexpr std::array<std::string_view, 8> kMechanismKeys{"gravity", "space", "points",  "body",
                                                         "joint",   "start", "measure", "drive"};

constexpr std::string_view kFormatLine = R"(format = "driftless/1")";

/// A newer format is thrown at once: whatever else looks wrong may be right there.
void check_format(const TomlNode& root, FindingList& findings) {
  const TomlEntry* entry = find_entry(root, "format");
  if (entry == nullptr) {
    findings.add(root.where, "the file does not say its format",
                 fmt::format("add this as the first line: {}", kFormatLine));
    return;
  }
  const TomlNode& value = entry->value;
  if (value.kind != Kind::text) {
    findings.add_wrong_kind("format", value, fmt::format("the text {}", kFormatLine));
    return;
  }
  constexpr std::string_view kPrefix = "driftless/";
  const std::string_view text = value.text;
  long version = 0;
  if (text.substr(0, kPrefix.size()) == kPrefix) {
    const auto [end, error] =
        std::from_chars(text.data() + kPrefix.size(), text.data() + text.size(), version);
    if (error != std::errc{} || end != text.data() + text.size()) version = 0;
  }
  if (version > 1) {
    throw ModelError(
        {value.where,
         fmt::format("the format {} needs a newer Driftless: this version reads driftless/1", text),
         "install a newer version, or write the model in the older format"});
  }
  if (version != 1) {
    findings.add(value.where, fmt::format("format = '{}' is not known", shorten(text)),
                 fmt::format("write {}", kFormatLine));
  }
}

bool is_mechanism(const TomlEntry& entry) {
  if (std::find(kMechanismKeys.begin(), kMechanismKeys.end(), entry.key) != kMechanismKeys.end())
    return true;
  // [force.spring] with a type: a force between bodies. In an equation model the entries of [force]
  // are expressions.
  if (entry.key != "force" && entry.key != "constraint") return false;
  return std::any_of(
      entry.value.entries.begin(), entry.value.entries.end(),
      [](const TomlEntry& part) { return find_entry(part.value, "type") != nullptr; });
}

std::string show_key(const TomlEntry& entry) {
  return entry.value.kind == Kind::table ? fmt::format("[{}]", shorten(entry.key))
                                         : shorten(entry.key);
}

/// True if the file describes a mechanism: one sentence names all that says so.
bool check_mechanism(const TomlNode& root, FindingList& findings) {
  std::vector<std::string> shown;
  Source first;
  for (const TomlEntry& entry : root.entries) {
    if (!is_mechanism(entry)) continue;
    if (shown.empty()) first = entry.where;
    shown.push_back(show_key(entry));
  }
  if (shown.empty()) return false;
  findings.add(
      first,
      fmt::format(
          "{}: mechanisms of bodies and joints are not supported yet; this version reads equation "
          "models only",
          fmt::join(shown, ", ")),
      "write the model with [coordinates], [energy] and [constraint]; 'driftless new' prints one");
  return true;
}

/// True if a key at the top is not known: what is missing elsewhere may just be misspelt here.
bool check_root_keys(const TomlNode& root, FindingList& findings) {
  std::vector<std::string> known = {"format", "name", "description"};
  for (const Section& section : kSections) known.emplace_back(section.name);
  bool any = false;
  for (const TomlEntry& entry : root.entries) {
    if (is_mechanism(entry) || std::find(known.begin(), known.end(), entry.key) != known.end())
      continue;
    const std::string_view kind = entry.value.kind == Kind::table ? "section" : "key";
    findings.add(entry.where, fmt::format("{}: there is no such {}", show_key(entry), kind),
                 suggest_name(entry.key, known));
    any = true;
  }
  return any;
}

}  // namespace

void read_sections(const TomlNode& root, ModelFile& file) {
  FindingList findings;
  check_format(root, findings);
  // Then what seems to be missing is not worth a message of its own.
  bool doubtful = check_mechanism(root, findings);
  doubtful = check_root_keys(root, findings) || doubtful;
  if (const TomlEntry* entry = find_entry(root, "name")) {
    file.model.name = read_words("name", entry->value, findings);
  }
  if (const TomlEntry* entry = find_entry(root, "description")) {
    file.model.description = read_words("description", entry->value, findings);
  }
  for (const Section& section : kSections) {
    const TomlEntry* entry = find_entry(root, section.name);
    if (entry == nullptr || is_mechanism(*entry)) continue;
    if (entry->value.kind == Kind::table) {
      section.read(entry->value, file, findings);
    } else {
      findings.add_wrong_kind(section.name, entry->value,
                              fmt::format("a section [{}]", section.name));
      doubtful = true;
    }
  }
  if (!doubtful) findings.add(find_model_errors(file.model));
  findings.finish();
}

}  // namespace driftless
