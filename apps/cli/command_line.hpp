#pragma once
// Verbs with their arguments and options. The parser behind them is one large header: only command_line.cpp reads it.

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace driftless::cli {

/// What may stand in a place, for completion by the shell.
enum class Values {
  none,  // anything, or nothing at all
  model,
  result,
  file,
  method,
  reference,  // a result or a method
  cost,
  parameter,  // NAME=
  column,     // of the results on the line
  result_or_column,
  style,
  kind,
  word,
  model_template,
  example,
  shell,
  view,
  trail,  // what may leave one, in the results on the line
};

struct VerbInfo {
  struct Place {
    std::vector<std::string> names;  ///< "-o", "--output"; without a dash: an argument by place
    Values values = Values::none;
    bool takes_value = true;  ///< false: a flag
  };
  std::string name;
  std::string summary;
  std::vector<Place> places;
};

/// One verb. What is declared refers to variables, which must live until the words are parsed. Names that start with a
/// dash are options, others are arguments by place; several names of one option are joined by commas.
class Verb {
 public:
  using Words = std::vector<std::string>;
  enum class Need { optional, required };

  Verb(CLI::App& app, VerbInfo& info) : app_(&app), info_(&info) {}

  Verb& text(const std::string& names, std::string& value, const std::string& help,
             Need need = Need::optional);
  Verb& text(const std::string& names, std::optional<std::string>& value, const std::string& help);
  /// One of a few words, taken by `take`, which throws ModelError for others.
  Verb& choice(const std::string& names, std::function<void(const std::string&)> take,
               const std::string& type, const std::string& help);
  Verb& count(const std::string& names, int& value, int most, const std::string& help);
  Verb& flag(const std::string& names, bool& value, const std::string& help);
  /// Every use gives one more value: --set a=1 --set b=2.
  Verb& repeated(const std::string& names, Words& values, const std::string& type,
                 const std::string& help, Need need = Need::optional);
  /// Values separated by commas: --methods a,b.
  Verb& list(const std::string& names, Words& values, const std::string& help);
  /// All arguments by place, at least one.
  Verb& all_arguments(const std::string& name, Words& values, const std::string& help);

  /// What the shell may complete in the place that was declared last.
  Verb& completes(Values values);
  /// Not for people: no help lists it.
  Verb& hide();

  /// What stands below the options in the verb's help: examples.
  Verb& footer(const std::string& text);
  Verb& action(std::function<void()> action);

 private:
  Verb& note(const std::string& names, bool takes_value = true);

  CLI::App* app_;
  VerbInfo* info_;
};

/// The words do not fit the verbs and options. what() says which, with the remedy.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& description, const std::string& footer,
              const std::string& version);
  ~CommandLine();

  Verb add_verb(const std::string& name, const std::string& summary);
  const std::deque<VerbInfo>& verbs() const { return verbs_; }

  /// Runs the action of the verb that is named, or prints the help or version that is asked for. Throws UsageError and
  /// what the action throws.
  void parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::deque<VerbInfo> verbs_;  // a Verb refers to its own
};

}  // namespace driftless::cli
