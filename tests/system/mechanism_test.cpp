// Mechanisms of bodies and joints: against the same mechanism as equations, against closed forms and balances, with
// redundant joints, over many turns, from rough start values, and with numbers at random.

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

std::string replace(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  if (place != std::string::npos) text.replace(place, from.size(), to);
  return text;
}

CheckReport check_text(const std::string& toml) {
  const PreparedModel model = prepare_model(parse_model(toml, "test.toml"), {});
  EXPECT_TRUE(model.start_report.success) << model.start_report.message;
  return check_system(model.system(), model.start);
}

// ---- the same motion from two makers -----------------------------------------------------------------

TEST(LongMechanism, SliderCrankMovesAsItsEquations) {
  const Trial trial{
      .method = "braun_goldfarb/dop853", .tolerance = 1e-12, .until = 10, .every = 0.1};
  const Result bodies = run_model("slider_crank_bodies", trial);
  const Result equations = run_model("slider_crank", trial);
  expect_at_most("slider", max_difference(bodies, equations, {"x_s"}), 1e-9);
}

TEST(LongMechanism, DoubleFourBarMovesAsItsEquations) {
  const Trial trial{
      .method = "braun_goldfarb/dop853", .tolerance = 1e-12, .until = 10, .every = 0.1};
  const Result bodies = run_model("double_four_bar_bodies", trial);
  const Result equations = run_model("double_four_bar", trial);
  expect_at_most("joint", max_difference(bodies, equations, {"x3", "y3"}), 1e-9);
}

// ---- redundant joints in space ---------------------------------------------------------------------------

/// models/four_bar_3d.toml turned as a whole by a rotation.
std::string tilt_four_bar(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  double q[4];
  double norm = 0.0;
  for (double& part : q) {
    part = normal(random);
    norm += part * part;
  }
  for (double& part : q) part /= std::sqrt(norm);
  const auto [w, x, y, z] = q;
  const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  const auto turn = [&](double a, double b, double c) {
    std::string list = "[";
    for (const auto& row : r) list += text_of(row[0] * a + row[1] * b + row[2] * c) + ", ";
    return list.substr(0, list.size() - 2) + "]";
  };
  std::string text = edit_model("four_bar_3d", {{"[0, -9.81, 0]", turn(0, -9.81, 0)},
                                                {"A = [0, 0, 0]", "A = " + turn(0, 0, 0)},
                                                {"B = [0, 1, 0]", "B = " + turn(0, 1, 0)},
                                                {"C = [2, 2, 0]", "C = " + turn(2, 2, 0)},
                                                {"D = [2.5, 0, 0]", "D = " + turn(2.5, 0, 0)}});
  for (const std::string point : {"A", "B", "C", "D"}) {
    text = replace(text, "at = \"" + point + "\"\n",
                   "at = \"" + point + "\"\naxis = " + turn(0, 0, 1) + "\n");
  }
  return text;
}

TEST(FourBarInSpace, TwentyRowsOfRankSeventeen) {
  std::mt19937_64 random(5);
  const std::string upright = read_model_file(find_model("four_bar_3d")).text;
  for (const std::string& text : {upright, tilt_four_bar(random)}) {
    const CheckReport report = check_text(text);
    EXPECT_EQ(report.rows, 20);
    EXPECT_EQ(report.rank, 17);
    EXPECT_EQ(report.dof, 1);
    EXPECT_EQ(report.redundant.size(), 3u);
    EXPECT_TRUE(report.inconsistent.empty());
    EXPECT_TRUE(report.ok());
    EXPECT_TRUE(report.derivatives_ok);
    EXPECT_EQ(run_text(text, {.until = 0.02}).report.redundant, report.redundant)
        << "a run names the same rows";
  }
}

/// Slope of a least-squares line.
double find_slope(const Values& t, const Values& y) {
  double mean_t = 0.0;
  double mean_y = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    mean_t += t[k] / static_cast<double>(t.size());
    mean_y += y[k] / static_cast<double>(t.size());
  }
  double up = 0.0;
  double down = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    up += (t[k] - mean_t) * (y[k] - mean_y);
    down += (t[k] - mean_t) * (t[k] - mean_t);
  }
  return up / down;
}

