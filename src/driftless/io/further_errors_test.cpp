// All errors of a file at once, and each mistake told once.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "driftless/io/model_file_test.hpp"

namespace driftless {
namespace {

using testing::print;

std::vector<Diagnostic> find_all_errors(const std::string& text) {
  DiagnosticList findings;
  const ModelFile file = parse_model(text, "model.toml", findings);
  if (!findings.empty()) add_further_errors(file, findings);
  try {
    if (findings.empty()) add_further_errors(file, findings);
    findings.finish();
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// "stifness" for "stiffness": the key of a line, without its last but one letter; empty if the line has none.
std::string misspell(const std::string& line) {
  const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (end == std::string::npos || end < 4 || line.find('=') == std::string::npos) return {};
  return line.substr(0, end - 2) + line.substr(end - 1);
}

TEST(FurtherErrors, MisspeltKeysOfElementsAreToldOnce) {
  const std::filesystem::path folder =
      std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models/elements";
  int tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    std::vector<std::string> lines = read_lines(entry.path());
    bool is_element = false;
    for (std::string& line : lines) {
      if (line.starts_with("[")) {
        is_element = line.starts_with("[body.") || line.starts_with("[joint.") ||
                     line.starts_with("[constraint.") || line.starts_with("[force.") ||
                     line.starts_with("[measure.");
      }
      const std::string wrong = is_element ? misspell(line) : std::string();
      if (wrong.empty()) continue;
      ++tried;
      const std::string right = std::exchange(line, wrong);
      const std::vector<Diagnostic> errors = find_all_errors(join(lines));
      // A section without its type says nothing of its other keys; whoever names its measures is not blamed.
      EXPECT_EQ(errors.size(), std::size_t{1}) << entry.path().filename() << ": " << wrong << "\n"
                                               << print(errors);
      line = right;
    }
  }
  EXPECT_GT(tried, 200);
}

TEST(FurtherErrors, AWrongParameterIsToldAloneWhereverItIsUsed) {
  const std::vector<Diagnostic> errors = find_all_errors(R"toml(format = "driftless/1"
[parameters]
l = "1 m + 1 s"
m = "2*l - 2"
[points]
A = [0, 0, 0]
B = ["l - 1", 0, 0]
[body.b]
rod = ["A", "B"]
mass = "m"
[joint.J]
type = "revolute"
between = ["ground", "b"]
at = "B"
axis = ["A", "B"]
[constraint.d]
type = "distance"
between = ["ground", "b"]
at = ["A", "B"]
[force.f]
type = "motor"
of = "J.angle"
torque = "1/(l - 1)"
[method]
step = "l/100"
)toml");
  EXPECT_EQ(errors.size(), std::size_t{1}) << print(errors);
  EXPECT_TRUE(testing::has_error(errors, 3, 10, "cannot add")) << print(errors);
}

TEST(FurtherErrors, ANumberBeyondRangeIsNamedAndHidesNothing) {
  const std::vector<Diagnostic> errors = find_all_errors(R"(format = "driftless/1"
[body.a]
point = true
centre = [0, -2.5e999, 0]
mass = 1e400
[joint.J]
type = "revolut"
between = ["ground", "a"]
at = [0, 0, 0]
)");
  EXPECT_TRUE(
      testing::has_error(errors, 4, 14, "body.a.centre = -2.5e999: too large or too small"));
  EXPECT_TRUE(testing::has_error(errors, 5, 8, "body.a.mass = 1e400: too large or too small"));
  EXPECT_TRUE(testing::has_error(errors, 7, 9, "did you mean 'revolute'?"));
  EXPECT_EQ(errors.size(), std::size_t{3}) << print(errors);
}

// A section under a wrong name is read as the one that is meant: what it declares is known, and neither its own mistakes
// nor those of the others stay behind.
TEST(FurtherErrors, UnknownSectionsHideNothing) {
  const std::string text = R"(format = "driftless/1"
space = "2d"
gravity = [0, -9.81]
[constants]
l = 2
[links.a]
mass = -1
point = true
centre = ["l", 0]
[hinges.J]
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
[bodies.b]
mass = 1
point = true
centre = [0, 0]
[force]
F = 3
[constraint.R]
type = "distance"
between = ["b", "c"]
at = [[0, 0], [0, 0]]
[strat]
J.angle = nan
[furniture]
[run]
untill = 3
)";
  const std::vector<Diagnostic> errors = find_all_errors(text);
  using testing::has_error;
  EXPECT_TRUE(has_error(errors, 2, 10, "space = '2d' is not known"));
  EXPECT_TRUE(has_error(errors, 4, 2, "[constants]: there is no such section"));
  EXPECT_TRUE(has_error(errors, 4, 2, "by what it contains it is [parameters]"));
  EXPECT_TRUE(has_error(errors, 6, 2, "by what it contains it is [body.NAME]"));
  EXPECT_TRUE(has_error(errors, 7, 8, "body.a.mass = -1: out of bounds"));
  EXPECT_TRUE(has_error(errors, 10, 2, "by what it contains it is [joint.NAME]"));
  EXPECT_TRUE(has_error(errors, 13, 6, "3 numbers; 2 wanted in the plane"));
  EXPECT_TRUE(has_error(errors, 14, 2, "[bodies]: there is no such section"));
  EXPECT_TRUE(has_error(errors, 19, 5, "force.F is a number"));
  EXPECT_TRUE(has_error(errors, 22, 18, "there is no body 'c'"));
  EXPECT_TRUE(has_error(errors, 24, 2, "did you mean 'start'?"));
  EXPECT_TRUE(has_error(errors, 25, 11, "finite"));
  EXPECT_TRUE(has_error(errors, 26, 2, "[furniture]: there is no such section"));
  EXPECT_TRUE(has_error(errors, 28, 1, "did you mean 'until'?"));
  EXPECT_EQ(errors.size(), std::size_t{13}) << print(errors);
}

TEST(FurtherErrors, AnElementWithoutItsSectionIsToldItsPlace) {
  const std::vector<Diagnostic> errors = find_all_errors(R"(format = "driftless/1"
space = "plane"
[body.bar]
rod = [[0, 0], [1, 0]]
mass = 1
[pin]
type = "revolute"
between = ["ground", "bar"]
at = [0, 0]
)");
  EXPECT_TRUE(testing::has_error(errors, 6, 2, "write [joint.pin]")) << print(errors);
  EXPECT_EQ(errors.size(), std::size_t{1}) << print(errors);
}

}  // namespace
}  // namespace driftless
