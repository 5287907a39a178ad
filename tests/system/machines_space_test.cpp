// The parallel machines of models/machines/ in space, against inverse and forward kinematics computed here without
// Driftless, also with other dimensions.

#include <algorithm>
#include <array>
#include <map>

#include "tests/system/machine_trials.hpp"

namespace driftless::trials {
namespace {

Vector3 on_circle(double radius, double angle, double z) {
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

// ---- the Stewart platform ----------------------------------------------------------------------------

// Thirteen bodies of six rates; per leg a universal joint of 4 rows, a slide of 5 and a ball of 3. Leg lengths determine
// the plate, six of them freely: all 72 rows count.
TEST(LongMachines, StewartCount) {
  expect_count(read_machine("stewart_platform"), 13 * 6, 6 * (4 + 5 + 3), 72);
}

struct Stewart {
  double rb = 1, rp = 0.6, height = 0.9, gap_b = 12 * kPi / 180, gap_p = 18 * kPi / 180;

  Sets sets() const {
    return {{"rb", text_of(rb)},
            {"rp", text_of(rp)},
            {"height", text_of(height)},
            {"gap_b", text_of(gap_b)},
            {"gap_p", text_of(gap_p)}};
  }
  /// Inverse kinematics: the plate's centre and quaternion to the length of leg k = 0 to 5.
  double leg(int k, const Vector3& centre, const Values& quaternion) const {
    const double corner = 2 * kPi / 3 * ((k + 1) / 2);  // legs 1, 2 of neighbouring pairs
    const double b = corner + (k % 2 == 0 ? gap_b : -gap_b);
    const double p = kPi / 3 + 2 * kPi / 3 * (k / 2) + (k % 2 == 0 ? -gap_p : gap_p);
    return norm(centre + turn(quaternion, on_circle(rp, p, 0)) - on_circle(rb, b, 0));
  }
};

const std::vector<std::string> kPlate{"plate.x",  "plate.y",  "plate.z", "plate.q0",
                                      "plate.q1", "plate.q2", "plate.q3"};

void check_stewart(const Stewart& stewart) {
  const Result result =
      run_machine(read_machine("stewart_platform", stewart.sets()), 1.5, 0.01, 1000);
  for (int k = 0; k < 6; ++k) {
    const Values leg = column(result, "leg" + std::to_string(k + 1));
    double worst = 0.0;
    for (std::size_t row = 0; row < leg.size(); ++row) {
      const Values pose = at(result, result.row(row)[0], kPlate);
      worst = std::max(worst, std::abs(leg[row] - stewart.leg(k, {pose[0], pose[1], pose[2]},
                                                              {pose.begin() + 3, pose.end()})));
    }
    expect_at_most("leg", worst, 1e-9);
    const auto [low, high] = std::minmax_element(leg.begin(), leg.end());
    EXPECT_GT(*high - *low, 0.01);
  }
}

TEST(LongMachines, StewartLegsByInverseKinematics) { check_stewart({}); }

TEST(LongMachines, StewartOfOtherDimensions) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<> unit(0, 1);
  for (int trial = 0; trial < 2; ++trial) {
    check_stewart({0.8 + 0.6 * unit(random), 0.5 + 0.3 * unit(random), 0.8 + 0.4 * unit(random),
                   0.1 + 0.2 * unit(random), 0.2 + 0.2 * unit(random)});
  }
}

// Six lengths of a pose that was chosen here: the assembled plate is in that pose.
TEST(LongMachines, StewartFindsThePoseOfSixLegs) {
  std::mt19937_64 random(22);
  std::uniform_real_distribution<> any(-1, 1);
  for (int trial = 0; trial < 5; ++trial) {
    const Stewart stewart;
    const Vector3 centre{0.1 * any(random), 0.1 * any(random), 0.9 + 0.1 * any(random)};
    Values quaternion{1, 0.1 * any(random), 0.1 * any(random), 0.1 * any(random)};
    double length = 0.0;
    for (const double part : quaternion) length += part * part;
    for (double& part : quaternion) part /= std::sqrt(length);
    Sets sets;
    for (int k = 0; k < 6; ++k) {
      const double extension =
          stewart.leg(k, centre, quaternion) - stewart.leg(k, {0, 0, 0.9}, {1, 0, 0, 0});
      sets.emplace_back("slide" + std::to_string(k + 1) + ".position", text_of(extension));
    }
    const Result result =
        run_file(read_machine("stewart_platform", sets), {.until = 0.01, .every = 0.01});
    const Values pose = at(result, 0.0, kPlate);
    const Values wanted{centre.x,      centre.y,      centre.z,     quaternion[0],
                        quaternion[1], quaternion[2], quaternion[3]};
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(pose[i], wanted[i], 1e-9) << kPlate[i];
  }
}

// ---- the Delta robot ---------------------------------------------------------------------------------

// Ten bodies of six rates; three hinges of 5 rows; at each of six rods a universal joint of 4 and a ball of 3. The three
// arms move freely and hold all else: 60 - 3.
TEST(Machines, DeltaCount) {
  expect_count(read_machine("delta_robot"), 10 * 6, 3 * 5 + 6 * (4 + 3), 57);
}

struct Delta {
  double base = 0.12, arm = 0.2, forearm = 0.45, plate = 0.05, down = 20 * kPi / 180;

