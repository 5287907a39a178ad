#include "driftless/expressions/tape.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/expressions/operations.hpp"
#include "driftless/expressions/spline.hpp"

namespace driftless {

namespace {

// The operations of the graph, then what only a tape has.
enum Code : std::uint8_t {
  kSquare = 64,
  kCube,
  kSinCos,  // out = sin(a), c = cos(a)
};

constexpr std::uint8_t code_of(Op op) { return static_cast<std::uint8_t>(op); }

// For each node, whether an output needs it. Ids are a topological order: one sweep downwards.
std::vector<char> find_live(const Graph& graph, std::span<const NodeId> outputs) {
  NodeId last = -1;
  for (const NodeId id : outputs) last = std::max(last, id);
  std::vector<char> live(static_cast<std::size_t>(last + 1), 0);
  for (const NodeId id : outputs) live[index_of(id)] = 1;
  for (NodeId id = last; id >= 0; --id) {
    if (live[index_of(id)] == 0) continue;
    const Node& node = graph.node(id);
    for (const NodeId operand : {node.a, node.b, node.c})
      if (operand >= 0) live[index_of(operand)] = 1;
  }
  return live;
}

}  // namespace

// -- compiling ------------------------------------------------------------------------------------

class Tape::Compiler {
 public:
  Compiler(Tape& tape, const Graph& graph, std::span<const NodeId> outputs)
      : tape_(tape),
        graph_(graph),
        live_(find_live(graph, outputs)),
        place_(live_.size(), -1),
        last_use_(live_.size(), -1) {
    for (NodeId id = 0; index_of(id) < live_.size(); ++id) {
      if (live_[index_of(id)] == 0) continue;
      const Node& node = graph_.node(id);
      for (const NodeId operand : {node.a, node.b, node.c})
        if (operand >= 0) last_use_[index_of(operand)] = id;
    }
    for (const NodeId id : outputs) last_use_[index_of(id)] = kForever;
    place_leaves();
    find_sincos_pairs();
    for (NodeId id = 0; index_of(id) < live_.size(); ++id)
      if (live_[index_of(id)] != 0) compile(id);
    for (const NodeId id : outputs) tape_.outputs_.push_back(place_[index_of(id)]);
    tape_.scratch_size_ = static_cast<std::size_t>(size_);
  }

 private:
  static constexpr NodeId kForever = std::numeric_limits<NodeId>::max();

  void place_leaves() {
    for (NodeId id = 0; index_of(id) < live_.size(); ++id) {
      if (live_[index_of(id)] == 0 || !graph_.is_constant(id)) continue;
      place_[index_of(id)] = size_++;
      tape_.constants_.push_back(graph_.value(id));
    }
    for (NodeId id = 0; index_of(id) < live_.size(); ++id) {
      const Node& node = graph_.node(id);
      if (live_[index_of(id)] == 0 || node.op != Op::variable) continue;
      if (static_cast<std::size_t>(node.index) >= tape_.variable_count_)
        throw ModelError(fmt::format("variable {} occurs, but there are only {}", node.index,
                                     tape_.variable_count_));
      place_[index_of(id)] = size_++;
      tape_.inputs_.push_back({place_[index_of(id)], node.index});
    }
  }

  // partner_[sin] = cos and the reverse, where both are live.
  void find_sincos_pairs() {
    std::vector<NodeId> waiting(live_.size(), -1);  // by argument
    partner_.assign(live_.size(), -1);
    for (NodeId id = 0; index_of(id) < live_.size(); ++id) {
      const Node& node = graph_.node(id);
      if (live_[index_of(id)] == 0 || (node.op != Op::sin && node.op != Op::cos)) continue;
      NodeId& other = waiting[index_of(node.a)];
      if (other < 0) {
        other = id;
      } else {
        partner_[index_of(id)] = other;
        partner_[index_of(other)] = id;
      }
    }
  }

  std::int32_t take_place() {
    if (free_.empty()) return size_++;
    const std::int32_t place = free_.back();
    free_.pop_back();
    return place;
  }

  // Leaves keep their places: constants are loaded once, variables cost nothing.
  void release_operands(const Node& node, NodeId user) {
    for (const NodeId operand : {node.a, node.b, node.c}) {
      if (operand < 0 || last_use_[index_of(operand)] != user) continue;
      const Op op = graph_.node(operand).op;
      if (op == Op::constant || op == Op::variable) continue;
      free_.push_back(place_[index_of(operand)]);
      last_use_[index_of(operand)] = -1;  // once only, also if it is both operands
    }
  }

  void compile(NodeId id) {
    if (place_[index_of(id)] >= 0) {
      // A leaf, or computed already with its partner.
      release_operands(graph_.node(id), id);
      return;
    }
    const Node& node = graph_.node(id);
    Instruction instruction;
    instruction.code = code_of(node.op);
    instruction.a = place_of(node.a);
    instruction.b = place_of(node.b);
    instruction.c = place_of(node.c);
    // An instruction reads its operands before it writes, so the result may take an operand's
    // place. The pair writes twice; its argument is kept by the partner's later use.
    release_operands(node, id);
    instruction.out = take_place();
    place_[index_of(id)] = instruction.out;
    const NodeId partner = partner_[index_of(id)];
    if (partner >= 0) {
      const std::int32_t second = take_place();
      place_[index_of(partner)] = second;
      instruction.code = kSinCos;
      instruction.c = second;
      if (node.op == Op::cos) std::swap(instruction.out, instruction.c);
    } else if (node.op == Op::powi) {
      instruction.c = static_cast<std::int32_t>(node.value);
      if (instruction.c == 2) instruction.code = kSquare;
      if (instruction.c == 3) instruction.code = kCube;
    } else if (node.op == Op::spline) {
      instruction.c = static_cast<std::int32_t>(tape_.tables_.size());
      tape_.tables_.push_back({graph_.share_spline(node.index), static_cast<int>(node.value)});
    }
    tape_.instructions_.push_back(instruction);
  }

