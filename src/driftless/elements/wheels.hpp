#pragma once
// What an element knows of the shape of the bodies that it turns, for pictures: a wheel that rolls, two gears, a pinion. A
// type that knows it has a member `Wheels wheels() const`; nothing is computed from it.

#include <vector>

namespace driftless {

struct Wheels {
  /// Of the joints whose angles it relates, in their order; of an element between frames: of the last one.
  std::vector<double> radii;
  /// Radii count by their ratio: the wheels touch each other where they are drawn, from within if `inside`.
  bool touch = false;
  bool inside = false;
  bool ball = false;
  /// A belt goes round both; of a crossed one the strands cross between them.
  bool belt = false;
  bool crossed = false;
};

}  // namespace driftless
