// Each figure is a path whose attribute d goes through its texts at equal times (SMIL). Bodies that share a joint share
// its point in every pose, so that nothing comes apart between poses. A second, still copy of the drawing is shown
// instead if the reader prefers reduced motion: SMIL itself cannot be switched off by a style sheet.

#include "driftless/io/animated_svg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/io/pose_track.hpp"
#include "driftless/io/scene_paint.hpp"
#include "driftless/io/scene_trace.hpp"
#include "driftless/io/svg_text.hpp"

namespace driftless {
namespace {

constexpr double kPosesPerSecond = 25.0;
constexpr int kMinPoses = 8, kMaxPoses = 600;
constexpr double kLongest = 10.0, kShortest = 4.0;  // seconds to watch, if nothing is asked for
constexpr double kSeam = 60.0;                      // tenths of a pixel that no eye sees jump
constexpr double kFade = 0.35;                      // seconds in which an open loop comes and goes
constexpr double kFromAbove = 5.0;  // how much height counts as depth, see sort_by_depth
constexpr int kTitleFont = 170;     // as the style sheet has it
constexpr int kTrailPoints = 240;
constexpr double kTail = 140.0;  // length of a trail's bright piece; 1000 is the whole way

/// 1, 2 or 5 times a power of ten.
double round_nicely(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  const double lead = value / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value, double reach = 0.0) {
    low = std::min(low, value - reach);
    high = std::max(high, value + reach);
  }
};

using Poses = std::vector<BodyPose>;

class Animator {
 public:
  Animator(const Scene& scene, const Result& result, const AnimationOptions& options)
      : scene_(scene),
        options_(options),
        track_(scene, result),
        view_(find_view(scene, options.view)) {
    choose_window();
    for (const std::string& name : options.trails) trails_.push_back(find_anchor(scene, name));
    int poses =
        std::clamp(static_cast<int>(std::lround(out_.seconds / out_.speed * kPosesPerSecond)),
                   kMinPoses, kMaxPoses);
    sample(poses);
    figures_ = list_figures(scene, find_size());
    sort_by_depth();
    const Camera camera = make_camera();
    for (;;) {
      out_.closed = find_closed(camera);
      write(camera);
      if (out_.svg.size() <= options.max_bytes || poses <= kMinPoses) break;
      poses = std::max(kMinPoses,
                       static_cast<int>(0.97 * poses * static_cast<double>(options.max_bytes) /
                                        static_cast<double>(out_.svg.size())));
      sample(poses);
    }
  }

  Animation take() { return std::move(out_); }

 private:
  void choose_window() {
    const double begin = track_.begin(), end = track_.end();
    if (!(options_.from >= begin && options_.from < end)) {
      throw ModelError(
          fmt::format("--from {:g}: the run goes from {:g} to {:g} s", options_.from, begin, end),
          "choose a time in between");
    }
    out_.from = options_.from;
    out_.seconds =
        options_.seconds > 0 ? options_.seconds : std::min(end - options_.from, kLongest);
    if (out_.from + out_.seconds > end * (1 + 1e-12)) {
      throw ModelError(fmt::format("--seconds {:g}: from {:g} s on, the run has {:g} s",
                                   out_.seconds, out_.from, end - out_.from),
                       "choose fewer seconds, or run it longer");
    }
    out_.speed = options_.speed;
    if (!(out_.speed > 0))
      out_.speed = out_.seconds < kShortest / 4 ? round_nicely(out_.seconds / kShortest) : 1.0;
  }

  void sample(int poses) {
    out_.poses = poses;
    samples_.clear();
    for (int k = 0; k <= poses; ++k)
      samples_.push_back(track_.at(out_.from + out_.seconds * k / poses));
  }

  template <class Use>
  void for_each_place(const Figure& figure, Use use) const {
    const std::size_t points = count_places(figure);
    const std::size_t stride = std::max<std::size_t>(1, samples_.size() / 150);
    for (std::size_t k = 0; k < samples_.size(); k += stride) {
      for (std::size_t i = 0; i < points; ++i) use(find_place(figure.points[i], samples_[k]));
    }
  }

  /// Diagonal of all that is drawn, from a first list that needs no size.
  double find_size() const {
    Extent x, y, z;
    for (const Figure& figure : list_figures(scene_, 0.0)) {
      for_each_place(figure, [&](const Vector3& at) {
        x.add(at.x);
        y.add(at.y);
        z.add(at.z);
      });
    }
    const double size = std::hypot(x.high - x.low, y.high - y.low, z.high - z.low);
    return std::isfinite(size) && size > 0 ? size : 1.0;
  }

