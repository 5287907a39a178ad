// Joints that cannot be closed. Least squares spreads what is missing over all joints of a loop, by their masses. A user
// wants to know how far apart two parts are if everything else fits. So one joint after the other is left open, those
// with the largest shares first, all others are closed, and what is left between the two parts is made as small as it can
// be [START.5]. The joint with the smallest gap is named; among equals, the one for which least has to move from where it
// was drawn. If none does alone, two or three are opened.
//
// A gap of one joint, however, can be moved into any other joint of its loop: two axes that are drawn apart are no
// farther from closed if another hinge takes the angle. So if the drawing itself has everything closed but a few
// elements, one of these is drawn wrong, and it is named unless another gap is much smaller, as where drives only start
// elsewhere than drawn.                                                                                        [START.6]

#include "driftless/assembly/start_failure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "driftless/assembly/contradiction.hpp"
#include "driftless/assembly/metric.hpp"
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

/// "x = 1e+200".
std::string describe_largest(StartLevel& level) {
  const Vector& values = level.values();
  if (values.size() == 0) return {};
  Eigen::Index largest = 0;
  values.cwiseAbs().maxCoeff(&largest);
  const SystemInfo& info = level.info();
  const std::string& name =
      (level.is_velocity() ? info.rates : info.coordinates)[static_cast<std::size_t>(largest)];
  return fmt::format("{} = {:.6g}", name, values[largest]);
}

/// "'B' stays open by 12.3 mm, 'C' by 4.1 deg".
std::string list_gaps(const std::vector<Gap>& gaps) {
  std::string text;
  for (const Gap& gap : gaps) {
    text += fmt::format("{}'{}'{} by {}", text.empty() ? "" : ", ", gap.element,
                        text.empty() ? " stays open" : "", describe_gap(gap));
  }
  return text;
}

class Explanation {
 public:
  Explanation(StartLevel& level, const Wishes& wishes, const SearchLimits& limits,
              StartReport& report)
      : level_(level), wishes_(wishes), limits_(limits), report_(report) {}

  void run(const SearchReport& found) {
    what_ = level_.is_velocity() ? "velocity residual" : "residual";
    start_ = level_.values();
    if (found.turned_over.size() > 0) {
      explain_turned_over(found.turned_over);
      return;
    }
    if (found.nearest.size() > 0) level_.values() = found.nearest;
    threads_ = found.nearest_threads;
    set_threads(threads_);
    level_.select({level_.list_rows(), wishes_.exact});
    level_.eval();
    if (!find_worst()) return;
    if (wishes_.exact.empty() && explain_contradiction()) return;
    measure_gaps();
    if (explain_exact()) return;
    report_.gaps.empty() ? explain_rows() : explain_gaps();
  }

 private:
  Source find_source(Eigen::Index row) const {
    const std::vector<Source>& sources = level_.info().row_sources;
    return sources.empty() ? Source{} : sources[static_cast<std::size_t>(row)];
  }
  Source find_source(const std::string& name) const {
    for (const ElementInfo& element : level_.info().elements)
      if (element.name == name) return element.where;
    return report_.where;
  }

  /// False: some row is not finite, and that is the explanation.
  bool find_worst() {
    const Vector& rows = level_.row_residual();
    if (rows.size() == 0) return true;
    Eigen::Index worst = 0;
    if (rows.allFinite()) {
      rows.cwiseAbs().maxCoeff(&worst);
    } else {
      while (std::isfinite(rows[worst])) ++worst;
    }
    report_.worst_row = level_.info().rows[static_cast<std::size_t>(worst)];
    report_.worst_residual = rows[worst];
    report_.where = find_source(worst);
    if (std::isfinite(rows[worst])) return true;
    report_.message =
        fmt::format("constraint '{}' has no finite {} at the start", report_.worst_row, what_);
    report_.suggestion =
        is_finite_later(worst)
            ? fmt::format(
                  "change the expression of '{}', which has no value or no derivative at "
                  "t = {:.6g}, but later: its beginning is at fault, not the start values",
                  report_.worst_row, level_.state().t)
            : fmt::format(
                  "change the start values, the largest of which is {}: the expression is "
                  "not defined there",
                  describe_largest(level_));
    return false;
  }

