#pragma once
// The equations of a constrained mechanical system at an instant. Knows no method.
//
//   M(t,q) v' + Gᵀ λ = Q(t,q,v)          q' = N(q) v                                                          [SYS.1]
//   position rows   Φ(t,q) = 0           Φ' = G v + Φ_t            G v' = γ = -(dG/dt) v - d(Φ_t)/dt            [SYS.2]
//   velocity rows   Ψ(t,q,v) = 0         G = dΨ/dv                 G v' = γ = -Ψ_q q' - Ψ_t                     [SYS.3]
//
// Position rows come first in every row-shaped field. The velocity residual ρ is Φ' in position rows and Ψ in velocity
// rows; [SYS.2] and [SYS.3] both say dρ/dt = G v' - γ.
//
// Invariants. I(t,q,v) with the rate P at which it is fed: I - I0 - ∫P dt = 0 along a motion. The first one is the
// energy E = T + U with                                                                                         [SYS.4]
//   P = F·v - dL/dt|explicit + d/dt(T1 + 2 T0) - λ·(G v - ρ)
// (F: forces without potential; L = T - U; T1, T0: the parts of T linear in and free of the rates). The last term is
// the work of moving constraints: λ·Φ_t in position rows. It needs λ and v', so a System gives P in two parts,
// `power` + `power_acceleration`·v', and whoever solves for (v', λ) adds the constraints' share to the energy.
//
// First-order states of force elements (Arnold 2017, (44)): c' = d(t,q,v,c), and Q = Q(t,q,v,c). Neither M nor a
// constraint depends on them. They are not an argument of each evaluation but stand in the workspace, where whoever
// integrates them sets them; all evaluations read them there. In dI/dt they count as explicit time:
// `invariant_t` = I_t + I_c d, and where I is fed, P has what flows off through them.                           [SYS.6]
//
// A System is const once made; what changes lives in a Workspace. One System, many Workspaces, many threads.

#include <memory>
#include <string>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/math/block_matrix.hpp"
#include "driftless/math/first_order_states.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {

struct InvariantInfo {
  std::string name;
  bool is_energy =
      false;  ///< T + U: quadratic in v with the mass matrix; the constraints' work counts
  bool has_power = false;  ///< false: P is identically zero, nothing to integrate
  std::string unit;
};

/// A body of a mechanism, by its place among coordinates and rates.
struct BodyInfo {
  std::string name;
  int coordinate = 0;   ///< the first of its coordinates
  int rate = 0;         ///< the first of its rates
  int rates = 0;        ///< how many: shifts along the world's axes, then turns
  int turns = 0;        ///< how many of them are turns: none, 1 in the plane, 3 about body axes
  bool is_held = true;  ///< joints, constraints or forces connect it with the ground
};

/// A joint or constraint, by its rows.
struct ElementInfo {
  std::string name;
  std::vector<int> rows;    ///< indices, ascending
  std::vector<int> bodies;  ///< those it acts on, without the ground
  Source where = {};        ///< in the file, if it is known
};

struct SystemInfo {
  std::string name;
  int nq = 0;
  int nv = 0;
  int position_rows = 0;
  int velocity_rows = 0;
  std::vector<std::string> coordinates;       ///< names, nq
  std::vector<std::string> rates;             ///< names, nv
  std::vector<std::string> coordinate_units;  ///< as many as coordinates, or none; "": not known
  std::vector<std::string> rate_units;        ///< likewise of rates
  std::vector<std::string> rows;              ///< names, position rows first
  /// As many as rows, or none: "m"; "rad"; "1" for a cosine that is 0 where the row holds, so that it is the sine of
  /// the angle that is missing; empty if not known.
  std::vector<std::string> row_units;
  std::vector<Source> row_sources;        ///< as many as rows, or none: where they are written
  std::vector<BodyInfo> bodies;           ///< of a mechanism
  std::vector<ElementInfo> elements;      ///< of a mechanism
  std::vector<InvariantInfo> invariants;  ///< the energy first, if there is one
  /// Per number of eval_probes: the force or measure that it belongs to.
  std::vector<std::string> probes;
  std::vector<std::string> records;
  std::vector<std::string> record_units;  ///< as many as records, or none
  bool records_need_reactions = false;    ///< some record is made of accelerations or multipliers
  int nc = 0;                             ///< first-order states of force elements
  std::vector<std::string> states;        ///< names, nc
  std::vector<std::string> state_units;   ///< as many as states; "": not known
  Vector state_start = Vector::Zero(0);   ///< where they begin, nc
  bool constant_mass = false;
  bool velocity_rows_linear = true;  ///< G of the velocity rows does not depend on v
  bool normalizes = false;           ///< `normalize` may change q
  bool has_time_rows = false;  ///< some position row depends on t explicitly (a moving constraint)

