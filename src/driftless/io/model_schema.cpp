// How the schema is laid out. Each section is a definition in $defs. The two kinds of models list their keys and sections
// and refuse all others; the root chooses between them by what only a mechanism has. The root lists everything once more,
// because editors complete from `properties` and do not look behind `if`.
//
// An element is its keys in general, those of all its types described, and for each type a condition on `type` that says
// which keys it takes. All of this stands in `allOf`: editors complete from its first entry.

#include "driftless/io/model_schema.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driftless/io/model_sections.hpp"
#include "driftless/io/schema_writer.hpp"
#include "driftless/model/element_types.hpp"
#include "driftless/run/method_reader.hpp"

namespace driftless {
namespace {

using Texts = SchemaWriter::Texts;

// --- methods ----------------------------------------------------------------------------------------

/// An option with all words that have it.
struct SharedOption {
  OptionInfo option;
  Texts owners;
};

std::vector<SharedOption> find_shared_options() {
  std::vector<SharedOption> shared;
  for (const OptionInfo& option : all_options()) {
    const auto known = std::find_if(shared.begin(), shared.end(), [&](const SharedOption& each) {
      return each.option.key == option.key;
    });
    if (known == shared.end()) {
      shared.push_back({option, {option.owner}});
      continue;
    }
    known->owners.push_back(option.owner);
    if (known->option.fallback != option.fallback) known->option.fallback.clear();
    Bounds& bounds = known->option.bounds;
    if (option.bounds.low < bounds.low) bounds.open_low = option.bounds.open_low;
    bounds.low = std::min(bounds.low, option.bounds.low);
    bounds.high = std::max(bounds.high, option.bounds.high);
    bounds.not_zero = bounds.not_zero && option.bounds.not_zero;
  }
  return shared;
}

void write_method_keys(SchemaWriter& out) {
  JsonWriter& json = out.json();
  json.member("type", "object").key("properties").begin_object();
  for (const KeyInfo* info : find_keys_below("method")) out.write_key(*info);
  for (const auto& [option, owners] : find_shared_options()) {
    json.key(option.key).begin_object();
    out.write_description(fmt::format("{}: {}", fmt::join(owners, ", "), option.description),
                          option.unit);
    out.write_default(option.fallback);
    out.write_value(option.kind, "method." + option.key, option.bounds);
    json.end_object();
  }
  json.end_object();
}

/// [method], and [method.NAME] in it.
void write_method(SchemaWriter& out) {
  out.write_description(find_key("method")->description);
  write_method_keys(out);
  out.json().key("additionalProperties").begin_object();
  write_method_keys(out);
  out.json().member("additionalProperties", false).end_object();
}

// --- elements ---------------------------------------------------------------------------------------

ValueKind find_kind(const ElementField& field) {
  switch (field.kind) {
    case FieldKind::number: return ValueKind::number;
    case FieldKind::flag: return ValueKind::flag;
    case FieldKind::measure: return ValueKind::text;
    case FieldKind::measures: return ValueKind::names;
    case FieldKind::formula: return ValueKind::number;
    case FieldKind::formulas: return ValueKind::numbers;
    case FieldKind::matrix: return ValueKind::matrix;
    case FieldKind::choice: return ValueKind::text;
  }
  return ValueKind::number;
}

const KeyInfo& find_type_key(std::string_view kind) {
  const KeyInfo* own = find_key(fmt::format("{}.type", kind));
  return own != nullptr ? *own : *find_key("joint.type");
}

/// Where an element is: the keys of joints and those of its own kind.
std::vector<const KeyInfo*> find_placement(std::string_view kind) {
  std::vector<const KeyInfo*> keys = find_keys_below("joint");
  if (kind != "joint") {
    for (const KeyInfo* own : find_keys_below(kind)) {
      std::erase_if(keys, [&](const KeyInfo* other) {
        return find_last_word(other->key) == find_last_word(own->key);
      });
      keys.push_back(own);
    }
  }
  std::erase_if(keys, [](const KeyInfo* info) { return find_last_word(info->key) == "type"; });
  return keys;
}

/// Those of them that a type takes.
bool takes(const ElementType& type, std::string_view key) {
  switch (type.attachment) {
    case Attachment::two_frames: return key != "body";
    case Attachment::one_frame: return key != "between" && key != "to";
    case Attachment::measures: return false;
  }
  return true;
}

/// Keys of the types of a kind, each with what it means to whom.
std::vector<std::pair<std::string, std::string>> describe_fields(std::string_view kind) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const ElementType& type : all_element_types()) {
    if (type.kind != kind) continue;
    for (const ElementField& field : type.fields) {
      const auto known = std::find_if(fields.begin(), fields.end(),
                                      [&](const auto& each) { return each.first == field.key; });
      const std::string text = fmt::format("{}: {}", type.name, field.description);
      if (known == fields.end()) {
        fields.emplace_back(field.key, text);
      } else {
        known->second += "; " + text;
      }
    }
  }
  return fields;
}

