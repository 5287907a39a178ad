#include "driftless/equations/compile.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "driftless/equations/models_test.hpp"

namespace driftless {
namespace {

using namespace driftless::testing;

std::vector<Diagnostic> find_errors(const EquationModel& model) {
  try {
    compile(model);
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

/// The model is refused with exactly one finding, at that line, which contains the text.
void expect_error(const EquationModel& model, int line, const std::string& part) {
  const auto errors = find_errors(model);
  ASSERT_EQ(errors.size(), 1U) << part;
  EXPECT_EQ(errors[0].where.line, line) << errors[0].message;
  EXPECT_NE((errors[0].message + "; " + errors[0].remedy).find(part), std::string::npos)
      << errors[0].message << "; " << errors[0].remedy;
}

ModelText make_text() {
  return {.parameters = {{"m", "2"}, {"l", "50 mm"}, {"J", "m*l^2/12"}},
          .coordinates = {{"x", "l/2*cos(60 deg)"}, {"a", ""}},
          .kinetic = "m/2*x'^2 + J/2*a'^2"};
}

TEST(Compile, ParametersAndStartValues) {
  EquationModel model = make_model(make_text());
  model.coordinates[1].rate = Text{"3*l", {}};
  const CompiledModel compiled = compile(model);
  ASSERT_EQ(compiled.parameters.size(), 3U);
  EXPECT_EQ(compiled.parameters[2].first, "J");
  EXPECT_NEAR(compiled.parameters[2].second, 2 * 0.05 * 0.05 / 12, 1e-18);
  EXPECT_NEAR(compiled.q[0], 0.0125, 1e-16);
  EXPECT_EQ(compiled.q[1], 0.0);
  EXPECT_NEAR(compiled.v[1], 0.15, 1e-16);
  EXPECT_EQ(compiled.start_given, (std::vector<bool>{true, false}));
  EXPECT_EQ(compiled.rate_given, (std::vector<bool>{false, true}));
  EXPECT_TRUE(compiled.warnings.empty());
  EXPECT_NEAR(eval_all(*compiled.system, compiled.make_start())->mass.dense()(1, 1),
              2 * 0.05 * 0.05 / 12, 1e-18);
}

TEST(Compile, NamesThatAreNotThere) {
  ModelText text = make_text();
  text.parameters = {{"m", "2*l"}, {"l", "1"}, {"J", "m"}};
  expect_error(make_model(text), 1, "parameter 'l' is defined later (line 2)");
  text.parameters = {{"m", "2*x"}, {"l", "1"}, {"J", "1"}};
  expect_error(make_model(text), 1, "'x' changes during the motion: a constant is wanted here");
  text = make_text();
  text.coordinates[0].second = "lenth";
  expect_error(make_model(text), 4, "unknown name 'lenth'");
  text = make_text();
  text.potential = "m*9.81*xx + T";
  expect_error(make_model(text), 7, "unknown name 'xx'");
  text.potential = "m*9.81*x + T";
  expect_error(make_model(text), 7,
               "'T', the kinetic energy, is known in [conserved] and [record] only");
  EXPECT_EQ(find_errors(make_model(text))[0].where.column, 12);
  text = make_text();
  text.forces = {{"z", "1"}};
  expect_error(make_model(text), 7, "force on 'z': there is no such coordinate");
}

TEST(Compile, GathersAllFindings) {
  ModelText text = make_text();
  text.parameters[1].second = "1 +";
  text.kinetic = "m/2*x'^2 + k";
  text.constraints = {{"c", "x - q1"}, {"d", "sin()"}};
  text.records = {{"r", "foo"}};
  const auto errors = find_errors(make_model(text));
  ASSERT_EQ(errors.size(), 5U);
  EXPECT_EQ(errors[0].where.line, 2);
  EXPECT_EQ(errors[4].where.line, 9);
}

TEST(Compile, NamesAreDeclaredOnce) {
  ModelText text = make_text();
  text.records = {{"m", "x"}};
  expect_error(make_model(text), 7, "'m' is declared twice: first at line 1");
  text = make_text();
  text.parameters.emplace_back("sin", "1");
  expect_error(make_model(text), 4, "reserved");
  text = make_text();
  text.constraints = {{"c", "x"}};
  text.velocity_constraints = {{"c", "x'"}};
  expect_error(make_model(text), 8, "constraint 'c' is declared twice");
  text = make_text();
  text.coordinates.clear();
  EXPECT_EQ(find_errors(make_model(text)).at(0).message, "the model has no coordinates");
  text.coordinates.assign(2001, {"x", ""});
  expect_error(make_model(text), 0, "2001 coordinates: at most 2000");
}

TEST(Compile, WarnsAboutWhatIsNotUsed) {
  ModelText text = make_text();
  text.parameters.emplace_back("k", "1");
  text.coordinates.emplace_back("y", "");
  EXPECT_EQ(compile(make_model(text)).warnings,
            (Names{"parameter 'k' is never used", "coordinate 'y' is in no equation"}));
}

TEST(Compile, InertiaIsGivenInOneWay) {
  ModelText text = make_text();
  text.kinetic.clear();
  EXPECT_EQ(find_errors(make_model(text)).at(0).message, "the model has no inertia");
  EquationModel model = make_model(make_text());
  model.mass = make_matrix({{"1", "0"}, {"0", "1"}});
  EXPECT_EQ(find_errors(model).at(0).message, "the inertia is given in more than one way");
  model.kinetic.reset();
  model.mass.pop_back();
  EXPECT_EQ(find_errors(model).at(0).message, "the mass matrix is 1 x 2: must be 2 x 2");
}

class CompileTable : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("driftless_table_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "cam.csv") << "x, y\n0, 0\n1, 1\n2, 8\n3, 27\n4, 64\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  EquationModel make(const std::string& file) const {
    EquationModel model = make_model({.coordinates = {{"x", ""}, {"y", ""}},
                                      .kinetic = "x'^2 + y'^2",
                                      .constraints = {{"c", "y - table(cam, x)"}}});
    model.folder = folder_.string();
    model.tables = {{"cam", file, Source{"model.toml", 9, 1}}};
    return model;
  }
  std::filesystem::path folder_;
};

TEST_F(CompileTable, IsASplineWithDerivatives) {
  const CompiledModel compiled = compile(make("cam.csv"));
  const State s{0.0, Vector::Constant(2, 1.5), Vector::Constant(2, 2.0)};
  const auto ws = eval_all(*compiled.system, s);  // y = x^3
  EXPECT_NEAR(ws->phi[0], 1.5 - 3.375, 1e-12);
  EXPECT_NEAR(ws->jacobian.dense()(0, 0), -6.75, 1e-12);
  EXPECT_NEAR(ws->gamma[0], 9.0 * 4.0, 1e-11);
}

TEST_F(CompileTable, StaysInItsFolder) {
  for (const char* file : {"../cam.csv", "/etc/passwd", "sub/cam.csv", "", "..", "a\\b.csv"})
    expect_error(make(file), 9, "is not a bare file name");
  expect_error(make("none.csv"), 9, "cannot read");
}

// Eun, Yang, Chung: three masses in a row with 2 % modal damping. Digits of C: an independent
// computation.
EquationModel make_chain() {
  EquationModel model = make_model(
      {.parameters = {{"zeta", "0.02"}}, .coordinates = {{"x1", ""}, {"x2", ""}, {"x3", ""}}});
  LinearSpec linear;
  linear.mass = make_matrix({{"3", "0", "0"}, {"0", "3", "0"}, {"0", "0", "1"}});
  linear.stiffness =
      make_matrix({{"500", "-200", "0"}, {"-200", "300", "-100"}, {"0", "-100", "100"}});
  linear.damping_ratios = {Text{"zeta", {}}};
  linear.input = make_matrix({{"0"}, {"2"}, {"1"}});
  linear.load = {Text{"sin(3*t)", {}}};
  model.linear = linear;
  return model;
}

TEST(CompileLinear, MatricesOfEun) {
  const CompiledModel compiled = compile(make_chain());
  Matrix damping(3, 3);
  damping << 1.50031782, -0.38196973, -0.03238087, -0.38196973, 1.06977679, -0.22336574,
      -0.03238087, -0.22336574, 0.37817951;
  Matrix stiffness(3, 3);
  stiffness << 500, -200, 0, -200, 300, -100, 0, -100, 100;
  const Vector input = (Vector(3) << 0, 2, 1).finished();
  Random random(1);
  for (int k = 0; k < 5; ++k) {
    const State s = random.state(3);
    const auto ws = eval_all(*compiled.system, s);
    const Vector expected = -damping * s.v - stiffness * s.q + std::sin(3 * s.t) * input;
    EXPECT_NEAR((ws->force - expected).norm(), 0.0, 1e-7);
    EXPECT_NEAR(ws->invariant[0],
                0.5 * s.v.dot(ws->mass.dense() * s.v) + 0.5 * s.q.dot(stiffness * s.q), 1e-10);
    EXPECT_NEAR(calc_energy_defect(*ws, s), 0.0, 1e-9);
  }
  EXPECT_TRUE(compiled.system->info().constant_mass);
  EXPECT_TRUE(compiled.warnings.empty());
}

TEST(CompileLinear, AsymmetricStiffnessIsAForce) {
  EquationModel model = make_chain();
  model.linear->damping_ratios.clear();
  model.linear->stiffness[0][2] = Text{"40", {}};
  const auto system = compile(model).system;
  Random random(2);
  const State s = random.state(3);
  const auto ws = eval_all(*system, s);
  EXPECT_NEAR(ws->force[0], -500 * s.q[0] + 200 * s.q[1] - 40 * s.q[2], 1e-10);
  EXPECT_NEAR(ws->invariant[0], 0.5 * s.v.dot(ws->mass.dense() * s.v), 1e-12);
  EXPECT_NEAR(calc_energy_defect(*ws, s), 0.0, 1e-9);
}

TEST(CompileLinear, ForcesAndPotentialAreAdded) {
  EquationModel model = make_chain();
  model.forces = {{"x2", Text{"-x2^3", {}}}};
  model.potential = Text{"5*x1", {}};
  const auto plain = compile(make_chain()).system;
  const auto more = compile(model).system;
  Random random(3);
  const State s = random.state(3);
  const Vector difference = eval_all(*more, s)->force - eval_all(*plain, s)->force;
  EXPECT_NEAR(difference[0], -5.0, 1e-12);
  EXPECT_NEAR(difference[1], -std::pow(s.q[1], 3), 1e-12);
  EXPECT_NEAR(difference[2], 0.0, 1e-12);
}

TEST(CompileLinear, RefusesBadMatrices) {
  const auto expect = [](const EquationModel& model, const char* part) {
    expect_error(model, 0, part);
  };
  EquationModel model = make_chain();
  model.linear->mass[0][1] = Text{"0.1", {}};
  expect(model, "matrix M is not symmetric: entries (2, 1) and (1, 2) differ");
  model = make_chain();
  model.linear->mass[1][1] = Text{"0", {}};
  expect(model, "matrix M is not positive definite");
  model = make_chain();
  model.linear->damping = model.linear->stiffness;
  expect(model, "a damping matrix and damping ratios are both given");
  model = make_chain();
  model.linear->damping_ratios.push_back(Text{"0.1", {}});
  expect(model, "2 damping ratios for 3 modes");
  model = make_chain();
  model.linear->stiffness[0][0] = Text{"-500", {}};
  expect(model, "negative mode");
  model = make_chain();
  model.linear->stiffness.pop_back();
  expect(model, "matrix K is 2 x 3: must be 3 x 3");
  model = make_chain();
  model.linear->load = {Text{"x1", {}}};
  expect(model, "a load is a function of t");
  model = make_chain();
  model.linear->input.clear();
  expect(model, "1 loads f for 3 coordinates");
}

}  // namespace
}  // namespace driftless
