#include "driftless/io/page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/io/digest.hpp"
#include "driftless/io/page_test.hpp"

namespace driftless {
namespace {

using testing::make_arm_info;

std::string make_page_of(const RunInfo& info, const std::vector<Column>& columns) {
  PageRun run;
  run.begin(info, columns);
  run.row(std::vector<double>(columns.size(), 0.25));
  run.finish({});
  return make_page({&run});
}

TEST(Page, NamesCannotLeaveTheirBlock) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  RunInfo info = make_arm_info();
  info.model_name = "</script><script>alert(1)</script>";
  const std::string page = make_page_of(info, {{"t", "s"}, {"<img onerror=x>", ""}});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_NE(page.find("\\u003cimg onerror=x>"), std::string::npos);
  EXPECT_EQ(page.find("somewhere/"), std::string::npos) << "only the file's name is told";
}

TEST(Page, ATableFromElsewhereHasNoReport) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  EXPECT_EQ(make_page_of({}, {{"t", "s"}}).find("\"status\":\"ok\""), std::string::npos);
  EXPECT_NE(make_page_of(make_arm_info(), {{"t", "s"}}).find("\"status\":\"ok\""),
            std::string::npos);
}

TEST(Page, PosesAreThereIfTheirColumnsAre) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  std::vector<Column> columns{{"t", "s"}};
  for (const char* name : {"bar.x", "bar.y", "bar.angle", "wheel.x", "wheel.y", "wheel.angle"})
    columns.push_back({name, ""});
  EXPECT_NE(make_page_of(make_arm_info(), columns).find("id=\"p0\""), std::string::npos);
  columns.pop_back();
  const std::string page = make_page_of(make_arm_info(), columns);
  EXPECT_EQ(page.find("id=\"p0\""), std::string::npos);
  EXPECT_NE(page.find("no column wheel.angle"), std::string::npos);
}

TEST(Page, LoadsOfALongRunAreThoseOfOneMoment) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  std::vector<Column> columns{{"t", "s"}};
  for (const char* name : {"bar.x", "bar.y", "bar.angle", "wheel.x", "wheel.y", "wheel.angle",
                           "pin.force.x", "pin.rate", "pin.force.y"})
    columns.push_back({name, ""});
  const auto make_page_of_rows = [&](int count) {
    PageRun run;
    run.begin(make_arm_info(), columns);
    for (int k = 0; k < count; ++k)
      run.row(std::vector<double>{double(k), 0, 0, 0, 0, 0, 0, double(k), 7, -double(k)});
    run.finish({});
    return make_page({&run});
  };
  constexpr int kRows = 30000;  // of which every second one is a frame, and the last
  std::vector<float> times;
  for (int k = 0; k < kRows; k += 2) times.push_back(static_cast<float>(k));
  times.push_back(kRows - 1);
  std::string expected = "id=\"l0\">";
  for (const float sign : {1.0F, -1.0F}) {
    std::vector<float> column;
    for (const float t : times) column.push_back(sign * t);
    append_base64(expected, {reinterpret_cast<const unsigned char*>(column.data()),
                             column.size() * sizeof(float)});
  }
  const std::string page = make_page_of_rows(kRows);
  EXPECT_NE(page.find(expected + "</script>"), std::string::npos);
  EXPECT_NE(page.find("\"sampled\":[7,9]"), std::string::npos);
  EXPECT_EQ(make_page_of_rows(100).find("id=\"l0\""), std::string::npos) << "the columns do";
}

TEST(Page, ARunOfSomeBodiesKeepsAllOfTwentyThousandSamples) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  // 1000 s of a double four-bar: half a period is a few samples long, and whoever zooms in wants to see it.
  std::vector<Column> columns{{"t", "s"}};
  for (int k = 0; k < 73; ++k) columns.push_back({fmt::format("c{}", k), ""});
  PageRun run;
  run.begin({}, columns);
  std::vector<double> row(columns.size());
  for (int k = 0; k <= 20000; ++k) {
    row[0] = 0.05 * k;
    run.row(row);
  }
  run.finish({});
  EXPECT_NE(make_page({&run}).find(R"("rows_per_bucket":1,)"), std::string::npos);
}

TEST(Page, RunsShareWhatAPageMayHold) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  const std::vector<std::string> names{"bar.x",   "bar.y",   "bar.angle",
                                       "wheel.x", "wheel.y", "wheel.angle"};
  std::vector<Column> columns{{"t", "s"}};
  for (const std::string& name : names) columns.push_back({name, ""});
  while (columns.size() < 100) columns.push_back({fmt::format("c{}", columns.size()), ""});
  const auto make_page_of_runs = [&](std::size_t count) {
    std::vector<std::unique_ptr<PageRun>> runs;
    std::vector<const PageRun*> all;
    for (std::size_t k = 0; k < count; ++k) {
      runs.push_back(std::make_unique<PageRun>(std::string{}, count));
      all.push_back(runs.back().get());
      runs.back()->begin(make_arm_info(), columns);
      std::vector<double> row(columns.size());
      for (int sample = 0; sample <= 18000; ++sample) {
        row[0] = sample;
        runs.back()->row(row);
      }
      runs.back()->finish({});
    }
    return make_page(all);
  };
  const std::string one = make_page_of_runs(1), twelve = make_page_of_runs(12);
  EXPECT_NE(one.find(R"("rows_per_bucket":1,)"), std::string::npos);
  EXPECT_NE(one.find(R"("rows_per_frame":1)"), std::string::npos);
  EXPECT_EQ(twelve.find(R"("rows_per_bucket":1,)"), std::string::npos);
  EXPECT_EQ(twelve.find(R"("rows_per_frame":1)"), std::string::npos)
      << "poses take their share, too";
  EXPECT_EQ(twelve.find(R"("bytes":8)"), std::string::npos) << "the numbers of all count";
  EXPECT_LT(twelve.size(), 30'000'000U);
}

TEST(Page, ColumnsAreShownInTheUnitsOfTheModel) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  RunInfo info = make_arm_info();
  info.model_text += "[display]\nbar.x = \"mm\"\n";
  const std::string page = make_page_of(info, {{"t", "s"}, {"bar.x", "m"}, {"bar.y", "m"}});
  EXPECT_NE(page.find(R"({"name":"bar.x","unit":"m","shown":"mm","factor":0.001})"),
            std::string::npos);
  EXPECT_NE(page.find(R"({"name":"bar.y","unit":"m","shown":"m","factor":1})"), std::string::npos);
}

TEST(Page, WithoutATemplateTheRemedyIsTold) {
  if (has_page_template()) GTEST_SKIP() << "built with the report page";
  PageRun run;
  run.begin(make_arm_info(), {{"t", "s"}});
  EXPECT_THROW(make_page({&run}), ModelError);
}

}  // namespace
}  // namespace driftless
