#pragma once
// Line plots as SVG (one file, no scripts) or PNG: the same bytes for the same data.

#include <cstddef>
#include <string>
#include <vector>

namespace driftless {

struct Curve {
  std::string label = {};
  std::vector<double> x = {};
  std::vector<double> y =
      {};  ///< as many as x; of unequal lists the longer one's rest is not drawn
  std::vector<bool> hollow = {};  ///< points whose markers are not filled; may be shorter
};

struct Plot {
  std::string title = {};
  std::string x_label = {};  ///< with its unit: "t in s"
  std::string y_label = {};
  bool log_x = false;
  bool log_y = false;
  bool markers = false;  ///< every point is marked, with another shape for each curve
  std::vector<Curve> curves = {};
  int width = 860;  ///< in CSS pixels
  int height = 500;
};

enum class PictureFormat { svg, png };

/// The picture as the bytes of a file. Points that are not finite, on a logarithmic axis not positive,
/// or beyond ±1e300 leave gaps; how many they are goes to `left_out`. But for markers, a curve goes
/// down to the end of a logarithmic y axis where it is 0. Long curves are thinned so that no pixel
/// changes visibly.
std::string draw_plot(const Plot& plot, PictureFormat format, std::size_t* left_out = nullptr);

/// Plots of the same curves side by side: title and legend are those of the first and stand above all.
std::string draw_panels(const std::vector<Plot>& panels, PictureFormat format,
                        std::size_t* left_out = nullptr);

}  // namespace driftless
