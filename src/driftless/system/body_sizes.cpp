#include "driftless/system/body_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr double kNoDirectionOfRows =
    1e-3;                           // of n, relative, squared: across it B is not asked for
constexpr double kOnePoint = 1e-9;  // of the arms from the mass centre

/// What a row says of one body: n·x' + a·ω.
struct BodyRow {
  Vector n, a;
};

BodyRow split_row(const BodyInfo& body, const Eigen::RowVectorXd& row) {
  return {row.head(body.rates - body.turns).transpose(), row.tail(body.turns).transpose()};
}

std::vector<int> find_bodies_of_rates(const SystemInfo& info) {
  std::vector<int> body_of(static_cast<std::size_t>(info.nv), 0);
  for (std::size_t b = 0; b < info.bodies.size(); ++b)
    std::fill_n(body_of.begin() + info.bodies[b].rate, info.bodies[b].rates, static_cast<int>(b));
  return body_of;
}

/// Rows that are lengths, per body.
std::vector<std::vector<BodyRow>> list_length_rows(const SystemInfo& info, const Workspace& ws) {
  const std::vector<int> body_of = find_bodies_of_rates(info);
  std::vector<std::vector<BodyRow>> found(info.bodies.size());
  for (const Block& block : ws.jacobian.blocks()) {  // of a mechanism: one body's columns
    const auto b = static_cast<std::size_t>(body_of[static_cast<std::size_t>(block.column)]);
    const Eigen::Map<const Matrix> values(ws.jacobian.data() + block.first, block.rows,
                                          block.columns);
    for (int i = 0; i < block.rows && block.row + i < info.position_rows; ++i) {
      if (info.row_units[static_cast<std::size_t>(block.row + i)] != "m") continue;
      found[b].push_back(split_row(info.bodies[b], values.row(i)));
    }
  }
  return found;
}

/// [DRW.8]
Matrix find_middle(const BodyInfo& body, const std::vector<BodyRow>& rows) {
  const int shifts = body.rates - body.turns;
  Matrix middle = Matrix::Zero(body.turns, shifts);
  Matrix squares = Matrix::Zero(shifts, shifts);
  Matrix products = middle;
  for (const BodyRow& row : rows) {
    const double length2 = row.n.squaredNorm();
    if (!(length2 > 0.0)) continue;
    squares += row.n * row.n.transpose() / length2;
    products += row.a * row.n.transpose() / length2;
  }
  Vector values;
  Matrix vectors;
  if (!find_modes(Matrix::Identity(shifts, shifts), squares, values, vectors)) return middle;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!(values[k] > kNoDirectionOfRows * values.maxCoeff())) continue;
    middle += products * vectors.col(k) * vectors.col(k).transpose() / values[k];
  }
  return middle;
}

double find_longest(const std::vector<BodyRow>& rows, const Matrix& middle) {
  double longest = 0.0;
  for (const BodyRow& row : rows) {
    const double length = row.n.norm();
    longest = std::max(longest, (row.a - middle * row.n).norm() / (length > 0.0 ? length : 1.0));
  }
  return longest;
}

/// Per body: the first one of those that it hangs together with, the ground aside.
std::vector<std::size_t> find_leaders(const SystemInfo& info) {
  std::vector<std::size_t> leader(info.bodies.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t body) {
    while (leader[body] != body) body = leader[body] = leader[leader[body]];
    return body;
  };
  for (const ElementInfo& element : info.elements) {
    for (const int body : element.bodies) {
      const std::size_t one = find(static_cast<std::size_t>(element.bodies.front()));
      const std::size_t other = find(static_cast<std::size_t>(body));
      leader[std::max(one, other)] = std::min(one, other);
    }
  }
  for (std::size_t b = 0; b < leader.size(); ++b) leader[b] = find(b);
  return leader;
}

}  // namespace

std::vector<BodySize> find_body_sizes(const System& system, const Workspace& ws) {
  const SystemInfo& info = system.info();
  if (info.bodies.empty() || info.row_units.empty() || &system.start_system() != &system) return {};
  const std::vector<std::vector<BodyRow>> rows = list_length_rows(info, ws);
  const std::vector<std::size_t> leader = find_leaders(info);
  std::vector<BodySize> sizes;
  Vector arms = Vector::Zero(static_cast<Eigen::Index>(info.bodies.size()));  // per leader
  Vector lengths = arms;
  for (std::size_t b = 0; b < info.bodies.size(); ++b) {
    BodySize size{find_middle(info.bodies[b], rows[b]), 0.0, 0.0};
    const double arm = find_longest(rows[b], Matrix::Zero(size.middle.rows(), size.middle.cols()));
    const double own = find_longest(rows[b], size.middle);
    if (own > kOnePoint * arm) size.own = own;
    const auto group = static_cast<Eigen::Index>(leader[b]);
    arms[group] = std::max(arms[group], arm);
    lengths[group] = std::max(lengths[group], size.own);
    sizes.push_back(std::move(size));
  }
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const auto group = static_cast<Eigen::Index>(leader[b]);
    const double largest = lengths[group] > 0.0 ? lengths[group] : arms[group];
    sizes[b].length = sizes[b].own > 0.0 ? std::sqrt(sizes[b].own * largest) : largest;
  }
  return sizes;
}

BlockMatrix make_drawn_scaling(const SystemInfo& info, const std::vector<BodySize>& sizes) {
  if (sizes.empty()) return {};
  std::vector<BlockPlace> places;
  for (const BodyInfo& body : info.bodies)
    places.push_back({body.rate, body.rate, body.rates, body.rates});
  BlockMatrix scaling(info.nv, info.nv, places);
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const BodyInfo& body = info.bodies[b];
    const double length = sizes[b].length > 0.0 ? sizes[b].length : 1.0;
    const int shifts = body.rates - body.turns;
    auto block = scaling.part(body.rate, body.rate, body.rates, body.rates);
    block.diagonal().head(shifts).setOnes();
    block.diagonal().tail(body.turns).setConstant(1.0 / length);
    block.topRightCorner(shifts, body.turns) = -sizes[b].middle.transpose() / length;
  }
  return scaling;
}

Vector find_row_sizes(const SystemInfo& info, const Workspace& ws,
                      const std::vector<BodySize>& sizes) {
  Vector found = Vector::Zero(info.position_rows);
  if (info.row_units.empty()) return found;
  for (int i = 0; i < info.position_rows; ++i) {
    const std::string& unit = info.row_units[static_cast<std::size_t>(i)];
    if (unit == "rad" || unit == "1") found[i] = 1.0;
  }
  if (sizes.empty()) return found;
  const std::vector<int> body_of = find_bodies_of_rates(info);
  for (const Block& block : ws.jacobian.blocks()) {
    const auto b = static_cast<std::size_t>(body_of[static_cast<std::size_t>(block.column)]);
    const double length = sizes[b].length;
    const Eigen::Map<const Matrix> values(ws.jacobian.data() + block.first, block.rows,
                                          block.columns);
    for (int i = block.row; i < block.row + block.rows && i < info.position_rows; ++i) {
      const std::string& unit = info.row_units[static_cast<std::size_t>(i)];
      if (unit == "rad" || unit == "1") continue;
      if (unit == "m") {
        if (length > 0.0) found[i] = found[i] > 0.0 ? std::min(found[i], length) : length;
        continue;
      }
      const BodyRow row = split_row(info.bodies[b], values.row(i - block.row));
      found[i] = std::max(
          found[i], std::hypot(length * row.n.norm(), (row.a - sizes[b].middle * row.n).norm()));
    }
  }
  return found;
}

}  // namespace driftless
