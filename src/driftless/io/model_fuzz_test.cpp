// Damaged files: whatever happens to a file, reading it gives a model or a ModelError.

#include <random>

#include <gtest/gtest.h>

#include "driftless/io/model_file_test.hpp"
#include "driftless/io/templates.hpp"

namespace driftless {
namespace {

std::vector<std::string> make_seeds() {
  std::vector<std::string> seeds;
  for (const TemplateInfo& info : all_templates()) seeds.push_back(make_template(info.name));
  seeds.push_back(
      "format = \"driftless/1\"\n[coordinates]\nx = {start = 1, rate = \"2 m\"}\ny = "
      "{}\n[energy]\nmass = [[1, 2], [3, "
      "'a']]\n[method.a]\nb = {c = [1, [2, {d = true}]]}\n[table]\nq = 'a.csv'\n[display]\n\"x'\" "
      "= \"mm\"\n[conserved]\n"
      "p = {value = 1, power = 2}\n");
  seeds.push_back(testing::four_bar());
  seeds.push_back(testing::with_plane_head(
      "[joint.J]\ntype = 'revolute'\nbetween = ['ground', 'rod']\nat = ['l', [1, 2]]\n"
      "on = {body = 'rod', at = 'A'}\nto = {frame = 'crank.tip'}\n[start]\nrod.x = {value = 1, "
      "priority = 'exact'}\nrod = 1\n[display]\nrod.x = 'mm'\n[measure.m]\n"));
  return seeds;
}

/// Only ModelError may come out, and it must say something.
void expect_model_or_error(const std::string& text) {
  try {
    parse_model(text, "model.toml");
  } catch (const ModelError& error) {
    EXPECT_FALSE(error.diagnostics().empty());
    for (const Diagnostic& diagnostic : error.diagnostics())
      EXPECT_FALSE(diagnostic.message.empty()) << text;
  }
}

TEST(ModelFuzzTest, TruncationsNeverCrash) {
  for (const std::string& seed : make_seeds()) {
    for (std::size_t length = 0; length <= seed.size(); length += 3)
      expect_model_or_error(seed.substr(0, length));
  }
}

TEST(ModelFuzzTest, ByteFlipsNeverCrash) {
  std::mt19937 random(20240131);
  for (const std::string& seed : make_seeds()) {
    for (int round = 0; round < 400; ++round) {
      std::string text = seed;
      const int flips = 1 + static_cast<int>(random() % 4);
      for (int k = 0; k < flips; ++k)
        text[random() % text.size()] = static_cast<char>(random() % 256);
      expect_model_or_error(text);
    }
  }
}

TEST(ModelFuzzTest, ShuffledPiecesNeverCrash) {
  constexpr std::string_view kPieces[] = {"[",
                                          "]",
                                          "{",
                                          "}",
                                          "=",
                                          "\n",
                                          "\"",
                                          "'",
                                          ".",
                                          ",",
                                          "x",
                                          "1",
                                          "-inf",
                                          "\"\"\"",
                                          "true",
                                          "[x]\n",
                                          "[[x]]\n",
                                          "[method]",
                                          "[matrices]",
                                          "M = ",
                                          "[1, 2]",
                                          "[[1]]",
                                          "#",
                                          "\\",
                                          "\r\n",
                                          "1979-05-27",
                                          "\xC3\xA4",
                                          "0x",
                                          " ",
                                          "energy",
                                          "mass = ",
                                          "[energy]\n",
                                          "[coordinates]\nx = 1\n",
                                          "[body.a]\n",
                                          "[joint.j]\n",
                                          "[points]\n",
                                          "[start]\n",
                                          "[force.k]\n",
                                          "type = ",
                                          "between = ",
                                          "at = ",
                                          "on = ",
                                          "space = 'plane'\n",
                                          "gravity = ",
                                          "a.x = ",
                                          "{value = 1}",
                                          "'a'",
                                          "['a', 'ground']",
                                          "rod = ",
                                          "[display]\n",
                                          "[body]\n"};
  std::mt19937 random(7);
  for (int round = 0; round < 7500; ++round) {
    std::string text = round % 3 == 0   ? ""
                       : round % 3 == 1 ? testing::with_head("")
                                        : testing::with_plane_head("");
    const int count = 1 + static_cast<int>(random() % 30);
    for (int k = 0; k < count; ++k) text += kPieces[random() % std::size(kPieces)];
    expect_model_or_error(text);
  }
}

}  // namespace
}  // namespace driftless
