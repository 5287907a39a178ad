// Small bodies beside large ones (system/drawn_rank.hpp, [DRW.8] to [DRW.10]): degrees of freedom, redundant rows and which
// reactions are unique depend neither on the unit of length, nor on a body that has nothing to do with a mechanism, nor on
// the one that carries it.

#include <array>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/assembly/draw.hpp"

namespace driftless::local_sizes {
namespace {

using testing::Draw;
using Point = Eigen::Vector3d;

std::string write(const Point& p) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", p[0], p[1], p[2]);
}

std::string write_head(const char* coordinates) {
  return fmt::format("format = \"driftless/1\"\ncoordinates = \"{}\"\n", coordinates);
}

std::string write_body(const std::string& name, const Point& from, const Point& to, double mass) {
  return fmt::format("[body.{}]\ncylinder = [{}, {}]\nradius = {:.3g}\nmass = {:.6g}\n", name,
                     write(from), write(to), 0.05 * (to - from).norm(), mass);
}

std::string write_joint(const std::string& name, const char* type, const std::string& one,
                        const std::string& other, const Point& at, const Point& axis) {
  std::string text = fmt::format("[joint.{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\nat = {}\n",
                                 name, type, one, other, write(at));
  return std::string(type) == "spherical" ? text : text + "axis = " + write(axis) + "\n";
}

/// A plane four-bar of this size in space: 20 rows, of which 3 are redundant, and 1 degree of freedom.
std::string write_four_bar(Draw& draw, double size, const Point& at, const Eigen::Quaterniond& turn,
                           const std::string& base) {
  const Point z = turn * Point(0, 0, 1);
  std::array<Point, 4> p{Point(0, 0, 0), Point(0.1, 0.5, 0), Point(1.1, 0.9, 0),
                         Point(1.3, -0.2, 0)};
  for (Point& each : p)
    each = at + turn * (size * (each + Point(draw.between(-0.1, 0.1), draw.between(-0.1, 0.1), 0)));
  std::string text;
  const std::array<std::string, 5> bodies{base, "crank", "coupler", "rocker", base};
  for (std::size_t k = 0; k < 3; ++k)
    text += write_body(bodies[k + 1], p[k], p[k + 1], 100 * size * size * draw.between(0.5, 2));
  for (std::size_t k = 0; k < 4; ++k)
    text += write_joint(fmt::format("J{}", k), "revolute", bodies[k], bodies[k + 1], p[k], z);
  return text;
}

struct Found {
  int dof = 0, redundant = 0, run_dof = 0;
  std::size_t not_unique = 0;
  bool runs = false;
  std::string why;
};

Found look_at(const std::string& text, double until) {
  const ModelFile file = parse_model(text, "test.toml");
  PreparedModel model = prepare_model(file, {.until = until, .every = until});
  const CheckReport report = check_system(model.system(), model.start);
  const Result result = run_prepared(model, prepare_method(file, model, {}), model.options);
  return {report.dof,
          report.rows - report.rank,
          result.report.dof,
          report.not_unique.size(),
          model.start_report.success && result.report.status == Status::ok,
          result.report.message};
}

constexpr std::array<const char*, 2> kCoordinates{"absolute", "joint"};

TEST(LocalSizes, AFourBarDoesNotFeelTheBoomBesideItOrBeneathIt) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    for (const char* coordinates : kCoordinates) {
      Draw draw(seed);
      const double size = std::pow(10.0, draw.between(-3.5, 0));
      const double boom = std::pow(10.0, draw.between(1, 3));
      const Eigen::Quaterniond turn = draw.turn();
      const Point away = turn * Point(boom, 0, 0), axis = turn * Point(0, 0, 1);
      Draw of_linkage = draw;
      const auto write_with = [&](const std::string& base, bool has_boom) {
        Draw same = of_linkage;
        std::string text = write_head(coordinates);
        if (has_boom)
          text += write_body("boom", Point::Zero(), away, 500) +
                  write_joint("JO", "revolute", "ground", "boom", Point::Zero(), axis);
        return text + write_four_bar(same, size, 0.3 * away, turn, base);
      };
      const double until = 1e-3 * std::sqrt(size);
      const Found alone = look_at(write_with("ground", false), until);
      EXPECT_EQ(alone.dof, 1);
      for (const std::string base : {"ground", "boom"}) {
        SCOPED_TRACE(fmt::format("{} on {}, {:.2g} m and {:.2g} m", coordinates, base, size, boom));
        const Found found = look_at(write_with(base, true), until);
        EXPECT_EQ(found.dof, 2);
        EXPECT_EQ(found.run_dof, 2);
        EXPECT_EQ(found.redundant, alone.redundant);
        EXPECT_TRUE(found.runs) << found.why;
        if (base == "ground") {
          EXPECT_EQ(found.not_unique, alone.not_unique);
        }
      }
    }
  }
}

