#include "driftless/integrators/adams_coefficients.hpp"

namespace driftless {
namespace {

std::size_t at(int row) { return static_cast<std::size_t>(row); }

}  // namespace

void AdamsCoefficients::prepare(const AdamsRow& before, double h, int k) {
  AdamsRow alpha{}, column{};
  psi[1] = h;
  beta[1] = sigma[1] = 1.0;
  alpha[1] = 1.0;
  for (int i = 2; i <= k + 1; ++i) {
    psi[at(i)] = h + before[at(i - 1)];
    beta[at(i)] = beta[at(i - 1)] * psi[at(i - 1)] / before[at(i - 1)];
    alpha[at(i)] = h / psi[at(i)];
  }
  for (int i = 1; i <= k; ++i) sigma[at(i + 1)] = i * alpha[at(i)] * sigma[at(i)];
  for (int q = 1; q <= k + 1; ++q) column[at(q)] = 1.0 / q;
  g[1] = 1.0;
  for (int i = 2; i <= k + 1; ++i) {
    for (int q = 1; q <= k + 2 - i; ++q) {
      column[at(q)] =
          i == 2 ? 1.0 / (q * (q + 1.0)) : column[at(q)] - alpha[at(i - 1)] * column[at(q + 1)];
    }
    g[at(i)] = column[1];
  }
}

AdamsRow find_back_weights(const AdamsRow& psi, double back, int rows) {
  AdamsRow weights{}, column{};
  for (int q = 1; q <= rows; ++q) column[at(q)] = 1.0 / q;
  weights[1] = 1.0;
  double term = 0.0;
  for (int i = 2; i <= rows; ++i) {
    const double distance = psi[at(i - 1)];
    for (int q = 1; q <= rows + 1 - i; ++q)
      column[at(q)] = ((back + term) * column[at(q)] - back * column[at(q + 1)]) / distance;
    weights[at(i)] = column[1];
    term = distance;
  }
  return weights;
}

}  // namespace driftless
