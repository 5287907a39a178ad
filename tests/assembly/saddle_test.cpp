// Drawings that only a shift to the side closes: points on one line, or all at one place. There the gradient of what is
// missing vanishes, or points along the line. In the plane and in space, of point masses and rigid bodies, several at once;
// all have dimensions that fit, by the polygon inequality.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless {
namespace {

PreparedModel prepare(const std::string& text) {
  return prepare_model(parse_model(text, "test.toml"), {});
}

/// No length exceeds all others together, not even nearly.
bool can_close(std::vector<double> lengths, double span) {
  lengths.push_back(std::abs(span));
  double sum = 0.0, longest = 0.0;
  for (const double length : lengths) {
    sum += length;
    longest = std::max(longest, length);
  }
  return 1.05 * longest < sum - longest;
}

/// A model whose parts are all drawn on one line, in a random direction through the origin.
class LineDrawing {
 public:
  explicit LineDrawing(unsigned seed) : random_(seed), plane_(draw(0, 1) < 0.5) {
    double squares = 0.0;
    for (int i = 0; i < (plane_ ? 2 : 3); ++i) {
      direction_.push_back(draw(-1, 1));
      squares += direction_.back() * direction_.back();
    }
    for (double& each : direction_) each /= std::sqrt(squares);
    if (draw(0, 1) < 0.5) {  // along an axis: what vanishes, vanishes exactly
      std::fill(direction_.begin(), direction_.end(), 0.0);
      direction_[0] = 1.0;
    }
    text_ = fmt::format("format = \"driftless/1\"\nspace = \"{}\"\ncoordinates = \"{}\"\n",
                        plane_ ? "plane" : "space", draw(0, 1) < 0.5 ? "absolute" : "joint");
    const int parts = 1 + pick(3);
    for (int k = 0; k < parts; ++k) add_part(pick(4));
  }

  const std::string& text() const { return text_; }

