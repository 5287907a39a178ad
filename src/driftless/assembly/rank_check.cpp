// How many rows say something new is decided in drawn_rank.hpp; which ones, on A = D G U with unit rows (D): those that a
// Gram-Schmidt process leaves over are redundant. U is that of [DRW.9]; where there is none, U Uᵀ = M⁻¹.
//
// How near a pose is to a singular one is geometry, too, and asks neither for masses nor for coordinates: a thin rod, which
// turns with ease, and a heavy body, which does not, are held as well as others. So the smallest own part of a row is
// looked for among the rows of absolute coordinates, by lengths.                                                 [RNK.1]
//
// If M is only definite on the null space of G, M + s Gᵀ D² G takes its place in U; if masses are far apart, even ones
// do [SAD.3].
//
// A row can be redundant by structure, wherever the mechanism is, or because the pose is a singular one. To tell them
// apart, the mechanism is moved a little along a motion that it has, closed there, and asked for its rank again.

#include "driftless/assembly/rank_check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "driftless/assembly/mass_check.hpp"
#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/random_numbers.hpp"
#include "driftless/assembly/start_solver.hpp"
#include "driftless/base/names.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/math/row_choice.hpp"
#include "driftless/system/body_sizes.hpp"
#include "driftless/system/opposed_rows.hpp"

namespace driftless {
namespace {

constexpr double kResidualRounding = 1e-12;
constexpr double kNearSingular = 1e-3;
constexpr double kBeside = 1e-2;   // relative to the size of q
constexpr double kRowShare = 0.1;  // of a row in a combination that is nearly 0

Matrix make_rows(const System& system, const Workspace& ws, bool mass_definite, Vector& norms) {
  const Matrix drawn = make_drawn_scaling(system.info(), find_body_sizes(system, ws)).dense();
  if (drawn.size() > 0) return normalize_rows(ws.jacobian.dense() * drawn, norms);
  const BlockMatrix& metric = system.find_row_metric(ws);
  const bool is_definite = mass_definite || &metric != &ws.mass;  // even masses are
  const Matrix inertia = is_definite ? metric.dense() : add_constraint_inertia(ws);
  return normalize_rows(ws.jacobian.dense() * make_mass_scaling(inertia), ws.jacobian.shares(),
                        norms);
}

/// As [DRW.2] decides; where that is not known, by the rows' own parts.
RowChoice choose_needed(const Matrix& rows, const DrawnRank& drawn) {
  return drawn.is_known ? choose_some_rows(rows, drawn.rank) : choose_rows(rows, kDrawnTolerance);
}

class RankCheck {
 public:
  RankCheck(const System& system, const State& state, const Workspace& ws, CheckReport& report)
      : system_(system), info_(system.info()), state_(state), ws_(ws), report_(report) {}

  void run() {
    rows_ = make_rows(system_, ws_, report_.mass_definite, norms_);
    drawn_ = find_drawn_rank(system_, state_);
    choice_ = choose_needed(rows_, drawn_);
    report_.singular_values = find_singular_values(rows_);
    report_.rank = static_cast<int>(choice_.needed.size());
    report_.dof = report_.dof_beside = report_.rates - report_.rank;
    if (report_.rank > 0)
      report_.smallest_singular_value =
          report_.singular_values[report_.rank - 1] / report_.singular_values[0];
    if (!choice_.redundant.empty()) opposed_ = find_opposed_rows(system_, state_, drawn_);
    const Matrix combinations = find_combinations(rows_, choice_, choice_.redundant);
    for (std::size_t k = 0; k < choice_.redundant.size(); ++k)
      check_redundant(choice_.redundant[k], combinations.col(static_cast<Eigen::Index>(k)));
    tell_redundant();
    check_near_singular(find_drawn_rows());
    check_singular();
    // of a pose that is singular, or nearly, that was said
    if (drawn_.misfit > 0.0 && report_.dof_beside == report_.dof)
      report_.warnings.push_back(describe_misfit(drawn_.misfit));
    if (report_.dof > 0) return;
    std::string text = "there is no degree of freedom left: nothing but drives can move it";
    if (report_.smallest_pivot < kNearSingular)
      text += fmt::format(
          "; if rows that nearly follow from each other are meant to do so, as those of parallel "
          "axes, draw them so to {:.0e} of the mechanism",
          kDrawnTolerance);
    report_.warnings.push_back(text);
  }

