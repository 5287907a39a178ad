#include "driftless/mechanism/tree_recursion.hpp"

#include <algorithm>
#include <utility>

#include "driftless/mechanism/quaternion.hpp"
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
    if (runs_.empty() || runs_.back().kind != body.kind) runs_.push_back({body.kind, k, k});
    runs_.back().end = k + 1;
  }
}

TreeState TreeRecursion::make_state() const {
  TreeState state;
  const std::size_t count = bodies_.size();
  state.poses.resize(count);
  state.poses[0].axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  state.rates.resize(count);
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

// The passes of an evaluation come in two versions, of which the loader takes the one that fits the machine: with fused
// multiplication and addition they are faster. All that they call is compiled into them.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DRIFTLESS_HOT __attribute__((flatten, target_clones("arch=haswell", "default")))
#else
#define DRIFTLESS_HOT
#endif

DRIFTLESS_HOT void TreeRecursion::place(ConstVectorRef q, TreeState& state) const {
  pass_forth([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    Joint<kind()>::place(body, q.data() + body.q,
                         state.poses[static_cast<std::size_t>(body.parent)], state.poses[i],
                         state.columns.data() + place.columns);
  });
}

// What hangs on a body comes from the next one, whose number is one higher, on the way; from its other children by the
// sums of branches.
DRIFTLESS_HOT void TreeRecursion::factorize(const TreeState& placed, TreeState& state) const {
  state.lost = 0;
  std::fill(state.inertias.begin(), state.inertias.end(), TreeInertia{});
  TreeInertia carried;
  pass_back([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const TreeState::Pose& pose = placed.poses[i];
    TreeInertia inertia(body.mass, pose.moment, pose.inertia);
    inertia += carried;
    if (place.branch >= 0) inertia += state.inertias[static_cast<std::size_t>(place.branch)];
    state.lost += Joint<kind()>::eliminate(pose, placed.columns.data() + place.columns, inertia,
                                           state.factors.data() + place.factor);
    if (body.parent == 0) {  // the ground does not mind
      carried = TreeInertia{};
      return;
    }
    inertia.shift(pose.shift);
    if (static_cast<std::size_t>(body.parent) + 1 == i) {
      carried = inertia;
    } else {
      carried = TreeInertia{};
      const int branch = places_[static_cast<std::size_t>(body.parent)].branch;
      state.inertias[static_cast<std::size_t>(branch)] += inertia;
    }
  });
}

DRIFTLESS_HOT void TreeRecursion::move(ConstVectorRef v, const Vector3& gravity, TreeState& state,
                                       VectorRef force) const {
  state.rates[0].bias.linear = -gravity;
  pass_forth([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const TreeState::Pose& pose = state.poses[i];
    TreeState::Rate& rate = state.rates[i];
    Joint<kind()>::move(pose, state.columns.data() + place.columns, v.data() + body.v,
                        state.rates[static_cast<std::size_t>(body.parent)], rate);
    state.wrenches[i] = {tree_passes::find_sweep_torque(rate.sweep, pose.inertia) +
                             cross(pose.moment, rate.bias.linear),
                         body.mass * rate.bias.linear + turn(rate.sweep, pose.moment)};  // [TRR.2]
  });
  force.setZero();
  add_wrenches(state, -1.0, state.wrenches.data(), force);
}

void TreeRecursion::add_wrenches(const TreeState& state, double factor, TreeWrench* wrenches,
                                 VectorRef force) const {
  pass_back([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const TreeState::Pose& pose = state.poses[i];
    const TreeWrench wrench = wrenches[i];
    Joint<kind()>::add_components(pose, state.columns.data() + place.columns, wrench, factor,
                                  force.data() + body.v);
    wrenches[body.parent] += {wrench.torque + cross(pose.shift, wrench.force), wrench.force};
  });
}

void TreeRecursion::sweep_back(ConstVectorRef f, TreeState& state) const {
  std::fill(state.branch_sum.begin(), state.branch_sum.end(), TreeWrench{});
  TreeWrench p;
  pass_back([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const double* kept = state.factors.data() + place.factor;
    if (place.branch >= 0) p += state.branch_sum[static_cast<std::size_t>(place.branch)];
    Joint<kind()>::reduce(kept, f.data() + body.v, state.pivots.data() + body.v, p);
    const TreeWrench seen{p.torque + cross(Joint<kind()>::find_shift(kept), p.force), p.force};
    if (static_cast<std::size_t>(body.parent) + 1 == i) {
      p = seen;
    } else {
      const int branch = places_[static_cast<std::size_t>(body.parent)].branch;
      state.branch_sum[static_cast<std::size_t>(branch)] += seen;
      p = {};
    }
  });
}

void TreeRecursion::sweep_forth(TreeState& state, VectorRef x) const {
  state.motions[0] = {};
  pass_forth([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const double* kept = state.factors.data() + place.factor;
    TreeMotion motion = state.motions[static_cast<std::size_t>(body.parent)];
    motion.linear = motion.linear + cross(motion.angular, Joint<kind()>::find_shift(kept));
    Joint<kind()>::expand(kept, state.pivots.data() + body.v, motion, x.data() + body.v);
    state.motions[i] = motion;
  });
}

DRIFTLESS_HOT void TreeRecursion::solve(ConstVectorRef f, TreeState& state, VectorRef x) const {
  sweep_back(f, state);
  sweep_forth(state, x);
}

#undef DRIFTLESS_HOT

}  // namespace driftless
