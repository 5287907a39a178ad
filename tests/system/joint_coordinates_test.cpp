// The same mechanism in absolute and in joint coordinates: the same motion, the same reactions, the same columns. For all
// machines, the gallery, the models of papers that are made of bodies, and random linkages.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/templates.hpp"
#include "driftless/mechanism/compile.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

Result run_kind(ModelFile file, bool joint, Trial trial) {
  file.mechanism->joint_coordinates = joint;
  trial.every = trial.until / 20;
  return run_file(std::move(file), trial);
}

Trial make_accurate_trial(double until) {
  Trial trial;
  trial.method = "index1/dop853/project";
  trial.tolerance = 1e-11;
  trial.until = until;
  return trial;
}

bool is_figure_of_run(const std::string& name) {
  static const std::set<std::string> kNames{"phi",       "phi_dot", "energy_error",
                                            "sigma_min", "step",    "order"};
  return kNames.count(name) > 0;
}

/// Columns of both runs, with the signs of quaternions and the least of reactions that are not unique. Each group, of what
/// is measured in one unit, is compared relative to its largest number.
void expect_same_columns(const Result& absolute, const Result& joint, double bar) {
  ASSERT_EQ(absolute.report.status, Status::ok) << absolute.report.message;
  ASSERT_EQ(joint.report.status, Status::ok) << joint.report.message;
  EXPECT_EQ(absolute.report.not_unique, joint.report.not_unique);
  std::map<std::string, double> size;
  for (const Column& each : absolute.columns) {
    if (is_figure_of_run(each.name)) continue;
    double& largest = size.try_emplace(each.unit, 1.0).first->second;
    largest = std::max(largest, max_of(column(absolute, each.name)));
  }
  for (const Column& each : absolute.columns) {
    if (is_figure_of_run(each.name)) continue;
    const Values a = column(absolute, each.name);
    const Values b = column(joint, each.name);
    ASSERT_EQ(a.size(), b.size());
    double worst = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      worst = std::max(worst, std::abs(a[k] - b[k]));
    }
    EXPECT_LE(worst, bar * size[each.unit]) << each.name;
  }
}

void compare_kinds(const std::string& name, const Trial& trial, double bar) {
  SCOPED_TRACE(name);
  const ModelFile file = read_model_file(find_model(name));
  if (!file.mechanism) return;
  expect_same_columns(run_kind(file, false, trial), run_kind(file, true, trial), bar);
}