 private:
  const std::string& row_name(Eigen::Index row) const {
    return info_.rows[static_cast<std::size_t>(row)];
  }

  /// What residuals of positions, or of rates, are compared with [DRW.5].
  Vector find_whole(bool rates) const {
    Vector whole = norms_ * (1.0 + max_abs(state_.q));
    Vector moving = Vector::Zero(rows_.rows());
    ws_.jacobian.multiply(state_.v, moving);
    for (int i = 0; i < info_.row_count(); ++i) {
      const double size = i < drawn_.sizes.size() ? drawn_.sizes[i] : 0.0;
      if (rates)  // of a row that joint coordinates leave nothing of, its size
        whole[i] = std::max(find_whole_row(ws_.jacobian, i), size) * state_.v.norm() +
                   std::abs(ws_.velocity_residual[i] - moving[i]);
      else if (size > 0.0)
        whole[i] = size;
    }
    return whole;
  }

  // A redundant row is a combination c of the needed ones; its residuals must be the same combination of theirs, and it
  // must ask for the same acceleration [OPR.1].
  void check_redundant(Eigen::Index i, const Vector& c) {
    report_.redundant.push_back(row_name(i));
    std::vector<std::string> group;
    group_.clear();
    for (Eigen::Index k = 0; k < c.size(); ++k) {
      if (k != i && c[k] == 0.0) continue;
      group.push_back(row_name(k));
      group_.push_back(k);
      sharing_.insert(k);
    }
    const auto contradicts = [&](const Vector& value, const Vector& whole) {
      const Vector scaled = value.cwiseQuotient(norms_);
      const Vector sizes = whole.cwiseQuotient(norms_);
      const double left = scaled[i] - c.dot(scaled);
      const double size = sizes[i] + c.cwiseAbs().dot(sizes);
      return std::abs(left) > drawn_.find_start_gap() * size + kResidualRounding;
    };
    // The residuals of position rows at position level; all rows at velocity and acceleration level.
    Vector phi = Vector::Zero(rows_.rows());
    phi.head(info_.position_rows) = ws_.phi;
    const bool is_position = i < info_.position_rows;
    const bool is_opposed = std::any_of(group_.begin(), group_.end(), [&](Eigen::Index row) {
      return std::find(opposed_.begin(), opposed_.end(), row) != opposed_.end();
    });
    if (!(is_position && contradicts(phi, find_whole(false))) &&
        !contradicts(ws_.velocity_residual, find_whole(true)) && !is_opposed)
      return;
    report_.inconsistent.push_back(row_name(i));
    contradictions_.push_back(join_names(group));
  }

  /// Elements that have one of these rows.
  template <class Rows>
  std::vector<std::string> find_elements(const Rows& rows) const {
    std::vector<std::string> names;
    for (const ElementInfo& element : info_.elements) {
      const bool has_one = std::any_of(element.rows.begin(), element.rows.end(), [&](int row) {
        return std::find(rows.begin(), rows.end(), row) != rows.end();
      });
      if (has_one) names.push_back(element.name);
    }
    return names;
  }

  void tell_redundant() {
    if (report_.redundant.empty()) return;
    report_.redundant_elements = find_elements(choice_.redundant);
    report_.sharing_elements = find_elements(sharing_);
    std::string where;
    if (report_.sharing_elements.size() > 1)
      where = fmt::format("; {} depend on each other", join_names(report_.sharing_elements));
    report_.warnings.push_back(fmt::format(
        "{} of {} constraint rows {} redundant at the start: {}{}", report_.redundant.size(),
        report_.rows, report_.redundant.size() == 1 ? "is" : "are",
        fmt::join(report_.redundant, ", "), where));
    if (!contradictions_.empty())
      report_.warnings.push_back(fmt::format("rows contradict each other at the start: {}",
                                             fmt::join(contradictions_, "; ")));
  }

  /// [RNK.1]
  struct DrawnRows {
    const SystemInfo* info = nullptr;
    Matrix rows;
    RowChoice choice;
  };
  DrawnRows find_drawn_rows() const {
    const System& drawn = system_.start_system();
    const int more = drawn.info().row_count() - info_.row_count();
    if (&drawn == &system_ || drawn.info().row_count() > kMostDecidedRows)
      return {&info_, rows_, choice_};
    DrawnRows found{&drawn.info(), {}, {}};
    const State state = system_.find_drawn_state(state_);
    const auto ws = drawn.make_workspace();
    drawn.eval_configuration(state.t, state.q, *ws);
    drawn.eval_velocity(state.t, state.q, state.v, *ws);
    Vector norms;
    found.rows = make_rows(drawn, *ws, true, norms);
    found.choice = drawn_.is_known ? choose_some_rows(found.rows, drawn_.rank + more)
                                   : choose_rows(found.rows, kDrawnTolerance);
    return found;
  }

