// driftless check: what can be said before a run.

#include <algorithm>
#include <numbers>

#include "commands.hpp"
#include <fmt/format.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/json.hpp"
#include "driftless/run/prescribed_failure.hpp"

namespace driftless::cli {
namespace {

/// Why it cannot run, where that is in the file, and what to change.
struct Fault {
  std::string message;
  Source where;
  std::string remedy;
};

struct Checked {
  std::string name;
  CheckReport report;
  StartReport start;
  Method method;
  std::vector<std::complex<double>> gain_eigenvalues;
  std::vector<std::string> warnings;
  bool joint_coordinates = false;
  std::vector<std::string> cut_joints;  ///< in joint coordinates
  MatrixPattern pattern;                ///< of a mechanism's mixed-coordinate matrix
  std::vector<Fault> faults;            ///< empty: it can run

  bool ok() const { return faults.empty(); }
};

/// What a run would stumble over at its start is an error here, too.
void find_faults(const PreparedModel& model, Checked& checked) {
  const CheckReport& report = checked.report;
  const StartReport& start = checked.start;
  if (!start.success)
    checked.faults.push_back({start.message, start.where, find_start_remedy(model, report)});
  const bool same_fault =
      !start.success &&
      report.not_finite == fmt::format("constraint '{}' is not finite", start.worst_row);
  if (!same_fault) {
    for (const std::string& error : report.errors)
      checked.faults.push_back({error, find_system_place(model, report), {}});
  }
  // One remedy is known for what the report finds, and it stands with the last of it.
  if (!same_fault && !report.ok()) checked.faults.back().remedy = find_system_remedy(model, report);
  if (!checked.ok()) return;
  std::optional<Failure> failure = find_start_failure(model, checked.method);
  if (!failure && report.halted) failure = find_prescribed_failure(model.system(), *report.halted);
  if (failure) checked.faults.push_back({failure->message, failure->where, failure->suggestion});
}

Checked check_model(const ModelArguments& arguments, const std::string& word, const Voice& voice) {
  const ModelFile file = arguments.read();
  const RunRequest request = arguments.request(word);
  StageDisplay display(voice, file.common().name + ": checking");
  display.show("the start");
  const PreparedModel model = prepare(file, request);
  Checked checked;
  checked.name = file.common().name;
  checked.method = prepare_method(file, model, request.method);
  checked.start = model.start_report;
  checked.joint_coordinates = model.compiled.joint_coordinates;
  checked.cut_joints = model.compiled.cut_joints;
  checked.pattern = model.compiled.mixed_pattern;
  checked.report =
      check_system(model.system(), model.start,
                   {model.options.until, [&](const char* what) { display.show(what); }});
  display.show("the first step");
  find_faults(model, checked);
  checked.warnings = model.warnings;
  checked.warnings.insert(checked.warnings.end(), checked.report.warnings.begin(),
                          checked.report.warnings.end());
  if (const auto* baumgarte = std::get_if<Baumgarte>(&checked.method.formulation)) {
    const SystemInfo& info = model.system().info();
    checked.gain_eigenvalues =
        find_error_eigenvalues(resolve_gains(*baumgarte, info.position_rows, info.velocity_rows));
    if (!checked.gain_eigenvalues.empty() && checked.gain_eigenvalues.front().real() > 1e-12) {
      checked.warnings.push_back("the gains are unstable: the constraint error grows");
    }
  }
  return checked;
}

/// The kind of coordinates of a mechanism, and its mixed-coordinate matrix.
void write_mechanism(JsonWriter& json, const Checked& checked) {
  json.member("coordinate_kind", checked.joint_coordinates ? "joint" : "absolute");
  json.member("cut_joints", checked.cut_joints);
  const MatrixPattern& pattern = checked.pattern;
  json.key("mixed_matrix")
      .begin_object()
      .member("size", pattern.size)
      .member("entries", pattern.entries)
      .member("band_before", pattern.band_before)
      .member("band_after", pattern.band_after)
      .member("envelope_before", pattern.envelope_before)
      .member("envelope_after", pattern.envelope_after)
      .end_object();
}

void write_rows(JsonWriter& json, const CheckReport& report) {
  const auto figure = [&](std::string_view name, auto value) {
    if (report.not_finite.empty()) {
      json.member(name, value);
    } else {
      json.key(name).null();  // not known
    }
  };
  figure("dof", report.dof);
  json.member("gruebler", report.gruebler);
  figure("dof_beside", report.dof_beside);
  json.member("rows", report.rows);
  figure("rank", report.rank);
  json.member("redundant", report.redundant)
      .member("redundant_joints", report.redundant_elements)
      .member("dependent_joints", report.sharing_elements)
      .member("not_unique", report.not_unique)
      .member("inconsistent", report.inconsistent)
      .member("loose_bodies", report.loose_bodies);
  figure("smallest_singular_value", report.smallest_singular_value);
  figure("smallest_pivot", report.smallest_pivot);
  figure("mass_definite", report.mass_definite);
  figure("max_phi", report.max_phi);
  figure("max_phi_dot", report.max_rho);
}

void write_derivatives(JsonWriter& json, const CheckReport& report) {
  json.key("derivatives").begin_array();
  for (const DerivativeCheck& check : report.derivatives) {
    json.begin_object()
        .member("what", check.what)
        .member("worst", check.worst)
        .member("error", check.error)
        .end_object();
  }
  json.end_array();
  json.key("elements").begin_array();
  for (const ElementCheck& check : report.elements) {
    json.begin_object().member("name", check.element).member("error", check.error).end_object();
  }
  json.end_array();
}

void write_start(JsonWriter& json, const StartReport& start) {
  json.key("start_changes").begin_array();
  for (const StartChange& change : start.changes) {
    json.begin_object()
        .member("name", change.name)
        .member("from", change.from)
        .member("to", change.to)
        .end_object();
  }
  json.end_array();
  json.member("start_tries", start.tries);
  json.key("gaps").begin_array();
  for (const Gap& gap : start.gaps) {
    json.begin_object()
        .member("name", gap.element)
        .member("mm", 1e3 * gap.metres)
        .member("deg", gap.radians * 180.0 / std::numbers::pi)
        .end_object();
  }
  json.end_array();
}

void print_json(const Checked& checked) {
  const CheckReport& report = checked.report;
  JsonWriter json;
  json.begin_object()
      .member("status", checked.ok() ? "ok" : "failed")
      .member("model", checked.name)
      .member("bodies", report.bodies)
      .member("coordinates", report.coordinates)
      .member("rates", report.rates);
  if (report.bodies > 0) write_mechanism(json, checked);
  write_rows(json, report);
  json.member("method", describe(checked.method));
  write_derivatives(json, report);
  json.key("gain_eigenvalues").begin_array();
  for (const auto& value : checked.gain_eigenvalues) {
    json.begin_array().value(value.real()).value(value.imag()).end_array();
  }
  json.end_array();
  write_start(json, checked.start);
  json.member("warnings", checked.warnings);
  std::vector<std::string> errors;
  std::string remedy;
  for (const Fault& fault : checked.faults) {
    errors.push_back(fault.message);
    if (remedy.empty()) remedy = fault.remedy;
  }
  json.member("errors", errors).member("remedy", remedy);
  json.member("where", checked.ok() ? "" : format_source(checked.faults.front().where));
  json.end_object();
  fmt::print("{}\n", json.text());
}

std::string describe_mass(const CheckReport& report) {
  if (report.mass_definite) return "positive definite";
  return report.mass_definite_on_tangent ? "singular, but definite on the free motions"
                                         : "not definite on the free motions";
}

std::string describe_eigenvalues(const std::vector<std::complex<double>>& values) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t k = 0; k < values.size() && k < kShown; ++k) {
    text += fmt::format("{}{:.5g}{:+.5g}i", k > 0 ? ", " : "", values[k].real(), values[k].imag());
  }
  return text + (values.size() > kShown ? ", ..." : "");
}

