#include "driftless/io/scene_paint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

// As on the report page.
constexpr std::array kColours{"#3b78c9", "#e0812a", "#3f9e68", "#c25584", "#8265c4", "#1c9bb0",
                              "#b08a2c", "#cc5249", "#99adf7", "#97bd95", "#9d2288", "#8b5002",
                              "#2d6d5f", "#5248c7", "#f7619a", "#8ec620", "#af71f2", "#bb1f54",
                              "#39bcc3", "#076798", "#45841a", "#cf7acd", "#ed7470", "#e2a263"};

constexpr std::string_view kStyle = R"(<style>
.paper{fill:#fbfcfe}.grid{stroke:#e3e9f1}.text{fill:#6b7a8c;font:120px system-ui,sans-serif}
.title{fill:#2b3746;font:600 170px system-ui,sans-serif}
.joint{fill:#fff;stroke:#2b3746}.pin{fill:#2b3746}.block{fill:#d5dde8;stroke:#2b3746}
.foot{fill:#d5dde8;stroke:#6b7a8c}.guide,.pull{stroke:#9aa7b7}.link,.belt,.pole{stroke:#7d8b9c}.spring{stroke:#96610a}
.trail{stroke:#c0392b;opacity:.28}.comet{stroke:#c0392b}
@media(prefers-color-scheme:dark){.paper{fill:#151c25}.grid{stroke:#222c38}.text{fill:#8494a8}.title{fill:#dbe3ec}
.joint{fill:#e8edf3;stroke:#0c1117}.pin{fill:#c9d3df}.block{fill:#3a4656;stroke:#c9d3df}
.foot{fill:#3a4656;stroke:#8494a8}.guide,.pull{stroke:#5d6c7f}.link,.belt,.pole{stroke:#8494a8}.spring{stroke:#e0b25c}
.trail,.comet{stroke:#ff8f7f}}
@media(prefers-reduced-motion:reduce){.moving{display:none}.still{display:inline}}
</style>
)";

/// Towards black (share < 0) or white (share > 0).
std::string shade(const char* colour, double share) {
  std::string out = "#";
  for (int k = 0; k < 3; ++k) {
    const int value = std::stoi(std::string(colour + 1 + 2 * k, 2), nullptr, 16);
    const double mixed = share < 0 ? value * (1 + share) : value + (255 - value) * share;
    out += fmt::format("{:02x}", static_cast<int>(std::lround(mixed)));
  }
  return out;
}

const char* find_colour(const Figure& figure) {
  return kColours[static_cast<std::size_t>(figure.colour) % kColours.size()];
}

/// A dark edge, the body's colour, and a gleam along the middle: the same path three times.
void append_rod(std::string& svg, const Figure& figure, const std::string& id,
                const std::string& path, double width) {
  const char* colour = find_colour(figure);
  svg += fmt::format("<defs><path id=\"{}\" fill=\"none\" {}</defs>", id, path);
  const auto use = [&](const std::string& stroke, double thick, const char* more) {
    svg += fmt::format("<use href=\"#{}\" stroke=\"{}\" stroke-width=\"{:.0f}\"{}/>", id, stroke,
                       thick, more);
  };
  use(shade(colour, -0.35), width + 16, "");
  use(colour, width, "");
  use(shade(colour, 0.55), 0.22 * width, " opacity=\".55\"");
  svg += "\n";
}

/// Attributes of a body's outline.
std::string paint_body(const Figure& figure, double width) {
  const char* colour = find_colour(figure);
  if (figure.style == "spoke" || figure.style == "stripe") {
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:.0f}\" ",
                       shade(colour, figure.style == "spoke" ? -0.15 : 0.6), std::max(width, 14.0));
  }
  std::string fill = colour;
  double opacity = figure.bulky ? 0.5 : 0.94;
  if (figure.style == "plate") opacity = 0.28;
  if (figure.style == "cap") fill = shade(colour, 0.32);
  if (figure.style == "side") fill = shade(colour, -0.18);
  return fmt::format("fill=\"{}\" fill-opacity=\"{:.2f}\" stroke=\"{}\" stroke-width=\"12\" ", fill,
                     opacity, shade(colour, -0.35));
}

/// Attributes of what belongs to no body; the colours are in the style sheet.
std::string paint_fitting(const Figure& figure, double width) {
  const std::string& style = figure.style;
  const bool filled = style == "block" || style == "foot";
  const bool dashed = style == "guide" || style == "pull";
  const bool rubber = style == "spring" && figure.kind == Figure::Kind::lines;  // of a stop
  const bool broad = style == "link" || style == "pole" || rubber;
  const bool drawn = style == "spring" || style == "belt";
  const double stroke = broad ? std::max(width, 24.0) : drawn ? 22.0 : 14.0;
  return fmt::format("class=\"{}\" stroke-width=\"{:.0f}\"{}{} ", style, stroke,
                     filled ? "" : " fill=\"none\"", dashed ? " stroke-dasharray=\"60 50\"" : "");
}

void append_circles(std::string& svg, const Figure& figure, double radius) {
  if (figure.style == "joint") {
    svg += fmt::format("<circle class=\"joint\" r=\"{:.0f}\" stroke-width=\"{:.0f}\"/>",
                       std::max(radius, 26.0), std::max(0.42 * radius, 14.0));
    return;
  }
  if (figure.colour < 0) {
    svg += fmt::format("<circle class=\"{}\" r=\"{:.0f}\"/>", figure.style, std::max(radius, 18.0));
    return;
  }
  const char* colour = find_colour(figure);
  const double r = std::max(radius, 24.0);
  svg += fmt::format(
      "<circle r=\"{:.0f}\" fill=\"{}\" fill-opacity=\"{}\" stroke=\"{}\" stroke-width=\"16\"/>", r,
      colour,
      figure.style == "wheel" ? ".42"
      : figure.bulky          ? ".6"
                              : "1",
      shade(colour, -0.35));
  if (figure.style == "wheel") return;
  svg +=
      fmt::format("<circle cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"{:.0f}\" fill=\"#fff\" opacity=\".3\"/>",
                  -0.28 * r, -0.32 * r, 0.38 * r);
}

}  // namespace

std::string_view svg_style_sheet() { return kStyle; }

std::string make_animate(const char* element, const char* attribute,
                         const std::vector<std::string>& values, const std::string& timing) {
  const auto same = [&](const std::string& value) { return value == values[0]; };
  if (std::all_of(values.begin(), values.end(), same)) return {};
  return fmt::format("<{} attributeName=\"{}\" {} values=\"{}\"/>", element, attribute, timing,
                     fmt::join(values, ";"));
}

void append_painted(std::string& svg, const Figure& figure, double scale,
                    const std::vector<std::string>& values, const std::string& id,
                    const std::string& timing) {
  const double width = figure.width * scale;
  if (figure.kind == Figure::Kind::dot) {
    svg += fmt::format("<g transform=\"translate({})\">", values[0]);
    append_circles(svg, figure, width / 2);
    svg += make_animate("animateTransform", "transform", values, timing) + "</g>\n";
    return;
  }
  const std::string animate = make_animate("animate", "d", values, timing);
  const std::string path =
      fmt::format("d=\"{}\"{}", values[0], animate.empty() ? "/>" : ">" + animate + "</path>");
  if (figure.style == "rod") {
    append_rod(svg, figure, id, path, std::max(width, 28.0));
  } else if (figure.colour >= 0) {
    svg += "<path " + paint_body(figure, width) + path + "\n";
  } else {
    svg += "<path " + paint_fitting(figure, width) + path + "\n";
  }
}

}  // namespace driftless