void check_long_run(const std::string& text, double until) {
  const Result result = run_text(text, {.step = 0.005, .until = until, .every = 0.1});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  expect_at_most("phi", result.report.max_phi, 1e-9);
  expect_at_most("energy_slope",
                 std::abs(find_slope(column(result, "t"), column(result, "energy_error"))), 1e-12);
  EXPECT_GE(std::abs(last(result, "A.angle")), 0.3 * until * 2 * pi);
}

TEST(LongFourBarInSpace, HundredSeconds) {
  check_long_run(read_model_file(find_model("four_bar_3d")).text, 100);
}
TEST(VerifyFourBarInSpace, ThousandSeconds) {
  check_long_run(read_model_file(find_model("four_bar_3d")).text, 1000);
}
TEST(VerifyFourBarInSpace, ThousandSecondsTilted) {
  std::mt19937_64 random(6);
  check_long_run(tilt_four_bar(random), 1000);
}

TEST(FourBarInSpace, MovesAsInThePlane) {
  const Trial trial{.method = "braun_goldfarb/dop853",
                    .tolerance = 1e-11,
                    .until = 3,
                    .every = 0.05,
                    .sets = {{"A.rate", "5"}}};
  const Result plane = run_model("four_bar", trial);
  const Result space = run_model("four_bar_3d", trial);
  for (const std::string name :
       {"coupler.x", "coupler.y", "A.angle", "D.rate", "A.force.x", "B.force.y"}) {
    const Values a = column(plane, name);
    const Values b = column(space, name);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], b[k], 1e-7 * (1 + std::abs(a[k]))) << name;
  }
}

// ---- reactions -----------------------------------------------------------------------------------------

constexpr const char* kPendulum = R"(
format = "driftless/1"
gravity = [0, 0, -9.81]
[points]
O = [0, 0, 0]
P = [0.8, 0, 0]
[body.bar]
rod = ["O", "P"]
mass = 2
[joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = "O"
axis = [0, 1, 0]
[method]
formulation = "braun_goldfarb"
integrator = "dop853"
tolerance = 1e-11
)";

// At angle a below the horizontal, from rest: the pull along the bar is 5/2 m g sin(a), across it m g cos(a)/4.
TEST(Reactions, OfAFallingBar) {
  const Result result = run_text(kPendulum, {.until = 3, .every = 0.05});
  const Values angle = column(result, "pin.angle");
  const Values x = column(result, "pin.force.x");
  const Values z = column(result, "pin.force.z");
  for (std::size_t k = 0; k < angle.size(); ++k) {
    const double a = angle[k];  // about +y: turns x towards -z
    const double along = -2.5 * 2 * 9.81 * std::sin(a);
    const double across = 0.25 * 2 * 9.81 * std::cos(a);
    EXPECT_NEAR(x[k], along * std::cos(a) + across * std::sin(a), 1e-7);
    EXPECT_NEAR(z[k], -along * std::sin(a) + across * std::cos(a), 1e-7);
  }
}

