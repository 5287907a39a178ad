#include "driftless/studies/value_list.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/base/units.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse(const ValuePlace& place, const std::string& what) {
  throw ModelError(fmt::format("{}: {}", place.shown, what), place.remedy);
}

double parse_number(std::string_view part, const ValuePlace& place) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc{} || end != part.data() + part.size() || !std::isfinite(value)) {
    refuse(place, fmt::format("'{}' is not a number", part));
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Numbers with their units: each its own, else that of the last one that has one.
std::vector<double> parse_quantities(const std::vector<std::string_view>& parts,
                                     const ValuePlace& place, ValueList& list) {
  std::vector<double> numbers;
  std::vector<std::optional<Unit>> units;
  std::optional<Unit> common;
  for (const std::string_view each : parts) {
    const std::string_view part = trim(each);
    double value = 0.0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    const std::string_view word = trim(std::string_view(end, part.data() + part.size()));
    if (error != std::errc{} || !std::isfinite(value)) {
      refuse(place, fmt::format("'{}' is not a number", part));
    }
    numbers.push_back(value);
    units.push_back(word.empty() ? std::nullopt : parse_unit(word));
    if (word.empty()) continue;
    if (!units.back()) refuse(place, fmt::format("'{}' is not a number with a unit", part));
    if (common && common->dimension != units.back()->dimension) {
      refuse(place, fmt::format("'{}' and '{}' have different dimensions", list.shown_unit, word));
    }
    common = units.back();
    list.shown_unit = word;
    list.shown_factor = common->factor;
  }
  if (!common) return numbers;
  if (common->dimension != Dimension{}) list.unit = to_string(common->dimension);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = to_si(numbers[k], units[k].value_or(*common));
  }
  return numbers;
}

/// 0.02 instead of 0.020000000000000004: of a step the user reads three digits and expects the others to be zero.
double snap(double value) {
  constexpr int kDigits = 12;
  const double unit = std::pow(10.0, kDigits - 1 - std::floor(std::log10(value)));
  return std::round(value * unit) / unit;
}

std::vector<double> make_range(const std::vector<std::string_view>& parts, const ValuePlace& place,
                               Spacing spacing, ValueList& list) {
  if (spacing == Spacing::geometric && parts.size() != 3)
    refuse(place, "a range has three parts: from, to and how many");
  if (parts.size() < 3 || parts.size() > 4)
    refuse(place, "a range has three parts, or four with log");
  const std::vector<double> ends = parse_quantities({parts[0], parts[1]}, place, list);
  const double from = ends[0];
  const double to = ends[1];
  const double count = parse_number(parts[2], place);
  if (count != std::floor(count) || count < 1 || count > static_cast<double>(kMaxValues)) {
    refuse(place,
           fmt::format("the count {} is not a whole number from 1 to {}", parts[2], kMaxValues));
  }
  const bool has_word = parts.size() == 4;
  if (has_word && parts[3] != "log") refuse(place, fmt::format("'{}' is not known", parts[3]));
  const bool logarithmic = has_word || spacing == Spacing::geometric;
  if (logarithmic && !(from > 0.0 && to > 0.0))
    refuse(place, has_word ? "a log range needs positive ends" : "the ends must be positive");
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> values(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double share = n == 1 ? 0.0 : static_cast<double>(k) / static_cast<double>(n - 1);
    values[k] = logarithmic ? from * std::pow(to / from, share) : from + (to - from) * share;
  }
  if (n > 1) values.back() = to;
  if (spacing == Spacing::geometric) {
    for (std::size_t k = 1; k + 1 < n; ++k) values[k] = snap(values[k]);
  }
  return values;
}

}  // namespace

ValueList parse_values(std::string_view text, const ValuePlace& place, Spacing spacing) {
  ValueList list;
  list.values = text.find(':') != std::string_view::npos
                    ? make_range(split(text, ':'), place, spacing, list)
                    : parse_quantities(split(text, ','), place, list);
  return list;
}

}  // namespace driftless
