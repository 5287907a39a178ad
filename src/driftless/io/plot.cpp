#include "driftless/io/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "driftless/io/canvas.hpp"
#include "driftless/io/curve_shapes.hpp"
#include "driftless/io/svg_axis.hpp"
#include "driftless/io/svg_text.hpp"

namespace driftless {
namespace {

// Okabe and Ito's colours, which also colour-blind readers tell apart (yellow is left out: too pale
// on white). The dash pattern is the second cue; 7 colours and 5 patterns have no common factor, so
// 35 curves differ.
constexpr std::array kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                              "#E69F00", "#56B4E9", "#333333"};
const std::array<std::vector<double>, 5> kDashes{
    {{}, {9, 4}, {2.5, 3}, {10, 3.5, 2.5, 3.5}, {16, 5}}};
constexpr const char* kText = "#222222";
constexpr const char* kSoftText = "#444444";
constexpr int kTitleFont = 16;
constexpr std::size_t kTitleLines = 3;
constexpr double kTitleRow = 20, kLegendRow = 22, kSample = 30;
constexpr double kLow = 300;         // pixels
constexpr double kWidestLeft = 110;  // of numbers and label at the left

// ---- data

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool empty() const { return low > high; }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool can_draw(double value, bool log) { return std::abs(value) <= 1e300 && (!log || value > 0); }

std::size_t count_points(const Curve& curve) { return std::min(curve.x.size(), curve.y.size()); }

struct Frame {
  double left, top, right, bottom;
};

using Point = CanvasPoint;
using Line = Canvas::Line;

// ---- the picture

/// One of several side by side.
struct Panel {
  double left = 0.0;
  double whole_width = 0.0;  ///< of all of them; 0: it is alone
  bool is_first = true;      ///< it draws what stands above all
};

double find_width(const Plot& plot) { return std::clamp(plot.width, 160, 10000); }
double find_height(const Plot& plot) { return std::clamp(plot.height, 120, 10000); }

class Picture {
 public:
  Picture(const Plot& plot, Canvas& canvas, const Panel& panel)
      : plot_(plot),
        canvas_(canvas),
        panel_(panel),
        width_(find_width(plot)),
        height_(find_height(plot)) {}
  void draw();
  std::size_t left_out() const { return left_out_; }

 private:
  void find_ranges();
  void lay_out();
  void draw_axes();
  void draw_labels();
  void draw_curve(std::size_t index);
  void draw_markers(std::size_t index);
  void draw_legend();
  void say(Point at, TextAnchor anchor, const std::string& text, std::string_view colour = kText) {
    canvas_.draw_words({.at = at, .anchor = anchor, .text = {text, "", ""}, .colour = colour});
  }
  void lay_out_title();
  void lay_out_legend();
  double find_whole_width() const { return std::max(width_, panel_.whole_width); }
  double to_x(double v) const {
    return frame_.left + x_.position(v) * (frame_.right - frame_.left);
  }
  double to_y(double v) const {
    return frame_.bottom - y_.position(v) * (frame_.bottom - frame_.top);
  }
  /// An error of exactly 0 lies below every logarithmic axis: the line goes down to its end, so that nobody takes the
  /// values beside it for those between them. Points with markers are single, and left out.
  bool is_below(double y) const { return plot_.log_y && y == 0.0 && !plot_.markers; }
  bool has_legend() const { return plot_.curves.size() > 1; }

