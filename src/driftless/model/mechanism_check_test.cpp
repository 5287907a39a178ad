#include "driftless/model/mechanism_check.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

Value words(const std::vector<std::string>& texts) {
  Value::List list;
  for (const std::string& text : texts) list.push_back({text, {}});
  return {list, {}};
}

/// As a C++ caller makes it: without places in a file.
MechanismModel make_mechanism() {
  MechanismModel model;
  model.points = {{"A", {Value::List{{0.0, {}}, {0.0, {}}, {0.0, {}}}, {}}, {}}};
  ElementSpec crank;
  crank.name = "crank";
  model.bodies = {crank};
  ElementSpec joint;
  joint.name = "A";
  joint.type = "revolute";
  joint.entries = {{"between", words({"ground", "crank"})}, {"at", {std::string("A"), {}}}};
  model.joints = {joint};
  model.start = {{"A.angle", {1.0, {}}, {}}};
  return model;
}

std::string find_message(const MechanismModel& model) {
  try {
    check_mechanism(model);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MechanismCheckTest, AcceptsAModelMadeInCode) {
  EXPECT_EQ(find_message(make_mechanism()), "accepted");
}

TEST(MechanismCheckTest, AJointMayBeCalledAfterItsPointButNotAfterABody) {
  MechanismModel model = make_mechanism();
  model.bodies[0].name = "A";
  model.joints[0].entries[0].second = words({"ground", "A"});
  EXPECT_EQ(find_message(model),
            "error: the name 'A' is given twice: to a joint here and to a body earlier\n    "
            "parameters, bodies, joints, constraints, forces, measures, tables, conserved "
            "quantities and records must have different names");
}

TEST(MechanismCheckTest, MissingTypeWithoutAPlace) {
  MechanismModel model = make_mechanism();
  model.joints[0].type.clear();
  EXPECT_NE(find_message(model).find("joint.A.type is missing"), std::string::npos);
}

TEST(MechanismCheckTest, ThePlaneChangesTheLengthOfLists) {
  MechanismModel model = make_mechanism();
  model.plane = true;
  EXPECT_EQ(find_message(model),
            "error: points.A has 3 numbers; 2 wanted in the plane\n    write [x, y]");
}

TEST(MechanismCheckTest, OwnersOfDottedNames) {
  EXPECT_EQ(find_owner("A.angle"), "A");
  EXPECT_EQ(find_owner("A.force.x"), "A");
  EXPECT_EQ(find_owner("A"), "A");
  EXPECT_EQ(find_element_names(make_mechanism()), (std::vector<std::string>{"crank", "A"}));
}

}  // namespace
}  // namespace driftless
