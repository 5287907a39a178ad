#pragma once
// The part of [method] that says how time is stepped: a name or a tableau, a fixed step or tolerances.

#include <string_view>

#include "driftless/model/equation_model.hpp"
#include "driftless/run/method.hpp"
#include "driftless/run/option_value.hpp"

namespace driftless {

/// The word of the integrator that takes its coefficients from [method] tableau.
inline constexpr std::string_view kTableauWord = "tableau";
/// Sets rtol and atol alike.
inline constexpr std::string_view kToleranceKey = "tolerance";

/// Throws ModelError: unknown names, both a step and tolerances, a tolerance that nothing can keep, values out of bounds.
IntegratorChoice read_integrator(const MethodSpec& spec, const OptionContext& context);

/// What a formulation runs with if nothing is said: "rk4".
std::string_view find_usual_integrator(std::string_view formulation);

/// True of the fields of IntegratorChoice, of `tolerance` and of `tableau`.
bool is_integrator_key(std::string_view key);

const Value* find_entry(const MethodSpec& spec, std::string_view key);
/// The text under `key`, or `fallback`; throws if it is no text.
std::string read_word(const MethodSpec& spec, std::string_view key, std::string fallback);

}  // namespace driftless
