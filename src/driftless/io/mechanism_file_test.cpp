// Model files with bodies and joints: what is read, and in which form it is handed on.

#include <gtest/gtest.h>

#include "driftless/io/model_file_test.hpp"
#include "driftless/model/mechanism_check.hpp"

namespace driftless {
namespace {

using testing::four_bar;
using testing::with_plane_head;

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(MechanismFileTest, ReadsTheFourBar) {
  const ModelFile file = parse_model(four_bar(), "models/four_bar.toml");
  ASSERT_TRUE(file.mechanism.has_value());
  const MechanismModel& model = *file.mechanism;
  EXPECT_EQ(model.name, "four-bar");
  EXPECT_EQ(model.folder, "models");
  EXPECT_EQ(&file.common(), &model);
  EXPECT_FALSE(model.plane);
  EXPECT_EQ(model.gravity.list().at(1).text(), "-g");
  EXPECT_EQ(names_of(model.parameters), (Names{"g", "l"}));
  EXPECT_EQ(names_of(model.points), (Names{"A", "B", "C", "D", "P"}));
  EXPECT_EQ(model.points[2].value.list().at(0).text(), "1 + l");
  EXPECT_EQ(names_of(model.bodies), (Names{"crank", "coupler", "rocker"}));
  EXPECT_EQ(names_of(model.joints), (Names{"A", "B", "C", "D"}));
  EXPECT_EQ(names_of(model.forces), (Names{"k"}));
  EXPECT_EQ(names_of(model.records), (Names{"reach"}));
  EXPECT_EQ(file.methods.at(0).entries.at(0).second.text(), "index1");
}

TEST(MechanismFileTest, KeepsEntriesWithTheirPlaces) {
  const MechanismModel model = *parse_model(four_bar(), "model.toml").mechanism;
  const ElementSpec& joint = model.joints[0];
  EXPECT_EQ(joint.type, "revolute");
  EXPECT_EQ(joint.where.line, 20);
  EXPECT_EQ(joint.type_where.line, 21);
  EXPECT_EQ(joint.type_where.column, 9);
  ASSERT_EQ(joint.entries.size(), 2U);  // without the type
  EXPECT_EQ(joint.entries[0].first, "between");
  EXPECT_EQ(joint.entries[0].second.list().at(1).text(), "crank");
  EXPECT_EQ(joint.entries[0].second.list().at(1).where.line, 22);
  EXPECT_EQ(joint.entries[1].second.text(), "A");
  const Value* frame = find_value(model.bodies[1].entries, "frame");
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(find_value(frame->table(), "tip")->table().at(0).second.list().at(0).number(), 1.5);
}

TEST(MechanismFileTest, FlattensStartValuesInTheOrderOfTheFile) {
  const MechanismModel model = *parse_model(four_bar(), "model.toml").mechanism;
  ASSERT_EQ(names_of(model.start), (Names{"A.angle", "B.angle", "A.rate"}));
  EXPECT_EQ(model.start[0].value.text(), "30 deg");
  EXPECT_EQ(model.start[1].value.number(), 1.0);
  EXPECT_EQ(find_value(model.start[2].value.table(), "value")->text(), "10 rpm");
  EXPECT_EQ(find_value(model.start[2].value.table(), "priority")->text(), "exact");
  EXPECT_EQ(model.start[2].where.line, model.start[0].where.line + 2);
}

TEST(MechanismFileTest, EveryWayToWriteADottedKeyIsTheSame) {
  for (const std::string_view start :
       {"[start]\ncrank.x = 1\n", "[start.crank]\nx = 1\n", "[start]\ncrank = { x = 1 }\n",
        "[start]\n\"crank.x\" = 1\n"}) {
    const MechanismModel model = *parse_model(with_plane_head(start), "model.toml").mechanism;
    ASSERT_EQ(names_of(model.start), (Names{"crank.x"})) << start;
    EXPECT_EQ(model.start[0].value.number(), 1.0);
  }
}

TEST(MechanismFileTest, ReadsColumnsToDisplay) {
  const ModelFile file = parse_model(four_bar(), "model.toml");
  ASSERT_EQ(file.display.size(), 3U);
  EXPECT_EQ(file.display[0].first, "A.angle");
  EXPECT_EQ(file.display[1].first, "A.rate");
  EXPECT_EQ(file.display[1].second.text(), "rpm");
  EXPECT_EQ(file.display[2].first, "reach");
}

TEST(MechanismFileTest, ReadsThePlane) {
  const ModelFile file = parse_model(with_plane_head(R"([joint.A]
type = "revolute"
between = ["ground", "crank"]
at = ["l", "2*l"]
[constraint.rod1]
type = "distance"
between = ["crank", "rod"]
at = ["A", [1, 0]]
[force.k]
type = "spring_damper"
between = ["ground", "crank"]
at = ["A", "B"]
[measure.reach]
type = "point"
body = "crank"
at = "B"
)"),
                                     "model.toml");
  ASSERT_TRUE(file.mechanism.has_value());
  EXPECT_TRUE(file.mechanism->plane);
  EXPECT_TRUE(file.mechanism->gravity.list().empty());
  EXPECT_EQ(file.mechanism->bodies[0].entries.size(), 0U);
  EXPECT_EQ(file.mechanism->constraints[0].type, "distance");
  EXPECT_EQ(file.mechanism->measures[0].type, "point");
  EXPECT_EQ(file.mechanism->name, "model");
}

TEST(MechanismFileTest, EquationModelsAreNoMechanisms) {
  const ModelFile file = parse_model(testing::with_head(""), "model.toml");
  EXPECT_FALSE(file.mechanism.has_value());
  EXPECT_EQ(&file.common(), &file.model);
}

TEST(MechanismFileTest, AFullGroupOfBodiesIsReadQuickly) {
  std::string text = with_plane_head("");
  for (int i = 0; i < 5000; ++i) {
    text += "[body.b" + std::to_string(i) + "]\nmass = 1\n[joint.j" + std::to_string(i) +
            "]\ntype = \"revolute\"\nbetween = [\"ground\", \"b" + std::to_string(i) +
            "\"]\nat = \"A\"\n";
  }
  EXPECT_EQ(parse_model(text, "model.toml").mechanism->joints.size(), 5000U);
}

}  // namespace
}  // namespace driftless
