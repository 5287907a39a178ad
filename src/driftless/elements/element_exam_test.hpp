#pragma once
// The exam of joints and constraints, as functions that return a list of complaints: none is a pass. exam_test.cpp runs
// them over the type lists, and over elements broken on purpose.

#include <string>
#include <vector>

#include "driftless/base/fields.hpp"
#include "driftless/elements/constraints/constraint.hpp"
#include "driftless/elements/joints/joint.hpp"
#include "driftless/elements/poses_test.hpp"

namespace driftless::testing {

struct Examinee {
  std::string name;
  Space space = Space::space;
  JointParts parts;  ///< of a constraint: without coordinates
  bool one_sided = false;
  bool undefined = false;
};

using Complaints = std::vector<std::string>;

/// Sizes, names, turn inputs.
Complaints examine_shape(const Examinee& element);
/// Frames that coincide are a pose of a joint with coordinates, and these are 0 there.
Complaints examine_home(const Examinee& element);
/// J, f', f'' and dJ/ds against differences, off the manifold; of rows and of coordinates.
Complaints examine_derivatives(const Examinee& element);
/// On the manifold: as many independent rows as rows, and coordinates that tell the rest of the motion.
Complaints examine_rank(const Examinee& element);
/// Coordinates jump somewhere in a whole turn if, and only if, they say that they wrap.
Complaints examine_turns(const Examinee& element);
/// A motion of everything changes nothing.
Complaints examine_invariance(const Examinee& element);
/// With the frames exchanged the same poses satisfy the rows, unless the element says that it is one-sided.
Complaints examine_swap(const Examinee& element);
/// Numbers at poses where axes are parallel, opposed or perpendicular and origins meet.
Complaints examine_singular_poses(const Examinee& element);

Complaints examine(const Examinee& element);

/// Every number of a spec set to something in its bounds.
template <class Spec>
Spec make_example() {
  Spec spec;
  double number = 0.6;
  for_each_field<Spec>([&](const auto& each) {
    if constexpr (requires { spec.*each.member = number; }) {
      spec.*each.member = number;
      number += 0.1;
    }
  });
  return spec;
}

template <class Spec>
Examinee make_examinee(Space space) {
  const Spec spec = make_example<Spec>();
  Examinee element;
  element.name = Spec::kName;
  element.space = space;
  if constexpr (requires { make_joint(spec, space); }) {
    element.parts = make_joint(spec, space);
  } else {
    ConstraintParts parts = make_constraint(spec, space);
    element.parts.rows = std::move(parts.rows);
    element.parts.row_names = std::move(parts.row_names);
  }
  element.one_sided = requires { Spec::kOneSided; };
  element.undefined = requires { Spec::kUndefinedAt; };
  return element;
}

}  // namespace driftless::testing
