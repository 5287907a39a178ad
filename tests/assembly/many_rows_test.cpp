// What is said of a mechanism with very many rows agrees with what is said of each of its parts.

#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/assembly/check_many.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/templates.hpp"
#include "driftless/run/prepare.hpp"

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
