#include "driftless/io/templates.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/io/templates_mechanism.hpp"
#include "driftless/io/templates_text.hpp"

namespace driftless {

namespace {

constexpr std::array<std::string_view, 2> kJoints{"revolute", "spherical"};
constexpr std::array<TemplateOption, 1> kFourBarOptions{{{"n", 2, 1, 100000, "number of loops"}}};
constexpr std::array<TemplateOption, 2> kChainOptions{
    {{"n", 3, 1, 100000, "number of links"}, {"joint", 0, 0, 1, "type of the joints", kJoints}}};
constexpr std::array<TemplateOption, 1> kMassChainOptions{{{"n", 3, 1, 500, "number of rods"}}};

constexpr std::array<TemplateInfo, 8> kTemplates{{
    {"first", "a crank and a rocker with every section explained: start here", {}},
    {"equations", "a pendulum by its energies and a constraint, every section explained", {}},
    {"pendulum", "the smallest constrained system, without comments", {}},
    {"n-four-bar", "a mechanism: n four-bar linkages side by side", kFourBarOptions},
    {"chain", "a mechanism: n links hanging on joints", kChainOptions},
    {"mass-chain", "n point masses hanging on n massless rods, as equations", kMassChainOptions},
    {"linear", "masses, springs and dampers by their matrices", {}},
    {"rolling", "a knife edge (Chaplygin's sleigh): a constraint on velocities", {}},
}};

template <class Items>
std::vector<std::string> find_names(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(item.name);
  return names;
}

std::string standard_word(const TemplateOption& option) {
  if (option.words.empty()) return fmt::format("{}", option.standard);
  return std::string(option.words[static_cast<std::size_t>(option.standard)]);
}

int read_option(const TemplateOption& option, const std::string& text) {
  if (!option.words.empty()) {
    const auto found = std::find(option.words.begin(), option.words.end(), text);
    if (found != option.words.end()) return static_cast<int>(found - option.words.begin());
    throw ModelError(
        fmt::format("{} = '{}': must be {}", option.name, text.substr(0, 40),
                    fmt::join(option.words, " or ")),
        fmt::format("it is the {}, {} if left out", option.description, standard_word(option)));
  }
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  if (!whole || value < option.least || value > option.most) {
    throw ModelError(
        fmt::format("{} = '{}': must be a whole number from {} to {}", option.name,
                    text.substr(0, 40), option.least, option.most),
        fmt::format("it is the {}, {} if left out", option.description, option.standard));
  }
  return value;
}

/// One value per option of the template, in its order.
std::vector<int> read_options(const TemplateInfo& info,
                              const std::vector<std::pair<std::string, std::string>>& given) {
  std::vector<int> values;
  for (const TemplateOption& option : info.options) values.push_back(option.standard);
  for (const auto& [name, text] : given) {
    const auto found =
        std::find_if(info.options.begin(), info.options.end(),
                     [&name = name](const TemplateOption& option) { return option.name == name; });
    if (found == info.options.end()) {
      throw ModelError(
          fmt::format("the template '{}' has no option '{}'", info.name, name.substr(0, 40)),
          info.options.empty() ? "it takes no options"
                               : suggest(name.substr(0, 40), find_names(info.options)));
    }
    values[static_cast<std::size_t>(found - info.options.begin())] = read_option(*found, text);
  }
  return values;
}

/// Terms 1..n joined by " + ". More than one line of them goes into a text of several lines, which
/// TOML joins again.
template <class MakeTerm>
std::string join_terms(std::string_view head, int n, int per_line, MakeTerm make_term) {
  const bool one_line = n <= per_line;
  std::string text = fmt::format("{}{}(", one_line ? "\"" : "\"\"\"", head);
  for (int i = 1; i <= n; ++i) {
    if (!one_line && (i - 1) % per_line == 0) text += " \\\n  ";
    text += make_term(i);
    if (i < n) text += i % per_line == 0 ? " +" : " + ";
  }
  text += one_line ? ")\"" : ")\"\"\"";
  return text;
}

/// Arnold (2017), example 2, eq. (7): (x_i - x_{i-1})^2 + (y_i - y_{i-1})^2 = l^2, with (x_0, y_0)
/// = (0, 0).
std::string make_mass_chain(int n) {
  std::string text = fmt::format(
      R"(# Point masses m on massless rods l, the first one hung at the origin; y points up.
format = "driftless/1"
name = "mass-chain"
description = "A chain of {} point mass(es) on rods: the first rod starts off the vertical"

[parameters]
m = 1.0
l = 1.0
g = 9.81
swing = "30 deg"

[coordinates]
)",
      n);
  for (int i = 1; i <= n; ++i) {
    text += fmt::format("x{} = \"l*sin(swing)\"\n", i);
    text += i == 1 ? std::string("y1 = \"-l*cos(swing)\"\n")
                   : fmt::format("y{} = \"-l*cos(swing) - {}*l\"\n", i, i - 1);
  }
  text += "\n[energy]\nkinetic = ";
  text += join_terms("m/2*", n, 4, [](int i) { return fmt::format("x{0}'^2 + y{0}'^2", i); });
  text += "\npotential = ";
  text += join_terms("m*g*", n, 10, [](int i) { return fmt::format("y{}", i); });
  text += "\n\n[constraint]\nrod1 = \"x1^2 + y1^2 - l^2\"\n";
  for (int i = 2; i <= n; ++i) {
    text += fmt::format("rod{0} = \"(x{0} - x{1})^2 + (y{0} - y{1})^2 - l^2\"\n", i, i - 1);
  }
  text += R"(
[run]
until = 10
every = 0.01

[method]
formulation = "braun_goldfarb"
integrator = "rk4"
step = 0.01
)";
  return text;
}

}  // namespace

std::string describe(const TemplateOption& option) {
  const std::string range = option.words.empty()
                                ? fmt::format("{} to {}", option.least, option.most)
                                : fmt::format("{}", fmt::join(option.words, " or "));
  return fmt::format("{} ({}, default {})", option.description, range, standard_word(option));
}

std::span<const TemplateInfo> all_templates() { return kTemplates; }

std::string make_template(std::string_view name,
                          const std::vector<std::pair<std::string, std::string>>& options) {
  const auto found = std::find_if(kTemplates.begin(), kTemplates.end(),
                                  [&](const TemplateInfo& info) { return info.name == name; });
  if (found == kTemplates.end()) {
    const std::string shown(name.substr(0, 40));
    throw ModelError(fmt::format("there is no template '{}'", shown),
                     suggest(shown, find_names(kTemplates)));
  }
  const std::vector<int> values = read_options(*found, options);
  if (name == "first") return std::string(kFirstTemplate);
  if (name == "equations") return std::string(kEquationsTemplate);
  if (name == "pendulum") return std::string(kPendulumTemplate);
  if (name == "linear") return std::string(kLinearTemplate);
  if (name == "rolling") return std::string(kRollingTemplate);
  if (name == "n-four-bar") return make_n_four_bar(values[0]);
  if (name == "mass-chain") return make_mass_chain(values[0]);
  return make_link_chain(values[0], kJoints[static_cast<std::size_t>(values[1])]);
}

}  // namespace driftless
