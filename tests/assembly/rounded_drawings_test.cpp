// Redundant loops whose axes are drawn with few digits (system/drawn_rank.hpp): start, check and run decide alike, in both
// kinds of coordinates; a start rate that is exact is kept or refused, never changed silently. And the same loops drawn
// exactly, through their stretched poses.

#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/assembly/draw.hpp"

namespace driftless::rounded {
namespace {

using std::numbers::pi;
using testing::Draw;
using Point = Eigen::Vector3d;

enum class Loop { four_bar, parallelogram, bennett };

/// A hinge: where it is, and its axis.
struct Hinge {
  Point at, axis;
};
using Hinges = std::array<Hinge, 4>;

Hinges make_plane_loop(Draw& draw, bool parallel) {
  const double ground = draw.between(0.8, 1.2), crank = draw.between(0.25, 0.35);
  const double angle = draw.between(0.3, 1.2);
  const Point z(0, 0, 1), D(ground, 0, 0), B(crank * std::cos(angle), crank * std::sin(angle), 0);
  Point C = D + B;
  if (!parallel) {
    const double coupler = draw.between(0.8, 1.0), rocker = draw.between(0.7, 0.9);
    const Point way = D - B;
    const double d = way.norm(), x = (coupler * coupler - rocker * rocker + d * d) / (2 * d);
    C = B + x / d * way + std::sqrt(coupler * coupler - x * x) / d * z.cross(way);
  }
  return {Hinge{Point(0, 0, 0), z}, Hinge{B, z}, Hinge{C, z}, Hinge{D, z}};
}

/// Bennett's linkage: a / sin α = b / sin β, tan(θ₁/2) tan(θ₂/2) = sin((β+α)/2) / sin((β-α)/2), θ₃ = -θ₁, θ₄ = -θ₂.
Hinges make_bennett(Draw& draw) {
  const double a = draw.between(0.5, 1.5), alpha = draw.between(0.3, 0.9);
  const double beta = draw.between(1.1, 1.5), b = a * std::sin(beta) / std::sin(alpha);
  const double theta1 = draw.between(0.5, 2.5);
  const double k = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  const double theta2 = 2 * std::atan(k / std::tan(theta1 / 2));
  const std::array<std::array<double, 3>, 4> links{
      {{theta1, a, alpha}, {theta2, b, beta}, {-theta1, a, alpha}, {-theta2, b, beta}}};
  Hinges hinges;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  for (std::size_t i = 0; i < 4; ++i) {
    hinges[i] = {pose.translation(), pose.linear().col(2)};
    pose = pose * Eigen::AngleAxisd(links[i][0], Point::UnitZ()) *
           Eigen::Translation3d(links[i][1], 0, 0) * Eigen::AngleAxisd(links[i][2], Point::UnitX());
  }
  EXPECT_LE((pose.matrix() - Eigen::Matrix4d::Identity()).norm(), 1e-12);
  return hinges;
}

/// Four bodies, the ground one of them, with axes off by up to `misfit` in each component.
std::string make_model(Loop loop, unsigned seed, double misfit, const std::string& coordinates,
                       const std::string& more) {
  Draw draw(seed);
  Hinges hinges = loop == Loop::bennett ? make_bennett(draw)
                                        : make_plane_loop(draw, loop == Loop::parallelogram);
  const Eigen::Quaterniond turn = draw.turn();
  const Point shift(draw.between(-2, 2), draw.between(-2, 2), draw.between(-2, 2));
  for (Hinge& hinge : hinges) {
    hinge.at = turn * hinge.at + shift;
    hinge.axis = turn * hinge.axis;
    for (double& each : hinge.axis) each += draw.between(-misfit, misfit);
  }
  const auto write = [](const Point& p) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", p[0], p[1], p[2]);
  };
  std::string text = fmt::format(
      "format = \"driftless/1\"\ncoordinates = \"{}\"\ngravity = [1, 2, -9]\n", coordinates);
  for (std::size_t i = 1; i < 4; ++i)
    text += fmt::format("[body.l{}]\nmass = {:.3f}\ncylinder = [{}, {}]\nradius = 0.05\n", i,
                        draw.between(0.5, 3.0), write(hinges[i - 1].at), write(hinges[i].at));
  const std::array<const char*, 5> bodies{"ground", "l1", "l2", "l3", "ground"};
  for (std::size_t i = 0; i < 4; ++i)
    text += fmt::format(
        "[joint.J{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = {}\naxis = {}\n", i,
        bodies[i], bodies[i + 1], write(hinges[i].at), write(hinges[i].axis));
  return text + more;
}

struct Outcome {
  bool starts = false, runs = false;
  int check_dof = -1, run_dof = -1;
  double rate = 0.0, end = 0.0, energy = 0.0;
  bool warns_of_misfit = false, warns_of_start = false, warns_of_motion = false;
  std::string why;
};

double find_value(const Result& result, const std::string& name, bool last) {
  const int column = result.find_column(name);
  if (column < 0 || result.row_count() == 0) return std::nan("");
  return result.row(last ? result.row_count() - 1 : 0)[static_cast<std::size_t>(column)];
}

bool mentions(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& text : texts)
    if (text.find(part) != std::string::npos) return true;
  return false;
}

