#pragma once
// A method: a formulation, an integrator and drift controls. This folder is the only place where the three meet.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/fields.hpp"
#include "driftless/drift/all.hpp"
#include "driftless/formulations/all.hpp"
#include "driftless/integrators/tableau.hpp"

namespace driftless {

/// Options of newmark, hht and generalized_alpha.
struct NewmarkOptions {
  double rho_infinity = 0.9;
  double hht_alpha = -0.1;
  std::string start_velocity = "corrected";
  std::string group = "so3";

  static constexpr auto fields() {
    return std::make_tuple(
        field("rho_infinity", &NewmarkOptions::rho_infinity, "",
              "generalized_alpha: what is left of the highest frequencies after a step; 1: no "
              "damping",
              Bounds{0.0, 1.0}),
        field("hht_alpha", &NewmarkOptions::hht_alpha, "", "hht: -1/3 (most damping) to 0 (none)",
              Bounds{-1.0 / 3.0, 0.0}),
        field(
            "start_velocity", &NewmarkOptions::start_velocity, "",
            "with index3: \"corrected\" by a term of size step^2, so that reactions do not ring at "
            "the start, or \"given\""),
        field(
            "group", &NewmarkOptions::group, "",
            "how a step moves bodies in space: \"so3\", shift and turn apart, or \"se3\", along a "
            "screw"));
  }
};

/// Whether one of the integrators newmark, hht and generalized_alpha makes use of an option of theirs.
bool takes_newmark_option(std::string_view integrator, std::string_view key);

struct IntegratorChoice {
  static constexpr Bounds kToleranceBounds{1e-14, 1.0};

  std::string name = "rk4";
  bool adaptive = false;
  double step = 0.01;  ///< fixed step; adaptive: the first step, 0 = found by the integrator
  double rtol = 1e-6;
  double atol = 1e-6;
  std::optional<double> max_step = {};  ///< adaptive: the longest step; not given: no bound
  std::optional<Tableau> tableau = {};  ///< a method of the user's own; then name is only a name
  std::string rotations = "auto";
  std::string engine = "auto";
  NewmarkOptions newmark = {};  ///< of Newmark's family

  static constexpr auto fields() {
    return std::make_tuple(field("step", &IntegratorChoice::step, "s", "fixed step", kPositive),
                           field("rtol", &IntegratorChoice::rtol, "",
                                 "relative tolerance of adaptive steps", kToleranceBounds),
                           field("atol", &IntegratorChoice::atol, "",
                                 "absolute tolerance of adaptive steps", kPositive),
                           field("max_step", &IntegratorChoice::max_step, "s",
                                 "longest adaptive step; default: no bound", kPositive),
                           field("rotations", &IntegratorChoice::rotations, "",
                                 "how orientations in space are written: \"quaternion\", "
                                 "\"euler\" (angles, in a sequence that is not singular) or "
                                 "\"lie\" (turns from the last step); \"auto\" is "
                                 "\"lie\" for methods on the group of rotations and for "
                                 "second-order ones, else \"quaternion\""),
                           field("engine", &IntegratorChoice::engine, "",
                                 "what solves for accelerations: \"dense\", \"sparse\" (its cost "
                                 "is linear in the number of bodies; of more than 64 rows it "
                                 "leaves out singular values below 1e-5 whatever rank_tolerance "
                                 "says) or \"auto\", which takes sparse for mechanisms and dense "
                                 "for equations"));
  }
};

/// What the integrator takes.
ProblemShape find_shape(const IntegratorChoice& choice);
/// The formulations that come in a shape.
std::vector<std::string> find_formulations(ProblemShape shape);
/// How orientations are written: as it says, or as the integrator asks.
Rotations find_rotations(const IntegratorChoice& choice);

struct Method {
  std::string name = {};  ///< as the user calls it; empty: its words
  Formulation formulation = {};
  IntegratorChoice integrator = {};
  std::vector<DriftSpec> drift = {};
};

/// Braun-Goldfarb with projection (one pass) and energy correction, RK4, step 0.01.
Method make_default_method();

/// "braun_goldfarb/rk4/project+energy".
std::string describe(const Method& method);
/// "step = 0.01, rank_tolerance = 1e-05, ...": every option with the value that is used.
std::string describe_options(const Method& method);
/// The same without the gains that were left out.
std::string describe_given_options(const Method& method);
/// "{ order = 2, a = [[], [1]], b = [0.5, 0.5], c = [0, 1] }": as it may stand in a file.
std::string format_tableau(const Tableau& tableau);
double find_rank_tolerance(const Method& method);

/// A well-known combination by name.
struct Preset {
  std::string_view name;
  std::string_view words;
  std::string_view summary;
};
std::vector<Preset> all_presets();

}  // namespace driftless
