#include "driftless/expressions/lexer.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace driftless {

std::string PlacedText::excerpt(std::size_t begin, std::size_t end) const {
  constexpr std::size_t kLongest = 50;
  std::string part(text_.substr(begin, end - begin));
  for (char& c : part)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  if (part.size() > kLongest) part = part.substr(0, kLongest - 3) + "...";
  return part;
}

Source PlacedText::find_place(std::size_t offset) const {
  Source place = where_;
  std::size_t line_begin = 0;
  for (std::size_t i = 0; i < offset && i < text_.size(); ++i) {
    if (text_[i] != '\n') continue;
    if (place.line > 0) ++place.line;
    if (place.column > 0) place.column = 1;
    line_begin = i + 1;
  }
  if (place.column > 0) place.column += static_cast<int>(offset - line_begin);
  return place;
}

void PlacedText::fail(std::size_t offset, std::string message, std::string remedy) const {
  // Without a place in a file the user still wants to know where.
  if (where_.column <= 0 && !text_.empty())
    message += fmt::format(" (character {} of \"{}\")", offset + 1, excerpt(0, text_.size()));
  throw ModelError(Diagnostic{find_place(offset), std::move(message), std::move(remedy)});
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

namespace {

// By hand: the functions of <cctype> depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Lookalike {
  std::string_view utf8;
  std::string_view name;
  std::string_view remedy;
};

// What word processors and keyboards put in place of the ASCII character.
constexpr std::array kLookalikes = {
    Lookalike{"\u2212", "minus sign U+2212", "write -"},
    Lookalike{"\u2013", "dash U+2013", "write -"},
    Lookalike{"\u2014", "dash U+2014", "write -"},
    Lookalike{"\u00b7", "middle dot U+00B7", "write *"},
    Lookalike{"\u22c5", "dot operator U+22C5", "write *"},
    Lookalike{"\u00d7", "multiplication sign U+00D7", "write *"},
    Lookalike{"\u00f7", "division sign U+00F7", "write /"},
    Lookalike{"\u2215", "division slash U+2215", "write /"},
    Lookalike{"\u00b2", "superscript U+00B2", "write ^2"},
    Lookalike{"\u00b3", "superscript U+00B3", "write ^3"},
    Lookalike{"\u00b0", "degree sign U+00B0", "write deg, as in 45 deg"},
    Lookalike{"\u00b5", "micro sign U+00B5", "write u, as in um"},
    Lookalike{"\u03bc", "Greek letter U+03BC", "write u, as in um, or mu for a name"},
    Lookalike{"\u03c0", "Greek letter U+03C0", "write pi"},
    Lookalike{"\u03a9", "Greek letter U+03A9", "write ohm for the unit"},
    Lookalike{"\u221a", "root sign U+221A", "write sqrt(...)"},
    Lookalike{"\u2019", "quotation mark U+2019", "write ' for a rate, as in x'"},
    Lookalike{"\u2032", "prime U+2032", "write ' for a rate, as in x'"},
    Lookalike{"\u2264", "sign U+2264", "write <="},
    Lookalike{"\u2265", "sign U+2265", "write >="},
    Lookalike{"\u2260", "sign U+2260", "write !="},
    Lookalike{"\u00a0", "no-break space U+00A0", "write an ordinary space"},
};

// Length of a well-formed UTF-8 sequence at the start of `text`, or 0.
std::size_t find_sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) return 0;
  return length;
}

