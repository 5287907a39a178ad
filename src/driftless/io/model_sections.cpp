#include "driftless/io/model_sections.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "driftless/model/element_types.hpp"
#include "driftless/model/mechanism_check.hpp"
#include "driftless/model/model_check.hpp"

namespace driftless {

namespace {

using Kind = TomlNode::Kind;

constexpr std::string_view kFormatLine = R"(format = "driftless/1")";

/// A newer format is thrown at once: whatever else looks wrong may be right there.
void check_format(const TomlNode& root, FindingList& findings) {
  const TomlEntry* entry = find_entry(root, "format");
  if (entry == nullptr) {
    const bool misspelt = std::any_of(
        root.entries.begin(), root.entries.end(),
        [](const TomlEntry& each) { return find_nearest(each.key, {"format"}) == "format"; });
    if (misspelt) return;
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

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 3> kCommonKeys{"format", "name", "description"};
constexpr std::array<std::string_view, 3> kMechanismKeys{"space", "gravity", "cut"};

constexpr std::array<std::string_view, 5> kEquationMarks{"coordinates", "state", "energy",
                                                         "matrices", "velocity_constraint"};
constexpr std::array<std::string_view, 8> kMechanismMarks{"space", "gravity", "cut",   "points",
                                                          "body",  "joint",   "start", "measure"};

/// coordinates = "joint" is of a mechanism, [coordinates] of equations.
bool chooses_coordinates(const TomlEntry& entry) {
  return entry.key == "coordinates" && entry.value.kind == Kind::text;
}

/// Only a mechanism has such a key or section.
bool is_of_mechanism(const TomlEntry& entry) {
  if (contains(kMechanismMarks, entry.key) || chooses_coordinates(entry)) return true;
  // [force.spring] with a type: a force between bodies. In an equation model the entries of [force]
  // are expressions.
  if (entry.key != "force" && entry.key != "constraint") return false;
  return std::any_of(
      entry.value.entries.begin(), entry.value.entries.end(),
      [](const TomlEntry& part) { return find_entry(part.value, "type") != nullptr; });
}

bool is_of_equations(const TomlEntry& entry) {
  return contains(kEquationMarks, entry.key) && !chooses_coordinates(entry);
}

std::string show_key(const TomlEntry& entry) {
  return entry.value.kind == Kind::table ? fmt::format("[{}]", shorten(entry.key))
                                         : shorten(entry.key);
}

/// What a file describes, and the keys that belong to the other kind.
struct FileKind {
  bool mechanism = false;
  std::vector<const TomlEntry*> foreign;
};

/// Bodies and joints decide; without them, equations do.
FileKind find_kind(const TomlNode& root, FindingList& findings) {
  std::vector<const TomlEntry*> mechanism;
  std::vector<const TomlEntry*> equations;
  bool has_bodies = false;
  for (const TomlEntry& entry : root.entries) {
    if (is_of_mechanism(entry)) mechanism.push_back(&entry);
    if (is_of_equations(entry)) equations.push_back(&entry);
    has_bodies = has_bodies || entry.key == "body" || entry.key == "joint";
  }
  FileKind kind;
  kind.mechanism = has_bodies || (!mechanism.empty() && equations.empty());
  kind.foreign = kind.mechanism ? equations : mechanism;
  if (kind.foreign.empty()) return kind;
  const auto show = [](const std::vector<const TomlEntry*>& entries) {
    std::vector<std::string> shown;
    for (const TomlEntry* entry : entries) shown.push_back(show_key(*entry));
    return fmt::format("{}", fmt::join(shown, ", "));
  };
  findings.add(
      kind.foreign.front()->where,
      fmt::format("a model is either a mechanism ({}) or equations ({}); this file has both",
                  show(mechanism), show(equations)),
      kind.mechanism ? fmt::format("with bodies and joints it must be a mechanism: remove {}",
                                   show(kind.foreign))
                     : fmt::format("without bodies and joints it must be an equation model: remove "
                                   "{}",
                                   show(kind.foreign)));
  return kind;
}

std::vector<std::string> list_root_keys(bool mechanism) {
  std::vector<std::string> known(kCommonKeys.begin(), kCommonKeys.end());
  for (const Section& section : common_sections()) known.emplace_back(section.name);
  if (mechanism) {
    known.insert(known.end(), kMechanismKeys.begin(), kMechanismKeys.end());
    for (const Section& section : mechanism_sections()) known.emplace_back(section.name);
  } else {
    for (const Section& section : equation_sections()) known.emplace_back(section.name);
  }
  return known;
}

bool is_known_key(const TomlEntry& entry) {
  const auto is_name = [&](const Section& section) { return section.name == entry.key; };
  const auto has = [&](std::span<const Section> list) {
    return std::any_of(list.begin(), list.end(), is_name);
  };
  return contains(kCommonKeys, entry.key) || contains(kMechanismKeys, entry.key) ||
         has(common_sections()) || has(mechanism_sections()) || has(equation_sections());
}

/// The kind of element that a table is by its type; empty if it is none.
std::string find_kind_of(const TomlNode& table) {
  const TomlEntry* type = find_entry(table, "type");
  for (const std::string_view kind : {"joint", "constraint", "force", "measure"}) {
    if (type != nullptr && find_element_type(kind, type->value.text) != nullptr)
      return std::string(kind);
  }
  return {};
}

/// By its entries; empty if they do not tell.
std::string guess_by_content(const TomlNode& table) {
  for (const TomlEntry& part : table.entries) {
    if (part.value.kind == Kind::number) return "parameters";
    if (std::string kind = find_kind_of(part.value); !kind.empty()) return kind;
    if (find_entry(part.value, "mass") != nullptr) return "body";
  }
  return {};
}

/// The section that an unknown one is meant to be, by its name or else by what it contains; empty if neither tells.
std::string guess_section(const TomlEntry& entry) {
  std::vector<std::string> known = list_root_keys(true);
  for (std::string& each : list_root_keys(false)) known.push_back(std::move(each));
  std::string nearest = find_nearest(entry.key, known);
  if (entry.value.kind != Kind::table) return nearest;
  std::string content = guess_by_content(entry.value);
  constexpr std::array<std::string_view, 5> kOfTables{"body", "joint", "constraint", "force",
                                                      "measure"};
  const bool fits = content != "parameters" || !contains(kOfTables, nearest);
  return !nearest.empty() && fits ? nearest : content;
}

TomlEntry* find_entry(TomlNode& table, std::string_view key) {
  return const_cast<TomlEntry*>(find_entry(static_cast<const TomlNode&>(table), key));
}

/// Unknown keys and sections under the names they are meant to have, so that what stands in them is read, missed by
/// nobody, and judged with the rest of the file. What cannot be guessed is left out.
TomlNode rename_unknown(const TomlNode& root) {
  TomlNode renamed = root;
  renamed.entries.clear();
  std::vector<TomlEntry> guessed;
  for (const TomlEntry& entry : root.entries) {
    if (is_known_key(entry)) {
      renamed.entries.push_back(entry);
    } else if (std::string meant = guess_section(entry); !meant.empty()) {
      guessed.push_back({std::move(meant), entry.where, entry.value});
    }
  }
  for (TomlEntry& entry : guessed) {
    TomlEntry* present = find_entry(renamed, entry.key);
    if (present == nullptr) {
      renamed.entries.push_back(std::move(entry));
    } else if (present->value.kind == Kind::table && entry.value.kind == Kind::table) {
      std::move(entry.value.entries.begin(), entry.value.entries.end(),
                std::back_inserter(present->value.entries));
    }
  }
  return renamed;
}

void check_root_keys(const TomlNode& root, bool mechanism, FindingList& findings) {
  const std::vector<std::string> known = list_root_keys(mechanism);
  for (const TomlEntry& entry : root.entries) {
    if (is_known_key(entry)) continue;
    const std::string_view what = entry.value.kind == Kind::table ? "section" : "key";
    std::string remedy = suggest_name(entry.key, known);
    const std::string meant = guess_section(entry);
    if (!meant.empty() && find_nearest(entry.key, known) != meant) {
      remedy = fmt::format("by what it contains it is [{}{}]", meant,
                           meant == "parameters" ? "" : ".NAME");
    }
    if (const std::string kind = find_kind_of(entry.value); meant.empty() && !kind.empty())
      remedy = fmt::format("write [{}.{}]", kind, entry.key);
    findings.add(entry.where, fmt::format("{}: there is no such {}", show_key(entry), what),
                 std::move(remedy));
  }
}

/// Without these the names that are used elsewhere cannot be judged.
constexpr std::array<std::string_view, 4> kDeclaringSections{"parameters", "points", "body",
                                                             "coordinates"};

void read_all(std::span<const Section> sections, const TomlNode& root, const FileKind& kind,
              ModelFile& file, FindingList& findings) {
  for (const Section& section : sections) {
    const TomlEntry* entry = find_entry(root, section.name);
    if (entry == nullptr) continue;
    if (std::find(kind.foreign.begin(), kind.foreign.end(), entry) != kind.foreign.end()) continue;
    if (entry->value.kind == Kind::table) {
      section.read(entry->value, file, findings);
    } else {
      findings.add_wrong_kind(
          section.name, entry->value,
          fmt::format("a section [{}{}]", section.name, section.has_names ? ".NAME" : ""));
      file.doubtful = file.doubtful || contains(kDeclaringSections, section.name);
    }
  }
}

}  // namespace

std::span<const std::string_view> common_keys() { return kCommonKeys; }
std::span<const std::string_view> mechanism_keys() { return kMechanismKeys; }
std::span<const std::string_view> mechanism_marks() { return kMechanismMarks; }

void read_sections(const TomlNode& given, ModelFile& file, DiagnosticList& noted) {
  FindingList findings;
  check_format(given, findings);
  const bool all_known = std::all_of(given.entries.begin(), given.entries.end(), is_known_key);
  const TomlNode renamed = all_known ? TomlNode() : rename_unknown(given);
  const TomlNode& root = all_known ? given : renamed;
  const FileKind kind = find_kind(root, findings);
  check_root_keys(given, kind.mechanism, findings);
  if (kind.mechanism) {
    // With the name, folder and place that are known before the file is read.
    static_cast<ModelCommon&>(file.mechanism.emplace()) = file.model;
    read_mechanism_keys(root, *file.mechanism, findings);
  }
  if (const TomlEntry* entry = find_entry(root, "name")) {
    const std::string name = read_words("name", entry->value, findings);
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
    if (std::any_of(name.begin(), name.end(), is_control)) {
      findings.add(entry->value.where, "name contains a control character, such as a line end",
                   "a name is one line of printable characters");
    } else if (!name.empty()) {  // left empty: the file's own
      file.common().name = name;
    }
  }
  if (const TomlEntry* entry = find_entry(root, "description")) {
    file.common().description = read_words("description", entry->value, findings);
  }
  read_all(common_sections(), root, kind, file, findings);
  read_all(kind.mechanism ? mechanism_sections() : equation_sections(), root, kind, file, findings);
  if (!file.doubtful) {
    Findings further =
        file.mechanism ? find_mechanism_errors(*file.mechanism) : find_model_errors(file.model);
    // What is missing altogether stands where the file begins; elsewhere one mistake is told once.
    const auto elsewhere = std::stable_partition(
        further.begin(), further.end(),
        [&](const Diagnostic& each) { return each.where.line == 1 && each.where.column == 1; });
    const Findings missing(further.begin(), elsewhere);
    further.erase(further.begin(), elsewhere);
    if (!further.empty()) findings.add_further(ModelError(std::move(further)));
    findings.add(missing);
  }
  noted.add(findings);
}

}  // namespace driftless
