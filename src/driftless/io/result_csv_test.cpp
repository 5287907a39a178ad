#include "driftless/io/result_csv.hpp"

#include "driftless/io/result_files.hpp"
#include "driftless/io/result_files_test.hpp"
#include "driftless/io/result_text.hpp"

namespace driftless {
namespace {

using namespace testing_results;

class PlainCsv : public ::testing::Test {
 protected:
  Result read(const std::string& text) {
    write_file(scratch_ / "table.csv", text);
    return read_result(scratch_ / "table.csv");
  }
  /// Message for a bad file; it must name the file and the line.
  void expect_error(const std::string& text, int line, const std::string& part) {
    const auto message = find_error([&] { read(text); });
    EXPECT_NE(message.find("table.csv:" + std::to_string(line)), std::string::npos) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  Scratch scratch_;
};

TEST_F(PlainCsv, IsReadAsATable) {
  const Result result = read("t,x,\"y, of B\"\n0,1,2\n0.5,-1e-3,+3\n");
  ASSERT_EQ(result.columns.size(), 3u);
  EXPECT_EQ(result.columns[2].name, "y, of B");
  EXPECT_EQ(result.data, (std::vector<double>{0, 1, 2, 0.5, -1e-3, 3}));
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.info.version, "");
}

TEST_F(PlainCsv, WithOtherHabits) {
  const std::vector<double> expected{0, 1, 2, 3};
  EXPECT_EQ(read("\xEF\xBB\xBFt;x\r\n0;1\r\n2;3\r\n").data, expected);
  EXPECT_EQ(read("t\tx\n0\t1\n2\t3").data, expected);
  EXPECT_EQ(read("# from the lab\n\n t , x \n 0 , 1 \n\n2,3\n").data, expected);
  EXPECT_EQ(read("\"t\",\"x\"\n\"0\",\"1\"\n2,\"3\"\n").data, expected);
  EXPECT_EQ(read("\"a\nb\",x\n0,1\n2,3\n").columns[0].name, "a\nb");
  EXPECT_EQ(read("x\n1\n2\n").row_count(), 2u);
  EXPECT_TRUE(std::isnan(read("t,x\n0,\n").data[1])) << "a missing measurement";
  EXPECT_EQ(read("t,x\n0,inf\n").data[1], std::numeric_limits<double>::infinity());
}

TEST_F(PlainCsv, ErrorsNameTheLine) {
  expect_error("t,x\n0,1\n1,one\n", 3, "'one' is not a number");
  expect_error("t,x\n0,1\n1\n", 3, "1 cells");
  expect_error("t,x\n0,1,2\n", 2, "3 cells");
  expect_error("t;x\n0;1,5\n", 2, "decimal point");
  expect_error("0,1\n2,3\n", 1, "no header");
  expect_error("t,x,x\n0,1,2\n", 1, "two columns");
  expect_error("t,\"x\n0,1\n", 2, "not closed");
  expect_error(std::string("t\0,x\n", 5), 1, "not a text file");
  expect_error("\n\n# only a comment\n", 3, "no table");
}

TEST_F(PlainCsv, OursWithBadContentIsRefused) {
  expect_error("# driftless 0.1.0 result\n# units = s,\"m\nt,x\n0,1\n", 3, "not closed");
  expect_error("# driftless 0.1.0 result\n# parameter.m = heavy\nt,x\n", 2, "not a number");
  expect_error("# driftless 0.1.0 result\nt,x\n0,1\n# steps = inf\n", 4, "not a count");
  expect_error("# driftless 0.1.0 result\nt,x\n0,\n", 3, "is not a number");
}

TEST_F(PlainCsv, OursLooksAsDocumented) {
  Result result;
  result.info.model_name = "crank";
  result.info.version = "0.1.0";
  result.info.parameters = {{"m", 0.1}};
  result.columns = {{"t", "s"}, {"x'", "m/s"}};
  result.data = {0, 0.1, 0.01, 1e-20};
  write_result(result, scratch_ / "ours.csv");
  const std::string text = read_file(scratch_ / "ours.csv");
  EXPECT_TRUE(text.starts_with("# driftless 0.1.0 result")) << text;
  EXPECT_NE(
      text.find("\n# parameter.m = 0.1\n# units = s,m/s\nt,x'\n0,0.1\n0.01,1e-20\n# status = ok\n"),
      std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("# end = driftless\n")) << text;
}

TEST(ResultText, NumbersAreExactAndKnowTheirRange) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(-std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(parse_number(" +2.5e-3 "), 2.5e-3);
  EXPECT_EQ(parse_number("1e999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("-0.001e400"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("123e-999"), 0.0);
  EXPECT_EQ(parse_number("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_number(std::string(400, '9')), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
  for (const char* bad : {"", " ", "+", "-", "1,5", "1e", "0x10", "1 2", "+-1", "1.5m", "--1"}) {
    EXPECT_FALSE(parse_number(bad)) << bad;
  }
}

TEST(ResultText, EscapesAreUndone) {
  const std::string odd("a\\n\n\r\\\0z\\", 9);
  EXPECT_EQ(unescape_line(escape_line(odd)), odd);
  EXPECT_EQ(escape_line(odd).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace driftless
