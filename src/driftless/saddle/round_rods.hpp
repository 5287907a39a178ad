#pragma once
// Rows of the sparse engine in the metric of M̂ [MAS.2], in which slender rods are as round as balls.

#include "driftless/saddle/body_masses.hpp"

namespace driftless {

template <class Rows>
class RoundRods {
 public:
  /// `rows`: any with the blocks of G.
  RoundRods(const BlockMatrix& mass, const Rows& rows)
      : mass_(make_round_mass(mass)), masses_(mass_, 0.0), rows_(rows) {
    masses_.set(mass_);
  }

  const BlockMatrix& mass() const { return mass_; }
  /// G, and H = G M̂⁻¹
  const Rows& set_rows(const BlockMatrix& jacobian) {
    rows_.set(masses_, is_first_, jacobian.data());
    is_first_ = false;
    return rows_;
  }

 private:
  BlockMatrix mass_;
  BodyMasses masses_;
  Rows rows_;
  bool is_first_ = true;
};

}  // namespace driftless