Outcome run(const std::string& text, double until, const MethodRequest& request = {}) {
  const ModelFile file = parse_model(text, "test.toml");
  PreparedModel model = prepare_model(file, {.until = until, .every = until / 10});
  Outcome outcome;
  outcome.starts = model.start_report.success;
  outcome.warns_of_start = mentions(model.warnings, "cannot be met");
  outcome.check_dof = check_system(model.system(), model.start).dof;
  const Result result = run_prepared(model, prepare_method(file, model, request), model.options);
  outcome.runs = result.report.status == Status::ok;
  outcome.why = result.report.message;
  outcome.run_dof = outcome.starts ? result.report.dof : outcome.check_dof;
  outcome.rate = find_value(result, "J0.rate", false);
  outcome.end = find_value(result, "J0.angle", true);
  outcome.energy = result.report.max_energy_error;
  outcome.warns_of_misfit = mentions(result.report.warnings, "fit together only to");
  outcome.warns_of_motion = mentions(result.report.warnings, "came open") ||
                            mentions(result.report.warnings, "is not the motion");
  return outcome;
}

constexpr std::array<double, 8> kMisfits{1e-14, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};

TEST(RoundedDrawings, StartCheckAndRunDecideAlike) {
  constexpr double kRate = 4.0;
  const std::string start = "[start]\nJ0.rate = { value = 4, priority = \"exact\" }\n";
  int moving = 0, stuck = 0;
  for (const Loop loop : {Loop::four_bar, Loop::parallelogram, Loop::bennett}) {
    for (const double misfit : kMisfits) {
      for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(
            fmt::format("loop {}, misfit {:.0e}, seed {}", static_cast<int>(loop), misfit, seed));
        std::array<Outcome, 2> outcomes;
        for (std::size_t k = 0; k < 2; ++k) {
          const char* coordinates = k == 0 ? "absolute" : "joint";
          outcomes[k] = run(make_model(loop, seed, misfit, coordinates, start), 0.3);
          const Outcome& each = outcomes[k];
          SCOPED_TRACE(coordinates);
          EXPECT_EQ(each.check_dof, each.run_dof);
          if (each.check_dof == 1) {
            ++moving;
            EXPECT_TRUE(each.starts && each.runs) << each.why;
            EXPECT_NEAR(each.rate, kRate, 1e-7);
            EXPECT_EQ(each.warns_of_misfit, misfit > 1e-11) << each.why;
          } else {
            ++stuck;
            EXPECT_EQ(each.check_dof, 0);
            EXPECT_FALSE(each.starts) << "an exact rate that cannot be was taken as " << each.rate;
            EXPECT_NE(each.why.find("J0.rate = 4 rad/s"), std::string::npos) << each.why;
          }
          if (misfit <= 1e-6) {
            EXPECT_EQ(each.check_dof, 1);
          }
          if (misfit >= 1e-3) {
            EXPECT_EQ(each.check_dof, 0);
          }
        }
        EXPECT_EQ(outcomes[0].check_dof, outcomes[1].check_dof);
        if (outcomes[0].check_dof == 1 && misfit <= 1e-8) {
          EXPECT_NEAR(outcomes[0].end, outcomes[1].end, 1e-4);
        }
      }
    }
  }
  EXPECT_GT(moving, 80);
  EXPECT_GT(stuck, 15);
}

TEST(RoundedDrawings, KeepTheGivenAngleAndTellWhatStaysOpen) {
  const std::string text =
      make_model(Loop::four_bar, 5, 1e-7, "absolute",
                 "[start]\nJ0.angle = { value = 0.7, priority = \"exact\" }\n");
  const PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
  ASSERT_TRUE(model.start_report.success) << model.start_report.message;
  EXPECT_GT(model.start_report.phi_after, 1e-10);
  EXPECT_LT(model.start_report.phi_after, 1e-6);
  ASSERT_FALSE(model.start_report.drawn_gaps.empty());
  EXPECT_TRUE(mentions(model.warnings, "does not close exactly"));
}

/// On two hinges of which the second is a little beside the axis of the first, or turned; drawn upright, where next to
/// nothing of the rows across is left in joint coordinates, and not by terms that cancel.
std::string make_door(double beside, double turned, const char* coordinates) {
  return fmt::format(R"(format = "driftless/1"
name = "door"
coordinates = "{}"
gravity = [0.3, 0.2, -9.81]
[body.door]
centre = [0.87, 0.05, 1.1]
mass = 23
inertia = [4.1, 3.7, 1.9]
[joint.J0]
type = "revolute"
between = ["ground", "door"]
at = [0, 0, 0.31]
axis = [0, 0, 1]
[joint.J1]
type = "revolute"
between = ["ground", "door"]
at = [{:.17g}, {:.17g}, 1.83]
axis = [{:.17g}, 0, 1]
[start]
J0.rate = {{ value = 1.9, priority = "exact" }}
)",
                     coordinates, beside, 0.2 * beside, turned);
}

