#pragma once
// A value as it stands in a file or on the command line, before anybody knows which field it is for: number, flag,
// text, list or table, each with its place.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

struct Value {
  using List = std::vector<Value>;
  using Table = std::vector<std::pair<std::string, Value>>;  ///< in the file's order

  std::variant<double, bool, std::string, List, Table> data = 0.0;
  Source where;

  bool is_number() const { return std::holds_alternative<double>(data); }
  bool is_flag() const { return std::holds_alternative<bool>(data); }
  bool is_text() const { return std::holds_alternative<std::string>(data); }
  bool is_list() const { return std::holds_alternative<List>(data); }
  bool is_table() const { return std::holds_alternative<Table>(data); }

  double number() const { return std::get<double>(data); }
  bool flag() const { return std::get<bool>(data); }
  const std::string& text() const { return std::get<std::string>(data); }
  const List& list() const { return std::get<List>(data); }
  const Table& table() const { return std::get<Table>(data); }

  /// "a number", "a text", ... for messages.
  std::string kind() const;
};

}  // namespace driftless
