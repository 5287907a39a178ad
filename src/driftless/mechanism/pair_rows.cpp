#include "driftless/mechanism/pair_rows.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "driftless/base/hot.hpp"
#include "driftless/mechanism/row_sides.hpp"

namespace driftless {
namespace {

constexpr int kMostRows = 6;

Vector3 axis_of(const Axes<double>& axes, int index) {
  return index == 0 ? axes.x : index == 1 ? axes.y : axes.z;
}

/// Two numbers in one register; of a place its x and y.
using Pair = double __attribute__((vector_size(16)));
Pair load_pair(const double* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}
void store_pair(Pair pair, double* to) { std::memcpy(to, &pair, sizeof pair); }

/// a down a column of a block, times a sign.
void write_column(const Vector3& a, double sign, double* column) {
  column[0] = sign * a.x;
  column[1] = sign * a.y;
  column[2] = sign * a.z;
}

/// An axis of a body, or of the ground, along the world's.
Vector3 turn_axis(int body, const Axes<double>& axes, const Vector3& axis) {
  return body < 0 ? axis : apply(axes, axis);
}

/// R (e_k × a) for the three axes of a body.
void find_turn_columns(const Axes<double>& axes, const Vector3& a, Vector3* columns) {
  columns[0] = a.y * axes.z - a.z * axes.y;
  columns[1] = a.z * axes.x - a.x * axes.z;
  columns[2] = a.x * axes.y - a.y * axes.x;
}

}  // namespace

PairRows::PairRows(const MechanismParts& parts, const BlockMatrix& jacobian) {
  plane_ = !parts.bodies.empty() && parts.bodies.front().in_plane();
  for (const RowBlock& row : parts.rows) {
    if (!has_form(row)) continue;
    Joint joint;
    joint.row = row.first_row;
    joint.rows = row.block.function->outputs();
    joint.first_product = static_cast<int>(products_.size());
    joint.products = static_cast<int>(row.form.products.size());
    joint.first_vector = vector_count_;
    vector_count_ += plane_ ? 0 : 2 + 2 * row.form.products.size();
    const BodyFrame* frames[2];
    for (std::size_t k = 0; k < 2; ++k) {
      frames[k] = &parts.frames[static_cast<std::size_t>(row.block.frames[k])];
      Side& side = joint.side[k];
      side.body = frames[k]->body;
      side.arm = frames[k]->offset;
      if (side.body < 0) continue;
      side.rate = parts.bodies[static_cast<std::size_t>(side.body)].v;
      side.values = find_values(jacobian, row.first_row, side.rate);
    }
    int before = -1;
    for (const auto& [first, second] : row.form.products) {
      products_.push_back(
          {{axis_of(frames[0]->axes, first), axis_of(frames[1]->axes, second)}, first == before});
      before = first;
    }
    joints_.push_back(joint);
  }
}

void PairRows::set_constant(double* jacobian) const {
  const int shifts = plane_ ? 2 : 3;
  for (const Joint& joint : joints_) {
    for (int k = 0; k < 2; ++k) {
      if (joint.side[k].body < 0) continue;
      double* G = jacobian + joint.side[k].values;
      std::fill_n(G, shifts * joint.rows, 0.0);
      for (int i = 0; i < shifts; ++i) G[i * (joint.rows + 1)] = k == 0 ? -1.0 : 1.0;
    }
  }
}

// [PAR.1] in the plane, where ± ẑ×r is all of G that turns with the bodies.
DRIFTLESS_HOT void PairRows::eval_plane(const MotionState& state, double* phi,
                                        double* jacobian) const {
  const BodyState* const bodies = state.bodies.data();
  // Where a side's point is, and ẑ×r, times its sign, in G.
  const auto eval_side = [&](const Side& side, double sign) {
    const Pair arm = load_pair(&side.arm.x);
    if (side.body < 0) return arm;
    const BodyState& body = bodies[side.body];
    const Pair across{-arm[1], arm[0]};
    const double c = body.axes.x.x, s = body.axes.x.y;
    store_pair(sign * (across * c - arm * s), jacobian + side.values + 4);
    return load_pair(&body.position.x) + (arm * c + across * s);
  };
  for (const Joint& joint : joints_) {
    const Pair from = eval_side(joint.side[0], -1.0);
    store_pair(eval_side(joint.side[1], 1.0) - from, phi + joint.row);
  }
}

template <class Pass>
[[gnu::always_inline]] inline void PairRows::with_rows(const Joint& joint, Pass&& pass) {
  switch (joint.rows) {
    case 5: return pass(std::integral_constant<int, 5>());
    case 3: return pass(std::integral_constant<int, 3>());
    default: return pass(joint.rows);
  }
}

DRIFTLESS_HOT void PairRows::eval(MotionState& state, double* phi, double* jacobian) const {
  if (plane_) return eval_plane(state, phi, jacobian);
  for (const Joint& joint : joints_)
    with_rows(
        joint, [&](auto rows) __attribute__((always_inline)) {
          eval_joint(joint, rows, state, phi, jacobian);
        });
}

// [PAR.1], [PAR.2]. What the bodies say is copied, so that it need not be read again behind each number that is written.
template <class Rows>
[[gnu::always_inline]] inline void PairRows::eval_joint(const Joint& joint, Rows rows,
                                                        MotionState& state, double* phi,
                                                        double* jacobian) const {
  Vector3* const kept = state.pair_vectors.data() + joint.first_vector;
  const Axes<double> axes[2] = {state_of(joint.side[0].body, state).axes,
                                state_of(joint.side[1].body, state).axes};
  Vector3 gap{};
  for (int k = 0; k < 2; ++k) {
    const Side& side = joint.side[k];
    const double sign = k == 0 ? -1.0 : 1.0;
    if (side.body < 0) {
      gap = gap + sign * side.arm;
      continue;
    }
    const Vector3 place = state.bodies[static_cast<std::size_t>(side.body)].position;
    const Vector3 arm = apply(axes[k], side.arm);
    kept[k] = arm;
    gap = gap + sign * (place + arm);
    Vector3 columns[3];
    find_turn_columns(axes[k], side.arm, columns);
    double* const G = jacobian + side.values;
    for (int j = 0; j < 3; ++j) write_column(columns[j], sign, G + (3 + j) * rows);
  }
  double* const out = phi + joint.row;
  out[0] = gap.x;
  out[1] = gap.y;
  out[2] = gap.z;
  Vector3 u{};
  for (int i = 0; i < rows - 3; ++i) {
    const Product& product = products_[static_cast<std::size_t>(joint.first_product + i)];
    if (!product.same_first) u = turn_axis(joint.side[0].body, axes[0], product.axis[0]);
    const Vector3 w = turn_axis(joint.side[1].body, axes[1], product.axis[1]);
    kept[2 + 2 * i] = u;
    kept[3 + 2 * i] = w;
    out[3 + i] = dot(u, w);
    const Vector3 c = cross(u, w);
    for (int k = 0; k < 2; ++k) {
      const Side& side = joint.side[k];
      if (side.body < 0) continue;
      const Vector3 turn = apply_inverse(axes[k], k == 0 ? c : -c);
      double* const G = jacobian + side.values + 3 + i;
      G[3 * rows] = turn.x;
      G[4 * rows] = turn.y;
      G[5 * rows] = turn.z;
    }
  }
}

DRIFTLESS_HOT void PairRows::eval_plane_velocity(const double* jacobian, const double* v,
                                                 double* residual) const {
  for (const Joint& joint : joints_) {
    Pair sum{};
    for (int k = 0; k < 2; ++k) {
      const Side& side = joint.side[k];
      if (side.body < 0) continue;
      const double* rate = v + side.rate;
      const double sign = k == 0 ? -1.0 : 1.0;
      sum += sign * load_pair(rate) + load_pair(jacobian + side.values + 4) * rate[2];
    }
    store_pair(sum, residual + joint.row);
  }
}

DRIFTLESS_HOT void PairRows::eval_velocity(const double* jacobian, const double* v,
                                           double* residual) const {
  if (plane_) return eval_plane_velocity(jacobian, v, residual);
  for (const Joint& joint : joints_)
    with_rows(
        joint, [&](auto rows) __attribute__((always_inline)) {
          eval_joint_velocity(joint, rows, jacobian, v, residual);
        });
}

template <class Rows>
[[gnu::always_inline]] inline void PairRows::eval_joint_velocity(const Joint& joint, Rows rows,
                                                                 const double* jacobian,
                                                                 const double* v,
                                                                 double* residual) {
  double sum[kMostRows] = {};
  for (int k = 0; k < 2; ++k) {
    const Side& side = joint.side[k];
    if (side.body < 0) continue;
    const double* G = jacobian + side.values;
    const double* rate = v + side.rate;
    for (int i = 0; i < 3; ++i) sum[i] += k == 0 ? -rate[i] : rate[i];
    for (int j = 3; j < 6; ++j) {
      for (int i = 0; i < rows; ++i) sum[i] += G[j * rows + i] * rate[j];
    }
  }
  for (int i = 0; i < rows; ++i) residual[joint.row + i] = sum[i];
}

// ±ω² r, and G holds ± ẑ×r.
DRIFTLESS_HOT void PairRows::eval_plane_gamma(const double* jacobian, const double* v,
                                              double* gamma) const {
  for (const Joint& joint : joints_) {
    Pair sum{};  // ẑ×γ
    for (const Side& side : joint.side) {
      if (side.body < 0) continue;
      const double rate = v[side.rate + 2];
      sum += load_pair(jacobian + side.values + 4) * (rate * rate);
    }
    store_pair(Pair{sum[1], -sum[0]}, gamma + joint.row);
  }
}

DRIFTLESS_HOT void PairRows::eval_gamma(const MotionState& state, const double* jacobian,
                                        const double* v, double* gamma) const {
  if (plane_) return eval_plane_gamma(jacobian, v, gamma);
  for (const Joint& joint : joints_) {
    const Vector3* const kept = state.pair_vectors.data() + joint.first_vector;
    const Vector3 turning[2] = {state_of(joint.side[0].body, state).angular,
                                state_of(joint.side[1].body, state).angular};
    Vector3 sum{};
    for (int k = 0; k < 2; ++k) {
      if (joint.side[k].body < 0) continue;
      const Vector3 pull = cross(turning[k], cross(turning[k], kept[k]));
      sum = k == 0 ? sum + pull : sum - pull;
    }
    double* const out = gamma + joint.row;
    out[0] = sum.x;
    out[1] = sum.y;
    out[2] = sum.z;
    const Vector3 apart = turning[1] - turning[0];  // δ
    Vector3 u_rate{}, u_apart{};
    for (int i = 0; i < joint.products; ++i) {
      if (!products_[static_cast<std::size_t>(joint.first_product + i)].same_first) {
        u_rate = cross(turning[0], kept[2 + 2 * i]);
        u_apart = cross(apart, kept[2 + 2 * i]);
      }
      const Vector3 w = kept[3 + 2 * i];
      out[3 + i] = dot(cross(turning[1], w), u_apart) - dot(u_rate, cross(apart, w));
    }
  }
}

DRIFTLESS_HOT void PairRows::eval_rate(const MotionState& state, double* rate) const {
  for (const Joint& joint : joints_) {
    const BodyState& first = state_of(joint.side[0].body, state);
    const BodyState& second = state_of(joint.side[1].body, state);
    for (int k = 0; k < 2; ++k) {
      const Side& side = joint.side[k];
      if (side.body < 0) continue;
      const BodyState& body = k == 0 ? first : second;
      const double sign = k == 0 ? -1.0 : 1.0;
      double* G = rate + side.values;
      if (plane_) {
        const double factor = -sign * body.angular.z;
        std::fill_n(G, 4, 0.0);
        G[4] = factor * (side.arm.x * body.axes.x.x - side.arm.y * body.axes.x.y);
        G[5] = factor * (side.arm.x * body.axes.x.y + side.arm.y * body.axes.x.x);
        continue;
      }
      std::fill_n(G, 3 * joint.rows, 0.0);
      Vector3 columns[3];
      find_turn_columns(body.axes, side.arm, columns);
      for (int j = 0; j < 3; ++j)
        write_column(cross(body.angular, columns[j]), sign, G + (3 + j) * joint.rows);
      for (int i = 0; i < joint.products; ++i) {
        const Product& product = products_[static_cast<std::size_t>(joint.first_product + i)];
        const Vector3 u = apply(first.axes, product.axis[0]);
        const Vector3 w = apply(second.axes, product.axis[1]);
        const Vector3 c = cross(u, w);
        const Vector3 c_rate =
            cross(cross(first.angular, u), w) + cross(u, cross(second.angular, w));
        const Vector3 turn = apply_inverse(body.axes, -sign * (c_rate - cross(body.angular, c)));
        G[3 * joint.rows + 3 + i] = turn.x;
        G[4 * joint.rows + 3 + i] = turn.y;
        G[5 * joint.rows + 3 + i] = turn.z;
      }
    }
  }
}

}  // namespace driftless
