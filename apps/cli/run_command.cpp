// driftless run: one model, one method, one result.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "commands.hpp"
#include <fmt/format.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/display.hpp"
#include "driftless/io/json.hpp"
#include "driftless/io/page.hpp"
#include "driftless/io/result_files.hpp"
#include "driftless/io/result_paths.hpp"
#include "driftless/model/names.hpp"

namespace driftless::cli {
namespace {

struct RunArguments {
  ModelArguments model;
  std::string method;
  std::vector<std::string> outs;
};

/// All files of a run at once. Writing never stops the run: its figures are worth having, and whoever wants them no more
/// has been told and can stop it.
class FanOut final : public ResultSink {
 public:
  FanOut(const std::vector<std::string>& paths, const PreparedModel& model) : model_(&model) {
    for (const std::string& path : paths) sinks_.push_back(make_result_file(path));
  }
  void begin(const RunInfo& info, const std::vector<Column>& columns) override {
    info_ = info;
    columns_ = columns;
    for (const auto& sink : sinks_) sink->begin(info, columns);
  }
  void row(std::span<const double> values) override {
    last_row_.assign(values.begin(), values.end());
    note_gaps(values);
    for (const auto& sink : sinks_) sink->row(values);
    if (!lost_ || error().empty()) return;
    std::exchange(lost_, nullptr)(error(), values[0]);
  }
  /// Called once, with the error and the time, when a file cannot be written any further.
  void when_lost(std::function<void(const std::string&, double)> act) { lost_ = std::move(act); }
  void poll() override {
    for (const auto& sink : sinks_) sink->poll();
  }
  void finish(const Report& report) override {
    report_ = report;
    for (std::string& gap : describe_gaps()) report_.warnings.push_back(std::move(gap));
    if (report.status == Status::failed && report.steps == 0) {
      const CheckReport check = check_system(model_->system(), model_->start);
      const std::string remedy = find_start_remedy(*model_, check);
      if (!remedy.empty()) report_.failure.suggestion = remedy;
      if (report_.failure.where.line == 0)
        report_.failure.where = find_system_place(*model_, check);
    }
    Report complete = report_;  // with what was found before the run
    complete.warnings.insert(complete.warnings.begin(), model_->warnings.begin(),
                             model_->warnings.end());
    for (const auto& sink : sinks_) sink->finish(complete);
    if (report_.status != Status::ok || error().empty()) return;
    report_.status = Status::failed;  // the motion is computed, but its result is not there
    report_.message = report_.failure.message = error();
    report_.failure.t = report_.t_end;
    report_.failure.suggestion = find_write_remedy(error()) + ", then run again";
  }
  std::string error() const override {
    for (const auto& sink : sinks_) {
      if (!sink->error().empty()) return sink->error();
    }
    return {};
  }
  const RunInfo& info() const { return info_; }
  const Report& report() const { return report_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<double>& last_row() const { return last_row_; }

 private:
  struct Gap {
    double first = 0.0;
    long count = 0;
  };

  /// Of each column with values that are no numbers, such as 1/x where x is 0: when first, and how often.
  std::vector<std::string> describe_gaps() const {
    std::vector<std::string> texts;
    for (const auto& [column, gap] : gaps_) {
      texts.push_back(fmt::format(
          "'{}' is not finite at t = {:.6g} s{}: a division by zero, a root or "
          "a logarithm of a negative number, or an overflow",
          columns_[column].name, gap.first,
          gap.count > 1 ? fmt::format(" and in {} more samples", gap.count - 1) : std::string()));
    }
    return texts;
  }

  void note_gaps(std::span<const double> values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::isfinite(values[k])) continue;
      Gap& gap = gaps_.try_emplace(k, Gap{values[0], 0}).first->second;
      ++gap.count;
    }
  }