void write_any_type(SchemaWriter& out, std::string_view kind) {
  JsonWriter& json = out.json();
  json.begin_object().member("type", "object").key("properties").begin_object();
  json.key("type").begin_object();
  out.write_description(find_type_key(kind).description);
  json.member("enum", known_types(kind)).end_object();
  for (const KeyInfo* info : find_placement(kind)) out.write_key(*info);
  for (const auto& [key, description] : describe_fields(kind)) {
    json.key(key).begin_object();
    out.write_description(description);
    json.end_object();
  }
  json.end_object().member("required", Texts{"type"}).end_object();
}

/// If the type is this one: its keys, and no other.
void write_type(SchemaWriter& out, const ElementType& type) {
  JsonWriter& json = out.json();
  json.begin_object().key("if").begin_object().key("properties").begin_object();
  json.key("type").begin_object().member("const", type.name).end_object().end_object();
  json.member("required", Texts{"type"}).end_object();
  json.key("then").begin_object();
  out.write_description(type.summary);
  json.key("properties").begin_object().member("type", true);
  for (const KeyInfo* info : find_placement(type.kind)) {
    const std::string_view key = find_last_word(info->key);
    if (takes(type, key)) json.member(key, true);
  }
  Texts needed;
  for (const ElementField& field : type.fields) {
    json.key(field.key).begin_object();
    out.write_description(field.description, field.unit);
    out.write_default(field.standard);
    out.write_value(find_kind(field), fmt::format("{}.{}", type.kind, field.key), field.bounds);
    if (!field.choices.empty()) json.member("enum", field.choices);
    json.end_object();
    if (field.needed) needed.push_back(field.key);
  }
  json.end_object();
  if (!needed.empty()) json.member("required", needed);
  json.member("additionalProperties", false).end_object().end_object();
}

/// [joint.NAME] and the like. `is_shared`: equation models have a section of that name, which the key's own words are
/// about.
void write_elements(SchemaWriter& out, std::string_view kind, bool is_shared) {
  JsonWriter& json = out.json();
  const KeyInfo* own = is_shared ? nullptr : find_key(kind);
  out.write_description(own != nullptr ? own->description : find_type_key(kind).description);
  json.member("type", "object");
  out.write_name_rule();
  json.key("additionalProperties").begin_object().key("allOf").begin_array();
  write_any_type(out, kind);
  for (const ElementType& type : all_element_types()) {
    if (type.kind == kind) write_type(out, type);
  }
  json.end_array().end_object();
}

// --- sections ---------------------------------------------------------------------------------------

/// One section of one kind of model.
struct Place {
  std::string_view section;
  bool is_elements = false;
  std::string definition() const {
    return is_elements ? fmt::format("{}_elements", section) : std::string(section);
  }
};

std::vector<Place> list_places(std::span<const Section> sections) {
  std::vector<Place> places;
  for (const Section& section : sections) {
    const bool has_types = section.has_names && !known_types(section.name).empty();
    const bool is_reserved =  // known to the reader, but nothing may stand there
        section.has_names && !has_types && find_key(section.name)->kind != ValueKind::keys;
    if (!is_reserved) places.push_back({section.name, has_types});
  }
  return places;
}

