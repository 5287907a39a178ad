// The functions of expressions, and the words that a model may not declare.

#include <algorithm>
#include <array>

#include "driftless/expressions/lexer.hpp"
#include "driftless/expressions/parser.hpp"
#include "driftless/expressions/syntax.hpp"

namespace driftless {

namespace {

constexpr std::array kFunctions = {
    FunctionInfo{"sin", 1, "sine of an angle in radians", "sin(x)"},
    FunctionInfo{"cos", 1, "cosine of an angle in radians", "cos(x)"},
    FunctionInfo{"tan", 1, "tangent of an angle in radians", "tan(x)"},
    FunctionInfo{"asin", 1, "angle whose sine is x, in -pi/2 .. pi/2", "asin(x)"},
    FunctionInfo{"acos", 1, "angle whose cosine is x, in 0 .. pi", "acos(x)"},
    FunctionInfo{"atan", 1, "angle whose tangent is x, in -pi/2 .. pi/2", "atan(x)"},
    FunctionInfo{"atan2", 2, "angle of the point (x, y), in -pi .. pi", "atan2(y, x)"},
    FunctionInfo{"sinh", 1, "hyperbolic sine", "sinh(x)"},
    FunctionInfo{"cosh", 1, "hyperbolic cosine", "cosh(x)"},
    FunctionInfo{"tanh", 1, "hyperbolic tangent", "tanh(x)"},
    FunctionInfo{"exp", 1, "e to the power x", "exp(x)"},
    FunctionInfo{"log", 1, "natural logarithm", "log(x)"},
    FunctionInfo{"sqrt", 1, "square root", "sqrt(x)"},
    FunctionInfo{"abs", 1, "absolute value", "abs(x)"},
    FunctionInfo{"sign", 1, "-1, 0 or 1", "sign(x)"},
    FunctionInfo{"min", -2, "the smallest of two or more values", "min(a, b, ...)"},
    FunctionInfo{"max", -2, "the largest of two or more values", "max(a, b, ...)"},
    FunctionInfo{"if", 3,
                 "a where the condition holds, else b; the condition compares: < <= > >= == !=",
                 "if(condition, a, b)"},
    FunctionInfo{"step", 5, "y0 up to x0, y1 from x1 on, a smooth cubic between",
                 "step(x, x0, y0, x1, y1)"},
    FunctionInfo{"table", 2, "cubic spline through the points of a CSV file of the model",
                 "table(name, x)"},
};

constexpr std::array<std::pair<std::string_view, Op>, 14> kUnaryFunctions = {{
    {"sin", Op::sin},
    {"cos", Op::cos},
    {"tan", Op::tan},
    {"asin", Op::asin},
    {"acos", Op::acos},
    {"atan", Op::atan},
    {"sinh", Op::sinh},
    {"cosh", Op::cosh},
    {"tanh", Op::tanh},
    {"exp", Op::exp},
    {"log", Op::log},
    {"sqrt", Op::sqrt},
    {"abs", Op::abs},
    {"sign", Op::sign},
}};

}  // namespace

std::optional<Op> find_unary_function(std::string_view name) {
  for (const auto& [known, op] : kUnaryFunctions)
    if (name == known) return op;
  return std::nullopt;
}

std::span<const FunctionInfo> all_functions() { return kFunctions; }

bool is_reserved(std::string_view name) {
  if (name == "t" || name == "pi" || name == "T" || name == "U") return true;
  return std::any_of(kFunctions.begin(), kFunctions.end(),
                     [name](const FunctionInfo& function) { return function.name == name; });
}

bool is_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace driftless
