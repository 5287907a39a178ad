// Every message of the parser, with its line and column.

#include <random>

#include <gtest/gtest.h>

#include "driftless/expressions/parser_test.hpp"
#include "driftless/expressions/spline.hpp"

namespace driftless {
namespace {

std::string find_error(const std::string& text, const Source& where = {"f.toml", 7, 11},
                       const ExpressionLimits& limits = {}) {
  Graph graph;
  const testing::TestScope scope(graph);
  return testing::find_error([&] { parse_expression(text, where, scope, graph, limits); });
}

struct ErrorCase {
  const char* text;
  int offset;  // of the offending character, from 0
  const char* message;
  const char* remedy;
};

class ParserError : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(ParserError, NamesPlaceTokenAndRemedy) {
  const auto& [text, offset, message, remedy] = GetParam();
  const std::string error = find_error(text);
  const std::string begin = "7:" + std::to_string(11 + offset) + ": ";
  EXPECT_EQ(error.substr(0, begin.size()), begin) << text << "\n" << error;
  const std::size_t bar = error.find(" | ");
  EXPECT_NE(error.substr(0, bar).find(message), std::string::npos) << text << "\n" << error;
  EXPECT_NE(error.substr(std::min(bar, error.size())).find(remedy), std::string::npos)
      << text << "\n"
      << error;
}

INSTANTIATE_TEST_SUITE_P(
    Names, ParserError,
    ::testing::Values(
        ErrorCase{"x + xy", 4, "unknown name 'xy'", "known: a, k, m, s, t, x, x'"},
        ErrorCase{"x + z", 4, "unknown name 'z'", "known: a, k, m"},
        ErrorCase{"x + Y", 4, "unknown name 'Y'", "did you mean 'y'?"},
        ErrorCase{"sin((zzzzzz))", 5, "unknown name 'zzzzzz'", "known: a, k, m, s, t, x"},
        ErrorCase{"x + kg", 4, "unknown name 'kg'",
                  "kg is a unit: it follows a number, as in 1 kg"},
        ErrorCase{"x''", 0, "x'': accelerations cannot be used here", "x and its rate x'"},
        ErrorCase{"1+a'", 2, "'a'' is not the rate of a coordinate", "did you mean"},
        ErrorCase{"x + sinn(y)", 4, "unknown function 'sinn'", "did you mean 'sin'?"},
        ErrorCase{"x(2)", 0, "'x' is not a function", "write x*(...)"},
        ErrorCase{"pi(2)", 0, "'pi' is not a function", "write pi*(...)"},
        ErrorCase{"2 + sin x", 4, "'sin' is a function and needs arguments", "write sin(x)"},
        ErrorCase{"table(rod, x)", 6, "unknown table 'rod'", "rod.csv"},
        ErrorCase{"table(2, x)", 6, "the first argument of table is the table's name",
                  "table(name, x)"},
        ErrorCase{"table(x+y, x)", 6, "the first argument of table", "table(name, x)"}));

INSTANTIATE_TEST_SUITE_P(
    Structure, ParserError,
    ::testing::Values(
        ErrorCase{"", 0, "the expression is empty", "write a number"},
        ErrorCase{"  ", 0, "the expression is empty", "write a number"},
        ErrorCase{"(x + 1", 0, "this '(' is never closed", "add the missing ')'"},
        ErrorCase{"2*sin(x", 5, "this '(' is never closed", "add the missing ')'"},
        ErrorCase{"x + 1)", 5, "unmatched ')'", "remove it"},
        ErrorCase{"x +", 2, "the expression ends after '+'", "a number, a name"},
        ErrorCase{"x + * y", 4, "unexpected '*' after '+'", "a number, a name"},
        ErrorCase{"*x", 0, "unexpected '*'", "a number, a name"},
        ErrorCase{"()", 1, "unexpected ')' after '('", "a number, a name"},
        ErrorCase{"sin(,x)", 4, "unexpected ','", "a number, a name"},
        ErrorCase{"2x", 1, "missing operator between '2' and 'x'", "write 2*x"},
        ErrorCase{"2 x", 2, "missing operator between '2' and 'x'", "write 2*x"},
        ErrorCase{"2pi", 1, "missing operator between '2' and 'pi'", "write 2*pi"},
        ErrorCase{"2 sin(x)", 2, "missing operator between '2' and 'sin'", "write 2*sin"},
        ErrorCase{"2(x)", 1, "missing operator between '2' and '('", "write 2*("},
        ErrorCase{"(x)(y)", 3, "missing operator between ')' and '('", "write )*("},
        ErrorCase{"x y", 2, "missing operator between 'x' and 'y'", "write x*y"},
        ErrorCase{"(x) 2", 4, "missing operator between ')' and '2'", "write )*2"},
        ErrorCase{"1 2", 2, "two numbers in a row: '1' and '2'", "operator is missing"},
        ErrorCase{"1.2.3", 3, "two numbers in a row: '1.2' and '.3'", "point"},
        ErrorCase{"1,5", 1, "unexpected ','", "the decimal sign is '.'"},
        ErrorCase{"x**2", 1, "'**' is not an operation", "use ^ for powers"},
        ErrorCase{"x = 2", 2, "'=' cannot be used in an expression", "a - b"},
        ErrorCase{"if(x = 2, 1, 2)", 5, "'=' cannot be used in an expression", "if(a == b, x, y)"},
        ErrorCase{"=x", 0, "'=' cannot be used in an expression", "a - b"},
        ErrorCase{"x < 2", 2, "comparison '<' outside of a condition", "if(a < b, x, y)"},
        ErrorCase{"sin(x >= 2)", 6, "comparison '>=' outside", "if(a < b, x, y)"},
        ErrorCase{"if((x < 2), 1, 2)", 6, "comparison '<' outside", "without parentheses"},
        ErrorCase{"if(1, x < 2, 2)", 8, "comparison '<' outside", "if(a < b, x, y)"},
        ErrorCase{"if(1 < x < 2, 1, 2)", 9, "a second comparison '<'", "nest"}));

INSTANTIATE_TEST_SUITE_P(
    Arguments, ParserError,
    ::testing::Values(
        ErrorCase{"1+sin()", 2, "sin takes 1 argument, not 0", "write sin(x): sine"},
        ErrorCase{"sin(x, y)", 0, "sin takes 1 argument, not 2", "write sin(x)"},
        ErrorCase{"atan2(x)", 0, "atan2 takes 2 arguments, not 1", "write atan2(y, x)"},
        ErrorCase{"min(x)", 0, "min takes 2 or more arguments, not 1", "write min(a, b, ...)"},
        ErrorCase{"max()", 0, "max takes 2 or more arguments, not 0", "write max(a, b, ...)"},
        ErrorCase{"if(x < 1, 2)", 0, "if takes 3 arguments, not 2", "write if(condition, a, b)"},
        ErrorCase{"step(x, 1, 2)", 0, "step takes 5 arguments, not 3",
                  "write step(x, x0, y0, x1, y1)"},
        ErrorCase{"table(road)", 0, "table takes 2 arguments, not 1", "write table(name, x)"},
        ErrorCase{"step(x, 2, 0, 1, 1)", 0, "step from x0 = 2 to x1 = 1: x0 must be less than x1",
                  "y1 be less than y0"}));

INSTANTIATE_TEST_SUITE_P(
    Values, ParserError,
    ::testing::Values(ErrorCase{"x + 1e999", 4, "the number 1e999 is too large", "1e308"},
                      ErrorCase{"x + 1e-999", 4, "the number 1e-999 is too small", "1e308"},
                      ErrorCase{"x + 1/0", 4, "1/0 is not finite", "division by zero"},
                      ErrorCase{"2*(x/(3 - 3))", 2, "(x/(3 - 3)) is not finite",
                                "division by zero"},
                      ErrorCase{"y*sqrt(-1)", 2, "sqrt(-1) is not finite", "negative"},
                      ErrorCase{"1e300*1e300", 0, "1e300*1e300 is not finite", "overflow"},
                      ErrorCase{"1/(1/0)", 2, "(1/0) is not finite", "zero"},
                      ErrorCase{"x + log(k)", 4, "log(k) is not finite", "logarithm"},
                      ErrorCase{"if(x > 0, 1/0, 2)", 10, "1/0 is not finite", "zero"}));

INSTANTIATE_TEST_SUITE_P(
    Units, ParserError,
    ::testing::Values(
        ErrorCase{"2 N/m", 4, "'m' is ambiguous: it is a unit and a name of this model",
                  "write (2 N)/m for the name, 2 N/(1 m) for the unit"},
        ErrorCase{"2 km/s", 5, "'s' is ambiguous",
                  "write (2 km)/s for the name, 2 km/(1 s) for the unit"},
        ErrorCase{"2 N*t", 4, "'t' is ambiguous", "write (2 N)*t"},
        ErrorCase{"1/2m*x", 2, "'2m' is ambiguous", "write 2*m for the product, 2 m for the unit"},
        ErrorCase{"2 kx", 2, "'kx' is neither a unit nor a name of this model", "2*kx"},
        ErrorCase{"3 degg", 2, "'degg' is neither a unit", "did you mean 'deg'?"},
        ErrorCase{"2 mm^1.5", 5, "the exponent of the unit 'mm' must be a whole number", "mm^2"},
        ErrorCase{"2 mm^x", 5, "the exponent of the unit 'mm'", "parentheses"},
        ErrorCase{"2 mm^", 5, "the exponent of the unit 'mm'", "parentheses"},
        ErrorCase{"2 mm^100", 5, "the exponent of the unit 'mm'", "parentheses"},
        ErrorCase{"2 mm^2^2", 6, "a second power after a unit", "parentheses"},
        ErrorCase{"2 Tm^99", 4, "Tm^99 is out of range", ""},
        ErrorCase{"x^2 mm", 2, "'2 mm': an exponent has no unit", "product"},
        ErrorCase{"x^-2 mm", 3, "'2 mm': an exponent has no unit", "product"}));

INSTANTIATE_TEST_SUITE_P(
    Characters, ParserError,
    ::testing::Values(ErrorCase{"x \u2212 1", 2, "minus sign U+2212", "write -"},
                      ErrorCase{"2\u00b7x", 1, "middle dot U+00B7", "write *"},
                      ErrorCase{"2\u00d7x", 1, "multiplication sign", "write *"},
                      ErrorCase{"x\u00b2", 1, "superscript", "write ^2"},
                      ErrorCase{"45\u00b0", 2, "degree sign", "45 deg"},
                      ErrorCase{"\u03c0*2", 0, "Greek", "write pi"},
                      ErrorCase{"x\u2019", 1, "quotation mark", "x'"},
                      ErrorCase{"x\u00a0+1", 1, "no-break space", "space"},
                      ErrorCase{"2*\u03b1", 2, "'\u03b1' cannot be used", "a-z"},
                      ErrorCase{"x+\xff", 2, "byte 0xff", "UTF-8"},
                      ErrorCase{"x+\x01", 2, "byte 0x01", "UTF-8"},
                      ErrorCase{"x+\xe2\x88", 2, "byte 0xe2", "UTF-8"},
                      ErrorCase{"x & y", 2, "unexpected '&'", "nest"},
                      ErrorCase{"x.y", 0, "unknown name 'x.y'", "known: a"},
                      ErrorCase{"[x]", 0, "unexpected '['", "( )"},
                      ErrorCase{"x ' + 1", 2, "unexpected '''", "follows the name directly"},
                      ErrorCase{"x ! y", 2, "unexpected '!'", "!="},
                      ErrorCase{"x $ y", 2, "unexpected '$'", "+ - * / ^"},
                      ErrorCase{"5 %", 2, "unexpected '%'", "0.05"}));

TEST(ParserPlaces, FollowLinesOfTheText) {
  EXPECT_EQ(find_error("x +\n  y +\n  zz9").substr(0, 5), "9:3: ");
  EXPECT_EQ(find_error("x + zz9", {"f", 0, 0}).substr(0, 5), "0:0: ");
  EXPECT_NE(find_error("x + zz9", {}).find("(character 5 of \"x + zz9\")"), std::string::npos);
}

TEST(ParserPlaces, CarryTheFile) {
  Graph graph;
  const testing::TestScope scope(graph);
  try {
    parse_expression("x + ", {"model.toml", 3, 9}, scope, graph);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 22), "model.toml:3:11: error");
  }
}

