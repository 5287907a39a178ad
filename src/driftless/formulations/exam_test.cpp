// Every alternative of the Formulation variant against a dense solve of the saddle point in this file, on and off the
// constraints. Baumgarte's gains: gains_test.cpp.

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "driftless/formulations/all.hpp"
#include "driftless/run/exam_models_test.hpp"

namespace driftless {
namespace {

using testing::all_exam_models;
using testing::ExamModel;
using testing::make_state;
using testing::Random;

ProblemShape find_first_shape(const Formulation& formulation) {
  for (const ProblemShape shape : {ProblemShape::slopes, ProblemShape::half_explicit})
    if (has_shape(formulation, shape)) return shape;
  return ProblemShape::implicit;
}

/// A formulation's field on a system, with its own gains.
struct FieldUnderTest {
  FieldUnderTest(const System& system, const Formulation& formulation) : evaluator(system) {
    std::vector<FieldTerm*> terms;
    const SystemInfo& info = system.info();
    if (const auto* options = std::get_if<Baumgarte>(&formulation)) {
      term = std::make_unique<BaumgarteTerm>(
          resolve_gains(*options, info.position_rows, info.velocity_rows));
      terms.push_back(term.get());
    }
    field = make_field(formulation, evaluator, {.shape = find_first_shape(formulation)}, terms);
    slope = Vector::Zero(field->size());
  }

  bool eval(const State& s) {
    Vector y = Vector::Zero(field->size());
    y.head(s.q.size()) = s.q;
    y.segment(s.q.size(), s.v.size()) = s.v;
    return field->eval(s.t, as_span(y), as_span(slope));
  }
  Vector q_dot() const { return slope.head(field->layout().nx); }
  Vector v_dot() const { return slope.segment(field->layout().nx, field->layout().nv); }

