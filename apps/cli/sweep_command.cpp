// driftless sweep: one figure over a grid of parameters, start values or method options.

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <thread>

#include "commands.hpp"
#include "many_runs.hpp"
#include "plotting.hpp"
#include <fmt/format.h>

#include "driftless/io/json.hpp"
#include "driftless/studies/sweep.hpp"

namespace driftless::cli {
namespace {

struct SweepArguments {
  ModelArguments model;
  std::string method;
  std::vector<std::string> vary;
  std::vector<std::string> show;
  std::vector<std::string> outs;
  bool log = false;
  int jobs = 0;
};

std::string exact(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

/// A bare name that is no parameter and no coordinate but an option means method.NAME.
std::string resolve_name(const ModelFile& file, const std::string& name) {
  if (name.find('.') != std::string::npos) return name;
  for (const NamedText& parameter : file.common().parameters) {
    if (parameter.name == name) return name;
  }
  const std::string bare =
      !name.empty() && name.back() == '\'' ? name.substr(0, name.size() - 1) : name;
  for (const CoordinateSpec& coordinate : file.model.coordinates) {
    if (coordinate.name == bare) return name;
  }
  for (const OptionInfo& option : all_options()) {
    if (option.key == name) return "method." + name;
  }
  return name;
}

Result run_point(const SweepArguments& arguments, const ModelFile& base,
                 const std::vector<Axis>& axes, const std::vector<std::string>& names,
                 const std::vector<double>& values, ManyRunsDisplay& display) {
  ModelFile file = base;
  std::vector<Override> overrides;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::string& unit = axes[k].unit;
    const std::string value = exact(values[k]) + (unit.empty() ? "" : " " + unit);
    overrides.push_back({names[k], value, fmt::format("--vary {}={}", axes[k].name, value)});
  }
  apply_placed_overrides(file, overrides);
  const RunRequest request = arguments.model.request(arguments.method);
  PreparedModel model = prepare(file, request);
  model.options.stop = &stop_flag();
  model.options.watch = display.begin_run();
  return run_prepared(model, prepare_method(file, model, request.method), model.options);
}

/// "th [deg]": as it was asked for.
std::string name_shown(const Axis& axis) {
  return axis.shown_unit.empty() ? axis.name : fmt::format("{} [{}]", axis.name, axis.shown_unit);
}

/// Some runs of a sweep may fail; if all of them do, so does the sweep.
bool has_failed(const std::vector<SweepPoint>& points) {
  return !points.empty() && std::all_of(points.begin(), points.end(), [](const SweepPoint& point) {
    return point.status == Status::failed;
  });
}

/// "interrupted: 3 of 20 runs were finished, 2 were stopped on the way (l = 0.5, l = 0.7), 15 were not begun; ..."
std::string describe_interruption(const std::vector<Axis>& axes,
                                  const std::vector<SweepPoint>& points, std::size_t wanted) {
  std::vector<std::string> stopped;
  for (const SweepPoint& point : points) {
    if (point.status != Status::interrupted) continue;
    std::string where;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      where += fmt::format("{}{} = {:.6g}{}{}", k > 0 ? ", " : "", axes[k].name,
                           point.values[k] / axes[k].shown_factor,
                           axes[k].shown_unit.empty() ? "" : " ", axes[k].shown_unit);
    }
    stopped.push_back(axes.size() > 1 ? "(" + where + ")" : where);
  }
  std::string text = fmt::format("interrupted: {} of {} runs were finished",
                                 points.size() - stopped.size(), wanted);
  if (!stopped.empty())
    text += fmt::format(", {} {} stopped on the way: {}", stopped.size(),
                        stopped.size() == 1 ? "was" : "were", list_some(stopped));
  if (points.size() < wanted)
    text += fmt::format("; {} {} not begun", wanted - points.size(),
                        wanted - points.size() == 1 ? "was" : "were");
  return text + "; sweep again with --vary for the values that are missing";
}

std::string format_csv(const std::vector<Axis>& axes, const std::vector<Metric>& metrics,
                       const std::vector<SweepPoint>& points) {
  std::string text;
  for (const Axis& axis : axes) text += axis.name + ",";
  for (const Metric& metric : metrics) text += metric.text + ",";
  text += "status\n";
  for (const SweepPoint& point : points) {
    for (const double value : point.values) text += exact(value) + ",";
    for (const double value : point.metrics)
      text += (std::isfinite(value) ? exact(value) : "") + ",";
    text += std::string(to_string(point.status)) + "\n";
  }
  return text;
}

/// The last axis is x; each combination of the others is a curve.
Plot draw(const std::vector<Axis>& axes, const Metric& metric, std::size_t index,
          const std::vector<SweepPoint>& points, bool log) {
  Plot plot;
  plot.x_label = name_shown(axes.back());
  plot.y_label = metric.text;
  plot.log_y = log;
  for (const SweepPoint& point : points) {
    std::string label;
    for (std::size_t k = 0; k + 1 < axes.size(); ++k) {
      label += fmt::format("{}{} = {:.4g}{}{}", k > 0 ? ", " : "", axes[k].name,
                           point.values[k] / axes[k].shown_factor,
                           axes[k].shown_unit.empty() ? "" : " ", axes[k].shown_unit);
    }
    if (plot.curves.empty() || plot.curves.back().label != label)
      plot.curves.push_back({label, {}, {}});
    plot.curves.back().x.push_back(point.values.back() / axes.back().shown_factor);
    plot.curves.back().y.push_back(point.metrics[index]);
  }
  return plot;
}

void write_output(const std::string& path, const std::vector<Axis>& axes,
                  const std::vector<Metric>& metrics, const std::vector<SweepPoint>& points,
                  bool log) {
  if (is_picture(path)) {
    write_picture(path, draw(axes, metrics[0], 0, points, log));
    return;
  }
  write_text_file(path, format_csv(axes, metrics, points));
}

void check_output(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".csv" && !is_picture(path)) {
    throw ModelError("-o " + path + ": a sweep is written as .csv, .svg or .png",
                     "choose one of these endings");
  }
  check_folder(path);
  if (is_picture(path)) check_picture(path);
  if (extension == ".csv" && std::filesystem::exists(path)) {
    throw ModelError(path + " exists already", "choose another file, or remove it first");
  }
  check_opens(path);
}

