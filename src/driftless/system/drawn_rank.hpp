#pragma once
// How many rows of the constraints say something new: one decision for the start, for `check` and for the run.
//
// A drawing is rounded. Axes that are meant to be parallel, with numbers typed to six or twelve digits, enclose an angle δ;
// points that are meant to lie in a plane are δ of the mechanism's size beside it. Let C be the rows, each of length 1. Of
// rows that are redundant as meant, Cᵀy = 0, the drawing makes |Cᵀy| = O(δ): a singular value σ of C that is not 0. Taken by
// the letter the mechanism is stuck, because C v = 0 has no solution along the motion w that was free, and every residual
// along y is divided by σ. Taken as meant, the direction of σ is left out. Then w stays, and rows open at the rate
//
//   |C v| = σ |v|,   so after a turn by φ by ∫ σ dφ, at most π max σ: after half a turn the way back begins          [DRW.1]
//
// So one tolerance τ, relative to rows of length 1, decides:                                                       [DRW.2]
//
//   σ < τ    redundant: the mechanism moves, gaps of up to π σ of its size stay, and their size is told;
//   σ >= τ   rows of their own: where they leave no motion, the mechanism is stuck, and start, check and run say so.
//
// τ is the tolerance with which a run leaves out directions at singular poses, 1e-5: a hundredth of a millimetre per metre,
// less than machines are made to, and ten times what numbers of six digits are rounded by. σ is geometry: of a mechanism it
// is taken in absolute coordinates, in a metric that knows no masses but lengths [DRW.9], whatever the coordinates of the
// run are. The joints of a tree are rows there, all independent, so that in joint coordinates the rank is less by their
// number.
//
//   s = the largest σ that is left out; 0 if it is below round-off (kRedundantRow)                                 [DRW.3]
//
// A run solves in its own coordinates and in the metric of its masses, where the same directions have other σ, and own
// parts of rows that are a hundred times as large; and along the motion all change by factors. So that it decides as the
// start does, and no row comes back on the way, it takes                                                         [DRW.4]
//
//   max(its own tolerance, τ, min(1000 s, 1e-2)),   and that by tens up or down until its engine finds the same rank,
//
// if s > 0 or the ranks differ; else its own.
//
// Of Bennett's linkage and its kind rows are redundant where the loop is closed, and nowhere beside. A method whose stages,
// or whose drift, leave the constraints by ε finds σ = O(ε) there and holds the mechanism fast, however exactly it is
// drawn: with 1e-5 the energy is gone within a second. Such a method takes at least 1e-3. Whether a mechanism is of that
// kind is seen where it has moved a little, by kBeside, along its free motions without closing them: of a plane loop the
// rows still depend on each other there, and of a pose that is singular they do not where the loop is closed again. [DRW.7]
// Between two branches that cross in the pose Newton's method may lead back into it, which says nothing: then another
// motion is tried.
//
// A drive takes the freedom away that rows with a misfit would leave: then all motions are held, no σ is small, and what
// does not fit together is the right-hand side, G v = b, by σ|v| as in [DRW.1]. The drawing is the same. So s is also looked
// for among the rows without those that prescribe a motion, and a driven loop is taken as the one without its drive is:
// where that moves, the drive is followed, up to σ², and gaps stay; where that is stuck, rows contradict.      [DRW.11]
//
// Closed, then, is a pose or a state of motion whose residual along the directions that are kept is round-off, and along
// the others not above g of the mechanism: of a row's size [DRW.10], of one radian, of |G_i||v|. With a misfit s gaps are
// some turns times s, and rows of exact redundancy that do not fit together are a contradiction, however small:  [DRW.5]
//
//   g = 100 s, at least 1e-9 and at most 4 τ
//
// On the way they may become 100 s, whatever that is, and a thousandth of a millimetre per metre: who is beyond is told.
//
// Joint coordinates. There the joints of the tree hold by themselves, and a row is what they leave of it. Of a plane loop
// drawn in space nothing is left of the rows across the plane, or δ of them; scaled to length 1 that would be a row of
// noise. So a row has the length of its share: of the terms that its entries are sums of, what is left. That is the part
// which is its own beside the rows of the tree's joints in absolute coordinates, up to a factor of order 1. The same makes
// singular poses of overconstrained loops what they are in absolute coordinates: rows that vanish there are left out, and
// not blown up.                                                                                                  [DRW.6]
//
// Lengths. A turn is compared with a shift by a length, and that must not depend on the unit of length, on where the mass
// centre is, on how the world is turned, nor on bodies that have nothing to do with it: a mechanism of 1 mm moves as it
// does whether a boom of 100 m stands beside it or carries it. So each body has its own. Let a row that is a length say
// n·x' + a·ω of a body, with x' its mass centre's. For a point r from there a = r × n. Of the middle of what holds the body
//
//   B = argmin Σ |a_i - B n_i|²/|n_i|²,     x'_m = x' + Bᵀω,     ℓ_b = max |a_i - B n_i|/|n_i|                     [DRW.8]
//
// the row says n·x'_m + (a - B n)·ω: for points it is their mean, and ℓ_b the longest arm from there. Directions in which
// there are next to no n have no say, so that rows that are only nearly parallel do not move the middle far away.
//
// Rows that hold orientations compare ω of two bodies with each other, whatever their sizes: through a small one, as the
// cross of a cardan joint, with hinges that are drawn 1e-6 apart, a large one may be held. With ω in units of 1/ℓ_b, of
// these rows only the share ℓ_small/ℓ_large would be left of the large one; with the same unit for both, of the small
// body's arms only that share. So neither extreme: with L the largest ℓ_b among the bodies that hang together, the ground
// aside, through which nothing moves,
//
//   |v|² = Σ |x'_m|² + ℓ²|ω|²,     ℓ = (ℓ_b L)^½,     ℓ = L if ℓ_b = 0                                            [DRW.9]
//
// and both shares are (ℓ_b/L)^½: sizes may be apart by 1e8 until one comes near τ. Where all ℓ_b are 0, as of a pendulum,
// no row tells shifts from turns, and L is the longest |a|.
//
// A gap is compared with the smallest ℓ of its row's bodies; of a row in another unit than a length or an angle, with what
// it changes by where a body moves by ℓ, or turns by one radian.                                                [DRW.10]
// Unchanged by: units, masses and mass centres, a turn of the world, bodies without a joint to these. Changed by less than
// (L'/L)^½: a body L' that is added to those that hang together.

