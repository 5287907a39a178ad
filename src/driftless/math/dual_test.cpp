// Dual and Jet against derivatives known in closed form.

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "driftless/math/vec3.hpp"

namespace driftless {
namespace {

using D1 = Dual<double, 1>;
using D2 = Dual<double, 2>;
using Nested = Dual<Dual<double, 1>, 1>;

template <class S>
struct Case {
  const char* name;
  std::function<S(const S&)> f;
};

/// f, f', f'' in closed form, at x between 0.3 and 1.7.
struct Known {
  const char* name;
  double (*f)(double);
  double (*first)(double);
  double (*second)(double);
};

constexpr double square(double x) { return x * x; }

const Known kKnown[] = {
    {"x + 3", [](double x) { return x + 3; }, [](double) { return 1.0; },
     [](double) { return 0.0; }},
    {"3 - x", [](double x) { return 3 - x; }, [](double) { return -1.0; },
     [](double) { return 0.0; }},
    {"x - 3", [](double x) { return x - 3; }, [](double) { return 1.0; },
     [](double) { return 0.0; }},
    {"-x x x", [](double x) { return -x * x * x; }, [](double x) { return -3 * x * x; },
     [](double x) { return -6 * x; }},
    {"x/4", [](double x) { return x / 4; }, [](double) { return 0.25; },
     [](double) { return 0.0; }},
    {"2/x", [](double x) { return 2 / x; }, [](double x) { return -2 / (x * x); },
     [](double x) { return 4 / (x * x * x); }},
    {"x/(1 + x x)", [](double x) { return x / (1 + x * x); },
     [](double x) { return (1 - x * x) / square(1 + x * x); },
     [](double x) { return 2 * x * (x * x - 3) / std::pow(1 + x * x, 3); }},
    {"sqrt", [](double x) { return std::sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); },
     [](double x) { return -0.25 * std::pow(x, -1.5); }},
    {"sin", [](double x) { return std::sin(x); }, [](double x) { return std::cos(x); },
     [](double x) { return -std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }, [](double x) { return -std::sin(x); },
     [](double x) { return -std::cos(x); }},
    {"atan", [](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); },
     [](double x) { return -2 * x / square(1 + x * x); }},
    {"acot", [](double x) { return std::atan2(1.0, x); }, [](double x) { return -1 / (1 + x * x); },
     [](double x) { return 2 * x / square(1 + x * x); }},
    {"angle", [](double x) { return x; }, [](double) { return 1.0; }, [](double) { return 0.0; }},
};

/// The same functions, in the order of kKnown, with numbers on either side of the operators.
template <class S>
std::vector<Case<S>> list_functions() {
  return {
      {"x + 3", [](const S& x) -> S { return x + 3.0; }},
      {"3 - x", [](const S& x) -> S { return 3.0 - x; }},
      {"x - 3", [](const S& x) -> S { return x - 3.0; }},
      {"-x x x", [](const S& x) -> S { return -x * x * x; }},
      {"x/4", [](const S& x) -> S { return x / 4.0; }},
      {"2/x", [](const S& x) -> S { return 2.0 / x; }},
      {"x/(1 + x x)", [](const S& x) -> S { return x / (1.0 + x * x); }},
      {"sqrt", [](const S& x) -> S { return sqrt(x); }},
      {"sin", [](const S& x) -> S { return sin(x); }},
      {"cos", [](const S& x) -> S { return cos(x); }},
      {"atan", [](const S& x) -> S { return atan2(x, S(1.0)); }},
      {"acot", [](const S& x) -> S { return atan2(S(1.0), x); }},
      {"angle", [](const S& x) -> S { return atan2(sin(x), cos(x)); }},
  };
}

template <class S, class Check>
void for_each_case(Check&& check) {
  const auto cases = list_functions<S>();
  ASSERT_EQ(cases.size(), std::size(kKnown));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].name);
    ASSERT_STREQ(cases[i].name, kKnown[i].name);
    for (const double x : {0.3, 0.9, 1.7}) check(cases[i].f, kKnown[i], x);
  }
}

