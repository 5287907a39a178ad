#pragma once
// How far many runs are, some of them at the same time.

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "terminal.hpp"

namespace driftless::cli {

/// "sweep: 3 of 20 runs, 19 % done, 40 s left", from the first second on, also while no run has ended yet: a line that is
/// written over on a terminal, with a bar; lines when piped, JSON lines if asked.
class ManyRunsDisplay {
 public:
  ManyRunsDisplay(const Voice& voice, std::string title, std::size_t all);
  ~ManyRunsDisplay();
  ManyRunsDisplay(const ManyRunsDisplay&) = delete;
  ManyRunsDisplay& operator=(const ManyRunsDisplay&) = delete;

  /// To watch the run that is about to begin; when nobody holds it any more, the run counts by note_done alone. From any
  /// thread.
  std::function<void(const Progress&)> begin_run();
  /// So many have ended. From any thread.
  void note_done(std::size_t done);
  /// Takes the line away; nothing is told afterwards.
  void clear();

 private:
  void work();
  void print(double seconds);

  const Voice voice_;
  const std::string title_;
  const std::size_t all_;
  const bool on_terminal_;
  std::mutex mutex_;
  std::condition_variable change_;
  std::vector<std::weak_ptr<double>> shares_;  // of the runs that are under way
  std::size_t done_ = 0;
  double share_ = 0.0;  // of everything; never falls
  bool is_over_ = false;
  bool line_shown_ = false;
  std::thread thread_;
};

/// "[=====     ] 41 % ", as a part of a line.
std::string draw_share(double share);

}  // namespace driftless::cli
