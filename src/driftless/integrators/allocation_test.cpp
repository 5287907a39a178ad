// No heap allocation after `start`: the global allocator of this test executable counts.

#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "driftless/integrators/exam_problems_test.hpp"
#include "driftless/integrators/mechanical_dae_test.hpp"

namespace {

std::atomic<long> allocations{0};

void* allocate(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace driftless::exam {
namespace {

long count_allocations(Stepper& stepper, OdeProblem& problem, Vector y) {
  double t = 0.0;
  Vector between(y.size());
  EXPECT_TRUE(stepper.start(problem, t, y, 5.0));
  const long before = allocations.load();
  bool ok = true;
  for (int n = 0; ok && t < 5.0; ++n) {
    const double t_stop = n < 20 ? 5.0 : t + 0.003;  // shortened steps too
    ok = stepper.step(problem, t, y, t_stop).status == StepStatus::ok;
    const Change changes[] = {Change::unchanged, Change::corrected, Change::unchanged,
                              Change::new_chart};
    ok = ok && stepper.accept(problem, t, y, changes[n % 11 == 7 ? 3 : n % 3]);
    stepper.interpolate(problem, 0.5, between);
    if (n > 40) break;
  }
  const long after = allocations.load();
  EXPECT_TRUE(ok);
  return after - before;
}

long count_allocations(Stepper& stepper) {
  ExamProblem problem = make_kepler();
  return count_allocations(stepper, problem, problem.exact(0.0));
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocations.load();
  const auto p = std::make_unique<Vector>(10);
  EXPECT_GE(allocations.load() - before, p->empty() ? 0 : 2);
}

TEST(Allocation, NothingIsAllocatedAfterStart) {
  for (const IntegratorInfo& info : all_integrators()) {
    if (info.second_order) continue;
    if (!info.only_adaptive) {
      EXPECT_EQ(count_allocations(*make_stepper(info.name, {.step = 0.05}, false)), 0) << info.name;
    }
    if (!info.adaptive) continue;
    EXPECT_EQ(count_allocations(*make_stepper(info.name, {.step = 0.0}, true)), 0) << info.name;
  }
}

TEST(Allocation, NothingIsAllocatedAfterStartWithConstraints) {
  const BentSystem system;
  for (const IntegratorInfo& info : all_integrators()) {
    if (!info.implicit) continue;
    for (const Form form : {Form::index3, Form::index2, Form::ggl, Form::index1}) {
      if (form == Form::index3 && info.highest_index < 3) continue;
      MechanicalDae<BentSystem> problem(system, form);
      const Vector y = problem.complete(0.0, system.make_start());
      for (const bool adaptive : {false, true}) {
        if (adaptive ? !info.adaptive : info.only_adaptive) continue;
        const auto stepper = make_stepper(info.name, {.step = adaptive ? 0.0 : 0.02}, adaptive);
        EXPECT_EQ(count_allocations(*stepper, problem, y), 0) << info.name;
      }
    }
  }
}

}  // namespace
}  // namespace driftless::exam
