#pragma once
// What the recursions do at one joint, with everything that its kind decides known to the compiler. For tree_*.cpp.

#include <algorithm>
#include <cmath>

#include "driftless/mechanism/tree_inverse.hpp"
#include "driftless/mechanism/tree_recursion.hpp"

namespace driftless::tree_passes {

/// How the columns of a joint look. The first three do without storing them.
enum class Shape {
  turn,     ///< w = z alone
  slide,    ///< u = z alone
  ball,     ///< w = the body's axes
  nothing,  ///< no columns
  general
};

constexpr Shape find_shape(TreeJointKind kind) {
  switch (kind) {
    case TreeJointKind::revolute: return Shape::turn;
    case TreeJointKind::prismatic: return Shape::slide;
    case TreeJointKind::spherical: return Shape::ball;
    case TreeJointKind::fixed: return Shape::nothing;
    default: return Shape::general;
  }
}

constexpr bool keeps_columns(TreeJointKind kind) { return find_shape(kind) == Shape::general; }

/// Numbers that tell the columns: z; of a ball the axes; in general the columns, w and then u.
constexpr int count_column_numbers(TreeJointKind kind) {
  switch (find_shape(kind)) {
    case Shape::turn:
    case Shape::slide: return 3;
    case Shape::ball: return 9;
    case Shape::nothing: return 0;
    case Shape::general: return 6 * count_rates(kind);
  }
  return 0;
}
/// Where the factorisation keeps the factors themselves, behind columns and shift: so `solve` reads nothing else.
constexpr int find_factor_place(TreeJointKind kind) { return count_column_numbers(kind) + 3; }

/// Numbers that the factorisation keeps; at the end of one axis U'/D of [TRR.6] and 1/D; of a ball A⁻¹ and A⁻¹B; in
/// general U and D⁻¹.
constexpr int count_factors(TreeJointKind kind) {
  const int n = count_rates(kind);
  const int before = find_factor_place(kind);
  switch (find_shape(kind)) {
    case Shape::turn:
    case Shape::slide: return before + 7;
    case Shape::ball: return before + 15;
    case Shape::nothing: return before;
    case Shape::general: return before + 6 * n + n * n;
  }
  return 0;
}

inline Vector3 load(const double* p) { return {p[0], p[1], p[2]}; }
inline Axes<double> load_axes(const double* p) { return {load(p), load(p + 3), load(p + 6)}; }
inline void store(const Vector3& a, double* p) {
  p[0] = a.x;
  p[1] = a.y;
  p[2] = a.z;
}

/// 2 axis(W P) of [TRR.2]: W by columns, P = ½ trace(J) 1 - J.
inline Vector3 find_sweep_torque(const Axes<double>& w, const Symmetric3& j) {
  const double half = 0.5 * (j.xx + j.yy + j.zz);
  const double xx = half - j.xx;
  const double yy = half - j.yy;
  const double zz = half - j.zz;
  // (W P)_ab = Σ_c W_ac P_cb with P_xy = -J_xy
  const double zy = w.y.z * yy - w.x.z * j.xy - w.z.z * j.yz;
  const double yz = w.z.y * zz - w.x.y * j.xz - w.y.y * j.yz;
  const double xz = w.z.x * zz - w.x.x * j.xz - w.y.x * j.yz;
  const double zx = w.x.z * xx - w.y.z * j.xy - w.z.z * j.xz;
  const double yx = w.x.y * xx - w.y.y * j.xy - w.z.y * j.xz;
  const double xy = w.y.x * yy - w.x.x * j.xy - w.z.x * j.yz;
  return {zy - yz, xz - zx, yx - xy};
}

/// W of [TRR.1].
inline Axes<double> find_sweep(const Vector3& w, const Vector3& a) {
  const double xx = w.x * w.x;
  const double yy = w.y * w.y;
  const double zz = w.z * w.z;
  const double xy = w.x * w.y;
  const double xz = w.x * w.z;
  const double yz = w.y * w.z;
  return {{-yy - zz, xy + a.z, xz - a.y},
          {xy - a.z, -xx - zz, yz + a.x},
          {xz + a.y, yz - a.x, -xx - yy}};
}

/// One joint of one kind.
template <TreeJointKind kind>
struct Joint {
  static constexpr Shape kShape = find_shape(kind);
  static constexpr int kRates = count_rates(kind);
  static constexpr int kColumnNumbers = count_column_numbers(kind);
  static constexpr int kFactorPlace = find_factor_place(kind);

  static Vector3 find_shift(const double* kept) { return load(kept + kColumnNumbers); }

