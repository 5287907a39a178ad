// With the distance s = |p1 - p0|:   U = k (s - s0)²/2,   applied force along s: -c s'                            [SPD.1]
//
// At s = 0 the line has no direction. The distance is therefore taken as sqrt(d·d + ε²), ε = 1e-9 m: the force stays
// finite, and beyond a micrometre nothing is changed in the last digit that counts.

#include "driftless/elements/forces/spring_damper.hpp"

#include "driftless/elements/frame_function_of.hpp"

namespace driftless {
namespace {

struct Distance {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    using std::sqrt;
    const Vec3<S> d = f[1].origin - f[0].origin;
    out[0] = sqrt(dot(d, d) + 1e-18);
  }
};

class LinearLaw final : public ScalarLaw {
 public:
  LinearLaw(double stiffness, double damping, double rest)
      : stiffness_(stiffness), damping_(damping), rest_(rest) {}
  bool has_potential() const override { return stiffness_ > 0.0; }
  bool has_applied() const override { return damping_ > 0.0; }
  double eval_potential(double s, double& slope) const override {
    slope = stiffness_ * (s - rest_);
    return 0.5 * slope * (s - rest_);
  }
  double eval_applied(double /*t*/, double /*s*/, double rate) const override {
    return -damping_ * rate;
  }

 private:
  double stiffness_, damping_, rest_;
};

}  // namespace

std::unique_ptr<ForceKernel> make_force(const SpringDamper& spec, double drawn_length) {
  return make_scalar_force(make_frame_function(Distance{}),
                           std::make_unique<LinearLaw>(spec.stiffness, spec.damping,
                                                       spec.length.value_or(drawn_length)));
}

}  // namespace driftless
