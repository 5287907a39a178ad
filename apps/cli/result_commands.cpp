// driftless info, convert, diff, plot: what to do with a result.

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "commands.hpp"
#include "plotting.hpp"
#include <fmt/format.h>

#include "driftless/io/json.hpp"
#include "driftless/io/result_diff.hpp"
#include "driftless/io/result_files.hpp"

namespace driftless::cli {
namespace {

std::string count(std::size_t number, const std::string& one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

void print_report(const Result& result) {
  const Report& report = result.report;
  if (!result.complete) {
    print_entry("status", "the run did not end: there is no report");
    return;
  }
  print_entry("status", std::string(to_string(report.status)) +
                            (report.message.empty() ? "" : ": " + report.message));
  print_entry("figures",
              fmt::format("{}, max |Phi| {}, max |Phi'| {}, energy error {} J, rank {} of {}",
                          count(static_cast<std::size_t>(report.steps), "step"),
                          format_figure(report.max_phi), format_figure(report.max_phi_dot),
                          format_figure(report.max_energy_error), report.rank, report.rows));
}

void print_info(const std::string& path, const ResultOverview& overview) {
  const Result& result = overview.ends;
  const RunInfo& info = result.info;
  fmt::print("{}: {} of {}", path, count(overview.rows, "sample"),
             count(result.columns.size(), "column"));
  if (result.row_count() > 0) {
    fmt::print(", {} from {:.6g} to {:.6g}", result.columns[0].name, result.row(0)[0],
               result.row(result.row_count() - 1)[0]);
  }
  fmt::print("\n");
  if (!info.version.empty()) {
    print_report(result);
    print_entry("model",
                info.model_name + (info.model_path.empty() ? "" : " (" + info.model_path + ")"));
    print_entry("method", info.method);
    print_entry("options", info.options);
    print_entry("set", info.settings);
    print_entry("version", "driftless " + info.version);
  }
  std::string parameters;
  for (const auto& [name, value] : info.parameters)
    parameters += fmt::format("{}{} = {:.9g}", parameters.empty() ? "" : ", ", name, value);
  print_entry("parameters", parameters);
  std::vector<std::string> names;
  for (const Column& column : result.columns)
    names.push_back(column.unit.empty() ? column.name : column.name + " (" + column.unit + ")");
  print_entry("columns", fmt::format("{}", fmt::join(names, ", ")));
}

void print_info_json(const ResultOverview& overview) {
  const Result& result = overview.ends;
  JsonWriter json;
  std::vector<std::string> names;
  for (const Column& column : result.columns) names.push_back(column.name);
  json.begin_object()
      .member("model", result.info.model_name)
      .member("method", result.info.method)
      .member("settings", result.info.settings)
      .member("version", result.info.version)
      .member("complete", result.complete)
      .member("samples", overview.rows)
      .member("columns", names)
      .member("status",
              result.complete ? std::string(to_string(result.report.status)) : "incomplete")
      .member("max_phi", result.report.max_phi)
      .member("max_phi_dot", result.report.max_phi_dot)
      .member("max_energy_error", result.report.max_energy_error);
  json.key("parameters").begin_object();
  for (const auto& [name, value] : result.info.parameters) json.member(name, value);
  json.end_object().end_object();
  fmt::print("{}\n", json.text());
}

void add_info(CommandLine& line, Session& session) {
  auto path = std::make_shared<std::string>();
  auto model = std::make_shared<bool>(false);
  Verb verb = line.add_verb("info", "what a result file holds");
  verb.text("RUN", *path, "result file, .h5 or .csv", Verb::Need::required)
      .completes(Values::result);
  verb.flag("--model", *model, "print the model file that was run");
  add_common_flags(verb, session);
  verb.footer("Example:\n  driftless info double_four_bar.h5");
  verb.action([path, model, &session] {
    const ResultOverview overview = read_run_overview(*path, session.voice);
    if (*model) {
      const std::string& text = overview.ends.info.model_text;
      if (text.empty()) throw ModelError(*path + " holds no model text", "only .h5 files do");
      fmt::print("{}", text);
    } else if (session.json) {
      print_info_json(overview);
    } else {
      print_info(*path, overview);
    }
  });
}

void add_convert(CommandLine& line, Session& session) {
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  Verb verb = line.add_verb("convert", "write a result in another format");
  verb.text("RUN", paths->first, "result file", Verb::Need::required).completes(Values::result);
  verb.text("OUT,-o,--output", paths->second, "file to write, .h5 or .csv").completes(Values::file);
  add_common_flags(verb, session);
  verb.footer("Example:\n  driftless convert run.h5 run.csv");
  verb.action([paths, &session] {
    if (paths->second.empty()) {
      const std::filesystem::path run(paths->first);
      const char* other = run.extension() == ".csv" ? ".h5" : ".csv";
      throw ModelError("convert does not know which file to write",
                       fmt::format("name it, for example driftless convert {} {}{}", paths->first,
                                   run.stem().string(), other));
    }
    refuse_model(paths->first);
    {
      StageDisplay display(session.voice, paths->second + ":");
      display.show("writing");
      convert_result(paths->first, paths->second,
                     [&](double share) { display.show("writing", share); });
    }
    if (session.json) {
      JsonWriter json;
      json.begin_object().member("status", "ok").member("out", paths->second).end_object();
      fmt::print("{}\n", json.text());
    } else {
      fmt::print("{}\n", paths->second);
    }
  });
}

std::string format_difference(double value) {
  return value == 0.0 ? "0" : fmt::format("{:.4e}", value);
}

void print_differences(const std::vector<ColumnDifference>& differences, const Session& session) {
  if (session.json) {
    JsonWriter json;
    json.begin_object().key("columns").begin_array();
    for (const ColumnDifference& each : differences) {
      json.begin_object().member("name", each.name);
      if (each.kind == ColumnDifference::Kind::common) {
        json.member("max", each.max).member("t", each.t_max).member("rms", each.rms);
      } else {
        json.member("only_in", each.kind == ColumnDifference::Kind::only_in_a ? "a" : "b");
      }
      json.end_object();
    }
    json.end_array().end_object();
    fmt::print("{}\n", json.text());
    return;
  }
  std::vector<std::vector<std::string>> rows{{"column", "largest difference", "at t", "rms"}};
  for (const ColumnDifference& each : differences) {
    if (each.kind == ColumnDifference::Kind::common) {
      rows.push_back({each.name, format_difference(each.max), fmt::format("{:.6g}", each.t_max),
                      format_difference(each.rms)});
    } else {
      rows.push_back({each.name, each.kind == ColumnDifference::Kind::only_in_a
                                     ? "only in the first"
                                     : "only in the second"});
    }
  }
  fmt::print("{}", format_table(rows, find_answer_columns()));
}

void add_diff(CommandLine& line, Session& session) {
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  Verb verb = line.add_verb("diff", "largest difference of two results, per column");
  verb.text("A", paths->first, "result file", Verb::Need::required).completes(Values::result);
  verb.text("B", paths->second, "result file", Verb::Need::required).completes(Values::result);
  add_common_flags(verb, session);
  verb.footer("Example:\n  driftless diff coarse.h5 fine.h5");
  verb.action([paths, &session] {
    const Result first = read_run(paths->first, session.voice);
    const Result second = read_run(paths->second, session.voice);
    std::vector<ColumnDifference> differences;
    {
      StageDisplay display(session.voice, paths->first + ":");
      display.show("comparing");
      differences =
          diff_results(first, second, [&](double share) { display.show("comparing", share); });
    }
    print_differences(differences, session);
  });
}

/// "run_x1_y1.svg": another name than that of the moving picture, and one for each choice of columns.
std::string name_picture(const std::string& run, const std::vector<std::string>& columns) {
  constexpr std::size_t kNamed = 3;
  std::string name = std::filesystem::path(run).stem().string();
  for (std::size_t k = 0; k < std::min(columns.size(), kNamed); ++k) {
    name += '_';
    for (const char c : columns[k]) {
      const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ||
                         static_cast<unsigned char>(c) >= 0x80;
      name += c == '\'' ? std::string("_dot") : std::string(1, plain ? c : '_');
    }
  }
  if (columns.size() > kNamed) name += fmt::format("_and_{}_more", columns.size() - kNamed);
  return name + ".svg";
}

void add_plot(CommandLine& line, Session& session) {
  struct Arguments {
    std::vector<std::string> words;
    PlotArguments plot;
  };
  auto arguments = std::make_shared<Arguments>();
  Verb verb = line.add_verb("plot", "draw columns of results, as SVG or PNG");
  verb.all_arguments("RUN... NAME", arguments->words,
                     "result files (.h5, .csv), then the columns to draw")
      .completes(Values::result_or_column);
  arguments->plot.declare(verb, true);
  add_common_flags(verb, session);
  verb.footer(R"(Examples:
  driftless plot run.h5 x1 y1 -o motion.svg
  driftless plot run.h5 energy_error --log-y -o energy.svg
  driftless plot a.h5 b.h5 x1 -o both.svg
  driftless plot run.h5 y1 --x x1 -o path.png)");
  verb.action([arguments, &session] {
    const auto is_file = [](const std::string& word) {
      return word.size() > 3 &&
             (word.ends_with(".h5") || word.ends_with(".csv") || word.ends_with(".toml"));
    };
    PlotArguments plot = arguments->plot;
    std::vector<std::string> paths;
    for (const std::string& word : arguments->words)
      (is_file(word) ? paths : plot.names).push_back(word);
    for (const std::string& path : paths) refuse_model(path);
    if (paths.empty())
      throw ModelError("plot needs a result file",
                       "for example driftless plot run.h5 x1 -o motion.svg");
    if (plot.names.empty()) {
      throw ModelError("plot needs the name of a column",
                       "driftless info " + paths[0] + " lists them");
    }
    if (plot.out.empty()) plot.out = name_picture(paths[0], plot.names);
    plot.check();
    plot.check_labels(paths.size());
    const auto choose = [&plot](const RunInfo&, const std::vector<Column>& columns) {
      return choose_columns(plot, columns);
    };
    std::vector<Result> results;
    for (const std::string& path : paths)
      results.push_back(read_run_part(path, choose, session.voice));
    std::vector<std::string> methods;
    for (const Result& result : results) methods.push_back(result.info.method);
    const std::vector<std::string> labels = label_runs(paths, methods);
    std::vector<std::pair<std::string, const Result*>> runs;
    for (std::size_t k = 0; k < paths.size(); ++k) runs.emplace_back(labels[k], &results[k]);
    if (plot.title.empty() && runs.size() == 1) plot.title = results[0].info.model_name;
    write_plot(plot, runs, session);
  });
}

}  // namespace

void add_results(CommandLine& line, Session& session) {
  add_info(line, session);
  add_convert(line, session);
  add_diff(line, session);
  add_plot(line, session);
}

}  // namespace driftless::cli
