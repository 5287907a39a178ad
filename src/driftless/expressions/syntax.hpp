#pragma once
// Tokens -> the expression in postfix order. What names and operations mean is left to whoever runs
// over the items: one reader builds graph nodes, another calculates with units (parser.cpp,
// evaluate_constant.cpp). Postfix, since a loop over items with a stack of values needs no
// recursion, however long a sum is.

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "driftless/expressions/lexer.hpp"
#include "driftless/expressions/parser.hpp"

namespace driftless {

struct SyntaxItem {
  enum class Kind {
    number,   ///< value; dimension if a unit was written
    name,     ///< text, is_rate
    table,    ///< table(text, x): takes one value
    negate,   ///< takes one
    binary,   ///< text is + - * / ^: takes two
    compare,  ///< text is < <= > >= == !=: takes two
    call,     ///< text is the function: takes `count`
  };
  Kind kind = Kind::number;
  std::string_view text;
  bool is_rate = false;
  int quotes = 0;  ///< after the name
  int count = 0;
  double value = 0.0;
  std::optional<Dimension> dimension;
  std::size_t at = 0;              ///< offset of the name, number or operator itself
  std::size_t begin = 0, end = 0;  ///< the whole subexpression's part of the text
};

/// `is_declared`: whether the model has such a name, which decides between a unit and a product.
std::vector<SyntaxItem> parse_syntax(const PlacedText& text,
                                     const std::function<bool(std::string_view)>& is_declared,
                                     const ExpressionLimits& limits);

/// The operation of a function of one value, by its name.
std::optional<Op> find_unary_function(std::string_view name);

/// Fails at the item with what is known about an unknown name.
[[noreturn]] void fail_unknown_name(const PlacedText& text, const SyntaxItem& item,
                                    std::vector<std::string> known);

/// Fails at the item: "1/0 is not finite".
[[noreturn]] void fail_not_finite(const PlacedText& text, const SyntaxItem& item);

}  // namespace driftless
