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
// Gains. Along [YON.2] ψ' = -2 (ρ_v a_v + ρ_q a_q) ψ with a_v = ψ_v M⁻¹ ψ_vᵀ, a_q = ψ_q M⁻¹ ψ_qᵀ: what a number ρ does
// depends on mass, length and speed (a_v is twice the kinetic energy), and an explicit step stands it only up to about
// 2 ρ a h = 0.5. The paper finds ρ by experiment, for M = 1. Gains that are not given are therefore not constant but
//
//   ρ_v = η / (2 (a_v + a_q/η² + |ψ|)),   ρ_q = ρ_v/η²,   η = min(10 1/s, 0.1/h)                                  [YON.5]
//
// which have the units that ρ must have, so that scaling mass, length or energy changes nothing: ψ' = -η ψ, a tenth of
// the error per step at most, which every integrator here stands. √a_q/η is the speed that is gained from rest within
// the time 1/η: a_q/η² keeps ρ_v bounded at turning points, where a_v = 0, and makes q and v commensurate in the
// descent; |ψ| does so where both vanish. Rejected: h instead of 1/η there, which bends the field within a step, and
// η = 0.1/h for all h: stages miss the energy by O(h²), and ψ/h in them lowers the order.
//
// Coupling measure (eq. 20) of row i: Y_i = ψ_q · (dχ_i/dq) + ψ_v · (dχ_i/dv), the inner product of the gradients of
// energy and constraint in phase space. The larger, the more a correction of one disturbs the other.             [YON.4]

#include <memory>
#include <optional>

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

inline constexpr std::string_view kRhoDescription =
    "gain of the descent in v; default: such that psi' = -eta psi with eta = min(10, 0.1/h) 1/s";

struct Yoon13 {
  static constexpr std::string_view kName = "yoon13";
  static constexpr std::string_view kSummary =
      "steepest descent of the squared energy error in q and v";

  std::optional<double> rho_q = {};  ///< not given: [YON.5]
  std::optional<double> rho_v = {};

  static constexpr auto fields() {
    return std::make_tuple(
        field("rho_q", &Yoon13::rho_q, "",
              "gain of the descent in q; default rho_v/eta^2, eta as for rho_v", kNotNegative),
        field("rho_v", &Yoon13::rho_v, "", kRhoDescription, kNotNegative));
  }
};

struct Yoon17 {
  static constexpr std::string_view kName = "yoon17";
  static constexpr std::string_view kSummary =
      "steepest descent of the squared energy error in v, parallel to the constraints";

  std::optional<double> rho_v = {};  ///< not given: [YON.5]

  static constexpr auto fields() {
    return std::make_tuple(field("rho_v", &Yoon17::rho_v, "", kRhoDescription, kNotNegative));
  }
};

std::unique_ptr<DriftControl> make_control(const Yoon12& options, const SystemInfo& info);
std::unique_ptr<DriftControl> make_control(const Yoon13& options, const SystemInfo& info);
std::unique_ptr<DriftControl> make_control(const Yoon17& options, const SystemInfo& info);

/// [YON.4] for every row at the evaluator's configuration. Needs eval_invariants and eval_invariant_gradients.
void calc_coupling(const SystemInfo& info, const Workspace& ws, VectorRef coupling);

}  // namespace driftless
