// Digits against tolerance, of every method on problems with a known answer: Andrews' squeezer as equations and as a
// mechanism, the pendulum of index 3, SUNDIALS' slider-crank, the heavy top in all forms of rotations. The list of
// methods is made from what is registered, so that none is forgotten.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/integrators/all.hpp"
#include "driftless/run/method.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

struct DigitProblem {
  const char* model;
  double until;
  double step;  ///< that order 4 takes for some four digits
  std::vector<std::pair<std::string, double>> positions;         ///< at the end
  std::vector<std::pair<std::string, double>> multipliers = {};  ///< likewise
};

// 128-bit runs, all digits of which are known.
const std::vector<DigitProblem> kDigitProblems{
    {"andrews_squeezer_angles",
     0.01,
     1e-4,
     {{"beta", 2.1601131315315265062},
      {"Theta", -1.8833642311070443193},
      {"gamma", 0.15851675800122669325},
      {"Phi", -0.32864107517467030658},
      {"delta", 0.52515477479772946110},
      {"Omega", 0.32864107517467030658},
      {"epsilon", 1.0684272046324011487}}},
    {"andrews_squeezer",
     0.01,
     1e-4,
     {{"beta", 2.1601131315315265062},
      {"Theta", -1.8833642311070443193},
      {"gamma", 0.15851675800122669325},
      {"Phi", -0.32864107517467030658},
      {"delta", 0.52515477479772946110},
      {"Omega", 0.32864107517467030658},
      {"epsilon", 1.0684272046324011487}}},
    {"pendulum_index3",
     1,
     0.05,
     {{"x", 0.8673486406004393217343}, {"y", 0.4977010504796729293537}}},
    {"slider_crank_damped",
     2.5,
     0.1,
     {{"q", 0.07223610546591181718}, {"x", 1.498044718149749700}, {"p", -0.03609448680772366461}}},
    {"heavy_top",
     1,
     0.02,
     {{"top.x", -3.11686470626238197744e-02},
      {"top.y", -9.83383681419676809500e-01},
      {"top.z", -1.78843648357354807238e-01}}}};

/// -log10 of the largest error, relative to values above 1.
double find_digits(const Result& result, const DigitProblem& problem) {
  double error = 1e-16;
  for (const auto& [name, exact] : problem.positions) {
    const double difference = std::abs(last(result, name) - exact) / std::max(1.0, std::abs(exact));
    error = std::max(error, std::isfinite(difference) ? difference : 1.0);
  }
  return -std::log10(error);
}

struct DigitMethod {
  std::string words;
  const IntegratorInfo* info;
  bool adaptive;
};

/// Every integrator with every formulation that it takes.
std::vector<DigitMethod> find_all_methods() {
  std::vector<DigitMethod> methods;
  for (const IntegratorInfo& info : all_integrators()) {
    IntegratorChoice choice;
    choice.name = info.name;
    for (const std::string& formulation : find_formulations(find_shape(choice))) {
      const bool adaptive = info.adaptive && formulation != "index2_baumgarte";
      methods.push_back({formulation + "/" + std::string(info.name), &info, adaptive});
    }
  }
  return methods;
}

/// Newmark's family and RATTLE turn bodies on their group, Munthe-Kaas's method likewise.
bool takes_euler_angles(const DigitMethod& method) {
  return !method.info->second_order && !method.info->on_group;
}

constexpr int kDigitLevels = 3;

/// Tolerances fall by 100, of order 2 by 10; steps by 2.
Trial make_digit_trial(const DigitProblem& problem, const DigitMethod& method, int level) {
  Trial trial{.method = method.words, .until = problem.until, .every = problem.until};
  if (method.adaptive) {
    trial.tolerance =
        method.info->order <= 2 ? std::pow(10.0, -3 - level) : std::pow(10.0, -4 - 2 * level);
    return trial;
  }
  // Feedback with gains of 1/step makes of every multistep method one with little room.
  const bool narrow = method.words.starts_with("baumgarte/ab");
  const double shrink = narrow ? 8.0 : method.info->order <= 2 ? 4.0 : 1.0;
  trial.step = problem.step / shrink / (1 << level);
  return trial;
}

