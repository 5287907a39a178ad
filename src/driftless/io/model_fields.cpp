#include "driftless/io/model_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/model/names.hpp"

namespace driftless {

namespace {

using Kind = TomlNode::Kind;

constexpr std::string_view kNumberOrText = "a number or a text with an expression";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool check_finite(std::string_view key, const TomlNode& node, FindingList& findings) {
  if (std::isfinite(node.number)) return true;
  const bool overflow = node.text.find_first_of("0123456789") != std::string::npos;
  if (overflow) {
    findings.add(node.where,
                 fmt::format("{} = {}: too large or too small for a number", key, node.text),
                 "numbers range from about 1e-307 to 1e308");
  } else {
    findings.add(node.where, fmt::format("{} = {}: must be a finite number", key, node.text),
                 "nan and inf are no values of a model: give the number that is meant");
  }
  return false;
}

}  // namespace

void FindingList::add(std::vector<Diagnostic> findings) {
  for (Diagnostic& finding : findings) add(std::move(finding));
}

void FindingList::add_unknown(std::string_view section, const TomlEntry& entry,
                              const std::vector<std::string>& known) {
  add(entry.where, fmt::format("{}: there is no such key", join_key(section, entry.key)),
      size() < kMaxSuggestions ? suggest_name(entry.key, known) : std::string());
}

void FindingList::add_wrong_kind(std::string_view key, const TomlNode& found,
                                 std::string_view wanted) {
  add(found.where, fmt::format("{} is {}; wanted: {}", key, to_string(found.kind), wanted));
}

std::string join_key(std::string_view section, std::string_view key) {
  if (section.empty()) return shorten(key);
  return fmt::format("{}.{}", section, shorten(key));
}

Text read_text(std::string_view key, const TomlNode& node, FindingList& findings) {
  if (node.kind == Kind::number) {
    if (check_finite(key, node, findings)) return {node.text, node.where};
  } else if (node.kind != Kind::text) {
    findings.add_wrong_kind(key, node, kNumberOrText);
  } else if (is_blank(node.text)) {
    findings.add(node.where, fmt::format("{} is empty; wanted: {}", key, kNumberOrText));
  } else {
    return {node.text, node.where};
  }
  return {"0", node.where, true};
}

std::vector<Text> read_texts(std::string_view key, const TomlNode& node, FindingList& findings) {
  if (node.kind != Kind::list) return {read_text(key, node, findings)};
  if (node.items.empty()) findings.add(node.where, fmt::format("{} is an empty list", key));
  std::vector<Text> texts;
  texts.reserve(node.items.size());
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    texts.push_back(read_text(fmt::format("{}[{}]", key, i + 1), node.items[i], findings));
  }
  return texts;
}

std::string read_words(std::string_view key, const TomlNode& node, FindingList& findings) {
  if (node.kind == Kind::text) return node.text;
  findings.add_wrong_kind(key, node, "a text in quotes");
  return {};
}

namespace {

MatrixText make_diagonal(const std::vector<Text>& diagonal) {
  MatrixText matrix(diagonal.size());
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    matrix[i].assign(diagonal.size(), Text{"0", diagonal[i].where});
    matrix[i][i] = diagonal[i];
  }
  return matrix;
}

MatrixText make_zero(std::size_t n, const Source& where) {
  return MatrixText(n, std::vector<Text>(n, Text{"0", where}));
}

MatrixText read_diagonal(std::string_view key, const TomlNode& node, std::size_t n,
                         FindingList& findings) {
  const std::vector<Text> diagonal = read_texts(key, node, findings);
  if (diagonal.size() == n) return make_diagonal(diagonal);
  findings.add(node.where, fmt::format("{} has {} diagonal entries; {} wanted, one per coordinate",
                                       key, diagonal.size(), n));
  return make_zero(n, node.where);
}

}  // namespace

MatrixText read_matrix(std::string_view key, const TomlNode& node, bool diagonal, std::size_t n,
                       FindingList& findings) {
  // Without coordinates there is no shape to check; that they are missing is reported elsewhere.
  if (n == 0) return {{Text{"0", node.where}}};
  // Every entry is kept as a text with its place; beyond this a file is the wrong home for a
  // matrix.
  constexpr std::size_t kMaxRows = 1000;
  if (n > kMaxRows) {
    findings.add(node.where,
                 fmt::format("{} would have {} rows; at most {} are read", key, n, kMaxRows),
                 "write the energy as an expression instead");
    return {{Text{"0", node.where}}};
  }
  const bool is_list = node.kind == Kind::list;
  const auto is_row = [](const TomlNode& item) { return item.kind == Kind::list; };
  const bool any_rows = is_list && std::any_of(node.items.begin(), node.items.end(), is_row);
  const bool all_rows = is_list && std::all_of(node.items.begin(), node.items.end(), is_row);
  const bool is_single = node.kind == Kind::number || node.kind == Kind::text;
  const bool is_flat = is_list && !any_rows && !node.items.empty();
  if (diagonal && (is_single || is_flat)) {
    return read_diagonal(key, node, n, findings);
  }
  if (!is_list || !all_rows || node.items.empty()) {
    const std::string_view wanted =
        diagonal ? "a list of rows such as [[2, 0], [0, 1]], or the diagonal alone: [2, 1]"
                 : "a list of rows such as [[2, 0], [0, 1]]";
    if (is_list) {
      findings.add(node.where, fmt::format("{} is not {}", key, wanted));
    } else {
      findings.add_wrong_kind(key, node, wanted);
    }
    return make_zero(n, node.where);
  }
  MatrixText matrix;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    matrix.push_back(read_texts(fmt::format("{}[{}]", key, i + 1), node.items[i], findings));
  }
  return matrix;
}

Value read_value(std::string_view key, const TomlNode& node, FindingList& findings) {
  Value value;
  value.where = node.where;
  switch (node.kind) {
    case Kind::number:
      check_finite(key, node, findings);
      value.data = node.number;  // not finite: whoever reads it knows it for wrong
      break;
    case Kind::flag: value.data = node.flag; break;
    case Kind::text: value.data = node.text; break;
    case Kind::date:
      findings.add_wrong_kind(key, node, "a number, a text, true or false, a list or a table");
      value.data = std::numeric_limits<double>::quiet_NaN();
      break;
    case Kind::list: {
      Value::List list;
      for (const TomlNode& item : node.items) list.push_back(read_value(key, item, findings));
      value.data = std::move(list);
      break;
    }
    case Kind::table: {
      Value::Table table;
      for (const TomlEntry& entry : node.entries) {
        table.emplace_back(entry.key, read_value(join_key(key, entry.key), entry.value, findings));
      }
      value.data = std::move(table);
      break;
    }
  }
  return value;
}

}  // namespace driftless
