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

/// Names of bodies' quaternions, which are known up to their sign: crank.q0 and so on.
bool is_body_quaternion(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string::npos && name.size() == dot + 3 && name[dot + 1] == 'q';
}

/// Columns of both runs, but for those that redundant rows leave open. Each group, of what is measured in one unit, is
/// compared relative to its largest number.
void expect_same_columns(const Result& absolute, const Result& joint, double bar) {
  ASSERT_EQ(absolute.report.status, Status::ok) << absolute.report.message;
  ASSERT_EQ(joint.report.status, Status::ok) << joint.report.message;
  std::set<std::string>
      open;  // "A.torque": a component that is unique at the start need not be so later
  for (const std::string& name : absolute.report.not_unique)
    open.insert(name.substr(0, name.rfind('.')));
  std::map<std::string, double> size;
  for (const Column& each : absolute.columns) {
    if (is_figure_of_run(each.name)) continue;
    double& largest = size.try_emplace(each.unit, 1.0).first->second;
    largest = std::max(largest, max_of(column(absolute, each.name)));
  }
  for (const Column& each : absolute.columns) {
    if (is_figure_of_run(each.name)) continue;
    if (open.count(each.name.substr(0, each.name.rfind('.'))) > 0) continue;
    const Values a = column(absolute, each.name);
    const Values b = column(joint, each.name);
    ASSERT_EQ(a.size(), b.size());
    double worst = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      double difference = std::abs(a[k] - b[k]);
      if (is_body_quaternion(each.name)) difference = std::min(difference, std::abs(a[k] + b[k]));
      worst = std::max(worst, difference);
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
        Case{"ggl/radau5", 5e-4, 1e-6}, Case{"ggl/bdf", 0.0, 1e-4},
        Case{"index1/radau5", 5e-4, 1e-6}, Case{"index3/generalized_alpha", 2e-4, 1e-4}}) {
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
