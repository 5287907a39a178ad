#pragma once
// The rows of massless rods between two points (elements/constraints/distance.cpp), written out by hand. With p, R, ω of the
// two bodies, arms r = R a, d = p1 + r1 - p0 - r0, the length L, and σ = -1 for body 0 and 1 for body 1,
//
//   Φ        (d·d - L²) / 2L                                                                                       [ROD.1]
//     G      for body i: σ/L (d, Rᵀ(r×d))      turns about the body's own axes; in the plane σ/L (d, r×d)
//     bias   (d'·d' + d·d'') / L               with d'' = Σ σ ω×(ω×r), which is what v' = 0 leaves of it
//     dG/dt  σ/L (d', Rᵀ(r×(d' - ω×d)))
//
// the last one because (r×d)' - ω×(r×d) = r×(d' - ω×d) for an arm with r' = ω×r. A point mass has no arm and no turns. A
// test compares with the derivatives of the function.

#include <vector>

#include "driftless/mechanism/kinematics.hpp"

namespace driftless {

class RodRows {
 public:
  /// `jacobian`: its blocks are those of G.
  RodRows(const MechanismParts& parts, const BlockMatrix& jacobian);
  RodRows() = default;

  static bool has_form(const RowBlock& row) { return row.rod_length > 0.0; }

  bool is_empty() const { return rods_.empty(); }
  /// For MotionState::rod_vectors.
  std::size_t vector_count() const { return 3 * rods_.size(); }

  /// Φ and G at the poses of the bodies.
  void eval(MotionState& state, double* phi, double* jacobian) const;
  /// Φ' = G v, with the G that `eval` gave.
  void eval_velocity(const double* jacobian, const double* v, double* residual) const;
  /// γ = -Φ'' with v' = 0, with what `eval` left in the state. Bodies in space must be moved.
  void eval_gamma(const MotionState& state, const double* v, double* gamma) const;
  /// dG along the motion; bodies are moved.
  void eval_rate(const MotionState& state, double* rate) const;

 private:
  struct Side {
    int body = -1;    // -1: the ground
    int values = -1;  // of its block in G
    int rate = 0;     // the first of the body's rates
    int shifts = 0;   // 2 or 3
    int turns = 0;    // 0, 1 or 3
    Vector3 arm;      // body axes; of the ground a place in the world
  };
  struct Rod {
    Side side[2];
    int row = 0;
    double length = 0.0;
  };

  static Vector3 find_arm(const Side& side, const MotionState& state);
  static void write_side(const Side& side, const Vector3& shift, const Vector3& turn,
                         double* jacobian);

  std::vector<Rod> rods_;
};

}  // namespace driftless