std::vector<std::string> list_models(const std::string& folder) {
  std::vector<std::string> names;
  const std::filesystem::path root = std::filesystem::path(find_model("pendulum")).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
    if (entry.path().extension() == ".toml")
      names.push_back(folder.empty() ? entry.path().stem().string()
                                     : folder + "/" + entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(JointCoordinates, MoveMachinesAsAbsoluteOnesDo) {
  for (const std::string& name : list_models("machines"))
    compare_kinds(name, make_accurate_trial(0.2), 1e-7);
}

TEST(JointCoordinates, MoveTheGalleryAsAbsoluteOnesDo) {
  for (const std::string& name : list_models("elements"))
    compare_kinds(name, make_accurate_trial(0.5), 1e-7);
}

TEST(JointCoordinates, MoveModelsAsAbsoluteOnesDo) {
  for (const std::string& name : list_models("")) {
    // driven hard: what differs in the last digit differs in the first after a few turns; and a stiff
    // rod makes forces of what steps leave open
    const bool is_fast = name == "andrews_squeezer";
    compare_kinds(name, make_accurate_trial(is_fast ? 0.03 : 0.5),
                  name == "stiff_slider_crank" ? 1e-4 : 1e-7);
  }
}

// Each with its own corrections: these differ between the two kinds within what the method leaves open.
TEST(JointCoordinates, GoWithEveryKindOfMethod) {
  struct Case {
    const char* method;
    double step;
    double bar;
  };
  for (const Case& each :
       {Case{"braun_goldfarb/rk4", 2e-4, 1e-6}, Case{"udwadia_kalaba/rk4", 2e-4, 1e-6},
        Case{"partition/rk4", 2e-4, 1e-6}, Case{"index2/hedop5", 5e-4, 1e-6},
        Case{"ggl/radau5", 5e-4, 1e-6}, Case{"ggl/bdf", 0.0, 1e-4}, Case{"ggl/ida", 0.0, 1e-4},
        Case{"index1/radau5", 5e-4, 1e-6}, Case{"index3/generalized_alpha", 2e-4, 1e-4},
        Case{"index3/hht", 2e-4, 1e-4}, Case{"ggl/rattle", 2e-4, 1e-4}}) {
    SCOPED_TRACE(each.method);
    Trial trial;
    trial.method = each.method;
    if (each.step > 0.0) {
      trial.step = each.step;
    } else {
      trial.tolerance = 1e-8;
    }
    trial.until = 0.1;
    for (const char* name : {"slider_crank_bodies", "spatial_four_bar", "elements/maxwell"})
      compare_kinds(name, trial, each.bar);
  }
}

/// A random chain in space from the ground back to it, closed by a ball, as drawn; a spring and a load keep it moving.
std::string draw_linkage(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto vector = [&](double size) {
    return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", size * number(random), size * number(random),
                       size * number(random));
  };
  const char* kTypes[] = {"revolute", "universal", "cylindrical", "prismatic", "spherical"};
  std::string text =
      "format = \"driftless/1\"\nname = \"linkage\"\ngravity = [0.5, -9.81, 0.2]\n\n";
  const int bodies = 4 + static_cast<int>(seed % 3);
  for (int k = 0; k < bodies; ++k) {
    text += fmt::format(
        "[body.b{}]\nmass = {:.4f}\ninertia = [{:.4f}, {:.4f}, {:.4f}]\ncentre = {}\n\n", k,
        1.0 + 0.5 * number(random), 0.1 + 0.02 * number(random), 0.1 + 0.02 * number(random),
        0.1 + 0.02 * number(random), vector(1.0));
  }
  for (int k = 0; k <= bodies; ++k) {
    const std::string from = k == 0 ? "ground" : fmt::format("b{}", k - 1);
    const std::string to = k == bodies ? "ground" : fmt::format("b{}", k);
    const std::string type = k == bodies ? "spherical" : kTypes[random() % 5];
    // in either direction
    const bool turned = random() % 2 == 0;
    text += fmt::format("[joint.J{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\nat = {}\n", k,
                        type, turned ? to : from, turned ? from : to, vector(1.0));
    if (type != "spherical") text += fmt::format("axis = {}\n", vector(1.0));
    text += "\n";
  }
  text += fmt::format(
      "[force.spring]\ntype = \"spring_damper\"\nbetween = [\"ground\", \"b{}\"]\nat = [{}, {}]\n"
      "stiffness = 40\ndamping = 2\nlength = 0.5\n",
      bodies / 2, vector(1.5), vector(1.5));
  return text;
}

TEST(JointCoordinates, MoveRandomLinkagesAsAbsoluteOnesDo) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const ModelFile file = parse_model(draw_linkage(seed), "linkage.toml");
    const Trial trial = make_accurate_trial(0.2);
    const Result absolute = run_kind(file, false, trial);
    expect_same_columns(absolute, run_kind(file, true, trial), 1e-7);
    ModelFile other = file;  // another joint of the loop closes it
    other.mechanism->cut.push_back({"J1", {}});
    expect_same_columns(absolute, run_kind(other, true, trial), 1e-7);
  }
}

/// A loop of four kinds of joints whose frames are drawn up to 0.2 apart and askew.
constexpr const char* kRough = R"~(format = "driftless/1"
name = "rough"
gravity = [0, -9.81, 0]
[body.a]
mass = 1
inertia = [0.1, 0.1, 0.1]
centre = [0.5, 0.1, 0.05]
[body.b]
mass = 2
inertia = [0.2, 0.15, 0.1]
centre = [1.4, 0.3, 0]
[body.c]
mass = 1.5
inertia = [0.1, 0.15, 0.12]
centre = [2.1, 0.2, 0.1]
[joint.A]
type = "revolute"
on = { body = "ground", at = [0, 0, 0], z = [0, 0, 1] }
to = { body = "a", at = [-0.5, 0.02, 0.1], z = [0.1, 0, 1] }
[joint.B]
type = "spherical"
on = { body = "a", at = [0.5, 0, 0] }
to = { body = "b", at = [-0.4, 0.1, 0] }
[joint.C]
type = "universal"
on = { body = "b", at = [0.5, 0, 0], z = [0, 0, 1], x = [1, 0, 0] }
to = { body = "c", at = [-0.4, 0.1, 0], z = [0, 0.1, 1], x = [1, 0, 0.1] }
[joint.D]
type = "revolute"
on = { body = "c", at = [0.5, 0, 0], z = [0, 0, 1] }
to = { body = "ground", at = [2.6, 0.1, 0], z = [0, 0.2, 1] }
[start]
"b.wx" = 1.5
"a.y'" = { value = 0.3, priority = "guess" }
)~";

