#pragma once
// What a mechanism looks like, as data: bodies with their shapes, joints, constraints and forces with the frames that
// they stand on. A picture needs it together with the poses of a result; no equation does. Equation models have none.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/math/triangle_mesh.hpp"
#include "driftless/math/vec3.hpp"

namespace driftless {

/// In body axes, from the mass centre. Which members count depends on the kind:
///   rod, cylinder, cone   from, to (a cone's base is at `from`), radius (0 of a rod: slender)
///   box                   size; in the plane size.z = 0
///   sphere                from (its centre), radius
///   disc                  from (its centre), axis, radius, thickness (0: thin)
struct SceneShape {
  std::string kind;  ///< empty: none is given
  Vector3 from, to, size, axis{0, 0, 1};
  double radius = 0.0;
  double thickness = 0.0;
};

/// A frame on a body; of the ground (body < 0) in the world.
struct SceneFrame {
  int body = -1;
  Vector3 origin;  ///< from the mass centre, body axes
  Axes<double> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

/// A place with a name on a body: a frame of the body, or a hardpoint where the body was drawn.
struct SceneMark {
  std::string name;
  Vector3 at;
  Axes<double> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  bool is_frame = true;
};

/// Its pose is in the columns NAME.x, NAME.y, NAME.angle, or NAME.x to NAME.z and NAME.q0 to NAME.q3; a point has no
/// angle.
struct SceneBody {
  std::string name;
  bool point = false;
  double mass = 0.0;
  SceneShape shape;
  /// From the mass centre, body axes, metres; drawn instead of the shape. Null: none.
  std::shared_ptr<const TriangleMesh> mesh;
  std::vector<SceneMark> marks;
};

/// What a joint lets move, so that it can be drawn without knowing its type.
struct SceneFreedom {
  int turns = 0;  ///< independent ones: 1 a hinge, 3 a ball
  Vector3
      slide;  ///< the one direction in which it shifts, along the axes of its first frame; 0: none, or several
};

/// A wheel that turns about z of its frame.
struct SceneWheel {
  SceneFrame frame;
  double radius = 0.0;
};

struct SceneElement {
  std::string kind;  ///< "joint", "constraint", "force", "measure"
  std::string name;
  std::string type;                      ///< "revolute", "point_on_line", "spring_damper"
  std::vector<SceneFrame> frames;        ///< empty: it acts on measures
  SceneFreedom freedom = {};             ///< of a joint
  std::string of;                        ///< the measure that it acts along: "A.angle"; empty: none
  std::vector<SceneWheel> pulleys = {};  ///< of a belt: the two that it goes round
  bool crossed = false;                  ///< its strands cross between them
  std::optional<double> low = {}, high = {};  ///< of a stop: limits of the measure
};

struct Scene {
  bool plane = false;
  Vector3 gravity;
  std::vector<SceneBody> bodies;
  std::vector<SceneElement> elements;  ///< in the file's order, joints first
  std::vector<std::string> notes;      ///< what cannot be drawn as the model asks

  bool empty() const { return bodies.empty(); }
};

}  // namespace driftless
