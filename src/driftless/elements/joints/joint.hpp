#pragma once
// What a joint is made of. It connects two frames, frame 0 on the first body and frame 1 on the second; its axis, if it
// has one, is the frames' z axis. A joint type is a spec (a plain aggregate with kName, kSummary and fields()) and one
// function, in its own .cpp file:
//
//   JointParts make_joint(const Revolute& spec, Space space);
//
// Rows are invariant under a motion of everything: distances and shifts are taken along the axes of frame 0.

#include <memory>
#include <string_view>
#include <vector>

#include "driftless/elements/frame_function.hpp"

namespace driftless {

enum class Space { plane, space };

/// A coordinate of a joint, as measured and driven: "A.angle" and its rate.
struct JointCoordinate {
  std::string_view name;
  std::string_view rate;  ///< name of its derivative
  std::string_view unit;
  bool wraps =
      false;  ///< known up to whole turns: the turns are counted by whoever watches the motion
};

struct JointParts {
  std::unique_ptr<FrameFunction> rows;  ///< = 0; null: no row (free)
  std::vector<std::string_view> row_names;
  std::unique_ptr<FrameFunction> coordinates;  ///< null: none
  std::vector<JointCoordinate> coordinate_info;
};

}  // namespace driftless
