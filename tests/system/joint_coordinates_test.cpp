// The same mechanism in absolute and in joint coordinates: the same motion, the same reactions, the same columns. For all
// machines, the gallery and the models of papers that are made of bodies.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

Result run_kind(ModelFile file, bool joint, double until) {
  file.mechanism->joint_coordinates = joint;
  Trial trial;
  trial.method = "index1/dop853/project";
  trial.tolerance = 1e-11;
  trial.until = until;
  trial.every = until / 20;
  return run_file(std::move(file), trial);
}

bool is_figure_of_run(const std::string& name) {
  static const std::set<std::string> kNames{"phi",       "phi_dot", "energy_error",
                                            "sigma_min", "step",    "order"};
  return kNames.count(name) > 0;
}

/// Names of bodies' quaternions, which are known up to their sign: crank.q0 and so on.
bool is_quaternion(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string::npos && name.size() == dot + 3 && name[dot + 1] == 'q';
}

/// Largest difference of two columns relative to the largest number in the group; angles may differ by whole turns.
void expect_same(const Result& absolute, const Result& joint, double bar) {
  ASSERT_EQ(absolute.report.status, Status::ok) << absolute.report.message;
  ASSERT_EQ(joint.report.status, Status::ok) << joint.report.message;
  const bool is_unique = absolute.report.redundant.empty();
  double size = 1.0;
  for (const Column& each : absolute.columns) {
    if (is_figure_of_run(each.name)) continue;
    size = std::max(size, max_of(column(absolute, each.name)));
  }
  for (const Column& each : absolute.columns) {
    if (is_figure_of_run(each.name)) continue;
    const bool is_reaction = each.name.find(".force") != std::string::npos ||
                             each.name.find(".torque") != std::string::npos;
    if (is_reaction && !is_unique) continue;
    const Values a = column(absolute, each.name);
    const Values b = column(joint, each.name);
    ASSERT_EQ(a.size(), b.size());
    double worst = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      double difference = std::abs(a[k] - b[k]);
      if (is_quaternion(each.name)) difference = std::min(difference, std::abs(a[k] + b[k]));
      worst = std::max(worst, difference);
    }
    EXPECT_LE(worst, bar * size) << each.name;
  }
}

void compare_kinds(const std::string& name, double until, double bar) {
  SCOPED_TRACE(name);
  const ModelFile file = read_model_file(find_model(name));
  if (!file.mechanism) return;
  expect_same(run_kind(file, false, until), run_kind(file, true, until), bar);
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

TEST(LongJointCoordinates, MoveMachinesAsAbsoluteOnesDo) {
  for (const std::string& name : list_models("machines")) compare_kinds(name, 0.2, 1e-8);
}

TEST(LongJointCoordinates, MoveTheGalleryAsAbsoluteOnesDo) {
  for (const std::string& name : list_models("elements")) compare_kinds(name, 1.0, 1e-8);
}

TEST(LongJointCoordinates, MoveModelsAsAbsoluteOnesDo) {
  for (const std::string& name : list_models("")) compare_kinds(name, 0.5, 1e-8);
}

}  // namespace
}  // namespace driftless::trials