// A door at rest on two hinges, a and b above it. Across the axis a pair of forces f at the distance d and the hinges'
// torques t together hold the weight's moment: -d f + 2 t = -x m g, of which 2 f² + 2 t² is least. Inertia has no part
// in it.
TEST(Reactions, OfRedundantHingesAreTheLeastAndKnowNoInertia) {
  const double x = 0.37, y = 0.11, weight = 3.0 * 9.81, d = 1.3;
  for (const char* inertia : {"[1.1, 1.2, 0.4]", "[110, 120, 40]"}) {
    const std::string model = fmt::format(R"(
format = "driftless/1"
gravity = [0, 0, -9.81]
[body.door]
centre = [{}, {}, 0.6]
mass = 3
inertia = {}
[joint.a]
type = "revolute"
between = ["ground", "door"]
at = [0, 0, 0.1]
[joint.b]
type = "revolute"
between = ["ground", "door"]
at = [0, 0, {}]
)",
                                          x, y, inertia, 0.1 + d);
    const Result result = run_text(model, {.until = 0.01, .every = 0.01});
    const double share = weight / (d * d + 4.0);
    EXPECT_NEAR(column(result, "a.force.x")[1], d * x * share, 1e-11);
    EXPECT_NEAR(column(result, "a.force.y")[1], d * y * share, 1e-11);
    EXPECT_NEAR(column(result, "b.torque.y")[1], -2.0 * x * share, 1e-11);
    EXPECT_NEAR(column(result, "b.torque.x")[1], 2.0 * y * share, 1e-11);
    EXPECT_NEAR(column(result, "b.force.z")[1], weight / 2.0, 1e-11);
  }
}

// ---- angles over turns -----------------------------------------------------------------------------------

TEST(LongTurns, ScrewGoesOnOverAHundred) {
  const std::string text = R"(
format = "driftless/1"
[points]
O = [0, 0, 0]
[body.nut]
cylinder = [[0, 0, -0.1], [0, 0, 0.1]]
radius = 0.05
mass = 1
[joint.thread]
type = "screw"
between = ["ground", "nut"]
at = "O"
pitch = "10 mm"
[start]
thread.rate = "20 rad/s"
[method]
formulation = "braun_goldfarb"
integrator = "rk4"
step = 0.01
)";
  const Result result = run_text(text, {.until = 40, .every = 0.5});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  const double angle = last(result, "thread.angle");
  EXPECT_NEAR(angle, 800.0, 1e-2);  // what steps of 0.2 rad lose
  EXPECT_NEAR(last(result, "thread.position"), 0.01 * angle / (2 * pi), 1e-12);
  EXPECT_NEAR(last(result, "nut.z"), 0.01 * angle / (2 * pi), 1e-12);
  expect_at_most("phi", result.report.max_phi, 1e-11);
}

// ---- start values ----------------------------------------------------------------------------------------

TEST(Start, JointAnglesAreMetFromFar) {
  for (const double degrees : {10.0, 100.0, -150.0, 179.0}) {
    SCOPED_TRACE(degrees);
    const std::string text =
        replace(read_model_file(find_model("four_bar")).text, "A.rate = \"20 rad/s\"",
                "A.rate = \"3 rad/s\"\nA.angle = \"" + text_of(degrees) + " deg\"");
    const PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
    ASSERT_TRUE(model.start_report.success) << model.start_report.message;
    EXPECT_TRUE(model.start_report.unmet_targets.empty())
        << model.start_report.unmet_targets.front();
    EXPECT_LE(model.start_report.phi_after, 1e-12);
    EXPECT_NEAR(std::remainder(model.start.q[2] - degrees * pi / 180, 2 * pi), 0.0, 1e-11);
    EXPECT_NEAR(model.start.v[2], 3.0, 1e-10);
  }
}

TEST(Start, ADrawingThatFitsIsLeftAlone) {
  const std::string text =
      replace(read_model_file(find_model("four_bar")).text, "A.rate = \"20 rad/s\"", "");
  const ModelFile file = parse_model(text, "test.toml");
  const PreparedModel model = prepare_model(file, {});
  EXPECT_TRUE(model.start_report.changes.empty());
}

TEST(Start, ExactValuesWinOverPreferredOnes) {
  const std::string text =
      replace(read_model_file(find_model("four_bar")).text, "A.rate = \"20 rad/s\"",
              "A.rate = { value = 3, priority = \"exact\" }\nD.rate = 50\nC.rate = { value = 7, "
              "priority = \"guess\" }");
  const PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
  ASSERT_TRUE(model.start_report.success);
  EXPECT_NEAR(model.start.v[2], 3.0, 1e-10);
  ASSERT_EQ(model.start_report.unmet_targets.size(), 1u);
  EXPECT_NE(model.start_report.unmet_targets[0].find("D.rate"), std::string::npos);
}

