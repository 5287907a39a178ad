#include "driftless/mechanism/tree_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace driftless {

TreeRows::TreeRows(const MechanismParts& parts, const SpanningTree& spanning,
                   const TreeRecursion& recursion, const BlockMatrix& of_bodies)
    : spanning_(spanning), recursion_(recursion), row_count_(of_bodies.rows()) {
  std::map<int, int> number_at;  // by the body's first rate
  for (std::size_t k = 0; k < parts.bodies.size(); ++k)
    number_at[parts.bodies[k].v] = spanning.number[k];
  for (std::size_t s = 0; s < of_bodies.strips().size(); ++s) {
    const Strip& strip = of_bodies.strips()[s];
    Way way;
    way.row = strip.row;
    way.rows = strip.rows;
    way.of_bodies = static_cast<int>(s);
    std::map<int, int, std::greater<>> joints;  // how many of the bodies each carries
    for (int b = strip.first_block; b < strip.first_block + strip.blocks; ++b) {
      const int number = number_at.at(of_bodies.blocks()[static_cast<std::size_t>(b)].column);
      way.number_of.push_back(number);
      for (int k = number; k > 0; k = recursion.body(k).parent) ++joints[k];
    }
    std::map<int, int> step_at;
    for (const auto& [number, carried] : joints) {
      step_at[number] = static_cast<int>(way.steps.size());
      way.steps.push_back({number, -1, -1, strip.blocks == 1 || carried < strip.blocks});
      const TreeBody& body = recursion.body(number);
      const int rates = count_rates(body.kind);
      if (rates > 0) places_.push_back({strip.row, body.v, strip.rows, rates});
    }
    for (Step& step : way.steps) {
      const auto parent = step_at.find(recursion.body(step.number).parent);
      if (parent != step_at.end()) step.parent = parent->second;
    }
    for (const int number : way.number_of) way.step_of.push_back(step_at.at(number));
    longest_ = std::max(longest_, way.steps.size());
    ways_.push_back(std::move(way));
  }
  find_blocks();
}

/// Blocks are sorted by columns, steps the other way.
void TreeRows::find_blocks() {
  const BlockMatrix pattern = make_matrix();
  std::map<int, int> strip_at;
  for (std::size_t s = 0; s < pattern.strips().size(); ++s) {
    strip_at[pattern.strips()[s].row] = static_cast<int>(s);
  }
  for (Way& way : ways_) {
    const auto found = strip_at.find(way.row);
    if (found == strip_at.end()) continue;
    const Strip& strip = pattern.strips()[static_cast<std::size_t>(found->second)];
    int block = strip.first_block + strip.blocks;
    for (Step& step : way.steps) {
      if (count_rates(recursion_.body(step.number).kind) > 0) step.block = --block;
    }
  }
}

BlockMatrix TreeRows::make_matrix() const { return {row_count_, recursion_.nv(), places_}; }

BlockMatrix TreeRows::make_unit() const {
  std::vector<BlockPlace> places;
  for (const TreeBody& body : spanning_.tree) {
    const int rates = count_rates(body.kind);
    if (rates > 0) places.push_back({body.v, body.v, rates, rates});
  }
  BlockMatrix unit(recursion_.nv(), recursion_.nv(), std::move(places));
  for (const Block& block : unit.blocks()) {
    for (int i = 0; i < block.rows; ++i) unit.data()[block.first + i * block.rows + i] = 1.0;
  }
  return unit;
}

