// Every way in which a model file can be wrong: the message and the place.

#include <gtest/gtest.h>

#include "driftless/io/model_file_test.hpp"

namespace driftless {
namespace {

using testing::find_errors;
using testing::has_error;
using testing::print;
using testing::with_head;

TEST(ModelErrorsTest, Format) {
  const std::string rest = "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2\"\n";
  EXPECT_ONLY_ERROR(rest, 1, 1, "add this as the first line: format = \"driftless/1\"");
  EXPECT_ONLY_ERROR("format = 1\n" + rest, 1, 10, "format is a number; wanted: the text");
  EXPECT_ONLY_ERROR("format = \"toml\"\n" + rest, 1, 11, "'toml' is not known");
  EXPECT_ONLY_ERROR("format = \"driftless/1x\"\n" + rest, 1, 11, "is not known");
  EXPECT_ONLY_ERROR("format = \"driftless/2\"\n[nonsense]\n", 1, 11, "needs a newer Driftless");
  EXPECT_ONLY_ERROR("format = \"driftless/17\"\n", 1, 11, "this version reads driftless/1");
}

TEST(ModelErrorsTest, EmptyFileSaysAllThatIsMissing) {
  const std::vector<Diagnostic> errors = find_errors("");
  EXPECT_TRUE(has_error(errors, 1, 1, "format"));
  EXPECT_TRUE(has_error(errors, 1, 1, "no coordinates"));
  EXPECT_TRUE(has_error(errors, 1, 1, "kinetic = \"m/2*x'^2\""));
  EXPECT_EQ(errors.size(), 3U);
}

TEST(ModelErrorsTest, UnknownSectionsAndKeys) {
  EXPECT_ONLY_ERROR(with_head("[parameter]\nm = 1\n"), 6, 2, "did you mean 'parameters'?");
  EXPECT_ONLY_ERROR("nam = \"one\"\n" + with_head(""), 1, 1,
                    "nam: there is no such key\ndid you mean 'name'?");
  EXPECT_ONLY_ERROR(with_head("[run]\nuntill = 1\n"), 7, 1,
                    "run.untill: there is no such key\ndid you mean 'until'?");
  EXPECT_ONLY_ERROR("format = \"driftless/1\"\n[coordinates]\nx = 1\n[energy]\nkinetc = 1\n", 5, 1,
                    "'kinetic'?");
  EXPECT_ONLY_ERROR(with_head("[conserved]\ne = { value = 1, pover = 1 }\n"), 7, 18,
                    "did you mean 'power'?");
  EXPECT_ONLY_ERROR(
      "format = \"driftless/1\"\n[coordinates]\nx = { strat = 1 }\n[energy]\nkinetic = 1\n", 3, 7,
      "did you mean 'start'?");
  EXPECT_ONLY_ERROR(with_head("[display]\ny = \"mm\"\n"), 7, 1, "display.y");
}

TEST(ModelErrorsTest, MisspeltSectionDoesNotDrawOthers) {
  EXPECT_ONLY_ERROR(
      "format = \"driftless/1\"\n[coordinate]\nx = 1\n[energy]\nkinetic = 1\n[force]\nx = 1\n", 2,
      2, "did you mean 'coordinates'?");
  EXPECT_ONLY_ERROR("format = \"driftless/1\"\ncoordinates = [1]\n", 2, 15,
                    "wanted: a section [coordinates]");
}

TEST(ModelErrorsTest, WrongKinds) {
  EXPECT_ONLY_ERROR(with_head("[parameters]\nm = true\n"), 7, 5,
                    "parameters.m is true or false; wanted: a number or a text with an expression");
  EXPECT_ONLY_ERROR(with_head("[parameters]\nm = 1979-05-27\n"), 7, 5,
                    "parameters.m is a date or time");
  EXPECT_ONLY_ERROR(with_head("[parameters]\nm = [1]\n"), 7, 5, "parameters.m is a list");
  EXPECT_ONLY_ERROR(with_head("[record]\nm.a = 1\n"), 7, 1, "record.m is a table");
  EXPECT_ONLY_ERROR(with_head("[record]\nm = \"  \"\n"), 7, 6, "record.m is empty");
  EXPECT_ONLY_ERROR(with_head("[run]\nuntil = [1]\n"), 7, 9, "run.until is a list; wanted: a time");
  EXPECT_ONLY_ERROR(with_head("[run]\nstart = 1\n"), 7, 9,
                    "run.start is a number; wanted: \"consistent\" or \"given\"");
  EXPECT_ONLY_ERROR(with_head("[table]\na = 1\n"), 7, 5, "name of a CSV file");
  EXPECT_ONLY_ERROR(with_head("[display]\nx = 1\n"), 7, 5, "a unit in quotes");
  EXPECT_ONLY_ERROR(with_head("[method]\nstep = 07:32:00\n"), 7, 8,
                    "method.step is a date or time");
  EXPECT_ONLY_ERROR("name = 3\n" + with_head(""), 1, 8,
                    "name is a number; wanted: a text in quotes");
  EXPECT_ONLY_ERROR(with_head("[conserved]\ne = { power = 1 }\n"), 7, 1,
                    "conserved.e.value is missing");
}

TEST(ModelErrorsTest, NumbersThatAreNotFinite) {
  EXPECT_ONLY_ERROR(with_head("[parameters]\nm = nan\n"), 7, 5,
                    "parameters.m = nan: must be a finite number");
  EXPECT_ONLY_ERROR(with_head("[parameters]\nm = -inf\n"), 7, 5, "parameters.m = -inf");
  EXPECT_ONLY_ERROR(with_head("[method]\nstep = inf\n"), 7, 8, "method.step = inf");
  EXPECT_ONLY_ERROR(with_head("[method.a]\ngains = { b = [1, nan] }\n"), 7, 19,
                    "method.a.gains.b = nan");
  EXPECT_ONLY_ERROR(with_head("[run]\nuntil = inf\n"), 7, 9, "run.until = inf");
}

TEST(ModelErrorsTest, Names) {
  EXPECT_ONLY_ERROR(with_head("[parameters]\nt = 1\n"), 7, 1,
                    "'t' cannot be the name of a parameter: it means the time");
  EXPECT_ONLY_ERROR(with_head("[parameters]\nT = 1\n"), 7, 1, "kinetic energy");
  EXPECT_ONLY_ERROR(with_head("[record]\nsin = 1\n"), 7, 1, "it is a function");
  EXPECT_ONLY_ERROR(with_head("[constraint]\na-b = \"x\"\n"), 7, 1,
                    "'a-b' cannot be the name of a constraint");
  EXPECT_ONLY_ERROR(with_head("[record]\n\"x'\" = 1\n"), 7, 1, "letters, digits and _");
  EXPECT_ONLY_ERROR(with_head("[method.\"a/b\"]\nstep = 1\n"), 6, 9,
                    "cannot be the name of a method");
}

TEST(ModelErrorsTest, NamesGivenTwiceNameBothPlaces) {
  EXPECT_ONLY_ERROR(
      with_head("[parameters]\nx = 1\n"), 3, 1,
      "the name 'x' is given twice: to a coordinate here and to a parameter in line 7, column 1");
  EXPECT_ONLY_ERROR(with_head("[record]\na = 1\n[conserved]\na = 1\n"), 7, 1,
                    "in line 9, column 1");
  EXPECT_ONLY_ERROR(with_head("[constraint]\na = \"x\"\n[velocity_constraint]\na = \"x'\"\n"), 9, 1,
                    "to a velocity constraint here and to a constraint in line 7");
  EXPECT_TRUE(find_errors(with_head("[constraint]\nx = \"x\"\n[method.x]\nstep = 1\n")).empty());
}

TEST(ModelErrorsTest, MassGivenOnceAndOnlyOnce) {
  EXPECT_ONLY_ERROR("format = \"driftless/1\"\n[coordinates]\nx = 1\n", 1, 1,
                    "[energy] mass = [[\"m\"]], or [matrices]");
  EXPECT_ONLY_ERROR(with_head("mass = [[1]]\n"), 6, 10,
                    "given more than once: by energy.kinetic and by energy.mass");
  EXPECT_ONLY_ERROR(with_head("[matrices]\nM = [1]\nK = [1]\n"), 6, 1,
                    "by energy.kinetic and by [matrices]");
}

TEST(ModelErrorsTest, Forces) {
  EXPECT_ONLY_ERROR(with_head("[force]\nxx = \"1\"\n"), 7, 1,
                    "force.xx: there is no such coordinate\ndid you mean 'x'?");
}

TEST(ModelErrorsTest, Tables) {
  for (const std::string file : {"../a.csv", "/etc/passwd", "a\\\\b.csv", "..", "", "C:a.csv"}) {
    EXPECT_ONLY_ERROR(with_head("[table]\na = \"" + file + "\"\n"), 7, 1, "the model's own folder");
  }
}

std::string with_matrices(std::string_view rest) {
  return "format = \"driftless/1\"\n[coordinates]\nx = 1\ny = 1\n[matrices]\n" + std::string(rest);
}

TEST(ModelErrorsTest, MatrixShapes) {
  EXPECT_ONLY_ERROR(with_matrices("M = [1, 1]\n"), 5, 1, "matrices.K is missing");
  EXPECT_ONLY_ERROR(with_matrices("M = [1, 1, 1]\nK = [1, 1]\n"), 6, 5,
                    "matrices.M has 3 diagonal entries; 2 wanted");
  EXPECT_ONLY_ERROR(with_matrices("M = 1\nK = [1, 1]\n"), 6, 5,
                    "matrices.M has 1 diagonal entries; 2 wanted");
  EXPECT_ONLY_ERROR(with_matrices("M = [[1, 1]]\nK = [1, 1]\n"), 6, 7,
                    "matrices.M has 1 row(s); 2 wanted");
  EXPECT_ONLY_ERROR(with_matrices("M = [1, 1]\nK = [[1, 1], [1]]\n"), 7, 15,
                    "row 2 of matrices.K has 1 entries; 2 wanted");
  EXPECT_ONLY_ERROR(with_matrices("M = [1, 1]\nK = [[1, 1], 1]\n"), 7, 5,
                    "matrices.K is not a list of rows");
  EXPECT_ONLY_ERROR(with_matrices("M = []\nK = [1, 1]\n"), 6, 5,
                    "matrices.M is not a list of rows");
  EXPECT_ONLY_ERROR(with_matrices("M = true\nK = [1, 1]\n"), 6, 5, "matrices.M");
  EXPECT_ONLY_ERROR(with_matrices("M = [1, true]\nK = [1, 1]\n"), 6, 9,
                    "matrices.M[2] is true or false");
}

TEST(ModelErrorsTest, LoadsAndDamping) {
  const std::string head = "M = [1, 1]\nK = [1, 1]\n";
  EXPECT_ONLY_ERROR(with_matrices(head + "E = [1, 2]\nf = [1, 2]\n"), 8, 5,
                    "matrices.E is not a list of rows");
  EXPECT_ONLY_ERROR(with_matrices(head + "E = [[1], [2]]\n"), 8, 7,
                    "matrices.E is given without matrices.f");
  EXPECT_ONLY_ERROR(with_matrices(head + "E = [[1], [2]]\nf = [1, 2]\n"), 9, 6,
                    "matrices.f has 2 entries; 1 wanted");
  EXPECT_ONLY_ERROR(with_matrices(head + "f = [1]\n"), 8, 6, "2 wanted, one per coordinate");
  EXPECT_ONLY_ERROR(with_matrices(head + "C = [1, 1]\ndamping_ratio = 0.1\n"), 9, 17,
                    "exclude each other");
  EXPECT_ONLY_ERROR(with_matrices(head + "damping_ratio = [1, 2, 3]\n"), 8, 18,
                    "1 for all modes, or 2");
}

TEST(ModelErrorsTest, DiagonalOfAHugeModelIsRefusedNotExpanded) {
  std::string text = "format = \"driftless/1\"\n[coordinates]\n";
  for (int i = 0; i < 20000; ++i) text += "q" + std::to_string(i) + " = 0\n";
  text += "[matrices]\nM = [1]\nK = [1]\n";
  EXPECT_NE(print(find_errors(text)).find("at most 1000 are read"), std::string::npos);
}

TEST(ModelErrorsTest, SeveralErrorsComeTogetherInTheFilesOrder) {
  const std::vector<Diagnostic> errors =
      find_errors(with_head("[run]\nuntill = 1\n[force]\ny = 1\n[parameters]\nm = true\n"));
  ASSERT_EQ(errors.size(), 3U) << print(errors);
  EXPECT_EQ(errors[0].where.line, 7);
  EXPECT_EQ(errors[1].where.line, 9);
  EXPECT_EQ(errors[2].where.line, 11);
}

TEST(ModelErrorsTest, ThousandsOfErrorsAreCutShort) {
  std::string text = with_head("[force]\n");
  for (int i = 0; i < 5000; ++i) text += "q" + std::to_string(i) + " = 0\n";
  const std::vector<Diagnostic> errors = find_errors(text);
  ASSERT_EQ(errors.size(), 51U);
  EXPECT_EQ(errors.back().message, "and 4950 more errors after this one");
}

}  // namespace
}  // namespace driftless
