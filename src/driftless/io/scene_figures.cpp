#include "driftless/io/scene_figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/io/scene_camera.hpp"
#include "driftless/io/scene_stops.hpp"

namespace driftless {
namespace {

using Kind = Figure::Kind;

constexpr double kThin = 0.008;  // of the whole scene: a tube of this radius is seen as a line

bool is_long(const SceneShape& shape) {
  return shape.kind == "rod" || shape.kind == "cylinder" || shape.kind == "cone";
}

/// Everything that is fixed on a body and has a place: ends of its shape, joints, marks.
std::vector<Vector3> list_points(const Scene& scene, int body) {
  const SceneBody& own = scene.bodies[static_cast<std::size_t>(body)];
  std::vector<Vector3> points;
  for (const SceneMark& mark : own.marks)
    if (mark.is_frame) points.push_back(mark.at);
  if (is_long(own.shape)) points.insert(points.end(), {own.shape.from, own.shape.to});
  for (const SceneElement& element : scene.elements) {
    if (element.kind == "measure") continue;
    for (const SceneFrame& frame : element.frames)
      if (frame.body == body) points.push_back(frame.origin);
  }
  return points;
}

Vector3 find_across(const Vector3& axis) {
  const Vector3 other = std::abs(axis.x) < 0.9 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  const Vector3 across = other - dot(other, axis) * axis;
  return (1.0 / norm(across)) * across;
}

/// Where on a shape's middle an arm to a point begins; the point itself if it is on the shape.
Vector3 find_root(const SceneShape& shape, const Vector3& at) {
  if (shape.kind == "box") {
    const Vector3 half = 0.5 * shape.size;
    const Vector3 near{std::clamp(at.x, -half.x, half.x), std::clamp(at.y, -half.y, half.y),
                       std::clamp(at.z, -half.z, half.z)};
    return norm(near - at) > 0.0 ? Vector3{} : at;
  }
  Vector3 from = shape.from, to = shape.to;
  if (shape.kind == "sphere") to = from;
  if (shape.kind == "disc") {
    const Vector3 half = 0.5 * shape.thickness * (1.0 / norm(shape.axis)) * shape.axis;
    from = shape.from - half;
    to = shape.from + half;
  }
  const Vector3 axis = to - from;
  const double square = dot(axis, axis);
  const double share = square > 0.0 ? std::clamp(dot(at - from, axis) / square, 0.0, 1.0) : 0.0;
  const Vector3 root = from + share * axis;
  return norm(at - root) > shape.radius ? root : at;
}

class FigureMaker {
 public:
  FigureMaker(const Scene& scene, double size)
      : scene_(scene), size_(size), thickness_(find_thickness(scene, size)) {}

  std::vector<Figure> run() {
    for (const SceneElement& element : scene_.elements) add_behind(element);
    for (Figure& stop : list_stops(scene_, thickness_)) figures_.push_back(std::move(stop));
    for (int k = 0; k < static_cast<int>(scene_.bodies.size()); ++k) add_body(k);
    for (const SceneElement& element : scene_.elements) add_before(element);
    std::stable_partition(figures_.begin(), figures_.end(),
                          [](const Figure& figure) { return figure.kind == Kind::foot; });
    return std::move(figures_);
  }

 private:
  Figure& add(Kind kind, const char* style, std::vector<Anchor> points, double width = 0.0,
              int colour = -1) {
    Figure figure;
    figure.kind = kind;
    figure.style = style;
    figure.points = std::move(points);
    figure.width = width;
    figure.colour = colour;
    figures_.push_back(std::move(figure));
    return figures_.back();
  }

  // ---- bodies ------------------------------------------------------------------------------------------

  void add_body(int index) {
    add_arms(index);
    const SceneShape& shape = scene_.bodies[static_cast<std::size_t>(index)].shape;
    const auto anchor = [&](const Vector3& at) { return Anchor{index, at}; };
    if (shape.kind == "rod") {
      add(Kind::lines, "rod", {anchor(shape.from), anchor(shape.to)}, 2 * thickness_, index);
    } else if (shape.kind == "cylinder") {
      add_cylinder(index, shape);
    } else if (shape.kind == "cone") {
      add_tube(index, shape.from, shape.to, shape.radius, 0.0);
    } else if (shape.kind == "box") {
      add_box(index, shape.size);
    } else if (shape.kind == "sphere") {
      add(Kind::dot, "solid", {anchor(shape.from)}, 2 * shape.radius, index).bulky =
          shape.radius > 6 * thickness_;
    } else if (shape.kind == "disc") {
      add_disc(index, shape);
    } else {
      add_spokes(index);
    }
  }

