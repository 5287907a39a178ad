// With the shift d = p1 - p0 along the axes of frame 0 and the turn φ of frame 1 against frame 0, a rotation vector along
// the same axes, x = (d, φ) and
//
//   U = xᵀ K x/2,   wrench -Jᵀ K x;     applied: wrench -Jᵀ C x',  J = dx/d(twists)                                [BUS.1]
//   a = vee(R - Rᵀ)/2 = n sin θ,  c = (tr R - 1)/2 = cos θ,  φ = a f(c),  f = θ/sin θ                              [BUS.2]
//
// f is smooth at θ = 0, where it is taken by its series in 1 - c; beyond, θ = acos c = 2 atan2(√(1-c), √(1+c)). Because J
// is the exact derivative, elastic forces come from the potential for any turn, and action equals reaction. Rejected: small
// angles, which do not conserve energy. Singular: half a turn, θ = π, where φ has no direction, and beyond which
// it points the other way; a bushing is torn long before. So there is no force beyond 170 degrees: a run ends there. The
// bound is wide enough for a step to land between 170 and 190 degrees. K must be symmetric, for otherwise there is no U.

#include "driftless/elements/forces/bushing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "driftless/elements/frame_pair.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr double kLargestTurn = 170.0 * std::numbers::pi / 180.0;

/// f of [BUS.2]
template <class S>
S calc_ratio(const S& c) {
  using std::atan2;
  using std::sqrt;
  static const double least = std::cos(kLargestTurn);
  if (find_value(c) < least) return S(std::numeric_limits<double>::quiet_NaN());
  const S e = 1.0 - c;
  if (find_value(e) < 1e-2) {
    // θ/sin θ = Σ k!/(2k+1)!! (1 - cos θ)^k
    S sum(0.0);
    for (int k = 12; k >= 0; --k) {
      static constexpr auto kSeries = [] {
        std::array<double, 13> a{};
        a[0] = 1.0;
        for (int i = 1; i < 13; ++i) a[i] = a[i - 1] * i / (2.0 * i + 1.0);
        return a;
      }();
      sum = sum * e + S(kSeries[static_cast<std::size_t>(k)]);
    }
    return sum;
  }
  const S angle = 2.0 * atan2(sqrt(e), sqrt(1.0 + c));
  return angle / sqrt(e * (1.0 + c));
}

struct BushingDisplacement {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 6;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> shift = find_shift(f);
    const Axes<S>& a = f[0].axes;
    const Axes<S>& b = f[1].axes;
    const S trace = dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
    const S half_ratio = 0.5 * calc_ratio(S(0.5 * (trace - 1.0)));
    out[0] = shift.x;
    out[1] = shift.y;
    out[2] = shift.z;
    out[3] = half_ratio * (dot(a.z, b.y) - dot(a.y, b.z));
    out[4] = half_ratio * (dot(a.x, b.z) - dot(a.z, b.x));
    out[5] = half_ratio * (dot(a.y, b.x) - dot(a.x, b.y));
  }
};

struct PlaneDisplacement {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 3;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> shift = find_shift(f);
    out[0] = shift.x;
    out[1] = shift.y;
    out[2] = f[1].angle - f[0].angle;
  }
};

class BushingKernel final : public ForceKernel {
 public:
  BushingKernel(std::unique_ptr<FrameFunction> displacement, std::vector<double> stiffness,
                std::vector<double> damping)
      : displacement_(std::move(displacement)),
        stiffness_(std::move(stiffness)),
        damping_(std::move(damping)) {}

  int frames() const override { return 2; }
  bool has_potential() const override { return !stiffness_.empty(); }
  bool has_applied() const override { return !damping_.empty(); }

  double eval_potential(const Frame<double>* frames, Wrench* wrenches) const override {
    double x[kMax];
    double jacobian[kMax * 2 * kTwist];
    displacement_->eval_jacobian(frames, x, jacobian);
    double energy = 0.0;
    for (int i = 0; i < size(); ++i) {
      const double force = multiply(stiffness_, i, x);
      energy += 0.5 * force * x[i];
      add(-force, jacobian + i * 2 * kTwist, wrenches);
    }
    return energy;
  }

