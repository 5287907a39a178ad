#pragma once
// SHA-256 (FIPS 180-4) and Base64 (RFC 4648): how a page names a model and carries numbers.

#include <span>
#include <string>
#include <string_view>

namespace driftless {

/// 64 hexadecimal digits, as sha256sum prints them.
std::string find_sha256(std::string_view text);

/// Appends the bytes as Base64, padded.
void append_base64(std::string& out, std::span<const unsigned char> bytes);

}  // namespace driftless