  const Plot& plot_;
  Canvas& canvas_;
  const Panel panel_;
  const double width_, height_;
  Range x_range_, y_range_;
  std::size_t left_out_ = 0;
  PlotAxis x_, y_;
  Frame frame_{};
  std::vector<std::string> title_;  ///< its lines
  double title_bottom_ = 0.0;
  std::vector<Point> legend_;  ///< where each entry begins; fewer than curves if there is no room
  double legend_right_ = 0,
         legend_rows_ = 0;  ///< width it takes at the right, or rows it takes at the top
};

void Picture::find_ranges() {
  for (const auto& curve : plot_.curves) {
    for (std::size_t k = 0; k < count_points(curve); ++k) {
      const bool on_axis = can_draw(curve.x[k], plot_.log_x);
      if (on_axis && can_draw(curve.y[k], plot_.log_y)) {
        x_range_.include(curve.x[k]);
        y_range_.include(curve.y[k]);
      } else if (on_axis && is_below(curve.y[k])) {
        x_range_.include(curve.x[k]);
      } else {
        ++left_out_;
      }
    }
  }
}

// In as many lines as it takes, up to three if the picture is not too low for them.
void Picture::lay_out_title() {
  const std::size_t most = height_ < kLow ? 1 : kTitleLines;
  title_ =
      wrap_words(plot_.title, (find_whole_width() - kWidestLeft - 10) / kBold, kTitleFont, most);
  title_bottom_ = title_.empty() ? 0.0 : 26 + kTitleRow * (static_cast<double>(title_.size()) - 1);
}

// Outside the axes, so it never covers a curve: at the right if it is narrow there or long, else in
// rows on top.
void Picture::lay_out_legend() {
  if (!has_legend()) return;
  const bool alone = panel_.whole_width == 0.0;
  const double room_across = alone ? width_ : panel_.whole_width;
  double widest = 0.0, x = 0.0, row = 0.0;
  for (const auto& curve : plot_.curves) {
    const double needed =
        std::min(estimate_width(curve.label, kFont), 0.6 * room_across) + kSample + 28;
    widest = std::max(widest, needed);
    if (x > 0 && x + needed > room_across - 80) x = 0, row += 1;
    legend_.push_back({x, row * kLegendRow});
    x += needed;
  }
  if (!alone || (widest > 0.2 * width_ && row < 3)) {
    legend_rows_ = row + 1;
    return;
  }
  legend_right_ = std::min(widest + 16, 0.36 * width_);
  const auto room = static_cast<std::size_t>(std::max(1.0, (height_ - 110) / kLegendRow));
  if (legend_.size() > room) legend_.resize(room - 1);
  for (std::size_t k = 0; k < legend_.size(); ++k)
    legend_[k] = {0, kLegendRow * static_cast<double>(k)};
}

void Picture::lay_out() {
  lay_out_title();
  lay_out_legend();
  frame_.top = 26 + title_bottom_ + legend_rows_ * kLegendRow;
  frame_.bottom = height_ - (plot_.x_label.empty() ? 38 : 58);
  frame_.right = panel_.left + width_ - std::max(legend_right_, 26.0);
  y_ = make_axis(y_range_.low, y_range_.high, plot_.log_y,
                 std::max(2, static_cast<int>((frame_.bottom - frame_.top) / 42)), true);
  if (!y_.note.base.empty()) frame_.top += 8;
  double widest = 0.0;
  for (const auto& tick : y_.ticks) widest = std::max(widest, estimate_width(tick.label));
  frame_.left =
      panel_.left + widest + (plot_.y_label.empty() && plot_.curves.size() != 1 ? 22 : 50);
  x_ = make_axis(x_range_.low, x_range_.high, plot_.log_x,
                 std::max(2, static_cast<int>((frame_.right - frame_.left) / 80)), plot_.log_x);
}

void Picture::draw_axes() {
  std::vector<Line> grid, marks;
  const auto label = [&](Point at, TextAnchor anchor, const AxisText& text) {
    canvas_.draw_words({.at = at, .anchor = anchor, .text = text, .colour = kSoftText});
  };
  for (const auto& tick : x_.ticks) {
    const double x = to_x(tick.value);
    const bool major = !tick.label.base.empty();
    if (major) grid.push_back({{x, frame_.top}, {x, frame_.bottom}});
    marks.push_back({{x, frame_.bottom}, {x, frame_.bottom + (major ? 6 : 3.5)}});
    if (major) label({x, frame_.bottom + 21}, TextAnchor::middle, tick.label);
  }
  for (const auto& tick : y_.ticks) {
    const double y = to_y(tick.value);
    const bool major = !tick.label.base.empty();
    if (major) grid.push_back({{frame_.left, y}, {frame_.right, y}});
    marks.push_back({{frame_.left, y}, {frame_.left - (major ? 6 : 3.5), y}});
    if (major) label({frame_.left - 10, y + 4.5}, TextAnchor::end, tick.label);
  }
  canvas_.draw_lines(grid, {.colour = "#E4E6EA"});
  marks.push_back(
      {{frame_.left, frame_.top}, {frame_.left, frame_.bottom}, {frame_.right, frame_.bottom}});
  canvas_.draw_lines(marks, {.colour = "#666666"});
  if (!y_.note.base.empty()) label({frame_.left, frame_.top - 9}, TextAnchor::start, y_.note);
  if (!x_.note.base.empty()) label({frame_.right, frame_.bottom + 42}, TextAnchor::end, x_.note);
}

void Picture::draw_labels() {
  const double middle_x = (frame_.left + frame_.right) / 2;
  const double middle_y = (frame_.top + frame_.bottom) / 2;
  for (std::size_t k = 0; panel_.is_first && k < title_.size(); ++k) {
    canvas_.draw_words({.at = {frame_.left, 26 + kTitleRow * static_cast<double>(k)},
                        .text = {title_[k], "", ""},
                        .colour = kText,
                        .size = kTitleFont,
                        .bold = true});
  }
  if (!plot_.x_label.empty()) {
    say({middle_x, height_ - 14}, TextAnchor::middle,
        shorten(plot_.x_label, frame_.right - frame_.left));
  }
  const bool single = plot_.y_label.empty() && plot_.curves.size() == 1;
  const std::string& y_label = single ? plot_.curves.front().label : plot_.y_label;
  if (!y_label.empty()) {
    canvas_.draw_words({.at = {panel_.left + 20, middle_y},
                        .anchor = TextAnchor::middle,
                        .text = {shorten(y_label, frame_.bottom - frame_.top), "", ""},
                        .colour = kText,
                        .upwards = true});
  }
}

Stroke make_stroke(std::size_t index, double width) {
  return {.colour = kColours[index % kColours.size()],
          .width = width,
          .dashes = kDashes[index % kDashes.size()]};
}

void Picture::draw_curve(std::size_t index) {
  const auto& curve = plot_.curves[index];
  CurveThinning thinning;
  for (std::size_t k = 0; k < count_points(curve); ++k) {
    const bool on_axis = can_draw(curve.x[k], plot_.log_x);
    if (on_axis && can_draw(curve.y[k], plot_.log_y)) {
      thinning.add({to_x(curve.x[k]), to_y(curve.y[k])});
    } else if (on_axis && is_below(curve.y[k])) {
      thinning.add({to_x(curve.x[k]), frame_.bottom});
    } else {
      thinning.end_piece();
    }
  }
  thinning.end_piece();
  if (thinning.pieces().empty()) return;
  const char* colour = kColours[index % kColours.size()];
  // A curve that goes up and down in every column is a band; dashes would make it a scatter of
  // dots.
  if (thinning.length() > 8 * (frame_.right - frame_.left))
    canvas_.draw_lines(thinning.pieces(), {.colour = colour, .opacity = 0.6});
  canvas_.draw_lines(thinning.pieces(), make_stroke(index, 1.7));
  if (plot_.markers) {
    draw_markers(index);
  } else if (!thinning.dots().empty()) {
    canvas_.draw_dots(thinning.dots(), colour);
  }
}

void Picture::draw_markers(std::size_t index) {
  const Curve& curve = plot_.curves[index];
  const char* colour = kColours[index % kColours.size()];
  std::vector<Line> filled, hollow;
  for (std::size_t k = 0; k < count_points(curve); ++k) {
    if (!can_draw(curve.x[k], plot_.log_x) || !can_draw(curve.y[k], plot_.log_y)) continue;
    const bool is_hollow = k < curve.hollow.size() && curve.hollow[k];
    (is_hollow ? hollow : filled)
        .push_back(make_marker(index, {to_x(curve.x[k]), to_y(curve.y[k])}));
  }
  if (!filled.empty()) canvas_.draw_shapes(filled, colour, {.colour = colour, .width = 1.3});
  if (!hollow.empty()) canvas_.draw_shapes(hollow, "#FFFFFF", {.colour = colour, .width = 1.3});
}

void Picture::draw_legend() {
  if (!has_legend() || !panel_.is_first) return;
  const double whole_width = find_whole_width();
  const bool right = legend_right_ > 0;
  const double left = right ? frame_.right + 16 : frame_.left;
  const double top = right ? frame_.top + 8 : title_.empty() ? 22 : title_bottom_ + 24;
  for (std::size_t k = 0; k < legend_.size(); ++k) {
    const double x = left + legend_[k].x, y = top + legend_[k].y;
    canvas_.draw_lines({{{x, y}, {x + kSample, y}}}, make_stroke(k, 2.0));
    if (plot_.markers) {
      const char* colour = kColours[k % kColours.size()];
      canvas_.draw_shapes({make_marker(k, {x + kSample / 2, y})}, colour, {.colour = colour});
    }
    say({x + kSample + 6, y + 4.5}, TextAnchor::start,
        shorten(plot_.curves[k].label, whole_width - x - kSample - 12));
  }
  if (legend_.size() < plot_.curves.size()) {
    const double y = top + kLegendRow * static_cast<double>(legend_.size());
    say({left + kSample + 6, y + 4.5}, TextAnchor::start,
        "and " + std::to_string(plot_.curves.size() - legend_.size()) + " more", kSoftText);
  }
}

void Picture::draw() {
  find_ranges();
  if (y_range_.empty()) {
    const double middle = panel_.left + width_ / 2;
    if (!plot_.title.empty())
      say({middle, 26}, TextAnchor::middle, shorten(plot_.title, width_ - 20));
    say({middle, height_ / 2}, TextAnchor::middle,
        left_out_ > 0 || !x_range_.empty() ? "No point can be drawn: none is finite and on the axes"
                                           : "There are no data to draw");
    return;
  }
  lay_out();
  draw_axes();
  draw_labels();
  for (std::size_t k = 0; k < plot_.curves.size(); ++k) draw_curve(k);
  draw_legend();
}

std::unique_ptr<Canvas> make_canvas(double width, double height, const std::string& title,
                                    PictureFormat format) {
  constexpr double kPngScale = 2.0;  // sharp on paper: 860 pixels become 1720
  return format == PictureFormat::png ? make_png_canvas(width, height, kPngScale)
                                      : make_svg_canvas(width, height, title);
}

}  // namespace

std::string draw_plot(const Plot& plot, PictureFormat format, std::size_t* left_out) {
  const auto canvas = make_canvas(find_width(plot), find_height(plot), plot.title, format);
  Picture picture(plot, *canvas, {});
  picture.draw();
  if (left_out != nullptr) *left_out = picture.left_out();
  return canvas->finish();
}

std::string draw_panels(const std::vector<Plot>& panels, PictureFormat format,
                        std::size_t* left_out) {
  double width = 0.0, height = 0.0;
  for (const Plot& plot : panels) {
    width += find_width(plot);
    height = std::max(height, find_height(plot));
  }
  const auto canvas =
      make_canvas(width, height, panels.empty() ? "" : panels.front().title, format);
  if (left_out != nullptr) *left_out = 0;
  Panel panel{.whole_width = width};
  for (const Plot& plot : panels) {
    Picture picture(plot, *canvas, panel);
    picture.draw();
    if (left_out != nullptr) *left_out += picture.left_out();
    panel.left += find_width(plot);
    panel.is_first = false;
  }
  return canvas->finish();
}

}  // namespace driftless
