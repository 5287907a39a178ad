#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "driftless/io/model_sections.hpp"
#include "driftless/model/keys.hpp"

// The sections of equation models.

namespace driftless {
namespace {

using Kind = TomlNode::Kind;

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
        findings.add_unknown(key, part, list_keys_below("coordinates"));
      }
    }
    file.model.coordinates.push_back(std::move(coordinate));
  }
}

void read_states(const TomlNode& table, ModelFile& file, FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    const std::string key = join_key("state", entry.key);
    StateSpec state;
    state.name = entry.key;
    state.where = entry.where;
    if (entry.value.kind != Kind::table) {
      findings.add_wrong_kind(key, entry.value, "{ start = ..., rate = ... }");
      state.rate = Text{"0", entry.where};  // stands in, so that it is not reported as missing
    }
    bool misspelt = false;
    for (const TomlEntry& part : entry.value.entries) {
      if (part.key == "start") {
        state.start = read_text(key + ".start", part.value, findings);
      } else if (part.key == "rate") {
        state.rate = read_text(key + ".rate", part.value, findings);
      } else {
        findings.add_unknown(key, part, list_keys_below("state"));
        misspelt = true;
      }
    }
    if (!state.rate && !misspelt) {
      findings.add(
          entry.where, fmt::format("{}.rate is missing", key),
          fmt::format("say how fast it changes: {} = {{ rate = \"-{}\" }}", entry.key, entry.key));
    }
    if (!state.rate) state.rate = Text{"0", entry.where};
    file.model.states.push_back(std::move(state));
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
      findings.add_unknown("energy", entry, list_keys_below("energy"));
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
  std::vector<std::string> misspelt;  // which keys are meant by those that are not known
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
      findings.add_unknown("matrices", entry, list_keys_below("matrices"));
      misspelt.push_back(find_nearest(entry.key, list_keys_below("matrices")));
    }
  }
  const auto is_misspelt = [&](std::string_view name) {
    return std::find(misspelt.begin(), misspelt.end(), name) != misspelt.end();
  };
  for (const std::string_view name : {std::string_view("M"), std::string_view("K")}) {
    if (find_entry(table, name) != nullptr) continue;
    if (!is_misspelt(name)) {
      findings.add(
          table.where, fmt::format("matrices.{} is missing", name),
          fmt::format("give its rows, {} = [[...], ...], or its diagonal, {} = [...]", name, name));
    }
    // Stands in for the missing one, so that its shape is not reported as well.
    (name == "M" ? linear.mass : linear.stiffness) =
        MatrixText(n, std::vector<Text>(n, Text{"0", table.where}));
  }
  if (is_misspelt("E") || is_misspelt("f")) {  // one without the other says nothing
    linear.input.clear();
    linear.load.clear();
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

/// Its keys are the result's columns.
void read_display(const TomlNode& table, ModelFile& file, FindingList& findings) {
  std::vector<std::string> columns = {"t",         "phi",  "phi_dot", "energy_error",
                                      "sigma_min", "step", "order"};
  for (const CoordinateSpec& coordinate : file.model.coordinates) {
    columns.push_back(coordinate.name);
    columns.push_back(coordinate.name + "'");
  }
  for (const StateSpec& state : file.model.states) columns.push_back(state.name);
  for (const NamedText& record : file.model.records) columns.push_back(record.name);
  for (const ConservedSpec& conserved : file.model.conserved) columns.push_back(conserved.name);
  const std::unordered_set<std::string> known(columns.begin(), columns.end());
  for (const TomlEntry& entry : table.entries) {
    if (known.contains(entry.key)) {
      read_display_entry(entry, entry.key, file, findings);
    } else {
      findings.add_unknown("display", entry, columns);
    }
  }
}

// In the order of reading, which is not the file's: matrices need the number of coordinates,
// [display] the columns.
constexpr std::array<Section, 8> kEquationSections{{
    {"coordinates", read_coordinates},
    {"state", read_states},
    {"energy", read_energy},
    {"matrices", read_matrices},
    {"force", read_forces},
    {"constraint", read_constraints},
    {"velocity_constraint", read_velocity_constraints},
    {"display", read_display},
}};

}  // namespace

std::span<const Section> equation_sections() { return kEquationSections; }

}  // namespace driftless
