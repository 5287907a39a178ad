#pragma once
// Names in messages: all of a few, and of many the first ones and how many more there are.

#include <cstddef>
#include <string>
#include <vector>

namespace driftless {

/// "a, b, c"; of more than `most`: "a, b and 17 more".
std::string list_names(const std::vector<std::string>& names, std::size_t most);

/// "'a'", "'a' and 'b'", "'a', 'b' and 'c'"; of more than `most`: "'a', 'b' and 17 more".
std::string join_names(const std::vector<std::string>& names, std::size_t most = 24);

}  // namespace driftless
