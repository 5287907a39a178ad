// Loops whose axes are drawn with few digits, driven [DRW.11]: they run where the same loop without its drive moves, and are
// refused where that is stuck. And drives that contradict each other by little [DRW.5]: what check says, the run does.

#include <array>
#include <cmath>
#include <random>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "driftless/run/prescribed_failure.hpp"

namespace driftless::driven_loops {
namespace {

using Point = Eigen::Vector3d;

constexpr std::array<const char*, 2> kCoordinates{"absolute", "joint"};

/// A four-bar whose crank goes round, turned and moved anywhere; each axis off by up to the misfit.
std::string make_four_bar(unsigned seed, double misfit, const char* coordinates,
                          const std::string& more) {
  std::mt19937_64 random(seed);
  const auto between = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  Eigen::Vector4d q;
  for (double& each : q) each = std::normal_distribution<double>()(random);
  const Eigen::Quaterniond turn(q.normalized());
  const double size = std::pow(10.0, between(-2, 2));
  const Point shift = size * Point(between(-2, 2), between(-2, 2), between(-2, 2));
  std::array<Point, 4> at{Point(0, 0, 0), Point(0.1, between(0.7, 0.9), 0), Point(1.9, 2.13, 0),
                          Point(between(2.3, 2.6), -0.11, 0)};
  for (Point& each : at) each = turn * (size * each) + shift;
  const auto write = [](const Point& p) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", p[0], p[1], p[2]);
  };
  std::string text = fmt::format("format = \"driftless/1\"\ncoordinates = \"{}\"\n", coordinates);
  for (std::size_t i = 1; i < 4; ++i)
    text += fmt::format("[body.l{}]\nmass = {:.3f}\ncylinder = [{}, {}]\nradius = {:.4g}\n", i,
                        between(0.5, 3.0), write(at[i - 1]), write(at[i]), 0.05 * size);
  const std::array<const char*, 5> bodies{"ground", "l1", "l2", "l3", "ground"};
  for (std::size_t i = 0; i < 4; ++i) {
    const Point off(between(-misfit, misfit), between(-misfit, misfit), 1);
    text += fmt::format(
        "[joint.J{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = {}\naxis = {}\n", i,
        bodies[i], bodies[i + 1], write(at[i]), write(turn * off));
  }
  return text + more;
}

struct Outcome {
  bool is_refused = false;  ///< by check
  bool runs = false;
  int dof = -1;
  double reached = 0.0;
  std::string why;
};

Outcome look_at(const std::string& text, double until) {
  const ModelFile file = parse_model(text, "test.toml");
  PreparedModel model = prepare_model(file, {.until = until, .every = until / 20});
  const Method method = prepare_method(file, model, {});
  Outcome outcome;
  const CheckReport report = check_system(model.system(), model.start, {.until = until});
  outcome.dof = report.dof;
  std::optional<Failure> failure = find_start_failure(model, method);
  if (!failure && report.halted) failure = find_prescribed_failure(model.system(), *report.halted);
  outcome.is_refused = !model.start_report.success || !report.errors.empty() || failure.has_value();
  const Result result = run_prepared(model, method, model.options);
  outcome.runs = result.report.status == Status::ok;
  outcome.why = result.report.message;
  const int column = result.find_column("J0.angle");
  if (column >= 0 && result.row_count() > 0)
    outcome.reached = result.row(result.row_count() - 1)[static_cast<std::size_t>(column)];
  return outcome;
}

TEST(LongDrivenLoops, RunWhereTheSameLoopsWithoutADriveMove) {
  constexpr double kUntil = 3.5;  // more than a turn
  const std::string drive =
      "[constraint.d]\ntype = \"drive\"\nof = \"J0.angle\"\nvalue = \"2*t\"\n";
  int driven = 0, stuck = 0;
  for (const double misfit : {0.0, 1e-9, 1e-7, 2e-6, 5e-6, 1e-5, 2e-5, 1e-4, 1e-3}) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      for (const char* coordinates : kCoordinates) {
        SCOPED_TRACE(fmt::format("misfit {:.0e}, seed {}, {}", misfit, seed, coordinates));
        const Outcome free = look_at(make_four_bar(seed, misfit, coordinates, ""), 0.1);
        const Outcome with = look_at(make_four_bar(seed, misfit, coordinates, drive), kUntil);
        EXPECT_EQ(with.is_refused, !with.runs) << with.why;
        EXPECT_EQ(with.runs, free.dof == 1) << with.why;
        if (free.dof == 1) {
          ++driven;
          EXPECT_NEAR(with.reached, 2 * kUntil, std::max(1e-9, misfit));
        } else {
          ++stuck;
          EXPECT_NE(with.why.find("no degree of freedom"), std::string::npos) << with.why;
        }
      }
    }
  }
  EXPECT_GT(driven, 40);
  EXPECT_GT(stuck, 8);
}

