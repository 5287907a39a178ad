// The machines of models/machines/ that can be told by formulas of one angle: each assembles, has the degrees of freedom
// counted by hand, keeps its joints and its energy, and follows numbers computed here without Driftless, also with other
// dimensions.

#include <algorithm>
#include <filesystem>
#include <map>

#include "tests/system/machine_trials.hpp"

namespace driftless::trials {
namespace {

TEST(Machines, ExplainThemselves) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(DRIFTLESS_SOURCE_DIR "/models/machines")) {
    SCOPED_TRACE(entry.path().filename());
    const ModelFile file = read_model_file(entry.path().string());
    EXPECT_EQ(file.text.rfind("# ", 0), 0u);
    EXPECT_NE(file.text.find("# What it teaches: "), std::string::npos);
    EXPECT_NE(file.text.find("# What to expect: "), std::string::npos);
    EXPECT_FALSE(file.common().description.empty());
    EXPECT_EQ(file.methods.size(), 1u);
    EXPECT_FALSE(file.mechanism->records.empty());
    ++count;
  }
  EXPECT_GE(count, 7);
}

// ---- Peaucellier -------------------------------------------------------------------------------------

// Seven bars of three rates and a point of two; eleven hinges of two rows (three bars and a pen share a pin twice).
// None is redundant: the crank's angle is what is left.
TEST(Machines, PeaucellierCount) { expect_count(read_machine("peaucellier"), 23, 22, 22); }

/// The pen stays on the line y = -(a² - b²)/2r, and |OP| |OX| = a² - b²: the power of O in A's circle of radius b.
void check_peaucellier(double a, double b, double r, double degrees) {
  const ModelFile file = read_machine("peaucellier", {{"a", text_of(a)},
                                                      {"b", text_of(b)},
                                                      {"r", text_of(r)},
                                                      {"start", text_of(degrees) + " deg"}});
  const Result result = run_machine(file, 10, 0.01, 10);
  const double k2 = a * a - b * b;
  const Values x = column(result, "pen.x");
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const double side = k2 / (2 * r) * std::tan(degrees * kPi / 360);  // P and the pen on one ray
  EXPECT_NEAR(*high, side, 1e-3);
  EXPECT_NEAR(*low, -side, 1e-3);
  expect_at_most("straightness",
                 max_error(result, {"pen.y"}, [&](double) { return Values{-k2 / (2 * r)}; }), 1e-9);
  expect_at_most("inversion", max_error(result, {"power_of_O"}, [&](double) { return Values{k2}; }),
                 1e-9);
}

TEST(LongMachines, PeaucellierDrawsAStraightLine) {
  check_peaucellier(1, 0.4, 0.42, 70);
  EXPECT_NEAR(0.84 / 0.42 * std::tan(35 * kPi / 180), 1.40, 5e-3) << "the number in the model file";
}

// |OP| moves between a - b, where the arms are stretched, and k, where the rhombus would be folded flat.
TEST(LongMachines, PeaucellierOfOtherDimensions) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<> unit(0, 1);
  for (int trial = 0; trial < 4; ++trial) {
    const double a = 0.3 + 2 * unit(random);
    const double b = a * (0.3 + 0.3 * unit(random));
    const double room = std::sqrt(a * a - b * b) - (a - b);
    const double largest = a - b + room * (0.6 + 0.2 * unit(random));
    const double least = a - b + room * (0.2 + 0.2 * unit(random));
    check_peaucellier(a, b, largest / 2, 360 / kPi * std::acos(least / largest));
  }
}

// ---- Jansen's leg ------------------------------------------------------------------------------------

// Seven bodies of three rates; ten hinges of two rows.
TEST(Machines, JansenCount) { expect_count(read_machine("jansen_leg"), 21, 20, 20); }

using Lengths = std::map<std::string, double>;

const Lengths& holy_numbers() {
  static const Lengths numbers{{"a", 38},   {"b", 41.5}, {"c", 39.3}, {"d", 40.1}, {"e", 55.8},
                               {"f", 39.4}, {"g", 36.7}, {"h", 65.7}, {"i", 49},   {"j", 50},
                               {"k", 61.9}, {"l", 7.8},  {"m", 15}};
  return numbers;
}

