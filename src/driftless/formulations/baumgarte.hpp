#pragma once
// Baumgarte's stabilisation: the acceleration constraint is replaced by a stable error equation,
//
//   position rows   Φ'' + R Φ' + S Φ = 0                                                                        [BMG.1]
//   velocity rows   Ψ'  + η Ψ = 0                                   (Yoon, eq. 8)                               [BMG.2]
//
// which is b = γ - R ρ - S Φ on the right of the saddle point. Gains:
//   alpha, beta        R = α, S = β   (notation "alpha_beta", the default), or
//                      R = 2α, S = β² (notation "2alpha_beta2"); one number, or one per constraint
//   R, S               full matrices (Eun, Yang, Chung 2003, eq. 26)
// The error equation is stable if all λ with det(λ² + λ R + S) = 0 have a negative real part (eq. 27): the eigenvalues
// of [[0, 1], [-S, -R]]. Positive entries do not suffice.                                                        [BMG.3]

#include <complex>
#include <string>
#include <vector>

#include "driftless/base/fields.hpp"
#include "driftless/formulations/acceleration_field.hpp"

namespace driftless {

/// One number for all rows (1 x 1), one per row (m x 1), or a full matrix (m x m). Empty: not given.
struct Gain {
  Matrix value;
  bool empty() const { return value.size() == 0; }
};

inline Gain scalar_gain(double value) { return {Matrix::Constant(1, 1, value)}; }

struct Baumgarte {
  static constexpr std::string_view kName = "baumgarte";
  static constexpr std::string_view kSummary =
      "constraints stabilised by feedback: Phi'' + alpha Phi' + beta Phi = 0";

  Gain alpha;  ///< left out: 20 1/s, critically damped with beta
  Gain beta;   ///< left out: 100 1/s^2
  Gain eta;    ///< left out: as the gain of Φ'; 20 1/s where that is a matrix
  std::string notation = "alpha_beta";
  Gain R;
  Gain S;
  double rank_tolerance = kDefaultRankTolerance;

  static constexpr auto fields() {
    return std::make_tuple(
        field("alpha", &Baumgarte::alpha, "1/s",
              "gain of Phi': a number, a list with one per constraint, or { constraint = gain }; "
              "may use h"),
        field("beta", &Baumgarte::beta, "",
              "gain of Phi (1/s^2, or 1/s in the notation 2alpha_beta2)"),
        field("eta", &Baumgarte::eta, "1/s",
              "gain of velocity constraints; left out: the gain of Phi', or 20 where that is a "
              "matrix"),
        field("notation", &Baumgarte::notation, "",
              "\"alpha_beta\": alpha Phi' + beta Phi; \"2alpha_beta2\": 2 alpha Phi' + beta^2 Phi"),
        field("R", &Baumgarte::R, "1/s", "full gain matrix of Phi', instead of alpha"),
        field("S", &Baumgarte::S, "1/s^2", "full gain matrix of Phi, instead of beta"),
        field("rank_tolerance", &Baumgarte::rank_tolerance, "",
              "singular values below this are left out (rows have length 1)", Bounds{0.0, 0.5}));
  }
  FieldOptions field_options() const { return {.rank_tolerance = rank_tolerance}; }
};

/// R and S as full matrices, η per velocity row.
struct BaumgarteGains {
  Matrix R, S;
  Vector eta;
};

/// Gains that are not given, filled in: what a run uses.
Baumgarte with_default_gains(Baumgarte options);

/// Throws ModelError for wrong shapes, for both ways at once, for an unknown notation.
BaumgarteGains resolve_gains(const Baumgarte& given, int position_rows, int velocity_rows);

/// The eigenvalues of [BMG.3], largest real part first.
std::vector<std::complex<double>> find_error_eigenvalues(const BaumgarteGains& gains);

class BaumgarteTerm final : public FieldTerm {
 public:
  explicit BaumgarteTerm(BaumgarteGains gains);
  void before_solve(const FieldPoint& point, VectorRef f, VectorRef b) override;

 private:
  BaumgarteGains gains_;
  bool
      is_diagonal_;  // then all that counts of R and S is here: a full product costs the square of the rows
  Vector r_, s_;
};

}  // namespace driftless
