#pragma once
// Dynamics of a tree of bodies in its joints' coordinates, at a cost linear in the number of bodies: the three recursions
// of the articulated-body method (Featherstone 1983; Brandl, Johanni, Otter 1986), as they are laid out in Arnold 2016,
// section 3.3, table 1.
//
// Bodies are numbered so that each comes after its parent; number 0 is the ground. With r from the parent's origin to the
// body's, (w, u) the columns of its joint and (ᾱ, ā) what moves with v' = 0,
//
//   forward:   ω = ω_p + w v,   ᾱ = ᾱ_p + ω_p×(w v) + ...,   ā = ā_p + W_p r + 2 ω_p×(u v) + ...                    [TRR.1]
//              W = [ᾱ×] + ω ωᵀ - ω² 1, so that a point of the body at r accelerates by ā + W r
//              (the dots: what turns with the body itself, [TRJ.2]; ā of the ground is -g)
//   a body:    f = Σ m (ā + W r) = m ā + W mc,   n = Σ m r×(ā + W r) = mc×ā + 2 axis(W P)                            [TRR.2]
//              P = Σ m r rᵀ = ½ trace(J) 1 - J,   2 axis(X) = (X_zy - X_yz, X_xz - X_zx, X_yx - X_xy);
//              the usual J ᾱ + ω×J ω is the same for more multiplications
//   backward:  wrenches are summed towards the ground, Q = -(w·n + u·f)                                           [TRR.3]
//
// so that M(q) v' = Q with forces left out; the residual M v' - Q of implicit methods, (61) of Arnold, is [TRR.1] to
// [TRR.3] with v' in the first line. M itself is factorised by eliminating joint after joint from the tips: with S the
// columns of a joint and I the inertia of all that hangs on it,
//
//   U = I S,  D = Sᵀ U,  I_p += shift(I - U D⁻¹ Uᵀ)                                                                [TRR.4]
//
// and any system M x = f is solved with these factors by one pass backward and one forward,
//
//   y = f - Sᵀ p,  p_p += shift(p + U D⁻¹ y);      x = D⁻¹ (y - Uᵀ a),  a = shift(a_p) + S x  (U after a's shift)    [TRR.5]
//
// A joint of one axis keeps U' = (U_n + r×U_f, U_f)/D, which is U/D seen from the parent's origin. With it
//
//   I_p += shift(I) - U' D U'ᵀ,    p_p += shift(p) + U' y,    x = y/D - U'ᵀ a_p                                     [TRR.6]
//
// so that nothing waits for a shift: in a chain it is waiting that takes the time.
//
// In a joint that carries v = ω - ω_p freely (spherical) S is the unit matrix in world axes, [TRR.4] leaves nothing of A
// and B: only C - Bᵀ A⁻¹ B goes on.
//
// D loses rank where a joint can move what has no inertia against it: a thin rod about its own axis. The direction is
// then left at rest, x = 0, and counted.

#include <vector>

#include "driftless/math/linear.hpp"
#include "driftless/mechanism/tree_joints.hpp"

namespace driftless {

/// A body and the joint that carries it. Constant.
struct TreeBody {
  TreeJointKind kind = TreeJointKind::free;
  int parent = 0;  ///< its number, 0: the ground
  int q = 0;       ///< the joint's first coordinate
  int v = 0;       ///< and rate
  // the joint's frame on the parent, along the parent's axes
  Axes<double> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vector3 offset;
  double advance = 0.0;  ///< of a screw, m/rad
  // along the body's own axes, about its origin
  double mass = 0.0;
  Vector3 moment;  ///< m c
  Symmetric3 inertia;
};

/// What changes; owned by one thread.
struct TreeState {
  struct Pose {
    Axes<double> axes;
    Vector3 shift;   ///< r
    Vector3 moment;  ///< m c, world axes
    Symmetric3 inertia;
  };
  struct Rate {
    Vector3 angular;  ///< ω
    TreeMotion bias;  ///< (ᾱ, ā)
  };
  std::vector<Pose> poses;             ///< by `place`; number 0: the ground
  std::vector<Vector3> columns;        ///< by `place`, of joints that keep them: w, then u
  std::vector<Rate> rates;             ///< by `move`
  std::vector<double> turns;           ///< by `place`, of revolute joints: cosines, then sines
  std::vector<TreeWrench> wrenches;    ///< by `move`: of each body
  std::vector<double> factors;         ///< by `factorize`
  std::vector<double> roots;           ///< by `find_roots`: C, full, row by row
  std::vector<double> pivots;          ///< y of [TRR.5]
  std::vector<TreeMotion> motions;     ///< by `solve`: a of [TRR.5]
  std::vector<TreeInertia> inertias;   ///< of branches, by `factorize`
  std::vector<TreeWrench> branch_sum;  ///< likewise by `solve`
  std::vector<TreeInertia> hanging;    ///< by `eval_mass`: of each body with all that hangs on it
  int lost = 0;                        ///< directions without inertia
};

class TreeRecursion {
 public:
  /// Without the ground: the first is number 1.
  explicit TreeRecursion(std::vector<TreeBody> bodies);

  int size() const { return static_cast<int>(bodies_.size()) - 1; }
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  const TreeBody& body(int number) const { return bodies_[static_cast<std::size_t>(number)]; }

  TreeState make_state() const;

