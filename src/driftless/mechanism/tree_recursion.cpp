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

using tree_joints::with_kind;
using tree_passes::Joint;

// Each pass goes over the runs of equal joints; within a run the kind is known to the compiler.

void TreeRecursion::place(ConstVectorRef q, TreeState& state) const {
  for (const Run& run : runs_) {
    with_kind(run.kind, [&](auto kind) {
      for (int k = run.begin; k < run.end; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const TreeBody& body = bodies_[i];
        Joint<kind()>::place(body, q.data() + body.q,
                             state.poses[static_cast<std::size_t>(body.parent)], state.poses[i],
                             state.columns.data() + places_[i].columns);
      }
    });
  }
}

// What hangs on a body comes from the next one, whose number is one higher, on the way; from its other children by the
// sums of branches.
void TreeRecursion::factorize(TreeState& state) const {
  state.lost = 0;
  std::fill(state.inertias.begin(), state.inertias.end(), TreeInertia{});
  TreeInertia carried;
  for (std::size_t n = runs_.size(); n-- > 0;) {
    const Run run = runs_[n];
    with_kind(run.kind, [&](auto kind) {
      for (int k = run.end - 1; k >= run.begin; --k) {
        const auto i = static_cast<std::size_t>(k);
        const TreeBody& body = bodies_[i];
        const TreeState::Pose& pose = state.poses[i];
        TreeInertia inertia(body.mass, pose.moment, pose.inertia);
        inertia += carried;
        if (places_[i].branch >= 0) {
          inertia += state.inertias[static_cast<std::size_t>(places_[i].branch)];
        }
        state.lost += Joint<kind()>::eliminate(pose, state.columns.data() + places_[i].columns,
                                               inertia, state.factors.data() + places_[i].factor);
        if (body.parent == 0) {  // the ground does not mind
          carried = TreeInertia{};
          continue;
        }
        inertia.shift(pose.shift);
        if (body.parent == k - 1) {
          carried = inertia;
        } else {
          carried = TreeInertia{};
          const int branch = places_[static_cast<std::size_t>(body.parent)].branch;
          state.inertias[static_cast<std::size_t>(branch)] += inertia;
        }
      }
    });
  }
}

void TreeRecursion::move(ConstVectorRef v, const Vector3& gravity, TreeState& state,
                         VectorRef force) const {
  state.rates[0].bias.linear = -gravity;
  for (const Run& run : runs_) {
    with_kind(run.kind, [&](auto kind) {
      for (int k = run.begin; k < run.end; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const TreeBody& body = bodies_[i];
        const TreeState::Pose& pose = state.poses[i];
        TreeState::Rate& rate = state.rates[i];
        Joint<kind()>::move(pose, state.columns.data() + places_[i].columns, v.data() + body.v,
                            state.rates[static_cast<std::size_t>(body.parent)], rate);
        const Vector3& w = rate.angular;  // [TRR.2]
        const Vector3& mc = pose.moment;
        state.wrenches[i] = {
            pose.inertia * rate.bias.angular + cross(w, pose.inertia * w) +
                cross(mc, rate.bias.linear),
            body.mass * rate.bias.linear + cross(rate.bias.angular, mc) + cross(w, cross(w, mc))};
      }
    });
  }
  force.setZero();
  add_wrenches(state, -1.0, state.wrenches.data(), force);
}

void TreeRecursion::add_wrenches(const TreeState& state, double factor, TreeWrench* wrenches,
                                 VectorRef force) const {
  for (std::size_t n = runs_.size(); n-- > 0;) {
    const Run run = runs_[n];
    with_kind(run.kind, [&](auto kind) {
      for (int k = run.end - 1; k >= run.begin; --k) {
        const auto i = static_cast<std::size_t>(k);
        const TreeBody& body = bodies_[i];
        const TreeState::Pose& pose = state.poses[i];
        const TreeWrench wrench = wrenches[i];
        Joint<kind()>::add_components(pose, state.columns.data() + places_[i].columns, wrench,
                                      factor, force.data() + body.v);
        wrenches[body.parent] += {wrench.torque + cross(pose.shift, wrench.force), wrench.force};
      }
    });
  }
}

void TreeRecursion::sweep_back(ConstVectorRef f, TreeState& state) const {
  std::fill(state.branch_sum.begin(), state.branch_sum.end(), TreeWrench{});
  TreeWrench p;
  for (std::size_t n = runs_.size(); n-- > 0;) {
    const Run run = runs_[n];
    with_kind(run.kind, [&](auto kind) {
      for (int k = run.end - 1; k >= run.begin; --k) {
        const auto i = static_cast<std::size_t>(k);
        const TreeBody& body = bodies_[i];
        const TreeState::Pose& pose = state.poses[i];
        if (places_[i].branch >= 0) {
          p += state.branch_sum[static_cast<std::size_t>(places_[i].branch)];
        }
        Joint<kind()>::reduce(pose, state.columns.data() + places_[i].columns,
                              state.factors.data() + places_[i].factor, f.data() + body.v,
                              state.pivots.data() + body.v, p);
        if (body.parent == k - 1) {
          p.torque = p.torque + cross(pose.shift, p.force);
        } else {
          const int branch = places_[static_cast<std::size_t>(body.parent)].branch;
          state.branch_sum[static_cast<std::size_t>(branch)] +=
              {p.torque + cross(pose.shift, p.force), p.force};
          p = {};
        }
      }
    });
  }
}

void TreeRecursion::sweep_forth(TreeState& state, VectorRef x) const {
  state.motions[0] = {};
  for (const Run& run : runs_) {
    with_kind(run.kind, [&](auto kind) {
      for (int k = run.begin; k < run.end; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const TreeBody& body = bodies_[i];
        const TreeState::Pose& pose = state.poses[i];
        TreeMotion motion = state.motions[static_cast<std::size_t>(body.parent)];
        motion.linear = motion.linear + cross(motion.angular, pose.shift);
        Joint<kind()>::expand(pose, state.columns.data() + places_[i].columns,
                              state.factors.data() + places_[i].factor,
                              state.pivots.data() + body.v, motion, x.data() + body.v);
        state.motions[i] = motion;
      }
    });
  }
}

}  // namespace driftless
