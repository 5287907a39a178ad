#pragma once
// One number out of a run: a figure of the report by name ("max_phi", "steps", "max_momentum_error"), or a function of
// a column: max(x) and min(x), last(x), mean(x), rms(x), l2(x) = sqrt(∫x² dt).

#include <string>
#include <string_view>
#include <vector>

#include "driftless/result/result.hpp"

namespace driftless {

struct Metric {
  std::string text;      ///< as written
  std::string function;  ///< empty: a figure of the report
  std::string name;      ///< figure or column
};

/// Throws ModelError for an unknown function or a bad form. Names are checked by eval_metric.
Metric parse_metric(std::string_view text);

/// max of |x| for max(x); NaN if the run failed. Throws ModelError if there is no such column or figure.
double eval_metric(const Metric& metric, const Result& result);

/// Names of the report's figures that every run has.
std::vector<std::string> all_figures();

}  // namespace driftless
