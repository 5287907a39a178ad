#pragma once
// The fields of RunInfo and Report with their keys, once for all formats, writing and reading: each
// visit calls f(key, member). Lists and status are left to the formats.

#include <optional>
#include <string>
#include <string_view>

#include "driftless/result/result.hpp"

namespace driftless {

template <class Info, class F>
void visit_run_texts(Info& info, F&& f) {
  f("model_name", info.model_name);
  f("model_path", info.model_path);
  f("model_text", info.model_text);
  f("method", info.method);
  f("options", info.options);
  f("settings", info.settings);
  f("version", info.version);
}

/// What a run cost and how well it kept what it should: the figures of every listing of runs.
template <class AnyReport, class F>
void visit_run_figures(AnyReport& report, F&& f) {
  f("t_end", report.t_end);
  f("steps", report.steps);
  f("rejected", report.rejected);
  f("evaluations", report.evaluations);
  f("factorisations", report.factorisations);
  f("cpu_seconds", report.cpu_seconds);
  f("max_phi", report.max_phi);
  f("max_phi_dot", report.max_phi_dot);
  f("max_energy_error", report.max_energy_error);
}

template <class AnyReport, class F>
void visit_report_numbers(AnyReport& report, F&& f) {
  visit_run_figures(report, f);
  f("dof", report.dof);
  f("rows", report.rows);
  f("rank", report.rank);
  f("min_rank", report.min_rank);
  f("failure_t", report.failure.t);
  f("failure_rank", report.failure.rank);
}

template <class AnyReport, class F>
void visit_report_texts(AnyReport& report, F&& f) {
  f("message", report.message);
  f("failure_message", report.failure.message);
  f("failure_worst", report.failure.worst);
  f("failure_suggestion", report.failure.suggestion);
}

inline std::optional<Status> find_status(std::string_view word) {
  for (const auto status : {Status::ok, Status::failed, Status::interrupted, Status::invalid}) {
    if (to_string(status) == word) return status;
  }
  return std::nullopt;
}

}  // namespace driftless
