#include "driftless/mechanism/scene_maker.hpp"

namespace driftless {

Scene make_scene(bool plane, const Vector3& gravity, const Assembly& assembly,
                 const std::vector<PlacedElement>& elements) {
  Scene scene;
  scene.plane = plane;
  scene.gravity = gravity;
  for (const DrawnBody& drawn : assembly.bodies) {
    SceneBody body{drawn.body.name, drawn.body.is_point(), drawn.shape, {}};
    for (const auto& [name, frame] : drawn.frames) body.marks.emplace_back(name, frame.offset);
    scene.bodies.push_back(std::move(body));
  }
  for (const PlacedElement& placed : elements) {
    SceneElement element{placed.kind, placed.name, placed.type, {}};
    for (const int index : placed.frames) {
      const BodyFrame& frame = assembly.frames[static_cast<std::size_t>(index)];
      element.frames.push_back({frame.body, frame.offset, frame.axes});
    }
    scene.elements.push_back(std::move(element));
  }
  return scene;
}

}  // namespace driftless
