// Where to begin: from one pose after the other (start_poses.cpp), by damped least squares.
//
// A pose that closes with a joint turned over does not count. Once there was one, or if the given pose has joints far off,
// the joints that form no loop are put together first, and every second pose turns the bodies freely before that: rows of
// angles would keep a joint on the side on which it is.
//
// Nor does a screw leave its turn by itself: if no pose closes, screws begin further along their threads, as far as
// Newton's step asks for (start_threads.cpp). If that leads nowhere, turn after turn is tried.
//
// Rejected: following the target from its drawn value to the wanted one is what the caller tries first, but it does not
// pass a dead centre, and where the two poses lie on different branches no path leads from one to the other.

#include "driftless/assembly/start_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/random_numbers.hpp"
#include "driftless/assembly/start.hpp"
#include "driftless/assembly/start_poses.hpp"
#include "driftless/assembly/start_threads.hpp"

namespace driftless {
namespace {

constexpr int kEnough = 3;         // closed poses that meet all wishes
constexpr int kEnoughWithout = 6;  // closed poses that do not
constexpr int kFarIterations = 80;
constexpr int kSlidingTries = 8;
constexpr int kThreadTries = 96;  // 24 turns either way

struct Candidate {
  Vector values;
  double preferred = 0.0;  // sums of squares of what is missing
  double guess = 0.0;
  double change = 0.0;
  std::string how;
  std::vector<double> threads = {};  // turns of screws beyond the drawing

  bool is_better_than(const Candidate& other) const {
    const auto differ = [](double a, double b) {
      return std::abs(a - b) > 1e-9 + 1e-6 * std::min(a, b);
    };
    if (differ(preferred, other.preferred)) return preferred < other.preferred;
    if (differ(guess, other.guess)) return guess < other.guess;
    return change < (1.0 - 1e-9) * other.change;
  }
};

class Search {
 public:
  Search(StartLevel& level, const Wishes& wishes, const FreeFlags& is_free,
         const SearchLimits& limits)
      : level_(level),
        wishes_(wishes),
        is_free_(is_free),
        limits_(limits),
        start_(level.values()),
        is_turned_(level.is_far_turned()),
        poses_(level, wishes, is_free, limits.max_iterations, report_.iterations) {
    level_.select({level_.list_rows(), wishes_.exact});
    level_.eval();
    normalize_rows(level_.jacobian() * level_.make_scaling({}), norms_);
  }

  SearchReport run() {
    set_threads({});
    for (int k = 0; k < count_tries() && !has_enough(); ++k) {
      ++report_.tries;
      try_pose(k);
    }
    if (!best_) try_threads();
    set_threads(best_ ? best_->threads : std::vector<double>());
    level_.values() = best_ ? best_->values : start_;
    level_.eval();
    report_.closed = best_.has_value();
    if (best_) {
      report_.how = best_->how;
      level_.select({level_.list_rows(), list_met(level_, wishes_)});
      polish(level_, is_free_, report_.iterations);
      level_.select({level_.list_rows(), wishes_.exact});
      level_.eval();
    }
    return std::move(report_);
  }

 private:
  /// Fewer for large systems: an iteration costs the cube of their size.
  int count_tries() const {
    const double size = std::max(level_.info().nv, level_.row_count());
    const double affordable = 3e10 / (size * size * size * kFarIterations);
    return std::clamp(static_cast<int>(affordable), 1, limits_.max_tries);
  }

  bool has_enough() const { return fulfilled_ >= kEnough || closed_ >= kEnoughWithout; }

  void set_threads(std::vector<double> turns) {
    const int count = level_.count_free_threads();
    if (count == 0) return;
    threads_ = std::move(turns);
    threads_.resize(static_cast<std::size_t>(count), 0.0);
    level_.set_thread_turns(threads_);
  }

  /// A screw stays within half a turn of where it is drawn. If nothing closes there, it begins further along its thread:
  /// one alone by half a turn more in each second try, either way; several by numbers at random within growing bounds.
  void try_threads() {
    const int count = level_.count_free_threads();
    if (count == 0) return;
    follow_threads(count);
    if (best_ || !try_sliding()) return;
    const int tries = std::min(count_tries() * 3, kThreadTries);
    for (int k = 0; k < tries && !best_; ++k) {
      std::vector<double> turns(static_cast<std::size_t>(count));
      const double bound = 0.5 * (k / 2 + 1);
      for (double& each : turns)
        each = count == 1 ? (k % 2 == 0 ? bound : -bound) : bound * draw_number(poses_.random());
      set_threads(std::move(turns));
      // As drawn, and twice turned at random: at the edge of its turn a screw may be stuck.
      for (int pose = 0; pose < 4 && !best_; pose += pose == 0 ? 2 : 1) {
        ++report_.tries;
        try_pose(pose);
      }
    }
  }

  /// From the drawing, then from where the last turns have led.
  void follow_threads(int count) {
    set_threads(std::vector<double>(static_cast<std::size_t>(count), 0.0));
    level_.values() = start_;
    const int rounds = std::min(count_tries(), kThreadRounds);
    for (int round = 0; round < rounds && !best_; ++round) {
      level_.select({level_.list_rows(), wishes_.all()});
      std::vector<double> turns;
      if (!find_asked_turns(level_, is_free_, threads_, turns)) return;
      set_threads(std::move(turns));
      ++report_.tries;
      try_here(kFromGivenPose);
    }
  }

