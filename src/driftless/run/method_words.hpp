#pragma once
// The alternatives of a variant of specs by their names: what reading and listing methods share.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace driftless {

template <class Variant, std::size_t Index = 0, class Function>
void for_each_alternative(Function&& function) {
  if constexpr (Index < std::variant_size_v<Variant>) {
    function(std::variant_alternative_t<Index, Variant>{});
    for_each_alternative<Variant, Index + 1>(function);
  }
}

template <class Variant>
std::vector<std::string> find_names() {
  std::vector<std::string> names;
  for_each_alternative<Variant>([&](const auto& spec) { names.emplace_back(spec.kName); });
  return names;
}

/// Another name of baumgarte, with gains in the form of those who call it so: Phi'' + 2 alpha Phi' + beta^2 Phi = 0.
inline constexpr std::string_view kConstraintStabilisation = "cs";

template <class Variant>
std::optional<Variant> find_spec(std::string_view name) {
  std::optional<Variant> found;
  for_each_alternative<Variant>([&](const auto& spec) {
    if (spec.kName == name) found = spec;
  });
  return found;
}

}  // namespace driftless
