// The texts of an equation model, in the order of their dependence: names, parameters, tables,
// start values, expressions. All findings are gathered, so that a user sees them at once.

#include "driftless/equations/compile.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "driftless/equations/equation_system.hpp"
#include "driftless/equations/linear_model.hpp"
#include "driftless/equations/record_unit.hpp"
#include "driftless/model/parameters.hpp"
#include "driftless/model/scopes.hpp"
#include "driftless/model/tables.hpp"

namespace driftless {

namespace {

constexpr std::size_t kMaxCoordinates = 2000;

const Source& find_place(const NamedText& named) {
  return named.where.line > 0 ? named.where : named.value.where;
}

class Compiler {
 public:
  Compiler(const EquationModel& model, const std::vector<std::string>& used_elsewhere)
      : model_(model),
        used_(used_elsewhere.begin(), used_elsewhere.end()),
        parameters_(used_),
        scope_(used_),
        energy_scope_(used_) {}

  CompiledModel run() {
    check_names();
    read_parameters();
    read_starts();
    read_state_starts();
    fill_scope(scope_);
    read_tables();
    read_inertia();
    read_forces();
    read_states();
    read_rows();
    read_observed();
    if (!errors_.empty()) judge_the_rest();
    errors_.finish();
    out_.system = make_equation_system(std::move(parts_));
    find_unused();
    return std::move(out_);
  }

 private:
  void check_names();
  void check_row_names();
  void check_name(const std::string& name, const char* what, const Source& where);
  void read_parameters();
  void read_starts();
  void read_state_starts();
  void read_states();
  void fill_scope(NodeScope& scope);
  void read_tables();
  void read_inertia();
  void read_mass_matrix();
  void read_linear();
  void read_forces();
  void read_rows();
  void read_observed();
  void add_solved();
  void judge_the_rest();
  void find_unused();

  /// Empty: something is wrong with it, which is noted.
  std::optional<PlacedNode> find(const Text& text, const NodeScope& scope);
  PlacedNode parse(const Text& text, const NodeScope& scope);
  PlacedNode parse(const Text& text) { return parse(text, scope_); }
  Quantity evaluate(const Text& text);

