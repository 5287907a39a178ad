#pragma once
// Elements that are made of expressions instead of frames alone: constraints on measures (a gear, a drive, a rolling
// wheel) and forces along one scalar (a spring, a motor, friction). Such an element is given a LawScope, asks it for the
// scalars that it needs, and answers with nodes of one shared graph. All derivatives follow from the graph, so none is
// written:
//
//   position row   Φ(t, s) = 0                      of scalars s(q) and time                                       [LAW.1]
//   velocity row   Ψ(t, s, r) = 0                   r: rates s', or functions of poses and twists                  [LAW.2]
//   force          along a scalar s: τ = -dU/ds + applied(t, s, r, c)                                              [LAW.3]
//   state          c' = d(t, s, r, c), of which U and applied forces may be made                                   [LAW.4]
//
// A relation type is a spec and `Relation make_relation(const Gear&, LawScope&)`; a force along a scalar is a spec and
// `ScalarForce make_law(const Motor&, LawScope&)`. What they attach to is `kAttachment`.

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/elements/field_types.hpp"
#include "driftless/elements/frame_function.hpp"
#include "driftless/elements/space.hpp"
#include "driftless/elements/velocity_function.hpp"
#include "driftless/expressions/graph.hpp"

namespace driftless {

/// What an element's keys must name: two frames (the default: between and at, or on and to), one frame on a body (body
/// and at), or nothing but measures.
enum class Attachment { two_frames, one_frame, measures };

/// What may occur in a formula.
enum class FormulaScope {
  time,      ///< t alone: a prescribed motion
  position,  ///< also measures of position
  motion     ///< also rates
};

/// A scalar of the motion, as nodes.
struct ScalarNode {
  NodeId value = -1;
  NodeId rate = -1;
  std::string_view unit = {};  ///< of the value
  double drawn = 0.0;          ///< value in the drawing pose
  /// No pose makes it less.
  double least = -std::numeric_limits<double>::infinity();
};

using LocalNames = std::span<const std::pair<std::string_view, NodeId>>;

class LawScope {
 public:
  virtual ~LawScope() = default;

  virtual Space space() const = 0;
  virtual Graph& graph() = 0;
  virtual NodeId time() = 0;
  /// The measure of position that `name` means. Its unit must be `unit`, unless that is empty. A fault is noted, and a
  /// harmless scalar is the answer.
  virtual ScalarNode find_measure(const MeasureName& name, std::string_view unit = {}) = 0;
  /// A formula's node; faults are noted. `locals` are names that only this element knows.
  virtual NodeId parse(const Formula& formula, FormulaScope scope, LocalNames locals = {}) = 0;
  /// Scalars of the element's own frames.
  virtual std::vector<ScalarNode> add_function(std::unique_ptr<FrameFunction> function) = 0;
  virtual std::vector<NodeId> add_function(std::unique_ptr<VelocityFunction> function) = 0;
  /// A first-order state of this force, NAME.what, and then its rate. Forces may depend on it, also others that use the
  /// measure NAME.what or this force's value; constraints may not.
  virtual NodeId add_state(std::string_view what, std::string_view unit, double start) = 0;
  virtual void set_rate(NodeId state, NodeId rate) = 0;
  /// Product of the masses of the two bodies; 0 if one of them is the ground.
  virtual double find_mass_product() const = 0;
  /// Whether the user gave a key, if only with its default.
  virtual bool has(std::string_view key) const = 0;
  /// Something is wrong with a key.
  virtual void fault(std::string_view key, std::string message, std::string remedy) = 0;
};

/// Rows by nodes, = 0.
struct Relation {
  struct Row {
    std::string_view name;
    NodeId node;
    std::string_view unit;  ///< "m", "rad"
    /// Of a prescribed motion, row = value - asked: what is asked for. -1: it prescribes nothing.
    NodeId asked = -1;
    /// No pose makes the value less.
    double least = -std::numeric_limits<double>::infinity();
  };
  std::vector<Row> rows = {};           ///< position rows
  std::vector<Row> velocity_rows = {};  ///< unit: per second
  /// What minus the multiplier of the first row is called, as a measure: "torque". Empty: nothing.
  std::string_view effort = {};
  std::string_view effort_unit = {};
  /// The measure whose motion is prescribed; at most one element may do so. Empty: none.
  std::string drives = {};
  /// Prescribes a motion: its power is told, also of one that stands still.
  bool prescribes = false;
};

struct ScalarForce {
  ScalarNode along;
  NodeId potential = -1;  ///< U(s, c); -1: none
  NodeId applied = -1;    ///< -1: none
};

}  // namespace driftless
