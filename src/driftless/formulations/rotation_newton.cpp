// Newton's method in charts, rotation_charts.hpp [ROT.4].

#include "driftless/formulations/rotation_maps.hpp"

namespace driftless {

using namespace rotation_maps;

namespace {

using AlongMotion = Dual<double, 1>;

template <int N, class Evaluate>
void find_maps_along(const double* z, const double* z_dot, bool slopes, Evaluate evaluate,
                     RotationCharts::MotionMaps& maps) {
  maps.count = N;
  maps.A.resize(3, N);
  maps.A_dot.resize(3, N);
  AlongMotion along[N];
  for (int k = 0; k < N; ++k) {
    along[k].value = z[k];
    along[k].d[0] = z_dot[k];
  }
  if (!slopes) {
    AlongMotion A[3 * N];
    evaluate(along, A);
    for (int i = 0; i < 3 * N; ++i) {
      maps.A(i / N, i % N) = A[i].value;
      maps.A_dot(i / N, i % N) = A[i].d[0];
    }
    return;
  }
  using Slope = Dual<AlongMotion, N>;
  Slope moved[N], A[3 * N];
  for (int k = 0; k < N; ++k) {
    moved[k].value = along[k];
    moved[k].d[static_cast<std::size_t>(k)] = AlongMotion(1.0);
    maps.A_x[static_cast<std::size_t>(k)].resize(3, N);
    maps.A_dot_x[static_cast<std::size_t>(k)].resize(3, N);
  }
  evaluate(moved, A);
  for (int i = 0; i < 3 * N; ++i) {
    maps.A(i / N, i % N) = A[i].value.value;
    maps.A_dot(i / N, i % N) = A[i].value.d[0];
    for (std::size_t k = 0; k < N; ++k) {
      maps.A_x[k](i / N, i % N) = A[i].d[k].value;
      maps.A_dot_x[k](i / N, i % N) = A[i].d[k].d[0];
    }
  }
}

}  // namespace

void RotationCharts::find_motion_maps(ConstVectorRef x, ConstVectorRef x_dot, bool slopes,
                                      std::vector<MotionMaps>& maps) const {
  maps.resize(blocks_.size());
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Block& block = blocks_[k];
    maps[k].v = block.v;
    maps[k].x = block.x;
    const double* z = x.data() + block.x;
    const double* z_dot = x_dot.data() + block.x;
    if (kind_ == Rotations::quaternion) {
      find_maps_along<4>(
          z, z_dot, slopes, [](const auto* p, auto* A) { find_quaternion_tangent(p, A); }, maps[k]);
    } else {
      find_maps_along<3>(
          z, z_dot, slopes,
          [&](const auto* angles, auto* A) { find_tangent(kind_, block.sequence, angles, A); },
          maps[k]);
    }
  }
}

std::vector<int> RotationCharts::find_turn_rates() const {
  std::vector<int> rates;
  for (const Block& block : blocks_) rates.push_back(block.v);
  return rates;
}

void RotationCharts::linearize(ConstVectorRef x, ConstVectorRef u, ConstVectorRef multipliers) {
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    Block& block = blocks_[k];
    const double* z = x.data() + block.x;
    const double* w = u.data() + block.v;
    find_maps(block, z, block.A.data(), block.B.data());
    if (kind_ == Rotations::quaternion) {
      // d(p∘(0, ω)/2 - 2 p μ)/dp: multiplication by ω from the right
      const double D[16] = {0,    -w[0], -w[1], -w[2], w[0], 0,    w[2],  -w[1],
                            w[1], -w[2], 0,     w[0],  w[2], w[1], -w[0], 0};
      for (std::size_t i = 0; i < 16; ++i) block.D[i] = 0.5 * D[i];
      const double mu = multipliers[static_cast<Eigen::Index>(k)];
      for (std::size_t i = 0; i < 4; ++i) block.D[i * 5] -= 2.0 * mu;
      std::copy(z, z + 4, block.p.begin());
      continue;
    }
    // d(A⁻¹ u) = -A⁻¹ dA z'
    using D3 = Dual<double, 3>;
    D3 moved[3];
    for (int j = 0; j < 3; ++j) {
      moved[j].value = z[j];
      moved[j].d[static_cast<std::size_t>(j)] = 1.0;
    }
    D3 A[9];
    find_tangent(kind_, block.sequence, moved, A);
    double rate[3];
    for (std::size_t i = 0; i < 3; ++i)
      rate[i] = block.B[i * 3] * w[0] + block.B[i * 3 + 1] * w[1] + block.B[i * 3 + 2] * w[2];
    for (std::size_t j = 0; j < 3; ++j) {
      double change[3];
      for (std::size_t i = 0; i < 3; ++i)
        change[i] =
            A[i * 3].d[j] * rate[0] + A[i * 3 + 1].d[j] * rate[1] + A[i * 3 + 2].d[j] * rate[2];
      for (std::size_t i = 0; i < 3; ++i)
        block.D[i * 3 + j] = -(block.B[i * 3] * change[0] + block.B[i * 3 + 1] * change[1] +
                               block.B[i * 3 + 2] * change[2]);
    }
  }
}

