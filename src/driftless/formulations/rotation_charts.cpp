#include "driftless/formulations/rotation_charts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/math/dual.hpp"

namespace driftless {
namespace {

constexpr std::pair<std::string_view, Rotations> kWords[] = {
    {"quaternion", Rotations::quaternion}, {"euler", Rotations::euler}, {"lie", Rotations::lie}};

/// a∘b
template <class S, class T>
std::array<S, 4> multiply(const std::array<T, 4>& a, const std::array<S, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

std::array<double, 4> conjugate(const double* p) { return {p[0], -p[1], -p[2], -p[3]}; }

/// Axes of the elementary turns.
constexpr int kSequences[2][3] = {{2, 0, 2}, {0, 1, 2}};

template <class S>
std::array<S, 4> make_turn(int axis, const S& angle) {
  using std::cos;
  using std::sin;
  std::array<S, 4> p{S(0.0), S(0.0), S(0.0), S(0.0)};
  const S half = 0.5 * angle;
  p[0] = cos(half);
  p[static_cast<std::size_t>(axis) + 1] = sin(half);
  return p;
}

/// [ROT.2]
template <class S>
std::array<S, 4> find_euler(int sequence, const S* z) {
  const int* axes = kSequences[sequence];
  return multiply(multiply(make_turn(axes[0], z[0]), make_turn(axes[1], z[1])),
                  make_turn(axes[2], z[2]));
}

/// exp(z/2): cos(√s/2) and sin(√s/2)/√s are power series in s = z·z, which are smooth at 0. Good up to two turns.
template <class S>
std::array<S, 4> find_exponential(const S* z) {
  constexpr int kTerms = 20;
  const S s = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
  S cosine(1.0);
  S ratio(0.5);
  S term(1.0);  // (-s/4)^k/(2k)!
  for (int k = 1; k < kTerms; ++k) {
    term = term * s * (-0.25 / ((2.0 * k - 1.0) * (2.0 * k)));
    cosine = cosine + term;
    ratio = ratio + term * (0.5 / (2.0 * k + 1.0));
  }
  return {cosine, ratio * z[0], ratio * z[1], ratio * z[2]};
}

/// In place, by Gauss and Jordan with row pivoting; n <= 5. False: singular.
template <class S>
bool invert(S* m, int n) {
  S work[5][10];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) work[i][j] = m[i * n + j];
    for (int j = 0; j < n; ++j) work[i][n + j] = S(i == j ? 1.0 : 0.0);
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(work[i][k]) > std::abs(work[pivot][k])) pivot = i;
    if (!(std::abs(work[pivot][k]) > 0.0)) return false;
    std::swap(work[k], work[pivot]);
    const S inverse = S(1.0) / work[k][k];
    for (int j = 0; j < 2 * n; ++j) work[k][j] *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const S factor = work[i][k];
      for (int j = 0; j < 2 * n; ++j) work[i][j] -= factor * work[k][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) m[i * n + j] = work[i][n + j];
  }
  return true;
}

