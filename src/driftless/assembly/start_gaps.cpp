// Joints that cannot be closed. Least squares spreads what is missing over all joints of a loop, by their masses. A user
// wants to know how far apart two parts are if everything else fits. So one joint after the other is left open, those
// with the largest shares first, all others are closed, and what is left between the two parts is made as small as it can
// be [START.5]. The joint with the smallest gap is named; among equals, the one for which least has to move from where it
// was drawn. If none does alone, two or three are opened.
//
// A gap of one joint, however, can be moved into any other joint of its loop: two axes that are drawn apart are no
// farther from closed if another hinge takes the angle. So if the drawing itself has everything closed but a few
// elements, one of these is drawn wrong, and it is named unless another gap is much smaller, as where drives only start
// elsewhere than drawn.                                                                                        [START.8]

#include "driftless/assembly/start_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/start_poses.hpp"
#include "driftless/assembly/start_threads.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMostShares = 8;
constexpr std::size_t kMostOpened = 3;
constexpr double kShown = 1e-3;    // shares of the largest gap
constexpr double kClearly = 1e-6;  // a gap that is smaller by less is the same
constexpr double kMuchSmaller = 2.0;
constexpr double kSharing = 1e-4;  // of the largest force: what bears less takes no part
constexpr int kPullIterations = 200;
constexpr int kCloseIterations = 200;

}  // namespace

OpenElements GapFinder::find() {
  OpenElements found;
  found.gaps = find_largest_gaps(kShown);
  if (found.gaps.empty()) return found;
  for (const Gap& gap : found.gaps) found.sharing.push_back(gap.element);
  const Vector nearest = level_.values();
  const std::vector<Gap> drawn = find_drawn_gaps();
  Opening opening = find_opening(list_choices(found.gaps), nearest);
  if (!drawn.empty() && drawn.size() <= kMostOpened) {
    Opening of_drawn = find_opening(list_choices(drawn), nearest);
    const bool is_small = !opening.is_found() || of_drawn.size < kMuchSmaller * opening.size;
    if (of_drawn.is_found() && is_small) opening = std::move(of_drawn);
  }
  found.others_close = opening.is_found();
  level_.values() = nearest;
  if (found.others_close) {
    found.gaps = opening.gaps;
    found.sharing = opening.sharing;
    level_.values() = opening.pose;
    threads_ = opening.threads;
  }
  set_threads(threads_);
  level_.select({level_.list_rows(), wishes_.exact});
  level_.eval();
  return found;
}

bool GapFinder::open_alone(const std::string& element) {
  const std::vector<Vector> poses{level_.values(), start_};
  const bool closes = leave_open({element}, false, poses);
  if (!closes) {
    level_.values() = poses[0];
    set_threads(threads_);
  }
  level_.select({level_.list_rows(), wishes_.exact});
  level_.eval();
  return closes;
}

std::vector<Gap> GapFinder::find_level_gaps() {
  if (level_.is_velocity()) return {};
  return find_gaps(level_.info(), level_.row_residual(), level_.row_jacobian());
}

std::vector<Gap> GapFinder::find_largest_gaps(double share) {
  std::vector<Gap> gaps = find_level_gaps();
  double largest = 0.0;
  for (const Gap& gap : gaps) largest = std::max(largest, gap.size());
  std::erase_if(gaps, [&](const Gap& gap) {
    return !(gap.size() > share * largest) || !(gap.size() > 1e-9);
  });
  return gaps;
}

void GapFinder::set_threads(const std::vector<double>& turns) {
  if (!turns.empty()) level_.set_thread_turns(turns);
}

std::vector<double> GapFinder::find_threads() {
  return level_.count_free_threads() > 0 ? level_.find_thread_turns() : std::vector<double>();
}

std::vector<Gap> GapFinder::find_drawn_gaps() {
  const Vector nearest = level_.values();
  level_.values() = start_;
  level_.select({level_.list_rows(), {}});
  set_threads(std::vector<double>(threads_.size(), 0.0));
  level_.eval();
  std::vector<Gap> gaps = find_largest_gaps(kShown);
  level_.values() = nearest;
  set_threads(threads_);
  return gaps;
}

std::vector<std::vector<std::string>> GapFinder::list_choices(std::vector<Gap> shares) {
  std::sort(shares.begin(), shares.end(),
            [](const Gap& a, const Gap& b) { return a.size() > b.size() * (1.0 + 1e-6); });
  if (shares.size() > kMostShares) shares.resize(kMostShares);
  std::vector<std::vector<std::string>> choices;
  for (const Gap& gap : shares) choices.push_back({gap.element});
  for (std::size_t count = 2; count <= std::min(kMostOpened, shares.size()); ++count) {
    choices.emplace_back();
    for (std::size_t k = 0; k < count; ++k) choices.back().push_back(shares[k].element);
  }
  return choices;
}

