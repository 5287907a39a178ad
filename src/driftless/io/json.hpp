#pragma once
// A small JSON writer, and the report of a run as the object that `run --json` prints.

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/result/result.hpp"

namespace driftless {

/// Builds one JSON value. Members of an object come as key, value; commas and quotes are its
/// business. With indent > 0 each member of an object has its own line; arrays stay on one. Strings
/// that are not valid UTF-8 get U+FFFD for each bad byte; numbers read back exactly; non-finite
/// numbers are null.
class JsonWriter {
 public:
  explicit JsonWriter(int indent = 0) : indent_(indent) {}

  JsonWriter& begin_object() { return open('{', '}'); }
  JsonWriter& end_object() { return close(); }
  JsonWriter& begin_array() { return open('[', ']'); }
  JsonWriter& end_array() { return close(); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(bool flag);
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) JsonWriter& value(Integer number) {
    return raw(std::to_string(number));
  }
  template <class T>
  JsonWriter& value(const std::vector<T>& items) {
    begin_array();
    for (const auto& item : items) value(item);
    return end_array();
  }
  JsonWriter& null() { return raw("null"); }

  /// key and value in one.
  template <class T>
  JsonWriter& member(std::string_view name, const T& item) {
    return key(name).value(item);
  }

  const std::string& text() const { return text_; }

 private:
  struct Level {
    char end;
    bool empty = true;
  };
  JsonWriter& open(char begin, char end);
  JsonWriter& close();
  JsonWriter& raw(std::string_view text);
  void begin_item();
  void break_line();

  int indent_;
  bool after_key_ = false;
  std::vector<Level> levels_;
  std::string text_;
};

/// Members of the object that is open: status, message, cost and largest errors of a run.
void write_run_figures(JsonWriter& json, const Report& report);
/// Likewise: rows, which of them are redundant, and warnings.
void write_rows_and_warnings(JsonWriter& json, const Report& report);

/// The answer of `run --json`: one object, without a line end.
std::string report_to_json(const RunInfo& info, const Report& report);

}  // namespace driftless
