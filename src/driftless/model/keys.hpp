#pragma once
// The sections and keys of a model file, the words that mean something in it, and the columns of a result, each with a
// line: for `driftless list keys`,
// `driftless explain` and the reference page.

#include <span>
#include <string_view>

namespace driftless {

struct KeyInfo {
  std::string_view key;  ///< "section" or "section.key"
  std::string_view description;
  std::string_view example;
};
std::span<const KeyInfo> all_keys();

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
