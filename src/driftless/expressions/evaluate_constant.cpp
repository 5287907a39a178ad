// Constant expressions with units: the postfix items run over numbers that know their dimension.

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "driftless/expressions/operations.hpp"
#include "driftless/expressions/syntax.hpp"

namespace driftless {

namespace {

using Kind = SyntaxItem::Kind;

// What is known about a value's dimension.
enum class Knowledge {
  pure,     // a literal or a sine: 1 in products, but "l + 0.5" may add it to a length
  open,     // a parameter written without a unit: it may stand for anything
  certain,  // a unit was written
};

struct Value {
  double value = 0.0;
  Knowledge knowledge = Knowledge::pure;
  Dimension dimension{};              // if certain
  const SyntaxItem* fault = nullptr;  // the first part that is not finite
  const SyntaxItem* item = nullptr;   // where it comes from, for messages
  bool doubtful = false;              // of a name that stands in for a wrong value
};

class ConstantEvaluator {
 public:
  ConstantEvaluator(const PlacedText& text, const ConstantScope& scope)
      : text_(text), scope_(scope) {}

  Quantity evaluate(const std::vector<SyntaxItem>& items) {
    for (const SyntaxItem& item : items) {
      Value value = make_value(item);
      value.item = &item;
      if (value.fault == nullptr && !std::isfinite(value.value)) value.fault = &item;
      stack_.push_back(value);
    }
    assert(stack_.size() == 1);
    const Value& result = stack_.back();
    if (result.fault != nullptr && !result.doubtful) fail_not_finite(text_, *result.fault);
    Quantity quantity;
    quantity.value = result.value;
    quantity.doubtful = result.doubtful;
    if (result.knowledge == Knowledge::certain) quantity.dimension = result.dimension;
    return quantity;
  }

 private:
  std::vector<Value> pop(int count) {
    const auto first = stack_.end() - count;
    std::vector<Value> values(first, stack_.end());
    stack_.erase(first, stack_.end());
    return values;
  }

  static const SyntaxItem* find_fault(const std::vector<Value>& values) {
    for (const Value& value : values)
      if (value.fault != nullptr) return value.fault;
    return nullptr;
  }

  Value make_value(const SyntaxItem& item) {
    if (item.kind == Kind::number) {
      Value value;
      value.value = item.value;
      if (item.dimension) value.knowledge = Knowledge::certain;
      value.dimension = item.dimension.value_or(Dimension{});
      return value;
    }
    if (item.kind == Kind::name) return find_name(item);
    if (item.kind == Kind::table)
      text_.fail(item.begin, "table(...) cannot be used in a constant", "give the number itself");
    const int count = item.kind == Kind::call ? item.count : item.kind == Kind::negate ? 1 : 2;
    const std::vector<Value> x = pop(count);
    Value value = item.kind == Kind::call ? call(item, x) : operate(item, x);
    if (item.text != "if") value.fault = find_fault(x);
    value.doubtful = std::any_of(x.begin(), x.end(), [](const Value& v) { return v.doubtful; });
    return value;
  }

  Value find_name(const SyntaxItem& item) {
    if (item.is_rate)
      text_.fail(item.at, fmt::format("{}': a rate cannot be used in a constant", item.text),
                 "constants contain numbers, units and parameters");
    const std::optional<Quantity> known = scope_.find(item.text);
    if (!known && item.text == "t")
      text_.fail(item.at, "the time t cannot be used in a constant",
                 "constants contain numbers, units and parameters");
    if (!known) fail_unknown_name(text_, item, scope_.names());
    Value value;
    value.value = known->value;
    value.knowledge = known->dimension ? Knowledge::certain : Knowledge::open;
    value.dimension = known->dimension.value_or(Dimension{});
    value.doubtful = known->doubtful;
    return value;
  }

  // -- dimensions --

  std::string describe(const Value& value) const {
    return fmt::format("{} ({})", text_.excerpt(value.item->begin, value.item->end),
                       to_string(value.dimension));
  }

  // The dimension of a sum, of the two branches of a condition, ...
  Value match(const SyntaxItem& item, const Value& a, const Value& b, std::string_view verb) const {
    const bool both = a.knowledge == Knowledge::certain && b.knowledge == Knowledge::certain;
    if (both && a.dimension != b.dimension)
      text_.fail(item.at, fmt::format("cannot {} {} and {}", verb, describe(a), describe(b)),
                 "both must have the same dimension");
    return a.knowledge >= b.knowledge ? a : b;
  }

  void need_pure(const Value& value, std::string_view what) const {
    if (value.knowledge == Knowledge::certain && value.dimension != Dimension{})
      text_.fail(value.item->begin, fmt::format("{} of {}", what, describe(value)),
                 "a number without dimension or an angle is needed: divide by a quantity of the "
                 "same dimension");
  }

  static Value multiply(const Value& a, const Value& b, bool divide) {
    Value value;
    if (a.knowledge == Knowledge::open || b.knowledge == Knowledge::open) {
      value.knowledge = Knowledge::open;
    } else if (a.knowledge == Knowledge::certain || b.knowledge == Knowledge::certain) {
      value.knowledge = Knowledge::certain;
      value.dimension = divide ? a.dimension / b.dimension : a.dimension * b.dimension;
    }
    return value;
  }

