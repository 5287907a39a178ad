#include "driftless/base/units.hpp"

#include <charconv>
#include <cmath>
#include <numbers>
#include <span>

namespace driftless {

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension c;
  for (std::size_t i = 0; i < c.exponents.size(); ++i)
    c.exponents[i] = a.exponents[i] + b.exponents[i];
  return c;
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * pow(b, -1); }

Dimension pow(const Dimension& a, int exponent) {
  Dimension c;
  for (std::size_t i = 0; i < c.exponents.size(); ++i) c.exponents[i] = a.exponents[i] * exponent;
  return c;
}

std::string to_string(const Dimension& dimension) {
  static constexpr std::array<const char*, 5> kNames = {"kg", "m", "s", "A", "K"};
  std::string above;
  std::string below;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const int exponent = dimension.exponents[i];
    if (exponent == 0) continue;
    std::string& part = exponent > 0 ? above : below;
    part += exponent > 0 ? (above.empty() ? "" : "*") : "/";
    part += kNames[i];
    if (std::abs(exponent) > 1) part.append("^").append(std::to_string(std::abs(exponent)));
  }
  return (above.empty() ? "1" : above) + below;
}

namespace {

// Which prefixes are customary for a unit.
enum class Prefixes { none, usual, length };

// factor = mantissa * 10^exponent: with an exact mantissa a prefix costs one rounding only, so that
// "1 mg" is the double nearest to 1e-6.
struct NamedUnit {
  std::string_view name;
  double mantissa;
  int exponent;
  Dimension dimension;
  Prefixes prefixes;
};

constexpr double kPi = std::numbers::pi;
constexpr double kPound = 0.45359237;            // kg, by definition
constexpr double kPoundForce = 4.4482216152605;  // N: pound * 9.80665, exact

constexpr Dimension kNone{};
constexpr Dimension kMass{{1, 0, 0, 0, 0}};
constexpr Dimension kLength{{0, 1, 0, 0, 0}};
constexpr Dimension kTime{{0, 0, 1, 0, 0}};
constexpr Dimension kRate{{0, 0, -1, 0, 0}};
constexpr Dimension kForce{{1, 1, -2, 0, 0}};
constexpr Dimension kPressure{{1, -1, -2, 0, 0}};
constexpr Dimension kEnergy{{1, 2, -2, 0, 0}};
constexpr Dimension kPower{{1, 2, -3, 0, 0}};

constexpr NamedUnit kUnits[] = {
    {"m", 1, 0, kLength, Prefixes::length},
    {"in", 2.54, -2, kLength, Prefixes::none},
    {"ft", 3.048, -1, kLength, Prefixes::none},
    {"g", 1, -3, kMass, Prefixes::usual},
    {"t", 1, 3, kMass, Prefixes::none},
    {"lb", kPound, 0, kMass, Prefixes::none},
    {"s", 1, 0, kTime, Prefixes::usual},
    {"min", 60, 0, kTime, Prefixes::none},
    {"h", 3600, 0, kTime, Prefixes::none},
    {"Hz", 1, 0, kRate, Prefixes::usual},
    {"N", 1, 0, kForce, Prefixes::usual},
    {"lbf", kPoundForce, 0, kForce, Prefixes::none},
    {"Nm", 1, 0, kEnergy, Prefixes::usual},
    {"Pa", 1, 0, kPressure, Prefixes::usual},
    {"bar", 1, 5, kPressure, Prefixes::usual},
    {"psi", kPoundForce / (0.0254 * 0.0254), 0, kPressure, Prefixes::none},
    {"J", 1, 0, kEnergy, Prefixes::usual},
    {"W", 1, 0, kPower, Prefixes::usual},
    {"rad", 1, 0, kNone, Prefixes::usual},
    {"deg", kPi / 180, 0, kNone, Prefixes::none},
    {"rev", 2 * kPi, 0, kNone, Prefixes::none},
    {"rpm", 2 * kPi / 60, 0, kRate, Prefixes::none},
    {"A", 1, 0, Dimension{{0, 0, 0, 1, 0}}, Prefixes::usual},
    {"C", 1, 0, Dimension{{0, 0, 1, 1, 0}}, Prefixes::usual},
    {"V", 1, 0, Dimension{{1, 2, -3, -1, 0}}, Prefixes::usual},
    {"ohm", 1, 0, Dimension{{1, 2, -3, -2, 0}}, Prefixes::usual},
    {"F", 1, 0, Dimension{{-1, -2, 4, 2, 0}}, Prefixes::usual},
    {"H", 1, 0, Dimension{{1, 2, -2, -2, 0}}, Prefixes::usual},
    {"Wb", 1, 0, Dimension{{1, 2, -2, -1, 0}}, Prefixes::usual},
    {"K", 1, 0, Dimension{{0, 0, 0, 0, 1}}, Prefixes::usual},
};

std::optional<int> find_prefix(char letter, Prefixes prefixes) {
  if (prefixes == Prefixes::none) return std::nullopt;
  switch (letter) {
    case 'p': return -12;
    case 'n': return -9;
    case 'u': return -6;
    case 'm': return -3;
    case 'k': return 3;
    case 'M': return 6;
    case 'G': return 9;
    case 'T': return 12;
    case 'c': return prefixes == Prefixes::length ? std::optional<int>(-2) : std::nullopt;
    case 'd': return prefixes == Prefixes::length ? std::optional<int>(-1) : std::nullopt;
    default: return std::nullopt;
  }
}

// mantissa * 10^exponent with one rounding: powers of ten up to 22 are exact in double.
double scale_by_ten(double mantissa, int exponent) {
  double power = 1.0;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10.0;
  return exponent >= 0 ? mantissa * power : mantissa / power;
}

constexpr int kMaxExponent = 99;

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// One factor of a compound, "m^2" or "1".
std::optional<Unit> parse_factor(std::string_view text) {
  text = trim(text);
  if (text == "1") return Unit{};
  const std::size_t caret = text.find('^');
  const std::optional<Unit> unit = find_unit(trim(text.substr(0, caret)));
  if (!unit || caret == std::string_view::npos) return unit;
  const std::string_view digits = trim(text.substr(caret + 1));
  int exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return pow(*unit, exponent);
}

}  // namespace

