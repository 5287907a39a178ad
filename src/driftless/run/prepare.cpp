#include "driftless/run/prepare.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "driftless/base/build_info.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/run/option_value.hpp"

namespace driftless {
namespace {

bool keeps_start(const RunSpec& run) {
  if (!run.start) return false;
  const std::string word = run.start->is_text() ? run.start->text() : "";
  if (word == "given") return true;
  if (word == "consistent") return false;
  throw ModelError(
      Diagnostic{run.start->where, "run.start: \"" + word + "\" is not known",
                 "use \"consistent\" (start values are moved onto the constraints) or \"given\""});
}

/// Those beyond round-off, the largest first. Without rates: only positions.
std::vector<StartChange> find_real_changes(const StartReport& report, const SystemInfo& info,
                                           bool with_rates) {
  constexpr double kRoundOff = 1e-9;
  const auto find_size = [](const StartChange& change) {
    return std::abs(change.to - change.from) /
           (1.0 + std::max(std::abs(change.from), std::abs(change.to)));
  };
  std::vector<StartChange> real = report.changes;
  std::erase_if(real, [&](const StartChange& each) {
    const bool is_rate =
        std::find(info.rates.begin(), info.rates.end(), each.name) != info.rates.end();
    return find_size(each) <= kRoundOff || (is_rate && !with_rates);
  });
  std::stable_sort(real.begin(), real.end(), [&](const StartChange& a, const StartChange& b) {
    return find_size(a) > find_size(b);
  });
  return real;
}

void add_undirected_forces(PreparedModel& model) {
  const auto ws = model.system().make_workspace();
  const State& start = model.start;
  for (const System::UndirectedForce& force :
       model.system().find_undirected_forces(start.t, start.q, start.v, *ws)) {
    model.warnings.push_back(fmt::format(
        "{}{}force '{}' has {:.4g} N but no direction at the start, where its two points coincide: "
        "it does not act until they part; move one of them, or give a spring length = 0",
        format_source(force.where), force.where.line > 0 ? ": " : "", force.name,
        std::abs(force.effort)));
  }
}

/// What the start system's coordinates met and the system's own do not: told, never changed silently.
void compare_rates(const State& drawn_start, PreparedModel& model) {
  constexpr double kSame = 1e-7;
  const StartTargets* targets = model.compiled.targets.get();
  if (targets == nullptr) return;
  const State now = model.system().find_drawn_state(model.start);
  Vector row(now.v.size());
  for (std::size_t k = 0; k < targets->list().size(); ++k) {
    const StartTarget& target = targets->list()[k];
    if (!target.is_rate || target.priority == Priority::guess) continue;
    const double before = targets->eval_rate(k, drawn_start.q, drawn_start.v, row);
    const double after = targets->eval_rate(k, now.q, now.v, row);
    if (std::abs(after - before) <= kSame * (1.0 + std::abs(target.value))) continue;
    model.start_report.unmet_targets.push_back(fmt::format("{} = {:.6g} {} (wanted {:.6g})",
                                                           target.name, target.value + after,
                                                           target.unit, target.value));
  }
}

/// In the coordinates in which the model is drawn, and then in its own: there rounding is left to be closed.
void find_start(const StartOptions& options, PreparedModel& model) {
  System& system = *model.compiled.system;
  const System& drawn = system.start_system();
  model.start_report = make_consistent(
      drawn, model.start,
      {model.compiled.start_given, model.compiled.rate_given, model.compiled.targets.get()},
      options);
  const bool found = model.start_report.success;
  const State drawn_start = model.start;
  if (found || &drawn != &system) {
    model.start = system.adopt_start(model.start, model.start_report.counted_angles);
  }
  if (!found || &drawn == &system || options.keep_given) return;
  // At a singular pose rounding may not close any further; what the drawing's coordinates call closed is.
  // Where rows fit together only to the round-off of the drawing, it is no rounding that would be closed.
  const State adopted = model.start;
  (void)make_consistent(system, model.start, {}, options);
  constexpr double kRounding = 1e-8;
  const auto is_same = [](const Vector& a, const Vector& b) {
    return max_abs(Vector(a - b)) <= kRounding * (1.0 + max_abs(a));
  };
  if (!is_same(adopted.q, model.start.q) || !is_same(adopted.v, model.start.v))
    model.start = adopted;
  compare_rates(drawn_start, model);
}

/// Of a mechanism, rates that nobody gave are meant to follow from what drives it.
void add_start_warnings(bool is_mechanism, PreparedModel& model) {
  const StartReport& report = model.start_report;
  for (const std::string& target : report.unmet_targets) {
    model.warnings.push_back("a start value cannot be met: " + target);
  }
  if (!report.drawn_gaps.empty()) {
    std::string gaps;
    constexpr std::size_t kNamed = 3;
    for (std::size_t k = 0; k < report.drawn_gaps.size() && k < kNamed; ++k)
      gaps += fmt::format("{}'{}' by {}", k > 0 ? ", " : "", report.drawn_gaps[k].element,
                          describe_gap(report.drawn_gaps[k]));
    model.warnings.push_back(fmt::format(
        "the drawing does not close exactly: redundant constraints leave {} open", gaps));
  }
  const bool is_as_wanted = report.unmet_targets.empty() && !report.other_branch;
  if (report.success && report.tries > 0 && !is_as_wanted) {
    model.warnings.push_back(fmt::format("closing the start took {} tries; taken is one {}",
                                         report.tries, report.closed_how));
  }
  if (report.success) add_undirected_forces(model);
  const std::vector<StartChange> changes =
      find_real_changes(report, model.system().start_system().info(), !is_mechanism);
  if (changes.empty() || model.compiled.targets) return;
  if (is_mechanism && !report.moved_given) return;
  std::string text = report.moved_given ? "start values changed to meet the constraints: "
                                        : "start values found from the constraints: ";
  constexpr std::size_t kShown = 6;
  for (std::size_t k = 0; k < changes.size() && k < kShown; ++k) {
    const StartChange& change = changes[k];
    text += fmt::format("{}{} {:.6g} -> {:.6g}", k > 0 ? ", " : "", change.name, change.from,
                        change.to);
  }
  if (changes.size() > kShown) text += fmt::format(" and {} more", changes.size() - kShown);
  model.warnings.push_back(text);
}

/// Adds the identifiers in every text of a value.
void collect_names(const Value& value, std::vector<std::string>& names) {
  if (value.is_list()) {
    for (const Value& item : value.list()) collect_names(item, names);
  } else if (value.is_table()) {
    for (const auto& entry : value.table()) collect_names(entry.second, names);
  } else if (value.is_text()) {
    std::string name;
    for (const char c : value.text() + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        name += c;
      } else if (!name.empty()) {
        names.push_back(std::exchange(name, {}));
      }
    }
  }
}

std::vector<std::string> find_names_in_use(const ModelFile& file) {
  std::vector<std::string> names;
  for (const MethodSpec& method : file.methods) {
    for (const auto& entry : method.entries) collect_names(entry.second, names);
  }
  for (const std::optional<Value>* value : {&file.run.until, &file.run.every}) {
    if (*value) collect_names(**value, names);
  }
  return names;
}

}  // namespace

