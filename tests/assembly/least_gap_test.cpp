// What a mechanism that cannot be closed is told: the least gap that is possible, at the element that is to blame.

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless::trials {
namespace {

class ChainDraw {
 public:
  explicit ChainDraw(unsigned seed) : random_(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::vector<double> direction() {
    std::normal_distribution<double> normal;
    std::vector<double> way{normal(random_), normal(random_), normal(random_)};
    const double length = std::hypot(way[0], way[1], way[2]);
    for (double& each : way) each /= length;
    return way;
  }

 private:
  std::mt19937 random_;
};

std::vector<double> go(const std::vector<double>& from, double length,
                       const std::vector<double>& way) {
  return {from[0] + length * way[0], from[1] + length * way[1], from[2] + length * way[2]};
}

struct Chain {
  std::string text;
  double gap = 0.0;  // the least: all its links in line
};

/// Links of very different masses between balls, the last of which is further away than they reach.
Chain draw_chain(unsigned seed, int links) {
  ChainDraw draw(seed);
  Chain chain{"format = \"driftless/1\"\n"};
  std::vector<double> at(3, draw.between(-1.0, 1.0));
  const std::vector<double> first = at;
  double reach = 0.0;
  for (int k = 0; k < links; ++k) {
    const double length = draw.between(0.2, 1.5);
    const double mass = std::pow(10.0, draw.between(-2.0, 2.0));
    const std::vector<double> way = draw.direction();
    chain.text += fmt::format(
        "[body.b{}]\nmass = {}\ninertia = [{:.9g}, {:.9g}, {:.9g}]\ncentre = [{}]\n"
        "[joint.J{}]\ntype = \"spherical\"\nbetween = [\"{}\", \"b{}\"]\nat = [{}]\n",
        k, mass, 0.08 * mass * length * length, 0.09 * mass * length * length,
        0.085 * mass * length * length, fmt::join(go(at, 0.5 * length, way), ", "), k,
        k == 0 ? "ground" : fmt::format("b{}", k - 1), k, fmt::join(at, ", "));
    at = go(at, length, way);
    reach += length;
  }
  chain.gap = draw.between(0.01, 0.5);
  chain.text += fmt::format(
      "[joint.J{}]\ntype = \"spherical\"\nbetween = [\"b{}\", \"ground\"]\nat = [[{}], [{}]]\n",
      links, links - 1, fmt::join(at, ", "),
      fmt::join(go(first, reach + chain.gap, draw.direction()), ", "));
  return chain;
}

TEST(LongLeastGap, OfAChainThatIsTooShortIsWhatIsMissingInLine) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Chain chain = draw_chain(seed, 3 + static_cast<int>(seed % 4));
    const StartReport report =
        prepare_model(parse_model(chain.text, "chain.toml"), {}).start_report;
    ASSERT_EQ(report.gaps.size(), 1U) << seed << ": " << report.message;
    EXPECT_NEAR(report.gaps[0].metres, chain.gap, 1e-6) << seed << ": " << report.message;
  }
}

/// Nuts on spindles that stand beside each other, tilted a little. The first two are bound by a rod that is far too short,
/// the others by rods for which they must go many turns along their threads.
std::string write_nuts(unsigned seed, int count) {
  ChainDraw draw(seed);
  std::string text = "format = \"driftless/1\"\n";
  double place = 0.0, before = 0.0;
  for (int k = 0; k < count; ++k) {
    text += fmt::format(
        "[body.n{0}]\nmass = {1}\ninertia = [0.01, 0.012, 0.015]\ncentre = [{2}, 0, 0.1]\n"
        "[joint.S{0}]\ntype = \"screw\"\nbetween = [\"ground\", \"n{0}\"]\nat = [{2}, 0, 0]\n"
        "axis = [{3}, {4}, 1]\npitch = {5}\n",
        k, draw.between(0.5, 3.0), place, draw.between(-0.1, 0.1), draw.between(-0.1, 0.1),
        draw.between(0.005, 0.02));
    if (k > 0) {
      text += fmt::format(
          "[constraint.R{}]\ntype = \"distance\"\nbetween = [\"n{}\", \"n{}\"]\n"
          "at = [[{}, 0.02, 0.1], [{}, 0.05, 0]]\nlength = {}\n",
          k, k - 1, k, before, place, k == 1 ? 0.1 : 1.1);
    }
    before = place;
    place += draw.between(0.7, 1.0);
  }
  return text;
}

TEST(LongLeastGap, OfSeveralScrewsIsAtTheRodThatIsTooShort) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const StartReport report =
        prepare_model(parse_model(write_nuts(seed, 4), "nuts.toml"), {}).start_report;
    ASSERT_EQ(report.gaps.size(), 1U) << seed << ": " << report.message;
    const std::string& name = report.gaps[0].element;  // R1, or a screw that holds one of its ends
    EXPECT_TRUE(name == "R1" || name == "S0" || name == "S1") << seed << ": " << report.message;
    EXPECT_GT(report.gaps[0].metres, 0.1) << seed;
  }
}

TEST(LeastGap, ScrewsOfWhichOneRodIsLongGoAlongTheirThreads) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::string text = write_nuts(seed, 4);
    text.erase(text.find("[constraint.R1]"), text.find("[body.n2]") - text.find("[constraint.R1]"));
    const StartReport report = prepare_model(parse_model(text, "nuts.toml"), {}).start_report;
    EXPECT_TRUE(report.success) << seed << ": " << report.message;
  }
}

}  // namespace
}  // namespace driftless::trials
