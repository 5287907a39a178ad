#pragma once
// Figures at an instant as the text of an SVG path. The text of one figure has the same commands at all times, so that a
// browser can go smoothly from one to the next.

#include <span>
#include <string>

#include "driftless/io/scene_camera.hpp"

namespace driftless {

/// Attribute d of the path, in whole numbers. Of a dot: "x y".
std::string trace_figure(const Figure& figure, std::span<const BodyPose> poses,
                         const Camera& camera);

}  // namespace driftless