  Sets sets() const {
    return {{"base", text_of(base)},
            {"arm", text_of(arm)},
            {"forearm", text_of(forearm)},
            {"plate", text_of(plate)},
            {"down", text_of(down)}};
  }
  /// Forward kinematics. As the plate does not turn, its centre is `forearm` away from each elbow moved inwards by `plate`.
  Vector3 find_plate(const std::array<double, 3>& angles) const {
    std::array<Vector3, 3> centre;
    for (std::size_t k = 0; k < 3; ++k) {
      const double a = down + angles[k];
      centre[k] = on_circle(base + arm * std::cos(a) - plate, 2 * kPi / 3 * static_cast<double>(k),
                            -arm * std::sin(a));
    }
    return meet_spheres(centre[0], forearm, centre[2], forearm, centre[1], forearm);
  }
};

void check_delta(const Delta& delta) {
  const Result result = run_machine(read_machine("delta_robot", delta.sets()), 2, 0.01, 5);
  const Values a = column(result, "motor1.angle");
  const Values b = column(result, "motor2.angle");
  const Values c = column(result, "motor3.angle");
  std::size_t row = 0;
  expect_at_most("plate",
                 max_error(result, {"tool.x", "tool.y", "tool.z"},
                           [&](double) {
                             const Vector3 p = delta.find_plate({a[row], b[row], c[row]});
                             ++row;
                             return Values{p.x, p.y, p.z};
                           }),
                 1e-9);
  expect_at_most("turning",
                 max_error(result, {"tool.q0", "tool.q1", "tool.q2", "tool.q3"},
                           [](double) {
                             return Values{1, 0, 0, 0};
                           }),
                 1e-9);
  EXPECT_GT(max_of(column(result, "reach")), 0.01);
}

TEST(LongMachines, DeltaPlateByThreeSpheres) { check_delta({}); }

TEST(LongMachines, DeltaOfOtherDimensions) {
  std::mt19937_64 random(23);
  std::uniform_real_distribution<> unit(0, 1);
  for (int trial = 0; trial < 2; ++trial) {
    check_delta({0.1 + 0.04 * unit(random), 0.18 + 0.04 * unit(random), 0.42 + 0.1 * unit(random),
                 0.03 + 0.04 * unit(random), 0.3 + 0.2 * unit(random)});
  }
}

// ---- the double wishbone -----------------------------------------------------------------------------

// Five bodies of six rates; six balls of 3 rows and that of the tie rod, its universal joint of 4, the wheel's bearing
// of 5: 30. Each pair of bushings holds its distance twice: rank 28. Left are the travel and the turning of the wheel.
TEST(Machines, WishboneCount) {
  expect_count(read_machine("double_wishbone"), 5 * 6, 7 * 3 + 4 + 5, 28);
}

using Hardpoints = std::map<std::string, Vector3>;

const Hardpoints& drawn_hardpoints() {
  static const Hardpoints points{
      {"lower_front", {0.15, 0.35, 0.20}}, {"lower_rear", {-0.16, 0.34, 0.21}},
      {"lower_ball", {0.01, 0.72, 0.18}},  {"upper_front", {0.12, 0.45, 0.48}},
      {"upper_rear", {-0.13, 0.46, 0.47}}, {"upper_ball", {-0.02, 0.68, 0.50}},
      {"tie_inner", {0.13, 0.36, 0.25}},   {"tie_outer", {0.14, 0.70, 0.24}}};
  return points;
}

/// The suspension by geometry alone, from the lower wishbone's angle.
struct Wishbone {
  Hardpoints p;
  Vector3 wheel{0, 0.78, 0.30};
  double camber0 = -kPi / 180, toe0 = 0.2 * kPi / 180;

  double distance(const char* a, const char* b) const { return norm(p.at(a) - p.at(b)); }

  struct Pose {
    Vector3 wheel;
    double camber, toe;
  };

