#pragma once
// What compiling a model gives: the System and where it starts.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/system/matrix_pattern.hpp"
#include "driftless/system/scene.hpp"
#include "driftless/system/start_targets.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

struct CompiledModel {
  std::unique_ptr<System> system;
  // all of the start in the coordinates of system->start_system()
  Vector q;                       ///< start values as written (n); 0 where left out
  Vector v;                       ///< start rates as written (n); 0 where left out
  std::vector<bool> start_given;  ///< per coordinate: false means q is a guess
  std::vector<bool> rate_given;
  std::vector<std::pair<std::string, double>> parameters;  ///< in the file's order, SI
  std::shared_ptr<const StartTargets> targets;             ///< null: none
  std::vector<std::string> warnings;                       ///< what is declared but never used
  Scene scene;                                             ///< empty: an equation model
  bool joint_coordinates = false;                          ///< of a mechanism
  std::vector<std::string> cut_joints;  ///< in joint coordinates: those that are constraints
  MatrixPattern mixed_pattern;          ///< of a mechanism: of its mixed-coordinate matrix

  State make_start(double t = 0.0) const { return {t, q, v}; }
};

}  // namespace driftless
