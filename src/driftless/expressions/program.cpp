#include "driftless/expressions/program.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/expressions/program_order.hpp"

namespace driftless {

namespace {

using program::Instruction;
using program::kind_of;

bool is_leaf(const Node& node) { return node.op == Op::constant || node.op == Op::variable; }

}  // namespace

class Program::Compiler {
 public:
  Compiler(Program& program, const Graph& graph, Execution execution)
      : program_(program),
        graph_(graph),
        by_kind_(execution == Execution::interpreted),
        constant_place_(graph.size(), kNowhere),
        plans_(program.parts_.size()) {
    for (std::size_t k = 0; k < plans_.size(); ++k) plan(k);
    for (std::size_t k = 0; k < plans_.size(); ++k) compile(k);
    finish();
  }

 private:
  static constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::min();
  static constexpr int kForever = std::numeric_limits<int>::max();

  struct Plan {
    std::vector<char> computes;  // per node
    std::vector<char> gives;     // per node: it is an output
    std::vector<char> keeps;     // per node: for later parts, or as an output that no store takes
    std::vector<std::int32_t> kept_place;  // per node
    bool is_followed = false;
  };

  /// Ids are a topological order: one sweep downwards finds what has to be computed.
  void plan(std::size_t index) {
    Part& part = program_.parts_[index];
    Plan& own = plans_[index];
    own.computes.assign(graph_.size(), 0);
    own.gives.assign(graph_.size(), 0);
    own.keeps.assign(graph_.size(), 0);
    own.kept_place.assign(graph_.size(), kNowhere);
    std::vector<char> wanted(graph_.size(), 0);
    NodeId last = -1;
    for (const NodeId id : part.nodes) {
      wanted[index_of(id)] = own.gives[index_of(id)] = 1;
      own.keeps[index_of(id)] = part.code.stores.empty() ? 1 : 0;
      last = std::max(last, id);
    }
    for (NodeId id = last; id >= 0; --id) {
      if (wanted[index_of(id)] == 0) continue;
      const Node& node = graph_.node(id);
      if (node.op == Op::constant) {
        place_constant(id);
      } else if (node.op == Op::variable) {
        add_input(part, node.index);
      } else if (Plan* owner = find_owner(part, id)) {
        owner->keeps[index_of(id)] = 1;
      } else {
        own.computes[index_of(id)] = 1;
        for (const NodeId operand : {node.a, node.b, node.c})
          if (operand >= 0) wanted[index_of(operand)] = 1;
      }
    }
    std::reverse(part.inputs.begin(), part.inputs.end());
    for (const PartId other : part.before)
      plans_[static_cast<std::size_t>(other)].is_followed = true;
  }

  Plan* find_owner(const Part& part, NodeId id) {
    for (const PartId other : part.before) {
      Plan& plan = plans_[static_cast<std::size_t>(other)];
      if (plan.computes[index_of(id)] != 0) return &plan;
    }
    return nullptr;
  }

  void place_constant(NodeId id) {
    if (constant_place_[index_of(id)] != kNowhere) return;
    constant_place_[index_of(id)] =
        program_.variable_count_ + static_cast<std::int32_t>(program_.constants_.size());
    program_.constants_.push_back(graph_.value(id));
  }

  void add_input(Part& part, int variable) const {
    if (variable >= program_.variable_count_)
      throw ModelError(fmt::format("variable {} occurs, but there are only {}", variable,
                                   program_.variable_count_));
    part.inputs.push_back(variable);
  }

  // -- instructions -----------------------------------------------------------------------------

  void compile(std::size_t index) {
    plan_ = &plans_[index];
    part_ = &program_.parts_[index];
    count_uses();
    const std::vector<Instruction> instructions = make_instructions();
    // Machine code has no branches to save; in the graph's order results are read soon after they are written.
    std::vector<int> order(instructions.size());
    std::iota(order.begin(), order.end(), 0);
    if (by_kind_) order = program::find_order(instructions, graph_.size());
    place_results(instructions, order);
    part_->instructions = instructions.size();
    for (const NodeId id : part_->nodes) part_->places.push_back(place_of(id));
    for (NodeId id = 0; index_of(id) < graph_.size(); ++id)
      if (plan_->computes[index_of(id)] != 0 && is_left(id))
        part_->code.left.push_back(static_cast<std::uint32_t>(place_of(id)));
  }

