#include "driftless/studies/converge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "driftless/integrators/all.hpp"
#include "driftless/studies/timing.hpp"

namespace driftless {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kKnownFactor = 10.0;  // an error is known if it is this many times the doubt

/// Words of references, the best first. The first passes singular poses and closes the joints to round-off; the second
/// shares neither formulation nor integrator with it; the third takes over if one of them cannot run.
std::vector<std::string> find_reference_words(const SystemInfo& info) {
  if (info.row_count() == 0) return {"index1/dop853", "index1/adams", "index1/dopri5"};
  return {"braun_goldfarb/dop853/project", "partial_velocity/adams", "index1/dop853/project"};
}

std::string name_reference(const Method& method) {
  return fmt::format("{} at tolerance {:g}", describe(method), kReferenceTolerance);
}

bool is_stopped(const RunOptions& options) {
  return options.stop != nullptr && options.stop->load();
}

/// What the steps alone cost. Each sample factorises, dense output may take evaluations of its own, and of a short run the
/// samples are most of the time; how many there are has nothing to do with the method. Samples change no step.
void measure_cost(const PreparedModel& model, const Method& method, const RunOptions& options,
                  bool repeats, ConvergeRun& run) {
  RunOptions bare = options;
  bare.every = options.until - model.start.t;
  const Report report = run_prepared(model, method, bare).report;
  if (report.status != Status::ok)
    return;  // interrupted: what the samples add is small to a long run
  run.report.evaluations = report.evaluations;
  run.report.factorisations = report.factorisations;
  run.report.cpu_seconds = report.cpu_seconds;
  run.seconds = report.cpu_seconds;
  if (repeats) run.seconds = find_least_seconds(model, method, bare, report.cpu_seconds);
}

/// One run of the study, in its place.
struct Task {
  const ConvergeMethod* method;
  std::size_t setting;
  ConvergeRun* run;
  bool done = false;
};

void work(const PreparedModel& model, const ErrorMeasure& measure, const ConvergeOptions& options,
          Task& task) {
  const Method& method = task.method->methods[task.setting];
  const double setting = task.method->settings[task.setting];
  const RunOptions run_options =
      options.begin ? options.begin(*task.method, setting) : model.options;
  if (is_stopped(run_options)) return;
  const Result result = run_prepared(model, method, run_options);
  if (result.report.status == Status::interrupted) return;
  ConvergeRun& run = *task.run;
  run = {setting, result.report, result.report.cpu_seconds, {kUnknown, kUnknown, kUnknown, 0}};
  if (run.report.status == Status::ok) {
    run.errors = measure.find(result);
    measure_cost(model, method, run_options, options.repeats, run);
  }
  task.done = true;
}

}  // namespace

bool can_adapt(const IntegratorChoice& integrator) {
  if (integrator.tableau) return !integrator.tableau->e.empty();
  const IntegratorInfo* info = find_integrator(integrator.name);
  return info != nullptr && info->adaptive;
}

bool can_adapt(const Method& method) {
  return !std::holds_alternative<Index2Baumgarte>(method.formulation) &&
         can_adapt(method.integrator);
}

std::vector<double> make_default_steps(double step, double until) {
  constexpr double kLargest = 4.0;
  constexpr double kFewest = 10.0;
  double h = std::min(kLargest * step, until / kFewest);
  std::vector<double> steps;
  for (int k = 0; k < 5; ++k, h /= 2.0) steps.push_back(h);
  return steps;
}

std::vector<double> make_default_tolerances() { return {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}; }

Reference make_reference(const PreparedModel& model, const RunOptions& options,
                         std::optional<Reference> given) {
  Reference reference;
  if (given) reference = std::move(*given);
  bool has_one = given.has_value();
  for (const std::string& word : find_reference_words(model.system().info())) {
    const Method method =
        find_method({}, {.word = word, .tolerance = kReferenceTolerance}, model.context);
    const std::string name = name_reference(method);
    if (name == reference.name) continue;
    Result result = run_prepared(model, method, options);
    if (result.report.status == Status::interrupted) {
      if (!has_one) reference.result = std::move(result);
      return reference;
    }
    if (result.report.status != Status::ok) {
      if (!has_one && reference.name.empty()) {  // why the best one failed is told
        reference.name = name;
        reference.result = std::move(result);
      }
      continue;
    }
    if (has_one) {
      reference.other = name;
      reference.doubt =
          ErrorMeasure(model.system().info(), reference.result, reference.name).find(result);
      return reference;
    }
    reference.name = name;
    reference.result = std::move(result);
    has_one = true;
  }
  return reference;
}

