#include "driftless/system/drawn_rank.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "driftless/math/decompositions.hpp"
#include "driftless/system/start_help.hpp"
#include "driftless/system/start_rows.hpp"

namespace driftless {

namespace {

std::unique_ptr<Workspace> evaluate(const System& system, const State& state) {
  auto ws = system.make_workspace();
  if (state.c.size() > 0) ws->states = state.c;
  system.eval_configuration(state.t, state.q, *ws);
  system.eval_velocity(state.t, state.q, state.v, *ws);
  return ws;
}

/// The sizes of the rows that a tree of joints leaves, by their names.
Vector pick_sizes(const SystemInfo& info, const SystemInfo& drawn, const Vector& sizes) {
  std::unordered_map<std::string_view, double> named;
  for (Eigen::Index i = 0; i < sizes.size(); ++i)
    named.emplace(drawn.rows[static_cast<std::size_t>(i)], sizes[i]);
  Vector picked = Vector::Zero(info.position_rows);
  for (Eigen::Index i = 0; i < picked.size(); ++i) {
    const auto found = named.find(info.rows[static_cast<std::size_t>(i)]);
    if (found != named.end()) picked[i] = found->second;
  }
  return picked;
}

struct DrawnRows {
  int rank = 0;
  double misfit = 0.0;
};

/// [DRW.2] and [DRW.3] of rows in the metric of [DRW.9]. By the singular values themselves: own parts of rows, which the
/// engines ask first, may be a hundred times as large.
DrawnRows look_at_rows(Matrix rows) {
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double length = rows.row(i).norm();
    if (length > 0.0) rows.row(i) /= length;
  }
  DrawnRows found;
  for (const double sigma : find_singular_values(rows)) {
    if (sigma >= kDrawnTolerance)
      ++found.rank;
    else if (sigma > kRedundantRow)
      found.misfit = std::max(found.misfit, sigma);
  }
  return found;
}

/// Rows that prescribe a motion: drives, and whatever else time changes while the bodies rest.
std::vector<bool> find_prescribing(const System& system, const State& state, const Workspace& ws) {
  std::vector<bool> found(static_cast<std::size_t>(system.info().row_count()), false);
  if (const auto* driven = dynamic_cast<const DrivenSystem*>(&system))
    for (const DrivenRow& row : driven->list_driven_rows())
      found[static_cast<std::size_t>(row.row)] = true;
  if (!system.info().has_time_rows) return found;
  const auto later = system.make_workspace();
  for (const double ahead : {0.037, 0.71, 5.3}) {
    system.eval_configuration(state.t + ahead, state.q, *later);
    for (Eigen::Index i = 0; i < ws.phi.size(); ++i)
      if (later->phi[i] != ws.phi[i]) found[static_cast<std::size_t>(i)] = true;
  }
  return found;
}

/// [DRW.11]
void look_without_drives(const System& system, const State& state, const Matrix& scaled,
                         const Workspace& ws, DrawnRank& found) {
  const std::vector<bool> prescribing = find_prescribing(system, state, ws);
  const auto others = std::count(prescribing.begin(), prescribing.end(), false);
  if (others == scaled.rows() || others == 0) return;
  Matrix rows(others, scaled.cols());
  for (Eigen::Index i = 0, k = 0; i < scaled.rows(); ++i)
    if (!prescribing[static_cast<std::size_t>(i)]) rows.row(k++) = scaled.row(i);
  const DrawnRows without = look_at_rows(std::move(rows));
  found.misfit = std::max(found.misfit, without.misfit);
  found.is_stuck_without_drives = without.rank == scaled.cols();
}

}  // namespace

