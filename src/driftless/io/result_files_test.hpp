#pragma once
// For the tests of result files: a directory of their own and a result with everything odd in it.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "driftless/base/error.hpp"
#include "driftless/result/result.hpp"

namespace driftless::testing_results {

/// A directory that is gone at the end of the test.
class Scratch {
 public:
  Scratch() {
    std::string name = ::testing::TempDir() + "driftless_results_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::size_t count_files() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++count;
    return count;
  }

 private:
  std::string path_;
};

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What the action throws as ModelError, else empty.
template <class Action>
std::string find_error(const Action& action) {
  try {
    action();
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

inline std::vector<Column> make_columns(std::size_t count) {
  std::vector<Column> columns{{"t", "s"}};
  while (columns.size() < count) columns.push_back({"x" + std::to_string(columns.size()), "m"});
  return columns;
}

inline Report make_odd_report() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Report report;
  report.status = Status::failed;
  report.message = "odd: a = b\nsecond line, \"quoted\" \\n";
  report.t_end = 0.1 + 0.2;
  report.steps = 1'234'567'890'123L;
  report.rejected = 3;
  report.evaluations = 4;
  report.factorisations = 5;
  report.cpu_seconds = 1.0 / 3.0;
  report.max_phi = 5e-324;
  report.max_phi_dot = kNan;
  report.max_energy_error = std::numeric_limits<double>::infinity();
  report.dof = 1;
  report.rows = 20;
  report.rank = 17;
  report.min_rank = 16;
  report.redundant = {"pin_x", "", "A.z = 0"};
  report.not_unique = {"A.force.z", "odd, name"};
  report.warnings = {"first,\nin two lines", "# second"};
  report.figures = {{"max = odd\\name", 1e-17}, {"coupling", -kNan}, {"", 0.0}};
  report.seconds = {{"steps", 1.0 / 3.0}, {"odd\n= name", 1e-9}};
  report.failure = {.t = 2.5,
                    .message = "the constraints cannot be met",
                    .worst = "pin_y",
                    .rank = 16,
                    .last_good = {1.0 / 3.0, -0.0, 1e300},
                    .suggestion = "try a smaller step"};
  return report;
}

inline Result make_odd_result() {
  Result result;
  result.info.model_name = "odd \xCE\xA6 \"name\"\r\nline two = 3";
  result.info.model_path = "models/with space, comma.toml";
  result.info.model_text = std::string(1'000'000, 'x') + "\n[end]\n";
  result.info.method = "braun_goldfarb/rk4/project+energy";
  result.info.options = "step = 0.01, tolerance = 1e-05";
  result.info.settings = "A.rate = 20 rad/s, s = \"a = 1\"\nuntil = 2";
  result.info.version = "0.1.0";
  result.info.parameters = {{"m", 0.1}, {"a=b\\c\nd", -1.0 / 3.0}, {"", 1e-308}};
  result.columns = {
      {"t", "s"}, {"x1'", "m/s"}, {"a,\"b\"\nc", "m, \"x\""}, {"#d", ""}, {" e ", "\xC2\xB5m"}};
  result.report = make_odd_report();
  std::uint64_t bits = 88172645463325252ULL;  // xorshift: doubles of every size
  for (int row = 0; row < 500; ++row) {
    result.data.push_back(row * 0.1);
    for (int k = 1; k < 5; ++k) {
      bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
      double value = 0.0;
      static_assert(sizeof value == sizeof bits);
      std::memcpy(&value, &bits, sizeof value);
      result.data.push_back(std::isfinite(value) ? value : -0.0);
    }
  }
  return result;
}

inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

inline void expect_same(const std::vector<std::pair<std::string, double>>& a,
                        const std::vector<std::pair<std::string, double>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].first, b[k].first);
    EXPECT_TRUE(same(a[k].second, b[k].second)) << a[k].first;
  }
}

inline void expect_same(const Report& a, const Report& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.message, b.message);
  for (const auto member : {&Report::t_end, &Report::cpu_seconds, &Report::max_phi,
                            &Report::max_phi_dot, &Report::max_energy_error}) {
    EXPECT_TRUE(same(a.*member, b.*member)) << a.*member << " " << b.*member;
  }
  for (const auto member :
       {&Report::steps, &Report::rejected, &Report::evaluations, &Report::factorisations}) {
    EXPECT_EQ(a.*member, b.*member);
  }
  for (const auto member : {&Report::dof, &Report::rows, &Report::rank, &Report::min_rank}) {
    EXPECT_EQ(a.*member, b.*member);
  }
  EXPECT_EQ(a.redundant, b.redundant);
  EXPECT_EQ(a.not_unique, b.not_unique);
  EXPECT_EQ(a.warnings, b.warnings);
  expect_same(a.figures, b.figures);
  expect_same(a.seconds, b.seconds);
  EXPECT_TRUE(same(a.failure.t, b.failure.t));
  EXPECT_EQ(a.failure.message, b.failure.message);
  EXPECT_EQ(a.failure.worst, b.failure.worst);
  EXPECT_EQ(a.failure.rank, b.failure.rank);
  EXPECT_EQ(a.failure.last_good, b.failure.last_good);
  EXPECT_EQ(a.failure.suggestion, b.failure.suggestion);
}

inline void expect_same(const Result& a, const Result& b) {
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.info.model_name, b.info.model_name);
  EXPECT_EQ(a.info.model_path, b.info.model_path);
  EXPECT_EQ(a.info.model_text, b.info.model_text);
  EXPECT_EQ(a.info.method, b.info.method);
  EXPECT_EQ(a.info.options, b.info.options);
  EXPECT_EQ(a.info.settings, b.info.settings);
  EXPECT_EQ(a.info.version, b.info.version);
  expect_same(a.info.parameters, b.info.parameters);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t k = 0; k < a.columns.size(); ++k) {
    EXPECT_EQ(a.columns[k].name, b.columns[k].name);
    EXPECT_EQ(a.columns[k].unit, b.columns[k].unit);
  }
  ASSERT_EQ(a.data.size(), b.data.size());
  for (std::size_t k = 0; k < a.data.size(); ++k) {
    ASSERT_TRUE(same(a.data[k], b.data[k])) << "number " << k;
  }
  expect_same(a.report, b.report);
}

}  // namespace driftless::testing_results
