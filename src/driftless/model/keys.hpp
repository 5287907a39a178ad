#pragma once
// The sections and keys of a model file, the words that mean something in it, and the columns of a result, each with a
// line: for `driftless list keys`,
// `driftless explain`, reading, the schema and the reference page.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/fields.hpp"
#include "driftless/model/value_kind.hpp"

namespace driftless {

/// How often a key's value stands there.
enum class Entries {
  one,
  named,   ///< once for each name that the user gives: [body.NAME]
  dotted,  ///< once for each dotted name: A.angle
};

struct KeyInfo {
  std::string_view key;  ///< "section" or "section.key"
  std::string_view description;
  std::string_view example;
  ValueKind kind = ValueKind::number;
  std::string_view standard =
      {};  ///< the default as it would stand in the file; "" if there is none
  Entries entries = Entries::one;
  bool needed = false;  ///< must be there if its section is
  Bounds bounds = {};   ///< of a number, or of each number in a list; rows of a matrix have none
};
std::span<const KeyInfo> all_keys();

/// The key of that full name, or null.
const KeyInfo* find_key(std::string_view key);
/// What its number may be: the only place that says so. The key must be known.
const Bounds& find_key_bounds(std::string_view key);
/// Its description, with the bounds: "mass in kg (greater than 0)".
std::string describe_key(const KeyInfo& key);

/// Those directly below a key: "energy" has energy.kinetic, energy.potential, energy.mass.
std::vector<const KeyInfo*> find_keys_below(std::string_view key);
/// Their last words: "kinetic", "potential", "mass".
std::vector<std::string> list_keys_below(std::string_view key);
/// "kinetic" of "energy.kinetic".
std::string_view find_last_word(std::string_view key);

/// A word that a key takes as its value.
struct ValueInfo {
  std::string_view value;
  std::string_view key;
  std::string_view description;
};
std::span<const ValueInfo> all_values();

/// A name with a fixed meaning in expressions.
struct NameInfo {
  std::string_view name;
  std::string_view description;
};
std::span<const NameInfo> all_fixed_names();

struct ColumnInfo {
  std::string_view name;
  std::string_view description;
};
std::span<const ColumnInfo> all_columns();

}  // namespace driftless
