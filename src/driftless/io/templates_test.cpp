#include "driftless/io/templates.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/io/model_file.hpp"

namespace driftless {
namespace {

std::string find_message(std::string_view name,
                         const std::vector<std::pair<std::string, std::string>>& options) {
  try {
    make_template(name, options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TemplatesTest, EachReadsBackAndCarriesItsMethod) {
  for (const TemplateInfo& info : all_templates()) {
    SCOPED_TRACE(info.name);
    const ModelFile file = parse_model(make_template(info.name), "model.toml");
    EXPECT_EQ(file.common().name, info.name);
    EXPECT_FALSE(file.common().description.empty());
    ASSERT_EQ(file.methods.size(), 1U);
    EXPECT_EQ(file.methods[0].entries.at(0).second.text(), "braun_goldfarb");
    EXPECT_EQ(file.methods[0].entries.at(1).second.text(), "rk4");
    EXPECT_EQ(file.methods[0].entries.at(2).second.number(), 0.01);
  }
}

TEST(TemplatesTest, TheFirstOneIsAShortMechanism) {
  const std::string text = make_template("first");
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 65);
  EXPECT_EQ(all_templates().front().name, "first");
  EXPECT_TRUE(parse_model(text, "model.toml").mechanism.has_value());
  EXPECT_FALSE(parse_model(make_template("equations"), "model.toml").mechanism.has_value());
}

TEST(TemplatesTest, MassChainHasAsManyRodsAsAsked) {
  for (const int n : {1, 2, 5, 500}) {
    const ModelFile file =
        parse_model(make_template("mass-chain", {{"n", std::to_string(n)}}), "model.toml");
    EXPECT_EQ(file.model.coordinates.size(), 2 * static_cast<std::size_t>(n));
    EXPECT_EQ(file.model.constraints.size(), static_cast<std::size_t>(n));
    EXPECT_LT(file.model.kinetic->text.size(), 20000U);  // the bound of an expression
    EXPECT_EQ(file.model.kinetic->text.find('\n'), std::string::npos);
  }
  const ModelFile two = parse_model(make_template("mass-chain", {{"n", "2"}}), "model.toml");
  EXPECT_EQ(two.model.constraints[1].value.text, "(x2 - x1)^2 + (y2 - y1)^2 - l^2");
  EXPECT_EQ(two.model.kinetic->text, "m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)");
}

TEST(TemplatesTest, NFourBarHasAsManyLoopsAsAsked) {
  for (const int n : {1, 2, 7, 300}) {
    const ModelFile file =
        parse_model(make_template("n-four-bar", {{"n", std::to_string(n)}}), "model.toml");
    ASSERT_TRUE(file.mechanism.has_value());
    EXPECT_EQ(file.mechanism->bodies.size(), static_cast<std::size_t>(2 * n + 1));
    EXPECT_EQ(file.mechanism->joints.size(), static_cast<std::size_t>(3 * n + 1));
  }
}

TEST(TemplatesTest, ChainHasAsManyLinksAsAsked) {
  for (const std::string joint : {"revolute", "spherical"}) {
    for (const int n : {1, 2, 300}) {
      const ModelFile file = parse_model(
          make_template("chain", {{"joint", joint}, {"n", std::to_string(n)}}), "model.toml");
      ASSERT_TRUE(file.mechanism.has_value());
      EXPECT_EQ(file.mechanism->bodies.size(), static_cast<std::size_t>(n));
      ASSERT_EQ(file.mechanism->joints.size(), static_cast<std::size_t>(n));
      EXPECT_EQ(file.mechanism->joints.back().type, joint);
    }
  }
}

TEST(LongTemplates, LargeOnesRead) {
  const std::vector<std::pair<std::string, std::string>> largest{{"n", "5000"}};
  EXPECT_EQ(
      parse_model(make_template("n-four-bar", largest), "model.toml").mechanism->bodies.size(),
      10001U);
  const ModelFile chain = parse_model(make_template("chain", largest), "model.toml");
  EXPECT_EQ(chain.mechanism->bodies.size(), 5000U);
  // Its steps are below what the quickest swinging of so long a chain allows.
  EXPECT_NEAR(chain.methods[0].entries.at(2).second.number(), 1.41e-3, 1e-9);
}

TEST(TemplatesTest, OptionsDescribeThemselves) {
  const auto chain = std::find_if(all_templates().begin(), all_templates().end(),
                                  [](const TemplateInfo& info) { return info.name == "chain"; });
  EXPECT_EQ(describe(chain->options[0]), "number of links (1 to 100000, default 3)");
  EXPECT_EQ(describe(chain->options[1]),
            "type of the joints (revolute or spherical, default revolute)");
}

TEST(TemplatesTest, RefusesUnknownTemplatesAndOptions) {
  EXPECT_NE(find_message("chian", {}).find("did you mean 'chain'?"), std::string::npos);
  EXPECT_NE(find_message("zzzzzz", {}).find("known: first, equations, pendulum"),
            std::string::npos);
  EXPECT_NE(find_message("pendulum", {{"n", "3"}}).find("it takes no options"), std::string::npos);
  EXPECT_NE(find_message("chain", {{"m", "3"}}).find("has no option 'm'"), std::string::npos);
  for (const std::string value : {"0", "100001", "-1", "2.5", "", "x", "99999999999", "3 "}) {
    EXPECT_NE(find_message("mass-chain", {{"n", value}}).find("a whole number from 1 to 500"),
              std::string::npos)
        << value;
    for (const std::string name : {"chain", "n-four-bar"}) {
      EXPECT_NE(find_message(name, {{"n", value}}).find("a whole number from 1 to 100000"),
                std::string::npos)
          << value;
    }
  }
  EXPECT_NE(find_message("mass-chain", {{"n", "501"}}).find("from 1 to 500"), std::string::npos);
  for (const std::string word : {"", "ball", "Revolute", "revolute "}) {
    EXPECT_NE(find_message("chain", {{"joint", word}}).find("must be revolute or spherical"),
              std::string::npos)
        << word;
  }
}

}  // namespace
}  // namespace driftless