  /// In space what is farther away comes first and, seen from above, what is below before what stands on it: bodies are
  /// too large for the depth of one point to tell. In the plane the file's order stays.
  void sort_by_depth() {
    if (scene_.plane) return;
    const Vector3 up = find_view(scene_, "front").up;
    const Vector3 nearer = view_.toward + kFromAbove * dot(view_.toward, up) * up;
    std::vector<std::pair<double, Figure>> items;
    for (Figure& figure : figures_) {
      double sum = 0.0;
      std::size_t count = 0;
      Figure probe;  // all of a body stays together
      probe.points = {figure.points[0]};
      if (figure.colour >= 0) probe.points = {{figure.colour, {}}};
      for_each_place(probe, [&](const Vector3& at) {
        sum += dot(nearer, at);
        ++count;
      });
      const bool behind =
          figure.style == "guide" || figure.style == "foot" || figure.style == "pole";
      const double depth = behind ? -std::numeric_limits<double>::max()
                                  : sum / static_cast<double>(count) + figure.depth_bias;
      items.emplace_back(depth, std::move(figure));
    }
    std::stable_sort(items.begin(), items.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    figures_.clear();
    for (auto& item : items) figures_.push_back(std::move(item.second));
  }

  Camera make_camera() const {
    Extent x, y;
    for (const Figure& figure : figures_) {
      if (!figure.fitted) continue;
      const double reach = std::max(figure.width, figure.end_width) / 2;
      for_each_place(figure, [&](const Vector3& at) {
        x.add(dot(view_.right, at), reach);
        y.add(dot(view_.up, at), reach);
        if (figure.kind == Figure::Kind::foot) y.add(dot(view_.up, at) - 0.9 * figure.width);
      });
    }
    return Camera(view_, {x.low, y.low}, {x.high, y.high}, options_.width);
  }

  bool find_closed(const Camera& camera) {
    for (const Figure& figure : figures_) {
      for (std::size_t i = 0; i < count_places(figure); ++i) {
        const Anchor& anchor = figure.points[i];
        if (anchor.body < 0) continue;
        const Point2 a = camera.project(find_place(anchor, samples_.front()));
        const Point2 b = camera.project(find_place(anchor, samples_.back()));
        if (std::hypot(a.x - b.x, a.y - b.y) > kSeam) return false;
      }
    }
    samples_.back() = samples_.front();
    return true;
  }

  // ---- text --------------------------------------------------------------------------------------------

  std::string make_timing() const {
    return fmt::format("dur=\"{:.6g}s\" repeatCount=\"indefinite\"", out_.seconds / out_.speed);
  }

  void write(const Camera& camera) {
    std::string& svg = out_.svg;
    svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{}\" "
        "height=\"{:.0f}\" role=\"img\">\n<title>{}</title>\n",
        camera.width(), camera.height(), options_.width, camera.height() / 10,
        escape_xml(options_.title.empty() ? "moving mechanism" : options_.title));
    svg += svg_style_sheet();
    svg += fmt::format("<rect class=\"paper\" width=\"{:.0f}\" height=\"{:.0f}\" rx=\"100\"/>\n",
                       camera.width(), camera.height());
    const double step = append_grid(camera);
    svg += "<g class=\"moving\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n";
    if (!out_.closed) {
      const double share = std::min(0.2, kFade * out_.speed / out_.seconds);
      svg += fmt::format(
          "<animate attributeName=\"opacity\" values=\"0;1;1;0\" keyTimes=\"0;{:.4f};{:.4f};1\" "
          "{}/>\n",
          share, 1 - share, make_timing());
    }
    append_trails(camera, true);
    for (std::size_t k = 0; k < figures_.size(); ++k) append_figure(figures_[k], camera, k, true);
    svg +=
        "</g>\n<g class=\"still\" display=\"none\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"round\">\n";
    append_trails(camera, false);
    for (std::size_t k = 0; k < figures_.size(); ++k) append_figure(figures_[k], camera, k, false);
    svg += "</g>\n";
    append_words(camera, step);
    svg += "</svg>\n";
  }

  void append_figure(const Figure& figure, const Camera& camera, std::size_t index, bool moving) {
    std::vector<std::string> values;
    for (const Poses& poses : samples_) {
      values.push_back(trace_figure(figure, poses, camera));
      if (!moving) break;
    }
    const std::string id = fmt::format("{}{}", moving ? 'm' : 's', index);
    append_painted(out_.svg, figure, camera.scale(), values, id, make_timing());
  }

  /// The whole way, faint, and a bright piece of it that follows the point.
  void append_trails(const Camera& camera, bool moving) {
    const int parts = std::max(1, kTrailPoints / out_.poses);
    for (const Anchor& anchor : trails_) {
      std::string d;
      std::vector<double> lengths;  // of the way to each pose
      double length = 0.0;
      Point2 before;
      for (int k = 0; k <= parts * out_.poses; ++k) {
        const double t = out_.from + out_.seconds * k / (parts * out_.poses);
        const Point2 at = camera.project(find_place(anchor, track_.at(t)));
        d += fmt::format("{}{:.0f} {:.0f}", k == 0 ? "M" : k == 1 ? "L" : " ", at.x, at.y);
        if (k > 0) length += std::hypot(at.x - before.x, at.y - before.y);
        if (k % parts == 0) lengths.push_back(length);
        before = at;
      }
      out_.svg +=
          fmt::format("<path class=\"trail\" fill=\"none\" stroke-width=\"22\" d=\"{}\"/>\n", d);
      if (!moving || length <= 0) continue;
      std::vector<std::string> offsets;
      for (const double way : lengths)
        offsets.push_back(fmt::format("{:.1f}", kTail - 1000 * way / length));
      out_.svg += fmt::format(
          "<path class=\"comet\" fill=\"none\" stroke-width=\"30\" stroke-linecap=\"butt\" "
          "pathLength=\"1000\" stroke-dasharray=\"{} {}\" d=\"{}\">{}</path>\n",
          kTail, out_.closed ? 1000 - kTail : 3000, d,
          make_animate("animate", "stroke-dashoffset", offsets, make_timing()));
    }
  }