/// Entries of the rotation matrix: R13, R33, and what the angles need.
std::array<std::array<double, 3>, 3> find_matrix(const double* p) {
  const double w = p[0], x = p[1], y = p[2], z = p[3];
  const double s = 2.0 / (w * w + x * x + y * y + z * z);
  return {{{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
           {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
           {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}}};
}

/// The whole turns with which an angle is nearest to another one.
double go_on_from(double angle, double before) {
  constexpr double kTurn = 6.283185307179586;
  return angle + kTurn * std::round((before - angle) / kTurn);
}

/// [ROT.5]
void find_angles(int sequence, const double* p, double* z) {
  constexpr double kHalfTurn = 3.141592653589793;
  std::array<double, 3> before{};
  for (std::size_t k = 0; k < 3; ++k)
    if (std::isfinite(z[k])) before[k] = z[k];
  const auto R = find_matrix(p);
  const double sine = sequence == 0 ? R[0][2] : -R[1][2];
  const double cosine = sequence == 0 ? -R[1][2] : R[2][2];
  z[0] = before[0];
  if (std::hypot(sine, cosine) > 1e-12) {
    z[0] = go_on_from(std::atan2(sine, cosine), before[0]);
    if (std::abs(z[0] - before[0]) > 0.5 * kHalfTurn)
      z[0] += z[0] < before[0] ? kHalfTurn : -kHalfTurn;
  }
  const double s = std::sin(z[0]), c = std::cos(z[0]);
  if (sequence == 0) {
    z[1] = std::atan2(s * R[0][2] - c * R[1][2], R[2][2]);
    z[2] = std::atan2(-c * R[0][1] - s * R[1][1], c * R[0][0] + s * R[1][0]);
  } else {
    z[1] = std::atan2(R[0][2], c * R[2][2] - s * R[1][2]);
    z[2] = std::atan2(c * R[1][0] + s * R[2][0], c * R[1][1] + s * R[2][1]);
  }
  z[1] = go_on_from(z[1], before[1]);
  z[2] = go_on_from(z[2], before[2]);
  const std::array<double, 4> found = find_euler(sequence, z);
  const double same = found[0] * p[0] + found[1] * p[1] + found[2] * p[2] + found[3] * p[3];
  if (same < 0.0) z[2] += z[2] > 0.0 ? -2.0 * kHalfTurn : 2.0 * kHalfTurn;
}

/// Sine of the distance to the sequence's singular pose.
double find_distance(int sequence, const double* p) {
  const auto R = find_matrix(p);
  const double edge = sequence == 0 ? R[2][2] : R[0][2];
  return std::sqrt(std::max(0.0, 1.0 - edge * edge));
}

}  // namespace

const Rotations* find_rotations(std::string_view word) {
  for (const auto& entry : kWords)
    if (entry.first == word) return &entry.second;
  return nullptr;
}

std::string_view name_of(Rotations rotations) {
  for (const auto& [word, kind] : kWords)
    if (kind == rotations) return word;
  return {};
}

RotationCharts::RotationCharts(const SystemInfo& info, Rotations rotations) : kind_(rotations) {
  int q = 0;
  int v = 0;
  const auto add_plain = [&](int count) {
    if (count <= 0) return;
    plains_.push_back({q, v, size_, count});
    for (int k = 0; k < count; ++k)
      names_.push_back(info.coordinates[static_cast<std::size_t>(q + k)]);
    q += count;
    v += count;
    size_ += count;
  };
  static constexpr const char* kAngles[] = {"angle1", "angle2", "angle3"};
  for (const BodyInfo& body : info.bodies) {
    if (body.turns < 3) continue;
    add_plain(body.coordinate + body.rates - 3 - q);  // everything up to its quaternion
    Block block;
    block.q = q;
    block.v = v;
    block.x = size_;
    blocks_.push_back(block);
    for (int k = 0; k < parameters(); ++k) {
      names_.push_back(kind_ == Rotations::quaternion
                           ? info.coordinates[static_cast<std::size_t>(q + k)]
                           : body.name + "." + kAngles[k]);
    }
    q += 4;
    v += 3;
    size_ += parameters();
  }
  add_plain(info.nq - q);
  plain_ = kind_ == Rotations::quaternion || blocks_.empty();
  if (kind_ == Rotations::quaternion) norms_ = blocks_.size();
}

std::string RotationCharts::name(int component) const {
  return names_[static_cast<std::size_t>(component)];
}

// ---- between x and q -----------------------------------------------------------------------------------

void RotationCharts::find_quaternion(const Block& block, const double* z, double* p) const {
  std::array<double, 4> result{};
  if (kind_ == Rotations::euler) {
    result = find_euler(block.sequence, z);
  } else {
    result = multiply(block.anchor, find_exponential(z));
  }
  std::copy(result.begin(), result.end(), p);
}

void RotationCharts::find_parameters(const Block& block, const double* p, double* z) const {
  if (kind_ == Rotations::euler) {
    find_angles(block.sequence, p, z);
    return;
  }
  const std::array<double, 4> turn =
      multiply(conjugate(block.anchor.data()), std::array<double, 4>{p[0], p[1], p[2], p[3]});
  const double sine = std::sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
  const double half = std::atan2(sine, std::abs(turn[0]));
  const double scale = (turn[0] < 0.0 ? -2.0 : 2.0) * (sine > 1e-9 ? half / sine : 1.0);
  for (int k = 0; k < 3; ++k) z[k] = scale * turn[static_cast<std::size_t>(k) + 1];
}

void RotationCharts::to_q(ConstVectorRef x, VectorRef q) const {
  if (plain_) {
    q = x;
    return;
  }
  for (const Plain& plain : plains_)
    q.segment(plain.q, plain.count) = x.segment(plain.x, plain.count);
  for (const Block& block : blocks_) find_quaternion(block, x.data() + block.x, q.data() + block.q);
}

void RotationCharts::from_q(ConstVectorRef q, VectorRef x) const {
  if (plain_) {
    x = q;
    return;
  }
  for (const Plain& plain : plains_)
    x.segment(plain.x, plain.count) = q.segment(plain.q, plain.count);
  for (const Block& block : blocks_) find_parameters(block, q.data() + block.q, x.data() + block.x);
}

bool RotationCharts::recentre(ConstVectorRef q, bool always) {
  if (plain_) return false;
  constexpr double kNear = 0.5;  // sine of the distance to a singular pose
  constexpr double kFar = 1.5;   // rad from the centre of a chart
  bool changed = false;
  for (Block& block : blocks_) {
    const double* p = q.data() + block.q;
    if (kind_ == Rotations::euler) {
      if (find_distance(block.sequence, p) < kNear) {
        block.sequence = 1 - block.sequence;
        changed = true;
      }
      continue;
    }
    double z[3] = {};
    find_parameters(block, p, z);
    if (!always && z[0] * z[0] + z[1] * z[1] + z[2] * z[2] < kFar * kFar) continue;
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (std::size_t k = 0; k < 4; ++k) block.anchor[k] = p[k] / length;
    changed = true;
  }
  return changed;
}

// ---- rates -----------------------------------------------------------------------------------------------

namespace {

template <class S>
std::array<S, 4> find_chart(Rotations kind, int sequence, const S* z) {
  return kind == Rotations::euler ? find_euler(sequence, z) : find_exponential(z);
}

/// ω = 2 vec(p*∘p'), with one derivative in each of the three directions: A, row by row.
template <class S>
void find_tangent(Rotations kind, int sequence, const S* z, S* A) {
  using D = Dual<S, 3>;
  D moved[3];
  for (int k = 0; k < 3; ++k) {
    moved[k].value = z[k];
    moved[k].d[static_cast<std::size_t>(k)] = S(1.0);
  }
  const std::array<D, 4> p = find_chart(kind, sequence, moved);
  const std::array<S, 4> inverse{p[0].value, -p[1].value, -p[2].value, -p[3].value};
  for (std::size_t j = 0; j < 3; ++j) {
    const std::array<S, 4> w =
        multiply(inverse, std::array<S, 4>{p[0].d[j], p[1].d[j], p[2].d[j], p[3].d[j]});
    for (std::size_t i = 0; i < 3; ++i) A[i * 3 + j] = 2.0 * w[i + 1];
  }
}

}  // namespace

void RotationCharts::find_maps(const Block& block, const double* z, double* A, double* B) const {
  if (kind_ == Rotations::quaternion) {
    const double w = z[0], x = z[1], y = z[2], v = z[3];
    const double scale = 2.0 / (w * w + x * x + y * y + v * v);
    const double b[12] = {-x, -y, -v, w, -v, y, v, w, -x, -y, x, w};  // p∘(0, ω), rows of ω
    for (std::size_t i = 0; i < 12; ++i) B[i] = 0.5 * b[i];
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 4; ++j) A[i * 4 + j] = scale * b[j * 3 + i];
    }
    return;
  }
  find_tangent(kind_, block.sequence, z, A);
  std::copy(A, A + 9, B);
  invert(B, 3);
}

