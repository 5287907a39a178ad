// With the factorisation of M and G that a run would use. A row that it leaves out is redundant; whether such rows ask for
// the same is [OPR.1].

#include "driftless/assembly/check_many.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "driftless/assembly/metric.hpp"
#include "driftless/base/names.hpp"
#include "driftless/saddle/saddle.hpp"
#include "driftless/system/evaluator.hpp"
#include "driftless/system/opposed_rows.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMaxNamed = 20;

Matrix copy_block(const BlockMatrix& matrix, const Block& block) {
  return Eigen::Map<const Matrix>(matrix.data() + block.first, block.rows, block.columns);
}

bool is_of_diagonal_blocks(const BlockMatrix& mass) {
  if (mass.is_whole()) return false;
  int covered = 0;
  for (const Block& block : mass.blocks()) {
    if (block.row != block.column || block.rows != block.columns) return false;
    covered += block.rows;
  }
  return covered == mass.rows();
}

class ManyRowsCheck {
 public:
  ManyRowsCheck(const System& system, const State& state, CheckReport& report)
      : system_(system), info_(system.info()), state_(state), report_(report), at_(system) {
    at_.set_configuration(state.t, state.q);
    at_.eval_motion(state.v);
  }

  void run() {
    const DrawnRank drawn = find_drawn_rank(system_, state_);
    const RowReport rows = find_row_report(system_.find_row_metric(at_.ws()), at_.ws().jacobian,
                                           kDrawnTolerance, drawn.is_known ? drawn.rank : -1);
    if (drawn.misfit > 0.0) report_.warnings.push_back(describe_misfit(drawn.misfit));
    report_.rank = rows.rank;
    report_.dof = report_.dof_beside = report_.rates - rows.rank;
    report_.smallest_singular_value = rows.smallest_singular_value;
    for (const int row : rows.redundant)
      report_.redundant.push_back(info_.rows[static_cast<std::size_t>(row)]);
    tell_redundant(rows.redundant);
    tell_near_singular(rows.smallest_singular_value);
    const bool is_definite = at_.factorize(kDefaultRankTolerance);
    if (!report_.mass_definite) tell_masses(is_definite);
    if (is_definite && !rows.redundant.empty()) find_contradiction(drawn);
    if (report_.dof == 0)
      report_.warnings.push_back(
          "there is no degree of freedom left: nothing but drives can move it");
  }

 private:
  void tell_redundant(const std::vector<int>& redundant) {
    if (redundant.empty()) return;
    const std::unordered_set<int> rows(redundant.begin(), redundant.end());
    for (const ElementInfo& element : info_.elements) {
      if (std::any_of(element.rows.begin(), element.rows.end(),
                      [&](int row) { return rows.contains(row); }))
        report_.redundant_elements.push_back(element.name);
    }
    report_.warnings.push_back(
        fmt::format("{} of {} constraint rows {} redundant at the start: {}; of so many rows it is "
                    "not told from which others they follow",
                    redundant.size(), report_.rows, redundant.size() == 1 ? "is" : "are",
                    list_names(report_.redundant, kMaxNamed)));
  }

  /// Long chains have small singular values, too, of the inverse square of their length; not as small as this.
  void tell_near_singular(double smallest) {
    constexpr double kNearSingular = 1e-7;
    constexpr int kMostRows = 1500;
    if (report_.rows > kMostRows || !(smallest < kNearSingular)) return;
    report_.warnings.push_back(
        fmt::format("the start is close to a singular pose: some rows nearly follow from others, "
                    "with a smallest singular value of {:.2g}, so the rank may be another one "
                    "nearby",
                    smallest));
  }

  void tell_masses(bool is_definite_on_tangent) {
    report_.mass_definite_on_tangent = is_definite_on_tangent;
    std::vector<std::string> names;
    for (const BodyInfo& body : info_.bodies) {
      for (const Block& block : at_.ws().mass.blocks()) {
        if (block.row != body.rate) continue;
        if (!is_positive_definite(copy_block(at_.ws().mass, block))) names.push_back(body.name);
        break;
      }
    }
    if (is_definite_on_tangent) {
      report_.warnings.push_back(fmt::format(
          "the mass matrix is singular: no inertia in some direction: {}; only the constraints "
          "make the motion unique, so not every method can run it",
          list_names(names, kMaxNamed)));
      return;
    }
    report_.errors.push_back(
        fmt::format("a motion that the constraints allow has no inertia; bodies without inertia in "
                    "some direction: {}",
                    list_names(names, kMaxNamed)));
    report_.remedy = "give them an inertia there, or joints that prevent that motion";
  }

  void find_contradiction(const DrawnRank& drawn) {
    for (const int row : find_opposed_rows(system_, state_, drawn))
      report_.inconsistent.push_back(info_.rows[static_cast<std::size_t>(row)]);
    if (report_.inconsistent.empty()) return;
    report_.warnings.push_back(fmt::format("rows contradict each other at the start: {}",
                                           list_names(report_.inconsistent, kMaxNamed)));
  }

  const System& system_;
  const SystemInfo& info_;
  const State& state_;
  CheckReport& report_;
  Evaluator at_;
};

}  // namespace

std::optional<bool> is_definite_by_blocks(const BlockMatrix& mass) {
  if (!is_of_diagonal_blocks(mass)) return {};
  return std::all_of(mass.blocks().begin(), mass.blocks().end(), [&](const Block& block) {
    return is_positive_definite(copy_block(mass, block));
  });
}

void check_many_rows(const System& system, const State& state, CheckReport& report) {
  ManyRowsCheck(system, state, report).run();
}

}  // namespace driftless
