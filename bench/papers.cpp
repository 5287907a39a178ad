// Tables 1 to 3 of Park, Yoo, Hwang 2000 next to the paper's figures: evaluations, average step, and CPU time relative to
// the partial velocity method, with the paper's dense linear algebra and with ours. Each run is repeated and the shortest
// time counts; ratios are the figures, seconds depend on the machine.

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

struct Measured {
  Report report;
  double seconds = 1e300;  ///< the shortest
};

Measured measure(const Case& each, const std::string& method, const std::string& algebra) {
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
  const PreparedModel model = prepare_model(file, request);
  const Method prepared = prepare_method(file, model, request.method);
  Measured measured;
  for (int k = 0; k < 9; ++k) {
    measured.report = run_prepared(model, prepared, model.options).report;
    measured.seconds = std::min(measured.seconds, measured.report.cpu_seconds);
  }
  return measured;
}

void print_case(const Case& each) {
  fmt::print("\n{}\n", each.title);
  fmt::print("  {:<17} {:>11} {:>6} {:>9} {:>6} {:>6} {:>12} {:>12} {:>10}\n", "method",
             "evaluations", "paper", "avg. step", "ratio", "paper", "dense: ratio", "per eval.",
             "max |Phi|");
  double own_seconds = 0.0, dense_seconds = 0.0, dense_per_evaluation = 0.0;
  for (const Row& row : each.rows) {
    const Measured own = measure(each, row.method, "own");
    const Measured dense = measure(each, row.method, "dense");
    const double per_evaluation = dense.seconds / static_cast<double>(dense.report.evaluations);
    if (own_seconds == 0.0) {
      own_seconds = own.seconds;
      dense_seconds = dense.seconds;
      dense_per_evaluation = per_evaluation;
    }
    fmt::print("  {:<17} {:>11} {:>6} {:>9.3f} {:>6.2f} {:>6.2f} {:>12.2f} {:>12.2f} {:>10.1e}\n",
               row.method, own.report.evaluations, row.paper_evaluations,
               each.until / static_cast<double>(own.report.steps), own.seconds / own_seconds,
               row.paper_ratio, dense.seconds / dense_seconds,
               per_evaluation / dense_per_evaluation, own.report.max_phi);
  }
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
      "Park, Yoo, Hwang 2000. ratio: CPU time relative to partial_velocity, with our linear "
      "algebra;\n"
      "dense: with the paper's, for whole runs and per evaluation (cs always by our saddle "
      "point).\n");
  for (const Case& each : cases) print_case(each);
}
