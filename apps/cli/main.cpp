#include <cstdio>
#include <exception>
#include <limits>

#include "commands.hpp"
#include <fmt/format.h>

#include "driftless/base/build_info.hpp"
#include "driftless/base/error.hpp"
#include "driftless/io/json.hpp"

namespace driftless::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  driftless new -o first.toml           write a first mechanism, explained
  driftless run first.toml              simulate it
  driftless check first.toml            degrees of freedom, rank, derivatives
  driftless examples                    models to look at
  driftless compare first.toml --methods braun_goldfarb,baumgarte,index1
  driftless converge first.toml         errors, costs and order over several steps
  driftless plot first.h5 energy_error --log-y -o energy.svg
  driftless report a.h5 b.h5 -o both.html    animation, plots and report of several runs
  driftless animate first.h5 -o motion.svg   the motion as a picture that moves
  driftless schema > driftless.schema.json   completion and checks in an editor
  source <(driftless completion bash)        completion in the shell

Every verb has its own --help with examples; `driftless help run` prints the same.)";

void add_verbs(CommandLine& line, Session& session) {
  add_run(line, session);
  add_check(line, session);
  add_compare(line, session);
  add_converge(line, session);
  add_sweep(line, session);
  add_results(line, session);
  add_report(line, session);
  add_animate(line, session);
  add_list(line);
  add_explain(line);
  add_new(line);
  add_examples(line);
  add_schema(line);
  add_completion(line);
}

/// With --json the answer is one object, also for misuse; for `run` with all keys of its answer.
int report_misuse(const Session& session, const std::string& message,
                  const std::vector<Diagnostic>& diagnostics = {}) {
  if (session.json && session.verb == "run") {
    Report report;
    report.status = Status::invalid;
    report.message = message;
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();  // null in JSON
    report.t_end = report.cpu_seconds = kUnknown;
    report.max_phi = report.max_phi_dot = report.max_energy_error = kUnknown;
    fmt::print("{}\n", report_to_json({}, report));
  } else if (session.json) {
    JsonWriter json;
    json.begin_object().member("status", "invalid").member("message", message).end_object();
    fmt::print("{}\n", json.text());
  }
  if (session.voice.log == LogStyle::json && !diagnostics.empty()) {
    for (const Diagnostic& each : diagnostics) tell_error(session.voice, each, "invalid");
  } else if (session.voice.log == LogStyle::json) {
    constexpr std::string_view kMark = "error: ";
    const bool is_marked = message.starts_with(kMark);
    tell_error(session.voice,
               Diagnostic{{}, is_marked ? message.substr(kMark.size()) : message, {}}, "invalid");
  } else {
    fmt::print(stderr, "{}\n", paint_errors(stderr, message));
  }
  return kExitMisuse;
}

/// How to speak to whoever wrote a command line that cannot be read.
void read_style(int argc, char** argv, Session& session) {
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    session.json = session.json || word == "--json";
    if (word == "--log=json" ||
        (word == "--log" && k + 1 < argc && std::string(argv[k + 1]) == "json"))
      session.voice.log = LogStyle::json;
  }
}

int run_program(int argc, char** argv) {
  admit_full_files();
  Session session;
  if (argc > 1) session.verb = argv[1];
  CommandLine line("driftless",
                   "Driftless: simulates constrained mechanical systems; joints stay closed, "
                   "invariants stay put.",
                   kFooter, fmt::format("driftless {}\n{}\n{}", kVersion, kCompiler, kLibraries));
  add_verbs(line, session);
  try {
    line.parse(argc, argv);
  } catch (const UsageError& error) {
    read_style(argc, argv, session);
    return report_misuse(session, error.what());
  } catch (const ModelError& error) {
    return report_misuse(session, error.what(), error.diagnostics());
  } catch (const std::bad_alloc&) {
    return report_misuse(session,
                         "error: out of memory\n    take fewer samples or a smaller model");
  } catch (const std::exception& error) {
    return report_misuse(session, fmt::format("error: {}", error.what()));
  }
  return session.exit_code;
}

}  // namespace
}  // namespace driftless::cli

int main(int argc, char** argv) {
  const int code = driftless::cli::run_program(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  fmt::print(stderr, "error: the answer could not be written to standard output\n");
  return code == driftless::cli::kExitOk ? driftless::cli::kExitFailed : code;
}
