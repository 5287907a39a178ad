// sigma_min, the figure that tells how near a singular pose is: the rank-th singular value of all rows at length 1 in the
// mass metric. A function of the pose alone, and a continuous one, of mechanisms with redundant rows too, whatever the
// method, the step, the engine and what happened before; 0 where the pose is singular.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/Cholesky>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

/// Links of a four-bar; the crank stands upright.
struct Bars {
  double crank, coupler, rocker, ground;
};

/// In space, with a hinge at each end of each bar: 20 rows, 3 of them redundant.
std::string make_four_bar(const Bars& bars, const std::vector<double>& masses,
                          const char* coordinates) {
  const double d = std::hypot(bars.crank, bars.ground);
  const double along = (bars.coupler * bars.coupler - bars.rocker * bars.rocker + d * d) / (2 * d);
  const double across = std::sqrt(bars.coupler * bars.coupler - along * along);
  std::string text = fmt::format(
      "format = \"driftless/1\"\nname = \"four-bar\"\ncoordinates = \"{}\"\n"
      "gravity = [0, -9.81, 0]\n[points]\nA = [0, 0, 0]\nB = [0, {:.17g}, 0]\n"
      "C = [{:.17g}, {:.17g}, 0]\nD = [{:.17g}, 0, 0]\n",
      coordinates, bars.crank, (along * bars.ground + across * bars.crank) / d,
      bars.crank - (along * bars.crank - across * bars.ground) / d, bars.ground);
  const char* const names[] = {"crank", "coupler", "rocker"};
  const char* const ends[] = {"\"A\", \"B\"", "\"B\", \"C\"", "\"C\", \"D\""};
  for (std::size_t k = 0; k < 3; ++k)
    text += fmt::format("[body.{}]\ncylinder = [{}]\nradius = 0.05\nmass = {:.17g}\n", names[k],
                        ends[k], masses[k]);
  const char* const pairs[] = {"\"ground\", \"crank\"", "\"crank\", \"coupler\"",
                               "\"coupler\", \"rocker\"", "\"rocker\", \"ground\""};
  for (std::size_t k = 0; k < 4; ++k) {
    const char name = "ABCD"[k];
    text += fmt::format("[joint.{}]\ntype = \"revolute\"\nbetween = [{}]\nat = \"{}\"\n", name,
                        pairs[k], name);
  }
  return text + "[start]\nA.rate = 6.5\n[run]\nuntil = 1\n[method]\nstep = 0.002\n";
}

/// By the definition, at the poses that the result holds.
Values find_by_definition(const std::string& text, const Result& result) {
  const PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
  const System& system = model.system();
  const SystemInfo& info = system.info();
  const auto ws = system.make_workspace();
  Values values;
  for (std::size_t k = 0; k < result.row_count(); ++k) {
    const double* row = result.row(k).data();
    const Vector q = Eigen::Map<const Vector>(row + 1, info.nq);
    const Vector v = Eigen::Map<const Vector>(row + 1 + info.nq, info.nv);
    system.eval_configuration(row[0], q, *ws);
    system.eval_velocity(row[0], q, v, *ws);
    const Eigen::LLT<Matrix> mass(ws->mass.dense());
    Matrix C = mass.matrixL().solve(Matrix(ws->jacobian.dense().transpose())).transpose();
    for (Eigen::Index i = 0; i < C.rows(); ++i) {
      const double length = C.row(i).norm();
      if (length > 0.0) C.row(i) *= ws->jacobian.find_share(static_cast<int>(i)) / length;
    }
    values.push_back(find_singular_values(C)[result.report.rank - 1]);
  }
  return values;
}

double find_largest_jump(const Values& values) {
  double largest = 0.0;
  for (std::size_t k = 1; k < values.size(); ++k)
    largest = std::max(largest, std::abs(values[k] - values[k - 1]));
  return largest;
}

TEST(SigmaMin, IsAFunctionOfThePoseAlone) {
  std::mt19937 random{20120516};
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int trial = 0; trial < 3; ++trial) {
    const Bars bars{uniform(0.6, 1.0), uniform(2.0, 2.6), uniform(1.8, 2.2), uniform(2.2, 2.5)};
    const std::vector<double> masses{uniform(0.1, 4), uniform(0.1, 4), uniform(0.1, 4)};
    for (const char* coordinates : {"absolute", "joint"}) {
      const std::string text = make_four_bar(bars, masses, coordinates);
      for (const char* engine : {"dense", "sparse"}) {
        for (const auto& [method, step] : {std::pair{"braun_goldfarb/rk4", 0.002},
                                           {"braun_goldfarb/rk4", 0.011},
                                           {"index1/rk4", 0.004},
                                           {"baumgarte/rk4", 0.005},
                                           {"index2/radau5", 0.01}}) {
          SCOPED_TRACE(fmt::format("{} {} {} {} {}", trial, coordinates, engine, method, step));
          const Result result =
              run_text(text, {.method = method,
                              .step = step,
                              .until = 1.5,
                              .every = 0.002,
                              .sets = {{"method.engine", fmt::format("\"{}\"", engine)}}});
          ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
          EXPECT_EQ(result.report.rows - result.report.rank, 3);
          const Values sigma = column(result, "sigma_min");
          const Values expected = find_by_definition(text, result);
          for (std::size_t k = 0; k < sigma.size(); ++k)
            ASSERT_NEAR(sigma[k], expected[k], 1e-7 * expected[k] + 1e-12) << k;
          EXPECT_LE(find_largest_jump(sigma), 0.02)
              << "it turns by less than 2 deg from one to the next";
          EXPECT_GE(*std::min_element(sigma.begin(), sigma.end()), 0.01);
        }
      }
    }
  }
}

// 1 + 4 = 3 + 2: at 180 deg all bars lie in line.
TEST(SigmaMin, VanishesWhereTheLinkageIsInLine) {
  for (const char* coordinates : {"absolute", "joint"}) {
    const std::string text = make_four_bar({1, 3, 2, 4}, {1, 2, 1.5}, coordinates);
    const Result result = run_text(text, {.method = "braun_goldfarb/dopri5",
                                          .tolerance = 1e-10,
                                          .until = 0.6,
                                          .every = 1e-4,
                                          .sets = {{"A.rate", "8"}}});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    const Values sigma = column(result, "sigma_min"), angle = column(result, "A.angle");
    EXPECT_LE(find_largest_jump(sigma), 0.01);
    int passed = 0;
    for (std::size_t k = 1; k < sigma.size(); ++k) {
      const double from = std::abs(std::remainder(angle[k] - pi / 2, 2 * pi));
      if (from > 2e-3) continue;
      ++passed;
      EXPECT_LE(sigma[k], from + 1e-6) << coordinates << " " << angle[k];
    }
    EXPECT_GE(passed, 2) << coordinates << ": never near the pose";
    EXPECT_GE(sigma.front(), 0.02);
  }
}

}  // namespace
}  // namespace driftless::trials
