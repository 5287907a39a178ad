#include "driftless/elements/element_exam_test.hpp"

#include <optional>
#include <set>

#include <fmt/format.h>

#include "driftless/base/trials_test.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless::testing {
namespace {

constexpr int kTrials = trials(200);
constexpr double kDifference =
    1e-7;  // truncation and rounding of the differences below stay under 1e-8
constexpr double kExact = 1e-12;  // rounding of a dozen products of numbers near 1

void complain_if_apart(Complaints& complaints, std::string_view what, const MatrixXd& got,
                       const MatrixXd& expected, double tolerance) {
  const double error = (got - expected).lpNorm<Eigen::Infinity>();
  const double bound = tolerance * (1.0 + expected.lpNorm<Eigen::Infinity>());
  if (!(error <= bound)) complaints.push_back(fmt::format("{}: off by {:.1e}", what, error));
}

/// A pose where the rows hold, its angles away from ±π, where they jump.
std::optional<Poses> find_pose(const Examinee& element, Random& random) {
  const JointParts& parts = element.parts;
  for (int attempt = 0; attempt < 200; ++attempt) {
    Poses poses = make_poses(element.space, random);
    if (parts.rows && !project(make_row_set(*parts.rows), element.space, poses)) continue;
    if (!parts.coordinates) return poses;
    const VectorXd c = calc_value(*parts.coordinates, poses);
    bool jumps = false;
    for (int i = 0; i < c.size(); ++i) {
      jumps = jumps || (parts.coordinate_info[i].wraps && std::abs(c(i)) > 2.2);
    }
    if (!jumps) return poses;
  }
  return {};
}

/// Calls `check(poses)` at poses where the rows hold.
template <class Check>
void for_each_pose(const Examinee& element, unsigned seed, Complaints& complaints, Check&& check) {
  Random random(seed);
  for (int trial = 0; trial < kTrials && complaints.empty(); ++trial) {
    const std::optional<Poses> poses = find_pose(element, random);
    if (!poses) {
      complaints.push_back("no pose found that satisfies the rows");
      return;
    }
    check(*poses, random);
  }
}

/// d/ds at 0, twice central differences: error O(h⁴).
template <class Function>
MatrixXd calc_slope(Function&& f) {
  const double h = 2e-3;
  const auto central = [&](double s) -> MatrixXd { return (f(s) - f(-s)) / (2.0 * s); };
  return (4.0 * central(0.5 * h) - central(h)) / 3.0;
}
template <class Function>
MatrixXd calc_bend(Function&& f) {
  const double h = 4e-3;
  const auto central = [&](double s) -> MatrixXd {
    return (f(s) - 2.0 * f(0.0) + f(-s)) / (s * s);
  };
  return (4.0 * central(0.5 * h) - central(h)) / 3.0;
}

void examine_derivatives_at(const FrameFunction& function, Space space, const Poses& poses,
                            Random& random, Complaints& complaints) {
  const std::vector<double> turns(function.turn_inputs(), 6.0 * kPi);
  const auto f_at = [&](const Twists& u, const Twists& a) {
    return [&function, &poses, &turns, u, a](double s) -> MatrixXd {
      return calc_value(function, move(poses, u, s, a), turns.data());
    };
  };
  const MatrixXd J = calc_jacobian(function, poses, turns.data());
  for (int k = 0; k < 2; ++k) {
    for (int direction : find_directions(space)) {
      Twists unit{};
      unit[k] = make_unit_twist(direction);
      complain_if_apart(complaints, "J", J.col(kTwist * k + direction), calc_slope(f_at(unit, {})),
                        kDifference);
    }
  }

  const Twists u = random.twists(space), a = random.twists(space);
  const FrameMotion motion[2] = {{poses[0], u[0], a[0]}, {poses[1], u[1], a[1]}};
  VectorXd first(function.outputs()), second = first;
  function.eval_motion(motion, first.data(), second.data(), turns.data());
  complain_if_apart(complaints, "f' = J twist", first, J * stack(u), kExact);
  complain_if_apart(complaints, "f'", first, calc_slope(f_at(u, a)), kDifference);
  complain_if_apart(complaints, "f''", second, calc_bend(f_at(u, a)), kDifference);

  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rate(J.rows(), J.cols());
  function.eval_jacobian_rate(poses.data(), u.data(), rate.data(), turns.data());
  const MatrixXd rate_by_differences = calc_slope(
      [&](double s) { return calc_jacobian(function, move(poses, u, s), turns.data()); });
  for (int k = 0; k < 2; ++k) {
    complain_if_apart(complaints, "dJ/ds", find_columns(rate, k, space),
                      find_columns(rate_by_differences, k, space), kDifference);
  }
  complain_if_apart(complaints, "f'' = J acceleration + dJ/ds twist", second,
                    J * stack(a) + rate * stack(u), kExact);
}

int find_rank(const MatrixXd& matrix) {
  if (matrix.rows() == 0) return 0;
  const Vector values = find_singular_values(matrix);
  return static_cast<int>((values.array() > 1e-6 * values[0]).count());
}

/// Values and derivatives, in one row of numbers.
VectorXd calc_everything(const FrameFunction& function, Space space, const Poses& poses,
                         const Twists& u) {
  const int n = function.outputs();
  const FrameMotion motion[2] = {{poses[0], u[0], u[1]}, {poses[1], u[1], u[0]}};
  VectorXd first(n), second(n), rate(n * 2 * kTwist);
  function.eval_motion(motion, first.data(), second.data());
  function.eval_jacobian_rate(poses.data(), u.data(), rate.data());
  const MatrixXd J = calc_jacobian(function, poses);
  const MatrixXd J0 = find_columns(J, 0, space), J1 = find_columns(J, 1, space);
  VectorXd all(2 * n + rate.size() + J0.size() + J1.size());
  all << first, second, rate, J0.reshaped(), J1.reshaped();
  return all;
}

/// Frame 0 at home; frame 1 in every orientation along its axes, at and beside its origin.
std::vector<Poses> make_special_poses(Space space) {
  std::vector<Frame<double>> turned;
  const double none = make_home(space).angle;
  const Vector3 unit[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  for (const Vector3& x : unit) {
    for (const Vector3& y : unit) {
      if (dot(x, y) != 0.0) continue;
      const Vector3 z = cross(x, y);
      if (space == Space::plane && z.z != 1.0) continue;
      turned.push_back({{0, 0, 0}, {x, y, z}, none + std::atan2(x.y, x.x)});
    }
  }
  std::vector<Vector3> shifts{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 1, 0}};
  if (space == Space::space) shifts.insert(shifts.end(), {{0, 0, 1}, {1, -1, 1}});
  std::vector<Poses> result;
  for (Frame<double> frame : turned) {
    for (const Vector3& shift : shifts) {
      frame.origin = shift;
      result.push_back({make_home(space), frame});
    }
  }
  return result;
}

void append(Complaints& all, const Complaints& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Complaints examine_shape(const Examinee& element) {
  const JointParts& parts = element.parts;
  Complaints complaints;
  const auto check = [&](bool good, std::string_view what) {
    if (!good) complaints.emplace_back(what);
  };
  int wraps = 0;
  std::set<std::string_view> names;
  for (const JointCoordinate& each : parts.coordinate_info) {
    wraps += each.wraps ? 1 : 0;
    names.insert({each.name, each.rate});
    check(each.unit == "rad" || each.unit == "m", "a coordinate is in rad or m");
    check(!each.wraps || element.space == Space::space, "angles in the plane count turns");
  }
  check(names.size() == 2 * parts.coordinate_info.size(), "coordinates and rates share a name");
  const std::set<std::string_view> rows(parts.row_names.begin(), parts.row_names.end());
  check(rows.size() == parts.row_names.size(), "rows share a name");
  const auto size = [](const auto& function) { return function ? function->outputs() : 0; };
  check(size(parts.rows) == static_cast<int>(rows.size()), "one name per row");
  check(size(parts.coordinates) == static_cast<int>(parts.coordinate_info.size()),
        "one description per coordinate");
  check(!parts.rows || parts.rows->frames() == 2, "rows of two frames");
  check(!parts.rows || parts.rows->turn_inputs() <= wraps, "a turn input without a coordinate");
  check(!parts.coordinates || parts.coordinates->turn_inputs() == 0,
        "turns are added to coordinates by the caller");
  return complaints;
}

Complaints examine_derivatives(const Examinee& element) {
  Complaints complaints;
  const double off = 0.4;
  for_each_pose(element, 1, complaints, [&](const Poses& on, Random& random) {
    const Poses poses = move(on, random.twists(element.space, off), 1.0);
    for (const auto* function : {&element.parts.rows, &element.parts.coordinates}) {
      if (*function) {
        examine_derivatives_at(**function, element.space, poses, random, complaints);
      }
    }
  });
  return complaints;
}

Complaints examine_home(const Examinee& element) {
  Complaints complaints;
  const JointParts& parts = element.parts;
  if (!parts.coordinates) return complaints;
  const Poses home{make_home(element.space), make_home(element.space)};
  if (parts.rows && !calc_value(*parts.rows, home).isZero(kExact)) {
    complaints.push_back("the rows do not hold where the frames coincide");
  }
  if (!calc_value(*parts.coordinates, home).isZero(kExact)) {
    complaints.push_back("the coordinates are not 0 where the frames coincide");
  }
  return complaints;
}

Complaints examine_rank(const Examinee& element) {
  Complaints complaints;
  const JointParts& parts = element.parts;
  const Space space = element.space;
  const int all = static_cast<int>(find_directions(space).size());
  for_each_pose(element, 2, complaints, [&](const Poses& poses, Random& /*random*/) {
    for (int k = 0; k < 2; ++k) {
      MatrixXd J(0, all);
      if (parts.rows) J = find_columns(calc_jacobian(*parts.rows, poses), k, space);
      const int rows = static_cast<int>(J.rows());
      const int rank = find_rank(J);
      if (rank != rows) complaints.push_back(fmt::format("{} rows of rank {}", rows, rank));
      if (!parts.coordinates) continue;
      MatrixXd both(rows + parts.coordinates->outputs(), all);
      both << J, find_columns(calc_jacobian(*parts.coordinates, poses), k, space);
      if (find_rank(both) != all) {
        complaints.push_back("the coordinates do not tell all of the motion that the rows leave");
      }
    }
  });
  return complaints;
}

// Frame 1 is turned once round about each axis of either frame.
Complaints examine_turns(const Examinee& element) {
  Complaints complaints;
  const JointParts& parts = element.parts;
  if (!parts.coordinates) return complaints;
  const int steps = 200;
  std::vector<bool> jumps(parts.coordinate_info.size(), false);
  const auto turn_round = [&](const Poses& start, const Vector3& axis) {
    VectorXd before = calc_value(*parts.coordinates, start);
    for (int k = 1; k <= steps; ++k) {
      const Twist turn{{}, axis};
      const Poses poses{start[0], move(start[1], turn, 2.0 * kPi * k / steps)};
      const VectorXd now = calc_value(*parts.coordinates, poses);
      for (int i = 0; i < now.size(); ++i) {
        // However fast an angle changes, it is less than half a turn between two poses so near.
        if (std::abs(now(i) - before(i)) > 1.2 * kPi) jumps[i] = true;
      }
      before = now;
    }
  };
  Random random(6);
  for (int trial = 0; trial < trials(20); ++trial) {
    const Poses poses = make_poses(element.space, random);
    for (const Frame<double>& frame : poses) {
      turn_round(poses, frame.axes.z);
      if (element.space == Space::plane) continue;
      turn_round(poses, frame.axes.x);
      turn_round(poses, frame.axes.y);
    }
  }
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    const JointCoordinate& info = parts.coordinate_info[i];
    if (jumps[i] && !info.wraps) {
      complaints.push_back(fmt::format("{} jumps by a turn and does not say wraps", info.name));
    }
    if (!jumps[i] && info.wraps) {
      complaints.push_back(fmt::format("{} says wraps and never jumps", info.name));
    }
  }
  return complaints;
}

/// Whether the first rows are "x", "y" and, in space, "z": the gap of the origins along the world's axes.
bool has_gap(const Examinee& element) {
  const std::vector<std::string_view>& names = element.parts.row_names;
  return names.size() >= 2 && names[0] == "x" && names[1] == "y" &&
         (element.space == Space::plane || (names.size() >= 3 && names[2] == "z"));
}

Complaints examine_invariance(const Examinee& element) {
  Complaints complaints;
  const Space space = element.space;
  for_each_pose(element, 3, complaints, [&](const Poses& on, Random& random) {
    const Poses poses = move(on, random.twists(space, 0.4), 1.0);
    const Frame<double> motion = make_poses(space, random)[1];
    const Poses moved{compose(motion, poses[0]), compose(motion, poses[1])};
    const Twist w = random.twist(space);
    Twists rigid{w, w};
    for (int k = 0; k < 2; ++k) {
      rigid[k].linear = w.linear + cross(w.angular, poses[k].origin);
    }
    for (const auto* function : {&element.parts.rows, &element.parts.coordinates}) {
      if (!*function) continue;
      VectorXd values = calc_value(**function, moved);
      VectorXd before = calc_value(**function, poses);
      VectorXd rate = calc_jacobian(**function, poses) * stack(rigid);
      if (function == &element.parts.rows && has_gap(element)) {
        // The gap of the origins turns with everything.
        const int size = space == Space::plane ? 2 : 3;
        Eigen::Vector3d gap = Eigen::Vector3d::Zero();
        gap.head(size) = before.head(size);
        const Vector3 turned = apply(motion.axes, {gap[0], gap[1], gap[2]});
        const Vector3 swept = cross(w.angular, {gap[0], gap[1], gap[2]});
        before.head(size) = Eigen::Vector3d(turned.x, turned.y, turned.z).head(size);
        rate.head(size) -= Eigen::Vector3d(swept.x, swept.y, swept.z).head(size);
      }
      complain_if_apart(complaints, "moved with everything", values, before, kExact);
      complain_if_apart(complaints, "J of a motion of everything", rate,
                        VectorXd::Zero(rate.size()), kExact);
    }
  });
  return complaints;
}

// In the plane a one-sided element may be symmetric: a point on a circle is.
Complaints examine_swap(const Examinee& element) {
  Complaints complaints;
  if (!element.parts.rows) return complaints;
  double worst = 0.0;
  for_each_pose(element, 4, complaints, [&](const Poses& poses, Random& /*random*/) {
    const VectorXd f = calc_value(*element.parts.rows, {poses[1], poses[0]});
    worst = std::max(worst, f.lpNorm<Eigen::Infinity>());
  });
  if (!element.one_sided && worst > 1e-10) {
    complaints.push_back("the frames cannot be exchanged, and the spec does not say kOneSided");
  }
  if (element.one_sided && element.space == Space::space && worst < 1e-3) {
    complaints.push_back("the spec says kOneSided, and the frames can be exchanged");
  }
  return complaints;
}

Complaints examine_singular_poses(const Examinee& element) {
  Complaints complaints;
  const JointParts& parts = element.parts;
  if (!parts.rows) return complaints;
  Random random(5);
  bool undefined = false;
  for (const Poses& poses : make_special_poses(element.space)) {
    const Twists twists = random.twists(element.space);
    const VectorXd f = calc_value(*parts.rows, poses);
    const bool holds = f.lpNorm<Eigen::Infinity>() < 1e-12;
    if (!f.allFinite()) complaints.push_back("rows without a value");
    if (!calc_everything(*parts.rows, element.space, poses, twists).allFinite()) {
      undefined = true;
      if (holds || !element.undefined) complaints.push_back("rows without derivatives");
    }
    if (holds && parts.coordinates &&
        !calc_everything(*parts.coordinates, element.space, poses, twists).allFinite()) {
      complaints.push_back("coordinates without derivatives where the rows hold");
    }
  }
  if (element.undefined && !undefined) {
    complaints.push_back("the spec says kUndefinedAt, and the rows are finite everywhere");
  }
  return complaints;
}

Complaints examine(const Examinee& element) {
  Complaints complaints = examine_shape(element);
  if (!complaints.empty()) return complaints;
  append(complaints, examine_home(element));
  append(complaints, examine_derivatives(element));
  append(complaints, examine_rank(element));
  append(complaints, examine_turns(element));
  append(complaints, examine_invariance(element));
  append(complaints, examine_swap(element));
  append(complaints, examine_singular_poses(element));
  return complaints;
}

}  // namespace driftless::testing
