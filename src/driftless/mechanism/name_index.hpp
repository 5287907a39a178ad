#pragma once
// Where a name stands in a list that only grows: found at once, also among a hundred thousand.

#include <string>
#include <string_view>
#include <unordered_map>

namespace driftless {

class NameIndex {
 public:
  /// The first entry of `list` with that name, -1: none. `name_of(entry)` is its name, which must not change any more.
  template <class List, class NameOf>
  int find(std::string_view name, const List& list, NameOf&& name_of) {
    for (; known_ < list.size(); ++known_)
      places_.try_emplace(std::string(name_of(list[known_])), static_cast<int>(known_));
    const auto found = places_.find(std::string(name));
    return found == places_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<std::string, int> places_;
  std::size_t known_ = 0;  // entries that are in places_
};

}  // namespace driftless
