// Where to begin. The first try is the drawing itself, by damped least squares. The second sets the wanted values with
// the joints opened: the rows that are angles hold, those that are lengths do not count, so that a crank is where it is
// wanted before the loop is closed around it. All others turn the bodies at random from there, again along the rows that
// are angles: in a linkage whose axes are parallel the bodies turn about these axes and about no other, and no joint
// turns over. The numbers are always the same, so the same model gives the same start.
//
// A pose that closes with a joint turned over does not count. Once there was one, or if the given pose has joints far off,
// the joints that form no loop are put together first, and every second pose turns the bodies freely before that: rows of
// angles would keep a joint on the side on which it is.
//
// Nor does a screw leave its turn by itself: if no pose closes, screws begin further along their threads, as far as
// Newton's step asks for (start_threads.cpp). If that leads nowhere, turn after turn is tried.
//
// Systems without bodies: each free coordinate mirrored at 0, one after the other, then all of them moved at random.
//
// Rejected: following the target from its drawn value to the wanted one is what the caller tries first, but it does not
// pass a dead centre, and where the two poses lie on different branches no path leads from one to the other.

#include "driftless/assembly/start_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/random_numbers.hpp"
#include "driftless/assembly/start.hpp"
#include "driftless/assembly/start_threads.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr int kEnough = 3;         // closed poses that meet all wishes
constexpr int kEnoughWithout = 6;  // closed poses that do not
constexpr int kMaxMirrored = 8;
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
        angles_(find_angle_rows(level)) {
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
      level_.select({level_.list_rows(), list_met()});
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
        each = count == 1 ? (k % 2 == 0 ? bound : -bound) : bound * draw_number(random_);
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
      const std::string posed = set_pose(k);
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

  void try_pose(int k) { try_here(set_pose(k)); }

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
    come_back();
    Candidate candidate{level_.values(),
                        find_missing(wishes_.preferred),
                        find_missing(wishes_.guesses),
                        find_change(),
                        how,
                        threads_};
    ++closed_;
    fulfilled_ += int{candidate.preferred == 0.0 && candidate.guess == 0.0};
    if (!best_ || candidate.is_better_than(*best_)) best_ = std::move(candidate);
  }

  /// A pose that was tried is no place to stay: of the branch on which it closed, the pose nearest to the drawing.
  void come_back() {
    if (level_.is_velocity() || level_.info().bodies.empty() || !is_free_.empty()) return;
    const double preferred = find_missing(wishes_.preferred), guess = find_missing(wishes_.guesses);
    level_.select({level_.list_rows(), list_met()});
    const auto keeps = [&] {
      return !level_.is_turned_over() && find_missing(wishes_.preferred) <= preferred + 1e-9 &&
             find_missing(wishes_.guesses) <= guess + 1e-9;
    };
    minimise_change(level_, start_, keeps, limits_.max_iterations, report_.iterations);
    level_.select({level_.list_rows(), wishes_.exact});
    level_.eval();
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

  double find_missing(const std::vector<std::size_t>& targets) {
    double sum = 0.0;
    for (const std::size_t index : targets) {
      if (level_.is_target_met(index)) continue;
      sum += std::pow(level_.find_misfit(index), 2);
    }
    return sum;
  }

  std::vector<std::size_t> list_met() {
    std::vector<std::size_t> met;
    for (const std::size_t index : wishes_.all())
      if (level_.is_target_met(index)) met.push_back(index);
    return met;
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

  // --- poses -----------------------------------------------------------------------------------

  std::string set_pose(int k) {
    level_.values() = start_;
    if (k == 0) return kFromGivenPose;
    if (level_.info().bodies.empty() || level_.is_velocity()) return scatter(k);
    if (is_turned_) {
      if (k % 2 == 0) turn_freely();
      level_.close_tree();
      if (k % 2 == 0) return "with the bodies turned";
    }
    level_.select({angles_, wishes_.all()});
    solve_newton(level_, is_free_, limits_.max_iterations, report_.iterations);
    if (k == 1) return "with the joints opened";
    turn_bodies();
    return "with the bodies turned";
  }

  std::string scatter(int k) {
    Vector delta = Vector::Zero(level_.info().nv);
    std::vector<Eigen::Index> free;
    for (Eigen::Index i = 0; i < delta.size(); ++i)
      if (is_free_.empty() || is_free_[static_cast<std::size_t>(i)]) free.push_back(i);
    const bool is_plain = start_.size() == delta.size();
    const int mirrored = is_plain ? std::min(static_cast<int>(free.size()), kMaxMirrored) : 0;
    if (k <= mirrored) {
      const Eigen::Index i = free[static_cast<std::size_t>(k - 1)];
      delta[i] = start_[i] == 0.0 ? 1.0 : -2.0 * start_[i];
    } else {
      const double reach =
          std::pow(3.0, (k - mirrored) % 3 - 1);  // a third, all or thrice of its size
      for (const Eigen::Index i : free)
        delta[i] = reach * (1.0 + (is_plain ? std::abs(start_[i]) : 0.0)) * draw_number(random_);
    }
    level_.move(delta);
    return k <= mirrored ? "with a value mirrored" : "with the values scattered";
  }

  void turn_freely() {
    Vector turn = Vector::Zero(level_.info().nv);
    for (const BodyInfo& body : level_.info().bodies)
      for (int i = body.rates - body.turns; i < body.rates; ++i)
        turn[body.rate + i] = std::numbers::pi * draw_number(random_);
    level_.move(turn);
  }

  /// Each body by up to half a turn either way, in small steps along the rows that are angles.
  void turn_bodies() {
    constexpr int kSteps = 8;
    Vector turn = Vector::Zero(level_.info().nv);
    for (const BodyInfo& body : level_.info().bodies)
      for (int i = body.rates - body.turns; i < body.rates; ++i)
        turn[body.rate + i] = std::numbers::pi / kSteps * draw_number(random_);
    for (int step = 0; step < kSteps; ++step) {
      level_.select({angles_, wishes_.exact});
      level_.eval();
      const Matrix scaling = level_.make_scaling({});
      Vector norms;
      const Matrix rows = normalize_rows(level_.jacobian() * scaling, norms);
      const Vector change = (level_.jacobian() * turn).cwiseQuotient(norms);
      level_.move(turn - scaling * solve_least_norm(rows, change, 1e-9));
      solve_newton(level_, is_free_, limits_.max_iterations, report_.iterations);
    }
  }

  /// In the plane an angle counts its turns. A whole one too many is taken back where nothing depends on it.
  void unwind() {
    if (level_.is_velocity()) return;
    for (const BodyInfo& body : level_.info().bodies) {
      if (body.turns != 1) continue;
      const int angle = body.coordinate + body.rates - 1;
      const Vector closed = level_.values();
      const double turns = std::round((closed[angle] - start_[angle]) / (2.0 * std::numbers::pi));
      if (turns == 0.0) continue;
      const double missing = find_missing(wishes_.all());
      level_.values()[angle] -= 2.0 * std::numbers::pi * turns;
      level_.eval();
      if (level_.is_met() && find_missing(wishes_.all()) <= missing + 1e-9) continue;
      level_.values() = closed;
      level_.eval();
    }
  }

  StartLevel& level_;
  const Wishes& wishes_;
  const FreeFlags& is_free_;
  const SearchLimits& limits_;
  const Vector start_;
  bool is_turned_;                 // joints are far off, or some pose closed with one turned over
  const std::vector<int> angles_;  // rows that are angles
  Vector norms_;                   // of the rows and exact values at the given pose
  std::mt19937_64 random_{20260229};
  SearchReport report_;
  std::optional<Candidate> best_;
  std::vector<double> threads_;
  int closed_ = 0;
  int fulfilled_ = 0;
  double least_missing_ = 0.0;
};

}  // namespace

