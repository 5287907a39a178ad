// The eval_ functions do not touch the heap: they run in the step loop.

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "driftless/equations/models_test.hpp"

namespace {
thread_local long allocation_count = 0;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace driftless {
namespace {

TEST(EquationAllocation, NoneInEvaluations) {
  const auto system = testing::make_test_system({.coordinates = {{"x", ""}, {"y", ""}},
                                                 .kinetic = "(1 + y^2)*x'^2 + y'^2",
                                                 .potential = "sin(x*y)",
                                                 .forces = {{"x", "-x'"}},
                                                 .constraints = {{"c", "x^2 + y^2 - t"}},
                                                 .velocity_constraints = {{"d", "x'*y - y'"}},
                                                 .records = {{"r", "x*y"}}});
  const State s = testing::Random(1).state(2);
  const auto ws = system->make_workspace();
  BlockMatrix rate = ws->jacobian;
  Vector records(1);
  const long before = allocation_count;
  ASSERT_GT(before, 0);  // the counter counts
  for (int k = 0; k < 3; ++k) {
    system->eval_configuration(s.t, s.q, *ws);
    system->eval_motion(s.t, s.q, s.v, *ws);
    system->eval_invariants(s.t, s.q, s.v, *ws);
    system->eval_invariant_gradients(s.t, s.q, s.v, *ws);
    system->eval_power(s.t, s.q, s.v, *ws);
    system->eval_jacobian_rate(s.t, s.q, s.v, *ws, rate);
    system->eval_records({s.t, s.q, s.v, s.v, s.v}, *ws, records);
  }
  EXPECT_EQ(allocation_count, before);
}

}  // namespace
}  // namespace driftless
