// Start rates that are asked for: those that no motion has are told, and not made of rounding.

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless::trials {
namespace {

// The free motion is the coupler's turn about its own ball joint's line; the crank has none, but for rounding.
TEST(StartRates, ThatNothingCanHaveAreNotTakenFromRounding) {
  const std::string text = R"(format = "driftless/1"
[body.crank]
centre = [-0.36386446750405743, 0.22934058664589008, 1.9276753283361838]
mass = 2.841101466998649
inertia = [0.36653903707202584, 0.4442968815166537, 0.4422383539390559]
[body.coupler]
centre = [0.5749413167653381, -0.7569212909616246, 2.159090141721397]
mass = 1.258421277332294
inertia = [0.38442139999228303, 0.4660071386548654, 0.43406111328281416]
[body.rocker]
centre = [0.1831366755049776, -2.014333517405918, 2.3030496936727105]
mass = 1.763209551449001
inertia = [0.4175161212287119, 0.47649580016637155, 0.46923948368566254]
[joint.A]
type = "revolute"
between = ["ground","crank"]
at = [-0.800758805081793, 0.2077278950913257, 1.8892440119515586]
axis = [-0.09370761963747247, 0.14201825614098565, 0.9854185389693824]
[joint.B]
type = "universal"
between = ["crank","coupler"]
at = [0.07302987007367812, 0.25095327820045443, 1.9661066447208093]
axis = [-0.09370761963747247, 0.14201825614098565, 0.9854185389693824]
[joint.C]
type = "spherical"
between = ["coupler","rocker"]
at = [1.0768527634569982, -1.7647958601237037, 2.3520736387219845]
[joint.D]
type = "revolute"
between = ["rocker","ground"]
at = [-0.710579412447043, -2.2638711746881315, 2.2540257486234365]
axis = [-0.09370761963747247, 0.14201825614098565, 0.9854185389693824]
[start]
)";
  const PreparedModel wanted = prepare_model(parse_model(text + "A.rate = 4.3\n", "test.toml"), {});
  EXPECT_TRUE(wanted.start_report.success) << wanted.start_report.message;
  EXPECT_LE(max_abs(wanted.start.v), 1e3);
  EXPECT_EQ(wanted.start_report.unmet_targets.size(), 1U);
  const PreparedModel exact = prepare_model(
      parse_model(text + "A.rate = { value = 4.3, priority = \"exact\" }\n", "test.toml"), {});
  EXPECT_FALSE(exact.start_report.success);
}

}  // namespace
}  // namespace driftless::trials