  /// Whether anybody but the part's own instructions and stores looks at the result.
  bool is_left(NodeId id) const { return plan_->keeps[index_of(id)] != 0; }

  void count_uses() {
    uses_.assign(graph_.size(), 0);
    for (NodeId id = 0; index_of(id) < graph_.size(); ++id) {
      if (plan_->computes[index_of(id)] == 0) continue;
      const Node& node = graph_.node(id);
      for (const NodeId operand : {node.a, node.b, node.c})
        if (operand >= 0) ++uses_[index_of(operand)];
    }
  }

  std::vector<Instruction> make_instructions() {
    const std::vector<NodeId> partner = find_sincos_pairs();
    std::vector<char> done(graph_.size(), 0);
    std::vector<Instruction> list;
    std::vector<NodeId> nodes;
    for (NodeId id = 0; index_of(id) < graph_.size(); ++id)
      if (plan_->computes[index_of(id)] != 0) nodes.push_back(id);
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) fuse(*id, done);
    for (const NodeId id : nodes) {
      if (done[index_of(id)] != 0) continue;
      list.push_back(make_instruction(id, partner[index_of(id)]));
      for (const NodeId result : list.back().results)
        if (result >= 0) done[index_of(result)] = 1;
    }
    return list;
  }

  /// partner[sin] = cos and the reverse, where both are computed here.
  std::vector<NodeId> find_sincos_pairs() const {
    std::vector<NodeId> waiting(graph_.size(), -1);  // by argument
    std::vector<NodeId> partner(graph_.size(), -1);
    for (NodeId id = 0; index_of(id) < graph_.size(); ++id) {
      const Node& node = graph_.node(id);
      if (plan_->computes[index_of(id)] == 0 || (node.op != Op::sin && node.op != Op::cos))
        continue;
      NodeId& other = waiting[index_of(node.a)];
      if (other < 0) {
        other = id;
      } else {
        partner[index_of(id)] = other;
        partner[index_of(other)] = id;
      }
    }
    return partner;
  }

  bool is_own_product(NodeId id) const {
    const Node& node = graph_.node(id);
    const bool is_product = node.op == Op::mul || (node.op == Op::powi && node.value == 2.0);
    return is_product && plan_->computes[index_of(id)] != 0 && plan_->gives[index_of(id)] == 0 &&
           plan_->keeps[index_of(id)] == 0 && uses_[index_of(id)] == 1;
  }

  /// Notes the product that is computed with this sum or difference.
  void fuse(NodeId id, std::vector<char>& done) {
    const Node& node = graph_.node(id);
    if (node.op != Op::add && node.op != Op::sub) return;
    for (const NodeId operand : {node.a, node.b}) {
      if (!is_own_product(operand)) continue;
      done[index_of(operand)] = 1;
      fused_.resize(graph_.size(), -1);
      fused_[index_of(id)] = operand;
      return;
    }
  }

  Instruction make_instruction(NodeId id, NodeId partner) {
    const Node& node = graph_.node(id);
    Instruction i;
    i.kind = kind_of(node.op);
    i.results[0] = id;
    i.operands = {node.a, node.b, node.c};
    const NodeId product = index_of(id) < fused_.size() ? fused_[index_of(id)] : -1;
    if (product >= 0) {
      make_fused(i, node, product);
      fused_[index_of(id)] = -1;  // another part decides anew
    } else if (partner >= 0) {
      i.kind = program::kSinCos;
      i.results = node.op == Op::sin ? std::array{id, partner} : std::array{partner, id};
    } else if (node.op == Op::powi) {
      const int exponent = static_cast<int>(node.value);
      i.has_extra = exponent != 2 && exponent != 3;
      i.extra = static_cast<std::uint32_t>(exponent);
      if (!i.has_extra) i.kind = exponent == 2 ? program::kSquare : program::kCube;
    } else if (node.op == Op::spline) {
      i.has_extra = true;
      i.extra = static_cast<std::uint32_t>(program_.tables_.size());
      program_.tables_.push_back({graph_.share_spline(node.index), static_cast<int>(node.value)});
    }
    return i;
  }

