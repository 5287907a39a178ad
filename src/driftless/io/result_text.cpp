#include "driftless/io/result_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace driftless {

void append_number(std::string& out, double value) {
  if (std::isnan(value)) {  // to_chars would write the sign of a NaN
    out += "nan";
    return;
  }
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

std::string format_number(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

std::string_view trim_text(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

namespace {

// from_chars says only "out of range". Which way, the decimal exponent of the first non-zero digit
// tells: a number near neither end of the range is never out of range, so the sign of that exponent
// decides.
double resolve_out_of_range(std::string_view text) {
  const bool negative = text.front() == '-';
  if (negative) text.remove_prefix(1);
  long exponent = 0;
  const auto e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    auto digits = text.substr(e + 1);
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (parsed.ec == std::errc::result_out_of_range) {
      exponent = digits.front() == '-' ? -1'000'000'000 : 1'000'000'000;
    }
    text = text.substr(0, e);
  }
  const auto point = std::min(text.find('.'), text.size());
  const auto leading = text.find_first_not_of("0.");
  if (leading != std::string_view::npos) {
    exponent += static_cast<long>(point) - static_cast<long>(leading);
  }
  const double size = exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -size : size;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trim_text(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  double value = 0.0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (status == std::errc::result_out_of_range) return resolve_out_of_range(text);
  if (status != std::errc{}) return std::nullopt;
  return value;
}

namespace {

// Length of the valid UTF-8 sequence at the start of `text`, 0 if there is none. Overlong forms,
// surrogates and values beyond U+10FFFF are invalid (RFC 3629): the bounds of the second byte
// exclude them.
std::size_t find_utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  std::size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) length = 2;
  if (first >= 0xE0 && first <= 0xEF) length = 3;
  if (first >= 0xF0 && first <= 0xF4) length = 4;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  if (length == 0 || length > text.size() || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if (byte(k) < 0x80 || byte(k) > 0xBF) return 0;
  }
  return length;
}

}  // namespace

std::string make_valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = find_utf8_length(text);
    out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string escape_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\0': out += "\\0"; break;
      default: out += c;
    }
  }
  return out;
}

std::string unescape_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 1 == text.size()) {
      out += text[k];
      continue;
    }
    const char c = text[++k];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c == '0' ? '\0' : c;
  }
  return out;
}

}  // namespace driftless
