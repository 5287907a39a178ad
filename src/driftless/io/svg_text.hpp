#pragma once
// Pieces of SVG as text.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/io/svg_axis.hpp"

namespace driftless {

inline constexpr int kFont = 13, kSmallFont = 10;  ///< sizes in pixels: text, exponents
inline constexpr double kBold = 1.25;  ///< how much wider than estimated bold text may be

/// Any bytes as XML text: markup escaped, control characters blank, invalid UTF-8 replaced.
std::string escape_xml(std::string_view text);

/// Fonts differ; for margins an estimate by kinds of letters is enough.
double estimate_width(std::string_view text, int size);
double estimate_width(const AxisText& text);

/// The text, or as much of its beginning and of its end as fits, with an ellipsis between them: what stands there tells
/// long names apart.
std::string shorten(const std::string& text, double width, int size = kFont);

/// The text in lines that fit, broken between words; what is too much for `most` lines is left out of the last one.
std::vector<std::string> wrap_words(const std::string& text, double width, int size,
                                    std::size_t most);

std::string make_markup(const AxisText& text);

/// A coordinate to a tenth of a pixel.
void append_coordinate(std::string& out, double value);
std::string px(double value);

std::string make_text(double x, double y, const char* anchor, const std::string& markup,
                      const std::string& more = "");
/// For the attribute d of a path.
std::string make_line(double x1, double y1, double x2, double y2);

}  // namespace driftless
