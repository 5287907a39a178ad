#include "driftless/io/toml_tree.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/io/toml_scan.hpp"

namespace driftless {
namespace {

/// "line:column message|remedy" of the first error.
std::string find_error(std::string_view text) {
  try {
    parse_toml(text, "f");
  } catch (const ModelError& error) {
    const Diagnostic& first = error.diagnostics().front();
    return std::to_string(first.where.line) + ":" + std::to_string(first.where.column) + " " +
           first.message + "|" + first.remedy;
  }
  return "accepted";
}

TEST(TomlTreeTest, EntriesAreInTheFilesOrder) {
  const TomlNode root = parse_toml("z = 1\n[b.y]\nq = 1\n[a]\n[b.x]\n[b]\nw = 2\n", "f");
  ASSERT_EQ(root.entries.size(), 3U);
  EXPECT_EQ(root.entries[0].key, "z");
  EXPECT_EQ(root.entries[1].key, "b");
  EXPECT_EQ(root.entries[2].key, "a");
  ASSERT_EQ(root.entries[1].value.entries.size(), 3U);
  EXPECT_EQ(root.entries[1].value.entries[0].key, "y");
  EXPECT_EQ(root.entries[1].value.entries[1].key, "x");
  EXPECT_EQ(root.entries[1].value.entries[2].key, "w");
}

TEST(TomlTreeTest, ColumnsCountCharacters) {
  const TomlNode root = parse_toml("a = [\"\xC3\xA4\xC3\xB6\", 'x']\n", "f");
  EXPECT_EQ(root.entries[0].value.items[1].where.column,
            13);  // after two letters of two bytes each
}

TEST(TomlTreeTest, SyntaxErrorsSayWhatToType) {
  const std::string quotes = "needs quotes";
  for (const std::string_view text :
       {"l = 50 mm\n", "l = a/2\n", "l = 2*pi\n", "l = sin(3)\n", "l = 1m\n", "l = -x\n"}) {
    EXPECT_NE(find_error(text).find(quotes), std::string::npos) << text << find_error(text);
  }
  EXPECT_EQ(find_error("a = 1\nl = \n"), "2:5 the value is missing after '='|");
  EXPECT_EQ(find_error("x' = 1\n").substr(0, 40), "1:2 a key may not contain an apostrophe|");
  EXPECT_EQ(find_error("foo\n"), "1:4 '=' is missing after the key|write key = value");
  EXPECT_EQ(find_error("l = 05\n").substr(0, 49),
            "1:7 a number must not begin with 0 followed by a ");
  EXPECT_EQ(find_error("l = \"abc\nx = 1\n").substr(0, 47),
            "1:9 the closing quote is missing in this line|a");
  EXPECT_EQ(find_error("l = 'abc\nx = 1\n").substr(0, 47),
            "1:9 the closing quote is missing in this line|a");
  EXPECT_NE(
      find_error("l = [1, 2\n").find("the file ends in the middle of a list|a ']' is missing"),
      std::string::npos);
  EXPECT_NE(find_error("l = \"\"\"abc").find("in the middle of a text|a closing quote"),
            std::string::npos);
  EXPECT_NE(find_error("[a\nx = 1\n").find("the closing ']' of the section's header is missing"),
            std::string::npos);
  EXPECT_NE(find_error("a = {b = 1\n}").find("in one line"), std::string::npos);
  EXPECT_NE(find_error("a = {b = 1,}").find("remove the comma"), std::string::npos);
  EXPECT_EQ(find_error("a = {b = [1, 2 }\n"),
            "1:16 a ']' is missing before this '}'|close the list that is open");
  EXPECT_NE(find_error("a = {b = 1\n[c]\n").find("1:11 a comma or the closing '}'"),
            std::string::npos);
  EXPECT_NE(find_error("a = True").find("small letters"), std::string::npos);
}

TEST(TomlTreeTest, NumbersBeyondRangeAreInfiniteAndKeepTheirText) {
  const TomlNode root = parse_toml("a = [1, -2.5e400, 3]\n\"\u00e4\" = 1e999 # 1e999\n", "m.toml");
  const TomlNode& item = root.entries[0].value.items[1];
  EXPECT_TRUE(std::isinf(item.number));
  EXPECT_EQ(item.text, "-2.5e400");
  EXPECT_EQ(item.where.column, 9);
  EXPECT_EQ(root.entries[0].value.items[2].where.column, 19);
  EXPECT_EQ(root.entries[1].value.text, "1e999");
}

TEST(TomlTreeTest, OnlyQuotedTextsAndCommentsHoldOtherThanAscii) {
  EXPECT_NE(find_error("a = \xE2\x88\x92 1\n").find("1:5 the character '\xE2\x88\x92' may stand"),
            std::string::npos);
  EXPECT_NE(find_error("K\xC3\xAC = 1\n").find("1:2 the character"), std::string::npos);
  EXPECT_EQ(find_error("a = '\xC3\xAC' # \xC3\xAC\n"), "accepted");
}

TEST(TomlTreeTest, HeadersNeedANameBeforeTheParserSeesThem) {
  EXPECT_NE(find_error("a = 1\n[\nb = 2\n").find("2:2 the name of the section is missing"),
            std::string::npos);
  EXPECT_NE(find_error(" [[ =]]").find("1:5 the name of the section"), std::string::npos);
  EXPECT_NE(find_error("[=]").find("1:2 the name of the section"), std::string::npos);
  EXPECT_NE(find_error("[").find("the file ends in the middle"), std::string::npos);
  EXPECT_EQ(find_error("a = [\n[ # rows\n1, 2],\n[\n3, 4]]\n"), "accepted");
  EXPECT_NE(find_error("a = \"\\").find("the file ends"), std::string::npos);
}

TEST(TomlTreeTest, DuplicatesNameBothLines) {
  EXPECT_EQ(find_error("[s]\n a = 1\n\n a = 2\n"),
            "4:2 the key 'a' is given twice in its section, first in line 2|remove one of them");
  EXPECT_EQ(find_error("[s]\na = 1\n[ s ]\n").substr(0, 50),
            "3:1 the section [s] is given twice, first in line ");
  EXPECT_NE(find_error("a = {b = 1}\n[a.c]\n").find("already given in braces"), std::string::npos);
}

TEST(TomlTreeTest, WhatIsGivenTwiceIsLeftOutAndTheRestIsRead) {
  DiagnosticList findings;
  const TomlNode root = parse_toml(
      "[s]\na = 1\n a = 2\n[u]\nc = 4\nc = 5\nc = 6\n[s]\n\n  d = 6\n[w]\ne = 7\n", "f", findings);
  EXPECT_EQ(findings.size(), 4u);
  try {
    findings.finish();
    FAIL() << "nothing was told";
  } catch (const ModelError& error) {
    std::vector<int> lines;
    for (const Diagnostic& each : error.diagnostics()) lines.push_back(each.where.line);
    EXPECT_EQ(lines, (std::vector<int>{3, 6, 7, 8}));
  }
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(root.entries[0].value.entries.size(), 1u) << "a = 1 alone";
  EXPECT_EQ(root.entries[0].value.entries[0].value.number, 1.0);
  EXPECT_EQ(root.entries[1].value.entries[0].value.number, 4.0);
  EXPECT_EQ(root.entries[2].value.entries[0].where.line, 12) << "places are as they were";
}

TEST(TomlTreeTest, OfAKeyThatIsASectionTooTheKeyIsLeftOut) {
  EXPECT_EQ(find_error("a = 1\nb = 2\n[s]\nc = 3\n[b]\nd = 4\n"),
            "2:1 'b' is a key here and a section in line 5|remove one of them");
  DiagnosticList findings;
  const TomlNode root = parse_toml("b = 2\n[b]\nd = 4\n", "f", findings);
  EXPECT_EQ(findings.size(), 1u);
  ASSERT_EQ(root.entries.size(), 1u);
  EXPECT_EQ(root.entries[0].value.entries[0].value.number, 4.0);
}

// A value of several lines cannot be left out by its first line: what goes wrong then is not told.
TEST(TomlTreeTest, OfADuplicateOverSeveralLinesOnlyThatIsTold) {
  EXPECT_EQ(find_error("a = 1\na = [2,\n3]\nb = 1\nb = 2\n"),
            "2:1 the key 'a' is given twice in its section, first in line 1|remove one of them");
  EXPECT_EQ(find_error("a = {b = 1, b = 2}\n").substr(0, 20), "1:17 the key 'b' is ")
      << "in braces";
}

TEST(TomlTreeTest, RefusesWhatIsNoText) {
  EXPECT_NE(find_error(std::string("a = 1\n\0", 7)).find("2:1 byte 0x00"), std::string::npos);
  EXPECT_NE(find_error("a = \"\xFF\"").find("1:6 byte 0xFF is not UTF-8"), std::string::npos);
  EXPECT_NE(find_error("a = \"\xC0\xAF\"").find("not UTF-8"), std::string::npos);      // overlong
  EXPECT_NE(find_error("a = \"\xED\xA0\x80\"").find("not UTF-8"), std::string::npos);  // surrogate
  EXPECT_NE(find_error("a = \"\xE2\x82").find("not UTF-8"), std::string::npos);        // cut off
  EXPECT_NE(find_error("\xFF\xFE"
                       "a")
                .find("UTF-16"),
            std::string::npos);
}

TEST(TomlTreeTest, RefusesBoundlessDepth) {
  EXPECT_NE(find_error("a = " + std::string(100000, '[')).find("nested more than 32 deep|no value"),
            std::string::npos);
  std::string inline_tables = "a = ";
  for (int i = 0; i < 100000; ++i) inline_tables += "{a=";
  EXPECT_NE(find_error(inline_tables).find("nested more than 32 deep"), std::string::npos);
  std::string dotted = "a";
  for (int i = 0; i < 100000; ++i) dotted += i % 2 == 0 ? ".a" : " . \"b.c\"";
  EXPECT_NE(find_error(dotted + " = 1").find("a key of more than 16 parts|no key"),
            std::string::npos);
  EXPECT_NE(find_error("[" + dotted + "]").find("a key of more than 16 parts"), std::string::npos);
}

TEST(TomlTreeTest, BracketsAndDotsInTextsAndCommentsDoNotCount) {
  const std::string many(1000, '[');
  const std::string dots(1000, '.');
  EXPECT_EQ(find_error("a = \"" + many + dots + "\\\"" + many + "\" # " + many + dots + "\nb = '" +
                       many + "'\n"),
            "accepted");
  EXPECT_EQ(find_error("a = \"\"\"" + many + "\n\"" + dots + "\"\"\"\n"), "accepted");
}

TEST(TomlTreeTest, RefusesTooManyValues) {
  std::string text = "a = [";
  for (int i = 0; i < 4000002; ++i) text += "1,";
  EXPECT_NE(find_error(text + "]").find("more than 4000000 values"), std::string::npos);
}

}  // namespace
}  // namespace driftless
