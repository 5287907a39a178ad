#pragma once
// Figures as SVG elements: colours, edges, and what makes them move.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/io/scene_figures.hpp"

namespace driftless {

/// The classes that figures and the picture around them have, in light and dark.
std::string_view svg_style_sheet();

/// What lets an attribute go through its values (SMIL); empty if all are the same. `timing`: dur and repeatCount.
std::string make_animate(const char* element, const char* attribute,
                         const std::vector<std::string>& values, const std::string& timing);

/// Appends a figure. `values`: what trace_figure gave for each pose, the first one alone for a still picture. `scale`:
/// units of the picture per m. `id` must be its own in the file.
void append_painted(std::string& svg, const Figure& figure, double scale,
                    const std::vector<std::string>& values, const std::string& id,
                    const std::string& timing);

}  // namespace driftless
