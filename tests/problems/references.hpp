#pragma once
// Exact solutions of the papers' mechanisms, to 12 digits or more and without any integrator of ours: by elliptic
// functions where there are some, else by the energy integral of the one degree of freedom, solved for time by
// quadrature. Derivations stand in references.cpp; references_test.cpp holds them against published values and against
// the equations of motion.

#include <functional>
#include <vector>

namespace driftless::problems {

/// Jacobi's amplitude am(u | m), 0 <= m < 1, by the arithmetic-geometric mean. Grows without bound with u.
double calc_amplitude(double u, double m);

/// Its inverse, the incomplete elliptic integral F(phi | m).
double calc_elliptic_f(double phi, double m);

/// theta'' = -k cos(theta), theta the angle from the horizontal: Yoon's pendulum (k = g/l), the double four-bar
/// (k = 7 g/(6 l)), any pendulum. Rotates or swings.
class Pendulum {
 public:
  Pendulum(double k, double angle, double rate);

  double angle(double t) const;
  double rate(double t) const;
  /// Of a revolution, or of a swing to and fro.
  double period() const;

 private:
  struct Phase {
    double half_angle;  ///< (theta + pi/2)/2
    double rate;
  };
  Phase find(double t) const;

  bool rotates_;
  double sense_;  // of rotation
  double speed_;  // W: u = W t + u0
  double u0_;
  double m_;
  double amplitude_;  // sin of half the largest angle; swings only
};

/// t(s) = ∫ f ds from 0, f > 0 with a period: the inverse function, to round-off.
class Clock {
 public:
  Clock(std::function<double(double)> f, double period, int cells);

  double find(double t) const;
  double duration() const { return times_.back(); }  ///< of one period of f

 private:
  std::function<double(double)> f_;
  double period_;
  double cell_;
  std::vector<double> times_;  // at the cells' ends
};

/// Braun and Goldfarb, section 4.1, with links of equal length but otherwise free, released at rest.
struct SliderCrankData {
  double l = 1.0;
  double g = 9.81;
  double m1 = 1.0;
  double m2 = 1.0;
  double J1 = 1.0 / 12.0;
  double J2 = 1.0 / 12.0;
  double start = 0.78539816339744830962;  ///< crank angle, 0 < |start| < pi/2 or below -pi
};

class SliderCrank {
 public:
  explicit SliderCrank(const SliderCrankData& data = {});
  SliderCrank(const SliderCrank&) = delete;  // the clock refers to its owner

  double angle(double t) const;  ///< of the crank; the second link has the opposite angle
  double rate(double t) const;
  double slider(double t) const;  ///< 2 l cos(angle)
  double period() const;

 private:
  double find_inertia(double angle) const;
  double find_weight(double s) const;  ///< dt/ds

  SliderCrankData data_;
  double k_ = 0.0;     // sin of half the swing from the hanging pose, with the start's sign
  double load_ = 0.0;  // W = (m1 + m2) g l/2
  Clock clock_;
};

/// A four-bar whose links can lie in one line (crank + ground = coupler + rocker), point masses at both moving joints,
/// on the branch that is smooth through that pose. The crank must not stop.
struct ChangePointData {
  double crank = 1.0;
  double coupler = 3.0;
  double rocker = 2.0;
  double ground = 4.0;
  double m = 1.0;  ///< of each mass
  double g = 9.81;
  double start = 1.57079632679489661923;  ///< crank angle
  double speed = 8.5;                     ///< crank speed at the start, > 0
  double side = -1.0;                     ///< +-1: on which side of the diagonal the rocker starts
};

class ChangePointFourBar {
 public:
  explicit ChangePointFourBar(const ChangePointData& data = {});
  ChangePointFourBar(const ChangePointFourBar&) = delete;  // the clock refers to its owner

  double crank_angle(double t) const;
  double crank_rate(double t) const { return find_speed(crank_angle(t)); }
  double rocker_angle(double crank_angle) const;
  double rocker_ratio(double crank_angle) const;  ///< d(rocker angle)/d(crank angle)
  /// x1, y1, x2, y2.
  std::vector<double> position(double t) const;
  /// Smallest kinetic energy on the way, J: positive if the crank does turn all the way round.
  double least_kinetic_energy() const;

 private:
  double find_kinetic(double crank_angle) const;
  double find_speed(double crank_angle) const;

  ChangePointData data_;
  double energy_ = 0.0;
  Clock clock_;
};

/// A body of mass m and inertia J on a knife edge at the distance a behind its centre, blade at the origin, heading 0.
struct SleighData {
  double m = 1.0;
  double J = 0.1;
  double a = 0.2;
  double u0 = -1.0;  ///< forward speed of the blade
  double w0 = 0.5;   ///< turning rate, > 0
};

class ChaplyginSleigh {
 public:
  explicit ChaplyginSleigh(const SleighData& data = {});

  double speed(double t) const;    ///< of the blade, forwards
  double turning(double t) const;  ///< rate
  double heading(double t) const;
  /// x_blade, y_blade.
  std::vector<double> blade(double t) const;

 private:
  SleighData data_;
  double top_;    // U, the speed in the end
  double rate_;   // k U
  double t0_;     // when it turns round
  double ratio_;  // largest turning rate over k U
};

}  // namespace driftless::problems
