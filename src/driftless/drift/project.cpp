#include "driftless/drift/project.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

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
    for (int pass = 0; pass < options_.iterations && rows > 0; ++pass) {
      evaluator.set_configuration(point.t, point.q);
      if (options_.iterations > 1 && is_met(evaluator.ws(), point.q)) break;
      if (rows < info.row_count()) evaluator.set_velocity(point.v);
      if (!move(point)) return CorrectionStatus::unsolvable;
    }
    if (rows > 0 && !leave_crossing(point)) return CorrectionStatus::unsolvable;
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

  /// [PRJ.2]
  bool leave_crossing(CorrectionPoint& point) {
    constexpr int kMostPasses = 20;
    constexpr double kQuadratic = 0.1;  // what a step leaves at most where it converges
    constexpr double kLinear =
        0.7;  // and where it does so slowly; more: rows that do not fit together
    constexpr double kCrossingGap = 1e-8;
    constexpr double kTooLong = 1e-3;  // a step that opens more is too long
    Evaluator& evaluator = point.evaluator;
    const double size = 1.0 + max_abs(point.q);
    if (!(open_before_ <= kTooLong * size)) return true;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      evaluator.set_configuration(point.t, point.q);
      const double open = max_abs(evaluator.ws().phi);
      const bool converges = pass == 0 && open <= kQuadratic * open_before_;
      if (!(open > kCrossingGap * size) || converges || !(open <= kLinear * open_before_))
        return true;
      if (evaluator.info().velocity_rows > 0) evaluator.set_velocity(point.v);
      if (!move(point)) return false;
    }
    return true;
  }

  bool is_met(const Workspace& ws, const Vector& q) const {
    const double size = 1.0 + max_abs(q);
    for (Eigen::Index i = 0; i < ws.phi.size(); ++i) {
      const double length = ws.jacobian.find_row_norm(static_cast<int>(i)) * size;
      if (std::abs(ws.phi[i]) > options_.projection_tolerance * length) return false;
    }
    return true;
  }

  Project options_;
  long projections_ = 0;
  double open_before_ = 0.0;  // the largest residual before the last move
  Vector delta_, zero_, b_, lambda_;
};

}  // namespace

std::unique_ptr<DriftControl> make_control(const Project& options, const SystemInfo& info) {
  return std::make_unique<Projection>(options, info);
}

}  // namespace driftless
