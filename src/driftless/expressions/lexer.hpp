#pragma once
// Text -> tokens, and offsets in the text -> places in the user's file.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

/// A text that the user wrote, with its place in a file.
class PlacedText {
 public:
  PlacedText(std::string_view text, const Source& where) : text_(text), where_(where) {}

  std::string_view text() const { return text_; }
  /// Part of the text for a message: in one line, and shortened if long.
  std::string excerpt(std::size_t begin, std::size_t end) const;
  /// The place of the character at `offset`. Unknown stays unknown (0).
  Source find_place(std::size_t offset) const;
  [[noreturn]] void fail(std::size_t offset, std::string message, std::string remedy = {}) const;

 private:
  std::string_view text_;
  Source where_;
};

struct Token {
  enum class Kind { number, name, symbol, end };
  Kind kind = Kind::end;
  std::string_view text;  ///< "1.5e3"; "x1", without the quote of a rate; "<="; "" at the end
  std::size_t begin = 0, end = 0;  ///< offsets; a rate's quote is inside
  double value = 0.0;              ///< of a number
  bool is_rate = false;            ///< x1'
  int quotes = 0;                  ///< two: an acceleration, x1''

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

/// A letter of names: a to z, A to Z and _.
bool is_letter(char c);

/// All tokens, the last one of kind `end`. Throws ModelError for characters that no expression
/// contains.
std::vector<Token> tokenize(const PlacedText& text);

}  // namespace driftless
