// driftless completion, complete: the shell asks the program itself what may come next, so that it knows the verbs, the
// methods and parameters of the model on the line, and the columns of the results on the line.

#include <algorithm>
#include <filesystem>
#include <set>

#include "commands.hpp"
#include "examples.hpp"
#include <fmt/format.h>

#include "driftless/io/page.hpp"
#include "driftless/io/result_files.hpp"
#include "driftless/io/templates.hpp"

namespace driftless::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kBash = R"(_driftless() {
  local IFS=$'\n'
  COMPREPLY=($(driftless complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[/=] ]] && compopt -o nospace
}
complete -F _driftless driftless
)";

constexpr std::string_view kZsh = R"(#compdef driftless
_driftless() {
  local -a found
  found=("${(@f)$(driftless complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n ${found[1]} ]] && compadd -S '' -a found
}
# Found in fpath, this file is the body of the function that is called first; sourced, it is not.
if [[ ${funcstack[1]} == _driftless ]]; then
  _driftless "$@"
else
  compdef _driftless driftless
fi
)";

constexpr std::string_view kFish =
    R"(complete -c driftless -f -a '(driftless complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
)";

/// Files and folders that begin with `text`, the files with one of the endings (none: all).
Words find_files(const std::string& text, const std::set<std::string>& endings) {
  const std::filesystem::path given(text);
  const std::filesystem::path folder = given.parent_path();
  std::error_code error;
  Words found;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(given.filename().string())) continue;
    if (name.starts_with('.') && !given.filename().string().starts_with('.')) continue;
    if (entry.is_directory(error)) {
      found.push_back((folder / name).string() + "/");
    } else if (endings.empty() || endings.contains(entry.path().extension().string())) {
      found.push_back((folder / name).string());
    }
  }
  return found;
}

const std::set<std::string> kResultEndings{".h5", ".csv"};

/// Names in the model that is on the line; none if there is no model or it cannot be read.
Words find_in_model(const Words& line, Values values) {
  Words found;
  for (const std::string& word : line) {
    if (!word.ends_with(".toml")) continue;
    try {
      const ModelFile file = read_model_file(word);
      if (values == Values::method) {
        for (const MethodSpec& method : file.methods) found.push_back(method.name);
      } else {
        for (const auto& parameter : file.common().parameters)
          found.push_back(parameter.name + "=");
      }
    } catch (const std::exception&) {
      return {};  // `check` tells what is wrong
    }
  }
  return found;
}

Words find_columns(const Words& line) {
  Words found;
  for (const std::string& word : line) {
    if (!kResultEndings.contains(std::filesystem::path(word).extension().string())) continue;
    try {
      for (const Column& column : read_overview(word).ends.columns) found.push_back(column.name);
    } catch (const std::exception&) {
      continue;
    }
  }
  return found;
}

/// Joints, bodies and frames of the mechanism that was run.
Words find_trails(const Words& line) {
  Words found;
  for (const std::string& word : line) {
    if (!kResultEndings.contains(std::filesystem::path(word).extension().string())) continue;
    try {
      const SceneOfRun scene = find_scene(read_overview(word).ends.info);
      for (const SceneBody& body : scene.scene.bodies) {
        found.push_back(body.name);
        for (const SceneMark& mark : body.marks) found.push_back(mark.name);
      }
      for (const SceneElement& element : scene.scene.elements) found.push_back(element.name);
    } catch (const std::exception&) {
      continue;
    }
  }
  return found;
}

Words find_methods(const Words& line) {
  Words found = find_in_model(line, Values::method);
  for (const Preset& preset : all_presets()) found.emplace_back(preset.name);
  for (const WordInfo& word : all_words()) {
    if (word.kind == "formulation") found.push_back(word.name);
  }
  return found;
}

Words find_values(Values values, const Words& line) {
  const std::string& text = line.back();
  Words found;
  switch (values) {
    case Values::none: return {};
    case Values::model: return find_files(text, {".toml"});
    case Values::result: return find_files(text, kResultEndings);
    case Values::file: return find_files(text, {});
    case Values::method: return find_methods(line);
    case Values::reference: {
      found = find_methods(line);
      const Words files = find_files(text, kResultEndings);
      found.insert(found.end(), files.begin(), files.end());
      return found;
    }
    case Values::cost: return {"evaluations", "cpu", "step"};
    case Values::parameter: return find_in_model(line, Values::parameter);
    case Values::column: return find_columns(line);
    case Values::result_or_column: {
      found = find_columns(line);
      const Words files = find_files(text, kResultEndings);
      found.insert(found.end(), files.begin(), files.end());
      return found;
    }
    case Values::style: return {"text", "json"};
    case Values::kind: return all_listed();
    case Values::word: return all_explained();
    case Values::model_template:
      for (const TemplateInfo& each : all_templates()) found.emplace_back(each.name);
      return found;
    case Values::example:
      for (const Example& each : all_examples()) {
        found.emplace_back(each.name);
        const std::string stem(each.name.substr(each.name.rfind('/') + 1));
        if (stem != each.name && !text.empty() && find_example(stem) != nullptr)
          found.push_back(stem);  // which does as well
      }
      return found;
    case Values::shell: return {"bash", "zsh", "fish"};
    case Values::view: return {"front", "top", "side", "corner"};
    case Values::trail: return find_trails(line);
  }
  return {};
}

