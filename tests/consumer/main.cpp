// A program outside of the repository: finds the installed library, makes a system from C++ functions, runs it.

#include <cmath>
#include <cstdio>
#include <string>

#include <driftless/driftless.hpp>

struct Pendulum {
  double m = 1.0, l = 1.0, g = 9.81;
  template <class S>
  S kinetic(const S&, std::span<const S>, std::span<const S> v) const {
    return 0.5 * m * (v[0] * v[0] + v[1] * v[1]);
  }
  template <class S>
  S potential(const S&, std::span<const S> q) const {
    return m * g * q[1];
  }
  template <class S>
  void constraints(const S&, std::span<const S> q, std::span<S> phi) const {
    phi[0] = q[0] * q[0] + q[1] * q[1] - l * l;
  }
};

int main() {
  using namespace driftless;
  const auto system = make_system(
      Pendulum{}, {.name = "pendulum", .coordinates = {"x", "y"}, .constraints = {"rod"}});
  State start{0.0, Vector::Zero(2), Vector::Zero(2)};
  start.q << -1.0, 0.0;
  RunOptions options;
  options.until = 10.0;
  options.every = 0.01;
  const Result result = simulate(*system, start, make_default_method(), options);
  // IFToMM benchmark A01: y(10 s) = -0.9614192050991251.
  const double y = result.row(result.row_count() - 1)[2];
  std::printf("driftless %s: %s, y(10 s) = %.9f, max |Phi| %.1e\n", std::string(kVersion).c_str(),
              std::string(to_string(result.report.status)).c_str(), y, result.report.max_phi);
  return result.report.status == Status::ok && std::abs(y + 0.9614192050991251) < 1e-5 ? 0 : 1;
}
