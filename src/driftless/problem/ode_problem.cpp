#include "driftless/problem/ode_problem.hpp"

namespace driftless {

void OdeProblem::begin_step(double /*t*/, double /*h*/, std::span<const double> /*y*/,
                            std::span<const double> /*f*/) {}

void OdeProblem::drop_corrected(double /*t*/, std::span<const double> /*y*/,
                                std::span<double> /*error*/) {}

bool OdeProblem::eval_half_explicit(double t, std::span<const double> y, double /*t_bar*/,
                                    std::span<const double> /*partial*/, double /*scale*/,
                                    std::span<double> dydt) {
  return eval(t, y, dydt);
}

double OdeProblem::error_weight(int /*component*/) const { return 1.0; }

std::string OdeProblem::component_name(int component) const {
  return "y" + std::to_string(component);
}

std::string OdeProblem::failure() const { return "the right-hand side is not defined here"; }

}  // namespace driftless
