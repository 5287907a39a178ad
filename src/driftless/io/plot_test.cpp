#include "driftless/io/plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "driftless/io/result_text.hpp"
#include "driftless/io/svg_axis.hpp"
#include "driftless/io/svg_text.hpp"

namespace driftless {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::string make_svg(const Plot& plot, std::size_t* left_out = nullptr) {
  return draw_plot(plot, PictureFormat::svg, left_out);
}

std::vector<std::string> find_labels(const PlotAxis& axis) {
  std::vector<std::string> labels;
  for (const auto& tick : axis.ticks) {
    if (!tick.label.base.empty())
      labels.push_back(tick.label.base + (tick.label.exponent.empty() ? "" : "^") +
                       tick.label.exponent);
  }
  return labels;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto k = text.find(part); k != std::string::npos; k = text.find(part, k + 1)) ++count;
  return count;
}

// Tags are opened and closed in order, and no raw & is left: what an XML reader would stop at.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t k = svg.find('<'); k != std::string::npos; k = svg.find('<', k + 1)) {
    const auto end = svg.find('>', k);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(k + 1, end - k - 1);
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(count_of(svg, "&"), count_of(svg, "&amp;") + count_of(svg, "&lt;") +
                                    count_of(svg, "&gt;") + count_of(svg, "&quot;") +
                                    count_of(svg, "&#39;"));
  for (const char* bad : {"nan", "inf", "e+", "e-"})
    EXPECT_EQ(count_of(svg, std::string("=\"") + bad), 0u);
}

