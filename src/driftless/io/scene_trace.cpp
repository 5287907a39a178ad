// Outlines of round bodies, in the picture. A tube has the axis from a to b, seen as d = b - a of length |d|; n ⟂ d,
// |n| = 1. Its end circles are seen as ellipses: half axes r along n and r c along d, c = |axis · toward|. [TUB.1]
// The outline is two lines and the outer half of each ellipse; a half is two Bezier quarters, whose handles are
// k = 4 (√2 - 1)/3 of the half axes long.                                                               [TUB.2]

#include "driftless/io/scene_trace.hpp"

#include <cmath>
#include <initializer_list>

namespace driftless {
namespace {

constexpr double kHandle = 0.5522847498307936;
constexpr int kCoils = 6;
constexpr double kRim =
    0.25;  // nearer to the rim a stripe is not drawn: it is wider than what is seen of it

/// Path text from points: absolute first, then differences of rounded points, so that errors do not add up.
class PathWriter {
 public:
  void move(const Point2& to) { begin('M', 'm', to); }
  void line(const Point2& to) { command('l', {to}); }
  void curve(const Point2& a, const Point2& b, const Point2& to) { command('c', {a, b, to}); }
  void close() {
    text_ += 'z';
    last_ = 'z';
    x_ = start_x_;
    y_ = start_y_;
  }
  std::string take() { return std::move(text_); }

 private:
  void begin(char first, char later, const Point2& to) {
    const long x = std::lround(to.x), y = std::lround(to.y);
    const bool is_first = text_.empty();
    text_ += is_first ? first : later;
    last_ = 'm';
    fresh_ = true;
    number(is_first ? x : x - x_);
    number(is_first ? y : y - y_);
    x_ = start_x_ = x;
    y_ = start_y_ = y;
  }
  void command(char letter, std::initializer_list<Point2> points) {
    if (last_ != letter) {
      text_ += letter;
      fresh_ = true;
    }
    last_ = letter;
    long x = x_, y = y_;
    for (const Point2& point : points) {
      x = std::lround(point.x);
      y = std::lround(point.y);
      number(x - x_);
      number(y - y_);
    }
    x_ = x;
    y_ = y;
  }
  void number(long value) {
    if (!fresh_ && value >= 0) text_ += ' ';
    fresh_ = false;
    text_ += std::to_string(value);
  }