std::vector<std::size_t> Wishes::all() const {
  std::vector<std::size_t> targets = exact;
  targets.insert(targets.end(), preferred.begin(), preferred.end());
  targets.insert(targets.end(), guesses.begin(), guesses.end());
  return targets;
}

std::vector<int> find_angle_rows(StartLevel& level) {
  const SystemInfo& info = level.info();
  std::vector<int> rows;
  if (info.row_units.empty()) return rows;
  level.eval();
  for (int i = 0; i < level.row_count(); ++i) {
    const std::string& unit = info.row_units[static_cast<std::size_t>(i)];
    // A drive or a belt is of angles if turns change it and no shift does, whatever its unit.
    bool has_shift = false, has_turn = false;
    for (const BodyInfo& body : info.bodies) {
      const int shifts = body.rates - body.turns;
      const Vector row = level.row_jacobian().row(i).segment(body.rate, body.rates).transpose();
      has_shift = has_shift || max_abs(row.head(shifts)) > 1e-9;
      has_turn = has_turn || max_abs(row.tail(body.turns)) > 1e-9;
    }
    if (unit == "1" || (!has_shift && (has_turn || unit != "m"))) rows.push_back(i);
  }
  return rows;
}

void pull_wishes(StartLevel& level, const Wishes& wishes, int max_iterations, int& iterations) {
  const std::vector<int> rows = level.list_rows();
  Selection hard{rows, wishes.exact};
  bool all_met = true;
  if (!wishes.preferred.empty()) {
    pull(level, hard, {{}, wishes.preferred}, max_iterations, iterations);
    for (const std::size_t index : wishes.preferred)
      all_met = all_met && level.is_target_met(index);
    hard.targets.insert(hard.targets.end(), wishes.preferred.begin(), wishes.preferred.end());
  }
  if (all_met && !wishes.guesses.empty())
    pull(level, hard, {{}, wishes.guesses}, max_iterations, iterations);
  level.select({rows, wishes.exact});
  level.eval();
}

SearchReport search(StartLevel& level, const Wishes& wishes, const FreeFlags& is_free,
                    const SearchLimits& limits) {
  return Search(level, wishes, is_free, limits).run();
}

}  // namespace driftless
