// Every joint and constraint of the type lists, in space and, where it exists there, in the plane; copies of each that are
// broken on purpose, and elements broken in other ways, which the exam must refuse.

#include <gtest/gtest.h>

#include "driftless/elements/broken_copy_test.hpp"
#include "driftless/elements/constraints/all.hpp"
#include "driftless/elements/element_exam_test.hpp"
#include "driftless/elements/frame_pair.hpp"
#include "driftless/elements/joints/all.hpp"

namespace driftless {
namespace {

using testing::Complaints;
using testing::Examinee;
using testing::Picked;
using testing::Tampered;

struct Candidate {
  std::string name;
  Examinee (*make)(Space space);
  Space space;
};

template <class List>
void append_candidates(std::vector<Candidate>& all) {
  const auto append = [&]<class Spec>(std::type_identity<Spec>) {
    const std::string name(Spec::kName);
    all.push_back({name, testing::make_examinee<Spec>, Space::space});
    if (Spec::kInPlane) {
      all.push_back({name + "_in_plane", testing::make_examinee<Spec>, Space::plane});
    }
  };
  [&]<class... Specs>(std::type_identity<std::tuple<Specs...>>) {
    (append(std::type_identity<Specs>{}), ...);
  }(std::type_identity<List>{});
}

std::vector<Candidate> list_candidates() {
  std::vector<Candidate> all;
  append_candidates<AllJoints>(all);
  append_candidates<FrameConstraints>(all);
  return all;
}

std::string join(const Complaints& complaints) {
  std::string text;
  for (const std::string& each : complaints) text += each + "; ";
  return text;
}

class ElementExam : public ::testing::TestWithParam<Candidate> {};

TEST_P(ElementExam, Passes) {
  const Complaints complaints = testing::examine(GetParam().make(GetParam().space));
  EXPECT_TRUE(complaints.empty()) << join(complaints);
}

using Function = std::unique_ptr<FrameFunction> JointParts::*;

TEST_P(ElementExam, NoticesEveryFalsifiedDerivative) {
  const auto make = [] { return GetParam().make(GetParam().space); };
  for (const Function function : {&JointParts::rows, &JointParts::coordinates}) {
    const Examinee sound = make();
    const int outputs = sound.parts.*function ? (sound.parts.*function)->outputs() : 0;
    for (int output = 0; output < outputs; ++output) {
      for (const Tampered::Part part : Tampered::kParts) {
        Examinee broken = make();
        std::unique_ptr<FrameFunction>& copy = broken.parts.*function;
        copy = std::make_unique<Tampered>(std::move(copy), part, output);
        EXPECT_FALSE(testing::examine_derivatives(broken).empty())
            << "output " << output << ", answer " << static_cast<int>(part);
      }
    }
  }
}

TEST_P(ElementExam, NoticesEveryWrongClaimAboutTurns) {
  Examinee broken = GetParam().make(GetParam().space);
  for (JointCoordinate& each : broken.parts.coordinate_info) {
    each.wraps = !each.wraps;
    EXPECT_FALSE(testing::examine_turns(broken).empty()) << each.name;
    each.wraps = !each.wraps;
  }
}

/// The outputs 0, 1, ..., with `left_out` gone, and `doubled` in its place if there is one.
std::vector<int> list_outputs(int count, int left_out, int doubled = -1) {
  std::vector<int> outputs;
  for (int k = 0; k < count; ++k) {
    if (k != left_out) outputs.push_back(k);
    if (k == left_out && doubled >= 0) outputs.push_back(doubled);
  }
  return outputs;
}

TEST_P(ElementExam, NoticesEveryMissingAndEveryRepeatedRow) {
  const auto make = [](int left_out, int doubled) {
    Examinee broken = GetParam().make(GetParam().space);
    std::unique_ptr<FrameFunction>& rows = broken.parts.rows;
    const std::vector<int> outputs = list_outputs(rows->outputs(), left_out, doubled);
    rows = std::make_unique<Picked>(std::move(rows), outputs);
    return broken;
  };
  const Examinee sound = GetParam().make(GetParam().space);
  if (!sound.parts.rows) return;
  const int rows = sound.parts.rows->outputs();
  const int coordinates = static_cast<int>(sound.parts.coordinate_info.size());
  const int freedoms = static_cast<int>(testing::find_directions(sound.space).size());
  for (int row = 0; row < rows; ++row) {
    SCOPED_TRACE(sound.parts.row_names[row]);
    // Where coordinates tell no more than what is left. Else only the summary knows the number of rows: a screw without its
    // advance is a cylindrical joint.
    if (coordinates > 0 && rows + coordinates == freedoms) {
      EXPECT_FALSE(testing::examine_rank(make(row, -1)).empty());
    }
    if (rows > 1) {
      EXPECT_FALSE(testing::examine_rank(make(row, (row + 1) % rows)).empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementExam, ::testing::ValuesIn(list_candidates()),
                         [](const auto& each) { return each.param.name; });

// The number of rows is what the summary promises: "5 rows (2 in the plane)".
TEST(ElementExamLists, TheSummaryCountsTheRows) {
  const auto check = [](std::string_view summary, const Examinee& element) {
    const int rows = element.parts.rows ? element.parts.rows->outputs() : 0;
    const std::string count = rows == 0   ? "no row"
                              : rows == 1 ? "1 row"
                                          : std::to_string(rows) + " rows";
    const std::string aside = "(" + std::to_string(rows) + " in the plane)";
    const auto says = [&](const std::string& text) {
      return summary.find(text) != std::string_view::npos;
    };
    const bool in_plane = element.space == Space::plane;
    EXPECT_TRUE(in_plane && says("in the plane") ? says(aside) : says(count))
        << element.name << " says \"" << summary << "\" and has " << rows << " in "
        << (in_plane ? "the plane" : "space");
  };
  const auto check_all = [&]<class... Specs>(std::type_identity<std::tuple<Specs...>>) {
    (check(Specs::kSummary, testing::make_examinee<Specs>(Space::space)), ...);
    (
        [&] {
          if constexpr (Specs::kInPlane) {
            check(Specs::kSummary, testing::make_examinee<Specs>(Space::plane));
          }
        }(),
        ...);
  };
  check_all(std::type_identity<AllJoints>{});
  check_all(std::type_identity<FrameConstraints>{});
}

// So that one list of them is true for both: coordinates have the same names in the plane.
TEST(ElementExamLists, CoordinatesHaveTheSameNamesInThePlane) {
  const auto list = [](const JointParts& parts) {
    std::vector<std::string_view> words;
    for (const JointCoordinate& each : parts.coordinate_info) {
      words.insert(words.end(), {each.name, each.rate, each.unit});
    }
    return words;
  };
  const auto check = [&]<class Spec>(std::type_identity<Spec>) {
    if constexpr (Spec::kInPlane) {
      EXPECT_EQ(list(make_joint(Spec{}, Space::plane)), list(make_joint(Spec{}, Space::space)))
          << Spec::kName;
    }
  };
  [&]<class... Specs>(std::type_identity<std::tuple<Specs...>>) {
    (check(std::type_identity<Specs>{}), ...);
  }(std::type_identity<AllJoints>{});
}

// No joint so far bends in the angle of the plane; the derivatives must carry one that does.
struct SineOfAngle {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    using std::sin;
    out[0] = sin(f[1].angle - f[0].angle) + f[0].angle * f[0].angle;
  }
};

TEST(ElementExamLists, DerivativesCarryTheAngleOfThePlane) {
  Examinee element;
  element.space = Space::plane;
  element.parts.coordinates = make_frame_function(SineOfAngle{});
  element.parts.coordinate_info = {{"a", "b", "m", false}};
  EXPECT_TRUE(testing::examine_derivatives(element).empty());
}

// Broken elements. Each is sound except in one respect, and the exam of that respect must say so.

template <class Rows>
Examinee make_broken(Rows rows) {
  Examinee element;
  element.name = "broken";
  element.parts.rows = make_frame_function(rows);
  const std::string_view names[] = {"a", "b", "c"};
  element.parts.row_names.assign(names, names + Rows::kOutputs);
  return element;
}

struct AlongTheWorld {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = f[1].origin.x - f[0].origin.x;
  }
};

struct CrossProduct {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 3;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> n = cross(f[0].axes.z, f[1].axes.z);
    out[0] = dot(f[0].axes.x, n);
    out[1] = dot(f[0].axes.y, n);
    out[2] = dot(f[0].axes.z, n);
  }
};

struct RootOfDistance {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = norm(f[1].origin - f[0].origin) - 3.0;
  }
};

struct AngleInSpace {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = f[1].angle - f[0].angle;
  }
};