  const EquationModel& model_;
  std::set<std::string> used_;
  ParameterScope parameters_;
  NodeScope scope_;         // everything but T and U
  NodeScope energy_scope_;  // with T and U
  std::map<std::string, Source> declared_;
  EquationParts parts_;
  CompiledModel out_;
  DiagnosticList errors_;
  bool is_potential_faulty_ = false;
};

std::optional<PlacedNode> Compiler::find(const Text& text, const NodeScope& scope) {
  if (text.doubtful) return {};
  try {
    const NodeId node = scope.parse(text, parts_.graph);
    if (!parts_.graph.is_constant(node) || std::isfinite(parts_.graph.value(node)))
      return PlacedNode{node, text.where};
    errors_.add(text.where, fmt::format("\"{}\" has no finite value", text.text));
  } catch (const ModelError& error) {
    errors_.add(error);
  }
  return {};
}

PlacedNode Compiler::parse(const Text& text, const NodeScope& scope) {
  return find(text, scope).value_or(PlacedNode{parts_.graph.constant(0.0), text.where});
}

Quantity Compiler::evaluate(const Text& text) {
  try {
    return parameters_.evaluate(text);
  } catch (const ModelError& error) {
    errors_.add(error);
    return {};
  }
}

// -- names ----------------------------------------------------------------------------------------

void Compiler::check_name(const std::string& name, const char* what, const Source& where) {
  if (!is_identifier(name)) {
    errors_.add(where, fmt::format("{} '{}' is not a name", what, name),
                "a name begins with a letter or _ and goes on with letters, digits or _");
  } else if (is_reserved(name)) {
    errors_.add(where, fmt::format("{} '{}' has a reserved name", what, name),
                "t, pi, T, U and the names of functions are taken: choose another name");
  }
  const auto [place, is_new] = declared_.try_emplace(name, where);
  if (is_new) return;
  errors_.add(
      where,
      fmt::format(
          "{} '{}' is declared twice{}", what, name,
          place->second.line > 0 ? fmt::format(": first at line {}", place->second.line) : ""),
      "parameters, coordinates, states, tables and records share one set of names");
}

void Compiler::check_names() {
  if (model_.coordinates.empty())
    errors_.add(model_.where, "the model has no coordinates", "add [coordinates]");
  if (model_.coordinates.size() > kMaxCoordinates) {
    errors_.add(model_.where, fmt::format("{} coordinates: at most {}", model_.coordinates.size(),
                                          kMaxCoordinates));
    errors_.finish();
  }
  for (const NamedText& parameter : model_.parameters)
    check_name(parameter.name, "parameter", find_place(parameter));
  for (const CoordinateSpec& coordinate : model_.coordinates)
    check_name(coordinate.name, "coordinate", coordinate.where);
  for (const StateSpec& state : model_.states) check_name(state.name, "state", state.where);
  for (const TableSpec& table : model_.tables) check_name(table.name, "table", table.where);
  for (const NamedText& record : model_.records)
    check_name(record.name, "record", find_place(record));
  check_row_names();
}

void Compiler::check_row_names() {
  std::set<std::string> rows;
  for (const auto* list : {&model_.constraints, &model_.velocity_constraints})
    for (const NamedText& row : *list)
      if (!rows.insert(row.name).second)
        errors_.add(find_place(row), fmt::format("constraint '{}' is declared twice", row.name),
                    "the names of [constraint] and [velocity_constraint] must differ");
  std::set<std::string> conserved;
  for (const ConservedSpec& spec : model_.conserved)
    if (!conserved.insert(spec.name).second)
      errors_.add(spec.where.line > 0 ? spec.where : spec.value.where,
                  fmt::format("conserved quantity '{}' is declared twice", spec.name));
}

// -- parameters, start values, tables -------------------------------------------------------------

void Compiler::read_parameters() {
  UnavailableNames& unavailable = parameters_.unavailable();
  for (const CoordinateSpec& coordinate : model_.coordinates)
    for (const std::string& name : {coordinate.name, coordinate.name + "'"})
      unavailable.set(
          name, fmt::format("'{}' changes during the motion: a constant is wanted here", name),
          "use parameters only");
  for (const StateSpec& state : model_.states)
    unavailable.set(
        state.name,
        fmt::format("'{}' changes during the motion: a constant is wanted here", state.name),
        "use parameters only");
  for (const char* name : {"T", "U"})
    unavailable.set(name,
                    fmt::format("'{}' changes during the motion: a constant is wanted here", name),
                    "use parameters only");

  out_.parameters = driftless::read_parameters(model_.parameters, parameters_, errors_);
}

void Compiler::read_starts() {
  const auto n = static_cast<Eigen::Index>(model_.coordinates.size());
  out_.q = Vector::Zero(n);
  out_.v = Vector::Zero(n);
  Eigen::Index i = 0;
  for (const CoordinateSpec& coordinate : model_.coordinates) {
    out_.start_given.push_back(coordinate.start.has_value());
    out_.rate_given.push_back(coordinate.rate.has_value());
    std::optional<Dimension> dimension;
    if (coordinate.start) {
      const Quantity start = evaluate(*coordinate.start);
      out_.q[i] = start.value;
      dimension = start.dimension;
    }
    if (coordinate.rate) out_.v[i] = evaluate(*coordinate.rate).value;
    // A ratio and an angle look alike.
    const bool is_known = dimension && *dimension != Dimension{};
    parts_.coordinate_units.push_back(is_known ? to_string(*dimension) : "");
    ++i;
  }
}

void Compiler::read_state_starts() {
  for (const StateSpec& state : model_.states) {
    StatePart part;
    part.name = state.name;
    if (state.start) {
      const Quantity start = evaluate(*state.start);
      part.start = start.value;
      if (start.dimension && *start.dimension != Dimension{})
        part.unit = to_string(*start.dimension);
    }
    part.rate = {parts_.graph.constant(0.0), state.where};
    parts_.states.push_back(std::move(part));
  }
}

void Compiler::read_states() {
  for (std::size_t k = 0; k < model_.states.size(); ++k)
    if (model_.states[k].rate) parts_.states[k].rate = parse(*model_.states[k].rate);
}

void Compiler::fill_scope(NodeScope& scope) {
  parts_.name = model_.name;
  parts_.coordinates.clear();
  for (const CoordinateSpec& coordinate : model_.coordinates)
    parts_.coordinates.push_back(coordinate.name);
  const EquationVariables var = parts_.variables();
  Graph& graph = parts_.graph;
  scope.add("t", graph.variable(var.t()), "t");
  for (const auto& [name, value] : out_.parameters) {
    // A doubtful value must not be reckoned with: 1/(l - 1) is no fault if l = 1 only stands in.
    const bool doubtful = parameters_.is_doubtful(name);
    scope.add(name, doubtful ? graph.variable(var.t()) : graph.constant(value), name);
  }
  for (int i = 0; i < var.n; ++i) {
    const std::string& name = parts_.coordinates[static_cast<std::size_t>(i)];
    scope.add(name, graph.variable(var.q(i)), name);
    scope.add(name + "'", graph.variable(var.v(i)), name);
  }
  for (int i = 0; i < var.nc; ++i) {
    const std::string& name = parts_.states[static_cast<std::size_t>(i)].name;
    scope.add(name, graph.variable(var.c(i)), name);
  }
  for (const auto& [name, meaning] : {std::pair{"T", "kinetic"}, std::pair{"U", "potential"}})
    scope.unavailable().set(
        name,
        fmt::format("'{}', the {} energy, is known in [conserved] and [record] only", name,
                    meaning),
        "write the expression itself");
  for (const auto* rows : {&model_.constraints, &model_.velocity_constraints})
    for (const NamedText& row : *rows)
      scope.unavailable().set(
          row.name + ".lambda",
          fmt::format("'{}.lambda', the multiplier, is known in [record] only", row.name),
          "multipliers are solved for after forces and constraints are known");
}

void Compiler::read_tables() {
  for (const TableSpec& table : model_.tables) {
    scope_.add_table(table.name, add_table(table, model_.folder, parts_.graph, errors_));
  }
}

// -- expressions ----------------------------------------------------------------------------------

void Compiler::read_inertia() {
  const int ways =
      int{model_.kinetic.has_value()} + int{!model_.mass.empty()} + int{model_.linear.has_value()};
  if (ways != 1) {
    errors_.add(
        model_.where,
        ways == 0 ? "the model has no inertia" : "the inertia is given in more than one way",
        "give one of: kinetic in [energy], mass = [[...]], or [matrices]");
    return;
  }
  if (model_.potential) parts_.potential = find(*model_.potential, scope_);
  if (model_.kinetic) parts_.kinetic = find(*model_.kinetic, scope_);
  is_potential_faulty_ = model_.potential && !parts_.potential;
  if (!model_.mass.empty()) read_mass_matrix();
}

void Compiler::read_mass_matrix() {
  const std::size_t n = parts_.coordinates.size();
  bool fits = model_.mass.size() == n;
  for (const auto& row : model_.mass) fits = fits && row.size() == n;
  if (!fits) {
    const bool has_place = !model_.mass.front().empty();
    errors_.add(has_place ? model_.mass.front().front().where : model_.where,
                fmt::format("the mass matrix is {} x {}: must be {} x {}", model_.mass.size(),
                            model_.mass.front().size(), n, n),
                "one row and one column per coordinate, in the order of [coordinates]");
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      parts_.mass.push_back(parse(model_.mass[i][j]));
      if (!parts_.graph.is_zero(parts_.mass.back().node)) used_.insert(parts_.coordinates[i]);
    }
  }
}

void Compiler::read_linear() {
  const LinearSpec& spec = *model_.linear;
  const LinearMatrices matrices = read_linear_matrices(spec, parts_.size(), parameters_, errors_);
  std::vector<NodeId> load;
  for (const Text& text : spec.load) {
    const PlacedNode force = parse(text);
    const std::vector<int>& variables = parts_.graph.dependencies(force.node);
    if (!variables.empty() && variables.back() != parts_.variables().t())
      errors_.add(text.where, "a load is a function of t",
                  "put what depends on the motion into [force]");
    load.push_back(force.node);
  }
  used_.insert(parts_.coordinates.begin(), parts_.coordinates.end());
  if (matrices.input.cols() == static_cast<Eigen::Index>(load.size()) &&
      matrices.input.rows() == parts_.size())
    add_linear_parts(matrices, load, spec.where, parts_);
}

void Compiler::read_forces() {
  const std::vector<std::string>& names = parts_.coordinates;
  if (!model_.forces.empty()) {
    parts_.forces.assign(names.size(), {parts_.graph.constant(0.0), model_.where});
    std::set<std::string> seen;
    for (const NamedText& force : model_.forces) {
      const auto place = std::find(names.begin(), names.end(), force.name);
      if (place == names.end()) {
        errors_.add(find_place(force),
                    fmt::format("force on '{}': there is no such coordinate", force.name),
                    suggest(force.name, names));
      } else if (!seen.insert(force.name).second) {
        errors_.add(find_place(force), fmt::format("force on '{}' is given twice", force.name),
                    "add the two up");
      } else {
        parts_.forces[static_cast<std::size_t>(place - names.begin())] = parse(force.value);
      }
    }
  }
  if (model_.linear && !model_.kinetic && model_.mass.empty()) read_linear();
}

void Compiler::read_rows() {
  for (const NamedText& row : model_.constraints)
    if (const auto placed = find(row.value, scope_))
      parts_.position_rows.push_back({row.name, placed->node, row.value.where});
  for (const NamedText& row : model_.velocity_constraints)
    if (const auto placed = find(row.value, scope_))
      parts_.velocity_rows.push_back({row.name, placed->node, row.value.where});
}

void Compiler::read_observed() {
  if (model_.conserved.empty() && model_.records.empty()) return;
  const std::size_t n = parts_.coordinates.size();
  const bool has_inertia = parts_.kinetic || parts_.mass.size() == n * n;
  energy_scope_ = scope_;
  // Faulty ones have some value that changes, so that what is made of them is not refused as constant.
  const NodeId changing = parts_.graph.variable(parts_.variables().v(0));
  energy_scope_.add("T", has_inertia ? find_kinetic_energy(parts_) : changing, "T");
  energy_scope_.add("U", is_potential_faulty_ ? changing : find_potential_energy(parts_), "U");
  for (const ConservedSpec& spec : model_.conserved) {
    const auto value = find(spec.value, energy_scope_);
    ConservedPart part{spec.name, value.value_or(PlacedNode{}), {}};
    if (spec.power) part.power = parse(*spec.power, energy_scope_);
    if (!value) continue;
    parts_.conserved.push_back(std::move(part));
  }
  add_solved();
  for (const NamedText& record : model_.records) {
    const auto value = find(record.value, energy_scope_);
    parts_.records.push_back(
        {record.name, value ? value->node : parts_.graph.constant(0.0), record.value.where});
    parts_.record_units.push_back(
        value ? find_record_unit(record.value, energy_scope_, parts_, parameters_) : "");
  }
}

/// What is solved for at each moment can be recorded: x'' and, of a constraint, rod.lambda.
void Compiler::add_solved() {
  const EquationVariables var = parts_.variables();
  for (int i = 0; i < var.n; ++i) {
    const std::string& name = parts_.coordinates[static_cast<std::size_t>(i)];
    energy_scope_.add(name + "''", parts_.graph.variable(var.w(i)), name);
  }
  int row = 0;
  for (const auto* rows : {&parts_.position_rows, &parts_.velocity_rows})
    for (const NamedNode& each : *rows)
      energy_scope_.add(each.name + ".lambda", parts_.graph.variable(var.lambda(row++)), each.name);
}

/// What the equations themselves show, as far as they could be read: rates in a constraint, a kinetic energy that is not
/// quadratic.
void Compiler::judge_the_rest() {
  const std::size_t n = parts_.coordinates.size();
  if (model_.linear) return;  // its matrices are judged as such
  if (n == 0 || (!parts_.kinetic && parts_.mass.size() != n * n)) return;
  try {
    make_equation_system(std::move(parts_));
  } catch (const ModelError& error) {
    errors_.add(error);
  }
}

void Compiler::find_unused() {
  std::vector<std::pair<Source, std::string>> unused;
  for (const NamedText& parameter : model_.parameters)
    if (!used_.contains(parameter.name))
      unused.emplace_back(parameter.value.where,
                          fmt::format("parameter '{}' is never used", parameter.name));
  for (const CoordinateSpec& coordinate : model_.coordinates)
    if (!used_.contains(coordinate.name))
      unused.emplace_back(coordinate.where,
                          fmt::format("coordinate '{}' is in no equation", coordinate.name));
  for (const TableSpec& table : model_.tables)
    if (!used_.contains(table.name))
      unused.emplace_back(table.where, fmt::format("table '{}' is never used", table.name));
  std::stable_sort(unused.begin(), unused.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.line, a.first.column) < std::tie(b.first.line, b.first.column);
  });
  for (auto& entry : unused) out_.warnings.push_back(std::move(entry.second));
}

}  // namespace

CompiledModel compile(const EquationModel& model, const std::vector<std::string>& used_elsewhere) {
  return Compiler(model, used_elsewhere).run();
}

}  // namespace driftless
