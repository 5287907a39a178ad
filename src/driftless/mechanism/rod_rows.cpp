#include "driftless/mechanism/rod_rows.hpp"

#include "driftless/mechanism/row_sides.hpp"

namespace driftless {
namespace {

constexpr double kSign[2] = {-1.0, 1.0};

}  // namespace

RodRows::RodRows(const MechanismParts& parts, const BlockMatrix& jacobian) {
  for (const RowBlock& row : parts.rows) {
    if (!has_form(row)) continue;
    Rod rod;
    rod.row = row.first_row;
    rod.length = row.rod_length;
    for (std::size_t k = 0; k < 2; ++k) {
      const BodyFrame& frame = parts.frames[static_cast<std::size_t>(row.block.frames[k])];
      Side& side = rod.side[k];
      side.body = frame.body;
      side.arm = frame.offset;
      if (side.body < 0) continue;
      const Body& body = parts.bodies[static_cast<std::size_t>(side.body)];
      side.rate = body.v;
      side.shifts = body.in_plane() ? 2 : 3;
      side.turns = body.nv() - side.shifts;
      side.values = find_values(jacobian, row.first_row, body.v);
    }
    rods_.push_back(rod);
  }
}

/// Along the world's axes; of the ground, which stands at its origin, the place itself.
Vector3 RodRows::find_arm(const Side& side, const MotionState& state) {
  if (side.body < 0) return side.arm;
  return side.turns == 0 ? Vector3{}
                         : apply(state.bodies[static_cast<std::size_t>(side.body)].axes, side.arm);
}

/// `turn` along the body's axes.
void RodRows::write_side(const Side& side, const Vector3& shift, const Vector3& turn,
                         double* jacobian) {
  double* G = jacobian + side.values;
  G[0] = shift.x;
  G[1] = shift.y;
  if (side.shifts == 3) G[2] = shift.z;
  if (side.turns == 1) {
    G[2] = turn.z;
  } else if (side.turns == 3) {
    G[3] = turn.x;
    G[4] = turn.y;
    G[5] = turn.z;
  }
}

// [ROD.1]
void RodRows::eval(MotionState& state, double* phi, double* jacobian) const {
  Vector3* kept = state.rod_vectors.data();  // d, r0, r1 of each rod
  for (const Rod& rod : rods_) {
    Vector3 ends[2];
    for (int k = 0; k < 2; ++k) {
      const Side& side = rod.side[k];
      kept[1 + k] = ends[k] = find_arm(side, state);
      if (side.body >= 0)
        ends[k] = ends[k] + state.bodies[static_cast<std::size_t>(side.body)].position;
    }
    const Vector3 d = ends[1] - ends[0];
    kept[0] = d;
    const double inverse = 1.0 / rod.length;
    phi[rod.row] = (dot(d, d) - rod.length * rod.length) * (0.5 * inverse);
    for (int k = 0; k < 2; ++k) {
      const Side& side = rod.side[k];
      if (side.body < 0) continue;
      const Vector3 pull = (kSign[k] * inverse) * d;
      Vector3 turn{};
      if (side.turns > 0)
        turn = apply_inverse(state.bodies[static_cast<std::size_t>(side.body)].axes,
                             cross(kept[1 + k], pull));
      write_side(side, pull, turn, jacobian);
    }
    kept += 3;
  }
}

void RodRows::eval_velocity(const double* jacobian, const double* v, double* residual) const {
  for (const Rod& rod : rods_) {
    double sum = 0.0;
    for (const Side& side : rod.side) {
      if (side.body < 0) continue;
      const double* G = jacobian + side.values;
      const double* rate = v + side.rate;
      for (int j = 0; j < side.shifts + side.turns; ++j) sum += G[j] * rate[j];
    }
    residual[rod.row] = sum;
  }
}

void RodRows::eval_gamma(const MotionState& state, const double* v, double* gamma) const {
  const Vector3* kept = state.rod_vectors.data();
  for (const Rod& rod : rods_) {
    Vector3 first{}, second{};  // d', d''
    for (int k = 0; k < 2; ++k) {
      const Side& side = rod.side[k];
      if (side.body < 0) continue;
      const double* rate = v + side.rate;
      Vector3 moved{rate[0], rate[1], side.shifts == 3 ? rate[2] : 0.0};
      if (side.turns > 0) {
        const Vector3 turning = side.turns == 1
                                    ? Vector3{0.0, 0.0, rate[2]}
                                    : state.bodies[static_cast<std::size_t>(side.body)].angular;
        const Vector3 sweep = cross(turning, kept[1 + k]);
        moved = moved + sweep;
        second = second + kSign[k] * cross(turning, sweep);
      }
      first = first + kSign[k] * moved;
    }
    gamma[rod.row] = -(dot(first, first) + dot(kept[0], second)) / rod.length;
    kept += 3;
  }
}

void RodRows::eval_rate(const MotionState& state, double* rate) const {
  for (const Rod& rod : rods_) {
    Vector3 arm[2], d{}, first{};
    for (int k = 0; k < 2; ++k) {
      const Side& side = rod.side[k];
      const BodyState& body = state_of(side.body, state);
      arm[k] = find_arm(side, state);
      d = d + kSign[k] * (body.position + arm[k]);
      first = first + kSign[k] * (body.velocity + cross(body.angular, arm[k]));
    }
    for (int k = 0; k < 2; ++k) {
      const Side& side = rod.side[k];
      if (side.body < 0) continue;
      const BodyState& body = state_of(side.body, state);
      const double factor = kSign[k] / rod.length;
      const Vector3 turn = cross(arm[k], first - cross(body.angular, d));
      write_side(side, factor * first, factor * apply_inverse(body.axes, turn), rate);
    }
  }
}

}  // namespace driftless
