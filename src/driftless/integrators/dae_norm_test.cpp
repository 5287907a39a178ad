// What the Newton and error tests of implicit integrators look at.

#include "driftless/integrators/dae_norm.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/integrators/mechanical_dae_test.hpp"
#include "driftless/integrators/newton.hpp"

namespace driftless::exam {
namespace {

class Weighted : public MechanicalDae<CirclePendulum> {
 public:
  using MechanicalDae::MechanicalDae;
  double error_weight(int component) const override { return component == 1 ? 0.0 : 1.0; }
};

TEST(DaeNorm, ScalesByIndexAndLeavesOutWhatHasNoWeight) {
  const Vector y{3.0, 5.0, 0.0, 1.0, 2.0};
  const double h = 0.1, rtol = 0.01, atol = 0.02;
  const auto measure = [&](Form form, int component, ErrorTest test, bool newton) {
    Weighted problem(CirclePendulum{}, form);
    DaeNorm norm;
    norm.start(problem, problem, rtol, atol, test);
    norm.set_scale(y, h);
    Vector x(5, 0.0);
    x[static_cast<std::size_t>(component)] = 0.7;
    return newton ? norm.calc_newton(x) : norm.calc_error(x);
  };
  const auto expect = [&](int component, double power, double count) {
    return 0.7 * std::pow(h, power) /
           (atol + rtol * std::abs(y[static_cast<std::size_t>(component)])) / std::sqrt(count);
  };
  for (const bool newton : {true, false}) {
    EXPECT_DOUBLE_EQ(measure(Form::index3, 0, ErrorTest::all, newton), expect(0, 0, 4));
    EXPECT_EQ(measure(Form::index3, 1, ErrorTest::all, newton), 0.0);
    EXPECT_DOUBLE_EQ(measure(Form::index3, 2, ErrorTest::all, newton), expect(2, 1, 4));
    EXPECT_DOUBLE_EQ(measure(Form::index3, 4, ErrorTest::all, newton), expect(4, 2, 4));
    EXPECT_DOUBLE_EQ(measure(Form::index2, 3, ErrorTest::all, newton), expect(3, 0, 4));
    EXPECT_DOUBLE_EQ(measure(Form::index1, 4, ErrorTest::all, newton), expect(4, 1, 4));
  }
  EXPECT_DOUBLE_EQ(measure(Form::index3, 0, ErrorTest::no_multipliers, false), expect(0, 0, 3));
  EXPECT_EQ(measure(Form::index3, 4, ErrorTest::no_multipliers, false), 0.0);
  EXPECT_DOUBLE_EQ(measure(Form::index3, 4, ErrorTest::no_multipliers, true), expect(4, 2, 4));
  EXPECT_DOUBLE_EQ(measure(Form::index1, 4, ErrorTest::no_multipliers, false), expect(4, 1, 4));
}

TEST(NewtonMonitor, JudgesByWhatIsMissing) {
  using Verdict = NewtonMonitor::Verdict;
  NewtonMonitor monitor;
  monitor.resize(2);
  monitor.begin({.goal = 0.01});
  EXPECT_EQ(monitor.judge(1.0), Verdict::go_on);
  EXPECT_EQ(monitor.judge(0.1), Verdict::go_on);  // 0.1/0.9 * 0.1 > 0.01
  EXPECT_EQ(monitor.judge(0.01), Verdict::converged);
  EXPECT_TRUE(monitor.is_slow());

  monitor.begin({.goal = 0.01});  // remembers the rate
  EXPECT_EQ(monitor.judge(0.05), Verdict::converged);
  monitor.forget_rate();
  monitor.begin({.goal = 0.01});
  EXPECT_EQ(monitor.judge(0.05), Verdict::go_on);
  EXPECT_EQ(monitor.judge(0.06), Verdict::go_on);  // may be a stiff direction that has turned
  EXPECT_EQ(monitor.judge(0.06), Verdict::diverged);
  monitor.begin({.goal = 0.01});
  EXPECT_EQ(monitor.judge(std::nan("")), Verdict::diverged);
  monitor.forget_rate();
  monitor.begin({.goal = 1e-9, .max_iterations = 4});
  EXPECT_EQ(monitor.judge(1.0), Verdict::go_on);
  EXPECT_EQ(monitor.judge(0.5), Verdict::go_on);
  EXPECT_EQ(monitor.judge(0.25), Verdict::diverged);  // will not arrive in time
}

/// Three equations, the last of them that of an integral.
class WithAnIntegral final : public DenseDae {
 public:
  int dae_size() const override { return 3; }
  bool eval_residual(double, std::span<const double>, std::span<const double>,
                     std::span<double>) override {
    return false;
  }
  bool eval_derivatives(double, std::span<const double>, std::span<const double>) override {
    return false;
  }
  int variable_index(int) const override { return 1; }
  bool is_algebraic(int) const override { return false; }
  bool is_integral(int component) const override { return component == 2; }
  bool find_slopes(double, std::span<double>, std::span<double>) override { return false; }
};

TEST(NewtonMonitor, NamesTheEquationThatFallsLeast) {
  const WithAnIntegral dae;
  NewtonMonitor monitor;
  monitor.resize(3);
  monitor.begin({});
  monitor.record(Vector{1e6, 1e-3, 1.0});
  monitor.record(Vector{1e2, 1e-3, 1.0});
  monitor.record(Vector{1e1, 2e-3, 1e6});
  EXPECT_EQ(monitor.find_worst_equation(dae), 1);
  monitor.record(Vector{1.0, 2e-3, std::nan("")});
  EXPECT_EQ(monitor.find_worst_equation(dae), 1);
  monitor.record(Vector{std::nan(""), 2e-3, std::nan("")});
  EXPECT_EQ(monitor.find_worst_equation(dae), 0);
}

}  // namespace
}  // namespace driftless::exam
