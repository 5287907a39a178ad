#include "driftless/saddle/body_masses.hpp"

#include <algorithm>

#include "driftless/math/jacobi.hpp"
#include "driftless/saddle/cholesky.hpp"

namespace driftless {
namespace {

bool has_block_per_body(const BlockMatrix& mass) {
  return !mass.is_whole() &&
         std::all_of(mass.blocks().begin(), mass.blocks().end(), [](const Block& block) {
           return block.row == block.column && block.rows == block.columns;
         });
}

}  // namespace

bool BodyMasses::fits(const BlockMatrix& mass, const BlockMatrix& rows) {
  if (!has_block_per_body(mass) || rows.is_whole()) return false;
  std::vector<int> size(static_cast<std::size_t>(mass.columns()), 0);  // per first column
  for (const Block& block : mass.blocks())
    size[static_cast<std::size_t>(block.column)] = block.columns;
  return std::all_of(rows.blocks().begin(), rows.blocks().end(), [&](const Block& block) {
    return size[static_cast<std::size_t>(block.column)] == block.columns;
  });
}

BodyMasses::BodyMasses(const BlockMatrix& mass, double share)
    : share_(share), body_of_(static_cast<std::size_t>(mass.columns()), 0) {
  int size = 0;
  for (const Block& block : mass.blocks()) {
    std::fill_n(body_of_.begin() + block.column, block.columns, static_cast<int>(bodies_.size()));
    bodies_.push_back({block.column, block.columns, Kind::full, size});
    size += block.columns * block.columns;
  }
  inverse_.assign(static_cast<std::size_t>(size), 0.0);
}

bool BodyMasses::set(const BlockMatrix& mass) {
  lifts_.clear();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (!invert(mass.data() + mass.blocks()[k].first, bodies_[k])) return false;
  }
  const auto is_diagonal = [](const Body& body) { return body.kind == Kind::diagonal; };
  const bool all = std::all_of(bodies_.begin(), bodies_.end(), is_diagonal);
  diagonal_.resize(all ? static_cast<Eigen::Index>(body_of_.size()) : 0);
  for (std::size_t k = 0; all && k < bodies_.size(); ++k) {
    const int n = bodies_[k].size;
    for (int j = 0; j < n; ++j)
      diagonal_[bodies_[k].column + j] =
          inverse_[static_cast<std::size_t>(bodies_[k].first + j * (n + 1))];
  }
  return true;
}

bool BodyMasses::invert(const double* block, Body& body) {
  const int n = body.size;
  bool is_diagonal = true;
  bool is_split = n == 6;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (i == j || block[i + n * j] == 0.0) continue;
      is_diagonal = false;
      is_split = is_split && i >= 3 && j >= 3;
    }
  }
  is_split = is_split && block[0] == block[7] && block[0] == block[14];
  body.kind = is_diagonal ? Kind::diagonal : is_split ? Kind::mass_and_inertia : Kind::full;
  Eigen::Map<Matrix> inverse(inverse_.data() + body.first, n, n);
  inverse = Eigen::Map<const Matrix>(block, n, n);
  if (n == 6 && body.kind != Kind::full) {
    Matrix turns = inverse.bottomRightCorner(3, 3);
    if (!lift(turns, body.column + 3)) return false;
    if (!lifts_.empty() && lifts_.back().column == body.column + 3)
      body.kind = Kind::mass_and_inertia;
    inverse.bottomRightCorner(3, 3) = turns;
  }
  CholeskyFactor factor(n);
  if (!factor.factorize(inverse)) return false;
  inverse.setIdentity();
  for (int j = 0; j < n; ++j) {
    factor.solve(inverse.col(j));
    factor.solve_transposed(inverse.col(j));
  }
  return true;
}

bool BodyMasses::lift(Matrix& inertia, int column) {
  constexpr double kNone = 1e-12;
  Matrix lengths = inertia, axes = Matrix::Identity(3, 3);
  orthogonalize_columns(lengths, axes);
  const double largest = lengths.colwise().norm().maxCoeff();
  if (!(largest > 0.0)) return false;
  for (int k = 0; k < 3; ++k) {
    const Vector axis = axes.col(k);
    if (axis.dot(inertia * axis) < -kNone * largest) return false;  // of no body
    if (lengths.col(k).norm() > kNone * largest) continue;
    lifts_.push_back({column, {axis[0], axis[1], axis[2]}, share_ * largest});
  }
  for (const Lift& each : lifts_) {
    if (each.column != column) continue;
    const Eigen::Map<const Eigen::Vector3d> axis(each.axis);
    inertia += each.inertia * axis * axis.transpose();
  }
  return true;
}

bool has_slender_rods(const BlockMatrix& mass) {
  BodyMasses masses(mass, BodyMasses::kAsAcross);
  return masses.set(mass) && !masses.lifts().empty();
}

BlockMatrix make_round_mass(const BlockMatrix& mass) {
  if (!has_block_per_body(mass)) return {};
  BodyMasses masses(mass, BodyMasses::kAsAcross);
  if (!masses.set(mass) || masses.lifts().empty()) return {};
  BlockMatrix round = mass;
  for (const BodyMasses::Lift& lift : masses.lifts()) {
    const Eigen::Map<const Eigen::Vector3d> axis(lift.axis);
    round.part(lift.column, lift.column, 3, 3) += lift.inertia * axis * axis.transpose();
  }
  return round;
}

}  // namespace driftless
