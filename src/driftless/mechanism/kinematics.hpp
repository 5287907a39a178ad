#pragma once
// Bodies and the frames on them: where they are, how they move, and what a frame's twist has to do with v.
//
// An element gives the Jacobian g = (g_p, g_θ) of a scalar with respect to the twist of a frame. The frame's origin lies
// at r = R r_b from the mass centre, so a twist (u, ω) of the body moves it by (u + ω×r, ω), and the entries for the body
// are                                                                                                            [MEC.1]
//
//   G = (g_p, Rᵀ m),   m = g_θ + r×g_p                                                        in the plane: (g_p, m_z)
//
// and change along a motion with angular velocity ω by                                                           [MEC.2]
//
//   G' = (g_p', Rᵀ (m' - ω×m)),   m' = g_θ' + (ω×r)×g_p + r×g_p'
//
// With v' = 0 a frame accelerates by ω×(ω×r) and does not change its angular velocity (ω in body axes is constant, so
// R ω_b changes by ω×ω = 0): that is what γ is evaluated with. A wrench (f, n) at a frame adds (f, Rᵀ(n + r×f)) to the
// generalised force: [MEC.1] with g = (f, n).

#include <optional>
#include <vector>

#include "driftless/mechanism/parts.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// Owned by one thread; filled by Kinematics.
struct MotionState {
  Vector q;                ///< where the bodies are placed
  Vector v;                ///< how they move
  bool is_placed = false;  ///< bodies and working frames are
  bool is_moved = false;
  bool all_placed = false;  ///< all frames are
  bool all_moved = false;
  std::vector<BodyState> bodies;
  std::vector<FrameMotion> frames;
  // Angles that count turns go on from the last accepted step along the tangent there, so that they are right as long as
  // they stray from it by less than half a turn, however fast they are.
  double t = 0.0;                         ///< now
  double counted_t = 0.0;                 ///< of the last accepted step
  std::vector<double> counted;            ///< per counter: the angle then
  std::vector<double> counted_rate;       ///< and its rate
  std::vector<double> turns;              ///< per counter: what is to be added to the angle now
  std::vector<bool> turns_settled;        ///< per counter: of a continuous angle, for good
  std::optional<TurnFreedom> free_turns;  ///< while the start is being closed

  std::vector<Vector3> pair_vectors;  ///< what PairRows::eval leaves for eval_gamma
  std::vector<Vector3> rod_vectors;   ///< likewise of RodRows

  // scratch of all bodies in the plane
  std::vector<double> angles, cosines, sines;
  // scratch of one block
  std::vector<Frame<double>> poses;
  std::vector<FrameMotion> motions;
  std::vector<Twist> twists;
  std::vector<double> turn_inputs;
  std::vector<double> first, second;  ///< outputs
  std::vector<double> jacobian, jacobian_rate;
};

class Kinematics {
 public:
  explicit Kinematics(const MechanismParts& parts);

  MotionState make_state() const;

  /// Poses at q; nothing is done if they are there already.
  void place(ConstVectorRef q, MotionState& state) const;
  /// Twists at v, and accelerations for v' = 0.
  void move(ConstVectorRef v, MotionState& state) const;
  /// The same of the bodies and of those frames only that equations of motion look at: not those of joints whose rows go
  /// without frames (pair_rows.hpp, rod_rows.hpp), nor of what is merely measured.
  /// False: they are there already.
  bool place_working(ConstVectorRef q, MotionState& state) const;
  bool move_working(ConstVectorRef v, MotionState& state) const;
  /// False: equations of motion need nothing of `move_working`, since no frame works and v holds all rates of turning.
  bool needs_twists() const { return has_space_bodies_ || !working_.empty(); }
  bool has_space_bodies() const { return has_space_bodies_; }
  /// Adds what v' does to the accelerations.
  void accelerate(ConstVectorRef v_dot, MotionState& state) const;

  void count_turns(int counter, MotionState& state) const;
  /// What counts, counts on from here: time, poses and twists of the state.
  void accept_turns(MotionState& state) const;

  // Blocks, at the poses and twists of the state. Outputs go to `first` and `second`, Jacobians to `jacobian` or
  // wherever is said.
  void eval_value(const FunctionBlock& block, MotionState& state, double* f) const;
  void eval_jacobian(const FunctionBlock& block, MotionState& state, double* f,
                     double* jacobian) const;
  void eval_motion(const FunctionBlock& block, MotionState& state, double* first,
                   double* second) const;
  /// dJ/ds with the frames moving by their twists.
  void eval_jacobian_rate(const FunctionBlock& block, MotionState& state, double* rate) const;
  /// dJ with the frames moving by these twists instead.
  void eval_jacobian_rate(const FunctionBlock& block, const Twist* directions, MotionState& state,
                          double* rate) const;
  void eval_velocity(const VelocityBlock& block, MotionState& state, double* psi,
                     double* jacobian) const;
  /// dψ/dt at the accelerations of the state.
  void eval_velocity_rate(const VelocityBlock& block, MotionState& state, double* rate) const;
  /// dψ with the poses moved by w while v stays: what is ψ's dependence on q.
  void eval_velocity_change(const VelocityBlock& block, ConstVectorRef w, MotionState& state,
                            double* change) const;
  /// dψ and dJ with the frames moving by `directions` and their twists changing by `changes`.
  void eval_velocity_change(const VelocityBlock& block, const Twist* directions,
                            const Twist* changes, MotionState& state, double* change,
                            double* jacobian_change) const;