constexpr double kRounding = 1e-13;

TEST(Dual, FirstDerivatives) {
  for_each_case<D1>([](const auto& f, const Known& known, double x) {
    D1 a(x);
    a.d[0] = 2.0;
    const D1 y = f(a);
    EXPECT_NEAR(y.value, known.f(x), kRounding);
    EXPECT_NEAR(y.d[0], 2.0 * known.first(x), kRounding);
  });
}

TEST(Dual, NestedGivesSecondDerivatives) {
  for_each_case<Nested>([](const auto& f, const Known& known, double x) {
    Nested a(x);
    a.value.d[0] = 1.0;
    a.d[0].value = 3.0;
    const Nested y = f(a);
    EXPECT_NEAR(y.value.value, known.f(x), kRounding);
    EXPECT_NEAR(y.value.d[0], known.first(x), kRounding);
    EXPECT_NEAR(y.d[0].value, 3.0 * known.first(x), kRounding);
    EXPECT_NEAR(y.d[0].d[0], 3.0 * known.second(x), 1e-12 * (1 + std::abs(known.second(x))));
  });
}

// Along x(s) with x' and x'': (f∘x)'' = f'' x'² + f' x''.
TEST(Jet, FirstAndSecondDerivativesAlongALine) {
  for_each_case<Jet>([](const auto& f, const Known& known, double x) {
    const Jet y = f(Jet(x, 0.7, -1.3));
    const double second = known.second(x) * 0.49 - 1.3 * known.first(x);
    EXPECT_NEAR(y.value, known.f(x), kRounding);
    EXPECT_NEAR(y.first, 0.7 * known.first(x), kRounding);
    EXPECT_NEAR(y.second, second, 1e-12 * (1 + std::abs(second)));
  });
}

TEST(Dual, SeveralDirectionsAtOnce) {
  D2 x(0.8), y(-0.6);
  x.d[0] = 1.0;
  y.d[1] = 1.0;
  const D2 r = sqrt(x * x + y * y);
  EXPECT_NEAR(r.value, 1.0, kRounding);
  EXPECT_NEAR(r.d[0], 0.8, kRounding);
  EXPECT_NEAR(r.d[1], -0.6, kRounding);
  const D2 angle = atan2(y, x);
  EXPECT_NEAR(angle.d[0], 0.6, kRounding);
  EXPECT_NEAR(angle.d[1], 0.8, kRounding);
  const D2 ratio = x / y;
  EXPECT_NEAR(ratio.d[0], -1.0 / 0.6, kRounding);
  EXPECT_NEAR(ratio.d[1], -0.8 / 0.36, kRounding);
}

// (cross, dot) of vectors that turn: |a|² stays, a·(b × a) = 0, with all derivatives.
TEST(Vec3, IdentitiesHoldWithDerivatives) {
  const Jet s(0.4, 1.0, 0.0);
  const Vec3<Jet> a{cos(s), sin(s), s * s};
  const Vec3<Jet> b{s, 1.0 / s, sqrt(s)};
  const Jet zero = dot(a, cross(b, a));
  EXPECT_NEAR(zero.value, 0.0, 1e-14);
  EXPECT_NEAR(zero.first, 0.0, 1e-13);
  EXPECT_NEAR(zero.second, 0.0, 1e-12);
  const Jet length = norm(a);  // √(1 + s⁴)
  EXPECT_NEAR(length.first, 2 * std::pow(0.4, 3) / length.value, kRounding);
  const Jet lagrange = dot(cross(a, b), cross(a, b)) + dot(a, b) * dot(a, b);
  const Jet product = dot(a, a) * dot(b, b);
  EXPECT_NEAR(lagrange.first, product.first, 1e-11);
  EXPECT_NEAR(lagrange.second, product.second, 1e-10);
}

}  // namespace
}  // namespace driftless
