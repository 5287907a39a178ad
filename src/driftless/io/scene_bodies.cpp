#include "driftless/io/scene_bodies.hpp"

#include <algorithm>
#include <cmath>

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

class BodyFigures {
 public:
  BodyFigures(const Scene& scene, int index, double size, double thickness,
              std::vector<Figure>& figures)
      : scene_(scene),
        body_(scene.bodies[static_cast<std::size_t>(index)]),
        index_(index),
        size_(size),
        thickness_(thickness),
        figures_(figures) {}

  void run() {
    add_arms();
    const SceneShape& shape = body_.shape;
    const auto anchor = [&](const Vector3& at) { return Anchor{index_, at}; };
    if (shape.kind == "rod") {
      add(Kind::lines, "rod", {anchor(shape.from), anchor(shape.to)}, 2 * thickness_);
    } else if (shape.kind == "cylinder") {
      add_cylinder(shape);
    } else if (shape.kind == "cone") {
      add_tube(shape.from, shape.to, shape.radius, 0.0);
    } else if (shape.kind == "box") {
      add_box(shape.size);
    } else if (shape.kind == "sphere") {
      add(Kind::dot, "solid", {anchor(shape.from)}, 2 * shape.radius).bulky =
          shape.radius > 6 * thickness_;
    } else if (shape.kind == "disc") {
      add_disc(shape);
    } else {
      add_spokes();
    }
  }

 private:
  Figure& add(Kind kind, const char* style, std::vector<Anchor> points, double width) {
    return add_figure(figures_, kind, style, std::move(points), width, index_);
  }

  /// From a body's shape to joints and forces outside of it.
  void add_arms() {
    const SceneShape& shape = body_.shape;
    if (shape.kind.empty()) return;
    std::vector<Anchor> lines;
    for (const SceneElement& element : scene_.elements) {
      if (element.kind == "measure") continue;
      for (const SceneFrame& frame : element.frames) {
        if (frame.body != index_) continue;
        const Vector3 root = find_root(shape, frame.origin);
        if (norm(frame.origin - root) > 2 * thickness_)
          lines.insert(lines.end(), {{index_, root}, {index_, frame.origin}});
      }
    }
    if (!lines.empty()) add(Kind::lines, "rod", std::move(lines), 1.4 * thickness_);
  }

  /// Thin ones are lines. A stripe along the mantle shows that a shaft turns.
  void add_cylinder(const SceneShape& shape) {
    if (shape.radius < kThin * size_) {
      add(Kind::lines, "rod", {{index_, shape.from}, {index_, shape.to}}, 2 * shape.radius);
      return;
    }
    add_tube(shape.from, shape.to, shape.radius, shape.radius);
    const Vector3 axis = shape.to - shape.from;
    const Vector3 across = find_across((1.0 / norm(axis)) * axis);
    add_stripe(shape.from + shape.radius * across, shape.to + shape.radius * across, across,
               0.35 * shape.radius);
  }

  void add_tube(const Vector3& from, const Vector3& to, double radius, double end_radius) {
    for (const Kind kind : {Kind::tube, Kind::cap}) {
      Figure& figure = add(kind, kind == Kind::cap ? "cap" : "solid",
                           {{index_, from}, {index_, to}}, 2 * radius);
      figure.end_width = 2 * end_radius;
      figure.bulky = std::min(norm(to - from), radius) > 6 * thickness_;
    }
  }

  void add_stripe(const Vector3& from, const Vector3& to, const Vector3& normal, double width) {
    add(Kind::stripe, "stripe", {{index_, from}, {index_, to}, {index_, normal}},
        std::min(width, 0.7 * thickness_));
  }

