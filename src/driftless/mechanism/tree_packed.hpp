#pragma once
// The backward recursion [TRR.6] along hinges, in which most of the time of a chain goes, with vectors as wide registers of
// which the fourth number is never looked at. A, B and C of [TRM.1] are kept by rows a_i, b_i, c_i (A and C are
// symmetric), so that hardly an operation asks for a number from within a vector:
//
//   U = (Σ z_i a_i, Σ z_i b_i),   D = z·U_n                                                                      [TPK.1]
//   X = [r×]C:    x_x = r_y c_z - r_z c_y,  and so on round;    b_i += x_i                                       [TPK.2]
//   Kᵀ = H [r×]ᵀ with H = B + ½X:    its rows are r×h_i;    a_i += row i of Kᵀ + row i of K                      [TPK.3]
//   a_i -= (U'_n)_i U_n,   b_i -= (U'_n)_i U_f,   c_i -= (U'_f)_i U_f      with U' = U/D                         [TPK.4]
//
// The exceptions: r×h, which turns vectors round, and K itself, whose rows are the columns of Kᵀ.

#include <cstring>

#include "driftless/mechanism/tree_passes.hpp"

namespace driftless::tree_packed {

using Four = double __attribute__((vector_size(32)));

inline void store(const Four& a, double* to) { std::memcpy(to, &a, sizeof(Four)); }

/// A vector that others are multiplied by.
struct Arm {
  explicit Arm(const Vector3& r)
      : x(r.x), y(r.y), z(r.z), next{r.y, r.z, r.x, 0.0}, last{r.z, r.x, r.y, 0.0} {}
  /// + r×a (not returned: how that is done depends on the machine)
  void add_cross(const Four& a, Four& to) const {
    to += next * __builtin_shufflevector(a, a, 2, 0, 1, 3);
    to -= last * __builtin_shufflevector(a, a, 1, 2, 0, 3);
  }

  double x, y, z;
  Four next, last;  // turned round by one and two
};

struct PackedInertia {
  Four ax{}, ay{}, az{};
  Four bx{}, by{}, bz{};
  Four cx{}, cy{}, cz{};
  double removed = 0.0;  ///< as in TreeInertia

  PackedInertia() = default;
  explicit PackedInertia(const TreeInertia& other) { *this += other; }

  TreeInertia find_plain() const {
    TreeInertia plain;
    plain.a = find_a();
    plain.b = {{bx[0], by[0], bz[0]}, {bx[1], by[1], bz[1]}, {bx[2], by[2], bz[2]}};
    plain.c = {cx[0], cx[1], cx[2], cy[1], cy[2], cz[2]};
    plain.removed = removed;
    return plain;
  }
  Symmetric3 find_a() const { return {ax[0], ax[1], ax[2], ay[1], ay[2], az[2]}; }

  PackedInertia& operator+=(const TreeInertia& other) {
    add_symmetric(other.a, ax, ay, az);
    bx += Four{other.b.x.x, other.b.y.x, other.b.z.x, 0.0};
    by += Four{other.b.x.y, other.b.y.y, other.b.z.y, 0.0};
    bz += Four{other.b.x.z, other.b.y.z, other.b.z.z, 0.0};
    add_symmetric(other.c, cx, cy, cz);
    removed = std::max(removed, other.removed);
    return *this;
  }

  void add_body(double mass, const Vector3& moment, const Symmetric3& inertia) {
    add_symmetric(inertia, ax, ay, az);
    bx += Four{0.0, -moment.z, moment.y, 0.0};
    by += Four{moment.z, 0.0, -moment.x, 0.0};
    bz += Four{-moment.y, moment.x, 0.0, 0.0};
    cx += Four{mass, 0.0, 0.0, 0.0};
    cy += Four{0.0, mass, 0.0, 0.0};
    cz += Four{0.0, 0.0, mass, 0.0};
  }

  /// [TRR.6] at a hinge; what it keeps is laid out as by `Joint<revolute>`. Returns the number of lost directions.
  int eliminate_hinge(const TreeState::Pose& pose, bool on_ground, double* kept) {
    using Hinge = tree_passes::Joint<TreeJointKind::revolute>;
    const Vector3& z = pose.axes.z;
    const Arm arm(pose.shift);
    Four torque = z.x * ax + z.y * ay + z.z * az;
    const Four force = z.x * bx + z.y * by + z.z * bz;
    const double d = z.x * torque[0] + z.y * torque[1] + z.z * torque[2];
    bool is_lost = false;
    if (!(d > tree_passes::kSafePivot * (ax[0] + ay[1] + az[2]))) [[unlikely]] {
      is_lost = !(d > tree_passes::kLostPivot * (tree_passes::find_size(find_a(), z) + removed));
    }
    const double inverse = is_lost ? 0.0 : 1.0 / d;
    arm.add_cross(force, torque);
    const Four kept_torque = inverse * torque;
    const Four kept_force = inverse * force;
    // (each write over the fourth number of the one before)
    store(Four{z.x, z.y, z.z, 0.0}, kept);
    store(Four{arm.x, arm.y, arm.z, 0.0}, kept + Hinge::kColumnNumbers);
    store(kept_torque, kept + Hinge::kFactorPlace);
    store(kept_force, kept + Hinge::kFactorPlace + 3);
    kept[Hinge::kFactorPlace + 6] = inverse;
    if (on_ground) return int{is_lost};
    shift(arm);
    remove_square(kept_torque, kept_force, torque, force);
    removed = std::max(removed, d);
    return int{is_lost};
  }

 private:
  static void add_symmetric(const Symmetric3& s, Four& x, Four& y, Four& z) {
    x += Four{s.xx, s.xy, s.xz, 0.0};
    y += Four{s.xy, s.yy, s.yz, 0.0};
    z += Four{s.xz, s.yz, s.zz, 0.0};
  }

  /// [TPK.2], [TPK.3]
  void shift(const Arm& r) {
    const Four x = r.y * cz - r.z * cy;
    const Four y = r.z * cx - r.x * cz;
    const Four z = r.x * cy - r.y * cx;
    Four kx{}, ky{}, kz{};
    r.add_cross(bx + 0.5 * x, kx);
    r.add_cross(by + 0.5 * y, ky);
    r.add_cross(bz + 0.5 * z, kz);
    bx += x;
    by += y;
    bz += z;
    const Four even = __builtin_shufflevector(kx, ky, 0, 4, 2, 6);
    const Four odd = __builtin_shufflevector(kx, ky, 1, 5, 3, 7);
    ax += kx + __builtin_shufflevector(even, kz, 0, 1, 4, 7);
    ay += ky + __builtin_shufflevector(odd, kz, 0, 1, 5, 7);
    az += kz + __builtin_shufflevector(even, kz, 2, 3, 6, 7);
  }

  /// [TPK.4]
  void remove_square(const Four& torque_part, const Four& force_part, const Four& torque,
                     const Four& force) {
    ax -= torque_part[0] * torque;
    ay -= torque_part[1] * torque;
    az -= torque_part[2] * torque;
    bx -= torque_part[0] * force;
    by -= torque_part[1] * force;
    bz -= torque_part[2] * force;
    cx -= force_part[0] * force;
    cy -= force_part[1] * force;
    cz -= force_part[2] * force;
  }
};

}  // namespace driftless::tree_packed
