#pragma once
// Several values in one word of the command line: "1:50:20" (20 values from 1 to 50), "1e-4:1e-1:7:log", "1,2,5"; with
// units "10 deg:60 deg:6", "50,80,120 mm". A number without a unit takes that of the others.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

inline constexpr std::size_t kMaxValues = 1000000;

struct ValueList {
  std::vector<double> values;   ///< SI
  std::string unit = {};        ///< SI, if one was given that is no angle's
  std::string shown_unit = {};  ///< as given, "" if none was
  double shown_factor = 1.0;    ///< of that unit
};

/// How messages speak of the word: "--vary l=1:2", and what to write instead.
struct ValuePlace {
  std::string shown;
  std::string remedy;
};

/// Of ranges: equal differences, unless ":log" follows; or equal ratios.
enum class Spacing { even, geometric };

/// Throws ModelError.
ValueList parse_values(std::string_view text, const ValuePlace& place, Spacing spacing);

}  // namespace driftless
