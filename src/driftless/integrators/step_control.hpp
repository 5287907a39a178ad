#pragma once
// How long the next step is: a clock for fixed steps, a controller for adaptive ones.
//
// Fixed steps end at t_start + n h, one product and one sum, so that 100000 steps of 0.01 end at
// 1000 and not at 999.9999999; a remainder below 1e-9 h is taken along instead of making a step of
// its own. An implicit step that has no solution is halved, again and again up to kMostHalvings times;
// what is left up to the grid is the next step.
//
// Adaptive steps: with the error norm
//
//   err = sqrt( 1/m sum_i (w_i e_i / (atol + rtol max(|y0_i|, |y1_i|)))^2 )                  [SC.1]
//
// over the m components with w_i != 0, a step is accepted if err <= 1, and with k = 1 + (order of
// the estimate) the next one is
//
//   h_new = h min(10, max(0.2, 0.9 err^-(1/k - 3/4 beta) err_old^beta))                      [SC.2]
//
// (PI control: Gustafsson 1991; Hairer, Norsett, Wanner 1996, IV.2, as in their DOPRI5: beta 0.04).
// Linkages hurry through some poses and dwell in others: the error coefficient C of err = C h^k rises and falls over many
// steps. If it goes on as from the last step to this one, C_new/C = C/C_old, the step with err = 1 is
//
//   h_new = h 0.9 (h/h_old) (err_old/err^2)^(1/k)                                            [SC.3]
//
// (predictive control: Gustafsson 1994; ibid. IV.8). Explicit methods take the shorter one of both, as RADAU5 does: it saves
// up to half of the rejections, each a step's work for nothing. Methods whose estimate jumps when the step changes do not.
// Jumps. At some points f may jump although y goes on smoothly, as accelerations do in a pose where constraints lose rank. A
// step that spans such a point is as good as any, unless a stage falls beside it; then a shorter step, as the error asks for,
// has its next stages all the nearer to it, and so on down to the resolution of t. A step that is a little shorter has its
// stages elsewhere. So an attempt is repeated with 0.9 h, if its error is too large and a stage was beside a jump, or if it
// ends beside one, which is where the next step would begin; of what is accepted there the error is not remembered, and the
// next step is at least that of before. All this up to kMostBeside times, and once, from one step that meets no jump to the
// next: f may also be rough for a while.                                                    [SC.4]
// Corrections. Where y is brought back to constraints after each step, what of e lies across them is taken away, and only the
// rest lasts. An attempt with err > 1 is accepted if the norm of that rest is at most 1: beside such a jump e may be a
// million times larger across the constraints than along them, down to the shortest steps, where rounding takes the part of the
// method's error. A correction does so to first order; err² rtol, which is the second order over the tolerance, must be
// small, and err rtol itself: with loose tolerances it is the method that errs, and its next steps are off as well (measured: of
// four-bars at 1e-3 errors become three times as large). The next step is about as long.          [SC.5]
// Growth. An estimate may be small by chance, the more so the fewer components there are; the step that follows is then too
// long, and its own estimate may be, too. Where err rises with a high power of h little growth is enough, so a method may have
// another bound than 10. It counts from the first step whose err is not far below 1: until then the first guess of h is
// made good.                                                                               [SC.6]
// After a rejection h is reduced without the memory err_old, and the accepted step that follows may
// not grow. The first step is found as in Hairer, Norsett, Wanner 1993, II.4.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

/// Throws ModelError with every fault found: name, value, bound, remedy.
void check_step_control(const StepControl& control, bool adaptive);

/// Where a step is to end.
struct StepTarget {
  double t = 0.0;
  double h = 0.0;
  bool full = true;   ///< false: shortened, or stretched, to end at t_end
  bool part = false;  ///< ends before the grid, because the whole step has no solution
};

inline constexpr int kMostHalvings = 10;

class FixedClock {
 public:
  void start(double t, double h);
  /// Up to the grid or t_end; a part of that, if it is to be halved.
  StepTarget find_next(double t, double t_end, int halvings = 0) const;
  /// After the step to `target`. A step that was not full moves the grid, unless it was a part.
  void advance(const StepTarget& target);