template <class S>
bool RotationCharts::Newton<S>::factorize(const RotationCharts& charts, S a) {
  a_ = a;
  const auto n = static_cast<std::size_t>(charts.parameters());
  const bool has_norm = charts.kind_ == Rotations::quaternion;
  const std::size_t m = n + (has_norm ? 1 : 0);
  inverse_.resize(charts.blocks_.size());
  turn_.resize(charts.blocks_.size());
  for (std::size_t k = 0; k < charts.blocks_.size(); ++k) {
    const Block& block = charts.blocks_[k];
    std::array<S, 25>& E = inverse_[k];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) E[i * m + j] = (i == j ? a : S(0.0)) - block.D[i * n + j];
      if (has_norm) E[i * m + n] = E[n * m + i] = S(2.0 * block.p[i]);
    }
    if (has_norm) E[n * m + n] = S(0.0);
    if (!invert(E.data(), static_cast<int>(m))) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        S sum(0.0);
        for (std::size_t r = 0; r < n; ++r) {
          for (std::size_t c = 0; c < n; ++c)
            sum += block.A[i * n + r] * E[r * m + c] * block.B[c * 3 + j];
        }
        turn_[k][i * 3 + j] = a * sum;
      }
    }
  }
  return true;
}

template <class S>
void RotationCharts::Newton<S>::solve(const RotationCharts& charts, const VectorS& r,
                                      const VectorS& r_norm, const VectorS& du, VectorS& dx,
                                      VectorS& d_norm) const {
  const S inverse = S(1.0) / a_;
  for (const Plain& plain : charts.plains_) {
    dx.segment(plain.x, plain.count) =
        inverse * (r.segment(plain.x, plain.count) + du.segment(plain.v, plain.count));
  }
  const auto n = static_cast<std::size_t>(charts.parameters());
  const bool has_norm = charts.kind_ == Rotations::quaternion;
  const std::size_t m = n + (has_norm ? 1 : 0);
  for (std::size_t k = 0; k < charts.blocks_.size(); ++k) {
    const Block& block = charts.blocks_[k];
    const auto norm = static_cast<Eigen::Index>(k);
    S right[5] = {};
    for (std::size_t i = 0; i < n; ++i) {
      right[i] = r[block.x + static_cast<int>(i)];
      for (std::size_t j = 0; j < 3; ++j)
        right[i] += block.B[i * 3 + j] * du[block.v + static_cast<int>(j)];
    }
    if (has_norm) right[n] = r_norm[norm];
    for (std::size_t i = 0; i < m; ++i) {
      S sum(0.0);
      for (std::size_t j = 0; j < m; ++j) sum += inverse_[k][i * m + j] * right[j];
      if (i < n) {
        dx[block.x + static_cast<int>(i)] = sum;
      } else {
        d_norm[norm] = sum;
      }
    }
  }
}

template <class S>
void RotationCharts::Newton<S>::find_turn(const RotationCharts& charts, const VectorS& dx,
                                          VectorS& delta) const {
  for (const Plain& plain : charts.plains_)
    delta.segment(plain.v, plain.count) = dx.segment(plain.x, plain.count);
  const auto n = static_cast<std::size_t>(charts.parameters());
  for (const Block& block : charts.blocks_) {
    for (std::size_t i = 0; i < 3; ++i) {
      S sum(0.0);
      for (std::size_t j = 0; j < n; ++j)
        sum += block.A[i * n + j] * dx[block.x + static_cast<int>(j)];
      delta[block.v + static_cast<int>(i)] = sum;
    }
  }
}

template <class S>
void RotationCharts::Newton<S>::multiply_right(
    const RotationCharts& charts, Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>& matrix) const {
  for (std::size_t k = 0; k < charts.blocks_.size(); ++k) {
    const int v = charts.blocks_[k].v;
    const std::array<S, 9>& T = turn_[k];
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      const S a = matrix(i, v), b = matrix(i, v + 1), c = matrix(i, v + 2);
      for (int j = 0; j < 3; ++j) {
        const auto at = static_cast<std::size_t>(j);
        matrix(i, v + j) = a * T[at] + b * T[3 + at] + c * T[6 + at];
      }
    }
  }
}

template class RotationCharts::Newton<double>;
template class RotationCharts::Newton<std::complex<double>>;

}  // namespace driftless
