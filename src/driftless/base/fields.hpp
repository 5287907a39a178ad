#pragma once
// Declared once: a spec is a plain aggregate with a static function `fields()` that lists (key, member, unit, one line
// of description, bounds). Reading, error messages, `driftless explain` and the reference page derive from that list.

#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace driftless {

/// What a number may be. `open_low`: the low end itself is not allowed.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;
  bool not_zero = false;
  bool needed = false;  ///< of what is no number: it must be given

  bool contains(double value) const {
    return (open_low ? value > low : value >= low) && value <= high && !(not_zero && value == 0.0);
  }
};

/// "greater than 0", "at least 0 and at most 1"; empty if every number is allowed.
std::string describe_bounds(const Bounds& bounds);

/// A harmless number within the bounds, for one that is wrong.
double find_stand_in(const Bounds& bounds);

inline constexpr Bounds kPositive{0.0, std::numeric_limits<double>::infinity(), true};
inline constexpr Bounds kNotNegative{0.0};
inline constexpr Bounds kNotZero{.not_zero = true};
inline constexpr Bounds kNeeded{.needed = true};

template <class Spec, class T>
struct Field {
  std::string_view key;
  T Spec::*member;
  std::string_view unit;  ///< SI unit of a number, "" if it has none
  std::string_view description;
  Bounds bounds;
};

template <class Spec, class T>
constexpr Field<Spec, T> field(std::string_view key, T Spec::*member, std::string_view unit,
                               std::string_view description, Bounds bounds = {}) {
  return {key, member, unit, description, bounds};
}

template <class Spec, class Function>
constexpr void for_each_field(Function&& function) {
  std::apply([&](const auto&... each) { (function(each), ...); }, Spec::fields());
}

}  // namespace driftless
