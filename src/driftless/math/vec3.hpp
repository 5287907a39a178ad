#pragma once
// Vectors of three numbers of any scalar: double, Dual, Jet. (Eigen with such scalars takes long to compile.)

#include "driftless/math/dual.hpp"

namespace driftless {

template <class S>
struct Vec3 {
  S x{}, y{}, z{};

  Vec3 operator-() const { return {-x, -y, -z}; }
  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator*(const S& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class S>
S dot(const Vec3<S>& a, const Vec3<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
S norm(const Vec3<S>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// A rotation by its columns: the images of the unit vectors.
template <class S>
struct Axes {
  Vec3<S> x, y, z;
};

inline constexpr int kTwist = 6;  ///< numbers in a twist: velocity, then angular velocity

/// Where a frame is: origin and axes in the world. In the plane z is the plane's normal, and `angle` is the angle of x
/// counted over turns; in space `angle` means nothing.
template <class S>
struct Frame {
  Vec3<S> origin;
  Axes<S> axes;
  S angle{};
};

using Vector3 = Vec3<double>;

inline Vector3 apply(const Axes<double>& axes, const Vector3& local) {
  return local.x * axes.x + local.y * axes.y + local.z * axes.z;
}
/// Components of a world vector along the axes.
inline Vector3 apply_inverse(const Axes<double>& axes, const Vector3& world) {
  return {dot(axes.x, world), dot(axes.y, world), dot(axes.z, world)};
}
inline Axes<double> compose(const Axes<double>& outer, const Axes<double>& inner) {
  return {apply(outer, inner.x), apply(outer, inner.y), apply(outer, inner.z)};
}

}  // namespace driftless
