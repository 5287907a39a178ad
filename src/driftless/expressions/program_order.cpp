#include "driftless/expressions/program_order.hpp"

#include <algorithm>
#include <cassert>

namespace driftless::program {

namespace {

// Instructions are sorted by kind within so many neighbours: long programs stay within the cache, and few results are
// alive at a time.
constexpr std::size_t kWindow = 256;

/// The order in which instructions run: within each window those of the kind of which most are ready, one kind after the
/// other.
class Scheduler {
 public:
  Scheduler(const std::vector<Instruction>& instructions, std::size_t node_count)
      : instructions_(instructions), producer_(node_count, -1) {
    for (std::size_t i = 0; i < instructions.size(); ++i)
      for (const NodeId node : instructions[i].results)
        if (node >= 0) producer_[index_of(node)] = static_cast<int>(i);
  }

  std::vector<int> run() {
    waits_for_.assign(instructions_.size(), 0);
    readers_.resize(instructions_.size());
    for (std::size_t first = 0; first < instructions_.size(); first += kWindow)
      sort_window(first, std::min(first + kWindow, instructions_.size()));
    return std::move(order_);
  }

 private:
  void sort_window(std::size_t first, std::size_t last) {
    std::array<std::vector<int>, kKindCount> ready;
    for (std::size_t i = first; i < last; ++i) {
      for (const NodeId operand : instructions_[i].operands) {
        const int from = operand >= 0 ? producer_[index_of(operand)] : -1;
        if (from < static_cast<int>(first))
          continue;  // a leaf, of another part, or of a window before
        ++waits_for_[i];
        readers_[static_cast<std::size_t>(from)].push_back(static_cast<int>(i));
      }
      if (waits_for_[i] == 0) ready[instructions_[i].kind].push_back(static_cast<int>(i));
    }
    const auto end = order_.size() + (last - first);
    while (order_.size() < end) {
      auto& list = *std::max_element(ready.begin(), ready.end(), [](const auto& a, const auto& b) {
        return a.size() < b.size();
      });
      assert(!list.empty());
      for (std::size_t k = 0; k < list.size(); ++k) {  // it may grow on the way
        const int i = list[k];
        order_.push_back(i);
        for (const int reader : readers_[static_cast<std::size_t>(i)])
          if (--waits_for_[static_cast<std::size_t>(reader)] == 0)
            ready[instructions_[static_cast<std::size_t>(reader)].kind].push_back(reader);
      }
      list.clear();
    }
  }

  const std::vector<Instruction>& instructions_;
  std::vector<int> producer_;  // per node, -1: none of these
  std::vector<int> waits_for_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> order_;
};

}  // namespace

std::vector<int> find_order(const std::vector<Instruction>& instructions, std::size_t node_count) {
  return Scheduler(instructions, node_count).run();
}

}  // namespace driftless::program
