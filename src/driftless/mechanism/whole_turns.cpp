// In the plane a fixed, a prismatic joint and parallel axes keep
//
//   θ1 + c1 - (θ0 + c0) = 0                                                                                        [WHT.1]
//
// with the angles θ of the bodies, which count turns, and the directions c of the frames on them, which are known up to
// whole turns. Where such rows make a loop, the θ drop out of their sum: a triangle of plates with corners of 150, 150 and
// 60 degrees asks for 360 degrees = 0, although every plate is where it should be. So the second direction of a row that
// closes a loop is taken by the whole turns that leave the least sum. Rows that do not close a loop stay as they are: a
// plate follows the body that it is fixed to over all turns. Rejected: rows that forget whole turns by themselves, by
// which a plate would stay behind when a start value turns its neighbour further than half a turn.

#include "driftless/mechanism/whole_turns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace driftless {
namespace {

/// Bodies whose angles follow from each other by [WHT.1]. Index 0 is the ground.
class HeldAngles {
 public:
  explicit HeldAngles(int bodies)
      : group_(static_cast<std::size_t>(bodies) + 1), angle_(group_.size()) {
    for (std::size_t k = 0; k < group_.size(); ++k) group_[k] = static_cast<int>(k);
  }

  bool are_joined(int a, int b) const { return group_[index(a)] == group_[index(b)]; }
  /// θ_b - θ_a of joined bodies.
  double find_difference(int a, int b) const { return angle_[index(b)] - angle_[index(a)]; }
  /// From now on θ_b - θ_a = difference.
  void join(int a, int b, double difference) {
    const double shift = angle_[index(a)] + difference - angle_[index(b)];
    const int from = group_[index(b)];
    const int to = group_[index(a)];
    for (std::size_t k = 0; k < group_.size(); ++k) {
      if (group_[k] != from) continue;
      group_[k] = to;
      angle_[k] += shift;
    }
  }

 private:
  static std::size_t index(int body) { return static_cast<std::size_t>(body + 1); }

  std::vector<int> group_;
  std::vector<double> angle_;  // against the others of the group
};

bool holds_angle(const RowBlock& block) {
  return std::any_of(block.row_names.begin(), block.row_names.end(),
                     [](const std::string& name) { return name.ends_with(".turn"); });
}

}  // namespace

void settle_whole_turns(const std::vector<RowBlock>& rows, std::vector<BodyFrame>& frames) {
  int bodies = 0;
  for (const BodyFrame& frame : frames) bodies = std::max(bodies, frame.body + 1);
  HeldAngles held(bodies);
  for (const RowBlock& block : rows) {
    if (!holds_angle(block)) continue;
    const BodyFrame& first = frames[static_cast<std::size_t>(block.block.frames[0])];
    BodyFrame& second = frames[static_cast<std::size_t>(block.block.frames[1])];
    const double wanted = first.angle - second.angle;
    if (!held.are_joined(first.body, second.body)) {
      held.join(first.body, second.body, wanted);
      continue;
    }
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const double rest = held.find_difference(first.body, second.body) - wanted;
    second.angle -= kTurn * std::round(rest / kTurn);
  }
}

}  // namespace driftless