  int row_count() const { return position_rows + velocity_rows; }
};

/// A moment of a motion, with what was solved for there.
struct Moment {
  double t;
  const Vector& q;
  const Vector& v;
  const Vector& v_dot;
  const Vector& lambda;
  int rank = -1;  ///< of G there; -1: not known, and λ is meant as it is
};

/// Derivatives of the residual r = M v' + Gᵀλ - Q and of ρ; those by q are along increments of `retract`.
struct Linearization {
  BlockMatrix stiffness;   ///< dr/dq (nv x nv); its blocks are those of M, and more
  BlockMatrix damping;     ///< dr/dv (nv x nv), with the same blocks
  BlockMatrix residual_q;  ///< dρ/dq (rows x nv), with the blocks of G, or more; dρ/dv = G
  StateSlopes states;      ///< of c' = d and of r by c

  Linearization() = default;
  /// Full.
  explicit Linearization(const SystemInfo& info)
      : stiffness(info.nv, info.nv),
        damping(info.nv, info.nv),
        residual_q(info.row_count(), info.nv),
        states(info.nv, info.nc) {}

  void set_zero() {
    for (BlockMatrix* matrix : {&stiffness, &damping, &residual_q}) matrix->set_zero();
    states.set_zero();
  }
  bool is_finite() const {
    return stiffness.is_finite() && damping.is_finite() && residual_q.is_finite() &&
           states.all_finite();
  }
};

/// Everything that a System computes. Made by System::make_workspace, owned by one thread.
struct Workspace {
  virtual ~Workspace() = default;

  // set by whoever integrates, before anything that depends on it is evaluated; the start values when it is made
  Vector states;  ///< c (nc)

  // filled by eval_configuration(t, q)
  BlockMatrix mass;      ///< M (nv x nv), symmetric
  BlockMatrix jacobian;  ///< G (rows x nv); the velocity rows are filled by eval_motion
  Vector phi;            ///< Φ (position rows)

  // filled by eval_motion(t, q, v), after eval_configuration at the same (t, q)
  Vector force;              ///< Q (nv): applied, potential and inertia terms
  Vector gamma;              ///< γ (rows)
  Vector velocity_residual;  ///< ρ (rows): Φ', then Ψ
  Vector state_rate;         ///< c' = d (nc)

  // filled by eval_invariants(t, q, v)
  Vector invariant;    ///< I (k)
  Matrix invariant_v;  ///< dI/dv (k x nv)

  // filled by eval_invariant_gradients(t, q, v)
  Matrix
      invariant_q;  ///< dI/dq · N (k x nv): per unit of velocity, so that dI/dt = I_v v' + invariant_q v + I_t
  Vector invariant_t;      ///< dI/dt explicit, with I_c d (k)
  Matrix velocity_rows_q;  ///< dΨ/dq · N (velocity rows x nv)

  // filled by eval_power(t, q, v)
  Vector power;               ///< (k), without acceleration and constraint terms
  Matrix power_acceleration;  ///< (k x nv): what v' adds to the power
};

struct State {
  double t = 0.0;
  Vector q;
  Vector v;
  Vector c = {};  ///< empty: as the system's states begin
};

/// Which angles may begin at another turn than they say.
enum class TurnFreedom {
  not_given,  ///< those that nobody gave
  not_exact,  ///< also those that are preferred or guessed
  all
};

class System {
 public:
  virtual ~System() = default;

  const SystemInfo& info() const { return info_; }

