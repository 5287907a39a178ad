#include "driftless/run/method.hpp"

#include <type_traits>

#include <fmt/format.h>

namespace driftless {
namespace {

std::string format_option(double value) { return fmt::format("{}", value); }
std::string format_option(int value) { return fmt::format("{}", value); }
std::string format_option(const std::string& value) { return "\"" + value + "\""; }
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

template <class Spec>
void append_options(const Spec& spec, std::string& text) {
  for_each_field<Spec>([&](const auto& each) {
    const auto& value = spec.*(each.member);
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Gain>) {
      if (value.empty()) return;
    }
    text += fmt::format(", {} = {}", each.key, format_option(value));
  });
}

}  // namespace

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

std::string describe_options(const Method& method) {
  const IntegratorChoice& integrator = method.integrator;
  std::string text = integrator.adaptive
                         ? fmt::format("rtol = {}, atol = {}", integrator.rtol, integrator.atol)
                         : fmt::format("step = {}", integrator.step);
  std::visit([&](const auto& spec) { append_options(spec, text); }, method.formulation);
  for (const DriftSpec& drift : method.drift) {
    std::visit([&](const auto& spec) { append_options(spec, text); }, drift);
  }
  return text;
}

double find_rank_tolerance(const Method& method) {
  return std::visit([](const auto& spec) { return spec.rank_tolerance; }, method.formulation);
}

std::vector<Preset> all_presets() {
  return {
      {"braun_goldfarb", "braun_goldfarb/rk4/project+energy",
       "joints closed, energy kept, singular poses passed: the method to start with"},
      {"index1", "index1/rk4", "no correction at all: the baseline that drifts"},
      {"udwadia_kalaba", "udwadia_kalaba/rk4", "explicit equation of motion by pseudoinverse"},
      {"baumgarte", "baumgarte/rk4", "constraint stabilisation by feedback"},
      {"yoon22", "baumgarte/ab3/yoon13",
       "Yoon's eq. (22): Baumgarte and steepest descent of the energy error"},
      {"yoon23", "baumgarte/ab3/yoon17",
       "Yoon's eq. (23): Baumgarte and energy control parallel to it"},
  };
}

}  // namespace driftless
