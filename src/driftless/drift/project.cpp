#include "driftless/drift/project.hpp"

#include <algorithm>

namespace driftless {
namespace {

class Projection final : public DriftControl {
 public:
  Projection(const Project& options, const SystemInfo& info, double rank_tolerance)
      : options_(options), rank_tolerance_(rank_tolerance) {
    delta_ = Vector::Zero(info.nv);
    b_ = Vector::Zero(info.row_count());
  }

  bool corrects() const override { return true; }

  CorrectionStatus correct(CorrectionPoint& point) override {
    Evaluator& evaluator = point.evaluator;
    const SystemInfo& info = evaluator.info();
    if (info.row_count() == 0) return CorrectionStatus::ok;
    const int rows = info.position_rows;
    for (int pass = 0; pass < options_.iterations && rows > 0; ++pass) {
      evaluator.set_configuration(point.t, point.q);
      const Workspace& ws = evaluator.ws();
      if (options_.iterations > 1 && is_met(ws, point.q)) break;
      if (rows < info.row_count()) evaluator.set_velocity(point.v);
      b_.head(rows) = -ws.phi;
      if (!evaluator.solve_position(rank_tolerance_, b_.head(rows), delta_)) {
        return CorrectionStatus::unsolvable;
      }
      evaluator.system().retract(point.q, delta_);
    }
    evaluator.set_configuration(point.t, point.q);
    const int velocity_passes = info.velocity_rows_linear ? 1 : std::max(3, options_.iterations);
    for (int pass = 0; pass < velocity_passes; ++pass) {
      evaluator.set_velocity(point.v);
      if (!evaluator.factorize(rank_tolerance_)) return CorrectionStatus::unsolvable;
      b_ = -evaluator.ws().velocity_residual;
      evaluator.solve_correction(b_, delta_);
      point.v += delta_;
    }
    return CorrectionStatus::ok;
  }

 private:
  bool is_met(const Workspace& ws, const Vector& q) const {
    const double size = 1.0 + max_abs(q);
    for (Eigen::Index i = 0; i < ws.phi.size(); ++i) {
      const double length = ws.jacobian.row(i).norm() * size;
      if (std::abs(ws.phi[i]) > options_.projection_tolerance * length) return false;
    }
    return true;
  }

  Project options_;
  double rank_tolerance_;
  Vector delta_, b_;
};

}  // namespace

std::unique_ptr<DriftControl> make_control(const Project& options, const SystemInfo& info,
                                           double rank_tolerance) {
  return std::make_unique<Projection>(options, info, rank_tolerance);
}

}  // namespace driftless
