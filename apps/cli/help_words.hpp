#pragma once
// Shared by `driftless list` and `driftless explain`: kinds of words, and words that nothing else describes.

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"

#include "driftless/base/units.hpp"
#include "driftless/integrators/all.hpp"

namespace driftless::cli {

/// What can be listed.
struct Kind {
  std::string name;
  std::string description;
  void (*print)();
};
const std::vector<Kind>& all_kinds();

std::string describe_tableau(const Tableau& tableau);
std::string describe_unit(const Unit& unit);

/// Figures that are no columns' maxima: those are explained in model/keys.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kFigures{{
    {"steps", "accepted steps"},
    {"rejected", "steps that were tried again, shorter, because the error was too large"},
    {"evaluations", "how often the accelerations were solved for"},
    {"factorisations", "how often the mass and constraint matrices were factorised"},
    {"cpu_seconds", "CPU time of the step loop, without reading and writing"},
    {"t_end", "the time that was reached, in s"},
    {"dof", "degrees of freedom at the start: rates less the rank of the constraints"},
    {"rank", "rank of the constraints at the start: how many are independent"},
    {"min_rank",
     "lowest rank at an accepted step: less than rank where a singular pose was passed"},
    {"rows", "number of constraints: position and velocity"},
    {"redundant", "names of the constraints that say nothing new at the start"},
    {"not_unique",
     "names of the reactions that redundant constraints could share in other ways; their values "
     "are "
     "those of least norm"},
    {"status", "how a run ended: ok, failed, invalid or interrupted"},
}};

/// How the program ends.
struct Ending {
  std::string_view status;
  int code;
  std::string_view description;
};
inline constexpr std::array<Ending, 4> kEndings{{
    {"ok", kExitOk, "the answer is complete"},
    {"failed", kExitFailed,
     "the numbers failed at the time given, or a result could not be written; what was computed "
     "is kept"},
    {"invalid", kExitMisuse, "a wrong model, option or combination: nothing was run"},
    {"interrupted", kExitInterrupted, "stopped by Ctrl-C or a signal; what was computed is kept"},
}};

/// Figures that only some methods have.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kMethodFigures{{
    {"newton_failures",
     "implicit integrators: attempts in which Newton's method found nothing and the step was "
     "halved"},
    {"partition_changes",
     "partition, partial_velocity: how often other coordinates became independent"},
    {"partition_condition",
     "partition, partial_velocity: how many times faster than the independent coordinates the "
     "dependent ones became, at most"},
    {"energy_put_back",
     "energy, invariant: the largest energy in J that all corrections together had put back: what "
     "the steps lost"},
    {"energy_corrections_limited",
     "energy: steps in which the correction was cut to its limit, which method.limit sets"},
    {"energy_corrections_without_direction", "energy: steps at rest, where it cannot be corrected"},
    {"invariant_corrections_limited",
     "invariant: steps in which a correction was cut to its limit"},
    {"invariant_corrections_without_direction",
     "invariant: steps in which what is declared could not be corrected"},
    {"projections", "project with projection_bound: steps after which joints were projected"},
    {"max_coupling",
     "yoon12, yoon13, yoon17: largest inner product of the gradients of energy and constraints "
     "(Yoon, eq. 20)"},
    {"energy_control_without_direction",
     "yoon12, yoon13, yoon17: evaluations in which energy could not be changed"},
}};

}  // namespace driftless::cli
