#pragma once
// What elements made of expressions see while a model is compiled (elements/law.hpp): scalars are added to the laws the
// first time that somebody asks for them.

#include <map>
#include <tuple>

#include "driftless/mechanism/measure_scope.hpp"
#include "driftless/model/model_common.hpp"

namespace driftless {

class LawReader final : public LawScope, public MeasureNodes {
 public:
  LawReader(MechanismParts& parts, MeasureList& measures, Assembly& assembly, bool plane,
            std::set<std::string>& used);

  MeasureScope& scope_of_names() { return scope_; }

  /// What follows belongs to this element with these frames. If it is not sound, only its formulas are judged.
  void begin(ElementReader& reader, std::vector<int> frames, bool is_sound);
  /// The number of a scalar whose value is this node; -1: none.
  int find_scalar(NodeId value) const;
  /// A force's value as a node, by the name of its measure: known to elements that are read later.
  void add_effort(const std::string& measure, NodeId node) { efforts_[measure] = node; }
  /// A formula that belongs to no element, such as [conserved]; `name` is for messages.
  NodeId parse(const Text& text, const std::string& name, DiagnosticList& errors);
  /// [conserved]. The energy is watched always, and its feed is found by the program.
  void read_conserved(const std::vector<ConservedSpec>& conserved, DiagnosticList& errors);

  // LawScope
  Space space() const override { return plane_ ? Space::plane : Space::space; }
  Graph& graph() override { return parts_.laws.graph; }
  NodeId time() override { return graph().variable(LawParts::time()); }  // and of MeasureNodes
  ScalarNode find_measure(const MeasureName& name, std::string_view unit) override;
  NodeId parse(const Formula& formula, FormulaScope scope, LocalNames locals) override;
  std::vector<ScalarNode> add_function(std::unique_ptr<FrameFunction> function) override;
  std::vector<NodeId> add_function(std::unique_ptr<VelocityFunction> function) override;
  NodeId add_state(std::string_view what, std::string_view unit, double start) override;
  void set_rate(NodeId state, NodeId rate) override;
  double find_mass_product() const override;
  bool has(std::string_view key) const override { return reader_->has(key); }
  void fault(std::string_view key, std::string message, std::string remedy) override;

  // MeasureNodes
  std::optional<NodeId> find_node(const Measure& measure) override;
  std::optional<NodeId> find_rate(int variable) override;
  bool is_usable(const Measure& measure) const override;
  std::pair<std::string, std::string> explain_refusal(const Measure& measure) const override;
  std::pair<std::string, std::string> explain_later(std::string_view name,
                                                    const MeasureList::Later& later) const override;

 private:
  int add_scalar(bool is_velocity, int block, int output, int counter);
  ScalarNode make_scalar(int block, int output, int counter, std::string_view unit);
  /// "name an angle; known: A.angle, B.angle".
  std::string suggest_measures(std::string_view unit) const;

  MechanismParts& parts_;
  MeasureList& measures_;
  Assembly& assembly_;
  bool plane_;
  std::set<std::string>& used_;
  MeasureScope scope_;
  ElementReader* reader_ = nullptr;
  std::vector<int> frames_;
  bool is_sound_ = true;
  FormulaScope formula_scope_ = FormulaScope::motion;  // of what is being parsed
  std::map<std::tuple<bool, int, int>, int> scalars_;
  std::map<std::string, NodeId, std::less<>> efforts_;
};

}  // namespace driftless
