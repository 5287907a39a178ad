#pragma once
// Entries of [method] as a file would give them, and what is said of those that make no method.

#include <string>
#include <utility>
#include <vector>

#include "driftless/run/method_reader.hpp"

namespace driftless::method_words {

inline const MethodContext kContext{{{"k", 3.0}, {"tau", 0.5}}, {"rod", "hinge"}, {"blade"}};

inline Value at(Value value, int line, int column) {
  value.where = {"model.toml", line, column};
  return value;
}
inline Value text(const char* t, int line = 7, int column = 9) {
  return at(Value{std::string(t), {}}, line, column);
}
inline Value number(double x, int line = 7, int column = 9) {
  return at(Value{x, {}}, line, column);
}
inline Value list(Value::List items, int line = 7, int column = 9) {
  return at(Value{std::move(items), {}}, line, column);
}
inline Value table(Value::Table items) { return at(Value{std::move(items), {}}, 7, 9); }

inline MethodSpec spec(Value::Table entries, const char* name = "") {
  return {name, std::move(entries), {"model.toml", 5, 1}};
}
inline Method read(Value::Table entries) { return read_method(spec(std::move(entries)), kContext); }
inline Method find(const std::vector<MethodSpec>& methods, const char* word) {
  return find_method(methods, {word, {}, {}}, kContext);
}

template <class Function>
std::string find_error(Function&& function) {
  try {
    function();
  } catch (const ModelError& error) {
    std::string all;
    for (const Diagnostic& each : error.diagnostics()) {
      all += (all.empty() ? "" : "\n") + format_diagnostic(each);
    }
    return all;
  }
  return "nothing was thrown";
}
inline std::string read_error(Value::Table entries) {
  return find_error([&] { read(std::move(entries)); });
}
inline std::string place(const char* rest) { return std::string("model.toml:7:9: error: ") + rest; }

inline const Baumgarte& gains(const Method& method) {
  return std::get<Baumgarte>(method.formulation);
}

}  // namespace driftless::method_words
