#include "driftless/run/reaction_watch.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "driftless/assembly/uniqueness.hpp"
#include "driftless/base/names.hpp"

namespace driftless {
namespace {

// Of more rows than these, fewer moments are looked at.
constexpr int kManyMoments = 150;
constexpr std::size_t kMostNamed = 6;

/// In no ratio to each other, so that a motion that repeats itself is not seen at one pose again and again.
std::vector<double> spread_moments(double from, double to, int count) {
  constexpr double kGolden = 0.6180339887498949;
  std::vector<double> moments;
  for (int k = 0; k < count; ++k) {
    const double part = k + std::fmod((k + 1) * kGolden, 1.0);
    moments.push_back(from + (to - from) * part / count);
  }
  return moments;
}

/// Only there: fewer rows depend on each other at the moments beside it.
bool is_single(const std::vector<NotUnique>& found, std::size_t k) {
  const bool before = k > 0 && found[k - 1].dimension >= found[k].dimension;
  const bool after = k + 1 < found.size() && found[k + 1].dimension >= found[k].dimension;
  return found.size() > 1 && !before && !after;
}

}  // namespace

ReactionWatch::ReactionWatch(const System& system, const DrawnRank& drawn, double t_start,
                             double until)
    : system_(system), drawn_(drawn), rows_(system.info().row_count()) {
  const bool is_large = rows_ > kManyMoments;
  watches_ = system.info().records_need_reactions && rows_ > 0;
  moments_ = spread_moments(t_start, until, is_large ? 2 : 4);
  changes_left_ = is_large ? 2 : 12;
  if (!watches_) return;
  Seen room;
  room.q = Vector::Zero(system.info().nq);
  room.v = Vector::Zero(system.info().nv);
  room.c = Vector::Zero(system.info().nc);
  seen_.assign(2 + moments_.size() + static_cast<std::size_t>(changes_left_), room);
}

void ReactionWatch::begin(double t, const RunState& state, int rank) {
  rank_ = rank;
  if (watches_) keep(t, state, rank);
}

void ReactionWatch::accept(double t, const RunState& state, int rank) {
  if (!watches_) return;
  const bool is_first = count_ == 1;
  steps_of_rank_ = rank == rank_ ? std::min(steps_of_rank_ + 1, kSettled) : 0;
  rank_ = rank;
  const bool is_due = next_moment_ < moments_.size() && t >= moments_[next_moment_];
  while (next_moment_ < moments_.size() && t >= moments_[next_moment_]) ++next_moment_;
  const bool has_changed =
      changes_left_ > 0 && (steps_of_rank_ == 1 || steps_of_rank_ == 2);  // and stays
  if (has_changed) --changes_left_;
  if (is_first || is_due || has_changed) keep(t, state, rank);
}

void ReactionWatch::keep(double t, const RunState& state, int rank) {
  if (count_ == seen_.size()) return;
  Seen& seen = seen_[count_++];
  seen.t = t;
  seen.rank = rank;
  if (rank == rows_) return;
  seen.q = state.q;
  seen.v = state.v;
  seen.c = state.c;
}

void ReactionWatch::write(Report& report) const {
  report.not_unique.clear();
  if (count_ == 0) return;
  UniquenessProbe probe(system_);
  probe.set_rank(seen_[0].rank, drawn_);  // the start is the first moment
  std::vector<NotUnique> found;
  for (std::size_t k = 0; k < count_; ++k) {
    const Seen& seen = seen_[k];
    found.push_back(seen.rank < rows_ ? probe.find({seen.t, seen.q, seen.v, seen.c}, seen.rank)
                                      : NotUnique{});
  }
  std::unordered_set<std::string_view> marked;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (is_single(found, k)) continue;
    marked.insert(found[k].names.begin(), found[k].names.end());
  }
  for (const std::string& name : system_.info().records)  // in their order
    if (marked.contains(name)) report.not_unique.push_back(name);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!is_single(found, k)) continue;
    std::vector<std::string> further;
    for (const std::string& name : found[k].names)
      if (!marked.contains(name)) further.push_back(name);
    if (further.empty()) continue;
    report.warnings.push_back(fmt::format(
        "at t = {:.6g} the pose is singular, and only there {} {} not unique: the value of least "
        "norm is given there",
        seen_[k].t, join_names(further, kMostNamed), further.size() == 1 ? "is" : "are"));
  }
}

}  // namespace driftless
