#include "command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driftless/base/error.hpp"

namespace driftless::cli {
namespace {

/// What stands beside a word, in lines of at most 100 columns with those that the words take.
std::string wrap(const std::string& help) {
  constexpr std::size_t kColumns = 70;
  std::string out, line;
  for (std::size_t begin = 0; begin < help.size();) {
    const std::size_t end = std::min(help.find(' ', begin), help.size());
    const std::string word = help.substr(begin, end - begin);
    begin = end + 1;
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line;
}

}  // namespace

Verb& Verb::text(const std::string& names, std::string& value, const std::string& help, Need need) {
  app_->add_option(names, value, wrap(help))->required(need == Need::required);
  return note(names);
}

Verb& Verb::text(const std::string& names, std::optional<std::string>& value,
                 const std::string& help) {
  app_->add_option(names, value, wrap(help));
  return note(names);
}

Verb& Verb::choice(const std::string& names, std::function<void(const std::string&)> take,
                   const std::string& type, const std::string& help) {
  app_->add_option_function<std::string>(names, std::move(take), wrap(help))->type_name(type);
  return note(names);
}

Verb& Verb::count(const std::string& names, int& value, int most, const std::string& help) {
  app_->add_option(names, value, wrap(help))->check(CLI::Range(1, most));
  return note(names);
}

Verb& Verb::flag(const std::string& names, bool& value, const std::string& help) {
  app_->add_flag(names, value, wrap(help));
  return note(names, false);
}

Verb& Verb::repeated(const std::string& names, Words& values, const std::string& type,
                     const std::string& help, Need need) {
  app_->add_option(names, values, wrap(help))
      ->take_all()
      ->expected(1)
      ->type_name(type)
      ->required(need == Need::required);
  return note(names);
}

Verb& Verb::list(const std::string& names, Words& values, const std::string& help) {
  app_->add_option(names, values, wrap(help))->delimiter(',');
  return note(names);
}

Verb& Verb::all_arguments(const std::string& name, Words& values, const std::string& help) {
  // The parser puts its own dots behind a name that may be repeated.
  app_->add_option(name, values, wrap(help))->required()->type_name("");
  return note(name);
}

Verb& Verb::note(const std::string& names, bool takes_value) {
  VerbInfo::Place place{{}, Values::none, takes_value};
  std::size_t begin = 0;
  while (begin <= names.size()) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    place.names.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  info_->places.push_back(std::move(place));
  return *this;
}

Verb& Verb::completes(Values values) {
  info_->places.back().values = values;
  return *this;
}

Verb& Verb::hide() {
  app_->group("");
  return *this;
}

Verb& Verb::footer(const std::string& text) {
  app_->footer(text);
  return *this;
}

Verb& Verb::action(std::function<void()> action) {
  app_->callback(std::move(action));
  return *this;
}

// ---- the program -----------------------------------------------------------------------------------

namespace {

/// Of a file where a verb is wanted: what can be done with it.
std::string suggest_verb_for(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  const bool is_result = extension == ".h5" || extension == ".csv";
  return fmt::format("to {0} it: driftless {0} {1}", is_result ? "report" : "run", file);
}

/// "error: there is no verb 'rnu'", with the nearest one.
std::string explain_missing_verb(const CLI::App& app, const std::string& word) {
  if (word.empty() || word.starts_with('-'))
    return "error: a verb is wanted: run, check, compare, ...\n    see driftless --help";
  std::vector<std::string> known;
  const auto is_for_people = [](const CLI::App* verb) { return !verb->get_group().empty(); };
  for (const CLI::App* verb : app.get_subcommands(is_for_people)) known.push_back(verb->get_name());
  known.emplace_back("help");
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(word, ignored);
  return fmt::format("error: there is no verb '{}'\n    {}", word,
                     is_file ? suggest_verb_for(word) : suggest(word, known));
}

/// The first word that looks like an option but is none of the verb's; empty if there is none.
std::string find_unknown_option(const CLI::App& verb, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("--") && verb.get_option_no_throw(name) == nullptr) return name;
  }
  return {};
}

/// "--until is given 2 times", or that its value is missing; empty if that is not what is wrong.
std::string explain_option_count(const CLI::App& verb, const std::vector<std::string>& words) {
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_items_expected_max() != 1) continue;  // may be repeated, or is a flag
    std::vector<std::string> given;
    for (const std::string& word : words) {
      if (word == "--") break;
      if (word.starts_with('-') && option->check_name(word.substr(0, word.find('='))))
        given.push_back(word);
    }
    if (given.size() > 1) {
      return fmt::format("{} is given {} times\n    give it once",
                         given.front().substr(0, given.front().find('=')), given.size());
    }
    if (given.size() == 1 && given.front() == words.back()) {
      return fmt::format("{} has no value\n    see driftless {} --help", given.front(),
                         verb.get_name());
    }
  }
  return {};
}

