// The registry: names, and the sentences with which it refuses.

#include "driftless/integrators/all.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

std::string find_refusal(std::string_view name, const StepControl& control, bool adaptive) {
  try {
    make_stepper(name, control, adaptive);
  } catch (const ModelError& error) {
    return format_diagnostic(error.diagnostics().front());
  }
  return {};
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    EXPECT_NE(text.find(word), std::string::npos) << word << ":\n" << text;
}

TEST(Registry, IsConsistent) {
  std::set<std::string_view> names;
  for (const IntegratorInfo& info : all_integrators()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.summary.empty());
    EXPECT_EQ(find_integrator(info.name)->name, info.name);
    if (info.only_adaptive) {
      expect_words(find_refusal(info.name, {.step = 0.1}, false),
                   {std::string(info.name).c_str(), "cannot keep a fixed", "tolerance", "bdf"});
    } else {
      const auto fixed = make_stepper(info.name, {.step = 0.1}, false);
      EXPECT_EQ(fixed->order(), info.variable_order && !info.implicit ? 1 : info.order)
          << info.name;
      EXPECT_FALSE(fixed->is_adaptive());
    }
    if (info.adaptive) {
      EXPECT_TRUE(make_stepper(info.name, {.step = 0.0}, true)->is_adaptive());
    } else {
      expect_words(
          find_refusal(info.name, {}, true),
          {std::string(info.name).c_str(), "has no error estimate", "dopri5, dop853 or adams"});
    }
  }
  for (const char* name : {"euler", "heun", "kutta3", "rk4", "ab2", "ab3", "ab4", "ab5", "dopri5",
                           "dop853", "adams", "radau5", "bdf", "ida", "backward_euler"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(find_integrator("rk5"), nullptr);
}

TEST(Registry, KnowsTheTableauOfEveryRungeKuttaMethod) {
  for (const IntegratorInfo& info : all_integrators()) {
    const std::optional<Tableau> tableau = find_tableau(info.name);
    EXPECT_EQ(tableau.has_value(),
              !info.name.starts_with("a") && !info.implicit && !info.second_order)
        << info.name;
    if (!tableau) continue;
    EXPECT_EQ(tableau->name, info.name);
    EXPECT_EQ(tableau->order, info.order);
    EXPECT_EQ(!tableau->e.empty(), info.adaptive) << info.name;
  }
  EXPECT_FALSE(find_tableau("bogus"));
}

TEST(Registry, RefusesUnknownNamesWithTheNearest) {
  expect_words(find_refusal("dopri4", {}, false), {"integrator 'dopri4'", "dopri5"});
}

TEST(Registry, RefusesBadControls) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double step : {0.0, -0.1, kInf, std::nan("")}) {
    expect_words(find_refusal("rk4", {.step = step}, false), {"step = ", "greater than 0", "0.01"});
  }
  for (const double step : {-0.1, kInf, std::nan("")}) {
    expect_words(find_refusal("dopri5", {.step = step}, true), {"step = ", "at least 0"});
  }
  for (const double rtol : {0.0, -1e-6, 1e-15, kInf, std::nan("")}) {
    expect_words(find_refusal("dopri5", {.step = 0.0, .rtol = rtol}, true), {"rtol = ", "1e-14"});
  }
  for (const double atol : {0.0, -1e-6, kInf, std::nan("")}) {
    expect_words(find_refusal("dop853", {.step = 0.0, .atol = atol}, true), {"atol = "});
  }
  for (const double max_step : {-1.0, kInf, std::nan("")}) {
    expect_words(find_refusal("dop853", {.step = 0.0, .max_step = max_step}, true),
                 {"max_step = "});
  }
  // What does not matter for a fixed step is not looked at.
  EXPECT_EQ(find_refusal("dop853", {.step = 0.1, .rtol = 0.0, .atol = 0.0}, false), "");
}

TEST(Registry, TellsAllFaultsAtOnce) {
  try {
    make_stepper("dopri5", {.step = -1.0, .rtol = 0.0, .atol = 0.0, .max_step = -1.0}, true);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().size(), 4u);
  }
}

}  // namespace
}  // namespace driftless