  Evaluator evaluator;
  std::unique_ptr<BaumgarteTerm> term;
  std::unique_ptr<AccelerationField> field;
  Vector slope;
};

struct Reference {
  Vector v_dot, reaction;
};

/// [[M Gᵀ], [G 0]] by elimination with full pivoting; v' and Gᵀλ are unique, also where λ is not.
Reference solve_dense(const Workspace& ws) {
  const Eigen::Index n = ws.mass.dense().rows(), m = ws.jacobian.dense().rows();
  Matrix kkt = Matrix::Zero(n + m, n + m);
  kkt << ws.mass.dense(), ws.jacobian.dense().transpose(), ws.jacobian.dense(), Matrix::Zero(m, m);
  Vector right(n + m);
  right << ws.force, ws.gamma;
  Eigen::FullPivLU<Matrix> lu(kkt);
  lu.setThreshold(1e-11);
  const Vector x = lu.solve(right);
  return {x.head(n), ws.jacobian.dense().transpose() * x.tail(m)};
}

void expect_close(const Vector& a, const Vector& b, double tolerance, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_LE(max_abs(a - b), tolerance * (1.0 + max_abs(b))) << what;
}

class FormulationExam : public ::testing::TestWithParam<Formulation> {
 protected:
  /// Calls `check(model, system, state, field, trial)` for several states of every model.
  template <class Check>
  void for_each_state(double off, Check&& check) const {
    for (const ExamModel& model : all_exam_models()) {
      SCOPED_TRACE(model.name);
      const auto system = testing::make_test_system(model.text);
      Random random(20030615);
      FieldUnderTest field(*system, GetParam());
      for (int trial = 0; trial < 12; ++trial) {
        const State state = make_state(model, *system, random, off);
        ASSERT_TRUE(field.eval(state)) << field.field->failure();
        check(model, *system, state, field);
      }
    }
  }
};

TEST_P(FormulationExam, GivesTheAccelerationAndTheReactionsOfTheSaddlePoint) {
  for_each_state(0.0,
                 [](const ExamModel&, const System& system, const State& s, FieldUnderTest& x) {
                   const auto ws = testing::eval_all(system, s);
                   const Reference reference = solve_dense(*ws);
                   expect_close(x.v_dot(), reference.v_dot, 1e-9, "v'");
                   expect_close(ws->jacobian.dense().transpose() * x.field->lambda(),
                                reference.reaction, 1e-9, "Gᵀλ");
                   expect_close(x.q_dot(), s.v, 1e-11, "q'");
                   EXPECT_GT(max_abs(reference.v_dot), 1e-3);
                   EXPECT_GT(max_abs(reference.reaction), 1e-3);
                 });
}

TEST_P(FormulationExam, ChangesTheEnergyByTheAppliedPower) {
  int fed = 0;
  for_each_state(0.0, [&](const ExamModel&, const System& system, const State& s,
                          FieldUnderTest& x) {
    const auto ws = testing::eval_all(system, s);
    const double rate = ws->invariant_v.row(0).dot(x.v_dot()) + ws->invariant_q.row(0).dot(s.v) +
                        ws->invariant_t[0];
    const double share = x.field->lambda().dot(ws->velocity_residual - ws->jacobian.dense() * s.v);
    const double power = ws->power[0] + ws->power_acceleration.row(0).dot(x.v_dot()) + share;
    const double size = 1.0 + std::abs(ws->invariant_v.row(0).dot(x.v_dot())) + std::abs(power);
    EXPECT_NEAR(rate, power, 1e-9 * size);
    const int slot = x.field->layout().work_slot[0];
    EXPECT_NEAR(slot < 0 ? 0.0 : x.slope[slot], rate, 1e-9 * size) << "work'";
    fed += slot >= 0 && std::abs(rate) > 1e-2 ? 1 : 0;
  });
  EXPECT_GT(fed, 20) << "these states compare zero with zero";
}

/// Off the constraints G v' is what the formulation asks for, at the velocity q' that it moves with.
TEST_P(FormulationExam, MeetsItsAccelerationEquationOffTheConstraints) {
  const auto* baumgarte = std::get_if<Baumgarte>(&GetParam());
  for_each_state(
      0.02, [&](const ExamModel&, const System& system, const State& s, FieldUnderTest& x) {
        const SystemInfo& info = system.info();
        Vector q = s.q, v = s.v;
        ASSERT_TRUE(
            x.field->correct(s.t, q, v));  // where the formulation closes the constraints itself
        const auto ws = testing::eval_all(system, {s.t, q, x.q_dot()});
        Vector wanted = ws->gamma;
        if (baumgarte != nullptr) {
          const BaumgarteGains gains =
              resolve_gains(*baumgarte, info.position_rows, info.velocity_rows);
          wanted.head(info.position_rows) -=
              gains.R * ws->velocity_residual.head(info.position_rows) + gains.S * ws->phi;
          wanted.tail(info.velocity_rows) -=
              gains.eta.cwiseProduct(ws->velocity_residual.tail(info.velocity_rows));
        }
        expect_close(ws->jacobian.dense() * x.v_dot(), wanted, 1e-9, "G v'");
        EXPECT_LE(max_abs(ws->mass.dense() * x.v_dot() +
                          ws->jacobian.dense().transpose() * x.field->lambda() - ws->force),
                  1e-9 * (1.0 + max_abs(ws->force) + max_abs(ws->mass.dense() * x.v_dot())));
      });
}

/// q' is v itself, or for projected stages the nearest velocity that the constraints allow.
TEST_P(FormulationExam, MovesWithTheVelocityThatItPromises) {
  const bool projects =
      std::visit([](const auto& f) { return f.field_options().project_stages; }, GetParam());
  for_each_state(
      0.02, [&](const ExamModel&, const System& system, const State& s, FieldUnderTest& x) {
        const auto ws = testing::eval_all(system, s);
        const double before = max_abs(ws->velocity_residual);
        EXPECT_GT(before, 1e-5);
        if (x.field->corrects()) {  // closed position and velocity
          Vector q = s.q, v = s.v;
          ASSERT_TRUE(x.field->correct(s.t, q, v));
          EXPECT_EQ(max_abs(x.q_dot() - v), 0.0);
          const auto closed = testing::eval_all(system, {s.t, q, v});
          EXPECT_LE(max_abs(closed->phi), 1e-12);
          EXPECT_LE(max_abs(closed->velocity_residual), 1e-12);
          const int kept = static_cast<int>((v - s.v).cwiseEqual(0.0).count());
          EXPECT_EQ(kept, system.info().nv - x.field->rank()) << "independent rates are left alone";
          return;
        }
        if (!projects) {
          EXPECT_EQ(max_abs(x.q_dot() - s.v), 0.0);
          return;
        }
        const Vector change = x.q_dot() - s.v;
        const Matrix tangent = testing::find_null_space(ws->jacobian.dense());
        EXPECT_LE(max_abs(tangent.transpose() * ws->mass.dense() * change), 1e-11)
            << "not the least change";
        system.eval_velocity(s.t, s.q, x.q_dot(), *ws);
        // One pass: exact if the rows are linear in v, else quadratic.
        const double left = system.info().velocity_rows_linear ? 1e-12 : before * before;
        EXPECT_LE(max_abs(ws->velocity_residual), left);
      });
}

TEST_P(FormulationExam, RefusesAStateThatIsNotFinite) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  FieldUnderTest x(*system, GetParam());
  EXPECT_FALSE(x.eval({0.0, testing::make_vector({std::nan(""), 1.0}), Vector::Zero(2)}));
  EXPECT_EQ(x.field->failure(), "the state is not finite at t = 0");
}

TEST_P(FormulationExam, NamesTheForceThatIsNotFinite) {
  const auto system = testing::make_test_system(
      {.coordinates = {{"x", ""}, {"y", ""}}, .kinetic = "x'^2 + y'^2", .forces = {{"y", "1/x"}}});
  FieldUnderTest x(*system, GetParam());
  EXPECT_FALSE(x.eval({2.0, testing::make_vector({0.0, 1.0}), Vector::Ones(2)}));
  EXPECT_EQ(x.field->failure(), "the force on 'y' is not finite at t = 2");
  EXPECT_TRUE(x.eval({2.0, testing::make_vector({0.5, 1.0}), Vector::Ones(2)}));
}

TEST_P(FormulationExam, SaysThatTheMassIsNotDefinite) {
  const auto system = testing::make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                                                 .kinetic = "x*x'^2 + y'^2",
                                                 .constraints = {{"c", "y - 1"}}});
  FieldUnderTest x(*system, GetParam());
  EXPECT_TRUE(x.eval({1.0, testing::make_vector({0.5, 1.0}), Vector::Zero(2)}));
  EXPECT_FALSE(x.eval({1.0, testing::make_vector({-0.5, 1.0}), Vector::Zero(2)}));
  EXPECT_NE(x.field->failure().find("the mass matrix is not positive definite"), std::string::npos)
      << x.field->failure();
}

