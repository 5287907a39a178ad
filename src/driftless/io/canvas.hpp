#pragma once
// What a plot is drawn on: lines, curves, dots and words, in pixels from the top left corner.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/io/svg_axis.hpp"

namespace driftless {

struct CanvasPoint {
  double x, y;
};

struct Stroke {
  std::string_view colour;
  double width = 1.0;
  std::vector<double> dashes = {};  ///< lengths, on and off in turn; empty: solid
  double opacity = 1.0;
};

enum class TextAnchor { start, middle, end };

struct Words {
  CanvasPoint at;
  TextAnchor anchor = TextAnchor::start;
  AxisText text;
  std::string_view colour = "#222222";
  int size = 13;
  bool bold = false;
  bool upwards = false;  ///< turned by a quarter, to be read from the right
};

class Canvas {
 public:
  using Line = std::vector<CanvasPoint>;

  virtual ~Canvas() = default;
  virtual void draw_lines(const std::vector<Line>& lines, const Stroke& stroke) = 0;
  virtual void draw_dots(const Line& dots, std::string_view colour) = 0;
  /// Closed outlines, filled.
  virtual void draw_shapes(const std::vector<Line>& outlines, std::string_view fill,
                           const Stroke& stroke) = 0;
  virtual void draw_words(const Words& words) = 0;
  /// The whole picture as the bytes of a file.
  virtual std::string finish() = 0;
};

/// White, of that size; the title is for those who cannot see it.
std::unique_ptr<Canvas> make_svg_canvas(double width, double height, const std::string& title);
/// `scale` pixels of the picture for each of the canvas.
std::unique_ptr<Canvas> make_png_canvas(double width, double height, double scale);

}  // namespace driftless
