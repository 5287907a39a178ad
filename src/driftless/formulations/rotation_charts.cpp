#include "driftless/formulations/rotation_charts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/formulations/rotation_maps.hpp"

namespace driftless {

using namespace rotation_maps;

namespace {

constexpr std::pair<std::string_view, Rotations> kWords[] = {
    {"quaternion", Rotations::quaternion}, {"euler", Rotations::euler}, {"lie", Rotations::lie}};

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

}  // namespace driftless
