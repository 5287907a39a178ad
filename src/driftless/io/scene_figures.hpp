#pragma once
// A scene as lines, outlines and dots that hang on its bodies: what a drawing in two dimensions needs. The shapes are
// those of the report page (viewer/src/shapes.ts).

#include <cstddef>
#include <string>
#include <vector>

#include "driftless/system/scene.hpp"

namespace driftless {

/// A point that moves with a body, from its mass centre in body axes; of the ground (body < 0) in the world.
struct Anchor {
  int body = -1;
  Vector3 at;
};

struct Figure {
  enum class Kind {
    lines,    ///< pairs of points, each a line with round ends; `width`
    polygon,  ///< closed
    face,     ///< closed, drawn only from the side from which it goes round counter-clockwise
    tube,     ///< from one point to another, `width` and `end_width` at its ends
    cap,      ///< the end of such a tube that is seen
    stripe,  ///< a line of two points on a body's skin; the third is the skin's normal: drawn where it faces the reader
    spring,  ///< zigzag between two points; `width`
    belt,  ///< strands of a belt round two wheels, diameters `width` and `end_width`; the third point is their axis
    dot,   ///< a disc that always faces the reader; diameter `width`
    block,  ///< a rectangle at the first point; the second is the direction of its longer side; `width`
    foot,  ///< under a point on the ground; `width`
  };
  Kind kind = Kind::lines;
  std::string style;  ///< class in the style sheet: "rod", "plate", "joint", "guide"
  std::vector<Anchor> points;
  double width = 0.0;  ///< m
  double end_width = 0.0;
  int colour = -1;       ///< the body whose colour it has; -1: the style's own
  bool fitted = true;    ///< the picture must be large enough for it
  bool crossed = false;  ///< of a belt
  bool bulky = false;  ///< thick in all directions: what is in it and behind it is seen through it
  double depth_bias = 0.0;  ///< m towards the reader: a joint stands before its bodies
};

/// How many of its points are places; one more may be a direction.
inline std::size_t count_places(const Figure& figure) {
  const bool directed = figure.kind == Figure::Kind::block || figure.kind == Figure::Kind::stripe ||
                        figure.kind == Figure::Kind::belt;
  return figure.points.size() - (directed ? 1 : 0);
}

/// Appends a figure, and gives it back for what else there is to say about it.
Figure& add_figure(std::vector<Figure>& figures, Figure::Kind kind, const char* style,
                   std::vector<Anchor> points, double width = 0.0, int colour = -1);

/// `size`: of the whole scene in m, for lines without an end.
std::vector<Figure> list_figures(const Scene& scene, double size);

/// The point that a name means: a body's mass centre, a frame or hardpoint on a body, `crank.tip`, or where a joint, constraint or
/// measure is on its last moving body. Throws ModelError with the names there are.
Anchor find_anchor(const Scene& scene, const std::string& name);

}  // namespace driftless
