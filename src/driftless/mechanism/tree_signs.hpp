#pragma once
// Signs of the bodies' quaternions. The axes of a body tell its quaternion up to the sign; taken with w >= 0 it jumps where
// w passes 0. The product of quaternions from joint to joint,
//
//   p = p_parent∘(frame on the parent)∘(joint's turn)∘(frame on the body)⁻¹                                         [TSG.1]
//
// in which an angle φ about an axis n is (cos φ/2, n sin φ/2) and grows on over turns, is a continuous function of the
// coordinates. So the sign is that of p, but for a constant: chosen once, at the start, so that it is the sign that the body
// has there.

#include <array>
#include <vector>

#include "driftless/mechanism/spanning_tree.hpp"

namespace driftless {

class TreeSigns {
 public:
  using Quaternion = std::array<double, 4>;

  TreeSigns(const MechanismParts& parts, const SpanningTree& spanning);

  /// From now on quaternions have the signs of these coordinates of the bodies at q.
  void set_start(ConstVectorRef q, ConstVectorRef body_q);
  /// Room for `apply`.
  std::vector<Quaternion> make_workspace() const;
  /// Gives the quaternions of bodies that are at q their signs.
  void apply(ConstVectorRef q, std::vector<Quaternion>& ws, VectorRef body_q) const;

 private:
  /// p of all tree frames; number 0: the ground. [TSG.1]
  void find_products(ConstVectorRef q, std::vector<Quaternion>& ws) const;
  /// What p of a body and its quaternion have in common: 1 or -1, but for rounding.
  double compare(std::size_t node, const Quaternion& frame, const double* quaternion) const;

  const MechanismParts& parts_;
  const SpanningTree& spanning_;
  std::vector<Quaternion> near_, far_;  // of the joint's frames, per node; `far_` inverted
  std::vector<double> signs_;
};

}  // namespace driftless
