// Baumgarte's gains: the error equation [BMG.1], [BMG.2] in every way to write them, misuse, eigenvalues.

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/formulations/baumgarte.hpp"
#include "driftless/run/exam_models_test.hpp"

namespace driftless {
namespace {

using testing::ExamModel;
using testing::Random;

Gain make_gain(Eigen::Index rows, Eigen::Index cols, std::initializer_list<double> values) {
  Gain gain{Matrix::Zero(rows, cols)};
  auto value = values.begin();
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < cols; ++j) gain.value(i, j) = *value++;
  }
  return gain;
}

/// The gains of Baumgarte, each of which may be left out.
struct Written {
  Gain alpha{}, beta{}, eta{};
  std::string notation = "alpha_beta";
  Gain R{}, S{};
};

BaumgarteGains resolve(const Written& written, int position_rows, int velocity_rows) {
  Baumgarte options;
  options.alpha = written.alpha;
  options.beta = written.beta;
  options.eta = written.eta;
  options.notation = written.notation;
  options.R = written.R;
  options.S = written.S;
  return resolve_gains(options, position_rows, velocity_rows);
}

/// Two position rows, one velocity row.
const ExamModel& mixed_model() {
  static const ExamModel model{
      "mixed",
      {.coordinates = {{"x", ""}, {"y", ""}, {"z", ""}, {"w", ""}},
       .kinetic = "(1 + y^2)*x'^2 + y'^2 + z'^2 + w'^2 + x'*w'/2",
       .potential = "9.81*z + x*w",
       .constraints = {{"a", "x^2 + y^2 + z^2 - 1 - sin(t)/5"}, {"b", "w - x*y*cos(t)"}},
       .velocity_constraints = {{"c", "x' - y*z' + x"}}},
      testing::make_vector({0.6, 0.5, 0.6, 0.3}),
      false};
  return model;
}

/// v' and λ at a state off the constraints.
Vector calc_acceleration(const System& system, const State& s, const BaumgarteGains& gains) {
  Evaluator evaluator(system);
  BaumgarteTerm term(gains);
  AccelerationField field(evaluator, Baumgarte{}.field_options(), {&term});
  Vector y = Vector::Zero(field.size()), slope = y;
  y.head(4) = s.q;
  y.segment(4, 4) = s.v;
  EXPECT_TRUE(field.eval(s.t, as_span(y), as_span(slope)));
  return slope.segment(4, 4);
}

/// Φ'' of the path with this acceleration and ρ' of the velocity rows, by differences of Φ and Ψ themselves.
Vector differentiate_rows(const System& system, const State& s, const Vector& a) {
  const double e = 1e-3;
  const auto ws = system.make_workspace();
  const auto eval = [&](double tau) {
    const Vector q = s.q + tau * s.v + 0.5 * tau * tau * a, v = s.v + tau * a;
    system.eval_configuration(s.t + tau, q, *ws);
    system.eval_motion(s.t + tau, q, v, *ws);
    Vector rows(3);
    rows << ws->phi, ws->velocity_residual.tail(1);
    return rows;
  };
  const Vector low2 = eval(-2 * e), low = eval(-e), mid = eval(0.0), high = eval(e),
               high2 = eval(2 * e);
  Vector rates = (-high2 + 16.0 * high - 30.0 * mid + 16.0 * low - low2) / (12.0 * e * e);
  rates[2] = (-high2[2] + 8.0 * high[2] - 8.0 * low[2] + low2[2]) / (12.0 * e);
  return rates;
}

void expect_error_equation(const Written& options, const Matrix& R, const Matrix& S, double eta) {
  const auto system = testing::make_test_system(mixed_model().text);
  const BaumgarteGains gains = resolve(options, 2, 1);
  Random random(8);
  for (int trial = 0; trial < 5; ++trial) {
    const State s = testing::make_state(mixed_model(), *system, random, 0.05);
    const auto ws = testing::eval_all(*system, s);
    const Vector a = calc_acceleration(*system, s, gains);
    Vector wanted(3);
    wanted << -R * ws->velocity_residual.head(2) - S * ws->phi, -eta * ws->velocity_residual[2];
    EXPECT_GT(max_abs(wanted), 0.05);
    EXPECT_LE(max_abs(ws->jacobian.dense() * a - ws->gamma - wanted),
              1e-11 * (1.0 + max_abs(wanted)));
    // Differences of order four: e⁴/90 times the sixth derivative and 5e-16/e² of round-off.
    EXPECT_LE(max_abs(differentiate_rows(*system, s, a) - wanted), 1e-7 * (1.0 + max_abs(wanted)));
  }
}

Matrix diagonal(double a, double b) { return testing::make_vector({a, b}).asDiagonal(); }

TEST(BaumgarteGains, DefaultsAreCriticallyDamped) {
  expect_error_equation({}, diagonal(20, 20), diagonal(100, 100), 20.0);
}

TEST(BaumgarteGains, OneNumberIsForAllRows) {
  expect_error_equation({.alpha = scalar_gain(3), .beta = scalar_gain(7)}, diagonal(3, 3),
                        diagonal(7, 7), 3.0);
}

