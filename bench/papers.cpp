// Tables 1 to 3 of Park, Yoo, Hwang 2000 next to the paper's figures: evaluations, average step, and CPU time relative to
// the partial velocity method, with the paper's dense linear algebra and with ours. The runs take turns and the shortest
// time of each counts; ratios are the figures, seconds depend on the machine.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driftless/driftless.hpp"

namespace {

using namespace driftless;

using Sets = std::vector<std::pair<std::string, std::string>>;

struct Row {
  const char* method;
  double paper_ratio;
  int paper_evaluations;
};

struct Case {
  const char* title;
  const char* model;
  double until;
  double tolerance;
  const char* position_tolerance;
  Sets sets;
  std::vector<Row> rows;
};

/// One method with one linear algebra, ready to run again and again.
struct Runner {
  PreparedModel model;
  Method method;
  Report report = {};
  double seconds = 1e300;  ///< the shortest

  void run() {
    report = run_prepared(model, method, model.options).report;
    seconds = std::min(seconds, report.cpu_seconds);
  }
  double per_evaluation() const { return seconds / static_cast<double>(report.evaluations); }
};

Runner prepare(const Case& each, const std::string& method, const std::string& algebra) {
  ModelFile file =
      read_model_file(fmt::format("{}/{}.toml", DRIFTLESS_SOURCE_DIR "/models", each.model));
  Sets sets = each.sets;
  if (method != "cs") {
    sets.emplace_back("method.algebra", fmt::format("\"{}\"", algebra));
    sets.emplace_back("method.position_tolerance", each.position_tolerance);
  } else {
    sets.emplace_back("method.alpha", "10");
    sets.emplace_back("method.beta", "10");
  }
  apply_overrides(file, sets);
  RunRequest request;
  request.method = {.word = method + "/adams", .tolerance = each.tolerance};
  request.until = each.until;
  request.every = each.until;
  PreparedModel model = prepare_model(file, request);
  Method prepared = prepare_method(file, model, request.method);
  return {std::move(model), std::move(prepared)};
}

/// Which of partial_velocity and partition, the first two rows, is cheaper per evaluation.
std::string name_winner(const std::vector<Runner>& runners, const Case& each) {
  const double first = runners[0].per_evaluation(), second = runners[1].per_evaluation();
  return fmt::format("{} (by {:.2f})", each.rows[first <= second ? 0 : 1].method,
                     std::max(first, second) / std::min(first, second));
}

void print_case(const Case& each) {
  std::vector<Runner> own, dense;
  for (const Row& row : each.rows) {
    own.push_back(prepare(each, row.method, "own"));
    dense.push_back(prepare(each, row.method, "dense"));
  }
  constexpr int kRounds = 200;  // in turn, so that whatever else the machine does hits all alike
  for (int round = 0; round < kRounds; ++round) {
    for (auto* list : {&own, &dense})
      for (Runner& runner : *list) runner.run();
  }
  fmt::print("\n{}\n", each.title);
  fmt::print("  {:<17}{:>12}{:>7}{:>11}  {:>14}  {:>14}{:>7}{:>11}\n", "", "", "", "", "ours",
             "dense", "", "");
  fmt::print("  {:<17}{:>12}{:>7}{:>11}  {:>7}{:>7}  {:>7}{:>7}{:>7}{:>11}\n", "method",
             "evaluations", "paper", "avg. step", "run", "eval.", "run", "eval.", "paper",
             "max |Phi|");
  for (std::size_t k = 0; k < each.rows.size(); ++k) {
    const Row& row = each.rows[k];
    fmt::print(
        "  {:<17}{:>12}{:>7}{:>11.3f}  {:>7.2f}{:>7.2f}  {:>7.2f}{:>7.2f}{:>7.2f}{:>11.1e}\n",
        row.method, own[k].report.evaluations, row.paper_evaluations,
        each.until / static_cast<double>(own[k].report.steps), own[k].seconds / own[0].seconds,
        own[k].per_evaluation() / own[0].per_evaluation(), dense[k].seconds / dense[0].seconds,
        dense[k].per_evaluation() / dense[0].per_evaluation(), row.paper_ratio,
        own[k].report.max_phi);
  }
  fmt::print("  cheaper per evaluation: ours {}, dense {}\n", name_winner(own, each),
             name_winner(dense, each));
}

}  // namespace

int main() {
  const Sets second{{"l0", "1.9"}, {"theta1", "1.104"}};
  const std::vector<Case> cases{
      {"Table 1, double bar pendulum, 5 s",
       "double_bar_pendulum",
       5,
       1e-6,
       "1e-5",
       {},
       {{"partial_velocity", 1.00, 96}, {"partition", 1.70, 96}, {"cs", 1.10, 140}}},
      {"Table 1, double bar pendulum, 10 s",
       "double_bar_pendulum",
       10,
       1e-6,
       "1e-5",
       {},
       {{"partial_velocity", 1.00, 151}, {"partition", 1.65, 152}, {"cs", 1.65, 283}}},
      {"Table 1, double bar pendulum, 50 s",
       "double_bar_pendulum",
       50,
       1e-6,
       "1e-5",
       {},
       {{"partial_velocity", 1.00, 625}, {"partition", 1.86, 607}, {"cs", 2.17, 1313}}},
      {"Table 2, planar four-bar, case I",
       "planar_four_bar",
       10,
       1e-4,
       "1e-5",
       {},
       {{"partial_velocity", 1.00, 303}, {"partition", 1.60, 295}, {"cs", 2.31, 699}}},
      {"Table 2, planar four-bar, case II",
       "planar_four_bar",
       10,
       1e-4,
       "1e-5",
       second,
       {{"partial_velocity", 1.00, 311}, {"partition", 1.60, 311}, {"cs", 1.80, 707}}},
      {"Table 3, spatial four-bar, tolerances 1e-5 and 1e-3",
       "spatial_four_bar",
       10,
       1e-5,
       "1e-3",
       {},
       {{"partial_velocity", 1.00, 210}, {"partition", 1.68, 210}, {"cs", 3.59, 662}}},
      {"Table 3, spatial four-bar, tolerances 1e-3 and 1e-3",
       "spatial_four_bar",
       10,
       1e-3,
       "1e-3",
       {},
       {{"partial_velocity", 1.00, 157}, {"partition", 1.58, 157}, {"cs", 2.76, 399}}},
      {"Table 3, spatial four-bar, tolerances 1e-3 and 1e-5",
       "spatial_four_bar",
       10,
       1e-3,
       "1e-5",
       {},
       {{"partial_velocity", 1.00, 154}, {"partition", 1.33, 152}, {"cs", 1.80, 399}}},
  };
  fmt::print(
      "Park, Yoo, Hwang 2000. CPU time relative to partial_velocity, of the whole run and per "
      "evaluation,\nwith our linear algebra and with the paper's dense one (cs always by our "
      "saddle "
      "point);\npaper: its evaluations and its ratio of CPU times.\n");
  for (const Case& each : cases) print_case(each);
}
