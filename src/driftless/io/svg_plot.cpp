#include "driftless/io/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "driftless/io/svg_axis.hpp"
#include "driftless/io/svg_text.hpp"

namespace driftless {
namespace {

// Okabe and Ito's colours, which also colour-blind readers tell apart (yellow is left out: too pale
// on white). The dash pattern is the second cue; 7 colours and 5 patterns have no common factor, so
// 35 curves differ.
constexpr std::array kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                              "#E69F00", "#56B4E9", "#333333"};
constexpr std::array kDashes{"", "9 4", "2.5 3", "10 3.5 2.5 3.5", "16 5"};
constexpr const char* kText = "#222222";
constexpr const char* kSoftText = "#444444";
constexpr int kTitleFont = 16;
constexpr double kLegendRow = 22, kSample = 30;

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

struct Point {
  double x, y;
};

// One unbroken piece of a curve. Of neighbouring points in one column of pixels only the first, the
// lowest, the highest and the last matter to the picture (Jugel et al. 2014, "M4"): a million
// points become at most four per column, with their envelope.
class PathWriter {
 public:
  void add(Point p) {
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

  void end_piece() {
    flush();
    if (written_ == 1) {  // a lone point would not be seen as a line
      dots_ += "<circle cx=\"" + px(previous_.x) + "\" cy=\"" + px(previous_.y) + "\" r=\"2.5\"/>";
    }
    written_ = 0;
  }

  const std::string& path() const { return path_; }
  double length() const { return length_; }
  const std::string& dots() const { return dots_; }

 private:
  void flush() {
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

  void write(Point p) {
    path_ += written_ == 0 ? 'M' : ' ';
    if (written_ > 0) length_ += std::hypot(p.x - previous_.x, p.y - previous_.y);
    append_coordinate(path_, p.x);
    path_ += ',';
    append_coordinate(path_, p.y);
    previous_ = p;
    ++written_;
  }

  std::string path_, dots_;
  Point first_{}, low_{}, high_{}, last_{}, previous_{};
  double column_ = 0.0, length_ = 0.0;
  std::size_t held_ = 0, low_index_ = 0, high_index_ = 0, written_ = 0;
};

// ---- the picture

class Picture {
 public:
  explicit Picture(const Plot& plot) : plot_(plot) {}
  std::string make();
  std::size_t left_out() const { return left_out_; }

 private:
  void find_ranges();
  void lay_out();
  void draw_axes();
  void draw_labels();
  void draw_curve(std::size_t index);
  void draw_legend();
  void lay_out_legend();
  double to_x(double v) const {
    return frame_.left + x_.position(v) * (frame_.right - frame_.left);
  }
  double to_y(double v) const {
    return frame_.bottom - y_.position(v) * (frame_.bottom - frame_.top);
  }
  bool has_legend() const { return plot_.curves.size() > 1; }

  const Plot& plot_;
  double width_ = 0, height_ = 0;
  Range x_range_, y_range_;
  std::size_t left_out_ = 0;
  PlotAxis x_, y_;
  Frame frame_{};
  std::vector<Point> legend_;  ///< where each entry begins; fewer than curves if there is no room
  double legend_right_ = 0,
         legend_rows_ = 0;  ///< width it takes at the right, or rows it takes at the top
  std::string out_;
};

void Picture::find_ranges() {
  for (const auto& curve : plot_.curves) {
    for (std::size_t k = 0; k < count_points(curve); ++k) {
      if (can_draw(curve.x[k], plot_.log_x) && can_draw(curve.y[k], plot_.log_y)) {
        x_range_.include(curve.x[k]);
        y_range_.include(curve.y[k]);
      } else {
        ++left_out_;
      }
    }
  }
}

// Outside the axes, so it never covers a curve: at the right if it is narrow there or long, else in
// rows on top.
void Picture::lay_out_legend() {
  if (!has_legend()) return;
  double widest = 0.0, x = 0.0, row = 0.0;
  for (const auto& curve : plot_.curves) {
    const double needed = std::min(estimate_width(curve.label, kFont), 0.6 * width_) + kSample + 28;
    widest = std::max(widest, needed);
    if (x > 0 && x + needed > width_ - 80) x = 0, row += 1;
    legend_.push_back({x, row * kLegendRow});
    x += needed;
  }
  if (widest > 0.2 * width_ && row < 3) {
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
  lay_out_legend();
  frame_.top = (plot_.title.empty() ? 26 : 52) + legend_rows_ * kLegendRow;
  frame_.bottom = height_ - (plot_.x_label.empty() ? 38 : 58);
  frame_.right = width_ - std::max(legend_right_, 26.0);
  y_ = make_axis(y_range_.low, y_range_.high, plot_.log_y,
                 std::max(2, static_cast<int>((frame_.bottom - frame_.top) / 42)), true);
  if (!y_.note.base.empty()) frame_.top += 8;
  double widest = 0.0;
  for (const auto& tick : y_.ticks) widest = std::max(widest, estimate_width(tick.label));
  frame_.left = widest + (plot_.y_label.empty() && plot_.curves.size() != 1 ? 22 : 50);
  x_ = make_axis(x_range_.low, x_range_.high, plot_.log_x,
                 std::max(2, static_cast<int>((frame_.right - frame_.left) / 80)), plot_.log_x);
}

void Picture::draw_axes() {
  std::string grid, marks, labels;
  for (const auto& tick : x_.ticks) {
    const double x = to_x(tick.value);
    const bool major = !tick.label.base.empty();
    if (major) {
      grid += make_line(x, frame_.top, x, frame_.bottom);
      labels += make_text(x, frame_.bottom + 21, "middle", make_markup(tick.label));
    }
    marks += make_line(x, frame_.bottom, x, frame_.bottom + (major ? 6 : 3.5));
  }
  for (const auto& tick : y_.ticks) {
    const double y = to_y(tick.value);
    const bool major = !tick.label.base.empty();
    if (major) {
      grid += make_line(frame_.left, y, frame_.right, y);
      labels += make_text(frame_.left - 10, y + 4.5, "end", make_markup(tick.label));
    }
    marks += make_line(frame_.left, y, frame_.left - (major ? 6 : 3.5), y);
  }
  out_ += "<path d=\"" + grid + "\" stroke=\"#E4E6EA\" fill=\"none\"/>\n";
  marks += make_line(frame_.left, frame_.top, frame_.left, frame_.bottom) +
           make_line(frame_.left, frame_.bottom, frame_.right, frame_.bottom);
  out_ +=
      "<path d=\"" + marks + "\" stroke=\"#666666\" stroke-linecap=\"square\" fill=\"none\"/>\n";
  out_ += "<g fill=\"" + std::string(kSoftText) + "\">\n" + labels;
  if (!y_.note.base.empty()) {
    out_ += make_text(frame_.left, frame_.top - 9, "start", make_markup(y_.note));
  }
  if (!x_.note.base.empty()) {
    out_ += make_text(frame_.right, frame_.bottom + 42, "end", make_markup(x_.note));
  }
  out_ += "</g>\n";
}

void Picture::draw_labels() {
  const double middle_x = (frame_.left + frame_.right) / 2,
               middle_y = (frame_.top + frame_.bottom) / 2;
  if (!plot_.title.empty()) {
    out_ += make_text(frame_.left, 26, "start", escape_xml(plot_.title),
                      " font-size=\"" + std::to_string(kTitleFont) + "\" font-weight=\"600\"");
  }
  if (!plot_.x_label.empty()) {
    out_ += make_text(middle_x, height_ - 14, "middle", escape_xml(plot_.x_label));
  }
  const bool single = plot_.y_label.empty() && plot_.curves.size() == 1;
  const std::string& y_label = single ? plot_.curves.front().label : plot_.y_label;
  if (!y_label.empty()) {
    out_ += make_text(20, middle_y, "middle", escape_xml(y_label),
                      " transform=\"rotate(-90 20 " + px(middle_y) + ")\"");
  }
}

std::string make_stroke(std::size_t index) {
  std::string out = " stroke=\"" + std::string(kColours[index % kColours.size()]) + "\"";
  const std::string dash = kDashes[index % kDashes.size()];
  if (!dash.empty()) out += " stroke-dasharray=\"" + dash + "\"";
  return out;
}

void Picture::draw_curve(std::size_t index) {
  const auto& curve = plot_.curves[index];
  PathWriter path;
  for (std::size_t k = 0; k < count_points(curve); ++k) {
    if (can_draw(curve.x[k], plot_.log_x) && can_draw(curve.y[k], plot_.log_y)) {
      path.add({to_x(curve.x[k]), to_y(curve.y[k])});
    } else {
      path.end_piece();
    }
  }
  path.end_piece();
  if (path.path().empty()) return;
  // A curve that goes up and down in every column is a band; dashes would make it a scatter of
  // dots.
  if (path.length() > 8 * (frame_.right - frame_.left)) {
    out_ += "<path d=\"" + path.path() + "\" fill=\"none\" stroke=\"" +
            kColours[index % kColours.size()] + "\" stroke-opacity=\"0.6\" stroke-width=\"1\"/>\n";
  }
  out_ += "<path d=\"" + path.path() + "\" fill=\"none\"" + make_stroke(index) + "/>\n";
  if (!path.dots().empty()) {
    out_ += "<g fill=\"" + std::string(kColours[index % kColours.size()]) + "\">" + path.dots() +
            "</g>\n";
  }
}

void Picture::draw_legend() {
  if (!has_legend()) return;
  const bool right = legend_right_ > 0;
  const double left = right ? frame_.right + 16 : frame_.left;
  const double top = right ? frame_.top + 8 : plot_.title.empty() ? 22 : 50;
  for (std::size_t k = 0; k < legend_.size(); ++k) {
    const double x = left + legend_[k].x, y = top + legend_[k].y;
    out_ += "<path d=\"" + make_line(x, y, x + kSample, y) + "\" fill=\"none\" stroke-width=\"2\"" +
            make_stroke(k) + "/>\n";
    out_ += make_text(x + kSample + 6, y + 4.5, "start",
                      escape_xml(shorten(plot_.curves[k].label, width_ - x - kSample - 12)));
  }
  if (legend_.size() < plot_.curves.size()) {
    const double y = top + kLegendRow * static_cast<double>(legend_.size());
    out_ += make_text(left + kSample + 6, y + 4.5, "start",
                      "and " + std::to_string(plot_.curves.size() - legend_.size()) + " more",
                      " fill=\"" + std::string(kSoftText) + "\"");
  }
}

std::string Picture::make() {
  width_ = std::clamp(plot_.width, 160, 20000);
  height_ = std::clamp(plot_.height, 120, 20000);
  find_ranges();
  const std::string size = "width=\"" + px(width_) + "\" height=\"" + px(height_) + "\"";
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " + px(width_) +
         " " + px(height_) + "\" role=\"img\" font-family=\"sans-serif\" font-size=\"" +
         std::to_string(kFont) + "\" fill=\"" + kText + "\">\n";
  if (!plot_.title.empty()) out_ += "<title>" + escape_xml(plot_.title) + "</title>\n";
  out_ += "<rect " + size + " fill=\"#FFFFFF\"/>\n";
  if (x_range_.empty()) {
    if (!plot_.title.empty()) {
      out_ += make_text(width_ / 2, 26, "middle", escape_xml(plot_.title), " font-weight=\"600\"");
    }
    const char* why = left_out_ > 0 ? "No point can be drawn: none is finite and on the axes"
                                    : "There are no data to draw";
    out_ += make_text(width_ / 2, height_ / 2, "middle", why);
    return out_ + "</svg>\n";
  }
  lay_out();
  draw_axes();
  draw_labels();
  out_ += "<g stroke-width=\"1.7\" stroke-linejoin=\"round\">\n";
  for (std::size_t k = 0; k < plot_.curves.size(); ++k) draw_curve(k);
  out_ += "</g>\n";
  draw_legend();
  return out_ + "</svg>\n";
}

}  // namespace

std::string make_svg(const Plot& plot, std::size_t* left_out) {
  Picture picture(plot);
  std::string out = picture.make();
  if (left_out != nullptr) *left_out = picture.left_out();
  return out;
}

}  // namespace driftless
