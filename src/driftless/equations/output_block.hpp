#pragma once
// A tape whose results go to places in several fields of a workspace. Entries that never change are
// not on the tape: they are written once, when the workspace is made. Equal nodes are computed
// once, wherever they go.

#include <array>
#include <unordered_map>
#include <vector>

#include "driftless/expressions/tape.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

enum class WorkspaceField : std::uint8_t {
  mass,
  jacobian,
  phi,
  force,
  gamma,
  velocity_residual,
  invariant,
  invariant_v,
  invariant_q,
  invariant_t,
  power,
  power_acceleration,
  velocity_rows_q,
  state_rate,
};
inline constexpr std::size_t kFieldCount = 14;

/// Where each field of a workspace begins.
std::array<double*, kFieldCount> find_fields(Workspace& ws);

class OutputBlock {
 public:
  struct Scratch {
    std::vector<double> tape;
    std::vector<double> out;
  };

  /// The node's value goes to the field's element `offset`, counted in memory order. Zeros are left
  /// out.
  void add(const Graph& graph, WorkspaceField field, Eigen::Index offset, NodeId node);
  /// After the last `add`.
  void compile(const Graph& graph, int variable_count);

  Scratch make_scratch() const;
  void write_constants(Workspace& ws) const;
  void eval(std::span<const double> variables, Workspace& ws, Scratch& scratch) const;

 private:
  struct Destination {
    WorkspaceField field;
    Eigen::Index offset;
    std::size_t output;
  };
  struct Constant {
    WorkspaceField field;
    Eigen::Index offset;
    double value;
  };

  std::vector<NodeId> outputs_;
  std::unordered_map<NodeId, std::size_t> output_of_;
  std::vector<Destination> destinations_;
  std::vector<Constant> constants_;
  Tape tape_;
};

}  // namespace driftless
