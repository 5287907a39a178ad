#pragma once
// A mechanism that was read -> what a picture of it needs.

#include <string>
#include <vector>

#include "driftless/mechanism/placement.hpp"
#include "driftless/system/scene.hpp"

namespace driftless {

/// A joint, constraint, force or measure with its frames, as indices into Assembly::frames.
struct PlacedElement {
  std::string kind;
  std::string name;
  std::string type;
  std::vector<int> frames;
};

Scene make_scene(bool plane, const Vector3& gravity, const Assembly& assembly,
                 const std::vector<PlacedElement>& elements);

}  // namespace driftless
