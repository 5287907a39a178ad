// A rhombus drawn folded, all links on each other, at rest: two motions cross there, and the pose does not say which one
// begins. Whatever is chosen must not depend on how the world is turned nor on the coordinates.

#include <array>
#include <random>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless::crossing {
namespace {

using Point = Eigen::Vector3d;

std::string write(const Point& p) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", p[0], p[1], p[2]);
}

std::string make_folded(unsigned seed, const char* coordinates) {
  std::mt19937_64 random(seed);
  Eigen::Vector4d q;
  for (double& each : q) each = std::normal_distribution<double>()(random);
  const Eigen::Quaterniond turn =
      seed == 0 ? Eigen::Quaterniond::Identity() : Eigen::Quaterniond(q.normalized());
  std::string text = fmt::format("format = \"driftless/1\"\ncoordinates = \"{}\"\ngravity = {}\n",
                                 coordinates, write(turn * Point(0, -9.81, 0)));
  const std::array<Point, 4> at{Point::Zero(), turn * Point(1, 0, 0), Point::Zero(),
                                turn * Point(1, 0, 0)};
  const std::array<const char*, 5> bodies{"ground", "crank", "coupler", "rocker", "ground"};
  const std::array<double, 3> masses{1.3, 2.7, 1.9};
  for (std::size_t k = 0; k < 3; ++k)
    text += fmt::format("[body.{}]\ncylinder = [{}, {}]\nradius = 0.02\nmass = {}\n", bodies[k + 1],
                        write(at[k]), write(at[k + 1]), masses[k]);
  for (std::size_t k = 0; k < 4; ++k)
    text += fmt::format(
        "[joint.J{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = {}\naxis = {}\n", k,
        bodies[k], bodies[k + 1], write(at[k]), write(turn * Point(0, 0, 1)));
  return text + "[method]\nstep = 0.002\n";
}

TEST(CrossingBranches, AreLeftAlikeHoweverTheWorldIsTurned) {
  for (unsigned seed = 0; seed <= 6; ++seed) {
    for (const char* coordinates : {"absolute", "joint"}) {
      SCOPED_TRACE(fmt::format("seed {} {}", seed, coordinates));
      const ModelFile file = parse_model(make_folded(seed, coordinates), "test.toml");
      PreparedModel model = prepare_model(file, {.until = 0.3, .every = 0.01});
      EXPECT_TRUE(model.start_report.success);
      const CheckReport report = check_system(model.system(), model.start);
      EXPECT_EQ(report.dof, 2);
      EXPECT_EQ(report.dof_beside, 1);
      const Result result = run_prepared(model, prepare_method(file, model, {}), model.options);
      ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
      EXPECT_EQ(result.report.dof, 2);
      const auto find_last = [&](const char* name) {
        return result.row(result.row_count() -
                          1)[static_cast<std::size_t>(result.find_column(name))];
      };
      // Coupler and rocker swing together about the end of the crank. A pendulum from the horizontal is at 0.6525 after
      // 0.3 s; the runs are 0.006 behind, as their first steps lie between the branches.
      EXPECT_NEAR(find_last("J0.angle"), 0.0, 1e-6);
      EXPECT_NEAR(find_last("J1.angle"), 0.648, 0.003);
    }
  }
}

}  // namespace
}  // namespace driftless::crossing