  void eval_applied(const double* /*inputs*/, const FrameMotion* frames,
                    Wrench* wrenches) const override {
    const Frame<double> poses[] = {frames[0].pose, frames[1].pose};
    double x[kMax];
    double rate[kMax] = {};
    double jacobian[kMax * 2 * kTwist];
    displacement_->eval_jacobian(poses, x, jacobian);
    for (int i = 0; i < size(); ++i) {
      for (int k = 0; k < 2; ++k) {
        rate[i] += dot(read_wrench(jacobian + (2 * i + k) * kTwist), frames[k].velocity);
      }
    }
    for (int i = 0; i < size(); ++i) {
      add(-multiply(damping_, i, rate), jacobian + i * 2 * kTwist, wrenches);
    }
  }

  void explain_fault(const Frame<double>* f, std::string& reason,
                     std::string& remedy) const override {
    if (size() != kMax) return;
    const Axes<double>& a = f[0].axes;
    const Axes<double>& b = f[1].axes;
    const double c = 0.5 * (dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z) - 1.0);
    const double angle = std::acos(std::clamp(c, -1.0, 1.0));
    if (!(angle > kLargestTurn)) return;
    constexpr double kDegree = std::numbers::pi / 180.0;
    reason = fmt::format(
        "is a bushing that is turned by {:.4g} deg: more than {:.4g} deg, and towards half a turn "
        "its torque has no direction",
        angle / kDegree, kLargestTurn / kDegree);
    remedy =
        "a bushing is for turns that an elastic bearing survives: make it stiffer, begin nearer to "
        "its rest, or use a joint with a torsion spring, which counts its turns";
  }

  /// With s = K x + C x':  -dJᵀ s - Jᵀ (K dx + C dx'),   dx = J d,  dx' = dJ u + J du                             [BUS.3]
  void eval_change(const double* /*inputs*/, const FrameMotion* frames,
                   const double* /*input_changes*/, const Twist* directions, const Twist* changes,
                   Wrench* wrench_changes) const override {
    const Frame<double> poses[] = {frames[0].pose, frames[1].pose};
    double x[kMax];
    double x_dot[kMax] = {};
    double dx[kMax] = {};
    double dx_dot[kMax] = {};
    double jacobian[kMax * 2 * kTwist];
    double turn[kMax * 2 * kTwist];
    displacement_->eval_jacobian(poses, x, jacobian);
    displacement_->eval_jacobian_rate(poses, directions, turn);
    for (int i = 0; i < size(); ++i) {
      for (int k = 0; k < 2; ++k) {
        const Wrench row = read_wrench(jacobian + (2 * i + k) * kTwist);
        const Wrench row_change = read_wrench(turn + (2 * i + k) * kTwist);
        x_dot[i] += dot(row, frames[k].velocity);
        dx[i] += dot(row, directions[k]);
        dx_dot[i] += dot(row_change, frames[k].velocity) + dot(row, changes[k]);
      }
    }
    wrench_changes[0] = wrench_changes[1] = {};
    for (int i = 0; i < size(); ++i) {
      add(-multiply_both(i, x, x_dot), turn + i * 2 * kTwist, wrench_changes);
      add(-multiply_both(i, dx, dx_dot), jacobian + i * 2 * kTwist, wrench_changes);
    }
  }

 private:
  static constexpr int kMax = 6;

  int size() const { return displacement_->outputs(); }
  double multiply(const std::vector<double>& matrix, int row, const double* x) const {
    double sum = 0.0;
    for (int j = 0; j < size(); ++j)
      sum += matrix[static_cast<std::size_t>(row * size() + j)] * x[j];
    return sum;
  }
  double multiply_both(int row, const double* x, const double* x_dot) const {
    return (stiffness_.empty() ? 0.0 : multiply(stiffness_, row, x)) +
           (damping_.empty() ? 0.0 : multiply(damping_, row, x_dot));
  }
  static Wrench read_wrench(const double* j) { return {{j[0], j[1], j[2]}, {j[3], j[4], j[5]}}; }
  static void add(double force, const double* jacobian, Wrench* wrenches) {
    for (int k = 0; k < 2; ++k) {
      const Wrench unit = read_wrench(jacobian + k * kTwist);
      wrenches[k] += {force * unit.force, force * unit.torque};
    }
  }

  std::unique_ptr<FrameFunction> displacement_;
  std::vector<double> stiffness_;  // row by row; empty: none
  std::vector<double> damping_;
};

