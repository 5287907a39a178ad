#include "driftless/io/page_thinning.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(PageThinning, FewRowsStayAsTheyAre) {
  ThinnedColumns columns(2, 8);
  for (int k = 0; k < 8; ++k) columns.add(std::vector<double>{k * 0.5, std::cos(k)});
  EXPECT_EQ(columns.rows_per_bucket(), 1U);
  ASSERT_EQ(columns.points(), 8U);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(columns.column(0)[k], static_cast<double>(k) * 0.5);
    EXPECT_EQ(columns.column(1)[k], std::cos(static_cast<double>(k)));
  }
}

TEST(PageThinning, NoPeakIsLostAndNoOrderTurned) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const std::size_t rows : {9U, 100U, 4097U, 100000U}) {
    ThinnedColumns columns(2, 100);
    std::vector<double> values;
    for (std::size_t k = 0; k < rows; ++k) {
      values.push_back(number(random));
      columns.add(std::vector<double>{static_cast<double>(k), values.back()});
    }
    EXPECT_EQ(columns.rows(), rows);
    EXPECT_LE(columns.points(), 100U);
    if (rows > 100) {
      EXPECT_GE(columns.points(), 49U);
    }
    const std::vector<double> times = columns.column(0);
    const std::vector<double> thin = columns.column(1);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
    EXPECT_EQ(times.front(), 0.0);
    EXPECT_EQ(times.back(), static_cast<double>(rows - 1));
    // Each bucket's two points are its extremes, in the order in which they came.
    const std::size_t size = columns.rows_per_bucket();
    for (std::size_t point = 0; size > 1 && point + 1 < thin.size(); point += 2) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(point / 2 * size);
      const auto end =
          begin + static_cast<std::ptrdiff_t>(std::min(size, values.size() - point / 2 * size));
      const auto low = std::min_element(begin, end);
      const auto high = std::max_element(begin, end);
      EXPECT_EQ(thin[point], low < high ? *low : *high);
      EXPECT_EQ(thin[point + 1], low < high ? *high : *low);
    }
  }
}

TEST(PageThinning, FramesKeepEveryNthRowAndTheLast) {
  ThinnedFrames frames({2, 1}, 10);
  for (int k = 0; k < 98; ++k) frames.add(std::vector<double>{k * 0.1, k * 1.0, -k * 1.0});
  const std::vector<double> times = frames.times();
  const std::vector<float> values = frames.values();
  const auto step = static_cast<double>(frames.rows_per_frame());
  EXPECT_EQ(step, 16.0);
  ASSERT_EQ(values.size(), 2 * times.size());
  EXPECT_LE(times.size(), 11U);
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    EXPECT_DOUBLE_EQ(times[k], 0.1 * step * static_cast<double>(k));
    EXPECT_EQ(values[2 * k], static_cast<float>(-step * static_cast<double>(k)));
    EXPECT_EQ(values[2 * k + 1], static_cast<float>(step * static_cast<double>(k)));
  }
  EXPECT_DOUBLE_EQ(times.back(), 9.7);
  EXPECT_EQ(values.back(), 97.0F);
}

}  // namespace
}  // namespace driftless
