#include "converge_output.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plotting.hpp"
#include <fmt/format.h>

#include "driftless/io/json.hpp"

namespace driftless::cli {
namespace {

struct Quantity {
  const char* name;    ///< in sentences
  const char* column;  ///< in tables
  const char* key;     ///< in JSON
  ErrorKind kind;
};
constexpr std::array<Quantity, 3> kQuantities{
    {{"q", "error_q", "error_q", &RunErrors::q},
     {"v", "error_v", "error_v", &RunErrors::v},
     {"lambda", "lambda", "error_lambda", &RunErrors::lambda}}};

constexpr std::size_t kLineWidth = 100;

/// In lines that fit, the further ones set in.
void print_wrapped(const std::string& text) {
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && find_width(line) + 1 + find_width(word) > kLineWidth) {
      fmt::print("{}\n", line);
      line = "   ";
    }
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  fmt::print("{}\n", line);
}

bool has_quantity(const ConvergeAnswer& answer, ErrorKind kind) {
  for (const ConvergeCurve& curve : answer.curves) {
    for (const ConvergeRun& run : curve.runs) {
      if (!std::isnan(run.errors.*kind)) return true;
    }
  }
  return false;
}

std::vector<Quantity> find_quantities(const ConvergeAnswer& answer) {
  std::vector<Quantity> found;
  for (const Quantity& each : kQuantities) {
    if (has_quantity(answer, each.kind)) found.push_back(each);
  }
  return found;
}

std::string format_small(double value) {
  return value == 0.0 ? "0" : std::isfinite(value) ? fmt::format("{:.1e}", value) : "infinite";
}

/// Steps as they are typed, "0.005"; tolerances as powers of ten, "1e-05".
std::string format_setting(const ConvergeCurve& curve, double value) {
  if (!curve.adaptive) return fmt::format("{:.3g}", value);
  std::string text = fmt::format("{:.1e}", value);
  if (text.substr(1, 2) == ".0") text.erase(1, 2);
  return text;
}

/// An error that the reference does not know has a star.
bool is_marked(const ConvergeRun& run, const RunErrors& doubt, ErrorKind kind) {
  return run.report.status == Status::ok && std::isfinite(run.errors.*kind) &&
         !is_known(run, doubt, kind);
}

bool has_marks(const ConvergeCurve& curve, const RunErrors& doubt, ErrorKind kind) {
  return std::any_of(curve.runs.begin(), curve.runs.end(),
                     [&](const ConvergeRun& run) { return is_marked(run, doubt, kind); });
}

/// "6.2e-09 in q, 1.6e-09 in v".
std::string list_errors(const RunErrors& errors) {
  std::string text;
  for (const Quantity& each : kQuantities) {
    const double error = errors.*each.kind;
    if (std::isnan(error)) continue;
    text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", format_small(error), each.name);
  }
  return text;
}

void print_head(const ConvergeAnswer& answer) {
  const Reference& reference = answer.reference;
  std::size_t samples = 0;
  bool marks = false;
  for (const ConvergeCurve& curve : answer.curves) {
    for (const ConvergeRun& run : curve.runs) samples = std::max(samples, run.errors.samples);
    for (const Quantity& each : kQuantities)
      marks = marks || has_marks(curve, reference.doubt, each.kind);
  }
  print_wrapped(fmt::format(
      "{}, {:g} s: errors at {} samples, relative to the largest value with the same unit",
      answer.model, answer.until, samples));
  print_wrapped("reference: " + reference.name);
  if (!reference.other.empty()) {
    print_wrapped(
        fmt::format("{} differs from it by {}", reference.other, list_errors(reference.doubt)));
  }
  if (marks) fmt::print("* less than ten times this difference: not used for orders\n");
}

std::vector<std::string> make_titles(const ConvergeCurve& curve,
                                     const std::vector<Quantity>& quantities, bool rejected) {
  std::vector<std::string> titles{curve.adaptive ? "tol." : "step s"};
  for (const Quantity& each : quantities) titles.emplace_back(each.column);
  for (const char* title : {curve.adaptive ? "slope" : "order", "steps"})
    titles.emplace_back(title);
  if (rejected) titles.emplace_back("rej.");
  for (const char* title : {"evals", "fact.", "CPU ms", "|Phi|", "energy"})
    titles.emplace_back(title);
  return titles;
}

std::vector<std::string> make_row(const ConvergeCurve& curve, std::size_t index,
                                  const std::vector<Quantity>& quantities, bool rejected,
                                  const RunErrors& doubt) {
  const ConvergeRun& run = curve.runs[index];
  const Report& report = run.report;
  const bool ended = report.status == Status::ok;
  std::vector<std::string> row{format_setting(curve, run.setting)};
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const ErrorKind kind = quantities[k].kind;
    if (!ended) {
      row.emplace_back(k == 0 ? to_string(report.status) : "");
      continue;
    }
    const char* mark = is_marked(run, doubt, kind) ? "*" : has_marks(curve, doubt, kind) ? " " : "";
    row.push_back(format_small(run.errors.*kind) + mark);
  }
  const double order =
      index == 0 ? NAN : find_order(curve.runs[index - 1], run, doubt, &RunErrors::q);
  row.push_back(std::isfinite(order) ? fmt::format("{:.2f}", order) : "");
  row.push_back(std::to_string(report.steps));
  if (rejected) row.push_back(std::to_string(report.rejected));
  row.push_back(std::to_string(report.evaluations));
  row.push_back(std::to_string(report.factorisations));
  row.push_back(fmt::format("{:.3g}", 1e3 * run.seconds));
  row.push_back(format_small(report.max_phi));
  row.push_back(format_small(report.max_energy_error));
  return row;
}

