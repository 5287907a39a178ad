// The words for a start that cannot be found: values that are not defined, joints the wrong way round, rows that contradict
// each other, gaps (start_gaps.cpp), and what drives ask for beyond reach.

#include "driftless/assembly/start_failure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "driftless/assembly/asked_values.hpp"
#include "driftless/assembly/contradiction.hpp"
#include "driftless/assembly/start_gaps.hpp"
#include "driftless/base/names.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/system/drawn_rank.hpp"

namespace driftless {
namespace {

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

  /// True: it closes after all.
  bool run(const SearchReport& found) {
    what_ = level_.is_velocity() ? "velocity residual" : "residual";
    start_ = level_.values();
    if (found.turned_over.size() > 0) {
      explain_turned_over(found.turned_over);
      return false;
    }
    if (found.nearest.size() > 0) level_.values() = found.nearest;
    finder_.emplace(level_, wishes_, limits_, start_, found.nearest_threads,
                    report_.position_iterations);
    level_.select({level_.list_rows(), wishes_.exact});
    level_.eval();
    if (!find_worst()) return false;
    if (wishes_.exact.empty() && explain_contradiction()) return false;
    measure_gaps();
    if (is_closed()) return true;
    if (explain_exact()) return false;
    report_.gaps.empty() ? explain_rows() : explain_gaps();
    if (!report_.gaps.empty()) add_reach();
    return false;
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
        : max_abs(level_.values()) > 0.0
            ? fmt::format(
                  "change the start values, the largest of which is {}: the expression is "
                  "not defined there",
                  describe_largest(level_))
            : fmt::format(
                  "change the pose as drawn, or its start values: '{}' is not defined there",
                  report_.worst_row);
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
    tell_of_stuck();
    return true;
  }

  /// [DRW.11]
  void tell_of_stuck() {
    if (!find_drawn_rank(level_.system(), level_.state()).is_stuck_without_drives) return;
    report_.message += ": without its drives the mechanism has no degree of freedom";
    report_.suggestion += fmt::format(
        "; if axes are meant to be parallel, or points to lie in a plane, draw them so to {:.0e} "
        "of the mechanism",
        kDrawnTolerance);
  }

  void measure_gaps() {
    OpenElements open = finder_->find();
    report_.gaps = std::move(open.gaps);
    sharing_ = std::move(open.sharing);
    others_close_ = open.others_close;
  }

  /// Where the gaps are measured, nothing is open.
  bool is_closed() {
    if (!others_close_ || !report_.gaps.empty()) return false;
    int& iterations =
        level_.is_velocity() ? report_.velocity_iterations : report_.position_iterations;
    polish(level_, {}, iterations);
    if (!level_.is_met() || level_.is_turned_over()) return false;
    report_.worst_row.clear();
    report_.worst_residual = 0.0;
    report_.where = {};
    return true;
  }

  // --- words -----------------------------------------------------------------------------------

  /// Without the exact values it closes: they are in the way, and it is said how near they can come.
  bool explain_exact() {
    if (wishes_.exact.empty()) return false;
    Wishes softer;
    softer.preferred = wishes_.exact;
    level_.values() = start_;
    level_.let_turns_free(TurnFreedom::all);
    const bool names = close_softly(softer) && name_exact();
    level_.let_turns_free(TurnFreedom::not_given);
    return names;
  }

  /// Rates are linear, so that Newton's method finds them, also where a search gives up: along rows that nearly follow
  /// from each other.
  bool close_softly(const Wishes& softer) {
    if (!level_.is_velocity()) return search(level_, softer, {}, limits_).closed;
    level_.select({level_.list_rows(), {}});
    int& iterations = report_.velocity_iterations;
    if (!solve_newton(level_, {}, limits_.max_iterations, iterations)) return false;
    pull_wishes(level_, softer, limits_.max_iterations, iterations);
    return true;
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

  /// What drives that have a part in it could ask for instead, each with all others closed.
  void add_reach() {
    if (level_.is_velocity()) return;
    const Vector pose = level_.values();
    std::string told;
    for (const ElementInfo& element : level_.info().elements) {
      if (std::find(sharing_.begin(), sharing_.end(), element.name) == sharing_.end()) continue;
      level_.values() = pose;
      const std::vector<AskedValue> before = find_asked_values(level_, element);
      if (before.empty() || !finder_->open_alone(element.name)) continue;
      told +=
          fmt::format("{}'{}' asks for {} at t = {:.6g}, and the nearest that can be reached is {}",
                      told.empty() ? "" : "; ", element.name, describe_asked(before),
                      level_.state().t, describe_reached(find_asked_values(level_, element)));
      if (asking_.empty()) asking_ = element.name;
    }
    level_.values() = pose;
    if (told.empty()) return;
    report_.message += ": " + told;
    report_.suggestion =
        fmt::format("let '{}' begin within reach; else {}", asking_, report_.suggestion);
  }

  StartLevel& level_;
  const Wishes& wishes_;
  const SearchLimits& limits_;
  StartReport& report_;
  std::string what_;
  std::string asking_;  // a drive that asks for what is out of reach
  Vector start_;
  std::vector<std::string> sharing_;  // elements that share in what is missing
  std::optional<GapFinder> finder_;
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
  return target.name + " = " + describe_value(value, target.unit);
}

bool explain_failure(StartLevel& level, const Wishes& wishes, const SearchReport& found,
                     const SearchLimits& limits, StartReport& report) {
  return Explanation(level, wishes, limits, report).run(found);
}

}  // namespace driftless
