#include "driftless/run/option_value.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/model/number.hpp"

namespace driftless {
namespace {

class OptionScope final : public ConstantScope {
 public:
  explicit OptionScope(const OptionContext& context) : context_(context) {}
  std::optional<Quantity> find(std::string_view name) const override {
    for (const auto& [key, value] : context_.names) {
      if (key == name) return Quantity{value, std::nullopt};
    }
    return std::nullopt;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& entry : context_.names) all.push_back(entry.first);
    return all;
  }

 private:
  const OptionContext& context_;
};

[[noreturn]] void refuse(const Value& value, const OptionField& field, const OptionContext& context,
                         const std::string& what, const std::string& remedy) {
  throw ModelError(
      Diagnostic{value.where, fmt::format("{}{}: {}", context.prefix, field.key, what), remedy});
}

}  // namespace

double read_number(const Value& value, const OptionField& field, const OptionContext& context) {
  const OptionScope scope(context);
  return read_number_field(
      value, {fmt::format("{}{}", context.prefix, field.key), field.unit, field.bounds},
      [&](const Text& text) { return evaluate_constant(text.text, text.where, scope); });
}

void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 double& out) {
  out = read_number(value, field, context);
}

void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 std::optional<double>& out) {
  out = read_number(value, field, context);
}

void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 int& out) {
  const double number = read_number(value, field, context);
  if (number != std::floor(number) || std::abs(number) > std::numeric_limits<int>::max()) {
    refuse(value, field, context, fmt::format("{} is not a whole number", number), "");
  }
  out = static_cast<int>(number);
}

void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 std::string& out) {
  if (!value.is_text()) refuse(value, field, context, "a text is wanted, not " + value.kind(), "");
  out = value.text();
}

namespace {

Gain read_gain_table(const Value& value, const OptionField& field, const OptionContext& context) {
  const auto count = static_cast<Eigen::Index>(context.rows.size());
  Gain gain{Matrix::Constant(count, 1, std::numeric_limits<double>::quiet_NaN())};
  for (const auto& [name, entry] : value.table()) {
    const auto found = std::find(context.rows.begin(), context.rows.end(), name);
    if (found == context.rows.end()) {
      refuse(entry, field, context, "there is no constraint '" + name + "'",
             suggest(name, context.rows));
    }
    gain.value(found - context.rows.begin(), 0) = read_number(entry, field, context);
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    if (std::isnan(gain.value(i, 0))) {
      refuse(value, field, context,
             "no gain for constraint '" + context.rows[static_cast<std::size_t>(i)] + "'",
             "name every constraint, or give one number for all");
    }
  }
  return gain;
}

Gain read_gain_list(const Value& value, const OptionField& field, const OptionContext& context) {
  const Value::List& list = value.list();
  if (list.empty()) refuse(value, field, context, "the list is empty", "");
  const std::size_t columns = list.front().is_list() ? list.front().list().size() : 1;
  Gain gain{
      Matrix::Zero(static_cast<Eigen::Index>(list.size()), static_cast<Eigen::Index>(columns))};
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_list()) {
      if (columns != 1) refuse(list[i], field, context, "rows of different kinds", "");
      gain.value(static_cast<Eigen::Index>(i), 0) = read_number(list[i], field, context);
      continue;
    }
    if (list[i].list().size() != columns) {
      refuse(
          list[i], field, context,
          fmt::format("row {} has {} numbers, row 1 has {}", i + 1, list[i].list().size(), columns),
          "");
    }
    for (std::size_t j = 0; j < columns; ++j) {
      gain.value(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          read_number(list[i].list()[j], field, context);
    }
  }
  return gain;
}

}  // namespace

void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 Gain& out) {
  if (value.is_table()) {
    out = read_gain_table(value, field, context);
  } else if (value.is_list()) {
    out = read_gain_list(value, field, context);
  } else {
    out = scalar_gain(read_number(value, field, context));
  }
}

}  // namespace driftless
