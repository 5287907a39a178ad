#pragma once
// What to write instead of a word that no method has.

#include <string>
#include <vector>

namespace driftless {

std::vector<std::string> find_formulation_names();

/// What to do about a word that is none of those known.
std::string suggest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace driftless
