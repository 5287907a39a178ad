// Redundant constraints share their load in ways that rigid bodies do not tell. Every choice of λ has the same
// constraint force Gᵀλ, so two of them differ by a vector of the null space of Gᵀ:
//   λ = λ₀ + Y c,      Gᵀ Y = 0                                                                                  [UNQ.1]
// and a reaction w·λ is unique if and only if Yᵀ w = 0, that is, if w lies in the range of G (Arnold, section 2.3).
// The columns of Y are random multipliers of which the part that G reaches is taken away (range_projection.hpp): for
// nearly all choices a few of them show whatever all show, so that many redundant rows cost no more than one. Rows are
// scaled to length 1 for it, as the saddle-point engines do it: with C = D⁻¹ G U, Cᵀ ν = 0 and λ = D⁻¹ ν. So neither a
// row's unit nor a factor in front of it decides. U compares turns with shifts by the lengths of a mechanism [DRW.9];
// elsewhere diag(M)^(-1/2) is enough, and exists for a singular M.
//
// A record need not be a reaction; it may be any expression of them, for example the sum of two that are not unique by
// themselves. Its w is its gradient with respect to λ, of which only the products with Y are needed: differences along
// each column of Y. They are exact for whatever is linear in λ, and 0 for any expression of what is unique. They are taken
// at a λ in no special position, because an expression such as a magnitude has no gradient at 0.               [UNQ.2]
//
// A record that no multiplier changes is unique. In numbers the torque about a hinge's own axis is round-off of the
// products that make it, as large as 1e-16 of what other records of the same multipliers are; and round-off depends on
// anything.

#include "driftless/assembly/uniqueness.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/random_numbers.hpp"
#include "driftless/math/range_projection.hpp"
#include "driftless/system/evaluator.hpp"

namespace driftless {
namespace {

constexpr double kUnique = 1e-7;  // relative to the record's other changes
constexpr int kDraws = 2;
constexpr double kChangeMisfits = 1e4;  // of redundant rows [DRW.3]
constexpr double kMostShared = 1e-2;
constexpr double kRoundOff = 1e-12;  // of a record's changes, relative to those of all

class RecordProbe {
 public:
  RecordProbe(const System& system, const State& state, Workspace& ws, Vector lambda)
      : system_(system),
        state_(state),
        ws_(ws),
        lambda_(std::move(lambda)),
        v_dot_(Vector::Zero(state.v.size())),
        values_(eval(lambda_)) {}

  /// Derivative of all records along a change of λ. [UNQ.2]
  Vector find_change(const Vector& direction) {
    constexpr double kStep = 1e-3;
    return (eval(lambda_ + kStep * direction) - values_) / kStep;
  }

 private:
  Vector eval(const Vector& lambda) {
    Vector values(static_cast<Eigen::Index>(system_.info().records.size()));
    system_.eval_records({state_.t, state_.q, state_.v, v_dot_, lambda}, ws_, values);
    return values;
  }

