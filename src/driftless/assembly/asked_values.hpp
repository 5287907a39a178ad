#pragma once
// What drives and paths ask for, beside what they get. Of a row that prescribes a value s,
//
//   Φ = s - asked,   so that   s = asked + Φ                                                                       [ASK.1]

#include <optional>
#include <string>
#include <vector>

#include "driftless/assembly/start_level.hpp"
#include "driftless/system/start_help.hpp"

namespace driftless {

struct StartReport;

struct AskedValue {
  DrivenRow row;
  double asked = 0.0;
  double reached = 0.0;
};

/// Of a drive or path, at the level's values; none if the element is neither.
std::vector<AskedValue> find_asked_values(StartLevel& level, const ElementInfo& element);

/// "31.4 deg", "0.2 m": no digits of round-off.
std::string describe_value(double value, const std::string& unit, int digits = 6);
/// "A.angle = 31.4 deg and ...".
std::string describe_asked(const std::vector<AskedValue>& values);
std::string describe_reached(const std::vector<AskedValue>& values);

/// A drive that asks for what no pose whatsoever gives, such as a distance below 0, or for the bound itself, where the
/// value has no derivative.
struct OutsideDomain {
  std::string row;  ///< by its name
  std::string message;
  std::string remedy;
};
std::optional<OutsideDomain> find_outside_domain(const System& system, double t, ConstVectorRef q,
                                                 Workspace& ws);
/// Whether there is any that might.
bool has_bounded_drives(const System& system);

/// False: a drive does so at the start, which the report tells.
bool check_domains(const System& system, const State& state, StartReport& report);

}  // namespace driftless
