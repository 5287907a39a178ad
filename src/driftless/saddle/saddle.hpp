#pragma once
// The kernel everything shares: the saddle point
//
//   [ M  Gᵀ ] [ x ]   [ f ]      x minimises xᵀM x/2 - fᵀx over the least-squares solutions of G x = b,         [SAD.1]
//   [ G  0  ] [ λ ] = [ b ]      λ of least norm  (Gauss's principle)
//
// Rows are compared after scaling each by its own length in the mass metric, d_i = (G M⁻¹ Gᵀ)_ii^½:             [SAD.2]
// "least squares" weighs row i by 1/d_i, "least norm" minimises Σ (d_i λ_i)², the size of each row's own constraint
// force. So neither the unit in which a row is written nor a factor in front of it changes x, Gᵀλ or the rank. λ itself
// is returned in the row's physical unit. All engines follow this rule.
//
// In joint coordinates a row is what the joints leave of a row in absolute coordinates, and may be next to nothing: there
// it has the length of the share that is left (BlockMatrix::find_share), as it would have beside the rows of those joints.
//
// The rank tolerance is relative to rows of length 1. A row fails the local test if less than (a multiple of) the
// tolerance of it is left after removing what the other rows span already. Only then are singular directions looked at,
// and those with a singular value below the tolerance are left out, at most as many as rows fail. The test is local on purpose: on a straight
// chain of N rods the smallest singular value falls as 0.45/N although no row depends on the others; the part of each row
// that is its own stays at 0.7. A global threshold would cut such chains apart, and of a ladder of loops it would leave out
// long waves before any loop is singular (failing_rows.hpp).
//
// Rank is geometry: it does not depend on masses. In the mass metric, however, the two hinges of a light cross differ only
// by what the heavy bodies behind it add, √(mass of the cross / mass of these), and a cross of a thousandth already looks
// like a pose that is nearly singular. Where masses are that far apart the engine is given even masses as well, the same
// for all bodies [SAD.3]: what the mass metric would leave out is then left out only as far as even masses do so, too. In
// joint coordinates masses are in the rows (tree_saddle.hpp), so that with even masses these are others.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/math/block_matrix.hpp"

namespace driftless {

/// After the step, and wherever the state is on the constraint manifold.
inline constexpr double kDefaultRankTolerance = 1e-5;

/// A row of which less than this is its own is redundant by structure, not by pose.
inline constexpr double kRedundantRow = 1e-11;

/// A pivot may exceed the smallest singular value by about this much in systems of ordinary size; below this multiple of
/// the tolerance a row is in doubt.
inline constexpr double kPivotMargin = 10.0;

class SaddleEngine {
 public:
  virtual ~SaddleEngine() = default;

  /// `mass_changed` false: M is the one of the last call. Of G the first rows count, as many as the engine was made for.
  /// False: M is not definite on the null space of G.
  virtual bool factorize(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& jacobian,
                         double rank_tolerance) = 0;

  /// [SAD.1] with the last factorisation. No allocation. Outputs must not alias the inputs.
  virtual void solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) = 0;

  /// `factorize`, and then `solve` with f = 0, which `zero` is: the first substitution may go along.
  virtual bool factorize_and_correct(const BlockMatrix& mass, bool mass_changed,
                                     const BlockMatrix& jacobian, double rank_tolerance,
                                     ConstVectorRef zero, ConstVectorRef b, VectorRef x,
                                     VectorRef lambda) {
    if (!factorize(mass, mass_changed, jacobian, rank_tolerance)) return false;
    solve(zero, b, x, lambda);
    return true;
  }

  /// x = M⁻¹ f, the motion without constraints. False if M alone is singular.
  virtual bool solve_mass(ConstVectorRef f, VectorRef x) = 0;

  /// The largest change of one of the first `rows` rows relative to its length, in the mass metric, if G changes by
  /// `rate`.
  virtual double find_row_change(const BlockMatrix& rate, int rows) = 0;

  /// Which engine it is, and why: "sparse: 122 strips of rows on 81 bodies".
  virtual std::string describe() const = 0;

  /// Rows that the last factorisation left out, because they are redundant or the pose is singular; none is told of where
  /// directions are left out instead of rows.
  virtual std::vector<int> find_dropped() const { return {}; }

  /// Number of directions that were solved for.
  virtual int rank() const = 0;
  /// Directions left out because the pose is (nearly) singular; structurally redundant rows do not count.
  virtual int truncated() const = 0;
  /// The largest singular value among these; 0 if nothing but round-off was left out.
  virtual double largest_left_out() const { return 0.0; }
  /// The smallest own part of a row that is not redundant by structure, in [0, 1]; 1 without rows.
  virtual double smallest_pivot() const = 0;
  /// The rank-th singular value of all rows at length 1 [RVA.1] (rank_value.hpp), of the last factorisation, which was that
  /// of these; 1 of none. A function of M, G and the rank, whatever rows were left out; where sparse factors of large
  /// systems leave out more than the rank does, what is left of these rows, which is below the tolerance. Allocates at the
  /// first call only.
  virtual double calc_singular_value(const BlockMatrix& mass, const BlockMatrix& jacobian,
                                     int rank) = 0;
};

/// dense: exact for redundant rows and singular poses, cost as the cube of the size; sparse: cost linear in the number of
/// blocks; automatic: whichever is faster.
enum class EngineKind { automatic, dense, sparse };
/// "auto", "dense", "sparse".
std::optional<EngineKind> find_engine_kind(std::string_view name);

/// What is known of the blocks of G beside their places. gaps: all bodies are rigid ones, all rows have the form [STR.1]
/// (strip_rows.hpp), with the same signs for good.
enum class RowForm { any, gaps };
/// [SAD.3]
struct EvenMasses {
  BlockMatrix mass;  ///< with the blocks of M; of no size: masses are not far apart
  /// With the blocks of G: the rows that are factorised when it is called, with even masses. None: they are the same.
  std::function<const BlockMatrix&()> rows;

  bool are_needed() const { return mass.rows() > 0; }
  const BlockMatrix& find_rows(const BlockMatrix& own) const { return rows ? rows() : own; }
};
/// For matrices with these blocks, and the first `rows` rows of G.
std::unique_ptr<SaddleEngine> make_saddle(const BlockMatrix& mass, const BlockMatrix& jacobian,
                                          int rows, EngineKind kind, RowForm form = RowForm::any,
                                          const EvenMasses& even = {});
std::unique_ptr<SaddleEngine> make_dense_saddle(int size, int rows, const EvenMasses& even = {});

/// Which rows say something new, in the order of the file, and whose reactions are unique.
struct RowReport {
  int rank = 0;
  std::vector<int> redundant;            ///< rows that earlier rows imply
  std::vector<bool> unique_reaction;     ///< λ_i is the same for every solution
  double smallest_singular_value = 1.0;  ///< of the rows of length 1, the redundant ones aside
};
/// By the diagonal of M. `rank`: how many rows say something new, if that is known; -1: those of which more than the
/// tolerance is their own.
RowReport find_dense_row_report(ConstVectorRef mass, const BlockMatrix& jacobian, double tolerance,
                                int rank = -1);
/// Of more than kManyRows rows only rank and redundancy are told, by the sparse engine: of
/// rows that depend on each other it may name others than the last ones.
RowReport find_row_report(const BlockMatrix& mass, const BlockMatrix& jacobian,
                          double tolerance = kDefaultRankTolerance, int rank = -1);
inline constexpr int kManyRows = 300;

}  // namespace driftless
