#pragma once
// What tests ask of a mesh.

#include "driftless/math/triangle_mesh.hpp"

namespace driftless::testing {

/// By the signed tetrahedra from the origin: positive if the outside is outside.
inline double find_volume(const TriangleMesh& mesh) {
  double volume = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    volume += dot(at(a), cross(at(b), at(c))) / 6.0;
  }
  return volume;
}

}  // namespace driftless::testing