  /// From a body's shape to joints and forces outside of it.
  void add_arms(int index) {
    const SceneShape& shape = scene_.bodies[static_cast<std::size_t>(index)].shape;
    if (shape.kind.empty()) return;
    std::vector<Anchor> lines;
    for (const SceneElement& element : scene_.elements) {
      if (element.kind == "measure") continue;
      for (const SceneFrame& frame : element.frames) {
        if (frame.body != index) continue;
        const Vector3 root = find_root(shape, frame.origin);
        if (norm(frame.origin - root) > 2 * thickness_)
          lines.insert(lines.end(), {{index, root}, {index, frame.origin}});
      }
    }
    if (!lines.empty()) add(Kind::lines, "rod", std::move(lines), 1.4 * thickness_, index);
  }

  /// Thin ones are lines. A stripe along the mantle shows that a shaft turns.
  void add_cylinder(int index, const SceneShape& shape) {
    if (shape.radius < kThin * size_) {
      add(Kind::lines, "rod", {{index, shape.from}, {index, shape.to}}, 2 * shape.radius, index);
      return;
    }
    add_tube(index, shape.from, shape.to, shape.radius, shape.radius);
    const Vector3 axis = shape.to - shape.from;
    const Vector3 across = find_across((1.0 / norm(axis)) * axis);
    add_stripe(index, shape.from + shape.radius * across, shape.to + shape.radius * across, across,
               0.35 * shape.radius);
  }

  void add_tube(int index, const Vector3& from, const Vector3& to, double radius,
                double end_radius) {
    for (const Kind kind : {Kind::tube, Kind::cap}) {
      Figure& figure = add(kind, kind == Kind::cap ? "cap" : "solid", {{index, from}, {index, to}},
                           2 * radius, index);
      figure.end_width = 2 * end_radius;
      figure.bulky = std::min(norm(to - from), radius) > 6 * thickness_;
    }
  }

  void add_stripe(int index, const Vector3& from, const Vector3& to, const Vector3& normal,
                  double width) {
    add(Kind::stripe, "stripe", {{index, from}, {index, to}, {index, normal}},
        std::min(width, 0.7 * thickness_), index);
  }

  /// A disc that turns looks as if at rest: a spoke shows it.
  void add_disc(int index, const SceneShape& shape) {
    const double length = norm(shape.axis);
    const Vector3 axis = length > 0 ? (1.0 / length) * shape.axis : Vector3{0, 0, 1};
    const Vector3 spoke = 0.9 * shape.radius * find_across(axis);
    if (scene_.plane) {
      add(Kind::dot, "wheel", {{index, shape.from}}, 2 * shape.radius, index);
      add(Kind::lines, "spoke", {{index, shape.from}, {index, shape.from + spoke}},
          0.7 * thickness_, index);
      return;
    }
    const Vector3 half = (shape.thickness > 0 ? shape.thickness : 1.2 * thickness_) / 2 * axis;
    const Vector3 above = shape.from + half, below = shape.from - half;
    add_tube(index, below, above, shape.radius, shape.radius);
    add_stripe(index, above, above + spoke, axis, 0.1 * shape.radius);
    add_stripe(index, below, below + spoke, -axis, 0.1 * shape.radius);
  }

