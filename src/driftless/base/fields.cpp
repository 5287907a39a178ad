#include "driftless/base/fields.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless {

std::string describe_bounds(const Bounds& bounds) {
  std::string text;
  if (std::isfinite(bounds.low)) {
    text = fmt::format("{} {:.6g}", bounds.open_low ? "greater than" : "at least", bounds.low);
  }
  if (std::isfinite(bounds.high)) {
    text += fmt::format("{}at most {:.6g}", text.empty() ? "" : " and ", bounds.high);
  }
  if (bounds.not_zero) text += fmt::format("{}other than 0", text.empty() ? "" : " and ");
  return text;
}

double find_stand_in(const Bounds& bounds) {
  for (const double number : {1.0, 0.0}) {
    if (bounds.contains(number)) return number;
  }
  return std::isfinite(bounds.high) ? bounds.high : bounds.low + 1.0;
}

}  // namespace driftless
