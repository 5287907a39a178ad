#pragma once
// Pieces of a JSON Schema: what a value of a kind is, what a key takes. Each function writes members of the object that
// is open.
//
// Alternatives are written as a list of types ("type": ["number", "string"]) and not as anyOf: keywords such as `items`
// look only at values of their own type, and a message about the wrong one is better than one about all alternatives.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/fields.hpp"
#include "driftless/io/json.hpp"
#include "driftless/model/keys.hpp"

namespace driftless {

class SchemaWriter {
 public:
  using Texts = std::vector<std::string>;

  JsonWriter& json() { return json_; }

  /// What a value of this kind is. `key`: the words or the table are those of this key.
  void write_value(ValueKind kind, std::string_view key, const Bounds& bounds = {});
  /// With its unit, if it has one.
  void write_description(std::string_view description, std::string_view unit = {});
  /// As it would stand in a file: a number, a word in quotes, true or false; nothing if it is empty.
  void write_default(std::string_view text);

  /// A member: the last word of the key, with description, default and value.
  void write_key(const KeyInfo& info);
  /// What write_key writes into that member.
  void write_key_value(const KeyInfo& info);
  /// The keys below this one, and no other.
  void write_table(std::string_view key);
  /// Names that a user may give.
  void write_name_rule();

  void write_reference(std::string_view definition);
  /// A definition for the entries of a key with dotted names, to which write_key_value refers.
  void define_dotted_entry(const KeyInfo& info);

 private:
  void write_types(const Texts& types);
  void write_words(ValueKind kind, const Texts& words);
  void write_items(const Texts& types, const Bounds& bounds = {});
  void write_bounds(const Bounds& bounds);

  JsonWriter json_{2};
};

}  // namespace driftless
