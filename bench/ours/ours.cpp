// Driftless by its public library: a model text is read and compiled, then one evaluation of the method's field, one step or
// one run is timed. Keys: method (words), step or tolerance, coordinates, engine, n, joint.

#include <fmt/format.h>

#include "bench/common/data.hpp"
#include "bench/ours/models.hpp"
#include "driftless/driftless.hpp"
#include "driftless/run/run_setup.hpp"

namespace {

using namespace bench;
using namespace driftless;

struct Prepared {
  ModelFile file;
  PreparedModel model;
  Method method;
};

Prepared prepare(const Arguments& arguments, const OurProblem& problem, double until) {
  ModelFile file;
  try {
    file = parse_model(problem.text, "bench.toml");
  } catch (const ModelError& error) {
    // Keys that this version does not know yet.
    if (arguments.has("coordinates") || arguments.has("engine")) throw NotOffered(error.what());
    throw;
  }
  if (arguments.mode() == "evaluation") apply_overrides(file, problem.evaluation_start);
  RunRequest request;
  request.method.word = arguments.word("method", "braun_goldfarb/rk4");
  if (arguments.has("step")) request.method.step = arguments.number("step", 0.01);
  if (arguments.has("tolerance")) request.method.tolerance = arguments.number("tolerance", 1e-6);
  request.until = until;
  request.every = until;
  PreparedModel model = prepare_model(file, request);
  if (!model.start_report.success) throw std::runtime_error(model.start_report.message);
  Method method = prepare_method(file, model, request.method);
  return {std::move(file), std::move(model), std::move(method)};
}

std::string describe_size(const SystemInfo& info) {
  return fmt::format("{} rates, {} rows", info.nv, info.row_count());
}

void time_evaluation(const Arguments& arguments, Line& line) {
  const OurProblem problem = make_our_problem(arguments);
  const Prepared prepared = prepare(arguments, problem, problem.end);
  const System& system = prepared.model.system();
  const State& start = prepared.model.start;
  WorkingMethod working(system, start, prepared.model.start_rows, prepared.method);
  AccelerationField& field = *working.field;
  std::vector<double> y(static_cast<std::size_t>(field.size())), slope(y.size());
  State state = prepared.model.start;
  field.from_state(state.q, state.v, y);
  if (problem.moves_by_acceleration) {
    if (!field.eval(0.0, y, slope)) throw std::runtime_error(field.failure());
    state.v = kChainSpeedTime * field.acceleration();
    field.from_state(state.q, state.v, y);
  }
  if (!field.eval(0.0, y, slope)) throw std::runtime_error(field.failure());
  const std::vector<std::string>& rates = system.info().rates;
  for (const std::string& name : problem.checked_rate) {
    const auto found = std::find(rates.begin(), rates.end(), name);
    if (found == rates.end()) continue;
    line.set("check", field.acceleration()[found - rates.begin()]);
    break;
  }
  // Another time and place each time: nothing may be left from the call before.
  double t = 0.0;
  line.set("status", std::string("ok")).set("dimensions", describe_size(system.info()));
  line.set("seconds", measure_call(
                          [&] {
                            t += 1e-12;
                            y[2] += 1e-15;
                            field.eval(t, y, slope);
                          },
                          arguments));
}

void time_run(const Arguments& arguments, Line& line) {
  const OurProblem problem = make_our_problem(arguments);
  const Prepared prepared = prepare(arguments, problem, problem.end);
  const auto run = [&](bool) {
    const Result result = run_prepared(prepared.model, prepared.method, prepared.model.options);
    const Report& report = result.report;
    if (report.status != Status::ok) throw std::runtime_error(report.message);
    RunFigures figures{
        report.steps, report.evaluations, report.max_phi, report.max_energy_error, {}};
    for (const OurProblem::Watched& watched : problem.watched) {
      const int column = result.find_column(watched.column);
      if (column < 0) throw std::runtime_error("no column " + watched.column);
      const auto row = result.row(result.row_count() - 1);
      figures.end.push_back(watched.factor * row[static_cast<std::size_t>(column)] +
                            watched.offset);
    }
    return figures;
  };
  report_run(line, run, arguments);
}

/// A run of some steps, by its length; what a run costs before its first step is subtracted.
void time_step(const Arguments& arguments, Line& line) {
  const OurProblem problem = make_our_problem(arguments);
  const int steps = arguments.whole("steps", 20);
  const double h = arguments.number("step", kChainStep);
  const auto prepare_steps = [&](int count) { return prepare(arguments, problem, count * h); };
  const Prepared one = prepare_steps(1), many = prepare_steps(steps + 1);
  const auto run = [](const Prepared& prepared) {
    const Result result = run_prepared(prepared.model, prepared.method, prepared.model.options);
    if (result.report.status != Status::ok) throw std::runtime_error(result.report.message);
  };
  double short_run = 1e300, long_run = 1e300;
  for (int k = 0; k < arguments.whole("rounds", 5); ++k) {
    const double begin = read_cpu_clock();
    run(one);
    const double middle = read_cpu_clock();
    run(many);
    const double end = read_cpu_clock();
    short_run = std::min(short_run, middle - begin);
    long_run = std::min(long_run, end - middle);
  }
  line.set("status", std::string("ok")).set("seconds", (long_run - short_run) / steps);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_program(argc, argv, [](const Arguments& arguments, Line& line) {
    if (arguments.mode() == "evaluation") {
      time_evaluation(arguments, line);
    } else if (arguments.mode() == "step") {
      time_step(arguments, line);
    } else {
      time_run(arguments, line);
    }
  });
}