  Pose find(double angle) const {
    const Vector3 hinge = p.at("lower_rear") - p.at("lower_front");
    const Vector3 lower = p.at("lower_front") + turn((1 / norm(hinge)) * hinge, angle,
                                                     p.at("lower_ball") - p.at("lower_front"));
    // The upper ball keeps its distances from both bushings of its arm and from the lower ball.
    const Vector3 upper = meet_spheres(p.at("upper_rear"), distance("upper_rear", "upper_ball"),
                                       p.at("upper_front"), distance("upper_front", "upper_ball"),
                                       lower, distance("lower_ball", "upper_ball"));
    const Vector3 steer = meet_spheres(lower, distance("lower_ball", "tie_outer"), upper,
                                       distance("upper_ball", "tie_outer"), p.at("tie_inner"),
                                       distance("tie_inner", "tie_outer"));
    const Axes<double> before = span(p.at("lower_ball"), p.at("upper_ball"), p.at("tie_outer"));
    const Axes<double> after = span(lower, upper, steer);
    const auto carry = [&](const Vector3& a) { return apply(after, apply_inverse(before, a)); };
    const Vector3 axis = carry({std::sin(toe0) * std::cos(camber0),
                                std::cos(toe0) * std::cos(camber0), -std::sin(camber0)});
    return {lower + carry(wheel - p.at("lower_ball")), -std::asin(axis.z),
            std::atan2(axis.x, axis.y)};
  }

  /// The angle at which the wheel is at that height, by bisection: up is one way.
  Pose find_at_height(double z) const {
    double a = -0.5;
    double b = 0.5;
    const bool rises = find(b).wheel.z > find(a).wheel.z;
    for (int k = 0; k < 60; ++k) {
      const double middle = (a + b) / 2;
      (((find(middle).wheel.z < z) == rises) ? a : b) = middle;
    }
    return find((a + b) / 2);
  }

 private:
  static Axes<double> span(const Vector3& a, const Vector3& b, const Vector3& c) {
    const Vector3 x = (1 / norm(b - a)) * (b - a);
    const Vector3 side = cross(x, c - a);
    const Vector3 z = (1 / norm(side)) * side;
    return {x, cross(z, x), z};
  }
};

std::string write_point(const std::string& name, const Vector3& at) {
  return "\n" + name + " = [" + text_of(at.x) + ", " + text_of(at.y) + ", " + text_of(at.z) + "]";
}

void check_wishbone(const Wishbone& wishbone) {
  std::string text = read_machine("double_wishbone").text;
  for (const auto& [name, at] : wishbone.p) {
    const std::size_t place = text.find("\n" + name + " = [");
    ASSERT_NE(place, std::string::npos);
    text.replace(place, text.find('\n', place + 1) - place, write_point(name, at));
  }
  ModelFile file = parse_model(text, "test.toml");
  apply_overrides(file, {{"camber0", text_of(wishbone.camber0)}, {"toe0", text_of(wishbone.toe0)}});
  const Result result = run_machine(file, 0.5, 0.004, 100);
  const Values travel = column(result, "travel");
  const auto [low, high] = std::minmax_element(travel.begin(), travel.end());
  EXPECT_GT(*high, 0.03);
  EXPECT_LT(*low, -0.03);
  std::size_t row = 0;
  expect_at_most("wheel",
                 max_error(result, {"wheel.x", "wheel.y", "camber", "toe"},
                           [&](double) {
                             const auto pose = wishbone.find_at_height(0.30 + travel[row++]);
                             return Values{pose.wheel.x, pose.wheel.y, pose.camber, pose.toe};
                           }),
                 1e-9);
}

TEST(LongMachines, WishboneCamberByGeometry) { check_wishbone({drawn_hardpoints()}); }

TEST(LongMachines, WishboneOfOtherHardpoints) {
  std::mt19937_64 random(24);
  std::uniform_real_distribution<> any(-1, 1);
  for (int trial = 0; trial < 3; ++trial) {
    Wishbone wishbone{drawn_hardpoints()};
    for (auto& [name, at] : wishbone.p) {
      at = at + 0.015 * Vector3{any(random), any(random), any(random)};
    }
    wishbone.camber0 = 0.05 * any(random);
    wishbone.toe0 = 0.02 * any(random);
    check_wishbone(wishbone);
  }
}

TEST(Machines, WishboneMovesAsItsFileSays) {
  const Wishbone wishbone{drawn_hardpoints()};
  const double degree = kPi / 180;
  EXPECT_NEAR(wishbone.find_at_height(0.36).camber / degree, -3.35, 0.1);
  EXPECT_NEAR(wishbone.find_at_height(0.216).camber / degree, 0.66, 0.1);
  EXPECT_NEAR(wishbone.find_at_height(0.36).toe / degree - 0.2, 0.08, 0.03);
}

}  // namespace
}  // namespace driftless::trials
