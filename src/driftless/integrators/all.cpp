#include "driftless/integrators/all.hpp"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/adams.hpp"
#include "driftless/integrators/adams_bashforth.hpp"
#include "driftless/integrators/bdf.hpp"
#include "driftless/integrators/explicit_rk.hpp"
#include "driftless/integrators/generalized_alpha.hpp"
#include "driftless/integrators/ida.hpp"
#include "driftless/integrators/radau5.hpp"
#include "driftless/integrators/rattle.hpp"
#include "driftless/integrators/tableau.hpp"

namespace driftless {
namespace {

using StepperMaker = std::unique_ptr<Stepper> (*)(const StepControl& control, bool adaptive);

std::unique_ptr<Stepper> make_variable_bdf(const StepControl& control, bool adaptive) {
  return make_bdf(control, adaptive);
}
std::unique_ptr<Stepper> make_backward_euler(const StepControl& control, bool adaptive) {
  return make_bdf(control, adaptive, 1);
}

/// A Runge-Kutta method is one of Munthe-Kaas if y stands for turns from the last step.
Tableau make_rkmk4_tableau() {
  Tableau tableau = make_rk4_tableau();
  tableau.name = "rkmk4";
  return tableau;
}

/// A name and how it is made: from a tableau, as the Adams-Bashforth method of an order, or by a function of its own.
struct Entry {
  IntegratorInfo info;
  Tableau (*tableau)() = nullptr;
  int adams_order = 0;
  StepperMaker make = nullptr;
};

std::unique_ptr<Stepper> make_newmark(const StepControl& control, bool adaptive) {
  return make_generalized_alpha_stepper(AlphaParameters{}, control, adaptive);
}
std::unique_ptr<Stepper> make_hht_stepper(const StepControl& control, bool adaptive) {
  return make_generalized_alpha_stepper(make_hht(control.alpha), control, adaptive);
}
std::unique_ptr<Stepper> make_chung_hulbert(const StepControl& control, bool adaptive) {
  return make_generalized_alpha_stepper(make_generalized_alpha(control.rho), control, adaptive);
}

constexpr std::array kEntries{
    Entry{{"euler", 1, false, "explicit Euler, fixed step"}, make_euler_tableau},
    Entry{{"heun", 2, false, "Heun's explicit trapezoidal rule, fixed step"}, make_heun_tableau},
    Entry{{"kutta3", 3, false, "Kutta's method of order 3, fixed step"}, make_kutta3_tableau},
    Entry{{"rk4", 4, false, "the classical Runge-Kutta method, fixed step"}, make_rk4_tableau},
    Entry{{"rkmk4", 4, false,
           "Munthe-Kaas's Runge-Kutta method on the group of rotations: rk4 with rotations = "
           "\"lie\", fixed step",
           false, false, false, false, true},
          make_rkmk4_tableau},
    Entry{{"ab2", 2, false, "Adams-Bashforth of order 2, fixed step, started by RK4"}, nullptr, 2},
    Entry{{"ab3", 3, false, "Adams-Bashforth of order 3, fixed step, started by RK4"}, nullptr, 3},
    Entry{{"ab4", 4, false, "Adams-Bashforth of order 4, fixed step, started by RK4"}, nullptr, 4},
    Entry{
        {"ab5", 5, false, "Adams-Bashforth of order 5, fixed step, started by DOPRI5"}, nullptr, 5},
    Entry{
        {"dopri5", 5, true, "Dormand-Prince 5(4), adaptive or fixed step, dense output of order 4"},
        make_dopri5_tableau},
    Entry{{"dop853", 8, true,
           "Dormand-Prince 8(5,3), adaptive or fixed step, dense output of order 7"},
          make_dop853_tableau},
    Entry{{"adams", 12, true,
           "Adams predictor-corrector of order 1 to 12, adaptive step and order, two evaluations "
           "per step",
           true},
          nullptr,
          0,
          make_adams},
    Entry{{"hem3", 3, true, "half-explicit of order 3(2) (Brasey, Hairer), adaptive or fixed step",
           false, true},
          make_hem3_tableau},
    Entry{{"hem4", 4, true, "half-explicit of order 4(3) (Brasey, Hairer), adaptive or fixed step",
           false, true},
          make_hem4_tableau},
    Entry{
        {"hedop5", 5, true,
         "half-explicit of order 5(4) on Dormand-Prince's stages (Arnold), adaptive or fixed step",
         false, true},
        make_hedop5_tableau},
    Entry{
        {"phem56", 5, true,
         "partitioned half-explicit of order 5(4) on Dormand-Prince's stages (Murua), adaptive or "
         "fixed step",
         false, true},
        make_phem56_tableau},
    Entry{{"radau5", 5, true,
           "Radau IIA of order 5, implicit, for stiff systems and constraints of any index, "
           "adaptive or fixed step",
           false, false, true},
          nullptr,
          0,
          make_radau5},
    Entry{{"bdf", 5, true,
           "backward differentiation formulas of order 1 to 5, implicit, for stiff systems and "
           "constraints of any index, adaptive step and order, or fixed step and order 5",
           true, false, true},
          nullptr,
          0,
          make_variable_bdf},
    Entry{
        {"ida", 5, true,
         "IDA of SUNDIALS: backward differentiation formulas of order 1 to 5, implicit, for stiff "
         "systems and constraints of index 1 and 2, adaptive step and order",
         true, false, true, false, false, true, 2},
        nullptr,
        0,
        make_ida},
    Entry{{"backward_euler", 1, false, "backward Euler, implicit, fixed step", false, false, true},
          nullptr,
          0,
          make_backward_euler},
    Entry{{"newmark", 2, true,
           "Newmark's method, the trapezoidal rule: no damping, adaptive or fixed step", false,
           false, false, true},
          nullptr,
          0,
          make_newmark},
    Entry{{"hht", 2, true,
           "Hilber, Hughes and Taylor's method: damping by alpha, adaptive or fixed step", false,
           false, false, true},
          nullptr,
          0,
          make_hht_stepper},
    Entry{
        {"generalized_alpha", 2, true,
         "Chung and Hulbert's method on the group of rotations: damping by rho_infinity, adaptive "
         "or fixed step",
         false, false, false, true},
        nullptr,
        0,
        make_chung_hulbert},
    Entry{{"rattle", 2, false,
           "RATTLE of order 2, symmetric, symplectic for conservative systems, holds positions and "
           "velocities closed to round-off, the same with index2, index3 and ggl, fixed step",
           false, false, false, true},
          nullptr,
          0,
          make_rattle},
};

constexpr auto kInfos = [] {
  std::array<IntegratorInfo, kEntries.size()> infos;
  for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = kEntries[i].info;
  return infos;
}();

}  // namespace

std::span<const IntegratorInfo> all_integrators() { return kInfos; }

const IntegratorInfo* find_integrator(std::string_view name) {
  for (const IntegratorInfo& info : kInfos) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::optional<Tableau> find_tableau(std::string_view name) {
  const IntegratorInfo* info = find_integrator(name);
  if (info == nullptr) return std::nullopt;
  const Entry& entry = kEntries[static_cast<std::size_t>(info - kInfos.data())];
  if (entry.tableau == nullptr) return std::nullopt;
  return entry.tableau();
}

std::unique_ptr<Stepper> make_stepper(std::string_view name, const StepControl& control,
                                      bool adaptive) {
  const IntegratorInfo* info = find_integrator(name);
  if (info == nullptr) {
    std::vector<std::string> known;
    for (const IntegratorInfo& i : kInfos) known.emplace_back(i.name);
    throw ModelError(fmt::format("integrator '{}' is not known", name), suggest(name, known));
  }
  if (adaptive && !info->adaptive) {
    throw ModelError(
        fmt::format("{} has no error estimate: it cannot choose its step by a tolerance", name),
        "use dopri5, dop853 or adams, or give a step");
  }
  const Entry& entry = kEntries[static_cast<std::size_t>(info - kInfos.data())];
  if (entry.tableau != nullptr) return make_known_rk(entry.tableau(), control, adaptive);
  if (entry.make != nullptr) return entry.make(control, adaptive);
  return make_adams_bashforth(entry.adams_order, control);
}

}  // namespace driftless
