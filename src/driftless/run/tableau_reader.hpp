#pragma once
// A user's own explicit Runge-Kutta method in a model file:
//
//   integrator = "tableau"
//   tableau = { order = 3, a = [[], ["1/2"], [-1, 2]], b = ["1/6", "2/3", "1/6"] }
//
// c is the row sums of a if it is left out. b_hat with error_order gives an embedded solution, so that the method may
// adapt its steps. The order is checked by the order conditions: a wrong coefficient is found before the run.

#include "driftless/integrators/tableau.hpp"
#include "driftless/run/option_value.hpp"

namespace driftless {

Tableau read_tableau(const Value& value, const OptionContext& context);

}  // namespace driftless
