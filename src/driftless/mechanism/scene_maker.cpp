#include "driftless/mechanism/scene_maker.hpp"

#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

Eigen::Index find_rank(ConstMatrixRef A) {
  return (find_singular_values(A).array() > 1e-9).count();
}

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
    SceneElement element{placed.kind, placed.name, placed.type, {}, placed.freedom};
    for (const int index : placed.frames) {
      const BodyFrame& frame = assembly.frames[static_cast<std::size_t>(index)];
      element.frames.push_back({frame.body, frame.offset, frame.axes});
    }
    scene.elements.push_back(std::move(element));
  }
  return scene;
}

}  // namespace driftless
