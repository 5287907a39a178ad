#include "driftless/mechanism/joint_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace driftless {
namespace {

/// The angle of the rotation that takes one set of axes to the other, from 0 to pi.
double find_angle_between(const Axes<double>& a, const Axes<double>& b) {
  const double twice_cosine = dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z) - 1.0;
  const Vector3 twice_sine = cross(a.x, b.x) + cross(a.y, b.y) + cross(a.z, b.z);
  return std::atan2(norm(twice_sine), twice_cosine);
}

/// How many rows say something about the orientation: those that no shift changes.
int count_turn_rows(const RowBlock& row) {
  const Axes<double> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Frame<double> frames[] = {{{}, axes, 0.0}, {{}, axes, 0.0}};
  const FrameFunction& function = *row.block.function;
  std::vector<double> f(static_cast<std::size_t>(function.outputs()));
  std::vector<double> jacobian(f.size() * 2 * kTwist);
  function.eval_jacobian(frames, f.data(), jacobian.data());
  int count = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double* g = jacobian.data() + i * 2 * kTwist + kTwist;
    const bool has_shift = g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0;
    count += int{!has_shift};
  }
  return count;
}

/// Groups of bodies by what was connected so far.
class Groups {
 public:
  explicit Groups(std::size_t count) : leader_(count) {
    std::iota(leader_.begin(), leader_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t node) const {
    while (leader_[node] != node) node = leader_[node];
    return node;
  }
  /// False: they were connected already.
  bool connect(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    leader_[b] = a;
    return a != b;
  }

 private:
  std::vector<std::size_t> leader_;
};

}  // namespace

JointTree::JointTree(const MechanismParts& parts, const Kinematics& kinematics)
    : parts_(parts), kinematics_(kinematics) {
  std::vector<std::pair<int, std::size_t>> by_turns;
  for (std::size_t k = 0; k < parts.rows.size(); ++k) {
    if (parts.rows[k].find_nearest != nullptr)
      by_turns.emplace_back(-count_turn_rows(parts.rows[k]), k);
  }
  std::sort(by_turns.begin(), by_turns.end());
  std::vector<std::size_t> joints;
  for (const auto& [turns, joint] : by_turns) joints.push_back(joint);
  find_steps(joints);
}

void JointTree::find_steps(const std::vector<std::size_t>& joints) {
  const std::size_t ground = parts_.bodies.size();
  const auto find_node = [&](std::size_t joint, std::size_t side) {
    const int frame = parts_.rows[joint].block.frames[side];
    const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
    return body < 0 ? ground : static_cast<std::size_t>(body);
  };
  Groups groups(ground + 1);
  std::vector<std::vector<Step>> leaving(ground + 1);  // to the neighbours in the tree
  for (const std::size_t joint : joints) {
    const std::size_t first = find_node(joint, 0);
    const std::size_t second = find_node(joint, 1);
    if (!groups.connect(first, second)) continue;
    leaving[first].push_back({joint, true});
    leaving[second].push_back({joint, false});
  }
  std::vector<std::size_t> roots(ground + 1);
  std::iota(roots.begin(), roots.end(), std::size_t{0});
  const auto find_weight = [&](std::size_t node) {
    return node == ground ? std::numeric_limits<double>::infinity() : parts_.bodies[node].mass;
  };
  std::stable_sort(roots.begin(), roots.end(),
                   [&](std::size_t a, std::size_t b) { return find_weight(a) > find_weight(b); });
  std::vector<bool> is_placed(ground + 1, false);
  for (const std::size_t root : roots) {
    if (is_placed[root]) continue;
    is_placed[root] = true;
    std::vector<std::size_t> reached{root};
    for (std::size_t k = 0; k < reached.size(); ++k) {
      for (const Step& step : leaving[reached[k]]) {
        const std::size_t next = find_node(step.joint, step.is_second ? 1 : 0);
        if (is_placed[next]) continue;
        is_placed[next] = true;
        steps_.push_back(step);
        reached.push_back(next);
      }
    }
  }
}

Vector JointTree::find_turns_off(ConstVectorRef q) const {
  Vector angles = Vector::Zero(static_cast<Eigen::Index>(parts_.rows.size()));
  MotionState state = kinematics_.make_state();
  kinematics_.place(q, state);
  for (std::size_t k = 0; k < parts_.rows.size(); ++k) {
    const RowBlock& row = parts_.rows[k];
    if (row.find_nearest == nullptr) continue;
    const Frame<double> frames[] = {
        state.frames[static_cast<std::size_t>(row.block.frames[0])].pose,
        state.frames[static_cast<std::size_t>(row.block.frames[1])].pose};
    angles[static_cast<Eigen::Index>(k)] =
        find_angle_between(row.find_nearest(frames).axes, frames[1].axes);
  }
  return angles;
}

void JointTree::close(VectorRef q) const {
  MotionState state = kinematics_.make_state();
  for (const Step& step : steps_) {
    kinematics_.place(q, state);
    move_body(step, state, q);
  }
}

// With X the pose of the body, N the nearest pose of frame 1 and F0, F1 the poses of the frames, the body moves
//   on frame 1's side by N F1⁻¹,      on frame 0's by its inverse, F1 N⁻¹                                        [TRE.1]
void JointTree::move_body(const Step& step, const MotionState& state, VectorRef q) const {
  const RowBlock& row = parts_.rows[step.joint];
  const auto first = static_cast<std::size_t>(row.block.frames[0]);
  const auto second = static_cast<std::size_t>(row.block.frames[1]);
  const Frame<double> frames[] = {state.frames[first].pose, state.frames[second].pose};
  const Frame<double> nearest = row.find_nearest(frames);
  const Frame<double>& from = step.is_second ? frames[1] : nearest;
  const Frame<double>& to = step.is_second ? nearest : frames[1];
  const int index = parts_.frames[step.is_second ? second : first].body;
  const Body& body = parts_.bodies[static_cast<std::size_t>(index)];
  BodyState pose = state.bodies[static_cast<std::size_t>(index)];
  const auto turn = [&](const Vector3& v) { return apply(to.axes, apply_inverse(from.axes, v)); };
  if (body.is_point()) {  // it has no axes to turn: its own frame goes where it belongs
    pose.position = pose.position + to.origin - from.origin;
  } else {
    pose.position = to.origin + turn(pose.position - from.origin);
    pose.axes = {turn(pose.axes.x), turn(pose.axes.y), turn(pose.axes.z)};
  }
  set_pose(body, pose, q);
}

}  // namespace driftless
