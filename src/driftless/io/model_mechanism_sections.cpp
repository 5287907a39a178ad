#include <algorithm>
#include <array>
#include <functional>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "driftless/io/model_sections.hpp"
#include "driftless/model/mechanism_check.hpp"
#include "driftless/model/names.hpp"

// The sections of mechanisms: bodies, joints, points, start values. Entries are kept as they stand.

namespace driftless {
namespace {

using Kind = TomlNode::Kind;

void read_points(const TomlNode& table, ModelFile& file, FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    file.mechanism->points.push_back(
        {entry.key, read_value(join_key("points", entry.key), entry.value, findings), entry.where});
  }
}

// ---- [body.NAME], [joint.NAME], ... ---------------------------------------------------------------

/// A word; anything else is noted here, and its place says that it was given.
void read_type(const std::string& key, const TomlNode& node, ElementSpec& element,
               FindingList& findings) {
  constexpr std::string_view kWanted = "a word in quotes, such as \"revolute\"";
  element.type_where = node.where;
  if (node.kind != Kind::text) {
    findings.add_wrong_kind(key, node, kWanted);
  } else if (node.text.empty()) {
    findings.add(node.where, fmt::format("{} is empty; wanted: {}", key, kWanted));
  } else {
    element.type = node.text;
  }
}

void read_elements(std::string_view section, const TomlNode& table, std::vector<ElementSpec>& into,
                   FindingList& findings) {
  for (const TomlEntry& declared : table.entries) {
    const std::string key = join_key(section, declared.key);
    if (declared.value.kind != Kind::table) {
      findings.add_wrong_kind(key, declared.value,
                              fmt::format("a section, [{}.NAME], with its entries", section));
      // Others may refer to it. What it lacks is told at the same place, which is once too often and left out.
      ElementSpec stand_in;
      stand_in.name = declared.key;
      stand_in.where = declared.value.where;
      stand_in.type_where = declared.value.where;
      into.push_back(std::move(stand_in));
      continue;
    }
    ElementSpec element;
    element.name = declared.key;
    element.where = declared.where;
    for (const TomlEntry& entry : declared.value.entries) {
      const std::string entry_key = join_key(key, entry.key);
      if (entry.key == "type" && section != "body") {
        read_type(entry_key, entry.value, element, findings);
      } else {
        element.entries.emplace_back(entry.key, read_value(entry_key, entry.value, findings));
      }
    }
    into.push_back(std::move(element));
  }
}

void read_bodies(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_elements("body", table, file.mechanism->bodies, findings);
}

void read_joints(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_elements("joint", table, file.mechanism->joints, findings);
}

void read_constraints(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_elements("constraint", table, file.mechanism->constraints, findings);
}

void read_forces(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_elements("force", table, file.mechanism->forces, findings);
}

void read_measures(const TomlNode& table, ModelFile& file, FindingList& findings) {
  read_elements("measure", table, file.mechanism->measures, findings);
}

// ---- dotted keys ----------------------------------------------------------------------------------

/// An entry by its dotted name: A.angle = 1 is to TOML a table A with an entry `angle`.
struct DottedEntry {
  std::string name;
  const TomlEntry* entry;
};

/// { value = ..., priority = ... } is one value, not a table of them.
bool is_single_value(const TomlNode& node) {
  return node.kind != Kind::table || find_entry(node, "value") != nullptr ||
         find_entry(node, "priority") != nullptr;
}

void collect_dotted(std::string_view section, const TomlNode& table, const std::string& prefix,
                    std::vector<DottedEntry>& into, FindingList& findings) {
  for (const TomlEntry& entry : table.entries) {
    const std::string name = prefix + entry.key;
    if (is_single_value(entry.value)) {
      into.push_back({name, &entry});
    } else if (entry.value.entries.empty()) {
      findings.add(entry.where, fmt::format("{} is an empty table", join_key(section, name)));
    } else {
      collect_dotted(section, entry.value, name + ".", into, findings);
    }
  }
}

/// In the file's order, also where A.angle, B.angle and A.rate alternate.
std::vector<DottedEntry> find_dotted(std::string_view section, const TomlNode& table,
                                     FindingList& findings) {
  std::vector<DottedEntry> found;
  collect_dotted(section, table, "", found, findings);
  std::stable_sort(found.begin(), found.end(), [](const DottedEntry& a, const DottedEntry& b) {
    return std::tie(a.entry->where.line, a.entry->where.column) <
           std::tie(b.entry->where.line, b.entry->where.column);
  });
  return found;
}

void read_start(const TomlNode& table, ModelFile& file, FindingList& findings) {
  for (const DottedEntry& dotted : find_dotted("start", table, findings)) {
    const TomlEntry& entry = *dotted.entry;
    file.mechanism->start.push_back(
        {dotted.name, read_value(join_key("start", dotted.name), entry.value, findings),
         entry.where});
  }
}

/// Runs last: its keys are the result's columns, of which all but the part after the dot is known.
void read_display(const TomlNode& table, ModelFile& file, FindingList& findings) {
  std::vector<std::string> owners = {"t",         "phi",  "phi_dot", "energy_error",
                                     "sigma_min", "step", "order"};
  for (std::string& name : find_element_names(*file.mechanism)) owners.push_back(std::move(name));
  for (const NamedText& record : file.mechanism->records) owners.push_back(record.name);
  for (const ConservedSpec& conserved : file.mechanism->conserved) owners.push_back(conserved.name);
  const std::unordered_set<std::string> known(owners.begin(), owners.end());
  for (const DottedEntry& dotted : find_dotted("display", table, findings)) {
    const std::string owner(find_owner(dotted.name));
    if (known.contains(owner)) {
      read_display_entry(*dotted.entry, dotted.name, file, findings);
    } else {
      findings.add_unknown("display", {owner, dotted.entry->where, {}}, owners);
    }
  }
}

constexpr std::array<Section, 8> kMechanismSections{{
    {"body", read_bodies, true},
    {"joint", read_joints, true},
    {"constraint", read_constraints, true},
    {"force", read_forces, true},
    {"measure", read_measures, true},
    {"points", read_points},
    {"start", read_start},
    {"display", read_display},
}};

/// The first place that is given, of a body or of whatever is attached to one, has two numbers.
bool is_drawn_in_plane(const TomlNode& node) {
  const std::function<int(const TomlNode&)> count = [&](const TomlNode& table) {
    for (const TomlEntry& entry : table.entries) {
      const bool is_place = entry.key == "at" || entry.key == "centre" || entry.key == "gravity";
      if (is_place && entry.value.kind == Kind::list)
        return static_cast<int>(entry.value.items.size());
      if (const int inner = count(entry.value); inner > 0) return inner;
    }
    return 0;
  };
  return count(node) == 2;
}

}  // namespace