  /// `parent` are its axes. A revolute joint takes the cosine and the sine of its angle instead of its coordinate.
  static void place(const TreeBody& body, const double* q, const Axes<double>& parent,
                    TreeState::Pose& pose, Vector3* columns) {
    // (y as z×x would be cheaper, but then errors grow along a chain: none of its digits holds after 300 bodies)
    const Axes<double> e{turn(parent, body.axes.x), turn(parent, body.axes.y),
                         turn(parent, body.axes.z)};
    tree_joints::Placement<double> at;
    if constexpr (kShape == Shape::turn) {
      at = {tree_joints::turn_z(e, q[0], q[1]), {}};
    } else {
      at = tree_joints::place<kind>(e, q, body.advance);
    }
    pose.axes = at.axes;
    pose.shift = turn(parent, body.offset) + at.shift;
    pose.moment = turn(pose.axes, body.moment);
    pose.inertia = turn(pose.axes, body.inertia);
    if constexpr (kShape == Shape::general) {
      tree_joints::find_columns<kind>(e, at, body.advance, columns, columns + kRates);
    }
  }

  /// Σ (w, u)_j x_j
  static TreeMotion find_motion(const TreeState::Pose& pose, const Vector3* columns,
                                const double* x) {
    if constexpr (kShape == Shape::turn) return {x[0] * pose.axes.z, {}};
    if constexpr (kShape == Shape::slide) return {{}, x[0] * pose.axes.z};
    if constexpr (kShape == Shape::ball) return {turn(pose.axes, load(x)), {}};
    TreeMotion motion;
    if constexpr (kShape == Shape::general) {
      for (int j = 0; j < kRates; ++j) {
        motion.angular = motion.angular + x[j] * columns[j];
        motion.linear = motion.linear + x[j] * columns[kRates + j];
      }
    }
    return motion;
  }

  /// (w·n + u·f)_j, times a factor, added.
  static void add_components(const TreeState::Pose& pose, const Vector3* columns,
                             const TreeWrench& wrench, double factor, double* out) {
    if constexpr (kShape == Shape::turn) out[0] += factor * dot(pose.axes.z, wrench.torque);
    if constexpr (kShape == Shape::slide) out[0] += factor * dot(pose.axes.z, wrench.force);
    if constexpr (kShape == Shape::ball) {
      const Vector3 n = turn_back(pose.axes, wrench.torque);
      out[0] += factor * n.x;
      out[1] += factor * n.y;
      out[2] += factor * n.z;
    }
    if constexpr (kShape == Shape::general) {
      for (int j = 0; j < kRates; ++j) {
        out[j] +=
            factor * (dot(columns[j], wrench.torque) + dot(columns[kRates + j], wrench.force));
      }
    }
  }

  /// [TRR.1]: from the motion of the parent to that of the body.
  static void move(const TreeState::Pose& pose, const Vector3* columns, const double* v,
                   TreeState::Rate& rate, const Axes<double>& parent_sweep) {
    const TreeMotion own = find_motion(pose, columns, v);
    const Vector3 w = rate.angular;
    rate.angular = w + own.angular;
    rate.bias.angular = rate.bias.angular + cross(w, own.angular);
    rate.bias.linear = rate.bias.linear + turn(parent_sweep, pose.shift);
    if constexpr (kShape == Shape::slide || kShape == Shape::general) {
      rate.bias.linear = rate.bias.linear + cross(w, 2.0 * own.linear);
    }
    if constexpr (kShape == Shape::general) {
      const auto bias = tree_joints::find_bias<kind>(columns, columns + kRates, v);
      rate.bias.angular = rate.bias.angular + bias.angular;
      rate.bias.linear = rate.bias.linear + bias.linear;
    }
  }

  /// [TRR.4]: removes what the joint lets go of the inertia, and shifts what is left to the parent's origin, but not to
  /// the ground's, which does not mind. Returns the number of lost directions.
  static int eliminate(const TreeState::Pose& pose, const Vector3* columns, bool on_ground,
                       TreeInertia& inertia, double* kept) {
    store(pose.shift, kept + kColumnNumbers);
    double* factor = kept + kFactorPlace;
    if constexpr (kShape == Shape::turn || kShape == Shape::slide) {
      store(pose.axes.z, kept);
      return eliminate_axis(pose, on_ground, inertia, factor);
    }
    int lost = 0;
    if constexpr (kShape == Shape::ball) {
      store(pose.axes.x, kept);
      store(pose.axes.y, kept + 3);
      store(pose.axes.z, kept + 6);
      lost = eliminate_ball(inertia, factor);
      if (!on_ground) inertia.shift_mass(pose.shift);
      return lost;
    }
    if constexpr (kShape == Shape::general) {
      for (int j = 0; j < 2 * kRates; ++j) store(columns[j], kept + 3 * j);
      lost = eliminate_general(columns, inertia, factor);
    }
    if (!on_ground) inertia.shift(pose.shift);
    return lost;
  }

