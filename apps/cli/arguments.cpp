#include <atomic>
#include <csignal>
#include <filesystem>

#include "commands.hpp"
#include <fmt/format.h>

#include "driftless/io/display.hpp"
#include "driftless/run/option_value.hpp"
#include "driftless/run/run_setup.hpp"

namespace driftless::cli {

void ModelArguments::declare(Verb& verb, Stepping stepping) {
  verb.text("FILE", file, "model file (TOML)", Verb::Need::required).completes(Values::model);
  verb.text("--until", until, "end time in s, or with a unit: \"2 min\"");
  verb.text("--every", every, "time between samples");
  if (stepping == Stepping::one) {
    verb.text("--step", step, "fixed step in s");
    verb.text("--tolerance", tolerance, "adaptive steps: relative and absolute tolerance");
  }
  verb.repeated("--set", sets, "NAME=VALUE",
                "a parameter, a start value (x1, x1', A.angle), run.KEY or method.KEY")
      .completes(Values::parameter);
}

namespace {

std::pair<std::string, std::string> split_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw ModelError("--set " + text + ": NAME=VALUE is wanted",
                     "for example --set m=2.5 or --set method.alpha=10");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

namespace {

/// What the program writes itself is no model.
void refuse_output(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return;  // that is told better
  if (ending == ".html")
    throw ModelError(file + " is a report page, not a model",
                     "open it in a browser; it shows the model that it was made of");
  if (ending == ".h5" || ending == ".csv")
    throw ModelError(
        file + " is a result, not a model",
        ending == ".h5"
            ? fmt::format("driftless info --model {} prints the model that was run", file)
            : fmt::format("driftless info {} tells what it holds", file));
}

}  // namespace

ModelFile ModelArguments::read() const {
  refuse_output(file);
  std::vector<std::pair<std::string, std::string>> assignments;
  for (const std::string& text : sets) assignments.push_back(split_assignment(text));
  DiagnosticList findings;
  ModelFile model = read_model_file(file, findings);
  try {
    apply_overrides(model, assignments);
  } catch (const ModelError& error) {
    findings.add(error);
  }
  check_display(model, findings);
  if (!findings.empty()) add_further_errors(model, findings);
  findings.finish();
  return model;
}

PreparedModel prepare(const ModelFile& file, const RunRequest& request) {
  DiagnosticList findings;
  std::optional<PreparedModel> model;
  try {
    model = prepare_model(file, request);
    check_display(file, make_columns(model->system().info()), findings);
  } catch (const ModelError& error) {
    findings.add(error);
  }
  if (!findings.empty()) add_further_errors(file, findings);
  findings.finish();
  return std::move(*model);
}

RunRequest ModelArguments::request(const std::string& method) const {
  RunRequest request;
  request.method.word = method;
  request.method.step = parse_quantity("--step", step, "s", kPositive);
  request.method.tolerance = parse_quantity("--tolerance", tolerance, "", Bounds{1e-14, 1.0});
  request.until = parse_quantity("--until", until, "s", kPositive);
  request.every = parse_quantity("--every", every, "s", kPositive);
  return request;
}

std::string ModelArguments::describe_settings(const std::string& method) const {
  std::vector<std::string> parts;
  for (const std::string& text : sets) {
    const auto [name, value] = split_assignment(text);
    parts.push_back(name + " = " + value);
  }
  const auto add = [&](const char* name, const std::optional<std::string>& text) {
    if (text) parts.push_back(fmt::format("{} = {}", name, *text));
  };
  add("until", until);
  add("every", every);
  add("step", step);
  add("tolerance", tolerance);
  if (!method.empty()) add("method", method);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<double> parse_quantity(const std::string& option,
                                     const std::optional<std::string>& text, std::string_view unit,
                                     const Bounds& bounds) {
  if (!text) return std::nullopt;
  const std::string example =
      unit == "s" ? "give a number of seconds, or one with a unit: \"2 min\"" : "give a number";
  if (text->find_first_not_of(" \t") == std::string::npos)
    throw ModelError(option + " has no value", example);
  try {
    return read_number(Value{*text, {}}, {option, unit, bounds}, {{}, {}, ""});
  } catch (const ModelError& error) {
    const Diagnostic& first = error.diagnostics().front();
    if (first.message.starts_with(option)) throw;
    throw ModelError(fmt::format("{} {}: {}", option, *text, first.message), example);
  }
}

namespace {

std::atomic<bool> interrupted{false};

extern "C" void handle_interrupt(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);  // a second one ends at once
}

}  // namespace

const std::atomic<bool>& stop_flag() { return interrupted; }

void catch_interrupts() {
  std::signal(SIGINT, handle_interrupt);
  std::signal(SIGTERM, handle_interrupt);
}

void admit_full_files() {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

int find_exit_code(const Report& report) {
  switch (report.status) {
    case Status::ok: return kExitOk;
    case Status::failed: return kExitFailed;
    case Status::interrupted: return kExitInterrupted;
    case Status::invalid: return kExitMisuse;
  }
  return kExitFailed;
}

void add_common_flags(Verb& verb, Session& session) {
  verb.flag("--json", session.json, "print exactly one JSON object");
  verb.flag("--quiet", session.voice.quiet, "no progress, no warnings, no summary of a run");
  const auto take_style = [&session](const std::string& style) {
    if (style != "text" && style != "json")
      throw ModelError("--log " + style + " is not known", "use text or json");
    session.voice.log = style == "json" ? LogStyle::json : LogStyle::text;
  };
  verb.choice("--log", take_style, "STYLE", "progress and warnings as text or json lines")
      .completes(Values::style);
}

}  // namespace driftless::cli
