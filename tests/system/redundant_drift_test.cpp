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

/// Windows side by side, all hinges with one direction in space: of each window three rows are redundant.
std::string make_hinged_windows(int count, Eigen::Vector3d axis = {0.3, 0.5, 0.8}) {
  axis.normalize();
  const Eigen::Vector3d along = axis.unitOrthogonal(), across = axis.cross(along);
  const auto write_hinge = [&](const std::string& name, const std::string& first,
                               const std::string& second, const std::string& at) {
    return fmt::format(
        "[joint.{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = \"{}\"\naxis = {}\n",
        name, first, second, at, write_point(axis));
  };
  std::string points = "[points]\n", rest;
  for (int k = 0; k <= count; ++k) {
    points += fmt::format("A{0} = {1}\nB{0} = {2}\n", k, write_point(k * along),
                          write_point((k + 0.3) * along + across));
    const std::string crank = fmt::format("crank{}", k);
    rest += fmt::format("[body.{0}]\ncylinder = [\"A{1}\", \"B{1}\"]\nradius = 0.03\nmass = {2}\n",
                        crank, k, 1.0 + 0.1 * (k % 7));
    rest += write_hinge(fmt::format("A{}", k), "ground", crank, fmt::format("A{}", k));
    if (k == 0) continue;
    const std::string coupler = fmt::format("coupler{}", k);
    rest += fmt::format("[body.{0}]\ncylinder = [\"B{1}\", \"B{2}\"]\nradius = 0.03\nmass = 1\n",
                        coupler, k - 1, k);
    rest += write_hinge(fmt::format("left{}", k), fmt::format("crank{}", k - 1), coupler,
                        fmt::format("B{}", k - 1));
    rest += write_hinge(fmt::format("right{}", k), crank, coupler, fmt::format("B{}", k));
  }
  return fmt::format("format = \"driftless/1\"\ngravity = {}\n", write_point(-9.81 * across)) +
         points + rest + "[start]\nA0.rate = -1\n";
}

// index1 asks for directions down to 1e-10, which the squares in a large engine do not show: what rounding left of redundant
// rows passed for their own, velocities stayed open by 5e-8 behind a projection, and without one energy was lost.
TEST(RedundantDrift, IsAsSmallInManyRowsAsInFew) {
  const auto run = [](int windows, const char* words) {
    const Result result = run_text(make_hinged_windows(windows),
                                   {.method = words, .step = 0.005, .until = 1.0, .every = 0.5});
    EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
    return result.report;
  };
  const Report few = run(2, "index1/rk4"), many = run(20, "index1/rk4");
  EXPECT_EQ(many.rows - many.rank, 60);
  EXPECT_LT(many.max_phi, 10.0 * few.max_phi);
  EXPECT_LT(many.max_energy_error, 30.0 * few.max_energy_error);
  const Report projected = run(20, "index1/rk4/project");
  EXPECT_LT(projected.max_phi, 1e-10);
  EXPECT_LT(projected.max_phi_dot, 1e-11);
}

// [SPA.7]: rows stand along x, y, z. With an axis nearly across z the row along z is not the one to leave out: what it missed
// grew from window to window, joints came open, and steps shrank.
TEST(RedundantDrift, IsAsSmallWhateverTheAxis) {
  for (const Eigen::Vector3d& axis :
       {Eigen::Vector3d(0.9, -0.4, 0.02), Eigen::Vector3d(0.02, 0.9, -0.4),
        Eigen::Vector3d(-0.4, 0.02, 0.9), Eigen::Vector3d(1.0, 0.0, 0.01)}) {
    for (const char* words :
         {"braun_goldfarb/dop853", "braun_goldfarb/rk4", "udwadia_kalaba/rk4/project"}) {
      SCOPED_TRACE(::testing::Message() << axis.transpose() << ", " << words);
      Trial trial{.method = words, .until = 1.0, .every = 0.5};
      const bool adapts = trial.method.ends_with("853");
      (adapts ? trial.tolerance : trial.step) = adapts ? 1e-10 : 0.01;
      const Report report = run_text(make_hinged_windows(12, axis), trial).report;
      ASSERT_EQ(report.status, Status::ok) << report.message;
      EXPECT_EQ(report.rows - report.rank, 36);
      EXPECT_LT(report.max_phi, 1e-10);
      EXPECT_LE(report.steps + report.rejected, 110);
    }
  }
}

// Of slender bars in space the rows' own parts are small in every pose, and samples are interpolated all the same: with steps of
// their own they took ten times as many evaluations as the run.
TEST(RedundantDrift, SamplesTakeNoStepsOfTheirOwnFarFromSingularPoses) {
  std::string text = make_hinged_windows(5);
  const std::string radius = "radius = 0.03", thin = "radius = 0.01";
  for (auto at = text.find(radius); at != std::string::npos; at = text.find(radius, at))
    text.replace(at, radius.size(), thin);
  const Result result = run_text(
      text, {.method = "braun_goldfarb/dopri5", .tolerance = 1e-7, .until = 1.0, .every = 0.001});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_LE(result.report.evaluations, 2 * 7 * (result.report.steps + result.report.rejected));
}

}  // namespace
}  // namespace driftless::trials
