#pragma once
// Vectors and matrices. Only storage and arithmetic: decompositions are instantiated in a few .cpp files of math/ and
// saddle/, so that no other file pays for compiling them.

#include <span>

#include <Eigen/Core>

namespace driftless {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorRef = Eigen::Ref<Eigen::VectorXd>;
using ConstVectorRef = const Eigen::Ref<const Eigen::VectorXd>&;
using MatrixRef = Eigen::Ref<Eigen::MatrixXd>;
using ConstMatrixRef = const Eigen::Ref<const Eigen::MatrixXd>&;

inline Eigen::Map<const Vector> as_vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}
inline Eigen::Map<Vector> as_vector(std::span<double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}
inline std::span<const double> as_span(const Vector& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
inline std::span<double> as_span(Vector& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

/// Largest magnitude; 0 for an empty vector.
inline double max_abs(ConstVectorRef v) { return v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff(); }

}  // namespace driftless
