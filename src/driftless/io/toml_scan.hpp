#pragma once
// A look at the text before the TOML parser sees it: is it UTF-8 text at all, and is it small and
// flat enough that parsing it cannot exhaust stack or memory? (toml++ 3.3 does not bound the depth
// of dotted keys.)

#include <string>
#include <string_view>

#include "driftless/base/error.hpp"

namespace driftless {

inline constexpr std::size_t kMaxModelFileBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxTomlNesting = 32;  ///< brackets within brackets
inline constexpr int kMaxTomlKeyParts = 16;         ///< a.b.c has three
inline constexpr long kMaxTomlValues = 4000000;     ///< in one file

/// Throws ModelError with the place and the bound.
void check_toml_text(std::string_view text, const std::string& path);

/// Line and column (in characters, from 1) of a byte offset.
Source find_source(std::string_view text, std::size_t offset, const std::string& path);

/// What toml++ says, in the words of somebody who writes a model file.
Diagnostic reword_toml_error(std::string_view description, const Source& where,
                             std::string_view text);

struct LineRange {
  int first = 0;  ///< from 1; 0: none
  int last = 0;
};

/// If toml++ complains of a key or section that is given twice: the lines of the second one, without which the rest of
/// the file can be read.
LineRange find_duplicate_lines(std::string_view description, const Source& where,
                               std::string_view text);

}  // namespace driftless