TEST(SvgAxis, TicksAreRound) {
  EXPECT_EQ(find_labels(make_axis(0, 10, false, 10, false)),
            (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}));
  EXPECT_EQ(find_labels(make_axis(-0.31, 0.29, false, 4, true)),
            (std::vector<std::string>{"\xE2\x88\x92"
                                      "0.2",
                                      "0.0", "0.2"}));
  const PlotAxis small = make_axis(0, 3e-9, false, 3, true);
  EXPECT_EQ(find_labels(small), (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(small.note.exponent,
            "\xE2\x88\x92"
            "9");
  EXPECT_DOUBLE_EQ(small.high, 3e-9);
}

TEST(SvgAxis, DecadesAreThinned) {
  EXPECT_EQ(find_labels(make_axis(1e-2, 1e2, true, 8, true)),
            (std::vector<std::string>{"10^\xE2\x88\x92"
                                      "2",
                                      "10^\xE2\x88\x92"
                                      "1",
                                      "1", "10^1", "10^2"}));
  const auto labels = find_labels(make_axis(1e-16, 1e2, true, 7, true));
  EXPECT_LE(labels.size(), 8u);
  EXPECT_EQ(labels.front(),
            "10^\xE2\x88\x92"
            "15");
  EXPECT_GE(find_labels(make_axis(1.0, 1.02, true, 5, true)).size(), 2u) << "less than a decade";
  // Few decades have labels between them, as many as stay apart.
  for (double decades = 0.85; decades < 5.0; decades += 0.13) {
    for (const int most : {3, 5, 8}) {
      const PlotAxis axis = make_axis(123.0, 123.0 * std::pow(10.0, decades), true, most, true);
      std::vector<double> places;
      for (const Tick& tick : axis.ticks)
        if (!tick.label.base.empty()) places.push_back(axis.position(tick.value));
      std::sort(places.begin(), places.end());
      EXPECT_GE(places.size(), most >= 5 ? 3u : 2u) << decades << " decades, " << most;
      for (std::size_t k = 1; k < places.size(); ++k)
        EXPECT_GE(places[k] - places[k - 1], 0.6 / most) << decades << " decades, " << most;
    }
  }
  EXPECT_GE(find_labels(make_axis(1e-300, 1e300, true, 8, true)).size(), 3u);
}

TEST(SvgAxis, HandlesConstantAndOffsetData) {
  const PlotAxis constant = make_axis(5, 5, false, 8, true);
  EXPECT_LT(constant.low, 5);
  EXPECT_GT(constant.high, 5);
  const PlotAxis zero = make_axis(0, 0, false, 8, true);
  EXPECT_LT(zero.low, zero.high);
  const PlotAxis noise = make_axis(1, 1 + 1e-15, false, 8, true);
  EXPECT_GT(noise.high - noise.low, 0.1) << "round-off is not blown up to the whole axis";
  const PlotAxis offset = make_axis(12345.678, 12345.678 + 1e-7, false, 8, true);
  EXPECT_NE(offset.note.tail.find("12345.678"), std::string::npos);
  for (const auto& label : find_labels(offset)) EXPECT_LT(label.size(), 9u);
}

TEST(SvgAxis, StaysOrderedForExtremeData) {
  for (const double low : {-1e300, -1.0, 0.0, 1e-320, 1.0}) {
    for (const double high : {1e-300, 1.0, 1e300}) {
      if (high < low) continue;
      const PlotAxis axis = make_axis(low, high, false, 8, true);
      EXPECT_LT(axis.low, axis.high);
      EXPECT_LE(axis.ticks.size(), 14u);
      for (const auto& tick : axis.ticks) EXPECT_TRUE(std::isfinite(axis.position(tick.value)));
    }
  }
}

TEST(SvgPlot, EscapesTextAndIsWellFormed) {
  Plot plot{.title = "a < b & \"c\" 'd' \x01 \xFF", .x_label = "<x>", .y_label = "&y"};
  plot.curves = {
      {"one & <two>", {0, 1, 2}, {1, kNan, 3}}, {"", {0, 1}, {1e-12, 1e12}}, {"odd", {5}, {5}}};
  const std::string svg = make_svg(plot);
  expect_well_formed(svg);
  EXPECT_NE(svg.find("one &amp; &lt;two&gt;"), std::string::npos);
  EXPECT_NE(svg.find("fill=\"#FFFFFF\""), std::string::npos) << "its own background";
  EXPECT_EQ(make_svg(plot), svg) << "the same bytes each time";
}

TEST(SvgPlot, LeavesGapsAndCountsThem) {
  Plot plot{.log_y = true};
  plot.curves = {{"x", {0, 1, 2, 3, 4, 5, 6}, {1, 10, kNan, -1, kNan, 100, kInf}}};
  std::size_t left_out = 0;
  const std::string svg = make_svg(plot, &left_out);
  EXPECT_EQ(left_out, 4u);
  EXPECT_EQ(count_of(svg, "<circle"), 1u) << "the point between two gaps is seen";
  expect_well_formed(svg);
}

/// Heights of the points of the longest path, which is the only curve.
std::vector<double> find_heights(const std::string& svg) {
  std::string longest;
  for (std::size_t at = svg.find(" d=\"M"); at != std::string::npos;
       at = svg.find(" d=\"M", at + 1)) {
    const std::string path = svg.substr(at + 5, svg.find('"', at + 5) - at - 5);
    if (path.size() > longest.size()) longest = path;
  }
  std::vector<double> heights;
  for (std::size_t at = longest.find(','); at != std::string::npos; at = longest.find(',', at + 1))
    heights.push_back(std::stod(longest.substr(at + 1)));
  return heights;
}

// Were zeros left out, the values beside them would look like those of the whole run.
TEST(SvgPlot, ZerosLieAtTheEndOfALogarithmicAxis) {
  Plot plot{.log_y = true};
  Curve curve{.label = "error"};
  for (int k = 0; k <= 200; ++k) {
    curve.x.push_back(k);
    curve.y.push_back(k % 50 == 25 ? 1e-13 : 0.0);
  }
  plot.curves = {curve};
  std::size_t left_out = 7;
  const std::string svg = make_svg(plot, &left_out);
  EXPECT_EQ(left_out, 0u);
  EXPECT_EQ(count_of(svg, "<circle"), 0u);
  EXPECT_NE(svg.find(">200<"), std::string::npos) << "the axis spans the whole run";
  const std::vector<double> heights = find_heights(svg);
  ASSERT_EQ(heights.size(), curve.x.size());
  for (std::size_t k = 0; k < heights.size(); ++k)
    EXPECT_EQ(heights[k]<heights[0], curve.y[k]> 0.0) << k;  // heights count downwards

  plot.curves[0].y.assign(curve.x.size(), 0.0);
  EXPECT_NE(make_svg(plot, &left_out).find("No point can be drawn"), std::string::npos);
}

TEST(SvgPlot, SaysThatThereIsNothingToDraw) {
  std::size_t left_out = 7;
  EXPECT_NE(make_svg({}, &left_out).find("no data"), std::string::npos);
  EXPECT_EQ(left_out, 0u);
  Plot plot{.log_y = true};
  plot.curves = {{"x", {0, 1}, {-1, kNan}}};
  EXPECT_NE(make_svg(plot, &left_out).find("No point can be drawn"), std::string::npos);
  EXPECT_EQ(left_out, 2u);
}

TEST(SvgPlot, AMillionPointsKeepTheirEnvelopeInASmallFile) {
  Plot plot;
  Curve curve{.label = "x"};
  for (int k = 0; k < 1'000'000; ++k) {
    curve.x.push_back(k);
    curve.y.push_back(std::sin(0.1 * k));
  }
  // Spikes of one sample each, up and down within one column of pixels, in both orders.
  curve.y[333'333] = 4.0;
  curve.y[333'343] = -4.0;
  curve.y[666'666] = -4.0;
  curve.y[666'676] = 4.0;
  plot.curves = {curve};
  const std::string svg = make_svg(plot);
  EXPECT_LT(svg.size(), 150'000u);
  EXPECT_GT(svg.size(), 10'000u);
  // ±4 are the ends of the axis, and the frame goes from 26 to 500 - 38. A band is drawn twice.
  const std::string curves = svg.substr(svg.find("#666666"));  // behind grid and axes
  EXPECT_EQ(count_of(curves, ",26 "), 4u);
  EXPECT_EQ(count_of(curves, ",462 "), 4u);
}

TEST(SvgPlot, ManyCurvesAndLongLabelsStayInside) {
  Plot plot{.width = 300, .height = 200};
  for (int k = 0; k < 60; ++k) {
    plot.curves.push_back({std::string(200, 'w') + std::to_string(k), {0, 1}, {1.0 * k, 2.0 * k}});
  }
  const std::string svg = make_svg(plot);
  EXPECT_NE(svg.find(" more</text>"), std::string::npos);
  EXPECT_EQ(svg.find(std::string(60, 'w')), std::string::npos) << "labels are shortened";
  expect_well_formed(svg);
}

// The texts of a picture, unescaped as far as they occur here.
std::vector<std::string> find_texts(const std::string& svg) {
  std::vector<std::string> texts;
  for (auto k = svg.find("<text"); k != std::string::npos; k = svg.find("<text", k + 1)) {
    const auto begin = svg.find('>', k) + 1;
    texts.push_back(svg.substr(begin, svg.find("</text>", begin) - begin));
  }
  return texts;
}

TEST(SvgPlot, LongTitlesAreWrapped) {
  std::string title;
  for (int k = 0; k < 30; ++k) title += (k > 0 ? " word" : "word") + std::to_string(k % 10);
  Plot plot{.title = title, .curves = {{"a", {0, 1}, {1, 2}}}};
  const std::string svg = make_svg(plot);
  expect_well_formed(svg);
  std::string found;
  std::size_t lines = 0;
  for (const std::string& text : find_texts(svg)) {
    if (text.find("word") == std::string::npos) continue;
    EXPECT_LE(kBold * estimate_width(text, 16), 860 - 110);
    found += (lines++ > 0 ? " " : "") + text;
  }
  EXPECT_EQ(found, title) << "every word once, in order";
  EXPECT_EQ(lines, 3u);

  // The axes give way: what was at 52 is two lines lower.
  EXPECT_NE(svg.find(",92 "), std::string::npos);

  // Of a title that no three lines hold, and of one word, the middle is left out.
  for (const std::string& text : {title + " " + title + " end9", std::string(200, 'n') + "end9"}) {
    plot.title = text;
    const auto texts = find_texts(make_svg(plot));
    const auto last = std::find_if(texts.begin(), texts.end(), [](const auto& each) {
      return each.find("end9") < each.size();
    });
    ASSERT_NE(last, texts.end()) << text;
    EXPECT_NE(last->find("\xE2\x80\xA6"), std::string::npos);
    EXPECT_LE(kBold * estimate_width(*last, 16), 860 - 110);
  }
}

TEST(SvgPlot, LongLabelsOfAxesKeepBeginningAndEnd) {
  const std::string name = "first" + std::string(200, 'n') + "last";
  const Plot plot{.x_label = name, .curves = {{name, {0, 1}, {1, 2}}}};
  std::size_t labels = 0;
  for (const std::string& text : find_texts(make_svg(plot))) {
    if (text.find("first") != 0) continue;
    EXPECT_EQ(text.substr(text.size() - 4), "last");
    EXPECT_LE(estimate_width(text, kFont), labels == 0 ? 860 : 500);
    ++labels;
  }
  EXPECT_EQ(labels, 2u);
}

TEST(SvgText, ShortenedTextFitsAndIsValid) {
  std::mt19937 dice(20263);
  const std::vector<std::string> letters{
      "a", "i", "W", "\xC3\xBC", "\xE2\x88\x92", "\xE6\xBC\xA2", "\xF0\x9F\x99\x82", " "};
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (auto length = dice() % 80; length > 0; --length) text += letters[dice() % letters.size()];
    const double width = 40.0 + dice() % 400;
    const int size = 8 + static_cast<int>(dice() % 20);
    const std::string out = shorten(text, width, size);
    EXPECT_EQ(make_valid_utf8(out), out) << text;
    if (estimate_width(text, size) <= width) {
      EXPECT_EQ(out, text);
    } else {
      EXPECT_LE(estimate_width(out, size), width);
      EXPECT_GT(estimate_width(out, size), width - 3.0 * size) << "more would fit: " << out;
    }
  }
}

std::uint32_t read_number(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < 4; ++k)
    number = number << 8U | static_cast<unsigned char>(bytes[at + k]);
  return number;
}

TEST(PngPlot, IsTwiceAsLargeSignedAndTheSameEachTime) {
  Plot plot{.title = "a < b \x01 \xFF", .x_label = "t", .log_y = true};
  plot.curves = {{"one", {0, 1, 2}, {1, kNan, 3}}, {"two", {0, 1}, {1e-12, 1e12}}};
  std::size_t left_out = 0;
  const std::string png = draw_plot(plot, PictureFormat::png, &left_out);
  ASSERT_GT(png.size(), 2000u);
  EXPECT_EQ(left_out, 1u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(read_number(png, 16), 1720u);
  EXPECT_EQ(read_number(png, 20), 1000u);
  EXPECT_EQ(png.substr(37, 12), "tEXtSoftware");
  // Known value: the check sum of an empty IEND chunk is AE426082.
  EXPECT_EQ(read_number(png, png.size() - 4), 0xAE426082u);
  EXPECT_EQ(draw_plot(plot, PictureFormat::png), png);
}

Plot make_marked(const char* x_label) {
  return {.title = "work",
          .x_label = x_label,
          .log_x = true,
          .log_y = true,
          .markers = true,
          .curves = {{.label = "first", .x = {10, 100, 1000}, .y = {1e-2, 1e-4, 1e-6}},
                     {.label = "second",
                      .x = {20, 300, 5000},
                      .y = {1e-1, 0.0, 1e-3},
                      .hollow = {false, false, true}}},
          .width = 400};
}

TEST(SvgPlot, MarksEveryPoint) {
  std::size_t left_out = 0;
  const std::string svg = make_svg(make_marked("cost"), &left_out);
  expect_well_formed(svg);
  EXPECT_EQ(left_out, 1U);
  // Outlines end with Z: five points that can be drawn and two in the legend.
  EXPECT_EQ(count_of(svg, "Z"), 7U);
  EXPECT_EQ(count_of(svg, "<path fill=\"#FFFFFF\""), 1U) << "the hollow one";
  EXPECT_EQ(count_of(svg, "<circle"), 0U) << "single points are marked already";
  Plot plain = make_marked("cost");
  plain.markers = false;
  EXPECT_EQ(count_of(make_svg(plain), "Z"), 0U);
}

TEST(SvgPlot, PanelsShareTitleAndLegend) {
  const std::vector<Plot> panels{make_marked("evaluations"), make_marked("seconds")};
  std::size_t left_out = 0;
  const std::string svg = draw_panels(panels, PictureFormat::svg, &left_out);
  expect_well_formed(svg);
  EXPECT_EQ(left_out, 2U);
  EXPECT_EQ(count_of(svg, "viewBox=\"0 0 800 500\""), 1U);
  EXPECT_EQ(count_of(svg, ">work<"), 2U) << "title to read and to see";
  for (const char* once : {">first<", ">second<", ">evaluations<", ">seconds<"})
    EXPECT_EQ(count_of(svg, once), 1U) << once;
  EXPECT_EQ(count_of(svg, "Z"), 12U) << "five points twice, two in the legend";
  EXPECT_EQ(draw_panels(panels, PictureFormat::png).substr(1, 3), "PNG");
  expect_well_formed(draw_panels({}, PictureFormat::svg));
}

}  // namespace
}  // namespace driftless
