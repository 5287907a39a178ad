#include "driftless/base/fields.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless {

std::string describe_bounds(const Bounds& bounds) {
  std::string text;
  if (std::isfinite(bounds.low)) {
    text = fmt::format("{} {}", bounds.open_low ? "greater than" : "at least", bounds.low);
  }
  if (std::isfinite(bounds.high)) {
    text += fmt::format("{}at most {}", text.empty() ? "" : " and ", bounds.high);
  }
  if (bounds.not_zero) text += fmt::format("{}other than 0", text.empty() ? "" : " and ");
  return text;
}

}  // namespace driftless
