#pragma once
// Where an axis begins and ends, and what is written at it.

#include <string>
#include <vector>

namespace driftless {

/// Text with an exponent: base "10", exponent "−16", and what follows it. Plain text (not yet
/// escaped).
struct AxisText {
  std::string base;
  std::string exponent;
  std::string tail;
};

struct Tick {
  double value;
  AxisText label;  ///< empty base: a small tick without label and grid line
};

struct PlotAxis {
  bool log = false;
  double low = 0.0, high = 1.0;
  std::vector<Tick> ticks;
  AxisText note;  ///< how labels become values: "×10⁻⁶ + 1.25"; may be empty

  /// 0 at low, 1 at high.
  double position(double value) const;
};

/// An axis for data from `low` to `high` (positive if `log`) with at most about `most` labels.
/// `roomy`: the ends move out to round numbers, so that curves do not touch the frame.
PlotAxis make_axis(double low, double high, bool log, int most, bool roomy);

}  // namespace driftless
