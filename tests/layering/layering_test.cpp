#include "tests/layering/layering.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

namespace driftless::layering {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

// ---- the repository --------------------------------------------------------------------------------

TEST(Layering, RepositoryKeepsTheDependencyRule) {
  const fs::path src = fs::path(DRIFTLESS_SOURCE_DIR) / "src/driftless";
  const auto rules = read_rules(read_text(src / "CMakeLists.txt"));
  ASSERT_GE(rules.size(), 18u) << "the driftless_folder() lines were not understood";
  const auto violations = find_violations(src, rules, "run");
  EXPECT_TRUE(violations.empty()) << join(violations);
}

// Headers are installed but for *_test.hpp: what serves tests only must have such a name.
TEST(Layering, HeadersForTestsAreNamedSoAndNotInstalled) {
  const fs::path root = DRIFTLESS_SOURCE_DIR;
  EXPECT_NE(read_text(root / "cmake/DriftlessInstall.cmake").find("\"*_test.hpp\" EXCLUDE"),
            std::string::npos);
  std::size_t named = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "src/driftless")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("_test.cpp") || !entry.is_regular_file()) continue;
    if (name.ends_with("_test.hpp")) {
      ++named;
      continue;
    }
    const std::string text = read_text(entry.path());
    for (const char* sign : {"namespace driftless::testing", "gtest/", "_test.hpp\""}) {
      EXPECT_EQ(text.find(sign), std::string::npos) << entry.path() << " contains " << sign;
    }
  }
  EXPECT_GE(named, 8U);
}

// ---- the checker itself ----------------------------------------------------------------------------

TEST(LayeringRules, ReadsLinksAndNothingElse) {
  const auto rules = read_rules(
      "# driftless_folder(comment)\n"
      "driftless_folder(base EXTERNAL fmt::fmt)\n"
      "driftless_folder(math LINKS base EXTERNAL Eigen3::Eigen)\n"
      "driftless_folder(io LINKS math base EXTERNAL_PRIVATE toml hdf5)\n");
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules[0].folder, "base");
  EXPECT_TRUE(rules[0].may_include.empty());
  EXPECT_EQ(rules[1].may_include, (std::set<std::string>{"base"}));
  EXPECT_EQ(rules[2].may_include, (std::set<std::string>{"base", "math"}));
}

TEST(LayeringRules, RefusesCyclesAndRepetitions) {
  EXPECT_THROW(read_rules("driftless_folder(a LINKS b)\ndriftless_folder(b LINKS a)\n"),
               std::runtime_error);
  EXPECT_THROW(read_rules("driftless_folder(a LINKS a)\n"), std::runtime_error);
  EXPECT_THROW(read_rules("driftless_folder(a)\ndriftless_folder(a)\n"), std::runtime_error);
}

// A small tree in a directory of its own: base < math < run < io.
class LayeringChecker : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "driftless_layering_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  std::vector<std::string> check() const {
    return find_violations(root_,
                           read_rules("driftless_folder(base)\n"
                                      "driftless_folder(math LINKS base)\n"
                                      "driftless_folder(run LINKS math base)\n"
                                      "driftless_folder(io LINKS run math base)\n"),
                           "run");
  }

  void expect_one(const std::string& part) const {
    const auto violations = check();
    ASSERT_EQ(violations.size(), 1u) << join(violations);
    EXPECT_NE(violations[0].find(part), std::string::npos) << violations[0];
  }

 private:
  fs::path root_;
};

TEST_F(LayeringChecker, AcceptsWhatTheRuleGrants) {
  write("base/error.hpp", "#include <string>\n");
  write("math/so3.hpp", "#include \"driftless/base/error.hpp\"\n#include <Eigen/Core>\n");
  write("math/so3.cpp", "#include \"driftless/math/so3.hpp\"\n");
  write("driftless.hpp", "#include \"driftless/io/read.hpp\"\n");
  EXPECT_TRUE(check().empty()) << join(check());
}

TEST_F(LayeringChecker, FindsAnIncludeFromAbove) {
  write("math/so3.cpp", "// first line\n  #  include \"driftless/run/plan.hpp\"\n");
  expect_one("math/so3.cpp:2: may not include driftless/run/plan.hpp");
}

TEST_F(LayeringChecker, FindsAnIncludeInASubfolderAndInAngleBrackets) {
  write("base/detail/x.hpp", "#include <driftless/math/so3.hpp>\n");
  expect_one("base/detail/x.hpp:1: may not include driftless/math/so3.hpp");
}

TEST_F(LayeringChecker, TestsSeeUpToRunAndNoFurther) {
  write("math/so3_test.cpp", "#include \"driftless/run/plan.hpp\"\n#include \"tests/help.hpp\"\n");
  write("io/read_test.cpp", "#include \"driftless/io/read.hpp\"\n");
  EXPECT_TRUE(check().empty()) << join(check());
  write("math/jet_test.cpp", "#include \"driftless/io/read.hpp\"\n");
  expect_one("math/jet_test.cpp:1: may not include driftless/io/read.hpp");
}

TEST_F(LayeringChecker, FindsApplicationsAndTestsInTheLibrary) {
  write("io/a.cpp", "#include \"apps/cli/options.hpp\"\n");
  expect_one("nothing in src/ may include apps/cli/options.hpp");
  write("io/a.cpp", "#include \"tests/problems/pendulum.hpp\"\n");
  expect_one("nothing in src/ may include tests/problems/pendulum.hpp");
}

TEST_F(LayeringChecker, FindsRelativeIncludes) {
  write("math/so3.cpp", "#include \"../run/plan.hpp\"\n");
  expect_one("not \"../run/plan.hpp\"");
}

TEST_F(LayeringChecker, FindsTheGatheringHeader) {
  write("math/so3.cpp", "#include \"driftless/driftless.hpp\"\n");
  expect_one("which gathers all folders");
}

TEST_F(LayeringChecker, FindsAFolderWithoutRule) {
  write("extras/x.hpp", "\n");
  expect_one("folder 'extras' has no driftless_folder() line");
}

}  // namespace
}  // namespace driftless::layering