TEST(ParserLimits, Depth) {
  const auto nest = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '(') + "x" +
           std::string(static_cast<std::size_t>(depth), ')');
  };
  EXPECT_EQ(find_error(nest(199)), "no error");
  EXPECT_NE(find_error(nest(200)).find("7:211: nested deeper than 200"), std::string::npos)
      << find_error(nest(200));
  for (const char* part : {"-", "+", "2^", "sin(", "(", "if(1<", "min(1,"}) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += part;
    EXPECT_NE(find_error(text + "x").find("nested deeper than 200"), std::string::npos) << part;
  }
  EXPECT_NE(find_error("((x))", {}, {.max_length = 100, .max_depth = 2}).find("deeper than 2"),
            std::string::npos);
}

TEST(ParserLimits, Length) {
  EXPECT_EQ(find_error(std::string(19999, ' ') + "x"), "no error");
  EXPECT_NE(find_error(std::string(200000, ' ') + "x")
                .find("the expression has 200001 characters; at most 200000"),
            std::string::npos);
}

// Whatever the text, the parser returns or throws ModelError; anything else ends the test.
class ParserFuzz : public ::testing::Test {
 protected:
  void parse(const std::string& text) {
    try {
      parse_expression(text, {"f", 1, 1}, scope_, graph_);
      ++accepted_;
    } catch (const ModelError& error) {
      EXPECT_FALSE(error.diagnostics().at(0).message.empty());
      EXPECT_GE(error.diagnostics()[0].where.column, 0);
      EXPECT_LE(error.diagnostics()[0].where.column, static_cast<int>(text.size()) + 1);
    }
    try {
      evaluate_constant(text, {"f", 1, 1}, constants_);
    } catch (const ModelError& error) {
      EXPECT_FALSE(error.diagnostics().at(0).message.empty());
    }
  }

