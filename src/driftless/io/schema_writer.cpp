#include "driftless/io/schema_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "driftless/run/method_reader.hpp"

namespace driftless {
namespace {

using Texts = SchemaWriter::Texts;

/// What JSON knows of a kind.
struct Shape {
  Texts types;
  Texts items = {};  ///< types of a list's items; lists among them hold numbers
  int least = 0;     ///< number of items; 0: any
  int most = 0;
};

Shape find_shape(ValueKind kind) {
  const Texts number{"number", "string"};
  const Texts number_or_list{"number", "string", "array"};
  switch (kind) {
    case ValueKind::number: return {number};
    case ValueKind::whole_number: return {{"integer", "string"}};
    case ValueKind::flag: return {{"boolean"}};
    case ValueKind::text: return {{"string"}};
    case ValueKind::word: return {{"string"}};
    case ValueKind::words: return {{"string", "array"}, {"string"}};
    case ValueKind::names: return {{"array"}, {"string"}, 2, 2};
    case ValueKind::list: return {{"array"}, number};
    case ValueKind::numbers: return {number_or_list, number};
    case ValueKind::rows: return {{"array"}, {"array"}};
    case ValueKind::matrix: return {number_or_list, number_or_list};
    case ValueKind::gain: return {{"number", "string", "array", "object"}, number_or_list};
    case ValueKind::vector: return {{"array"}, number, 2, 3};
    case ValueKind::direction: return {{"array"}, number_or_list, 2, 3};
    case ValueKind::point: return {{"string", "array"}, number, 2, 3};
    case ValueKind::points: return {{"array"}, {"string", "array"}, 2, 2};
    case ValueKind::place: return {{"string", "array"}, number_or_list, 2, 3};
    case ValueKind::pose:
    case ValueKind::frame:
    case ValueKind::keys: return {{"object"}};
    case ValueKind::number_or_keys: return {{"number", "string", "object"}};
    case ValueKind::text_or_keys: return {{"string", "object"}};
  }
  return {};
}

/// The key whose keys below make the table; empty if the kind is no table.
std::string_view find_table_key(ValueKind kind, std::string_view key) {
  if (kind == ValueKind::pose) return "body.pose";
  if (kind == ValueKind::frame) return "joint.on";
  const bool is_table = kind == ValueKind::keys || kind == ValueKind::number_or_keys ||
                        kind == ValueKind::text_or_keys;
  return is_table ? key : std::string_view();
}

/// The words of a key: values of the file, or parts of a method.
Texts find_words(std::string_view key) {
  Texts words;
  for (const ValueInfo& value : all_values()) {
    if (value.key == key) words.emplace_back(value.value);
  }
  for (const WordInfo& word : all_words()) {
    if ("method." + word.kind == key) words.push_back(word.name);
  }
  return words;
}

std::string name_entry(const KeyInfo& info) { return fmt::format("{}_entry", info.key); }

}  // namespace

void SchemaWriter::write_types(const Texts& types) {
  if (types.size() == 1) {
    json_.member("type", types.front());
  } else {
    json_.member("type", types);
  }
}

void SchemaWriter::write_items(const Texts& types, const Bounds& bounds) {
  json_.key("items").begin_object();
  write_types(types);
  if (std::find(types.begin(), types.end(), "array") != types.end()) {
    write_items({"number", "string"});
  }
  write_bounds(bounds);
  json_.end_object();
}

void SchemaWriter::write_bounds(const Bounds& bounds) {
  if (std::isfinite(bounds.low))
    json_.member(bounds.open_low ? "exclusiveMinimum" : "minimum", bounds.low);
  if (std::isfinite(bounds.high)) json_.member("maximum", bounds.high);
  if (bounds.not_zero) json_.key("not").begin_object().member("const", 0.0).end_object();
}

void SchemaWriter::write_words(ValueKind kind, const Texts& words) {
  if (kind == ValueKind::word) {
    json_.member("enum", words);
    return;
  }
  json_.key("anyOf").begin_array().begin_object().member("enum", words).end_object();
  json_.begin_object().member("type", "array");
  json_.key("items").begin_object().member("enum", words).end_object().end_object().end_array();
}

void SchemaWriter::write_value(ValueKind kind, std::string_view key, const Bounds& bounds) {
  if (kind == ValueKind::word || kind == ValueKind::words) {
    const Texts words = find_words(key);
    if (!words.empty()) {
      write_words(kind, words);
      return;
    }
  }
  const Shape shape = find_shape(kind);
  write_types(shape.types);
  if (!shape.items.empty()) write_items(shape.items, bounds);
  if (shape.most > 0) json_.member("minItems", shape.least).member("maxItems", shape.most);
  if (kind == ValueKind::gain) {
    json_.key("additionalProperties").begin_object();
    write_types({"number", "string"});
    write_bounds(bounds);
    json_.end_object();
  }
  if (const std::string_view table = find_table_key(kind, key); !table.empty()) write_table(table);
  write_bounds(bounds);
}

void SchemaWriter::write_description(std::string_view description, std::string_view unit) {
  json_.member("description", unit.empty() ? std::string(description)
                                           : fmt::format("{} (unit: {})", description, unit));
}

void SchemaWriter::write_default(std::string_view text) {
  if (text.empty()) return;
  json_.key("default");
  double number = 0.0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (text.front() == '"') {
    json_.value(text.substr(1, text.size() - 2));
  } else if (error == std::errc{} && end == last) {
    json_.value(number);
  } else {
    json_.value(text == "true");
  }
}

void SchemaWriter::write_key(const KeyInfo& info) {
  json_.key(find_last_word(info.key)).begin_object();
  write_key_value(info);
  json_.end_object();
}

void SchemaWriter::write_key_value(const KeyInfo& info) {
  write_description(info.description);
  if (info.entries == Entries::one) {
    write_default(info.standard);
    write_value(info.kind, info.key, info.bounds);
    return;
  }
  json_.member("type", "object");
  if (info.entries == Entries::named) write_name_rule();
  json_.key("additionalProperties").begin_object();
  if (info.entries == Entries::named) {
    write_value(info.kind, info.key);
  } else {
    write_reference(name_entry(info));
  }
  json_.end_object();
}

void SchemaWriter::write_table(std::string_view key) {
  Texts needed;
  json_.key("properties").begin_object();
  for (const KeyInfo* info : find_keys_below(key)) {
    write_key(*info);
    if (info->needed) needed.emplace_back(find_last_word(info->key));
  }
  json_.end_object();
  if (!needed.empty()) json_.member("required", needed);
  json_.member("additionalProperties", false);
}

void SchemaWriter::write_name_rule() {
  // As is_identifier.
  json_.key("propertyNames").begin_object();
  json_.member("pattern", "^[A-Za-z_][A-Za-z0-9_]*$").end_object();
}

void SchemaWriter::write_reference(std::string_view definition) {
  json_.member("$ref", fmt::format("#/$defs/{}", definition));
}

// To TOML, A.angle = 1 is a table A with an entry `angle`. So an entry is the value, or a table of further parts of the
// name. A table with one of the keys below is the value.
void SchemaWriter::define_dotted_entry(const KeyInfo& info) {
  const bool may_be_table = info.kind == ValueKind::number_or_keys;
  Texts types = find_shape(info.kind).types;
  if (!may_be_table) types.emplace_back("object");
  json_.key(name_entry(info)).begin_object();
  write_types(types);
  if (may_be_table) {
    json_.key("if").begin_object().key("anyOf").begin_array();
    for (const std::string& word : list_keys_below(info.key))
      json_.begin_object().member("required", Texts{word}).end_object();
    json_.end_array().end_object();
    json_.key("then").begin_object();
    write_table(info.key);
    json_.end_object().key("else").begin_object();
  }
  json_.key("additionalProperties").begin_object();
  write_reference(name_entry(info));
  json_.end_object();
  if (may_be_table) json_.end_object();
  json_.end_object();
}

}  // namespace driftless
