#pragma once
// Surfaces made of triangles, for pictures.

#include <array>
#include <vector>

#include "driftless/math/vec3.hpp"

namespace driftless {

struct TriangleMesh {
  std::vector<Vector3> points;
  std::vector<std::array<int, 3>> triangles;  ///< indices of points, counter-clockwise from outside
};

/// Points that are the same become one; triangles without an area go.
TriangleMesh merge_points(const TriangleMesh& mesh);

/// At most `most` triangles: points within a cell of a grid become their mean, with the finest grid that does it. Small
/// holes and thin walls may close.
TriangleMesh thin_mesh(const TriangleMesh& mesh, std::size_t most);

}  // namespace driftless
