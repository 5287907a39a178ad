#pragma once
// The sections of a model file, one function each: those of every model (model_common_sections.cpp), of equation models
// (model_equation_sections.cpp) and of mechanisms (model_mechanism_sections.cpp).

#include <span>
#include <string_view>

#include "driftless/io/model_fields.hpp"
#include "driftless/io/toml_tree.hpp"
#include "driftless/model/equation_model.hpp"

namespace driftless {

/// Reads all sections of the root table into `file` (whose path is set) and notes whatever is
/// wrong.
void read_sections(const TomlNode& root, ModelFile& file, DiagnosticList& noted);

struct Section {
  std::string_view name;
  void (*read)(const TomlNode& table, ModelFile& file, FindingList& findings);
  bool has_names = false;  ///< [body.NAME]
};

/// In the order of reading: the common ones come first.
std::span<const Section> common_sections();
std::span<const Section> equation_sections();
std::span<const Section> mechanism_sections();

/// Keys that stand above the sections: those of every model, and those of mechanisms.
std::span<const std::string_view> common_keys();
std::span<const std::string_view> mechanism_keys();
/// Keys and sections that only a mechanism has.
std::span<const std::string_view> mechanism_marks();

/// `space` and `gravity`, which stand above the sections. A space that is not known is guessed.
void read_mechanism_keys(const TomlNode& root, MechanismModel& mechanism, FindingList& findings);

/// NAME = number or expression, for each entry of a section.
void read_named(std::string_view section, const TomlNode& table, std::vector<NamedText>& into,
                FindingList& findings);

/// A unit for a column that exists.
void read_display_entry(const TomlEntry& entry, std::string_view column, ModelFile& file,
                        FindingList& findings);

}  // namespace driftless
