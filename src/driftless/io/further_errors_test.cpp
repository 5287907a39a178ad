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

}  // namespace
}  // namespace driftless