  virtual std::unique_ptr<Workspace> make_workspace() const = 0;
  /// What solves [SAD.1] for the first `rows` rows with the matrices of a workspace that this System has made.
  virtual std::unique_ptr<SaddleEngine> make_engine(const Workspace& ws, int rows,
                                                    EngineKind kind) const;
  /// The mass matrix in which rows are compared where their rank is asked for: M itself, or even masses [SAD.3].
  virtual const BlockMatrix& find_row_metric(const Workspace& ws) const { return ws.mass; }
  virtual void eval_configuration(double t, ConstVectorRef q, Workspace& ws) const = 0;
  virtual void eval_motion(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const = 0;
  /// Only the velocity level: the velocity rows of G, and ρ. Cheaper than eval_motion, which fills them too.
  virtual void eval_velocity(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const;
  /// Only Q, γ and c'; ρ and G stay. Cheaper than eval_motion. False: this System has no such way, nothing is done.
  virtual bool eval_forces(double /*t*/, ConstVectorRef /*q*/, ConstVectorRef /*v*/,
                           Workspace& /*ws*/) const {
    return false;
  }
  virtual void eval_invariants(double t, ConstVectorRef q, ConstVectorRef v,
                               Workspace& ws) const = 0;
  virtual void eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                        Workspace& ws) const = 0;
  virtual void eval_power(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const = 0;

  /// Derivative of the position rows of G along a velocity w, in a matrix with the blocks of ws.jacobian; its velocity
  /// rows are left alone.
  virtual void eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w, Workspace& ws,
                                  BlockMatrix& rate) const = 0;

  /// With the blocks that the elements of this System fill; full by default.
  virtual Linearization make_linearization() const { return Linearization(info_); }
  /// What Newton's method needs of the equations; overwrites `out`.                                              [SYS.5]
  virtual void eval_linearization(const Moment& moment, Workspace& ws,
                                  Linearization& out) const = 0;

  /// Adds (dM/dt) v, so that with Q in `force` it becomes the rate of M v without constraints; for turns about body axes,
  /// which turn themselves, ω×Jω, so that it becomes the torque alone. Nothing by default: M is constant and q' = v.
  virtual void add_momentum_rate(double /*t*/, ConstVectorRef /*q*/, ConstVectorRef /*v*/,
                                 Workspace& /*ws*/, VectorRef /*force*/) const {}

  /// The element whose force is not finite in this state, by its name and place; an empty name: none, or it is not known.
  virtual std::pair<std::string, Source> find_faulty_force(double t, ConstVectorRef q,
                                                           ConstVectorRef v, Workspace& ws) const;

  /// A force along a line that has no direction, as between two points that coincide.
  struct UndirectedForce {
    std::string name;
    Source where;
    double effort = 0.0;  ///< N; what it would exert
  };
  virtual std::vector<UndirectedForce> find_undirected_forces(double t, ConstVectorRef q,
                                                              ConstVectorRef v,
                                                              Workspace& ws) const;

  /// The recorded quantities at a moment of the motion. Acceleration and multipliers are looked at only if
  /// info().records_need_reactions.
  virtual void eval_records(const Moment& moment, Workspace& ws, VectorRef values) const = 0;

  /// Numbers of forces and measures at a moment, and their derivatives along the motion as the equations use them: for
  /// checks, element by element. λ is not looked at.
  virtual void eval_probes(const Moment& moment, Workspace& ws, VectorRef values,
                           VectorRef slopes) const;

  /// q' = N(q) v. Equation models: q' = v.
  virtual void map_velocity(ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) const;
  /// q moved by the velocity-like increment `delta`; the only place that knows how rotations are stored.
  virtual void retract(VectorRef q, ConstVectorRef delta) const;
  /// The increment by which `retract` takes `from` to `to`.
  virtual void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const;
  /// Per element: the angle by which it is off the nearest pose that it allows. Rows can hold with a joint turned over;
  /// this is 0 only if it is closed the right way round. 0 where rows say all.
  virtual Vector find_turns_off(ConstVectorRef q) const;
  /// Closes as many joints as form no loop, from any orientation: body after body is moved to the nearest pose that its
  /// joint with the one before allows. Loops, constraints and drives are left to the rows.
  virtual void close_tree(VectorRef q) const;
  /// Told of the start and after each accepted step: what counts, such as the turns of an angle, counts on from here, and
  /// in the direction of the motion.
  virtual void accept(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const;
  /// The turns of angles that nobody gave are not known yet: while the start is being closed, they are those with which
  /// the rows are met best. So are, if that does not do, those of angles that were given, too. False: this frees no turn
  /// of these.
  virtual bool let_turns_free(Workspace& ws, TurnFreedom freedom) const;
  /// Where a workspace counts from: the angles that count, of which q does not hold the whole turns.
  virtual std::vector<double> find_counted_angles(double t, ConstVectorRef q, Workspace& ws) const;
  /// Workspaces made from now on count from there.
  virtual void set_counted_angles(const std::vector<double>& angles);
  /// The system in whose coordinates the model is drawn and a start is found: that of absolute coordinates for a tree of
  /// joints, which therefore starts where the same mechanism in absolute coordinates does. Else this one.
  virtual const System& start_system() const { return *this; }
  /// A start that was found in those coordinates, with the angles that are counted from there, in the own ones.
  virtual State adopt_start(const State& start, const std::vector<double>& counted_angles);
  /// The other way: a state of this system in the coordinates of start_system().
  virtual State find_drawn_state(const State& state) const { return state; }
  /// Resets what no equation depends on, such as the length of a quaternion. After each step.
  virtual void normalize(VectorRef q) const;

 protected:
  SystemInfo info_;
};

/// The sizes of all fields of a workspace, set from the info and filled with zeros. Matrices are one block.
void resize_workspace(const SystemInfo& info, Workspace& ws);
/// With these matrices, which need not be full.
void resize_workspace(const SystemInfo& info, BlockMatrix mass, BlockMatrix jacobian,
                      Workspace& ws);

}  // namespace driftless
