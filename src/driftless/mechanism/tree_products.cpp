// The tree's recursions beside the dynamics: M itself and its products, motions and wrenches of bodies, coordinates.

#include <algorithm>
#include <cmath>

#include "driftless/mechanism/quaternion.hpp"
#include "driftless/mechanism/tree_passes.hpp"

namespace driftless {

using tree_joints::with_kind;
using tree_passes::Joint;

void TreeRecursion::multiply(ConstVectorRef x, TreeState& state, VectorRef y) const {
  state.motions[0] = {};
  pass_forth([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const TreeState::Pose& pose = state.poses[i];
    const TreeMotion& parent = state.motions[static_cast<std::size_t>(body.parent)];
    const TreeMotion own =
        Joint<kind()>::find_motion(pose, state.columns.data() + place.columns, x.data() + body.v);
    const TreeMotion motion{parent.angular + own.angular,
                            parent.linear + cross(parent.angular, pose.shift) + own.linear};
    state.motions[i] = motion;
    state.wrenches[i] = {pose.inertia * motion.angular + cross(pose.moment, motion.linear),
                         body.mass * motion.linear + cross(motion.angular, pose.moment)};
  });
  y.setZero();
  add_wrenches(state, 1.0, state.wrenches.data(), y);
}

// With I of all that hangs on joint i, its column of M is the wrench I S_i seen from each joint on the way to the ground.
void TreeRecursion::eval_mass(TreeState& state, MatrixRef mass) const {
  mass.setZero();
  state.hanging.assign(bodies_.size(), TreeInertia{});
  for (int k = size(); k > 0; --k) {
    const auto i = static_cast<std::size_t>(k);
    const TreeBody& body = bodies_[i];
    TreeInertia& inertia = state.hanging[i];
    inertia += TreeInertia(body.mass, state.poses[i].moment, state.poses[i].inertia);
    Vector3 w[6];
    Vector3 u[6];
    find_columns(k, state, w, u);
    for (int j = 0; j < count_rates(body.kind); ++j) {
      TreeWrench wrench = inertia * TreeMotion{w[j], u[j]};
      add_mass_column(k, wrench, body.v + j, state, mass);
    }
    inertia.shift(state.poses[i].shift);
    state.hanging[static_cast<std::size_t>(body.parent)] += inertia;
  }
}

/// What a wrench at a body is for all joints below it, into a column of M and, by symmetry, into its row.
void TreeRecursion::add_mass_column(int number, TreeWrench wrench, int column,
                                    const TreeState& state, MatrixRef mass) const {
  for (int k = number; k > 0; k = body(k).parent) {
    const auto i = static_cast<std::size_t>(k);
    Vector3 w[6];
    Vector3 u[6];
    find_columns(k, state, w, u);
    for (int j = 0; j < count_rates(body(k).kind); ++j) {
      const double entry = dot(w[j], wrench.torque) + dot(u[j], wrench.force);
      mass(body(k).v + j, column) = entry;
      mass(column, body(k).v + j) = entry;
    }
    wrench.torque = wrench.torque + cross(state.poses[i].shift, wrench.force);
  }
}

double TreeRecursion::ComponentSizes::find_share() const {
  if (!(turn_terms > 0.0) && !(slide_terms > 0.0)) return 1.0;
  const double turns = turn_terms > 0.0 ? turn / turn_terms : 0.0;
  const double slides = slide_terms > 0.0 ? slide / slide_terms : 0.0;
  return std::min(1.0, std::max(turns, slides));
}

void TreeRecursion::find_components(int number, const TreeState& state, const TreeWrench& wrench,
                                    const WrenchSize& size, double* out,
                                    ComponentSizes& sizes) const {
  constexpr double kRounding = 1e-12;
  const auto i = static_cast<std::size_t>(number);
  with_kind(bodies_[i].kind, [&](auto kind) {
    using Each = Joint<kind()>;
    using tree_passes::Shape;
    const Vector3* columns = state.columns.data() + places_[i].columns;
    for (int j = 0; j < Each::kRates; ++j) out[j] = 0.0;
    Each::add_components(state.poses[i], columns, wrench, 1.0, out);
    for (int j = 0; j < Each::kRates; ++j) {
      bool turns = Each::kShape != Shape::slide;
      double terms = turns ? size.torque : size.force;
      if constexpr (Each::kShape == Shape::general) {
        turns = norm(columns[j]) > 0.0;
        terms = norm(columns[j]) * size.torque + norm(columns[Each::kRates + j]) * size.force;
      }
      if (std::abs(out[j]) <= kRounding * terms) out[j] = 0.0;
      double& largest = turns ? sizes.turn : sizes.slide;
      double& most_terms = turns ? sizes.turn_terms : sizes.slide_terms;
      largest = std::max(largest, std::abs(out[j]));
      most_terms = std::max(most_terms, terms);
    }
  });
}

void TreeRecursion::find_columns(int number, const TreeState& state, Vector3* w, Vector3* u) const {
  const auto i = static_cast<std::size_t>(number);
  with_kind(bodies_[i].kind, [&](auto kind) {
    using Each = Joint<kind()>;
    for (int j = 0; j < Each::kRates; ++j) {
      double unit[6] = {};
      unit[j] = 1.0;
      const TreeMotion motion =
          Each::find_motion(state.poses[i], state.columns.data() + places_[i].columns, unit);
      w[j] = motion.angular;
      u[j] = motion.linear;
    }
  });
}

void TreeRecursion::find_velocities(ConstVectorRef v, const TreeState& state,
                                    TreeMotion* out) const {
  out[0] = {};
  pass_forth([&](auto kind, std::size_t i, const TreeBody& body, const Place& place) {
    const TreeMotion& parent = out[body.parent];
    const TreeMotion own = Joint<kind()>::find_motion(
        state.poses[i], state.columns.data() + place.columns, v.data() + body.v);
    out[i] = {parent.angular + own.angular,
              parent.linear + cross(parent.angular, state.poses[i].shift) + own.linear};
  });
}

// The accelerations are those of v' alone plus the bias, which holds -g everywhere.
void TreeRecursion::find_accelerations(ConstVectorRef v_dot, const Vector3& gravity,
                                       const TreeState& state, TreeMotion* out) const {
  find_velocities(v_dot, state, out);
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const TreeMotion& bias = state.rates[i].bias;
    out[i] = {out[i].angular + bias.angular, out[i].linear + bias.linear + gravity};
  }
}

