// driftless compare: several methods on one model, in one table, and one picture of a column if asked.

#include <algorithm>

#include "commands.hpp"
#include "plotting.hpp"
#include <fmt/format.h>

#include "driftless/io/json.hpp"
#include "driftless/io/result_diff.hpp"
#include "driftless/io/result_files.hpp"
#include "driftless/studies/timing.hpp"

namespace driftless::cli {
namespace {

struct CompareArguments {
  ModelArguments model;
  std::vector<std::string> methods;
  std::string reference;
  std::vector<std::string> columns;
  PlotArguments plot;
};

struct Entry {
  std::string name;
  Result result;
  double seconds = 0.0;  ///< CPU time, of short runs the least of several
  double error = 0.0;    ///< largest difference to the reference over the chosen columns
};

/// "tight": an order-8 method at tolerance 1e-12. Anything else is a result file.
constexpr std::string_view kTight = "tight";

Result find_reference(const CompareArguments& arguments, const ModelFile& file,
                      const PreparedModel& model, const Voice& voice) {
  if (arguments.reference != kTight) return read_run(arguments.reference, voice);
  ModelFile plain = file;  // options set on the command line are for the methods compared
  for (MethodSpec& spec : plain.methods) spec.overrides.clear();
  MethodRequest request;
  request.word = "braun_goldfarb/dop853";
  request.tolerance = 1e-12;
  ProgressDisplay display(voice, "reference");
  RunOptions options = model.options;
  options.watch = [&](const Progress& progress) { display.show(progress); };
  return run_prepared(model, prepare_method(plain, model, request), options);
}

double find_error(const Result& result, const Result& reference,
                  const std::vector<std::string>& columns) {
  double largest = 0.0;
  for (const ColumnDifference& difference : diff_results(result, reference)) {
    if (difference.kind != ColumnDifference::Kind::common) continue;
    const bool wanted = std::find(columns.begin(), columns.end(), difference.name) != columns.end();
    if (wanted) largest = std::max(largest, difference.max);
  }
  return largest;
}

std::vector<std::string> find_methods(const CompareArguments& arguments, const ModelFile& file) {
  if (!arguments.methods.empty()) return arguments.methods;
  std::vector<std::string> all{""};
  for (const MethodSpec& spec : file.methods) {
    if (!spec.name.empty()) all.push_back(spec.name);
  }
  if (all.size() == 1) all = {"braun_goldfarb", "baumgarte", "udwadia_kalaba", "index1"};
  return all;
}

/// Misspelt columns are told before the runs.
void check_columns(const CompareArguments& arguments, const std::vector<std::string>& columns,
                   const SystemInfo& info) {
  std::vector<std::string> known{"t"};
  for (const auto* names : {&info.coordinates, &info.rates, &info.records})
    known.insert(known.end(), names->begin(), names->end());
  known.insert(known.end(), {"phi", "phi_dot", "energy_error", "sigma_min", "step", "order"});
  for (const std::string& column : columns) check_column(column, known);
  for (const std::string& column : arguments.plot.names) check_column(column, known);
  if (!arguments.plot.names.empty()) check_column(arguments.plot.x, known);
}

/// What the others are compared with: the partial velocity method if it is there, else the first.
const Entry& find_unit(const std::vector<Entry>& entries) {
  const auto found = std::find_if(entries.begin(), entries.end(), [](const Entry& entry) {
    return entry.result.info.method.starts_with("partial_velocity/");
  });
  return found == entries.end() ? entries.front() : *found;
}

struct Comparison {
  std::vector<std::string> warnings;  ///< of preparing the model, for all methods
  std::vector<Entry> entries;
};

Comparison run_all(const CompareArguments& arguments, Session& session) {
  const ModelFile file = arguments.model.read();
  PreparedModel model = prepare(file, arguments.model.request(""));
  for (const std::string& warning : model.warnings) warn(session.voice, warning);
  model.options.stop = &stop_flag();
  catch_interrupts();
  std::vector<Method> methods;  // all words are checked before the first run
  std::vector<std::string> names;
  for (const std::string& word : find_methods(arguments, file)) {
    methods.push_back(prepare_method(file, model, arguments.model.request(word).method));
    names.push_back(word.empty() ? "default" : word);  // [method] of the file
  }
  std::vector<std::string> columns = arguments.columns;
  if (columns.empty()) columns = model.system().info().coordinates;
  check_columns(arguments, columns, model.system().info());
  arguments.plot.check_labels(methods.size());
  std::optional<Result> reference;
  if (!arguments.reference.empty())
    reference = find_reference(arguments, file, model, session.voice);

  Comparison out{model.warnings, {}};
  for (std::size_t k = 0; k < methods.size() && !stop_flag(); ++k) {
    ProgressDisplay display(session.voice, names[k]);
    RunOptions options = model.options;
    options.watch = [&](const Progress& progress) { display.show(progress); };
    Entry entry{names[k], run_prepared(model, methods[k], options)};
    if (k + 1 < methods.size()) display.show_end(entry.result.report);
    entry.seconds =
        find_least_seconds(model, methods[k], model.options, entry.result.report.cpu_seconds);
    for (const std::string& warning : entry.result.report.warnings)
      warn(session.voice, names[k] + ": " + warning);
    if (reference) entry.error = find_error(entry.result, *reference, columns);
    out.entries.push_back(std::move(entry));
  }
  return out;
}

double find_average_step(const Entry& entry) {
  const Report& report = entry.result.report;
  if (report.steps == 0 || entry.result.row_count() == 0) return 0.0;
  return (report.t_end - entry.result.row(0)[0]) / static_cast<double>(report.steps);
}

/// Columns that say nothing (no step rejected, no run failed) are left out: a table should fit the screen.
void print_table(const std::vector<Entry>& entries, bool has_reference) {
  const bool rejected = std::any_of(entries.begin(), entries.end(), [](const Entry& entry) {
    return entry.result.report.rejected > 0;
  });
  const bool failed = std::any_of(entries.begin(), entries.end(), [](const Entry& entry) {
    return entry.result.report.status != Status::ok;
  });
  std::vector<std::vector<std::string>> rows{{"method"}};
  if (failed) rows[0].emplace_back("status");
  rows[0].emplace_back("steps");
  if (rejected) rows[0].emplace_back("rejected");
  for (const char* title :
       {"evals", "avg. step", "CPU s", "ratio", "max |Phi|", "max |Phi'|", "energy J"})
    rows[0].emplace_back(title);
  if (has_reference) rows[0].emplace_back("error");
  for (const Entry& entry : entries) {
    const Report& report = entry.result.report;
    std::vector<std::string> row{entry.name};
    if (failed) row.emplace_back(to_string(report.status));
    row.push_back(std::to_string(report.steps));
    if (rejected) row.push_back(std::to_string(report.rejected));
    row.push_back(std::to_string(report.evaluations));
    row.push_back(format_figure(find_average_step(entry)));
    row.push_back(format_figure(entry.seconds));
    // What ended early is not to be compared.
    const bool ended = report.status == Status::ok;
    row.push_back(ended ? fmt::format("{:.2f}", entry.seconds / find_unit(entries).seconds) : "");
    for (const double figure : {report.max_phi, report.max_phi_dot, report.max_energy_error})
      row.push_back(format_figure(figure));
    if (has_reference) row.push_back(ended ? format_figure(entry.error) : "");
    rows.push_back(std::move(row));
  }
  fmt::print("{}", format_table(rows, find_answer_columns()));
  for (const Entry& entry : entries) {
    const Report& report = entry.result.report;
    if (report.status == Status::ok) continue;
    fmt::print("{}: {} at t = {:.6g} s{}\n", entry.name, to_string(report.status), report.t_end,
               report.status == Status::failed ? ": " + report.message : "");
  }
}

void print_json(const Comparison& comparison, bool has_reference) {
  JsonWriter json;
  json.begin_object()
      .member("status", stop_flag() ? "interrupted" : "ok")
      .member("warnings", comparison.warnings)
      .key("runs")
      .begin_array();
  for (const Entry& entry : comparison.entries) {
    json.begin_object().member("name", entry.name).member("method", entry.result.info.method);
    write_run_figures(json, entry.result.report);
    json.member("average_step", find_average_step(entry))
        .member("least_cpu_seconds", entry.seconds)
        .member("warnings", entry.result.report.warnings);
    if (has_reference) json.member("error", entry.error);
    json.end_object();
  }
  json.end_array().end_object();
  fmt::print("{}\n", json.text());
}

void execute(const CompareArguments& arguments, Session& session) {
  arguments.plot.check();
  const Comparison comparison = run_all(arguments, session);
  const std::vector<Entry>& entries = comparison.entries;
  if (session.json) {
    print_json(comparison, !arguments.reference.empty());
  } else {
    print_table(entries, !arguments.reference.empty());
  }
  if (!arguments.plot.out.empty()) {
    std::vector<std::pair<std::string, const Result*>> runs;
    for (const Entry& entry : entries) runs.emplace_back(entry.name, &entry.result);
    write_plot(arguments.plot, runs, session);
  }
  if (stop_flag()) session.exit_code = kExitInterrupted;
}

}  // namespace

void add_compare(CommandLine& line, Session& session) {
  auto arguments = std::make_shared<CompareArguments>();
  Verb verb = line.add_verb("compare", "run several methods on one model, side by side");
  arguments->model.declare(verb);
  verb.list("--methods", arguments->methods,
            "methods, separated by commas (default: all of the file)")
      .completes(Values::method);
  verb.text("--reference", arguments->reference,
            "measure errors against a result file, or \"tight\" (order 8, tolerance 1e-12)")
      .completes(Values::result);
  verb.list("--columns", arguments->columns,
            "columns that count for the error (default: all coordinates)");
  arguments->plot.declare(verb, false);
  add_common_flags(verb, session);
  verb.footer(R"(Examples:
  driftless compare slider_crank.toml --until 20 --reference tight --columns x_s
  driftless compare double_four_bar.toml --methods braun_goldfarb,baumgarte --plot energy_error \
      --log-y -o energy.svg

A method that fails is part of the comparison: the exit code is 0.)");
  verb.action([arguments, &session] { execute(*arguments, session); });
}

}  // namespace driftless::cli
