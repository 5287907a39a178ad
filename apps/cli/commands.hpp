#pragma once
// The verbs of the command line. Each `add_` declares one with its options and examples; running it sets the exit code.

#include <CLI/App.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "terminal.hpp"

namespace driftless::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitMisuse = 2;
inline constexpr int kExitInterrupted = 130;

/// What is known across verbs: how to speak, and how it ended.
struct Session {
  Voice voice;
  bool json = false;
  int exit_code = kExitOk;
};

/// Options shared by the verbs that run a model.
struct ModelArguments {
  std::string file;
  std::vector<std::string> sets;
  std::string until, every, step, tolerance;

  void declare(CLI::App& app);
  ModelFile read() const;
  RunRequest request(const std::string& method) const;
};

/// Parses "--name" with a unit, for example "2 min"; throws ModelError naming the option.
std::optional<double> parse_quantity(const std::string& option, const std::string& text,
                                     std::string_view unit, const Bounds& bounds);

/// True after Ctrl-C.
const std::atomic<bool>& stop_flag();
void catch_interrupts();

/// How a report ends the program.
int find_exit_code(const Report& report);

void add_common_flags(CLI::App& app, Session& session);

void add_run(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_compare(CLI::App& app, Session& session);
void add_sweep(CLI::App& app, Session& session);
void add_results(CLI::App& app, Session& session);  // info, convert, diff, plot
void add_help(CLI::App& app, Session& session);     // list, explain, new

}  // namespace driftless::cli