/// By compasses, in the unit of the lengths.
Vector3 find_foot(const Lengths& s, double crank) {
  const Vector3 pin{s.at("m") * std::cos(crank), s.at("m") * std::sin(crank), 0};
  const Vector3 pivot{-s.at("a"), -s.at("l"), 0};
  const Vector3 upper = meet_circles(pivot, s.at("b"), pin, s.at("j"));
  const Vector3 lower = meet_circles(pin, s.at("k"), pivot, s.at("c"));
  const Vector3 outer = meet_circles(pivot, s.at("d"), upper, s.at("e"));
  const Vector3 knee = meet_circles(lower, s.at("g"), outer, s.at("f"));
  return meet_circles(lower, s.at("i"), knee, s.at("h"));
}

void check_jansen(const Lengths& lengths, double start) {
  Sets sets{{"start", text_of(start)}};
  for (const auto& [name, value] : lengths) sets.emplace_back(name, text_of(value) + " cm");
  const Result result = run_machine(read_machine("jansen_leg", sets), 3, 0.01, 10);
  const Values angle = column(result, "O.angle");
  EXPECT_GT(angle.back(), 4 * kPi);
  std::size_t row = 0;
  expect_at_most("foot",
                 max_error(result, {"foot_x", "foot_y"},
                           [&](double) {
                             const Vector3 foot = find_foot(lengths, start + angle[row++]);
                             return Values{foot.x / 100, foot.y / 100};
                           }),
                 1e-9);
}

TEST(LongMachines, JansenWalksByTheHolyNumbers) { check_jansen(holy_numbers(), 0.0); }

TEST(LongMachines, JansenOfOtherDimensions) {
  std::mt19937_64 random(12);
  for (int trial = 0; trial < 4; ++trial) {
    Lengths lengths = holy_numbers();
    for (auto& [name, value] : lengths) value = std::stod(vary(value, 0.01, random));
    check_jansen(lengths, std::uniform_real_distribution<>(-3, 3)(random));
  }
}

// The lowest 5 mm of the curve are 50 cm long, and the foot is lifted by 22 cm.
TEST(Machines, JansenStepsAsItsFileSays) {
  double lowest = 0.0;
  double highest = -1e9;
  for (int k = 0; k < 3600; ++k) {
    const double y = find_foot(holy_numbers(), k * kPi / 1800).y;
    lowest = std::min(lowest, y);
    highest = std::max(highest, y);
  }
  double left = 1e9;
  double right = -1e9;
  for (int k = 0; k < 3600; ++k) {
    const Vector3 foot = find_foot(holy_numbers(), k * kPi / 1800);
    if (foot.y > lowest + 0.5) continue;
    left = std::min(left, foot.x);
    right = std::max(right, foot.x);
  }
  EXPECT_NEAR(right - left, 50, 1);
  EXPECT_NEAR(highest - lowest, 22, 1);
}

// ---- the engine --------------------------------------------------------------------------------------

// Nine bodies of six rates. The shaft's hinge has 5 rows; per cylinder two hinges of 5 rows and a bore of 4. All that is
// left is the shaft's angle, so the rank is 54 - 1: in each cylinder two of 14 rows follow from the others.
TEST(Machines, EngineCount) {
  expect_count(read_machine("four_cylinder_engine"), 54, 5 + 4 * 14, 5 + 4 * 12);
}

void check_engine(double r, double l, const Values& throws, double until) {
  Sets sets{{"r", text_of(r)}, {"l", text_of(l)}};
  for (std::size_t k = 0; k < 4; ++k) {
    sets.emplace_back("throw" + std::to_string(k + 1), text_of(throws[k]));
  }
  const Result result = run_machine(read_machine("four_cylinder_engine", sets), until, 0.001, 4000);
  const Values angle = column(result, "main.angle");
  std::size_t row = 0;
  expect_at_most(
      "pistons",
      max_error(result, {"piston1.y", "piston2.y", "piston3.y", "piston4.y"},
                [&](double) {
                  Values y;
                  for (const double start : throws) {
                    const double a = angle[row] + start;
                    y.push_back(r * std::cos(a) + std::sqrt(l * l - std::pow(r * std::sin(a), 2)));
                  }
                  ++row;
                  return y;
                }),
      1e-9);
}