std::string describe_freedom(const CheckReport& report) {
  std::string text =
      fmt::format("{} degree{} of freedom = {} rates - rank {} of {} constraints", report.dof,
                  report.dof == 1 ? "" : "s", report.rates, report.rank, report.rows);
  if (report.rows > 0) text += fmt::format("; Gruebler's count {}", report.gruebler);
  if (report.dof_beside != report.dof)
    text += fmt::format("; beside this singular pose {}", report.dof_beside);
  return text;
}

std::string describe_redundant(const CheckReport& report) {
  std::string text = list_some(report.redundant);
  if (report.redundant_elements.empty()) return text;
  std::vector<std::string> others;
  for (const std::string& name : report.sharing_elements) {
    const auto& own = report.redundant_elements;
    if (std::find(own.begin(), own.end(), name) == own.end()) others.push_back(name);
  }
  text += fmt::format("; in {}", list_some(report.redundant_elements));
  if (!others.empty()) text += fmt::format(", following from {}", list_some(others));
  return text;
}

/// The element whose derivatives agree least.
std::string describe_elements(const CheckReport& report) {
  if (report.elements.empty()) return {};
  const auto worst = std::max_element(
      report.elements.begin(), report.elements.end(),
      [](const ElementCheck& a, const ElementCheck& b) { return a.error < b.error; });
  return fmt::format(
      "{} element{}: joints, constraints, forces, measures; largest error of their derivatives {} "
      "({})",
      report.elements.size(), report.elements.size() == 1 ? "" : "s", format_figure(worst->error),
      worst->element);
}

