// driftless check.

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliCheck : public Program {};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// Nothing is known of a system that has no value at the start: no figure may pretend to.
TEST_F(CliCheck, AConstraintThatIsNotFiniteIsOneErrorWithoutFigures) {
  write_text(path("wild.toml"), R"toml(format = "driftless/1"
name = "wild"
[coordinates]
x = { start = -1 }
y = { start = 2 }
[energy]
kinetic = "x'^2 + y'^2"
[constraint]
root = "sqrt(x) - y"
)toml");
  const Outcome text = run({"check", "wild.toml"});
  EXPECT_EQ(text.code, 1);
  EXPECT_EQ(count(text.out, "error"), 1U) << text.out;
  EXPECT_EQ(count(text.out, "remedy"), 1U) << text.out;
  EXPECT_TRUE(contains(text.out, "constraint 'root' has no finite residual at the start"))
      << text.out;
  for (const char* label : {"joints", "freedom", "mass", "derivative"})
    EXPECT_FALSE(contains(text.out, label)) << text.out;

  const Outcome json = run({"check", "wild.toml", "--json"});
  EXPECT_EQ(json.code, 1);
  for (const char* key : {"dof", "rank", "max_phi", "max_phi_dot", "mass_definite"})
    EXPECT_EQ(find_value(json.out, key), "null") << key;
  EXPECT_EQ(find_value(json.out, "rows"), "1");
}

TEST_F(CliCheck, FiguresAreThereOtherwise) {
  const Outcome text = run({"check", "first.toml"});
  EXPECT_EQ(text.code, 0);
  for (const char* label : {"joints", "freedom", "mass", "derivative"})
    EXPECT_TRUE(contains(text.out, label)) << text.out;
  EXPECT_EQ(find_value(run({"check", "first.toml", "--json"}).out, "dof"), "1");
}

}  // namespace
}  // namespace driftless::testing