TEST(LocalSizes, TwoBallsThatAreCloseMakeAHingeOfAnyLongBoom) {
  for (const double length : {0.1, 10.0, 1000.0}) {
    for (const char* coordinates : kCoordinates) {
      SCOPED_TRACE(fmt::format("{} {}", length, coordinates));
      Draw draw(7);
      const Eigen::Quaterniond turn = draw.turn();
      const Point end = turn * Point(length, 0.1 * length, 0), other = turn * Point(0, 0, 1e-3);
      const Found found = look_at(
          write_head(coordinates) + write_body("boom", Point::Zero(), end, 77) +
              write_joint("S1", "spherical", "ground", "boom", Point::Zero(), Point::Zero()) +
              write_joint("S2", "spherical", "ground", "boom", other, Point::Zero()),
          0.01);
      EXPECT_EQ(found.dof, 1);
      EXPECT_EQ(found.run_dof, 1);
      EXPECT_EQ(found.redundant, 1);
      EXPECT_TRUE(found.runs) << found.why;
    }
  }
}

// Orientation goes through small bodies: through the cross of a cardan joint, its hinges drawn a little apart, and through
// links from which a beam hangs.
TEST(LocalSizes, LargeBodiesAreHeldThroughSmallOnes) {
  for (const double apart : {0.0, 1e-9, 1e-6, 1e-4}) {
    for (const char* coordinates : kCoordinates) {
      SCOPED_TRACE(fmt::format("{} {}", apart, coordinates));
      Draw draw(3);
      const Eigen::Quaterniond turn = draw.turn();
      const auto at = [&](double x, double y, double z) { return turn * Point(x, y, z); };
      std::string text = write_head(coordinates) + write_body("a", at(-8, 0, 0), at(0, 0, 0), 30) +
                         write_body("b", at(0, 0, 0), at(7, 0, 3), 20);
      text += fmt::format("[body.cross]\nmass = 0.1\ncentre = {}\ninertia = [1e-3, 1e-3, 1e-3]\n",
                          write(at(0, 0, 0)));
      text +=
          write_joint("JA", "revolute", "ground", "a", at(-8, 0, 0), at(1, 0, 0)) +
          write_joint("J1", "revolute", "a", "cross", at(0, apart, 0), at(0, 1, 0)) +
          write_joint("J2", "revolute", "cross", "b", apart * at(0.3, 0, -0.7), at(0.3, 0, -0.7)) +
          write_joint("JB", "cylindrical", "b", "ground", at(7, 0, 3), at(0.7, 0, 0.3));
      const Found found = look_at(text, 1e-3);
      EXPECT_EQ(found.dof, 1);
      EXPECT_EQ(found.run_dof, 1);
      EXPECT_EQ(found.redundant, 2) << "all axes meet in one point";
    }
  }
  for (const double link : {1.0, 1e-3, 1e-4}) {
    for (const char* coordinates : kCoordinates) {
      SCOPED_TRACE(fmt::format("links of {} m, {}", link, coordinates));
      Draw draw(4);
      const Eigen::Quaterniond turn = draw.turn();
      const Point z = turn * Point(0, 0, 1), x = turn * Point(20, 0, 0);
      const Point up = turn * Point(0.2 * link, link, 0);
      const std::string text = write_head(coordinates) + write_body("one", up, Point::Zero(), 1) +
                               write_body("beam", Point::Zero(), x, 400) +
                               write_body("two", x, x + up, 1) +
                               write_joint("J0", "revolute", "ground", "one", up, z) +
                               write_joint("J1", "revolute", "one", "beam", Point::Zero(), z) +
                               write_joint("J2", "revolute", "beam", "two", x, z) +
                               write_joint("J3", "revolute", "two", "ground", x + up, z);
      const Found found = look_at(text, 1e-4 * std::sqrt(link));
      EXPECT_EQ(found.dof, 1);
      EXPECT_EQ(found.run_dof, 1);
      EXPECT_EQ(found.redundant, 3);
      EXPECT_TRUE(found.runs) << found.why;
    }
  }
}