DrawnRank find_drawn_rank(const System& system, const State& state) {
  const SystemInfo& info = system.info();
  const int rows = info.row_count();
  if (rows == 0) return {};
  const System& drawn = system.start_system();
  if (&drawn != &system) {
    DrawnRank found = find_drawn_rank(drawn, system.find_drawn_state(state));
    found.rank -= drawn.info().row_count() - rows;
    found.sizes = pick_sizes(info, drawn.info(), found.sizes);
    return found;
  }
  DrawnRank found{.is_known = false, .sizes = Vector::Zero(info.position_rows)};
  const auto ws = evaluate(system, state);
  if (!ws->jacobian.is_finite() || !ws->mass.is_finite()) return found;
  found.bodies = find_body_sizes(system, *ws);
  found.sizes = find_row_sizes(info, *ws, found.bodies);
  if (rows > kMostDecidedRows) return found;
  if (!found.bodies.empty()) {
    const Matrix scaled = ws->jacobian.dense() * make_drawn_scaling(info, found.bodies).dense();
    const DrawnRows all = look_at_rows(scaled);
    found.is_known = true;
    found.rank = all.rank;
    found.misfit = all.misfit;
    look_without_drives(system, state, scaled, *ws, found);
    return found;
  }
  const auto engine = system.make_engine(*ws, rows, EngineKind::dense);
  found.is_known = engine->factorize(ws->mass, true, ws->jacobian, kDrawnTolerance);
  if (!found.is_known) return found;
  found.rank = engine->rank();
  const double left_out = engine->largest_left_out();
  if (left_out > kRedundantRow) found.misfit = left_out;
  return found;
}

double DrawnRank::find_start_gap() const {
  constexpr double kLeastGap = 1e-9;
  return is_known ? std::clamp(kGapMisfits * misfit, kLeastGap, kDrawnGap) : kDrawnGap;
}

namespace {

constexpr double kOffTheRows = 1e-3;  // [DRW.7]

/// The rank where the mechanism is; -1: not known.
int find_rank_at(const System& system, const State& state, double tolerance) {
  const auto ws = evaluate(system, state);
  const auto engine = system.make_engine(*ws, system.info().row_count(), EngineKind::automatic);
  if (!ws->jacobian.is_finite() || !engine->factorize(ws->mass, true, ws->jacobian, tolerance))
    return -1;
  return engine->rank();
}

/// Newton's method, along directions that are clearly there. False: it does not close.
bool close(const System& system, double closed, State& state) {
  constexpr int kIterations = 30;
  const SystemInfo& info = system.info();
  const Vector force = Vector::Zero(info.nv);
  Vector change(info.nv), lambda(info.row_count()), missing = Vector::Zero(info.row_count());
  for (int k = 0; k < kIterations; ++k) {
    const auto ws = evaluate(system, state);
    if (!ws->jacobian.is_finite() || !ws->phi.allFinite()) return false;
    if (max_abs(ws->phi) <= closed * (1.0 + max_abs(state.q))) return true;
    const auto engine = system.make_engine(*ws, info.row_count(), EngineKind::automatic);
    if (!engine->factorize(ws->mass, true, ws->jacobian, kOffTheRows)) return false;
    missing.head(info.position_rows) = -ws->phi;
    engine->solve(force, missing, change, lambda);
    system.retract(state.q, change);
    system.normalize(state.q);
  }
  return false;
}

/// [DRW.7]: if there are more rows of their own beside the state, how many there are where the mechanism is closed again;
/// -1: there are not, or it is not known. With the engine factorised at the state.
int find_rank_closed_beside(const System& system, const State& state, SaddleEngine& engine,
                            const DrawnRank& drawn) {
  const double closed = std::max(1e-10, 3.0 * drawn.misfit);
  const double tolerance = std::max(1e-8, 30.0 * drawn.misfit);
  constexpr double kBeside = 1e-2;
  constexpr double kMoved = 0.3 * kBeside;
  const SystemInfo& info = system.info();
  Vector force(info.nv), motion(info.nv), lambda(info.row_count());
  for (const double phase : {1.0, 2.3, 3.9}) {
    for (Eigen::Index i = 0; i < force.size(); ++i)
      force[i] = std::sin(phase + 2.4 * static_cast<double>(i));
    engine.solve(force, Vector(Vector::Zero(info.row_count())), motion, lambda);
    const double fastest = max_abs(motion);
    if (!(fastest > 0.0) || !std::isfinite(fastest)) return -1;
    State beside = state;
    system.retract(beside.q, Vector(kBeside / fastest * motion));
    if (!(find_rank_at(system, beside, tolerance) > drawn.rank)) return -1;
    if (!close(system, closed, beside)) continue;
    system.find_increment(state.q, beside.q, motion);
    if (max_abs(motion) > kMoved) return find_rank_at(system, beside, tolerance);
  }
  return -1;
}

StartKind find_kind(const System& system, const State& state, const DrawnRank& drawn,
                    const Workspace& ws) {
  if (!drawn.is_known || drawn.rank == system.info().row_count()) return StartKind::ordinary;
  const auto engine = system.make_engine(ws, system.info().row_count(), EngineKind::dense);
  if (!engine->factorize(ws.mass, true, ws.jacobian, kDefaultRankTolerance))
    return StartKind::ordinary;
  const int rank = find_rank_closed_beside(system, state, *engine, drawn);
  if (rank > drawn.rank) return StartKind::singular;
  return rank == drawn.rank ? StartKind::overconstrained : StartKind::ordinary;
}

}  // namespace

