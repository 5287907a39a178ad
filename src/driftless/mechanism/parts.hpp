#pragma once
// What a mechanism's System is made of: bodies, frames, rows, laws, forces and measures, with all names resolved to
// indices. `compile` fills it; nobody changes it afterwards.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/elements/forces/force.hpp"
#include "driftless/elements/frame_function.hpp"
#include "driftless/elements/joints/joint.hpp"
#include "driftless/elements/velocity_function.hpp"
#include "driftless/expressions/graph.hpp"
#include "driftless/mechanism/body.hpp"

namespace driftless {

struct FunctionBlock {
  std::shared_ptr<const FrameFunction> function;
  std::vector<int> frames;
  std::vector<int> counters = {};  ///< the function's turn inputs
};

struct VelocityBlock {
  std::shared_ptr<const VelocityFunction> function;
  std::vector<int> frames;
};

/// Rows of a joint or constraint that are functions of frames alone.
struct RowBlock {
  std::string name;
  FunctionBlock block;
  std::vector<std::string> row_names;  ///< as in messages: "A.x"
  int first_row = 0;
  NearestPose find_nearest = nullptr;  ///< of a joint that can be closed the wrong way round
  PairForm form = {};                  ///< of rows between bodies that can turn
  double rod_length = 0.0;             ///< of a rod, whose one row is (d·d - L²)/2L; 0: none
  Source where = {};                   ///< of the element in the file
  bool is_joint = false;
  JointForm joint_form = JointForm::other;
  double advance = 0.0;  ///< of a screw, m/rad
  std::vector<JointCoordinate> coordinates = {};
  int coordinates_block = -1;  ///< in MechanismParts::functions: what measures them

  /// Evaluated without frames: pair_rows.hpp, rod_rows.hpp.
  bool is_written_by_hand() const { return form.is_given || rod_length > 0.0; }
};

/// Counts the turns of an angle that a function knows only up to whole turns: between two accepted steps it changes by
/// less than half a turn.
struct TurnCounter {
  int function = 0;
  int output = 0;
  int teller = -1;              ///< an output that knows the turns, too: a screw's position
  double angle_per_unit = 0.0;  ///< of the teller
  bool continuous =
      false;  ///< in the plane: the angle itself counts on, only its first turn is open
};

/// A scalar that laws depend on: an output of a function block with its rate, or an output of a velocity block, which is
/// a rate without a value.
struct LawScalar {
  bool is_velocity = false;
  int block = 0;
  int output = 0;
  int counter = -1;  ///< of an angle known up to whole turns
  int state = -1;    ///< which of LawParts::states it is instead; then it has no block and no rate
};

/// Rows, forces and invariants made of expressions (elements/law.hpp). Variables of the graph: t, then value and rate of
/// each scalar.
struct LawParts {
  struct Row {
    std::string name;
    NodeId node;
    std::string unit;  ///< "m", "rad", "m/s"; empty if it is not known
    /// Of a prescribed motion: what is asked for, of which value, and what no pose of that value goes below.
    NodeId asked = -1;
    std::string driven = {};
    double least = -std::numeric_limits<double>::infinity();
  };
  struct Force {
    std::string name;
    int scalar;
    NodeId potential;  ///< -1: none
    NodeId applied;    ///< -1: none
    Source where = {};
  };
  struct Invariant {
    std::string name;
    NodeId value;
    NodeId power;
  };

  /// c' = d
  struct State {
    std::string name;
    std::string unit;
    double start;
    int scalar;
    NodeId rate;
  };

  static int time() { return 0; }
  static int value_of(int scalar) { return 1 + 2 * scalar; }
  static int rate_of(int scalar) { return 2 + 2 * scalar; }
  int variable_count() const { return 1 + 2 * static_cast<int>(scalars.size()); }

  Graph graph;
  std::vector<LawScalar> scalars;
  std::vector<Row> position_rows;
  std::vector<Row> velocity_rows;
  std::vector<Force> forces;
  std::vector<State> states;
  std::vector<NodeId> inputs;  ///< of force kernels
  std::vector<Invariant> invariants;
};

struct ForceBlock {
  std::string name;
  std::shared_ptr<const ForceKernel> kernel;
  std::vector<int> frames;
  int first_input = 0;  ///< in LawParts::inputs
  int inputs = 0;
  Source where = {};
};

/// The rows of one element among those of the laws.
struct RelationBlock {
  std::string name;
  std::vector<int> frames;  ///< empty: it acts on measures
  std::vector<int> rows;    ///< of LawParts::position_rows
  std::vector<int> velocity_rows;
  Source where = {};
};

struct Measure {
  enum class Kind {
    value,  ///< of a function block's output
    rate,
    acceleration,
    velocity,               ///< a velocity block's output
    velocity_acceleration,  ///< its derivative
    joint_force,            ///< component of what a row block exerts on a body
    joint_torque,
    relation_force,  ///< likewise of a relation
    relation_torque,
    effort,          ///< minus the multiplier of a relation's first row
    relation_power,  ///< of whatever moves a relation with time
    law_effort,      ///< of a force along a scalar
    law_power,
    kernel_power,  ///< of a force on frames
    kernel_force,  ///< component of what it exerts on the last frame's body
    kernel_torque,
    coordinate,  ///< an entry of q: part of a quaternion
    state,       ///< a first-order state of a force
    kinetic,
    potential
  };
  std::string name;
  std::string unit;
  Kind kind = Kind::value;
  int block = 0;
  int component = 0;  ///< output, or axis
  int counter = -1;   ///< of a value that is an angle known up to whole turns
  double least = -std::numeric_limits<double>::infinity();  ///< of a value: no pose makes it less
  bool on_first = false;  ///< of a reaction: on the first frame's body instead of the last one's
  bool in_joint_axes =
      false;  ///< of a reaction: along the axes of the first frame, not the world's
};

/// Whether it can be known only after accelerations and multipliers are.
inline bool needs_acceleration(Measure::Kind kind) {
  using Kind = Measure::Kind;
  switch (kind) {
    case Kind::acceleration:
    case Kind::velocity_acceleration:
    case Kind::joint_force:
    case Kind::joint_torque:
    case Kind::relation_force:
    case Kind::relation_torque:
    case Kind::effort:
    case Kind::relation_power: return true;
    default: return false;
  }
}

/// [measure.NAME] of frames.
struct DeclaredMeasure {
  std::string name;
  int block = 0;  ///< in MechanismParts::functions
};

struct MechanismParts {
  std::string name;
  std::vector<Body> bodies;  ///< q and v already placed
  std::vector<BodyFrame> frames;
  std::vector<RowBlock> rows;
  int frame_rows = 0;  ///< in all of them: the rows of laws follow
  std::vector<FunctionBlock> functions;
  std::vector<VelocityBlock> velocities;
  std::vector<TurnCounter> counters;
  std::vector<double> start_angles;  ///< per counter: near which angle it begins; NaN: where it is
  std::vector<bool> start_given;     ///< per counter: whether the file says so
  std::vector<bool> start_exact;     ///< per counter: and it must hold
  LawParts laws;
  std::vector<RelationBlock> relations;
  std::vector<ForceBlock> forces;
  std::vector<DeclaredMeasure> declared;
  std::vector<std::string>
      expressions;                ///< [measure.NAME] by expressions; records have these names
  std::vector<Measure> measures;  ///< variables 1, 2, ... of the records; variable 0 is t
  std::vector<std::string> record_names;
  std::vector<std::string> record_units;
  Graph record_graph;
  std::vector<NodeId> records;  ///< one per name
  Vector3 gravity;
};

}  // namespace driftless
