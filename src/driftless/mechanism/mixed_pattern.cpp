#include "driftless/mechanism/mixed_pattern.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

namespace driftless {
namespace {

/// A dense or diagonal block among unknowns, by its first row and column as written.
struct MixedBlock {
  int row;
  int column;
  int rows;
  int columns;
  bool diagonal;
};

/// What closes loops: a strip of rows and the bodies that it acts on.
struct LoopRows {
  int first;  // unknown, as written
  int rows;
  std::vector<int> nodes;
};

class MixedMatrix {
 public:
  MixedMatrix(const MechanismParts& parts, const SpanningTree& spanning, const BlockMatrix& rows)
      : parts_(parts), spanning_(spanning) {
    const std::size_t count = spanning.nodes.size();
    for (std::size_t k = 0; k < count; ++k) {
      p_.push_back(size_);
      size_ += body(k).nv();
    }
    for (std::size_t k = 0; k < count; ++k) {
      q_.push_back(size_);
      size_ += count_rates(spanning.tree[k].kind);
    }
    for (std::size_t k = 0; k < count; ++k) {
      mu_.push_back(size_);
      size_ += body(k).nv();
    }
    find_loops(rows);
    for (std::size_t k = 0; k < count; ++k) add_node(k);
    for (const LoopRows& loop : loops_) {
      for (const int node : loop.nodes) {
        const auto k = static_cast<std::size_t>(node);
        blocks_.push_back({loop.first, p_[k], loop.rows, body(k).nv(), false});
      }
    }
    find_order();
  }

  MatrixPattern find_pattern() const {
    MatrixPattern pattern;
    pattern.size = size_;
    const auto count = static_cast<std::size_t>(size_);
    std::vector<int> before(count);  // per row: its first entry
    std::iota(before.begin(), before.end(), 0);
    std::vector<int> after = before;
    const auto visit = [&](int row, int column) {
      pattern.entries += row == column ? 1 : 2;
      const auto note = [](int i, int j, int& band, std::vector<int>& first) {
        band = std::max(band, std::abs(i - j));
        int& least = first[static_cast<std::size_t>(std::max(i, j))];
        least = std::min(least, std::min(i, j));
      };
      note(row, column, pattern.band_before, before);
      note(place_[static_cast<std::size_t>(row)], place_[static_cast<std::size_t>(column)],
           pattern.band_after, after);
    };
    for (const MixedBlock& block : blocks_) {
      for (int i = 0; i < block.rows; ++i) {
        for (int j = 0; j < block.columns; ++j) {
          if (block.diagonal && i != j) continue;
          // of a block on the diagonal, its lower half
          if (block.row == block.column && j > i) continue;
          visit(block.row + i, block.column + j);
        }
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      pattern.envelope_before += static_cast<int>(i) - before[i];
      pattern.envelope_after += static_cast<int>(i) - after[i];
    }
    return pattern;
  }

 private:
  const Body& body(std::size_t node) const {
    return parts_.bodies[static_cast<std::size_t>(spanning_.nodes[node].body)];
  }

  void find_loops(const BlockMatrix& rows) {
    std::vector<bool> is_carried(static_cast<std::size_t>(rows.rows()), false);
    for (std::size_t k = 0; k < parts_.rows.size(); ++k) {
      if (!spanning_.carries[k]) continue;
      const RowBlock& row = parts_.rows[k];
      std::fill_n(is_carried.begin() + row.first_row, row.block.function->outputs(), true);
    }
    std::map<int, int> node_at;  // by the body's first rate
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k)
      node_at[parts_.bodies[k].v] = spanning_.number[k] - 1;
    for (const Strip& strip : rows.strips()) {
      if (is_carried[static_cast<std::size_t>(strip.row)]) continue;
      LoopRows loop{size_, strip.rows, {}};
      for (int b = strip.first_block; b < strip.first_block + strip.blocks; ++b) {
        const auto found = node_at.find(rows.blocks()[static_cast<std::size_t>(b)].column);
        if (found != node_at.end()) loop.nodes.push_back(found->second);
      }
      size_ += strip.rows;
      loops_.push_back(std::move(loop));
    }
  }

  /// [MXP.1]
  void add_node(std::size_t k) {
    const Body& own = body(k);
    const int d = own.nv();
    const int shifts = own.in_plane() ? 2 : 3;
    if (own.kind == BodyKind::space_body) {
      blocks_.push_back({p_[k], p_[k], 3, 3, true});
      blocks_.push_back({p_[k] + 3, p_[k] + 3, 3, 3, false});
    } else {
      blocks_.push_back({p_[k], p_[k], d, d, true});
    }
    blocks_.push_back({mu_[k], p_[k], d, d, true});
    blocks_.push_back({mu_[k], q_[k], d, count_rates(spanning_.tree[k].kind), false});
    const int parent = spanning_.tree[k].parent - 1;
    if (parent < 0) return;
    const int at = p_[static_cast<std::size_t>(parent)];
    blocks_.push_back({mu_[k], at, d, d, true});
    if (own.kind == BodyKind::plane_body) blocks_.push_back({mu_[k], at + 2, 2, 1, false});
    if (own.kind != BodyKind::space_body) return;
    for (int i = 0; i < shifts; ++i) {  // [r×] has no diagonal
      if (i > 0) blocks_.push_back({mu_[k] + i, at + 3, 1, i, false});
      if (i < 2) blocks_.push_back({mu_[k] + i, at + 4 + i, 1, 2 - i, false});
    }
  }

  /// [MXP.2]
  void find_order() {
    std::vector<std::vector<std::size_t>> loops_of(spanning_.nodes.size());
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      const std::vector<int>& nodes = loops_[l].nodes;
      const int last = nodes.empty() ? 0 : *std::min_element(nodes.begin(), nodes.end());
      loops_of[static_cast<std::size_t>(last)].push_back(l);
    }
    place_.assign(static_cast<std::size_t>(size_), 0);
    int next = 0;
    const auto put = [&](int first, int count) {
      for (int i = 0; i < count; ++i) place_[static_cast<std::size_t>(first + i)] = next++;
    };
    for (std::size_t k = spanning_.nodes.size(); k-- > 0;) {
      put(p_[k], body(k).nv());
      put(q_[k], count_rates(spanning_.tree[k].kind));
      put(mu_[k], body(k).nv());
      for (const std::size_t l : loops_of[k]) put(loops_[l].first, loops_[l].rows);
    }
  }

  const MechanismParts& parts_;
  const SpanningTree& spanning_;
  int size_ = 0;
  std::vector<int> p_, q_, mu_;  // first unknown per node
  std::vector<LoopRows> loops_;
  std::vector<MixedBlock> blocks_;
  std::vector<int> place_;  // per unknown as written: its place after ordering
};

}  // namespace

MatrixPattern find_mixed_pattern(const MechanismParts& parts, const SpanningTree& spanning,
                                 const BlockMatrix& rows) {
  return MixedMatrix(parts, spanning, rows).find_pattern();
}

}  // namespace driftless