  /// A row that has a value a little later is one of time.
  bool is_finite_later(Eigen::Index row) {
    constexpr double kLater = 1e-3;
    State& state = level_.state();
    const double t = state.t;
    state.t += kLater;
    level_.eval();
    const bool is_finite = std::isfinite(level_.row_residual()[row]);
    state.t = t;
    level_.eval();
    return is_finite;
  }

  /// Everything holds, but only with joints on their wrong side.
  void explain_turned_over(const Vector& values) {
    level_.values() = values;
    const Vector turns = level_.system().find_turns_off(values);
    std::vector<std::string> names;
    double angle = 0.0;
    for (const std::size_t k : level_.find_turned(1e-3)) {
      const ElementInfo& element = level_.info().elements[k];
      const double turn = turns[static_cast<Eigen::Index>(k)];
      report_.gaps.push_back({element.name, 0.0, turn});
      names.push_back(element.name);
      angle = std::max(angle, turn);
      if (report_.where.line == 0) report_.where = element.where;
    }
    const bool is_one = names.size() == 1;
    report_.message = fmt::format(
        "the mechanism closes only with {} the wrong way round: {} frames stay turned by {:.4g} "
        "deg against what the joint allows",
        join_names(names), is_one ? "its" : "their", angle * 180.0 / std::numbers::pi);
    report_.suggestion = fmt::format(
        "turn one frame of {} by that angle (of a hinge: reverse one of its two axes), or give "
        "start values nearer to the wanted pose",
        is_one ? join_names(names) : "each");
  }

  bool explain_contradiction() {
    const std::vector<int> rows = find_contradictory_rows(level_);
    if (rows.size() < 2) return false;
    std::string left;
    std::vector<std::string> elements;
    for (const int row : rows) {
      report_.contradictory.push_back(level_.info().rows[static_cast<std::size_t>(row)]);
      report_.where = find_source(row);  // the last one: the others were there before it
      left += fmt::format("{}{:.3g}", left.empty() ? "" : ", ", level_.row_residual()[row]);
      for (const ElementInfo& element : level_.info().elements) {
        const bool is_its =
            std::find(element.rows.begin(), element.rows.end(), row) != element.rows.end();
        if (is_its && (elements.empty() || elements.back() != element.name))
          elements.push_back(element.name);
      }
    }
    measure_gaps();
    const std::string names = join_names(elements.empty() ? report_.contradictory : elements);
    report_.message =
        report_.gaps.empty()
            ? fmt::format(
                  "the constraints cannot be met at the start: {} contradict each other "
                  "(the {} stays at {})",
                  names, what_, left)
            : fmt::format("the mechanism cannot be closed: {} contradict each other, {}{}", names,
                          list_gaps(report_.gaps), note_others());
    report_.suggestion = fmt::format("remove or correct one of {}", names);
    return true;
  }

  // --- gaps ------------------------------------------------------------------------------------

  std::vector<Gap> find_level_gaps() {
    if (level_.is_velocity()) return {};
    return find_gaps(level_.info(), level_.row_residual(), level_.row_jacobian());
  }

  /// Those with at least this share of the largest.
  std::vector<Gap> find_largest_gaps(double share) {
    std::vector<Gap> gaps = find_level_gaps();
    double largest = 0.0;
    for (const Gap& gap : gaps) largest = std::max(largest, gap.size());
    std::erase_if(gaps, [&](const Gap& gap) {
      return !(gap.size() > share * largest) || !(gap.size() > 1e-9);
    });
    return gaps;
  }

  void set_threads(const std::vector<double>& turns) {
    if (!turns.empty()) level_.set_thread_turns(turns);
  }

  std::vector<double> find_threads() {
    return level_.count_free_threads() > 0 ? level_.find_thread_turns() : std::vector<double>();
  }