// Where a loop cannot move across a row, the row is zero, but in numbers it is what rounding leaves of the terms that it
// is the sum of. Scaled to length 1, as the engines do it, that would be a row of noise. So the sizes of the terms are
// summed along the way, too, and entries below their rounding are zeros. What is left of the terms of a row, its share, is
// its length where rows are compared (drawn_rank.hpp). Joints that carry all of its bodies do not change it: only those
// between them count.
void TreeRows::carry(const BlockMatrix& of_bodies, int first, int last, const TreeBodies& bodies,
                     const TreeState& tree, TreeBodiesWorkspace& ws, BlockMatrix& rows) const {
  for (const Way& way : ways_) {
    if (way.row < first || way.row >= last) continue;
    const Strip& strip = of_bodies.strips()[static_cast<std::size_t>(way.of_bodies)];
    for (int i = 0; i < way.rows; ++i) {
      std::fill_n(ws.wrenches.begin(), way.steps.size(), TreeWrench{});
      std::fill_n(ws.sizes.begin(), way.steps.size(), TreeRecursion::WrenchSize{});
      TreeRecursion::ComponentSizes of_row, of_others;
      for (int b = 0; b < strip.blocks; ++b) {
        const Block& block = of_bodies.blocks()[static_cast<std::size_t>(strip.first_block + b)];
        double entries[6];
        for (int j = 0; j < block.columns; ++j) {
          entries[j] = of_bodies.data()[block.first + j * block.rows + i];
        }
        const auto at = static_cast<std::size_t>(b);
        const auto step = static_cast<std::size_t>(way.step_of[at]);
        const TreeWrench wrench = bodies.find_wrench(way.number_of[at], entries, ws);
        ws.wrenches[step] += wrench;
        const double arm = norm(ws.arms[static_cast<std::size_t>(way.number_of[at])]);
        const double force = norm(wrench.force);
        ws.sizes[step].torque += norm(wrench.torque) + arm * force;
        ws.sizes[step].force += force;
      }
      for (std::size_t s = 0; s < way.steps.size(); ++s) {
        const Step& step = way.steps[s];
        const TreeWrench& wrench = ws.wrenches[s];
        if (step.block >= 0) {
          const Block& block = rows.blocks()[static_cast<std::size_t>(step.block)];
          double components[6] = {};
          recursion_.find_components(step.number, tree, wrench, ws.sizes[s], components,
                                     step.is_inside ? of_row : of_others);
          for (int j = 0; j < block.columns; ++j) {
            rows.data()[block.first + j * block.rows + i] = components[j];
          }
        }
        if (step.parent < 0) continue;
        const Vector3& shift = tree.poses[static_cast<std::size_t>(step.number)].shift;
        const auto parent = static_cast<std::size_t>(step.parent);
        ws.wrenches[parent] += {wrench.torque + cross(shift, wrench.force), wrench.force};
        ws.sizes[parent].torque += ws.sizes[s].torque + norm(shift) * ws.sizes[s].force;
        ws.sizes[parent].force += ws.sizes[s].force;
      }
      // A row that joints below all of its bodies change is one of where these are, and whole.
      of_row.turn = std::max(of_row.turn, of_others.turn);
      of_row.slide = std::max(of_row.slide, of_others.slide);
      rows.set_share(way.row + i, of_row.find_share());
    }
  }
}

void TreeRows::find_bias(const BlockMatrix& of_bodies, ConstVectorRef b, ConstVectorRef gamma_b,
                         VectorRef gamma) const {
  constexpr double kRounding = 1e-12;
  gamma = gamma_b;
  for (const Strip& strip : of_bodies.strips()) {
    for (int i = 0; i < strip.rows; ++i) {
      double sum = gamma_b[strip.row + i];
      double size = std::abs(sum);
      for (int k = strip.first_block; k < strip.first_block + strip.blocks; ++k) {
        const Block& block = of_bodies.blocks()[static_cast<std::size_t>(k)];
        for (int j = 0; j < block.columns; ++j) {
          const double term =
              of_bodies.data()[block.first + j * block.rows + i] * b[block.column + j];
          sum -= term;
          size += std::abs(term);
        }
      }
      gamma[strip.row + i] = std::abs(sum) <= kRounding * size ? 0.0 : sum;
    }
  }
}

void TreeRows::reduce(const BlockMatrix& rows, int count, TreeState& tree,
                      std::vector<TreeWrench>& scratch, BlockMatrix& reduced) const {
  if (scratch.size() < longest_) scratch.resize(longest_);
  reduced.set_shares(rows.shares());
  for (const Way& way : ways_) {
    if (way.row >= count) continue;
    for (int i = 0; i < way.rows; ++i) {
      std::fill_n(scratch.begin(), way.steps.size(), TreeWrench{});
      for (std::size_t s = 0; s < way.steps.size(); ++s) {
        const Step& step = way.steps[s];
        double f[6] = {};
        double z[6] = {};
        const Block* block =
            step.block < 0 ? nullptr : &rows.blocks()[static_cast<std::size_t>(step.block)];
        if (block != nullptr) {
          for (int j = 0; j < block->columns; ++j)
            f[j] = rows.data()[block->first + j * block->rows + i];
        }
        recursion_.reduce_joint(step.number, tree, f, scratch[s], z);
        if (block != nullptr) {
          for (int j = 0; j < block->columns; ++j) {
            reduced.data()[block->first + j * block->rows + i] = z[j];
          }
        }
        if (step.parent >= 0) scratch[static_cast<std::size_t>(step.parent)] += scratch[s];
      }
    }
  }
}

}  // namespace driftless