  const PreparedModel* model_;
  std::vector<std::unique_ptr<ResultSink>> sinks_;
  RunInfo info_;
  Report report_;
  std::vector<Column> columns_;
  std::vector<double> last_row_;
  std::map<std::size_t, Gap> gaps_;
  std::function<void(const std::string&, double)> lost_;
};

std::string count(long number, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

/// What a user looks for first: 0 what is recorded or measured, 1 coordinates of joints, 2 everything else.
class ColumnRanks {
 public:
  explicit ColumnRanks(const ModelFile& file) : is_mechanism_(file.mechanism.has_value()) {
    for (const NamedText& record : file.common().records) records_.insert(record.name);
    if (!is_mechanism_) return;
    for (const ElementSpec& joint : file.mechanism->joints) joints_.insert(joint.name);
    for (const ElementSpec& measure : file.mechanism->measures) measures_.insert(measure.name);
  }

  std::size_t find(const std::string& column) const {
    if (records_.contains(column)) return 0;
    if (!is_mechanism_) return 2;
    const std::size_t dot = column.find('.');
    if (dot == std::string::npos) return 0;
    const std::string owner = column.substr(0, dot);
    if (measures_.contains(owner)) return 0;
    if (!joints_.contains(owner)) return 2;
    const std::string_view part = std::string_view(column).substr(dot + 1);
    return part.starts_with("angle") || part.starts_with("position") ? 1 : 2;
  }

 private:
  bool is_mechanism_ = false;
  std::unordered_set<std::string> records_, joints_, measures_;
};

/// "angle = 4.98 deg, x = 0.0869, ...": as many columns as fit in one line, those that matter most first.
std::string describe_end(const FanOut& sink, const ModelFile& file) {
  constexpr std::size_t kBeside = 19;  // the label before, and ", ..." behind
  const std::size_t width = find_entry_columns() - kBeside;
  const std::map<std::string, DisplayUnit> display = find_display(file);
  const ColumnRanks ranks(file);
  std::array<std::vector<std::size_t>, 3> places;
  for (std::size_t k = 1; k < sink.last_row().size(); ++k) {
    const std::string& name = sink.columns()[k].name;
    if (name == "phi") break;  // the figures of the report follow
    if (!name.ends_with('\'')) places[ranks.find(name)].push_back(k);
  }
  std::string text;
  for (const std::vector<std::size_t>& place : places) {
    for (const std::size_t k : place) {
      const Column& column = sink.columns()[k];
      const DisplayUnit unit = find_display_unit(display, column);
      const std::string part =
          fmt::format("{}{} = {:.6g}{}{}", text.empty() ? "" : ", ", shorten(column.name),
                      sink.last_row()[k] / unit.factor, unit.unit.empty() ? "" : " ", unit.unit);
      if (!text.empty() && text.size() + part.size() > width) return text + ", ...";
      text += part;
    }
  }
  return text;
}

void print_outcome(const std::string& name, const Report& report) {
  if (report.status == Status::ok) {
    fmt::print("{}: {}\n", name, paint(stdout, Tone::good, "ok"));
    return;
  }
  const Tone tone = report.status == Status::failed ? Tone::bad : Tone::caution;
  fmt::print("{}: {} at t = {:.6g} s\n", name,
             paint(stdout, tone, std::string(to_string(report.status))), report.t_end);
  if (report.status != Status::failed) return;
  print_entry("reason", report.message);
  print_entry("worst", report.failure.worst);
  print_entry("where", format_source(report.failure.where));
  print_entry("remedy", report.failure.suggestion);
}

void print_figures(const Report& report) {
  if (report.rows > 0) {
    print_entry("joints", fmt::format("max |Phi| {}, max |Phi'| {}", format_figure(report.max_phi),
                                      format_figure(report.max_phi_dot)));
  }
  print_entry("energy",
              fmt::format("max |E - E0 - work| {} J", format_figure(report.max_energy_error)));
  std::string figures;
  for (const auto& [name, value] : report.figures) {
    if (value != 0.0)
      figures += fmt::format("{}{} {}{}", figures.empty() ? "" : ", ", name, format_figure(value),
                             name.starts_with("energy_put_back") ? " J" : "");
  }
  print_entry("figures", figures);
}

void print_system(const std::string& engine, const Report& report) {
  std::string rank = fmt::format("rank {}", report.rank);
  if (report.min_rank < report.rank)
    rank += fmt::format(" (down to {} on the way)", report.min_rank);
  if (report.status == Status::failed && report.failure.rank >= 0 &&
      report.failure.rank != report.rank) {
    rank += fmt::format(", {} where it failed", report.failure.rank);
  }
  print_entry("system", fmt::format("{}, {}, {}",
                                    count(report.dof, "degree of freedom", "degrees of freedom"),
                                    count(report.rows, "constraint", "constraints"), rank));
  print_entry("redundant", list_some(report.redundant));
  print_entry("not unique", list_some(report.not_unique));
  print_entry("cost", fmt::format("{} evaluations, {} factorisations", report.evaluations,
                                  report.factorisations));
  print_entry("engine", engine);
  std::string times;
  for (const auto& [name, value] : report.seconds)
    times += fmt::format("{}{} {:.3g} s", times.empty() ? "" : ", ", name, value);
  print_entry("time", times);
}

/// What matters first; nothing that says nothing.
void print_summary(const FanOut& sink, const ModelFile& file, const Method& method,
                   const StartReport& start) {
  const Report& report = sink.report();
  print_outcome(sink.info().model_name, report);
  print_entry("method", sink.info().method + ", " + describe_stepping(method));
  print_entry("options", describe_special_options(method));
  if (report.status == Status::failed && report.steps == 0) return;
  print_entry("start", describe_start(start));
  print_entry("motion",
              fmt::format("{:.6g} s in {}{}, {:.3g} s of CPU time", report.t_end,
                          count(report.steps, "step", "steps"),
                          report.rejected > 0 ? fmt::format(" ({} rejected)", report.rejected) : "",
                          report.cpu_seconds));
  print_entry("at the end", describe_end(sink, file));
  print_figures(report);
  print_system(sink.info().find_engine(), report);
}

/// The page to open, then the result: whatever reads the last line finds it.
void print_files(std::vector<std::string> outs) {
  const auto is_page = [](const std::string& path) { return path.ends_with(".html"); };
  for (const std::string& out : outs) {
    if (is_page(out)) print_entry("page", out + ": open it in a browser");
  }
  const bool only_pages = std::all_of(outs.begin(), outs.end(), is_page);
  if (!only_pages) std::erase_if(outs, is_page);
  for (const std::string& out : outs) fmt::print("{}\n", out);
}

/// Without --out: the model's name, here; with --json, nothing.
std::vector<std::string> find_outs(const RunArguments& arguments, const Session& session) {
  std::vector<std::string> outs = arguments.outs;
  if (outs.empty() && !session.json) {
    const std::string stem = std::filesystem::path(arguments.model.file).stem().string();
    if (has_page_template()) outs.push_back(stem + ".html");
    outs.push_back(stem + ".h5");
  }
  for (std::size_t k = 0; k < outs.size(); ++k) {
    if (std::find(outs.begin(), outs.begin() + static_cast<std::ptrdiff_t>(k), outs[k]) !=
        outs.begin() + static_cast<std::ptrdiff_t>(k)) {
      throw ModelError("--out " + outs[k] + " is given twice", "give every file once");
    }
  }
  return outs;
}

void execute(const RunArguments& arguments, Session& session) {
  const ModelFile file = arguments.model.read();
  const RunRequest request = arguments.model.request(arguments.method);
  const std::string name = file.common().name.empty() ? "run" : file.common().name;
  std::optional<StageDisplay> stage;
  stage.emplace(session.voice, name + ": checking").show("the start");
  PreparedModel model = prepare(file, request);
  const Method method = prepare_method(file, model, request.method);
  stage.reset();
  model.options.info.settings = arguments.model.describe_settings(arguments.method);
  for (const std::string& warning : model.warnings) warn(session.voice, warning);

  const std::vector<std::string> outs = find_outs(arguments, session);
  FanOut sink(outs, model);
  ProgressDisplay display(session.voice, name);
  stage.emplace(session.voice, name + ": checking").show("the first step");
  model.options.watch = [&](const Progress& progress) {
    stage.reset();
    display.show(progress);
  };
  bool is_told = false;
  if (!session.voice.quiet) {
    sink.when_lost([&](const std::string& error, double t) {
      is_told = true;
      stage.reset();
      display.clear();
      tell_error(session.voice, fmt::format("{}: what comes after t = {:.4g} s is not in it; the "
                                            "run goes on, Ctrl-C ends it",
                                            error, t));
    });
  }
  model.options.stop = &stop_flag();
  catch_interrupts();
  run_prepared(model, method, model.options, sink);
  stage.reset();
  display.clear();
  Report report = sink.report();
  for (const std::string& warning : report.warnings) warn(session.voice, warning);
  report.warnings.insert(report.warnings.begin(), model.warnings.begin(), model.warnings.end());
  session.exit_code = find_exit_code(report);
  // Whoever reads lines or nothing but errors is told the end as an error; else it is in the answer.
  const bool is_line =
      session.voice.log == LogStyle::json || (session.voice.quiet && !session.json);
  const bool told = is_told || (is_line && report.message == sink.error());
  if (!sink.error().empty() && !told) tell_error(session.voice, sink.error());
  const bool is_interrupted = report.status == Status::interrupted;
  if (is_line && (report.status == Status::failed ||
                  (is_interrupted && session.voice.log == LogStyle::json))) {
    Source where = report.failure.where;
    if (where.file.empty() && session.voice.log == LogStyle::json)
      where.file = arguments.model.file;
    tell_error(session.voice, Diagnostic{where, report.message, report.failure.suggestion},
               to_string(report.status));
  }
  if (session.json) {
    fmt::print("{}\n", report_to_json(sink.info(), report));
  } else if (!session.voice.quiet) {
    print_summary(sink, file, method, model.start_report);
    print_files(outs);
  }
}

}  // namespace

void add_run(CommandLine& line, Session& session) {
  auto arguments = std::make_shared<RunArguments>();
  Verb verb = line.add_verb("run", "simulate a model");
  arguments->model.declare(verb);
  verb.text("--method", arguments->method,
            "a method of the file, a preset, or formulation/integrator[/drift+drift]")
      .completes(Values::method);
  verb.repeated("-o,--out", arguments->outs, "FILE",
                "result file, .h5 or .csv, or report page, .html; may be repeated")
      .completes(Values::file);
  add_common_flags(verb, session);
  verb.footer(R"(Examples:
  driftless run pendulum.toml
  driftless run pendulum.toml --until 60 --step 0.005 --set l=2
  driftless run pendulum.toml --method baumgarte/rk4 --set method.alpha=10 --out run.csv
  driftless run pendulum.toml --method braun_goldfarb/dopri5 --tolerance 1e-8 --json

Exit codes: 0 ok, 1 numerical failure, 2 misuse, 130 interrupted.)");
  verb.action([arguments, &session] { execute(*arguments, session); });
}

}  // namespace driftless::cli
