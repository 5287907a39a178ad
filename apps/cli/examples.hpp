#pragma once
// The model files of models/, which the program carries with it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::cli {

struct Example {
  std::string_view name;  ///< path below models/, without .toml: "four_bar", "elements/gear"
  std::string_view text;
};

/// In the order of their names. Defined in a source that the build makes of the files.
std::span<const Example> all_examples();

/// By the whole name or, if that is unique, by its last part; null: there is none.
const Example* find_example(std::string_view name);

/// What its file says about itself in `description`.
std::string_view find_description(const Example& example);

/// The section [kind.NAME] of a type, as the gallery's model of that type has it; empty if there is none.
std::string find_section(std::string_view kind, std::string_view type);

/// The gallery's model of an element type: "elements/gear"; null if it has none.
const Example* find_gallery_model(std::string_view kind, std::string_view type);

}  // namespace driftless::cli
