// Differences between results on different grids.
//
// At a time t of a between b's samples t0 < t < t1, with h = t1 - t0, s = (t - t0)/h, b is
// interpolated with an error of O(h⁴): by cubic Hermite polynomials if b has the rate column x',
//   [DIFF.1]  x = (1 + 2s)(1 - s)² x0 + s²(3 - 2s) x1 + h s(1 - s)² x0' - h s²(1 - s) x1'
// and else by the cubic through the four samples nearest to the interval (Neville's scheme,
// [DIFF.2]), two on each side, fewer at the ends and in short tables. Slopes from neighbours in
// [DIFF.1] would be simpler, but are of one order less. A time that b has (to round-off) is taken
// as it is, so equal grids compare exactly. Twice the same time (an event) is a jump: nothing is
// interpolated across it.

#include "driftless/io/result_diff.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "driftless/base/error.hpp"
#include "driftless/io/result_text.hpp"

namespace driftless {
namespace {

std::size_t find_time_column(const Result& result) {
  return static_cast<std::size_t>(std::max(result.find_column("t"), 0));
}

std::vector<double> find_times(const Result& result, const char* which) {
  if (result.columns.empty() || result.row_count() == 0) {
    throw ModelError(std::string("the ") + which + " result has no rows", "run the model again");
  }
  auto t = result.column(find_time_column(result));
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (!std::isfinite(t[k]) || (k > 0 && t[k] < t[k - 1])) {
      throw ModelError(
          std::string("the ") + which + " result cannot be compared: its time column '" +
              result.columns[find_time_column(result)].name + "' does not go forward (row " +
              std::to_string(k + 1) + ", " + format_number(t[k]) + ")",
          "compare results that have a time column 't'");
    }
  }
  return t;
}

/// Where a's times lie among b's: each is a sample of b, or between samples k and k + 1.
struct Place {
  std::size_t row_a, k;
  bool exact;
};

std::vector<Place> find_places(const std::vector<double>& ta, const std::vector<double>& tb) {
  const double size = std::max({std::abs(tb.front()), std::abs(tb.back()), tb.back() - tb.front()});
  const double round_off = 8 * std::numeric_limits<double>::epsilon() * size;
  std::vector<Place> places;
  std::size_t k = 0;
  for (std::size_t i = 0; i < ta.size(); ++i) {
    const double t = ta[i];
    if (t < tb.front() - round_off || t > tb.back() + round_off) continue;
    // The second of two samples at one time in a meets the second one in b, if b has two.
    const bool again = i > 0 && ta[i - 1] == t;
    while (k + 1 < tb.size() && (tb[k + 1] < t - round_off || (again && tb[k + 1] == tb[k] &&
                                                               std::abs(tb[k] - t) <= round_off))) {
      ++k;
    }
    if (std::abs(tb[k] - t) <= round_off) {
      places.push_back({i, k, true});
    } else if (k + 1 < tb.size() && std::abs(tb[k + 1] - t) <= round_off) {
      places.push_back({i, ++k, true});
    } else {
      places.push_back({i, k, false});
    }
  }
  return places;
}

/// b's values of one column between its samples.
class Interpolant {
 public:
  Interpolant(const std::vector<double>& t, std::vector<double> x, std::vector<double> rates)
      : t_(t), x_(std::move(x)), rates_(std::move(rates)) {}

  double at_sample(std::size_t k) const { return x_[k]; }

  double between(std::size_t k, double t) const {
    const bool hermite =
        !rates_.empty() && std::isfinite(rates_[k]) && std::isfinite(rates_[k + 1]);
    return hermite ? calc_hermite(k, t) : calc_lagrange(k, t);
  }

 private:
  double calc_hermite(std::size_t k, double t) const {  // [DIFF.1]
    const double h = t_[k + 1] - t_[k], s = (t - t_[k]) / h, r = 1 - s;
    return (1 + 2 * s) * r * r * x_[k] + s * s * (3 - 2 * s) * x_[k + 1] +
           h * s * r * (r * rates_[k] - s * rates_[k + 1]);
  }

