#pragma once
// [record] and what a result of a mechanism holds without being asked, as nodes of a graph of measures.

#include <map>
#include <set>
#include <string>

#include "driftless/mechanism/measure_scope.hpp"

namespace driftless {

class RecordReader final : public MeasureNodes {
 public:
  RecordReader(MechanismParts& parts, const MeasureList& measures, const ParameterScope& parameters,
               std::set<std::string>& used);

  MeasureScope& scope_of_names() { return scope_; }
  Graph& graph() { return parts_.record_graph; }

  /// Faults are noted.
  void read(const std::vector<NamedText>& records, const std::vector<std::string>& expressions,
            DiagnosticList& errors);

  NodeId time() override { return graph().variable(0); }
  std::optional<NodeId> find_node(const Measure& measure) override;
  std::optional<NodeId> find_rate(int variable) override;
  bool is_usable(const Measure& /*measure*/) const override { return true; }
  std::pair<std::string, std::string> explain_refusal(const Measure& measure) const override;
  std::pair<std::string, std::string> explain_later(std::string_view name,
                                                    const MeasureList::Later& later) const override;

 private:
  /// As far as it is certain; "1" for a ratio.
  std::string find_unit(std::string_view text, const Source& where) const;
  std::string find_unit_of_name(std::string_view name) const;

  MechanismParts& parts_;
  const MeasureList& measures_;
  const ParameterScope& parameters_;
  MeasureScope scope_;
  std::map<std::string, int, std::less<>> variables_;
};

}  // namespace driftless