TEST(JointCoordinates, StartRoughDrawingsWhereAbsoluteOnesDo) {
  ModelFile file = parse_model(kRough, "rough.toml");
  const PreparedModel absolute = prepare_model(file, {});
  file.mechanism->joint_coordinates = true;
  const PreparedModel joint = prepare_model(file, {});
  ASSERT_TRUE(absolute.start_report.success) << absolute.start_report.message;
  ASSERT_TRUE(joint.start_report.success) << joint.start_report.message;
  EXPECT_GT(absolute.start_report.phi_before, 0.1);
  const State drawn = joint.system().find_drawn_state(joint.start);
  EXPECT_LE(max_abs(Vector(drawn.q - absolute.start.q)), 1e-11);
  EXPECT_LE(max_abs(Vector(drawn.v - absolute.start.v)), 1e-11);
  EXPECT_GT(max_abs(drawn.v), 1.0);
  EXPECT_EQ(joint.start_report.unmet_targets, absolute.start_report.unmet_targets);
}

// A quaternion with w >= 0 would jump twice in two turns; so would one whose sign is taken from the body before.
TEST(JointCoordinates, TurnQuaternionsOnOverTurns) {
  const std::string text = std::string(kRough).substr(0, std::string(kRough).find("[joint.D]")) +
                           "[start]\n\"A.rate\" = 9\n\"c.wx\" = 7\n\"b.wy\" = 5\n";
  const ModelFile file = parse_model(text, "arm.toml");
  const Trial trial = make_accurate_trial(2.0);
  expect_same_columns(run_kind(file, false, trial), run_kind(file, true, trial), 1e-6);
}

// Both hinges of each rod hold it in the plane: reactions out of it are shared by what is cut and what is not.
TEST(JointCoordinates, ShareRedundantReactionsAsAbsoluteOnesDo) {
  const ModelFile file = read_model_file(find_model("four_bar_3d"));
  const Trial trial = make_accurate_trial(0.2);
  const Result absolute = run_kind(file, false, trial);
  EXPECT_GT(absolute.report.not_unique.size(), 8U);
  for (const char* cut : {"A", "B", "C"}) {
    ModelFile other = file;
    other.mechanism->cut.push_back({cut, {}});
    expect_same_columns(absolute, run_kind(other, true, trial), 1e-7);
  }
}

// Of a body that is welded to the ground no coordinate is left; what is cut has rows all the same.
TEST(JointCoordinates, CanBeNoneAtAll) {
  const std::string body = R"~(
format = "driftless/1"
gravity = [1.3, -2, -9.81]
[body.a]
mass = 1.7
sphere = 0.1
centre = [0.3, 0.2, 0]
[joint.J]
type = "fixed"
between = ["ground", "a"]
at = [0, 0.1, 0]
)~";
  const std::string second = R"~(
[joint.K]
type = "revolute"
between = ["ground", "a"]
at = [0.4, 0, 0.2]
axis = [0.3, 1, 0.2]
)~";
  for (const char* method : {"braun_goldfarb/dopri5", "index1/dop853", "index3/radau5"}) {
    for (const std::string& text : {body, body + second}) {
      const ModelFile file = parse_model(text, "welded.toml");
      Trial trial = make_accurate_trial(0.1);
      trial.method = method;
      const Result absolute = run_kind(file, false, trial);
      const Result joint = run_kind(file, true, trial);
      expect_same_columns(absolute, joint, 1e-9);
      EXPECT_EQ(joint.report.dof, 0) << method;
      EXPECT_EQ(joint.report.not_unique, absolute.report.not_unique) << method;
      EXPECT_EQ(joint.report.warnings, absolute.report.warnings) << method;
    }
  }
}

