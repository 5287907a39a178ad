#pragma once
// How orientations stand in the integrator's y: x instead of q, with x' = B(x) v. The system itself knows quaternions p
// only; a chart turns its parameters z into p and back.
//
//   quaternion   z = p                        p' = p∘(0, ω)/2                          Arnold 2017, (39)           [ROT.1]
//   euler        p = p_i(z1) p_j(z2) p_k(z3), turns about body axes in sequence        Arnold 2017, remark 6       [ROT.2]
//                sequences z-x-z (singular at z2 = 0) and x-y-z (singular at z2 = π/2): z1 and z3 turn about the same
//                axis there. With the body's z axis (R13, R23, R33) in the world, the sines of the distances to the two
//                singular poses are √(1-R33²) and √(1-R13²), which are never both below √½. Below ½ the other
//                sequence is taken.
//                Back from p: z1 from the body's z axis, z2 and z3 from what is left of R when z1 is undone, so that all
//                three fit also where z1 is not determined and stays. (z1 + π, -z2, z3 + π), or (z1 + π, π - z2, z3 + π),
//                is the same pose, and so is a whole turn more: the angles go on from those before, with the quaternion's
//                sign.                                                                                             [ROT.5]
//   lie          p = p0∘exp(z/2), p0 the orientation at the last accepted step: a method in a linear space becomes one on
//                the group (Munthe-Kaas 1998)                                                                      [ROT.3]
//
// For the last two ω = A(z) z', A from the derivative of p, so B = A⁻¹. Along an increment dz the body turns by A dz, which
// is where the derivatives of the system (along increments of `retract`) meet those by z.
//
// Newton's method on x' - B(x) u = ... eliminates x body by body: with D = d(B u)/dz,
//
//   (a I - D) Δz = r + B Δu,    Δθ = A Δz                                                                          [ROT.4]
//
// For quaternions the length is held by a multiplier of its own (Arnold 2017, (45)): p' = p∘(0, ω)/2 - 2 p μ, p·p = 1, and
// [ROT.4] has one row and one unknown more.

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "driftless/math/linear.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

enum class Rotations { quaternion, euler, lie };

/// Null: no such word.
const Rotations* find_rotations(std::string_view word);
std::string_view name_of(Rotations rotations);

class RotationCharts {
 public:
  RotationCharts(const SystemInfo& info, Rotations rotations);

  Rotations kind() const { return kind_; }
  /// x is q.
  bool is_plain() const { return plain_; }
  int size() const { return size_; }  ///< of x
  int norms() const {
    return static_cast<int>(norms_);
  }  ///< multipliers of [ROT.4]: one per quaternion
  std::string name(int component) const;

  void to_q(ConstVectorRef x, VectorRef q) const;
  /// With the charts as they are.
  void from_q(ConstVectorRef q, VectorRef x) const;
  /// Moves the charts so that q lies well inside them: those of `lie` to q itself if `always`, else only if q is far out.
  /// True: x means something else now.
  bool recentre(ConstVectorRef q, bool always);
  /// x' of a body that moves by q'.
  void map_rates(ConstVectorRef x, ConstVectorRef q, ConstVectorRef q_dot, VectorRef x_dot) const;
  /// x' = B(x) v
  void map_velocity(ConstVectorRef x, ConstVectorRef v, VectorRef x_dot) const;
  /// p·p - 1 of each quaternion, and 2 p μ to be added to x'.
  void eval_norms(ConstVectorRef x, ConstVectorRef multipliers, VectorRef residual,
                  VectorRef x_term) const;

  /// Of a body along a motion (x, x'): ω = A x', and how A changes.
  struct MotionMaps {
    using Map = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 4>;
    int v = 0;  ///< first of its angular velocity
    int x = 0;  ///< first of its parameters
    int count = 0;
    Map A, A_dot;
    std::array<Map, 4> A_x, A_dot_x;  ///< derivatives by each parameter
  };
  /// One per body that turns in space. Without `slopes` A and A_dot only.
  void find_motion_maps(ConstVectorRef x, ConstVectorRef x_dot, bool slopes,
                        std::vector<MotionMaps>& maps) const;
  /// Coordinates that are the same in q and x: x[first + k] = q[q + k], moved by v[v + k].
  struct Plain {
    int q, v, x, count;
  };
  const std::vector<Plain>& plains() const { return plains_; }

  /// The first of each turn's three rates.
  std::vector<int> find_turn_rates() const;

  /// A, B and D at (x, u), kept for `factorize`.
  void linearize(ConstVectorRef x, ConstVectorRef u, ConstVectorRef multipliers);

  /// [ROT.4] for one a.
  template <class S>
  class Newton {
   public:
    /// False: singular.
    bool factorize(const RotationCharts& charts, S a);
    using VectorS = Eigen::Matrix<S, Eigen::Dynamic, 1>;
    /// Δx and the norms' multipliers from their right sides and Δu.
    void solve(const RotationCharts& charts, const VectorS& r, const VectorS& r_norm,
               const VectorS& du, VectorS& dx, VectorS& d_norm) const;
    /// δ = A Δx: (nv)
    void find_turn(const RotationCharts& charts, const VectorS& dx, VectorS& delta) const;
    /// matrix · a A (a I - D)⁻¹ B in place: (rows x nv)
    void multiply_right(const RotationCharts& charts,
                        Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>& matrix) const;

    /// a A (a I - D)⁻¹ B of one turn, row by row
    const std::array<S, 9>& turn(std::size_t index) const { return turn_[index]; }

   private:
    S a_{};
    std::vector<std::array<S, 25>> inverse_;  // of (a I - D) with the norm's row and column
    std::vector<std::array<S, 9>> turn_;      // a A E B
  };

 private:
  struct Block {
    int q = 0;  // first of its quaternion
    int v = 0;  // first of its angular velocity
    int x = 0;  // first of its parameters
    int sequence = 0;
    std::array<double, 4> anchor{1.0, 0.0, 0.0, 0.0};
    // of the last linearize
    std::array<double, 16> D{};  // parameters x parameters
    std::array<double, 12> A{};  // 3 x parameters
    std::array<double, 12> B{};  // parameters x 3
    std::array<double, 4> p{};   // of a quaternion
  };

  int parameters() const { return kind_ == Rotations::quaternion ? 4 : 3; }
  /// A (3 x parameters) and B (parameters x 3), row by row.
  void find_maps(const Block& block, const double* z, double* A, double* B) const;
  void find_quaternion(const Block& block, const double* z, double* p) const;
  /// z comes with the parameters before: angles go on from there.
  void find_parameters(const Block& block, const double* p, double* z) const;

  Rotations kind_;
  bool plain_ = true;
  int size_ = 0;
  std::size_t norms_ = 0;
  std::vector<Block> blocks_;
  std::vector<Plain> plains_;
  std::vector<std::string> names_;
};

}  // namespace driftless