std::optional<Unit> find_unit(std::string_view name) {
  for (const NamedUnit& unit : kUnits)
    if (unit.name == name) return Unit{scale_by_ten(unit.mantissa, unit.exponent), unit.dimension};
  if (name.size() < 2) return std::nullopt;
  for (const NamedUnit& unit : kUnits) {
    if (unit.name != name.substr(1)) continue;
    if (const std::optional<int> prefix = find_prefix(name[0], unit.prefixes))
      return Unit{scale_by_ten(unit.mantissa, unit.exponent + *prefix), unit.dimension};
  }
  return std::nullopt;
}

std::vector<std::string> all_units() {
  std::vector<std::string> names;
  for (const NamedUnit& unit : kUnits) names.emplace_back(unit.name == "g" ? "kg" : unit.name);
  return names;
}

std::optional<Unit> pow(const Unit& unit, int exponent) {
  if (std::abs(static_cast<double>(exponent)) > kMaxExponent) return std::nullopt;
  // By squaring from the reciprocal's exact side: (1/1000)^2 is rounded once, 0.001*0.001 twice.
  const double inverse = std::round(1.0 / unit.factor);
  const bool is_inverse = unit.factor < 1.0 && 1.0 / inverse == unit.factor;
  const double base = is_inverse ? inverse : unit.factor;
  const double power = std::pow(base, is_inverse ? -exponent : exponent);
  if (!std::isnormal(power)) return std::nullopt;
  return Unit{power, pow(unit.dimension, exponent)};
}

std::optional<Unit> parse_unit(std::string_view text) {
  Unit result;
  bool divide = false;
  for (bool more = true; more;) {
    const std::size_t end = text.find_first_of("*/");
    const std::optional<Unit> factor = parse_factor(text.substr(0, end));
    if (!factor) return std::nullopt;
    result.factor = divide ? result.factor / factor->factor : result.factor * factor->factor;
    result.dimension =
        divide ? result.dimension / factor->dimension : result.dimension * factor->dimension;
    more = end != std::string_view::npos;
    if (more) {
      divide = text[end] == '/';
      text.remove_prefix(end + 1);
    }
  }
  if (!std::isnormal(result.factor)) return std::nullopt;
  return result;
}

double to_si(double number, const Unit& unit) {
  const double inverse = std::round(1.0 / unit.factor);
  if (unit.factor < 1.0 && 1.0 / inverse == unit.factor) return number / inverse;
  return number * unit.factor;
}

}  // namespace driftless
