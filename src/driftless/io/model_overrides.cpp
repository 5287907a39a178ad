// --set NAME=VALUE, --vary: changes to a model that has been read.

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "driftless/io/model_fields.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/override_advice.hpp"
#include "driftless/io/toml_tree.hpp"
#include "driftless/model/mechanism_check.hpp"
#include "driftless/model/names.hpp"

namespace driftless {

namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// As a TOML value (number, true, [1, 2], "text") if it is one, else the text itself: words and
/// expressions need no second pair of quotes on a command line.
Value read_override(const std::string& name, std::string_view text, const Source& where,
                    FindingList& findings) {
  std::optional<TomlNode> node;
  try {
    TomlNode root = parse_toml("value = " + std::string(text), where.file);
    if (root.entries.size() == 1 && root.entries.front().key == "value")
      node = root.entries.front().value;
  } catch (const ModelError&) {  // no TOML value: a text
  }
  const bool is_text = !node || node->kind == TomlNode::Kind::date;
  Value value = is_text ? Value{std::string(text), where} : read_value(name, *node, findings);
  value.where = where;
  return value;
}

template <class Item>
Item* find_named(std::vector<Item>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

/// A parameter; false if there is none of that name.
bool set_parameter(ModelCommon& model, std::string_view name, const Text& text) {
  NamedText* parameter = find_named(model.parameters, name);
  if (parameter == nullptr) return false;
  parameter->value = text;
  return true;
}

/// A coordinate, a rate or a state; false if there is none of that name.
bool set_coordinate(EquationModel& model, std::string_view name, const Text& text) {
  if (StateSpec* state = find_named(model.states, name)) {
    state->start = text;
    return true;
  }
  const bool is_rate = !name.empty() && name.back() == '\'';
  if (is_rate) name.remove_suffix(1);
  CoordinateSpec* coordinate = find_named(model.coordinates, name);
  if (coordinate == nullptr) return false;
  (is_rate ? coordinate->rate : coordinate->start) = text;
  return true;
}

void set_entry(Value::Table& entries, const std::string& key, Value value) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  if (found != entries.end()) {
    found->second = std::move(value);
  } else {
    entries.emplace_back(key, std::move(value));
  }
}

/// "A.angle": the start value of something that the mechanism has. Its priority stays.
void set_start(MechanismModel& mechanism, const std::string& name, Value value,
               FindingList& findings) {
  const std::string_view owner = find_owner(name);
  const std::vector<std::string> owners = find_element_names(mechanism);
  if (std::find(owners.begin(), owners.end(), owner) == owners.end()) {
    findings.add(
        value.where,
        fmt::format("{}: the model has no body or joint '{}'", shorten(name), shorten(owner)),
        suggest_name(owner, owners));
    return;
  }
  if (!value.is_number() && !value.is_text()) {
    findings.add(value.where,
                 fmt::format("{} is {}; wanted: a number or a text", shorten(name), value.kind()));
    return;
  }
  NamedValue* start = find_named(mechanism.start, name);
  if (start == nullptr) {
    const Source where = value.where;
    mechanism.start.push_back({name, std::move(value), where});
  } else if (auto* table = std::get_if<Value::Table>(&start->value.data)) {
    set_entry(*table, "value", std::move(value));
  } else {
    start->value = std::move(value);
  }
}

void set_run(RunSpec& run, const std::string& name, Value value, FindingList& findings) {
  std::optional<Value>* target = find_run_field(run, std::string_view(name).substr(4));
  if (target == nullptr) {
    findings.add(value.where, fmt::format("{}: there is no such key", shorten(name)),
                 suggest_name(name, {"run.until", "run.every", "run.start"}));
  } else if (!value.is_number() && !value.is_text()) {
    findings.add(value.where,
                 fmt::format("{} is {}; wanted: a number or a text", name, value.kind()));
  } else {
    *target = std::move(value);
  }
}

/// method.KEY or method.NAME.KEY. Which keys there are is known to run/plan only; it refuses the
/// wrong ones.
void set_method(std::vector<MethodSpec>& methods, const std::string& name, Value value,
                FindingList& findings) {
  const std::string rest = name.substr(std::string_view("method.").size());
  const std::size_t dot = rest.find('.');
  const std::string method_name = dot == std::string::npos ? "" : rest.substr(0, dot);
  const std::string key = dot == std::string::npos ? rest : rest.substr(dot + 1);
  if (key.empty()) {
    findings.add(value.where, fmt::format("{}: the key is missing", shorten(name)),
                 "for example: method.step=0.01");
    return;
  }
  MethodSpec* method = find_named(methods, method_name);
  if (method == nullptr && method_name.empty()) {
    method = &*methods.insert(methods.begin(), MethodSpec{"", {}, value.where});
  }
  if (method == nullptr) {
    std::vector<std::string> known;
    for (const MethodSpec& other : methods) {
      if (!other.name.empty()) known.push_back(other.name);
    }
    findings.add(
        value.where,
        fmt::format("{}: the model has no method '{}'", shorten(name), shorten(method_name)),
        suggest_name(method_name, known));
    return;
  }
  set_entry(method->overrides, key, value);
  set_entry(method->entries, key, std::move(value));
}

}  // namespace

void apply_overrides(ModelFile& file,
                     const std::vector<std::pair<std::string, std::string>>& sets) {
  std::vector<Override> overrides;
  for (const auto& [name, text] : sets) {
    overrides.push_back(
        {name, text, fmt::format("--set {}={}", shorten(trim(name)), shorten(trim(text)))});
  }
  apply_placed_overrides(file, overrides);
}

void apply_placed_overrides(ModelFile& file, const std::vector<Override>& overrides) {
  FindingList findings;
  for (const Override& each : overrides) {
    const std::string name(trim(each.name));
    const std::string text(trim(each.text));
    const Source where{each.place, 0, 0};
    if (name.empty() || text.empty()) {
      findings.add(where, "a name and a value are wanted", "for example: m=2.5");
    } else if (set_parameter(file.common(), name, {text, where}) ||
               set_coordinate(file.model, name, {text, where})) {
      continue;
    } else if (name.starts_with("run.")) {
      set_run(file.run, name, read_override(name, text, where, findings), findings);
    } else if (name.starts_with("method.")) {
      set_method(file.methods, name, read_override(name, text, where, findings), findings);
    } else if (const auto advice = advise_override(file, name, text)) {
      findings.add(where, advice->message, advice->remedy);
    } else if (file.mechanism && (name.find('.') != std::string::npos ||
                                  is_measure(*file.mechanism, find_owner(name)))) {
      set_start(*file.mechanism, name, read_override(name, text, where, findings), findings);
    } else {
      findings.add(where,
                   fmt::format("'{}' is no {} of the model", shorten(name),
                               file.mechanism ? "parameter or start value"
                                              : "parameter, coordinate or rate"),
                   suggest_name(name, find_settable_names(file)));
    }
  }
  findings.finish();
}

}  // namespace driftless