INSTANTIATE_TEST_SUITE_P(All, FormulationExam,
                         ::testing::ValuesIn(testing::make_alternatives<Formulation>()),
                         [](const auto& each) { return testing::find_name(each.param); });

/// [FLD.3] on a pendulum: |dG/dq v'| / |G| by hand, in the mass metric of equal masses.
TEST(StageTolerance, ScalesWithTheSquareOfTheStep) {
  testing::ModelText text = testing::pendulum_text();
  text.coordinates.push_back({"z", "0"});  // held by a second row, which does not turn
  text.kinetic += " + z'^2";
  text.constraints.push_back({"wall", "z"});
  const auto system = testing::make_test_system(text);
  FieldUnderTest x(*system, BraunGoldfarb{.rank_tolerance = 1e-9, .stage_factor = 0.5});
  const State s{0.0, testing::make_vector({0.6, -0.8, 0.0}), testing::make_vector({1.6, 1.2, 0.0})};
  ASSERT_TRUE(x.eval(s));
  const Vector y = [&] {
    Vector both(6);
    both << s.q, s.v;
    return both;
  }();
  const double turn = x.v_dot().norm();  // G = 2 q, dG = 2 v', |q| = 1
  for (const double h : {0.01, 0.001}) {
    x.field->begin_step(0.0, h, as_span(y), as_span(x.slope));
    EXPECT_NEAR(x.field->stage_tolerance(), 0.5 * h * h * turn, 1e-10 * h * h);
  }
  x.field->begin_step(0.0, 1.0, as_span(y), as_span(x.slope));
  EXPECT_EQ(x.field->stage_tolerance(), 0.03) << "the cap";
}

TEST(StageTolerance, MattersToSeveralRowsOnly) {
  const auto system = testing::make_test_system(testing::pendulum_text());
  FieldUnderTest x(*system, BraunGoldfarb{.rank_tolerance = 1e-9, .stage_factor = 0.5});
  ASSERT_TRUE(x.eval({0.0, testing::make_vector({0.6, -0.8}), testing::make_vector({1.6, 1.2})}));
  const Vector y = testing::make_vector({0.6, -0.8, 1.6, 1.2});
  x.field->begin_step(0.0, 1.0, as_span(y), as_span(x.slope));
  EXPECT_EQ(x.field->stage_tolerance(), 1e-9);
}

}  // namespace
}  // namespace driftless
