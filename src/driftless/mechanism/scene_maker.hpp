#pragma once
// A mechanism that was read -> what a picture of it needs.
//
// What a joint lets move follows from its rows. With the frames one upon the other, their Jacobian is J = (J_p, J_θ) with
// respect to shifts and turns of frame 1. Of n directions, n_p of them shifts, it leaves
//
//   n - rank J                              motions                                                             [SCN.1]
//   n_p - rank J_p                          of these shifts alone, the null space of J_p                        [SCN.2]
//
// and the rest of the motions turn, each about another axis.

#include <optional>
#include <string>
#include <vector>

#include "driftless/elements/frame_function.hpp"
#include "driftless/elements/wheels.hpp"
#include "driftless/mechanism/placement.hpp"
#include "driftless/system/scene.hpp"

namespace driftless {

/// A joint, constraint, force or measure with its frames, as indices into Assembly::frames.
struct PlacedElement {
  std::string kind;
  std::string name;
  std::string type;
  std::vector<int> frames;
  SceneFreedom freedom = {};
  std::string of = {};                     ///< the measure that it acts along
  std::vector<std::string> measures = {};  ///< those that it relates
  Wheels wheels = {};
  std::optional<double> low = {}, high = {};  ///< limits of that measure
};

/// [SCN.1], [SCN.2]
SceneFreedom find_freedom(const FrameFunction& rows, bool plane);

/// A hardpoint becomes a mark of every body that something connects there.
Scene make_scene(bool plane, const Vector3& gravity, const Assembly& assembly,
                 const std::vector<PlacedElement>& elements,
                 const std::vector<std::pair<std::string, Vector3>>& points);

}  // namespace driftless