/// Options before the verb: where they belong; empty if that is not what is wrong.
std::string explain_early_options(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || !words.front().starts_with('-')) return {};
  const auto verbs = app.get_subcommands([](const CLI::App*) { return true; });
  const auto verb = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(verbs.begin(), verbs.end(),
                       [&](const CLI::App* each) { return each->get_name() == word; });
  });
  if (verb == words.end()) return {};
  std::vector<std::string> moved(verb, words.end());
  moved.insert(moved.end(), words.begin(), verb);
  return fmt::format("error: '{}' stands before the verb\n    options follow it: driftless {}",
                     words.front(), fmt::join(moved, " "));
}

/// A word too many behind the value of an option: "5 min" without its quotes; empty if that is not what is wrong.
std::string explain_extra_word(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<std::string> extra = app.remaining(true);
  if (extra.empty()) return {};
  for (std::size_t k = 2; k < words.size(); ++k) {
    const bool follows_value = words[k - 2].starts_with('-') && !words[k - 1].starts_with('-');
    if (words[k] != extra.front() || !follows_value) continue;
    return fmt::format(
        "'{0}' is a word too many\n    a value with a blank in it stands in quotes: {1} \"{2} "
        "{0}\"",
        words[k], words[k - 2], words[k - 1]);
  }
  return {};
}

/// "error: ...", with the nearest option, or with the help of the verb in question.
std::string explain_parse_error(const CLI::ParseError& error, const CLI::App& app,
                                const std::vector<std::string>& words) {
  if (std::string text = explain_early_options(app, words); !text.empty()) return text;
  const auto verbs = app.get_subcommands();
  if (verbs.empty()) {
    if (std::string_view(error.what()) == "A subcommand is required")
      return explain_missing_verb(app, words.empty() ? "" : words.front());
    return fmt::format("error: {}\n    see driftless --help", error.what());
  }
  const CLI::App& verb = *verbs.front();
  const std::string option = find_unknown_option(verb, words);
  if (!option.empty()) {
    std::vector<std::string> known;
    for (const CLI::Option* each : verb.get_options()) {
      for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
    }
    return fmt::format("error: {} has no option '{}'\n    {}", verb.get_name(), option,
                       suggest(option, known));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string text = explain_option_count(verb, words);
    if (!text.empty()) return "error: " + text;
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string text = explain_extra_word(app, words);
    if (!text.empty()) return "error: " + text;
  }
  return fmt::format("error: {}\n    see driftless {} --help", error.what(), verb.get_name());
}

}  // namespace

CommandLine::CommandLine(const std::string& program, const std::string& description,
                         const std::string& footer, const std::string& version)
    : app_(std::make_unique<CLI::App>(description)) {
  app_->name(program);
  app_->footer(footer);
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::add_verb(const std::string& name, const std::string& summary) {
  verbs_.push_back({name, summary, {}});
  return {*app_->add_subcommand(name, wrap(summary)), verbs_.back()};
}

void CommandLine::parse(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "help") {  // help run: run --help
    const std::string verb = argc > 2 ? argv[2] : "";
    const bool known = std::any_of(verbs_.begin(), verbs_.end(),
                                   [&](const VerbInfo& each) { return each.name == verb; });
    if (!verb.empty() && !verb.starts_with('-') && !known)
      throw UsageError(explain_missing_verb(*app_, verb));
    words.erase(words.begin() + 1);
    words.push_back("--help");
  }
  try {
    app_->parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::Success& done) {  // --help, --version
    app_->exit(done);
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain_parse_error(error, *app_, {argv + 1, argv + argc}));
  }
}

}  // namespace driftless::cli
