#pragma once
// What rows that are written out by hand (pair_rows.hpp, rod_rows.hpp) ask of the bodies at their ends. For .cpp files.

#include "driftless/mechanism/kinematics.hpp"

namespace driftless {

/// Of the ground: it stands still with the world's axes.
inline const BodyState kGroundState{};

inline const BodyState& state_of(int body, const MotionState& state) {
  return body < 0 ? kGroundState : state.bodies[static_cast<std::size_t>(body)];
}

/// Where the block of G begins whose strip begins with this row and whose first column is this one; -1: there is none.
inline int find_values(const BlockMatrix& jacobian, int row, int column) {
  const Strip* const strip = jacobian.find_strip(row);
  for (int k = 0; strip != nullptr && k < strip->blocks; ++k) {
    const Block& block = jacobian.blocks()[static_cast<std::size_t>(strip->first_block + k)];
    if (block.column == column) return block.first;
  }
  return -1;
}

}  // namespace driftless