void print_json(const std::vector<Axis>& axes, const std::vector<Metric>& metrics,
                const std::vector<SweepPoint>& points) {
  JsonWriter json;
  json.begin_object()
      .member("status", stop_flag()          ? "interrupted"
                        : has_failed(points) ? "failed"
                                             : "ok")
      .key("points")
      .begin_array();
  for (const SweepPoint& point : points) {
    json.begin_object();
    for (std::size_t k = 0; k < axes.size(); ++k) json.member(axes[k].name, point.values[k]);
    for (std::size_t k = 0; k < metrics.size(); ++k) json.member(metrics[k].text, point.metrics[k]);
    json.member("status", to_string(point.status));
    if (!point.message.empty()) json.member("message", point.message);
    json.end_object();
  }
  json.end_array().end_object();
  fmt::print("{}\n", json.text());
}

void print_text(const std::vector<Axis>& axes, const std::vector<Metric>& metrics,
                const std::vector<SweepPoint>& points) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Axis& axis : axes) rows[0].push_back(name_shown(axis));
  for (const Metric& metric : metrics) rows[0].push_back(metric.text);
  for (const SweepPoint& point : points) {
    rows.emplace_back();
    for (std::size_t k = 0; k < axes.size(); ++k) {
      rows.back().push_back(fmt::format("{:.6g}", point.values[k] / axes[k].shown_factor));
    }
    for (const double value : point.metrics) {
      rows.back().push_back(point.status == Status::ok ? fmt::format("{:.4e}", value)
                                                       : std::string(to_string(point.status)));
    }
  }
  fmt::print("{}", format_table(rows, find_answer_columns()));
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const SweepPoint* best = nullptr;
    for (const SweepPoint& point : points) {
      if (point.status != Status::ok || !std::isfinite(point.metrics[m])) continue;
      if (best == nullptr || point.metrics[m] < best->metrics[m]) best = &point;
    }
    if (best == nullptr) continue;
    std::string where;
    for (std::size_t k = 0; k < axes.size(); ++k)
      where += fmt::format("{}{} = {:.6g}{}{}", k > 0 ? ", " : "", axes[k].name,
                           best->values[k] / axes[k].shown_factor,
                           axes[k].shown_unit.empty() ? "" : " ", axes[k].shown_unit);
    fmt::print("smallest {}: {:.4e} at {}\n", metrics[m].text, best->metrics[m], where);
  }
}

