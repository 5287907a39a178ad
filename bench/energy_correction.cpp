// What the energy correction costs: CPU time of the same run with and without it, alternating, best of several. The
// ratio is the figure; the seconds depend on the machine.

#include <algorithm>

#include <fmt/format.h>

#include "driftless/driftless.hpp"

namespace {

using namespace driftless;

double measure(const PreparedModel& model, const Method& method) {
  return run_prepared(model, method, model.options).report.cpu_seconds;
}

void compare(const std::string& path, double until) {
  const ModelFile file = read_model_file(path);
  RunRequest request;
  request.until = until;
  request.every = until / 100.0;
  const PreparedModel model = prepare_model(file, request);
  const Method with = prepare_method(file, model, {.word = "braun_goldfarb/rk4/project+energy"});
  const Method without = prepare_method(file, model, {.word = "braun_goldfarb/rk4/project"});
  double best_with = 1e300;
  double best_without = 1e300;
  for (int k = 0; k < 7; ++k) {
    best_with = std::min(best_with, measure(model, with));
    best_without = std::min(best_without, measure(model, without));
  }
  fmt::print("{:<24} {:>8.4f} s {:>8.4f} s {:>8.3f}\n", file.model.name, best_without, best_with,
             best_with / best_without);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : DRIFTLESS_SOURCE_DIR "/models";
  fmt::print("{:<24} {:>10} {:>10} {:>8}\n", "energy correction", "without", "with", "ratio");
  compare(models + "/slider_crank.toml", 100.0);
  compare(models + "/double_four_bar.toml", 100.0);
  compare(models + "/change_point_four_bar.toml", 60.0);
}
