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

}  // namespace
}  // namespace driftless::trials
