#include "driftless/model/start_check.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "driftless/model/mechanism_check.hpp"

namespace driftless {

void check_start_value(const std::string& key, const NamedValue& start, Findings& findings) {
  const auto add = [&](const Source& where, std::string message, std::string remedy = {}) {
    findings.push_back({where, std::move(message), std::move(remedy)});
  };
  constexpr std::string_view kWanted =
      R"(a number, a text, or { value = ..., priority = "exact" })";
  const auto is_scalar = [](const Value& value) { return value.is_number() || value.is_text(); };
  if (!start.value.is_table()) {
    if (!is_scalar(start.value)) {
      add(start.value.where, fmt::format("{} is {}; wanted: {}", key, start.value.kind(), kWanted));
    }
    return;
  }
  const Value::Table& table = start.value.table();
  if (find_value(table, "value") == nullptr) {
    add(start.where, key + ".value is missing", fmt::format("write {}", kWanted));
  }
  const std::vector<std::string> priorities{"exact", "preferred", "guess"};
  for (const auto& [part, value] : table) {
    if (part == "value") {
      if (!is_scalar(value)) {
        add(value.where,
            fmt::format("{}.value is {}; wanted: a number or a text", key, value.kind()));
      }
    } else if (part != "priority") {
      add(value.where, fmt::format("{}.{}: there is no such key", key, shorten(part)),
          suggest_name(part, {"value", "priority"}));
    } else if (!value.is_text() ||
               std::find(priorities.begin(), priorities.end(), value.text()) == priorities.end()) {
      add(value.where,
          fmt::format("{}.priority{}: wanted is \"exact\", \"preferred\" (default) or \"guess\"",
                      key,
                      value.is_text() ? fmt::format(" = '{}'", shorten(value.text()))
                                      : " is " + value.kind()),
          value.is_text() ? suggest_name(value.text(), priorities) : std::string());
    }
  }
}

}  // namespace driftless