// A loop that nothing can move, but nearly, and a rod too many: of 13 rows on 12 rates all were kept, the last one for its
// round-off.
TEST(JointCoordinates, AgreeWhereMoreIsHeldThanMoves) {
  const ModelFile file = parse_model(R"~(
format = "driftless/1"
gravity = [-6.5485811193897465, 7.071816503104166, 5.985814280114919]
[body.b0]
mass = 2.4878651865585835
centre = [0.8032920446190852, -0.16364671384003593, -0.8442099650658037]
inertia = [0.25767586190595826, 0.24203334236320911, 0.27585523044860405]
[body.b1]
mass = 0.4279383019837111
centre = [0.24732863078003553, 0.7567658251594045, -0.7698765701419577]
inertia = [0.16043944167680416, 0.2250045852616947, 0.18081399796908243]
[joint.j0]
type = "slot"
between = ["ground", "b0"]
at = [-0.020776523334389507, 0.4697078730106976, 0.5394022724355987]
axis = [0.520909312662071, 0.8523465379665867, 0.046463611550361605]
[joint.j1]
type = "cylindrical"
between = ["b1", "b0"]
at = [-0.9714568608793868, 0.6921441783929283, -0.8187887248035304]
axis = [0.5934464118326546, -0.6782255730677341, -0.4333952333839067]
[joint.j2]
type = "constant_velocity"
between = ["ground", "b1"]
at = [-0.8545251580223729, -0.508387303099548, -0.7642129078233433]
axis = [-0.16970963324415977, -0.8269432971267484, 0.5360628915726916]
[constraint.d]
type = "distance"
between = ["b0", "b1"]
at = [[-0.9926755693978411, 0.43048734187923654, -0.1574725580503269],
      [0.7630335979591161, 0.8391456872622651, 0.10578241155847912]]
)~",
                                     "held.toml");
  const Trial trial = make_accurate_trial(0.1);
  const Result absolute = run_kind(file, false, trial);
  EXPECT_EQ(absolute.report.rank, 12);
  expect_same_columns(absolute, run_kind(file, true, trial), 1e-7);
  for (const char* name : {"j0.force.z", "j1.torque.y", "d.force.x"}) {  // it stands still
    const Values values = column(absolute, name);
    EXPECT_NEAR(values.front(), values.back(), 1e-6) << name;
  }
}

TEST(JointCoordinates, RepeatThemselvesBitByBit) {
  const ModelFile file = read_model_file(find_model("spatial_four_bar"));
  Trial trial;
  trial.method = "braun_goldfarb/dop853";
  trial.until = 0.5;
  const Result first = run_kind(file, true, trial);
  const Result second = run_kind(file, true, trial);
  ASSERT_EQ(first.report.status, Status::ok);
  for (const Column& each : first.columns)
    EXPECT_EQ(column(first, each.name), column(second, each.name)) << each.name;
}

// Counted by hand from [MXP.1]: of a body M has 12 entries, K 6 and J 6, of a pair of bodies H 12, each of these three twice.
TEST(JointCoordinates, TellTheSparsityOfTheMixedMatrix) {
  for (const int n : {3, 10}) {
    const ModelFile file =
        parse_model(make_template("chain", {{"n", std::to_string(n)}}), "chain.toml");
    const MatrixPattern pattern = compile(*file.mechanism, {}).mixed_pattern;
    EXPECT_EQ(pattern.size, 13 * n);
    EXPECT_EQ(pattern.entries, 36 * n + 24 * (n - 1));
    EXPECT_EQ(pattern.band_before, 7 * n + 6);  // from a joint's force to the body before
    EXPECT_EQ(pattern.band_after, 11);
    EXPECT_LT(pattern.envelope_after, 100 * n);
    EXPECT_GT(pattern.envelope_before, 40 * n * n);
  }
}

// The tree of Arnold's figure 8 and example 7: body 5 hangs on body 2 beside 3 and 4. With 3, 2, 3, 1 and 2 coordinates of the
// joints the blocks are 14, 13, 15, 14 and 15 wide from the tips on; the one of 5 and 2 lies beside the band, as in figure 9.
TEST(JointCoordinates, TellTheSparsityOfTheTreeOfFigure8) {
  std::string text = "format = \"driftless/1\"\nname = \"tree\"\n";
  for (int k = 1; k <= 5; ++k) {
    text += fmt::format("[body.b{0}]\nmass = 1\ninertia = [1, 1, 1]\ncentre = [{0}, 0.5, 0]\n", k);
  }
  const auto add_joint = [&](const char* type, const char* from, const char* to) {
    text += fmt::format(
        "[joint.{1}_{2}]\ntype = \"{0}\"\nbetween = [\"{1}\", \"{2}\"]\nat = [1, 0, 0]\n", type,
        from, to);
  };
  add_joint("spherical", "ground", "b1");
  add_joint("universal", "b1", "b2");
  add_joint("planar", "b2", "b3");
  add_joint("revolute", "b3", "b4");
  add_joint("cylindrical", "b2", "b5");
  const MatrixPattern pattern =
      compile(*parse_model(text, "tree.toml").mechanism, {}).mixed_pattern;
  EXPECT_EQ(pattern.size, 5 * 12 + 11);
  EXPECT_EQ(pattern.entries, 5 * (12 + 12) + 12 * 11 + 4 * 24);
  EXPECT_EQ(pattern.band_before, 59);  // from the last force of body 5 to body 2: 24 + 41 - 6
  EXPECT_EQ(pattern.band_after, 39);   // from the first one, in row 8, to the last turn of body 2
  EXPECT_LT(pattern.envelope_after, pattern.envelope_before / 2);
}

