// driftless check: what can be said before a run.

#include <fmt/format.h>

#include "commands.hpp"
#include "driftless/assembly/check.hpp"
#include "driftless/io/json.hpp"

namespace driftless::cli {
namespace {

struct Checked {
  std::string name;
  CheckReport report;
  StartReport start;
  Method method;
  std::vector<std::complex<double>> gain_eigenvalues;
  std::vector<std::string> warnings;
};

Checked check_model(const ModelArguments& arguments, const std::string& word) {
  const ModelFile file = arguments.read();
  const RunRequest request = arguments.request(word);
  const PreparedModel model = prepare_model(file, request);
  Checked checked;
  checked.name = file.model.name;
  checked.method = prepare_method(file, model, request.method);
  checked.start = model.start_report;
  checked.report = check_system(model.system(), model.start);
  checked.warnings = model.warnings;
  checked.warnings.insert(checked.warnings.end(), checked.report.warnings.begin(), checked.report.warnings.end());
  if (!checked.start.success) checked.report.errors.insert(checked.report.errors.begin(), checked.start.message);
  if (const auto* baumgarte = std::get_if<Baumgarte>(&checked.method.formulation)) {
    const SystemInfo& info = model.system().info();
    checked.gain_eigenvalues = find_error_eigenvalues(resolve_gains(*baumgarte, info.position_rows, info.velocity_rows));
    if (!checked.gain_eigenvalues.empty() && checked.gain_eigenvalues.front().real() > 1e-12) {
      checked.warnings.push_back("the gains are unstable: the constraint error grows");
    }
  }
  return checked;
}

void print_json(const Checked& checked) {
  const CheckReport& report = checked.report;
  JsonWriter json;
  json.begin_object()
      .member("status", report.ok() ? "ok" : "failed")
      .member("model", checked.name)
      .member("dof", report.dof)
      .member("rows", report.rows)
      .member("rank", report.rank)
      .member("redundant", report.redundant)
      .member("inconsistent", report.inconsistent)
      .member("smallest_singular_value", report.smallest_singular_value)
      .member("mass_definite", report.mass_definite)
      .member("max_phi", report.max_phi)
      .member("max_phi_dot", report.max_rho)
      .member("method", describe(checked.method));
  json.key("derivatives").begin_array();
  for (const DerivativeCheck& check : report.derivatives) {
    json.begin_object().member("what", check.what).member("worst", check.worst).member("error", check.error).end_object();
  }
  json.end_array();
  json.key("gain_eigenvalues").begin_array();
  for (const auto& value : checked.gain_eigenvalues) {
    json.begin_array().value(value.real()).value(value.imag()).end_array();
  }
  json.end_array();
  json.key("start_changes").begin_array();
  for (const StartChange& change : checked.start.changes) {
    json.begin_object().member("name", change.name).member("from", change.from).member("to", change.to).end_object();
  }
  json.end_array();
  json.member("warnings", checked.warnings).member("errors", report.errors).end_object();
  fmt::print("{}\n", json.text());
}

void print_text(const Checked& checked) {
  const CheckReport& report = checked.report;
  fmt::print("{}: {}\n", checked.name, report.ok() ? "ok" : "cannot run as it is");
  fmt::print("  degrees of freedom  {} = {} rates - rank {} of {} constraints\n", report.dof, report.rates, report.rank, report.rows);
  if (report.rows > 0) {
    fmt::print("  constraints         max |Phi| {}, max |Phi'| {}, smallest relative singular value {}\n",
               format_figure(report.max_phi), format_figure(report.max_rho), format_figure(report.smallest_singular_value));
  }
  if (!report.redundant.empty()) fmt::print("  redundant           {}\n", fmt::join(report.redundant, ", "));
  if (!report.inconsistent.empty()) fmt::print("  inconsistent        {}\n", fmt::join(report.inconsistent, ", "));
  fmt::print("  mass matrix         {}\n", report.mass_definite ? "positive definite"
                                          : report.mass_definite_on_tangent ? "singular, but definite on the free motions"
                                                                            : "not definite on the free motions");
  for (const DerivativeCheck& check : report.derivatives) {
    fmt::print("  derivative check    {}: error {}{}\n", check.what, format_figure(check.error),
               check.worst.empty() ? "" : " (" + check.worst + ")");
  }
  fmt::print("  method              {} ({})\n", describe(checked.method), describe_options(checked.method));
  if (!checked.gain_eigenvalues.empty()) {
    fmt::print("  gain eigenvalues   ");
    constexpr std::size_t kShown = 8;
    for (std::size_t k = 0; k < checked.gain_eigenvalues.size() && k < kShown; ++k) {
      fmt::print(" {:.5g}{:+.5g}i", checked.gain_eigenvalues[k].real(), checked.gain_eigenvalues[k].imag());
    }
    fmt::print("{}\n", checked.gain_eigenvalues.size() > kShown ? " ..." : "");
  }
  for (const std::string& error : report.errors) fmt::print("  error: {}\n", error);
  if (!checked.start.suggestion.empty()) fmt::print("  try: {}\n", checked.start.suggestion);
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ModelArguments>();
  auto method = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("check", "degrees of freedom, rank, redundancies, start values, derivatives");
  arguments->declare(*verb);
  verb->add_option("--method", *method, "check this method's options, too");
  add_common_flags(*verb, session);
  verb->footer("Example:\n  driftless check slider_crank.toml --method feedback");
  verb->callback([arguments, method, &session] {
    const Checked checked = check_model(*arguments, *method);
    for (const std::string& warning : checked.warnings) warn(session.voice, warning);
    if (session.json) {
      print_json(checked);
    } else {
      print_text(checked);
    }
    session.exit_code = checked.report.ok() ? kExitOk : kExitFailed;
  });
}

}  // namespace driftless::cli
