#include "driftless/io/svg_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "driftless/io/result_text.hpp"

namespace driftless {

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : make_valid_utf8(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

double estimate_width(std::string_view text, int size) {
  double width = 0.0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // the rest of a UTF-8 sequence
    const bool narrow = std::string_view("iljtfr.,:;'|!()[] ").find(c) != std::string_view::npos;
    const bool wide = std::string_view("mwMW@%").find(c) != std::string_view::npos;
    const bool upper = c >= 'A' && c <= 'Z';
    const bool square = static_cast<unsigned char>(c) >= 0xE3;  // Chinese, Japanese, Korean, signs
    width += narrow ? 0.34 : square ? 1.0 : wide ? 0.9 : upper ? 0.7 : 0.6;
  }
  return width * size;
}

double estimate_width(const AxisText& text) {
  return estimate_width(text.base + text.tail, kFont) + estimate_width(text.exponent, kSmallFont);
}

std::string shorten(const std::string& text, double width, int size) {
  if (estimate_width(text, size) <= width) return text;
  const std::string whole = make_valid_utf8(text);
  const auto is_inside = [&](std::size_t at) {
    return at < whole.size() && (static_cast<unsigned char>(whole[at]) & 0xC0) == 0x80;
  };
  // Letters are taken from both ends in turn as long as there is room for them and for the ellipsis.
  std::size_t head = 0, tail = whole.size();
  double room = width - size;
  for (bool from_head = true; head < tail; from_head = !from_head) {
    std::size_t begin = from_head ? head : tail - 1, end = from_head ? head + 1 : tail;
    while (is_inside(begin)) --begin;
    while (is_inside(end)) ++end;
    room -= estimate_width(std::string_view(whole).substr(begin, end - begin), size);
    if (room < 0.0) break;
    (from_head ? head : tail) = from_head ? end : begin;
  }
  return whole.substr(0, head) + "\xE2\x80\xA6" + whole.substr(tail);
}

std::vector<std::string> wrap_words(const std::string& text, double width, int size,
                                    std::size_t most) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.size();
    if (lines.size() + 1 < most) {
      end = std::min(text.find(' ', at), text.size());  // a first word has a line, however long
      while (end < text.size()) {
        const std::size_t next = std::min(text.find(' ', end + 1), text.size());
        if (estimate_width(std::string_view(text).substr(at, next - at), size) > width) break;
        end = next;
      }
    }
    lines.push_back(shorten(text.substr(at, end - at), width, size));
    at = std::min(text.find_first_not_of(' ', end), text.size());
  }
  return lines;
}

std::string make_markup(const AxisText& text) {
  std::string out = escape_xml(text.base);
  if (text.exponent.empty()) return out;
  out += "<tspan dy=\"-5\" font-size=\"" + std::to_string(kSmallFont) + "\">" +
         escape_xml(text.exponent) + "</tspan>";
  return text.tail.empty() ? out : out + "<tspan dy=\"5\">" + escape_xml(text.tail) + "</tspan>";
}

void append_coordinate(std::string& out, double value) {
  char text[64];
  const double tenth = std::round(value * 10) / 10 + 0.0;  // + 0.0: no "-0"
  out.append(text, std::to_chars(text, text + sizeof text, tenth).ptr);
}

std::string px(double value) {
  std::string out;
  append_coordinate(out, value);
  return out;
}

std::string make_text(double x, double y, const char* anchor, const std::string& markup,
                      const std::string& more) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", px(x), px(y),
                     anchor, more, markup);
}

std::string make_line(double x1, double y1, double x2, double y2) {
  return fmt::format("M{},{}L{},{}", px(x1), px(y1), px(x2), px(y2));
}

}  // namespace driftless
