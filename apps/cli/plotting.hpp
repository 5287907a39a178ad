#pragma once
// Columns of runs as a picture: shared by `plot`, `compare` and `sweep`.

#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "driftless/result/result.hpp"

namespace driftless::cli {

struct PlotArguments {
  std::vector<std::string> names;  ///< columns
  std::string out;
  bool log = false;
  std::string x = "t";
  std::string title;

  /// `positional`: the names are arguments of the verb itself (plot), else --plot.
  void declare(CLI::App& app, bool positional);
  /// Misuse is told before a long run, not after it.
  void check() const;
};

/// One curve per run and name.
void write_plot(const PlotArguments& arguments,
                const std::vector<std::pair<std::string, const Result*>>& runs, const Session& session);

/// Writes text to a file that is an SVG of ours, or new. Throws ModelError.
void write_svg_file(const std::string& path, const std::string& text);

}  // namespace driftless::cli
