#include "driftless/io/animated_svg.hpp"

#include <cmath>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/io/scene_camera.hpp"
#include "driftless/io/scene_trace.hpp"

namespace driftless {
namespace {

using std::numbers::pi;

SceneShape make_rod(double length) {
  SceneShape shape;
  shape.kind = "rod";
  shape.from = {-length / 2, 0, 0};
  shape.to = {length / 2, 0, 0};
  return shape;
}

SceneBody make_body(const std::string& name, const SceneShape& shape) {
  SceneBody body;
  body.name = name;
  body.shape = shape;
  return body;
}

SceneElement make_hinge(const std::string& name, int first, const Vector3& at, int second,
                        const Vector3& there) {
  SceneElement element;
  element.kind = "joint";
  element.name = name;
  element.type = "revolute";
  element.frames = {{first, at}, {second, there}};
  return element;
}

/// A crank of 0.7 m that turns at 1.3 rad/s, and a rod of 1.1 m on its end that turns at -0.4 rad/s.
struct TwoRods {
  Scene scene;
  Result result;

  explicit TwoRods(double until, double every = 0.05) {
    scene.plane = true;
    scene.gravity = {0, -9.81, 0};
    scene.bodies = {make_body("crank", make_rod(0.7)), make_body("rod", make_rod(1.1))};
    scene.elements = {make_hinge("A", -1, {0.2, 0.1, 0}, 0, {-0.35, 0, 0}),
                      make_hinge("B", 0, {0.35, 0, 0}, 1, {-0.55, 0, 0})};
    for (const char* name :
         {"t", "crank.x", "crank.y", "crank.angle", "rod.x", "rod.y", "rod.angle"})
      result.columns.push_back({name, ""});
    for (double t = 0; t < until + every / 2; t += every) {
      const double a = 0.3 + 1.3 * t, b = 2.0 - 0.4 * t;
      result.data.insert(result.data.end(), {t, 0.2 + 0.35 * std::cos(a), 0.1 + 0.35 * std::sin(a),
                                             a, 0.2 + 0.7 * std::cos(a) + 0.55 * std::cos(b),
                                             0.1 + 0.7 * std::sin(a) + 0.55 * std::sin(b), b});
    }
  }
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

/// All lists `values="..."` of what animates an attribute, in the file's order.
std::vector<std::vector<std::string>> find_values(const std::string& svg, const std::string& name) {
  std::vector<std::vector<std::string>> lists;
  for (std::size_t at = svg.find("attributeName=\"" + name + "\""); at != std::string::npos;
       at = svg.find("attributeName=\"" + name + "\"", at + 1)) {
    const std::size_t begin = svg.find("values=\"", at) + 8;
    lists.push_back(split(svg.substr(begin, svg.find('"', begin) - begin), ';'));
  }
  return lists;
}

/// "M1 2l3-4" -> 1, 2, 3, -4
std::vector<double> read_numbers(const std::string& path) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < path.size();) {
    if (path[k] != '-' && (path[k] < '0' || path[k] > '9')) {
      ++k;
      continue;
    }
    std::size_t used = 0;
    numbers.push_back(std::stod(path.substr(k), &used));
    k += used;
  }
  return numbers;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// Every element that is opened is closed, in order.
void expect_balanced(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    const std::string name =
        tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST(AnimatedSvg, RodsKeepTheirLengthAndTheirJoint) {
  const TwoRods model(6);
  AnimationOptions options;
  options.seconds = 5;
  const Animation animation = make_animated_svg(model.scene, model.result, options);
  EXPECT_EQ(animation.poses, 125);
  const auto paths = find_values(animation.svg, "d");
  ASSERT_EQ(paths.size(), 2U);  // crank and rod; the foot and its joint are at rest
  ASSERT_EQ(paths[0].size(), 126U);
  double scale = 0;
  for (std::size_t k = 0; k < paths[0].size(); ++k) {
    const std::vector<double> crank = read_numbers(paths[0][k]), rod = read_numbers(paths[1][k]);
    ASSERT_EQ(crank.size(), 4U);
    ASSERT_EQ(rod.size(), 4U);
    EXPECT_NEAR(crank[0] + crank[2], rod[0], 1.01);  // in tenths of a pixel
    EXPECT_NEAR(crank[1] + crank[3], rod[1], 1.01);
    if (k == 0) scale = std::hypot(crank[2], crank[3]) / 0.7;
    EXPECT_NEAR(std::hypot(crank[2], crank[3]), 0.7 * scale, 2.5);
    EXPECT_NEAR(std::hypot(rod[2], rod[3]), 1.1 * scale, 4);
    const double angle = 0.3 + 1.3 * 5.0 * static_cast<double>(k) / 125;
    EXPECT_NEAR(crank[2], 0.7 * scale * std::cos(angle), 4);
    EXPECT_NEAR(crank[3], -0.7 * scale * std::sin(angle), 4) << "y goes down in a picture";
  }
}

TEST(AnimatedSvg, IsOneCleanFile) {
  const TwoRods model(3);
  AnimationOptions options;
  options.title = "a <b> & \"c\"";
  options.trails = {"B", "rod"};
  const std::string svg = make_animated_svg(model.scene, model.result, options).svg;
  expect_balanced(svg);
  EXPECT_EQ(count(svg, "nan"), 0U);
  EXPECT_EQ(count(svg, "script"), 0U);
  EXPECT_EQ(count(svg, "http"), 1U) << "the namespace, and nothing to load";
  EXPECT_NE(svg.find("a &lt;b&gt; &amp;"), std::string::npos);
  EXPECT_EQ(count(svg, "class=\"comet\""), 2U);
}

TEST(AnimatedSvg, ShowsAStillPoseToThoseWhoPreferReducedMotion) {
  const TwoRods model(3);
  const std::string svg = make_animated_svg(model.scene, model.result, {}).svg;
  EXPECT_NE(svg.find("prefers-reduced-motion:reduce){.moving{display:none}.still{display:inline}}"),
            std::string::npos);
  const std::size_t still = svg.find("<g class=\"still\" display=\"none\"");
  ASSERT_NE(still, std::string::npos);
  EXPECT_EQ(svg.find("<animate", still), std::string::npos);
  EXPECT_NE(svg.find("<use ", still), std::string::npos);
}

TEST(AnimatedSvg, PlaysAPeriodWithoutASeam) {
  TwoRods model(10 * pi, 0.01);
  for (std::size_t k = 0; k < model.result.row_count(); ++k) model.result.data[7 * k + 6] = 0.0;
  AnimationOptions options;
  options.seconds = 2 * pi / 1.3;
  model.scene.bodies[1].shape = {};
  model.scene.elements.pop_back();
  for (std::size_t k = 0; k < model.result.row_count(); ++k) {
    model.result.data[7 * k + 4] = 0.0;
    model.result.data[7 * k + 5] = 0.0;
  }
  const Animation whole = make_animated_svg(model.scene, model.result, options);
  EXPECT_TRUE(whole.closed);
  EXPECT_TRUE(find_values(whole.svg, "opacity").empty());
  const auto paths = find_values(whole.svg, "d");
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_EQ(paths[0].front(), paths[0].back());
  options.seconds /= 2;
  const Animation half = make_animated_svg(model.scene, model.result, options);
  EXPECT_FALSE(half.closed);
  EXPECT_EQ(find_values(half.svg, "opacity").size(), 1U);
}

TEST(AnimatedSvg, StaysSmall) {
  const TwoRods model(10);
  AnimationOptions options;
  options.max_bytes = 9000;
  const Animation animation = make_animated_svg(model.scene, model.result, options);
  EXPECT_LE(animation.svg.size(), 9000U);
  EXPECT_LT(animation.poses, 250);
  EXPECT_GT(animation.poses, 20);
}

TEST(AnimatedSvg, SlowsDownWhatIsOverTooSoon) {
  const TwoRods model(0.04, 0.002);
  const Animation animation = make_animated_svg(model.scene, model.result, {});
  EXPECT_DOUBLE_EQ(animation.speed, 0.01);
  EXPECT_NE(animation.svg.find("slowed down 100 times"), std::string::npos);
}

template <class Function>
std::string find_message(Function function) {
  try {
    function();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(AnimatedSvg, SaysWhatTheRunDoesNotHave) {
  const TwoRods model(3);
  const auto try_with = [&](auto change) {
    AnimationOptions options;
    change(options);
    return find_message([&] { make_animated_svg(model.scene, model.result, options); });
  };
  EXPECT_NE(try_with([](auto& o) { o.from = 4; }).find("from 0 to 3 s"), std::string::npos);
  EXPECT_NE(try_with([](auto& o) { o.from = 1, o.seconds = 2.5; }).find("has 2 s"),
            std::string::npos);
  EXPECT_NE(try_with([](auto& o) { o.trails = {"rob"}; }).find("did you mean 'rod'"),
            std::string::npos);
  EXPECT_NE(try_with([](auto& o) { o.view = "top"; }).find("seen from the front"),
            std::string::npos);
  EXPECT_NE(try_with([](auto& o) { o.view = "tap"; }).find("did you mean 'top'"),
            std::string::npos);
}

TEST(SceneView, IsRightHandedWithGravityDown) {
  Scene scene;
  for (const Vector3& gravity : {Vector3{0, 0, -9.81}, {0, -9.81, 0}, {0, 0, 0}, {1, -2, -7}}) {
    scene.gravity = gravity;
    for (const std::string& word : all_views()) {
      const View view = find_view(scene, word);
      EXPECT_NEAR(norm(cross(view.right, view.up) - view.toward), 0, 1e-12) << word;
      EXPECT_NEAR(dot(view.right, view.up), 0, 1e-12) << word;
      EXPECT_NEAR(norm(view.right), 1, 1e-12) << word;
      if (word == "top") continue;
      EXPECT_LE(dot(view.up, gravity), 0) << word;
      EXPECT_NEAR(dot(view.right, gravity), 0, 1e-12) << word;
    }
  }
}

/// The ends of a tube that is seen along its axis are circles, one that lies across is a rectangle.
TEST(SceneTrace, SeesTubesFromAllSides) {
  const View view{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Camera camera(view, {-1, -1}, {1, 1}, 100);
  Figure tube;
  tube.kind = Figure::Kind::tube;
  tube.width = tube.end_width = 0.4;
  const double r = 0.2 * camera.scale();
  const auto extent = [&](const Vector3& to) {
    tube.points = {{-1, {}}, {-1, to}};
    const std::vector<double> numbers = read_numbers(trace_figure(tube, {}, camera));
    double x = numbers[0], y = numbers[1], low_x = x, high_x = x, low_y = y, high_y = y;
    const auto visit = [&](double px, double py) {
      low_x = std::min(low_x, px), high_x = std::max(high_x, px);
      low_y = std::min(low_y, py), high_y = std::max(high_y, py);
    };
    // M, l, 2 c, l, 2 c: only the ends of the curves are on the outline.
    const auto line = [&](std::size_t k) { visit(x += numbers[k], y += numbers[k + 1]); };
    line(2), line(8), line(14), line(16), line(22), line(28);
    return std::pair{high_x - low_x, high_y - low_y};
  };
  const auto [along_x, along_y] = extent({0, 0, 0.5});
  EXPECT_NEAR(along_x, 2 * r, 2);
  EXPECT_NEAR(along_y, 2 * r, 2);
  const auto [across_x, across_y] = extent({0.5, 0, 0});
  EXPECT_NEAR(across_x, 0.5 * camera.scale(), 2);
  EXPECT_NEAR(across_y, 2 * r, 2);
  const auto [slant_x, slant_y] = extent({0.3, 0, 0.4});  // the ends are seen as 4/5 of a circle
  EXPECT_NEAR(slant_x, 0.3 * camera.scale() + 2 * 0.8 * r, 2);
  EXPECT_NEAR(slant_y, 2 * r, 2);
}

/// Strands touch both wheels: both on the same side of an open belt, on opposite ones of a crossed belt.
TEST(SceneTrace, BeltsTouchTheirPulleys) {
  const View view{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Camera camera(view, {-3, -3}, {3, 3}, 1000);
  const Vector3 a{-1.3, 0.4, 0}, b{1.1, -0.9, 0};
  Figure belt;
  belt.kind = Figure::Kind::belt;
  belt.points = {{-1, a}, {-1, b}, {-1, {0, 0, 1}}};
  belt.width = 1.4;
  belt.end_width = 0.5;
  for (const bool crossed : {false, true}) {
    belt.crossed = crossed;
    const std::vector<double> numbers = read_numbers(trace_figure(belt, {}, camera));
    ASSERT_EQ(numbers.size(), 8U);
    double x = 0, y = 0;
    for (std::size_t strand = 0; strand < 8; strand += 4) {
      x += numbers[strand], y += numbers[strand + 1];
      const double dx = numbers[strand + 2], dy = numbers[strand + 3], length = std::hypot(dx, dy);
      const auto beside = [&](const Vector3& centre) {
        const Point2 at = camera.project(centre);
        return (dx * (at.y - y) - dy * (at.x - x)) / length / camera.scale();
      };
      EXPECT_NEAR(std::abs(beside(a)), 0.7, 1e-3);
      EXPECT_NEAR(std::abs(beside(b)), 0.25, 1e-3);
      EXPECT_EQ(beside(a) * beside(b) < 0, crossed);
      x += dx, y += dy;
    }
  }
  belt.width = 9;  // one wheel in the other
  const std::vector<double> none = read_numbers(trace_figure(belt, {}, camera));
  EXPECT_EQ(none[2], 0);
  EXPECT_EQ(none[3], 0);
}

TEST(SceneTrace, DrawsTheFacesThatAreTurnedToTheReader) {
  const View view{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Camera camera(view, {-1, -1}, {1, 1}, 100);
  Figure face;
  face.kind = Figure::Kind::face;
  face.points = {{-1, {0, 0, 0}}, {-1, {0.5, 0, 0}}, {-1, {0.5, 0.3, 0}}};
  const std::string seen = trace_figure(face, {}, camera);
  std::swap(face.points[1], face.points[2]);
  const std::string hidden = trace_figure(face, {}, camera);
  EXPECT_NE(read_numbers(seen)[2], 0);
  EXPECT_EQ(read_numbers(hidden)[2], 0);
  EXPECT_EQ(read_numbers(hidden)[3], 0);
}

}  // namespace
}  // namespace driftless
