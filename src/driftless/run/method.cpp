#include "driftless/run/method.hpp"

#include <type_traits>

#include <fmt/format.h>

#include "driftless/integrators/all.hpp"
#include "driftless/run/method_words.hpp"

namespace driftless {
namespace {

std::string format_option(double value) { return fmt::format("{}", value); }
std::string format_option(int value) { return fmt::format("{}", value); }
std::string format_option(const std::string& value) { return "\"" + value + "\""; }
std::string format_option(const std::optional<double>& value) {
  return value ? format_option(*value) : "";
}
std::string format_option(const Gain& gain) {
  if (gain.value.size() == 1) return format_option(gain.value(0, 0));
  std::string text = "[";
  for (Eigen::Index i = 0; i < gain.value.rows(); ++i) {
    if (i > 0) text += ", ";
    if (gain.value.cols() == 1) {
      text += format_option(gain.value(i, 0));
      continue;
    }
    text += "[";
    for (Eigen::Index j = 0; j < gain.value.cols(); ++j) {
      text += (j > 0 ? ", " : "") + format_option(gain.value(i, j));
    }
    text += "]";
  }
  return text + "]";
}

const auto kEveryKey = [](std::string_view) { return true; };

template <class Spec, class Wanted>
void append_options(const Spec& spec, std::string& text, const Wanted& wanted) {
  for_each_field<Spec>([&](const auto& each) {
    if (!wanted(each.key)) return;
    const auto& value = spec.*(each.member);
    using Type = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Type, Gain>) {
      if (value.empty()) return;
    } else if constexpr (std::is_same_v<Type, std::optional<double>>) {
      if (!value) return;
    }
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", each.key, format_option(value));
  });
}

std::string format_list(const std::vector<double>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

}  // namespace

bool takes_newmark_option(std::string_view integrator, std::string_view key) {
  if (key == "rho_infinity") return integrator == "generalized_alpha";
  if (key == "hht_alpha") return integrator == "hht";
  return integrator == "newmark" || integrator == "hht" || integrator == "generalized_alpha";
}

Method make_default_method() {
  Method method;
  method.formulation = BraunGoldfarb{};
  method.drift = {Project{.iterations = 1}, EnergyCorrection{}};
  return method;
}

std::string describe(const Method& method) {
  std::string text =
      std::visit([](const auto& f) { return std::string(f.kName); }, method.formulation);
  text += "/" + method.integrator.name;
  for (std::size_t k = 0; k < method.drift.size(); ++k) {
    text += k == 0 ? "/" : "+";
    text += std::visit([](const auto& d) { return std::string(d.kName); }, method.drift[k]);
  }
  return text;
}

std::string describe_given_options(const Method& method) {
  const IntegratorChoice& integrator = method.integrator;
  std::string text;
  for_each_field<IntegratorChoice>([&](const auto& each) {
    if (integrator.adaptive == (each.key == "step")) return;  // not in use
    if (each.key == "rotations" && integrator.rotations == IntegratorChoice{}.rotations) return;
    if (each.key == "engine" && integrator.engine == IntegratorChoice{}.engine) return;
    const std::string value = format_option(integrator.*(each.member));
    if (!value.empty()) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", each.key, value);
  });
  append_options(integrator.newmark, text,
                 [&](std::string_view key) { return takes_newmark_option(integrator.name, key); });
  if (integrator.tableau) text += ", tableau = " + format_tableau(*integrator.tableau);
  std::visit([&](const auto& spec) { append_options(spec, text, kEveryKey); }, method.formulation);
  for (const DriftSpec& drift : method.drift) {
    std::visit([&](const auto& spec) { append_options(spec, text, kEveryKey); }, drift);
  }
  return text;
}

std::string describe_options(const Method& method) {
  Method used = method;
  if (auto* baumgarte = std::get_if<Baumgarte>(&used.formulation)) {
    *baumgarte = with_default_gains(*baumgarte);
  }
  return describe_given_options(used);
}

std::string format_tableau(const Tableau& tableau) {
  std::string rows;
  for (const std::vector<double>& row : tableau.a)
    rows += (rows.empty() ? "" : ", ") + format_list(row);
  std::string text = fmt::format("{{ order = {}, a = [{}], b = {}, c = {}", tableau.order, rows,
                                 format_list(tableau.b), format_list(tableau.c));
  if (!tableau.e.empty()) {
    std::vector<double> b_hat = tableau.b;
    for (std::size_t k = 0; k < b_hat.size(); ++k) b_hat[k] -= tableau.e[k];
    text += fmt::format(", b_hat = {}, error_order = {}", format_list(b_hat), tableau.error_order);
  }
  return text + " }";
}

ProblemShape find_shape(const IntegratorChoice& choice) {
  const IntegratorInfo* info = find_integrator(choice.name);
  if (info == nullptr) return ProblemShape::slopes;
  return info->second_order ? ProblemShape::second_order
         : info->implicit
             ? (info->highest_index < 3 ? ProblemShape::implicit_index2 : ProblemShape::implicit)
         : info->half_explicit ? ProblemShape::half_explicit
                               : ProblemShape::slopes;
}

std::vector<std::string> find_formulations(ProblemShape shape) {
  std::vector<std::string> names;
  for_each_alternative<Formulation>([&](const auto& spec) {
    if (has_shape(Formulation(spec), shape)) names.emplace_back(spec.kName);
  });
  return names;
}

Rotations find_rotations(const IntegratorChoice& choice) {
  if (const Rotations* given = find_rotations(choice.rotations)) return *given;
  const IntegratorInfo* info = find_integrator(choice.name);
  return info != nullptr && (info->on_group || info->second_order) ? Rotations::lie
                                                                   : Rotations::quaternion;
}

double find_rank_tolerance(const Method& method) {
  return std::visit([](const auto& spec) { return spec.rank_tolerance; }, method.formulation);
}

std::vector<Preset> all_presets() {
  return {
      {"braun_goldfarb", "braun_goldfarb/rk4",
       "joints closed, energy kept unless a motion is prescribed, singular poses passed: the "
       "method "
       "to start with"},
      {"index1", "index1/rk4", "no correction at all: the baseline that drifts"},
      {"index2", "index2/hedop5",
       "constraints at velocity level, half-explicit; add /project to keep joints closed"},
      {"index3", "index3/radau5",
       "the equations as they are written, implicit: joints stay closed, velocities to the error "
       "of a step"},
      {"ggl", "ggl/radau5",
       "Gear, Gupta and Leimkuhler's form, implicit: for stiff springs and dampers"},
      {"stabilized_index1", "stabilized_index1/radau5",
       "closed at position, velocity and acceleration level, implicit"},
      {"mdop5", "index1/dopri5", "Dormand-Prince with multipliers, of Arnold's survey"},
      {"udwadia_kalaba", "udwadia_kalaba/rk4", "explicit equation of motion by pseudoinverse"},
      {"baumgarte", "baumgarte/rk4", "constraint stabilisation by feedback"},
      {"cs", "cs/adams", "constraint stabilisation as Park, Yoo and Hwang compare it"},
      {"partition", "partition/adams", "generalised coordinate partitioning"},
      {"partial_velocity", "partial_velocity/adams",
       "Park, Yoo and Hwang's partial velocity matrix"},
      {"yoon22", "baumgarte/ab3/yoon13",
       "Yoon's eq. (22): Baumgarte and steepest descent of the energy error"},
      {"yoon23", "baumgarte/ab3/yoon17",
       "Yoon's eq. (23): Baumgarte and energy control parallel to it"},
  };
}

}  // namespace driftless
