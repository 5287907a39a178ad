#include "driftless/model/model_check.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "driftless/expressions/parser.hpp"

namespace driftless {

namespace {

using Findings = std::vector<Diagnostic>;

/// Looking for the nearest name costs time with many names; a file with this many errors needs no
/// further hints.
constexpr std::size_t kMaxSuggestions = 20;

std::string describe_place(const Source& where) {
  if (where.line <= 0) return "earlier";
  return fmt::format("in line {}, column {}", where.line, where.column);
}

std::string explain_reserved(std::string_view name) {
  if (name == "t") return "it means the time";
  if (name == "pi") return "it means the number 3.14159...";
  if (name == "T") return "it means the kinetic energy";
  if (name == "U") return "it means the potential energy";
  return "it is a function";
}

/// Names that must differ from each other, with what they were first declared as.
class Namespace {
 public:
  Namespace(std::string sharing, Findings& findings)
      : sharing_(std::move(sharing)), findings_(findings) {}

  void declare(std::string_view what, const std::string& name, const Source& where) {
    if (!is_identifier(name)) {
      findings_.push_back({where,
                           fmt::format("'{}' cannot be the name of a {}", shorten(name), what),
                           "a name has letters, digits and _, and does not begin with a digit"});
      return;
    }
    if (is_reserved(name)) {
      findings_.push_back(
          {where,
           fmt::format("'{}' cannot be the name of a {}: {}", name, what, explain_reserved(name)),
           fmt::format("choose another name, for example '{}1'", name)});
      return;
    }
    const auto [first, inserted] = first_.try_emplace(name, Declared{std::string(what), where});
    if (inserted) return;
    findings_.push_back(
        {where,
         fmt::format("the name '{}' is given twice: to a {} here and to a {} {}", shorten(name),
                     what, first->second.what, describe_place(first->second.where)),
         fmt::format("{} must have different names", sharing_)});
  }

 private:
  struct Declared {
    std::string what;
    Source where;
  };
  std::string sharing_;
  Findings& findings_;
  std::unordered_map<std::string, Declared> first_;
};

void check_names(const EquationModel& model, Findings& findings) {
  Namespace names("parameters, coordinates, tables, conserved quantities and records", findings);
  for (const NamedText& p : model.parameters) names.declare("parameter", p.name, p.where);
  for (const CoordinateSpec& q : model.coordinates) names.declare("coordinate", q.name, q.where);
  for (const TableSpec& table : model.tables) names.declare("table", table.name, table.where);
  for (const ConservedSpec& c : model.conserved)
    names.declare("conserved quantity", c.name, c.where);
  for (const NamedText& record : model.records) names.declare("record", record.name, record.where);

  const auto check_column = [&](std::string_view what, const std::string& name,
                                const Source& where) {
    if (name != "phi" && name != "phi_dot" && name != "energy_error") return;
    findings.push_back(
        {where,
         fmt::format("'{}' cannot be the name of a {}: every result has a column of that name",
                     name, what),
         fmt::format("choose another name, for example '{}1'", name)});
  };
  for (const CoordinateSpec& q : model.coordinates) check_column("coordinate", q.name, q.where);
  for (const NamedText& record : model.records) check_column("record", record.name, record.where);

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

/// Tables stay beside the model: a model file from somebody else must not be able to read other
/// files.
void check_tables(const EquationModel& model, Findings& findings) {
  for (const TableSpec& table : model.tables) {
    const bool plain = !table.file.empty() &&
                       table.file.find_first_of("/\\") == std::string::npos && table.file != "." &&
                       table.file != ".." && table.file.find(':') == std::string::npos;
    if (plain) continue;
    findings.push_back(
        {table.where,
         fmt::format("table.{} = '{}': must be the name of a file in the model's own folder",
                     shorten(table.name), shorten(table.file)),
         "put the CSV file beside the model and give its name without a path"});
  }
}

}  // namespace

std::string shorten(std::string_view word) {
  constexpr std::size_t kMaxLength = 60;
  if (word.size() <= kMaxLength) return std::string(word);
  std::size_t end = kMaxLength;
  while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U)
    --end;  // whole characters
  return std::string(word.substr(0, end)) + "...";
}

std::string suggest_name(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kMaxWord = 60;
  constexpr std::size_t kMaxCompared = 2000;
  constexpr std::size_t kMaxListed = 20;
  if (word.size() > kMaxWord || known.empty() || known.size() > kMaxCompared) return {};
  if (known.size() > kMaxListed && find_nearest(word, known).empty()) return {};
  return suggest(word, known);
}

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
  check_tables(model, findings);
  return findings;
}

void check_model(const EquationModel& model) {
  std::vector<Diagnostic> findings = find_model_errors(model);
  if (!findings.empty()) throw ModelError(std::move(findings));
}

}  // namespace driftless
