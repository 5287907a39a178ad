#include "driftless/mechanism/scene_maker.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

Eigen::Index find_rank(ConstMatrixRef A) {
  return (find_singular_values(A).array() > 1e-9).count();
}

/// Per body the places that the model speaks of: its mass centre, the ends of its shape, where elements act on it.
std::vector<std::vector<Vector3>> list_places(const Scene& scene) {
  std::vector<std::vector<Vector3>> places;
  for (const SceneBody& body : scene.bodies) {
    places.push_back({Vector3{}});
    const std::string& kind = body.shape.kind;
    if (kind == "rod" || kind == "cylinder" || kind == "cone") {
      places.back().push_back(body.shape.from);
      places.back().push_back(body.shape.to);
    }
  }
  for (const SceneElement& element : scene.elements) {
    for (const SceneFrame& frame : element.frames) {
      if (frame.body >= 0) places[static_cast<std::size_t>(frame.body)].push_back(frame.origin);
    }
  }
  return places;
}

/// The points of the drawing, to be asked which of them are at a place: in the order of x, so that few are looked at.
class PointFinder {
 public:
  explicit PointFinder(const std::vector<std::pair<std::string, Vector3>>& points)
      : points_(points) {
    for (std::size_t k = 0; k < points.size(); ++k) order_.push_back(k);
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return find_x(a) < find_x(b); });
  }

  void add_those_at(const Vector3& place, double near, std::set<std::size_t>& found) const {
    const auto begin =
        std::lower_bound(order_.begin(), order_.end(), place.x - near,
                         [&](std::size_t index, double x) { return find_x(index) < x; });
    for (auto each = begin; each != order_.end() && find_x(*each) <= place.x + near; ++each) {
      if (norm(points_[*each].second - place) <= near) found.insert(*each);
    }
  }

 private:
  double find_x(std::size_t index) const { return points_[index].second.x; }

  const std::vector<std::pair<std::string, Vector3>>& points_;
  std::vector<std::size_t> order_;
};

void add_points(const std::vector<std::pair<std::string, Vector3>>& points,
                const Assembly& assembly, Scene& scene) {
  const std::vector<std::vector<Vector3>> places = list_places(scene);
  const PointFinder finder(points);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const BodyState& pose = assembly.bodies[k].pose;
    std::set<std::size_t> there;
    for (const Vector3& place : places[k]) {
      const Vector3 at = pose.position + apply(pose.axes, place);
      finder.add_those_at(at, 1e-9 * (1.0 + norm(at) + norm(pose.position)), there);
    }
    for (const std::size_t index : there) {
      scene.bodies[k].marks.push_back(
          {.name = points[index].first,
           .at = apply_inverse(pose.axes, points[index].second - pose.position),
           .is_frame = false});
    }
  }
}

/// Gives bodies that have no shape of their own the shape of the wheels that elements take them for.
class WheelMaker {
 public:
  WheelMaker(const Assembly& assembly, const std::vector<PlacedElement>& elements, Scene& scene)
      : assembly_(assembly), elements_(elements), scene_(scene) {}

  void run() {
    for (std::size_t index = 0; index < elements_.size(); ++index) {
      const PlacedElement& element = elements_[index];
      Wheels wheels = element.wheels;
      std::vector<int> frames;
      if (!element.frames.empty()) {
        frames = {element.frames.back()};
      } else {
        for (const std::string& measure : element.measures) frames.push_back(find_hub(measure));
      }
      if (frames.size() < wheels.radii.size()) continue;
      if (wheels.touch && !let_touch(frames, wheels)) continue;
      for (std::size_t k = 0; k < wheels.radii.size(); ++k)
        if (frames[k] >= 0) add(frames[k], wheels.radii[k], wheels.ball);
      if (wheels.belt) add_belt(frames, wheels, scene_.elements[index]);
    }
  }

 private:
  /// The frame, on a body without a shape, of the joint that an angle belongs to; -1: none.
  int find_hub(const std::string& measure) const {
    const std::string name = measure.substr(0, measure.rfind('.'));
    for (const PlacedElement& element : elements_) {
      if (element.kind != "joint" || element.name != name) continue;
      for (std::size_t k = element.frames.size(); k-- > 0;)
        if (is_bare(element.frames[k])) return element.frames[k];
      return element.frames.empty() ? -1 : element.frames.back();  // says where the axis is
    }
    return -1;
  }

  bool is_bare(int frame) const {
    const int body = assembly_.frames[static_cast<std::size_t>(frame)].body;
    if (body < 0) return false;
    const SceneBody& each = scene_.bodies[static_cast<std::size_t>(body)];
    return each.shape.kind.empty() && !each.mesh && !each.point;
  }

  bool let_touch(const std::vector<int>& frames, Wheels& wheels) const {
    if (frames[0] < 0 || frames[1] < 0) return false;
    const Frame<double> first = assembly_.find_drawn(frames[0]);
    const Vector3 apart = assembly_.find_drawn(frames[1]).origin - first.origin;
    const double distance = norm(apart - dot(apart, first.axes.z) * first.axes.z);
    double& a = wheels.radii[0];
    double& b = wheels.radii[1];
    const double sum = wheels.inside ? std::abs(a - b) : a + b;
    const double scale = distance / sum;
    a *= scale;
    b *= scale;
    constexpr double kLargest =
        20.0;  // radius over distance: beyond, wheels would hide the mechanism
    return distance > 0.0 && std::max(a, b) < kLargest * distance;
  }

