#include "plotting.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "driftless/io/svg_plot.hpp"

namespace driftless::cli {

void PlotArguments::declare(CLI::App& app, bool positional) {
  if (!positional) app.add_option("--plot", names, "draw these columns, separated by commas")->delimiter(',');
  app.add_option("-o,--output", out, "picture to write, .svg");
  app.add_flag("--log-y", log, "logarithmic y axis");
  app.add_option("--x", x, "column of the x axis")->capture_default_str();
  app.add_option("--title", title, "title of the picture");
}

void PlotArguments::check() const {
  if (out.empty() && names.empty()) return;
  if (names.empty()) throw ModelError("-o " + out + " asks for a picture, but no column is named", "add --plot NAME");
  if (out.empty()) throw ModelError("--plot needs a file to write", "add -o picture.svg");
  if (std::filesystem::path(out).extension() != ".svg") {
    throw ModelError("-o " + out + ": only .svg pictures are written", "choose a name that ends in .svg");
  }
}

namespace {

const Column& find_column(const Result& result, const std::string& name, std::size_t& index) {
  const int found = result.find_column(name);
  if (found < 0) {
    std::vector<std::string> known;
    for (const Column& column : result.columns) known.push_back(column.name);
    throw ModelError("there is no column '" + name + "'", suggest(name, known));
  }
  index = static_cast<std::size_t>(found);
  return result.columns[index];
}

std::string label_axis(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " in " + unit;
}

}  // namespace

void write_plot(const PlotArguments& arguments,
                const std::vector<std::pair<std::string, const Result*>>& runs, const Session& session) {
  Plot plot;
  plot.log_y = arguments.log;
  plot.title = arguments.title;
  std::size_t left_out = 0;
  for (const auto& [run, result] : runs) {
    if (result->row_count() == 0) continue;
    std::size_t x_index = 0;
    const Column& x = find_column(*result, arguments.x, x_index);
    plot.x_label = label_axis(x.name, x.unit);
    for (const std::string& name : arguments.names) {
      std::size_t index = 0;
      const Column& column = find_column(*result, name, index);
      if (arguments.names.size() == 1) plot.y_label = label_axis(column.name, column.unit);
      std::string label = runs.size() == 1 ? name : arguments.names.size() == 1 ? run : run + ": " + name;
      plot.curves.push_back({std::move(label), result->column(x_index), result->column(index)});
    }
  }
  write_svg_file(arguments.out, make_svg(plot, &left_out));
  if (left_out > 0) {
    warn(session.voice, fmt::format("{} points are not drawn: not finite{}", left_out,
                                    arguments.log ? ", or not positive on the logarithmic axis" : ""));
  }
  if (!session.json) fmt::print("{}\n", arguments.out);
}

void write_svg_file(const std::string& path, const std::string& text) {
  if (std::filesystem::exists(path)) {
    std::ifstream old(path);
    std::string head(4096, '\0');
    old.read(head.data(), static_cast<std::streamsize>(head.size()));
    if (head.find("<svg") == std::string::npos) {
      throw ModelError(path + " exists and is not an SVG picture", "choose another file with -o");
    }
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw ModelError("cannot write " + path, "check the folder and the space on the disk");
}

}  // namespace driftless::cli