#include <algorithm>

#include "driftless/system/body_sizes.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

inline constexpr double kDrawnTolerance = kDefaultRankTolerance;  ///< τ
/// Of more rows, in absolute coordinates, singular values take too long; there rows are looked at one by one, with the same
/// tolerance (find_row_report), and no misfit is told.
inline constexpr int kMostDecidedRows = 150;
inline constexpr double kDrawnGap = 4.0 * kDrawnTolerance;  ///< [DRW.5], the largest
inline constexpr double kGapMisfits = 100.0;
inline constexpr double kVisibleGap = 1e-6;

struct DrawnRank {
  int rank = 0;
  double misfit = 0.0;  ///< s of [DRW.3]
  /// False: too many rows, or not finite, or M is not definite on the motions that are free.
  bool is_known = true;
  /// [DRW.10], per position row; 0: not known.
  Vector sizes = Vector::Zero(0);
  /// [DRW.8], [DRW.9]; none where the system is no mechanism.
  std::vector<BodySize> bodies = {};
  /// There are rows that prescribe motions, and the others leave none [DRW.11].
  bool is_stuck_without_drives = false;

  /// g of [DRW.5]: at a start.
  double find_start_gap() const;
  /// On the way.
  double find_visible_gap() const { return std::max(kVisibleGap, kGapMisfits * misfit); }
};
/// [DRW.2]
DrawnRank find_drawn_rank(const System& system, const State& state);

/// [DRW.4], of a run that begins there with this tolerance. `is_off_the_rows`: by [DRW.7] it takes at least 1e-3.
double find_run_tolerance(const System& system, const State& state, const DrawnRank& drawn,
                          double tolerance, bool is_off_the_rows = false);

/// The length of a row as it is compared with others: |G_i| in the coordinates' units, by its share.
double find_whole_row(const BlockMatrix& jacobian, int row);

/// "constraint rows are redundant but for 1.3e-07 ..."; empty if there is no misfit.
std::string describe_misfit(double misfit);

}  // namespace driftless