StartRows look_at_start(const System& system, const State& start) {
  StartRows rows;
  rows.drawn = find_drawn_rank(system, start);
  if (system.info().row_count() == 0) return rows;
  const auto ws = evaluate(system, start);
  const DrawnRank& drawn = rows.drawn;
  rows.report = find_row_report(system.find_row_metric(*ws), ws->jacobian, kDrawnTolerance,
                                drawn.is_known ? drawn.rank : -1);
  rows.kind = find_kind(system, start, drawn, *ws);
  return rows;
}

double find_run_tolerance(const System& system, const State& state, const DrawnRank& drawn,
                          double tolerance, bool is_off_the_rows) {
  constexpr double kMargin = 1000.0;
  constexpr double kMost = 1e-2;
  constexpr double kLeast = 1e-10;
  if (!drawn.is_known || system.info().row_count() == 0) return tolerance;
  const auto ws = evaluate(system, state);
  const auto engine = system.make_engine(*ws, system.info().row_count(), EngineKind::automatic);
  const auto find_rank = [&](double tried) {
    return engine->factorize(ws->mass, true, ws->jacobian, tried) ? engine->rank() : -1;
  };
  double tried = tolerance;
  if (drawn.misfit > 0.0)
    tried = std::max({tolerance, kDrawnTolerance, std::min(kMargin * drawn.misfit, kMost)});
  int rank = find_rank(tried);
  if (is_off_the_rows && rank == drawn.rank) {
    tried = std::max(tried, kOffTheRows);
    rank = find_rank(tried);
  }
  const bool is_too_large = rank > drawn.rank;
  while (rank >= 0 && rank != drawn.rank && (rank > drawn.rank) == is_too_large) {
    const double next = is_too_large ? 10.0 * tried : 0.1 * tried;
    if (next > 3.0 * kMost || next < kLeast) break;
    tried = next;
    rank = find_rank(tried);
  }
  return rank == drawn.rank ? tried : tolerance;
}

double find_whole_row(const BlockMatrix& jacobian, int row) {
  const double share = jacobian.find_share(row);
  const double length = jacobian.find_row_norm(row);
  return share > 0.0 ? length / share : length;
}

std::string describe_misfit(double misfit) {
  if (!(misfit > 0.0)) return {};
  return fmt::format(
      "redundant constraints fit together only to {:.1e}: axes or points are drawn that much out "
      "of "
      "line, or the pose is nearly singular; they are taken as redundant, and joints stay open by "
      "up to about that part of the mechanism",
      misfit);
}

}  // namespace driftless