/// By elimination: each pivot that is left must not be negative.
bool is_semidefinite(std::vector<double> a, std::size_t size) {
  double scale = 0.0;
  for (std::size_t i = 0; i < size; ++i) scale = std::max(scale, a[i * size + i]);
  for (std::size_t k = 0; k < size; ++k) {
    // In units of the diagonal, so that N/m and N m/rad may stand beside each other.
    const double pivot = a[k * size + k];
    if (pivot < -1e-12 * scale) return false;
    for (std::size_t i = k + 1; i < size; ++i) {
      const double entry = a[i * size + k];
      if (entry == 0.0) continue;
      if (!(pivot > 0.0)) return false;
      for (std::size_t j = k + 1; j < size; ++j) {
        a[i * size + j] -= entry * a[k * size + j] / pivot;
      }
      if (a[i * size + i] < 0.0 && a[i * size + i] > -1e-12 * entry * entry / pivot)
        a[i * size + i] = 0.0;  // round-off
    }
  }
  return true;
}

double find_smallest_eigenvalue(const std::vector<double>& a, std::size_t size) {
  const auto n = static_cast<Eigen::Index>(size);
  double smallest = 0.0;
  for (const std::complex<double>& each :
       find_eigenvalues(Eigen::Map<const Matrix>(a.data(), n, n)))
    smallest = std::min(smallest, each.real());
  return smallest;
}

/// Which entry beside the diagonal is too large, if one is alone; three may be so only together.
std::string describe_coupling(const std::vector<double>& a, std::size_t size) {
  const std::string general =
      "make the entries beside the diagonal smaller, |k_ij| <= sqrt(k_ii*k_jj) at least";
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      const double bound = std::sqrt(a[i * size + i] * a[j * size + j]);
      if (std::abs(a[i * size + j]) <= bound) continue;
      return fmt::format("{}: entry {}, {} is {:.6g}, at most {:.6g} is possible", general, i + 1,
                         j + 1, a[i * size + j], bound);
    }
  }
  return general;
}

/// Row by row; empty and noted if it is not square of that size, or not symmetric.
std::vector<double> flatten(std::string_view key, const MatrixField& field, std::size_t size,
                            LawScope& scope) {
  std::vector<double> flat;
  bool fits = field.rows.size() == size;
  for (const std::vector<double>& row : field.rows) {
    fits = fits && row.size() == size;
    flat.insert(flat.end(), row.begin(), row.end());
  }
  const std::string shape = std::to_string(size) + " x " + std::to_string(size);
  if (field.rows.empty()) return {};
  if (!fits) {
    const std::size_t columns = field.rows.front().size();
    scope.fault(key, fmt::format("it is not {}, but {} x {}", shape, field.rows.size(), columns),
                fmt::format("give {} numbers, or the {} of the diagonal", shape, size));
    return {};
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double a = flat[i * size + j];
      const double b = flat[j * size + i];
      if (std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b))) continue;
      scope.fault(key,
                  fmt::format("it is not symmetric: entries {0}, {1} and {1}, {0} differ, {2:.6g} "
                              "and {3:.6g}",
                              i + 1, j + 1, a, b),
                  "give both the same number: such a bushing would give energy away for nothing");
      return {};
    }
    if (flat[i * size + i] >= 0.0) continue;
    scope.fault(key,
                fmt::format("entry {} of its diagonal is negative: {:.6g}, must be at least 0",
                            i + 1, flat[i * size + i]),
                "a bushing holds against every displacement: give numbers that are not negative");
    return {};
  }
  if (!is_semidefinite(flat, size)) {
    scope.fault(key,
                fmt::format("it is not positive semidefinite: some displacement would be pushed "
                            "on, as its smallest eigenvalue is {:.6g}, must be at least 0",
                            find_smallest_eigenvalue(flat, size)),
                describe_coupling(flat, size));
    return {};
  }
  return flat;
}

}  // namespace

ForceParts make_force(const Bushing& spec, LawScope& scope) {
  const bool plane = scope.space() == Space::plane;
  const std::size_t size = plane ? 3 : 6;
  if (spec.stiffness.rows.empty() && spec.damping.rows.empty()) {
    scope.fault(
        "stiffness", "it is missing",
        plane ? "for example [1e5, 1e5, 100]" : "for example [1e5, 1e5, 1e5, 100, 100, 100]");
    return {};
  }
  ForceParts parts;
  parts.kernel = std::make_unique<BushingKernel>(
      plane ? make_frame_function(PlaneDisplacement{}) : make_frame_function(BushingDisplacement{}),
      flatten("stiffness", spec.stiffness, size, scope),
      flatten("damping", spec.damping, size, scope));
  return parts;
}

}  // namespace driftless
