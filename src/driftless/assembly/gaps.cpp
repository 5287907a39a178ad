// A row's residual r and its slope κ, the length of its gradient with respect to the motion of one body, give what is
// missing. Elements write their rows with a slope of 1 where they hold, so that
//   a length   2 |r| / (1 + κ)     exact for shifts (κ = 1) and for (d² - l²)/2l (κ = d/l)                       [OPN.1]
//              |r|                 of a belt, which no shift changes
//   an angle   |r|, of a joint in the plane without the whole turns, at most half a turn
//   a cosine   atan2(|r|, κ)       exact for x₀·z₁ = sin α (κ = cos α)                                           [OPN.2]
//   no unit    |r|/κ               to first order, a length if shifts change the row at all, else an angle        [OPN.3]
// Lengths of one element add up as components of a vector. So do the sines of angles that are missing by cosines: the
// axes z₀ and z₁ enclose α with sin²α = (x₀·z₁)² + (y₀·z₁)².

#include "driftless/assembly/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double kNoSlope = 1e-9;

/// Lengths of a row's gradient with respect to shifts and turns of one body: the last one that the element acts on.
struct Slope {
  double shift = 1.0;
  double turn = 1.0;
};

Slope find_slope(const SystemInfo& info, const ElementInfo& element, ConstMatrixRef jacobian,
                 int row) {
  if (element.bodies.empty()) return {};
  const BodyInfo& body = info.bodies[static_cast<std::size_t>(element.bodies.back())];
  const auto g = jacobian.row(row).segment(body.rate, body.rates);
  return {g.head(body.rates - body.turns).norm(), g.tail(body.turns).norm()};
}

/// A joint that is 200 degrees off can be closed by turning it 160 degrees the other way. Whole turns alone stay.
double fold(double angle) {
  const double folded = std::abs(std::remainder(angle, 2.0 * std::numbers::pi));
  return folded > 1e-9 ? folded : angle;
}

}  // namespace

std::vector<Gap> find_gaps(const SystemInfo& info, ConstVectorRef phi, ConstMatrixRef jacobian) {
  std::vector<Gap> gaps;
  if (info.row_units.empty()) return gaps;
  for (const ElementInfo& element : info.elements) {
    double length2 = 0.0;
    double angle2 = 0.0;
    double sine2 = 0.0;
    for (const int i : element.rows) {
      if (i >= phi.size()) continue;
      const std::string& unit = info.row_units[static_cast<std::size_t>(i)];
      const double r = std::abs(phi[i]);
      const Slope slope = find_slope(info, element, jacobian, i);
      if (unit == "m") {
        const bool has_shift = slope.shift > kNoSlope || !(slope.turn > kNoSlope);
        length2 += std::pow(has_shift ? 2.0 * r / (1.0 + slope.shift) : r, 2);  // [OPN.1]
      } else if (unit == "rad") {
        angle2 +=
            std::pow(info.rows[static_cast<std::size_t>(i)].ends_with(".turn") ? fold(r) : r, 2);
      } else if (unit == "1") {
        sine2 += std::pow(std::sin(std::atan2(r, slope.turn)), 2);  // [OPN.2]
      } else if (std::isnan(slope.shift)) {
        length2 += r * r;  // a disc that lies flat: its lowest point is anywhere on the rim
      } else if (slope.shift > kNoSlope) {
        length2 += std::pow(r / slope.shift, 2);  // [OPN.3]
      } else {
        angle2 += slope.turn > kNoSlope ? std::pow(r / slope.turn, 2) : r * r;
      }
    }
    const double tilt = std::asin(std::min(1.0, std::sqrt(sine2)));
    gaps.push_back({element.name, std::sqrt(length2), std::sqrt(angle2 + tilt * tilt)});
  }
  return gaps;
}

std::string describe_gap(const Gap& gap) {
  // Tiny gaps are those of a drawing that is rounded: there a part counts beside the other.
  const double shown = std::min(1e-9, 1e-3 * gap.size());
  const std::string length = fmt::format("{:.4g} mm", 1e3 * gap.metres);
  const std::string angle = fmt::format("{:.4g} deg", gap.radians * 180.0 / std::numbers::pi);
  if (!(gap.radians > shown)) return length;
  return gap.metres > shown ? length + " and " + angle : angle;
}

}  // namespace driftless
