#include "driftless/problem/ode_problem.hpp"

namespace driftless {

void OdeProblem::begin_step(double /*t*/, double /*h*/, std::span<const double> /*y*/,
                            std::span<const double> /*f*/) {}

double OdeProblem::error_weight(int /*component*/) const { return 1.0; }

std::string OdeProblem::component_name(int component) const {
  return "y" + std::to_string(component);
}

std::string OdeProblem::failure() const { return "the right-hand side is not defined here"; }

}  // namespace driftless