/// What the digits must grow by from the first to the last level: half of what theory says, and not more than of order 3,
/// because round-off is near.
double find_least_growth(const DigitMethod& method) {
  const int order = std::min(3, method.info->order);
  if (method.adaptive) return order == 2 ? 0.6 : 1.8;
  return 0.5 * order * std::log10(4.0);
}

/// The error at one moment may be small by chance at the first level, where few digits are asked for.
constexpr double kByChance = 5.5;

/// Digits at all levels; empty and a failed test: a run has failed.
Values find_growing_digits(const DigitProblem& problem, const DigitMethod& method,
                           const Sets& sets) {
  Values digits;
  for (int level = 0; level < kDigitLevels; ++level) {
    Trial trial = make_digit_trial(problem, method, level);
    trial.sets = sets;
    const Result result = run_model(problem.model, trial);
    EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
    if (result.report.status != Status::ok) return {};
    digits.push_back(find_digits(result, problem));
  }
  return digits;
}

TEST(LongDigits, GrowWithEveryMethod) {
  for (const DigitProblem& problem : kDigitProblems) {
    const bool turns = std::string(problem.model) == "heavy_top";
    for (const DigitMethod& method : find_all_methods()) {
      for (const char* rotations : {"quaternion", "euler", "lie"}) {
        const bool is_default = std::string(rotations) == "quaternion";
        if (!is_default && (!turns || (rotations[0] == 'e' && !takes_euler_angles(method))))
          continue;
        SCOPED_TRACE(fmt::format("{} {} {}", problem.model, method.words, rotations));
        Sets sets;
        if (!is_default) sets = {{"method.rotations", fmt::format("\"{}\"", rotations)}};
        const Values digits = find_growing_digits(problem, method, sets);
        if (digits.empty()) continue;
        const bool by_chance = method.adaptive && digits.front() > kByChance;
        EXPECT_TRUE(by_chance || digits.back() - digits.front() > find_least_growth(method))
            << digits[0] << " " << digits[1] << " " << digits[2];
        const int order = method.info->order;
        EXPECT_GT(digits.back(), order == 1 ? 1.3 : order == 2 ? 2.7 : 4.0);
      }
    }
  }
}

// Of velocities and multipliers, which converge more slowly where the index is high.
TEST(LongDigits, OfRatesAndMultipliersGrowToo) {
  const std::vector<DigitProblem> problems{
      {"andrews_squeezer_angles",
       0.01,
       1e-4,
       {{"gamma'", -136.43819137811969770}, {"delta'", 4.7915482253710542423}},
       {{"lambda1", 57.02529043750258}, {"lambda4", -18.17926986794036}}},
      {"pendulum_index3",
       1,
       0.05,
       {{"x'", -0.03374801806095451960914}, {"y'", 0.05881301146525000754085}},
       {{"lam", -0.4931031514390187880611}}}};
  for (const DigitProblem& problem : problems) {
    for (const DigitMethod& method : find_all_methods()) {
      if (!method.adaptive) continue;
      SCOPED_TRACE(fmt::format("{} {}", problem.model, method.words));
      DigitProblem multipliers = problem;
      multipliers.positions = problem.multipliers;
      const Values of_rates = find_growing_digits(problem, method, {});
      const Values of_multipliers = find_growing_digits(multipliers, method, {});
      if (of_rates.empty() || of_multipliers.empty()) continue;
      // Steps of radau5 go with tol^(1/5): of index 3 multipliers, of order 2, gain 1.6 digits on four decades, here by
      // the error at one moment of a run of few steps.
      const bool is_slow = method.words == "index3/radau5";
      const double least = method.info->order == 2 ? 0.2 : is_slow ? 0.8 : 1.5;
      for (const Values* digits : {&of_rates, &of_multipliers})
        EXPECT_TRUE(digits->front() > kByChance || digits->back() - digits->front() > least)
            << (*digits)[0] << " " << (*digits)[1] << " " << (*digits)[2];
    }
  }
}

}  // namespace
}  // namespace driftless::trials
