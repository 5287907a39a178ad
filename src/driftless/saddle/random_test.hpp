#pragma once

#include <random>

#include <gtest/gtest.h>

#include "driftless/math/linear.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {

/// An exam with random numbers, the same ones each time.
class RandomExam : public testing::Test {
 protected:
  std::mt19937 random_{20261116};

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  Vector random_vector(int n) {
    Vector v(n);
    for (double& each : v) each = uniform(-1, 1);
    return v;
  }

  /// A correction found along with the factors is the one found with them afterwards.
  static void check_correction(SaddleEngine& engine, const BlockMatrix& mass,
                               const BlockMatrix& jacobian, double tolerance, const Vector& b) {
    const Vector zero = Vector::Zero(mass.columns());
    Vector x = zero, lambda = Vector::Zero(b.size());
    for (const bool mass_changed :
         {true, false})  // the second time it knows which rows are redundant
      ASSERT_TRUE(engine.factorize(mass, mass_changed, jacobian, tolerance));
    engine.solve(zero, b, x, lambda);
    const int rank = engine.rank();
    Vector along_x = Vector::Ones(x.size()), along_lambda = Vector::Ones(b.size());
    ASSERT_TRUE(engine.factorize_and_correct(mass, false, jacobian, tolerance, zero, b, along_x,
                                             along_lambda));
    EXPECT_EQ(engine.rank(), rank);
    EXPECT_LE(max_abs(along_x - x), 1e-13 * max_abs(x));
    EXPECT_LE(max_abs(along_lambda - lambda), 1e-13 * max_abs(lambda));
  }
};

}  // namespace driftless
