#pragma once
// For the tests of this folder: a System with quadratic constraints, all of its terms written down
// directly.
//
//   T = vᵀ M v / 2,  U = c·q
//   Φ_k = qᵀ A_k q / 2 + b_k·q + d_k + e_k t
//   Ψ_k = vᵀ A_k v / 2 + b_k·v + d_k + e_k t

#include "driftless/system/system.hpp"

namespace driftless::testing {

struct QuadraticRow {
  std::string name;
  Matrix A;
  Vector b;
  double d = 0.0;
  double e = 0.0;
};

/// Distance of two points (coordinates i, i+1 and j, j+1; j < 0: the origin) is `length`.
inline QuadraticRow make_rod(const std::string& name, int n, int i, int j, double length) {
  QuadraticRow row{name, Matrix::Zero(n, n), Vector::Zero(n), -length * length, 0.0};
  for (int k = 0; k < 2; ++k) {
    row.A(i + k, i + k) = 2.0;
    if (j < 0) continue;
    row.A(j + k, j + k) = 2.0;
    row.A(i + k, j + k) = row.A(j + k, i + k) = -2.0;
  }
  return row;
}

inline QuadraticRow make_plane(const std::string& name, const Vector& normal, double d,
                               double e = 0.0) {
  return {name, Matrix::Zero(normal.size(), normal.size()), normal, d, e};
}

class QuadraticSystem : public System {
 public:
  Matrix mass;
  Vector gravity;
  std::vector<QuadraticRow> positions;
  std::vector<QuadraticRow> velocities;
  double wrong_gamma = 0.0;  ///< mistakes to be found
  double wrong_force = 0.0;
  double wrong_rate = 0.0;

  QuadraticSystem(const Matrix& M, std::vector<QuadraticRow> position_rows,
                  std::vector<QuadraticRow> velocity_rows = {})
      : mass(M),
        gravity(Vector::Zero(M.rows())),
        positions(std::move(position_rows)),
        velocities(std::move(velocity_rows)) {
    info_.nq = info_.nv = static_cast<int>(M.rows());
    info_.position_rows = static_cast<int>(positions.size());
    info_.velocity_rows = static_cast<int>(velocities.size());
    for (int i = 0; i < info_.nv; ++i) {
      info_.coordinates.push_back("q" + std::to_string(i));
      info_.rates.push_back(info_.coordinates.back() + "'");
    }
    for (const auto& row : positions) info_.rows.push_back(row.name);
    for (const auto& row : velocities) info_.rows.push_back(row.name);
    info_.invariants.push_back({"energy", true, false, "J"});
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto ws = std::make_unique<Workspace>();
    resize_workspace(info_, *ws);
    return ws;
  }
  void eval_configuration(double t, ConstVectorRef q, Workspace& ws) const override {
    ws.mass.whole() = mass;
    for (Eigen::Index k = 0; k < ws.phi.size(); ++k) {
      const QuadraticRow& row = positions[static_cast<std::size_t>(k)];
      ws.phi[k] = 0.5 * q.dot(row.A * q) + row.b.dot(q) + row.d + row.e * t;
      ws.jacobian.whole().row(k) = (row.A * q + row.b).transpose();
    }
  }
  void eval_motion(double t, ConstVectorRef, ConstVectorRef v, Workspace& ws) const override {
    ws.force = -gravity + Vector::Constant(v.size(), wrong_force);
    Eigen::Index k = 0;
    for (const QuadraticRow& row : positions) {
      ws.velocity_residual[k] = ws.jacobian.dense().row(k).dot(v) + row.e;
      ws.gamma[k] = -v.dot(row.A * v) + wrong_gamma;
      ++k;
    }
    for (const QuadraticRow& row : velocities) {
      ws.velocity_residual[k] = 0.5 * v.dot(row.A * v) + row.b.dot(v) + row.d + row.e * t;
      ws.jacobian.whole().row(k) = (row.A * v + row.b).transpose();
      ws.gamma[k] = -row.e;
      ++k;
    }
  }
  void eval_invariants(double, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const override {
    ws.invariant[0] = 0.5 * v.dot(mass * v) + gravity.dot(q);
    ws.invariant_v.row(0) = (mass * v).transpose();
  }
  void eval_invariant_gradients(double, ConstVectorRef, ConstVectorRef,
                                Workspace& ws) const override {
    ws.invariant_q.row(0) = gravity.transpose();
  }
  void eval_power(double, ConstVectorRef, ConstVectorRef, Workspace&) const override {}
  void eval_jacobian_rate(double, ConstVectorRef, ConstVectorRef w, Workspace&,
                          BlockMatrix& rate) const override {
    for (Eigen::Index k = 0; k < info_.position_rows; ++k)
      rate.whole().row(k) =
          (positions[static_cast<std::size_t>(k)].A * w).transpose().array() + wrong_rate;
  }
  void eval_linearization(const Moment& moment, Workspace&, Linearization& out) const override {
    out.set_zero();
    Eigen::Index k = 0;
    for (const QuadraticRow& row : positions) {
      out.stiffness.whole() += moment.lambda[k] * row.A;
      out.residual_q.whole().row(k++) = (row.A * moment.v).transpose();
    }
    for (const QuadraticRow& row : velocities) out.damping.whole() += moment.lambda[k++] * row.A;
  }
  void eval_records(const Moment&, Workspace&, VectorRef) const override {}
};

inline State make_state(const std::vector<double>& q, const std::vector<double>& v) {
  return {0.0, as_vector(q), as_vector(v)};
}

}  // namespace driftless::testing