 private:
  double draw(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int pick(int count) { return static_cast<int>(draw(0, count)); }

  std::string at(double x) const {
    std::string place;
    for (const double each : direction_)
      place += fmt::format("{}{}", place.empty() ? "[" : ", ", x * each);
    return place + "]";
  }

  std::string add_body(double x, bool is_rigid) {
    const std::string name = fmt::format("b{}", bodies_++);
    const double mass = std::pow(10.0, draw(-1, 1));
    text_ += fmt::format("[body.{}]\nmass = {}\ncentre = {}\n", name, mass, at(x));
    const double inertia = 0.01 * mass;
    text_ += !is_rigid ? "point = true\n"
             : plane_  ? fmt::format("inertia = {}\n", inertia)
                       : fmt::format("inertia = [{0}, {0}, {1}]\n", inertia, 1.2 * inertia);
    return name;
  }

  void add_rod(const std::string& from, double x0, const std::string& to, double x1,
               double length) {
    text_ += fmt::format(
        "[constraint.c{}]\ntype = \"distance\"\nbetween = [\"{}\", \"{}\"]\nat = [{}, {}]\nlength "
        "= "
        "{}\n",
        elements_++, from, to, at(x0), at(x1), length);
  }

  void add_part(int kind) {
    const bool is_rigid = draw(0, 1) < 0.4;
    const double offset = draw(0, 1) < 0.5 ? 0.0 : draw(-3, 3);
    if (kind == 0) {
      add_chain(offset, is_rigid);
    } else if (kind == 1) {
      add_star(offset, is_rigid);
    } else if (kind == 2) {
      const std::string body = add_body(offset, is_rigid);
      text_ += fmt::format(
          "[constraint.c{}]\ntype = \"point_on_circle\"\nbetween = [\"ground\", \"{}\"]\nat = {}\n"
          "radius = {}\n{}",
          elements_++, body, at(offset), draw(0.1, 2),
          plane_ ? ""
                 : fmt::format("axis = [{}, {}, {}]\n", draw(-1, 1), draw(-1, 1), draw(-1, 1)));
    } else {
      add_hinged_rods(offset);
    }
  }

  /// Rods from ground to ground, forth and back along the line, with lengths that do not fit it.
  void add_chain(double offset, bool is_rigid) {
    std::vector<double> places, lengths;
    do {
      places = {offset};
      lengths.clear();
      for (int k = 1 + pick(4); k >= 0; --k) {
        const double way = draw(0.2, 1) * (draw(0, 1) < 0.7 ? 1 : -1);
        places.push_back(places.back() + way);
        lengths.push_back(std::abs(way) * draw(0.7, 1.9));
      }
    } while (!can_close(lengths, places.back() - offset));
    std::string before = "ground";
    for (std::size_t k = 1; k < places.size(); ++k) {
      const std::string body = k + 1 == places.size() ? "ground" : add_body(places[k], is_rigid);
      add_rod(before, places[k - 1], body, places[k], lengths[k - 1]);
      before = body;
    }
  }

  /// All at one place.
  void add_star(double offset, bool is_rigid) {
    std::vector<std::string> names{"ground"};
    for (int k = pick(5); k >= 0; --k) {
      const std::string body = add_body(offset, is_rigid);
      add_rod(names[static_cast<std::size_t>(pick(static_cast<int>(names.size())))], offset, body,
              offset, draw(0.1, 2));
      names.push_back(body);
    }
  }

  /// Rods hinged to each other, the last hinge open along the line.
  void add_hinged_rods(double offset) {
    std::vector<double> places, lengths;
    double span = 0.0;
    do {
      places = {offset};
      lengths.clear();
      for (int k = 1 + pick(3); k >= 0; --k) {
        lengths.push_back(draw(0.3, 1.5));
        places.push_back(places.back() + lengths.back() * (draw(0, 1) < 0.5 ? 1 : -1));
      }
      span = draw(-3, 3);
    } while (!can_close(lengths, span) || std::abs(places.back() - offset - span) < 0.05);
    const bool is_hinge = plane_ || direction_[0] == 1.0;  // else it might turn about the line
    std::string before = "ground";
    for (std::size_t k = 0; k <= lengths.size(); ++k) {
      const bool is_last = k == lengths.size();
      const std::string body =
          is_last ? "ground" : add_body(0.5 * (places[k] + places[k + 1]), true);
      text_ += fmt::format(
          "[joint.j{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\nat = {}\n{}", elements_++,
          is_hinge ? "revolute" : "spherical", before, body,
          is_last ? fmt::format("[{}, {}]", at(places[k]), at(offset + span)) : at(places[k]),
          is_hinge && !plane_ ? "axis = [0, 0, 1]\n" : "");
      before = body;
    }
  }

  std::mt19937_64 random_;
  const bool plane_;
  std::vector<double> direction_;
  std::string text_;
  int bodies_ = 0;
  int elements_ = 0;
};

void expect_closed(unsigned first, unsigned count) {
  for (unsigned seed = first; seed < first + count; ++seed) {
    const LineDrawing drawing(seed);
    const PreparedModel model = prepare(drawing.text());
    ASSERT_TRUE(model.start_report.success) << model.start_report.message << "\n" << drawing.text();
    EXPECT_LE(model.start_report.phi_after, 1e-11) << drawing.text();
  }
}

TEST(Saddles, OfRandomDrawingsAreLeft) { expect_closed(1, 24); }
TEST(LongSaddles, OfRandomDrawingsAreLeft) { expect_closed(1000, 400); }

constexpr const char* kThreeAtOnePlace = R"(
format = "driftless/1"
space = "plane"
body.a = { mass = 1, point = true, centre = [0, 0] }
body.b = { mass = 1, point = true, centre = [0, 0] }
body.c = { mass = 1, point = true, centre = [0, 0] }
constraint.r1 = { type = "distance", between = ["a", "b"], at = [0, 0], length = 0.3 }
constraint.r2 = { type = "distance", between = ["b", "c"], at = [0, 0], length = 0.4 }
constraint.r3 = { type = "distance", between = ["ground", "a"], at = [0, 0], length = 0.5 }
)";

TEST(Saddles, AreLeftInTheSameWayEachTime) {
  const PreparedModel first = prepare(kThreeAtOnePlace), second = prepare(kThreeAtOnePlace);
  ASSERT_TRUE(first.start_report.success) << first.start_report.message;
  EXPECT_EQ(first.start.q, second.start.q);
}

// Not by chance: from the drawing itself, if no other pose is tried.
TEST(Saddles, AreLeftFromTheDrawing) {
  const PreparedModel model = prepare(kThreeAtOnePlace);
  State state = model.start;
  state.q.setZero();
  const StartReport report = make_consistent(model.system(), state, {}, {.max_tries = 1});
  ASSERT_TRUE(report.success) << report.message;
  EXPECT_EQ(report.closed_how, kFromGivenPose);
}

// Of what cannot be closed, the gap is that of the geometry, although the drawing is a saddle.
TEST(Saddles, OfWhatCannotBeClosedTellTheGap) {
  std::string text = kThreeAtOnePlace;
  text += R"(
constraint.r4 = { type = "distance", between = ["ground", "c"], at = [0, 0], length = 1.5 }
)";
  const StartReport report = prepare(text).start_report;
  ASSERT_FALSE(report.success);
  ASSERT_EQ(report.gaps.size(), 1u) << report.message;
  EXPECT_NEAR(report.gaps[0].metres, 1.5 - (0.3 + 0.4 + 0.5), 1e-6) << report.message;
}

// The rod is too long for what is wanted as drawn, but not beside it.
TEST(Saddles, LeavePreferredValuesToRoundOff) {
  for (const double wanted : {1.0, 0.3, -1.7, 1.99}) {
    const PreparedModel model = prepare(fmt::format(R"(
format = "driftless/1"
space = "plane"
body.a = {{ mass = 1, point = true, centre = [0, 0] }}
body.b = {{ mass = 3, point = true, centre = [1, 0] }}
constraint.r = {{ type = "distance", between = ["a", "b"], at = [[0, 0], [1, 0]], length = 2 }}
[start]
a.x = {{ value = 0, priority = "exact" }}
b.x = {{ value = {}, priority = "preferred" }}
)",
                                                    wanted));
    ASSERT_TRUE(model.start_report.success) << model.start_report.message;
    EXPECT_NEAR(model.start.q[0], 0.0, 1e-15);
    EXPECT_NEAR(model.start.q[2], wanted, 1e-14) << wanted;
  }
}

}  // namespace
}  // namespace driftless
