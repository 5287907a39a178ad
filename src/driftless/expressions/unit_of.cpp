// The postfix items run over units. What a number without a unit stands for is the one thing that cannot be seen: in
// "x + 0.3" it is as many metres as x has, but in "(x/0.45)^2" it is a length, in "1000*x" a change of units, in
// "angle/(2*pi)" a turn. So a number that is added takes the unit of the rest, a factor makes it unknown, and only
// halves and small integers are taken for what they look like.
//
// Angles have no dimension (base/units.hpp), so whether something is an angle goes beside it: the angle of r*angle is of no
// interest, and that of angle' is.

#include "driftless/expressions/unit_of.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <optional>

#include "driftless/expressions/syntax.hpp"

namespace driftless {

namespace {

using Kind = SyntaxItem::Kind;

enum class Certainty {
  pure,    // 1 as a factor; what it is added to says what it is
  number,  // a literal: likewise in sums, but as a factor it may be of any unit
  open,    // not known
  certain,
};

struct UnitValue {
  Certainty certainty = Certainty::pure;
  Dimension dimension{};          // if certain
  int angle = 0;                  // power of an angle
  std::string name{};             // the unit by the name it came with: N*m and J have one dimension
  std::optional<double> value{};  // of a literal, which may be an exponent
};

constexpr Dimension kPerSecond{{0, 0, -1, 0, 0}};

UnitValue make_open() { return {.certainty = Certainty::open}; }

UnitValue make_named(std::string_view unit) {
  if (unit.empty()) return make_open();
  const std::optional<Unit> parsed = parse_unit(unit);
  if (!parsed) return make_open();
  const bool is_angle = unit.starts_with("rad");
  if (parsed->dimension == Dimension{} && !is_angle) return {};
  return {.certainty = Certainty::certain,
          .dimension = parsed->dimension,
          .angle = is_angle ? 1 : 0,
          .name = std::string(unit)};
}

UnitValue make_number(const SyntaxItem& item) {
  UnitValue value;
  value.value = item.value;
  if (item.dimension && *item.dimension != Dimension{}) {
    value.certainty = Certainty::certain;
    value.dimension = *item.dimension;
  } else if (!item.dimension) {
    const double twice = 2.0 * item.value;
    const bool is_plain = twice == std::round(twice) && std::fabs(item.value) <= 4.0;
    value.certainty = is_plain ? Certainty::pure : Certainty::number;
  }
  return value;
}

/// Of a sum, or of branches.
UnitValue join(const UnitValue& a, const UnitValue& b) {
  if (a.certainty != Certainty::certain || b.certainty != Certainty::certain) {
    UnitValue value = a.certainty >= b.certainty ? a : b;
    value.value.reset();
    return value;
  }
  if (a.dimension != b.dimension) return make_open();
  UnitValue value = a;
  if (a.angle != b.angle) value.angle = std::max(a.angle, b.angle);
  if (a.name != b.name) value.name = a.name.empty() ? b.name : a.name;
  value.value.reset();
  return value;
}

UnitValue multiply(const UnitValue& a, const UnitValue& b, bool divide) {
  UnitValue value;
  const auto is = [&](Certainty which) { return a.certainty == which || b.certainty == which; };
  if (is(Certainty::open) || (is(Certainty::number) && is(Certainty::certain))) return make_open();
  // "0.5*t" is some rate times the time.
  if ((a.value && b.name == "s") || (b.value && a.name == "s" && !divide)) return make_open();
  if (is(Certainty::number)) {
    value.certainty = Certainty::number;
  } else if (is(Certainty::certain)) {
    value.certainty = Certainty::certain;
    value.dimension = divide ? a.dimension / b.dimension : a.dimension * b.dimension;
    value.angle = divide ? a.angle - b.angle : a.angle + b.angle;
    if (b.certainty == Certainty::pure) value.name = a.name;
    if (a.certainty == Certainty::pure && !divide) value.name = b.name;
    if (value.dimension == Dimension{} && value.angle == 0) return {};
  }
  return value;
}

UnitValue raise(const UnitValue& base, std::optional<double> exponent) {
  if (!exponent) return base.certainty == Certainty::pure ? base : make_open();
  UnitValue value = base;
  value.value.reset();
  value.name.clear();
  if (base.certainty != Certainty::certain) return value;
  const auto scale = [&](int power) -> std::optional<int> {
    const double product = power * *exponent;
    if (product != std::round(product) || std::fabs(product) > 99.0) return {};
    return static_cast<int>(product);
  };
  for (int& power : value.dimension.exponents) {
    const std::optional<int> scaled = scale(power);
    if (!scaled) return make_open();
    power = *scaled;
  }
  value.angle = scale(base.angle).value_or(0);
  if (value.dimension == Dimension{} && value.angle == 0) return {};
  return value;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

UnitValue call(const SyntaxItem& item, const std::vector<UnitValue>& x) {
  if (item.text == "if") return join(x[1], x[2]);
  if (item.text == "step") return join(x[2], x[4]);
  if (is_one_of(item.text, {"atan2", "atan", "asin", "acos"})) return make_named("rad");
  if (is_one_of(item.text, {"min", "max"})) {
    UnitValue value = x[0];
    for (std::size_t k = 1; k < x.size(); ++k) value = join(value, x[k]);
    return value;
  }
  if (item.text == "sqrt") return raise(x[0], 0.5);
  if (item.text != "abs") return {};  // sin, exp, sign, ...
  UnitValue value = x[0];
  value.value.reset();
  return value;
}

UnitValue operate(const SyntaxItem& item, const std::vector<UnitValue>& x) {
  if (item.kind == Kind::table) return make_open();
  if (item.kind == Kind::compare) return {};
  if (item.kind == Kind::negate) {
    UnitValue value = x[0];
    if (value.value) value.value = -*value.value;
    return value;
  }
  switch (item.text[0]) {
    case '+':
    case '-': return join(x[0], x[1]);
    case '*': return multiply(x[0], x[1], false);
    case '/': return multiply(x[0], x[1], true);
    default: return raise(x[0], x[1].value);
  }
}

struct Customary {
  Dimension dimension;
  std::string_view name;
};
constexpr std::array<Customary, 4> kCustomary = {{
    {{{1, 1, -2, 0, 0}}, "N"},
    {{{1, 2, -2, 0, 0}}, "N*m"},  // a torque or an energy
    {{{1, 2, -3, 0, 0}}, "W"},
    {{{1, 0, -2, 0, 0}}, "N/m"},
}};

std::string write_unit(const UnitValue& value) {
  if (value.certainty == Certainty::pure) return "1";
  if (value.certainty != Certainty::certain) return "";
  if (!value.name.empty()) return value.name;
  if (value.angle == 1) {
    if (value.dimension == Dimension{}) return "rad";
    if (value.dimension == kPerSecond) return "rad/s";
    if (value.dimension == kPerSecond * kPerSecond) return "rad/s^2";
  }
  for (const auto& [dimension, name] : kCustomary) {
    if (value.dimension == dimension) return std::string(name);
  }
  return to_string(value.dimension);
}

}  // namespace

std::string find_unit_of(std::string_view text, const Source& where,
                         const std::function<bool(std::string_view)>& is_declared,
                         const FindUnit& unit_of) {
  const PlacedText placed(text, where);
  std::vector<UnitValue> stack;
  for (const SyntaxItem& item : parse_syntax(placed, is_declared, {})) {
    if (item.kind == Kind::number) {
      stack.push_back(make_number(item));
      continue;
    }
    if (item.kind == Kind::name) {
      std::string name(item.text);
      name.append(static_cast<std::size_t>(item.quotes), '\'');
      stack.push_back(make_named(unit_of(name)));
      continue;
    }
    const bool is_unary = item.kind == Kind::negate || item.kind == Kind::table;
    const int count = item.kind == Kind::call ? item.count : is_unary ? 1 : 2;
    const std::vector<UnitValue> x(stack.end() - count, stack.end());
    stack.erase(stack.end() - count, stack.end());
    stack.push_back(item.kind == Kind::call ? call(item, x) : operate(item, x));
  }
  assert(stack.size() == 1);
  return write_unit(stack.back());
}

std::string find_unit_of_rate(std::string_view unit) {
  const UnitValue value = make_named(unit);
  if (value.certainty == Certainty::open) return "";
  return write_unit(multiply(value, make_named("s"), true));
}

}  // namespace driftless
