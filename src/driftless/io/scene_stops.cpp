#include "driftless/io/scene_stops.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr double kRubber = 3.0, kRubberWidth = 2.6, kPlateHalf = 2.6;  // times the thickness
constexpr double kBlockHalf = 1.9;  // of what slides, if it is drawn as a block
constexpr double kBesideBar = 1.1;

Vector3 along(const Axes<double>& axes, const Vector3& part) {
  return part.x * axes.x + part.y * axes.y + part.z * axes.z;
}

/// Points of a body as drawn, seen from a frame on it, in the frame's axes.
std::vector<Vector3> list_seen(const Scene& scene, const SceneFrame& frame) {
  std::vector<Vector3> points;
  if (frame.body < 0) return points;
  const SceneBody& body = scene.bodies[static_cast<std::size_t>(frame.body)];
  const SceneShape& shape = body.shape;
  std::vector<Vector3> own;
  for (const SceneMark& mark : body.marks) own.push_back(mark.at);
  if (shape.kind == "rod" || shape.kind == "cylinder" || shape.kind == "cone")
    own.insert(own.end(), {shape.from, shape.to});
  if (shape.kind == "box") {
    for (const int corner : {0, 1, 2, 3, 4, 5, 6, 7}) {
      own.push_back({(corner & 1 ? 0.5 : -0.5) * shape.size.x,
                     (corner & 2 ? 0.5 : -0.5) * shape.size.y,
                     (corner & 4 ? 0.5 : -0.5) * shape.size.z});
    }
  }
  if (shape.kind == "disc" || shape.kind == "sphere") {
    for (const Vector3& side : {frame.axes.x, frame.axes.y, frame.axes.z})
      own.insert(own.end(), {shape.from + shape.radius * side, shape.from - shape.radius * side});
  }
  for (const Vector3& point : own) {
    const Vector3 from = point - frame.origin;
    points.push_back({dot(from, frame.axes.x), dot(from, frame.axes.y), dot(from, frame.axes.z)});
  }
  return points;
}

struct Limit {
  double value = 0.0;
  double sign = 1.0;
};

/// Where a block begins, and where it goes from there.
struct Face {
  Vector3 at, away;
};

Face find_sliding(const SceneElement& joint, const std::vector<Vector3>& seen, const Limit& limit,
                  double thickness) {
  double reach = kBlockHalf * thickness;
  for (const Vector3& point : seen)
    reach = std::max(reach, limit.sign * dot(point, joint.freedom.slide));
  const SceneFrame& first = joint.frames.front();
  const Vector3 away = limit.sign * along(first.axes, joint.freedom.slide);
  return {first.origin + (limit.sign * limit.value + reach) * away, away};
}

Face find_turning(const SceneElement& joint, const std::vector<Vector3>& seen, const Limit& limit,
                  double thickness) {
  Vector3 tip{1e-9, 0, 0};
  for (const Vector3& point : seen)
    if (std::hypot(point.x, point.y) > std::hypot(tip.x, tip.y)) tip = point;
  const double arm =
      std::max(std::min(0.45 * std::hypot(tip.x, tip.y), 12 * thickness), 4 * thickness);
  const double angle = limit.value + std::atan2(tip.y, tip.x);
  const SceneFrame& first = joint.frames.front();
  const Vector3 away = limit.sign * along(first.axes, {-std::sin(angle), std::cos(angle), 0});
  const Vector3 at = first.origin + arm * along(first.axes, {std::cos(angle), std::sin(angle), 0});
  return {at + kBesideBar * thickness * away, away};
}

void add_block(int body, const Face& face, const Vector3& across, double thickness,
               std::vector<Figure>& figures) {
  const double half = kRubberWidth * thickness / 2;  // a line has round ends
  const Vector3 end = face.at + kRubber * thickness * face.away;
  add_figure(figures, Figure::Kind::lines, "spring",
             {{body, face.at + half * face.away}, {body, end}}, 2 * half);
  add_figure(figures, Figure::Kind::lines, "link",
             {{body, end + half * face.away + kPlateHalf * thickness * across},
              {body, end + half * face.away - kPlateHalf * thickness * across}},
             thickness);
}

}  // namespace

std::vector<Figure> list_stops(const Scene& scene, double thickness) {
  std::vector<Figure> figures;
  for (const SceneElement& element : scene.elements) {
    const std::size_t dot_at = element.of.rfind('.');
    if (element.type != "stop" || dot_at == std::string::npos) continue;
    const std::string name = element.of.substr(0, dot_at), what = element.of.substr(dot_at + 1);
    const auto joint =
        std::find_if(scene.elements.begin(), scene.elements.end(), [&](const SceneElement& each) {
          return each.kind == "joint" && each.name == name && each.frames.size() == 2;
        });
    if (joint == scene.elements.end()) continue;
    const bool slides = what == "position" && norm(joint->freedom.slide) > 0.5;
    if (!slides && !(what == "angle" && joint->freedom.turns == 1)) continue;
    const SceneFrame& first = joint->frames.front();
    const std::vector<Vector3> seen = list_seen(scene, joint->frames.back());
    for (const auto& [value, sign] : {std::pair{element.low, -1.0}, {element.high, 1.0}}) {
      if (!value) continue;
      const Limit limit{*value, sign};
      const Face face = slides ? find_sliding(*joint, seen, limit, thickness)
                               : find_turning(*joint, seen, limit, thickness);
      Vector3 across = cross(first.axes.z, face.away);
      if (norm(across) < 0.5) across = first.axes.x;  // it slides along z
      add_block(first.body, face, across, thickness, figures);
    }
  }
  return figures;
}

}  // namespace driftless
