#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/io/model_file_test.hpp"

namespace driftless {
namespace {

using Sets = std::vector<std::pair<std::string, std::string>>;

ModelFile make_file() {
  return parse_model(testing::with_head(R"([parameters]
mass = 1
[run]
until = 5
[method]
step = 0.01
[method.fast]
step = 0.1
)"),
                     "model.toml");
}

std::string find_message(const Sets& sets) {
  ModelFile file = make_file();
  try {
    apply_overrides(file, sets);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ModelOverridesTest, SetsParametersAndStartValues) {
  ModelFile file = make_file();
  apply_overrides(file, {{"mass", "2.5"}, {"x", " 30 deg "}, {"x'", "mass/2"}, {"mass", "3 kg"}});
  EXPECT_EQ(file.model.parameters[0].value.text, "3 kg");  // the last one counts
  EXPECT_EQ(file.model.parameters[0].value.where.file, "--set mass=3 kg");
  EXPECT_EQ(file.model.coordinates[0].start->text, "30 deg");
  EXPECT_EQ(file.model.coordinates[0].rate->text, "mass/2");
}

TEST(ModelOverridesTest, SetsTheRun) {
  ModelFile file = make_file();
  apply_overrides(file, {{"run.until", "2"}, {"run.every", "10 ms"}, {"run.start", "given"}});
  EXPECT_EQ(file.run.until->number(), 2.0);
  EXPECT_EQ(file.run.every->text(), "10 ms");
  EXPECT_EQ(file.run.start->text(), "given");
}

TEST(ModelOverridesTest, SetsMethodsWithEveryKindOfValue) {
  ModelFile file = make_file();
  apply_overrides(file, {{"method.step", "1e-3"},
                         {"method.integrator", "rk4"},
                         {"method.dense", "true"},
                         {"method.drift", "[\"project\", 'energy']"},
                         {"method.quoted", "\"a b\""},
                         {"method.day", "2024-01-01"},
                         {"method.odd", "1\nother = 2"},
                         {"method.fast.step", "10 ms"}});
  const Value::Table& entries = file.methods[0].entries;
  EXPECT_EQ(entries[0].second.number(), 1e-3);
  EXPECT_EQ(entries[1].second.text(), "rk4");
  EXPECT_TRUE(entries[2].second.flag());
  EXPECT_EQ(entries[3].second.list().at(1).text(), "energy");
  EXPECT_EQ(entries[4].second.text(), "a b");
  EXPECT_EQ(entries[5].second.text(), "2024-01-01");
  EXPECT_EQ(entries[6].second.text(), "1\nother = 2");
  EXPECT_EQ(file.methods[1].entries[0].second.text(), "10 ms");
}

TEST(ModelOverridesTest, MakesADefaultMethodIfThereIsNone) {
  ModelFile file = parse_model(testing::with_head("[method.fast]\nstep = 1\n"), "model.toml");
  apply_overrides(file, {{"method.step", "0.5"}});
  ASSERT_EQ(file.methods.size(), 2U);
  EXPECT_EQ(file.methods[0].name, "");
  EXPECT_EQ(file.methods[0].entries.at(0).second.number(), 0.5);
}

TEST(ModelOverridesTest, RefusesWhatIsNotThere) {
  EXPECT_EQ(find_message({{"mas", "1"}}),
            "--set mas=1: error: 'mas' is no parameter, coordinate or rate of the model\n    did "
            "you mean 'mass'?");
  EXPECT_NE(find_message({{"y'", "1"}}).find("known: "), std::string::npos);
  EXPECT_NE(find_message({{"run.untl", "1"}}).find("did you mean 'run.until'?"), std::string::npos);
  EXPECT_NE(
      find_message({{"run.until", "[1]"}}).find("run.until is a list; wanted: a number or a text"),
      std::string::npos);
  EXPECT_NE(find_message({{"method.fats.step", "1"}}).find("did you mean 'fast'?"),
            std::string::npos);
  EXPECT_NE(find_message({{"method.", "1"}}).find("the key is missing"), std::string::npos);
  EXPECT_NE(find_message({{"method.step", "nan"}}).find("must be a finite number"),
            std::string::npos);
  EXPECT_NE(find_message({{"mass", " "}}).find("a name and a value are wanted"), std::string::npos);
  EXPECT_NE(find_message({{"", "1"}}).find("a name and a value are wanted"), std::string::npos);
}

TEST(ModelOverridesTest, ReportsAllMistakesTogether) {
  const std::string message = find_message({{"mas", "1"}, {"mass", "2"}, {"run.untl", "1"}});
  EXPECT_NE(message.find("--set mas=1"), std::string::npos);
  EXPECT_NE(message.find("--set run.untl=1"), std::string::npos);
}

// ---- mechanisms -----------------------------------------------------------------------------------

std::string find_mechanism_message(const Sets& sets) {
  ModelFile file = parse_model(testing::four_bar(), "model.toml");
  try {
    apply_overrides(file, sets);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ModelOverridesTest, SetsValuesOfAMechanism) {
  ModelFile file = parse_model(testing::four_bar(), "model.toml");
  apply_overrides(file, {{"l", "4 m"},
                         {"A.angle", "60 deg"},
                         {"A.rate", "2"},
                         {"crank.x", "0.5"},
                         {"run.until", "2"},
                         {"method.step", "0.5"}});
  const MechanismModel& model = *file.mechanism;
  EXPECT_EQ(model.parameters[1].value.text, "4 m");
  ASSERT_EQ(model.start.size(), 4U);
  EXPECT_EQ(model.start[0].value.text(), "60 deg");
  EXPECT_EQ(model.start[0].value.where.file, "--set A.angle=60 deg");
  EXPECT_EQ(model.start[2].value.table().at(0).second.number(), 2.0);
  EXPECT_EQ(model.start[2].value.table().at(1).second.text(), "exact");  // the priority stays
  EXPECT_EQ(model.start[3].name, "crank.x");
  EXPECT_EQ(model.start[3].value.number(), 0.5);
  EXPECT_EQ(file.run.until->number(), 2.0);
  EXPECT_EQ(file.methods[0].entries[1].second.number(), 0.5);
}

TEST(ModelOverridesTest, RefusesWhatAMechanismDoesNotHave) {
  EXPECT_EQ(find_mechanism_message({{"crnk.x", "1"}}),
            "--set crnk.x=1: error: crnk.x: the model has no body or joint 'crnk'\n    did you "
            "mean 'crank'?");
  EXPECT_EQ(find_mechanism_message({{"A_angle", "1"}}),
            "--set A_angle=1: error: 'A_angle' is no parameter or start value of the model\n    "
            "did you mean 'A.angle'?");
  EXPECT_EQ(find_mechanism_message({{"A.angle", "[1]"}}),
            "--set A.angle=[1]: error: A.angle is a list; wanted: a number or a text");
}

}  // namespace
}  // namespace driftless