void execute(const SweepArguments& arguments, Session& session) {
  std::vector<Axis> axes;
  for (const std::string& text : arguments.vary) axes.push_back(parse_axis(text));
  std::vector<Metric> metrics;
  for (const std::string& text : arguments.show) metrics.push_back(parse_metric(text));
  if (metrics.empty()) metrics.push_back(parse_metric("max_phi"));
  for (const std::string& path : arguments.outs) check_output(path);
  const ModelFile base = arguments.model.read();
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(resolve_name(base, axis.name));

  SweepOptions options;
  options.stop = &stop_flag();
  options.threads = arguments.jobs > 0
                        ? arguments.jobs
                        : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::size_t wanted = 1;
  for (const Axis& axis : axes) wanted *= axis.values.size();
  ManyRunsDisplay display(session.voice, "sweep", wanted);
  options.watch = [&](std::size_t done, std::size_t) { display.note_done(done); };
  catch_interrupts();
  const std::vector<SweepPoint> points = sweep(
      axes, metrics,
      [&](const std::vector<double>& values) {
        return run_point(arguments, base, axes, names, values, display);
      },
      options);
  display.clear();
  if (session.json) {
    print_json(axes, metrics, points);
  } else {
    print_text(axes, metrics, points);
  }
  for (const std::string& path : arguments.outs) {
    write_output(path, axes, metrics, points, arguments.log);
    if (!session.json) fmt::print("{}\n", path);
  }
  if (has_failed(points)) {
    session.exit_code = kExitFailed;
    if (!session.json) tell_error(session.voice, "every run failed: " + points.front().message);
  }
  if (stop_flag()) {
    warn(session.voice, describe_interruption(axes, points, wanted));
    session.exit_code = kExitInterrupted;
  }
}

}  // namespace

void add_sweep(CommandLine& line, Session& session) {
  auto arguments = std::make_shared<SweepArguments>();
  Verb verb = line.add_verb("sweep", "run a model over a grid of values");
  arguments->model.declare(verb);
  verb.text("--method", arguments->method, "a method of the file, a preset, or words joined by /")
      .completes(Values::method);
  verb.repeated(
          "--vary", arguments->vary, "AXIS",
          "NAME=from:to:count[:log] or NAME=a,b,c, in SI or with units, \"th=10 deg:60 deg:6\"; a "
          "parameter, a start value or a method option",
          Verb::Need::required)
      .completes(Values::parameter);
  verb.list(
      "--show", arguments->show,
      "figures (max_phi, steps, ...) or max(x) min(x) last(x) mean(x) rms(x) l2(x) of a column");
  verb.repeated("-o,--output", arguments->outs, "FILE",
                "table (.csv) or picture (.svg, .png); may be repeated")
      .completes(Values::file);
  verb.flag("--log-y", arguments->log, "logarithmic y axis in the picture");
  verb.count("--jobs", arguments->jobs, 1024, "threads (default: all cores)");
  add_common_flags(verb, session);
  verb.footer(R"help(Examples:
  driftless sweep pendulum.toml --vary l=0.5:2:7 --show "last(x)"
  driftless sweep pendulum.toml --vary "swing=10 deg:60 deg:6" --show max_energy_error
  driftless sweep pendulum.toml --method baumgarte --vary alpha=1:50:20 --show max_phi \
      --log-y -o gains.svg
  driftless sweep three_masses.toml --vary alpha=0:20:11 --vary s=0.05:0.5:10 \
      --show "l2(error1)" -o errors.csv)help");
  verb.action([arguments, &session] { execute(*arguments, session); });
}

}  // namespace driftless::cli
