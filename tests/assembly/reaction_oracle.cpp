#include "tests/assembly/reaction_oracle.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace driftless::trials {
namespace {

/// Coefficients of λ in each record, one row each; zero if it is no reaction.
Matrix find_coefficients(const PreparedModel& model, Workspace& ws) {
  const System& system = model.system();
  const SystemInfo& info = system.info();
  const auto count = static_cast<Eigen::Index>(info.records.size());
  const auto eval = [&](const Vector& lambda) {
    Vector values(count);
    const Vector v_dot = Vector::Zero(info.nv);
    system.eval_records({0.0, model.start.q, model.start.v, v_dot, lambda}, ws, values);
    return values;
  };
  const Vector zero = eval(Vector::Zero(info.row_count()));
  Matrix slopes(count, info.row_count());
  for (int i = 0; i < info.row_count(); ++i)
    slopes.col(i) = eval(Vector::Unit(info.row_count(), i)) - zero;
  return slopes;
}

/// An orthonormal basis; no columns if the rank is full.
Matrix find_kernel(const Eigen::FullPivLU<Matrix>& lu) {
  if (lu.dimensionOfKernel() == 0) return Matrix(lu.cols(), 0);
  const Matrix kernel = lu.kernel();
  const Eigen::HouseholderQR<Matrix> qr(kernel);
  return qr.householderQ() * Matrix::Identity(kernel.rows(), kernel.cols());
}

}  // namespace

Oracle ask_oracle(const PreparedModel& model) {
  const System& system = model.system();
  const SystemInfo& info = system.info();
  const auto ws = system.make_workspace();
  system.eval_configuration(0.0, model.start.q, *ws);
  system.eval_motion(0.0, model.start.q, model.start.v, *ws);
  const Matrix jacobian = ws->jacobian.dense();
  Eigen::FullPivLU<Matrix> lu(jacobian.transpose());
  lu.setThreshold(1e-9);
  Oracle oracle;
  oracle.rank = static_cast<int>(lu.rank());
  const Matrix null_space = find_kernel(lu);
  const Matrix slopes = find_coefficients(model, *ws);
  for (Eigen::Index k = 0; k < slopes.rows(); ++k) {
    const Vector w = slopes.row(k).transpose();
    if (w.norm() <= 1e-12 * slopes.norm()) continue;  // no multiplier changes it
    const std::string& name = info.records[static_cast<std::size_t>(k)];
    if (w.norm() > 0.0 && (null_space.transpose() * w).norm() > 1e-7 * w.norm())
      oracle.not_unique.push_back(name);
  }
  return oracle;
}

}  // namespace driftless::trials
