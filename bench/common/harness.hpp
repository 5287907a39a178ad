#pragma once
// What all programs of the benchmark share: words of the command line, CPU time, one JSON line per measurement.
//
// A program is called as  PROGRAM MODE PROBLEM key=value...  with MODE
//   evaluation   the time of one evaluation of the accelerations, at a state that all programs share
//   step         the time of one step of the classical Runge-Kutta method
//   run          one run to the end: time, steps, errors
// and prints one JSON object. What it cannot do it says in "status", and ends well: bench/run.mjs goes on with the others.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// CPU time of this thread: what other processes do counts little. Not of the process: where its CPU time is limited, as here
/// (run.mjs), that clock moves by ticks of some milliseconds.
inline double read_cpu_clock() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What a program does not offer. Told in the table, not an error.
struct NotOffered : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Arguments {
 public:
  Arguments(int argc, char** argv) {
    if (argc < 3)
      throw std::invalid_argument("usage: PROGRAM evaluation|step|run PROBLEM key=value...");
    mode_ = argv[1];
    problem_ = argv[2];
    for (int k = 3; k < argc; ++k) {
      const std::string word = argv[k];
      const std::size_t at = word.find('=');
      if (at == std::string::npos) throw std::invalid_argument("not key=value: " + word);
      values_[word.substr(0, at)] = word.substr(at + 1);
    }
  }

  const std::string& mode() const { return mode_; }
  const std::string& problem() const { return problem_; }
  bool has(const std::string& key) const { return values_.count(key) > 0; }
  std::string word(const std::string& key, const std::string& fallback) const {
    const auto found = values_.find(key);
    return found == values_.end() ? fallback : found->second;
  }
  double number(const std::string& key, double fallback) const {
    return has(key) ? std::stod(values_.at(key)) : fallback;
  }
  int whole(const std::string& key, int fallback) const {
    return has(key) ? std::stoi(values_.at(key)) : fallback;
  }

 private:
  std::string mode_, problem_;
  std::map<std::string, std::string> values_;
};

/// One JSON object on one line.
class Line {
 public:
  Line& set(const std::string& key, double value) {
    char text[40] = "null";
    if (std::isfinite(value)) std::snprintf(text, sizeof text, "%.17g", value);
    return add(key, text);
  }
  Line& set(const std::string& key, const std::vector<double>& values) {
    std::string text = "[";
    for (const double value : values) {
      char number[40] = "null";
      if (std::isfinite(value)) std::snprintf(number, sizeof number, "%.17g", value);
      text += (text.size() > 1 ? "," : "") + std::string(number);
    }
    return add(key, text + "]");
  }
  Line& set(const std::string& key, const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
      if (c == '"' || c == '\\') text += '\\';
      text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return add(key, text + "\"");
  }
  void print() const { std::printf("{%s}\n", text_.c_str()); }

 private:
  Line& add(const std::string& key, const std::string& text) {
    text_ += (text_.empty() ? "\"" : ",\"") + key + "\":" + text;
    return *this;
  }
  std::string text_;
};

/// What a run gives, besides its time.
struct RunFigures {
  long steps = 0;
  long evaluations = 0;
  double max_phi = 0.0;       ///< largest gap of a constraint, at the ends of all steps
  double energy_error = 0.0;  ///< largest |E - E0|, J
  std::vector<double> end;    ///< what is compared with the reference
};

/// Where callgrind counts: --toggle-collect=bench_counted.
extern "C" __attribute__((noinline)) inline void bench_counted(void (*call)(void*), void* data) {
  call(data);
}

template <class Function>
void run_counted(Function& function) {
  bench_counted([](void* data) { (*static_cast<Function*>(data))(); }, &function);
}

/// Seconds of one call: the shortest of several rounds, each of which lasts long enough for the clock. With `calls` in the
/// arguments: that many, once, for counting.
template <class Function>
double measure_call(Function&& call, const Arguments& arguments) {
  long calls = arguments.whole("calls", 0);
  const bool counts = calls > 0;
  auto round = [&] {
    for (long k = 0; k < calls; ++k) call();
  };
  call();  // what is set up by the first one
  if (counts) {
    run_counted(round);
    return 0.0;
  }
  const double length = arguments.number("round", 0.02);
  double seconds = 0.0;
  for (calls = 1; seconds < length; calls *= 2) {
    const double begin = read_cpu_clock();
    round();
    seconds = read_cpu_clock() - begin;
  }
  calls /= 2;
  double best = seconds / static_cast<double>(calls);
  for (int k = 1; k < arguments.whole("rounds", 7); ++k) {
    const double begin = read_cpu_clock();
    round();
    best = std::min(best, (read_cpu_clock() - begin) / static_cast<double>(calls));
  }
  return best;
}

/// Runs `run(observe)` once with figures being taken and then, without, in batches that are long enough for the clock of a
/// busy machine; the shortest time counts. A run of more than five seconds is not repeated: there, taking figures costs little.
template <class Function>
void report_run(Line& line, Function&& run, const Arguments& arguments) {
  constexpr double kBatch = 0.05;
  double begin = read_cpu_clock();
  const RunFigures figures = run(true);
  double best = read_cpu_clock() - begin;
  const int rounds = best > 5.0 ? 0 : arguments.whole("rounds", 5);
  double total = 0.0;
  for (int k = 0; k < rounds && (k == 0 || total < 0.5); ++k) {
    double seconds = 0.0;
    long runs = 0;
    for (begin = read_cpu_clock(); seconds < kBatch; seconds = read_cpu_clock() - begin, ++runs)
      run(false);
    total += seconds;
    seconds /= static_cast<double>(runs);
    best = k == 0 ? seconds : std::min(best, seconds);
  }
  bool finite = std::isfinite(figures.energy_error) && std::isfinite(figures.max_phi);
  for (const double value : figures.end) finite = finite && std::isfinite(value);
  line.set("status", std::string(finite ? "ok" : "not finite, without a message"))
      .set("cpu", best)
      .set("steps", static_cast<double>(figures.steps))
      .set("evaluations", static_cast<double>(figures.evaluations))
      .set("max_phi", figures.max_phi)
      .set("energy_error", figures.energy_error)
      .set("end", figures.end);
}

/// Turns the arguments into one line by `work(arguments, line)`; what it throws becomes the status.
template <class Function>
int run_program(int argc, char** argv, Function&& work) {
  try {
    const Arguments arguments(argc, argv);
    Line line;
    try {
      work(arguments, line);
    } catch (const NotOffered& reason) {
      line = Line();
      line.set("status", std::string("left out")).set("message", std::string(reason.what()));
    } catch (const std::exception& error) {
      line = Line();
      line.set("status", std::string("failed")).set("message", std::string(error.what()));
    }
    line.print();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}

}  // namespace bench