  /// Squares behind a planar mechanism, a floor under a spatial one. Returns the distance of its lines.
  double append_grid(const Camera& camera) {
    const double wide = camera.high().x - camera.low().x, tall = camera.high().y - camera.low().y;
    const double step = round_nicely(std::max(wide, tall) / 9);
    std::string d;
    const auto line = [&](const Point2& a, const Point2& b) {
      d += fmt::format("M{:.0f} {:.0f}L{:.0f} {:.0f}", a.x, a.y, b.x, b.y);
    };
    if (scene_.plane) {
      for (double x = std::ceil(camera.low().x / step) * step; x < camera.high().x; x += step)
        line(camera.project({x, camera.low().y, 0}), camera.project({x, camera.high().y, 0}));
      for (double y = std::ceil(camera.low().y / step) * step; y < camera.high().y; y += step)
        line(camera.project({camera.low().x, y, 0}), camera.project({camera.high().x, y, 0}));
    } else {
      append_floor(camera, step, line);
    }
    out_.svg += "<path class=\"grid\" stroke-width=\"10\" fill=\"none\" d=\"" + d + "\"/>\n";
    return step;
  }

  template <class Line>
  void append_floor(const Camera& camera, double step, const Line& line) const {
    const View front = find_view(scene_, "front");
    Extent u, v, w;
    for (const Figure& figure : figures_) {
      if (!figure.fitted) continue;
      for_each_place(figure, [&](const Vector3& at) {
        u.add(dot(front.right, at));
        v.add(dot(front.toward, at));
        w.add(dot(front.up, at), std::max(figure.width, figure.end_width) / 2);
      });
    }
    const auto at = [&](double a, double b) {
      return camera.project(a * front.right + b * front.toward + w.low * front.up);
    };
    const double a0 = std::floor(u.low / step - 0.5) * step,
                 a1 = std::ceil(u.high / step + 0.5) * step;
    const double b0 = std::floor(v.low / step - 0.5) * step,
                 b1 = std::ceil(v.high / step + 0.5) * step;
    for (double a = a0; a <= a1 + step / 2; a += step) line(at(a, b0), at(a, b1));
    for (double b = b0; b <= b1 + step / 2; b += step) line(at(a0, b), at(a1, b));
  }

  void append_words(const Camera& camera, double step) {
    std::string words = fmt::format("grid {:g} m", step);
    if (out_.speed < 0.999) words += fmt::format(", slowed down {:.3g} times", 1 / out_.speed);
    if (out_.speed > 1.001) words += fmt::format(", {:.3g} times as fast", out_.speed);
    out_.svg += fmt::format(
        "<text class=\"text\" text-anchor=\"end\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n",
        camera.width() - 110, camera.height() - 90, words);
    if (!options_.title.empty()) {
      out_.svg += fmt::format(
          "<text class=\"title\" x=\"130\" y=\"260\">{}</text>\n",
          escape_xml(shorten(options_.title, (camera.width() - 260) / kBold, kTitleFont)));
    }
  }

  const Scene& scene_;
  const AnimationOptions& options_;
  PoseTrack track_;
  View view_;
  Animation out_;
  std::vector<Poses> samples_;
  std::vector<Anchor> trails_;
  std::vector<Figure> figures_;
};

}  // namespace

ResultPart choose_poses(const Scene& scene, const std::vector<Column>& columns,
                        const AnimationOptions& options) {
  constexpr std::size_t kMostNumbers = 16'000'000;
  std::map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < columns.size(); ++k) places.emplace(columns[k].name, k);
  ResultPart part;
  if (!columns.empty()) part.columns.push_back(0);
  for (const SceneBody& body : scene.bodies) {
    for (const std::string& name : list_pose_columns(body, scene.plane)) {
      if (const auto place = places.find(name); place != places.end())
        part.columns.push_back(place->second);
    }
  }
  part.from = options.from;
  part.to = options.from + (options.seconds > 0 ? options.seconds : kLongest);
  part.max_rows =
      std::max<std::size_t>(kMostNumbers / std::max<std::size_t>(part.columns.size(), 1), 1000);
  return part;
}

Animation make_animated_svg(const Scene& scene, const Result& result,
                            const AnimationOptions& options) {
  return Animator(scene, result, options).take();
}

}  // namespace driftless
