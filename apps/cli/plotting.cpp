#include "plotting.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "driftless/io/display.hpp"
#include "driftless/io/result_paths.hpp"

namespace driftless::cli {

void PlotArguments::declare(Verb& verb, bool positional) {
  if (!positional) verb.list("--plot", names, "draw these columns, separated by commas");
  verb.text("-o,--output", out,
            positional ? "picture to write, .svg or .png (default: RUN_NAME.svg, here)"
                       : "picture to write, .svg or .png")
      .completes(Values::file);
  verb.flag("--log-y", log, "logarithmic y axis");
  verb.flag("--log-x", log_x, "logarithmic x axis");
  verb.list("--labels", labels, "names of the runs in the legend, separated by commas");
  verb.text("--x", x, "column of the x axis (default: t)").completes(Values::column);
  verb.text("--title", title, "title of the picture");
}

void PlotArguments::check() const {
  if (out.empty() && names.empty()) return;
  if (names.empty())
    throw ModelError("-o " + out + " asks for a picture, but no column is named",
                     "add --plot NAME");
  if (out.empty()) throw ModelError("the picture needs a file", "add -o picture.svg");
  if (!is_picture(out)) {
    throw ModelError("-o " + out + ": pictures are written as .svg or .png",
                     "choose a name that ends in one of these");
  }
  check_picture(out);
}

void check_column(const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw ModelError("there is no column '" + name + "'", suggest(name, known));
}

namespace {

/// One column in the unit in which it is shown.
struct Shown {
  std::string name;
  std::string unit;
  std::vector<double> values;
};

Shown find_shown(const Result& result, const std::map<std::string, DisplayUnit>& display,
                 const std::string& name) {
  std::vector<std::string> known;
  for (const Column& column : result.columns) known.push_back(column.name);
  check_column(name, known);
  const auto index = static_cast<std::size_t>(result.find_column(name));
  const DisplayUnit unit = find_display_unit(display, result.columns[index]);
  Shown shown{name, unit.unit, result.column(index)};
  for (double& value : shown.values) value /= unit.factor;
  return shown;
}

std::string label_axis(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " in " + unit;
}

/// A legend that names what differs: the run, the column or both; the unit if the columns do not share one.
std::string label_curve(const PlotArguments& arguments, std::size_t runs, const std::string& run,
                        const Shown& shown, bool same_unit) {
  const std::string column = same_unit ? shown.name : label_axis(shown.name, shown.unit);
  if (runs == 1) return column;
  return arguments.names.size() == 1 ? run : run + ": " + column;
}

}  // namespace

void PlotArguments::check_labels(std::size_t runs) const {
  if (labels.empty() || labels.size() == runs) return;
  throw ModelError(fmt::format("--labels has {} name{} for {} run{}", labels.size(),
                               labels.size() == 1 ? "" : "s", runs, runs == 1 ? "" : "s"),
                   "give one for each, separated by commas");
}

ResultPart choose_columns(const PlotArguments& arguments, const std::vector<Column>& columns) {
  std::vector<std::string> known;
  for (const Column& column : columns) known.push_back(column.name);
  ResultPart part;
  const auto add = [&](const std::string& name) {
    check_column(name, known);
    const auto place = std::find(known.begin(), known.end(), name) - known.begin();
    part.columns.push_back(static_cast<std::size_t>(place));
  };
  add(arguments.x);
  for (const std::string& name : arguments.names) add(name);
  return part;
}

void write_plot(const PlotArguments& arguments,
                const std::vector<std::pair<std::string, const Result*>>& runs,
                const Session& session) {
  Plot plot;
  plot.log_x = arguments.log_x;
  plot.log_y = arguments.log;
  plot.title = arguments.title;
  std::vector<std::pair<std::string, Shown>> curves;  // with the run's name
  std::vector<std::vector<double>> times;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const Result* result = runs[k].second;
    const std::string& run = arguments.labels.empty() ? runs[k].first : arguments.labels[k];
    if (result->row_count() == 0) continue;
    const std::map<std::string, DisplayUnit> display = find_display(*result);
    const Shown x = find_shown(*result, display, arguments.x);
    plot.x_label = label_axis(x.name, x.unit);
    for (const std::string& name : arguments.names) {
      curves.emplace_back(run, find_shown(*result, display, name));
      times.push_back(x.values);
    }
  }
  if (curves.empty())
    throw ModelError("there is nothing to draw: the result has no samples", "see driftless info");
  const std::string& unit = curves.front().second.unit;
  const bool same_unit = std::all_of(curves.begin(), curves.end(),
                                     [&](const auto& curve) { return curve.second.unit == unit; });
  if (arguments.names.size() == 1) {
    plot.y_label = label_axis(arguments.names[0], same_unit ? unit : "");
  } else if (same_unit && !unit.empty()) {
    plot.y_label = "in " + unit;
  }
  for (std::size_t k = 0; k < curves.size(); ++k) {
    Shown& shown = curves[k].second;
    std::string label = label_curve(arguments, runs.size(), curves[k].first, shown, same_unit);
    plot.curves.push_back({std::move(label), std::move(times[k]), std::move(shown.values)});
  }
  std::size_t left_out = 0;
  write_picture(arguments.out, plot, &left_out);
  if (left_out > 0) {
    warn(session.voice,
         fmt::format(
             "{} not drawn: not finite{}",
             left_out == 1 ? std::string("1 point is") : fmt::format("{} points are", left_out),
             arguments.log || arguments.log_x ? ", or not on the logarithmic axis" : ""));
  }
  if (!session.json) fmt::print("{}\n", arguments.out);
}

