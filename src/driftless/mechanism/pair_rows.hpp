#pragma once
// The rows of the joints that most mechanisms consist of, written out by hand. With p, R, ω of the two bodies, arms r = R a
// and axes u = R0 u0, w = R1 w1,
//
//   gap      p1 + r1 - p0 - r0                 along the world's axes                                            [PAR.1]
//     G      for body i: ± (1, R (e_k × a))    k-th turn about the body's own axis e_k; in the plane ± (1, ẑ × r)
//     bias   ± ω×(ω×r)                         what is left of the second derivative with v' = 0
//     dG/dt  ± (0, ω × R (e_k × a))
//   product  u·w                                                                                                 [PAR.2]
//     G      body 0: R0ᵀ(u×w),  body 1: -R1ᵀ(u×w)
//     bias   (ω0×u)·(δ×w) - (ω1×w)·(δ×u),     δ = ω1 - ω0
//     dG/dt  body 0: R0ᵀ(c' - ω0×c),  body 1: -R1ᵀ(c' - ω1×c),     c = u×w,  c' = (ω0×u)×w + u×(ω1×w)
//
// Joints declare that they have this form (elements/joints/joint.hpp); a test compares with the derivatives of their
// functions. Everything that the rows need stands in one record per joint, in the order of the file.

#include <vector>

#include "driftless/mechanism/kinematics.hpp"

namespace driftless {

class PairRows {
 public:
  /// `jacobian`: its blocks are those of G.
  PairRows(const MechanismParts& parts, const BlockMatrix& jacobian);
  PairRows() = default;

  static bool has_form(const RowBlock& row) { return row.form.is_given; }

  /// For MotionState::pair_vectors.
  std::size_t vector_count() const { return vector_count_; }

  /// What of G is the same in all poses.
  void set_constant(double* jacobian) const;
  /// Φ, and of G all else, at the poses of the bodies.
  void eval(MotionState& state, double* phi, double* jacobian) const;
  /// Φ' = G v, with the G that `eval` gave.
  void eval_velocity(const double* jacobian, const double* v, double* residual) const;
  /// γ = -Φ'' with v' = 0, with the G that `eval` gave, and what it left in the state. In the plane v tells the motion, in
  /// space the state does.
  void eval_gamma(const MotionState& state, const double* jacobian, const double* v,
                  double* gamma) const;
  /// dG along the motion.
  void eval_rate(const MotionState& state, double* rate) const;

 private:
  struct Side {
    int body = -1;    // -1: the ground
    int values = -1;  // of its block in G
    int rate = 0;     // the first of the body's rates
    Vector3 arm;      // body axes; of the ground a place in the world
  };
  struct Joint {
    Side side[2];
    int row = 0;
    int rows = 0;
    int first_product = 0;
    int products = 0;
    std::size_t first_vector = 0;  // r0, r1, and then u, w of each product
  };
  struct Product {
    Vector3 axis[2];  // body axes
    bool same_first;  // axis[0] is that of the product before, of the same joint
  };

  void eval_plane(const MotionState& state, double* phi, double* jacobian) const;
  void eval_plane_velocity(const double* jacobian, const double* v, double* residual) const;
  template <class Rows>
  static void eval_joint_velocity(const Joint& joint, Rows rows, const double* jacobian,
                                  const double* v, double* residual);
  void eval_plane_gamma(const double* jacobian, const double* v, double* gamma) const;
  template <class Rows>
  void eval_joint(const Joint& joint, Rows rows, MotionState& state, double* phi,
                  double* jacobian) const;
  /// Calls `pass(rows)` with the joint's number of rows, as a constant if it is a common one.
  template <class Pass>
  static void with_rows(const Joint& joint, Pass&& pass);

  bool plane_ = false;
  std::vector<Joint> joints_;
  std::vector<Product> products_;
  std::size_t vector_count_ = 0;
};

}  // namespace driftless
