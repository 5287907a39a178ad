#pragma once
// Names that a user gives: which ones are allowed, that they differ, and how they appear in messages.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/model/model_common.hpp"

namespace driftless {

using Findings = std::vector<Diagnostic>;

/// Looking for the nearest name costs time with many names; a file with this many errors needs no
/// further hints.
inline constexpr std::size_t kMaxSuggestions = 20;

/// As base's suggest(), but silent where an answer would be long: a very long word, or nothing near
/// among many names.
std::string suggest_name(std::string_view word, const std::vector<std::string>& known);

/// A word from the user, fit for a message: a long one is cut.
std::string shorten(std::string_view word);

/// "in line 3, column 1", or "earlier" if the place is not known.
std::string describe_place(const Source& where);

/// Names that must differ from each other, with what they were first declared as.
class Namespace {
 public:
  Namespace(std::string sharing, Findings& findings)
      : sharing_(std::move(sharing)), findings_(findings) {}

  /// Notes a name that is no identifier, is reserved, or was declared before.
  void declare(std::string_view what, const std::string& name, const Source& where);

  /// A name that is checked elsewhere: later ones must differ from it.
  void know(std::string_view what, const std::string& name, const Source& where) {
    first_.try_emplace(name, Declared{std::string(what), where});
  }

 private:
  struct Declared {
    std::string what;
    Source where;
  };
  std::string sharing_;
  Findings& findings_;
  std::unordered_map<std::string, Declared> first_;
};

/// Notes a name that every result has as a column.
void check_column_name(std::string_view what, const std::string& name, const Source& where,
                       Findings& findings);

/// Tables stay beside the model: a model file from somebody else must not be able to read other
/// files.
void check_tables(const std::vector<TableSpec>& tables, Findings& findings);

}  // namespace driftless
