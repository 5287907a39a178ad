#include "driftless/formulations/baumgarte.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr double kDefaultAlpha = 20.0;  // critically damped with beta: errors fall by e in 0.1 s
constexpr double kDefaultBeta = 100.0;

bool is_twice(const Baumgarte& options) { return options.notation == "2alpha_beta2"; }

Matrix make_diagonal(const Gain& gain, int rows, std::string_view key) {
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

Baumgarte with_default_gains(Baumgarte options) {
  const bool twice = is_twice(options);
  if (options.alpha.empty() && options.R.empty()) {
    options.alpha = scalar_gain(twice ? kDefaultAlpha / 2 : kDefaultAlpha);
  }
  if (options.beta.empty() && options.S.empty()) {
    options.beta = scalar_gain(twice ? std::sqrt(kDefaultBeta) : kDefaultBeta);
  }
  if (options.eta.empty()) {
    options.eta = scalar_gain(
        options.alpha.empty() ? kDefaultAlpha : options.alpha.value(0, 0) * (twice ? 2.0 : 1.0));
  }
  return options;
}

BaumgarteGains resolve_gains(const Baumgarte& given, int position_rows, int velocity_rows) {
  const bool twice = is_twice(given);
  if (!twice && given.notation != "alpha_beta") {
    throw ModelError("method.notation = \"" + given.notation + "\" is not known",
                     "use \"alpha_beta\" or \"2alpha_beta2\"");
  }
  if (!given.R.empty() && !given.alpha.empty()) {
    throw ModelError("method: both alpha and R are given", "keep one of them");
  }
  if (!given.S.empty() && !given.beta.empty()) {
    throw ModelError("method: both beta and S are given", "keep one of them");
  }
  const Baumgarte options = with_default_gains(given);
  BaumgarteGains gains;
  if (options.R.empty()) {
    gains.R = make_diagonal(options.alpha, position_rows, "alpha");
    if (twice) gains.R *= 2.0;
  } else {
    gains.R = check_square(options.R, position_rows, "R");
  }
  if (options.S.empty()) {
    gains.S = make_diagonal(options.beta, position_rows, "beta");
    if (twice) gains.S = gains.S.cwiseProduct(gains.S).eval();
  } else {
    gains.S = check_square(options.S, position_rows, "S");
  }
  gains.eta = make_diagonal(options.eta, velocity_rows, "eta").diagonal();
  return gains;
}

std::vector<std::complex<double>> find_error_eigenvalues(const BaumgarteGains& gains) {
  const Eigen::Index m = gains.R.rows();
  if (m == 0) return {};
  if (gains.R.isDiagonal(0.0) && gains.S.isDiagonal(0.0)) {  // row by row
    std::vector<std::complex<double>> all;
    for (Eigen::Index i = 0; i < m; ++i) {
      const double half = 0.5 * gains.R(i, i);
      const std::complex<double> root =
          std::sqrt(std::complex<double>(half * half - gains.S(i, i)));
      all.push_back(-half + root);
      all.push_back(-half - root);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) {
      return x.real() > y.real();  // as find_eigenvalues does
    });
    return all;
  }
  Matrix companion = Matrix::Zero(2 * m, 2 * m);
  companion.topRightCorner(m, m).setIdentity();
  companion.bottomLeftCorner(m, m) = -gains.S;
  companion.bottomRightCorner(m, m) = -gains.R;
  return find_eigenvalues(companion);
}

BaumgarteTerm::BaumgarteTerm(BaumgarteGains gains)
    : gains_(std::move(gains)), is_diagonal_(gains_.R.isDiagonal(0.0) && gains_.S.isDiagonal(0.0)) {
  if (!is_diagonal_) return;
  r_ = gains_.R.diagonal();
  s_ = gains_.S.diagonal();
  gains_.R.resize(0, 0);
  gains_.S.resize(0, 0);
}

void BaumgarteTerm::before_solve(const FieldPoint& point, VectorRef /*f*/, VectorRef b) {
  const Workspace& ws = point.evaluator.ws();
  const Eigen::Index m = ws.phi.size();
  if (is_diagonal_) {
    b.head(m) -= r_.cwiseProduct(ws.velocity_residual.head(m)) + s_.cwiseProduct(ws.phi);
  } else {
    b.head(m).noalias() -= gains_.R * ws.velocity_residual.head(m);
    b.head(m).noalias() -= gains_.S * ws.phi;
  }
  b.tail(b.size() - m) -= gains_.eta.cwiseProduct(ws.velocity_residual.tail(b.size() - m));
}

}  // namespace driftless
