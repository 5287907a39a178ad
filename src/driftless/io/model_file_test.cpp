#include "driftless/io/model_file.hpp"

#include <clocale>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "driftless/io/model_file_test.hpp"

namespace driftless {
namespace {

using testing::has_error;
using testing::print;

constexpr std::string_view kGood = R"toml(format = "driftless/1"
name = "slider-crank"
description = "what it teaches"

[run]
until = "10 s"
every = 0.01

[parameters]
m = 1.0
b = "1 m"
a = 1e-7
big = 9007199254740993
third = 0.33333333333333331
g = -9.81

[coordinates]
y1 = { start = "b/2*cos(45 deg)", rate = 0 }
x1 = 2
a1 = "45 deg"
free = {}

[energy]
potential = "m*g*y1"
kinetic = "m/2*(x1'^2 + y1'^2)"

[force]
x1 = "-c*x1'"

[constraint]
pin_z = "x1 - b"
pin_a = "y1"

[velocity_constraint]
edge = "x1'*sin(a1)"

[conserved]
momentum = { value = "m*x1'", power = "0" }
energy = "T + U"

[record]
x_s = "2*b*cos(a1)"

[table]
profile = "profile.csv"

[method.fast]
step = 0.1
gains = { beta = 2, alpha = [1, "2*m"] }

[method]
integrator = "rk4"
formulation = "braun_goldfarb"
step = "10 ms"
drift = ["project", "energy"]
dense = true
options = { a = 1 }

[method.careful]
tolerance = 1e-10

[display]
"x1'" = "mm/s"
a1 = "deg"
)toml";

template <class Items>
std::string join_names(const Items& items) {
  std::string names;
  for (const auto& item : items) names += item.name + " ";
  return names;
}

std::string join_keys(const Value::Table& table) {
  std::string keys;
  for (const auto& [key, value] : table) keys += key + " ";
  return keys;
}

TEST(ModelFileTest, KeepsTheFilesOrder) {
  const ModelFile file = parse_model(kGood, "some/folder/model.toml");
  EXPECT_EQ(join_names(file.model.parameters), "m b a big third g ");
  EXPECT_EQ(join_names(file.model.coordinates), "y1 x1 a1 free ");
  EXPECT_EQ(join_names(file.model.constraints), "pin_z pin_a ");
  EXPECT_EQ(join_names(file.model.conserved), "momentum energy ");
  EXPECT_EQ(join_names(file.methods), " fast careful ");
  EXPECT_EQ(join_keys(file.methods[0].entries), "integrator formulation step drift dense options ");
  EXPECT_EQ(join_keys(file.display), "x1' a1 ");
}

TEST(ModelFileTest, ReadsTheModelsHead) {
  const ModelFile file = parse_model(kGood, "some/folder/model.toml");
  EXPECT_EQ(file.model.name, "slider-crank");
  EXPECT_EQ(file.model.description, "what it teaches");
  EXPECT_EQ(file.model.folder, "some/folder");
  EXPECT_EQ(file.path, "some/folder/model.toml");
  EXPECT_EQ(file.text, kGood);
}

TEST(ModelFileTest, WithoutANameTheFilesStemIsTaken) {
  const ModelFile file = parse_model(testing::with_head(""), "my.model.toml");
  EXPECT_EQ(file.model.name, "my.model");
  EXPECT_EQ(file.model.folder, ".");
}

TEST(ModelFileTest, NumbersKeepAllTheirDigits) {
  const EquationModel model = parse_model(kGood, "model.toml").model;
  EXPECT_EQ(model.parameters[0].value.text, "1");
  EXPECT_EQ(std::stod(model.parameters[2].value.text), 1e-7);
  EXPECT_EQ(model.parameters[3].value.text, "9007199254740993");
  EXPECT_EQ(std::stod(model.parameters[4].value.text), 0.33333333333333331);
  EXPECT_EQ(model.parameters[5].value.text, "-9.81");
}

TEST(ModelFileTest, TextsKnowWhereTheyBegin) {
  const EquationModel model = parse_model(kGood, "model.toml").model;
  const Source& b = model.parameters[1].value.where;  // b = "1 m": after the quote
  EXPECT_EQ(b.line, 11);
  EXPECT_EQ(b.column, 6);
  EXPECT_EQ(model.parameters[1].where.column, 1);
  const Source& start = model.coordinates[0].start->where;
  EXPECT_EQ(start.line, 18);
  EXPECT_EQ(start.column, 17);
}

TEST(ModelFileTest, TextOfSeveralLinesBeginsAfterItsQuotes) {
  const std::string text =
      testing::with_head("[record]\na = \"\"\"x\n + 1\"\"\"\nb = \"\"\"\nx\"\"\"\n");
  const EquationModel model = parse_model(text, "model.toml").model;
  EXPECT_EQ(model.records[0].value.where.line, 7);
  EXPECT_EQ(model.records[0].value.where.column, 8);
  EXPECT_EQ(model.records[1].value.where.line, 10);
  EXPECT_EQ(model.records[1].value.where.column, 1);
}

TEST(ModelFileTest, ReadsEveryFormOfACoordinate) {
  const EquationModel model = parse_model(kGood, "model.toml").model;
  EXPECT_EQ(model.coordinates[0].start->text, "b/2*cos(45 deg)");
  EXPECT_EQ(model.coordinates[0].rate->text, "0");
  EXPECT_EQ(model.coordinates[1].start->text, "2");
  EXPECT_FALSE(model.coordinates[1].rate);
  EXPECT_EQ(model.coordinates[2].start->text, "45 deg");
  EXPECT_FALSE(model.coordinates[3].start);
}

TEST(ModelFileTest, ReadsEnergyForcesAndConserved) {
  const EquationModel model = parse_model(kGood, "model.toml").model;
  EXPECT_EQ(model.kinetic->text, "m/2*(x1'^2 + y1'^2)");
  EXPECT_EQ(model.potential->text, "m*g*y1");
  EXPECT_EQ(model.forces.at(0).value.text, "-c*x1'");
  EXPECT_EQ(model.velocity_constraints.at(0).value.text, "x1'*sin(a1)");
  EXPECT_EQ(model.conserved[0].power->text, "0");
  EXPECT_EQ(model.conserved[1].value.text, "T + U");
  EXPECT_FALSE(model.conserved[1].power);
  EXPECT_EQ(model.records.at(0).value.text, "2*b*cos(a1)");
  EXPECT_EQ(model.tables.at(0).file, "profile.csv");
}

TEST(ModelFileTest, ReadsRunAndMethods) {
  const ModelFile file = parse_model(kGood, "model.toml");
  EXPECT_EQ(file.run.until->text(), "10 s");
  EXPECT_EQ(file.run.every->number(), 0.01);
  const Value::Table& standard = file.methods[0].entries;
  EXPECT_EQ(standard[2].second.text(), "10 ms");
  EXPECT_EQ(standard[3].second.list().at(1).text(), "energy");
  EXPECT_TRUE(standard[4].second.flag());
  EXPECT_EQ(join_keys(standard[5].second.table()), "a ");  // in braces: an entry, not a method
  const Value::Table& fast = file.methods[1].entries;
  EXPECT_EQ(join_keys(fast[1].second.table()), "beta alpha ");
  EXPECT_EQ(fast[1].second.table()[1].second.list().at(0).number(), 1.0);
  EXPECT_EQ(file.methods[2].entries.at(0).second.number(), 1e-10);
}

TEST(ModelFileTest, ReadsMatricesInFullAndByDiagonal) {
  const EquationModel model = parse_model(R"toml(format = "driftless/1"
[coordinates]
x = {}
y = {}
[matrices]
M = ["m", 2]
K = [[1, -1], [-1, "k"]]
E = [[0], [1]]
f = "sin(t)"
damping_ratio = 0.02
)toml",
                                          "model.toml")
                                  .model;
  ASSERT_TRUE(model.linear);
  const LinearSpec& linear = *model.linear;
  EXPECT_EQ(linear.mass[0][0].text, "m");
  EXPECT_EQ(linear.mass[0][1].text, "0");
  EXPECT_EQ(linear.mass[1][1].text, "2");
  EXPECT_EQ(linear.stiffness[1][0].text, "-1");
  EXPECT_EQ(linear.stiffness[1][1].text, "k");
  EXPECT_TRUE(linear.damping.empty());
  EXPECT_EQ(linear.input[1][0].text, "1");
  EXPECT_EQ(linear.load.at(0).text, "sin(t)");
  EXPECT_EQ(linear.damping_ratios.at(0).text, "0.02");
}