  Graph graph_;
  const int table_ =
      graph_.add_spline(CubicSpline(std::vector<double>{0, 1}, std::vector<double>{1, 2}));
  testing::TestScope scope_{graph_, table_};
  testing::TestConstants constants_;
  int accepted_ = 0;
};

TEST_F(ParserFuzz, RandomBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string text(random() % 30, '\0');
    for (char& c : text) c = static_cast<char>(random() % 256);
    parse(text);
  }
}

TEST_F(ParserFuzz, RandomTokens) {
  static const char* const kTokens[] = {
      "x",    "y'",    "1",  "2.5", "1e3", "mm", "deg", "N",  "+",    "-",
      "*",    "/",     "^",  "(",   ")",   ",",  "<",   "==", "sin(", "if(",
      "pi",   "m",     "s",  " ",   "0",   "k",  "t",   "'",  "=",    "1/",
      "min(", "step(", "\n", "1 ",  ".",   "zz", "-x",  "))", "^2 ",  "table(road,"};
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (auto k = 1 + random() % 12; k > 0; --k) text += kTokens[random() % std::size(kTokens)];
    parse(text);
  }
  EXPECT_GT(accepted_, 500);
}

TEST_F(ParserFuzz, TruncationsAndMutationsOfValidTexts) {
  std::mt19937 random(3);
  for (const std::string text :
       {"m/2*(x'^2 + y'^2) + a/2*x'^2",
        "if(x < 0.1, -200 N/mm*(x - 3 mm)^1.5, step(t, 0, 0, 1, 5 kN))",
        "atan2(y, x) + table(road, x*cos(45 deg)) - min(x, y, -a)*10 1/min",
        "-2^-x^2/((x - 1)*(y + 2))"}) {
    parse(text);
    for (std::size_t length = 0; length < text.size(); ++length) {
      parse(text.substr(0, length));
      parse(text.substr(length));
    }
    for (int i = 0; i < 2000; ++i) {
      std::string other = text;
      for (auto k = 1 + random() % 3; k > 0; --k) {
        const std::size_t at = random() % other.size();
        if (random() % 2 == 0) {
          other[at] = static_cast<char>(random() % 128);
        } else {
          other.erase(at, 1);
        }
      }
      parse(other);
    }
  }
  EXPECT_GT(accepted_, 100);
}

}  // namespace
}  // namespace driftless
