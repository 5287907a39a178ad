#include "driftless/mechanism/body_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/math/decompositions.hpp"
#include "driftless/mechanism/shape_reader.hpp"

namespace driftless {
namespace {

class BodyReading {
 public:
  BodyReading(const ElementSpec& spec, ReadingContext& context)
      : reader_("body", spec, context), context_(context) {
    out_.body.name = spec.name;
  }

  DrawnBody run() {
    const std::size_t before = context_.trouble();
    read_pose();
    shape_ = read_shape(reader_, out_.pose.axes, context_);
    out_.shape = shape_.drawn;
    read_mass();
    read_inertia();
    read_frames();
    if (reader_.misspells("cylinder") || reader_.misspells("cone")) reader_.know("radius");
    read_body_mesh(reader_, out_);
    reader_.finish();
    out_.doubtful = context_.trouble() != before;
    return std::move(out_);
  }

 private:
  void read_pose() {
    if (const Value* pose = reader_.take("pose")) {
      ElementReader table(reader_.path() + ".pose", *pose, context_);
      if (const auto at = table.point("at")) {
        origin_ = *at;
        has_origin_ = true;
      }
      out_.pose.axes = read_axes(table, Skew::refused);
      table.finish();
    }
    out_.pose.angle = context_.plane ? find_angle(out_.pose.axes) : 0.0;
  }

  void read_mass() {
    const auto mass = reader_.number("mass", "kg", find_body_bounds("mass"));
    const auto density = reader_.number("density", "kg/m^3", find_body_bounds("density"));
    if (mass && density) {
      reader_.fault(reader_.where(), fmt::format("{} has both mass and density", reader_.path()),
                    "give one of them");
    }
    if (!mass && !density) {
      reader_.miss("mass", "give mass = \"1 kg\", or a shape with density", {"density"});
    }
    if (!mass && density && !(shape_.volume > 0.0) && !shape_.is_doubtful) {
      reader_.fault(reader_.where(),
                    fmt::format("{}: density needs a shape with a volume", reader_.path()),
                    "give mass, or a cylinder, cone, box or sphere, or a disc with a thickness");
    }
    out_.body.mass = mass ? *mass : density.value_or(1.0) * std::max(shape_.volume, 1e-300);
    const auto centre = reader_.point("centre");
    if (centre && shape_.has_centre) {
      reader_.fault(
          reader_.where(),
          fmt::format("{}: the {} says where the mass centre is", reader_.path(), shape_.word),
          "leave out centre, or the shape");
    }
    out_.pose.position = centre              ? *centre
                         : shape_.has_centre ? shape_.centre
                         : has_origin_       ? origin_
                                             : Vector3{};
    if (!centre && !shape_.has_centre && !has_origin_ && !shape_.is_doubtful) {
      reader_.miss("centre",
                   "say where the mass centre is: centre = \"P\", or pose = { at = ... }, or a "
                   "shape between points",
                   {"pose", "rod", "cylinder", "cone"});
    }
    out_.origin = apply_inverse(out_.pose.axes,
                                (has_origin_ ? origin_ : out_.pose.position) - out_.pose.position);
  }

  void read_inertia() {
    Body& body = out_.body;
    const bool point = is_point_mass();
    if (point && !shape_.word.empty()) {
      reader_.fault(reader_.take("point")->where,
                    fmt::format("{}: a point mass does not turn, but the {} says how it would",
                                reader_.path(), shape_.word),
                    fmt::format("leave out point = true, or the {}", shape_.word));
    }
    body.kind = context_.plane ? (point ? BodyKind::plane_point : BodyKind::plane_body)
                               : (point ? BodyKind::space_point : BodyKind::space_body);
    body.inertia = body.mass * shape_.inertia;
    const Value* value = reader_.take("inertia");
    if (value == nullptr) {
      if (shape_.word.empty() && !point) {
        reader_.miss("inertia", "give inertia, a shape, or point = true for a point mass",
                     {"point", "rod", "box", "cylinder", "sphere", "disc", "cone"});
      }
      return;
    }
    if (point) {
      reader_.fault(value->where, fmt::format("{}: a point mass has no inertia", reader_.path()),
                    "leave out inertia, or point = true");
      return;
    }
    if (context_.plane) {
      body.inertia = Matrix::Zero(3, 3);
      // 0 is for a mass that a joint elsewhere turns about itself; whether one does is seen when all is put together.
      body.inertia(2, 2) =
          reader_.read_number(*value, "inertia", "kg*m^2", find_body_bounds("inertia"));
      return;
    }
    const std::size_t before = context_.trouble();
    read_spatial_inertia(*value);
    if (context_.trouble() == before) check_inertia(*value);
  }