TEST(LongMachines, EnginePistonsFollowTheCrank) {
  check_engine(0.045, 0.14, {0, kPi, kPi, 0}, 0.1);
}

TEST(LongMachines, EngineOfOtherDimensions) {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<> any(-3, 3);
  for (int trial = 0; trial < 2; ++trial) {
    check_engine(0.05 + 0.005 * any(random), 0.15 + 0.01 * any(random),
                 {any(random), any(random), any(random), any(random)}, 0.03);
  }
}

// In line with a dead centre the two pairs accelerate by -r w² (1 ± r/l): what is left of pistons and half the rods is
// 4 m r² w²/l.
TEST(Machines, EngineShakesAtTwiceItsSpeed) {
  const Result result =
      run_file(read_machine("four_cylinder_engine"), {.until = 0.0002, .every = 0.0002});
  const double w = 3000 * 2 * kPi / 60;
  const double force = 4 * (0.4 + 0.5 / 2) * 0.045 * 0.045 * w * w / 0.14;
  EXPECT_NEAR(column(result, "shake").front(), force, 1e-6);
  EXPECT_NEAR(force, 3700, 50) << "the number in the model file";
}

// ---- the cardan shaft --------------------------------------------------------------------------------

// Three bodies of six rates; two bearings of 5 rows and two universal joints of 4. The centres of the joints rest, so the
// middle shaft's length is held by the first three rows of each twice: rank 17.
TEST(Machines, CardanCount) { expect_count(read_machine("double_cardan"), 18, 18, 17); }

/// With a = angle of the input's pin from across the plane of the shafts, pins perpendicular to each other mean
/// tan(middle) = cos(bend) tan(a). The second joint is the same backwards, with the forks apart by `phase`.
struct Cardan {
  double bend1, bend2, phase;

  double middle(double a) const {
    return std::cos(bend1) / (1 - std::pow(std::sin(bend1) * std::sin(a), 2));
  }
  double output(double a) const {
    const double u = std::atan2(std::cos(bend1) * std::sin(a), std::cos(a)) + phase;
    const double b = std::atan2(std::sin(u), std::cos(bend2) * std::cos(u));
    return middle(a) * (1 - std::pow(std::sin(bend2) * std::sin(b), 2)) / std::cos(bend2);
  }
};

void check_cardan(const Cardan& cardan, bool even) {
  const ModelFile file = read_machine("double_cardan", {{"bend1", text_of(cardan.bend1)},
                                                        {"bend2", text_of(cardan.bend2)},
                                                        {"phase", text_of(cardan.phase)}});
  const Result result = run_machine(file, 3, 0.01, 1);
  const Values angle = column(result, "bearing_in.angle");
  EXPECT_GT(angle.back(), 3 * kPi);
  std::size_t row = 0;
  expect_at_most("ratios",
                 max_error(result, {"ratio_middle", "ratio_output"},
                           [&](double) {
                             const double a = angle[row++];
                             return Values{cardan.middle(a), even ? 1.0 : cardan.output(a)};
                           }),
                 1e-9);
  // No gravity, no torque: the kinetic energy of three cylinders m r²/2 stays what it was at 10 rad/s.
  const auto inertia = [&](double a) {
    return 0.0024 + 0.0018 * std::pow(cardan.middle(a), 2) + 0.0024 * std::pow(cardan.output(a), 2);
  };
  row = 0;
  expect_at_most(
      "rate",
      max_error(result, {"bearing_in.rate"},
                [&](double) { return Values{10 * std::sqrt(inertia(0) / inertia(angle[row++]))}; }),
      1e-9);
}

TEST(LongMachines, CardanShaftsInPhaseTurnEvenly) {
  const double bend = 35 * kPi / 180;
  check_cardan({bend, bend, 0}, true);
  check_cardan({bend, -bend, 0}, true);
  check_cardan({bend, bend, kPi / 2}, false);
}

TEST(LongMachines, CardanOfOtherAngles) {
  std::mt19937_64 random(14);
  std::uniform_real_distribution<> any(-0.9, 0.9);
  for (int trial = 0; trial < 6; ++trial) {
    check_cardan({any(random), any(random), 3 * any(random)}, false);
  }
}

}  // namespace
}  // namespace driftless::trials