RunTimes read_run_times(const RunSpec& run,
                        const std::vector<std::pair<std::string, double>>& parameters) {
  const OptionContext context{parameters, {}, "run."};
  RunTimes times;
  DiagnosticList errors;
  const auto read = [&](const std::optional<Value>& value, std::string_view key) {
    const Bounds& bounds = find_key_bounds(fmt::format("run.{}", key));
    return value ? std::optional(read_number(*value, {key, "s", bounds}, context)) : std::nullopt;
  };
  errors.gather([&] { times.until = read(run.until, "until"); });
  errors.gather([&] { times.every = read(run.every, "every"); });
  errors.gather([&] { times.keeps_start = keeps_start(run); });
  errors.finish();
  return times;
}

PreparedModel prepare_model(const ModelFile& file, const RunRequest& request) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  PreparedModel model;
  const std::vector<std::string> names = find_names_in_use(file);
  model.compiled = file.mechanism ? compile(*file.mechanism, names) : compile(file.model, names);
  model.warnings = model.compiled.warnings;
  model.start = model.compiled.make_start();
  const SystemInfo& info = model.system().info();
  model.context.parameters = model.compiled.parameters;
  model.context.position_rows.assign(info.rows.begin(), info.rows.begin() + info.position_rows);
  model.context.has_time_rows = info.has_time_rows;
  model.context.velocity_rows.assign(info.rows.begin() + info.position_rows, info.rows.end());

  RunOptions& options = model.options;
  // Read also where the request has its own: a wrong value is told, used or not.
  const RunTimes times = read_run_times(file.run, model.compiled.parameters);
  options.until = request.until.value_or(times.until.value_or(10.0));
  options.every = request.every.value_or(times.every.value_or(options.until / 1000.0));
  options.info.model_name = file.common().name;
  options.info.model_path = file.path;
  options.info.model_text = file.text;
  options.info.parameters = model.compiled.parameters;

  const Clock::time_point compiled = Clock::now();
  StartOptions start_options;
  start_options.keep_given = times.keeps_start;
  find_start(start_options, model);
  if (model.start_report.success) model.start_rows = look_at_start(model.system(), model.start);
  options.seconds_before = {
      {"model", std::chrono::duration<double>(compiled - begin).count()},
      {"start", std::chrono::duration<double>(Clock::now() - compiled).count()}};
  add_start_warnings(file.mechanism.has_value(), model);
  if (file.mechanism) {
    for (const ElementSpec& body : file.mechanism->bodies)
      model.body_places.emplace_back(body.name, body.where);
  }
  return model;
}

Method prepare_method(const ModelFile& file, const PreparedModel& model,
                      const MethodRequest& request) {
  return find_method(file.methods, request, model.context);
}

Report run_prepared(const PreparedModel& model, const Method& method, const RunOptions& options,
                    ResultSink& sink) {
  if (model.start_report.success) {
    return simulate(model.system(), model.start, model.start_rows, method, options, sink);
  }
  Report report;
  report.status = Status::failed;
  report.message = model.start_report.message;
  report.rows = model.system().info().row_count();
  report.failure.message = model.start_report.message;
  report.failure.worst = model.start_report.worst_row;
  report.failure.suggestion = model.start_report.suggestion;
  report.failure.where = model.start_report.where;
  RunInfo info = options.info;
  info.method = describe(method);
  info.options = describe_options(method);
  info.version = kVersion;
  sink.begin(info, {{"t", "s"}});
  sink.finish(report);
  return report;
}

std::optional<Failure> find_start_failure(const PreparedModel& model, const Method& method) {
  const std::atomic<bool> stop = true;
  RunOptions options = model.options;
  options.stop = &stop;
  const Report report = run_prepared(model, method, options).report;
  if (report.status != Status::failed) return {};
  return report.failure;
}

Result run_prepared(const PreparedModel& model, const Method& method, const RunOptions& options) {
  MemorySink sink;
  run_prepared(model, method, options, sink);
  return sink.take();
}

}  // namespace driftless