 private:
  double t_start_ = 0.0;
  double h_ = 0.0;
  long n_ = 0;
  bool between_ = false;  // the last step was a part
};

/// [SC.1]
class ErrorNorm {
 public:
  /// Reads the weights of the problem. Allocates on the first call.
  void start(const OdeProblem& problem, double rtol, double atol);

  /// The norm of e with the scale of y0 and y1; the worst component is left in worst().
  double calc(std::span<const double> e, std::span<const double> y0, std::span<const double> y1);
  int worst() const { return worst_; }

 private:
  std::vector<double> weights_;
  std::size_t counted_ = 0;
  double rtol_ = 0.0;
  double atol_ = 0.0;
  int worst_ = -1;
};

/// A step h from t: never beyond t_end; a rest of up to 1.01 h is taken in one stretch. `max_step` 0: no bound.
StepTarget find_step_target(double t, double t_end, double h, double max_step);
/// The same, but the last steps are of one size: the rest is divided evenly as soon as it is near, so that none of them is
/// much shorter than the one before it.
///
/// For methods that build on earlier steps: their multiplier of index 3 is a second difference of positions, or a difference
/// of velocities that carry an error of the step, so that a step h after others of size H has their errors magnified by H/h
/// (Arnold 2017, example 9).
StepTarget find_even_target(double t, double t_end, double h, double max_step);
/// Below this a step is less than what t resolves.
double find_smallest_step(double t, double t_end);
/// h is below what t resolves.
bool is_step_too_small(double h, double t, double t_end);

/// Of a step that cannot be made however short it is: what keeps it from passing is `least` times the tolerance `tested`. Is
/// that as little as rounding makes it, the tolerance of which it is a hundredth; else 0.
double find_room_for_rounding(double tested, double least);

/// [SC.5]: whether what corrections leave of an error says what becomes of it.
inline bool may_be_corrected(double error, double rtol) {
  constexpr double kSecondOrder = 0.01;  // of the tolerance
  constexpr double kSmall = 1e-5;        // of y
  return error * error * rtol <= kSecondOrder && error * rtol <= kSmall;
}

/// [SC.2], [SC.3]
class StepController {
 public:
  enum class Memory { of_error, of_trend };  ///< [SC.2] alone, or [SC.3] too

  void start(double first_step, double max_step, int error_order, double pi_beta,
             Memory memory = Memory::of_error, double growth = 10.0);

  StepTarget find_next(double t, double t_end) const;
  StepTarget find_next_even(double t, double t_end) const;
  void accept(const StepTarget& target, double error, JumpNear jump = JumpNear::none);
  void reject(const StepTarget& target, double error);
  /// The error may come from a stage that fell beside a jump [SC.4]; while it may be repeated for this.
  void reject_beside(const StepTarget& target);
  bool may_repeat_beside() const { return beside_ < kMostBeside; }
  /// f is not defined at a stage: the error says nothing, the step is divided by 4.
  void reject_undefined(const StepTarget& target);
  /// Newton's method finds nothing: the step is halved.
  void reject_newton(const StepTarget& target);
  bool is_too_small(double t, double t_end) const;
  double step() const { return h_; }

 private:
  static constexpr int kMostBeside = 8;

  double h_ = 0.0;  // the next step
  double max_step_ = 0.0;
  double power_ = 0.0;     // 1/k
  double exponent_ = 0.0;  // 1/k - 3/4 beta
  double beta_ = 0.0;
  double error_old_ = 1e-4;
  Memory memory_ = Memory::of_error;
  double h_old_ = 0.0;  // 0: none yet
  double calm_h_ =
      0.0;          // what the last step that met no jump left for the next one; 0: it was used
  int beside_ = 0;  // attempts repeated since then
  bool rejected_ = false;  // the last attempt was
  double growth_ = 10.0;   // [SC.6]
  bool has_begun_ = false;
};

/// The first step from (t, y) with slope f, at most h_max. `probe` and `f_probe` are scratch (n).
double calc_first_step(OdeProblem& problem, double t, std::span<const double> y,
                       std::span<const double> f, double h_max, int order, ErrorNorm& norm,
                       std::span<double> probe, std::span<double> f_probe, StepperCounts& counts);

}  // namespace driftless
