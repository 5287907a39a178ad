#pragma once
// Numbers as text, in both directions exactly and without a locale; and the escapes of one-line
// values.

#include <optional>
#include <string>
#include <string_view>

namespace driftless {

/// Appends the shortest digits that read back as the same double; "nan", "inf", "-inf".
void append_number(std::string& out, double value);
std::string format_number(double value);

/// The whole of `text` (spaces around it allowed, also a leading +) as a number, else nothing.
/// Knows nan and inf. Numbers beyond the range of double become infinite or zero with their sign.
std::optional<double> parse_number(std::string_view text);

std::string_view trim_text(std::string_view text);

/// Each byte that is no part of a valid UTF-8 sequence becomes U+FFFD.
std::string make_valid_utf8(std::string_view text);

/// Makes any bytes fit on one line: \\ \n \r and \0; `unescape_line` undoes it.
std::string escape_line(std::string_view text);
std::string unescape_line(std::string_view text);

}  // namespace driftless
