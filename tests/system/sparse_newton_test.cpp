// Implicit methods on systems that are large enough for sparse matrices, against explicit ones and with redundant rows.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

/// Links of different lengths and masses, hung at both ends or at one, with a Maxwell element between far links.
std::string make_links(int count, bool closed) {
  std::string text = "format = \"driftless/1\"\nspace = \"plane\"\ngravity = [0.3, -9.81]\n";
  double x = 0.0, y = 0.0;
  for (int k = 0; k < count; ++k) {
    const double length = 0.1 + 0.03 * std::sin(1.7 * k), angle = 0.25 * std::sin(0.9 * k);
    const double x1 = x + length * std::cos(angle), y1 = y + length * std::sin(angle);
    const std::string name = "b" + std::to_string(k);
    text += "[body." + name + "]\nrod = [[" + text_of(x) + ", " + text_of(y) + "], [" +
            text_of(x1) + ", " + text_of(y1) +
            "]]\nmass = " + text_of(0.2 + 0.1 * std::cos(2.3 * k)) + "\n";
    text += "[joint.J" + std::to_string(k) + "]\ntype = \"revolute\"\nbetween = [\"" +
            (k == 0 ? std::string("ground") : "b" + std::to_string(k - 1)) + "\", \"" + name +
            "\"]\nat = [" + text_of(x) + ", " + text_of(y) + "]\n";
    x = x1;
    y = y1;
  }
  const std::string last_body = "b" + std::to_string(count - 1);
  if (closed)
    text += "[joint.end]\ntype = \"revolute\"\nbetween = [\"ground\", \"" + last_body +
            "\"]\nat = [" + text_of(x) + ", " + text_of(y) + "]\n";
  text += "[force.link]\ntype = \"maxwell\"\nbetween = [\"b3\", \"" + last_body +
          "\"]\nat = [[0.3, 0], [" + text_of(x) + ", " + text_of(y) +
          "]]\nstiffness = 20\ndamping = 5\n";
  return text;
}

TEST(LongSparseNewton, FollowsLongChains) {
  for (const bool closed : {false, true}) {
    const int count = 45;  // 135 rates and 90 rows
    const std::string text = make_links(count, closed);
    const std::string tip = "b" + std::to_string(count / 2);
    const Result exact = run_text(
        text, {.method = "braun_goldfarb/dopri5", .tolerance = 1e-9, .until = 0.2, .every = 0.2});
    ASSERT_EQ(exact.report.status, Status::ok) << exact.report.message;
    for (const char* words :
         {"ggl/radau5", "index3/radau5", "index2/radau5", "index1/radau5", "stabilized_index1/bdf",
          "ggl/bdf", "ggl/ida", "stabilized_index1/ida", "ggl/generalized_alpha",
          "index3/generalized_alpha"}) {
      SCOPED_TRACE(std::string(words) + (closed ? ", closed" : ""));
      const bool is_alpha = std::string(words).find("alpha") != std::string::npos;
      Trial trial{.method = words, .until = 0.2, .every = 0.2};
      if (is_alpha) {
        trial.step = 1e-3;
      } else {
        trial.tolerance = 1e-6;
      }
      const Result run = run_text(text, trial);
      ASSERT_EQ(run.report.status, Status::ok) << run.report.message;
      for (const std::string& name : {tip + ".x", tip + ".y", tip + ".angle"})
        EXPECT_NEAR(last(run, name), last(exact, name), is_alpha ? 2e-4 : 1e-5) << name;
      EXPECT_NEAR(last(run, "link.damper"), last(exact, "link.damper"), is_alpha ? 1e-4 : 1e-5);
    }
  }
}

TEST(LongSparseNewton, TakesRedundantRows) {
  // A second pin in the same place says again what the first one says.
  std::string text = make_links(45, false);
  text += "[joint.again]\ntype = \"revolute\"\nbetween = [\"b20\", \"b21\"]\nat = [";
  double x = 0.0, y = 0.0;
  for (int k = 0; k < 21; ++k) {
    const double length = 0.1 + 0.03 * std::sin(1.7 * k), angle = 0.25 * std::sin(0.9 * k);
    x += length * std::cos(angle);
    y += length * std::sin(angle);
  }
  text += text_of(x) + ", " + text_of(y) + "]\n";
  const Result once =
      run_text(make_links(45, false),
               {.method = "ggl/radau5", .tolerance = 1e-7, .until = 0.1, .every = 0.1});
  const Result twice =
      run_text(text, {.method = "ggl/radau5", .tolerance = 1e-7, .until = 0.1, .every = 0.1});
  ASSERT_EQ(twice.report.status, Status::ok) << twice.report.message;
  EXPECT_NEAR(last(twice, "b44.x"), last(once, "b44.x"), 1e-6);
  EXPECT_NEAR(last(twice, "J21.force.x") + last(twice, "again.force.x"), last(once, "J21.force.x"),
              1e-3 * (1.0 + std::abs(last(once, "J21.force.x"))));
}

}  // namespace
}  // namespace driftless::trials
