#include "driftless/model/mechanism_check.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "driftless/expressions/parser.hpp"
#include "driftless/model/element_types.hpp"
#include "driftless/model/names.hpp"
#include "driftless/model/place_check.hpp"
#include "driftless/model/start_check.hpp"

namespace driftless {
namespace {

struct Group {
  std::string_view kind;  ///< also the section's name
  const std::vector<ElementSpec>* elements;
};

std::vector<Group> find_groups(const MechanismModel& model) {
  return {{"body", &model.bodies},
          {"joint", &model.joints},
          {"constraint", &model.constraints},
          {"force", &model.forces},
          {"measure", &model.measures}};
}

/// One run over a model: the names it declares, and what is wrong.
class MechanismCheck {
 public:
  explicit MechanismCheck(const MechanismModel& model);

  Findings run();

 private:
  void check_names();
  void check_name(Namespace& names, std::string_view what, const std::string& name,
                  const Source& where);
  void check_gravity();
  void check_points();
  void check_type(std::string_view kind, const ElementSpec& element, const std::string& key);
  void check_connection(std::string_view kind, const ElementSpec& element, const std::string& key);
  void check_shapes(const ElementSpec& body, const std::string& key);
  void check_between(std::string_view kind, const std::string& key, const Value& value);
  void check_side(const std::string& key, const Value& value);
  void check_start(const NamedValue& start);
  void check_body_name(const std::string& key, std::string_view name, const Source& where);

  void add(const Source& where, std::string message, std::string remedy = {}) {
    findings_.push_back({where, std::move(message), std::move(remedy)});
  }
  std::string suggest_among(std::string_view word, const std::vector<std::string>& known) const {
    return findings_.size() < kMaxSuggestions ? suggest_name(word, known) : std::string();
  }

