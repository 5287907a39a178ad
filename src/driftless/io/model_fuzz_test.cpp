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
  constexpr std::string_view kPieces[] = {"[",          "]",          "{",
                                          "}",          "=",          "\n",
                                          "\"",         "'",          ".",
                                          ",",          "x",          "1",
                                          "-inf",       "\"\"\"",     "true",
                                          "[x]\n",      "[[x]]\n",    "[method]",
                                          "[matrices]", "M = ",       "[1, 2]",
                                          "[[1]]",      "#",          "\\",
                                          "\r\n",       "1979-05-27", "\xC3\xA4",
                                          "0x",         " ",          "energy",
                                          "mass = ",    "[energy]\n", "[coordinates]\nx = 1\n"};
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    std::string text = round % 2 == 0 ? "" : testing::with_head("");
    const int count = 1 + static_cast<int>(random() % 30);
    for (int k = 0; k < count; ++k) text += kPieces[random() % std::size(kPieces)];
    expect_model_or_error(text);
  }
}

}  // namespace
}  // namespace driftless
