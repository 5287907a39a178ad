// Newton's matrix of every implicit form against differences of its residual, in every chart of rotations, away from the
// constraints: what `solve` gives back is what went in.

#include <complex>
#include <random>

#include <gtest/gtest.h>

#include "driftless/formulations/implicit_field.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

// Without the forms whose rows of accelerations leave out derivatives that do not matter: how Newton's method converges
// there is seen in runs.
constexpr ConstraintForm kForms[] = {ConstraintForm::index3, ConstraintForm::index2,
                                     ConstraintForm::index2_baumgarte, ConstraintForm::ggl};

/// (a F_y' + F_y) x by differences along (y + ε x, y' + ε a x).
Vector multiply_by_differences(ImplicitField& field, double t, const Vector& y, const Vector& y_dot,
                               double a, const Vector& x) {
  constexpr double kStep = 1e-6;
  const Vector y_up = y + kStep * x, y_down = y - kStep * x;
  const Vector dot_up = y_dot + kStep * a * x, dot_down = y_dot - kStep * a * x;
  Vector up = y, down = y;
  EXPECT_TRUE(field.eval_residual(t, as_span(y_up), as_span(dot_up), as_span(up)));
  EXPECT_TRUE(field.eval_residual(t, as_span(y_down), as_span(dot_down), as_span(down)));
  return (up - down) / (2.0 * kStep);
}

/// How far `solve` is from the inverse of the matrix by differences, relative to x.
double find_newton_error(const PreparedModel& model, ConstraintForm form, Rotations rotations,
                         bool is_complex) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Evaluator evaluator(model.system());
  FieldOptions options;
  options.rank_tolerance = 1e-8;
  options.rotations = rotations;
  ImplicitField field(evaluator, options, form, 0.7);
  const auto make = [&](double scale) {
    Vector values(field.size());
    for (double& value : values) value = scale * number(random);
    return values;
  };
  const double t = 0.2;
  const double a = 170.0;
  field.begin_step(t, 0.01, {}, {});
  Vector y = Vector::Zero(field.size());
  Vector y_dot = y;
  field.from_state(model.start.q, model.start.v, as_span(y));
  field.recentre(as_span(y), true);
  EXPECT_TRUE(field.find_slopes(t, as_span(y), as_span(y_dot)));
  // Off the constraints; the multipliers that vanish, vanish, because their curvature is left out on purpose.
  const int motion = field.layout().nx + field.layout().nv;
  y.head(motion) += 0.01 * make(1.0).head(motion);
  y_dot += make(0.3);
  EXPECT_TRUE(field.eval_derivatives(t, as_span(y), as_span(y_dot)));
  const auto make_increment = [&] {  // positions change by the rates' change in one step
    Vector x = make(1.0);
    x.head(field.layout().nx) /= a;
    return x;
  };
  const Vector x = make_increment();
  if (!is_complex) {
    Vector r = multiply_by_differences(field, t, y, y_dot, a, x);
    EXPECT_TRUE(field.factorize(a));
    field.solve(as_span(r));
    return (r - x).cwiseAbs().maxCoeff() / a;  // multipliers are larger by a
  }
  const std::complex<double> b{a, 0.8 * a};
  const Vector x2 = make_increment();
  // (b F_y' + F_y)(x + i x2) by linearity in a: F_y' from two values of a
  const auto split = [&](const Vector& z) {
    const Vector at_a = multiply_by_differences(field, t, y, y_dot, a, z);
    const Vector at_0 = multiply_by_differences(field, t, y, y_dot, 0.0, z);
    return std::pair<Vector, Vector>{(at_a - at_0) / a, at_0};
  };
  const auto [d1, k1] = split(x);
  const auto [d2, k2] = split(x2);
  Eigen::VectorXcd r(field.size());
  const std::complex<double> i{0.0, 1.0};
  for (Eigen::Index k = 0; k < r.size(); ++k) r[k] = b * (d1[k] + i * d2[k]) + k1[k] + i * k2[k];
  EXPECT_TRUE(field.factorize(b));
  field.solve(std::span<std::complex<double>>(r.data(), static_cast<std::size_t>(r.size())));
  double worst = 0.0;
  for (Eigen::Index k = 0; k < r.size(); ++k)
    worst = std::max(worst, std::abs(r[k] - std::complex<double>(x[k], x2[k])) / a);
  return worst;
}

TEST(ImplicitNewton, SolvesWhatDifferencesMultiply) {
  for (const char* name : {"slider_crank", "four_bar_3d", "elements/rolling_disc",
                           "elements/universal", "machines/stewart_platform", "andrews_squeezer"}) {
    SCOPED_TRACE(name);
    const PreparedModel model = prepare_model(read_model_file(find_model(name)), {});
    for (const ConstraintForm form : kForms) {
      SCOPED_TRACE(static_cast<int>(form));
      for (const Rotations rotations : {Rotations::quaternion, Rotations::euler, Rotations::lie}) {
        SCOPED_TRACE(name_of(rotations));
        EXPECT_LE(find_newton_error(model, form, rotations, false), 2e-5);
        EXPECT_LE(find_newton_error(model, form, rotations, true), 2e-5);
      }
    }
  }
}

}  // namespace
}  // namespace driftless::trials
