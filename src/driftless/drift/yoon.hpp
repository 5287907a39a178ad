#pragma once
// Yoon's energy controls: terms in the field, proportional to the energy error ψ = E - E0 - ∫P dt, so they vanish on
// the exact solution.
//
//   yoon12  v' := v' - M⁻¹ψ_vᵀ (ψ_v M⁻¹ ψ_vᵀ)⁻¹ [ψ_v v' + ψ_q q' + ψ_t - P + η ψ]        (Yoon, eqs. 11, 12)      [YON.1]
//           so that ψ' = -η ψ
//   yoon13  q' := q' - ρ_q M⁻¹ dψ²/dq,   v' := v' - ρ_v M⁻¹ dψ²/dv                       (eq. 13)               [YON.2]
//           steepest descent; with baumgarte it is eq. (22)
//   yoon17  v' := v' - ρ_v M⁻¹ dψ²/dv                                                    (eq. 17)               [YON.3]
//           parallel to the geometric constraints; with baumgarte it is eq. (23)
//
// In eqs. (11), (12) the paper prints ψ_q in the products with M⁻¹ where ψ_v is meant. M⁻¹ in [YON.2], [YON.3]: the
// paper's examples have M = 1. The gradient in the mass metric is the one that leaves the velocity constraints alone for
// every M: G M⁻¹ ψ_vᵀ = G v = 0 where ψ_v = M v.
//
// At rest ψ_v = 0: [YON.1] has no direction and adds nothing there (counted).
//
// Coupling measure (eq. 20) of row i: Y_i = ψ_q · (dχ_i/dq) + ψ_v · (dχ_i/dv), the inner product of the gradients of
// energy and constraint in phase space. The larger, the more a correction of one disturbs the other.             [YON.4]

#include <memory>

#include "driftless/base/fields.hpp"
#include "driftless/drift/drift_control.hpp"

namespace driftless {

struct Yoon12 {
  static constexpr std::string_view kName = "yoon12";
  static constexpr std::string_view kSummary =
      "energy as a Baumgarte-type constraint: psi' = -eta psi";

  double energy_gain = 50.0;

  static constexpr auto fields() {
    return std::make_tuple(
        field("energy_gain", &Yoon12::energy_gain, "1/s", "eta in psi' = -eta psi", kNotNegative));
  }
};

struct Yoon13 {
  static constexpr std::string_view kName = "yoon13";
  static constexpr std::string_view kSummary =
      "steepest descent of the squared energy error in q and v";

  double rho_q = 1.0;
  double rho_v = 1.0;

  static constexpr auto fields() {
    return std::make_tuple(
        field("rho_q", &Yoon13::rho_q, "", "gain of the descent in q", kNotNegative),
        field("rho_v", &Yoon13::rho_v, "", "gain of the descent in v", kNotNegative));
  }
};

struct Yoon17 {
  static constexpr std::string_view kName = "yoon17";
  static constexpr std::string_view kSummary =
      "steepest descent of the squared energy error in v, parallel to the constraints";

  double rho_v = 4.0;

  static constexpr auto fields() {
    return std::make_tuple(
        field("rho_v", &Yoon17::rho_v, "", "gain of the descent in v", kNotNegative));
  }
};

std::unique_ptr<DriftControl> make_control(const Yoon12& options, const SystemInfo& info);
std::unique_ptr<DriftControl> make_control(const Yoon13& options, const SystemInfo& info);
std::unique_ptr<DriftControl> make_control(const Yoon17& options, const SystemInfo& info);

/// [YON.4] for every row at the evaluator's configuration. Needs eval_invariants and eval_invariant_gradients.
void calc_coupling(const SystemInfo& info, const Workspace& ws, VectorRef coupling);

}  // namespace driftless