TEST(DrivenLoops, WithTwoDrivesAreRefusedByCheckIfTheyDoNotRun) {
  int refused = 0, run = 0;
  for (const double misfit : {0.0, 1e-6}) {
    for (const double apart : {1e-2, 1e-3, 1e-4, 1e-5, 7e-7, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12}) {
      for (const char* coordinates : kCoordinates) {
        for (const char* growth : {"t", "t^3"}) {
          SCOPED_TRACE(fmt::format("{:.0e} {:.0e} {} {}", misfit, apart, coordinates, growth));
          const std::string drives = fmt::format(
              "[constraint.d]\ntype = \"drive\"\nof = \"J0.angle\"\nvalue = \"2*t\"\n"
              "[constraint.e]\ntype = \"coupler\"\nequation = \"J0.angle - 2*t - {}*{}\"\n",
              apart, growth);
          const Outcome outcome = look_at(make_four_bar(3, misfit, coordinates, drives), 1.0);
          EXPECT_EQ(outcome.is_refused, !outcome.runs) << outcome.why;
          if (apart >= 1e-3) {
            EXPECT_TRUE(outcome.is_refused);
          }
          if (apart <= 1e-10) {
            EXPECT_TRUE(outcome.runs) << outcome.why;
          }
          ++(outcome.runs ? run : refused);
        }
      }
    }
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(run, 20);
}

// No two of their rows are at odds by themselves: a loop is between them.
TEST(DrivenLoops, WithDrivesOfTwoJointsAreRefusedByCheckIfTheyDoNotRun) {
  int refused = 0, run = 0;
  for (const double apart : {1e-2, 1e-4, 1e-5, 4e-6, 2e-7, 1e-8, 1e-11}) {
    for (const char* coordinates : kCoordinates) {
      for (const char* growth : {"t", "t^2", "t^5", "sin(9*t)"}) {
        SCOPED_TRACE(fmt::format("{:.0e} {} {}", apart, coordinates, growth));
        const std::string text = fmt::format(
            R"(format = "driftless/1"
coordinates = "{}"
[points]
A = [0, 0, 0]
B = [0.3, 0.9, 0.2]
C = [1.5, 1.0, 0.7]
D = [1.2, 0.1, 0.5]
[body.a]
rod = ["A", "B"]
mass = 1
[body.b]
rod = ["B", "C"]
mass = 2
[body.c]
rod = ["D", "C"]
mass = 1.3
)",
            coordinates);
        std::string joints;
        const Point axis = Point(0.3, 0.9, 0.2).cross(Point(1.2, 0.1, 0.5)).normalized();
        const std::array<std::array<const char*, 3>, 4> pins{
            {{"ground", "a", "A"}, {"a", "b", "B"}, {"b", "c", "C"}, {"ground", "c", "D"}}};
        for (std::size_t k = 0; k < pins.size(); ++k)
          joints += fmt::format(
              "[joint.J{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = \"{}\"\n"
              "axis = [{:.17g}, {:.17g}, {:.17g}]\n",
              k, pins[k][0], pins[k][1], pins[k][2], axis[0], axis[1], axis[2]);
        joints += fmt::format(
            "[constraint.d]\ntype = \"drive\"\nof = \"J0.angle\"\nvalue = \"0.4*t\"\n"
            "[constraint.e]\ntype = \"drive\"\nof = \"J3.angle\"\nvalue = \"0.4*t + {}*{}\"\n",
            apart, growth);
        const Outcome outcome = look_at(text + joints, 1.0);
        EXPECT_EQ(outcome.is_refused, !outcome.runs) << outcome.why;
        ++(outcome.runs ? run : refused);
      }
    }
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(run, 10);
}

}  // namespace
}  // namespace driftless::driven_loops