  void make_fused(Instruction& i, const Node& node, NodeId product) const {
    const Node& factors = graph_.node(product);
    const NodeId rest = node.a == product ? node.b : node.a;
    i.operands = {factors.a, factors.op == Op::mul ? factors.b : factors.a, rest};
    i.kind = node.op == Op::add  ? program::kMulAdd
             : node.a == product ? program::kMulSub
                                 : program::kSubMul;
  }

  // -- registers --------------------------------------------------------------------------------

  // Results that are kept count up from 0, others down from -1: where the two regions begin is known at the end.

  void place_results(const std::vector<Instruction>& instructions, const std::vector<int>& order) {
    place_.assign(graph_.size(), kNowhere);
    last_use_.assign(graph_.size(), -1);
    free_.clear();
    in_use_ = 0;
    for (std::size_t at = 0; at < order.size(); ++at)
      for (const NodeId operand : instructions[static_cast<std::size_t>(order[at])].operands)
        if (operand >= 0) last_use_[index_of(operand)] = static_cast<int>(at);
    for (const NodeId id : part_->nodes) last_use_[index_of(id)] = kForever;
    for (std::size_t at = 0; at < order.size(); ++at)
      append(instructions[static_cast<std::size_t>(order[at])], static_cast<int>(at));
  }

  void append(const Instruction& i, int at) {
    std::array<std::int32_t, 6> numbers{};
    std::size_t count = 0;
    std::array<std::int32_t, 3> operands{};
    for (std::size_t k = 0; k < 3; ++k)
      if (i.operands[k] >= 0) operands[k] = place_of(i.operands[k]);
    // An instruction reads its operands before it writes: the result may take an operand's place.
    for (const NodeId operand : i.operands) release(operand, at);
    for (const NodeId result : i.results)
      if (result >= 0) numbers[count++] = take_place(result);
    for (std::size_t k = 0; k < 3; ++k)
      if (i.operands[k] >= 0) numbers[count++] = operands[k];
    for (std::size_t k = 0; k < count; ++k)
      part_->code.operands.push_back(static_cast<std::uint32_t>(numbers[k]));
    if (i.has_extra) {
      extras_.push_back({part_, part_->code.operands.size()});
      part_->code.operands.push_back(i.extra);
      ++count;
    }
    if (part_->code.runs.empty() || part_->code.runs.back().kind != i.kind)
      part_->code.runs.push_back({i.kind, 0});
    part_->code.runs.back().length += static_cast<std::uint32_t>(count);
  }

  bool is_kept(NodeId id) const { return plan_->is_followed && plan_->keeps[index_of(id)] != 0; }

  std::int32_t take_place(NodeId id) {
    if (is_kept(id)) return plan_->kept_place[index_of(id)] = kKept + kept_count_++;
    std::int32_t& place = place_[index_of(id)];
    if (free_.empty()) {
      place = -1 - in_use_++;
      most_in_use_ = std::max(most_in_use_, in_use_);
    } else {
      place = free_.back();
      free_.pop_back();
    }
    return place;
  }

  void release(NodeId id, int at) {
    if (id < 0 || last_use_[index_of(id)] != at || place_[index_of(id)] == kNowhere) return;
    free_.push_back(place_[index_of(id)]);
    last_use_[index_of(id)] = -1;  // once only, also if it is several operands
  }

