#include "driftless/math/sines.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace driftless {
namespace {

struct Sines {
  std::vector<double> cosines, sines;
};

Sines eval(const std::vector<double>& angles) {
  Sines all{std::vector<double>(angles.size()), std::vector<double>(angles.size())};
  eval_sines(angles.data(), angles.size(), all.cosines.data(), all.sines.data());
  return all;
}

/// Against the C library's in extended precision.
void expect_right(const std::vector<double>& angles) {
  const Sines all = eval(angles);
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const auto x = static_cast<long double>(angles[k]);
    EXPECT_LE(std::abs(std::cos(x) - static_cast<long double>(all.cosines[k])), 2.2e-16L) << x;
    EXPECT_LE(std::abs(std::sin(x) - static_cast<long double>(all.sines[k])), 2.2e-16L) << x;
  }
}

TEST(Sines, AreRightForAnglesOfAnySize) {
  std::mt19937_64 random(1);
  for (const double range : {1e-9, 0.1, 2.0, 100.0, 1e4, 9.9e5, 1e9}) {
    std::uniform_real_distribution<double> number(-range, range);
    std::vector<double> angles(301);
    for (double& each : angles) each = number(random);
    expect_right(angles);
  }
}

TEST(Sines, AreRightAtTheEdgesOfQuadrants) {
  std::vector<double> angles{0.0, -0.0};
  for (long n = -600000; n <= 600000; n += 3001) {
    const auto edge = static_cast<double>(static_cast<long double>(n) * 0.78539816339744830961566L);
    for (const double factor : {1.0, 1.0 + 2.3e-16, 1.0 - 2.3e-16}) angles.push_back(edge * factor);
  }
  expect_right(angles);
}

TEST(Sines, DoNotDependOnTheCompany) {
  std::vector<double> angles;
  for (int k = 0; k < 13; ++k) angles.push_back(0.7 * k * k - 11.0);
  const Sines all = eval(angles);
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const Sines one = eval({angles[k]});
    EXPECT_EQ(one.cosines[0], all.cosines[k]);
    EXPECT_EQ(one.sines[0], all.sines[k]);
  }
}

TEST(Sines, OfWhatIsNoAngleAreNoNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Sines all = eval({0.5, infinity, -infinity, std::nan(""), 1.0});
  for (const std::size_t k : {1U, 2U, 3U}) EXPECT_TRUE(std::isnan(all.sines[k]));
  EXPECT_DOUBLE_EQ(all.sines[0], std::sin(0.5));
  EXPECT_DOUBLE_EQ(all.cosines[4], std::cos(1.0));
}

}  // namespace
}  // namespace driftless