TEST(RoundedDrawings, DoorsOnTwoHingesTurn) {
  for (const double misfit : {1e-12, 1e-10, 1e-8, 1e-6}) {
    for (const char* coordinates : {"absolute", "joint"}) {
      for (const bool turns : {false, true}) {
        SCOPED_TRACE(fmt::format("{:.0e} {} {}", misfit, coordinates, turns));
        const Outcome outcome =
            run(make_door(turns ? 0 : misfit, turns ? misfit : 0, coordinates), 0.3);
        EXPECT_EQ(outcome.check_dof, 1);
        EXPECT_TRUE(outcome.starts && outcome.runs) << outcome.why;
        EXPECT_NEAR(outcome.rate, 1.9, 1e-7);
      }
    }
  }
}

TEST(RoundedDrawings, PreferredRatesOfWhatIsStuckAreToldOf) {
  for (const char* coordinates : {"absolute", "joint"}) {
    const Outcome outcome =
        run(make_model(Loop::four_bar, 2, 1e-3, coordinates, "[start]\nJ0.rate = 4\n"), 0.1);
    EXPECT_TRUE(outcome.starts);
    EXPECT_EQ(outcome.check_dof, 0);
    EXPECT_EQ(outcome.run_dof, 0);
    EXPECT_TRUE(outcome.warns_of_start);
    EXPECT_NEAR(outcome.rate, 0.0, 1e-9);
  }
}

TEST(StretchedPoses, OfBennettsLinkageArePassedInBothCoordinates) {
  const MethodRequest request{.word = "braun_goldfarb/dopri5", .tolerance = 1e-9};
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(100 + seed);
    const double rate = (seed % 2 == 0 ? -1 : 1) * draw.between(7.0, 9.0);  // over all its poses
    const std::string start = fmt::format("[start]\nJ0.rate = {:.17g}\n", rate);
    const Outcome absolute = run(make_model(Loop::bennett, seed, 0, "absolute", start), 1, request);
    const Outcome joint = run(make_model(Loop::bennett, seed, 0, "joint", start), 1, request);
    for (const Outcome* each : {&absolute, &joint}) {
      EXPECT_TRUE(each->runs) << each->why;
      EXPECT_FALSE(each->warns_of_motion);
      EXPECT_LE(each->energy, 1e-6);
    }
    EXPECT_NEAR(absolute.end, joint.end, 1e-5);
  }
}

// Stages off the constraints, and drift, must not hold fast what moves only where it is closed [DRW.7].
TEST(StretchedPoses, OfBennettsLinkageArePassedByMethodsThatDrift) {
  const std::string start = "[start]\nJ0.rate = 8\n";
  for (unsigned seed = 1; seed <= 3; ++seed) {
    for (const char* coordinates : {"absolute", "joint"}) {
      const std::string text = make_model(Loop::bennett, seed, 0, coordinates, start);
      const double expected =
          run(text, 1, {.word = "braun_goldfarb/dopri5", .tolerance = 1e-9}).end;
      for (const char* word : {"index1/dopri5/project", "udwadia_kalaba/dopri5/project",
                               "partition/dopri5", "index2/hedop5", "index2/phem56"}) {
        const Outcome outcome = run(text, 1, {.word = word, .tolerance = 1e-8});
        EXPECT_TRUE(outcome.runs && !outcome.warns_of_motion) << word << ": " << outcome.why;
        EXPECT_NEAR(outcome.end, expected, 1e-4) << word << ", " << coordinates << ", " << seed;
      }
    }
  }
}

// A sparse engine leaves out rows, and these drift: where others took their place they were fed back.
TEST(StretchedPoses, OfBennettsLinkageCostBaumgarteNoEnergy) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text =
        make_model(Loop::bennett, seed, 0, "absolute", "[start]\nJ0.rate = 8\n");
    const Outcome outcome = run(text, 2, {.word = "baumgarte/dopri5", .tolerance = 1e-8});
    EXPECT_TRUE(outcome.runs && !outcome.warns_of_motion) << outcome.why;
    EXPECT_LE(outcome.energy, 1e-3);
  }
}

TEST(StretchedPoses, OfBennettsLinkageAreWithinReachOfADrive) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const std::string drive =
        "[constraint.d]\ntype = \"drive\"\nof = \"J0.angle\"\nvalue = \"-3*t\"\n";
    for (const char* coordinates : {"absolute", "joint"}) {
      const Outcome outcome = run(make_model(Loop::bennett, seed, 0, coordinates, drive), 3);
      EXPECT_TRUE(outcome.runs) << coordinates << ", seed " << seed << ": " << outcome.why;
      EXPECT_NEAR(outcome.end, -9.0, 1e-6);
    }
  }
}

}  // namespace
}  // namespace driftless::rounded