const VerbInfo::Place* find_option(const VerbInfo& verb, const std::string& name) {
  for (const VerbInfo::Place& place : verb.places) {
    if (std::find(place.names.begin(), place.names.end(), name) != place.names.end()) return &place;
  }
  return nullptr;
}

/// The argument by place at the end of the line: the last one that the verb has goes on for all that follow.
const VerbInfo::Place* find_argument(const VerbInfo& verb, const Words& line) {
  std::size_t index = 0;
  for (std::size_t k = 1; k + 1 < line.size(); ++k) {
    const VerbInfo::Place* option = find_option(verb, line[k]);
    if (option != nullptr && option->takes_value) {
      ++k;
    } else if (!line[k].starts_with('-')) {
      ++index;
    }
  }
  const VerbInfo::Place* last = nullptr;
  for (const VerbInfo::Place& place : verb.places) {
    if (place.names[0].starts_with('-')) continue;
    last = &place;
    if (index-- == 0) break;
  }
  return last;
}

/// All words that may stand at the end of the line. The last word is the one that is being written.
Words find_candidates(const CommandLine& commands, const Words& line) {
  Words found;
  if (line.size() == 1) {
    for (const VerbInfo& verb : commands.verbs()) {
      if (verb.name != "complete") found.push_back(verb.name);
    }
    found.insert(found.end(), {"--help", "--version"});
    return found;
  }
  const auto verb = std::find_if(commands.verbs().begin(), commands.verbs().end(),
                                 [&](const VerbInfo& each) { return each.name == line[0]; });
  if (verb == commands.verbs().end()) return {};
  const VerbInfo::Place* before = find_option(*verb, line[line.size() - 2]);
  if (before != nullptr && before->takes_value && line[line.size() - 2].starts_with('-'))
    return find_values(before->values, line);
  if (line.back().starts_with('-')) {
    for (const VerbInfo::Place& place : verb->places) {
      if (place.names.back().starts_with('-')) found.push_back(place.names.back());
    }
    found.emplace_back("--help");
    return found;
  }
  const VerbInfo::Place* argument = find_argument(*verb, line);
  return argument == nullptr ? Words{} : find_values(argument->values, line);
}

void print_candidates(const CommandLine& commands, Words line) {
  if (line.empty()) line.emplace_back();
  // Lists: only the part behind the last comma is being written.
  const std::size_t comma = line.back().rfind(',');
  const std::string kept = comma == std::string::npos ? "" : line.back().substr(0, comma + 1);
  line.back().erase(0, kept.size());
  const Words candidates = find_candidates(commands, line);
  std::set<std::string> found;
  for (const std::string& each : candidates) {
    if (!each.empty() && each.starts_with(line.back())) found.insert(kept + each);
  }
  for (const std::string& each : found) fmt::print("{}\n", each);
}

void print_script(const std::string& shell) {
  if (shell == "bash") {
    fmt::print("{}", kBash);
  } else if (shell == "zsh") {
    fmt::print("{}", kZsh);
  } else if (shell == "fish") {
    fmt::print("{}", kFish);
  } else {
    throw ModelError("there is no completion for '" + shell + "'", "known: bash, zsh, fish");
  }
}

}  // namespace

void add_completion(CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  Verb script = line.add_verb("completion", "a script that completes words in the shell");
  script.text("SHELL", *shell, "bash, zsh or fish", Verb::Need::required).completes(Values::shell);
  script.footer(R"(Examples:
  source <(driftless completion bash)        now; for always, put this line into ~/.bashrc
  driftless completion zsh > ~/.zfunc/_driftless
  driftless completion fish > ~/.config/fish/completions/driftless.fish)");
  script.action([shell] { print_script(*shell); });

  auto words = std::make_shared<Words>();
  Verb complete = line.add_verb("complete", "what may stand at the end of a line");
  complete.all_arguments("WORDS", *words, "the words behind `driftless`, the last one unfinished");
  complete.hide();
  complete.action([words, &line] { print_candidates(line, *words); });
}

}  // namespace driftless::cli
