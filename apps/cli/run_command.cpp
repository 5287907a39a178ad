// driftless run: one model, one method, one result.

#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "driftless/io/json.hpp"
#include "driftless/io/result_files.hpp"

namespace driftless::cli {
namespace {

struct RunArguments {
  ModelArguments model;
  std::string method;
  std::vector<std::string> outs;
};

/// All files of a run at once. Writing never stops the run: what went wrong is told at the end.
class FanOut final : public ResultSink {
 public:
  explicit FanOut(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) sinks_.push_back(make_result_file(path));
  }
  void begin(const RunInfo& info, const std::vector<Column>& columns) override {
    info_ = info;
    for (const auto& sink : sinks_) sink->begin(info, columns);
  }
  void row(std::span<const double> values) override {
    for (const auto& sink : sinks_) sink->row(values);
  }
  void finish(const Report& report) override {
    for (const auto& sink : sinks_) sink->finish(report);
  }
  std::string error() const override {
    for (const auto& sink : sinks_) {
      if (!sink->error().empty()) return sink->error();
    }
    return {};
  }
  const RunInfo& info() const { return info_; }

 private:
  std::vector<std::unique_ptr<ResultSink>> sinks_;
  RunInfo info_;
};

std::string count(long number, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

void print_summary(const RunInfo& info, const Report& report) {
  fmt::print("{}: {}\n", info.model_name, info.method);
  fmt::print("  {}\n", info.options);
  fmt::print("  motion     {:.6g} s in {}{}, {:.3g} s of CPU time\n", report.t_end,
             count(report.steps, "step", "steps"),
             report.rejected > 0 ? fmt::format(" ({} rejected)", report.rejected) : "", report.cpu_seconds);
  if (report.rows > 0) {
    fmt::print("  joints     max |Phi| {}, max |Phi'| {}\n", format_figure(report.max_phi),
               format_figure(report.max_phi_dot));
  }
  fmt::print("  energy     max |E - E0 - work| {} J\n", format_figure(report.max_energy_error));
  fmt::print("  system     {}, {}, rank {}", count(report.dof, "degree of freedom", "degrees of freedom"),
             count(report.rows, "constraint", "constraints"), report.rank);
  if (report.min_rank < report.rank) fmt::print(" (down to {} on the way)", report.min_rank);
  fmt::print("\n");
  if (!report.redundant.empty()) fmt::print("  redundant  {}\n", fmt::join(report.redundant, ", "));
  fmt::print("  cost       {} evaluations, {} factorisations\n", report.evaluations, report.factorisations);
  for (const auto& [name, value] : report.figures) {
    if (value != 0.0) fmt::print("  {} {}\n", name, format_figure(value));
  }
  if (report.status == Status::ok) return;
  fmt::print("  {}: {}\n", to_string(report.status), report.message);
  if (!report.failure.worst.empty()) fmt::print("  worst equation: {}\n", report.failure.worst);
  if (report.status == Status::failed && report.failure.rank >= 0) fmt::print("  rank there: {}\n", report.failure.rank);
  if (!report.failure.suggestion.empty()) fmt::print("  try: {}\n", report.failure.suggestion);
}

void execute(const RunArguments& arguments, Session& session) {
  const ModelFile file = arguments.model.read();
  const RunRequest request = arguments.model.request(arguments.method);
  PreparedModel model = prepare_model(file, request);
  const Method method = prepare_method(file, model, request.method);
  for (const std::string& warning : model.warnings) warn(session.voice, warning);

  std::vector<std::string> outs = arguments.outs;
  if (outs.empty() && !session.json) {
    outs.push_back(std::filesystem::path(arguments.model.file).stem().string() + ".h5");
  }
  FanOut sink(outs);
  ProgressDisplay display(session.voice, file.model.name.empty() ? "run" : file.model.name);
  model.options.watch = [&](const Progress& progress) { display.show(progress); };
  model.options.stop = &stop_flag();
  catch_interrupts();
  Report report = run_prepared(model, method, model.options, sink);
  display.clear();
  for (const std::string& warning : report.warnings) warn(session.voice, warning);
  report.warnings.insert(report.warnings.begin(), model.warnings.begin(), model.warnings.end());
  session.exit_code = find_exit_code(report);
  if (!sink.error().empty()) {
    fmt::print(stderr, "error: {}\n", sink.error());
    if (session.exit_code == kExitOk) session.exit_code = kExitFailed;
  }
  if (session.json) {
    fmt::print("{}\n", report_to_json(sink.info(), report));
    return;
  }
  print_summary(sink.info(), report);
  for (const std::string& out : outs) fmt::print("{}\n", out);
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "simulate a model");
  arguments->model.declare(*verb);
  verb->add_option("--method", arguments->method,
                   "a method of the file, a preset, or formulation/integrator[/drift+drift]");
  verb->add_option("--out", arguments->outs, "result file, .h5 or .csv; may be repeated")->take_all()->expected(1);
  add_common_flags(*verb, session);
  verb->footer(R"(Examples:
  driftless run pendulum.toml
  driftless run pendulum.toml --until 60 --step 0.005 --set l=2
  driftless run pendulum.toml --method baumgarte/rk4 --set method.alpha=10 --out run.csv
  driftless run pendulum.toml --method braun_goldfarb/dopri5 --tolerance 1e-8 --json

Exit codes: 0 ok, 1 numerical failure, 2 misuse, 130 interrupted.)");
  verb->callback([arguments, &session] { execute(*arguments, session); });
}

}  // namespace driftless::cli
