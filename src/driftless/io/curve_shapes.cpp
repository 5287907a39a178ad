#include "driftless/io/curve_shapes.hpp"

#include <array>
#include <cmath>

namespace driftless {

void CurveThinning::add(CanvasPoint p) {
  const double column = std::floor(p.x);
  if (held_ > 0 && column != column_) flush();
  if (held_ == 0) {
    column_ = column;
    first_ = low_ = high_ = p;
    low_index_ = high_index_ = 0;
  }
  if (p.y < low_.y) low_ = p, low_index_ = held_;
  if (p.y > high_.y) high_ = p, high_index_ = held_;
  last_ = p;
  ++held_;
}

void CurveThinning::end_piece() {
  flush();
  if (piece_.size() == 1) dots_.push_back(piece_[0]);  // would not be seen as a line
  if (!piece_.empty()) pieces_.push_back(std::move(piece_));
  piece_.clear();
}

void CurveThinning::flush() {
  if (held_ == 0) return;
  write(first_);
  const bool low_first = low_index_ < high_index_;
  const auto inner = [&](std::size_t index) { return index > 0 && index + 1 < held_; };
  if (low_first && inner(low_index_)) write(low_);
  if (inner(high_index_)) write(high_);
  if (!low_first && inner(low_index_)) write(low_);
  if (held_ > 1) write(last_);
  held_ = 0;
}

void CurveThinning::write(CanvasPoint p) {
  if (!piece_.empty()) length_ += std::hypot(p.x - piece_.back().x, p.y - piece_.back().y);
  piece_.push_back(p);
}

Canvas::Line make_marker(std::size_t curve, CanvasPoint at) {
  static const std::array<Canvas::Line, 4> kCorners{
      {{{-3.7, -3.7}, {3.7, -3.7}, {3.7, 3.7}, {-3.7, 3.7}},
       {{0, -5.2}, {4.8, 3.4}, {-4.8, 3.4}},
       {{0, -5.3}, {5.3, 0}, {0, 5.3}, {-5.3, 0}},
       {{0, 5.2}, {-4.8, -3.4}, {4.8, -3.4}}}};
  constexpr double kRadius = 4.1;
  constexpr int kSides = 16;
  Canvas::Line outline;
  if (curve % 5 == 0) {
    for (int k = 0; k < kSides; ++k) {
      const double angle = 2.0 * M_PI * k / kSides;
      outline.push_back({at.x + kRadius * std::cos(angle), at.y + kRadius * std::sin(angle)});
    }
    return outline;
  }
  for (const CanvasPoint& corner : kCorners[curve % 5 - 1])
    outline.push_back({at.x + corner.x, at.y + corner.y});
  return outline;
}

}  // namespace driftless
