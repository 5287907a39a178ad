// A joint that declares the form of its rows must mean the rows of its function.

#include <gtest/gtest.h>

#include "driftless/elements/element_exam_test.hpp"
#include "driftless/elements/frame_pair.hpp"
#include "driftless/elements/joints/all.hpp"
#include "driftless/elements/poses_test.hpp"

namespace driftless {
namespace {

Vector3 axis(const Frame<double>& frame, int index) {
  return index == 0 ? frame.axes.x : index == 1 ? frame.axes.y : frame.axes.z;
}

template <class Joint>
int compare_form(Space space) {
  const JointParts joint = make_joint(Joint{}, space);
  if (!joint.form.is_given) return 0;
  SCOPED_TRACE(Joint::kName);
  testing::Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const auto poses = testing::make_poses(space, random);
    std::vector<double> rows(static_cast<std::size_t>(joint.rows->outputs()));
    joint.rows->eval(poses.data(), rows.data());
    const Vector3 gap = find_gap(poses.data());
    std::vector<double> expected{gap.x, gap.y};
    if (space == Space::space) expected.push_back(gap.z);
    for (const auto& [first, second] : joint.form.products)
      expected.push_back(dot(axis(poses[0], first), axis(poses[1], second)));
    EXPECT_EQ(rows, expected);
  }
  return 1;
}

template <class... Joints>
int compare_forms(const std::tuple<Joints...>& /*all*/, Space space) {
  const auto compare = [&]<class Joint>(const Joint& /*spec*/) {
    return space == Space::space || Joint::kInPlane ? compare_form<Joint>(space) : 0;
  };
  return (compare(Joints{}) + ...);
}

TEST(PairForm, SaysWhatTheRowsAre) {
  EXPECT_GE(compare_forms(AllJoints{}, Space::plane), 1);
  EXPECT_GE(compare_forms(AllJoints{}, Space::space), 4);
}

}  // namespace
}  // namespace driftless
