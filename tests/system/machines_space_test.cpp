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

}  // namespace
}  // namespace driftless::trials
