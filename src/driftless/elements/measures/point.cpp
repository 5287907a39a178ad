#include "driftless/elements/measures/point.hpp"

#include "driftless/elements/frame_function_of.hpp"

namespace driftless {
namespace {

template <int kAxes>
struct Place {
  static constexpr int kFrames = 1;
  static constexpr int kOutputs = kAxes;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = f[0].origin.x;
    out[1] = f[0].origin.y;
    if constexpr (kAxes == 3) out[2] = f[0].origin.z;
  }
};

}  // namespace

MeasureParts make_measure(const PointMeasure& /*spec*/, Space space) {
  if (space == Space::plane) {
    return {make_frame_function(Place<2>{}), {{".x", "m"}, {".y", "m"}}};
  }
  return {make_frame_function(Place<3>{}), {{".x", "m"}, {".y", "m"}, {".z", "m"}}};
}

}  // namespace driftless
