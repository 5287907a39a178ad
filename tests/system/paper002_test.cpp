// Eun, Yang and Chung 2003: a linear system with linear constraints, Udwadia-Kalaba with feedback on the constraints.

#include <cmath>
#include <complex>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/formulations/baumgarte.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

const std::vector<std::string> kState{"q1", "q2", "q3", "q1'", "q2'", "q3'"};

void expect_state(const Result& result, double t, const Values& expected) {
  const Values found = at(result, t, kState);
  for (std::size_t k = 0; k < kState.size(); ++k) {
    EXPECT_NEAR(found[k], expected[k], 1e-8) << kState[k] << " at t = " << t;
  }
}

// ---- reference states: with feedback and without ---------------------------------------------------

TEST(LongPaper002States, OneConstraint) {
  for (const std::string method : {"", "no_feedback"}) {
    const Result result = run_model(
        "three_masses", {.method = method, .tolerance = 1e-12, .until = 30, .every = 0.1});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    expect_state(result, 10,
                 {-0.33032574, -0.11010858, -0.19187188, -5.44943926, -1.81647975, -4.50328708});
    expect_state(result, 30,
                 {-1.09836542, -0.36612181, -0.53914028, -5.53212875, -1.84404292, -2.76088496});
  }
}

TEST(LongPaper002States, TwoConstraints) {
  for (const std::string method : {"", "no_feedback"}) {
    const Result result = run_model(
        "three_masses_two", {.method = method, .tolerance = 1e-12, .until = 30, .every = 0.1});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    expect_state(result, 30,
                 {-0.60410663, -0.20136888, 0.80547551, -3.03660042, -1.01220014, 4.04880055});
  }
}

// ---- (a) linear constraints drift by round-off only ------------------------------------------------

TEST(Paper002Drift, LinearConstraintsDoNotDrift) {
  for (const std::string model : {"three_masses", "three_masses_two"}) {
    const Result result =
        run_model(model, {.method = "no_feedback", .tolerance = 1e-6, .until = 30, .every = 0.01});
    expect_at_most(model, result.report.max_phi, 1e-11);
  }
}

// ---- (b) an inconsistent start obeys the error equation exactly ------------------------------------

/// phi and phi' at t of phi'' + alpha phi' + beta phi = 0.
std::pair<double, double> solve_error_equation(double alpha, double beta, double phi, double rate,
                                               double t) {
  using Complex = std::complex<double>;
  const Complex root = std::sqrt(Complex(alpha * alpha / 4 - beta));
  const Complex l1 = -alpha / 2 + root;
  const Complex l2 = -alpha / 2 - root;
  const Complex c1 = (rate - l2 * phi) / (l1 - l2);
  const Complex c2 = phi - c1;
  const Complex e1 = c1 * std::exp(l1 * t);
  const Complex e2 = c2 * std::exp(l2 * t);
  return {(e1 + e2).real(), (l1 * e1 + l2 * e2).real()};
}

Sets start_at(double q1, double q1_rate) {
  return {{"run.start", "given"}, {"q1", text_of(q1)}, {"q1'", text_of(q1_rate)}};
}

TEST(Paper002Feedback, ObeysTheErrorEquation) {
  struct Case {
    double alpha, beta, phi, rate;
  };
  for (const Case& c : {Case{20, 200, 1e-3, 0}, Case{18, 16.2, 1e-3, 0}, Case{6, 30, -2e-3, 0.05},
                        Case{0, 25, 1e-3, 0}}) {
    Sets sets = start_at(c.phi, c.rate);
    sets.emplace_back("method.alpha", text_of(c.alpha));
    sets.emplace_back("method.beta", text_of(c.beta));
    const Result result =
        run_model("three_masses", {.tolerance = 1e-12, .until = 3, .every = 0.01, .sets = sets});
    EXPECT_NEAR(at(result, 0, {"phi"})[0], std::abs(c.phi), 1e-15)
        << "the start was made consistent";
    const double error = max_error(result, {"q1", "q2", "q1'", "q2'"}, [&](double t) {
      const Values q = at(result, t, {"q1", "q2", "q1'", "q2'"});
      const auto [phi, rate] = solve_error_equation(c.alpha, c.beta, c.phi, c.rate, t);
      // What q1 and q1' would have to be for phi and phi' to be exact.
      return Values{3 * q[1] + phi, q[1], 3 * q[3] + rate, q[3]};
    });
    expect_at_most("error_equation", error, 1e-11);
  }
}

