#pragma once
// The sections and keys of a model file, and the columns of a result, each with a line: for `driftless list keys`,
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

struct ColumnInfo {
  std::string_view name;
  std::string_view description;
};
std::span<const ColumnInfo> all_columns();

}  // namespace driftless
