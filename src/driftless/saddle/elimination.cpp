#include "driftless/saddle/elimination.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <queue>

#include "driftless/math/ordering.hpp"

namespace driftless {
namespace {

// An order other than the file's must be cheaper by this factor.
constexpr double kWorthwhile = 0.9;

/// What touches one body.
struct Touch {
  int strip = 0;
  const Block* block = nullptr;
};

class Planner {
 public:
  Planner(const BlockMatrix& jacobian, int rows) {
    std::map<int, std::vector<Touch>> bodies;  // by their first column
    for (const Strip& strip : jacobian.strips()) {
      if (strip.row >= rows) break;
      for (int k = 0; k < strip.blocks; ++k) {
        const Block& block = jacobian.blocks()[static_cast<std::size_t>(strip.first_block + k)];
        bodies[block.column].push_back({static_cast<int>(strips_.size()), &block});
      }
      strips_.push_back(strip);
    }
    for (auto& [column, touches] : bodies) bodies_.push_back(std::move(touches));
    neighbours_.resize(strips_.size());
    for (const auto& touches : bodies_) {
      for (const Touch& a : touches) {
        for (const Touch& b : touches) {
          if (a.strip != b.strip) neighbours_[static_cast<std::size_t>(a.strip)].push_back(b.strip);
        }
      }
    }
    for (auto& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  EliminationPlan make() {
    std::vector<int> chosen(strips_.size());
    std::iota(chosen.begin(), chosen.end(), 0);
    double best = find_operations(chosen);
    const double wanted = kWorthwhile * best;
    for (const auto& candidate :
         {find_line_order(neighbours_), find_minimum_degree_order(neighbours_)}) {
      const double operations = find_operations(candidate);
      if (operations >= best || operations > wanted) continue;
      best = operations;
      chosen = candidate;
    }
    return write(chosen);
  }

 private:
  /// Per eliminated strip: the places, in the order, of those that it meets then.
  using Columns = std::vector<std::vector<int>>;

  Columns find_columns(const std::vector<int>& order) const {
    const std::size_t count = order.size();
    std::vector<int> place(count);
    for (std::size_t k = 0; k < count; ++k)
      place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    Columns columns(count);
    std::vector<std::vector<int>> children(count);
    std::vector<int> merged;
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<int>& column = columns[k];
      for (const int other : neighbours_[static_cast<std::size_t>(order[k])]) {
        const int at = place[static_cast<std::size_t>(other)];
        if (at > static_cast<int>(k)) column.push_back(at);
      }
      std::sort(column.begin(), column.end());
      for (const int child : children[k]) {
        merged.clear();
        const auto& more = columns[static_cast<std::size_t>(child)];
        std::set_union(column.begin(), column.end(), more.begin() + 1, more.end(),
                       std::back_inserter(merged));
        column.swap(merged);
      }
      if (!column.empty())
        children[static_cast<std::size_t>(column.front())].push_back(static_cast<int>(k));
    }
    return columns;
  }

  double find_operations(const std::vector<int>& order) const {
    return find_operations(order, find_columns(order));
  }

  double find_operations(const std::vector<int>& order, const Columns& columns) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      double below = 0.0;
      for (const int at : columns[k]) below += rows_of(order[static_cast<std::size_t>(at)]);
      const double own = rows_of(order[k]);
      sum += own * own * own + 2.0 * below * own * own + 0.5 * below * below * own;
    }
    return sum;
  }

  double rows_of(int strip) const { return strips_[static_cast<std::size_t>(strip)].rows; }

  /// Of an order: what it eliminates, and where that stands in the plan.
  struct Layout {
    Columns columns;
    std::vector<int> place;        // per strip: in the order
    std::vector<int> first_entry;  // per place
  };

  EliminationPlan write(const std::vector<int>& order) const {
    EliminationPlan plan;
    Layout layout{find_columns(order), std::vector<int>(order.size()), {}};
    plan.operations = find_operations(order, layout.columns);
    for (std::size_t k = 0; k < order.size(); ++k) {
      layout.place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
      const Strip& strip = strips_[static_cast<std::size_t>(order[k])];
      plan.nodes.push_back({strip.row, strip.rows, 0, 0, 0});
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
      auto& node = plan.nodes[k];
      node.diagonal = plan.size;
      plan.size += node.rows * node.rows;
      node.entries = static_cast<int>(layout.columns[k].size());
      layout.first_entry.push_back(static_cast<int>(plan.entries.size()));
      for (const int at : layout.columns[k]) {
        const auto& other = plan.nodes[static_cast<std::size_t>(at)];
        plan.entries.push_back({other.row, other.rows, plan.size});
        plan.size += other.rows * node.rows;
      }
    }
    write_updates(layout, plan);
    write_products(layout, plan);
    return plan;
  }

  /// Where the block of (row, column), both places in the order, row >= column, begins.
  static int find_value(int row, int column, const Layout& layout, const EliminationPlan& plan) {
    const auto k = static_cast<std::size_t>(column);
    if (row == column) return plan.nodes[k].diagonal;
    const auto& list = layout.columns[k];
    const auto at = std::lower_bound(list.begin(), list.end(), row) - list.begin();
    return plan.entries[static_cast<std::size_t>(layout.first_entry[k] + at)].value;
  }

  static void write_updates(const Layout& layout, EliminationPlan& plan) {
    for (std::size_t k = 0; k < layout.columns.size(); ++k) {
      const auto& column = layout.columns[k];
      const auto* entries = plan.entries.data() + layout.first_entry[k];
      for (std::size_t p = 0; p < column.size(); ++p) {
        for (std::size_t q = 0; q <= p; ++q) {
          plan.updates.push_back({entries[p].value, entries[q].value,
                                  find_value(column[p], column[q], layout, plan), entries[p].rows,
                                  entries[q].rows});
        }
      }
      plan.nodes[k].updates = static_cast<int>(column.size() * (column.size() + 1) / 2);
    }
  }

  void write_products(const Layout& layout, EliminationPlan& plan) const {
    for (const auto& touches : bodies_) {
      for (const Touch& a : touches) {
        for (const Touch& b : touches) {
          const int row = layout.place[static_cast<std::size_t>(a.strip)];
          const int column = layout.place[static_cast<std::size_t>(b.strip)];
          if (row < column) continue;
          plan.products.push_back({a.block->first, b.block->first,
                                   find_value(row, column, layout, plan), a.block->rows,
                                   b.block->rows, a.block->columns});
        }
      }
    }
    std::sort(plan.products.begin(), plan.products.end(),
              [](const auto& a, const auto& b) { return a.target < b.target; });
    auto next = plan.products.begin();
    const auto* entry = plan.entries.data();
    for (const auto& node : plan.nodes) {
      for (const auto* end = entry + node.entries; entry != end; ++entry) {
        while (next != plan.products.end() && next->target < entry->value) ++next;
        if (next == plan.products.end() || next->target != entry->value)
          plan.fill.push_back({entry->value, entry->rows * node.rows});
      }
    }
  }

  std::vector<Strip> strips_;
  std::vector<std::vector<Touch>> bodies_;
  std::vector<std::vector<int>> neighbours_;  // per strip, sorted
};

}  // namespace

EliminationPlan make_elimination_plan(const BlockMatrix& jacobian, int rows) {
  return Planner(jacobian, rows).make();
}

}  // namespace driftless
