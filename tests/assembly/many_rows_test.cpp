// What is said of a mechanism with very many rows agrees with what is said of each of its parts.

#include <algorithm>
#include <cmath>
#include <random>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/assembly/check_many.hpp"
#include "driftless/assembly/uniqueness.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/templates.hpp"
#include "driftless/run/prepare.hpp"
#include "driftless/system/drawn_rank.hpp"
#include "tests/assembly/reaction_oracle.hpp"

namespace driftless::trials {
namespace {

CheckReport check_text(const std::string& text) {
  const ModelFile file = parse_model(text, "many.toml");
  const CompiledModel model = compile(*file.mechanism);
  return check_system(*model.system, {0.0, model.q, model.v});
}

std::string make_chain(int links) { return make_template("chain", {{"n", std::to_string(links)}}); }

TEST(ManyRows, AChainHasOneFreedomPerLink) {
  const int links = kManyCheckRows / 5 + 3;
  const CheckReport report = check_text(make_chain(links));
  EXPECT_EQ(report.rank, 5 * links);
  EXPECT_EQ(report.dof, links);
  EXPECT_EQ(report.gruebler, links);
  EXPECT_TRUE(report.redundant.empty());
  EXPECT_TRUE(report.mass_definite);
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(report.derivatives_ok);
  EXPECT_EQ(report.elements.size(), static_cast<std::size_t>(links));
}

// The second hinge in the same place says nothing new; one that is drawn apart from it is not closed.
TEST(ManyRows, RedundantRowsAreNamed) {
  const int links = kManyCheckRows / 5 + 3;
  const std::string twin = "[joint.twin]\ntype = \"revolute\"\nbetween = [\"link7\", \"link8\"]\n";
  const CheckReport report =
      check_text(make_chain(links) + "\n" + twin + "at = \"P7\"\naxis = [0, 0, 1]\n");
  EXPECT_EQ(report.rank, 5 * links);
  EXPECT_EQ(report.dof, links);
  EXPECT_EQ(report.gruebler, links - 5);
  ASSERT_EQ(report.redundant.size(), 5U);
  for (const std::string& row : report.redundant)
    EXPECT_TRUE(row.starts_with("twin.") || row.starts_with("J8.")) << row;
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_NE(report.warnings[0].find("5 of"), std::string::npos) << report.warnings[0];
  EXPECT_TRUE(report.inconsistent.empty());
}

/// Posts on a tilted base, joined by couplings: as many parallelograms side by side, of hinges in space. Rows nearly depend
/// on each other where the posts lie almost flat.
std::string write_ladder(std::mt19937& random, int windows, double angle, double tilt,
                         bool is_turned = true) {
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const Eigen::Quaterniond turn =
      is_turned
          ? Eigen::Quaterniond(draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)).normalized()
          : Eigen::Quaterniond::Identity();
  const auto write = [&](double x, double y, double z) {
    const Eigen::Vector3d at = turn * Eigen::Vector3d(x, y, z);
    return fmt::format("[{}, {}, {}]", at.x(), at.y(), at.z());
  };
  std::string text = "format = \"driftless/1\"\n";
  const auto add_joint = [&](const std::string& name, const std::string& between,
                             const std::string& at) {
    text += fmt::format("[joint.{}]\ntype = \"revolute\"\nbetween = [{}]\nat = {}\naxis = {}\n",
                        name, between, at, write(draw(-tilt, tilt), draw(-tilt, tilt), 1.0));
  };
  double x = 0.0;
  std::string low = write(0, 0, 0), high = write(std::cos(angle), std::sin(angle), 0);
  for (int k = 0; k <= windows; ++k) {
    const std::string before = high;
    low = write(x, 0, 0);
    high = write(x + std::cos(angle), std::sin(angle), 0);
    text += fmt::format("[body.r{}]\nrod = [{}, {}]\nmass = {}\n", k, low, high, draw(0.2, 5.0));
    add_joint(fmt::format("G{}", k), fmt::format("\"ground\", \"r{}\"", k), low);
    if (k > 0) {
      text +=
          fmt::format("[body.c{}]\nrod = [{}, {}]\nmass = {}\n", k, before, high, draw(0.2, 5.0));
      add_joint(fmt::format("L{}", k), fmt::format("\"r{}\", \"c{}\"", k - 1, k), before);
      add_joint(fmt::format("M{}", k), fmt::format("\"c{}\", \"r{}\"", k, k), high);
    }
    x += draw(0.6, 1.5);
  }
  return text;
}

TEST(ManyRows, RedundantLaddersInSpaceHaveOneFreedom) {
  std::mt19937 random(5);
  for (const double angle : {1.2, 0.7, 1e-3}) {
    const int windows = 34 + static_cast<int>(3 * angle);
    const CheckReport report = check_text(write_ladder(random, windows, angle, 0.0));
    EXPECT_EQ(report.rows, 15 * windows + 5);
    EXPECT_EQ(report.rank, 12 * windows + 5) << angle;
    EXPECT_EQ(report.dof, 1) << angle;
    EXPECT_EQ(report.redundant.size(), static_cast<std::size_t>(3 * windows)) << angle;
    EXPECT_GT(report.smallest_singular_value, 0.0);
  }
}

// Axes that are parallel but for a ten-millionth are meant to be parallel; those that are a thousandth off are not.
TEST(ManyRows, NearlyRedundantRowsAreRedundant) {
  std::mt19937 random(6);
  EXPECT_EQ(check_text(write_ladder(random, 34, 1.1, 1e-7)).dof, 1);
  EXPECT_EQ(check_text(write_ladder(random, 34, 1.1, 1e-3)).dof, 0);
}

// A ladder that axes a thousandth out of line hold fast has a verdict that does not depend on coordinates: nothing moves,
// and no row contradicts another. The rows that are kept nearly follow from each other there, with reactions of 1e6 N.
TEST(LongManyRows, AStuckLadderContradictsNothing) {
  std::mt19937 random(9);
  for (const int windows : {34, 60, 61, 62, 63}) {
    const std::string ladder = write_ladder(random, windows, windows % 2 == 0 ? 1.1 : 0.5, 1e-3);
    for (const char* coordinates : {"absolute", "joint"}) {
      const std::size_t head = ladder.find('\n') + 1;
      const ModelFile file = parse_model(
          fmt::format(
              "{}coordinates = \"{}\"\ngravity = [3, -8, 4]\n{}[run]\nuntil = 0.05\nevery = 0.01\n",
              ladder.substr(0, head), coordinates, ladder.substr(head)),
          "many.toml");
      const PreparedModel model = prepare_model(file, {});
      const CheckReport report = check_system(model.system(), model.start);
      EXPECT_EQ(report.dof, 0) << windows << coordinates;
      EXPECT_TRUE(report.inconsistent.empty()) << windows << coordinates;
      const Method method =
          prepare_method(file, model, {.word = "braun_goldfarb/rk4", .step = 5e-3});
      const Report run_report = run_prepared(model, method, model.options).report;
      EXPECT_EQ(run_report.status, Status::ok) << run_report.message << windows << coordinates;
      EXPECT_EQ(run_report.dof, 0) << windows << coordinates;
      EXPECT_LT(run_report.max_phi, 1e-9) << windows << coordinates;
    }
  }
}

// Of a ladder in the plane of x and y what acts in that plane is unique, and so is all that holds a pendulum on it.
TEST(ManyRows, TheSameReactionsAreUniqueAsBySingularValues) {
  std::mt19937 random(7);
  for (const bool is_turned : {false, true}) {
    const std::string text = write_ladder(random, 11, 1.1, 0.0, is_turned) + R"(
[body.bob]
rod = [[9, 9, 9], [9, 8, 10]]
mass = 2
[joint.hook]
type = "revolute"
between = ["r3", "bob"]
at = [9, 9, 9]
axis = [1, 0.3, 0.2]
)";
    const PreparedModel model = prepare_model(parse_model(text, "many.toml"), {});
    const SystemInfo& info = model.system().info();
    ASSERT_GT(info.row_count(), kMostDecidedRows);
    const Oracle oracle = ask_oracle(model);
    EXPECT_EQ(oracle.rank, info.row_count() - 33);
    const NotUnique found = UniquenessProbe(model.system()).find(model.start);
    EXPECT_EQ(found.names, oracle.not_unique);
    EXPECT_NEAR(found.dimension, 33, 2);  // rounding may pass for a row of its own
    for (const std::string& name : found.names) EXPECT_FALSE(name.starts_with("hook")) << name;
    EXPECT_EQ(std::ranges::count(found.names, "G2.force.x"), is_turned ? 1 : 0);
    EXPECT_EQ(std::ranges::count(found.names, "G2.torque.x"), 1);
  }
}

// The derivative check goes by blocks; an element that lies is found by name.
TEST(ManyRows, BlocksAreDefiniteOrNot) {
  BlockMatrix mass(4, 4, std::vector<BlockPlace>{{0, 0, 2, 2}, {2, 2, 2, 2}});
  for (int i = 0; i < 4; ++i) mass.row(i)[i] = 1.0;
  EXPECT_EQ(is_definite_by_blocks(mass), std::optional<bool>(true));
  mass.row(3)[3] = 0.0;
  EXPECT_EQ(is_definite_by_blocks(mass), std::optional<bool>(false));
  EXPECT_EQ(is_definite_by_blocks(BlockMatrix(2, 2)), std::optional<bool>());
  EXPECT_EQ(is_definite_by_blocks(BlockMatrix(2, 2, std::vector<BlockPlace>{{0, 0, 1, 1}})),
            std::optional<bool>());
}

}  // namespace
}  // namespace driftless::trials
