// The first pose is the drawing itself. The second sets the wanted values with the joints opened: the rows that are angles
// hold, those that are lengths do not count, so that a crank is where it is wanted before the loop is closed around it. All
// others turn the bodies at random from there, again along the rows that are angles: in a linkage whose axes are parallel
// the bodies turn about these axes and about no other, and no joint turns over. The numbers are always the same, so the same
// model gives the same start.
//
// Systems without bodies: each free coordinate mirrored at 0, one after the other, then all of them moved at random.

#include "driftless/assembly/start_poses.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/random_numbers.hpp"
#include "driftless/assembly/start.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr int kMaxMirrored = 8;

}  // namespace

StartPoses::StartPoses(StartLevel& level, const Wishes& wishes, const FreeFlags& is_free,
                       int max_iterations, int& iterations)
    : level_(level),
      wishes_(wishes),
      is_free_(is_free),
      max_iterations_(max_iterations),
      iterations_(iterations),
      start_(level.values()),
      angles_(find_angle_rows(level)) {}

std::string StartPoses::set(int k, bool is_turned) {
  level_.values() = start_;
  if (k == 0) return kFromGivenPose;
  if (level_.info().bodies.empty() || level_.is_velocity()) return scatter(k);
  if (is_turned) {
    if (k % 2 == 0) turn_freely();
    level_.close_tree();
    if (k % 2 == 0) return "with the bodies turned";
  }
  level_.select({angles_, wishes_.all()});
  solve_newton(level_, is_free_, max_iterations_, iterations_);
  if (k == 1) return "with the joints opened";
  turn_bodies(k % 2 == 1);
  return "with the bodies turned";
}

std::string StartPoses::scatter(int k) {
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

double StartPoses::find_reach() {
  const Vector here = level_.values();
  level_.values() = start_;
  level_.eval();
  double reach = 0.0;
  const std::vector<std::string>& units = level_.info().row_units;
  for (int i = 0; i < level_.row_count() && !units.empty(); ++i)
    if (units[static_cast<std::size_t>(i)] == "m")
      reach = std::max(reach, std::abs(level_.row_residual()[i]));
  const std::vector<BodyInfo>& bodies = level_.info().bodies;
  for (const BodyInfo& body : bodies) {
    const int shifts = body.rates - body.turns;
    const Vector way =
        start_.segment(body.coordinate, shifts) - start_.segment(bodies.front().coordinate, shifts);
    reach = std::max(reach, way.norm());
  }
  level_.values() = here;
  level_.eval();
  return reach;
}

std::vector<bool> StartPoses::find_held_axes() {
  level_.select({angles_, {}});
  level_.eval();
  std::vector<bool> is_held;
  for (const BodyInfo& body : level_.info().bodies) {
    const Matrix columns = level_.jacobian().middleCols(body.rate, body.rates);
    is_held.push_back(columns.size() > 0 && columns.cwiseAbs().maxCoeff() > 0.0);
  }
  return is_held;
}

void StartPoses::turn_freely() {
  Vector turn = Vector::Zero(level_.info().nv);
  for (const BodyInfo& body : level_.info().bodies)
    for (int i = body.rates - body.turns; i < body.rates; ++i)
      turn[body.rate + i] = std::numbers::pi * draw_number(random_);
  level_.move(turn);
}

void StartPoses::turn_bodies(bool shifts_too) {
  constexpr int kSteps = 8;
  const double reach = find_reach();
  const std::vector<bool> is_held = find_held_axes();
  Vector turn = Vector::Zero(level_.info().nv);
  for (std::size_t k = 0; k < is_held.size(); ++k) {
    const BodyInfo& body = level_.info().bodies[k];
    const int shifts = body.rates - body.turns;
    const bool is_shifted = body.turns == 0 || (shifts_too && !is_held[k]);
    for (int i = is_shifted ? 0 : shifts; i < body.rates; ++i)
      turn[body.rate + i] = (i < shifts ? reach : std::numbers::pi) / kSteps * draw_number(random_);
  }
  for (int step = 0; step < kSteps; ++step) {
    level_.select({angles_, wishes_.exact});
    level_.eval();
    const Matrix scaling = level_.make_scaling({});
    Vector norms;
    const Matrix rows = normalize_rows(level_.jacobian() * scaling, norms);
    const Vector change = (level_.jacobian() * turn).cwiseQuotient(norms);
    level_.move(turn - scaling * solve_least_norm(rows, change, 1e-9));
    solve_newton(level_, is_free_, max_iterations_, iterations_);
  }
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

}  // namespace driftless
