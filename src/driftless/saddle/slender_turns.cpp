#include "driftless/saddle/slender_turns.hpp"

#include "driftless/saddle/saddle.hpp"

namespace driftless {
namespace {

/// Unit masses, a body per strip of the first `rows` rows.
BlockMatrix make_strip_masses(const BlockMatrix& jacobian, int rows) {
  std::vector<BlockPlace> places;
  for (int row = 0; row < rows; row += places.back().rows) {
    const Strip* strip = jacobian.find_strip(row);
    const int size = strip != nullptr ? strip->rows : 1;
    places.push_back({row, row, size, size});
  }
  BlockMatrix mass(rows, rows, std::move(places));
  for (int i = 0; i < rows; ++i) mass.at(i, i) = 1.0;
  return mass;
}

/// (G N)ᵀ of rows at length 1 in the metric of M̃, which `masses` are. Each of its rows has the share that turns have in
/// all that the rows hold of the rod.
BlockMatrix make_turn_rows(const BodyMasses& masses, const BlockMatrix& jacobian, int rows) {
  constexpr int kShifts = 3;
  Vector own = Vector::Zero(rows);
  std::vector<std::vector<std::pair<const Block*, Vector>>> parts_at(  // per first column
      static_cast<std::size_t>(jacobian.columns()));
  for (const Block& block : jacobian.blocks()) {
    if (block.row >= rows) continue;
    const Eigen::Map<const Matrix> G(jacobian.data() + block.first, block.rows, block.columns);
    const Eigen::Map<const Matrix> inverse(masses.inverse_at(block.column), block.columns,
                                           block.columns);
    Vector squares = (G * inverse).cwiseProduct(G).rowwise().sum();
    own.segment(block.row, block.rows) += squares;
    parts_at[static_cast<std::size_t>(block.column)].emplace_back(&block, std::move(squares));
  }
  const auto& lifts = masses.lifts();
  const auto parts_of = [&](const BodyMasses::Lift& lift) -> const auto& {
    return parts_at[static_cast<std::size_t>(lift.column - kShifts)];
  };
  std::vector<BlockPlace> places;
  for (int k = 0; k < std::ssize(lifts); ++k) {
    for (const auto& [block, squares] : parts_of(lifts[static_cast<std::size_t>(k)]))
      places.push_back({k, block->row, 1, block->rows});
  }
  BlockMatrix turns(static_cast<int>(lifts.size()), rows, std::move(places));
  for (int k = 0; k < turns.rows(); ++k) {
    const BodyMasses::Lift& lift = lifts[static_cast<std::size_t>(k)];
    double about = 0.0, whole = 0.0;
    for (const auto& [block, squares] : parts_of(lift)) {
      const Eigen::Map<const Matrix> G(jacobian.data() + block->first, block->rows, block->columns);
      for (int i = 0; i < block->rows; ++i) {
        const double length = std::sqrt(own[block->row + i]);
        if (!(length > 0.0)) continue;
        const double turn =
            G.row(i).tail<3>().dot(Eigen::Map<const Eigen::RowVector3d>(lift.axis)) / length;
        turns.row(k)[block->row + i] = turn;
        about += turn * turn / lift.inertia;
        whole += squares[i] / own[block->row + i];
      }
    }
    turns.set_share(k, whole > 0.0 ? std::sqrt(about / whole) : 0.0);
  }
  return turns;
}

}  // namespace

bool are_turns_held(const BlockMatrix& mass, const BlockMatrix& jacobian, int rows) {
  BodyMasses masses(mass, BodyMasses::kAsAcross);
  if (!masses.set(mass)) return false;
  if (masses.lifts().empty()) return true;
  const BlockMatrix turns = make_turn_rows(masses, jacobian, rows);
  for (int k = 0; k < turns.rows(); ++k)
    if (turns.find_strip(k) == nullptr) return false;  // no row has to do with the rod
  const BlockMatrix strips = make_strip_masses(jacobian, rows);
  const auto engine = make_saddle(strips, turns, turns.rows(), EngineKind::sparse);
  return engine->factorize(strips, true, turns, 0.0) && engine->rank() == turns.rows();
}

}  // namespace driftless