// ---- (c) the size of the error, E1 of eq. (20) -----------------------------------------------------

/// sqrt(integral of phi^2)/T by the trapezoidal rule.
double calc_error_size(const Result& result, const std::string& name) {
  const Values t = column(result, "t");
  const Values phi = column(result, name);
  double sum = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    sum += (phi[k] * phi[k] + phi[k - 1] * phi[k - 1]) / 2 * (t[k] - t[k - 1]);
  }
  return std::sqrt(sum) / t.back();
}

Result run_with_gains(double alpha, double beta, Sets sets) {
  sets.emplace_back("method.alpha", text_of(alpha));
  sets.emplace_back("method.beta", text_of(beta));
  return run_model("three_masses", {.tolerance = 1e-6, .until = 30, .every = 0.005, .sets = sets});
}

TEST(Paper002Feedback, CutsTheErrorAHundredTimes) {
  const double without = calc_error_size(run_with_gains(0, 0, {}), "phi");
  const double with = calc_error_size(run_with_gains(20, 200, {}), "phi");
  EXPECT_GT(without, 0.0);
  EXPECT_LT(with, without / 100);
}

// From q1 = p at rest the error does not depend on the integrator, and its size is known:
//   integral of phi^2 = p^2 (alpha^2 + beta)/(2 alpha beta),   of phi'^2 = p^2 beta/(2 alpha).
TEST(Paper002Feedback, SizeOfTheErrorFromAnInconsistentStart) {
  const double p = 1e-3;
  const Sets start = start_at(p, 0);
  for (const auto& [alpha, beta] : {std::pair{20.0, 200.0}, {18.0, 16.2}, {10.0, 25.0}}) {
    const Result result = run_with_gains(alpha, beta, start);
    const double e1 = p * std::sqrt((alpha * alpha + beta) / (2 * alpha * beta)) / 30;
    const double e2 = p * std::sqrt(beta / (2 * alpha)) / 30;
    EXPECT_NEAR(calc_error_size(result, "phi"), e1, 1e-4 * e1) << "alpha = " << alpha;
    EXPECT_NEAR(calc_error_size(result, "phi_dot"), e2, 5e-4 * e2) << "alpha = " << alpha;
  }
  const Result without = run_with_gains(0, 0, start);
  EXPECT_NEAR(calc_error_size(without, "phi"), p / std::sqrt(30.0), 1e-9);
  EXPECT_LT(calc_error_size(without, "phi_dot"), 1e-13);
}

// ---- full gain matrices, eqs. (26) and (27) --------------------------------------------------------

std::string text_of(const Matrix& m) {
  return fmt::format("[[{:.17g}, {:.17g}], [{:.17g}, {:.17g}]]", m(0, 0), m(0, 1), m(1, 0),
                     m(1, 1));
}

Matrix make_matrix(double a, double b, double c, double d) {
  Matrix m(2, 2);
  m << a, b, c, d;
  return m;
}

/// From Phi(0) = (1e-3, -2e-3), Phi'(0) = 0.
Result run_with_matrices(const Matrix& R, const Matrix& S, double until) {
  return run_model("three_masses_two", {.tolerance = 1e-12,
                                        .until = until,
                                        .every = 0.1,
                                        .sets = {{"run.start", "given"},
                                                 {"q1", "0.001"},
                                                 {"q3", "-0.003"},
                                                 {"method.R", text_of(R)},
                                                 {"method.S", text_of(S)}}});
}

Values find_rows(const Result& result, double t) {
  const Values q = at(result, t, {"q1", "q2", "q3"});
  return {q[0] - 3 * q[1], q[0] + q[1] + q[2]};
}

struct GainCase {
  Matrix R, S;
  std::vector<std::complex<double>> eigenvalues;  ///< largest real part first
  bool stable;
  Values early, late;  ///< Phi at 0.3 s and 2 s
  double late_bar;
};

