#pragma once
// Derivatives of a mechanism's residual r = M v' + Gᵀλ - Q and of ρ by positions and velocities, element by element.
//
// Whatever acts, acts as wrenches W_f on a few frames f, and adds -(F, Rᵀ(T + a×F)) to r, a being the arm of the frame
// ([MEC.1]). A unit motion of a body moves its frames by twists d_f and, with v held, changes their twists by u_f; then
//
//   d(T + a×F in body axes) = Rᵀ(dT + a×dF + (δθ×a)×F - δθ×(T + a×F))                                              [LIN.1]
//
// the last two terms for the frames of that very body. What is left is dW_f along (d_f, u_f):
//
//   rows of frames   W = -Jᵀλ         dW = -dJᵀλ                       dρ = dJ·twist + J·u                          [LIN.2]
//   kernels          W(inputs, poses, twists)                          by the kernel itself [FRC.3]                 [LIN.3]
//   scalars s, r     W = c J_sᵀ       dW = c dJ_s + dc J_s             c: τ of forces, -λΦ_s and -λΨ_r of rows      [LIN.4]
//
//   states c         c' = d                                            d by s, r and c; the factors above by c       [LIN.5]
//
// c of [LIN.4] is a node of the laws' graph, so dc = c_s ds + c_r dr with ds = J·d, dr = dJ·twist + J·u. Two frames of one body are
// treated as two copies of it: the sum of both derivatives is the derivative.
//
// Compiled at the first use: explicit methods do without.

#include <mutex>
#include <vector>

#include "driftless/mechanism/laws.hpp"

namespace driftless {

/// What one evaluation needs. Owned by one thread; grows at the first evaluation.
struct LinearizerWorkspace {
  /// A unit motion of the body under one of the element's frames.
  struct Column {
    std::size_t frame;  ///< which of the element's frames
    int rate;           ///< index of the velocity
    Vector3 turn;       ///< δθ of the body, world axes
    Twist direction;    ///< of the frame
    Twist change;       ///< of its twist while v is held
  };
  /// A scalar's derivatives along the columns of its frames.
  struct ScalarSlopes {
    std::vector<int> rates;  ///< indices of velocities
    std::vector<double> s_q, r_q, r_v;
  };

  std::vector<double> out, tape;                    ///< of the laws' tape
  std::vector<std::vector<ScalarSlopes>> of_block;  ///< functions, then velocities; per output
  std::vector<std::vector<int>> members;            ///< scalars in use, per block
  std::vector<double> weights;                      ///< per scalar: the sum of its factors

  // of one element
  std::vector<Column> columns;
  std::vector<double> jacobian, change, value, output_weights, inputs, input_changes;
  std::vector<Wrench> wrenches, changes;
  std::vector<Twist> directions, twist_changes;
  std::vector<FrameMotion> motions;
  std::vector<Frame<double>> poses;
  Vector entries;
};

class Linearizer {
 public:
  Linearizer(const MechanismParts& parts, const Kinematics& kinematics)
      : parts_(parts), kinematics_(kinematics) {}

  /// The blocks of K and C: pairs of bodies of which one acts on the other.
  std::vector<BlockPlace> find_pairs() const;
  /// Behind the blocks of G, those that rows of laws have in ρ_q besides.
  void add_row_places(std::vector<BlockPlace>& places) const;

  /// The state is placed and moved, the laws have positions and velocities. Adds to `out`.
  void eval(ConstVectorRef lambda, MotionState& state, const LawWorkspace& laws,
            LinearizerWorkspace& ws, Linearization& out) const;

 private:
  using Column = LinearizerWorkspace::Column;
  using ScalarSlopes = LinearizerWorkspace::ScalarSlopes;
  /// A factor in front of a scalar's Jacobian, or an input of a kernel, or ρ of a law's row: a node with its gradient.
  struct Gradient {
    struct Part {
      int scalar;
      bool by_rate;
      std::size_t output;
    };
    std::size_t value = 0;  // place in the tape's outputs
    std::vector<Part> parts;
    struct StatePart {
      int state;
      std::size_t output;
    };
    std::vector<StatePart> states;
  };
  struct Factor {
    Gradient gradient;
    int scalar;  // whose Jacobian it stands before
    int row;     // of λ; -1: none
    double sign;
  };
  struct Compiled {
    std::vector<Factor> factors;
    std::vector<Gradient> inputs;    // per input of kernels
    std::vector<Gradient> residual;  // ρ per row of laws, position rows first
    std::vector<Gradient> rates;     // d per state
    std::vector<bool> is_used;       // per scalar
    Tape tape;
  };
  /// States that depend on each other: the frames that they act on, and those whose motion they follow.
  struct StateGroup {
    std::vector<int> act, read;
  };
  void compile() const;
  const std::vector<int>& frames_of(int scalar) const;
  int body_of(int frame) const;
  std::vector<StateGroup> find_state_groups() const;
  Gradient make_gradient(Graph& graph, NodeId node, std::vector<NodeId>& nodes) const;
  void find_columns(const std::vector<int>& frames, const MotionState& state,
                    std::vector<Column>& columns) const;
  void add_rows(const RowBlock& row, ConstVectorRef lambda, MotionState& state,
                LinearizerWorkspace& ws, Linearization& out) const;
  void add_kernel(const ForceBlock& force, const MotionState& state, LinearizerWorkspace& ws,
                  Linearization& out) const;
  void add_scalars(ConstVectorRef lambda, MotionState& state, LinearizerWorkspace& ws,
                   Linearization& out) const;
  void add_block(bool is_velocity, std::size_t block, const std::vector<int>& scalars,
                 MotionState& state, LinearizerWorkspace& ws, Linearization& out) const;
  void add_rates(LinearizerWorkspace& ws, Linearization& out) const;
  void add_gyroscopic(const Body& body, ConstVectorRef v, Linearization& out) const;
  /// [LIN.1]: what the wrenches and their changes do to a column of dr.
  template <class Entries>
  void add_wrench_change(const std::vector<int>& frames, const Column& column, bool moves,
                         const Wrench* wrenches, const Wrench* changes, const MotionState& state,
                         Entries&& entries) const;
  /// gradient · slopes, per rate: calls add(rate, by q, by v).
  template <class Add>
  void for_each_slope(const Gradient& gradient, LinearizerWorkspace& ws, Add add) const;
  const ScalarSlopes& slopes_of(int scalar, LinearizerWorkspace& ws) const;

  const MechanismParts& parts_;
  const Kinematics& kinematics_;
  mutable std::once_flag once_;
  mutable Compiled compiled_;
};

}  // namespace driftless
