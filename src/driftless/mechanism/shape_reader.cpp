// Inertia about the mass centre of a homogeneous body of mass m:
//
//   shape                     along its axis          across it                          volume
//   rod, length L (slender)   0                       m L²/12                            -
//   cylinder, L, r            m r²/2                  m (3 r² + L²)/12                   π r² L                  [SHP.1]
//   cone, height L, r         3 m r²/10               m (3 r²/20 + 3 L²/80)              π r² L/3, centre at L/4 [SHP.2]
//   disc, r, thickness L      m r²/2                  m (3 r² + L²)/12                   π r² L
//   sphere, r                 2 m r²/5                2 m r²/5                           4 π r³/3
//   box, a b c                m (b² + c²)/12 about a, ...                                a b c
//
// A slender rod has no inertia about its own axis. That is no fault: the joints decide whether it can spin.

#include "driftless/mechanism/shape_reader.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "driftless/model/keys.hpp"

namespace driftless {
namespace {

using std::numbers::pi;

Matrix make_axial(const Vector3& axis, double along, double across) {
  const double u[3] = {axis.x, axis.y, axis.z};
  Matrix inertia(3, 3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      inertia(i, j) = (along - across) * u[i] * u[j] + (i == j ? across : 0.0);
    }
  }
  return inertia;
}

class ShapeReading {
 public:
  ShapeReading(ElementReader& reader, const Axes<double>& axes, ReadingContext& context)
      : reader_(reader), axes_(axes), context_(context) {}

  BodyShape run() {
    const std::size_t before = context_.trouble();
    const bool plane = context_.plane;
    for (const char* word : {"rod", "cylinder", "cone", "box", "sphere", "disc"}) {
      const Value* value = reader_.take(word);
      if (value == nullptr) continue;
      if (!shape_.word.empty()) {
        reader_.fault(
            value->where,
            fmt::format("{} has two shapes, {} and {}", reader_.path(), shape_.word, word),
            "a body has one shape; join two bodies by a fixed joint");
        continue;
      }
      shape_.word = word;
      if (plane && (shape_.word == "cylinder" || shape_.word == "cone")) {
        reader_.fault(value->where, fmt::format("{}.{}: not in the plane", reader_.path(), word),
                      "use rod, box or disc");
        reader_.know("radius");
        continue;
      }
      if (shape_.word == "rod" || shape_.word == "cylinder" || shape_.word == "cone") {
        read_long_shape(*value);
      } else if (shape_.word == "box") {
        read_box(*value);
      } else {
        read_round_shape(*value);
      }
    }
    shape_.is_doubtful = context_.trouble() > before;
    return std::move(shape_);
  }

 private:
  void read_long_shape(const Value& value) {
    const std::string& word = shape_.word;
    if (!value.is_list() || value.list().size() != 2) {
      reader_.fault(value.where, fmt::format("{}.{}: wanted: two points", reader_.path(), word),
                    fmt::format("for example {} = [\"A\", \"B\"]", word));
      return;
    }
    const std::size_t before = context_.trouble();
    const Vector3 from = reader_.read_point(value.list()[0], word);
    const Vector3 to = reader_.read_point(value.list()[1], word);
    const double length = norm(to - from);
    if (context_.trouble() > before) {  // where it lies is not known
      reader_.know("radius");
      return;
    }
    if (!(length * length > 0.0)) {
      reader_.fault(value.where,
                    fmt::format("{}.{}: its two ends are {} m apart", reader_.path(), word,
                                std::hypot(to.x - from.x, to.y - from.y, to.z - from.z)),
                    "name two different points; a body without length is a sphere, or has point = "
                    "true");
      reader_.know("radius");
      return;
    }
    const Vector3 axis = apply_inverse(axes_, (1.0 / length) * (to - from));
    double radius = 0.0;
    if (word != "rod") {
      const auto given = reader_.number("radius", "m", find_body_bounds("radius"));
      if (!given) reader_.miss("radius", "give the radius, for example radius = \"20 mm\"");
      radius = given.value_or(1.0);
    }
    const double r2 = radius * radius;
    const double l2 = length * length;
    const double share = word == "cone" ? 0.25 : 0.5;  // where the centre is on the way
    shape_.has_centre = true;
    shape_.drawn = {word, -share * length * axis, (1.0 - share) * length * axis, {}, axis, radius};
    if (word == "cone") {
      shape_.centre = from + 0.25 * (to - from);
      shape_.inertia = make_axial(axis, 0.3 * r2, 0.15 * r2 + 0.0375 * l2);
      shape_.volume = pi * r2 * length / 3.0;
    } else {
      shape_.centre = from + 0.5 * (to - from);
      shape_.inertia = make_axial(axis, 0.5 * r2, (3.0 * r2 + l2) / 12.0);
      shape_.volume = pi * r2 * length;
    }
  }