  /// A disc that turns looks as if at rest: a spoke shows it.
  void add_disc(const SceneShape& shape) {
    const double length = norm(shape.axis);
    const Vector3 axis = length > 0 ? (1.0 / length) * shape.axis : Vector3{0, 0, 1};
    const Vector3 spoke = 0.9 * shape.radius * find_across(axis);
    if (scene_.plane) {
      add(Kind::dot, "wheel", {{index_, shape.from}}, 2 * shape.radius);
      add(Kind::lines, "spoke", {{index_, shape.from}, {index_, shape.from + spoke}},
          0.7 * thickness_);
      return;
    }
    const Vector3 half = (shape.thickness > 0 ? shape.thickness : 1.2 * thickness_) / 2 * axis;
    const Vector3 above = shape.from + half, below = shape.from - half;
    add_tube(below, above, shape.radius, shape.radius);
    add_stripe(above, above + spoke, axis, 0.1 * shape.radius);
    add_stripe(below, below + spoke, -axis, 0.1 * shape.radius);
  }

  void add_box(const Vector3& size) {
    const Vector3 half = 0.5 * size;
    const auto corner = [&](double x, double y, double z) {
      return Anchor{index_, {x * half.x, y * half.y, z * half.z}};
    };
    if (scene_.plane || size.z == 0) {
      add(Kind::polygon, "box",
          {corner(-1, -1, 0), corner(1, -1, 0), corner(1, 1, 0), corner(-1, 1, 0)}, 0);
      return;
    }
    const bool bulky = std::min({size.x, size.y, size.z}) > 6 * thickness_;
    const auto face = [&](const char* style, const std::vector<Anchor>& corners) {
      add(Kind::face, style, corners, 0).bulky = bulky;
    };
    face("side", {corner(1, -1, -1), corner(1, 1, -1), corner(1, 1, 1), corner(1, -1, 1)});
    face("side", {corner(-1, -1, -1), corner(-1, -1, 1), corner(-1, 1, 1), corner(-1, 1, -1)});
    face("front", {corner(-1, 1, -1), corner(-1, 1, 1), corner(1, 1, 1), corner(1, 1, -1)});
    face("front", {corner(-1, -1, -1), corner(1, -1, -1), corner(1, -1, 1), corner(-1, -1, 1)});
    face("cap", {corner(-1, -1, 1), corner(1, -1, 1), corner(1, 1, 1), corner(-1, 1, 1)});
    face("cap", {corner(-1, -1, -1), corner(-1, 1, -1), corner(1, 1, -1), corner(1, -1, -1)});
  }

  /// A body without a shape: lines from its mass centre to what is on it, closed as a plate if they go round.
  void add_spokes() {
    std::vector<Vector3> seen;
    for (const Vector3& point : list_points(scene_, index_)) {
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
      lines.insert(lines.end(), {{index_, {}}, {index_, seen[k]}});
      if (plate)
        lines.insert(lines.end(), {{index_, seen[k]}, {index_, seen[(k + 1) % seen.size()]}});
      outline.push_back({index_, seen[k]});
    }
    if (plate) add(Kind::polygon, "plate", std::move(outline), 0);
    if (!lines.empty()) add(Kind::lines, "rod", std::move(lines), 1.4 * thickness_);
    const bool point = body_.point;
    if (seen.empty() && !point) add_axes();
    add(Kind::dot, "mass", {{index_, {}}}, (point ? 4.5 : 2.4) * thickness_).depth_bias =
        1e-3 * size_;
  }

  /// A body that has neither a shape nor anything beside its mass centre: how it turns.
  void add_axes() {
    const double r = 4.5 * thickness_;
    if (scene_.plane) {
      add(Kind::dot, "wheel", {{index_, {}}}, 2 * r);
      add(Kind::lines, "spoke", {{index_, {}}, {index_, {0.9 * r, 0, 0}}}, 0.7 * thickness_);
    } else {
      add(Kind::lines, "rod",
          {{index_, {-r, 0, 0}},
           {index_, {r, 0, 0}},
           {index_, {0, -r, 0}},
           {index_, {0, r, 0}},
           {index_, {0, 0, -r}},
           {index_, {0, 0, r}}},
          thickness_);
    }
  }

  const Scene& scene_;
  const SceneBody& body_;
  int index_;
  double size_;
  double thickness_;
  std::vector<Figure>& figures_;
};

}  // namespace

void add_body_figures(const Scene& scene, int body, double size, double thickness,
                      std::vector<Figure>& figures) {
  BodyFigures(scene, body, size, thickness, figures).run();
}

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

}  // namespace driftless