TEST(BrokenElement, RowsAlongTheWorldsAxesAreNoticed) {
  const Examinee element = make_broken(AlongTheWorld{});
  EXPECT_TRUE(testing::examine_derivatives(element).empty());
  EXPECT_FALSE(testing::examine_invariance(element).empty());
}

TEST(BrokenElement, RedundantRowsAreNoticed) {
  const Examinee element = make_broken(CrossProduct{});
  EXPECT_TRUE(testing::examine_invariance(element).empty());
  EXPECT_FALSE(testing::examine_rank(element).empty());
}

TEST(BrokenElement, AMissingDerivativeIsNoticed) {
  const Examinee element = make_broken(RootOfDistance{});
  EXPECT_TRUE(testing::examine_derivatives(element).empty());
  EXPECT_TRUE(testing::examine_rank(element).empty());
  EXPECT_FALSE(testing::examine_singular_poses(element).empty());
}

TEST(BrokenElement, TheAngleOfThePlaneInSpaceIsNoticed) {
  EXPECT_FALSE(testing::examine_derivatives(make_broken(AngleInSpace{})).empty());
}

TEST(BrokenElement, AWrongClaimAboutTheSidesIsNoticed) {
  Examinee element = testing::make_examinee<PointOnLine>(Space::space);
  EXPECT_TRUE(testing::examine_swap(element).empty());
  element.one_sided = false;
  EXPECT_FALSE(testing::examine_swap(element).empty());
  Examinee other = testing::make_examinee<Revolute>(Space::space);
  other.one_sided = true;
  EXPECT_FALSE(testing::examine_swap(other).empty());
}

