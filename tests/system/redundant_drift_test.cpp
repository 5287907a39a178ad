// Redundant rows where positions drift: at index 2 rows that depend on each other come to contradict each other a little.
// Neither does that lock the mechanism, nor stop a run when other rows are kept.

#include <random>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

std::string write_point(const Eigen::Vector3d& p) {
  return fmt::format("[{}, {}, {}]", p.x(), p.y(), p.z());
}

/// Four revolute joints with one direction, in space: three of the twenty rows are redundant.
std::string make_parallel_hinges(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto draw = [&] { return Eigen::Vector3d(number(random), number(random), number(random)); };
  const Eigen::Vector3d axis = draw().normalized();
  const Eigen::Vector3d along = axis.unitOrthogonal(), across = axis.cross(along);
  const auto place = [&](double x, double y) {
    return Eigen::Vector3d((x + 0.2 * number(random)) * along +
                           (y + 0.2 * number(random)) * across);
  };
  const Eigen::Vector3d points[] = {place(0, 0), place(0.2, 0.8), place(1.6, 1.3), place(1.8, 0)};
  const Eigen::Vector3d gravity = 7.0 * draw();
  std::string text = fmt::format("format = \"driftless/1\"\ngravity = {}\n", write_point(gravity));
  const char* const bodies[] = {"ground", "crank", "coupler", "rocker", "ground"};
  for (std::size_t i = 1; i <= 3; ++i)
    text += fmt::format("[body.{}]\ncentre = {}\nmass = {}\ninertia = [{}, {}, {}]\n", bodies[i],
                        write_point(0.5 * (points[i - 1] + points[i])), 1.8 + 0.8 * number(random),
                        0.38 + 0.06 * number(random), 0.38 + 0.06 * number(random),
                        0.38 + 0.06 * number(random));
  for (std::size_t i = 0; i < 4; ++i)
    text += fmt::format(
        "[joint.{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = {}\naxis = {}\n",
        "ABCD"[i], bodies[i], bodies[i + 1], write_point(points[i]), write_point(axis));
  return text + fmt::format("[start]\nA.rate = {}\n", 2.5 + number(random));
}

TEST(RedundantDrift, LeavesMechanismsFree) {
  for (unsigned seed = 1; seed <= 16; ++seed) {
    const std::string text = make_parallel_hinges(seed);
    for (const char* words : {"index2/ida", "index2/bdf"}) {
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        const Result result = run_text(text, {.method = words,
                                              .tolerance = tolerance,
                                              .until = 1,
                                              .every = 0.25,
                                              .sets = {{"method.rotations", "\"euler\""}}});
        EXPECT_EQ(result.report.status, Status::ok)
            << seed << " " << words << " " << tolerance << ": " << result.report.message;
        EXPECT_LT(result.report.max_energy_error, 3000 * tolerance)
            << seed << " " << words << " " << tolerance;
      }
    }
  }
}

}  // namespace
}  // namespace driftless::trials
