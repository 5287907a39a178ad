// Orders in position, velocity and reactions of every integrator in every formulation that takes it, on equations of motion
// whose mass matrix changes with the pose: equations with a bent rail, and bodies in joint coordinates, which turn in space
// and close a loop. Lengths, masses and start values are random.

#include <array>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/integrators/all.hpp"
#include "driftless/run/method.hpp"
#include "tests/system/linkages.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

class MassNumbers {
 public:
  explicit MassNumbers(unsigned seed) : random_(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
  std::mt19937 random_;
};

/// Two coupled pendulums, and a slide on a bent rail.
std::string write_bent_rail(unsigned seed) {
  MassNumbers number(seed);
  const double a = number.between(0.3, 0.6), rate = number.between(0.5, 0.9);
  const double bend = number.between(0.2, 0.4);
  return fmt::format(R"~(format = "driftless/1"
[coordinates]
a = {{ start = {0}, rate = {1} }}
b = {{ start = {2}, rate = {3} }}
s = {{ start = "1.1 + {4}*sin({0})", rate = "{4}*{1}*cos({0})" }}
[energy]
kinetic = """0.7*a'^2 + ({5} + 0.3*cos(a - b))*b'^2 + 0.8*cos(a - b)*a'*b' + 0.5*s'^2 + {6}*s^2*b'^2 + 0.2*s'*b'*sin(b)"""
potential = "-9.81*(1.7*cos(a) + 0.6*cos(b)) + 3*(s - 1)^2"
[constraint]
rail = "s - 1.1 - {4}*sin(a)"
[record]
force = "rail.lambda"
)~",
                     a, rate, number.between(-1, -0.7), number.between(-0.5, -0.2), bend,
                     number.between(0.8, 1.1), number.between(0.2, 0.4));
}

/// The bent pendulum in joint coordinates, its top tied to the ground by a rod.
std::string write_tied_pendulum(unsigned seed) {
  MassNumbers number(seed);
  std::string text = kBentPendulum;
  text.erase(text.find("[start]"));
  const std::string format = "format = \"driftless/1\"\n";
  text.insert(text.find(format) + format.size(), "coordinates = \"joint\"\n");
  return text + fmt::format(R"~([constraint.rod]
type = "distance"
between = ["ground", "top"]
at = [[{}, {}, 0.2], [0.8, -0.2, -0.6]]
[start]
top.wx = {}
top.wz = {}
A.rate1 = {}
)~",
                            number.between(1.2, 1.6), number.between(0.1, 0.4),
                            number.between(0.5, 1), number.between(2, 3), number.between(0.3, 0.8));
}

struct VaryingMass {
  std::string text;
  double step;  ///< of the coarser run of order 4
  std::vector<std::string> positions, rates, reactions;
};

struct MassMethod {
  std::string formulation;
  const IntegratorInfo* info;
  std::string words() const { return formulation + "/" + std::string(info->name); }
};

std::vector<MassMethod> find_fixed_methods() {
  std::vector<MassMethod> methods;
  for (const IntegratorInfo& info : all_integrators()) {
    if (info.only_adaptive || (info.variable_order && !info.implicit)) continue;
    IntegratorChoice choice;
    choice.name = info.name;
    for (const std::string& formulation : find_formulations(find_shape(choice)))
      methods.push_back({formulation, &info});
  }
  return methods;
}

/// Of q, v and reactions. Radau IIA loses what theory says (Hairer, Lubich, Roche 1989).
std::array<double, 3> find_theory(const MassMethod& method) {
  const double p = method.info->order;
  if (method.info->name != "radau5") return {p, p, p};
  if (method.formulation == "index3" || method.formulation == "index2_baumgarte") return {5, 3, 2};
  if (method.formulation == "index2" || method.formulation == "ggl") return {5, 5, 3};
  return {5, 5, 5};
}

double find_coarse_step(const VaryingMass& problem, const MassMethod& method) {
  const std::string_view name = method.info->name;
  // Feedback with gains of 1/step makes of every multistep method one with little room.
  if (method.formulation == "baumgarte" && name.starts_with("ab")) return problem.step / 16;
  if (name.starts_with("ab") || name == "bdf") return problem.step / 8;
  constexpr double kShares[] = {0, 64, 8, 4, 2, 1, 1, 1, 0.5};
  return problem.step / kShares[method.info->order];
}

void expect_mass_orders(const VaryingMass& problem) {
  // An error at one moment may be small by chance. All steps end at samples: dense outputs have lower orders.
  constexpr double kEvery = 0.1;
  const auto run = [&](Trial trial) {
    trial.until = 1;
    trial.every = kEvery;
    return run_text(problem.text, trial);
  };
  const Result exact = run({.method = "index1/dop853/project", .tolerance = 1e-13});
  for (const MassMethod& method : find_fixed_methods()) {
    SCOPED_TRACE(method.words());
    const double h = find_coarse_step(problem, method);
    const Result coarse = run({.method = method.words(), .step = h});
    const Result fine = run({.method = method.words(), .step = h / 2});
    ASSERT_EQ(fine.report.status, Status::ok) << fine.report.message;
    const std::array<double, 3> theory = find_theory(method);
    const std::vector<std::string>* names[] = {&problem.positions, &problem.rates,
                                               &problem.reactions};
    for (std::size_t k = 0; k < 3; ++k) {
      const double error = max_difference(fine, exact, *names[k]);
      // Reactions of index 3 are second differences.
      if (error < (k == 2 && method.formulation.starts_with("index3") ? 1e-7 : 1e-10)) continue;
      const double order = std::log2(max_difference(coarse, exact, *names[k]) / error);
      // Steps that are short enough for order 8 to show leave nothing but round-off.
      const double margin = method.info->order == 8 ? 1.6 : 0.4;
      EXPECT_GT(order, theory[k] - margin) << "qvl"[k] << ", error " << error;
      EXPECT_LT(error, method.info->order == 1 ? 0.3 : 5e-2) << "qvl"[k];
    }
  }
}

TEST(LongVaryingMass, EquationsHaveTheOrdersOfTheory) {
  for (const unsigned seed : {1u, 2u})
    expect_mass_orders(
        {write_bent_rail(seed), 0.05, {"a", "b", "s"}, {"a'", "b'", "s'"}, {"force"}});
}

TEST(LongVaryingMass, BodiesInJointCoordinatesHaveTheOrdersOfTheory) {
  for (const unsigned seed : {1u, 2u})
    expect_mass_orders({write_tied_pendulum(seed),
                        0.025,
                        {"arm.x", "top.x", "top.z"},
                        {"top.wx", "arm.wy", "top.x'"},
                        {"B.force.x", "A.force.z", "rod.force.x"}});
}

}  // namespace
}  // namespace driftless::trials
