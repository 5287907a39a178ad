#include "driftless/io/scene_figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/io/scene_bodies.hpp"
#include "driftless/io/scene_camera.hpp"
#include "driftless/io/scene_stops.hpp"

namespace driftless {
namespace {

using Kind = Figure::Kind;

class FigureMaker {
 public:
  FigureMaker(const Scene& scene, double size)
      : scene_(scene), size_(size), thickness_(find_thickness(scene, size)) {}

  std::vector<Figure> run() {
    for (const SceneElement& element : scene_.elements) add_behind(element);
    for (Figure& stop : list_stops(scene_, thickness_)) figures_.push_back(std::move(stop));
    for (int k = 0; k < static_cast<int>(scene_.bodies.size()); ++k)
      add_body_figures(scene_, k, size_, thickness_, figures_);
    for (const SceneElement& element : scene_.elements) add_before(element);
    std::stable_partition(figures_.begin(), figures_.end(),
                          [](const Figure& figure) { return figure.kind == Kind::foot; });
    return std::move(figures_);
  }

 private:
  Figure& add(Kind kind, const char* style, std::vector<Anchor> points, double width = 0.0) {
    return add_figure(figures_, kind, style, std::move(points), width);
  }

  static bool slides(const SceneElement& element) {
    return element.type == "prismatic" || element.type == "point_on_line" ||
           element.type == "slot" || element.type == "cylindrical";
  }

  /// Along which a joint slides, in the axes of a frame.
  Vector3 find_guide(const SceneElement& element, const SceneFrame& frame) const {
    return scene_.plane || element.type == "slot" ? frame.axes.x : frame.axes.z;
  }

  void add_behind(const SceneElement& element) {
    if (element.frames.size() != 2) return;
    const SceneFrame& first = element.frames[0];
    const SceneFrame& last = element.frames[1];
    const std::vector<Anchor> ends{{first.body, first.origin}, {last.body, last.origin}};
    if (slides(element)) {
      if (first.body >= 0) return;
      const Vector3 along = 3 * size_ * find_guide(element, first);
      add(Kind::lines, "guide", {{-1, first.origin - along}, {-1, first.origin + along}}).fitted =
          false;
    } else if (element.type == "distance" && element.kind == "constraint") {
      add(Kind::lines, "link", ends, 0.8 * thickness_);
    } else if (element.type == "attraction") {
      add(Kind::lines, "pull", ends);
    }
  }

  void add_belt(const SceneElement& element) {
    const SceneWheel& first = element.pulleys[0];
    const SceneWheel& last = element.pulleys[1];
    Figure& figure = add(Kind::belt, "belt",
                         {{first.frame.body, first.frame.origin},
                          {last.frame.body, last.frame.origin},
                          {first.frame.body, first.frame.axes.z}},
                         2 * first.radius);
    figure.end_width = 2 * last.radius;
    figure.crossed = element.crossed;
  }

  void add_before(const SceneElement& element) {
    if (element.pulleys.size() == 2) add_belt(element);
    if (element.frames.empty()) return;
    const SceneFrame& first = element.frames.front();
    const SceneFrame& last = element.frames.back();
    if ((element.type == "spring_damper" || element.type == "maxwell") &&
        element.frames.size() == 2) {
      add(Kind::spring, "spring", {{first.body, first.origin}, {last.body, last.origin}},
          3.4 * thickness_);
      add_end(first);
      add_end(last);
    } else if (element.frames.size() == 2 &&
               (element.type == "bushing" ||
                (element.type == "distance" && element.kind == "constraint"))) {
      add_end(first);
      add_end(last);
    } else if ((element.kind == "joint" && element.type != "free") ||
               element.type == "point_on_line") {
      add_joint(element, first, last);
    }
  }

  void add_end(const SceneFrame& frame) {
    if (frame.body < 0) add_foot(frame.origin);
    add(Kind::dot, "pin", {{frame.body, frame.origin}}, 1.6 * thickness_).depth_bias = 2e-3 * size_;
  }

  void add_joint(const SceneElement& element, const SceneFrame& first, const SceneFrame& last) {
    const bool held = !slides(element) && element.type != "planar";
    if (held && first.body < 0) add_foot(first.origin + find_pole(first, last));
    const bool block = element.type == "prismatic" || element.type == "point_on_line";
    if (block && scene_.plane) {
      add(Kind::block, "block", {{last.body, last.origin}, {first.body, first.axes.x}},
          3.8 * thickness_);
    }
    if (element.type == "fixed" || element.type == "prismatic") return;
    add(Kind::dot, "joint", {{last.body, last.origin}}, (scene_.plane ? 2.5 : 2) * thickness_)
        .depth_bias = 3 * thickness_;
  }

  /// A wheel that lies on its axle would hide a foot below it: the foot stands lower, on a pole.
  Vector3 find_pole(const SceneFrame& first, const SceneFrame& last) {
    if (scene_.plane || last.body < 0) return {};
    const SceneShape& shape = scene_.bodies[static_cast<std::size_t>(last.body)].shape;
    const Vector3 up = find_view(scene_, "front").up;
    constexpr double kAlong = 0.7;
    if (shape.kind != "disc" || norm(last.origin - shape.from) > shape.radius ||
        std::abs(dot(first.axes.z, up)) < kAlong ||
        std::abs(dot(last.axes.z, shape.axis)) < kAlong * norm(shape.axis))
      return {};
    const Vector3 pole = -(shape.thickness / 2 + 0.6 * shape.radius) * up;
    add(Kind::lines, "pole", {{-1, first.origin}, {-1, first.origin + pole}}, thickness_);
    return pole;
  }

  void add_foot(const Vector3& at) {
    const bool known = std::any_of(feet_.begin(), feet_.end(), [&](const Vector3& other) {
      return norm(other - at) < 0.1 * thickness_;
    });
    if (known) return;
    feet_.push_back(at);
    add(Kind::foot, "foot", {{-1, at}}, 6.4 * thickness_);
  }

  const Scene& scene_;
  double size_;
  double thickness_;
  std::vector<Figure> figures_;
  std::vector<Vector3> feet_;
};

}  // namespace

Figure& add_figure(std::vector<Figure>& figures, Figure::Kind kind, const char* style,
                   std::vector<Anchor> points, double width, int colour) {
  Figure figure;
  figure.kind = kind;
  figure.style = style;
  figure.points = std::move(points);
  figure.width = width;
  figure.colour = colour;
  figures.push_back(std::move(figure));
  return figures.back();
}

std::vector<Figure> list_figures(const Scene& scene, double size) {
  return FigureMaker(scene, size).run();
}

Anchor find_anchor(const Scene& scene, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const SceneBody& body = scene.bodies[k];
    const int index = static_cast<int>(k);
    if (body.name == name) return {index, {}};
    known.push_back(body.name);
    for (const SceneMark& mark : body.marks) {
      known.push_back(body.name + "." + mark.name);
      if (known.back() == name) return {index, mark.at};
    }
  }
  for (const SceneElement& element : scene.elements) {
    for (auto frame = element.frames.rbegin(); frame != element.frames.rend(); ++frame) {
      if (frame->body < 0) continue;
      known.push_back(element.name);
      if (element.name == name) return {frame->body, frame->origin};
      break;
    }
  }
  throw ModelError("nothing that moves is called '" + name + "'", suggest(name, known));
}

}  // namespace driftless
