#pragma once
// Vectors and matrices. Only storage and arithmetic: decompositions are instantiated in a few .cpp files of math/ and
// saddle/, so that no other file pays for compiling them.

#include <span>

#include <Eigen/Core>

namespace driftless {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorRef = Eigen::Ref<Eigen::VectorXd>;

/// A look at numbers in a row, whoever owns them: address and size. Eigen's own Ref of const also has room for an expression's
/// values, and frees it after each call, which shows in systems of a few coordinates. So an expression has to be given a
/// Vector first.
class VectorView : public Eigen::Map<const Vector> {
 public:
  template <class Derived>
  requires(bool(Derived::IsVectorAtCompileTime) && (Derived::Flags & Eigen::DirectAccessBit) != 0 &&
           int(Derived::InnerStrideAtCompileTime) == 1)
      VectorView(const Eigen::DenseBase<Derived>& values)
      : Map(values.derived().data(), values.size()) {}
};
using ConstVectorRef = const VectorView&;
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

/// Largest magnitude of a vector or an expression; 0 for an empty one.
template <class Derived>
double max_abs(const Eigen::MatrixBase<Derived>& v) {
  return v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff();
}

}  // namespace driftless
