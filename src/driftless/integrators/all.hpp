#pragma once
// The integrators by name. A name here is a keyword in files and on the command line, a
// row in the documentation and a candidate in the exam (exam_test.cpp).

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "driftless/integrators/stepper.hpp"
#include "driftless/integrators/tableau.hpp"

namespace driftless {

struct IntegratorInfo {
  std::string_view name;
  int order = 0;
  bool adaptive = false;  ///< has an error estimate: may choose its steps by a tolerance
  std::string_view summary;
  bool variable_order = false;  ///< `order` is the highest that it takes
  bool half_explicit = false;   ///< takes constraints at velocity level
  bool implicit = false;        ///< takes F(t, y, y') = 0: needs OdeProblem::dae()
  bool second_order = false;    ///< takes a mechanical system: needs OdeProblem::mech()
  bool on_group = false;  ///< orientations are to be turns from the last step: rotations = "lie"
  bool only_adaptive = false;  ///< has no fixed steps
  int highest_index = 3;       ///< implicit: of the constraints that it takes
};

std::span<const IntegratorInfo> all_integrators();

/// Null if there is none of that name.
const IntegratorInfo* find_integrator(std::string_view name);

/// The coefficients of a Runge-Kutta method; empty for the others.
std::optional<Tableau> find_tableau(std::string_view name);

/// Throws ModelError: an unknown name (with the nearest known one), `adaptive` asked of a method
/// without an error estimate, a control out of bounds. All methods but `only_adaptive` ones run with a fixed step
/// (adaptive = false).
std::unique_ptr<Stepper> make_stepper(std::string_view name, const StepControl& control,
                                      bool adaptive);

}  // namespace driftless
