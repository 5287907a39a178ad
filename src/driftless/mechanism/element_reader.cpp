#include "driftless/mechanism/element_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/model/model_check.hpp"
#include "driftless/model/number.hpp"

namespace driftless {

namespace {

bool stands_at(const Value& value, const Source& where) {
  if (value.where.line == where.line && value.where.column == where.column) return true;
  return value.is_list() && std::any_of(value.list().begin(), value.list().end(),
                                        [&](const Value& item) { return stands_at(item, where); });
}

}  // namespace

const Vector3* ReadingContext::find_point(std::string_view name) {
  const int place = point_places.find(
      name, points, [](const auto& point) -> const std::string& { return point.first; });
  if (place < 0) return nullptr;
  used_points.emplace(name);
  if (doubtful_points.contains(name)) ++doubts;
  return &points[static_cast<std::size_t>(place)].second;
}

ElementReader::ElementReader(std::string_view what, const ElementSpec& spec,
                             ReadingContext& context)
    : path_(spec.name.empty() ? std::string(what) : fmt::format("{}.{}", what, spec.name)),
      where_(spec.where),
      context_(context),
      entries_(&spec.entries) {}

ElementReader::ElementReader(std::string path, const Value& table, ReadingContext& context)
    : path_(std::move(path)), where_(table.where), context_(context), entries_(&none_) {
  if (table.is_table()) {
    entries_ = &table.table();
  } else {
    fault(where_, fmt::format("{} is {}; wanted: a table {{ ... }}", path_, table.kind()));
  }
}

std::string ElementReader::name_key(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

std::string ElementReader::name_place(const Source& where) const {
  for (const auto& [key, value] : *entries_) {
    if (where.line > 0 && stands_at(value, where)) return name_key(key);
  }
  return path_;
}

const Value* ElementReader::peek(std::string_view key) const {
  for (const auto& [name, value] : *entries_) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Value* ElementReader::take(std::string_view key) {
  known_.emplace_back(key);
  return peek(key);
}

void ElementReader::fault(const Source& where, std::string message, std::string remedy) {
  context_.errors.add(where, std::move(message), std::move(remedy));
}

double ElementReader::read_number(const Value& value, std::string_view key, std::string_view unit,
                                  const Bounds& bounds) {
  try {
    return read_number_field(value, {name_key(key), unit == kAnyUnit ? "" : unit, bounds},
                             [this, unit](const Text& text) {
                               Quantity quantity = context_.parameters.evaluate(text);
                               if (quantity.doubtful) ++context_.doubts;
                               if (unit == kAnyUnit) quantity.dimension.reset();
                               return quantity;
                             });
  } catch (const ModelError& error) {
    context_.errors.add(error);
    return find_stand_in(bounds);
  }
}

std::optional<double> ElementReader::number(std::string_view key, std::string_view unit,
                                            const Bounds& bounds) {
  const Value* value = take(key);
  if (value == nullptr) return {};
  return read_number(*value, key, unit, bounds);
}

std::optional<std::string> ElementReader::text(std::string_view key) {
  const Value* value = take(key);
  if (value == nullptr) return {};
  if (value->is_text()) return value->text();
  fault(value->where, fmt::format("{}.{} is {}; wanted: a text", path_, key, value->kind()));
  return {};
}

Vector3 ElementReader::read_vector(const Value& value, std::string_view key,
                                   std::string_view unit) {
  const std::size_t length = context_.plane ? 2 : 3;
  if (!value.is_list() || value.list().size() != length) {
    fault(value.where,
          fmt::format(
              "{} is {}; wanted: a list of {} numbers", name_key(key),
              value.is_list() ? fmt::format("a list of {}", value.list().size()) : value.kind(),
              length),
          context_.plane ? "in the plane: [x, y]" : "in space: [x, y, z]");
    return {};
  }
  const Value::List& list = value.list();
  return {read_number(list[0], key, unit), read_number(list[1], key, unit),
          length == 3 ? read_number(list[2], key, unit) : 0.0};
}

std::optional<Vector3> ElementReader::vector(std::string_view key, std::string_view unit) {
  const Value* value = take(key);
  if (value == nullptr) return {};
  return read_vector(*value, key, unit);
}

Vector3 ElementReader::read_point(const Value& value, std::string_view key) {
  if (!value.is_text()) return read_vector(value, key, "m");
  if (const Vector3* point = context_.find_point(value.text())) return *point;
  std::vector<std::string> names;
  for (const auto& entry : context_.points) names.push_back(entry.first);
  fault(value.where,
        fmt::format("{}.{}: there is no point '{}'", path_, key, shorten(value.text())),
        names.empty() ? "declare it in [points]" : suggest_name(value.text(), names));
  return {};
}

std::optional<Vector3> ElementReader::point(std::string_view key) {
  const Value* value = take(key);
  if (value == nullptr) return {};
  return read_point(*value, key);
}

/// From one point to another, or numbers; what unit they have does not matter as long as it is one.
Vector3 ElementReader::read_direction(const Value& value, std::string_view key) {
  if (value.is_list() && value.list().size() == 2 && value.list()[0].is_text() &&
      value.list()[1].is_text()) {
    const Vector3* from = context_.find_point(value.list()[0].text());
    const Vector3* to = context_.find_point(value.list()[1].text());
    if (from != nullptr && to != nullptr) return *to - *from;
  }
  return read_vector(value, key, has_length(value) ? "m" : "");
}

bool ElementReader::has_length(const Value& value) const {
  if (!value.is_list()) return false;
  for (const Value& item : value.list()) {
    if (!item.is_text()) continue;
    try {
      const Quantity quantity = context_.parameters.evaluate({item.text(), item.where});
      if (quantity.dimension && *quantity.dimension == parse_unit("m")->dimension) return true;
    } catch (const ModelError&) {
      return false;  // whoever reads it says so
    }
  }
  return false;
}

std::optional<Vector3> ElementReader::direction(std::string_view key) {
  const Value* value = take(key);
  if (value == nullptr) return {};
  if (side_ && value->is_list() && value->list().size() == 2 && value->list()[0].is_list()) {
    value = &value->list()[*side_];
  }
  const std::size_t before = context_.trouble();
  const Vector3 a = read_direction(*value, key);
  if (context_.trouble() > before) return Vector3{1, 0, 0};
  // Scaled first: the square of 1e200 is infinite, and that of 1e-200 is zero.
  const double size = std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
  if (!(size > 0.0)) {
    fault(value->where, fmt::format("{}.{}: a direction must not be zero", path_, key),
          "give the axis that is meant, or leave it out");
    return Vector3{1, 0, 0};
  }
  const Vector3 scaled{a.x / size, a.y / size, a.z / size};
  return (1.0 / norm(scaled)) * scaled;
}

std::optional<std::vector<std::string>> ElementReader::words(std::string_view key,
                                                             std::size_t count) {
  const Value* value = take(key);
  if (value == nullptr) return {};
  std::vector<std::string> words;
  Source where = value->where;
  if (value->is_list()) {
    for (const Value& item : value->list()) {
      if (item.is_text()) {
        words.push_back(item.text());
      } else if (value->list().size() == count) {
        where = item.where;
      }
    }
    if (words.size() == value->list().size() && words.size() == count) return words;
  }
  fault(where,
        fmt::format("{}.{} is {}; wanted: a list of {} names", path_, key, value->kind(), count));
  return {};
}

void ElementReader::miss(std::string_view key, std::string remedy,
                         std::vector<std::string> others) {
  missing_.push_back({std::string(key), std::move(remedy), std::move(others)});
}

std::vector<std::string> ElementReader::list_known() const {
  std::vector<std::string> known = known_;
  for (const Missing& each : missing_) known.push_back(each.key);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return known;
}

bool ElementReader::misspells(std::string_view key) const {
  const std::vector<std::string> known = list_known();
  return std::any_of(entries_->begin(), entries_->end(), [&](const auto& entry) {
    if (std::find(known.begin(), known.end(), entry.first) != known.end()) return false;
    const std::vector<std::string> meant = find_meant(entry.first, known);
    return std::find(meant.begin(), meant.end(), key) != meant.end();
  });
}

void ElementReader::finish() {
  const std::vector<std::string> known = list_known();
  for (Missing& each : missing_) {
    // One mistake, one message: a key that is only misspelt is not missing as well.
    const bool is_misspelt =
        misspells(each.key) ||
        std::any_of(each.others.begin(), each.others.end(),
                    [&](const std::string& other) { return misspells(other); });
    if (is_misspelt) continue;
    fault(where_, fmt::format("{}.{} is missing", path_, each.key), std::move(each.remedy));
  }
  for (const auto& [key, value] : *entries_) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    fault(value.where, fmt::format("{}: '{}' is not known here", path_, shorten(key)),
          suggest_name(key, known));
  }
}

}  // namespace driftless