  void measure_gaps() {
    report_.gaps = find_largest_gaps(kShown);
    if (report_.gaps.empty()) return;
    for (const Gap& gap : report_.gaps) sharing_.push_back(gap.element);
    const Vector nearest = level_.values();
    const std::vector<Gap> drawn = find_drawn_gaps();
    Opening opening = find_opening(list_choices(report_.gaps), nearest);
    if (!drawn.empty() && drawn.size() <= kMostOpened) {
      Opening of_drawn = find_opening(list_choices(drawn), nearest);
      const bool is_small = !opening.is_found() || of_drawn.size < kMuchSmaller * opening.size;
      if (of_drawn.is_found() && is_small) opening = std::move(of_drawn);
    }
    others_close_ = opening.is_found();
    if (others_close_) {
      report_.gaps = opening.gaps;
      sharing_ = opening.sharing;
    }
    level_.values() = others_close_ ? opening.pose : nearest;
    if (others_close_) threads_ = opening.threads;
    set_threads(threads_);
    level_.select({level_.list_rows(), wishes_.exact});
    level_.eval();
  }

  /// Some elements open, all others closed.
  struct Opening {
    std::vector<Gap> gaps;
    std::vector<std::string> sharing;
    Vector pose;
    std::vector<double> threads;
    double size = 0.0;    // of the gaps
    double change = 0.0;  // of the pose

    bool is_found() const { return pose.size() > 0; }
  };

