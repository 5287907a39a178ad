#pragma once
// Units: "200 N/mm" -> 2e5 kg/s^2. SI inside; text with a unit is converted once, when it is read.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

/// Exponents of kilogram, metre, second, ampere, kelvin. Angles have no dimension.
struct Dimension {
  std::array<int, 5> exponents{};
  bool operator==(const Dimension&) const = default;
};

Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension pow(const Dimension& a, int exponent);

/// "kg*m/s^2", "1/s"; "1" for no dimension.
std::string to_string(const Dimension& dimension);

struct Unit {
  double factor = 1.0;  ///< value in SI = number * factor
  Dimension dimension;
};

/// A single unit name, with SI prefixes where customary: m mm cm km um nm, kg g mg t (tonne), s ms
/// us min h, N kN MN mN, Pa kPa MPa GPa bar, J kJ mJ, W kW MW, rad deg mrad rev, rpm, Hz kHz, A mA,
/// V, C, ohm, K, ...
std::optional<Unit> find_unit(std::string_view name);

/// All unit names without a prefix, to suggest one when a name is unknown.
std::vector<std::string> all_units();

/// A compound: "N/mm", "kg*m^2", "N*m/rad", "m/s^2", "1/s". Empty optional if it is not one.
std::optional<Unit> parse_unit(std::string_view text);

/// unit^exponent; empty if the factor leaves the range of double or the exponent is beyond +-99.
std::optional<Unit> pow(const Unit& unit, int exponent);

/// number * factor. "9 mm" becomes 9/1000, which is the double nearest to 0.009; 9*0.001 is its
/// neighbour.
double to_si(double number, const Unit& unit);

}  // namespace driftless
