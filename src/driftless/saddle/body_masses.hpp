#pragma once
// M⁻¹ of a block-diagonal mass matrix, one small block per body: a diagonal (bodies in the plane, point masses), a mass
// and a 3x3 inertia (bodies in space), or any definite block. Whatever it is, it is applied from the right to blocks of
// rows, H = G M⁻¹, and to vectors.
//
// A body in space may have no inertia about an axis n of its own, a slender rod. It gets some there,            [MAS.1]
//
//   M̃ = M + Σ δ n nᵀ,        δ a share of its largest moment of inertia
//
// and whoever solves with M̃ finds the solution with M from it (slender_turns.hpp).
//
// How far rows are from depending on each other is a matter of their lengths [SAD.2], and with M a row that turns a rod
// about itself has none. It is measured with the masses M̂ that have the largest moment of inertia itself there:    [MAS.2]
// a rod counts as a ball does, in any unit and whatever else there is. Less would measure the thickness that is left, not
// the pose: rows that turn the same rod fall together as δ goes to 0.

#include <vector>

#include "driftless/math/block_matrix.hpp"
#include "driftless/saddle/columns.hpp"

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

  /// The share of [MAS.2].
  static constexpr double kAsAcross = 1.0;
  /// `share`: of [MAS.1].
  BodyMasses(const BlockMatrix& mass, double share);

  std::size_t count() const { return bodies_.size(); }
  /// Inverts all blocks. False: one is not positive definite and no slender rod.
  bool set(const BlockMatrix& mass);

  /// [MAS.1]: three rates from `column` on.
  struct Lift {
    int column = 0;
    double axis[3] = {0.0, 0.0, 0.0};
    double inertia = 0.0;  ///< δ
  };
  const std::vector<Lift>& lifts() const { return lifts_; }

  /// Of the body with this first column, all size x size entries of its inverse.
  const double* inverse_at(int column) const {
    const int body = body_of_[static_cast<std::size_t>(column)];
    return inverse_.data() + bodies_[static_cast<std::size_t>(body)].first;
  }

  /// H = G M⁻¹ block by block, values at the same places. R rows and C columns in each block, if they are not 0.
  template <int R, int C>
  void scale_rows(const std::vector<Block>& blocks, const double* G, double* H) const;
  /// x = M⁻¹ f
  void solve(const double* f, double* x) const {
    const Eigen::Index n = diagonal_.size();
    if (n == 0) return solve_blocks(f, x);
    for (Eigen::Index i = 0; i < n; ++i) x[i] = diagonal_[i] * f[i];
  }

 private:
  bool invert(const double* block, Body& body);
  void solve_blocks(const double* f, double* x) const;
  /// x = M⁻¹ f of three rates whose inverse stands in a block of n columns
  static void solve_three(const double* inverse, int n, const double* f, double* x) {
    for (int j = 0; j < 3; ++j)
      x[j] = inverse[j * n] * f[0] + inverse[j * n + 1] * f[1] + inverse[j * n + 2] * f[2];
  }
  /// [MAS.1], if it is needed. False: no inertia at all, or a negative one.
  bool lift(Matrix& inertia, int column);

  double share_;
  std::vector<Body> bodies_;
  std::vector<int> body_of_;  // per column
  std::vector<double> inverse_;
  Vector diagonal_;  // of all bodies, if each is a diagonal; else empty
  std::vector<Lift> lifts_;
};

/// Of masses with a block per body.
bool has_slender_rods(const BlockMatrix& mass);
/// [MAS.2]. Of no size if M is not made of one block per body, has no rods, or has no inertia elsewhere.
BlockMatrix make_round_mass(const BlockMatrix& mass);

inline void BodyMasses::solve_blocks(const double* f, double* x) const {
  for (const Body& body : bodies_) {
    const int n = body.size;
    const double* inverse = inverse_.data() + body.first;
    const double* in = f + body.column;
    double* out = x + body.column;
    if (body.kind == Kind::mass_and_inertia) {
      for (int j = 0; j < 3; ++j) out[j] = inverse[0] * in[j];
      solve_three(inverse + 3 * (n + 1), n, in + 3, out + 3);
      continue;
    }
    if (body.kind == Kind::diagonal) {
      for (int j = 0; j < n; ++j) out[j] = inverse[j * (n + 1)] * in[j];
      continue;
    }
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      for (int l = 0; l < n; ++l) sum += inverse[j * n + l] * in[l];
      out[j] = sum;
    }
  }
}

template <int R, int C>
void BodyMasses::scale_rows(const std::vector<Block>& blocks, const double* G, double* H) const {
  for (const Block& block : blocks) {
    const Body& body =
        bodies_[static_cast<std::size_t>(body_of_[static_cast<std::size_t>(block.column)])];
    const Size<R> rows(block.rows);
    const Size<C> columns(block.columns);
    const double* g = G + block.first;
    const double* inverse = inverse_.data() + body.first;
    double* h = H + block.first;
    if (body.kind == Kind::diagonal) {
      for (int j = 0; j < columns; ++j) {
        const double factor = inverse[j * (columns + 1)];
        for (int i = 0; i < rows; ++i) h[j * rows + i] = factor * g[j * rows + i];
      }
      continue;
    }
    const int shifts = body.kind == Kind::full ? 0 : 3;
    for (int k = 0; k < shifts * rows; ++k) h[k] = inverse[0] * g[k];
    for (int j = shifts; j < columns; ++j) {
      for (int i = 0; i < rows; ++i)
        h[j * rows + i] = inverse[j * columns + shifts] * g[shifts * rows + i];
      for (int l = shifts + 1; l < columns; ++l) {
        const double factor = inverse[j * columns + l];
        for (int i = 0; i < rows; ++i) h[j * rows + i] += factor * g[l * rows + i];
      }
    }
  }
}

}  // namespace driftless
