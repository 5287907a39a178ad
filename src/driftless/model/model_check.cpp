#include "driftless/model/model_check.hpp"

#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace driftless {

namespace {

void check_names(const EquationModel& model, Findings& findings) {
  Namespace names("parameters, coordinates, states, tables, conserved quantities and records",
                  findings);
  for (const NamedText& p : model.parameters) names.declare("parameter", p.name, p.where);
  for (const CoordinateSpec& q : model.coordinates) names.declare("coordinate", q.name, q.where);
  for (const StateSpec& c : model.states) names.declare("state", c.name, c.where);
  for (const TableSpec& table : model.tables) names.declare("table", table.name, table.where);
  for (const ConservedSpec& c : model.conserved)
    names.declare("conserved quantity", c.name, c.where);
  for (const NamedText& record : model.records) names.declare("record", record.name, record.where);

  for (const CoordinateSpec& q : model.coordinates)
    check_column_name("coordinate", q.name, q.where, findings);
  for (const StateSpec& c : model.states) check_column_name("state", c.name, c.where, findings);
  for (const NamedText& record : model.records)
    check_column_name("record", record.name, record.where, findings);

  Namespace rows("constraints and velocity constraints", findings);
  for (const NamedText& row : model.constraints) rows.declare("constraint", row.name, row.where);
  for (const NamedText& row : model.velocity_constraints) {
    rows.declare("velocity constraint", row.name, row.where);
  }
}

void check_parts(const EquationModel& model, Findings& findings) {
  if (model.coordinates.empty()) {
    findings.push_back(
        {model.where, "the model has no coordinates",
         "add a section [coordinates] with lines such as: x = { start = 0, rate = 1 }"});
  }
  std::vector<std::string> given;
  if (model.kinetic) given.push_back("energy.kinetic");
  if (!model.mass.empty()) given.push_back("energy.mass");
  if (model.linear) given.push_back("[matrices]");
  if (given.size() == 1) return;
  constexpr std::string_view kWays =
      R"(give one: [energy] kinetic = "m/2*x'^2", [energy] mass = [["m"]], or [matrices] M, K)";
  if (given.empty()) {
    findings.push_back({model.where,
                        "the model does not say where its mass is: there is no kinetic energy, "
                        "mass matrix or [matrices]",
                        std::string(kWays)});
    return;
  }
  const Source& where = model.linear                 ? model.linear->where
                        : model.mass.front().empty() ? model.kinetic->where
                                                     : model.mass.front().front().where;
  findings.push_back(
      {where, fmt::format("the mass is given more than once: by {}", fmt::join(given, " and by ")),
       std::string(kWays)});
}

void check_forces(const EquationModel& model, Findings& findings) {
  const std::vector<std::string> names = find_coordinate_names(model);
  const std::unordered_set<std::string> known(names.begin(), names.end());
  std::unordered_map<std::string, Source> seen;
  for (const NamedText& force : model.forces) {
    if (!known.contains(force.name)) {
      findings.push_back(
          {force.where, fmt::format("force.{}: there is no such coordinate", shorten(force.name)),
           findings.size() < kMaxSuggestions ? suggest_name(force.name, names) : ""});
    }
    const auto [first, inserted] = seen.try_emplace(force.name, force.where);
    if (!inserted) {
      findings.push_back({force.where,
                          fmt::format("force.{} is given twice, first {}", shorten(force.name),
                                      describe_place(first->second)),
                          "add the two expressions"});
    }
  }
}

Source find_place(const std::vector<Text>& row, const Source& otherwise) {
  return row.empty() ? otherwise : row.front().where;
}

void check_shape(std::string_view name, const MatrixText& matrix, std::size_t rows,
                 std::size_t columns, const Source& section, Findings& findings) {
  const Source first = matrix.empty() ? section : find_place(matrix.front(), section);
  if (matrix.size() != rows) {
    findings.push_back(
        {first,
         fmt::format("{} has {} row(s); {} wanted, one per coordinate", name, matrix.size(), rows),
         {}});
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (matrix[i].size() == columns) continue;
    findings.push_back({find_place(matrix[i], first),
                        fmt::format("row {} of {} has {} entries; {} wanted", i + 1, name,
                                    matrix[i].size(), columns),
                        {}});
  }
}

void check_linear(const LinearSpec& linear, std::size_t n, Findings& findings) {
  const Source& where = linear.where;
  check_shape("matrices.M", linear.mass, n, n, where, findings);
  check_shape("matrices.K", linear.stiffness, n, n, where, findings);
  if (!linear.damping.empty()) check_shape("matrices.C", linear.damping, n, n, where, findings);

  std::size_t inputs = n;
  if (!linear.input.empty()) {
    inputs = linear.input.front().size();
    check_shape("matrices.E", linear.input, n, inputs, where, findings);
    if (linear.load.empty()) {
      findings.push_back({find_place(linear.input.front(), where),
                          "matrices.E is given without matrices.f",
                          R"--(add the loads, for example f = ["sin(3*t)"], or remove E)--"});
    }
  }
  if (!linear.load.empty() && linear.load.size() != inputs) {
    findings.push_back(
        {linear.load.front().where,
         fmt::format("matrices.f has {} entries; {} wanted, one per {}", linear.load.size(), inputs,
                     linear.input.empty() ? "coordinate" : "column of E"),
         {}});
  }

  const std::vector<Text>& ratios = linear.damping_ratios;
  if (ratios.empty()) return;
  if (!linear.damping.empty()) {
    findings.push_back({ratios.front().where,
                        "matrices.C and matrices.damping_ratio exclude each other",
                        "remove one of them"});
  }
  if (ratios.size() != 1 && ratios.size() != n) {
    findings.push_back(
        {ratios.front().where,
         fmt::format(
             "matrices.damping_ratio has {} entries; wanted: 1 for all modes, or {}, one per mode",
             ratios.size(), n),
         {}});
  }
}

}  // namespace

std::vector<std::string> find_coordinate_names(const EquationModel& model) {
  std::vector<std::string> names;
  names.reserve(model.coordinates.size());
  for (const CoordinateSpec& coordinate : model.coordinates) names.push_back(coordinate.name);
  return names;
}

std::vector<Diagnostic> find_model_errors(const EquationModel& model) {
  Findings findings;
  check_names(model, findings);
  check_parts(model, findings);
  check_forces(model, findings);
  const std::size_t n = model.coordinates.size();
  if (n > 0 && !model.mass.empty())
    check_shape("energy.mass", model.mass, n, n, model.where, findings);
  if (n > 0 && model.linear) check_linear(*model.linear, n, findings);
  check_tables(model.tables, findings);
  return findings;
}

void check_model(const EquationModel& model) {
  std::vector<Diagnostic> findings = find_model_errors(model);
  if (!findings.empty()) throw ModelError(std::move(findings));
}

}  // namespace driftless