TEST(BaumgarteGains, OneNumberPerRow) {
  expect_error_equation(
      {.alpha = make_gain(2, 1, {3, 4}), .beta = make_gain(2, 1, {7, 8}), .eta = scalar_gain(11)},
      diagonal(3, 4), diagonal(7, 8), 11.0);
}

TEST(BaumgarteGains, TheOtherNotationDoublesAndSquares) {
  expect_error_equation({.alpha = make_gain(2, 1, {3, 4}),
                         .beta = make_gain(2, 1, {5, 6}),
                         .eta = make_gain(1, 1, {2.5}),
                         .notation = "2alpha_beta2"},
                        diagonal(6, 8), diagonal(25, 36), 2.5);
  const BaumgarteGains gains = resolve({.notation = "2alpha_beta2"}, 2, 1);
  EXPECT_EQ(gains.R, diagonal(20, 20)) << "the defaults mean the same in both notations";
  EXPECT_EQ(gains.S, diagonal(100, 100));
}

TEST(BaumgarteGains, FullMatricesCoupleTheRows) {
  const Gain R = make_gain(2, 2, {3, 1, -2, 4}), S = make_gain(2, 2, {7, -3, 2, 8});
  expect_error_equation({.R = R, .S = S}, R.value, S.value, 20.0);
  expect_error_equation({.beta = scalar_gain(2), .R = R}, R.value, diagonal(2, 2), 20.0);
  expect_error_equation({.alpha = scalar_gain(2), .S = S}, diagonal(2, 2), S.value, 2.0);
}

std::string find_message(const Written& options) {
  try {
    resolve(options, 2, 1);
  } catch (const ModelError& error) {
    EXPECT_FALSE(error.diagnostics().front().remedy.empty());
    return error.diagnostics().front().message;
  }
  return "nothing was thrown";
}

TEST(BaumgarteGains, RefusesWrongShapesAndBothWays) {
  EXPECT_EQ(find_message({.notation = "beta"}), "method.notation = \"beta\" is not known");
  EXPECT_EQ(find_message({.alpha = scalar_gain(1), .R = make_gain(2, 2, {1, 0, 0, 1})}),
            "method: both alpha and R are given");
  EXPECT_EQ(find_message({.beta = scalar_gain(1), .S = make_gain(2, 2, {1, 0, 0, 1})}),
            "method: both beta and S are given");
  EXPECT_EQ(find_message({.alpha = make_gain(3, 1, {1, 2, 3})}),
            "method.alpha: 3 x 1 numbers for 2 constraints");
  EXPECT_EQ(find_message({.beta = make_gain(2, 2, {1, 2, 3, 4})}),
            "method.beta: 2 x 2 numbers for 2 constraints");
  EXPECT_EQ(find_message({.eta = make_gain(2, 1, {1, 2})}),
            "method.eta: 2 x 1 numbers for 1 constraints");
  EXPECT_EQ(find_message({.R = make_gain(1, 2, {1, 2})}),
            "method.R: the matrix is 1 x 2, but there are 2 constraints");
  EXPECT_EQ(find_message({.S = make_gain(3, 1, {1, 2, 3})}),
            "method.S: the matrix is 3 x 1, but there are 2 constraints");
  EXPECT_EQ(find_message({}), "nothing was thrown");
}

TEST(BaumgarteGains, HaveTheEigenvaluesOfTheErrorEquation) {
  const auto real =
      find_error_eigenvalues(resolve({.alpha = scalar_gain(3), .beta = scalar_gain(2)}, 1, 0));
  ASSERT_EQ(real.size(), 2U);
  EXPECT_NEAR(std::abs(real[0] + 1.0), 0.0, 1e-12);  // λ² + 3 λ + 2
  EXPECT_NEAR(std::abs(real[1] + 2.0), 0.0, 1e-12);

  const auto pair =
      find_error_eigenvalues(resolve({.alpha = scalar_gain(2), .beta = scalar_gain(26)}, 1, 0));
  EXPECT_NEAR(pair[0].real(), -1.0, 1e-12);
  EXPECT_NEAR(std::abs(pair[0].imag()), 5.0, 1e-12);

  // Positive entries do not suffice: R has the eigenvalue -9, and λ² - 9 λ + 1 = 0 has positive roots.
  const auto unstable = find_error_eigenvalues(
      resolve({.R = make_gain(2, 2, {1, 10, 10, 1}), .S = make_gain(2, 2, {1, 0, 0, 1})}, 2, 0));
  ASSERT_EQ(unstable.size(), 4U);
  EXPECT_NEAR(unstable[0].real(), (9.0 + std::sqrt(77.0)) / 2.0, 1e-11);
  for (std::size_t k = 1; k < 4; ++k) EXPECT_LE(unstable[k].real(), unstable[k - 1].real());

  EXPECT_TRUE(find_error_eigenvalues(resolve({}, 0, 2)).empty());
}

}  // namespace
}  // namespace driftless
