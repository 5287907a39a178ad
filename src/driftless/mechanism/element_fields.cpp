// The types that an element's field may have, each read from a file's value.

#include <fmt/format.h>

#include "driftless/mechanism/element_reader.hpp"
#include "driftless/model/names.hpp"

namespace driftless {
namespace {

void replace(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) {
    text.replace(at, what.size(), by);
  }
}

}  // namespace

std::string ElementReader::find_unit(std::string_view unit) const {
  std::string text(unit);
  if (!knows_coordinate_ && text.find('<') != std::string::npos) return std::string(kAnyUnit);
  replace(text, "<effort>", coordinate_is_angle_ ? "N*m" : "N");
  replace(text, "<coordinate>", coordinate_is_angle_ ? "rad" : "m");
  return text;
}

bool ElementReader::read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                               double& member) {
  const Value* value = take(key);
  if (value != nullptr) member = read_number(*value, key, unit, bounds);
  return value != nullptr;
}

bool ElementReader::read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                               std::optional<double>& member) {
  const Value* value = take(key);
  if (value != nullptr) member = read_number(*value, key, unit, bounds);
  return value != nullptr;
}

bool ElementReader::read_field(std::string_view key, const std::string& /*unit*/,
                               const Bounds& /*bounds*/, bool& member) {
  const Value* value = take(key);
  if (value == nullptr) return false;
  if (value->is_flag()) {
    member = value->flag();
  } else {
    fault(value->where,
          fmt::format("{}.{} is {}; wanted: true or false", path_, key, value->kind()));
  }
  return true;
}

bool ElementReader::read_field(std::string_view key, const std::string& /*unit*/,
                               const Bounds& /*bounds*/, MeasureName& member) {
  const Value* value = take(key);
  if (value == nullptr) return false;
  if (value->is_text()) {
    member = {value->text(), value->where};
  } else {
    fault(value->where,
          fmt::format("{}.{} is {}; wanted: the name of a measure, such as \"A.angle\"", path_, key,
                      value->kind()));
  }
  return true;
}

bool ElementReader::read_field(std::string_view key, const std::string& /*unit*/,
                               const Bounds& /*bounds*/, std::vector<MeasureName>& member) {
  const Value* value = take(key);
  if (value == nullptr) return false;
  bool fits = value->is_list();
  if (fits) {
    for (const Value& item : value->list()) {
      fits = fits && item.is_text();
      if (item.is_text()) member.push_back({item.text(), item.where});
    }
  }
  if (!fits) {
    fault(value->where,
          fmt::format("{}.{}: wanted: a list of names, such as [\"A.angle\", \"B.angle\"]", path_,
                      key));
  }
  return true;
}

/// A formula without anything that changes is a number like any other, and its unit must fit. What a formula of t and
/// measures has for a dimension is not known.
void ElementReader::check_formula_unit(const Value& value, std::string_view key,
                                       const std::string& unit) {
  if (!value.is_text() || unit.empty() || unit == kAnyUnit) return;
  Quantity quantity;
  try {
    quantity = context_.parameters.evaluate({value.text(), value.where});
  } catch (const ModelError&) {
    return;  // of t and measures; or wrong, which whoever parses it says
  }
  if (quantity.dimension) read_number(value, key, unit);
}

bool ElementReader::read_formula(const Value& value, std::string_view key, const std::string& unit,
                                 Formula& formula) {
  formula.where = value.where;
  check_formula_unit(value, key, unit);
  if (value.is_number()) {
    formula.text = fmt::format("{}", value.number());
  } else if (value.is_text() && !value.text().empty()) {
    formula.text = value.text();
  } else {
    fault(value.where, fmt::format("{}.{} is {}; wanted: a number or a text with an expression",
                                   path_, key, value.is_text() ? "empty" : value.kind()));
    return false;
  }
  return true;
}

bool ElementReader::read_field(std::string_view key, const std::string& unit,
                               const Bounds& /*bounds*/, Formula& member) {
  const Value* value = take(key);
  if (value != nullptr) read_formula(*value, key, unit, member);
  return value != nullptr;
}

bool ElementReader::read_field(std::string_view key, const std::string& unit,
                               const Bounds& /*bounds*/, FormulaVector& member) {
  const Value* value = take(key);
  if (value == nullptr) return false;
  if (!value->is_list()) {
    Formula formula;
    if (read_formula(*value, key, unit, formula)) member.entries.push_back(std::move(formula));
    return true;
  }
  for (const Value& item : value->list()) {
    Formula formula;
    if (read_formula(item, key, unit, formula)) member.entries.push_back(std::move(formula));
  }
  return true;
}

bool ElementReader::read_field(std::string_view key, const std::string& /*unit*/,
                               const Bounds& /*bounds*/, MatrixField& member) {
  const Value* value = take(key);
  if (value == nullptr) return false;
  member.where = value->where;
  if (!value->is_list() || value->list().empty()) {
    fault(value->where, fmt::format("{}.{} is {}; wanted: a list of rows, or of the diagonal",
                                    path_, key, value->is_list() ? "empty" : value->kind()));
    return true;
  }
  const Value::List& list = value->list();
  const bool is_diagonal = !list.front().is_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<double> row;
    if (is_diagonal) {
      row.assign(list.size(), 0.0);
      row[i] = read_number(list[i], key, "");
    } else if (list[i].is_list()) {
      for (const Value& item : list[i].list()) row.push_back(read_number(item, key, ""));
    } else {
      fault(list[i].where, fmt::format("{}.{}: row {} is {}; wanted: a list of numbers", path_, key,
                                       i + 1, list[i].kind()));
    }
    member.rows.push_back(std::move(row));
  }
  return true;
}

bool ElementReader::read_field(std::string_view key, const std::string& /*unit*/,
                               const Bounds& /*bounds*/, Choice& member) {
  const Value* value = take(key);
  if (value == nullptr) return false;
  std::vector<std::string> known(member.words.begin(), member.words.end());
  if (!value->is_text()) {
    fault(value->where, fmt::format("{}.{} is {}; wanted: a word", path_, key, value->kind()),
          suggest_name("", known));
    return true;
  }
  for (const std::string_view word : member.words) {
    if (word != value->text()) continue;
    member.word = word;
    return true;
  }
  fault(value->where, fmt::format("{}.{} = '{}' is not known", path_, key, shorten(value->text())),
        suggest_name(value->text(), known));
  return true;
}

}  // namespace driftless