std::vector<GainCase> make_gain_cases() {
  return {
      {make_matrix(20, 0, 0, 20),
       make_matrix(200, 0, 0, 200),
       {{-10, 10}, {-10, 10}, {-10, -10}, {-10, -10}},
       true,
       {-4.226287262e-5, 8.452574525e-5},
       {2.722e-12, -5.446e-12},
       3e-15},
      {make_matrix(20, 5, -5, 18),
       make_matrix(200, 40, 40, 150),
       {{-7.3842, 6.4373}, {-7.3842, -6.4373}, {-11.6158, 12.6892}, {-11.6158, -12.6892}},
       true,
       {-4.498904796e-5, -1.823708705e-4},
       {4.68558e-10, -8.16134e-10},
       1e-14},
      {make_matrix(20, 5, 5, 20),
       make_matrix(200, 250, 250, 180),
       {{3.2906, 0}, {-12.497, 16.8515}, {-12.497, -16.8515}, {-18.2965, 0}},
       false,
       {3.383537078e-3, -3.504641155e-3},
       {0.9081885981, -0.9429123337},
       1e-8},
      {make_matrix(4, 12, 12, 4),
       make_matrix(100, 0, 0, 100),
       {{4, 9.1652}, {4, -9.1652}, {-8, 6}, {-8, -6}},
       false,
       {-5.481378294e-3, 5.384195651e-3},
       {4.850451076, -4.850451076},
       5e-8},
  };
}

TEST(Paper002Matrices, ErrorsFollowTheirEquation) {
  for (const GainCase& c : make_gain_cases()) {
    const Result result = run_with_matrices(c.R, c.S, 2);
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    const Values early = find_rows(result, 0.3);
    const Values late = find_rows(result, 2.0);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(early[k], c.early[k], 1e-12) << "row " << k << ", R =\n" << c.R;
      EXPECT_NEAR(late[k], c.late[k], c.late_bar) << "row " << k << ", R =\n" << c.R;
    }
  }
}

TEST(Paper002Matrices, EigenvaluesTellStability) {
  for (const GainCase& c : make_gain_cases()) {
    const auto found = find_error_eigenvalues({c.R, c.S, {}});
    ASSERT_EQ(found.size(), c.eigenvalues.size());
    for (const std::complex<double>& expected : c.eigenvalues) {
      double nearest = 1e300;
      for (const std::complex<double>& value : found)
        nearest = std::min(nearest, std::abs(value - expected));
      EXPECT_LT(nearest, 1e-4) << expected;
    }
    EXPECT_EQ(found.front().real() < 0.0, c.stable);
  }
}

TEST(Paper002Matrices, UnstableGainsAreWarnedOf) {
  for (const GainCase& c : make_gain_cases()) {
    const Report report = run_with_matrices(c.R, c.S, 0.1).report;
    bool warned = false;
    for (const std::string& warning : report.warnings) {
      warned |= warning.find("unstable") != std::string::npos;
    }
    EXPECT_EQ(warned, !c.stable) << "R =\n" << c.R;
  }
}

/// exp(A t) z by scaling and squaring of the series.
Vector calc_exponential(Matrix A, double t, const Vector& z) {
  const int halvings = 12;
  A *= t / std::ldexp(1.0, halvings);
  Matrix power = Matrix::Identity(A.rows(), A.cols());
  Matrix sum = power;
  for (int k = 1; k < 12; ++k) {
    power = (power * A / k).eval();
    sum += power;
  }
  for (int k = 0; k < halvings; ++k) sum = (sum * sum).eval();
  return sum * z;
}

TEST(Paper002Matrices, RandomMatricesFollowTheExponential) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> gain(-8.0, 8.0);
  for (int k = 0; k < 5; ++k) {
    const Matrix R = make_matrix(14 + gain(random), gain(random), gain(random), 14 + gain(random));
    const Matrix S = make_matrix(90 + 5 * gain(random), 5 * gain(random), 5 * gain(random), 90);
    Matrix companion = Matrix::Zero(4, 4);
    companion.topRightCorner(2, 2).setIdentity();
    companion.bottomLeftCorner(2, 2) = -S;
    companion.bottomRightCorner(2, 2) = -R;
    Vector start(4);
    start << 1e-3, -2e-3, 0.0, 0.0;
    const Result result = run_with_matrices(R, S, 1);
    for (const double t : {0.1, 0.5, 1.0}) {
      const Vector expected = calc_exponential(companion, t, start);
      const Values found = find_rows(result, t);
      EXPECT_NEAR(found[0], expected[0], 1e-12) << "t = " << t;
      EXPECT_NEAR(found[1], expected[1], 1e-12) << "t = " << t;
    }
  }
}

}  // namespace
}  // namespace driftless::trials