  /// Where sliding nuts close it. False: not even they do, from any pose that was tried.
  bool try_sliding() {
    bool closes = false;
    for (int k = 0; k < std::min(count_tries(), kSlidingTries) && !best_; ++k) {
      set_threads({});
      const std::string posed = poses_.set(k, is_turned_);
      for (const bool with_softer_wishes : {true, false}) {
        if (!with_softer_wishes && wishes_.exact.size() == wishes_.all().size()) break;
        level_.select({level_.list_rows(), with_softer_wishes ? wishes_.all() : wishes_.exact});
        if (!slide_along_threads(level_, is_free_, kFarIterations, report_.iterations)) continue;
        closes = true;
        threads_ = level_.find_thread_turns();
        set_threads(threads_);
        ++report_.tries;
        try_here(posed);
        break;
      }
    }
    return closes;
  }

  void try_pose(int k) { try_here(poses_.set(k, is_turned_)); }

  void try_here(const std::string& posed) {
    const bool on_thread =
        std::any_of(threads_.begin(), threads_.end(), [](double turns) { return turns != 0.0; });
    const std::string how = on_thread ? "with screws further along their threads" : posed;
    const std::vector<int> rows = level_.list_rows();
    level_.select({rows, wishes_.all()});
    bool closed = solve_from_far(level_, is_free_, kFarIterations, report_.iterations);
    const bool has_softer = !wishes_.preferred.empty() || !wishes_.guesses.empty();
    if (!closed && has_softer) {
      level_.select({rows, wishes_.exact});
      closed = solve_from_far(level_, is_free_, kFarIterations, report_.iterations);
      if (closed) pull_wishes(level_, wishes_, limits_.max_iterations, report_.iterations);
    }
    if (!closed) {
      note_nearest();
      return;
    }
    if (level_.is_turned_over()) {
      is_turned_ = true;
      if (report_.turned_over.size() == 0) report_.turned_over = level_.values();
      return;
    }
    unwind();
    if (is_free_.empty())
      come_back(level_, wishes_, start_, limits_.max_iterations, report_.iterations);
    Candidate candidate{level_.values(),
                        find_missing(level_, wishes_.preferred),
                        find_missing(level_, wishes_.guesses),
                        find_change(),
                        how,
                        threads_};
    ++closed_;
    fulfilled_ += int{candidate.preferred == 0.0 && candidate.guess == 0.0};
    if (!best_ || candidate.is_better_than(*best_)) best_ = std::move(candidate);
  }

  void note_nearest() {
    level_.select({level_.list_rows(), wishes_.exact});
    level_.eval();
    const double missing = level_.residual().cwiseQuotient(norms_).norm();
    if (report_.nearest.size() > 0 && !(missing < least_missing_)) return;
    least_missing_ = missing;
    report_.nearest = level_.values();
    report_.nearest_threads = threads_;
  }

  double find_change() {
    Vector delta(level_.info().nv);
    find_increment(delta);
    return delta.dot(level_.mass() * delta);
  }

  void find_increment(Vector& delta) {
    if (level_.is_velocity()) {
      delta = level_.values() - start_;
    } else {
      level_.system().find_increment(start_, level_.values(), delta);
    }
  }

  /// In the plane an angle counts its turns. A whole one too many is taken back where nothing depends on it. In space it
  /// shows in the sign of the quaternion.
  void unwind() {
    if (level_.is_velocity()) return;
    for (const BodyInfo& body : level_.info().bodies) {
      if (body.turns == 0) continue;
      const Vector closed = level_.values();
      const double missing = find_missing(level_, wishes_.all());
      if (!(body.turns == 1 ? unwind_angle(body) : unwind_quaternion(body))) continue;
      level_.eval();
      if (level_.is_met() && find_missing(level_, wishes_.all()) <= missing + 1e-9) continue;
      level_.values() = closed;
      level_.eval();
    }
  }

  bool unwind_angle(const BodyInfo& body) {
    const int angle = body.coordinate + body.rates - 1;
    const double turned = level_.values()[angle] - start_[angle];
    const double turns = std::round(turned / (2.0 * std::numbers::pi));
    level_.values()[angle] -= 2.0 * std::numbers::pi * turns;
    return turns != 0.0;
  }

  bool unwind_quaternion(const BodyInfo& body) {
    const int first = body.coordinate + body.rates - body.turns;
    auto here = level_.values().segment(first, 4);
    if (here.dot(start_.segment(first, 4)) >= 0.0) return false;
    here = -here;
    return true;
  }

  StartLevel& level_;
  const Wishes& wishes_;
  const FreeFlags& is_free_;
  const SearchLimits& limits_;
  const Vector start_;
  bool is_turned_;  // joints are far off, or some pose closed with one turned over
  SearchReport report_;
  StartPoses poses_;
  Vector norms_;  // of the rows and exact values at the given pose
  std::optional<Candidate> best_;
  std::vector<double> threads_;
  int closed_ = 0;
  int fulfilled_ = 0;
  double least_missing_ = 0.0;
};

}  // namespace

SearchReport search(StartLevel& level, const Wishes& wishes, const FreeFlags& is_free,
                    const SearchLimits& limits) {
  return Search(level, wishes, is_free, limits).run();
}

}  // namespace driftless