  void read_box(const Value& value) {
    const std::size_t count = context_.plane ? 2 : 3;
    if (!value.is_list() || value.list().size() != count) {
      reader_.fault(value.where, fmt::format("{}.box: wanted: {} lengths", reader_.path(), count));
      return;
    }
    double squares[3] = {0.0, 0.0, 0.0};
    shape_.volume = context_.plane ? 0.0 : 1.0;
    for (std::size_t i = 0; i < count; ++i) {
      const double length =
          reader_.read_number(value.list()[i], "box", "m", find_body_bounds("box"));
      squares[i] = length * length;
      shape_.volume *= length;
    }
    shape_.drawn.kind = "box";
    shape_.drawn.size = {std::sqrt(squares[0]), std::sqrt(squares[1]), std::sqrt(squares[2])};
    for (int i = 0; i < 3; ++i) {
      shape_.inertia(i, i) = (squares[(i + 1) % 3] + squares[(i + 2) % 3]) / 12.0;
    }
  }

  /// A radius alone, or a table with the radius and, of a disc, thickness and axis.
  void read_round_shape(const Value& value) {
    double radius = 1.0;
    double thickness = 0.0;
    Vector3 axis{0, 0, 1};
    if (value.is_table()) {
      ElementReader table(reader_.path() + "." + shape_.word, value, context_);
      const auto given = table.number("radius", "m", find_body_bounds(shape_.word + ".radius"));
      if (!given) table.miss("radius", "give the radius, for example radius = \"20 mm\"");
      radius = given.value_or(1.0);
      if (shape_.word == "disc") {
        thickness =
            table.number("thickness", "m", find_body_bounds("disc.thickness")).value_or(0.0);
        if (!context_.plane) {
          if (const auto direction = table.direction("axis")) {
            axis = apply_inverse(axes_, *direction);
          }
        }
      }
      table.finish();
    } else {
      radius = reader_.read_number(value, shape_.word, "m", find_body_bounds(shape_.word));
    }
    shape_.drawn = {shape_.word, {}, {}, {}, axis, radius, thickness};
    const double r2 = radius * radius;
    if (shape_.word == "sphere") {
      shape_.inertia = 0.4 * r2 * Matrix::Identity(3, 3);
      shape_.volume = 4.0 / 3.0 * pi * r2 * radius;
    } else {
      shape_.inertia = make_axial(axis, 0.5 * r2, (3.0 * r2 + thickness * thickness) / 12.0);
      shape_.volume = pi * r2 * thickness;
    }
  }

  ElementReader& reader_;
  const Axes<double>& axes_;  // of the body, in the world
  ReadingContext& context_;
  BodyShape shape_;
};

}  // namespace

const Bounds& find_body_bounds(std::string_view key) {
  return find_key_bounds(fmt::format("body.{}", key));
}

BodyShape read_shape(ElementReader& reader, const Axes<double>& axes, ReadingContext& context) {
  return ShapeReading(reader, axes, context).run();
}

}  // namespace driftless