  /// [START.6]: elements that are open in the drawing; none if it has to be left for exact values.
  std::vector<Gap> find_drawn_gaps() {
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

  /// One alone, then the two and the three with the largest shares.
  static std::vector<std::vector<std::string>> list_choices(std::vector<Gap> shares) {
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

  Opening find_opening(const std::vector<std::vector<std::string>>& choices,
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

  /// From the given pose, squared, in the mass metric.
  double find_change() {
    Vector delta(level_.info().nv);
    level_.system().find_increment(start_, level_.values(), delta);
    return delta.dot(level_.mass() * delta);
  }

  /// Closes all others from several poses; what stays open is the least that was found. False: they do not close.
  /// `lengths_only`: also the opened ones keep their angles.
  bool leave_open(const std::vector<std::string>& opened, bool lengths_only,
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

  /// What is missing of the soft rows where that is least; infinity: the hard ones do not close.
  double close_others(const Selection& hard, const Selection& soft) {
    int& iterations = report_.position_iterations;
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

  /// The least with nuts that slide is near to the least with nuts that turn.
  double pull_along_threads(const Selection& hard, const Selection& soft) {
    double missing = pull_open(hard, soft);
    for (int round = 0; round < kThreadRounds; ++round) {
      const Vector pose = level_.values();
      const std::vector<double> held = level_.find_thread_turns();
      pull_open(leave_out_threads(level_, hard), soft);
      settle_threads(level_);
      level_.select(hard);
      const double next = solve_from_far(level_, {}, kCloseIterations, report_.position_iterations)
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

  double pull_open(const Selection& hard, const Selection& soft) {
    pull(level_, hard, soft, kPullIterations, report_.position_iterations);
    level_.select(soft);
    level_.eval();
    return level_.residual().norm();
  }

  /// Elements that hold against each other where the gap is least: a force that pulls it closed, Sᵀ s, is balanced by the
  /// others, Hᵀ μ = Sᵀ s, and those without a share in μ have nothing to do with it.
  void find_sharing(const Selection& hard, const Selection& soft) {
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

  // --- words -----------------------------------------------------------------------------------

  /// Without the exact values it closes: they are in the way, and it is said how near they can come.
  bool explain_exact() {
    if (wishes_.exact.empty()) return false;
    Wishes softer;
    softer.preferred = wishes_.exact;
    level_.values() = start_;
    level_.let_turns_free(TurnFreedom::all);
    const bool names = search(level_, softer, {}, limits_).closed && name_exact();
    level_.let_turns_free(TurnFreedom::not_given);
    return names;
  }

  bool name_exact() {
    std::string wanted;
    std::string nearest;
    for (const std::size_t index : wishes_.exact) {
      if (level_.is_reached(index)) continue;
      const StartTarget& target = level_.target(index);
      const double reached = level_.find_reached(index);
      wanted += (wanted.empty() ? "" : " and ") + describe_target(target, target.value);
      nearest += (nearest.empty() ? "" : " and ") + describe_target(target, reached);
    }
    if (wanted.empty()) return false;
    report_.where = level_.target(wishes_.exact.front()).where;
    const std::string gaps = list_gaps(report_.gaps);
    report_.message = fmt::format("{} cannot be met at the start{}", wanted,
                                  gaps.empty() ? "" : ": " + gaps + note_others());
    report_.suggestion = fmt::format(
        "without the priority \"exact\" it closes, with {}: give a value that can be met, or "
        "another priority",
        nearest);
    return true;
  }

  std::string note_others() const {
    return others_close_ && sharing_.size() > 1 ? " with all others closed" : "";
  }

  void explain_rows() {
    report_.message =
        fmt::format("the constraints cannot be met at the start: the {} of '{}' stays at {:.3g}",
                    what_, report_.worst_row, report_.worst_residual);
    report_.suggestion =
        "the dimensions do not fit, or the start values are too far from a possible pose: check "
        "the dimensions, or give start values nearer to one";
  }

  /// Some of its rows hold axes against each other.
  bool has_axes(const std::string& name) const {
    const SystemInfo& info = level_.info();
    for (const ElementInfo& element : info.elements) {
      if (element.name != name) continue;
      return std::any_of(element.rows.begin(), element.rows.end(), [&](int row) {
        return info.row_units[static_cast<std::size_t>(row)] == "1";
      });
    }
    return false;
  }

  void explain_gaps() {
    report_.where = find_source(report_.gaps.front().element);
    report_.message =
        fmt::format("the mechanism cannot be closed: {}{}", list_gaps(report_.gaps), note_others());
    std::vector<std::string> bodies;
    for (const ElementInfo& element : level_.info().elements) {
      if (std::find(sharing_.begin(), sharing_.end(), element.name) == sharing_.end()) continue;
      for (const int body : element.bodies) {
        const std::string& name = level_.info().bodies[static_cast<std::size_t>(body)].name;
        if (std::find(bodies.begin(), bodies.end(), name) == bodies.end()) bodies.push_back(name);
      }
    }
    const Gap& gap = report_.gaps.front();
    if (report_.gaps.size() == 1 && !(gap.metres > 1e-9) && has_axes(gap.element)) {
      report_.suggestion = fmt::format(
          "turn one of the two frames or axes of '{}' by that angle, or change what {} ask for; if "
          "they do fit, give start values nearer to a possible pose",
          gap.element, join_names(sharing_));
      return;
    }
    report_.suggestion = fmt::format(
        "the dimensions do not fit: change, by that much, the dimensions of {} or what {} ask for; "
        "if they do fit, give start values nearer to a possible pose",
        join_names(bodies), join_names(sharing_));
  }

  StartLevel& level_;
  const Wishes& wishes_;
  const SearchLimits& limits_;
  StartReport& report_;
  std::string what_;
  Vector start_;
  std::vector<std::string> sharing_;  // elements that share in what is missing
  std::vector<double> threads_;       // how far along theirs the screws are where least is missing
  bool others_close_ = false;
};

}  // namespace

bool check_range(const Vector& values, const std::vector<std::string>& names, StartReport& report) {
  constexpr double kLargest = 1e150;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) <= kLargest) continue;  // false for NaN
    report.message = fmt::format(
        "the start value {} = {:.6g} is too large: its square is beyond double precision",
        names[static_cast<std::size_t>(i)], values[i]);
    report.suggestion = fmt::format("give a value between -{:.0e} and {:.0e}", kLargest, kLargest);
    return false;
  }
  return true;
}

std::string describe_target(const StartTarget& target, double value) {
  constexpr double kRoundOff = 1e-14;  // in m, rad and their rates: nobody means less
  const bool is_angle = target.unit == "rad";
  const double shown = std::abs(value) < kRoundOff ? 0.0 : value;
  return fmt::format("{} = {:.6g} {}", target.name,
                     is_angle ? shown * 180.0 / std::numbers::pi : shown,
                     is_angle ? "deg" : target.unit);
}

void explain_failure(StartLevel& level, const Wishes& wishes, const SearchReport& found,
                     const SearchLimits& limits, StartReport& report) {
  Explanation(level, wishes, limits, report).run(found);
}

}  // namespace driftless
