#pragma once
// Misuse: a bad model, a bad option, an impossible combination. Thrown before a run starts, never inside the step
// loop (numerical failure is a value: see base/status.hpp). Several findings may travel in one exception.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

/// A place in a file that the user wrote. line and column count from 1; 0 means "not known".
struct Source {
  std::string file;
  int line = 0;
  int column = 0;
};

/// "file:line:column", as far as it is known.
std::string format_source(const Source& where);

/// One finding: what is wrong, with the value and the bound, and what to do about it.
struct Diagnostic {
  Source where;
  std::string message;  ///< "method.step = -0.1: must be greater than 0"
  std::string remedy;   ///< "give a step in seconds, for example 0.01"; may be empty
  std::size_t more =
      0;  ///< so many further findings are not told: "and 3 more errors after this one"
};

/// "file:line:column: error: message\n    remedy" (parts that are not known are left out).
std::string format_diagnostic(const Diagnostic& diagnostic);

class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Diagnostic> diagnostics);
  explicit ModelError(Diagnostic diagnostic);
  /// Without a place in a file: command line options, C++ callers.
  explicit ModelError(std::string message, std::string remedy = {});

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Gathers findings so that a user sees all of them at once; `finish` throws if there are any, in the order of the
/// file (those without a line first), each once and not more than a screen or two.
class DiagnosticList {
 public:
  void add(Diagnostic diagnostic) { items_.push_back(std::move(diagnostic)); }
  void add(const Source& where, std::string message, std::string remedy = {}) {
    items_.push_back({where, std::move(message), std::move(remedy), 0});
  }
  void add(const DiagnosticList& other) {
    items_.insert(items_.end(), other.items_.begin(), other.items_.end());
  }
  /// Takes over what another stage threw.
  void add(const ModelError& error);
  /// Likewise; what is on the line `where` is said of `element`.
  void add(const ModelError& error, std::string_view element, const Source& where);
  /// Likewise, but not what is at a place of which something has been said already: a later stage may stumble over what
  /// an earlier one has named.
  void add_further(const ModelError& error);
  /// Calls `read` and takes over what it throws, so that the next one is read, too.
  template <class Read>
  void gather(Read&& read) {
    try {
      read();
    } catch (const ModelError& error) {
      add(error);
    }
  }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  void finish() const;

 private:
  std::vector<Diagnostic> items_;
};

/// The known word nearest to `word` (edit distance, at most a third of its length), or empty. One edit of a word of one
/// or two letters leaves little of it: there the first letter must be the same ('X' for 'x', 'x1' for 'x', never 'x' for
/// 'z'), and only one known word may be as near.
std::string find_nearest(std::string_view word, const std::vector<std::string>& known);

/// What may be meant by `word`: the nearest known word, or a few of which it has a part ('length' for 'rest_length'), is a
/// part ('torsion_spring' for 'spring'), is the beginning or the plural.
std::vector<std::string> find_meant(std::string_view word, const std::vector<std::string>& known);

/// "did you mean 'revolute'?" or, without a near one, "known: a, b, c" (cut if they are many).
std::string suggest(std::string_view word, const std::vector<std::string>& known);

}  // namespace driftless
