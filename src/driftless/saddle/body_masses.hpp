#pragma once
// M⁻¹ of a block-diagonal mass matrix, one small block per body: a diagonal (bodies in the plane, point masses), a mass
// and a 3x3 inertia (bodies in space), or any definite block. Whatever it is, it is applied from the right to blocks of
// rows, H = G M⁻¹, and to vectors.

#include <vector>

#include "driftless/math/block_matrix.hpp"

namespace driftless {

class BodyMasses {
 public:
  enum class Kind { diagonal, mass_and_inertia, full };
  struct Body {
    int column = 0;
    int size = 0;
    Kind kind = Kind::diagonal;
    int first = 0;  ///< of its inverse, size x size
  };

  /// Whether the blocks lie on the diagonal and each block of `rows` has the columns of one of them.
  static bool fits(const BlockMatrix& mass, const BlockMatrix& rows);

  explicit BodyMasses(const BlockMatrix& mass);

  /// Inverts all blocks. False: one is not positive definite.
  bool set(const BlockMatrix& mass);

  /// H = G M⁻¹ block by block; `out` has as many numbers as `rows`, in the same places. Only the first `count` blocks.
  void scale_rows(const BlockMatrix& rows, std::size_t count, double* out) const;
  /// x = M⁻¹ f
  void solve(const double* f, double* x) const;

 private:
  bool invert(const double* block, Body& body);

  std::vector<Body> bodies_;
  std::vector<int> body_of_;  // per column
  std::vector<double> inverse_;
};

}  // namespace driftless
