#pragma once
// [body.NAME] -> a Body in its drawing pose. Mass centre and inertia are given, or follow from a shape.

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/mechanism/body.hpp"
#include "driftless/mechanism/element_reader.hpp"
#include "driftless/system/scene.hpp"

namespace driftless {

struct DrawnBody {
  Body body;
  BodyState pose;  ///< mass centre and axes in the drawing pose
  Vector3 origin;  ///< of the body's own coordinates, from the mass centre, body axes
  std::vector<std::pair<std::string, BodyFrame>>
      frames;  ///< [body.NAME.frame.F]; `body` not yet set
  std::vector<Source> frame_sources;
  SceneShape shape;
  bool doubtful = false;                     ///< something is wrong with it, which is noted
  std::shared_ptr<const TriangleMesh> mesh;  ///< as SceneBody has it
  std::string note;                          ///< what cannot be drawn; empty: all can
};

DrawnBody read_body(const ElementSpec& spec, ReadingContext& context);

/// The body's key `mesh`, which is for pictures alone.
void read_body_mesh(ElementReader& reader, DrawnBody& drawn);

/// Axes with the given z and, as far as it is perpendicular, x. Without x: world x if z is the world's, else horizontal.
Axes<double> make_axes(const Vector3& z, const Vector3* x);

/// What to do about an x that is not at a right angle to z: of a joint it only says from where angles count, and may be
/// a line in the drawing; of a body's own axes it would not be what the user wrote.
enum class Skew { turned, refused };

/// Axes of a table's keys `z` (or `axis`) and `x`; in the plane `x` alone.
Axes<double> read_axes(ElementReader& reader, Skew skew = Skew::turned);

/// Likewise for two frames: each key holds one direction for both, or a list of two.
std::array<Axes<double>, 2> read_axes_pair(ElementReader& reader);

/// Angle of axes.x, in the plane.
double find_angle(const Axes<double>& axes);

}  // namespace driftless
