#pragma once
// What a constraint is made of. It relates two frames, frame 0 on the first body and frame 1 on the second. A constraint
// type is a spec (a plain aggregate with kName, kSummary, kInPlane and fields()) and one function, in its own .cpp file:
//
//   ConstraintParts make_constraint(const Distance& spec, Space space);
//
// The conventions are those of joints (joints/joint.hpp): rows invariant under a motion of everything, axes along z, in
// the plane along x; `kOneSided` where exchanging the frames gives other poses, `kUndefinedAt` where rows have no
// derivative. A constraint differs from a joint in having no coordinates.

#include <memory>
#include <string_view>
#include <vector>

#include "driftless/elements/frame_function.hpp"
#include "driftless/elements/space.hpp"

namespace driftless {

struct ConstraintParts {
  std::unique_ptr<FrameFunction> rows;  ///< = 0
  std::vector<std::string_view> row_names;
  /// L, if the one row is (d·d - L²)/2L with the gap d of the origins, which is then evaluated by hand; else 0.
  double rod_length = 0.0;
};

}  // namespace driftless
