#include "driftless/model/place_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/expressions/parser.hpp"

namespace driftless {

PlaceCheck::PlaceCheck(const MechanismModel& model, Findings& findings)
    : model_(model), findings_(findings) {
  for (const NamedValue& point : model.points) point_names_.push_back(point.name);
  for (const NamedText& parameter : model.parameters) parameters_.insert(parameter.name);
  points_.insert(point_names_.begin(), point_names_.end());
}

bool PlaceCheck::check_coordinates(const std::string& key, const Value& value) {
  if (!value.is_list()) {
    add(value.where,
        fmt::format("{} is {}; wanted: {} numbers, {}", key, value.kind(), size(), example()));
    return false;
  }
  const Value::List& list = value.list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_number()) continue;
    if (list[i].is_text() && list[i].text().find_first_not_of(" \t\r\n") != std::string::npos) {
      continue;
    }
    add(list[i].where, fmt::format("{}[{}] is {}; wanted: a number or a text with an expression",
                                   key, i + 1, list[i].is_text() ? "empty" : list[i].kind()));
    return false;
  }
  if (list.size() == size()) return true;
  add(value.where,
      fmt::format("{} has {} number{}; {} wanted {}", key, list.size(), list.size() == 1 ? "" : "s",
                  size(), model_.plane ? "in the plane" : "in space"),
      model_.plane ? "write [x, y]" : "write [x, y, z], or space = \"plane\" at the top");
  return false;
}

void PlaceCheck::check_point_name(const std::string& key, const std::string& name,
                                  const Source& where) {
  // "crank.tip" names a frame: whoever makes the frames knows them.
  if (points_.contains(name) || name.find('.') != std::string::npos) return;
  const std::string nearest =
      findings_.size() < kMaxSuggestions ? suggest_name(name, point_names_) : std::string();
  add(where, fmt::format("{}: there is no point '{}'", key, shorten(name)),
      nearest.empty() ? fmt::format("declare it: [points] {} = {}", shorten(name), example())
                      : nearest);
}

void PlaceCheck::check_place(const std::string& key, const Value& value) {
  if (value.is_text()) {
    check_point_name(key, value.text(), value.where);
  } else if (value.is_list()) {
    check_coordinates(key, value);
  } else {
    add(value.where,
        fmt::format("{} is {}; wanted: the name of a point, or {}", key, value.kind(), example()));
  }
}

bool PlaceCheck::is_point_pair(const Value::List& list) const {
  if (list.size() != 2) return false;
  const auto is = [&](auto&& test) { return std::any_of(list.begin(), list.end(), test); };
  if (is([](const Value& item) { return item.is_list(); })) return true;
  if (is([](const Value& item) { return !item.is_text(); })) return false;
  if (is([&](const Value& item) { return points_.contains(item.text()); })) return true;
  if (!model_.plane) return true;
  return !is([&](const Value& item) {
    return !is_identifier(item.text()) || parameters_.contains(item.text());
  });
}

void PlaceCheck::check_places(const std::string& key, const Value& value) {
  if (value.is_list() && value.list().size() != 2) {
    const Value::List& list = value.list();
    const bool named = std::any_of(list.begin(), list.end(), [&](const Value& item) {
      return item.is_list() || (item.is_text() && points_.contains(item.text()));
    });
    if (named) {
      add(value.where,
          fmt::format("{} has {} place{}; wanted: one for both bodies, or two, one on each", key,
                      list.size(), list.size() == 1 ? "" : "s"),
          R"(write at = "A", or at = ["A", "B"])");
      return;
    }
  }
  if (!value.is_list() || !is_point_pair(value.list())) {
    check_place(key, value);
    return;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    check_place(fmt::format("{}[{}]", key, i + 1), value.list()[i]);
  }
}

}  // namespace driftless
