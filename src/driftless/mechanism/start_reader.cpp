#include "driftless/mechanism/start_reader.hpp"

#include <fmt/format.h>

#include "driftless/model/names.hpp"

namespace driftless {
namespace {

bool is_possible(Measure::Kind kind) {
  return kind == Measure::Kind::value || kind == Measure::Kind::rate ||
         kind == Measure::Kind::velocity;
}

std::vector<std::string> list_possible(const MeasureList& measures) {
  std::vector<std::string> names;
  for (const Measure::Kind kind :
       {Measure::Kind::value, Measure::Kind::rate, Measure::Kind::velocity}) {
    for (std::string& name : measures.names_of(kind)) names.push_back(std::move(name));
  }
  return names;
}

void read_target(const NamedValue& entry, ReadingContext& context, StartTarget& target) {
  if (!entry.value.is_table()) {
    ElementSpec none;
    none.name = entry.name;
    ElementReader reader("start", none, context);
    target.value = reader.read_number(entry.value, "value", target.unit);
    return;
  }
  ElementReader table("start." + entry.name, entry.value, context);
  const auto value = table.number("value", target.unit);
  if (!value) table.miss("value");
  target.value = value.value_or(0.0);
  if (const auto word = table.text("priority")) {
    if (*word == "exact") {
      target.priority = Priority::exact;
    } else if (*word == "guess") {
      target.priority = Priority::guess;
    } else if (*word != "preferred") {
      table.fault(table.take("priority")->where,
                  fmt::format("{}.priority: '{}' is not known", table.path(), shorten(*word)),
                  "use \"exact\", \"preferred\" or \"guess\"");
    }
  }
  table.finish();
}

}  // namespace

StartValues read_start(const std::vector<NamedValue>& entries, const MeasureList& measures,
                       ReadingContext& context) {
  StartValues start;
  for (const NamedValue& entry : entries) {
    const Measure* measure = measures.find(entry.name);
    if (measure == nullptr && measures.is_doubtful(entry.name)) continue;
    if (measure == nullptr || !is_possible(measure->kind)) {
      std::string remedy = suggest_name(entry.name, list_possible(measures));
      if (measure != nullptr) remedy = "give positions and rates, such as A.angle or A.rate";
      context.errors.add(
          entry.where,
          fmt::format("start: there is no value '{}' to start with", shorten(entry.name)), remedy);
      continue;
    }
    StartTarget target;
    target.name = entry.name;
    target.where = entry.where;
    target.unit = measure->unit;
    target.is_rate = measure->kind != Measure::Kind::value;
    read_target(entry, context, target);
    start.targets.push_back(std::move(target));
    start.measures.push_back(*measure);
  }
  return start;
}

}  // namespace driftless
