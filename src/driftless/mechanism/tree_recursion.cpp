#include "driftless/mechanism/tree_recursion.hpp"

#include <algorithm>
#include <utility>

#include "driftless/base/hot.hpp"
#include "driftless/math/sines.hpp"
#include "driftless/mechanism/tree_packed.hpp"
#include "driftless/mechanism/tree_passes.hpp"

namespace driftless {

TreeRecursion::TreeRecursion(std::vector<TreeBody> bodies) : bodies_(std::move(bodies)) {
  bodies_.insert(bodies_.begin(), TreeBody{});
  places_.resize(bodies_.size());
  for (int k = 1; k <= size(); ++k) {
    const TreeBody& body = bodies_[static_cast<std::size_t>(k)];
    Place& place = places_[static_cast<std::size_t>(k)];
    nq_ += count_coordinates(body.kind);
    nv_ += count_rates(body.kind);
    place.columns = columns_;
    if (tree_passes::keeps_columns(body.kind)) columns_ += 2 * count_rates(body.kind);
    place.factor = factors_;
    factors_ += tree_passes::count_factors(body.kind);
    place.root = roots_;
    roots_ += count_rates(body.kind) * count_rates(body.kind);
    if (body.parent != k - 1) {
      Place& parent = places_[static_cast<std::size_t>(body.parent)];
      if (parent.branch < 0) parent.branch = branches_++;
    }
    const bool goes_on =
        !runs_.empty() && runs_.back().kind == body.kind &&
        body.q == bodies_[static_cast<std::size_t>(k) - 1].q + count_coordinates(body.kind);
    if (!goes_on) runs_.push_back({body.kind, k, k});
    runs_.back().end = k + 1;
    list_coordinates(body);
  }
}

void TreeRecursion::list_coordinates(const TreeBody& body) {
  const int plain = count_coordinates(body.kind) - (has_quaternion(body.kind) ? 4 : 0);
  if (has_quaternion(body.kind)) quaternions_.push_back({body.q + plain, body.v + plain});
  if (plain == 0) return;
  const bool goes_on = !straights_.empty() &&
                       body.q == straights_.back().q + straights_.back().count &&
                       body.v == straights_.back().v + straights_.back().count;
  if (!goes_on) straights_.push_back({body.q, body.v, 0});
  straights_.back().count += plain;
}

TreeState TreeRecursion::make_state() const {
  TreeState state;
  const std::size_t count = bodies_.size();
  state.poses.resize(count);
  state.poses[0].axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  state.rates.resize(count);
  state.turns.resize(2 * count);
  state.wrenches.resize(count);
  state.motions.resize(count);
  state.columns.resize(static_cast<std::size_t>(columns_));
  state.factors.resize(static_cast<std::size_t>(factors_));
  state.pivots.resize(static_cast<std::size_t>(nv_));
  state.inertias.resize(static_cast<std::size_t>(branches_));
  state.branch_sum.resize(static_cast<std::size_t>(branches_));
  return state;
}

using tree_passes::Joint;

DRIFTLESS_HOT void TreeRecursion::place(ConstVectorRef q, TreeState& state) const {
  Axes<double> parent =
      state.poses[0].axes;  // of the body before; of the next one it is the parent, mostly
  const std::size_t count = bodies_.size();
  for (const Run& run : runs_) {
    const auto begin = static_cast<std::size_t>(run.begin);
    if (run.kind == TreeJointKind::revolute) {
      eval_sines(q.data() + bodies_[begin].q, static_cast<std::size_t>(run.end - run.begin),
                 state.turns.data() + begin, state.turns.data() + count + begin);
    }
  }
  pass_forth([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    if (static_cast<std::size_t>(body.parent) + 1 != i) {
      parent = state.poses[static_cast<std::size_t>(body.parent)].axes;
    }
    const double turn[2] = {state.turns[i], state.turns[count + i]};
    const double* at = kind() == TreeJointKind::revolute ? turn : q.data() + body.q;
    Joint<kind()>::place(body, at, parent, state.poses[i], state.columns.data() + place.columns);
    parent = state.poses[i].axes;
  });
}

void TreeRecursion::take_poses(const TreeState& placed, TreeState& state) const {
  state.poses = placed.poses;
  state.columns = placed.columns;
  state.turns = placed.turns;
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    TreeState::Pose& pose = state.poses[i];
    pose.moment = turn(pose.axes, bodies_[i].moment);
    pose.inertia = turn(pose.axes, bodies_[i].inertia);
  }
}

// What hangs on a body comes from the next one, whose number is one higher, on the way; from its other children by the
// sums of branches.
DRIFTLESS_HOT void TreeRecursion::factorize(const TreeState& placed, TreeState& state) const {
  state.lost = 0;
  std::fill(state.inertias.begin(), state.inertias.end(), TreeInertia{});
  TreeInertia carried;
  for (std::size_t n = runs_.size(); n-- > 0;) {
    if (runs_[n].kind == TreeJointKind::revolute) {
      factorize_hinges(runs_[n], placed, state, carried);
      continue;
    }
    pass_run_back(
        runs_[n], [&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
          const TreeState::Pose& pose = placed.poses[i];
          TreeInertia inertia(body.mass, pose.moment, pose.inertia);
          inertia += carried;
          if (place.branch >= 0) inertia += state.inertias[static_cast<std::size_t>(place.branch)];
          state.lost += Joint<kind()>::eliminate(pose, placed.columns.data() + place.columns,
                                                 body.parent == 0, inertia,
                                                 state.factors.data() + place.factor);
          if (static_cast<std::size_t>(body.parent) + 1 == i) {
            carried = inertia;
          } else {
            carried = {};
            add_to_branch(body, inertia, state);
          }
        });
  }
}