  /// factor·[MEC.1] of a scalar with Jacobian g, 6 numbers per frame, added to a row of nv numbers.
  template <class Row>
  void add_row(const std::vector<int>& frames, const double* g, double factor,
               const MotionState& state, Row&& row) const {
    for (const int frame : frames) {
      add_twist(frame, factor, g, state, row);
      g += kTwist;
    }
  }
  /// factor·[MEC.2], with the frames moving by their twists.
  template <class Row>
  void add_row_rate(const std::vector<int>& frames, const double* g, const double* g_rate,
                    double factor, const MotionState& state, Row&& row) const {
    for (const int frame : frames) {
      add_twist_rate(frame, factor, g, g_rate, state, row);
      g += kTwist;
      g_rate += kTwist;
    }
  }
  template <class Row>
  void add_wrench(int frame, const Wrench& wrench, const MotionState& state, Row&& row) const {
    const int body = frame_body(frame);
    if (body < 0) return;
    add_entries(body, wrench.force, wrench.torque + cross(find_arm(frame, state), wrench.force),
                state, row);
  }
  /// Adds (linear, turn in world axes) to a body's entries.
  template <class Row>
  void add_entries(int body_index, const Vector3& linear, const Vector3& turn,
                   const MotionState& state, Row&& row) const {
    const Body& body = parts_.bodies[static_cast<std::size_t>(body_index)];
    row[body.v] += linear.x;
    row[body.v + 1] += linear.y;
    if (!body.in_plane()) row[body.v + 2] += linear.z;
    if (body.kind == BodyKind::plane_body) row[body.v + 2] += turn.z;
    if (body.kind != BodyKind::space_body) return;
    const Vector3 local =
        apply_inverse(state.bodies[static_cast<std::size_t>(body_index)].axes, turn);
    row[body.v + 3] += local.x;
    row[body.v + 4] += local.y;
    row[body.v + 5] += local.z;
  }

 private:
  int frame_body(int frame) const { return parts_.frames[static_cast<std::size_t>(frame)].body; }
  static Vector3 read_vector(const double* p) { return {p[0], p[1], p[2]}; }
  Vector3 find_arm(int frame, const MotionState& state) const {
    return state.frames[static_cast<std::size_t>(frame)].pose.origin -
           state.bodies[static_cast<std::size_t>(frame_body(frame))].position;
  }
  template <class Row>
  void add_twist(int frame, double factor, const double* g, const MotionState& state,
                 Row&& row) const {
    add_wrench(frame, {factor * read_vector(g), factor * read_vector(g + 3)}, state, row);
  }
  template <class Row>
  void add_twist_rate(int frame, double factor, const double* g, const double* g_rate,
                      const MotionState& state, Row&& row) const {
    const int body = frame_body(frame);
    if (body < 0) return;
    const Vector3 arm = find_arm(frame, state);
    const Vector3& angular = state.bodies[static_cast<std::size_t>(body)].angular;
    const Vector3 linear = read_vector(g);
    const Vector3 linear_rate = read_vector(g_rate);
    const Vector3 turn = read_vector(g + 3) + cross(arm, linear);
    const Vector3 turn_rate =
        read_vector(g_rate + 3) + cross(cross(angular, arm), linear) + cross(arm, linear_rate);
    add_entries(body, factor * linear_rate, factor * (turn_rate - cross(angular, turn)), state,
                row);
  }

  void find_working_frames();
  void place_frame(std::size_t k, MotionState& state) const;
  void move_frame(std::size_t k, MotionState& state) const;
  const Frame<double>* gather_poses(const std::vector<int>& frames, MotionState& state) const;
  const FrameMotion* gather_motions(const std::vector<int>& frames, MotionState& state) const;
  const double* gather_turns(const FunctionBlock& block, MotionState& state) const;

  const MechanismParts& parts_;
  std::vector<std::size_t> working_;  // frames
  std::vector<std::size_t> idle_;     // all others on bodies
  bool only_plane_bodies_ = false;
  bool has_space_bodies_ = false;
};

}  // namespace driftless
