#pragma once
// Text -> graph nodes. Grammar (design section 8):
//
//   comparison := sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?          only inside if(...)
//   sum        := product (("+" | "-") product)*
//   product    := unary (("*" | "/") unary)*
//   unary      := ("+" | "-") unary | power
//   power      := primary ("^" unary)?            right-associative; -x^2 = -(x^2)
//   primary    := NUMBER unit? | NAME "'"? | NAME "(" arguments ")" | "(" sum ")"
//
// A unit may follow a number literal only: "45 deg", "200 N/mm", "10 1/s". It goes on over "*name",
// "/name", "^integer" while the name is a unit; if such a name is also declared in the model ("2
// m/s" with a parameter s) the text is refused as ambiguous. So is "2m" without a blank where m is
// declared; "2 m" always is two metres. NAME' is the rate of a coordinate. NAME may have
// parts after dots, which are measures of mechanisms: A.angle.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/units.hpp"
#include "driftless/expressions/graph.hpp"

namespace driftless {

/// What the names in an expression mean. All lookups are by the bare name.
class Scope {
 public:
  virtual ~Scope() = default;
  /// The node of a name ("l", "x1", "t"), or of a coordinate's rate ("x1'"); empty if there is
  /// none.
  virtual std::optional<NodeId> find(std::string_view name) const = 0;
  /// Names to suggest when one is unknown.
  virtual std::vector<std::string> names() const = 0;
  /// The spline of `table(name, x)`; empty if there is none. Throws ModelError for a bad file.
  virtual std::optional<int> find_table(std::string_view name) const;
};

struct ExpressionLimits {
  std::size_t max_length =
      200000;           ///< characters; chains of thousands of masses are written in one energy
  int max_depth = 200;  ///< nesting
};

/// Throws ModelError, also for a part without variables that is not finite (1/0); `where` is the
/// place of the text's first character, columns are advanced by the offset in it.
NodeId parse_expression(std::string_view text, const Source& where, const Scope& scope,
                        Graph& graph, const ExpressionLimits& limits = {});

/// A number with an optional dimension: what a field such as step = "10 ms" holds.
struct Quantity {
  double value = 0.0;
  /// Empty: written without a unit, so SI of whatever the field wants.
  std::optional<Dimension> dimension;
  /// Stands in for a value that is wrong, which has been said: what follows from it is not judged.
  bool doubtful = false;
};

/// Names with known values (parameters).
class ConstantScope {
 public:
  virtual ~ConstantScope() = default;
  virtual std::optional<Quantity> find(std::string_view name) const = 0;
  virtual std::vector<std::string> names() const = 0;
};

/// A constant expression of parameters and units. Adding metres to seconds is an error; a number
/// without a unit fits everything. The result must be finite. In products a number literal counts
/// as a pure number, while a name without a unit may stand for anything: with l = "1 m" and m =
/// 1.0, "2*l" is a length, but "m*l^2" has no known dimension.
Quantity evaluate_constant(std::string_view text, const Source& where, const ConstantScope& scope,
                           const ExpressionLimits& limits = {});

/// sin, cos, ... , if, step, table: with number of arguments and one line of description. For `list
/// functions`.
struct FunctionInfo {
  std::string_view name;
  int arguments;  ///< negative: that many or more (min, max: -2)
  std::string_view description;
  std::string_view signature;  ///< "atan2(y, x)"
};
std::span<const FunctionInfo> all_functions();

/// True for names that a model may not declare: t, pi, T, U and the function names.
bool is_reserved(std::string_view name);
/// [A-Za-z_][A-Za-z0-9_]*
bool is_identifier(std::string_view name);

}  // namespace driftless
