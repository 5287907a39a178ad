#include <fmt/format.h>

#include "driftless/io/canvas.hpp"
#include "driftless/io/svg_text.hpp"

namespace driftless {
namespace {

const char* find_anchor(TextAnchor anchor) {
  switch (anchor) {
    case TextAnchor::start: return "start";
    case TextAnchor::middle: return "middle";
    case TextAnchor::end: return "end";
  }
  return "start";
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(double width, double height, const std::string& title) {
    const std::string size = "width=\"" + px(width) + "\" height=\"" + px(height) + "\"";
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " + px(width) +
           " " + px(height) + "\" role=\"img\" font-family=\"sans-serif\" font-size=\"" +
           std::to_string(kFont) + "\" stroke-linejoin=\"round\">\n";
    if (!title.empty()) out_ += "<title>" + escape_xml(title) + "</title>\n";
    out_ += "<rect " + size + " fill=\"#FFFFFF\"/>\n";
  }

  void draw_lines(const std::vector<Line>& lines, const Stroke& stroke) override {
    out_ += "<path d=\"";
    for (const Line& line : lines) {
      for (std::size_t k = 0; k < line.size(); ++k) {
        out_ += k == 0 ? 'M' : ' ';
        append_coordinate(out_, line[k].x);
        out_ += ',';
        append_coordinate(out_, line[k].y);
      }
    }
    out_ += fmt::format("\" fill=\"none\" stroke=\"{}\"", stroke.colour);
    if (stroke.width != 1.0) out_ += fmt::format(" stroke-width=\"{}\"", stroke.width);
    if (!stroke.dashes.empty())
      out_ += fmt::format(" stroke-dasharray=\"{}\"", fmt::join(stroke.dashes, " "));
    if (stroke.opacity != 1.0) out_ += fmt::format(" stroke-opacity=\"{}\"", stroke.opacity);
    out_ += "/>\n";
  }

  void draw_dots(const Line& dots, std::string_view colour) override {
    out_ += fmt::format("<g fill=\"{}\">", colour);
    for (const CanvasPoint& dot : dots)
      out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"2.5\"/>", px(dot.x), px(dot.y));
    out_ += "</g>\n";
  }

  void draw_shapes(const std::vector<Line>& outlines, std::string_view fill,
                   const Stroke& stroke) override {
    out_ += fmt::format("<path fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\" d=\"", fill,
                        stroke.colour, stroke.width);
    for (const Line& outline : outlines) {
      for (std::size_t k = 0; k < outline.size(); ++k) {
        out_ += k == 0 ? 'M' : ' ';
        append_coordinate(out_, outline[k].x);
        out_ += ',';
        append_coordinate(out_, outline[k].y);
      }
      out_ += 'Z';
    }
    out_ += "\"/>\n";
  }

  void draw_words(const Words& words) override {
    std::string more = fmt::format(" fill=\"{}\"", words.colour);
    if (words.size != kFont) more += fmt::format(" font-size=\"{}\"", words.size);
    if (words.bold) more += " font-weight=\"600\"";
    if (words.upwards)
      more += fmt::format(" transform=\"rotate(-90 {} {})\"", px(words.at.x), px(words.at.y));
    out_ +=
        make_text(words.at.x, words.at.y, find_anchor(words.anchor), make_markup(words.text), more);
  }

  std::string finish() override { return out_ + "</svg>\n"; }

 private:
  std::string out_;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height, const std::string& title) {
  return std::make_unique<SvgCanvas>(width, height, title);
}

}  // namespace driftless
