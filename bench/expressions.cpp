// What an equation model costs beside hand-written C++: nanoseconds per evaluation of M, Φ, G, Q, γ and ρ, by the compiled
// expressions and by the functions of expressions_models.hpp, in turn, shortest of many; then whole steps of small models,
// in microseconds, also per coordinate. The ratios are the figures; the times depend on the machine.
//
// `expressions json` prints the times, of steps per coordinate, as one line of JSON. `expressions
// compiled|written MODEL COUNT` evaluates one model COUNT times and nothing else: for counting instructions.

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string_view>

#include <fmt/format.h>

#include "bench/expressions_models.hpp"
#include "driftless/driftless.hpp"
#include "driftless/run/row_writer.hpp"

namespace {

using namespace driftless;

/// States at which a model is evaluated, in turn: nothing can be kept from one call to the next.
struct States {
  std::vector<Vector> q, v;

  explicit States(int n, std::size_t count = 64) {
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> number(-2.0, 2.0);
    for (auto* list : {&q, &v})
      for (std::size_t k = 0; k < count; ++k)
        list->push_back(Vector::NullaryExpr(n, [&] { return number(generator); }));
  }
};

template <class Model>
struct Subject {
  Model model;
  std::unique_ptr<System> system;
  std::unique_ptr<Workspace> compiled, written;
  States states{Model::kCoordinates};

  explicit Subject(const char* name)
      : system(bench::make_bench_system(model, name)),
        compiled(system->make_workspace()),
        written(system->make_workspace()) {}

  void eval_compiled(std::size_t k) {
    const VectorView q = states.q[k];
    system->eval_configuration(0.0, q, *compiled);
    system->eval_motion(0.0, q, states.v[k], *compiled);
  }
  /// Called as an integrator calls it, not compiled into the loop.
  [[gnu::noinline]] void eval_written(std::size_t k) {
    model.eval(states.q[k].data(), states.v[k].data(), *written);
    asm volatile("" ::: "memory");  // the results are wanted
  }

  template <class F>
  static double measure(int rounds, std::size_t count, F eval) {
    const double start = find_cpu_seconds();
    for (int r = 0; r < rounds; ++r)
      for (std::size_t k = 0; k < count; ++k) eval(k);
    return (find_cpu_seconds() - start) / (rounds * static_cast<double>(count));
  }

