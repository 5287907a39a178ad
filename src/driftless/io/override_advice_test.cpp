#include "driftless/io/override_advice.hpp"

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"

namespace driftless {
namespace {

constexpr std::string_view kHead = R"(format = "driftless/1"
name = "pendulum"
space = "plane"
)";
constexpr std::string_view kGravity = "gravity = [0, -9.81]\n";
constexpr std::string_view kPoints = "[points]\nA = [0, 0]\nB = [0, \"-80 cm\"]\n";
constexpr std::string_view kBody = "[body.bar]\nrod = [\"A\", \"B\"]\n";
constexpr std::string_view kMass = "mass = \"2 kg\"\n";
constexpr std::string_view kPin = R"([joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = "A"
[start]
pin.rate = 1
)";

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

std::string find_message(const std::string& model, const std::string& name) {
  ModelFile file = parse_model(model, "model.toml");
  try {
    apply_overrides(file, {{name, "3"}});
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

/// The lines that a message says to write, without their indent.
std::string find_lines(const std::string& message) {
  std::string lines;
  std::size_t at = 0;
  while ((at = message.find("\n        ", at)) != std::string::npos) {
    at += 9;
    lines += message.substr(at, message.find('\n', at) - at) + "\n";
  }
  return lines;
}

TEST(OverrideAdviceTest, TellsTheLinesThatMakeAKeyAParameter) {
  const std::string model = join({kHead, kGravity, kPoints, kBody, kMass, kPin});
  const std::string message = find_message(model, "bar.mass");
  EXPECT_EQ(message,
            "--set bar.mass=3: error: 'bar.mass' is a key of body 'bar', no parameter or start "
            "value\n    declare it under [parameters], and write its name in its place:\n"
            "        [parameters]\n        bar_mass = \"2 kg\"\n"
            "        [body.bar]\n        mass = \"bar_mass\"\n"
            "    then --set bar_mass=3\n"
            "    what can be set now: pin.rate, run.until, run.every, method.step");
  EXPECT_EQ(find_lines(find_message(model, "body.bar.mass")), find_lines(message));
}

TEST(OverrideAdviceTest, TheLinesDoWhatTheySay) {
  const std::string model = join({kHead, kGravity, kPoints, kBody, kMass, kPin});
  EXPECT_EQ(find_message(model, "pin.rate"), "accepted");

  const std::string mass = find_lines(find_message(model, "mass"));
  const std::size_t body = mass.find("[body.bar]\n");
  ASSERT_NE(body, std::string::npos) << mass;
  EXPECT_EQ(find_message(join({kHead, kGravity, kPoints, mass.substr(0, body), kBody,
                               mass.substr(body + 11), kPin}),
                         "mass"),
            "accepted");

  const std::string gravity = find_lines(find_message(model, "gravity"));
  EXPECT_EQ(find_message(join({kHead, gravity, kPoints, kBody, kMass, kPin}), "g"), "accepted");

  const std::string point = find_lines(find_message(model, "B"));
  EXPECT_EQ(point, "[parameters]\nB_y = \"-80 cm\"\n[points]\nB = [0, \"B_y\"]\n");
}

TEST(OverrideAdviceTest, SaysSoWhereTheSectionOrTheNameIsThere) {
  const std::string own = "[parameters]\nbar_mass = 1\n";
  const std::string message =
      find_message(join({kHead, kGravity, own, kPoints, kBody, kMass, kPin}), "bar.mass");
  EXPECT_NE(message.find("[parameters]  # it is there: add the next line"), std::string::npos);
  EXPECT_NE(message.find("bar_mass_0 = \"2 kg\""), std::string::npos) << message;
}

TEST(OverrideAdviceTest, HasNoLinesForNamesOfPoints) {
  const std::string model = join({kHead, kGravity, kPoints, kBody, kMass, kPin});
  for (const char* name : {"bar.rod", "pin.at"}) {
    const std::string message = find_message(model, name);
    EXPECT_EQ(message.find("[parameters]"), std::string::npos) << message;
    EXPECT_NE(message.find("what can be set now: pin.rate"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace driftless