/// "order 4.01 in q (5 of 5 rows), 3.99 in v (5)".
std::string describe_fits(const ConvergeCurve& curve, const std::vector<Quantity>& quantities,
                          const RunErrors& doubt) {
  std::string text;
  for (const Quantity& each : quantities) {
    const OrderFit fit = fit_order(curve, doubt, each.kind);
    if (!std::isfinite(fit.order)) continue;
    text += fmt::format("{}{:.2f} in {} ({} of {} rows)", text.empty() ? "" : ", ", fit.order,
                        each.name, fit.rows, curve.runs.size());
  }
  const char* what = curve.adaptive ? "slope of error against tolerance" : "order";
  if (!text.empty()) return fmt::format("{}: {}", what, text);
  const bool any = std::any_of(curve.runs.begin(), curve.runs.end(), [](const ConvergeRun& run) {
    return run.report.status == Status::ok;
  });
  if (!any) return fmt::format("no {}: every run failed", what);
  const bool stays_large =
      std::all_of(curve.runs.begin(), curve.runs.end(), [](const ConvergeRun& run) {
        return run.report.status != Status::ok || run.errors.q > kLargeError;
      });
  if (stays_large)
    return fmt::format("no {}: no error in q is below {}, it does not converge to the reference",
                       what, kLargeError);
  return fmt::format("no {}: fewer than two errors are known and below {}", what, kLargeError);
}

void print_failures(const ConvergeCurve& curve) {
  for (const ConvergeRun& run : curve.runs) {
    if (run.report.status == Status::ok) continue;
    print_wrapped(fmt::format("{} {}: {} at t = {:.6g} s: {}",
                              curve.adaptive ? "tolerance" : "step",
                              format_setting(curve, run.setting), to_string(run.report.status),
                              run.report.t_end, run.report.message));
  }
}

void print_curve(const ConvergeCurve& curve, const std::vector<Quantity>& quantities,
                 const RunErrors& doubt) {
  const bool rejected = std::any_of(curve.runs.begin(), curve.runs.end(),
                                    [](const ConvergeRun& run) { return run.report.rejected > 0; });
  const bool same = curve.name == curve.words;
  fmt::print("\n{}{}\n", curve.name, same ? "" : " (" + curve.words + ")");
  std::vector<std::vector<std::string>> rows{make_titles(curve, quantities, rejected)};
  for (std::size_t k = 0; k < curve.runs.size(); ++k)
    rows.push_back(make_row(curve, k, quantities, rejected, doubt));
  fmt::print("{}", format_table(rows, find_answer_columns()));
  print_wrapped(describe_fits(curve, quantities, doubt));
  print_failures(curve);
}

void write_errors(JsonWriter& json, const RunErrors& errors) {
  for (const Quantity& each : kQuantities) json.member(each.key, errors.*each.kind);
}

