#pragma once
// Plane mechanisms in absolute coordinates for the SUNDIALS programs: bodies (x, y, angle), pins between two bodies or a body
// and the ground, a point on the x axis, a rod to the origin, one spring and a torque.
//
//   pin           0 = p_b + R(a_b) s_b - p_a - R(a_a) s_a              two rows                                    [PLN.1]
//   point on x    0 = y_b + (R(a_b) s_b)_y                             one row
//   rod           0 = (x_b^2 + y_b^2 - l^2)/2                          one row, to the mass centre
//
// With e = R s, e' = ds e/da = (-e_y, e_x) and e'' = -e: G has e' in the column of the angle, -gamma = G' v = -e a'^2, and
// d(Gᵀ lambda)/da = -lambda.e. M is diagonal and constant.

#include <string>
#include <vector>

#include "bench/common/harness.hpp"

namespace bench {

enum class RowKind { pin_x, pin_y, height, rod };

struct PlanarJoint {
  RowKind kind = RowKind::pin_x;  ///< pin_x stands for both rows of a pin
  int a = -1, b = -1;             ///< bodies; -1: the ground
  double ax = 0, ay = 0;          ///< point in the axes of a, or in the world
  double bx = 0, by = 0;
};

struct PlanarBody {
  double mass = 1, inertia = 1;
  double x = 0, y = 0, angle = 0, vx = 0, vy = 0, rate = 0;
};

struct PlanarModel {
  std::string name;
  double end = 0;
  double gravity = 0;
  std::vector<PlanarBody> bodies;
  std::vector<PlanarJoint> joints;
  int torque_body = -1;
  double torque = 0;
  int spring_body = -1;
  double spring_x = 0, spring_y = 0, anchor_x = 0, anchor_y = 0, stiffness = 0, length = 0;
  /// What is compared with the reference: the angle of body 0 plus an offset, or a point of body 0.
  bool shows_angle = false;
  double shown_x = 0, shown_y = 0;

  int nq() const { return 3 * static_cast<int>(bodies.size()); }
  int rows() const;
  std::vector<double> find_end(const double* q) const;
};

PlanarModel make_planar_model(const Arguments& arguments);
/// The pose in which one evaluation is timed: as at the start, the ladder's cranks at 1 rad.
void set_evaluation_pose(PlanarModel& model);
/// Index of the acceleration that all programs tell, in (q', v').
std::size_t find_checked_rate(const PlanarModel& model);

/// An entry of G. Each row has at most six; their places never change.
struct Entry {
  int row, column;
};

/// What the equations need, at (q, v).
class PlanarSystem {
 public:
  explicit PlanarSystem(PlanarModel model);

  const PlanarModel& model() const { return model_; }
  int nq() const { return model_.nq(); }
  int rows() const { return rows_; }
  const std::vector<Entry>& pattern() const { return pattern_; }
  const std::vector<double>& inverse_mass() const { return inverse_mass_; }
  double mass(int i) const { return 1.0 / inverse_mass_[static_cast<std::size_t>(i)]; }

  void set_angles(const double* q);
  /// After set_angles. Values of G in the order of the pattern.
  void eval_jacobian(const double* q, double* values) const;
  void eval_phi(const double* q, double* phi) const;
  void eval_gamma(const double* v, double* gamma) const;
  void eval_force(const double* q, double* force) const;
  double find_energy(const double* q, const double* v) const;

  /// Blocks of 3 x 3 per body, row by row: d(Gᵀ l)/dq - dQ/dq (the latter if `with_force`).
  void eval_stiffness(const double* q, const double* l, bool with_force, double* blocks) const;
  /// d(G v)/dq in the order of the pattern of G.
  void eval_velocity_slope(const double* v, double* values) const;

 private:
  struct Ends {
    double ax, ay, bx, by;  // R s of both ends
  };
  PlanarModel model_;
  int rows_;
  std::vector<Entry> pattern_;
  std::vector<double> inverse_mass_;
  std::vector<Ends> ends_;
  double spring_ex_ = 0, spring_ey_ = 0;
};

}  // namespace bench
