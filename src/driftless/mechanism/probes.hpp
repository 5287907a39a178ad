#pragma once
// Numbers of forces and measures with the derivatives along the motion that the program works with, so that a check can
// hold these against differences, element by element:
//
//   measure of frames        f, f' and f', f''                                                                    [PRB.1]
//   measure by an expression e, its gradient along the rates of what it is made of                                [PRB.2]
//   force along a scalar     s, J v: the Jacobian by which it acts; U, -Q v + U_c c': the potential by which it is
//                            counted                                                                              [PRB.3]
//   force on frames          U, -Q v; of an applied one 0, Q v less the power of its wrenches                      [PRB.4]

#include <string>
#include <vector>

#include "driftless/mechanism/recorder.hpp"

namespace driftless {

class Probes {
 public:
  Probes(const MechanismParts& parts, const Kinematics& kinematics, const Laws& laws);

  /// Per probe: the element that it belongs to.
  const std::vector<std::string>& elements() const { return elements_; }

  /// The state is placed and moved, the laws have positions and velocities. Leaves the state accelerated.
  void eval(const Moment& moment, MotionState& state, LawWorkspace& laws, VectorRef values,
            VectorRef slopes) const;

 private:
  struct Expression {
    std::string name;
    LawTape tape;                // value, then the derivative by each variable below
    std::vector<int> variables;  // of the record graph; 0: t
  };

  class Writer;

  void add_expression(const std::string& name);
  void write_law_forces(const Moment& moment, MotionState& state, LawWorkspace& laws,
                        Writer& out) const;
  void write_kernels(const Moment& moment, MotionState& state, LawWorkspace& laws,
                     Writer& out) const;
  void write_measures(MotionState& state, Writer& out) const;
  void write_expressions(const Moment& moment, MotionState& state, Writer& out) const;
  /// A measure of position or velocity of a function block, or its derivative.
  double calc_function(const Measure& measure, bool derivative, MotionState& state) const;

  const MechanismParts& parts_;
  const Kinematics& kinematics_;
  const Laws& laws_;
  std::vector<Expression> expressions_;
  std::vector<std::string> elements_;
};

}  // namespace driftless