std::vector<ConvergeCurve> converge(const PreparedModel& model,
                                    const std::vector<ConvergeMethod>& methods,
                                    const ErrorMeasure& measure, const ConvergeOptions& options) {
  std::vector<ConvergeCurve> curves(methods.size());
  std::vector<Task> tasks;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    curves[m].name = methods[m].name;
    curves[m].words = describe(methods[m].methods.front());
    curves[m].adaptive = methods[m].adaptive;
    curves[m].runs.resize(methods[m].settings.size());
    for (std::size_t k = 0; k < methods[m].settings.size(); ++k)
      tasks.push_back({&methods[m], k, &curves[m].runs[k]});
  }
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto loop = [&] {
    for (std::size_t index = next++; index < tasks.size(); index = next++) {
      try {
        work(model, measure, options, tasks[index]);
        const std::lock_guard lock(mutex);
        if (options.watch && tasks[index].done) options.watch(++done, tasks.size());
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = tasks.size();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int k = 1; k < options.threads; ++k) threads.emplace_back(loop);
  loop();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  for (std::size_t m = 0, index = 0; m < methods.size(); ++m) {
    std::vector<ConvergeRun> reached;
    for (ConvergeRun& run : curves[m].runs) {
      if (tasks[index++].done) reached.push_back(std::move(run));
    }
    curves[m].runs = std::move(reached);
  }
  return curves;
}

bool is_known(const ConvergeRun& run, const RunErrors& doubt, ErrorKind kind) {
  const double error = run.errors.*kind;
  if (!std::isfinite(error) || error <= 0.0) return false;
  return std::isnan(doubt.*kind) || error >= kKnownFactor * doubt.*kind;
}

double find_order(const ConvergeRun& a, const ConvergeRun& b, const RunErrors& doubt,
                  ErrorKind kind) {
  if (!is_known(a, doubt, kind) || !is_known(b, doubt, kind) || a.setting == b.setting)
    return kUnknown;
  return std::log(a.errors.*kind / b.errors.*kind) / std::log(a.setting / b.setting);
}

OrderFit fit_order(const ConvergeCurve& curve, const RunErrors& doubt, ErrorKind kind) {
  std::vector<std::array<double, 2>> points;
  double mean_x = 0.0, mean_y = 0.0;
  for (const ConvergeRun& run : curve.runs) {
    if (!is_known(run, doubt, kind) || run.errors.*kind > kLargeError) continue;
    points.push_back({std::log(run.setting), std::log(run.errors.*kind)});
    mean_x += points.back()[0];
    mean_y += points.back()[1];
  }
  const auto rows = static_cast<int>(points.size());
  if (rows < 2) return {kUnknown, rows};
  mean_x /= rows;
  mean_y /= rows;
  double above = 0.0, below = 0.0;
  for (const auto& [x, y] : points) {
    above += (x - mean_x) * (y - mean_y);
    below += (x - mean_x) * (x - mean_x);
  }
  return {below > 0.0 ? above / below : kUnknown, rows};
}

std::string find_reference_problem(const std::vector<ConvergeCurve>& curves,
                                   const Reference& reference) {
  if (reference.other.empty())
    return "no second method could check the reference: how good it is, is not known";
  const ErrorKind kind = &RunErrors::q;
  int ended = 0, hidden = 0;
  for (const ConvergeCurve& curve : curves) {
    for (const ConvergeRun& run : curve.runs) {
      if (run.report.status != Status::ok) continue;
      ++ended;
      if (!is_known(run, reference.doubt, kind)) ++hidden;
    }
  }
  if (2 * hidden <= ended || hidden == 0) return {};
  return fmt::format(
      "the reference is too coarse: it differs by {:.1e} from {}, and {} of {} errors are less "
      "than "
      "ten times that",
      reference.doubt.q, reference.other, hidden, ended);
}

}  // namespace driftless