  /// The way back of [TRR.5]: y in `pivots`, and p becomes what the parent sees.
  static void reduce(const double* kept, const double* f, double* pivots, TreeWrench& p) {
    const double* factor = kept + kFactorPlace;
    const Vector3 shift = find_shift(kept);
    if constexpr (kShape == Shape::turn || kShape == Shape::slide) {  // [TRR.6]
      const Vector3 z = load(kept);
      const Vector3& along = kShape == Shape::turn ? p.torque : p.force;
      const double y = (f[0] - z.x * along.x) - (z.y * along.y + z.z * along.z);
      pivots[0] = y;
      const Vector3 seen = p.torque + cross(shift, p.force);
      p = {seen + y * load(factor), p.force + y * load(factor + 3)};
      return;
    }
    if constexpr (kShape == Shape::ball) {
      const Vector3 given = turn(load_axes(kept), load(f));
      const Vector3 y = given - p.torque;
      store(y, pivots);
      p.torque = given;
      p.force = p.force + turn_back(load_axes(factor + 6), y);
    } else if constexpr (kShape == Shape::general) {
      for (int j = 0; j < kRates; ++j) {
        pivots[j] =
            f[j] - dot(load(kept + 3 * j), p.torque) - dot(load(kept + 3 * (kRates + j)), p.force);
      }
      const double* inverse = factor + 6 * kRates;
      for (int j = 0; j < kRates; ++j) {
        double x = 0.0;
        for (int k = 0; k < kRates; ++k) x += inverse[j * kRates + k] * pivots[k];
        p += {x * load(factor + 6 * j), x * load(factor + 6 * j + 3)};
      }
    }
    p.torque = p.torque + cross(shift, p.force);
  }

  /// The way forth: `motion` is that of the parent and becomes the body's.
  static void expand(const double* kept, const double* pivots, TreeMotion& motion, double* x) {
    const double* factor = kept + kFactorPlace;
    const Vector3 at = motion.linear + cross(motion.angular, find_shift(kept));
    if constexpr (kShape == Shape::turn || kShape == Shape::slide) {  // [TRR.6]
      const double turned = dot(load(factor), motion.angular);
      const double moved = dot(load(factor + 3), motion.linear);
      x[0] = pivots[0] * factor[6] - (turned + moved);
      motion.linear = at;
      Vector3& changed = kShape == Shape::turn ? motion.angular : motion.linear;
      changed = changed + x[0] * load(kept);
      return;
    }
    motion.linear = at;
    if constexpr (kShape == Shape::ball) {
      const Symmetric3 inverse{factor[0], factor[1], factor[2], factor[3], factor[4], factor[5]};
      const Vector3 angular = inverse * load(pivots) - turn(load_axes(factor + 6), motion.linear);
      store(turn_back(load_axes(kept), angular - motion.angular), x);
      motion.angular = angular;
    } else if constexpr (kShape == Shape::general) {
      double rest[kRates];
      for (int k = 0; k < kRates; ++k) {
        rest[k] = pivots[k] - dot(load(factor + 6 * k), motion.angular) -
                  dot(load(factor + 6 * k + 3), motion.linear);
      }
      const double* inverse = factor + 6 * kRates;
      for (int j = 0; j < kRates; ++j) {
        x[j] = 0.0;
        for (int k = 0; k < kRates; ++k) x[j] += inverse[j * kRates + k] * rest[k];
        motion.angular = motion.angular + x[j] * load(kept + 3 * j);
        motion.linear = motion.linear + x[j] * load(kept + 3 * (kRates + j));
      }
    }
  }

 private:
  /// [TRR.6]. The inertia is shifted while D⁻¹ is on its way: in a chain all joints wait for one another.
  static int eliminate_axis(const TreeState::Pose& pose, bool on_ground, TreeInertia& inertia,
                            double* factor) {
    const Vector3& z = pose.axes.z;
    TreeWrench u;
    if constexpr (kShape == Shape::turn) {
      u = {inertia.a * z, turn_back(inertia.b, z)};
    } else {
      u = {turn(inertia.b, z), inertia.c * z};
    }
    const double d = dot(z, kShape == Shape::turn ? u.torque : u.force);
    const Symmetric3& own = kShape == Shape::turn ? inertia.a : inertia.c;
    bool is_lost = false;
    if (!(d > kSafePivot * (own.xx + own.yy + own.zz))) [[unlikely]] {
      const double noise = kShape == Shape::turn ? inertia.removed : own.xx + own.yy + own.zz;
      is_lost = !(d > kLostPivot * (find_size(own, z) + noise));
    }
    const double inverse = is_lost ? 0.0 : 1.0 / d;
    u.torque = u.torque + cross(pose.shift, u.force);
    store(inverse * u.torque, factor);
    store(inverse * u.force, factor + 3);
    factor[6] = inverse;
    if (on_ground) return int{is_lost};
    inertia.shift(pose.shift);
    inertia.remove_square(inverse, u);
    if constexpr (kShape == Shape::turn) inertia.removed = std::max(inertia.removed, d);
    return int{is_lost};
  }

