#include <cstdio>
#include <exception>
#include <limits>

#include "commands.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driftless/base/build_info.hpp"
#include "driftless/base/error.hpp"
#include "driftless/io/json.hpp"

namespace driftless::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  driftless new -o first.toml           write a first model
  driftless run first.toml              simulate it
  driftless check first.toml            degrees of freedom, rank, derivatives
  driftless examples                    models to look at
  driftless compare first.toml --methods braun_goldfarb,baumgarte,index1
  driftless plot first.h5 energy_error --log-y -o energy.svg
  driftless report a.h5 b.h5 -o both.html    animation, plots and report of several runs
  driftless schema > driftless.schema.json   completion and checks in an editor

Every verb has its own --help with examples.)";

void declare(CLI::App& app, Session& session) {
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       fmt::format("driftless {}\n{}\n{}", kVersion, kCompiler, kLibraries));
  add_run(app, session);
  add_check(app, session);
  add_compare(app, session);
  add_sweep(app, session);
  add_results(app, session);
  add_report(app, session);
  add_help(app, session);
  add_examples(app);
  add_schema(app);
}

/// With --json the answer is one object, also for misuse; for `run` with all keys of its answer.
int report_misuse(const Session& session, const std::string& message) {
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
  if (session.voice.log == LogStyle::json) {
    JsonWriter json;
    json.begin_object().member("event", "error").member("message", message).end_object();
    fmt::print(stderr, "{}\n", json.text());
  } else {
    fmt::print(stderr, "{}\n", message);
  }
  return kExitMisuse;
}

/// "error: there is no verb 'rnu'", with the nearest one.
std::string explain_missing_verb(const CLI::App& app, const std::string& word) {
  if (word.empty() || word.starts_with('-'))
    return "error: a verb is wanted: run, check, compare, ...\n    see driftless --help";
  std::vector<std::string> known;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(verb->get_name());
  return fmt::format("error: there is no verb '{}'\n    {}", word, suggest(word, known));
}

/// The first word that looks like an option but is none of the verb's; empty if there is none.
std::string find_unknown_option(const CLI::App& verb, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("--") && verb.get_option_no_throw(name) == nullptr) return name;
  }
  return {};
}

/// "error: ...", with the nearest option, or with the help of the verb in question.
std::string explain_parse_error(const CLI::ParseError& error, const CLI::App& app,
                                const std::vector<std::string>& words) {
  const auto verbs = app.get_subcommands();
  if (verbs.empty()) {
    if (std::string_view(error.what()) == "A subcommand is required")
      return explain_missing_verb(app, words.empty() ? "" : words.front());
    return fmt::format("error: {}\n    see driftless --help", error.what());
  }
  const CLI::App& verb = *verbs.front();
  const std::string option = find_unknown_option(verb, words);
  if (!option.empty()) {
    std::vector<std::string> known;
    for (const CLI::Option* each : verb.get_options()) {
      for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
    }
    return fmt::format("error: {} has no option '{}'\n    {}", verb.get_name(), option,
                       suggest(option, known));
  }
  return fmt::format("error: {}\n    see driftless {} --help", error.what(), verb.get_name());
}

int run_program(int argc, char** argv) {
  CLI::App app{
      "Driftless: simulates constrained mechanical systems; joints stay closed, invariants stay "
      "put."};
  app.name("driftless");
  admit_full_files();
  Session session;
  if (argc > 1) session.verb = argv[1];
  declare(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    for (int k = 1; k < argc; ++k) session.json = session.json || std::string(argv[k]) == "--json";
    return report_misuse(session, explain_parse_error(error, app, {argv + 1, argv + argc}));
  } catch (const ModelError& error) {
    return report_misuse(session, error.what());
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
