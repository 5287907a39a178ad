#pragma once
// Which elements stay open where a mechanism cannot be closed, and by how much at least.

#include <string>
#include <vector>

#include "driftless/assembly/gaps.hpp"
#include "driftless/assembly/start_search.hpp"

namespace driftless {

struct OpenElements {
  std::vector<Gap> gaps;
  std::vector<std::string> sharing;  ///< elements that have a part in what is missing
  bool others_close = false;         ///< all but those with gaps
};

/// Elements that hold axes or lengths, one after the other left open.
class GapFinder {
 public:
  /// At values near to closed, with the screws so many turns along their threads; `start`: as drawn.
  GapFinder(StartLevel& level, const Wishes& wishes, const SearchLimits& limits, Vector start,
            std::vector<double> threads, int& iterations)
      : level_(level),
        wishes_(wishes),
        limits_(limits),
        start_(std::move(start)),
        threads_(std::move(threads)),
        iterations_(iterations) {
    set_threads(threads_);
  }

  /// Leaves the level at the pose where they are measured.
  OpenElements find();
  /// Closes all but this one, and that as far as can be. False: the others do not close, and nothing has moved.
  bool open_alone(const std::string& element);

 private:
  std::vector<Gap> find_level_gaps();
  /// Those with at least this share of the largest.
  std::vector<Gap> find_largest_gaps(double share);
  void set_threads(const std::vector<double>& turns);
  std::vector<double> find_threads();
  /// Some elements open, all others closed.
  struct Opening {
    std::vector<Gap> gaps;
    std::vector<std::string> sharing;
    Vector pose;
    std::vector<double> threads;
    double size = 0.0;    // of the gaps
    double change = 0.0;  // of the pose

    bool is_found() const { return pose.size() > 0; }
  };
  /// [START.8]: elements that are open in the drawing; none if it has to be left for exact values.
  std::vector<Gap> find_drawn_gaps();
  /// One alone, then the two and the three with the largest shares.
  static std::vector<std::vector<std::string>> list_choices(std::vector<Gap> shares);
  Opening find_opening(const std::vector<std::vector<std::string>>& choices, const Vector& nearest);
  /// From the given pose, squared, in the mass metric.
  double find_change();
  /// Closes all others from several poses; what stays open is the least that was found. False: they do not close.
  /// `lengths_only`: also the opened ones keep their angles.
  bool leave_open(const std::vector<std::string>& opened, bool lengths_only,
                  const std::vector<Vector>& poses);
  /// What is missing of the soft rows where that is least; infinity: the hard ones do not close.
  double close_others(const Selection& hard, const Selection& soft);
  /// The least with nuts that slide is near to the least with nuts that turn.
  double pull_along_threads(const Selection& hard, const Selection& soft);
  double pull_open(const Selection& hard, const Selection& soft);
  /// Elements that hold against each other where the gap is least: a force that pulls it closed, Sᵀ s, is balanced by the
  /// others, Hᵀ μ = Sᵀ s, and those without a share in μ have nothing to do with it.
  void find_sharing(const Selection& hard, const Selection& soft);

  StartLevel& level_;
  const Wishes& wishes_;
  const SearchLimits& limits_;
  const Vector start_;
  std::vector<double> threads_;  // how far along theirs the screws are where least is missing
  int& iterations_;
  std::vector<std::string> sharing_;
};

}  // namespace driftless
