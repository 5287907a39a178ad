#include "driftless/io/toml_scan.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {

Source find_source(std::string_view text, std::size_t offset, const std::string& path) {
  offset = std::min(offset, text.size());
  Source where{path, 1, 1};
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n') {
      ++where.line;
      where.column = 1;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {  // not a continuation byte
      ++where.column;
    }
  }
  return where;
}

namespace {

/// Length of the UTF-8 sequence at `i`, or 0 if it is none (also for overlong forms, surrogates,
/// beyond U+10FFFF).
std::size_t find_sequence_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
  };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU && continues(1)) return 2;
  if (first >= 0xE0U && first <= 0xEFU && continues(1) && continues(2)) {
    const bool overlong = first == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = first == 0xEDU && byte(1) >= 0xA0U;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xF0U && first <= 0xF4U && continues(1) && continues(2) && continues(3)) {
    const bool overlong = first == 0xF0U && byte(1) < 0x90U;
    const bool beyond = first == 0xF4U && byte(1) > 0x8FU;
    return overlong || beyond ? 0 : 4;
  }
  return 0;
}

void check_encoding(std::string_view text, const std::string& path) {
  const std::string_view start = text.substr(0, 2);
  if (start == "\xFF\xFE" || start == "\xFE\xFF") {
    throw ModelError({{path, 1, 1}, "the file is UTF-16 text", "save it as UTF-8"});
  }
  if (text.starts_with("\x89HDF")) {
    throw ModelError({{path, 0, 0},
                      "this is an HDF5 file, as of a result, not a model",
                      "a model is a TOML text file; 'driftless info FILE' shows a result"});
  }
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control =
        (byte < 0x20U && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7FU;
    if (control) {
      throw ModelError(
          {find_source(text, i, path),
           fmt::format("byte 0x{:02X}: this is not a text file, or it is damaged", byte),
           "a model is a TOML text file; 'driftless new' prints one"});
    }
    const std::size_t length = find_sequence_length(text, i);
    if (length == 0) {
      throw ModelError({find_source(text, i, path),
                        fmt::format("byte 0x{:02X} is not UTF-8 text", byte),
                        "save the file with the encoding UTF-8"});
    }
    i += length;
  }
}

/// Walks over the text, steps over strings and comments, and counts what toml++ would recurse into.
class BoundsScan {
 public:
  BoundsScan(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  void run() {
    if (text_.starts_with("\xEF\xBB\xBF")) i_ = 3;  // byte order mark
    while (i_ < text_.size()) {
      const char c = text_[i_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        at_line_start_ = text_[i_ - 1] == '\n';  // an unclosed one ends with its line
        continue;
      }
      if (c == '#') {
        skip_to_line_end();
        continue;
      }
      if (static_cast<unsigned char>(c) >= 0x80U) refuse_character();
      if (c == '[' && open_.empty() && at_line_start_) check_header();
      if (c != ' ' && c != '\t') at_line_start_ = c == '\n';
      count(c);
      ++i_;
    }
  }

 private:
  /// toml++ 3.3 takes for granted that a header goes on with a name; what it does otherwise is
  /// undefined.
  void check_header() const {
    std::size_t next = text_.find_first_not_of(" \t", i_ + 1);
    if (next != std::string_view::npos && text_[next] == '[') {
      next = text_.find_first_not_of(" \t", next + 1);
    }
    if (next == std::string_view::npos) return;  // toml++ says that the file ends here
    const char c = text_[next];
    const bool is_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '"' || c == '\'';
    if (is_name || c == ']') return;
    throw ModelError({find_source(text_, next, path_),
                      "the name of the section is missing in its header",
                      "write [section]; names have letters, digits and _"});
  }

  /// TOML has only ASCII there, and toml++ 3.3 cannot classify all other characters.
  [[noreturn]] void refuse_character() const {
    const std::size_t length = find_sequence_length(text_, i_);
    throw ModelError({find_source(text_, i_, path_),
                      fmt::format("the character '{}' may stand in quoted texts and comments only",
                                  text_.substr(i_, length)),
                      "write straight quotes and the minus sign of the keyboard"});
  }

  void count(char c) {
    if (c == '.') {
      if (++dots_ >= kMaxTomlKeyParts) {
        refuse(fmt::format("a key of more than {} parts", kMaxTomlKeyParts),
               "no key of a model has more than five, such as body.crank.frame.tip.at");
      }
      return;
    }
    if (c == '[' || c == '{') open_.push_back(c);
    if ((c == ']' || c == '}') && !open_.empty()) close(c);
    if (open_.size() > kMaxTomlNesting) {
      refuse(fmt::format("brackets nested more than {} deep", kMaxTomlNesting),
             "no value of a model needs that: look for brackets that are not closed");
    }
    if ((c == ',' || c == '=') && ++values_ > kMaxTomlValues) {
      refuse(fmt::format("more than {} values in one file", kMaxTomlValues),
             "put measured data into a CSV file beside the model and name it in [table]");
    }
    if (c == '[' || c == ']' || c == '{' || c == '}' || c == ',' || c == '=' || c == '\n')
      dots_ = 0;
  }

  /// The other way round, [energy] after an unclosed {, is better explained by toml++; in this one
  /// it takes for granted that a value follows.
  void close(char c) {
    if (c == '}' && open_.back() == '[') {
      throw ModelError({find_source(text_, i_, path_), "a ']' is missing before this '}'",
                        "close the list that is open"});
    }
    open_.pop_back();
  }

  void skip_to_line_end() { i_ = std::min(text_.find('\n', i_), text_.size()); }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool long_string = text_.substr(i_, 3) == triple;
    i_ += long_string ? 3 : 1;
    while (i_ < text_.size()) {
      if (quote == '"' && text_[i_] == '\\') {
        i_ = std::min(i_ + 2, text_.size());
      } else if (long_string && text_.substr(i_, 3) == triple) {
        i_ += 3;
        return;
      } else if (!long_string && (text_[i_] == quote || text_[i_] == '\n')) {
        ++i_;
        return;
      } else {
        ++i_;
      }
    }
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    throw ModelError({find_source(text_, i_, path_), what, remedy});
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t i_ = 0;
  std::string open_;  // brackets that are open
  int dots_ = 0;
  long values_ = 0;
  bool at_line_start_ = true;  // only blanks in this line so far
};

}  // namespace

void check_toml_text(std::string_view text, const std::string& path) {
  if (text.size() > kMaxModelFileBytes) {
    throw ModelError({{path, 0, 0},
                      fmt::format("the file has {} bytes; a model may have at most {} (64 MB)",
                                  text.size(), kMaxModelFileBytes),
                      "put measured data into a CSV file beside the model and name it in [table]"});
  }
  check_encoding(text, path);
  BoundsScan(text, path).run();
}

}  // namespace driftless