// ---- square roots ----------------------------------------------------------------------------------

namespace {

/// C with C Cᵀ = a symmetric matrix, both full and n x n; columns of lost pivots are zero.
void find_root(const double* matrix, int n, double* root) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = matrix[i * n + j];
      for (int k = 0; k < j; ++k) sum -= root[i * n + k] * root[j * n + k];
      if (j > i) {
        root[i * n + j] = 0.0;
      } else if (j == i) {
        const bool is_lost = !(sum > tree_passes::kLostPivot * matrix[i * n + i]);
        root[i * n + i] = is_lost ? 0.0 : std::sqrt(sum);
      } else {
        root[i * n + j] = root[j * n + j] == 0.0 ? 0.0 : sum / root[j * n + j];
      }
    }
  }
}

void apply_root_transposed(const double* root, int n, const double* y, double* z) {
  for (int i = 0; i < n; ++i) {
    z[i] = 0.0;
    for (int k = i; k < n; ++k) z[i] += root[k * n + i] * y[k];
  }
}

/// Cᵀ y = z
void solve_root_transposed(const double* root, int n, const double* z, double* y) {
  for (int i = n - 1; i >= 0; --i) {
    double sum = z[i];
    for (int k = i + 1; k < n; ++k) sum -= root[k * n + i] * y[k];
    y[i] = root[i * n + i] == 0.0 ? 0.0 : sum / root[i * n + i];
  }
}

}  // namespace

void TreeRecursion::find_roots(TreeState& state) const {
  state.roots.resize(static_cast<std::size_t>(roots_));
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const double* factor =
        state.factors.data() + places_[i].factor + tree_passes::find_factor_place(bodies_[i].kind);
    double* root = state.roots.data() + places_[i].root;
    const int n = count_rates(bodies_[i].kind);
    switch (tree_passes::find_shape(bodies_[i].kind)) {
      case tree_passes::Shape::turn:
      case tree_passes::Shape::slide: root[0] = std::sqrt(factor[6]); break;
      case tree_passes::Shape::ball: {
        const double full[9] = {factor[0], factor[1], factor[2], factor[1], factor[3],
                                factor[4], factor[2], factor[4], factor[5]};
        find_root(full, 3, root);
        break;
      }
      case tree_passes::Shape::general: find_root(factor + 6 * n, n, root); break;
      case tree_passes::Shape::nothing: break;
    }
  }
}

void TreeRecursion::reduce(ConstVectorRef f, TreeState& state, VectorRef z) const {
  sweep_back(f, state);
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const int v = bodies_[i].v;
    apply_root_transposed(state.roots.data() + places_[i].root, count_rates(bodies_[i].kind),
                          state.pivots.data() + v, z.data() + v);
  }
}

void TreeRecursion::expand(ConstVectorRef z, TreeState& state, VectorRef x) const {
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const int v = bodies_[i].v;
    solve_root_transposed(state.roots.data() + places_[i].root, count_rates(bodies_[i].kind),
                          z.data() + v, state.pivots.data() + v);
  }
  sweep_forth(state, x);
}

void TreeRecursion::reduce_joint(int number, const TreeState& state, const double* f, TreeWrench& p,
                                 double* z) const {
  const auto i = static_cast<std::size_t>(number);
  double y[6] = {};
  const double* kept = state.factors.data() + places_[i].factor;
  with_kind(bodies_[i].kind, [&](auto kind) { Joint<kind()>::reduce(kept, f, y, p); });
  apply_root_transposed(state.roots.data() + places_[i].root, count_rates(bodies_[i].kind), y, z);
}

// ---- coordinates -------------------------------------------------------------------------------------

void TreeRecursion::map_velocity(ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) const {
  for (const Straight& part : straights_) {
    std::copy_n(v.data() + part.v, part.count, q_dot.data() + part.q);
  }
  for (const Quaternion& part : quaternions_) {
    find_quaternion_rate(q.data() + part.q, v.data() + part.v, q_dot.data() + part.q);
  }
}

void TreeRecursion::retract(VectorRef q, ConstVectorRef delta) const {
  for (const Straight& part : straights_) {
    q.segment(part.q, part.count) += delta.segment(part.v, part.count);
  }
  for (const Quaternion& part : quaternions_) {
    retract_quaternion(q.data() + part.q, delta.data() + part.v);
  }
}

void TreeRecursion::find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const {
  for (const Straight& part : straights_) {
    delta.segment(part.v, part.count) =
        to.segment(part.q, part.count) - from.segment(part.q, part.count);
  }
  for (const Quaternion& part : quaternions_) {
    find_quaternion_increment(from.data() + part.q, to.data() + part.q, delta.data() + part.v);
  }
}

void TreeRecursion::normalize(VectorRef q) const {
  for (const Quaternion& part : quaternions_) normalize_quaternion(q.data() + part.q);
}

}  // namespace driftless
