#pragma once
// What curves of a plot are drawn with: lines of few points, and markers.

#include <cstddef>
#include <vector>

#include "driftless/io/canvas.hpp"

namespace driftless {

/// Unbroken pieces of a curve. Of neighbouring points in one column of pixels only the first, the lowest, the highest and
/// the last matter to the picture (Jugel et al. 2014, "M4"): a million points become at most four per column, with their
/// envelope.
class CurveThinning {
 public:
  void add(CanvasPoint p);
  void end_piece();

  const std::vector<Canvas::Line>& pieces() const { return pieces_; }
  double length() const { return length_; }           ///< of all pieces
  const Canvas::Line& dots() const { return dots_; }  ///< points that stand alone

 private:
  void flush();
  void write(CanvasPoint p);

  std::vector<Canvas::Line> pieces_;
  Canvas::Line piece_, dots_;
  CanvasPoint first_{}, low_{}, high_{}, last_{};
  double column_ = 0.0, length_ = 0.0;
  std::size_t held_ = 0, low_index_ = 0, high_index_ = 0;
};

/// The outline of a curve's marker: circle, square, triangle, diamond, triangle upside down, of about the same area.
Canvas::Line make_marker(std::size_t curve, CanvasPoint at);

}  // namespace driftless
