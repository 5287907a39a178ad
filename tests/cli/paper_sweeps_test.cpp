// The sweeps of Eun, Yang and Chung 2003, figures 3, 4 and 6, by the commands that stand in the models' comments.
//
// From a consistent start the surfaces of the paper are round-off: a constraint that is linear in the coordinates is kept
// exactly by every Runge-Kutta method, so what is left is accumulated rounding, fed into Phi'' + alpha Phi' + beta Phi =
// noise. Of noise only the trend is tested: large gains keep it small, and where its smallest value falls on the grid is
// chance. From an inconsistent start the same surfaces follow from the error equation, and every point of them is tested.

#include <algorithm>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

struct Point {
  double alpha = 0.0, s = 0.0;
  std::vector<double> errors;  ///< sqrt(integral of the squared error), in the order of --show
  double beta() const { return s * alpha * alpha; }
};

std::filesystem::path find_model(const std::string& name) {
  return std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models" / (name + ".toml");
}

/// The words of the one "driftless sweep" in the model's comment, without the program's name.
Words find_command(const std::string& model) {
  std::string command;
  bool goes_on = false;
  for (std::string line : split_lines(read_text(find_model(model)))) {
    const std::size_t begin = line.find("driftless sweep ");
    if (!goes_on && begin == std::string::npos) continue;
    line = goes_on ? line.substr(1) : line.substr(begin + 10);  // 1: the comment's sign
    goes_on = line.ends_with("\\");
    if (goes_on) line.pop_back();
    command += line + " ";
  }
  Words words;
  std::istringstream in(command);
  for (std::string word; in >> word;) {
    std::erase(word, '"');
    words.push_back(word == model + ".toml" ? find_model(model).string() : word);
  }
  return words;
}

class LongPaperSweeps : public Program {
 protected:
  std::vector<Point> run_sweep(const std::string& model, const Words& more = {}) {
    Words words = find_command(model);
    EXPECT_GT(words.size(), 6U) << "no command in the comment of " << model;
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"-o", "table.csv", "--quiet"});
    std::filesystem::remove(path("table.csv"));
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<Point> points;
    const auto lines = split_lines(read_text(path("table.csv")));
    for (std::size_t k = 1; k < lines.size(); ++k) {
      EXPECT_TRUE(lines[k].ends_with(",ok")) << lines[k];
      std::istringstream cells(lines[k].substr(0, lines[k].size() - 3));
      std::vector<double> numbers;
      for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
      points.push_back({numbers.at(0), numbers.at(1), {numbers.begin() + 2, numbers.end()}});
    }
    EXPECT_EQ(points.size(), 110U) << "alpha = 0, 2, ..., 20 and s = 0.05, 0.1, ..., 0.5";
    return points;
  }
};

double find_median(const std::vector<Point>& points, double alpha, std::size_t error) {
  std::vector<double> values;
  for (const Point& point : points)
    if (point.alpha == alpha) values.push_back(point.errors[error]);
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

/// `is_rate`: of Phi' rather than Phi. Noise-driven, the first falls as (alpha beta)^-1/2, the second as alpha^-1/2.
void expect_noise(const std::vector<Point>& points, std::size_t error, bool is_rate) {
  SCOPED_TRACE("error " + std::to_string(error + 1));
  const double without = find_median(points, 0.0, error);
  EXPECT_GT(without, 1e-16);
  EXPECT_LT(without, 1e-11) << "more than round-off";
  EXPECT_LT(find_median(points, 20.0, error), without / (is_rate ? 3.0 : 30.0));
  EXPECT_LT(find_median(points, 20.0, error), find_median(points, 2.0, error));
  // The smallest lies at large gains, as in the paper; at which of them is chance.
  const auto smallest = std::min_element(
      points.begin(), points.end(),
      [&](const Point& a, const Point& b) { return a.errors[error] < b.errors[error]; });
  EXPECT_GE(smallest->alpha, 12.0);
}

TEST_F(LongPaperSweeps, Figures3And4AreRoundOff) {
  const std::vector<Point> points = run_sweep("three_masses");
  expect_noise(points, 0, false);
  expect_noise(points, 1, true);
}

TEST_F(LongPaperSweeps, Figure6IsRoundOff) {
  const std::vector<Point> points = run_sweep("three_masses_two");
  expect_noise(points, 0, false);
  expect_noise(points, 1, true);
  expect_noise(points, 2, false);
  expect_noise(points, 3, true);
}

// From Phi = p, Phi' = 0: integral of Phi^2 = p^2 (alpha^2 + beta)/(2 alpha beta), of Phi'^2 = p^2 beta/(2 alpha).
void expect_surface(const std::vector<Point>& points, std::size_t error, double p, bool is_rate) {
  SCOPED_TRACE("error " + std::to_string(error + 1));
  const auto is_less = [&](const Point& a, const Point& b) {
    return a.errors[error] < b.errors[error];
  };
  for (const Point& point : points) {
    const double alpha = point.alpha, beta = point.beta();
    if (alpha == 0.0) {
      if (is_rate) {
        EXPECT_LT(point.errors[error], 1e-12);
      } else {
        EXPECT_NEAR(point.errors[error], p * std::sqrt(30.0), 1e-9);
      }
      continue;
    }
    const double square =
        is_rate ? beta / (2 * alpha) : (alpha * alpha + beta) / (2 * alpha * beta);
    const double rest = std::exp(-15.0 * alpha * (1.0 - std::sqrt(std::max(0.0, 1 - 4 * point.s))));
    const double expected = p * std::sqrt(square);
    // Sums over samples each 0.01 s, up to 30 s: what lies between and beyond is the bar.
    EXPECT_NEAR(point.errors[error], expected, (5e-3 + rest) * expected)
        << "alpha = " << alpha << ", s = " << point.s;
  }
  if (is_rate) return;
  const auto smallest = std::min_element(points.begin(), points.end(), is_less);
  EXPECT_EQ(smallest->alpha, 20.0);
  EXPECT_EQ(smallest->s, 0.5) << "beta = 200, as the paper has it for E1";
}

TEST_F(LongPaperSweeps, FromAnInconsistentStartTheSurfacesFollowTheErrorEquation) {
  const std::vector<Point> one =
      run_sweep("three_masses", {"--set", "q1=0.001", "--set", "run.start=\"given\""});
  expect_surface(one, 0, 1e-3, false);
  expect_surface(one, 1, 1e-3, true);
  const std::vector<Point> two =
      run_sweep("three_masses_two",
                {"--set", "q1=0.001", "--set", "q3=0.002", "--set", "run.start=\"given\""});
  expect_surface(two, 0, 1e-3, false);
  expect_surface(two, 1, 1e-3, true);
  expect_surface(two, 2, 3e-3, false);
  expect_surface(two, 3, 3e-3, true);
}

}  // namespace
}  // namespace driftless::testing
