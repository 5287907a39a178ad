#pragma once
// What the user wrote, as data: an equation model is names and texts with their places in the file.
// No numerics here: equations/ turns it into a System. The same struct is filled by the file
// reader, by C++ and by Python.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/value.hpp"
#include "driftless/model/mechanism_model.hpp"
#include "driftless/model/model_common.hpp"

namespace driftless {

/// Start values that are left out are 0 and taken as guesses: making the start consistent moves
/// them first.
struct CoordinateSpec {
  std::string name;
  std::optional<Text> start;
  std::optional<Text> rate;
  Source where;
};

/// A first-order state of a force element: c' = rate(t, q, q', c).
struct StateSpec {
  std::string name;
  std::optional<Text> start;  ///< left out: 0
  std::optional<Text> rate;   ///< must be given
  Source where;
};

using MatrixText = std::vector<std::vector<Text>>;

/// M x'' + C x' + K x = E f(t).
struct LinearSpec {
  MatrixText mass;                   ///< n x n
  MatrixText damping;                ///< n x n, or empty
  MatrixText stiffness;              ///< n x n
  MatrixText input;                  ///< n x r, or empty: identity
  std::vector<Text> load;            ///< r functions of t, or empty
  std::vector<Text> damping_ratios;  ///< one for all modes or one per mode; excludes `damping`
  Source where;
};

struct EquationModel : ModelCommon {
  std::vector<CoordinateSpec> coordinates;
  std::vector<StateSpec> states = {};
  std::optional<Text> kinetic;  ///< T(t, q, q'), at most quadratic in the rates ...
  /// ... or the mass matrix M(t, q) itself: M q'' = forces - dU/dq, nothing derived ...
  MatrixText mass;
  std::optional<LinearSpec> linear;  ///< ... or a linear system
  std::optional<Text> potential;
  std::vector<NamedText> forces;  ///< by coordinate
  std::vector<NamedText> constraints;
  std::vector<NamedText> velocity_constraints;
};

/// [run]
struct RunSpec {
  std::optional<Value> until;  ///< s, default 10
  std::optional<Value> every;  ///< s, default until/1000
  std::optional<Value>
      start;  ///< "consistent" (default), or "given": start values are kept as they are
  Source where;
};

/// The field of a key in [run], or null.
inline std::optional<Value>* find_run_field(RunSpec& run, std::string_view key) {
  if (key == "until") return &run.until;
  if (key == "every") return &run.every;
  if (key == "start") return &run.start;
  return nullptr;
}

/// [method] or [method.NAME]: formulation, integrator, drift and their options, still unread
/// (run/plan knows the words).
struct MethodSpec {
  std::string name;  ///< empty: the default one
  Value::Table entries;
  Source where;
  /// Entries set for one run; those of the default method hold for whichever method runs.
  Value::Table overrides = {};
};

struct ModelFile {
  EquationModel model;                      ///< says nothing if the file is a mechanism
  std::optional<MechanismModel> mechanism;  ///< bodies and joints instead of equations
  RunSpec run;
  std::vector<MethodSpec> methods;
  Value::Table display;  ///< [display] column or coordinate = unit
  std::string path;      ///< as given by the user
  std::string text;      ///< the whole file
  /// A section is misspelt or of the wrong kind, which has been said: what seems to be missing cannot be judged.
  bool doubtful = false;

  /// What both kinds have: of the mechanism if there is one, else of the equation model.
  ModelCommon& common() { return mechanism ? static_cast<ModelCommon&>(*mechanism) : model; }
  const ModelCommon& common() const {
    return mechanism ? static_cast<const ModelCommon&>(*mechanism) : model;
  }
};

}  // namespace driftless