TEST(Start, AGapThatCannotBeClosedIsNamed) {
  const std::string text = replace(read_model_file(find_model("four_bar")).text, "\n[start]\n",
                                   "[constraint.far]\ntype = \"distance\"\nbetween = [\"ground\", "
                                   "\"crank\"]\nat = [\"D\", \"B\"]\nlength = 9\n\n[start]\n");
  const PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
  EXPECT_FALSE(model.start_report.success);
  EXPECT_NE(model.start_report.message.find("far"), std::string::npos)
      << model.start_report.message;
}

// A ball turned about the axis that its own x is along, world y: after a quarter turn its quaternion is known.
TEST(Start, AngularVelocityIsAlongTheBodysAxes) {
  const std::string text = R"(
format = "driftless/1"
[body.ball]
sphere = 0.1
pose = { at = [1, 2, 3], x = [0, 1, 0], z = [0, 0, 1] }
mass = 1
[start]
ball.wx = "90 deg/s"
"ball.y'" = 0.5
[record]
twice = "2*ball.wx"
cosine = "1 - 2*ball.q1^2 - 2*ball.q2^2"
[method]
formulation = "braun_goldfarb"
integrator = "dop853"
tolerance = 1e-12
)";
  const Result result = run_text(text, {.until = 1, .every = 0.5});
  EXPECT_NEAR(last(result, "twice"), pi, 1e-12);
  EXPECT_NEAR(last(result, "ball.y"), 2.5, 1e-12);
  EXPECT_NEAR(last(result, "cosine"), 0.0, 1e-11) << "of z against the world's";
  const double half = std::sqrt(0.5);  // a quarter turn about z, then one about the body's x
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"q0", half * half}, {"q1", half * half}, {"q2", half * half}, {"q3", half * half}}) {
    EXPECT_NEAR(last(result, "ball." + name), value, 1e-11) << name;
  }
  EXPECT_THROW(run_text(replace(text, "ball.wx = \"90 deg/s\"", "ball.q1 = 0.5"), {}), ModelError);
}

// ---- springs -----------------------------------------------------------------------------------------------

// A mass on a spring and damper: x'' = -k/m (x - l) - c/m x'.
TEST(Springs, OscillatorDecaysAsItShould) {
  const std::string text = R"(
format = "driftless/1"
space = "plane"
[points]
O = [0, 0]
P = [1.5, 0]
[body.ball]
point = true
centre = "P"
mass = 2
[force.k]
type = "spring_damper"
between = ["ground", "ball"]
at = ["O", "P"]
stiffness = "50 N/m"
damping = "3 N*s/m"
length = "1 m"
[method]
formulation = "braun_goldfarb"
integrator = "dop853"
tolerance = 1e-12
)";
  const Result result = run_text(text, {.until = 5, .every = 0.1});
  const double d = 3.0 / 4.0;
  const double w = std::sqrt(25.0 - d * d);
  expect_at_most("place",
                 max_error(result, {"ball.x"},
                           [&](double t) {
                             return Values{1 + std::exp(-d * t) * 0.5 *
                                                   (std::cos(w * t) + d / w * std::sin(w * t))};
                           }),
                 1e-10);
  expect_at_most("energy", result.report.max_energy_error, 1e-9);
}

// ---- bad input -----------------------------------------------------------------------------------------------

void expect_refused(const std::string& from, const std::string& to, const std::string& message) {
  const std::string text = replace(read_model_file(find_model("four_bar")).text, from, to);
  try {
    prepare_model(parse_model(text, "test.toml"), {});
    ADD_FAILURE() << "accepted: " << to;
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    EXPECT_GT(error.diagnostics().front().where.line, 0) << error.what();
  }
}

