#include "driftless/io/json_schema_test.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

namespace driftless::testing {

const Json* Json::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

namespace {

using Kind = Json::Kind;

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Json parse() {
    Json value = parse_value();
    skip();
    if (at_ != text_.size()) fail("something after the value");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error("JSON, character " + std::to_string(at_) + ": " + why);
  }
  void skip() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool take(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void need(std::string_view word) {
    if (!take(word)) fail("'" + std::string(word) + "' is missing");
  }

  Json parse_value() {
    Json value;
    skip();
    if (take("{")) {
      value.kind = Kind::object;
      if (take("}")) return value;
      do {
        skip();
        std::string key = parse_text();
        if (value.find(key) != nullptr) fail("'" + key + "' is there twice");
        need(":");
        value.members.emplace_back(std::move(key), parse_value());
      } while (take(","));
      need("}");
    } else if (take("[")) {
      value.kind = Kind::list;
      if (take("]")) return value;
      do value.items.push_back(parse_value());
      while (take(","));
      need("]");
    } else if (text_.substr(at_, 1) == "\"") {
      value.kind = Kind::text;
      value.text = parse_text();
    } else if (take("true") || take("false")) {
      value.kind = Kind::flag;
      value.flag = text_[at_ - 2] == 'u';
    } else if (!take("null")) {
      value.kind = Kind::number;
      const char* begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value.number);
      if (error != std::errc{}) fail("no value");
      at_ += static_cast<std::size_t>(end - begin);
    }
    return value;
  }

  /// Escapes are kept for what they are in ASCII.
  std::string parse_text() {
    need("\"");
    std::string text;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a control character");
      if (text_[at_] == '\\' && ++at_ == text_.size()) break;
      text += text_[at_];
    }
    need("\"");
    return text;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  void check(const Json& schema, const Json& value, const std::string& path) {
    if (schema.kind == Kind::flag) {
      if (!schema.flag) refuse(path, "nothing may stand here");
      return;
    }
    for (const auto& [keyword, rule] : schema.members)
      check_keyword(schema, keyword, rule, value, path);
  }

  std::vector<std::string> errors;

 private:
  void refuse(const std::string& path, const std::string& why) {
    errors.push_back(path + ": " + why);
  }

  bool accepts(const Json& schema, const Json& value) {
    Validator other(root_);
    other.check(schema, value, "");
    return other.errors.empty();
  }

  void check_keyword(const Json& schema, const std::string& keyword, const Json& rule,
                     const Json& value, const std::string& path) {
    static const std::set<std::string> annotations{"$schema", "title", "description", "default",
                                                   "$defs",   "then",  "else"};
    if (annotations.contains(keyword)) return;
    if (keyword == "$ref") {
      check(resolve(rule.text), value, path);
    } else if (keyword == "type") {
      if (!has_type(rule, value)) refuse(path, "wrong type");
    } else if (keyword == "const") {
      if (!(rule == value)) refuse(path, "not " + rule.text);
    } else if (keyword == "not") {
      if (accepts(rule, value)) refuse(path, "what it must not be");
    } else if (keyword == "enum") {
      if (std::find(rule.items.begin(), rule.items.end(), value) == rule.items.end())
        refuse(path, "none of the known words");
    } else if (keyword == "allOf") {
      for (const Json& each : rule.items) check(each, value, path);
    } else if (keyword == "anyOf") {
      if (std::none_of(rule.items.begin(), rule.items.end(),
                       [&](const Json& each) { return accepts(each, value); }))
        refuse(path, "no alternative fits");
    } else if (keyword == "if") {
      if (const Json* next = schema.find(accepts(rule, value) ? "then" : "else"))
        check(*next, value, path);
    } else if (!check_object(schema, keyword, rule, value, path) &&
               !check_list(keyword, rule, value, path) &&
               !check_number(keyword, rule, value, path)) {
      throw std::runtime_error("the validator does not know the keyword " + keyword);
    }
  }

  bool check_object(const Json& schema, const std::string& keyword, const Json& rule,
                    const Json& value, const std::string& path) {
    if (keyword == "required") {
      for (const Json& name : rule.items) {
        if (value.kind == Kind::object && value.find(name.text) == nullptr)
          refuse(path, name.text + " is missing");
      }
    } else if (keyword == "properties") {
      for (const auto& [key, each] : value.members) {
        if (const Json* own = rule.find(key)) check(*own, each, path + "/" + key);
      }
    } else if (keyword == "additionalProperties") {
      const Json* known = schema.find("properties");
      for (const auto& [key, each] : value.members) {
        if (known == nullptr || known->find(key) == nullptr) check(rule, each, path + "/" + key);
      }
    } else if (keyword == "propertyNames") {
      for (const auto& member : value.members) {
        if (!std::regex_search(member.first, std::regex(rule.find("pattern")->text)))
          refuse(path, member.first + " is no name");
      }
    } else {
      return false;
    }
    return true;
  }