  /// Poses at q, and the bodies' inertias there.
  void place(ConstVectorRef q, TreeState& state) const;
  /// The poses of a state of the same tree with other masses, and the inertias of these bodies there.
  void take_poses(const TreeState& placed, TreeState& state) const;
  /// [TRR.4] at the poses of a state, into the same or another one: `solve` looks at nothing but the factors.
  void factorize(const TreeState& placed, TreeState& state) const;
  void factorize(TreeState& state) const { factorize(state, state); }
  /// Rates at v, and `force` = Q of gravity and inertia. [TRR.1] to [TRR.3]
  void move(ConstVectorRef v, const Vector3& gravity, TreeState& state, VectorRef force) const;
  /// x = M⁻¹ f. [TRR.5]
  void solve(ConstVectorRef f, TreeState& state, VectorRef x) const;

  // ---- M⁻¹ = Lᵀ L, where L f = Cᵀ y with D⁻¹ = C Cᵀ joint by joint: rows G become G Lᵀ, and M the unit matrix -------

  /// C of all joints, after `factorize`.
  void find_roots(TreeState& state) const;
  /// z = L f
  void reduce(ConstVectorRef f, TreeState& state, VectorRef z) const;
  /// x = Lᵀ z
  void expand(ConstVectorRef z, TreeState& state, VectorRef x) const;
  /// z = L f at one joint, given what comes from those that hang on it, and what goes on to its parent.
  void reduce_joint(int number, const TreeState& state, const double* f, TreeWrench& p,
                    double* z) const;

  /// M x
  void multiply(ConstVectorRef x, TreeState& state, VectorRef y) const;
  /// M, from inertias of all that hangs on a joint. Cost: joints times their depth.
  void eval_mass(TreeState& state, MatrixRef mass) const;

  // ---- between joints and bodies; motions and wrenches at the bodies' origins, with room for the ground --------------------

  /// (ω, velocity of the origin) of each body.
  void find_velocities(ConstVectorRef v, const TreeState& state, TreeMotion* out) const;
  /// Adds, times a factor, what a wrench on each body does. Destroys `wrenches`.
  void add_wrenches(const TreeState& state, double factor, TreeWrench* wrenches,
                    VectorRef force) const;
  /// (ᾱ, a) of each body for these v', on top of what v does; gravity is no acceleration here.
  void find_accelerations(ConstVectorRef v_dot, const Vector3& gravity, const TreeState& state,
                          TreeMotion* out) const;

  // ---- coordinates ------------------------------------------------------------------------------------------------

  void map_velocity(ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) const;
  void retract(VectorRef q, ConstVectorRef delta) const;
  void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const;
  void normalize(VectorRef q) const;

  /// (w·n + u·f) of a joint, as many as it has rates; zero where it is not above the rounding of terms of these sizes that
  /// the wrench is the sum of.
  struct WrenchSize {
    double torque = 0.0;
    double force = 0.0;
  };
  /// Of some joints: the largest components, and the largest terms that they are sums of. Turns and slides apart, which
  /// have other units.
  struct ComponentSizes {
    double turn = 0.0;
    double turn_terms = 0.0;
    double slide = 0.0;
    double slide_terms = 0.0;

    /// Of the terms, the part that is left; 1 if there are none.
    double find_share() const;
  };
  /// Adds to `sizes`, too.
  void find_components(int number, const TreeState& state, const TreeWrench& wrench,
                       const WrenchSize& size, double* out, ComponentSizes& sizes) const;
  /// Columns (w, u) of a joint at the poses of the state; as many as it has rates.
  void find_columns(int number, const TreeState& state, Vector3* w, Vector3* u) const;

 private:
  /// Bodies with consecutive numbers, equal joints and consecutive coordinates.
  struct Run {
    TreeJointKind kind;
    int begin;
    int end;
  };
  /// Where a joint keeps its numbers.
  struct Place {
    int columns = 0;
    int factor = 0;
    int root = 0;
    int branch = -1;  ///< number among those with children other than the next body
  };
  /// Coordinates one after the other whose derivatives are rates one after the other.
  struct Straight {
    int q;
    int v;
    int count;
  };
  /// Where four coordinates and their three rates begin.
  struct Quaternion {
    int q;
    int v;
  };
  void list_coordinates(const TreeBody& body);
  // Over all joints, from the ground and to it; use(kind, number, body, place). Within a run of equal joints the kind is
  // known to the compiler.
  template <class Use>
  void pass_forth(Use&& use) const;
  template <class Use>
  void pass_back(Use&& use) const;
  template <class Use>
  void pass_run_back(const Run& run, Use&& use) const;

  /// `factorize` along hinges, faster; with what hangs on the last of them, and then on what carries the first.
  void factorize_hinges(const Run& run, const TreeState& placed, TreeState& state,
                        TreeInertia& hanging) const;
  void add_to_branch(const TreeBody& body, const TreeInertia& inertia, TreeState& state) const;

  void sweep_back(ConstVectorRef f, TreeState& state) const;
  void sweep_forth(TreeState& state, VectorRef x) const;
  void add_mass_column(int number, TreeWrench wrench, int column, const TreeState& state,
                       MatrixRef mass) const;

  std::vector<TreeBody> bodies_;
  std::vector<Place> places_;
  std::vector<Run> runs_;
  std::vector<Straight> straights_;
  std::vector<Quaternion> quaternions_;
  int branches_ = 0;
  int columns_ = 0;
  int factors_ = 0;
  int roots_ = 0;
  int nq_ = 0;
  int nv_ = 0;
};

}  // namespace driftless
