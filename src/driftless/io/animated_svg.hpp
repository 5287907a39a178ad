#pragma once
// A run of a mechanism as a moving picture: one SVG file without scripts, which plays wherever a picture may stand. Who
// asked the system for less motion sees the first pose instead.

#include <cstddef>
#include <string>
#include <vector>

#include "driftless/io/result_files.hpp"
#include "driftless/result/result.hpp"
#include "driftless/system/scene.hpp"

namespace driftless {

struct AnimationOptions {
  double from = 0.0;
  double seconds = 0.0;  ///< of the run; 0: to its end, but at most 10
  double speed =
      0.0;  ///< seconds of the run per second of the picture; 0: 1, slower if it is over too soon
  std::string
      view;  ///< "front", "top", "side", "corner"; empty: front in the plane, corner in space
  std::vector<std::string> trails;  ///< points that leave a trail: bodies, joints, frames on bodies
  std::string title;
  int width = 800;                  ///< in CSS pixels
  std::size_t max_bytes = 200'000;  ///< fewer poses are drawn if it would be longer
};

struct Animation {
  std::string svg;
  double from = 0.0, seconds = 0.0, speed = 1.0;
  int poses = 0;
  bool closed = false;  ///< ends where it began: it plays without a seam
};

/// What a moving picture needs of a result: the bodies' poses in its window. Missing columns are left to
/// make_animated_svg.
ResultPart choose_poses(const Scene& scene, const std::vector<Column>& columns,
                        const AnimationOptions& options);

/// Throws ModelError for what the run does not have.
Animation make_animated_svg(const Scene& scene, const Result& result,
                            const AnimationOptions& options);

}  // namespace driftless
