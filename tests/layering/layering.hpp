// The dependency rule of src/driftless, read from its CMakeLists.txt and checked against the #include
// lines. The rule has one home, the driftless_folder(...) lines; nothing here names a folder.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::layering {

// One line `driftless_folder(saddle LINKS math base ...)`.
struct Rule {
  std::string folder;
  std::set<std::string> may_include;  // without the folder itself
};

// The rules in the order of the file. Throws std::runtime_error for a repeated folder, or for a link to a
// folder that is not declared above it (so that no cycle can be written down).
std::vector<Rule> read_rules(std::string_view cmake_text);

// What is wrong in the tree below `src_driftless`, one sentence per finding, in the order of the paths:
//  - an include from a folder that the rule does not grant. A *_test.cpp may also include what the folder
//    `test_scope` may include, that folder itself, and files of tests/;
//  - an include of ours that is not written as "driftless/<folder>/<file>";
//  - a folder without a rule.
std::vector<std::string> find_violations(const std::filesystem::path& src_driftless,
                                         const std::vector<Rule>& rules,
                                         const std::string& test_scope);

}  // namespace driftless::layering