  std::int32_t place_of(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.op == Op::variable) return node.index;
    if (node.op == Op::constant) return constant_place_[index_of(id)];
    if (place_[index_of(id)] != kNowhere) return place_[index_of(id)];
    const Plan* owner = plan_->computes[index_of(id)] != 0 ? plan_ : find_owner(*part_, id);
    assert(owner != nullptr && owner->kept_place[index_of(id)] != kNowhere);
    return owner->kept_place[index_of(id)];
  }

  /// Provisional places to registers: variables, constants, kept results, others.
  void finish() {
    const std::int32_t kept_begin =
        program_.variable_count_ + static_cast<std::int32_t>(program_.constants_.size());
    const auto settle = [&](std::int32_t place) {
      if (place < 0) return kept_begin + kept_count_ - 1 - place;
      return place >= kKept ? kept_begin + (place - kKept) : place;
    };
    std::vector<std::uint32_t> extras;
    for (const auto& [part, place] : extras_) extras.push_back(part->code.operands[place]);
    for (Part& part : program_.parts_) {
      for (std::uint32_t& number : part.code.operands)
        number = static_cast<std::uint32_t>(settle(static_cast<std::int32_t>(number)));
      for (std::uint32_t& number : part.code.left)
        number = static_cast<std::uint32_t>(settle(static_cast<std::int32_t>(number)));
      for (std::int32_t& place : part.places) place = settle(place);
      for (program::Store& store : part.code.stores)
        store.place = static_cast<std::uint32_t>(part.places[store.place]);
    }
    for (std::size_t k = 0; k < extras_.size(); ++k)
      extras_[k].part->code.operands[extras_[k].place] = extras[k];
    program_.register_count_ = static_cast<std::size_t>(kept_begin + kept_count_ + most_in_use_);
  }

  static constexpr std::int32_t kKept = 1 << 30;  // kept results count from here until `finish`

  struct Extra {
    Part* part;
    std::size_t place;  // of a number that is no register
  };

  Program& program_;
  const Graph& graph_;
  bool by_kind_;
  std::vector<std::int32_t> constant_place_;  // per node
  std::vector<Plan> plans_;
  std::vector<Extra> extras_;
  std::int32_t kept_count_ = 0;
  std::int32_t most_in_use_ = 0;
  // of the part that is compiled
  Plan* plan_ = nullptr;
  Part* part_ = nullptr;
  std::vector<int> uses_;
  std::vector<NodeId> fused_;        // per sum: the product that is computed with it
  std::vector<std::int32_t> place_;  // per node
  std::vector<int> last_use_;        // per node: position in the order
  std::vector<std::int32_t> free_;
  std::int32_t in_use_ = 0;
};

Program::PartId Program::add_part(std::vector<NodeId> outputs, std::vector<PartId> before) {
  Part part;
  part.nodes = std::move(outputs);
  part.before = std::move(before);
  parts_.push_back(std::move(part));
  return static_cast<PartId>(parts_.size()) - 1;
}

void Program::add_store(PartId part, std::size_t index, std::uint32_t field, std::uint32_t offset) {
  parts_[static_cast<std::size_t>(part)].code.stores.push_back(
      {field, offset, static_cast<std::uint32_t>(index)});
}

void Program::compile(const Graph& graph, Execution execution) {
  const Compiler compiler(*this, graph, execution);
  if (execution == Execution::interpreted) return;
  std::vector<const program::Code*> codes;
  for (const Part& part : parts_) codes.push_back(&part.code);
  machine_code_ = MachineCode::make(codes, tables_, register_count_);
  if (machine_code_ == nullptr) return;
  for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k].function = machine_code_->function(k);
}

std::vector<double> Program::make_registers() const {
  std::vector<double> registers(register_count_, 0.0);
  std::copy(constants_.begin(), constants_.end(), registers.begin() + variable_count_);
  return registers;
}

std::vector<NodeId> find_frontier(const Graph& graph, std::span<const NodeId> outputs, int limit) {
  NodeId last = -1;
  for (const NodeId id : outputs) last = std::max(last, id);
  std::vector<char> wanted(static_cast<std::size_t>(last + 1), 0);
  for (const NodeId id : outputs) wanted[index_of(id)] = 1;
  std::vector<NodeId> frontier;
  for (NodeId id = last; id >= 0; --id) {
    const Node& node = graph.node(id);
    if (wanted[index_of(id)] == 0 || is_leaf(node)) continue;
    const std::vector<int>& variables = graph.dependencies(id);
    if (variables.empty() || variables.back() < limit) {
      frontier.push_back(id);
      continue;
    }
    for (const NodeId operand : {node.a, node.b, node.c})
      if (operand >= 0) wanted[index_of(operand)] = 1;
  }
  return frontier;
}

}  // namespace driftless
