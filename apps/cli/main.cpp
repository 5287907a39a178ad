#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "commands.hpp"
#include "driftless/base/build_info.hpp"
#include "driftless/base/error.hpp"
#include "driftless/io/json.hpp"

namespace driftless::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  driftless new -o first.toml           write a first model
  driftless run first.toml              simulate it
  driftless check first.toml            degrees of freedom, rank, derivatives
  driftless compare first.toml --methods braun_goldfarb,baumgarte,index1
  driftless plot first.h5 energy_error --log-y -o energy.svg

Every verb has its own --help with examples.)";

void declare(CLI::App& app, Session& session) {
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("driftless {}\n{}\n{}", kVersion, kCompiler, kLibraries));
  add_run(app, session);
  add_check(app, session);
  add_compare(app, session);
  add_sweep(app, session);
  add_results(app, session);
  add_help(app, session);
}

/// With --json the answer is one object, also for misuse.
int report_misuse(const Session& session, const std::string& message) {
  if (session.json) {
    JsonWriter json;
    json.begin_object().member("status", "invalid").member("message", message).end_object();
    fmt::print("{}\n", json.text());
  }
  fmt::print(stderr, "{}\n", message);
  return kExitMisuse;
}

int run_program(int argc, char** argv) {
  CLI::App app{"Driftless: simulates constrained mechanical systems; joints stay closed, invariants stay put."};
  Session session;
  declare(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    for (int k = 1; k < argc; ++k) session.json = session.json || std::string(argv[k]) == "--json";
    return report_misuse(session, fmt::format("error: {}\n    see driftless --help", error.what()));
  } catch (const ModelError& error) {
    return report_misuse(session, error.what());
  } catch (const std::bad_alloc&) {
    return report_misuse(session, "error: out of memory\n    take fewer samples or a smaller model");
  } catch (const std::exception& error) {
    return report_misuse(session, fmt::format("error: {}", error.what()));
  }
  return session.exit_code;
}

}  // namespace
}  // namespace driftless::cli

int main(int argc, char** argv) { return driftless::cli::run_program(argc, argv); }
