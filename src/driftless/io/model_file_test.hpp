#pragma once
// Shared by the tests of model files.

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"

namespace driftless::testing {

/// What reading the text throws; empty if it is accepted.
inline std::vector<Diagnostic> find_errors(std::string_view text) {
  try {
    parse_model(text, "model.toml");
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

inline std::string print(const std::vector<Diagnostic>& errors) {
  std::string text;
  for (const Diagnostic& error : errors) text += format_diagnostic(error) + "\n";
  return text;
}

/// There is an error at this place whose message or remedy contains the fragment.
inline ::testing::AssertionResult has_error(const std::vector<Diagnostic>& errors, int line,
                                            int column, std::string_view fragment) {
  for (const Diagnostic& error : errors) {
    const std::string shown = error.message + "\n" + error.remedy;
    if (error.where.file == "model.toml" && error.where.line == line &&
        error.where.column == column && shown.find(fragment) != std::string::npos) {
      return ::testing::AssertionSuccess();
    }
  }
  return ::testing::AssertionFailure()
         << "no '" << fragment << "' at " << line << ":" << column << " in\n"
         << print(errors);
}

/// Exactly one error, so that a mistake does not draw a tail of others.
#define EXPECT_ONLY_ERROR(text, line, column, fragment)                            \
  do {                                                                             \
    const std::vector<Diagnostic> found = ::driftless::testing::find_errors(text); \
    EXPECT_TRUE(::driftless::testing::has_error(found, line, column, fragment));   \
    EXPECT_EQ(found.size(), std::size_t{1}) << ::driftless::testing::print(found); \
  } while (false)

/// Lines 1 to 5 of a model of one coordinate x; what a test adds begins in line 6.
inline std::string with_head(std::string_view rest) {
  return "format = \"driftless/1\"\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n" +
         std::string(rest);
}

/// The mechanism of the documentation: a four-bar, in space.
inline std::string four_bar() {
  return R"(format = "driftless/1"
name = "four-bar"
gravity = [0, "-g", 0]

[parameters]
g = 9.81
l = "3 m"

[points]                         # hardpoints: world coordinates in the drawing pose
A = [0, 0, 0]
B = [1, 0, 0]
C = ["1 + l", 0, 0]
D = [3.2, 0, 0]
P = [0, 2, 0]

[body.crank]
rod = ["A", "B"]
mass = "1 kg"

[joint.A]
type = "revolute"
between = ["ground", "crank"]
at = "A"

[body.coupler]
rod = ["B", "C"]
mass = 3
[body.coupler.frame.tip]
at = [1.5, 0, 0]

[body.rocker]
rod = ["D", "C"]
mass = 2

[joint.B]
type = "revolute"
between = ["crank", "coupler"]
at = "B"

[joint.C]
type = "revolute"
between = ["coupler", "rocker"]
at = "C"
axis = [0, 0, 1]

[joint.D]
type = "revolute"
on = { body = "ground", at = [3.2, 0, 0], x = [1, 0, 0] }
to = { frame = "rocker.foot" }

[force.k]
type = "spring_damper"
between = ["ground", "crank"]
at = ["P", "B"]
stiffness = "40 N/m"

[start]
A.angle = "30 deg"
B.angle = 1
A.rate = { value = "10 rpm", priority = "exact" }

[record]
reach = "2*A.angle"

[method]
formulation = "index1"

[display]
A.angle = "deg"
"A.rate" = "rpm"
reach = "deg"
)";
}

/// Lines 1 to 10 of a plane mechanism with the points A and B, the bodies crank and rod and the
/// parameter l; what a test adds begins in line 11.
inline std::string with_plane_head(std::string_view rest) {
  return "format = \"driftless/1\"\nspace = \"plane\"\n[parameters]\nl = 1\n[points]\nA = [0, "
         "0]\nB = [\"l\", 0]\n[body.crank]\n[body.rod]\nmass = 1\n" +
         std::string(rest);
}

}  // namespace driftless::testing
