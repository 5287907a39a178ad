#pragma once
// Bodies, frames, rows and forces as a System.
//
// Rows. An element gives the Jacobian g = (g_p, g_θ) of a row with respect to the twist of a frame. The frame's origin
// lies at r = R r_b from the mass centre, so a twist (u, ω) of the body moves it by (u + ω×r, ω), and the row's entries
// for the body are                                                                                               [MEC.1]
//
//   G = (g_p, Rᵀ m),   m = g_θ + r×g_p                                                        in the plane: (g_p, m_z)
//
// and change along a motion with angular velocity ω by                                                           [MEC.2]
//
//   G' = (g_p', Rᵀ (m' - ω×m)),   m' = g_θ' + (ω×r)×g_p + r×g_p'
//
// With v' = 0 a frame accelerates by ω×(ω×r) and does not change its angular velocity (ω in body axes is constant, so
// R ω_b changes by ω×ω = 0): that is what γ is evaluated with.
//
// Forces. A wrench (f, n) at a frame adds (f, Rᵀ(n + r×f)) to Q; gravity adds m g; the inertia terms are -ω×Jω in body
// axes. Energy E = vᵀMv/2 + U with M constant; fed by the applied forces' power and by moving constraints.      [MEC.3]
//
// Reactions. M v' + Gᵀλ = Q: the joint acts on the body of a frame with the wrench -gᵀλ there.                   [MEC.4]

#include <memory>
#include <string>
#include <vector>

#include "driftless/elements/forces/force.hpp"
#include "driftless/elements/frame_function.hpp"
#include "driftless/expressions/tape.hpp"
#include "driftless/mechanism/body.hpp"
#include "driftless/system/start_targets.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

struct RowBlock {
  std::string name;  ///< of the joint or constraint
  std::unique_ptr<FrameFunction> function;
  std::vector<int> frames;
  std::vector<std::string> row_names;  ///< as in messages: "A.x"
  std::vector<int> counters = {};      ///< the function's turn inputs
};

struct ForceBlock {
  std::string name;
  std::unique_ptr<ForceKernel> kernel;
  std::vector<int> frames;
};

/// Scalars of the motion, by name.
struct FunctionBlock {
  std::unique_ptr<FrameFunction> function;
  std::vector<int> frames;
};

/// Counts the turns of an angle that a function knows only up to whole turns: between two accepted steps it changes by
/// less than half a turn.
struct TurnCounter {
  int function = 0;
  int output = 0;
};

struct Measure {
  enum class Kind {
    value,  ///< of a function block's output
    rate,
    acceleration,
    position,  ///< component of a frame's origin
    velocity,
    body_acceleration,
    reaction_force,  ///< component of the force that a row block exerts on its last frame's body, world axes
    reaction_torque,
    quaternion,        ///< component of a body's quaternion
    angular_velocity,  ///< component in body axes
    kinetic,
    potential
  };
  std::string name;
  std::string unit;
  Kind kind = Kind::value;
  int block = 0;      ///< function, frame, row block or body
  int component = 0;  ///< output, or axis
  int counter = -1;   ///< of a value that is an angle known up to whole turns
};

struct MechanismParts {
  std::string name;
  std::vector<Body> bodies;  ///< q and v already placed
  std::vector<BodyFrame> frames;
  std::vector<RowBlock> rows;
  std::vector<ForceBlock> forces;
  std::vector<FunctionBlock> functions;
  std::vector<TurnCounter> counters;
  std::vector<Measure> measures;  ///< variables 1, 2, ... of the records; variable 0 is t
  std::vector<std::string> record_names;
  std::vector<std::string> record_units;
  Tape records;  ///< one output per name
  Vector3 gravity;
};

/// Throws nothing: whatever is wrong with a model was found before.
std::unique_ptr<System> make_mechanism_system(MechanismParts parts);

/// Wanted values of measures of kind value, rate or angular_velocity. `system` must be one that make_mechanism_system made, and live
/// longer.
std::shared_ptr<const StartTargets> make_start_targets(const System& system,
                                                       std::vector<StartTarget> targets,
                                                       std::vector<Measure> measures);

}  // namespace driftless