  void add_box(int index, const Vector3& size) {
    const Vector3 half = 0.5 * size;
    const auto corner = [&](double x, double y, double z) {
      return Anchor{index, {x * half.x, y * half.y, z * half.z}};
    };
    if (scene_.plane || size.z == 0) {
      add(Kind::polygon, "box",
          {corner(-1, -1, 0), corner(1, -1, 0), corner(1, 1, 0), corner(-1, 1, 0)}, 0, index);
      return;
    }
    const bool bulky = std::min({size.x, size.y, size.z}) > 6 * thickness_;
    const auto face = [&](const char* style, const std::vector<Anchor>& corners) {
      add(Kind::face, style, corners, 0, index).bulky = bulky;
    };
    face("side", {corner(1, -1, -1), corner(1, 1, -1), corner(1, 1, 1), corner(1, -1, 1)});
    face("side", {corner(-1, -1, -1), corner(-1, -1, 1), corner(-1, 1, 1), corner(-1, 1, -1)});
    face("front", {corner(-1, 1, -1), corner(-1, 1, 1), corner(1, 1, 1), corner(1, 1, -1)});
    face("front", {corner(-1, -1, -1), corner(1, -1, -1), corner(1, -1, 1), corner(-1, -1, 1)});
    face("cap", {corner(-1, -1, 1), corner(1, -1, 1), corner(1, 1, 1), corner(-1, 1, 1)});
    face("cap", {corner(-1, -1, -1), corner(-1, 1, -1), corner(1, 1, -1), corner(1, -1, -1)});
  }

  /// A body without a shape: lines from its mass centre to what is on it, closed as a plate if they go round.
  void add_spokes(int index) {
    std::vector<Vector3> seen;
    for (const Vector3& point : list_points(scene_, index)) {
      const bool known = std::any_of(seen.begin(), seen.end(), [&](const Vector3& other) {
        return norm(other - point) < 1e-9;
      });
      if (norm(point) >= 1e-9 && !known) seen.push_back(point);
    }
    std::stable_sort(seen.begin(), seen.end(), [](const Vector3& a, const Vector3& b) {
      return std::atan2(a.y, a.x) < std::atan2(b.y, b.x);
    });
    const bool plate = seen.size() >= 3 && seen.size() <= 8;
    std::vector<Anchor> outline, lines;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      lines.insert(lines.end(), {{index, {}}, {index, seen[k]}});
      if (plate)
        lines.insert(lines.end(), {{index, seen[k]}, {index, seen[(k + 1) % seen.size()]}});
      outline.push_back({index, seen[k]});
    }
    if (plate) add(Kind::polygon, "plate", std::move(outline), 0, index);
    if (!lines.empty()) add(Kind::lines, "rod", std::move(lines), 1.4 * thickness_, index);
    const bool point = scene_.bodies[static_cast<std::size_t>(index)].point;
    if (seen.empty() && !point) add_axes(index);
    add(Kind::dot, "mass", {{index, {}}}, (point ? 4.5 : 2.4) * thickness_, index).depth_bias =
        1e-3 * size_;
  }

  /// A body that has neither a shape nor anything beside its mass centre: how it turns.
  void add_axes(int index) {
    const double r = 4.5 * thickness_;
    if (scene_.plane) {
      add(Kind::dot, "wheel", {{index, {}}}, 2 * r, index);
      add(Kind::lines, "spoke", {{index, {}}, {index, {0.9 * r, 0, 0}}}, 0.7 * thickness_, index);
    } else {
      add(Kind::lines, "rod",
          {{index, {-r, 0, 0}},
           {index, {r, 0, 0}},
           {index, {0, -r, 0}},
           {index, {0, r, 0}},
           {index, {0, 0, -r}},
           {index, {0, 0, r}}},
          thickness_, index);
    }
  }

  // ---- what stands between bodies ----------------------------------------------------------------------

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

double find_reach(const Scene& scene, int body) {
  const SceneShape& shape = scene.bodies[static_cast<std::size_t>(body)].shape;
  double reach = std::max(norm(shape.size) / 2, shape.radius);
  for (const Vector3& point : list_points(scene, body)) reach = std::max(reach, norm(point));
  return reach;
}

double find_thickness(const Scene& scene, double size) {
  std::vector<double> reaches;
  for (int k = 0; k < static_cast<int>(scene.bodies.size()); ++k) {
    const double reach = find_reach(scene, k);
    if (reach > 0) reaches.push_back(reach);
  }
  std::sort(reaches.begin(), reaches.end());
  const double typical = reaches.empty() ? size / 4 : reaches[reaches.size() / 2];
  return std::clamp(0.065 * typical, 0.005 * size, 0.016 * size);
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
