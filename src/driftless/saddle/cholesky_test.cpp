#include "driftless/saddle/cholesky.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/saddle/random_test.hpp"

namespace driftless {
namespace {

class CholeskyExam : public RandomExam {};

// Of a rod along u the inertia is J (1 - u uᵀ), which is singular however little u leaves a plane.
TEST_F(CholeskyExam, SlenderRodsHaveNoInertiaAboutThemselves) {
  for (int trial = 0; trial < 200; ++trial) {
    Eigen::Vector3d u(uniform(0.2, 1), uniform(-1, -0.2), uniform(0.2, 1));
    u[pick(3)] *= std::pow(10.0, uniform(-5.0, 0.0));
    u.normalize();
    Matrix mass = Matrix::Identity(6, 6);
    mass.bottomRightCorner(3, 3) = uniform(0.1, 3.0) * (Matrix::Identity(3, 3) - u * u.transpose());
    EXPECT_FALSE(CholeskyFactor(6).factorize(mass)) << u.transpose();
  }
}

// Links of a chain that is nearly straight, each a thousand times as heavy as the one before it.
TEST_F(CholeskyExam, MassesFarApartAreDefinite) {
  for (const double ratio : {1e-3, 1.0, 1e3}) {
    constexpr int kLinks = 4;
    Matrix speeds = Matrix::Zero(kLinks, kLinks);  // of the masses, by the rates of the joints
    for (int i = 0; i < kLinks; ++i)
      for (int j = 0; j <= i; ++j) speeds(i, j) = 1.0 + i - j;
    const Vector masses = Vector::NullaryExpr(
        kLinks, [&](Eigen::Index k) { return std::pow(ratio, static_cast<double>(k)); });
    const Matrix M = speeds.transpose() * masses.asDiagonal() * speeds;
    CholeskyFactor lower(kLinks);
    ASSERT_TRUE(lower.factorize(M)) << ratio;
    const Vector f = random_vector(kLinks);
    Vector x = M * f;
    lower.solve(x);
    lower.solve_transposed(x);
    EXPECT_LE(max_abs(x - f), 1e-4) << ratio;
  }
}

}  // namespace
}  // namespace driftless