TEST(BrokenElement, AWrongClaimAboutUndefinedPosesIsNoticed) {
  Examinee element = testing::make_examinee<Screw>(Space::space);
  element.undefined = false;
  EXPECT_FALSE(testing::examine_singular_poses(element).empty());
  Examinee other = testing::make_examinee<Revolute>(Space::space);
  other.undefined = true;
  EXPECT_FALSE(testing::examine_singular_poses(other).empty());
}

TEST(BrokenElement, CoordinatesThatTellNothingAreNoticed) {
  Examinee element = testing::make_examinee<Cylindrical>(Space::space);
  element.parts.coordinates = make_joint(Prismatic{}, Space::space).rows;
  element.parts.coordinate_info.assign(5, {"a", "b", "m", false});
  EXPECT_FALSE(testing::examine_rank(element).empty());
}

struct ShiftedAngle {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_angle(f) + 0.5;
  }
};

TEST(BrokenElement, CoordinatesThatDoNotCountFromZeroAreNoticed) {
  Examinee element = testing::make_examinee<Revolute>(Space::space);
  EXPECT_TRUE(testing::examine_home(element).empty());
  element.parts.coordinates = make_frame_function(ShiftedAngle{});
  EXPECT_FALSE(testing::examine_home(element).empty());
}

TEST(BrokenElement, NamesThatDoNotFitAreNoticed) {
  Examinee missing = testing::make_examinee<Revolute>(Space::space);
  missing.parts.row_names.pop_back();
  EXPECT_FALSE(testing::examine_shape(missing).empty());
  Examinee twice = testing::make_examinee<Cylindrical>(Space::space);
  twice.parts.coordinate_info[1] = twice.parts.coordinate_info[0];
  EXPECT_FALSE(testing::examine_shape(twice).empty());
  Examinee turns = testing::make_examinee<Screw>(Space::space);
  turns.parts.coordinate_info[0].wraps = false;
  EXPECT_FALSE(testing::examine_shape(turns).empty());
}

}  // namespace
}  // namespace driftless
