#include <array>
#include <optional>

#include <fmt/format.h>

#include "driftless/expressions/parser.hpp"
#include "driftless/io/model_sections.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/model/names.hpp"

// The sections that equation models and mechanisms have in common.

namespace driftless {

using Kind = TomlNode::Kind;

void read_named(std::string_view section, const TomlNode& table, std::vector<NamedText>& into,
                FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    into.push_back(
        {entry.key, read_text(join_key(section, entry.key), entry.value, findings), entry.where});
  }
}

void read_display_entry(const TomlEntry& entry, std::string_view column, ModelFile& file,
                        FindingList& findings) {
  if (entry.value.kind != Kind::text) {
    findings.add_wrong_kind(join_key("display", column), entry.value,
                            "a unit in quotes, such as \"mm\"");
  } else {
    file.display.emplace_back(column, read_value(column, entry.value, findings));
  }
}

namespace {

void read_parameters(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_named("parameters", table, file.common().parameters, findings);
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
        findings.add_unknown(key, part, list_keys_below("conserved"));
      }
    }
    file.common().conserved.push_back(std::move(conserved));
  }
}

void read_records(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_named("record", table, file.common().records, findings);
}

void read_tables(const TomlNode& table, ModelFile& file, FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    const std::string key = join_key("table", entry.key);
    if (entry.value.kind != Kind::text) {
      findings.add_wrong_kind(key, entry.value, "the name of a CSV file in quotes");
      continue;
    }
    file.common().tables.push_back({entry.key, entry.value.text, entry.where});
  }
}

void read_run(const TomlNode& table, ModelFile& file, FindingList& findings) {
  file.run.where = table.where;
  for (const TomlEntry& entry : table.entries) {
    std::optional<Value>* target = find_run_field(file.run, entry.key);
    if (target == nullptr) {
      findings.add_unknown("run", entry, list_keys_below("run"));
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

constexpr std::array<Section, 6> kCommonSections{{
    {"parameters", read_parameters},
    {"conserved", read_conserved},
    {"record", read_records},
    {"table", read_tables},
    {"run", read_run},
    {"method", read_methods},
}};

}  // namespace

std::span<const Section> common_sections() { return kCommonSections; }

}  // namespace driftless
