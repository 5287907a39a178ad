#pragma once
// Columns of runs as a picture: shared by `plot`, `compare`, `converge` and `sweep`.

#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"

#include "driftless/io/plot.hpp"
#include "driftless/result/result.hpp"

namespace driftless::cli {

struct PlotArguments {
  std::vector<std::string> names;  ///< columns
  std::string out;
  bool log = false;
  bool log_x = false;
  std::vector<std::string> labels;  ///< of the runs in the legend; empty: their own
  std::string x = "t";
  std::string title;

  /// `positional`: the names are arguments of the verb itself (plot), else --plot.
  void declare(Verb& verb, bool positional);
  /// Misuse is told before a long run, not after it.
  void check() const;
  /// Throws ModelError unless there are labels for all of so many runs, or none.
  void check_labels(std::size_t runs) const;
};

/// What a picture needs of a result; throws ModelError if a name is not among its columns.
ResultPart choose_columns(const PlotArguments& arguments, const std::vector<Column>& columns);

/// One curve per run and name, in the units of the model's [display].
void write_plot(const PlotArguments& arguments,
                const std::vector<std::pair<std::string, const Result*>>& runs,
                const Session& session);

/// Throws ModelError unless `name` is among the known columns.
void check_column(const std::string& name, const std::vector<std::string>& known);

/// Throws ModelError unless the file's folder exists.
void check_folder(const std::string& path);

/// Throws ModelError unless the file can be opened for writing; leaves none that was not there before.
void check_opens(const std::string& path);

/// Whether it ends as a picture does that can be written: .svg or .png.
bool is_picture(const std::string& path);
/// Throws ModelError unless the file is new or a picture of ours, in a folder that exists.
void check_picture(const std::string& path);
/// Writes an SVG to such a file, with our mark. Throws ModelError.
void write_svg(const std::string& path, const std::string& svg);
/// Draws to such a file, in the format of its ending. Throws ModelError.
void write_picture(const std::string& path, const Plot& plot, std::size_t* left_out = nullptr);
/// The same for plots side by side.
void write_panels(const std::string& path, const std::vector<Plot>& panels);

}  // namespace driftless::cli
