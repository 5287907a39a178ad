// The wrench at the frame is the formulas' values along the world's axes, or along those of the frame.            [PFO.1]

#include "driftless/elements/forces/point_force.hpp"

#include <cassert>

namespace driftless {
namespace {

class PointForceKernel final : public ForceKernel {
 public:
  explicit PointForceKernel(bool follows) : follows_(follows) {}

  int frames() const override { return 1; }
  bool has_potential() const override { return false; }
  bool has_applied() const override { return true; }
  double eval_potential(const Frame<double>* /*frames*/, Wrench* /*wrenches*/) const override {
    return 0.0;
  }
  void eval_applied(const double* inputs, const FrameMotion* frames,
                    Wrench* wrenches) const override {
    Wrench wrench{{inputs[0], inputs[1], inputs[2]}, {inputs[3], inputs[4], inputs[5]}};
    if (follows_) {
      const Axes<double>& axes = frames[0].pose.axes;
      wrench = {apply(axes, wrench.force), apply(axes, wrench.torque)};
    }
    wrenches[0] += wrench;
  }
  /// d(R w) = δθ×(R w) + R dw
  void eval_change(const double* inputs, const FrameMotion* frames, const double* input_changes,
                   const Twist* directions, const Twist* /*changes*/,
                   Wrench* wrench_changes) const override {
    const double* d = input_changes;
    Wrench change{{d[0], d[1], d[2]}, {d[3], d[4], d[5]}};
    if (follows_) {
      const Axes<double>& axes = frames[0].pose.axes;
      const Vector3& turn = directions[0].angular;
      const auto find_change = [&](const double* value, const Vector3& value_change) {
        return cross(turn, apply(axes, {value[0], value[1], value[2]})) + apply(axes, value_change);
      };
      change = {find_change(inputs, change.force), find_change(inputs + 3, change.torque)};
    }
    wrench_changes[0] = change;
  }

 private:
  bool follows_;
};

/// Three nodes from as many formulas as the space has; a single one is about z.
void add_inputs(const FormulaVector& vector, LawScope& scope, std::vector<NodeId>& inputs) {
  NodeId nodes[3];
  for (NodeId& node : nodes) node = scope.graph().constant(0.0);
  const std::size_t count = vector.entries.size();
  for (std::size_t k = 0; k < count; ++k) {
    nodes[count == 1 ? 2 : k] = scope.parse(vector.entries[k], FormulaScope::motion);
  }
  inputs.insert(inputs.end(), nodes, nodes + 3);
}

void check_size(std::string_view key, const FormulaVector& vector, std::size_t wanted,
                LawScope& scope) {
  if (!vector.given() || vector.entries.size() == wanted) return;
  scope.fault(key,
              "it has " + std::to_string(vector.entries.size()) + " entries; " +
                  std::to_string(wanted) + " are wanted",
              wanted == 1 ? "in the plane a torque is one expression" : "one per axis");
}

}  // namespace

ForceParts make_force(const PointForce& spec, LawScope& scope) {
  const bool plane = scope.space() == Space::plane;
  if (!spec.force.given() && !spec.torque.given()) {
    scope.fault("force", "neither force nor torque is given",
                plane ? "for example force = [0, -5]" : "for example force = [0, 0, -5]");
    return {};
  }
  check_size("force", spec.force, plane ? 2 : 3, scope);
  check_size("torque", spec.torque, plane ? 1 : 3, scope);
  ForceParts parts;
  parts.kernel = std::make_unique<PointForceKernel>(spec.axes.word == "body");
  add_inputs(spec.force, scope, parts.inputs);
  add_inputs(spec.torque, scope, parts.inputs);
  return parts;
}

}  // namespace driftless
