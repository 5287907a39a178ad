#pragma once
// The verbs of the command line. Each `add_` declares one with its options and examples; running it sets the exit code.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "terminal.hpp"

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/result_files.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitMisuse = 2;
inline constexpr int kExitInterrupted = 130;

/// What is known across verbs: how to speak, and how it ended.
struct Session {
  Voice voice;
  std::string verb;
  bool json = false;
  int exit_code = kExitOk;
};

/// Options shared by the verbs that run a model.
struct ModelArguments {
  std::string file;
  std::vector<std::string> sets;
  std::optional<std::string> until, every, step, tolerance;

  /// One step or tolerance for all runs; or several, which the verb declares itself.
  enum class Stepping { one, several };
  void declare(Verb& verb, Stepping stepping = Stepping::one);
  ModelFile read() const;
  RunRequest request(const std::string& method) const;
  /// What was set beside the file, for the result: "A.rate = 20 rad/s, until = 2, method = baumgarte".
  std::string describe_settings(const std::string& method) const;
};

/// As prepare_model, but everything that is wrong with the file is told at once.
PreparedModel prepare(const ModelFile& file, const RunRequest& request);

/// Parses "--name" with a unit, for example "2 min"; throws ModelError naming the option.
std::optional<double> parse_quantity(const std::string& option,
                                     const std::optional<std::string>& text, std::string_view unit,
                                     const Bounds& bounds);

/// What tells results apart: their methods if these differ, else their files.
std::vector<std::string> label_runs(const std::vector<std::string>& paths,
                                    const std::vector<std::string>& methods);

/// Throws ModelError if the path is that of a model or a report page, where a result is wanted.
void refuse_model(const std::string& path);

/// Reads a result; says so if it is a model instead.
Result read_run(const std::string& path);
/// The same, and says so if it takes long.
Result read_run(const std::string& path, const Voice& voice);
/// Of a result that memory need not hold: everything but its rows, a part of it, or all of it piece by piece.
ResultOverview read_run_overview(const std::string& path, const Voice& voice);
Result read_run_part(const std::string& path, const ChoosePart& choose, const Voice& voice);
void stream_run(const std::string& path, ResultSink& sink, const Voice& voice);

/// What to change in a model that cannot start: so that its start can be met or, if it can, what `find_system_remedy`
/// says.
std::string find_start_remedy(const PreparedModel& model, const CheckReport& report);

/// What to change in equations that cannot be solved at the start; empty if they do not tell.
std::string find_system_remedy(const PreparedModel& model, const CheckReport& report);

/// Where in the file that is; no line if it is not known.
Source find_system_place(const PreparedModel& model, const CheckReport& report);

/// "closed after 4 tries, with the bodies turned"; empty if the given pose did at once.
std::string describe_start(const StartReport& start);

/// The method's options that differ from their defaults, without step and tolerances: "alpha = 200, beta = 10000".
std::string describe_special_options(const Method& method);

/// "step = 0.01" or "tolerance = 1e-06".
std::string describe_stepping(const Method& method);

/// True after Ctrl-C.
const std::atomic<bool>& stop_flag();
void catch_interrupts();
/// A file that reaches the limit of its size is an error to tell, not the end of the program.
void admit_full_files();

/// How a report ends the program.
int find_exit_code(const Report& report);

void add_common_flags(Verb& verb, Session& session);

void add_run(CommandLine& line, Session& session);
void add_check(CommandLine& line, Session& session);
void add_compare(CommandLine& line, Session& session);
void add_converge(CommandLine& line, Session& session);
void add_sweep(CommandLine& line, Session& session);
void add_results(CommandLine& line, Session& session);  // info, convert, diff, plot
void add_report(CommandLine& line, Session& session);
void add_animate(CommandLine& line, Session& session);
void add_list(CommandLine& line);
void add_explain(CommandLine& line);
void add_new(CommandLine& line);
void add_examples(CommandLine& line);
void add_schema(CommandLine& line);
void add_completion(CommandLine& line);  // completion, and complete, which its scripts call

/// Everything that `driftless explain` knows.
std::vector<std::string> all_explained();
/// What `driftless list` lists.
std::vector<std::string> all_listed();

}  // namespace driftless::cli
