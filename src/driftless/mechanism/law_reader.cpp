#include "driftless/mechanism/law_reader.hpp"

#include <fmt/format.h>

#include "driftless/model/mechanism_check.hpp"
#include "driftless/model/names.hpp"

namespace driftless {

LawReader::LawReader(MechanismParts& parts, MeasureList& measures, Assembly& assembly, bool plane,
                     std::set<std::string>& used)
    : parts_(parts),
      measures_(measures),
      assembly_(assembly),
      plane_(plane),
      used_(used),
      scope_(parts.laws.graph, measures, *this, used) {
  scope_.add("t", LawReader::time());
}

void LawReader::begin(ElementReader& reader, std::vector<int> frames, bool is_sound) {
  reader_ = &reader;
  is_sound_ = is_sound;
  frames_ = std::move(frames);
}

void LawReader::fault(std::string_view key, std::string message, std::string remedy) {
  if (!is_sound_) return;  // it may follow from what is wrong
  const Value* value = reader_->take(key);
  reader_->fault(value != nullptr ? value->where : reader_->where(),
                 fmt::format("{}.{}: {}", reader_->path(), key, message), std::move(remedy));
}

// ---- scalars -----------------------------------------------------------------------------------------

int LawReader::add_scalar(bool is_velocity, int block, int output, int counter) {
  const auto [place, is_new] = scalars_.try_emplace(std::tuple(is_velocity, block, output),
                                                    static_cast<int>(parts_.laws.scalars.size()));
  if (is_new) parts_.laws.scalars.push_back({is_velocity, block, output, counter, -1});
  return place->second;
}

int LawReader::find_scalar(NodeId value) const {
  const Node& node = parts_.laws.graph.node(value);
  if (node.op != Op::variable || node.index == LawParts::time() || node.index % 2 == 0) return -1;
  return (node.index - 1) / 2;
}

ScalarNode LawReader::make_scalar(int block, int output, int counter, std::string_view unit) {
  const int scalar = add_scalar(false, block, output, counter);
  const FunctionBlock& function = parts_.functions[static_cast<std::size_t>(block)];
  std::vector<Frame<double>> poses;
  for (const int frame : function.frames) poses.push_back(assembly_.find_drawn(frame));
  std::vector<double> drawn(static_cast<std::size_t>(function.function->outputs()));
  function.function->eval(poses.data(), drawn.data());
  return {graph().variable(LawParts::value_of(scalar)), graph().variable(LawParts::rate_of(scalar)),
          unit, drawn[static_cast<std::size_t>(output)]};
}

std::vector<ScalarNode> LawReader::add_function(std::unique_ptr<FrameFunction> function) {
  const auto block = static_cast<int>(parts_.functions.size());
  const int outputs = function->outputs();
  parts_.functions.push_back({std::move(function), frames_});
  std::vector<ScalarNode> nodes;
  for (int k = 0; k < outputs; ++k) nodes.push_back(make_scalar(block, k, -1, "m"));
  return nodes;
}

std::vector<NodeId> LawReader::add_function(std::unique_ptr<VelocityFunction> function) {
  const auto block = static_cast<int>(parts_.velocities.size());
  const int outputs = function->outputs();
  parts_.velocities.push_back({std::move(function), frames_});
  std::vector<NodeId> nodes;
  for (int k = 0; k < outputs; ++k) {
    nodes.push_back(graph().variable(LawParts::rate_of(add_scalar(true, block, k, -1))));
  }
  return nodes;
}

ScalarNode LawReader::find_measure(const MeasureName& name, std::string_view unit) {
  const Measure* measure = measures_.find(name.name);
  used_.insert(name.name);
  const std::string path = reader_->path() + ".of";
  if (measure != nullptr && measure->kind == Measure::Kind::value) {
    if (unit.empty() || unit == measure->unit) {
      ScalarNode scalar =
          make_scalar(measure->block, measure->component, measure->counter, measure->unit);
      scalar.least = measure->least;
      return scalar;
    }
    reader_->fault(name.where,
                   fmt::format("{}: '{}' is measured in {}; wanted: {}", path, name.name,
                               measure->unit, unit == "rad" ? "an angle" : "a length"),
                   suggest_measures(unit));
  } else if (measure != nullptr || measures_.find_expression(name.name) != nullptr) {
    reader_->fault(name.where,
                   fmt::format("{}: '{}' is no measure of position by itself", path, name.name),
                   "name a joint's coordinate, a body's, or a measure of frames");
  } else if (!name.name.empty() && !measures_.is_doubtful(name.name)) {
    reader_->fault(name.where,
                   fmt::format("{}: there is no measure '{}'", path, shorten(name.name)),
                   suggest_name(name.name, measures_.names_of(Measure::Kind::value)));
  }
  is_sound_ = false;
  const NodeId zero = graph().constant(0.0);
  return {zero, zero, unit};
}

std::string LawReader::suggest_measures(std::string_view unit) const {
  std::vector<std::string> fitting;
  for (const std::string& name : measures_.names_of(Measure::Kind::value)) {
    if (measures_.find(name)->unit == unit) fitting.push_back(name);
  }
  const bool is_angle = unit == "rad";
  if (fitting.empty()) {
    return is_angle ? "there is no angle yet: add a joint that turns, or [measure.NAME] with "
                      "type = \"angle\""
                    : "there is no length yet: add a joint that slides, or [measure.NAME] with "
                      "type = \"distance\"";
  }
  return fmt::format("name {}; {}", is_angle ? "an angle" : "a length", suggest("", fitting));
}

NodeId LawReader::add_state(std::string_view what, std::string_view unit, double start) {
  LawParts& laws = parts_.laws;
  const auto scalar = static_cast<int>(laws.scalars.size());
  const auto index = static_cast<int>(laws.states.size());
  laws.scalars.push_back({.state = index});
  const std::string name =
      reader_->path().substr(reader_->path().find('.') + 1) + "." + std::string(what);
  laws.states.push_back({name, std::string(unit), start, scalar, graph().constant(0.0)});
  measures_.add_state(name, unit, index);
  return graph().variable(LawParts::value_of(scalar));
}

void LawReader::set_rate(NodeId state, NodeId rate) {
  const LawScalar& scalar = parts_.laws.scalars[static_cast<std::size_t>(find_scalar(state))];
  parts_.laws.states[static_cast<std::size_t>(scalar.state)].rate = rate;
}

double LawReader::find_mass_product() const {
  double product = 1.0;
  for (const int frame : frames_) {
    const int body = assembly_.frames[static_cast<std::size_t>(frame)].body;
    product *= body < 0 ? 0.0 : assembly_.bodies[static_cast<std::size_t>(body)].body.mass;
  }
  return product;
}

// ---- formulas ----------------------------------------------------------------------------------------

NodeId LawReader::parse(const Text& text, const std::string& name, DiagnosticList& errors) {
  formula_scope_ = FormulaScope::motion;
  try {
    return scope_.parse(text);
  } catch (const ModelError& error) {
    errors.add(error, name, text.where);
    return graph().constant(0.0);
  }
}

NodeId LawReader::parse(const Formula& formula, FormulaScope scope, LocalNames locals) {
  if (!formula.given()) return graph().constant(0.0);  // somebody has said that it is missing
  NodeId node = graph().constant(0.0);
  formula_scope_ = scope;
  try {
    node = scope_.parse({formula.text, formula.where}, locals);
  } catch (const ModelError& error) {
    reader_->context().errors.add(error, reader_->name_place(formula.where), formula.where);
    return node;
  }
  for (const int variable : graph().dependencies(node)) {
    if (variable == LawParts::time() || scope == FormulaScope::motion) continue;
    const bool is_rate = variable % 2 == 0;
    if (scope == FormulaScope::position && !is_rate) continue;
    reader_->fault(
        formula.where,
        fmt::format("{}: \"{}\" {}", reader_->name_place(formula.where), shorten(formula.text),
                    scope == FormulaScope::time
                        ? "depends on the motion, but a prescribed motion is a "
                          "function of t"
                        : "contains rates, but a constraint of positions is wanted"),
        scope == FormulaScope::time ? "use t and parameters; for an equation between "
                                      "measures: type = \"coupler\""
                                    : "for an equation of rates: type = \"velocity\"");
    return graph().constant(0.0);
  }
  return node;
}

std::optional<NodeId> LawReader::find_node(const Measure& measure) {
  using Kind = Measure::Kind;
  if (measure.kind == Kind::value || measure.kind == Kind::rate) {
    int counter = -1;
    for (std::size_t k = 0; k < parts_.counters.size(); ++k) {
      const TurnCounter& each = parts_.counters[k];
      if (each.function == measure.block && each.output == measure.component) {
        counter = static_cast<int>(k);
      }
    }
    const int scalar = add_scalar(false, measure.block, measure.component, counter);
    return graph().variable(measure.kind == Kind::value ? LawParts::value_of(scalar)
                                                        : LawParts::rate_of(scalar));
  }
  if (measure.kind == Kind::velocity) {
    const int scalar = add_scalar(true, measure.block, measure.component, -1);
    return graph().variable(LawParts::rate_of(scalar));
  }
  if (measure.kind == Kind::state) {
    const LawParts::State& state = parts_.laws.states[static_cast<std::size_t>(measure.block)];
    return graph().variable(LawParts::value_of(state.scalar));
  }
  if (const auto place = efforts_.find(measure.name); place != efforts_.end()) return place->second;
  return {};
}

bool LawReader::is_usable(const Measure& measure) const {
  using Kind = Measure::Kind;
  if (measure.kind == Kind::value) return formula_scope_ != FormulaScope::time;
  if (formula_scope_ != FormulaScope::motion) return false;
  return measure.kind == Kind::state || measure.kind == Kind::rate ||
         measure.kind == Kind::velocity || efforts_.contains(measure.name);
}

std::optional<NodeId> LawReader::find_rate(int variable) {
  if (variable == LawParts::time()) return graph().constant(1.0);
  if (variable % 2 == 0) return {};
  const int state = parts_.laws.scalars[static_cast<std::size_t>((variable - 1) / 2)].state;
  if (state >= 0) return parts_.laws.states[static_cast<std::size_t>(state)].rate;
  return graph().variable(variable + 1);
}

namespace {

std::pair<std::string, std::string> refuse_reaction(std::string_view name) {
  return {fmt::format("'{}' depends on accelerations or reactions, which are not known when "
                      "forces and constraints are evaluated",
                      name),
          "use measures of position and velocity and t here; [record] may contain it"};
}

}  // namespace

std::pair<std::string, std::string> LawReader::explain_refusal(const Measure& measure) const {
  if (needs_acceleration(measure.kind)) return refuse_reaction(measure.name);
  const bool is_kinetic = measure.kind == Measure::Kind::kinetic;
  if (is_kinetic || measure.kind == Measure::Kind::potential) {
    return {
        fmt::format("'{}', the {} energy of the whole mechanism, cannot be used here: forces and "
                    "constraints depend on measures and t only",
                    measure.name, is_kinetic ? "kinetic" : "potential"),
        "write what it stands for as an expression of measures; [record] may contain it"};
  }
  return {fmt::format("'{}' cannot be used here", measure.name),
          "use measures of position and velocity, t, and forces declared above"};
}

std::pair<std::string, std::string> LawReader::explain_later(
    std::string_view name, const MeasureList::Later& later) const {
  if (!later.is_force) return refuse_reaction(name);
  const Source& where = later.where;
  const std::string force(find_owner(name));
  if (reader_->path() == "force." + force) {
    return {fmt::format("'{}' is what force.{} itself gives: it cannot depend on it", name, force),
            "use measures of position and velocity, t, and forces declared above"};
  }
  const std::string line = where.line > 0 ? fmt::format(" (line {})", where.line) : std::string();
  if (!reader_->path().starts_with("force.")) {
    return {fmt::format("'{}' is of force.{}{}, and constraints do not depend on forces", name,
                        force, line),
            "use measures of position and velocity and t"};
  }
  return {fmt::format("'{}' is of force.{}, which is declared further below{}: forces are found in "
                      "the file's order",
                      name, force, line),
          fmt::format("move [force.{}] above [{}]; two forces cannot depend on each other", force,
                      reader_->path())};
}

void LawReader::read_conserved(const std::vector<ConservedSpec>& conserved,
                               DiagnosticList& errors) {
  for (const ConservedSpec& spec : conserved) {
    if (spec.name == "energy") {
      std::string text = spec.value.text;
      std::erase(text, ' ');
      if ((text != "T+U" && text != "U+T") || spec.power) {
        errors.add(spec.where,
                   "conserved.energy: of a mechanism it is T + U, and its power is found by the "
                   "program",
                   "leave it out, or choose another name");
      }
      continue;
    }
    const NodeId value = parse(spec.value, "conserved." + spec.name, errors);
    const NodeId power = spec.power
                             ? parse(*spec.power, "conserved." + spec.name + ".power", errors)
                             : graph().constant(0.0);
    parts_.laws.invariants.push_back({spec.name, value, power});
  }
}

}  // namespace driftless
