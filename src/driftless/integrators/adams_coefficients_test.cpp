// Against polynomials, which the formulas integrate exactly, on points that are not equally spaced.

#include "driftless/integrators/adams_coefficients.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace driftless {
namespace {

std::size_t at(int row) { return static_cast<std::size_t>(row); }

/// Slopes t^d at t_n, t_{n-1}, ... as [AD.1] keeps them.
struct History {
  AdamsRow psi{};  // psi_i(n)
  AdamsRow phi{};  // phi_i(n)
};

History make_history(const std::vector<double>& times, int degree) {
  History history;
  std::vector<double> differences;
  for (const double t : times) differences.push_back(std::pow(t, degree));
  double product = 1.0;
  for (int i = 1; i <= static_cast<int>(times.size()); ++i) {
    history.phi[at(i)] = product * differences[0];
    if (i == static_cast<int>(times.size())) break;
    for (std::size_t j = 0; j + static_cast<std::size_t>(i) < times.size(); ++j) {
      differences[j] = (differences[j] - differences[j + 1]) /
                       (times[j] - times[j + static_cast<std::size_t>(i)]);
    }
    history.psi[at(i)] = times[0] - times[at(i)];
    product *= history.psi[at(i)];
  }
  return history;
}

double integrate_power(double from, double to, int degree) {
  return (std::pow(to, degree + 1) - std::pow(from, degree + 1)) / (degree + 1);
}

TEST(AdamsCoefficients, IntegratePolynomialsOverUnequalSteps) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> step(0.05, 0.15);
  for (int k = 1; k <= kHighestAdams; ++k) {
    std::vector<double> times{0.4};
    for (int i = 1; i < k + 1; ++i) times.push_back(times.back() - step(random));
    const double h = step(random);
    for (int degree = 0; degree < k; ++degree) {
      const History history = make_history(times, degree);
      AdamsCoefficients coefficients;
      coefficients.prepare(history.psi, h, k);
      double sum = 0.0;
      for (int i = 1; i <= k; ++i)
        sum += coefficients.g[at(i)] * coefficients.beta[at(i)] * history.phi[at(i)];  // [AD.3]
      EXPECT_NEAR(h * sum, integrate_power(times[0], times[0] + h, degree), 1e-13)
          << "order " << k << ", degree " << degree;
    }
  }
}

TEST(AdamsCoefficients, IntegrateBackInsideTheLastStep) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> step(0.05, 0.15);
  for (int rows = 1; rows <= kHighestAdams + 1; ++rows) {
    std::vector<double> times{0.4};
    for (int i = 1; i < rows; ++i) times.push_back(times.back() - step(random));
    for (const double back : {-0.01, -0.03, -0.05}) {
      for (int degree = 0; degree < rows; ++degree) {
        const History history = make_history(times, degree);
        const AdamsRow weights = find_back_weights(history.psi, back, rows);
        double sum = 0.0;
        for (int i = 1; i <= rows; ++i) sum += weights[at(i)] * history.phi[at(i)];
        EXPECT_NEAR(back * sum, integrate_power(times[0], times[0] + back, degree), 1e-13)
            << rows << " rows, degree " << degree << ", back " << back;
      }
    }
  }
}

/// gamma*_i = gamma_i - gamma_{i-1}, where gamma_i = g_{i+1,1} of equal steps.
TEST(AdamsCoefficients, ErrorConstantsAreThoseOfEqualSteps) {
  AdamsRow psi{};
  for (int i = 1; i < static_cast<int>(kAdamsRows); ++i) psi[at(i)] = i;
  AdamsCoefficients coefficients;
  coefficients.prepare(psi, 1.0, kHighestAdams + 1);
  EXPECT_NEAR(coefficients.g[5], 251.0 / 720, 1e-15);
  for (int i = 1; i <= kHighestAdams + 1; ++i) {
    EXPECT_NEAR(kAdamsErrors[at(i)], coefficients.g[at(i)] - coefficients.g[at(i + 1)], 1e-14);
    EXPECT_NEAR(coefficients.beta[at(i)], 1.0, 1e-15);
    EXPECT_NEAR(coefficients.sigma[at(i)], 1.0, 1e-15);
  }
}

}  // namespace
}  // namespace driftless
