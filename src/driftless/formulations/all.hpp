#pragma once
// All formulations. File keyword, command-line listing, explanations and the exam follow from this list.

#include <memory>
#include <variant>
#include <vector>

#include "driftless/formulations/baumgarte.hpp"
#include "driftless/formulations/braun_goldfarb.hpp"
#include "driftless/formulations/implicit_forms.hpp"
#include "driftless/formulations/index1.hpp"
#include "driftless/formulations/index2.hpp"
#include "driftless/formulations/partition.hpp"
#include "driftless/formulations/udwadia_kalaba.hpp"

namespace driftless {

using Formulation =
    std::variant<BraunGoldfarb, Index1, UdwadiaKalaba, Baumgarte, Partition, PartialVelocity,
                 Index2, Index3, Index2Baumgarte, Ggl, StabilizedIndex1>;

/// What an integrator takes.
enum class ProblemShape {
  slopes,           ///< y' = f
  half_explicit,    ///< the same in stages that hold velocity constraints
  implicit,         ///< DaeProblem
  implicit_index2,  ///< the same, of index 2 at most
  second_order      ///< MechProblem
};

constexpr bool is_implicit(ProblemShape shape) {
  return shape == ProblemShape::implicit || shape == ProblemShape::implicit_index2;
}

/// Whether a formulation comes in this shape.
bool has_shape(const Formulation& formulation, ProblemShape shape);

struct FieldRequest {
  ProblemShape shape = ProblemShape::slopes;
  bool fixed_steps = true;
  bool is_projected = false;  ///< a drift control closes the constraints after each step
  Rotations rotations = Rotations::quaternion;
  bool along_screws = false;
};

/// The field of a formulation in a shape that it has; `terms` are what it and the drift controls add.
std::unique_ptr<AccelerationField> make_field(const Formulation& formulation, Evaluator& evaluator,
                                              const FieldRequest& request,
                                              std::vector<FieldTerm*> terms);

}  // namespace driftless
