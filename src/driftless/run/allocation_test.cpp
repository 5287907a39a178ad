// The step loop does not touch the heap.

#include <gtest/gtest.h>

#include "driftless/mechanism/joint_system.hpp"
#include "driftless/mechanism/random_tree_test.hpp"
#include "driftless/run/allocation_count_test.hpp"
#include "driftless/run/exam_models_test.hpp"
#include "driftless/run/simulate.hpp"

namespace driftless {
namespace {

using testing::allocation_count;
using testing::AllocationWatch;

TEST(RunAllocation, TheCounterSeesEigenAndNew) {
  if (!DRIFTLESS_COUNTS_MALLOC) GTEST_SKIP() << "malloc cannot be counted here";
  const long before = allocation_count.load();
  Vector v = Vector::Zero(100);
  EXPECT_EQ(allocation_count.load() - before, 1) << v[0];
  const auto p = std::make_unique<Vector>(v);
  EXPECT_EQ(allocation_count.load() - before, 3) << (*p)[0];
}

/// All formulations with a method of each kind.
void check_methods(const System& system, const State& start, std::vector<const char*> engines) {
  for (const Formulation& formulation : testing::make_alternatives<Formulation>()) {
    if (std::holds_alternative<Baumgarte>(formulation))
      continue;  // its gains are too stiff for some
    for (const char* integrator :
         {"rk4", "dopri5", "adams", "hedop5", "radau5", "bdf", "ida", "generalized_alpha"}) {
      IntegratorChoice choice;
      choice.name = integrator;
      if (!has_shape(formulation, find_shape(choice))) continue;
      for (const char* engine : engines) {
        SCOPED_TRACE(testing::find_name(formulation) + "/" + integrator + " " + engine);
        const bool adaptive = std::string_view(integrator) != "rk4" &&
                              !std::holds_alternative<Index2Baumgarte>(formulation);
        Method method = make_default_method();
        if (!std::holds_alternative<BraunGoldfarb>(formulation)) method.drift.clear();
        method.formulation = formulation;
        method.integrator.name = integrator;
        method.integrator.engine = engine;
        method.integrator.adaptive = adaptive;
        method.integrator.step = adaptive ? 0.0 : 0.002;
        RunOptions options;
        options.until = 0.1;
        options.every = 0.003;
        AllocationWatch sink;
        const Report report = simulate(system, start, method, options, sink);
        EXPECT_EQ(report.status, Status::ok) << report.message;
        EXPECT_EQ(sink.rows, 35);
        EXPECT_EQ(sink.last - sink.first, 0);
      }
    }
  }
}

TEST(RunAllocation, NoneAfterTheFirstStep) {
  for (const testing::ExamModel& model : testing::all_exam_models()) {
    SCOPED_TRACE(model.name);
    const auto system = testing::make_test_system(model.text);
    testing::Random random(1);
    State start = testing::make_state(model, *system, random, 0.0);
    start.t = 0.0;
    ASSERT_TRUE(make_consistent(*system, start).success);
    check_methods(*system, start, {"auto", "dense"});
  }
}

TEST(RunAllocation, NoneInJointCoordinates) {
  for (const bool plane : {false, true}) {
    for (const int loops : {0, 1}) {
      SCOPED_TRACE(std::string(plane ? "in the plane" : "in space") +
                   (loops > 0 ? ", a loop" : ""));
      testing::RandomTree random(5, plane);
      const std::shared_ptr<MechanismParts> parts = random.make(6);
      const Vector drawn = testing::draw_tree(random, *parts);
      if (loops > 0) random.add_loop(*parts, 5, -1, drawn, 0.0);
      const auto spanning = std::make_shared<SpanningTree>(find_spanning_tree(*parts, {}));
      const auto system = make_joint_system(parts, spanning);
      State start{0.0, find_tree_coordinates(*spanning, *parts, drawn),
                  Vector::Zero(system->info().nv)};
      ASSERT_TRUE(make_consistent(*system, start).success);
      check_methods(*system, start, {"auto"});
    }
  }
}

}  // namespace
}  // namespace driftless
