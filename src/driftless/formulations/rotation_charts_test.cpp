// Charts of orientations: there and back, at singular poses too, and on through many turns.

#include "driftless/formulations/rotation_charts.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace driftless {
namespace {

SystemInfo make_one_body() {
  SystemInfo info;
  info.nq = 7;
  info.nv = 6;
  for (const char* name : {"x", "y", "z", "q0", "q1", "q2", "q3"})
    info.coordinates.emplace_back(name);
  info.bodies.push_back(
      {.name = "body", .coordinate = 0, .rate = 0, .rates = 6, .turns = 3, .is_held = true});
  return info;
}

Vector turn(double w, double x, double y, double z) {
  Vector q = Vector::Zero(7);
  q.tail(4) << w, x, y, z;
  q.tail(4).normalize();
  return q;
}

/// From q to the chart's parameters, which come with what stood there before, and back.
double find_way_error(const RotationCharts& charts, const Vector& q, Vector& x) {
  charts.from_q(q, x);
  Vector back = q;
  charts.to_q(x, back);
  return max_abs(back - q);
}

TEST(RotationCharts, GoThereAndBack) {
  std::mt19937 random(3);
  std::normal_distribution<double> number;
  for (const Rotations kind : {Rotations::euler, Rotations::lie}) {
    RotationCharts charts(make_one_body(), kind);
    Vector x = Vector::Zero(charts.size());
    for (int k = 0; k < 200; ++k) {
      const Vector q = turn(number(random), number(random), number(random), number(random));
      if (k % 2 == 0) charts.recentre(q, true);
      // A turn from the centre of the chart leaves the quaternion's sign open.
      Vector back = q;
      charts.from_q(q, x);
      charts.to_q(x, back);
      const double error = kind == Rotations::euler
                               ? max_abs(back - q)
                               : std::min(max_abs(back - q), max_abs(back + q));
      EXPECT_LT(error, 1e-14) << name_of(kind);
    }
  }
}

// z-x-z at no turn and at half a turn about x and y, x-y-z at quarter turns about y; with a turn about the common axis.
TEST(RotationCharts, GoThereAndBackAtSingularPoses) {
  RotationCharts charts(make_one_body(), Rotations::euler);
  const double r = std::sqrt(0.5);
  const Vector poses[] = {turn(1, 0, 0, 0),  turn(0.8, 0, 0, 0.6), turn(0, 1, 0, 0),
                          turn(0, 0, 1, 0),  turn(0, 0.6, 0.8, 0), turn(r, 0, r, 0),
                          turn(r, 0, -r, 0), turn(1, 2, 1, -2),    turn(1, 2, -1, 2)};
  for (const int sequence : {0, 1}) {
    for (const Vector& q : poses) {
      for (const double before : {0.0, 1.3, -20.0}) {
        Vector x = Vector::Constant(charts.size(), before);
        EXPECT_LT(find_way_error(charts, q, x), 1e-14) << sequence << " " << q.transpose();
      }
    }
    if (sequence == 0) {
      EXPECT_TRUE(charts.recentre(turn(1, 0, 0, 0), false));  // to x-y-z
    }
  }
}

// Turning on about an axis that is none of the sequences': angles never jump but where the sequence changes, and that is
// before it is singular.
TEST(RotationCharts, AnglesGoOn) {
  RotationCharts charts(make_one_body(), Rotations::euler);
  Vector x = Vector::Zero(charts.size());
  Vector last = x;
  int changes = 0;
  const double h = 0.01;
  for (int k = 0; k < 5000; ++k) {
    const double a = 0.5 * h * k;
    const Vector q = turn(std::cos(a), 0.1 * std::sin(a), std::sin(a), 0.2 * std::sin(a));
    const bool changed = charts.recentre(q, false);
    changes += changed ? 1 : 0;
    EXPECT_LT(find_way_error(charts, q, x), 1e-14);
    if (!changed && k > 0) {
      EXPECT_LT(max_abs(x - last), 3.0 * h) << k;
    }
    last = x;
  }
  EXPECT_GT(changes, 20);
}

}  // namespace
}  // namespace driftless
