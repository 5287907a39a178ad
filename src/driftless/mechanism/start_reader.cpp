#include "driftless/mechanism/start_reader.hpp"

#include <cmath>
#include <limits>
#include <numbers>

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
  if (!value) context.errors.add(entry.where, table.path() + ".value is missing");
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

void turn_body(const std::string& measure, double wanted, const MechanismParts& parts, Vector& q) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  for (const Body& body : parts.bodies) {
    if (body.kind != BodyKind::plane_body || measure != body.name + ".angle") continue;
    double& angle = q[body.q + 2];
    angle += kTurn * std::round((wanted - angle) / kTurn);
  }
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

void set_first_turns(const StartValues& start, MechanismParts& parts, Vector& q) {
  parts.start_angles.clear();
  for (const TurnCounter& counter : parts.counters)
    parts.start_angles.push_back(counter.continuous ? std::numeric_limits<double>::quiet_NaN()
                                                    : 0.0);
  parts.start_given.assign(parts.counters.size(), false);
  parts.start_exact.assign(parts.counters.size(), false);
  for (std::size_t k = 0; k < start.targets.size(); ++k) {
    const Measure& measure = start.measures[k];
    const double value = start.targets[k].value;
    if (measure.kind != Measure::Kind::value) continue;
    turn_body(measure.name, value, parts, q);
    for (std::size_t c = 0; c < parts.counters.size(); ++c) {
      const TurnCounter& counter = parts.counters[c];
      const bool tells = measure.block == counter.function && measure.component == counter.teller;
      if (measure.counter != static_cast<int>(c) && (!tells || parts.start_given[c])) continue;
      parts.start_angles[c] = (tells ? counter.angle_per_unit : 1.0) * value;
      parts.start_given[c] = true;
      parts.start_exact[c] = start.targets[k].priority == Priority::exact;
    }
  }
}

}  // namespace driftless
