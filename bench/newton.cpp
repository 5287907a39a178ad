// What implicit methods cost as systems grow: chains and rows of four-bars of N links, the time of a step, and by which
// power of N it grows; then the same matrix, a chain's saddle point, by the dense and by the sparse engine, which is what
// decides from which size on matrices are sparse.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <time.h>

#include "driftless/driftless.hpp"
#include "driftless/io/templates.hpp"
#include "driftless/math/lu.hpp"
#include "driftless/math/sparse_lu.hpp"

namespace {

using namespace driftless;

double find_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU time and steps of a run up to `until`; no steps: it failed.
std::pair<double, long> time_run(ModelFile& file, const char* words, double until) {
  RunRequest request;
  request.method = {.word = words};
  if (std::string(words).find("alpha") != std::string::npos ||
      std::string(words).find("rattle") != std::string::npos) {
    request.method.step = 1e-3;
  } else {
    request.method.tolerance = 1e-7;
  }
  request.until = request.every = until;
  const PreparedModel model = prepare_model(file, request);
  const Method method = prepare_method(file, model, request.method);
  const Report report = run_prepared(model, method, model.options).report;
  if (report.status != Status::ok) fmt::print("{}\n", report.message);
  return {report.cpu_seconds, report.status == Status::ok ? report.steps : 0};
}

/// A step costs what a longer run costs more than a short one, per step: without what is done once.
void run_models(const std::string& name, const std::string& option) {
  for (const char* words : {"index3/bdf", "ggl/bdf", "ggl/ida", "ggl/radau5",
                            "ggl/generalized_alpha", "index3/rattle"}) {
    fmt::print("{}, {}\n{:>6} {:>7} {:>12} {:>6}\n", name, words, "N", "steps", "ms per step",
               "power");
    std::vector<double> sizes, times;
    for (const int n : {10, 30, 100, 300, 1000}) {
      ModelFile file =
          parse_model(make_template(name, {{option, std::to_string(n)}}), name + ".toml");
      const auto [short_time, short_steps] = time_run(file, words, 0.02);
      const auto [long_time, long_steps] = time_run(file, words, 0.1);
      if (short_steps == 0 || long_steps <= short_steps) continue;
      const double each = (long_time - short_time) / static_cast<double>(long_steps - short_steps);
      const std::string power = sizes.empty()
                                    ? ""
                                    : fmt::format("{:.2f}", (std::log(each) - times.back()) /
                                                                (std::log(1.0 * n) - sizes.back()));
      fmt::print("{:>6} {:>7} {:>12.3f} {:>6}\n", n, long_steps, 1e3 * each, power);
      sizes.push_back(std::log(1.0 * n));
      times.push_back(std::log(each));
    }
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      x += sizes[k];
      y += times[k];
      xx += sizes[k] * sizes[k];
      xy += sizes[k] * times[k];
    }
    const auto count = static_cast<double>(sizes.size());
    fmt::print("fitted power: {:.2f}\n", (count * xy - x * y) / (count * xx - x * x));
  }
}

template <class Work>
double time_shortest(Work work) {
  double shortest = 1e300;
  for (int k = 0; k < 5; ++k) {
    const double begin = find_seconds();
    work();
    shortest = std::min(shortest, find_seconds() - begin);
  }
  return shortest;
}

void compare_engines() {
  fmt::print("one factorisation of a chain's saddle point\n{:>8} {:>12} {:>12} {:>14}\n",
             "unknowns", "dense ms", "sparse ms", "dense/sparse");
  for (const int bodies : {5, 10, 20, 30, 40, 60, 100}) {
    const int n = 3 * bodies, m = 2 * bodies;
    Matrix A = Matrix::Zero(n + m, n + m);
    for (int b = 0; b < bodies; ++b) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          A(3 * b + i, 3 * b + j) = i == j ? 2.0 + 0.1 * b : 0.1 * (i - j);
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 3; ++j) {
          const double g = std::sin(1.0 + 7.0 * b + 3.0 * i + j);
          A(n + 2 * b + i, 3 * b + j) = A(3 * b + j, n + 2 * b + i) = g;
          if (b == 0) continue;
          A(n + 2 * b + i, 3 * b - 3 + j) = A(3 * b - 3 + j, n + 2 * b + i) = g - 0.5;
        }
      }
    }
    DenseLu dense;
    dense.resize(n + m);
    SparseLu<double> sparse;
    sparse.resize(n + m);
    bool ok = true;
    const double by_dense = time_shortest([&] { ok = dense.factorize(A) && ok; });
    const double by_sparse = time_shortest([&] {
      sparse.clear();
      for (Eigen::Index j = 0; j < A.cols(); ++j)
        for (Eigen::Index i = 0; i < A.rows(); ++i)
          if (A(i, j) != 0.0) sparse.add(i, j, A(i, j));
      ok = sparse.factorize() && ok;
    });
    fmt::print("{:>8} {:>12.4f} {:>12.4f} {:>14.2f}{}\n", n + m, 1e3 * by_dense, 1e3 * by_sparse,
               by_dense / by_sparse, ok ? "" : "  singular");
  }
}

}  // namespace

int main() {
  compare_engines();
  run_models("chain", "n");
  run_models("n-four-bar", "n");
}
