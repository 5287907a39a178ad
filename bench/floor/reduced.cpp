// The floor of the mechanisms with one degree of freedom: their one coordinate, the terms of [LNK.1] written by hand, order 8
// with fixed steps. It also gives the references, in extended precision: mode "run" with precision=extended.

#include "bench/common/harness.hpp"
#include "bench/floor/linkage.hpp"
#include "driftless/integrators/tableau.hpp"

namespace {

using namespace bench;

template <class Real>
struct Problem {
  Terms<Real> (*find_terms)(Real angle, int n);
  Real angle, rate;
  double end;
  bool shows_angle;  // or the point (cos, sin)
};

template <class Real>
Terms<Real> find_pendulum_terms(Real angle, int) {
  const Real g = Real(kGravity);
  return {1, 0, -g * std::cos(angle), g * std::sin(angle)};
}
template <class Real>
Terms<Real> find_ladder_terms(Real angle, int n) {
  const Real g = Real(kGravity), k = Real(n + 1) / 2 + n;
  return {Real(n + 1) / 3 + n, 0, -g * k * std::cos(angle), g * k * std::sin(angle)};
}
/// Mass centres (c/2, s/2) and (3c/2, s/2), angles a and -a.
template <class Real>
Terms<Real> find_slider_terms(Real angle, int) {
  const Real g = Real(kGravity), c = std::cos(angle), s = std::sin(angle);
  return {Real(1) / 4 + Real(1) / 6 + (9 * s * s + c * c) / 4, 4 * s * c, -g * c, g * s};
}

template <class Real>
Problem<Real> find_problem(const std::string& name) {
  const Real pi = std::acos(Real(-1));
  if (name == "pendulum") return {find_pendulum_terms<Real>, pi, 0, kPendulumEnd, false};
  if (name == "n_four_bar")
    return {find_ladder_terms<Real>, pi / 2, Real(kLadderRate), kLadderEnd, false};
  if (name == "slider_crank") return {find_slider_terms<Real>, pi / 4, 0, kSliderEnd, true};
  if (name == "four_bar_3d") {
    return {[](Real angle, int) { return find_four_bar_terms(angle); }, pi / 2, 2 * pi, kFourBarEnd,
            false};
  }
  if (name == "andrews") {
    const Andrews a;
    return {[](Real angle, int) { return find_andrews_terms(angle); }, Real(a.beta), 0, kAndrewsEnd,
            true};
  }
  throw NotOffered("not a problem of one degree of freedom");
}

template <class Real>
Real find_acceleration(const Problem<Real>& problem, Real angle, Real rate, int n) {
  const Terms<Real> terms = problem.find_terms(angle, n);
  return (terms.force - terms.mass_a / 2 * rate * rate) / terms.mass;
}
template <class Real>
Real find_energy(const Problem<Real>& problem, Real angle, Real rate, int n) {
  const Terms<Real> terms = problem.find_terms(angle, n);
  return terms.mass / 2 * rate * rate + terms.potential;
}

template <class Real>
RunFigures run(const Problem<Real>& problem, int n, long steps, bool observe) {
  static const driftless::Tableau tableau = driftless::make_dop853_tableau();
  const auto stages = static_cast<std::size_t>(tableau.stages());
  std::vector<std::vector<Real>> a(stages);
  for (std::size_t i = 0; i < stages; ++i)
    for (std::size_t j = 0; j < i; ++j)
      a[i].push_back(j < tableau.a[i].size() ? Real(tableau.a[i][j]) : Real(0));
  const Real h = Real(problem.end) / Real(steps);
  Real angle = problem.angle, rate = problem.rate;
  const Real begin = find_energy(problem, angle, rate, n);
  std::vector<Real> ka(stages), kr(stages);
  RunFigures figures;
  for (long step = 0; step < steps; ++step) {
    Real end_angle = angle, end_rate = rate;
    for (std::size_t i = 0; i < stages; ++i) {
      Real x = angle, w = rate;
      for (std::size_t j = 0; j < i; ++j) {
        x += h * a[i][j] * ka[j];
        w += h * a[i][j] * kr[j];
      }
      ka[i] = w;
      kr[i] = find_acceleration(problem, x, w, n);
      end_angle += h * Real(tableau.b[i]) * ka[i];
      end_rate += h * Real(tableau.b[i]) * kr[i];
    }
    angle = end_angle;
    rate = end_rate;
    if (!observe) continue;
    const Real error = std::abs(find_energy(problem, angle, rate, n) - begin);
    figures.energy_error = std::max(figures.energy_error, static_cast<double>(error));
  }
  figures.steps = steps;
  figures.evaluations = steps * tableau.stages();
  if (problem.shows_angle) {
    figures.end = {static_cast<double>(angle)};
  } else {
    figures.end = {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
  }
  return figures;
}

template <class Real>
void work(const Arguments& arguments, Line& line) {
  const Problem<Real> problem = find_problem<Real>(arguments.problem());
  const int n = arguments.whole("n", 1);
  if (arguments.mode() == "run") {
    const long steps = std::lround(problem.end / arguments.number("step", problem.end / 1000));
    report_run(
        line, [&](bool observe) { return run(problem, n, steps, observe); }, arguments);
    return;
  }
  if (arguments.mode() != "evaluation") throw NotOffered("one evaluation or a run");
  Real angle = problem.angle, sum = 0;
  line.set("status", std::string("ok"));
  line.set("check", static_cast<double>(find_acceleration(problem, angle, problem.rate, n)));
  line.set("seconds", measure_call(
                          [&] {
                            angle += Real(1e-15);
                            sum += find_acceleration(problem, angle, problem.rate, n);
                          },
                          arguments));
  if (!std::isfinite(static_cast<double>(sum))) line.set("message", std::string("not finite"));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_program(argc, argv, [](const Arguments& arguments, Line& line) {
    if (arguments.word("precision", "double") == "extended") {
      work<long double>(arguments, line);
    } else {
      work<double>(arguments, line);
    }
  });
}
