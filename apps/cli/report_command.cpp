// driftless report: animation, plots and report of one or several runs as one HTML page.

#include <filesystem>

#include "commands.hpp"
#include <fmt/format.h>

#include "driftless/io/json.hpp"
#include "driftless/io/page.hpp"

namespace driftless::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> runs;
  std::string out;
};

void execute(const ReportArguments& arguments, const Session& session) {
  check_page_template();
  const std::string out = arguments.out.empty()
                              ? std::filesystem::path(arguments.runs[0]).stem().string() + ".html"
                              : arguments.out;
  if (!out.ends_with(".html"))
    throw ModelError("report writes HTML, not '" + out + "'", "for example -o page.html");
  std::vector<std::unique_ptr<PageRun>> runs;
  std::vector<std::string> methods;
  for (const std::string& path : arguments.runs) {
    runs.push_back(std::make_unique<PageRun>(std::string{}, arguments.runs.size()));
    stream_run(path, *runs.back(), session.voice);
    methods.push_back(runs.back()->info().method);
  }
  const std::vector<std::string> labels = label_runs(arguments.runs, methods);
  std::vector<const PageRun*> all;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    runs[k]->set_label(labels[k]);
    all.push_back(runs[k].get());
  }
  {
    StageDisplay display(session.voice, out + ":");
    display.show("writing");
    write_page(make_page(all), out);
  }
  if (session.json) {
    JsonWriter json;
    json.begin_object().member("status", "ok").member("out", out).end_object();
    fmt::print("{}\n", json.text());
  } else {
    fmt::print("{}\n", out);
  }
}

}  // namespace

void add_report(CommandLine& line, Session& session) {
  auto arguments = std::make_shared<ReportArguments>();
  Verb verb = line.add_verb("report", "animation, plots and report of runs as one HTML page");
  verb.all_arguments("RUN", arguments->runs, "result files, .h5 or .csv; several are overlaid")
      .completes(Values::result);
  verb.text("-o,--output", arguments->out, "page to write, .html (default: the first run's name)")
      .completes(Values::file);
  add_common_flags(verb, session);
  verb.footer(R"(The page opens by a double click, offline: it holds everything that it shows.

Examples:
  driftless report run.h5
  driftless report a.h5 b.h5 c.h5 -o methods.html)");
  verb.action([arguments, &session] { execute(*arguments, session); });
}

}  // namespace driftless::cli