  /// Whatever acts on the body does so within the wheel; else arms from place to place show more.
  bool reaches_all(const BodyFrame& hub, double radius) const {
    for (const PlacedElement& element : elements_)
      for (const int index : element.frames) {
        const BodyFrame& frame = assembly_.frames[static_cast<std::size_t>(index)];
        if (frame.body == hub.body && norm(frame.offset - hub.offset) > 1.05 * radius) return false;
      }
    return true;
  }

  void add(int frame, double radius, bool ball) {
    if (!is_bare(frame) || !reaches_all(assembly_.frames[static_cast<std::size_t>(frame)], radius))
      return;
    const BodyFrame& hub = assembly_.frames[static_cast<std::size_t>(frame)];
    SceneShape& shape = scene_.bodies[static_cast<std::size_t>(hub.body)].shape;
    shape.kind = ball ? "sphere" : "disc";
    shape.from = hub.offset;
    shape.axis = hub.axes.z;
    shape.radius = radius;
  }

  /// Only where both axes are known, and go the same way: else there is no plane for the strands.
  void add_belt(const std::vector<int>& frames, const Wheels& wheels, SceneElement& element) const {
    if (frames[0] < 0 || frames[1] < 0) return;
    constexpr double kParallel = 0.999;
    const Vector3 first = assembly_.find_drawn(frames[0]).axes.z;
    const double along = dot(first, assembly_.find_drawn(frames[1]).axes.z);
    if (std::abs(along) < kParallel) return;
    const bool opposed = along * find_sense(frames[0]) * find_sense(frames[1]) < 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
      const BodyFrame& hub = assembly_.frames[static_cast<std::size_t>(frames[k])];
      element.pulleys.push_back({{hub.body, hub.offset, hub.axes}, wheels.radii[k]});
    }
    element.crossed = wheels.crossed != opposed;
  }

  /// An angle is that of the joint's second body: of a wheel that is the first one it counts oppositely.
  double find_sense(int frame) const {
    for (const PlacedElement& element : elements_)
      if (element.kind == "joint" && element.frames.size() == 2 && element.frames[0] == frame)
        return -1.0;
    return 1.0;
  }

  const Assembly& assembly_;
  const std::vector<PlacedElement>& elements_;
  Scene& scene_;
};

}  // namespace

SceneFreedom find_freedom(const FrameFunction& rows, bool plane) {
  const Frame<double> home{{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0.0};
  const Frame<double> frames[] = {home, home};
  const auto columns = static_cast<std::size_t>(2 * kTwist);
  const auto count = static_cast<std::size_t>(rows.outputs());
  std::vector<double> f(count), jacobian(count * columns);
  rows.eval_jacobian(frames, f.data(), jacobian.data());

  const std::vector<std::size_t> directions =
      plane ? std::vector<std::size_t>{0, 1, 5} : std::vector<std::size_t>{0, 1, 2, 3, 4, 5};
  const Eigen::Index shifts = plane ? 2 : 3;
  const auto all = static_cast<Eigen::Index>(directions.size());
  Matrix J(static_cast<Eigen::Index>(count), all);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < directions.size(); ++j) {
      J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          jacobian[i * columns + kTwist + directions[j]];
    }
  }
  const Matrix along = J.leftCols(shifts).transpose();
  const Eigen::Index rank = find_rank(along);
  SceneFreedom freedom;
  freedom.turns = static_cast<int>((all - find_rank(J)) - (shifts - rank));
  if (shifts - rank == 1) {
    const Matrix slide = find_left_null_space(along, rank);
    freedom.slide = {slide(0, 0), slide(1, 0), plane ? 0.0 : slide(2, 0)};
    if (freedom.slide.x + freedom.slide.y + freedom.slide.z < 0) freedom.slide = -freedom.slide;
  }
  return freedom;
}

Scene make_scene(bool plane, const Vector3& gravity, const Assembly& assembly,
                 const std::vector<PlacedElement>& elements,
                 const std::vector<std::pair<std::string, Vector3>>& points) {
  Scene scene;
  scene.plane = plane;
  scene.gravity = gravity;
  for (const DrawnBody& drawn : assembly.bodies) {
    SceneBody body{.name = drawn.body.name,
                   .point = drawn.body.is_point(),
                   .mass = drawn.body.mass,
                   .shape = drawn.shape,
                   .mesh = drawn.mesh,
                   .marks = {}};
    for (const auto& [name, frame] : drawn.frames) {
      body.marks.push_back({.name = name, .at = frame.offset, .axes = frame.axes});
    }
    scene.bodies.push_back(std::move(body));
    if (!drawn.note.empty()) scene.notes.push_back(drawn.note);
  }
  for (const PlacedElement& placed : elements) {
    SceneElement element{placed.kind, placed.name, placed.type, {}, placed.freedom, placed.of};
    element.low = placed.low;
    element.high = placed.high;
    for (const int index : placed.frames) {
      const BodyFrame& frame = assembly.frames[static_cast<std::size_t>(index)];
      element.frames.push_back({frame.body, frame.offset, frame.axes});
    }
    scene.elements.push_back(std::move(element));
  }
  WheelMaker(assembly, elements, scene).run();
  add_points(points, assembly, scene);
  return scene;
}

}  // namespace driftless
