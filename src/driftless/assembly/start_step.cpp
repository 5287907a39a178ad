// A step of least change, and what is closed as far as the drawing fits together (drawn_rank.hpp).
//
// With rows A = D G U of length 1, their singular directions (σ, u, v) and c = uᵀ D r,
//   delta = -U Σ v c/σ      over σ > 1e-10, directions with σ < τ [DRW.2] as below                              [START.8]
// Which ones are below τ is decided in the drawing's metric, not in that of the masses: as many of the smallest as there.
// A direction with σ < τ is one that the drawing does not mean, or the pose is nearly singular. In the first case c/σ is
// the way to where the drawing happens to close to the letter, which is anywhere; in the second the way to the singular
// pose, of the size of σ: so it is gone if it is short, kNear of the values, and left out if not. Rates that such a
// direction asks for are left out always: a run leaves it out as well. Of directions of many rows below τ no more are left
// out than there are rows with a small own part, because long chains have small singular values without any (saddle.hpp).

#include <algorithm>
#include <cmath>

#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/start_level.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/math/row_choice.hpp"
#include "driftless/system/body_sizes.hpp"
#include "driftless/system/drawn_rank.hpp"

namespace driftless {
namespace {

constexpr double kNoDirection = 1e-10;  // σ of rows that are redundant to round-off
constexpr double kDoubtful =
    1e-3;  // σ in the mass metric beyond which none is below τ in the drawing's
constexpr double kNear = 1e-4;
constexpr double kStill = 1e-10;  // steps that are round-off, relative to the values
constexpr double kWanted = 1e-9;  // of wanted values, likewise

/// How many directions of these rows are below τ [DRW.2]; of many rows no more than have a small part of their own.
Eigen::Index count_doubtful(const Matrix& rows) {
  const Vector sigmas = find_singular_values(rows);
  if (sigmas.size() == 0) return 0;
  const double least = kNoDirection * sigmas[0];
  const Eigen::Index small = (sigmas.array() > least && sigmas.array() < kDrawnTolerance).count();
  if (small == 0 || rows.rows() <= kMostDecidedRows) return small;
  const Eigen::Index without = rows.rows() - (sigmas.array() > least).count();
  const auto own = choose_rows(rows, kPivotMargin * kDrawnTolerance);
  return std::clamp<Eigen::Index>(std::ssize(own.redundant) - without, 0, small);
}

}  // namespace

Matrix StartLevel::find_unit_rows(const Matrix& scaling, Vector& norms) const {
  return normalize_rows(jacobian_ * scaling, shares_, norms);
}

StartLevel::Step StartLevel::find_step(const std::vector<bool>& is_free, Doubtful rule) {
  Step step;
  const Matrix scaling = make_scaling(is_free);
  const Matrix rows = find_unit_rows(scaling, step.norms);
  const Vector missing = residual_.cwiseQuotient(step.norms);
  const SingularDirections found = find_singular_directions(rows);
  const Vector& sigmas = found.values;
  const double least = sigmas.size() > 0 ? kNoDirection * sigmas.maxCoeff() : 0.0;
  Vector norms;
  const bool may_be = (sigmas.array() > least && sigmas.array() < kDoubtful).any();
  const Matrix drawn =
      may_be ? make_drawn_scaling(info(), find_body_sizes(system_, ws_)).dense() : Matrix();
  const Eigen::Index doubtful = !may_be ? 0
                                : drawn.size() > 0
                                    ? count_doubtful(normalize_rows(jacobian_ * drawn, norms))
                                    : count_doubtful(rows);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(sigmas.size()));
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Eigen::Index>(k);
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index a, Eigen::Index b) { return sigmas[a] < sigmas[b]; });
  step.delta = Vector::Zero(scaling.rows());
  step.kept.resize(rows.rows(), sigmas.size());
  Eigen::Index kept = 0;
  Eigen::Index seen = 0;
  for (const Eigen::Index k : order) {
    if (!(sigmas[k] > least)) continue;
    const double way = found.left.col(k).dot(missing) / sigmas[k];
    const Vector delta = scaling * (way * found.right.col(k));
    if (seen < doubtful && sigmas[k] < kDoubtful) {
      ++seen;
      const bool is_near = rule == Doubtful::gone_if_near && !is_velocity() &&
                           max_abs(delta) <= kNear * (1.0 + max_abs(values()));
      if (!is_near) continue;
    }
    step.kept.col(kept++) = found.left.col(k);
    step.delta -= delta;
  }
  step.kept.conservativeResize(Eigen::NoChange, kept);
  return step;
}

Vector StartLevel::find_gap_sizes() const {
  if (&system_.start_system() != &system_) return find_drawn_rank(system_, state_).sizes;
  return find_row_sizes(info(), ws_, find_body_sizes(system_, ws_));
}

bool StartLevel::has_drawn_gaps() {
  const Vector sizes = is_velocity() ? Vector() : find_gap_sizes();
  const double speed = is_velocity() ? values().norm() : 0.0;
  const Vector whole = is_velocity() ? find_whole_rows() : Vector();
  const double most = is_on_the_way_ ? kGapMisfits * kDrawnTolerance : kDrawnGap;
  double widest = 0.0;
  for (std::size_t k = 0; k < selection_.rows.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    double size = is_velocity() ? speed * whole[i] : sizes[selection_.rows[k]];
    if (!is_velocity() && !(size > 0.0))  // as a run does
      size = jacobian_.row(i).norm() * (1.0 + max_abs(values()));
    if (!(std::abs(residual_[i]) <= most * size)) return false;
    if (size > 0.0) widest = std::max(widest, std::abs(residual_[i]) / size);
  }
  for (std::size_t k = 0; k < selection_.targets.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(selection_.rows.size() + k);
    const double wanted = target(selection_.targets[k]).value;
    if (!(std::abs(residual_[i]) <= kWanted * (1.0 + std::abs(wanted)))) return false;
  }
  const DrawnRank drawn = find_drawn_rank(system_, state_);
  return widest <= (is_on_the_way_ ? drawn.find_visible_gap() : drawn.find_start_gap());
}

bool StartLevel::is_closed_as_drawn() {
  if (info().row_units.empty() || !is_finite() || !has_drawn_gaps()) return false;
  // Of the rows alone: a wanted value that is at odds with them leaves them open along directions that count.
  const Selection all = selection_;
  const Vector held_back = remaining_;
  select({all.rows, {}});
  eval();
  const Vector delta = find_step({}, Doubtful::left_out).delta;
  select(all);
  hold_back(held_back);
  eval();
  return max_abs(delta) <= kStill * (1.0 + max_abs(values()));
}

}  // namespace driftless
