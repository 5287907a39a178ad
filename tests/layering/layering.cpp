#include "tests/layering/layering.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace driftless::layering {
namespace fs = std::filesystem;
namespace {

struct Include {
  std::string path;
  bool quoted = false;
  int line = 0;
};

std::optional<Include> parse_include(std::string_view text, int line) {
  const auto skip_blanks = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  };
  skip_blanks();
  if (!text.starts_with('#')) return {};
  text.remove_prefix(1);
  skip_blanks();
  if (!text.starts_with("include")) return {};
  text.remove_prefix(std::string_view("include").size());
  skip_blanks();
  if (!text.starts_with('"') && !text.starts_with('<')) return {};
  const bool quoted = text.front() == '"';
  text.remove_prefix(1);
  return Include{std::string(text.substr(0, text.find_first_of("\">"))), quoted, line};
}

std::vector<Include> read_includes(const fs::path& file) {
  std::vector<Include> includes;
  std::ifstream in(file);
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    if (auto include = parse_include(text, line)) includes.push_back(std::move(*include));
  }
  return includes;
}

// The sources below `dir`, relative to it, in a fixed order.
std::vector<fs::path> list_sources(const fs::path& dir) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    const auto extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".cpp" || extension == ".hpp")) {
      files.push_back(fs::relative(entry.path(), dir));
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

const Rule* find_rule(const std::vector<Rule>& rules, const std::string& folder) {
  const auto it = std::find_if(rules.begin(), rules.end(),
                               [&](const Rule& rule) { return rule.folder == folder; });
  return it == rules.end() ? nullptr : &*it;
}

std::string list_names(const std::set<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// What is wrong with one include of a file in the folder of `granted`; empty if nothing is.
std::string find_fault(const Include& include, const std::set<std::string>& granted, bool is_test) {
  const fs::path path(include.path);
  const std::string first = path.empty() ? "" : path.begin()->string();
  if (first == "tests" && is_test) return {};
  if (first == "apps" || first == "tests") return "nothing in src/ may include " + include.path;
  if (first != "driftless") {
    if (!include.quoted) return {};
    return "write \"driftless/<folder>/<file>\" for our headers and <...> for others, not \"" +
           include.path + "\"";
  }
  if (std::distance(path.begin(), path.end()) < 3) {
    return "a folder may not include " + include.path + ", which gathers all folders";
  }
  const std::string target = std::next(path.begin())->string();
  if (granted.contains(target)) return {};
  return "may not include " + include.path + " (may: " + list_names(granted) + ")";
}

}  // namespace

std::vector<Rule> read_rules(std::string_view cmake_text) {
  constexpr std::string_view kCall = "driftless_folder(";
  std::vector<Rule> rules;
  std::istringstream lines{std::string(cmake_text)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kCall)) continue;
    std::istringstream words(line.substr(kCall.size(), line.find(')') - kCall.size()));
    Rule rule;
    words >> rule.folder;
    if (find_rule(rules, rule.folder)) {
      throw std::runtime_error("folder '" + rule.folder + "' is declared twice");
    }
    bool in_links = false;
    for (std::string word; words >> word;) {
      const bool is_keyword = word == "LINKS" || word == "EXTERNAL" || word == "EXTERNAL_PRIVATE";
      if (is_keyword) in_links = word == "LINKS";
      if (is_keyword || !in_links) continue;
      if (!find_rule(rules, word)) {
        throw std::runtime_error("folder '" + rule.folder + "' links '" + word +
                                 "', which is not declared above it");
      }
      rule.may_include.insert(word);
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<std::string> find_violations(const fs::path& src_driftless,
                                         const std::vector<Rule>& rules,
                                         const std::string& test_scope) {
  std::vector<std::string> violations;
  for (const auto& file : list_sources(src_driftless)) {
    const std::string name = file.generic_string();
    if (!file.has_parent_path()) continue;  // driftless.hpp and the like gather all folders
    const std::string folder = file.begin()->string();
    const Rule* rule = find_rule(rules, folder);
    if (!rule) {
      violations.push_back(name + ": folder '" + folder + "' has no driftless_folder() line");
      continue;
    }
    const bool is_test = name.ends_with("_test.cpp");
    std::set<std::string> granted = rule->may_include;
    granted.insert(folder);
    if (const Rule* scope = find_rule(rules, test_scope); is_test && scope) {
      granted.insert(scope->may_include.begin(), scope->may_include.end());
      granted.insert(test_scope);
    }
    for (const auto& include : read_includes(src_driftless / file)) {
      const std::string fault = find_fault(include, granted, is_test);
      if (!fault.empty()) {
        violations.push_back(name + ":" + std::to_string(include.line) + ": " + fault);
      }
    }
  }
  return violations;
}

}  // namespace driftless::layering