void check_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw ModelError("cannot write " + path + ": there is no folder " + folder.string(),
                     "create it, or choose another -o");
  }
}

namespace {

constexpr std::string_view kSvgMark = "<!-- written by driftless -->";
constexpr std::string_view kPngMark = "Software";  // in its chunk of text, behind the header
constexpr std::size_t kPngMarkAt = 41;

bool is_png(const std::string& path) { return std::filesystem::path(path).extension() == ".png"; }

bool is_ours(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (is_png(path)) file.seekg(kPngMarkAt);
  const std::string mark =
      is_png(path) ? std::string(kPngMark) + '\0' + "driftless" : std::string(kSvgMark);
  std::string found(mark.size(), '\0');
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  return found == mark;
}

}  // namespace

void check_opens(const std::string& path) {
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(path, ignored);
  errno = 0;
  const bool opens = std::ofstream(path, std::ios::binary | std::ios::app).is_open();
  const std::string reason = format_errno(errno);
  if (opens && is_new) std::filesystem::remove(path, ignored);
  if (!opens)
    throw ModelError(fmt::format("cannot write {}: {}", path, reason), find_write_remedy(reason));
}

bool is_picture(const std::string& path) {
  return is_png(path) || std::filesystem::path(path).extension() == ".svg";
}

void check_picture(const std::string& path) {
  check_folder(path);
  if (!std::filesystem::exists(path) || is_ours(path)) {
    check_opens(path);
    return;
  }
  throw ModelError(path + " exists and was not written by Driftless: it is left alone",
                   "choose another -o, or move that file away");
}

void write_svg(const std::string& path, const std::string& svg) {
  check_picture(path);
  write_text_file(path, std::string(kSvgMark) + "\n" + svg);
}

void write_picture(const std::string& path, const Plot& plot, std::size_t* left_out) {
  if (is_png(path)) {
    check_picture(path);
    write_text_file(path, draw_plot(plot, PictureFormat::png, left_out));
  } else {
    write_svg(path, draw_plot(plot, PictureFormat::svg, left_out));
  }
}

void write_panels(const std::string& path, const std::vector<Plot>& panels) {
  if (is_png(path)) {
    check_picture(path);
    write_text_file(path, draw_panels(panels, PictureFormat::png));
  } else {
    write_svg(path, draw_panels(panels, PictureFormat::svg));
  }
}

}  // namespace driftless::cli