void write_curve(JsonWriter& json, const ConvergeCurve& curve, const RunErrors& doubt) {
  json.begin_object().member("name", curve.name).member("method", curve.words);
  json.member("kind", curve.adaptive ? "tolerance" : "step");
  json.key("order").begin_object();
  for (const Quantity& each : kQuantities)
    json.member(each.key, fit_order(curve, doubt, each.kind).order);
  json.end_object().key("rows_used").begin_object();
  for (const Quantity& each : kQuantities)
    json.member(each.key, fit_order(curve, doubt, each.kind).rows);
  json.end_object().key("runs").begin_array();
  for (std::size_t k = 0; k < curve.runs.size(); ++k) {
    const ConvergeRun& run = curve.runs[k];
    json.begin_object().member(curve.adaptive ? "tolerance" : "step", run.setting);
    write_errors(json, run.errors);
    json.member("order", k == 0 ? NAN : find_order(curve.runs[k - 1], run, doubt, &RunErrors::q));
    json.member("known", is_known(run, doubt, &RunErrors::q));
    write_run_figures(json, run.report);
    json.member("least_cpu_seconds", run.seconds).end_object();
  }
  json.end_array().end_object();
}

double find_cost(const ConvergeRun& run, Cost cost, double until) {
  switch (cost) {
    case Cost::evaluations: return static_cast<double>(run.report.evaluations);
    case Cost::cpu: return run.seconds;
    case Cost::step: return until / static_cast<double>(std::max(run.report.steps, 1L));
  }
  return NAN;
}

const char* name_cost(Cost cost) {
  switch (cost) {
    case Cost::evaluations: return "evaluations";
    case Cost::cpu: return "CPU time in s";
    case Cost::step: return "average step in s";
  }
  return "";
}

}  // namespace

void print_converge_tables(const ConvergeAnswer& answer) {
  print_head(answer);
  const std::vector<Quantity> quantities = find_quantities(answer);
  for (const ConvergeCurve& curve : answer.curves) {
    if (!curve.runs.empty()) print_curve(curve, quantities, answer.reference.doubt);
  }
}

void print_converge_json(const ConvergeAnswer& answer) {
  const Reference& reference = answer.reference;
  const bool ended =
      std::any_of(answer.curves.begin(), answer.curves.end(), [](const ConvergeCurve& curve) {
        return std::any_of(curve.runs.begin(), curve.runs.end(),
                           [](const auto& run) { return run.report.status == Status::ok; });
      });
  JsonWriter json;
  json.begin_object()
      .member("status", stop_flag() ? "interrupted"
                        : ended     ? "ok"
                                    : "failed")
      .member("model", answer.model)
      .member("until", answer.until);
  json.key("reference").begin_object().member("name", reference.name);
  json.member("checked_by", reference.other);
  write_errors(json, reference.doubt);
  json.member("problem", find_reference_problem(answer.curves, reference)).end_object();
  json.key("methods").begin_array();
  for (const ConvergeCurve& curve : answer.curves) write_curve(json, curve, reference.doubt);
  json.end_array().end_object();
  fmt::print("{}\n", json.text());
}

void write_converge_picture(const std::string& path, const std::string& title,
                            const std::vector<Cost>& costs, const ConvergeAnswer& answer) {
  std::vector<Plot> panels;
  for (const Cost cost : costs) {
    Plot plot{.title = title,
              .x_label = name_cost(cost),
              .y_label = "relative error of positions and angles",
              .log_x = true,
              .log_y = true,
              .markers = true,
              .width = costs.size() > 1 ? 500 : 760,
              .height = 480};
    for (const ConvergeCurve& curve : answer.curves) {
      Curve drawn{.label = curve.name};
      for (const ConvergeRun& run : curve.runs) {
        if (run.report.status != Status::ok) continue;
        drawn.x.push_back(find_cost(run, cost, answer.until));
        drawn.y.push_back(run.errors.q);
        drawn.hollow.push_back(!is_known(run, answer.reference.doubt, &RunErrors::q));
      }
      plot.curves.push_back(std::move(drawn));
    }
    panels.push_back(std::move(plot));
  }
  write_panels(path, panels);
}

}  // namespace driftless::cli