  const MechanismModel& model_;
  std::vector<std::string> body_names_;  // with ground
  std::vector<std::string> element_names_;
  std::unordered_set<std::string> bodies_;
  std::unordered_set<std::string> elements_;
  Findings findings_;
  PlaceCheck places_;
};

MechanismCheck::MechanismCheck(const MechanismModel& model)
    : model_(model), places_(model, findings_) {
  body_names_.emplace_back(kGround);
  for (const ElementSpec& body : model.bodies) {
    if (is_identifier(body.name) && body.name != kGround) body_names_.push_back(body.name);
  }
  element_names_ = find_element_names(model);
  bodies_.insert(body_names_.begin(), body_names_.end());
  for (const ElementSpec& body : model.bodies) bodies_.insert(body.name);
  elements_.insert(element_names_.begin(), element_names_.end());
}

Findings MechanismCheck::run() {
  check_names();
  check_gravity();
  check_points();
  if (model_.bodies.empty()) {
    add(model_.where, "the mechanism has no bodies",
        "add a section such as [body.crank] with mass = \"1 kg\"");
  }
  for (const Group& group : find_groups(model_)) {
    for (const ElementSpec& element : *group.elements) {
      const std::string key = fmt::format("{}.{}", group.kind, shorten(element.name));
      if (group.kind != "body") check_type(group.kind, element, key);
      check_connection(group.kind, element, key);
    }
  }
  std::unordered_map<std::string, Source> given;
  for (const NamedValue& start : model_.start) {
    check_start(start);
    const auto [first, inserted] = given.try_emplace(start.name, start.where);
    if (inserted) continue;
    add(start.where,
        fmt::format("start.{} is given twice, first {}", shorten(start.name),
                    describe_place(first->second)),
        "remove one of them");
  }
  check_tables(model_.tables, findings_);
  return std::move(findings_);
}

// ---- names ----------------------------------------------------------------------------------------

void MechanismCheck::check_name(Namespace& names, std::string_view what, const std::string& name,
                                const Source& where) {
  if (name == kGround) {
    add(where,
        fmt::format("'ground' cannot be the name of a {}: it is the body that does not move", what),
        "choose another name; ground need not be declared");
    return;
  }
  names.declare(what, name, where);
}

void MechanismCheck::check_names() {
  Namespace names(
      "parameters, bodies, joints, constraints, forces, measures, tables, conserved quantities and "
      "records",
      findings_);
  for (const NamedText& p : model_.parameters) check_name(names, "parameter", p.name, p.where);
  for (const Group& group : find_groups(model_)) {
    for (const ElementSpec& element : *group.elements) {
      check_name(names, group.kind, element.name, element.where);
      if (group.kind == std::string_view("measure"))
        check_column_name("measure", element.name, element.where, findings_);
    }
  }
  for (const TableSpec& table : model_.tables) check_name(names, "table", table.name, table.where);
  for (const ConservedSpec& c : model_.conserved) {
    check_name(names, "conserved quantity", c.name, c.where);
  }
  for (const NamedText& record : model_.records) {
    check_name(names, "record", record.name, record.where);
    check_column_name("record", record.name, record.where, findings_);
  }
  // A joint may be called after the point where it stands; at = ["l", "B"] must not be ambiguous.
  Namespace points("parameters and points", findings_);
  for (const NamedText& p : model_.parameters) points.know("parameter", p.name, p.where);
  for (const NamedValue& point : model_.points) {
    check_name(points, "point", point.name, point.where);
  }
}

// ---- gravity and points ---------------------------------------------------------------------------

void MechanismCheck::check_gravity() {
  if (model_.gravity.is_list() && model_.gravity.list().empty() && model_.gravity.where.line == 0) {
    return;  // left out
  }
  places_.check_coordinates("gravity", model_.gravity);
}

void MechanismCheck::check_points() {
  for (const NamedValue& point : model_.points) {
    places_.check_coordinates("points." + shorten(point.name), point.value);
  }
}

// ---- elements -------------------------------------------------------------------------------------

void MechanismCheck::check_type(std::string_view kind, const ElementSpec& element,
                                const std::string& key) {
  const std::vector<std::string> known = known_types(kind);
  if (element.type.empty()) {
    if (element.type_where.line > 0) return;  // given, but no word: the reader has said so
    add(element.where, key + ".type is missing",
        known.empty() ? fmt::format("say what it is: type = \"...\"")
                      : fmt::format("say what it is, for example type = \"{}\"; see driftless list "
                                    "{}s",
                                    known.front(), kind));
    return;
  }
  if (known.empty()) return;  // no list yet: the compiler knows
  const ElementType* type = find_element_type(kind, element.type);
  if (type == nullptr) {
    add(element.type_where,
        fmt::format("{}.type = '{}': there is no such {}", key, shorten(element.type), kind),
        findings_.size() < kMaxSuggestions ? suggest_type(kind, element.type) : std::string());
  } else if (model_.plane && !type->in_plane) {
    add(element.type_where,
        fmt::format("{}.type = '{}': there is no such {} in the plane", key, element.type, kind),
        "remove space = \"plane\", or choose another type");
  }
}

void MechanismCheck::check_body_name(const std::string& key, std::string_view name,
                                     const Source& where) {
  if (bodies_.contains(std::string(name))) return;
  add(where, fmt::format("{}: there is no body '{}'", key, shorten(name)),
      suggest_among(name, body_names_));
}

void MechanismCheck::check_between(std::string_view kind, const std::string& key,
                                   const Value& value) {
  constexpr std::string_view kWanted = R"(two bodies, such as ["ground", "crank"])";
  if (!value.is_list()) {
    add(value.where, fmt::format("{} is {}; wanted: {}", key, value.kind(), kWanted));
    return;
  }
  const Value::List& list = value.list();
  if (list.size() != 2) {
    add(value.where, fmt::format("{} has {} name{}; wanted: {}", key, list.size(),
                                 list.size() == 1 ? "" : "s", kWanted));
    return;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (list[i].is_text()) {
      check_body_name(key, list[i].text(), list[i].where);
    } else {
      add(list[i].where,
          fmt::format("{}[{}] is {}; wanted: the name of a body", key, i + 1, list[i].kind()));
    }
  }
  if (list[0].is_text() && list[1].is_text() && list[0].text() == list[1].text()) {
    add(list[1].where, fmt::format("{}: both bodies are '{}'", key, shorten(list[1].text())),
        fmt::format("a {} acts between two different bodies", kind));
  }
}

/// on = { body = "shaft", at = ... } or to = { frame = "yoke.inner" }
void MechanismCheck::check_side(const std::string& key, const Value& value) {
  if (!value.is_table()) return;
  if (const Value* body = find_value(value.table(), "body"); body != nullptr && body->is_text()) {
    check_body_name(key + ".body", body->text(), body->where);
  }
  if (const Value* frame = find_value(value.table(), "frame");
      frame != nullptr && frame->is_text()) {
    check_body_name(key + ".frame", find_owner(frame->text()), frame->where);
  }
  if (const Value* at = find_value(value.table(), "at")) places_.check_place(key + ".at", *at);
}

/// Shapes from one point to another.
void MechanismCheck::check_shapes(const ElementSpec& body, const std::string& key) {
  for (const std::string_view shape : {"rod", "cylinder", "cone"}) {
    const Value* value = find_value(body.entries, shape);
    if (value == nullptr) continue;
    if (!value->is_list() || value->list().size() != 2) {
      add(value->where,
          fmt::format(R"({}.{}: wanted: its two ends, such as ["A", "B"])", key, shape));
      continue;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      places_.check_place(fmt::format("{}.{}[{}]", key, shape, i + 1), value->list()[i]);
    }
  }
}

void MechanismCheck::check_connection(std::string_view kind, const ElementSpec& element,
                                      const std::string& key) {
  const Value* between = find_value(element.entries, "between");
  const Value* on = find_value(element.entries, "on");
  const Value* to = find_value(element.entries, "to");
  if (between != nullptr) check_between(kind, key + ".between", *between);
  if (on != nullptr) check_side(key + ".on", *on);
  if (to != nullptr) check_side(key + ".to", *to);
  if (const Value* at = find_value(element.entries, "at")) places_.check_places(key + ".at", *at);
  if (kind == "body") check_shapes(element, key);
  if (kind != "joint" || between != nullptr || (on != nullptr && to != nullptr)) return;
  for (const auto& [entry, value] : element.entries) {  // misspelt: whoever reads it says so
    const std::string nearest = find_nearest(entry, {"at", "between", "on", "to"});
    if (entry != nearest && !nearest.empty() && nearest != "at") return;
  }
  if (on == nullptr && to == nullptr) {
    add(element.where, key + " does not say which bodies it connects",
        R"(add between = ["ground", "crank"] and at = "A", or the frames on = {...} and to = {...})");
  } else {
    add(element.where, fmt::format("{}.{} is missing", key, on == nullptr ? "on" : "to"),
        "on = {...} and to = {...} are the frames on the first and the second body");
  }
}

// ---- start ----------------------------------------------------------------------------------------

void MechanismCheck::check_start(const NamedValue& start) {
  const std::string key = "start." + shorten(start.name);
  const std::string_view owner = find_owner(start.name);
  if (!elements_.contains(std::string(owner))) {
    add(start.where, fmt::format("{}: there is no body or joint '{}'", key, shorten(owner)),
        suggest_among(owner, element_names_));
  } else if (start.name.find('.') == std::string::npos && !is_measure(model_, owner)) {
    add(start.where, fmt::format("{} does not say which coordinate", key),
        fmt::format("for example: {}.angle = \"30 deg\"", shorten(owner)));
  }
  check_start_value(key, start, findings_);
}

}  // namespace

std::string_view find_owner(std::string_view dotted_name) {
  return dotted_name.substr(0, dotted_name.find_first_of(".'"));
}

bool is_measure(const MechanismModel& model, std::string_view name) {
  return std::any_of(model.measures.begin(), model.measures.end(),
                     [&](const ElementSpec& measure) { return measure.name == name; });
}

const Value* find_value(const Value::Table& entries, std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  return found == entries.end() ? nullptr : &found->second;
}

std::vector<std::string> find_element_names(const MechanismModel& model) {
  std::vector<std::string> names;
  for (const Group& group : find_groups(model)) {
    for (const ElementSpec& element : *group.elements) names.push_back(element.name);
  }
  return names;
}

std::vector<Diagnostic> find_mechanism_errors(const MechanismModel& model) {
  return MechanismCheck(model).run();
}

void check_mechanism(const MechanismModel& model) {
  std::vector<Diagnostic> findings = find_mechanism_errors(model);
  if (!findings.empty()) throw ModelError(std::move(findings));
}

}  // namespace driftless