/// Unknowns are accelerations of bodies and joints, and the joints' forces.
std::string describe_pattern(const MatrixPattern& pattern) {
  if (pattern.size == 0) return {};
  const double all = static_cast<double>(pattern.size) * pattern.size;
  return fmt::format(
      "{} mixed unknowns, {} entries ({:.3g} %); half band {}, envelope {}; ordered along the "
      "tree {}, {}",
      pattern.size, pattern.entries, 100.0 * static_cast<double>(pattern.entries) / all,
      pattern.band_before, pattern.envelope_before, pattern.band_after, pattern.envelope_after);
}

/// What there is to say if everything has a value at the start.
void print_figures(const Checked& checked) {
  const CheckReport& report = checked.report;
  const StartReport& start = checked.start;
  print_entry("freedom", describe_freedom(report));
  if (report.bodies > 0) {
    print_entry("bodies",
                fmt::format("{}, {} {} coordinates, {} rates", report.bodies, report.coordinates,
                            checked.joint_coordinates ? "joint" : "absolute", report.rates));
  }
  print_entry("cut joints", list_some(checked.cut_joints));
  print_entry("sparsity", describe_pattern(checked.pattern));
  print_entry("start", describe_start(start));
  if (report.rows > 0) {
    print_entry("joints",
                fmt::format("max |Phi| {}, max |Phi'| {}, smallest relative singular value {}",
                            format_figure(report.max_phi), format_figure(report.max_rho),
                            format_figure(report.smallest_singular_value)));
  }
  print_entry("redundant", describe_redundant(report));
  print_entry("not unique", list_some(report.not_unique));
  print_entry("not held", list_some(report.loose_bodies));
  print_entry("contradict", list_some(report.inconsistent));
  print_entry("mass", describe_mass(report));
  print_entry("elements", describe_elements(report));
  for (const DerivativeCheck& check : report.derivatives) {
    if (check.worst.empty()) continue;  // nothing of this kind in the model
    print_entry("derivative", fmt::format("{}: error {} ({})", check.what,
                                          format_figure(check.error), check.worst));
  }
}

void print_text(const Checked& checked) {
  const CheckReport& report = checked.report;
  fmt::print("{}: {}\n", checked.name, checked.ok() ? "ok" : "cannot run as it is");
  for (const Fault& fault : checked.faults) {
    print_entry("error", fault.message);
    print_entry("where", format_source(fault.where));
    print_entry("remedy", fault.remedy);
  }
  if (report.not_finite.empty()) print_figures(checked);
  print_entry("method", describe(checked.method) + ", " + describe_stepping(checked.method));
  print_entry("options", describe_special_options(checked.method));
  print_entry("gains", describe_eigenvalues(checked.gain_eigenvalues));
}

}  // namespace

void add_check(CommandLine& line, Session& session) {
  auto arguments = std::make_shared<ModelArguments>();
  auto method = std::make_shared<std::string>();
  Verb verb =
      line.add_verb("check", "degrees of freedom, rank, redundancies, start values, derivatives");
  arguments->declare(verb);
  verb.text("--method", *method, "check this method's options, too").completes(Values::method);
  add_common_flags(verb, session);
  verb.footer("Example:\n  driftless check slider_crank.toml --method feedback");
  verb.action([arguments, method, &session] {
    const Checked checked = check_model(*arguments, *method, session.voice);
    for (const std::string& warning : checked.warnings) warn(session.voice, warning);
    if (session.json) {
      print_json(checked);
    } else {
      print_text(checked);
    }
    session.exit_code = checked.ok() ? kExitOk : kExitFailed;
  });
}

}  // namespace driftless::cli