  const System& system_;
  const State& state_;
  Workspace& ws_;
  const Vector lambda_;
  const Vector v_dot_;
  const Vector values_;  // at lambda_
};

/// Of more rows than singular values are found for.
int find_engine_rank(const System& system, const State& state) {
  Evaluator at(system);
  at.set_configuration(state.t, state.q);
  at.set_velocity(state.v);
  return at.factorize(kDrawnTolerance) ? at.rank() : system.info().row_count();
}

template <class Visit>
void for_each_entry(BlockMatrix& matrix, Visit visit) {
  for (const Block& block : matrix.blocks()) {
    double* value = matrix.data() + block.first;
    for (int j = 0; j < block.columns; ++j)
      for (int i = 0; i < block.rows; ++i) visit(block.row + i, block.column + j, *value++);
  }
}

/// G := G U in place: U by lengths of a mechanism's bodies, or by masses.
void scale_columns(const SystemInfo& info, const std::vector<BodySize>& sizes,
                   const BlockMatrix& mass, BlockMatrix& rows) {
  if (sizes.empty()) {
    const Vector masses = mass.find_diagonal();
    for_each_entry(rows, [&](int, int column, double& value) {
      if (masses[column] > 0.0) value /= std::sqrt(masses[column]);
    });
    return;
  }
  const BlockMatrix unscaled = rows;
  multiply_right(unscaled, make_drawn_scaling(info, sizes), 1.0, rows);
}

/// Rows of length 1 in place; their lengths, 1 for rows that are 0.
Vector normalize_rows(BlockMatrix& rows) {
  Vector norms = Vector::Zero(rows.rows());
  for_each_entry(rows, [&](int row, int, double& value) { norms[row] += value * value; });
  for (double& norm : norms) norm = norm > 0.0 ? std::sqrt(norm) : 1.0;
  for_each_entry(rows, [&](int row, int, double& value) { value /= norms[row]; });
  return norms;
}

/// Y of [UNQ.1]; no columns if all rows are independent.
Matrix draw_free_multipliers(BlockMatrix rows, int rank, std::mt19937_64& random) {
  constexpr double kNothing = 1e-6;  // is left of what was drawn
  const Vector norms = normalize_rows(rows);
  RangeProjection range(rows, kMostDecidedRows + 1);
  Matrix free(rows.rows(), 0);
  if (!range.set(rows, rank)) return free;
  for (int k = 0; k < kDraws; ++k) {
    const Vector drawn = draw_vector(rows.rows(), random);
    const Vector outside = range.find_outside(drawn);
    if (!(outside.norm() > kNothing * drawn.norm())) break;
    free.conservativeResize(Eigen::NoChange, k + 1);
    free.col(k) = outside.cwiseQuotient(norms);
  }
  return free;
}

}  // namespace

UniquenessProbe::UniquenessProbe(const System& system)
    : system_(system), drawn_system_(system.start_system()), ws_(drawn_system_.make_workspace()) {}

void UniquenessProbe::set_rank(int engine_rank, const DrawnRank& drawn) {
  if (!drawn.is_known) return;  // each state is looked at
  engine_rank_ = engine_rank;
  drawn_ = drawn;
  rank_ = drawn.rank + drawn_system_.info().row_count() - system_.info().row_count();
}

void UniquenessProbe::count_rows(const State& state) {
  drawn_ = find_drawn_rank(drawn_system_, state);
  rank_ = drawn_.is_known ? drawn_.rank : find_engine_rank(drawn_system_, state);
}

NotUnique UniquenessProbe::find(const State& seen, int engine_rank) {
  const SystemInfo& info = drawn_system_.info();
  if (!info.records_need_reactions || info.row_count() == 0) return {};
  const State state = &drawn_system_ == &system_ ? seen : system_.find_drawn_state(seen);
  if (state.c.size() > 0) ws_->states = state.c;
  drawn_system_.eval_configuration(state.t, state.q, *ws_);
  drawn_system_.eval_velocity(state.t, state.q, state.v, *ws_);
  if (engine_rank < 0 || engine_rank != engine_rank_) count_rows(state);
  engine_rank_ = engine_rank;
  if (drawn_.is_known && rank_ == info.row_count()) return {};
  std::mt19937_64 random(20260301);
  BlockMatrix rows = ws_->jacobian;
  scale_columns(info, drawn_.bodies, ws_->mass, rows);
  const Matrix free = draw_free_multipliers(rows, rank_, random);
  if (free.cols() == 0) return {};

  const Vector sizes = free.rowwise().norm().cwiseMax(1e-3 * free.norm());
  const auto draw = [&]() -> Vector {
    return sizes.cwiseProduct(draw_vector(info.row_count(), random));
  };
  RecordProbe probe(drawn_system_, state, *ws_, draw());
  Vector size = Vector::Zero(static_cast<Eigen::Index>(info.records.size()));
  for (int k = 0; k < 2; ++k) size = size.cwiseMax(probe.find_change(draw()).cwiseAbs());
  Vector change = Vector::Zero(size.size());
  for (Eigen::Index k = 0; k < free.cols(); ++k)
    change = change.cwiseMax(probe.find_change(free.col(k)).cwiseAbs());

  NotUnique found;
  found.dimension = std::max(1, info.row_count() - rank_);
  const double least = kRoundOff * max_abs(size);
  // rows that cancel only to the misfit share a little in everything
  const double unique = std::clamp(kChangeMisfits * drawn_.misfit, kUnique, kMostShared);
  for (Eigen::Index k = 0; k < size.size(); ++k)
    if (size[k] > least && change[k] > unique * size[k])
      found.names.push_back(info.records[static_cast<std::size_t>(k)]);
  return found;
}

}  // namespace driftless
