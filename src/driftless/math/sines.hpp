#pragma once
// Sines and cosines of many angles at once.

#include <cstddef>

namespace driftless {

/// Both of `count` angles, in error by less than one unit of the last place of 1. The same whatever `count` is.
void eval_sines(const double* angles, std::size_t count, double* cosines, double* sines);

}  // namespace driftless
