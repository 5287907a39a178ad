#pragma once
// Solutions with slender rods, found with the masses M̃ = M + N δ Nᵀ that have an inertia δ about each rod n ([MAS.1]).
//
// Let x = S f + ... be the solution with M̃; S is symmetric, and definite on the motions that rows leave. The one with M has
// δ n (nᵀx) on the right, so that the turns t = Nᵀx are those of
//
//   (1 - Nᵀ S N δ) t = t₀,     t₀ = Nᵀ x of the right side as it is given                                          [SLT.1]
//
// The matrix is self-adjoint in the product uᵀδv and has eigenvalues in (0, 1]: the part that others have in the inertia of
// a turn. So conjugate gradients solve it, each round by one solution with M̃ and a right side N δ p; most often none, because
// rods do not turn about themselves in most linkages, and a few where they do. An eigenvalue of 0 is a turn that nothing
// holds.
//
// Whether there is one is a matter of the rows alone, not of how a solution settles: light bodies behind a heavy rod bring
// eigenvalues as near to 0 as masses are apart. Nor is it one of pivots of M: of a rod that is nearly along an axis of its
// body what rounding leaves of 1 - u² may pass for inertia. M is definite on the motions that rows leave if these hold all turns,
//
//   G N t = 0  only of t = 0                                                                                      [SLT.2]
//
// that is, if the rows of (G N)ᵀ, one per rod, do not depend on each other. They are looked at as the rows of any system
// are, by an engine for which each strip of rows is a body with unit masses. Each is compared with the length that all of
// its rod's share in the rows has, so that what rounding leaves of a row that does not turn the rod is no row.
//
// Rejected: to put δ n (nᵀx) on the right again and again, which shrinks the error by the eigenvalues' distance from 1 alone:
// hundreds of rounds for light rods that a chain of others turns.

#include <algorithm>
#include <cmath>
#include <vector>

#include "driftless/saddle/body_masses.hpp"

namespace driftless {

/// [SLT.2] of the first `rows` rows of G, which fit M. False as well if M is singular otherwise.
bool are_turns_held(const BlockMatrix& mass, const BlockMatrix& jacobian, int rows);

class SlenderTurns {
 public:
  SlenderTurns(int rates, int rows)
      : force_(Vector::Zero(rates)),
        nothing_(Vector::Zero(rows)),
        x_(Vector::Zero(rates)),
        lambda_(Vector::Zero(rows)) {}

  /// x and λ, found with M̃, become those of M. `solve(f, b, x, λ)` solves with M̃. False: a turn is held by hardly
  /// anything, and x and λ have been moved towards the solution as far as it went.
  template <class Solve>
  bool settle(const std::vector<BodyMasses::Lift>& lifts, Solve&& solve, VectorRef x,
              VectorRef lambda) {
    constexpr int kMaxRounds = 200;
    constexpr double kNothing = 1e-150;  // the squares of less vanish
    if (rest_.size() != lifts.size()) {
      for (Turns* turns : {&rest_, &direction_, &image_}) turns->resize(lifts.size());
    }
    find_turns(lifts, x, rest_);
    const double largest = find_largest(rest_);
    if (is_settled(largest, x) || largest < kNothing) return true;
    direction_ = rest_;
    double square = multiply(lifts, rest_, rest_);
    for (int round = 0; round < kMaxRounds; ++round) {
      force_.setZero();
      for (std::size_t k = 0; k < lifts.size(); ++k)
        for (int i = 0; i < 3; ++i)
          force_[lifts[k].column + i] += lifts[k].inertia * direction_[k] * lifts[k].axis[i];
      solve(force_, nothing_, x_, lambda_);
      find_turns(lifts, x_, image_);
      for (std::size_t k = 0; k < image_.size(); ++k) image_[k] = direction_[k] - image_[k];
      const double length = square / multiply(lifts, direction_, image_);
      if (!(length > 0.0) || !std::isfinite(length)) return false;
      x += length * x_;
      lambda += length * lambda_;
      for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] -= length * image_[k];
      if (is_settled(find_largest(rest_), x)) return true;
      const double next = multiply(lifts, rest_, rest_);
      for (std::size_t k = 0; k < rest_.size(); ++k)
        direction_[k] = rest_[k] + next / square * direction_[k];
      square = next;
    }
    return false;
  }

 private:
  using Turns = std::vector<double>;

  /// Turns of at most this are next to nothing beside x: already beside the first of its numbers that is large enough.
  static bool is_settled(double largest, ConstVectorRef x) {
    constexpr double kSettled = 1e-14;
    return largest == 0.0 || std::any_of(x.begin(), x.end(), [&](double each) {
             return largest <= kSettled * std::abs(each);
           });
  }

  static void find_turns(const std::vector<BodyMasses::Lift>& lifts, ConstVectorRef x,
                         Turns& turns) {
    for (std::size_t k = 0; k < lifts.size(); ++k) {
      const BodyMasses::Lift& lift = lifts[k];
      turns[k] = 0.0;
      for (int i = 0; i < 3; ++i) turns[k] += lift.axis[i] * x[lift.column + i];
    }
  }
  static double find_largest(const Turns& turns) {
    double largest = 0.0;
    for (const double turn : turns) largest = std::max(largest, std::abs(turn));
    return largest;
  }
  static double multiply(const std::vector<BodyMasses::Lift>& lifts, const Turns& u,
                         const Turns& v) {
    double sum = 0.0;
    for (std::size_t k = 0; k < lifts.size(); ++k) sum += lifts[k].inertia * u[k] * v[k];
    return sum;
  }

  Vector force_, nothing_, x_, lambda_;
  Turns rest_, direction_, image_;
};

}  // namespace driftless