TEST(ModelFileTest, ReadsAMassMatrix) {
  const std::string text =
      "format = \"driftless/1\"\n[coordinates]\na = 0\nb = 0\n[energy]\nmass = [[2, \"cos(a - "
      "b)\"], [\"cos(a - b)\", 1]]\n";
  const EquationModel model = parse_model(text, "model.toml").model;
  EXPECT_EQ(model.mass[0][1].text, "cos(a - b)");
  EXPECT_FALSE(model.kinetic);
}

TEST(ModelFileTest, AcceptsWindowsLineEndsAndAByteOrderMark) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : testing::with_head("[record]\ns = \"x\"\n"))
    text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(parse_model(text, "model.toml").model.records.at(0).value.text, "x");
}

class ModelFileOnDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::path(::testing::TempDir()) / ("driftless_" + test);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  static std::string find_message(const std::string& path) {
    try {
      read_model_file(path);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

TEST_F(ModelFileOnDiskTest, ReadsAFile) {
  const std::string path = write("one.toml", testing::with_head(""));
  const ModelFile file = read_model_file(path);
  EXPECT_EQ(file.model.name, "one");
  EXPECT_EQ(file.model.folder, folder_.string());
}

TEST_F(ModelFileOnDiskTest, MissingFileSuggestsTheNearest) {
  write("pendulum.toml", "");
  const std::string message = find_message((folder_ / "pendulm.toml").string());
  EXPECT_NE(message.find("there is no such file"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean '" + (folder_ / "pendulum.toml").string() + "'?"),
            std::string::npos)
      << message;
  EXPECT_NE(find_message((folder_ / "pendulum").string()).find("pendulum.toml'?"),
            std::string::npos);
  EXPECT_NE(find_message((folder_ / "no" / "such").string()).find("there is no such file"),
            std::string::npos);
}

TEST_F(ModelFileOnDiskTest, RefusesWhatIsNoModelFile) {
  EXPECT_NE(find_message(folder_.string()).find("this is a folder"), std::string::npos);
  EXPECT_NE(find_message("").find("no model file was named"), std::string::npos);
  const std::string huge = find_message(write("huge.toml", std::string((64 << 20) + 1, '\n')));
  EXPECT_NE(huge.find("has 67108865 bytes; a model may have at most 67108864"), std::string::npos)
      << huge;
  EXPECT_NE(find_message("/dev/zero").find("at most 67108864"), std::string::npos);
  const std::string binary = find_message(write("a.out", std::string("\x7F"
                                                                     "ELF\0\0",
                                                                     6)));
  EXPECT_NE(binary.find("not a text file"), std::string::npos) << binary;
}

}  // namespace
}  // namespace driftless
