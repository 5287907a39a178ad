#pragma once
// What the program says: answers on standard output, progress and warnings on standard error.

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "driftless/run/simulate.hpp"

namespace driftless::cli {

enum class LogStyle { text, json };

struct Voice {
  bool quiet = false;
  LogStyle log = LogStyle::text;
};

/// Whether the stream is a terminal that knows more than lines: colours, and lines that are written over.
bool takes_escapes(std::FILE* stream);

enum class Tone { good, bad, caution, faint };

/// In colour if the stream is a terminal that has some and NO_COLOR is not set (no-color.org); else as it is.
std::string paint(std::FILE* stream, Tone tone, const std::string& text);

/// The same for every "error:" in a message that may have many lines.
std::string paint_errors(std::FILE* stream, std::string message);

void warn(const Voice& voice, const std::string& message);
/// Also when quiet. Without "error: " before it, which is added to text.
void tell_error(const Voice& voice, const std::string& message);
/// Likewise, with its place and what to do about it. `status`: how it ended, for JSON lines: "failed", "invalid".
void tell_error(const Voice& voice, const Diagnostic& diagnostic, std::string_view status);

/// Throws ModelError with the reason if the file cannot be written; then none is left that was not there before.
void write_text_file(const std::string& path, const std::string& text);

/// Characters, not bytes: names may carry UTF-8.
std::size_t find_width(const std::string& text);

/// Columns that answers may take: those of the terminal, but not more than can be read in one line; of a pipe or a file as many.
std::size_t find_answer_columns();

/// A table with a header; the first column left-aligned, the others right-aligned. What is wider than `columns` goes on
/// below, under the first column again.
std::string format_table(const std::vector<std::vector<std::string>>& rows, std::size_t columns);

/// "  name   what it is": names in a column of their own; the text goes on below itself.
std::string format_list(const std::vector<std::vector<std::string>>& rows, std::size_t columns);

/// "3.2e-16", "0.00471", "0": short, for figures in tables.
std::string format_figure(double value);

/// "a, b, c", or the first of many and how many more there are.
std::string list_some(const std::vector<std::string>& names);

/// Lines "  label      text" of at most 80 columns; the text goes on below itself, broken after commas or at blanks.
std::string format_entry(const std::string& label, const std::string& text, std::size_t columns);
/// The width of entries: that of the terminal, at most 80.
std::size_t find_entry_columns();

/// Print such an entry with a faint label; nothing if the text is empty.
void print_entry(const std::string& label, const std::string& text);

/// "12 s", "3 min", "5 h", "2 days", "over a year".
std::string format_duration(double seconds);

/// One line below `columns`: share done, time left and max |Phi| always, time, step and energy error from 80 columns on;
/// what room is left goes to a bar, and to the title if all of it fits beside the bar. `share` from 0 to 1, `left` in seconds.
std::string format_progress(const std::string& title, const Progress& progress, double share,
                            double left, std::size_t columns);

/// Writes over the line of the terminal on which standard error stands, cut to its width; "": takes it away.
void rewrite_terminal_line(const std::string& line);

/// Shows how far a long run is: a bar on a terminal, lines when piped, JSON lines if asked. Says nothing during the
/// first second of the command.
class ProgressDisplay {
 public:
  ProgressDisplay(Voice voice, std::string title);
  ~ProgressDisplay();
  void show(const Progress& progress);
  /// A run that ended before it could be told of, one of many: else a command of short runs would say nothing for long.
  void show_end(const Report& report);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show_line(const Progress& progress, double share, double left);
  void rewrite_line(const std::string& line);

  Voice voice_;
  std::string title_;
  Clock::time_point start_ = Clock::now();
  std::optional<double> first_share_;  // at the first step that was told
  bool on_terminal_;
  bool bar_shown_ = false;
};

/// Says what a long computation is at, and since when, once the command takes longer than a second.
class StageDisplay {
 public:
  StageDisplay(const Voice& voice, std::string title);
  ~StageDisplay();
  StageDisplay(const StageDisplay&) = delete;
  StageDisplay& operator=(const StageDisplay&) = delete;
  void show(const std::string& stage);
  /// The same with the share of it that is done, 0 to 1, in tenths.
  void show(const std::string& stage, double share);

 private:
  void work();
  void print(double seconds);

  const Voice voice_;
  const std::string title_;
  const bool on_terminal_;
  std::mutex mutex_;
  std::condition_variable change_;
  std::string stage_;
  bool is_new_ = false;
  bool done_ = false;
  bool line_shown_ = false;
  std::thread thread_;
};

}  // namespace driftless::cli