/// Two hinges and two ball joints: nothing is redundant, and the pose is far from a singular one.
std::string write_spatial(const char* coordinates, const Eigen::Quaterniond& turn,
                          const std::array<double, 3>& masses, double radius) {
  std::array<Point, 4> p{Point(0, 0, 0), Point(0.1, 0.83, 0.2), Point(1.9, 2.13, 0.7),
                         Point(2.47, -0.11, 1.3)};
  for (Point& each : p) each = turn * each;
  std::string text = write_head(coordinates);
  const std::array<std::string, 5> bodies{"ground", "crank", "coupler", "rocker", "ground"};
  for (std::size_t k = 0; k < 3; ++k)
    text += fmt::format("[body.{}]\ncylinder = [{}, {}]\nradius = {}\nmass = {}\n", bodies[k + 1],
                        write(p[k]), write(p[k + 1]), radius, masses[k]);
  const std::array<Point, 4> axes{Point(0, 0.2, 1), Point::Zero(), Point::Zero(),
                                  Point(0.6, 0.1, 1)};
  for (std::size_t k = 0; k < 4; ++k)
    text += write_joint(fmt::format("J{}", k), k % 3 == 0 ? "revolute" : "spherical", bodies[k],
                        bodies[k + 1], p[k], turn * axes[k]);
  return text;
}

CheckReport check(const std::string& text) {
  const ModelFile file = parse_model(text, "test.toml");
  const PreparedModel model = prepare_model(file, {.until = 1.0, .every = 1.0});
  EXPECT_TRUE(model.start_report.success);
  return check_system(model.system(), model.start);
}

bool warns_of_singular_pose(const CheckReport& report) {
  for (const std::string& warning : report.warnings)
    if (warning.find("close to a singular pose") != std::string::npos) return true;
  return false;
}

TEST(NearSingularPoses, AreGeometryAndNotMasses) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Draw draw(seed);
    const Eigen::Quaterniond turn = draw.turn();
    const double expected = check(write_spatial("absolute", turn, {1, 1, 1}, 0.03)).smallest_pivot;
    EXPECT_GT(expected, 0.01);
    std::array<double, 3> masses{};
    for (double& mass : masses) mass = std::pow(10.0, draw.between(-3, 3));
    const double radius = std::pow(10.0, draw.between(-5, -1.5));
    for (const char* coordinates : kCoordinates) {
      SCOPED_TRACE(fmt::format("{} masses {:.1e} {:.1e} {:.1e} radius {:.1e}", coordinates,
                               masses[0], masses[1], masses[2], radius));
      const CheckReport report = check(write_spatial(coordinates, turn, masses, radius));
      EXPECT_NEAR(report.smallest_pivot, expected, 1e-6);
      EXPECT_FALSE(warns_of_singular_pose(report));
      EXPECT_EQ(report.dof, 2);
    }
  }
}

TEST(LocalSizes, SmallBodiesThatCarryLargeOnesHaveInertia) {
  for (const double small : {1e-2, 1e-4, 1e-5}) {
    for (const char* coordinates : kCoordinates) {
      SCOPED_TRACE(fmt::format("{} {}", coordinates, small));
      const Point end = small * Point(0.6, 0.8, 0.1), far(10, 5, 2);
      const CheckReport report =
          check(write_head(coordinates) + write_body("crank", Point::Zero(), end, 1e-3) +
                write_body("beam", end, far, 50) +
                write_joint("J0", "revolute", "ground", "crank", Point::Zero(), Point(0, 0.2, 1)) +
                write_joint("J1", "spherical", "crank", "beam", end, Point::Zero()));
      EXPECT_TRUE(report.mass_definite);
      EXPECT_TRUE(report.errors.empty());
      EXPECT_EQ(report.dof, 4);
    }
  }
}

TEST(NearSingularPoses, AreToldOfInBothCoordinates) {
  for (const double beside : {3e-2, 1e-4}) {
    for (const char* coordinates : kCoordinates) {
      SCOPED_TRACE(fmt::format("{} {}", coordinates, beside));
      const Eigen::Quaterniond turn = Draw(5).turn();
      const Point z = turn * Point(0, 0, 1);
      const std::array<Point, 4> p{turn * Point(0, 0, 0), turn * Point(0.7, 0, 0),
                                   turn * Point(2.4, beside, 0), turn * Point(3.1, 0, 0)};
      std::string text = write_head(coordinates);
      const std::array<std::string, 5> bodies{"ground", "crank", "coupler", "rocker", "ground"};
      for (std::size_t k = 0; k < 3; ++k) text += write_body(bodies[k + 1], p[k], p[k + 1], 1.0);
      for (std::size_t k = 0; k < 4; ++k)
        text += write_joint(fmt::format("J{}", k), "revolute", bodies[k], bodies[k + 1], p[k], z);
      const CheckReport report = check(text);
      EXPECT_EQ(warns_of_singular_pose(report), beside < 1e-3);
      EXPECT_EQ(report.dof, 1);
    }
  }
}

}  // namespace
}  // namespace driftless::local_sizes