class ModelSchema {
 public:
  std::string write() {
    json_.begin_object();
    json_.member("$schema", "https://json-schema.org/draft/2020-12/schema");
    json_.member("title", "Driftless model file").member("type", "object");
    write_root();
    json_.key("$defs").begin_object();
    write_model("equation_model", {}, equations_);
    write_model("mechanism", mechanism_keys(), mechanism_);
    for (const auto* places : {&common_, &equations_, &mechanism_}) {
      for (const Place& place : *places) define(place);
    }
    return json_.end_object().end_object().text();
  }

 private:
  void define(const Place& place) {
    if (!defined_.insert(place.definition()).second) return;
    const KeyInfo* info = find_key(place.section);
    json_.key(place.definition()).begin_object();
    if (place.is_elements) {
      write_elements(out_, place.section, is_in(equations_, place));
    } else if (place.section == "method") {
      write_method(out_);
    } else {
      out_.write_key_value(*info);
    }
    json_.end_object();
    if (!place.is_elements && info->entries == Entries::dotted) out_.define_dotted_entry(*info);
  }

  static bool is_in(const std::vector<Place>& places, const Place& place) {
    return std::any_of(places.begin(), places.end(),
                       [&](const Place& other) { return other.section == place.section; });
  }

  void write_reference(const Place& place) {
    json_.begin_object();
    out_.write_reference(place.definition());
    json_.end_object();
  }

  void write_model(std::string_view name, std::span<const std::string_view> keys,
                   const std::vector<Place>& places) {
    json_.key(name).begin_object().key("properties").begin_object();
    for (const std::string_view key : common_keys()) json_.member(key, true);  // by the root
    for (const std::string_view key : keys) json_.member(key, true);
    if (name == "mechanism") {
      json_.key("coordinates");
      write_coordinate_kind();
    }
    for (const auto* list : {&common_, &places}) {
      for (const Place& place : *list) {
        json_.key(place.section);
        write_reference(place);
      }
    }
    json_.end_object().member("additionalProperties", false).end_object();
  }

  /// Of a mechanism a word; of equations a section of the same name.
  void write_coordinate_kind() {
    json_.begin_object().member("enum", Texts{"absolute", "joint"}).end_object();
  }

  void write_root() {
    Texts needed;
    json_.key("properties").begin_object();
    for (const auto keys : {common_keys(), mechanism_keys()}) {
      for (const std::string_view key : keys) {
        out_.write_key(*find_key(key));
        if (find_key(key)->needed) needed.emplace_back(key);
      }
    }
    for (const auto* places : {&common_, &equations_}) {
      for (const Place& place : *places) write_root_section(place);
    }
    for (const Place& place : mechanism_) {
      if (!is_in(equations_, place)) write_root_section(place);
    }
    json_.end_object().member("required", needed);
    json_.key("if").begin_object().key("anyOf").begin_array();
    for (const std::string_view mark : mechanism_marks())
      json_.begin_object().member("required", Texts{std::string(mark)}).end_object();
    json_.end_array().end_object();
    json_.key("then");
    write_reference({"mechanism"});
    json_.key("else");
    write_reference({"equation_model"});
  }

  /// If it is one thing in equation models and another in mechanisms, both are shown to editors and nothing is refused
  /// here: the kind of model decides.
  void write_root_section(const Place& place) {
    json_.key(place.section);
    if (place.section == "coordinates") {
      json_.begin_object().key("anyOf").begin_array();
      write_reference(place);
      write_coordinate_kind();
      json_.end_array().end_object();
      return;
    }
    const auto other = std::find_if(mechanism_.begin(), mechanism_.end(), [&](const Place& each) {
      return each.section == place.section && each.definition() != place.definition();
    });
    if (other == mechanism_.end()) {
      write_reference(place);
      return;
    }
    json_.begin_object().key("anyOf").begin_array();
    write_reference(place);
    write_reference(*other);
    json_.value(true).end_array().end_object();
  }

  SchemaWriter out_;
  JsonWriter& json_ = out_.json();
  const std::vector<Place> common_ = list_places(common_sections());
  const std::vector<Place> equations_ = list_places(equation_sections());
  const std::vector<Place> mechanism_ = list_places(mechanism_sections());
  std::set<std::string> defined_;
};

}  // namespace

std::string make_model_schema() { return ModelSchema().write(); }

}  // namespace driftless
