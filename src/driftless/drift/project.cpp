#include "driftless/drift/project.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr double kFastEnough = 0.1;  // of the gap before: the factors serve another pass

class Projection final : public DriftControl {
 public:
  Projection(const Project& options, const SystemInfo& info) : options_(options) {
    delta_ = zero_ = Vector::Zero(info.nv);
    b_ = lambda_ = Vector::Zero(info.row_count());
  }

  bool corrects() const override { return true; }

  void add_figures(std::vector<std::pair<std::string, double>>& figures) const override {
    if (options_.projection_bound > 0.0)
      figures.emplace_back("projections", static_cast<double>(projections_));
  }

  CorrectionStatus correct(CorrectionPoint& point) override {
    Evaluator& evaluator = point.evaluator;
    const SystemInfo& info = evaluator.info();
    if (info.row_count() == 0) return CorrectionStatus::ok;
    const int rows = info.position_rows;
    if (options_.projection_bound > 0.0) {
      evaluator.set_configuration(point.t, point.q);
      evaluator.set_velocity(point.v);
      const double open =
          std::max(max_abs(evaluator.ws().phi), max_abs(evaluator.ws().velocity_residual));
      if (open <= options_.projection_bound) return CorrectionStatus::ok;
    }
    if (point.is_step) ++projections_;
    if (rows > 0 && (!close_positions(point) || !pass_again(point) || !leave_crossing(point)))
      return CorrectionStatus::unsolvable;
    evaluator.set_configuration(point.t, point.q);
    const int velocity_passes = info.velocity_rows_linear ? 1 : std::max(3, options_.iterations);
    for (int pass = 0; pass < velocity_passes; ++pass) {
      evaluator.set_velocity(point.v);
      if (!evaluator.factorize(point.rank_tolerance)) return CorrectionStatus::unsolvable;
      evaluator.solve(zero_, evaluator.ws().velocity_residual, delta_, lambda_);
      point.v -= delta_;
    }
    return CorrectionStatus::ok;
  }

 private:
  /// One step of Newton's method from the configuration of the evaluator.
  bool move(CorrectionPoint& point) {
    Evaluator& evaluator = point.evaluator;
    const int rows = evaluator.info().position_rows;
    open_before_ = max_abs(evaluator.ws().phi);
    b_.head(rows) = -evaluator.ws().phi;
    if (!evaluator.solve_position(point.rank_tolerance, b_.head(rows), delta_)) return false;
    evaluator.system().retract(point.q, delta_);
    return true;
  }

  /// [PRJ.4]
  bool pass_again(CorrectionPoint& point) {
    constexpr double kBeside = 0.1;  // own part of a row
    constexpr double kClosed = 1e-12;
    Evaluator& evaluator = point.evaluator;
    if (options_.iterations > 1 || !(evaluator.smallest_pivot() < kBeside)) return true;
    evaluator.set_configuration(point.t, point.q);
    if (evaluator.find_gap() <= kClosed) return true;
    if (evaluator.info().velocity_rows > 0) evaluator.set_velocity(point.v);
    return move(point);
  }

  /// [PRJ.3]
  bool leave_crossing(CorrectionPoint& point) {
    constexpr int kMostPasses = 20;
    constexpr double kQuadratic = 0.1;  // what a step leaves at most where it converges
    constexpr double kLinear = 0.7;     // and slowly; more: rows that do not fit together
    constexpr double kCrossingGap = 1e-8;
    constexpr double kTooLong = 1e-3;  // a step that opens more is too long
    Evaluator& evaluator = point.evaluator;
    const double size = 1.0 + max_abs(point.q);
    if (!point.starts_singular || has_left_ || !(open_before_ <= kTooLong * size)) return true;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      evaluator.set_configuration(point.t, point.q);
      const double open = max_abs(evaluator.ws().phi);
      const bool converges = pass == 0 && open <= kQuadratic * open_before_;
      has_left_ = converges && open_before_ > kCrossingGap * size;
      if (!(open > kCrossingGap * size) || converges || !(open <= kLinear * open_before_))
        return true;
      if (evaluator.info().velocity_rows > 0) evaluator.set_velocity(point.v);
      if (!move(point)) return false;
    }
    return true;
  }

  /// [PRJ.2]. False: not solvable.
  bool close_positions(CorrectionPoint& point) {
    Evaluator& evaluator = point.evaluator;
    const SystemInfo& info = evaluator.info();
    const int rows = info.position_rows;
    double last = 0.0;
    for (int pass = 0; pass < options_.iterations; ++pass) {
      evaluator.set_configuration(point.t, point.q);
      const double open = options_.iterations > 1 ? evaluator.find_gap() : 1.0;
      if (open <= options_.projection_tolerance) break;
      b_.head(rows) = -evaluator.ws().phi;
      const bool arrives =
          pass > 0 && open <= kFastEnough * last &&
          open * std::pow(open / last, options_.iterations - pass) <= options_.projection_tolerance;
      if (arrives) {
        evaluator.solve_position_again(b_.head(rows), delta_);
      } else {
        if (info.velocity_rows > 0) evaluator.set_velocity(point.v);
        if (!evaluator.solve_position(point.rank_tolerance, b_.head(rows), delta_)) return false;
      }
      last = open;
      open_before_ = max_abs(evaluator.ws().phi);
      evaluator.system().retract(point.q, delta_);
    }
    return true;
  }

  Project options_;
  long projections_ = 0;
  bool has_left_ = false;     // the crossing in which the run began
  double open_before_ = 0.0;  // the largest residual before the last move
  Vector delta_, zero_, b_, lambda_;
};

}  // namespace

std::unique_ptr<DriftControl> make_control(const Project& options, const SystemInfo& info) {
  return std::make_unique<Projection>(options, info);
}

}  // namespace driftless
