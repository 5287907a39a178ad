#include "driftless/expressions/syntax.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace driftless {

namespace {

using Kind = SyntaxItem::Kind;

const FunctionInfo* find_function(std::string_view name) {
  for (const FunctionInfo& function : all_functions())
    if (function.name == name) return &function;
  return nullptr;
}

bool is_comparison(const Token& token) {
  for (const std::string_view symbol : {"<", "<=", ">", ">=", "==", "!="})
    if (token.is(symbol)) return true;
  return false;
}

class SyntaxParser {
 public:
  SyntaxParser(const PlacedText& text, const std::function<bool(std::string_view)>& is_declared,
               const ExpressionLimits& limits)
      : text_(text), is_declared_(is_declared), limits_(limits), tokens_(tokenize(text)) {}

  std::vector<SyntaxItem> parse() {
    if (token().kind == Token::Kind::end)
      text_.fail(0, "the expression is empty", "write a number or an expression, for example 0");
    parse_sum();
    if (token().kind != Token::Kind::end) fail_unexpected();
    return std::move(items_);
  }

 private:
  const Token& token(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& previous() const { return tokens_[at_ - 1]; }
  Token take() { return tokens_[at_++]; }

  SyntaxItem& emit(Kind kind, const Token& token, std::size_t begin) {
    SyntaxItem item;
    item.kind = kind;
    item.text = token.text;
    item.at = token.begin;
    item.begin = begin;
    item.end = previous().end;
    items_.push_back(item);
    return items_.back();
  }

  // -- grammar, from loose to tight --

  void parse_comparison() {
    const std::size_t begin = token().begin;
    parse_sum();
    if (!is_comparison(token())) return;
    const Token operation = take();
    parse_sum();
    emit(Kind::compare, operation, begin);
    if (is_comparison(token()))
      text_.fail(token().begin,
                 fmt::format("a second comparison '{}' in one condition", token().text),
                 "nest conditions: if(a < b, if(b < c, x, y), y)");
  }

  void parse_sum() {
    const std::size_t begin = token().begin;
    parse_product();
    while (token().is("+") || token().is("-")) {
      const Token operation = take();
      parse_product();
      emit(Kind::binary, operation, begin);
    }
  }

  void parse_product() {
    const std::size_t begin = token().begin;
    parse_unary();
    while (token().is("*") || token().is("/")) {
      const Token operation = take();
      parse_unary();
      emit(Kind::binary, operation, begin);
    }
  }

  // Every recursion passes here.
  void parse_unary() {
    const std::size_t begin = token().begin;
    if (++depth_ > limits_.max_depth)
      text_.fail(begin, fmt::format("nested deeper than {}", limits_.max_depth),
                 "split the expression: parameters and record entries can hold parts of it");
    if (token().is("-") || token().is("+")) {
      const Token sign = take();
      parse_unary();
      if (sign.is("-")) emit(Kind::negate, sign, begin);
    } else {
      parse_power();
    }
    --depth_;
  }

  void parse_power() {
    const std::size_t begin = token().begin;
    parse_primary();
    if (!token().is("^")) return;
    const Token caret = take();
    parse_unary();
    const bool is_negated = items_.back().kind == Kind::negate;
    const SyntaxItem& exponent = items_[items_.size() - (is_negated ? 2 : 1)];
    if (exponent.kind == Kind::number && exponent.dimension)
      text_.fail(
          exponent.begin,
          fmt::format("'{}': an exponent has no unit", text_.excerpt(exponent.begin, exponent.end)),
          "write * if a product was meant");
    emit(Kind::binary, caret, begin);
  }

  void parse_primary() {
    switch (token().kind) {
      case Token::Kind::number: return parse_number();
      case Token::Kind::name:
        if (!token().is_rate && token(1).is("(")) return parse_call();
        return parse_name();
      default: break;
    }
    if (!token().is("(")) fail_operand();
    const Token open = take();
    parse_sum();
    close(open);
    // Messages show the parentheses with what is inside.
    items_.back().begin = open.begin;
    items_.back().end = previous().end;
  }

  void close(const Token& open) {
    if (token().is(")")) {
      take();
      return;
    }
    if (token().kind == Token::Kind::end)
      text_.fail(open.begin, "this '(' is never closed", "add the missing ')'");
    fail_unexpected();
  }

  void parse_name() {
    const Token name = take();
    if (name.text == "pi" && !name.is_rate) {
      emit(Kind::number, name, name.begin).value = std::numbers::pi;
      return;
    }
    if (const FunctionInfo* function = find_function(name.text);
        function != nullptr && !name.is_rate)
      text_.fail(name.begin, fmt::format("'{}' is a function and needs arguments", name.text),
                 fmt::format("write {}", function->signature));
    SyntaxItem& item = emit(Kind::name, name, name.begin);
    item.is_rate = name.is_rate;
    item.quotes = name.quotes;
  }

  void parse_call() {
    const Token name = take();
    const FunctionInfo* function = find_function(name.text);
    if (function == nullptr) fail_unknown_function(name);
    const Token open = take();
    Token table_name;
    int count = 0;
    if (!token().is(")")) {
      do {
        if (count > 0) take();  // the comma
        if (count == 0 && name.text == "table") {
          table_name = parse_table_name();
        } else if (count == 0 && name.text == "if") {
          parse_comparison();
        } else {
          parse_sum();
        }
        ++count;
      } while (token().is(","));
    }
    close(open);
    check_count(name, *function, count);
    if (name.text == "table") {
      emit(Kind::table, table_name, name.begin);
    } else {
      emit(Kind::call, name, name.begin).count = count;
    }
  }

  Token parse_table_name() {
    if (token().kind != Token::Kind::name || token().is_rate ||
        !(token(1).is(",") || token(1).is(")")))
      text_.fail(token().begin, "the first argument of table is the table's name",
                 "write table(name, x)");
    return take();
  }

  void check_count(const Token& name, const FunctionInfo& function, int count) {
    const bool open_ended = function.arguments < 0;
    const int wanted = std::abs(function.arguments);
    if (open_ended ? count >= wanted : count == wanted) return;
    text_.fail(
        name.begin,
        fmt::format("{} takes {}{} argument{}, not {}", name.text, wanted,
                    open_ended ? " or more" : "", wanted == 1 && !open_ended ? "" : "s", count),
        fmt::format("write {}: {}", function.signature, function.description));
  }

  // -- numbers and units --

  void parse_number() {
    const Token number = take();
    SyntaxItem& item = emit(Kind::number, number, number.begin);
    item.value = number.value;
    Unit unit;
    if (token().kind == Token::Kind::name && !token().is_rate && !token(1).is("(")) {
      unit = parse_first_unit(number);
    } else if (!(token().text == "1" && token(1).is("/") && is_unit(token(2), token(3)))) {
      return;
    } else {
      take();  // the 1 of "10 1/s"
    }
    while ((token().is("*") || token().is("/")) && is_unit(token(1), token(2))) {
      const bool divide = take().is("/");
      if (is_declared_(token().text)) fail_ambiguous_unit(number, divide);
      const Unit factor = parse_unit_power();
      unit.factor = divide ? unit.factor / factor.factor : unit.factor * factor.factor;
      unit.dimension =
          divide ? unit.dimension / factor.dimension : unit.dimension * factor.dimension;
    }
    item.end = previous().end;
    item.value = to_si(number.value, unit);
    item.dimension = unit.dimension;
    if (!std::isnormal(unit.factor))
      text_.fail(number.begin,
                 fmt::format("{}: this unit is out of range", text_.excerpt(item.begin, item.end)));
  }

  // "min" is a minute, "min(" is not.
  static bool is_unit(const Token& name, const Token& after) {
    return name.kind == Token::Kind::name && !name.is_rate && !after.is("(") &&
           find_unit(name.text);
  }

  Unit parse_first_unit(const Token& number) {
    const Token& name = token();
    const bool is_known = find_unit(name.text).has_value();
    const bool is_declared = is_declared_(name.text) || name.text == "pi";
    const std::string both = fmt::format("{}*{}", number.text, name.text);
    if (is_known && is_declared && name.begin == number.end)
      text_.fail(number.begin,
                 fmt::format("'{}{}' is ambiguous: {} is a unit and a name of this model",
                             number.text, name.text, name.text),
                 fmt::format("write {} for the product, {} {} for the unit", both, number.text,
                             name.text));
    if (is_known) return parse_unit_power();
    if (is_declared || is_reserved(name.text))
      text_.fail(name.begin,
                 fmt::format("missing operator between '{}' and '{}'", number.text, name.text),
                 fmt::format("write {}", both));
    text_.fail(name.begin,
               fmt::format("'{}' is neither a unit nor a name of this model", name.text),
               fmt::format("{} (for a product write {})", suggest(name.text, all_units()), both));
  }

  // m, m^2, s^-1
  Unit parse_unit_power() {
    const Token name = take();
    const Unit unit = *find_unit(name.text);
    if (!token().is("^")) return unit;
    const Token caret = take();
    const bool is_negative = token().is("-");
    if (is_negative) take();
    const double exponent = token().kind == Token::Kind::number ? token().value : 0.5;
    if (exponent != std::round(exponent) || exponent > 99)
      text_.fail(
          token().begin,
          fmt::format("the exponent of the unit '{}' must be a whole number up to 99", name.text),
          fmt::format("write for example {}^2, or put number and unit in parentheses", name.text));
    take();
    if (token().is("^"))
      text_.fail(token().begin, "a second power after a unit is ambiguous", "use parentheses");
    const int power = static_cast<int>(is_negative ? -exponent : exponent);
    const std::optional<Unit> result = pow(unit, power);
    if (!result) text_.fail(caret.begin, fmt::format("{}^{} is out of range", name.text, power));
    return *result;
  }

  // -- failures --

  [[noreturn]] void fail_ambiguous_unit(const Token& number, bool divide) {
    const Token& name = token();
    const std::string first = text_.excerpt(number.begin, tokens_[at_ - 2].end);
    const char operation = divide ? '/' : '*';
    text_.fail(name.begin,
               fmt::format("'{}' is ambiguous: it is a unit and a name of this model", name.text),
               fmt::format("write ({0}){1}{2} for the name, {0}{1}(1 {2}) for the unit", first,
                           operation, name.text));
  }

  [[noreturn]] void fail_unknown_function(const Token& name) {
    if (is_declared_(name.text) || name.text == "pi")
      text_.fail(name.begin, fmt::format("'{}' is not a function", name.text),
                 fmt::format("for a product write {}*(...)", name.text));
    std::vector<std::string> known;
    for (const FunctionInfo& function : all_functions()) known.emplace_back(function.name);
    text_.fail(name.begin, fmt::format("unknown function '{}'", name.text),
               suggest(name.text, known));
  }

  // Something that cannot begin an operand.
  [[noreturn]] void fail_operand() {
    const std::string remedy = "a number, a name, a function or '(' belongs here";
    if (token().is("=")) fail_unexpected();
    const std::string after = at_ > 0 ? fmt::format(" after '{}'", previous().text) : "";
    if (token().kind == Token::Kind::end)
      text_.fail(at_ > 0 ? previous().begin : 0, fmt::format("the expression ends{}", after),
                 remedy);
    text_.fail(token().begin, fmt::format("unexpected '{}'{}", token().text, after), remedy);
  }

  // Something that cannot follow an operand.
  [[noreturn]] void fail_unexpected() {
    const std::size_t begin = token().begin;
    const std::string_view text = token().text;
    if (token().kind == Token::Kind::number && previous().kind == Token::Kind::number)
      text_.fail(begin, fmt::format("two numbers in a row: '{}' and '{}'", previous().text, text),
                 "an operator is missing, or a point or blank is too many");
    if (token().kind == Token::Kind::number || token().kind == Token::Kind::name || token().is("("))
      text_.fail(begin,
                 fmt::format("missing operator between '{}' and '{}'", previous().text, text),
                 fmt::format("write {}*{}", previous().text, text));
    if (token().is(")")) text_.fail(begin, "unmatched ')'", "remove it, or add the missing '('");
    if (token().is(","))
      text_.fail(begin, "unexpected ','",
                 "the decimal sign is '.'; a comma separates the arguments of a function");
    if (token().is("="))
      text_.fail(begin, "'=' cannot be used in an expression",
                 "an equation a = b is written as a - b; if(a == b, x, y) compares");
    if (is_comparison(token()))
      text_.fail(begin, fmt::format("comparison '{}' outside of a condition", text),
                 "compare in the first argument of if, without parentheses: if(a < b, x, y)");
    text_.fail(begin, fmt::format("unexpected '{}'", text));
  }

  const PlacedText& text_;
  const std::function<bool(std::string_view)>& is_declared_;
  const ExpressionLimits& limits_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<SyntaxItem> items_;
};

}  // namespace

std::vector<SyntaxItem> parse_syntax(const PlacedText& text,
                                     const std::function<bool(std::string_view)>& is_declared,
                                     const ExpressionLimits& limits) {
  if (text.text().size() > limits.max_length)
    text.fail(0,
              fmt::format("the expression has {} characters; at most {} are allowed",
                          text.text().size(), limits.max_length),
              "split it: parameters and record entries can hold parts of it");
  return SyntaxParser(text, is_declared, limits).parse();
}

void fail_unknown_name(const PlacedText& text, const SyntaxItem& item,
                       std::vector<std::string> known) {
  known.emplace_back("pi");
  if (item.quotes == 2)
    text.fail(item.at, fmt::format("{}'': accelerations cannot be used here", item.text),
              fmt::format("expressions may contain {0} and its rate {0}'", item.text));
  if (item.is_rate)
    text.fail(item.at, fmt::format("'{}'' is not the rate of a coordinate", item.text),
              suggest(std::string(item.text) + "'", known));
  if (find_unit(item.text))
    text.fail(item.at, fmt::format("unknown name '{}'", item.text),
              fmt::format("{} is a unit: it follows a number, as in 1 {}", item.text, item.text));
  text.fail(item.at, fmt::format("unknown name '{}'", item.text), suggest(item.text, known));
}

void fail_not_finite(const PlacedText& text, const SyntaxItem& item) {
  text.fail(item.begin, fmt::format("{} is not finite", text.excerpt(item.begin, item.end)),
            "check for a division by zero, a root or logarithm of a negative number, and overflow");
}

}  // namespace driftless
