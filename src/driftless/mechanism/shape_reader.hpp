#pragma once
// The shape of [body.NAME]: rod, cylinder, cone, box, sphere or disc -> mass centre, inertia and volume.

#include <string>

#include "driftless/math/linear.hpp"
#include "driftless/mechanism/element_reader.hpp"
#include "driftless/system/scene.hpp"

namespace driftless {

struct BodyShape {
  std::string word;  ///< empty: no shape
  Vector3 centre;    ///< world, drawing pose
  bool has_centre = false;
  Matrix inertia = Matrix::Zero(3, 3);  ///< per unit of mass, in body axes
  double volume = 0.0;                  ///< 0: none, so a density is no use
  bool is_doubtful = false;  ///< something is wrong with it: what it would give is not missed
  SceneShape drawn;
};

/// Of a number under [body.NAME].
const Bounds& find_body_bounds(std::string_view key);

/// `axes`: those of the body, as drawn. Something wrong is noted in `context`.
BodyShape read_shape(ElementReader& reader, const Axes<double>& axes, ReadingContext& context);

}  // namespace driftless
