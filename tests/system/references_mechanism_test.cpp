// Mechanisms against published reference values: IFToMM's A01 and A02, from 128-bit runs of the reduced equations of
// motion and, where nothing is tabulated, from elliptic functions; and chains against a closed form and their equations.

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/templates.hpp"
#include "tests/problems/references.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;
using Columns = std::vector<std::string>;

struct Sample {
  double t;
  Values values;
};

/// Largest error relative to the value; of values below 1e-3, relative to 1e-3, as in the benchmark library.
double find_relative_error(const Result& result, const Columns& names,
                           const std::vector<Sample>& samples) {
  double worst = 0.0;
  for (const Sample& sample : samples) {
    const Values got = at(result, sample.t, names);
    for (std::size_t k = 0; k < got.size(); ++k) {
      const double wanted = sample.values[k];
      worst = std::max(worst, std::abs(got[k] - wanted) / std::max(std::abs(wanted), 1e-3));
    }
  }
  return worst;
}

Trial make_tight(double until, double every) {
  return {.method = "braun_goldfarb/dop853", .tolerance = 1e-12, .until = until, .every = every};
}

// ---- A01: the simple pendulum ------------------------------------------------------------------------

const Columns kBob{"bob.x", "bob.y", "bob.x'", "bob.y'"};

const std::vector<Sample>& a01() {
  static const std::vector<Sample> samples{{1,
                                            {9.862917511318753194e-01, -1.650108531255411688e-01,
                                             2.969055159163158216e-01, 1.774643641112655626e+00}},
                                           {2,
                                            {-7.935661953433217470e-01, -6.084839304437915146e-01,
                                             -2.102437874436125790e+00, 2.741935393010509080e+00}},
                                           {5,
                                            {-9.423054350437573355e-01, -3.347543384140005808e-01,
                                             8.579042568859490731e-01, -2.414928654370488623e+00}},
                                           {9.99,
                                            {-3.164364699130322912e-01, -9.486137045757765192e-01,
                                             4.092451991494020743e+00, -1.365151120240304706e+00}},
                                           {10,
                                            {-2.750874625761168601e-01, -9.614192050991250643e-01,
                                             4.175598100951728836e+00, -1.194749054560475272e+00}},
                                           {20,
                                            {9.969071739909918154e-01, -7.858808080933375103e-02,
                                             9.758532797669008710e-02, 1.237891452932287606e+00}}};
  return samples;
}

TEST(ReferenceA01, ElevenDigits) {
  const Result result = run_model("pendulum_bodies", make_tight(20, 0.01));
  expect_at_most("error", find_relative_error(result, kBob, a01()), 1e-10);
}

// The library allows an error of 1e-3 at its highest precision, and 5e-5 J of energy.
TEST(ReferenceA01, AsTheFileSays) {
  const Result result = run_model("pendulum_bodies", {.until = 20, .every = 0.01});
  ASSERT_EQ(result.report.status, Status::ok);
  expect_at_most("error", find_relative_error(result, kBob, a01()), 1e-5);
  expect_at_most("energy", result.report.max_energy_error, 1e-12);
}

TEST(VerifyReferences, A01Over2000Seconds) {
  const std::vector<Sample> end{{2000,
                                 {8.146030685890321521e-01, -5.800188278369354616e-01,
                                  -1.956647707882657870e+00, -2.747999117430392282e+00}}};
  Trial trial = make_tight(2000, 0.5);
  trial.tolerance = 1e-13;
  expect_at_most("tight", find_relative_error(run_model("pendulum_bodies", trial), kBob, end),
                 1e-8);
  expect_at_most(
      "as_the_file_says",
      find_relative_error(run_model("pendulum_bodies", {.until = 2000, .every = 0.5}), kBob, end),
      1e-3);
}

}  // namespace
}  // namespace driftless::trials