GapFinder::Opening GapFinder::find_opening(const std::vector<std::vector<std::string>>& choices,
                                           const Vector& nearest) {
  const std::vector<Vector> poses{nearest, start_};
  Opening best;
  for (const std::vector<std::string>& opened : choices) {
    if (opened.size() > 1 && best.is_found()) break;  // one alone does
    if (!leave_open(opened, true, poses) && !leave_open(opened, false, poses)) continue;
    Opening opening{
        find_largest_gaps(kShown), sharing_, level_.values(), find_threads(), 0.0, find_change()};
    for (const Gap& gap : opening.gaps) opening.size += gap.size();
    const bool is_smaller = opening.size < (1.0 - kClearly) * best.size;
    const bool is_nearer =
        opening.size < (1.0 + kClearly) * best.size && opening.change < best.change;
    if (!best.is_found() || is_smaller || is_nearer) best = std::move(opening);
  }
  return best;
}

double GapFinder::find_change() {
  Vector delta(level_.info().nv);
  level_.system().find_increment(start_, level_.values(), delta);
  return delta.dot(level_.mass() * delta);
}

bool GapFinder::leave_open(const std::vector<std::string>& opened, bool lengths_only,
                           const std::vector<Vector>& poses) {
  Selection hard{{}, wishes_.exact};
  Selection soft;
  for (const ElementInfo& element : level_.info().elements) {
    const bool is_open = std::find(opened.begin(), opened.end(), element.name) != opened.end();
    for (const int i : element.rows) {
      if (i >= level_.row_count()) continue;
      const bool is_length = level_.info().row_units[static_cast<std::size_t>(i)] == "m";
      (is_open && (is_length || !lengths_only) ? soft.rows : hard.rows).push_back(i);
    }
  }
  if (soft.rows.empty()) return false;
  Vector best;
  std::vector<double> best_threads;
  double least = 0.0;
  for (const Vector& pose : poses) {
    level_.values() = pose;
    set_threads(threads_);
    const double missing = close_others(hard, soft);
    if (!std::isfinite(missing) || (best.size() > 0 && !(missing < least))) continue;
    best = level_.values();
    best_threads = find_threads();
    least = missing;
  }
  if (best.size() == 0) return false;
  level_.values() = best;
  set_threads(best_threads);
  find_sharing(hard, soft);
  return true;
}

double GapFinder::close_others(const Selection& hard, const Selection& soft) {
  int& iterations = iterations_;
  level_.select(hard);
  level_.eval();
  if (!level_.is_met()) {
    level_.select({find_angle_rows(level_), {}});
    solve_newton(level_, {}, limits_.max_iterations, iterations);
  }
  level_.select(hard);
  if (!close_along_threads(level_, kCloseIterations, iterations))
    return std::numeric_limits<double>::infinity();
  return level_.count_free_threads() > 0 ? pull_along_threads(hard, soft) : pull_open(hard, soft);
}

double GapFinder::pull_along_threads(const Selection& hard, const Selection& soft) {
  double missing = pull_open(hard, soft);
  for (int round = 0; round < kThreadRounds; ++round) {
    const Vector pose = level_.values();
    const std::vector<double> held = level_.find_thread_turns();
    pull_open(leave_out_threads(level_, hard), soft);
    settle_threads(level_);
    level_.select(hard);
    const double next = solve_from_far(level_, {}, kCloseIterations, iterations_)
                            ? pull_open(hard, soft)
                            : std::numeric_limits<double>::infinity();
    if (next < (1.0 - kSharing) * missing) {
      missing = next;
      continue;
    }
    level_.values() = pose;
    level_.set_thread_turns(held);
    break;
  }
  return missing;
}

double GapFinder::pull_open(const Selection& hard, const Selection& soft) {
  pull(level_, hard, soft, kPullIterations, iterations_);
  level_.select(soft);
  level_.eval();
  return level_.residual().norm();
}

void GapFinder::find_sharing(const Selection& hard, const Selection& soft) {
  level_.select(soft);
  level_.eval();
  const Matrix scaling = level_.make_scaling({});
  const Vector pull = (level_.jacobian() * scaling).transpose() * level_.residual();
  level_.select(hard);
  level_.eval();
  Vector norms;
  const Matrix fixed = normalize_rows(level_.jacobian() * scaling, norms);
  const Vector share = solve_least_norm(fixed.transpose(), pull, 1e-9).cwiseAbs();
  const double least = kSharing * max_abs(share);
  sharing_.clear();
  for (const ElementInfo& element : level_.info().elements) {
    const bool takes_part = std::any_of(element.rows.begin(), element.rows.end(), [&](int row) {
      if (std::find(soft.rows.begin(), soft.rows.end(), row) != soft.rows.end()) return true;
      const auto place = std::find(hard.rows.begin(), hard.rows.end(), row);
      return place != hard.rows.end() && share[place - hard.rows.begin()] > least;
    });
    if (takes_part) sharing_.push_back(element.name);
  }
}

}  // namespace driftless