TEST(WrongMechanisms, AreExplained) {
  expect_refused("mass = \"1 kg\"", "mass = 0", "body.crank.mass = 0: out of bounds");
  expect_refused("mass = \"1 kg\"", "mass = -3", "body.crank.mass = -3: out of bounds");
  expect_refused("mass = \"1 kg\"", "mass = \"3 mm\"", "has the dimension m, but kg is wanted");
  expect_refused("mass = \"1 kg\"", "", "body.crank.mass is missing");
  expect_refused("mass = \"1 kg\"", "mas = 1\nmass = 1", "'mas' is not known");
  expect_refused("rod = [\"A\", \"B\"]", "rod = [\"A\", \"A\"]", "its two ends are 0 m apart");
  expect_refused("rod = [\"A\", \"B\"]", "centre = \"A\"", "body.crank.inertia is missing");
  expect_refused("[\"ground\", \"crank\"]", "[\"crank\", \"crank\"]", "crank");
  expect_refused("[\"ground\", \"crank\"]", "[\"ground\", \"krank\"]", "krank");
  expect_refused("type = \"revolute\"", "type = \"revolut\"", "revolut");
  expect_refused("type = \"revolute\"", "type = \"universal\"", "plane");
  expect_refused("A.rate = \"20 rad/s\"", "A.speed = 3", "A.speed");
  expect_refused("A.rate = \"20 rad/s\"", "A.rate = \"3 mm\"", "dimension");
  expect_refused("2*coupler.y'", "2*coupler.w", "coupler.w");
}

TEST(WrongMechanisms, NothingIsDropped) {
  expect_refused("\n[start]\n", "\n[conserved]\nenergy = \"A.rate\"\n\n[start]\n",
                 "conserved.energy");
  expect_refused("\n[start]\n", "\n[conserved]\nspin = \"A.rote\"\n\n[start]\n", "'A.rote'");
  expect_refused("\n[start]\n", "\n[table]\nroad = \"road.csv\"\n\n[start]\n",
                 "table 'road': cannot read");
  expect_refused("\n[start]\n", "\n[measure.reach]\ntype = \"distance\"\n\n[start]\n",
                 "measure.reach");
}

// ---- places ------------------------------------------------------------------------------------------

TEST(Places, AxesFromPointsAndLengthsFromTheDrawing) {
  const std::string text = R"(format = "driftless/1"
gravity = [0, 0, -9.81]
[parameters]
l = "0.5 m"
[points]
P = [0, 0, 0]
Q = [0, 0.4, 0]
R = ["l", 0, 0]
[body.arm]
centre = "R"
mass = 2
inertia = [0.1, 0.1, 0.1]
[body.ball]
point = true
centre = [0.5, 0.3, -0.4]
mass = 1
[joint.A]
type = "revolute"
between = ["ground", "arm"]
at = "P"
axis = AXIS
[constraint.rod]
type = "distance"
between = ["arm", "ball"]
at = ["R", [0.5, 0.3, -0.4]]
[measure.length]
type = "distance"
between = ["arm", "ball"]
at = ["R", [0.5, 0.3, -0.4]]
[method]
formulation = "braun_goldfarb"
integrator = "dop853"
tolerance = 1e-11
)";
  Values ends;
  for (const std::string axis : {R"(["P", "Q"])", R"([0, "2*l", 0])", "[0, 1, 0]"}) {
    const Result result = run_text(replace(text, "AXIS", axis), {.until = 1});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_NEAR(last(result, "length"), 0.5, 1e-9);
    ends.push_back(last(result, "A.angle"));
  }
  EXPECT_NEAR(ends[0], ends[2], 1e-12);
  EXPECT_NEAR(ends[1], ends[2], 1e-12);
  EXPECT_GT(std::abs(ends[2]), 0.5);
}

TEST(WrongMechanisms, InertiaOfNoBody) {
  const std::string text =
      replace(kPendulum, "rod = [\"O\", \"P\"]", "centre = \"P\"\ninertia = [1, 1, 3]");
  try {
    prepare_model(parse_model(text, "test.toml"), {});
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("exceeds the sum of the others"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace driftless::trials
