#include "driftless/formulations/baumgarte.hpp"

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr double kDefaultAlpha = 20.0;  // critically damped with beta: errors fall by e in 0.1 s
constexpr double kDefaultBeta = 100.0;

Matrix make_diagonal(const Gain& gain, double fallback, int rows, std::string_view key) {
  if (gain.empty()) return Matrix::Identity(rows, rows) * fallback;
  if (gain.value.size() == 1) return Matrix::Identity(rows, rows) * gain.value(0, 0);
  if (gain.value.cols() == 1 && gain.value.rows() == rows) return gain.value.col(0).asDiagonal();
  throw ModelError(fmt::format("method.{}: {} x {} numbers for {} constraints", key,
                               gain.value.rows(), gain.value.cols(), rows),
                   "give one number, or one per constraint; full matrices are R and S");
}

Matrix check_square(const Gain& gain, int rows, std::string_view key) {
  if (gain.value.rows() == rows && gain.value.cols() == rows) return gain.value;
  throw ModelError(fmt::format("method.{}: the matrix is {} x {}, but there are {} constraints",
                               key, gain.value.rows(), gain.value.cols(), rows),
                   fmt::format("give {} rows of {} numbers", rows, rows));
}

}  // namespace

BaumgarteGains resolve_gains(const Baumgarte& options, int position_rows, int velocity_rows) {
  const bool twice = options.notation == "2alpha_beta2";
  if (!twice && options.notation != "alpha_beta") {
    throw ModelError("method.notation = \"" + options.notation + "\" is not known",
                     "use \"alpha_beta\" or \"2alpha_beta2\"");
  }
  if (!options.R.empty() && !options.alpha.empty()) {
    throw ModelError("method: both alpha and R are given", "keep one of them");
  }
  if (!options.S.empty() && !options.beta.empty()) {
    throw ModelError("method: both beta and S are given", "keep one of them");
  }
  BaumgarteGains gains;
  if (options.R.empty()) {
    gains.R = make_diagonal(options.alpha, twice ? kDefaultAlpha / 2 : kDefaultAlpha, position_rows,
                            "alpha");
    if (twice) gains.R *= 2.0;
  } else {
    gains.R = check_square(options.R, position_rows, "R");
  }
  if (options.S.empty()) {
    gains.S = make_diagonal(options.beta, twice ? 10.0 : kDefaultBeta, position_rows, "beta");
    if (twice) gains.S = gains.S.cwiseProduct(gains.S).eval();
  } else {
    gains.S = check_square(options.S, position_rows, "S");
  }
  const double alpha =
      options.alpha.empty() ? kDefaultAlpha : options.alpha.value(0, 0) * (twice ? 2.0 : 1.0);
  gains.eta = make_diagonal(options.eta, alpha, velocity_rows, "eta").diagonal();
  return gains;
}

std::vector<std::complex<double>> find_error_eigenvalues(const BaumgarteGains& gains) {
  const Eigen::Index m = gains.R.rows();
  if (m == 0) return {};
  Matrix companion = Matrix::Zero(2 * m, 2 * m);
  companion.topRightCorner(m, m).setIdentity();
  companion.bottomLeftCorner(m, m) = -gains.S;
  companion.bottomRightCorner(m, m) = -gains.R;
  return find_eigenvalues(companion);
}

void BaumgarteTerm::before_solve(const FieldPoint& point, VectorRef /*f*/, VectorRef b) {
  const Workspace& ws = point.evaluator.ws();
  const Eigen::Index m = ws.phi.size();
  b.head(m).noalias() -= gains_.R * ws.velocity_residual.head(m);
  b.head(m).noalias() -= gains_.S * ws.phi;
  b.tail(b.size() - m) -= gains_.eta.cwiseProduct(ws.velocity_residual.tail(b.size() - m));
}

}  // namespace driftless
