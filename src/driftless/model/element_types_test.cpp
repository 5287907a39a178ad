#include "driftless/model/element_types.hpp"

#include <algorithm>
#include <unordered_set>

#include <gtest/gtest.h>

#include "driftless/expressions/parser.hpp"

namespace driftless {
namespace {

TEST(ElementTypesTest, KnowsTheRevoluteJoint) {
  const ElementType* type = find_element_type("joint", "revolute");
  ASSERT_NE(type, nullptr);
  EXPECT_TRUE(type->in_plane);
  EXPECT_EQ(find_element_type("force", "revolute"), nullptr);
  const std::vector<std::string> joints = known_joint_types();
  EXPECT_NE(std::find(joints.begin(), joints.end(), "revolute"), joints.end());
}

TEST(ElementTypesTest, EveryTypeIsDescribedOnce) {
  std::unordered_set<std::string> seen;
  for (const ElementType& type : all_element_types()) {
    EXPECT_TRUE(seen.insert(type.kind + "." + type.name).second) << type.name;
    EXPECT_TRUE(is_identifier(type.name)) << type.name;
    EXPECT_FALSE(type.summary.empty()) << type.name;
    for (const ElementField& field : type.fields) {
      EXPECT_TRUE(is_identifier(field.key)) << type.name;
      EXPECT_FALSE(field.description.empty()) << type.name << "." << field.key;
    }
  }
}

}  // namespace
}  // namespace driftless