  static int eliminate_ball(TreeInertia& inertia, double* factor) {
    Symmetric3 inverse;
    int lost = 0;
    inertia.removed = std::max({inertia.removed, inertia.a.xx, inertia.a.yy, inertia.a.zz});
    if (!invert(inertia.a, inverse)) lost = invert_carefully(inertia.a, inverse);
    const Axes<double> t{inverse * inertia.b.x, inverse * inertia.b.y, inverse * inertia.b.z};
    factor[0] = inverse.xx;
    factor[1] = inverse.xy;
    factor[2] = inverse.xz;
    factor[3] = inverse.yy;
    factor[4] = inverse.yz;
    factor[5] = inverse.zz;
    store(t.x, factor + 6);
    store(t.y, factor + 9);
    store(t.z, factor + 12);
    Symmetric3 c = inertia.c;
    c.xx -= dot(inertia.b.x, t.x);
    c.xy -= dot(inertia.b.x, t.y);
    c.xz -= dot(inertia.b.x, t.z);
    c.yy -= dot(inertia.b.y, t.y);
    c.yz -= dot(inertia.b.y, t.z);
    c.zz -= dot(inertia.b.z, t.z);
    inertia.c = c;  // nothing is left of A and B
    return lost;
  }

  static int eliminate_general(const Vector3* columns, TreeInertia& inertia, double* factor) {
    double d[kRates * kRates];
    for (int j = 0; j < kRates; ++j) {
      const TreeWrench u = inertia * TreeMotion{columns[j], columns[kRates + j]};
      store(u.torque, factor + 6 * j);
      store(u.force, factor + 6 * j + 3);
      for (int k = 0; k < kRates; ++k) {
        d[k * kRates + j] = dot(columns[k], u.torque) + dot(columns[kRates + k], u.force);
      }
    }
    double* inverse = factor + 6 * kRates;
    const int lost = invert<kRates>(d, inverse);
    inertia.removed = std::max({inertia.removed, inertia.a.xx, inertia.a.yy, inertia.a.zz});
    for (int j = 0; j < kRates; ++j) {
      TreeWrench x;  // U D⁻¹, its column j
      for (int k = 0; k < kRates; ++k) {
        x.torque = x.torque + inverse[k * kRates + j] * load(factor + 6 * k);
        x.force = x.force + inverse[k * kRates + j] * load(factor + 6 * k + 3);
      }
      remove_product(x, {load(factor + 6 * j), load(factor + 6 * j + 3)}, inertia);
    }
    return lost;
  }

  /// - x uᵀ, of which the sum over all columns is symmetric
  static void remove_product(const TreeWrench& x, const TreeWrench& u, TreeInertia& inertia) {
    const auto remove = [](const Vector3& a, const Vector3& b, Symmetric3& s) {
      s.xx -= a.x * b.x;
      s.xy -= a.x * b.y;
      s.xz -= a.x * b.z;
      s.yy -= a.y * b.y;
      s.yz -= a.y * b.z;
      s.zz -= a.z * b.z;
    };
    remove(x.torque, u.torque, inertia.a);
    remove(x.force, u.force, inertia.c);
    inertia.b.x = inertia.b.x - u.force.x * x.torque;
    inertia.b.y = inertia.b.y - u.force.y * x.torque;
    inertia.b.z = inertia.b.z - u.force.z * x.torque;
  }
};

}  // namespace driftless::tree_passes

namespace driftless {

template <class Use>
void TreeRecursion::pass_forth(Use&& use) const {
  for (const Run& run : runs_) {
    tree_joints::with_kind(run.kind, [&](auto kind) {
      for (int k = run.begin; k < run.end; ++k) {
        const auto i = static_cast<std::size_t>(k);
        use(kind, i, bodies_[i], places_[i]);
      }
    });
  }
}

template <class Use>
void TreeRecursion::pass_run_back(const Run& run, Use&& use) const {
  tree_joints::with_kind(run.kind, [&](auto kind) {
    for (int k = run.end - 1; k >= run.begin; --k) {
      const auto i = static_cast<std::size_t>(k);
      use(kind, i, bodies_[i], places_[i]);
    }
  });
}

template <class Use>
void TreeRecursion::pass_back(Use&& use) const {
  for (std::size_t n = runs_.size(); n-- > 0;) pass_run_back(runs_[n], use);
}

}  // namespace driftless
