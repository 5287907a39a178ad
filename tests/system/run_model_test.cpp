#include "tests/system/run_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless::trials {
namespace {

int find_column(const Result& result, const std::string& name) {
  const int index = result.find_column(name);
  EXPECT_GE(index, 0) << "no column " << name;
  return std::max(index, 0);
}

double find_distance(const Values& a, const Values& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

/// Not a number is the largest error of all.
double without_nan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

Values row_values(const Result& result, std::size_t row, const std::vector<std::string>& names) {
  Values values;
  for (const std::string& name : names) {
    values.push_back(result.row(row)[static_cast<std::size_t>(find_column(result, name))]);
  }
  return values;
}

}  // namespace

std::string find_model(const std::string& name) {
  return DRIFTLESS_SOURCE_DIR "/models/" + name + ".toml";
}

Result run_file(ModelFile file, const Trial& trial) {
  apply_overrides(file, trial.sets);
  const MethodRequest method{
      .word = trial.method, .step = trial.step, .tolerance = trial.tolerance};
  const double every = trial.every > 0.0 ? trial.every : trial.until / 1000.0;
  const PreparedModel model =
      prepare_model(file, {.method = method, .until = trial.until, .every = every});
  EXPECT_TRUE(model.start_report.success) << model.start_report.message;
  return run_prepared(model, prepare_method(file, model, method), model.options);
}

Result run_model(const std::string& name, const Trial& trial) {
  return run_file(read_model_file(find_model(name)), trial);
}

Result run_text(const std::string& toml, const Trial& trial) {
  return run_file(parse_model(toml, "test.toml"), trial);
}

std::string edit_model(const std::string& name, const Sets& replacements) {
  std::string text = read_model_file(find_model(name)).text;
  for (const auto& [from, to] : replacements) {
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << "not in " << name << ": " << from;
    if (place != std::string::npos) text.replace(place, from.size(), to);
  }
  return text;
}

std::string text_of(double value) { return fmt::format("{:.17g}", value); }

Values column(const Result& result, const std::string& name) {
  return result.column(static_cast<std::size_t>(find_column(result, name)));
}

double last(const Result& result, const std::string& name) { return column(result, name).back(); }

Values at(const Result& result, double t, const std::vector<std::string>& names) {
  std::size_t nearest = 0;
  for (std::size_t row = 1; row < result.row_count(); ++row) {
    if (std::abs(result.row(row)[0] - t) < std::abs(result.row(nearest)[0] - t)) nearest = row;
  }
  EXPECT_NEAR(result.row(nearest)[0], t, 1e-9) << "no sample";
  return row_values(result, nearest, names);
}

double figure(const Result& result, const std::string& name) {
  for (const auto& [key, value] : result.report.figures) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no figure " << name;
  return 0.0;
}

double max_error(const Result& result, const std::vector<std::string>& names,
                 const Reference& reference) {
  double worst = 0.0;
  for (std::size_t row = 0; row < result.row_count(); ++row) {
    const double error =
        find_distance(row_values(result, row, names), reference(result.row(row)[0]));
    worst = std::max(worst, without_nan(error));
  }
  return worst;
}

double end_error(const Result& result, const std::vector<std::string>& names,
                 const Reference& reference) {
  const std::size_t row = result.row_count() - 1;
  return find_distance(row_values(result, row, names), reference(result.row(row)[0]));
}

double max_difference(const Result& a, const Result& b, const std::vector<std::string>& names) {
  EXPECT_EQ(a.row_count(), b.row_count());
  double worst = 0.0;
  for (std::size_t row = 0; row < std::min(a.row_count(), b.row_count()); ++row) {
    const double distance = find_distance(row_values(a, row, names), row_values(b, row, names));
    worst = std::max(worst, without_nan(distance));
  }
  return worst;
}

void expect_at_most(const std::string& what, double value, double bar) {
  EXPECT_LE(value, bar) << what;
  ::testing::Test::RecordProperty(what, fmt::format("{:.3e} (bar {:.1e})", value, bar));
}

double max_of(const Values& values) {
  double worst = 0.0;
  for (const double value : values) {
    worst = std::max(worst, without_nan(std::abs(value)));
  }
  return worst;
}

double median(Values values) {
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Values orders(const Values& errors) {
  Values found;
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    found.push_back(std::log2(errors[k] / errors[k + 1]));
  }
  return found;
}

// ---- the helpers themselves: they must not swallow an error --------------------------------------

namespace {

Result make_result() {
  Result result;
  result.columns = {{"t", "s"}, {"x", ""}, {"y", ""}};
  result.data = {0.0, 3.0, 4.0, 1.0, 0.0, 0.0};
  return result;
}

TEST(RunModel, MaxErrorIsTheLargestDistance) {
  const Reference origin = [](double) { return Values{0.0, 0.0}; };
  EXPECT_DOUBLE_EQ(max_error(make_result(), {"x", "y"}, origin), 5.0);
  EXPECT_DOUBLE_EQ(end_error(make_result(), {"x", "y"}, origin), 0.0);
}

TEST(RunModel, NotANumberIsNotSmall) {
  Result result = make_result();
  result.data[4] = std::nan("");
  const Reference origin = [](double) { return Values{0.0, 0.0}; };
  EXPECT_FALSE(max_error(result, {"x", "y"}, origin) <= 1e300);
  EXPECT_FALSE(max_difference(result, make_result(), {"x"}) <= 1e300);
  EXPECT_FALSE(max_of({0.0, std::nan(""), 1.0}) <= 1e300);
}

TEST(RunModel, OrdersOfHalvedSteps) {
  const Values found = orders({16e-3, 1e-3, 1.25e-4});
  EXPECT_NEAR(found[0], 4.0, 1e-12);
  EXPECT_NEAR(found[1], 3.0, 1e-12);
  EXPECT_DOUBLE_EQ(median({3.0, 1.0, 2.0}), 2.0);
  EXPECT_DOUBLE_EQ(median({4.0, 1.0, 2.0, 3.0}), 2.5);
}

}  // namespace
}  // namespace driftless::trials
