#pragma once
// Single values of a model file: from TomlNode to the Text, Value and MatrixText of the model. A
// value of the wrong kind is noted, and a doubtful one takes its place, so that one mistake
// is reported once and reading goes on.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/value.hpp"
#include "driftless/io/toml_tree.hpp"
#include "driftless/model/equation_model.hpp"

namespace driftless {

/// Findings so far; finish() throws them in the file's order.
class FindingList : public DiagnosticList {
 public:
  using DiagnosticList::add;
  void add(std::vector<Diagnostic> findings);
  /// "parameters.x: message" for a key that is not known here, with the nearest one.
  void add_unknown(std::string_view section, const TomlEntry& entry,
                   const std::vector<std::string>& known);
  /// "a.b is a list; wanted: a number"
  void add_wrong_kind(std::string_view key, const TomlNode& found, std::string_view wanted);
};

/// "section.key", fit for a message.
std::string join_key(std::string_view section, std::string_view key);

/// A number or a text with an expression.
Text read_text(std::string_view key, const TomlNode& node, FindingList& findings);

/// A list of them, or one alone.
std::vector<Text> read_texts(std::string_view key, const TomlNode& node, FindingList& findings);

/// Words for people, such as a name: a text that is no expression.
std::string read_words(std::string_view key, const TomlNode& node, FindingList& findings);

/// A list of rows. With `diagonal`, a flat list or a single value means the matrix that has it on
/// its diagonal. `n`: the number of coordinates.
MatrixText read_matrix(std::string_view key, const TomlNode& node, bool diagonal, std::size_t n,
                       FindingList& findings);

/// Anything but dates and numbers that are not finite.
Value read_value(std::string_view key, const TomlNode& node, FindingList& findings);

}  // namespace driftless