[[noreturn]] void fail_character(const PlacedText& text, std::size_t offset) {
  const std::string_view rest = text.text().substr(offset);
  for (const Lookalike& known : kLookalikes)
    if (rest.starts_with(known.utf8))
      text.fail(offset,
                fmt::format("'{}' ({}) cannot be used in an expression", known.utf8, known.name),
                std::string(known.remedy));
  const auto byte = static_cast<unsigned char>(rest[0]);
  const std::size_t length = byte >= 0x80 ? find_sequence_length(rest) : 0;
  if (length > 0)
    text.fail(offset, fmt::format("'{}' cannot be used in an expression", rest.substr(0, length)),
              "names are made of a-z, A-Z, 0-9 and _");
  if (byte < 0x20 || byte >= 0x7f)
    text.fail(
        offset,
        fmt::format("byte 0x{:02x} cannot be used in an expression", static_cast<unsigned>(byte)),
        "save the file as plain text in UTF-8");
  static constexpr std::array<std::pair<char, std::string_view>, 10> kHints = {{
      {'\'', "a quote marks a rate and follows the name directly, as in x'"},
      {'&', "nest conditions: if(a < b, if(c < d, x, y), y)"},
      {'|', "nest conditions: if(a < b, x, if(c < d, x, y))"},
      {'!', "write != for 'not equal'"},
      {'[', "use parentheses ( )"},
      {']', "use parentheses ( )"},
      {'{', "use parentheses ( )"},
      {'}', "use parentheses ( )"},
      {'.', "a number needs a digit beside its point, as in 0.5"},
      {'%', "write the number itself: 5 % is 0.05"},
  }};
  std::string remedy = "known operations: + - * / ^";
  for (const auto& [character, hint] : kHints)
    if (rest[0] == character) remedy = hint;
  text.fail(offset, fmt::format("unexpected '{}'", rest[0]), remedy);
}

class Lexer {
 public:
  explicit Lexer(const PlacedText& text) : place_(text), text_(text.text()) {}

  Token next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    Token token;
    token.begin = token.end = at_;
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      read_number(token);
    } else if (is_letter(c)) {
      read_name(token);
    } else {
      read_symbol(token);
    }
    token.end = at_;
    return token;
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_digits() {
    while (is_digit(peek(0))) ++at_;
  }

  void read_number(Token& token) {
    token.kind = Token::Kind::number;
    skip_digits();
    if (peek(0) == '.') {
      ++at_;
      skip_digits();
    }
    bool is_small = text_[token.begin] == '0' || text_[token.begin] == '.';
    if (peek(0) == 'e' || peek(0) == 'E') {
      const std::size_t sign = (peek(1) == '+' || peek(1) == '-') ? 1 : 0;
      if (is_digit(peek(1 + sign))) {
        is_small = peek(1) == '-';
        at_ += 1 + sign;
        skip_digits();
      }
    }
    token.text = text_.substr(token.begin, at_ - token.begin);
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.value);
    if (error != std::errc{} || end != token.text.data() + token.text.size())
      place_.fail(token.begin,
                  fmt::format("the number {} is too {} for double precision",
                              place_.excerpt(token.begin, at_), is_small ? "small" : "large"),
                  "numbers range from about 1e-307 to 1e308");
  }

  void read_name(Token& token) {
    token.kind = Token::Kind::name;
    // A measure's name goes on after a dot: A.angle, A.force.x.
    while (is_letter(peek(0)) || is_digit(peek(0)) || (peek(0) == '.' && is_letter(peek(1)))) ++at_;
    token.text = text_.substr(token.begin, at_ - token.begin);
    for (; peek(0) == '\''; ++at_) ++token.quotes;
    if (token.quotes > 2) place_.fail(token.begin, fmt::format("{}: too many quotes", token.text));
    token.is_rate = token.quotes > 0;
  }

  void read_symbol(Token& token) {
    token.kind = Token::Kind::symbol;
    if (peek(0) == '*' && peek(1) == '*')
      place_.fail(at_, "'**' is not an operation", "use ^ for powers, as in x^2");
    for (const std::string_view symbol :
         {"<=", ">=", "==", "!=", "<", ">", "=", "+", "-", "*", "/", "^", "(", ")", ","}) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      token.text = text_.substr(at_, symbol.size());
      at_ += symbol.size();
      return;
    }
    fail_character(place_, at_);
  }

  const PlacedText& place_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(const PlacedText& text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  do tokens.push_back(lexer.next());
  while (tokens.back().kind != Token::Kind::end);
  return tokens;
}

}  // namespace driftless