  bool check_list(const std::string& keyword, const Json& rule, const Json& value,
                  const std::string& path) {
    const auto size = static_cast<double>(value.items.size());
    const bool is_list = value.kind == Kind::list;
    if (keyword == "items") {
      for (std::size_t k = 0; k < value.items.size(); ++k)
        check(rule, value.items[k], path + "/" + std::to_string(k));
    } else if (keyword == "minItems") {
      if (is_list && size < rule.number) refuse(path, "too short");
    } else if (keyword == "maxItems") {
      if (is_list && size > rule.number) refuse(path, "too long");
    } else {
      return false;
    }
    return true;
  }

  bool check_number(const std::string& keyword, const Json& rule, const Json& value,
                    const std::string& path) {
    const bool is_number = value.kind == Kind::number;
    if (keyword == "minimum") {
      if (is_number && value.number < rule.number) refuse(path, "too small");
    } else if (keyword == "exclusiveMinimum") {
      if (is_number && value.number <= rule.number) refuse(path, "too small");
    } else if (keyword == "maximum") {
      if (is_number && value.number > rule.number) refuse(path, "too large");
    } else {
      return false;
    }
    return true;
  }

  static bool has_type(const Json& rule, const Json& value) {
    if (rule.kind == Kind::list) {
      return std::any_of(rule.items.begin(), rule.items.end(),
                         [&](const Json& each) { return has_type(each, value); });
    }
    switch (value.kind) {
      case Kind::null: return rule.text == "null";
      case Kind::flag: return rule.text == "boolean";
      case Kind::text: return rule.text == "string";
      case Kind::list: return rule.text == "array";
      case Kind::object: return rule.text == "object";
      case Kind::number: break;
    }
    return rule.text == "number" ||
           (rule.text == "integer" && value.number == std::floor(value.number));
  }

  const Json& resolve(const std::string& reference) const {
    constexpr std::string_view kPrefix = "#/$defs/";
    const Json* definitions = root_.find("$defs");
    if (definitions != nullptr && reference.starts_with(kPrefix)) {
      if (const Json* found = definitions->find(reference.substr(kPrefix.size()))) return *found;
    }
    throw std::runtime_error("there is no definition " + reference);
  }

  const Json& root_;
};

}  // namespace

Json parse_json(std::string_view text) { return JsonParser(text).parse(); }

Json to_json(const TomlNode& node) {
  Json value;
  switch (node.kind) {
    case TomlNode::Kind::number:
      value.kind = Kind::number;
      value.number = node.number;
      break;
    case TomlNode::Kind::flag:
      value.kind = Kind::flag;
      value.flag = node.flag;
      break;
    case TomlNode::Kind::text:
      value.kind = Kind::text;
      value.text = node.text;
      break;
    case TomlNode::Kind::date: break;
    case TomlNode::Kind::list:
      value.kind = Kind::list;
      for (const TomlNode& item : node.items) value.items.push_back(to_json(item));
      break;
    case TomlNode::Kind::table:
      value.kind = Kind::object;
      for (const TomlEntry& entry : node.entries)
        value.members.emplace_back(entry.key, to_json(entry.value));
      break;
  }
  return value;
}

std::vector<std::string> find_schema_errors(const Json& schema, const Json& value) {
  Validator validator(schema);
  validator.check(schema, value, "");
  return validator.errors;
}

namespace {

bool is_valid(std::string_view schema, std::string_view value) {
  return find_schema_errors(parse_json(schema), parse_json(value)).empty();
}

TEST(JsonSchema, TheValidatorOfTheTestsRefuses) {
  EXPECT_TRUE(is_valid(R"({"type": ["number", "string"], "exclusiveMinimum": 0})", "2"));
  EXPECT_TRUE(is_valid(R"({"type": ["number", "string"], "exclusiveMinimum": 0})", "\"-2\""));
  EXPECT_FALSE(is_valid(R"({"type": "number", "exclusiveMinimum": 0})", "0"));
  EXPECT_FALSE(is_valid(R"({"type": "integer"})", "1.5"));
  EXPECT_FALSE(is_valid(R"({"properties": {"a": true}, "additionalProperties": false})",
                        R"({"a": 1, "b": 2})"));
  EXPECT_FALSE(is_valid(R"({"required": ["a"]})", "{}"));
  EXPECT_FALSE(is_valid(R"({"propertyNames": {"pattern": "^[a-z]+$"}})", R"({"a1": 2})"));
  EXPECT_FALSE(is_valid(R"({"items": {"type": "number"}, "minItems": 2})", R"([1, "b"])"));
  EXPECT_FALSE(is_valid(R"({"minItems": 2})", "[1]"));
  EXPECT_FALSE(is_valid(R"({"$ref": "#/$defs/x", "$defs": {"x": {"enum": ["a"]}}})", "\"b\""));
  EXPECT_FALSE(is_valid(R"({"anyOf": [{"const": "a"}, {"maximum": 3}]})", "4"));
  EXPECT_FALSE(is_valid(R"({"if": {"const": 1}, "then": false})", "1"));
  EXPECT_TRUE(is_valid(R"({"if": {"const": 1}, "then": false})", "2"));
  EXPECT_THROW(is_valid(R"({"oneOf": []})", "1"), std::runtime_error);
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "1 2", "tru", "\"a\nb\""})
    EXPECT_THROW(parse_json(text), std::runtime_error) << text;
}

}  // namespace
}  // namespace driftless::testing
