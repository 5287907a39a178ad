#include "driftless/model/model_check.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

/// As a C++ caller makes it: without places in a file.
EquationModel make_model() {
  EquationModel model;
  model.parameters = {{"m", {"1", {}}, {}}};
  model.coordinates = {{"x", Text{"0", {}}, {}, {}}, {"y", {}, {}, {}}};
  model.kinetic = Text{"m/2*(x'^2 + y'^2)", {}};
  return model;
}

std::string find_message(const EquationModel& model) {
  try {
    check_model(model);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ModelCheckTest, AcceptsAModelMadeInCode) { EXPECT_EQ(find_message(make_model()), "accepted"); }

TEST(ModelCheckTest, DuplicateWithoutAPlaceSaysEarlier) {
  EquationModel model = make_model();
  model.records = {{"x", {"1", {}}, {}}};
  EXPECT_NE(find_message(model).find("to a record here and to a coordinate earlier"),
            std::string::npos);
}

TEST(ModelCheckTest, ForceGivenTwice) {
  EquationModel model = make_model();
  model.forces = {{"x", {"1", {}}, {}}, {"x", {"2", {}}, {}}};
  EXPECT_NE(find_message(model).find("force.x is given twice"), std::string::npos);
}

TEST(ModelCheckTest, FindsSeveralErrors) {
  EquationModel model = make_model();
  model.kinetic.reset();
  model.parameters[0].name = "pi";
  model.forces = {{"z", {"1", {}}, {}}};
  EXPECT_EQ(find_model_errors(model).size(), 3U);
}

TEST(ModelCheckTest, EmptyMatrixRowsAreWrongShapesNotCrashes) {
  EquationModel model = make_model();
  model.kinetic.reset();
  LinearSpec linear;
  linear.mass = {{}, {}};
  linear.input = {{}, {}};
  model.linear = linear;
  EXPECT_NE(find_message(model).find("row 1 of matrices.M has 0 entries; 2 wanted"),
            std::string::npos);
  EXPECT_NE(find_message(model).find("matrices.K has 0 row(s)"), std::string::npos);
}

TEST(ModelCheckTest, LongWordsAreCutAtWholeCharacters) {
  const std::string umlauts = std::string(59, 'a') + "\xC3\xA4\xC3\xA4";
  EXPECT_EQ(shorten(umlauts), std::string(59, 'a') + "...");
  EXPECT_EQ(shorten("short"), "short");
}

TEST(ModelCheckTest, SuggestionsStayShort) {
  std::vector<std::string> many;
  for (int i = 0; i < 100; ++i) many.push_back("coordinate" + std::to_string(i));
  EXPECT_EQ(suggest_name("zzz", many), "");
  EXPECT_EQ(suggest_name("coordinat7", many), "did you mean 'coordinate7'?");
  EXPECT_EQ(suggest_name(std::string(100000, 'x'), many), "");
  EXPECT_EQ(suggest_name("q", {"alpha", "beta"}), "known: alpha, beta");
}

}  // namespace
}  // namespace driftless
