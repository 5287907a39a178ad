#include "driftless/io/override_advice.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "driftless/model/element_types.hpp"
#include "driftless/model/mechanism_check.hpp"
#include "driftless/model/names.hpp"

namespace driftless {
namespace {

/// A key of the mechanism that holds a value.
struct KeyPlace {
  std::string what;     ///< "body 'crank'", "point 'A'"; empty: the model itself
  std::string section;  ///< "[body.crank]"; empty: the head of the file
  std::string key;
  std::string parameter;  ///< a name for it
  const Value* value = nullptr;
};

/// Whether element.key is a coordinate of a joint, which can be set.
bool is_coordinate(std::string_view kind, const ElementSpec& element, std::string_view key) {
  const ElementType* type = find_element_type(kind, element.type);
  if (type == nullptr) return false;
  return std::any_of(type->coordinates.begin(), type->coordinates.end(),
                     [&](const auto& each) { return each.name == key || each.rate == key; });
}

std::vector<KeyPlace> find_places(const MechanismModel& model, std::string_view name) {
  std::vector<KeyPlace> places;
  const auto add_elements = [&](std::string_view kind, const std::vector<ElementSpec>& elements) {
    for (const ElementSpec& element : elements) {
      for (const auto& [key, value] : element.entries) {
        const std::string own = element.name + "." + key;
        if (name != key && name != own && name != fmt::format("{}.{}", kind, own)) continue;
        if (name == own && is_coordinate(kind, element, key)) continue;
        places.push_back({fmt::format("{} '{}'", kind, element.name),
                          fmt::format("[{}.{}]", kind, element.name), key,
                          name == key ? key : element.name + "_" + key, &value});
      }
    }
  };
  add_elements("body", model.bodies);
  add_elements("joint", model.joints);
  add_elements("constraint", model.constraints);
  add_elements("force", model.forces);
  add_elements("measure", model.measures);
  for (const NamedValue& point : model.points) {
    if (name == point.name || name == "points." + point.name)
      places.push_back({fmt::format("point '{}'", point.name), "[points]", point.name,
                        point.name + "_", &point.value});
  }
  if (name == "gravity") places.push_back({"", "", "gravity", "g", &model.gravity});
  return places;
}

/// A number, or a text that begins like one, such as "2 kg". Others are names of points, bodies, types.
bool is_quantity(const Value& value) {
  if (value.is_number()) return true;
  if (!value.is_text() || value.text().empty()) return false;
  const char first = value.text().front();
  return std::isdigit(static_cast<unsigned char>(first)) ||
         std::string_view("+-.").find(first) != std::string_view::npos;
}

std::string write_toml(const Value& value) {
  return value.is_number() ? fmt::format("{}", value.number())
                           : fmt::format("\"{}\"", value.text());
}

/// The lines for one place; empty: its value has no number that could be named.
std::string write_lines(const ModelFile& file, KeyPlace place) {
  const Value* number = place.value;
  std::string instead = "{}";
  if (place.value->is_list()) {
    const Value::List& list = place.value->list();
    if (list.empty() || !std::all_of(list.begin(), list.end(), is_quantity)) return {};
    const auto is_zero = [](const Value& each) { return each.is_number() && each.number() == 0.0; };
    auto chosen = std::find_if_not(list.begin(), list.end(), is_zero);
    if (chosen == list.end()) chosen = list.begin();
    number = &*chosen;
    std::vector<std::string> words;
    for (auto each = list.begin(); each != list.end(); ++each)
      words.push_back(each == chosen ? "{}" : write_toml(*each));
    instead = fmt::format("[{}]", fmt::join(words, ", "));
    constexpr std::string_view kAxes = "xyz";
    const auto index = static_cast<std::size_t>(chosen - list.begin());
    if (place.parameter.ends_with('_') && index < kAxes.size()) place.parameter += kAxes[index];
  } else if (!is_quantity(*number)) {
    return {};
  }
  const auto& parameters = file.common().parameters;
  std::vector<std::string> taken = find_element_names(*file.mechanism);
  for (const NamedText& each : parameters) taken.push_back(each.name);
  while (std::find(taken.begin(), taken.end(), place.parameter) != taken.end())
    place.parameter += "_0";
  const std::string name = fmt::format("\"{}\"", place.parameter);
  const std::size_t hole = instead.find("{}");
  instead.replace(hole, 2, name);
  std::vector<std::string> lines{
      parameters.empty() ? "[parameters]" : "[parameters]  # it is there: add the next line",
      fmt::format("{} = {}", place.parameter, write_toml(*number))};
  const std::string use = fmt::format("{} = {}", place.key, instead);
  if (place.section.empty()) {
    lines.insert(lines.begin(), use);
  } else {
    lines.push_back(place.section);
    lines.push_back(use);
  }
  return fmt::format("        {}\n    then --set {}=", fmt::join(lines, "\n        "),
                     place.parameter);
}

}  // namespace

std::vector<std::string> find_settable_names(const ModelFile& file) {
  std::vector<std::string> names;
  for (const NamedText& parameter : file.common().parameters) names.push_back(parameter.name);
  if (file.mechanism) {
    for (const NamedValue& start : file.mechanism->start) names.push_back(start.name);
  }
  for (const CoordinateSpec& coordinate : file.model.coordinates) {
    names.push_back(coordinate.name);
    names.push_back(coordinate.name + "'");
  }
  for (const StateSpec& state : file.model.states) names.push_back(state.name);
  for (const std::string_view name : {"run.until", "run.every", "method.step"})
    names.emplace_back(name);
  return names;
}

std::optional<OverrideAdvice> advise_override(const ModelFile& file, std::string_view name,
                                              std::string_view text) {
  if (!file.mechanism) return {};
  const std::vector<KeyPlace> places = find_places(*file.mechanism, name);
  if (places.empty()) return {};
  OverrideAdvice advice;
  const KeyPlace& first = places.front();
  advice.message = fmt::format("'{}' is a key of {}", shorten(name),
                               first.what.empty() ? "the model" : first.what);
  if (first.section == "[points]") advice.message = fmt::format("'{}' is a point", first.key);
  if (places.size() > 1)
    advice.message +=
        fmt::format(" and {} other{}", places.size() - 1, places.size() > 2 ? "s" : "");
  advice.message += ", no parameter or start value";
  const std::string lines = write_lines(file, first);
  if (!lines.empty())
    advice.remedy =
        fmt::format("declare it under [parameters], and write its name in its place:\n{}{}\n    ",
                    lines, shorten(text));
  constexpr std::size_t kListed = 20;
  std::vector<std::string> names = find_settable_names(file);
  if (names.size() > kListed) {
    names.resize(kListed);
    names.emplace_back("...");
  }
  advice.remedy += fmt::format("what can be set now: {}", fmt::join(names, ", "));
  return advice;
}

}  // namespace driftless
