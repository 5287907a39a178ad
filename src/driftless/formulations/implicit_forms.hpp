#pragma once
// The formulations that only implicit integrators take; what they mean: implicit_field.hpp. index1 and index2, which
// explicit and half-explicit integrators take as well, have their own files.

#include "driftless/base/fields.hpp"
#include "driftless/formulations/implicit_field.hpp"

namespace driftless {

struct ImplicitForm {
  double rank_tolerance = 1e-8;

  FieldOptions field_options() const { return {.rank_tolerance = rank_tolerance}; }

 protected:
  template <class Spec>
  static constexpr auto tolerance_field() {
    return field("rank_tolerance", static_cast<double Spec::*>(&ImplicitForm::rank_tolerance), "",
                 "pivots below this are left out (rows have length 1)", Bounds{0.0, 0.5});
  }
};

struct Index3 : ImplicitForm {
  static constexpr std::string_view kName = "index3";
  static constexpr std::string_view kSummary =
      "constraints at position level, as they are written; for implicit integrators";
  static constexpr ConstraintForm kForm = ConstraintForm::index3;

  static constexpr auto fields() { return std::make_tuple(tolerance_field<Index3>()); }
};

struct Index2Baumgarte : ImplicitForm {
  static constexpr std::string_view kName = "index2_baumgarte";
  static constexpr std::string_view kSummary =
      "velocity constraints with a feedback of position, for implicit integrators and fixed steps; "
      "without project, which takes radau5 to order 3";
  static constexpr ConstraintForm kForm = ConstraintForm::index2_baumgarte;

  double gain = 0.5;

  static constexpr auto fields() {
    return std::make_tuple(
        field("gain", &Index2Baumgarte::gain, "",
              "C: a gap is called back at the rate C/step; small is soft, 1 is one step",
              kPositive),
        tolerance_field<Index2Baumgarte>());
  }
};

struct Ggl : ImplicitForm {
  static constexpr std::string_view kName = "ggl";
  static constexpr std::string_view kSummary =
      "Gear, Gupta and Leimkuhler's stabilised index-2 form: position and velocity constraints "
      "both "
      "hold; for implicit integrators";
  static constexpr ConstraintForm kForm = ConstraintForm::ggl;

  static constexpr auto fields() { return std::make_tuple(tolerance_field<Ggl>()); }
};

struct StabilizedIndex1 : ImplicitForm {
  static constexpr std::string_view kName = "stabilized_index1";
  static constexpr std::string_view kSummary =
      "position, velocity and acceleration constraints all hold; for implicit integrators";
  static constexpr ConstraintForm kForm = ConstraintForm::stabilized_index1;

  static constexpr auto fields() { return std::make_tuple(tolerance_field<StabilizedIndex1>()); }
};

}  // namespace driftless
