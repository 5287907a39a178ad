#include "driftless/io/svg_axis.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace driftless {
namespace {

constexpr const char* kMinus = "\xE2\x88\x92";
constexpr const char* kTimes = "\xC3\x97";
constexpr const char* kSpace = "\xC2\xA0";  // one that XML does not collapse

std::string use_minus(std::string text) {
  if (!text.empty() && text.front() == '-') text.replace(0, 1, kMinus);
  return text;
}

std::string format_fixed(double value, int decimals) {
  char text[400];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr;
  std::string out(text, end);
  if (out.find_first_not_of("-0.") == std::string::npos && out.front() == '-') out.erase(0, 1);
  return use_minus(out);
}

std::string format_exponent(int exponent) { return use_minus(std::to_string(exponent)); }

int find_exponent(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

// The smallest of 1, 2, 5 times a power of ten that gives at most `most` steps.
double find_step(double span, int most) {
  const double raw = span / std::max(most, 1);
  const double power = std::pow(10.0, find_exponent(raw));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

// Labels of multiples of `step`: a common power of ten is taken out of very large and very small
// numbers, a common offset out of numbers that agree in their first six digits.
void add_linear_ticks(PlotAxis& axis, double step) {
  const auto first = std::ceil(axis.low / step - 1e-6), last = std::floor(axis.high / step + 1e-6);
  const double size = std::max(std::abs(axis.low), std::abs(axis.high));
  double offset = 0.0;
  if (find_exponent(size) - find_exponent(step) > 6) offset = std::floor(first / 100) * 100 * step;
  const double shown = std::max(std::abs(last * step - offset), step);
  int factor = find_exponent(shown);
  if (factor < 5 && factor >= -3) factor = 0;
  const double scale = std::pow(10.0, factor);
  const int decimals = std::max(0, factor - find_exponent(step));
  for (double k = first; k <= last; k += 1) {
    axis.ticks.push_back({k * step, {format_fixed((k * step - offset) / scale, decimals), "", ""}});
  }
  if (factor != 0) axis.note = {std::string(kTimes) + "10", format_exponent(factor), ""};
  if (offset != 0.0) {
    const int digits = std::clamp(-find_exponent(step) - 2, 0, 320);
    const std::string sum = (offset < 0 ? "" : "+ ") + format_fixed(offset, digits);
    (factor != 0 ? axis.note.tail : axis.note.base) = (factor != 0 ? kSpace : "") + sum;
  }
}

PlotAxis make_linear_axis(double low, double high, int most, bool roomy) {
  PlotAxis axis;
  const double size = std::max(std::abs(low), std::abs(high));
  // What differs only by round-off is constant: the axis shows its surroundings, not its noise.
  if (!(high - low > 1e-13 * size)) {
    const double half = size > 0 ? 0.1 * size : 1.0;
    const double middle = low + (high - low) / 2;
    low = middle - half;
    high = middle + half;
  }
  const double span = high - low;
  const double step = find_step(span, most);
  axis.low = low;
  axis.high = high;
  if (roomy) {
    axis.low = std::floor(low / step + 1e-6) * step;
    axis.high = std::ceil(high / step - 1e-6) * step;
    if (axis.high - axis.low > 1.25 * span) {
      axis.low = low >= 0 ? std::max(0.0, low - 0.05 * span) : low - 0.05 * span;
      axis.high = high <= 0 ? std::min(0.0, high + 0.05 * span) : high + 0.05 * span;
    }
  }
  add_linear_ticks(axis, step);
  return axis;
}

/// Which multiples of a decade have a label beside the decades themselves, so that these stay apart: of two neighbours
/// the nearer ones are log10(10/5) = 0.3 of a decade apart, or log10(3) = 0.48 of it; a label takes 0.7 of the room of one.
bool has_label(int multiple, double decades, int most) {
  constexpr double kLabel = 0.7;
  if (decades * kLabel <= 0.3 * most) return multiple == 2 || multiple == 5;
  return decades * kLabel <= 0.47 * most && multiple == 3;
}

void add_decades(PlotAxis& axis, int most) {
  const int first = static_cast<int>(std::ceil(std::log10(axis.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
  const double decades = std::log10(axis.high / axis.low);
  constexpr int kEnough = 3;  // decades with labels of their own
  int every = 1;
  for (const int candidate : {1, 2, 3, 4, 5, 10, 20, 50, 100}) {
    every = candidate;
    if (last - first <= candidate * most) break;
  }
  for (int k = first - 1; k <= last; ++k) {
    const double decade = std::pow(10.0, k);
    const bool labelled = k % every == 0;
    if (k >= first) {
      AxisText label;
      if (labelled) label = k == 0 ? AxisText{"1", "", ""} : AxisText{"10", format_exponent(k), ""};
      axis.ticks.push_back({decade, label});
    }
    for (int m = 2; m < 10 && every == 1 && 2 * (last - first) <= 3 * most; ++m) {
      if (m * decade < axis.low || m * decade > axis.high) continue;
      AxisText label;
      if (last - first < kEnough && has_label(m, decades, most)) {
        label.base = std::to_string(m);
        if (k != 0) label = {label.base + kTimes + "10", format_exponent(k), ""};
      }
      axis.ticks.push_back({m * decade, label});
    }
  }
}

constexpr double kShortLog = 0.8;  // decades: from there on there are three labels

PlotAxis make_log_axis(double low, double high, int most, bool roomy) {
  PlotAxis axis;
  double l0 = std::log10(low), l1 = std::log10(high);
  if (l1 - l0 < 1e-9) l0 -= 0.5, l1 += 0.5;
  if (l1 - l0 >= kShortLog) {
    // Out to the whole decade if that is near, else a little.
    const double span = l1 - l0, d0 = std::floor(l0 + 1e-9), d1 = std::ceil(l1 - 1e-9);
    axis.low = !roomy ? low : std::pow(10.0, l0 - d0 < 0.12 * span ? d0 : l0 - 0.04 * span);
    axis.high = !roomy ? high : std::pow(10.0, d1 - l1 < 0.12 * span ? d1 : l1 + 0.04 * span);
    add_decades(axis, most);
  } else {
    // Too short for decades: round numbers, spaced logarithmically.
    const double room = roomy ? 0.05 * (l1 - l0) : 0.0;
    axis.low = std::pow(10.0, l0 - room);
    axis.high = std::pow(10.0, l1 + room);
    add_linear_ticks(axis, find_step(axis.high - axis.low, most));
    std::erase_if(axis.ticks, [](const Tick& tick) { return tick.value <= 0; });
  }
  axis.log = true;
  return axis;
}

}  // namespace

double PlotAxis::position(double value) const {
  if (log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

PlotAxis make_axis(double low, double high, bool log, int most, bool roomy) {
  return log ? make_log_axis(low, high, most, roomy) : make_linear_axis(low, high, most, roomy);
}

}  // namespace driftless