std::span<const Section> mechanism_sections() { return kMechanismSections; }

namespace {

/// coordinates = "joint" and the joints that are cut then.
void read_coordinate_kind(const TomlNode& root, MechanismModel& mechanism, FindingList& findings) {
  const TomlEntry* kind = find_entry(root, "coordinates");
  if (kind != nullptr && kind->value.kind == Kind::text) {
    const TomlNode& value = kind->value;
    mechanism.joint_coordinates = value.text == "joint";
    if (!mechanism.joint_coordinates && value.text != "absolute") {
      findings.add(value.where, fmt::format("coordinates = '{}' is not known", shorten(value.text)),
                   suggest_name(value.text, {"absolute", "joint"}));
    }
  }
  const TomlEntry* cut = find_entry(root, "cut");
  if (cut == nullptr) return;
  const TomlNode& value = cut->value;
  if (value.kind == Kind::text) {
    mechanism.cut.push_back({value.text, value.where});
  } else if (value.kind == Kind::list) {
    for (const TomlNode& each : value.items) {
      if (each.kind != Kind::text) {
        findings.add_wrong_kind("cut", each, "the name of a joint");
      } else {
        mechanism.cut.push_back({each.text, each.where});
      }
    }
  } else {
    findings.add_wrong_kind("cut", value, "a list of joints' names");
  }
}

}  // namespace

void read_mechanism_keys(const TomlNode& root, MechanismModel& mechanism, FindingList& findings) {
  if (const TomlEntry* entry = find_entry(root, "gravity")) {
    mechanism.gravity = read_value("gravity", entry->value, findings);
  }
  read_coordinate_kind(root, mechanism, findings);
  const TomlEntry* entry = find_entry(root, "space");
  if (entry == nullptr) return;
  const TomlNode& value = entry->value;
  if (value.kind != Kind::text) {
    findings.add_wrong_kind("space", value, "\"plane\" or \"space\"");
    mechanism.plane = is_drawn_in_plane(root);
    return;
  }
  mechanism.plane = value.text == "plane";
  if (mechanism.plane || value.text == "space") return;
  findings.add(value.where, fmt::format("space = '{}' is not known", shorten(value.text)),
               suggest_name(value.text, {"plane", "space"}));
  const std::string meant = find_nearest(value.text, {"plane", "space"});
  mechanism.plane = meant.empty() ? is_drawn_in_plane(root) : meant == "plane";
}

}  // namespace driftless