  std::string text_;
  char last_ = 0;
  bool fresh_ = true;
  long x_ = 0, y_ = 0, start_x_ = 0, start_y_ = 0;
};

Point2 add(const Point2& a, double u, const Point2& p, double v, const Point2& q) {
  return {a.x + u * p.x + v * q.x, a.y + u * p.y + v * q.y};
}

/// Half of an ellipse from centre + from, by centre + over, to centre - from.
void append_half(PathWriter& path, const Point2& centre, const Point2& from, const Point2& over) {
  path.curve(add(centre, 1, from, kHandle, over), add(centre, kHandle, from, 1, over),
             add(centre, 0, from, 1, over));
  path.curve(add(centre, -kHandle, from, 1, over), add(centre, -1, from, kHandle, over),
             add(centre, -1, from, 0, over));
}

/// What [TUB.1] needs.
struct Tube {
  Point2 a, b;
  Point2 n, d;       ///< unit vectors in the picture
  double slant = 0;  ///< axis · toward, signed: positive if the end b is nearer
};

Tube find_tube(const Figure& figure, std::span<const BodyPose> poses, const Camera& camera) {
  const Vector3 from = find_place(figure.points[0], poses);
  const Vector3 to = find_place(figure.points[1], poses);
  Tube tube{camera.project(from), camera.project(to), {1, 0}, {0, 1}, 0};
  const double length = norm(to - from);
  if (length > 0) tube.slant = camera.depth((1.0 / length) * (to - from));
  const double dx = tube.b.x - tube.a.x, dy = tube.b.y - tube.a.y;
  const double seen = std::hypot(dx, dy);
  if (seen > 1e-9) {
    tube.d = {dx / seen, dy / seen};
    tube.n = {-tube.d.y, tube.d.x};
  }
  return tube;
}

std::string trace_tube(const Figure& figure, std::span<const BodyPose> poses,
                       const Camera& camera) {
  const Tube tube = find_tube(figure, poses, camera);
  const double r0 = figure.width / 2 * camera.scale(), r1 = figure.end_width / 2 * camera.scale();
  const double c = std::abs(tube.slant);
  const auto times = [](double s, const Point2& p) { return Point2{s * p.x, s * p.y}; };
  PathWriter path;
  path.move(add(tube.a, r0, tube.n, 0, tube.d));
  path.line(add(tube.b, r1, tube.n, 0, tube.d));
  append_half(path, tube.b, times(r1, tube.n), times(r1 * c, tube.d));
  path.line(add(tube.a, -r0, tube.n, 0, tube.d));
  append_half(path, tube.a, times(-r0, tube.n), times(-r0 * c, tube.d));
  path.close();
  return path.take();
}

std::string trace_cap(const Figure& figure, std::span<const BodyPose> poses, const Camera& camera) {
  const Tube tube = find_tube(figure, poses, camera);
  const bool far_end = tube.slant > 0;
  const Point2& centre = far_end ? tube.b : tube.a;
  const double r = (far_end ? figure.end_width : figure.width) / 2 * camera.scale();
  const Point2 n{r * tube.n.x, r * tube.n.y};
  const double c = r * std::abs(tube.slant);
  PathWriter path;
  path.move(add(centre, 1, n, 0, n));
  append_half(path, centre, n, {c * tube.d.x, c * tube.d.y});
  append_half(path, centre, {-n.x, -n.y}, {-c * tube.d.x, -c * tube.d.y});
  path.close();
  return path.take();
}

std::string trace_polygon(const Figure& figure, std::span<const BodyPose> poses,
                          const Camera& camera) {
  std::vector<Point2> corners;
  for (const Anchor& anchor : figure.points)
    corners.push_back(camera.project(find_place(anchor, poses)));
  if (figure.kind == Figure::Kind::face) {
    double area = 0;  // y goes down: negative if it goes round counter-clockwise for the reader
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Point2& p = corners[k];
      const Point2& q = corners[(k + 1) % corners.size()];
      area += p.x * q.y - q.x * p.y;
    }
    if (area >= 0) corners.assign(corners.size(), corners[0]);
  }
  PathWriter path;
  path.move(corners[0]);
  for (std::size_t k = 1; k < corners.size(); ++k) path.line(corners[k]);
  path.close();
  return path.take();
}

Vector3 find_direction(const Anchor& anchor, std::span<const BodyPose> poses) {
  return anchor.body < 0 ? anchor.at
                         : apply(poses[static_cast<std::size_t>(anchor.body)].axes, anchor.at);
}

std::string trace_block(const Figure& figure, std::span<const BodyPose> poses,
                        const Camera& camera) {
  const Point2 centre = camera.project(find_place(figure.points[0], poses));
  const Point2 x = camera.turn(find_direction(figure.points[1], poses));
  const double a = 0.76 * figure.width, b = 0.5 * figure.width;
  const Point2 y{-x.y, x.x};
  PathWriter path;
  path.move(add(centre, -a, x, -b, y));
  path.line(add(centre, a, x, -b, y));
  path.line(add(centre, a, x, b, y));
  path.line(add(centre, -a, x, b, y));
  path.close();
  return path.take();
}

std::string trace_spring(const Figure& figure, std::span<const BodyPose> poses,
                         const Camera& camera) {
  const Tube line = find_tube(figure, poses, camera);
  const double seen = std::hypot(line.b.x - line.a.x, line.b.y - line.a.y);
  const double half = figure.width / 2 * camera.scale();
  PathWriter path;
  path.move(line.a);
  path.line(add(line.a, 0.12 * seen, line.d, 0, line.n));
  for (int k = 0; k < 2 * kCoils; ++k) {
    const double s = 0.12 + 0.76 * (k + 0.5) / (2 * kCoils);
    path.line(add(line.a, s * seen, line.d, k % 2 == 0 ? half : -half, line.n));
  }
  path.line(add(line.a, 0.88 * seen, line.d, 0, line.n));
  path.line(line.b);
  return path.take();
}

/// Strands of a belt round circles of radii r, s about a and b in a plane with the normal n, d the unit vector from a to
/// b, L their distance: a strand touches at a + r m and b ± s m, + of an open belt, where
///   m = c d ± sqrt(1 - c²) n × d,   c = (r ∓ s)/L                                                         [TUB.3]
/// Where one circle holds the other there is none.
std::string trace_belt(const Figure& figure, std::span<const BodyPose> poses,
                       const Camera& camera) {
  const Vector3 a = find_place(figure.points[0], poses), b = find_place(figure.points[1], poses);
  const Vector3 n = find_direction(figure.points[2], poses);
  const double r = figure.width / 2, s = (figure.crossed ? -1 : 1) * figure.end_width / 2;
  Vector3 d = b - a;
  d = d - dot(d, n) * n;
  const double length = norm(d);
  const bool is_there = length > std::abs(r - s);
  PathWriter path;
  for (const double side : {1.0, -1.0}) {
    Vector3 from = a, to = a;
    if (is_there) {
      const double c = (r - s) / length;
      const Vector3 m = (1.0 / length) * (c * d + side * std::sqrt(1 - c * c) * cross(n, d));
      from = a + r * m;
      to = b + s * m;
    }
    path.move(camera.project(from));
    path.line(camera.project(to));
  }
  return path.take();
}

/// A triangle with its tip at the point, and a line of earth below it.
std::string trace_foot(const Figure& figure, std::span<const BodyPose> poses,
                       const Camera& camera) {
  const Point2 tip = camera.project(find_place(figure.points[0], poses));
  const double w = figure.width * camera.scale();
  const auto at = [&](double x, double y) { return Point2{tip.x + x * w, tip.y + y * w}; };
  PathWriter path;
  path.move(at(0, 0));
  path.line(at(0.42, 0.72));
  path.line(at(-0.42, 0.72));
  path.close();
  path.move(at(-0.62, 0.72));
  path.line(at(0.62, 0.72));
  for (const double x : {-0.45, -0.2, 0.05, 0.3, 0.55}) {
    path.move(at(x, 0.72));
    path.line(at(x - 0.16, 0.9));
  }
  return path.take();
}

std::string trace_lines(const Figure& figure, std::span<const BodyPose> poses,
                        const Camera& camera) {
  PathWriter path;
  for (std::size_t k = 0; k + 1 < figure.points.size(); k += 2) {
    path.move(camera.project(find_place(figure.points[k], poses)));
    path.line(camera.project(find_place(figure.points[k + 1], poses)));
  }
  return path.take();
}

std::string trace_stripe(const Figure& figure, std::span<const BodyPose> poses,
                         const Camera& camera) {
  const Anchor& normal = figure.points[2];
  const Vector3 out = apply(poses[static_cast<std::size_t>(normal.body)].axes, normal.at);
  const Point2 from = camera.project(find_place(figure.points[0], poses));
  PathWriter path;
  path.move(from);
  path.line(camera.depth(out) > kRim ? camera.project(find_place(figure.points[1], poses)) : from);
  return path.take();
}

}  // namespace

std::string trace_figure(const Figure& figure, std::span<const BodyPose> poses,
                         const Camera& camera) {
  switch (figure.kind) {
    case Figure::Kind::lines: return trace_lines(figure, poses, camera);
    case Figure::Kind::polygon:
    case Figure::Kind::face: return trace_polygon(figure, poses, camera);
    case Figure::Kind::tube: return trace_tube(figure, poses, camera);
    case Figure::Kind::cap: return trace_cap(figure, poses, camera);
    case Figure::Kind::stripe: return trace_stripe(figure, poses, camera);
    case Figure::Kind::spring: return trace_spring(figure, poses, camera);
    case Figure::Kind::belt: return trace_belt(figure, poses, camera);
    case Figure::Kind::block: return trace_block(figure, poses, camera);
    case Figure::Kind::foot: return trace_foot(figure, poses, camera);
    case Figure::Kind::dot: break;
  }
  const Point2 at = camera.project(find_place(figure.points[0], poses));
  return std::to_string(std::lround(at.x)) + " " + std::to_string(std::lround(at.y));
}

}  // namespace driftless