/// A rod that two hinges across each other hold, the second one being cut; beside it a body that is fixed to the ground.
const char* const kHeldRod = R"(
format = "driftless/1"
name = "held rod"
coordinates = "joint"
gravity = [0, -9.81, 0]
[body.block]
mass = 2
centre = [0, 0, 0]
inertia = [1, 2, 2]
[joint.weld]
type = "fixed"
between = ["ground", "block"]
at = [0, 0, 0]
[body.rod]
mass = 1
rod = [[0, 0, 0], [1, 0, 0]]
[joint.along]
type = "revolute"
between = ["block", "rod"]
at = [0, 0, 0]
axis = [1, 0, 0]
[joint.across]
type = "revolute"
between = ["ground", "rod"]
at = [1, 0, 0]
axis = [0, 1, 0]
)";

TEST(JointCoordinates, RunAndCheckRodsThatOnlyLoopsHold) {
  const Result result =
      run_text(kHeldRod, {.method = "braun_goldfarb/rk4", .step = 0.01, .until = 0.1});
  EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
  const PreparedModel model = prepare_model(parse_model(kHeldRod, "test.toml"), {});
  const CheckReport report = check_system(model.system(), model.start);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.dof, 0);
}

// The rod hangs on a ball of the ground, and nothing but the cardan joint that is cut holds its turn about itself. With these
// digits rounding has passed for inertia of it.
TEST(JointCoordinates, MoveRodsAsAbsoluteOnesDo) {
  const std::string text = R"(
format = "driftless/1"
name = "rods"
coordinates = "joint"
gravity = [0, -9.81, 1]
[body.b0]
mass = 14.2207
rod = [[-0.82674925035345881, 0.0040737945724012015, -0.90070535022752285], [-1.266469625676629, 0.63958941223954757, -0.27334735174027891]]
[joint.j0]
type = "revolute"
between = ["ground", "b0"]
at = [-0.82674925035345881, 0.0040737945724012015, -0.90070535022752285]
axis = [-0.47324391239587715, 0.3865116576952583, -0.33314152769921157]
[body.b1]
mass = 11.9411
rod = [[-1.266469625676629, 0.63958941223954757, -0.27334735174027891], [-0.46438305556315163, 0.22046884093889196, 0.27211978122634628]]
[joint.j1]
type = "prismatic"
between = ["b0", "b1"]
at = [-1.266469625676629, 0.63958941223954757, -0.27334735174027891]
axis = [0.72554655271089841, 0.016072574478893875, -0.74769233088460663]
[body.b2]
mass = 0.0292797
rod = [[-0.46438305556315163, 0.22046884093889196, 0.27211978122634628], [0.38940352203064132, 0.22046884093889196, 0.27211978122634628]]
[joint.j2]
type = "universal"
between = ["b1", "b2"]
at = [-0.46438305556315163, 0.22046884093889196, 0.27211978122634628]
axis = [0.99306822235345127, -0.30300392737178017, 0.46954939793750694]
[joint.end]
type = "spherical"
between = ["ground", "b2"]
at = [0.38940352203064132, 0.22046884093889196, 0.27211978122634628]
axis = [0.91167663355288586, -0.44785518121836776, -0.87092322444345216]
)";
  const Trial trial{.method = "braun_goldfarb/rk4", .step = 0.002, .until = 0.1};
  const Result joint = run_text(text, trial);
  std::string other = text;
  other.replace(other.find("\"joint\""), 7, "\"absolute\"");
  const Result absolute = run_text(other, trial);
  ASSERT_EQ(joint.report.status, Status::ok) << joint.report.message;
  EXPECT_LE(joint.report.max_energy_error, 1e-10);
  for (const char* name : {"b0.x", "b1.y", "b2.z", "b2.wx", "j2.force.y", "end.force.z"})
    EXPECT_NEAR(last(joint, name), last(absolute, name), 1e-6) << name;
}

TEST(JointCoordinates, RefuseToCutWhatIsNotThere) {
  ModelFile file = read_model_file(find_model("spatial_four_bar"));
  file.mechanism->joint_coordinates = true;
  file.mechanism->cut = {{"E", {}}};
  const auto find_message = [&] {
    try {
      compile(*file.mechanism, {});
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(find_message().find("cut = 'E': there is no such joint"), std::string::npos);
  file.mechanism->joint_coordinates = false;
  EXPECT_NE(find_message().find("no joint is cut in absolute coordinates"), std::string::npos);
}

}  // namespace
}  // namespace driftless::trials