inline void TreeRecursion::factorize_hinges(const Run& run, const TreeState& placed,
                                            TreeState& state, TreeInertia& hanging) const {
  tree_packed::PackedInertia carried(hanging);
  for (int k = run.end - 1; k >= run.begin; --k) {
    const auto i = static_cast<std::size_t>(k);
    const TreeBody& body = bodies_[i];
    const Place& place = places_[i];
    const TreeState::Pose& pose = placed.poses[i];
    carried.add_body(body.mass, pose.moment, pose.inertia);
    if (place.branch >= 0) carried += state.inertias[static_cast<std::size_t>(place.branch)];
    state.lost +=
        carried.eliminate_hinge(pose, body.parent == 0, state.factors.data() + place.factor);
    if (static_cast<std::size_t>(body.parent) + 1 == i) continue;
    add_to_branch(body, carried.find_plain(), state);
    carried = {};
  }
  hanging = carried.find_plain();
}

inline void TreeRecursion::add_to_branch(const TreeBody& body, const TreeInertia& inertia,
                                         TreeState& state) const {
  if (body.parent == 0) return;
  const int branch = places_[static_cast<std::size_t>(body.parent)].branch;
  state.inertias[static_cast<std::size_t>(branch)] += inertia;
}

DRIFTLESS_HOT void TreeRecursion::move(ConstVectorRef v, const Vector3& gravity, TreeState& state,
                                       VectorRef force) const {
  state.rates[0].bias.linear = -gravity;
  TreeState::Rate rate = state.rates[0];  // of the body before
  Axes<double> sweep{};                   // its W
  pass_forth([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const TreeState::Pose& pose = state.poses[i];
    if (static_cast<std::size_t>(body.parent) + 1 != i) {
      rate = state.rates[static_cast<std::size_t>(body.parent)];
      sweep = tree_passes::find_sweep(rate.angular, rate.bias.angular);
    }
    Joint<kind()>::move(pose, state.columns.data() + place.columns, v.data() + body.v, rate, sweep);
    state.rates[i] = rate;
    sweep = tree_passes::find_sweep(rate.angular, rate.bias.angular);
    state.wrenches[i] = {
        tree_passes::find_sweep_torque(sweep, pose.inertia) + cross(pose.moment, rate.bias.linear),
        body.mass * rate.bias.linear + turn(sweep, pose.moment)};  // [TRR.2]
  });
  force.setZero();
  add_wrenches(state, -1.0, state.wrenches.data(), force);
}

DRIFTLESS_HOT void TreeRecursion::add_wrenches(const TreeState& state, double factor,
                                               TreeWrench* wrenches, VectorRef force) const {
  TreeWrench carried;
  pass_back([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const TreeState::Pose& pose = state.poses[i];
    carried += wrenches[i];
    Joint<kind()>::add_components(pose, state.columns.data() + place.columns, carried, factor,
                                  force.data() + body.v);
    carried.torque = carried.torque + cross(pose.shift, carried.force);
    if (static_cast<std::size_t>(body.parent) + 1 == i) return;
    wrenches[body.parent] += carried;
    carried = {};
  });
}

DRIFTLESS_HOT void TreeRecursion::sweep_back(ConstVectorRef f, TreeState& state) const {
  std::fill(state.branch_sum.begin(), state.branch_sum.end(), TreeWrench{});
  TreeWrench p;
  pass_back([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    if (place.branch >= 0) p += state.branch_sum[static_cast<std::size_t>(place.branch)];
    Joint<kind()>::reduce(state.factors.data() + place.factor, f.data() + body.v,
                          state.pivots.data() + body.v, p);
    if (static_cast<std::size_t>(body.parent) + 1 == i) return;
    const int branch = places_[static_cast<std::size_t>(body.parent)].branch;
    state.branch_sum[static_cast<std::size_t>(branch)] += p;
    p = {};
  });
}

DRIFTLESS_HOT void TreeRecursion::sweep_forth(TreeState& state, VectorRef x) const {
  state.motions[0] = {};
  TreeMotion motion;  // of the body before
  pass_forth([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    if (static_cast<std::size_t>(body.parent) + 1 != i) {
      motion = state.motions[static_cast<std::size_t>(body.parent)];
    }
    Joint<kind()>::expand(state.factors.data() + place.factor, state.pivots.data() + body.v, motion,
                          x.data() + body.v);
    state.motions[i] = motion;
  });
}

void TreeRecursion::solve(ConstVectorRef f, TreeState& state, VectorRef x) const {
  sweep_back(f, state);
  sweep_forth(state, x);
}

}  // namespace driftless
