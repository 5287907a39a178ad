#pragma once
// TOML as a plain tree in the file's order, each key and value with its place. toml++ (a heavy
// header that sorts keys) is seen by toml_tree.cpp only.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

struct TomlEntry;

struct TomlNode {
  enum class Kind { number, flag, text, date, list, table };

  Kind kind = Kind::table;
  bool flag = false;       ///< value of true or false
  bool is_inline = false;  ///< of a table: written { ... } rather than under a [header]
  double number =
      0.0;           ///< may be nan or infinite: whoever reads it refuses that with the key's name
  std::string text;  ///< a text, or a number with the fewest digits that give it back exactly
  std::vector<TomlNode> items;     ///< of a list
  std::vector<TomlEntry> entries;  ///< of a table, in the file's order
  Source where;                    ///< of a text: its first character, after the quote
};

struct TomlEntry {
  std::string key;
  Source where;  ///< of the key
  TomlNode value;
};

/// "a number", "true or false", "a text", "a date", "a list", "a table".
std::string to_string(TomlNode::Kind kind);

/// The root table. Throws ModelError for anything that is not TOML or goes beyond the bounds of
/// toml_scan.hpp.
TomlNode parse_toml(std::string_view text, const std::string& path);

/// Likewise, but keys and sections that are given twice are told to `findings` and left out, so that the rest is read, too.
TomlNode parse_toml(std::string_view text, const std::string& path, DiagnosticList& findings);

const TomlEntry* find_entry(const TomlNode& table, std::string_view key);

}  // namespace driftless