  bool can_step(std::size_t k) const {  // from sample k to k + 1
    return k + 1 < t_.size() && t_[k + 1] > t_[k] && std::isfinite(x_[k]) &&
           std::isfinite(x_[k + 1]);
  }

  double calc_lagrange(std::size_t k, double t) const {  // [DIFF.2]
    std::size_t first = k, last = k + 1;
    for (int round = 0; round < 2; ++round) {
      if (last - first < 3 && first > 0 && can_step(first - 1)) --first;
      if (last - first < 3 && can_step(last)) ++last;
    }
    std::array<double, 4> p{};
    std::copy(x_.begin() + static_cast<std::ptrdiff_t>(first),
              x_.begin() + static_cast<std::ptrdiff_t>(last + 1), p.begin());
    for (std::size_t degree = 1; degree <= last - first; ++degree) {
      for (std::size_t i = 0; i + degree <= last - first; ++i) {
        const double ti = t_[first + i], tj = t_[first + i + degree];
        p[i] += (t - ti) * (p[i + 1] - p[i]) / (tj - ti);
      }
    }
    return p[0];
  }

  const std::vector<double>& t_;
  std::vector<double> x_, rates_;
};

void compare(const std::vector<double>& ta, const std::vector<double>& xa, const Interpolant& b,
             const std::vector<Place>& places, ColumnDifference& out) {
  double sum = 0.0;
  out.t_max = ta[places.front().row_a];
  for (const auto& [row, k, exact] : places) {
    const double xb = exact ? b.at_sample(k) : b.between(k, ta[row]);
    const bool same = xa[row] == xb || (std::isnan(xa[row]) && std::isnan(xb));
    const double difference = same ? 0.0 : std::abs(xa[row] - xb);
    if (!std::isfinite(difference)) {
      ++out.skipped;
      continue;
    }
    ++out.samples;
    sum += difference * difference;
    if (difference > out.max) {
      out.max = difference;
      out.t_max = ta[row];
    }
  }
  out.rms = out.samples == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(out.samples));
}

}  // namespace

std::vector<ColumnDifference> diff_results(const Result& a, const Result& b,
                                           const std::function<void(double)>& watch) {
  const auto ta = find_times(a, "first"), tb = find_times(b, "second");
  const auto places = find_places(ta, tb);
  if (places.empty()) {
    throw ModelError("the results have no time in common: " + format_number(ta.front()) + " to " +
                         format_number(ta.back()) + " and " + format_number(tb.front()) + " to " +
                         format_number(tb.back()),
                     "compare runs that overlap in time");
  }
  std::vector<ColumnDifference> out;
  for (std::size_t k = 0; k < a.columns.size(); ++k) {
    if (watch) watch(static_cast<double>(k) / static_cast<double>(a.columns.size()));
    if (k == find_time_column(a)) continue;
    ColumnDifference entry{.name = a.columns[k].name, .unit = a.columns[k].unit};
    const int other = b.find_column(entry.name);
    if (other < 0) {
      entry.kind = ColumnDifference::Kind::only_in_a;
    } else {
      const int rate = b.find_column(entry.name + "'");
      auto rates = rate < 0 ? std::vector<double>() : b.column(static_cast<std::size_t>(rate));
      const Interpolant values(tb, b.column(static_cast<std::size_t>(other)), std::move(rates));
      compare(ta, a.column(k), values, places, entry);
    }
    out.push_back(std::move(entry));
  }
  for (std::size_t k = 0; k < b.columns.size(); ++k) {
    if (k == find_time_column(b) || a.find_column(b.columns[k].name) >= 0) continue;
    out.push_back({.name = b.columns[k].name,
                   .unit = b.columns[k].unit,
                   .kind = ColumnDifference::Kind::only_in_b});
  }
  return out;
}

}  // namespace driftless