  /// The largest difference of any term, relative to its largest entry.
  double compare() {
    double largest = 0.0;
    for (std::size_t k = 0; k < states.q.size(); ++k) {
      eval_compiled(k);
      eval_written(k);
      const auto add = [&](const auto& a, const auto& b) {
        const double size = b.cwiseAbs().maxCoeff();
        if (size > 0.0) largest = std::max(largest, (a - b).cwiseAbs().maxCoeff() / size);
      };
      add(compiled->mass.dense(), written->mass.dense());
      add(compiled->jacobian.dense(), written->jacobian.dense());
      add(compiled->phi, written->phi);
      add(compiled->force, written->force);
      add(compiled->gamma, written->gamma);
      add(compiled->velocity_residual, written->velocity_residual);
    }
    return largest;
  }
};

struct Terms {
  std::string name;
  double compiled = 1e300, written = 1e300;  // s
  double difference = 0.0;
};

template <class Model>
Terms measure_terms(const char* name) {
  Subject<Model> subject(name);
  double compiled = 1e300, written = 1e300;
  const std::size_t count = subject.states.q.size();
  for (int round = 0; round < 25; ++round) {
    compiled = std::min(
        compiled, subject.measure(100, count, [&](std::size_t k) { subject.eval_compiled(k); }));
    written = std::min(
        written, subject.measure(100, count, [&](std::size_t k) { subject.eval_written(k); }));
  }
  return {name, compiled, written, subject.compare()};
}

struct OneStep {
  std::string model, method;
  int coordinates = 0;
  double seconds = 1e300;
};

OneStep measure_step(const std::string& file_name, const std::string& method_word) {
  const ModelFile file = read_model_file(DRIFTLESS_SOURCE_DIR "/models/" + file_name + ".toml");
  RunRequest request;
  request.until = 20.0;
  request.every = 20.0;
  const PreparedModel model = prepare_model(file, request);
  const Method method = prepare_method(file, model, {.word = method_word, .step = 0.01});
  OneStep step{file_name, method_word, model.system().info().nv};
  for (int round = 0; round < 40; ++round) {
    const Report report = run_prepared(model, method, model.options).report;
    step.seconds = std::min(step.seconds, report.cpu_seconds / static_cast<double>(report.steps));
  }
  return step;
}

void print_tables(const std::vector<Terms>& terms, const std::vector<OneStep>& steps) {
  fmt::print("{:<24}{:>10}{:>10}{:>8}{:>12}\n", "M, Phi, G, Q, gamma, rho", "compiled", "written",
             "ratio", "difference");
  for (const Terms& each : terms)
    fmt::print("{:<24}{:>10.1f}{:>10.1f}{:>8.2f}{:>12.1e}\n", each.name, 1e9 * each.compiled,
               1e9 * each.written, each.compiled / each.written, each.difference);
  fmt::print("  nanoseconds per evaluation; written: by hand, in C++\n\n");
  fmt::print("{:<24}{:<20}{:>4}{:>10}{:>12}\n", "one step", "method", "n", "us", "us/n");
  for (const OneStep& each : steps)
    fmt::print("{:<24}{:<20}{:>4}{:>10.2f}{:>12.3f}\n", each.model, each.method, each.coordinates,
               1e6 * each.seconds, 1e6 * each.seconds / each.coordinates);
}

void print_json(const std::vector<Terms>& terms, const std::vector<OneStep>& steps) {
  const auto write = [](const auto& rows, auto&& write_one) {
    std::string list;
    for (const auto& row : rows) list += (list.empty() ? "" : ",") + write_one(row);
    return list;
  };
  fmt::print("{{\"terms\":[{}],\"steps\":[{}]}}\n",
             write(terms,
                   [](const Terms& each) {
                     return fmt::format("{{\"name\":\"{}\",\"compiled\":{},\"written\":{}}}",
                                        each.name, each.compiled, each.written);
                   }),
             write(steps, [](const OneStep& each) {
               return fmt::format("{{\"name\":\"{}, {}\",\"perCoordinate\":{}}}", each.model,
                                  each.method, each.seconds / each.coordinates);
             }));
}

void count_instructions(std::string_view what, std::string_view model, int rounds) {
  const auto run = [&](auto subject) {
    const std::size_t count = subject.states.q.size();
    for (int r = 0; r < rounds; ++r) {
      const std::size_t k = static_cast<std::size_t>(r) % count;
      if (what == "compiled") subject.eval_compiled(k);
      if (what == "written") subject.eval_written(k);
    }
  };
  if (model == "slider_crank") run(Subject<bench::SliderCrank>("slider-crank"));
  if (model == "double_four_bar") run(Subject<bench::DoubleFourBar>("double four-bar"));
  if (model == "andrews") run(Subject<bench::Andrews>("andrews"));
  if (model == "chain") run(Subject<bench::Chain<10>>("chain"));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    count_instructions(argv[1], argv[2], std::atoi(argv[3]));
    return 0;
  }
  const std::vector<Terms> terms = {measure_terms<bench::SliderCrank>("slider-crank"),
                                    measure_terms<bench::DoubleFourBar>("double four-bar"),
                                    measure_terms<bench::Andrews>("Andrews, 7 angles"),
                                    measure_terms<bench::Chain<10>>("chain of 10 masses"),
                                    measure_terms<bench::Chain<50>>("chain of 50 masses")};
  std::vector<OneStep> steps;
  for (const char* method : {"braun_goldfarb/rk4", "index1/rk4"})
    for (const char* model :
         {"pendulum", "slider_crank", "double_four_bar", "double_pendulum_angles"})
      steps.push_back(measure_step(model, method));
  if (argc == 2 && std::string_view(argv[1]) == "json") {
    print_json(terms, steps);
  } else {
    print_tables(terms, steps);
  }
}
