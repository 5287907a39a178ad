// Words for people about methods, results and models that cannot start.

#include <cmath>
#include <filesystem>
#include <set>

#include "commands.hpp"
#include <fmt/format.h>

#include "driftless/assembly/check.hpp"
#include "driftless/base/names.hpp"
#include "driftless/io/result_files.hpp"

namespace driftless::cli {
namespace {

/// Coordinates whose force is not finite at the start.
std::vector<std::string> find_wild_forces(const PreparedModel& model) {
  const System& system = model.system();
  const std::vector<std::string>& names = system.info().coordinates;
  std::vector<std::string> wild;
  if (static_cast<int>(names.size()) != system.info().nv) return wild;
  const auto ws = system.make_workspace();
  system.eval_configuration(model.start.t, model.start.q, *ws);
  system.eval_motion(model.start.t, model.start.q, model.start.v, *ws);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!std::isfinite(ws->force[static_cast<Eigen::Index>(k)])) wild.push_back(names[k]);
  }
  return wild;
}

/// Splits "a = 1, b = [1, 2]" at the commas outside brackets.
std::vector<std::string> split_options(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
      if (k + 1 < text.size() && text[k + 1] == ' ') ++k;
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// True if the text is "key = default" of an option of one of the method's words.
bool is_default(const std::string& part, const std::string& words) {
  if (part == "iterations = 1" && words.starts_with("braun_goldfarb/")) return true;
  const auto has_word = [&](const std::string& word) {
    std::string padded = "/" + words + "/";
    for (char& c : padded) c = c == '+' ? '/' : c;
    return padded.find("/" + word + "/") != std::string::npos;
  };
  for (const OptionInfo& option : all_options()) {
    if (part == option.key + " = " + option.fallback && has_word(option.owner)) return true;
  }
  return false;
}

std::string describe_tableau(const Method& method) {
  const Tableau& tableau = *method.integrator.tableau;
  return fmt::format("tableau of order {} with {} stages", tableau.order, tableau.stages());
}

}  // namespace

std::string find_start_remedy(const PreparedModel& model, const CheckReport& report) {
  const StartReport& start = model.start_report;
  if (!start.success && !start.suggestion.empty()) return start.suggestion;
  return find_system_remedy(model, report);
}

Source find_system_place(const PreparedModel& model, const CheckReport& report) {
  if (report.where.line > 0 || report.massless.empty()) return report.where;
  for (const auto& [name, where] : model.body_places) {
    if (name == report.massless.front().body) return where;
  }
  return {};
}

std::string find_system_remedy(const PreparedModel& model, const CheckReport& report) {
  const std::vector<std::string> wild = find_wild_forces(model);
  if (!wild.empty() && report.not_finite.starts_with("force '")) {
    return "look at its formula and at what it acts between: a division by zero, a root or "
           "logarithm "
           "of a negative number, or points that meet; or change the start values";
  }
  if (!wild.empty()) {
    return fmt::format(
        "change the start values or the force on {}: it is not finite there (a division by zero, "
        "or a root or "
        "logarithm of a negative number)",
        join_names(wild));
  }
  if (!report.negative_inertia.empty()) {
    return fmt::format(
        "check the masses and inertias of {}: kinetic energy must be positive for every motion",
        join_names(report.negative_inertia));
  }
  if (!report.remedy.empty()) return report.remedy;
  if (!report.without_inertia.empty()) {
    const std::string& first = report.without_inertia.front();
    return fmt::format(
        "{} no mass: add {}'^2 to the kinetic energy, with a mass, or a constraint that settles {}",
        join_names(report.without_inertia) +
            (report.without_inertia.size() == 1 ? " has" : " have"),
        first, first);
  }
  if (!report.mass_definite_on_tangent)
    return "check the masses: kinetic energy must be positive for every motion";
  if (!report.inconsistent.empty()) {
    return fmt::format("remove or correct {}: not all constraints can hold together",
                       join_names(report.inconsistent));
  }
  return {};
}

std::string describe_start(const StartReport& start) {
  if (!start.success || start.tries == 0) return {};
  return fmt::format("closed after {} tries, {}", start.tries, start.closed_how);
}

std::string describe_stepping(const Method& method) {
  const IntegratorChoice& integrator = method.integrator;
  if (!integrator.adaptive) return fmt::format("step = {}", integrator.step);
  if (integrator.rtol == integrator.atol) return fmt::format("tolerance = {}", integrator.rtol);
  return fmt::format("rtol = {}, atol = {}", integrator.rtol, integrator.atol);
}

std::string describe_special_options(const Method& method) {
  const std::string words = describe(method);
  std::string text;
  for (const std::string& part : split_options(describe_given_options(method))) {
    if (part.starts_with("step = ") || part.starts_with("rtol = ") || part.starts_with("atol = "))
      continue;
    if (is_default(part, words)) continue;
    const bool is_tableau = part.starts_with("tableau = ");  // in full in the result
    text += (text.empty() ? "" : ", ") + (is_tableau ? describe_tableau(method) : part);
  }
  return text;
}

std::vector<std::string> label_runs(const std::vector<std::string>& paths,
                                    const std::vector<std::string>& methods) {
  const std::set<std::string> different(methods.begin(), methods.end());
  if (different.size() == methods.size() && different.count("") == 0) return methods;
  std::vector<std::string> labels;
  for (const std::string& path : paths)
    labels.push_back(std::filesystem::path(path).stem().string());
  const std::set<std::string> stems(labels.begin(), labels.end());
  return stems.size() == labels.size() ? labels : paths;
}

void refuse_model(const std::string& path) {
  std::error_code ignored;
  if (path.ends_with(".html") && std::filesystem::is_regular_file(path, ignored))
    throw ModelError(path + " is a report page, not a result",
                     "give the result (.h5, .csv) that it was made of");
  if (!path.ends_with(".toml")) return;
  throw ModelError(path + " is a model, not a result",
                   "driftless run " + path + " makes a result of it");
}

Result read_run(const std::string& path) {
  refuse_model(path);
  return read_result(path);
}

Result read_run(const std::string& path, const Voice& voice) {
  refuse_model(path);
  StageDisplay display(voice, path + ":");
  display.show("reading");
  return read_result(path);
}

ResultOverview read_run_overview(const std::string& path, const Voice& voice) {
  refuse_model(path);
  StageDisplay display(voice, path + ":");
  display.show("reading");
  return read_overview(path);
}

Result read_run_part(const std::string& path, const ChoosePart& choose, const Voice& voice) {
  refuse_model(path);
  StageDisplay display(voice, path + ":");
  display.show("reading");
  return read_part(path, choose, [&](double share) { display.show("reading", share); });
}

void stream_run(const std::string& path, ResultSink& sink, const Voice& voice) {
  refuse_model(path);
  StageDisplay display(voice, path + ":");
  display.show("reading");
  stream_result(path, sink, [&](double share) { display.show("reading", share); });
}

}  // namespace driftless::cli