  Value raise(const SyntaxItem& item, const Value& base, double exponent) const {
    Value value = base;
    if (base.knowledge != Knowledge::certain) return value;
    for (int& e : value.dimension.exponents) {
      const double power = e * exponent;
      if (!(std::fabs(power) <= 1000) || power != std::round(power))
        text_.fail(item.at,
                   fmt::format("{}: the exponents of units must stay whole numbers up to 1000",
                               text_.excerpt(item.begin, item.end)),
                   fmt::format("the base has the dimension {}", to_string(base.dimension)));
      e = static_cast<int>(power);
    }
    return value;
  }

  // -- operations --

  Value operate(const SyntaxItem& item, const std::vector<Value>& x) const {
    Value value;
    if (item.kind == Kind::negate) {
      value = x[0];
      value.value = -x[0].value;
      return value;
    }
    if (item.kind == Kind::compare) {
      match(item, x[0], x[1], "compare");
      value.value = compare(item.text, x[0].value, x[1].value) ? 1.0 : 0.0;
      return value;
    }
    switch (item.text[0]) {
      case '+':
      case '-':
        value = match(item, x[0], x[1], item.text == "+" ? "add" : "subtract");
        value.value = item.text == "+" ? x[0].value + x[1].value : x[0].value - x[1].value;
        break;
      case '*':
        value = multiply(x[0], x[1], false);
        value.value = x[0].value * x[1].value;
        break;
      case '/':
        value = multiply(x[0], x[1], true);
        value.value = x[0].value / x[1].value;
        break;
      default:
        need_pure(x[1], "a power");
        value = raise(item, x[0], x[1].value);
        value.value = operations::calc_binary(Op::pow, x[0].value, x[1].value);
        break;
    }
    return value;
  }

  static bool compare(std::string_view operation, double a, double b) {
    if (operation == "<") return a < b;
    if (operation == ">") return a > b;
    if (operation == "<=") return a <= b;
    if (operation == ">=") return a >= b;
    return operation == "==" ? a == b : a != b;
  }

  Value call(const SyntaxItem& item, const std::vector<Value>& x) const {
    Value value;
    if (item.text == "if") {
      const Value& taken = x[0].value != 0.0 ? x[1] : x[2];
      value = match(item, x[1], x[2], "choose between");
      value.value = taken.value;
      value.fault = x[0].fault != nullptr ? x[0].fault : taken.fault;
    } else if (item.text == "step") {
      value = calc_step(item, x);
    } else if (item.text == "atan2") {
      match(item, x[0], x[1], "take atan2 of");
      value.value = std::atan2(x[0].value, x[1].value);
    } else if (item.text == "min" || item.text == "max") {
      value = x[0];
      for (std::size_t i = 1; i < x.size(); ++i) {
        const double next = item.text == "min" ? operations::calc_min(value.value, x[i].value)
                                               : operations::calc_max(value.value, x[i].value);
        value = match(item, value, x[i], "compare");
        value.value = next;
      }
    } else {
      value = call_unary(item, x[0]);
    }
    return value;
  }

  Value call_unary(const SyntaxItem& item, const Value& x) const {
    const std::optional<Op> op = find_unary_function(item.text);
    assert(op);
    Value value = *op == Op::sqrt ? raise(item, x, 0.5) : *op == Op::abs ? x : Value{};
    const bool is_of_any_unit = *op == Op::sqrt || *op == Op::abs || *op == Op::sign;
    if (!is_of_any_unit) need_pure(x, item.text);
    value.value = operations::calc_unary(*op, x.value);
    return value;
  }

  Value calc_step(const SyntaxItem& item, const std::vector<Value>& x) const {
    match(item, x[0], x[1], "compare");
    match(item, x[0], x[3], "compare");
    match(item, x[1], x[3], "compare");
    if (!(x[1].value < x[3].value))
      text_.fail(item.at,
                 fmt::format("step from x0 = {} to x1 = {}: x0 must be less than x1", x[1].value,
                             x[3].value),
                 "write step(x, x0, y0, x1, y1) with x0 < x1");
    Value value = match(item, x[2], x[4], "step between");
    const double s = (x[0].value - x[1].value) / (x[3].value - x[1].value);
    value.value = s <= 0.0   ? x[2].value
                  : s >= 1.0 ? x[4].value
                             : x[2].value + (x[4].value - x[2].value) * (s * s * (3.0 - 2.0 * s));
    return value;
  }

  const PlacedText& text_;
  const ConstantScope& scope_;
  std::vector<Value> stack_;
};

}  // namespace

Quantity evaluate_constant(std::string_view text, const Source& where, const ConstantScope& scope,
                           const ExpressionLimits& limits) {
  const PlacedText placed(text, where);
  const auto is_declared = [&scope](std::string_view name) { return scope.find(name).has_value(); };
  return ConstantEvaluator(placed, scope).evaluate(parse_syntax(placed, is_declared, limits));
}

}  // namespace driftless
