// What an equation model costs beside hand-written C++: nanoseconds per evaluation of M, Φ, G, Q, γ and ρ, by the compiled
// expressions and by the functions of expressions_models.hpp, in turn, shortest of many; then whole steps of small models,
// in microseconds, also per coordinate. The ratios are the figures; the times depend on the machine.
//
// `expressions compiled|written MODEL COUNT` evaluates one model COUNT times and nothing else: for counting
// instructions.

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

template <class Model>
void print_terms(const char* name) {
  Subject<Model> subject(name);
  const double difference = subject.compare();
  double compiled = 1e300, written = 1e300;
  const std::size_t count = subject.states.q.size();
  for (int round = 0; round < 25; ++round) {
    compiled = std::min(
        compiled, subject.measure(100, count, [&](std::size_t k) { subject.eval_compiled(k); }));
    written = std::min(
        written, subject.measure(100, count, [&](std::size_t k) { subject.eval_written(k); }));
  }
  fmt::print("{:<24}{:>10.1f}{:>10.1f}{:>8.2f}{:>12.1e}\n", name, 1e9 * compiled, 1e9 * written,
             compiled / written, difference);
}

void print_step(const std::string& file_name, const std::string& method_word) {
  const ModelFile file = read_model_file(DRIFTLESS_SOURCE_DIR "/models/" + file_name + ".toml");
  RunRequest request;
  request.until = 20.0;
  request.every = 20.0;
  const PreparedModel model = prepare_model(file, request);
  const Method method = prepare_method(file, model, {.word = method_word, .step = 0.01});
  double best = 1e300;
  Report report;
  for (int round = 0; round < 9; ++round) {
    report = run_prepared(model, method, model.options).report;
    best = std::min(best, report.cpu_seconds / static_cast<double>(report.steps));
  }
  const int n = model.system().info().nv;
  fmt::print("{:<24}{:<20}{:>4}{:>10.2f}{:>12.3f}\n", file_name, method_word, n, 1e6 * best,
             1e6 * best / n);
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
  fmt::print("{:<24}{:>10}{:>10}{:>8}{:>12}\n", "M, Phi, G, Q, gamma, rho", "compiled", "written",
             "ratio", "difference");
  print_terms<bench::SliderCrank>("slider-crank");
  print_terms<bench::DoubleFourBar>("double four-bar");
  print_terms<bench::Andrews>("Andrews, 7 angles");
  print_terms<bench::Chain<10>>("chain of 10 masses");
  print_terms<bench::Chain<50>>("chain of 50 masses");
  fmt::print("  nanoseconds per evaluation; written: by hand, in C++\n\n");
  fmt::print("{:<24}{:<20}{:>4}{:>10}{:>12}\n", "one step", "method", "n", "us", "us/n");
  for (const char* method : {"braun_goldfarb/rk4", "index1/rk4"})
    for (const char* model :
         {"pendulum", "slider_crank", "double_four_bar", "double_pendulum_angles"})
      print_step(model, method);
}