  bool is_point_mass() {
    const Value* value = reader_.take("point");
    if (value == nullptr) return false;
    if (!value->is_flag()) {
      reader_.fault(value->where, fmt::format("{}.point is {}; wanted: true or false",
                                              reader_.path(), value->kind()));
      return false;
    }
    return value->flag();
  }

  /// Three principal moments, or the matrix by its rows.
  void read_spatial_inertia(const Value& value) {
    Matrix& inertia = out_.body.inertia;
    inertia = Matrix::Zero(3, 3);
    const bool list = value.is_list() && value.list().size() == 3;
    if (!list) {
      reader_.fault(value.where,
                    fmt::format("{}.inertia: wanted: three principal moments or a 3 x 3 matrix",
                                reader_.path()));
      inertia = Matrix::Identity(3, 3);
      return;
    }
    for (int i = 0; i < 3; ++i) {
      const Value& row = value.list()[static_cast<std::size_t>(i)];
      if (!row.is_list()) {
        inertia(i, i) = reader_.read_number(row, "inertia", "kg*m^2", find_body_bounds("inertia"));
      } else if (row.list().size() == 3) {
        for (int j = 0; j < 3; ++j) {
          inertia(i, j) =
              reader_.read_number(row.list()[static_cast<std::size_t>(j)], "inertia", "kg*m^2");
        }
      } else {
        reader_.fault(row.where, fmt::format("{}.inertia: a row has {} numbers; wanted: 3",
                                             reader_.path(), row.list().size()));
      }
    }
  }

  /// Symmetric, not negative, and no principal moment above the sum of the two others.
  void check_inertia(const Value& value) {
    const Matrix& inertia = out_.body.inertia;
    const double size = std::max(inertia.cwiseAbs().maxCoeff(), 1e-300);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < i; ++j) {
        if (std::abs(inertia(i, j) - inertia(j, i)) <= 1e-9 * size) continue;
        reader_.fault(
            value.where,
            fmt::format("{}.inertia is not symmetric: row {} has {} in column {}, row {} "
                        "has {} in column {}",
                        reader_.path(), i + 1, inertia(i, j), j + 1, j + 1, inertia(j, i), i + 1),
            "give both the same number: products of inertia with their sign, -Jxy, stand "
            "on both sides of the diagonal");
        return;
      }
    }
    Vector moments;
    Matrix axes;
    if (!find_modes(Matrix::Identity(3, 3), inertia, moments, axes)) return;
    std::sort(moments.begin(), moments.end());
    if (moments[0] < -1e-9 * size) {
      reader_.fault(value.where,
                    fmt::format("{}.inertia has a negative principal moment {:.6g}", reader_.path(),
                                moments[0]),
                    "no distribution of mass has it: check the numbers beside the diagonal");
    } else if (moments[0] + moments[1] < moments[2] * (1.0 - 1e-9)) {
      reader_.fault(
          value.where,
          fmt::format("{}.inertia: principal moments {:.6g}, {:.6g}, {:.6g}: the largest exceeds "
                      "the sum of the others",
                      reader_.path(), moments[0], moments[1], moments[2]),
          "no distribution of mass has such moments: check the numbers and their units");
    }
  }

  void read_frames() {
    const Value* frames = reader_.take("frame");
    if (frames == nullptr) return;
    if (!frames->is_table()) {
      reader_.fault(frames->where, fmt::format("{}.frame: wanted: a table", reader_.path()));
      return;
    }
    for (const auto& [name, value] : frames->table()) {
      ElementReader table(reader_.path() + ".frame." + name, value, context_);
      BodyFrame frame;
      frame.offset = out_.origin + table.vector("at", "m").value_or(Vector3{});
      frame.axes = read_axes(table, Skew::refused);
      frame.angle = find_angle(frame.axes);
      table.finish();
      out_.frames.emplace_back(name, frame);
      out_.frame_sources.push_back(value.where);
    }
  }

  ElementReader reader_;
  ReadingContext& context_;
  DrawnBody out_;
  BodyShape shape_;
  Vector3 origin_;
  bool has_origin_ = false;
};

}  // namespace

DrawnBody read_body(const ElementSpec& spec, ReadingContext& context) {
  return BodyReading(spec, context).run();
}

}  // namespace driftless