void RotationCharts::map_velocity(ConstVectorRef x, ConstVectorRef v, VectorRef x_dot) const {
  for (const Plain& plain : plains_)
    x_dot.segment(plain.x, plain.count) = v.segment(plain.v, plain.count);
  const int n = parameters();
  for (const Block& block : blocks_) {
    double A[12], B[12];
    find_maps(block, x.data() + block.x, A, B);
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int j = 0; j < 3; ++j) sum += B[i * 3 + j] * v[block.v + j];
      x_dot[block.x + i] = sum;
    }
  }
}

void RotationCharts::map_rates(ConstVectorRef x, ConstVectorRef q, ConstVectorRef q_dot,
                               VectorRef x_dot) const {
  if (plain_) {
    x_dot = q_dot;
    return;
  }
  for (const Plain& plain : plains_)
    x_dot.segment(plain.x, plain.count) = q_dot.segment(plain.q, plain.count);
  for (const Block& block : blocks_) {
    const double* p = q.data() + block.q;
    const double* d = q_dot.data() + block.q;
    const std::array<double, 4> w =
        multiply(conjugate(p), std::array<double, 4>{d[0], d[1], d[2], d[3]});
    const double scale = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    double A[12], B[12];
    find_maps(block, x.data() + block.x, A, B);
    for (int i = 0; i < 3; ++i) {
      x_dot[block.x + i] = scale * (B[i * 3] * w[1] + B[i * 3 + 1] * w[2] + B[i * 3 + 2] * w[3]);
    }
  }
}

void RotationCharts::eval_norms(ConstVectorRef x, ConstVectorRef multipliers, VectorRef residual,
                                VectorRef x_term) const {
  for (std::size_t k = 0; k < norms_; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const auto p = x.segment(blocks_[k].x, 4);
    residual[i] = p.squaredNorm() - 1.0;
    x_term.segment(blocks_[k].x, 4) += 2.0 * multipliers[i] * p;
  }
}

// ---- Newton ------------------------------------------------------------------------------------------------

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
