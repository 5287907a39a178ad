#pragma once
// A reader of JSON and a validator of JSON Schema for tests: the keywords that our schema uses, and no other.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/io/toml_tree.hpp"

namespace driftless::testing {

struct Json {
  enum class Kind { null, flag, number, text, list, object };

  Kind kind = Kind::null;
  bool flag = false;
  double number = 0.0;
  std::string text;
  std::vector<Json> items;
  std::vector<std::pair<std::string, Json>> members;

  const Json* find(std::string_view key) const;
  bool operator==(const Json&) const = default;
};

/// Throws std::runtime_error with the place if the text is not exactly one JSON value.
Json parse_json(std::string_view text);

Json to_json(const TomlNode& node);

/// What of the value the schema refuses, as "/path: why". Throws std::runtime_error for a keyword that it does not know.
std::vector<std::string> find_schema_errors(const Json& schema, const Json& value);

}  // namespace driftless::testing
