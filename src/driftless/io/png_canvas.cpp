#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <cairo.h>

#include "driftless/base/error.hpp"
#include "driftless/io/canvas.hpp"
#include "driftless/io/result_text.hpp"
#include "driftless/io/svg_text.hpp"

namespace driftless {
namespace {

constexpr int kRise = 5;  // of an exponent above its base, as in SVG

struct Colour {
  double red, green, blue;
};

/// "#RRGGBB"
Colour read_colour(std::string_view text) {
  const auto part = [&](std::size_t at) {
    return static_cast<double>(std::strtol(std::string(text.substr(at, 2)).c_str(), nullptr, 16)) /
           255.0;
  };
  return {part(1), part(3), part(5)};
}

/// The check sum of PNG's chunks (ISO 3309).
std::uint32_t find_check_sum(std::string_view bytes) {
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1U) ^ ((sum & 1U) != 0U ? 0xEDB88320U : 0U);
  }
  return ~sum;
}

std::string make_number(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xFFU);
  return bytes;
}

/// Who wrote it, in a chunk of text behind the header.
std::string sign(const std::string& png) {
  constexpr std::size_t kHeader = 8 + 25;  // signature and IHDR
  const std::string chunk = std::string("tEXtSoftware") + '\0' + "driftless";
  const std::string framed = make_number(static_cast<std::uint32_t>(chunk.size() - 4)) + chunk +
                             make_number(find_check_sum(chunk));
  return png.substr(0, kHeader) + framed + png.substr(kHeader);
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(data, data + length);
  return CAIRO_STATUS_SUCCESS;
}

class PngCanvas final : public Canvas {
 public:
  PngCanvas(double width, double height, double scale)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                            static_cast<int>(std::lround(width * scale)),
                                            static_cast<int>(std::lround(height * scale)))),
        pen_(cairo_create(surface_.get())) {
    cairo_scale(pen_.get(), scale, scale);
    cairo_set_source_rgb(pen_.get(), 1.0, 1.0, 1.0);
    cairo_paint(pen_.get());
    cairo_set_line_join(pen_.get(), CAIRO_LINE_JOIN_ROUND);
  }

  void draw_lines(const std::vector<Line>& lines, const Stroke& stroke) override {
    cairo_t* pen = pen_.get();
    for (const Line& line : lines) {
      for (std::size_t k = 0; k < line.size(); ++k) {
        (k == 0 ? cairo_move_to : cairo_line_to)(pen, line[k].x, line[k].y);
      }
    }
    const Colour colour = read_colour(stroke.colour);
    cairo_set_source_rgba(pen, colour.red, colour.green, colour.blue, stroke.opacity);
    cairo_set_line_width(pen, stroke.width);
    cairo_set_dash(pen, stroke.dashes.data(), static_cast<int>(stroke.dashes.size()), 0.0);
    cairo_stroke(pen);
  }

  void draw_dots(const Line& dots, std::string_view colour) override {
    set_colour(colour);
    for (const CanvasPoint& dot : dots) {
      cairo_arc(pen_.get(), dot.x, dot.y, 2.5, 0.0, 2.0 * M_PI);
      cairo_fill(pen_.get());
    }
  }

  void draw_shapes(const std::vector<Line>& outlines, std::string_view fill,
                   const Stroke& stroke) override {
    cairo_t* pen = pen_.get();
    for (const Line& outline : outlines) {
      for (std::size_t k = 0; k < outline.size(); ++k) {
        (k == 0 ? cairo_move_to : cairo_line_to)(pen, outline[k].x, outline[k].y);
      }
      cairo_close_path(pen);
    }
    set_colour(fill);
    cairo_fill_preserve(pen);
    set_colour(stroke.colour);
    cairo_set_line_width(pen, stroke.width);
    cairo_set_dash(pen, nullptr, 0, 0.0);
    cairo_stroke(pen);
  }

  void draw_words(const Words& words) override {
    cairo_t* pen = pen_.get();
    set_colour(words.colour);
    cairo_save(pen);
    cairo_translate(pen, words.at.x, words.at.y);
    if (words.upwards) cairo_rotate(pen, -M_PI / 2.0);
    cairo_select_font_face(pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           words.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    const double width = find_advance(words.text.base, words.size) +
                         find_advance(words.text.exponent, kSmallFont) +
                         find_advance(words.text.tail, words.size);
    const double part = words.anchor == TextAnchor::start ? 0.0
                        : words.anchor == TextAnchor::end ? 1.0
                                                          : 0.5;
    cairo_move_to(pen, -part * width, 0.0);
    show(words.text.base, words.size);
    cairo_rel_move_to(pen, 0.0, -kRise);
    show(words.text.exponent, kSmallFont);
    cairo_rel_move_to(pen, 0.0, kRise);
    show(words.text.tail, words.size);
    cairo_restore(pen);
  }

  std::string finish() override {
    cairo_surface_flush(surface_.get());
    std::string bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface_.get(), append, &bytes);
    if (status != CAIRO_STATUS_SUCCESS) {
      throw ModelError(
          std::string("the picture cannot be drawn: ") + cairo_status_to_string(status),
          "write .svg instead");
    }
    return sign(bytes);
  }

 private:
  void set_colour(std::string_view text) {
    const Colour colour = read_colour(text);
    cairo_set_source_rgb(pen_.get(), colour.red, colour.green, colour.blue);
  }
  /// Control characters have no picture.
  static std::string make_printable(const std::string& text) {
    std::string out = make_valid_utf8(text);
    for (char& c : out) {
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    }
    return out;
  }
  double find_advance(const std::string& text, int size) {
    cairo_set_font_size(pen_.get(), size);
    cairo_text_extents_t extents;
    cairo_text_extents(pen_.get(), make_printable(text).c_str(), &extents);
    return extents.x_advance;
  }
  void show(const std::string& text, int size) {
    if (text.empty()) return;
    cairo_set_font_size(pen_.get(), size);
    cairo_show_text(pen_.get(), make_printable(text).c_str());
  }

  struct Destroy {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* pen) const { cairo_destroy(pen); }
  };
  std::unique_ptr<cairo_surface_t, Destroy> surface_;
  std::unique_ptr<cairo_t, Destroy> pen_;
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(double width, double height, double scale) {
  return std::make_unique<PngCanvas>(width, height, scale);
}

}  // namespace driftless
