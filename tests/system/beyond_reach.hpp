#pragma once
// A rod of length 1 whose end is driven beyond its reach, at t = 0.5, and a mass beside it that has nothing to do with that.

namespace driftless::trials {

inline constexpr const char* kBeyondReach = R"(
format = "driftless/1"
[coordinates]
x = { start = 0.5, rate = 1 }
y = { start = 0.8660254037844386 }
z = { start = 0, rate = 1 }
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
[constraint]
rod = "x^2 + y^2 - 1"
drive = "x - 0.5 - t"
)";

}  // namespace driftless::trials
