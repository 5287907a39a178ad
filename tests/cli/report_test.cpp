// driftless report, and the page that run writes.

#include "driftless/io/page.hpp"
#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliReport : public Program {
 protected:
  void SetUp() override {
    if (!has_page_template()) GTEST_SKIP() << "built without the report page";
    Program::SetUp();
  }
};

TEST_F(CliReport, RunWritesThePageBesideTheResult) {
  const Outcome outcome = run({"run", "first.toml"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.out, "\n  page        first.html: open it in a browser\nfirst.h5\n"))
      << outcome.out;
  const std::string page = read_text(path("first.html"));
  EXPECT_TRUE(page.starts_with("<!doctype html>\n<!-- driftless report -->")) << page.substr(0, 60);
  EXPECT_FALSE(contains(page, "<!--DATA-->"));
  EXPECT_EQ(run({"run", "first.toml"}).code, 0) << "our own page may be written again";
}

TEST_F(CliReport, OnlyWhatIsAskedForIsWritten) {
  EXPECT_EQ(run({"run", "first.toml", "--out", "a.h5"}).code, 0);
  EXPECT_FALSE(exists("a.html") || exists("first.html"));
  EXPECT_EQ(run({"run", "first.toml", "--json"}).code, 0);
  EXPECT_FALSE(exists("first.html"));
  EXPECT_EQ(run({"run", "first.toml", "--out", "page.html"}).code, 0);
  EXPECT_TRUE(exists("page.html"));
}

TEST_F(CliReport, SeveralRunsAreNamedByTheirMethodsOrFiles) {
  for (const auto& [method, name] :
       {std::pair{"index1/rk4", "a.h5"}, std::pair{"baumgarte/rk4", "b.h5"},
        std::pair{"index1/rk4", "c.csv"}}) {
    ASSERT_EQ(run({"run", "first.toml", "--method", method, "--out", name}).code, 0);
  }
  EXPECT_EQ(run({"report", "a.h5", "b.h5", "-o", "two.html"}).out, "two.html\n");
  EXPECT_TRUE(contains(read_text(path("two.html")), "\"label\":\"baumgarte/rk4\""));
  EXPECT_EQ(run({"report", "a.h5", "c.csv"}).out, "a.html\n");
  EXPECT_TRUE(contains(read_text(path("a.html")), "\"label\":\"c\""));
  EXPECT_EQ(find_value(run({"report", "a.h5", "--json"}).out, "out"), "\"a.html\"");
}

TEST_F(CliReport, MisuseIsExplained) {
  ASSERT_EQ(run({"run", "first.toml", "--out", "a.h5"}).code, 0);
  write_text(path("mine.html"), "<!doctype html>\n<p>my notes</p>\n");
  const Outcome foreign = run({"report", "a.h5", "-o", "mine.html"});
  EXPECT_EQ(foreign.code, 2);
  EXPECT_TRUE(contains(foreign.err, "was not written by Driftless")) << foreign.err;
  EXPECT_TRUE(contains(read_text(path("mine.html")), "my notes"));
  const Outcome other = run({"report", "a.h5", "-o", "page.pdf"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "page.pdf")) << other.err;
  EXPECT_EQ(run({"report", "no.h5"}).code, 2);
  EXPECT_TRUE(contains(run({"report", "first.toml"}).err, "is a model, not a result"));
  write_text(path("page.html"), "<!doctype html>");
  EXPECT_TRUE(contains(run({"report", "page.html"}).err, "is a report page, not a result"));
}

}  // namespace
}  // namespace driftless::testing
