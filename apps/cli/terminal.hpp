#pragma once
// What the program says: answers on standard output, progress and warnings on standard error.

#include <chrono>
#include <string>
#include <vector>

#include "driftless/run/simulate.hpp"

namespace driftless::cli {

enum class LogStyle { text, json };

struct Voice {
  bool quiet = false;
  LogStyle log = LogStyle::text;
};

void warn(const Voice& voice, const std::string& message);

/// A table with a header; the first column left-aligned, the others right-aligned.
std::string format_table(const std::vector<std::vector<std::string>>& rows);

/// "3.2e-16", "0.00471", "0": short, for figures in tables.
std::string format_figure(double value);

/// Shows how far a long run is: a bar on a terminal, lines when piped, JSON lines if asked. Says nothing during the
/// first second.
class ProgressDisplay {
 public:
  ProgressDisplay(Voice voice, std::string title);
  ~ProgressDisplay();
  void show(const Progress& progress);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show_bar(const Progress& progress, double share, double left);
  void show_line(const Progress& progress, double share, double left);

  Voice voice_;
  std::string title_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_line_;
  bool on_terminal_;
  bool bar_shown_ = false;
};

}  // namespace driftless::cli
