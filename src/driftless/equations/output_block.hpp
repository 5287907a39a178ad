#pragma once
// Where the results of a part of a program go: places in several fields of a workspace. Entries that never change are
// not computed: they are written once, when the workspace is made.

#include <array>
#include <cstdint>
#include <vector>

#include "driftless/expressions/program.hpp"
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

class OutputBlock {
 public:
  /// The node's value goes to the field's element `offset`, counted in memory order. Zeros are left
  /// out.
  void add(const Graph& graph, WorkspaceField field, Eigen::Index offset, NodeId node);
  /// What is to be computed.
  const std::vector<NodeId>& nodes() const { return nodes_; }
  /// After the last `add`: the part whose outputs are these nodes writes them.
  void add_stores(Program& program, Program::PartId part) const;

  using Fields = std::array<double*, kFieldCount>;
  /// What the stores write to, for Program::run.
  Fields find_fields(Workspace& ws) const;
  void write_constants(Workspace& ws) const;

 private:
  struct Destination {
    std::uint32_t field;  // in fields_
    std::uint32_t offset;
  };
  struct Constant {
    WorkspaceField field;
    Eigen::Index offset;
    double value;
  };

  std::vector<NodeId> nodes_;
  std::vector<Destination> destinations_;  // per node
  std::vector<WorkspaceField> fields_;
  std::vector<Constant> constants_;
};

}  // namespace driftless