  void check_near_singular(const DrawnRows& drawn) {
    const RowChoice& choice = drawn.choice;
    for (const double own : choice.own_parts)
      report_.smallest_pivot = std::min(report_.smallest_pivot, own);
    if (!(report_.smallest_pivot < kNearSingular)) return;
    // The combination of rows that is nearly zero: the direction of the smallest singular value among the needed rows.
    const auto rank = std::ssize(choice.needed);
    Matrix needed(rank, drawn.rows.cols());
    for (Eigen::Index k = 0; k < rank; ++k)
      needed.row(k) = drawn.rows.row(choice.needed[static_cast<std::size_t>(k)]);
    Vector squares;
    Matrix vectors;
    if (!find_modes(Matrix::Identity(rank, rank), needed * needed.transpose(), squares, vectors))
      return;
    const Vector shares = vectors.col(0).cwiseAbs();
    std::vector<std::string> names;
    for (Eigen::Index k = 0; k < shares.size(); ++k)
      if (shares[k] > kRowShare * shares.maxCoeff())
        names.push_back(
            drawn.info->rows[static_cast<std::size_t>(choice.needed[static_cast<std::size_t>(k)])]);
    report_.warnings.push_back(
        fmt::format("the start is close to a singular pose: {} nearly follow from each other, only "
                    "{:.1e} of a row is its own",
                    join_names(names), report_.smallest_pivot));
  }

  void check_singular() {
    const bool is_closed = report_.max_phi <= drawn_.find_start_gap() * (1.0 + max_abs(state_.q));
    if (report_.redundant.empty() || report_.dof == 0 || !is_closed) return;
    const int rank = find_rank_beside();
    if (rank <= report_.rank) return;
    report_.dof_beside = report_.rates - rank;
    report_.warnings.push_back(
        fmt::format("the start is a singular pose: beside it {} more {} independent, and the "
                    "degrees of freedom are {} instead of {}",
                    rank - report_.rank, rank - report_.rank == 1 ? "row is" : "rows are",
                    report_.dof_beside, report_.dof));
  }

  int find_rank_beside() const {
    State beside = state_;
    const auto ws = system_.make_workspace();
    PositionLevel level(system_, *ws, beside, nullptr);
    level.select({level.list_rows(), {}});
    level.eval();
    std::mt19937_64 random(20260302);
    Vector delta = draw_vector(info_.nv, random);
    Vector norms;
    const Matrix scaling = level.make_scaling({});
    const Matrix rows = level.find_unit_rows(scaling, norms);
    const Vector change = (level.jacobian() * delta).cwiseQuotient(norms);
    delta -= scaling * solve_least_norm(rows, change, kDrawnTolerance);
    if (!delta.allFinite() || max_abs(delta) == 0.0) return 0;
    delta *= kBeside * (1.0 + max_abs(state_.q)) / max_abs(delta);
    level.move(level.find_step_limit(delta) * delta);
    int iterations = 0;
    if (!solve_newton(level, {}, 50, iterations)) return 0;
    system_.eval_configuration(beside.t, beside.q, *ws);
    system_.eval_motion(beside.t, beside.q, beside.v, *ws);
    if (!ws->jacobian.is_finite()) return 0;
    const DrawnRank drawn = find_drawn_rank(system_, beside);
    if (drawn.is_known) return drawn.rank;
    return static_cast<int>(
        choose_needed(make_rows(system_, *ws, report_.mass_definite, norms), drawn).needed.size());
  }

  const System& system_;
  const SystemInfo& info_;
  const State& state_;
  const Workspace& ws_;
  CheckReport& report_;
  Matrix rows_;
  Vector norms_;
  DrawnRank drawn_;
  RowChoice choice_;
  std::set<Eigen::Index> sharing_;   // rows that take part in some dependence
  std::vector<Eigen::Index> group_;  // of the row that is looked at
  std::vector<int> opposed_;
  std::vector<std::string> contradictions_;
};

}  // namespace

void check_rank(const System& system, const State& state, const Workspace& ws,
                CheckReport& report) {
  RankCheck(system, state, ws, report).run();
}

}  // namespace driftless