  std::int32_t place_of(NodeId id) const { return id >= 0 ? place_[index_of(id)] : 0; }

  Tape& tape_;
  const Graph& graph_;
  std::vector<char> live_;
  std::vector<std::int32_t> place_;  // per node, -1: none yet
  std::vector<NodeId> last_use_;     // per node: the last node that reads it
  std::vector<NodeId> partner_;      // per node
  std::vector<std::int32_t> free_;
  std::int32_t size_ = 0;
};

Tape::Tape(const Graph& graph, std::span<const NodeId> outputs, int variable_count)
    : variable_count_(static_cast<std::size_t>(variable_count)) {
  Compiler(*this, graph, outputs);
}

// -- running --------------------------------------------------------------------------------------

std::vector<double> Tape::make_scratch() const {
  std::vector<double> scratch(scratch_size_, 0.0);
  std::copy(constants_.begin(), constants_.end(), scratch.begin());
  return scratch;
}

void Tape::eval(std::span<const double> variables, std::span<double> out,
                std::vector<double>& scratch) const {
  assert(variables.size() >= variable_count_ && out.size() >= outputs_.size() &&
         scratch.size() == scratch_size_);
  double* const w = scratch.data();
  for (const Input& input : inputs_)
    w[input.place] = variables[static_cast<std::size_t>(input.variable)];
  run(w);
  for (std::size_t k = 0; k < outputs_.size(); ++k) out[k] = w[outputs_[k]];
}

// The inner loop of every equation model: one flat switch, longer than a function should be and
// nothing but a table.
void Tape::run(double* w) const {
  for (const Instruction& i : instructions_) {
    const double a = w[i.a];
    double& out = w[i.out];
    switch (i.code) {
      case code_of(Op::add): out = a + w[i.b]; break;
      case code_of(Op::sub): out = a - w[i.b]; break;
      case code_of(Op::mul): out = a * w[i.b]; break;
      case code_of(Op::div): out = a / w[i.b]; break;
      case code_of(Op::neg): out = -a; break;
      case kSquare: out = a * a; break;
      case kCube: out = a * (a * a); break;
      case code_of(Op::powi): out = operations::calc_powi(a, i.c); break;
      case kSinCos:
        out = std::sin(a);
        w[i.c] = std::cos(a);
        break;
      case code_of(Op::sin): out = std::sin(a); break;
      case code_of(Op::cos): out = std::cos(a); break;
      case code_of(Op::sqrt): out = std::sqrt(a); break;
      case code_of(Op::abs): out = std::fabs(a); break;
      case code_of(Op::sign): out = operations::calc_sign(a); break;
      case code_of(Op::min): out = operations::calc_min(a, w[i.b]); break;
      case code_of(Op::max): out = operations::calc_max(a, w[i.b]); break;
      case code_of(Op::less): out = a < w[i.b] ? 1.0 : 0.0; break;
      case code_of(Op::less_equal): out = a <= w[i.b] ? 1.0 : 0.0; break;
      case code_of(Op::equal): out = a == w[i.b] ? 1.0 : 0.0; break;
      case code_of(Op::select): out = operations::calc_select(a, w[i.b], w[i.c]); break;
      case code_of(Op::pow): out = std::pow(a, w[i.b]); break;
      case code_of(Op::atan2): out = std::atan2(a, w[i.b]); break;
      case code_of(Op::spline): {
        const Table& table = tables_[static_cast<std::size_t>(i.c)];
        out = table.spline->value(a, table.derivative);
        break;
      }
      default: out = operations::calc_unary(static_cast<Op>(i.code), a); break;
    }
  }
}

double eval_node(const Graph& graph, NodeId node, std::span<const double> variables) {
  const std::vector<char> live = find_live(graph, {&node, 1});
  std::vector<double> values(live.size());
  for (NodeId id = 0; id <= node; ++id) {
    if (live[index_of(id)] == 0) continue;
    const Node& n = graph.node(id);
    const double a = n.a >= 0 ? values[index_of(n.a)] : 0.0;
    const double b = n.b >= 0 ? values[index_of(n.b)] : 0.0;
    double& value = values[index_of(id)];
    switch (n.op) {
      case Op::constant: value = n.value; break;
      case Op::variable: value = variables[static_cast<std::size_t>(n.index)]; break;
      case Op::powi: value = operations::calc_powi(a, static_cast<int>(n.value)); break;
      case Op::select: value = operations::calc_select(a, b, values[index_of(n.c)]); break;
      case Op::spline:
        value = graph.spline_data(n.index).value(a, static_cast<int>(n.value));
        break;
      default:
        value = n.b >= 0 ? operations::calc_binary(n.op, a, b) : operations::calc_unary(n.op, a);
        break;
    }
  }
  return values[index_of(node)];
}

}  // namespace driftless
