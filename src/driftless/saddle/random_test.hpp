#pragma once

#include <random>

#include <gtest/gtest.h>

#include "driftless/math/linear.hpp"

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
};

}  // namespace driftless
