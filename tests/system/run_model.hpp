#pragma once
// Runs of model files as a user would start them, and their errors against reference solutions.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/model/equation_model.hpp"
#include "driftless/result/result.hpp"

namespace driftless::trials {

using Sets = std::vector<std::pair<std::string, std::string>>;
using Values = std::vector<double>;

/// What the command line would say. Filled member by member.
struct Trial {
  std::string method =
      {};  ///< empty: the file's default; else a name in the file, a preset, or words
  std::optional<double> step = {};
  std::optional<double> tolerance = {};
  double until = 10.0;
  double every = 0.0;  ///< 0: until/1000
  Sets sets = {};      ///< --set
};

/// Path of models/NAME.toml.
std::string find_model(const std::string& name);

/// Loads models/NAME.toml, makes the start consistent (or fails the test) and runs it.
Result run_model(const std::string& name, const Trial& trial);
/// The same for a model's text.
Result run_text(const std::string& toml, const Trial& trial);
Result run_file(ModelFile file, const Trial& trial);

/// The text of models/NAME.toml with parts replaced; each must be there.
std::string edit_model(const std::string& name, const Sets& replacements);

/// A number as --set wants it, with all its digits.
std::string text_of(double value);

/// One column; fails the test if there is none.
Values column(const Result& result, const std::string& name);
double last(const Result& result, const std::string& name);
/// The columns at the sample nearest to t.
Values at(const Result& result, double t, const std::vector<std::string>& names);
double figure(const Result& result, const std::string& name);

/// Largest distance (Euclidean, over the named columns) from `reference(t)` over all samples, or at the last one.
using Reference = std::function<Values(double t)>;
double max_error(const Result& result, const std::vector<std::string>& names,
                 const Reference& reference);
double end_error(const Result& result, const std::vector<std::string>& names,
                 const Reference& reference);
/// Largest distance between two runs with the same samples.
double max_difference(const Result& a, const Result& b, const std::vector<std::string>& names);

/// EXPECT value <= bar, with the value kept in the test's XML report under the name `what`.
void expect_at_most(const std::string& what, double value, double bar);

double max_of(const Values& values);  ///< of the magnitudes
double median(Values values);
/// log2(errors[i]/errors[i + 1]): the orders seen when the step is halved.
Values orders(const Values& errors);

}  // namespace driftless::trials
