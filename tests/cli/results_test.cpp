// driftless info, convert, diff, plot.

#include <gtest/gtest.h>

#include "driftless/io/result_files.hpp"
#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliResults : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(run({"run", "first.toml", "--quiet"}).code, 0);
  }
};
using LongCliResults = CliResults;

TEST_F(CliResults, InfoTellsAll) {
  const Outcome outcome = run({"info", "first.h5"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part :
       {"first.h5: 1001 samples of 12 columns, t from 0 to 2", "swing (first.toml)",
        "braun_goldfarb/rk4/project+energy", "l = 0.5", "energy_error (J)", "ok"}) {
    EXPECT_TRUE(contains(outcome.out, part)) << part << " in\n" << outcome.out;
  }
  EXPECT_EQ(run({"info", "first.h5", "--model"}).out, kPendulum);
  EXPECT_EQ(find_value(run({"info", "first.h5", "--json"}).out, "samples"), "1001");
  const Outcome model = run({"info", "first.toml"});
  EXPECT_EQ(model.code, 2);
  EXPECT_TRUE(contains(model.err, "first.toml is a model")) << model.err;
}

TEST_F(CliResults, WhatWasSetOnTheCommandLineIsKept) {
  const std::string plain = run({"info", "first.h5"}).out;
  EXPECT_FALSE(contains(plain, "\n  set ")) << plain;
  for (const char* file : {"fast.h5", "fast.csv"}) {
    ASSERT_EQ(run({"run", "first.toml", "--until", "500 ms", "--every", "0.01", "--set",
                   "x'=20 mm/s", "--set", "m=3", "--step", "0.005", "--method", "baumgarte/rk4",
                   "--out", file, "--quiet"})
                  .code,
              0);
    const std::string settings =
        "x' = 20 mm/s, m = 3, until = 500 ms, every = 0.01, step = 0.005, method = baumgarte/rk4";
    EXPECT_EQ(read_result(path(file).string()).info.settings, settings) << file;
    EXPECT_TRUE(contains(run({"info", file}).out, "  set         x' = 20 mm/s, m = 3, until"));
    EXPECT_EQ(find_value(run({"info", file, "--json"}).out, "settings"), '"' + settings + '"');
  }
  ASSERT_EQ(run({"convert", "fast.h5", "again.csv"}).code, 0);
  EXPECT_TRUE(contains(run({"info", "again.csv"}).out, "x' = 20 mm/s"));
  if (run({"report", "fast.h5", "-o", "fast.html"}).code != 0) return;  // built without the page
  EXPECT_TRUE(contains(read_text(path("fast.html")), R"("settings":"x' = 20 mm/s, m = 3,)"));
  EXPECT_TRUE(contains(read_text(path("fast.html")), "Set beside the file"));
}

TEST_F(CliResults, ConvertsThereAndBack) {
  EXPECT_EQ(run({"convert", "first.h5", "a.csv"}).out, "a.csv\n");
  EXPECT_EQ(run({"convert", "a.csv", "b.h5"}).out, "b.h5\n");
  EXPECT_EQ(read_result(path("b.h5").string()).data, read_result(path("first.h5").string()).data);
  EXPECT_EQ(run({"convert", "first.h5", "-o", "c.csv"}).out, "c.csv\n");
  EXPECT_EQ(run({"convert", "first.h5", "a.xlsx"}).code, 2);
  EXPECT_EQ(run({"convert", "nothing.h5", "a.csv"}).code, 2);
}

TEST_F(CliResults, ConvertWithoutAFileToWriteSaysWhatToWrite) {
  EXPECT_EQ(run({"run", "first.toml", "--out", "run.csv"}).code, 0);
  const Outcome from_csv = run({"convert", "run.csv"});
  EXPECT_EQ(from_csv.code, 2);
  EXPECT_TRUE(contains(from_csv.err, "driftless convert run.csv run.h5")) << from_csv.err;
  EXPECT_TRUE(contains(run({"convert", "x/run.h5"}).err, "driftless convert x/run.h5 run.csv"));
  EXPECT_TRUE(contains(run({"convert"}).err, "driftless convert --help"));
}

TEST_F(CliResults, DifferenceWithItselfIsZero) {
  const Outcome outcome = run({"diff", "first.h5", "first.h5"});
  EXPECT_EQ(outcome.code, 0);
  const auto lines = split_lines(outcome.out);
  ASSERT_EQ(lines.size(), 12U) << outcome.out;
  for (std::size_t k = 1; k < lines.size(); ++k) EXPECT_TRUE(lines[k].ends_with(" 0")) << lines[k];
  EXPECT_EQ(run({"run", "first.toml", "--step", "0.02", "--out", "b.h5", "--quiet"}).code, 0);
  EXPECT_TRUE(contains(run({"diff", "first.h5", "b.h5"}).out, "e-"));
  EXPECT_EQ(find_keys(run({"diff", "first.h5", "b.h5", "--json"}).out), Words{"columns"});
}

TEST_F(CliResults, PlotHonoursDisplay) {
  const Outcome outcome = run({"plot", "first.h5", "angle", "-o", "a.svg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "a.svg\n");
  const std::string picture = read_text(path("a.svg"));
  EXPECT_TRUE(contains(picture, "angle in deg")) << picture.substr(0, 500);
  EXPECT_TRUE(contains(picture, "t in s"));
  EXPECT_TRUE(contains(picture, "swing"));
  EXPECT_EQ(run({"plot", "first.h5", "angle", "-o", "a.svg"}).code, 0)
      << "our own may be written again";
  EXPECT_EQ(run({"plot", "first.h5", "y", "--x", "x"}).out, "first_y.svg\n");
  EXPECT_TRUE(contains(read_text(path("first_y.svg")), "x in mm"));
  EXPECT_EQ(run({"plot", "first.h5", "x'", "-o", "rate.svg"}).code, 0);
  EXPECT_TRUE(contains(read_text(path("rate.svg")), "in mm/s"));
}

TEST_F(CliResults, PlotNamesRunsByTheirMethodsElseByTheirFiles) {
  std::filesystem::create_directory(path("other"));
  ASSERT_EQ(run({"run", "first.toml", "--quiet", "--out", "other/b.h5"}).code, 0);
  ASSERT_EQ(run({"run", "first.toml", "--quiet", "--method", "index1/rk4", "--out", "i.h5"}).code,
            0);
  ASSERT_EQ(run({"plot", "first.h5", "i.h5", "x", "-o", "methods.svg"}).code, 0);
  const std::string methods = read_text(path("methods.svg"));
  EXPECT_TRUE(contains(methods, ">index1/rk4<")) << methods;
  ASSERT_EQ(run({"plot", "first.h5", "other/b.h5", "x", "-o", "files.svg"}).code, 0);
  const std::string files = read_text(path("files.svg"));
  EXPECT_TRUE(contains(files, ">first<") && contains(files, ">b<")) << files;
}

TEST_F(CliResults, PlotAsPng) {
  EXPECT_EQ(run({"plot", "first.h5", "angle", "-o", "a.png"}).out, "a.png\n");
  EXPECT_TRUE(read_text(path("a.png")).starts_with("\x89PNG"));
  EXPECT_EQ(run({"plot", "first.h5", "y", "-o", "a.png"}).code, 0) << "our own may be redrawn";
  std::string foreign = read_text(path("a.png"));
  foreign.replace(foreign.find("Software"), 8, "Somebody");
  write_text(path("a.png"), foreign);
  const Outcome outcome = run({"plot", "first.h5", "y", "-o", "a.png"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "was not written by Driftless")) << outcome.err;
  EXPECT_EQ(read_text(path("a.png")), foreign);
}

TEST_F(CliResults, PlotMisuse) {
  for (const Words& words : {Words{"first.h5"}, Words{"x"}, Words{"first.h5", "q9"},
                             Words{"first.h5", "x", "-o", "a.jpg"},
                             Words{"first.h5", "x", "--x", "q9"}, Words{"nothing.h5", "x"}}) {
    Words all{"plot"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    for (const auto& entry : std::filesystem::directory_iterator(path("")))
      EXPECT_NE(entry.path().extension(), ".svg") << entry.path();
  }
}

TEST_F(LongCliResults, ThePicturesOfTheDocumentationAreOursToRedraw) {
  const std::filesystem::path images = std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "docs/images";
  for (const auto& entry : std::filesystem::directory_iterator(images)) {
    if (entry.path().extension() != ".svg") continue;
    std::filesystem::copy_file(entry.path(), path("again.svg"),
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(run({"plot", "first.h5", "x", "-o", "again.svg"}).code, 0) << entry.path();
  }
}

}  // namespace
}  // namespace driftless::testing
