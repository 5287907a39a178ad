// Which engine solves: by the size of the system, and by how its rows lie on its bodies.

#include <algorithm>

#include "driftless/saddle/body_masses.hpp"
#include "driftless/saddle/columns.hpp"
#include "driftless/saddle/padded.hpp"
#include "driftless/saddle/sparse.hpp"

namespace driftless {
namespace {

constexpr int kTiny = 4;  // rows of any form up to which the dense engine is faster

bool have_all(const BlockMatrix& mass, int rates) {
  return std::all_of(mass.blocks().begin(), mass.blocks().end(),
                     [&](const Block& body) { return body.columns == rates; });
}

}  // namespace

std::optional<EngineKind> find_engine_kind(std::string_view name) {
  if (name == "auto") return EngineKind::automatic;
  if (name == "dense") return EngineKind::dense;
  if (name == "sparse") return EngineKind::sparse;
  return {};
}

bool fits_sparse_engine(const BlockMatrix& mass, const BlockMatrix& jacobian) {
  if (mass.columns() == 0)
    return false;  // joint coordinates of bodies that are all fixed: no blocks at all
  if (!BodyMasses::fits(mass, jacobian)) return false;
  return std::all_of(jacobian.strips().begin(), jacobian.strips().end(),
                     [](const Strip& strip) { return strip.rows <= kLargestStrip; });
}

std::unique_ptr<SaddleEngine> make_saddle(const BlockMatrix& mass, const BlockMatrix& jacobian,
                                          int rows, EngineKind kind, RowForm form,
                                          const EvenMasses& even) {
  const bool is_tiny =
      rows == 0 || (kind == EngineKind::automatic && form == RowForm::any && rows <= kTiny);
  if (kind == EngineKind::dense || (is_tiny && mass.columns() <= kFewRates) ||
      !fits_sparse_engine(mass, jacobian))
    return make_dense_saddle(mass.columns(), rows, even);
  if (have_all(mass, 3) && is_worth_padding(jacobian, rows, 2))
    return make_padded_saddle(mass, jacobian, rows, 2, RowForm::any, even);
  // Balls alone have an engine of their own.
  if (have_all(mass, 6) && is_worth_padding(jacobian, rows, 5))
    return make_padded_saddle(mass, jacobian, rows, 5, form, even);
  return make_sparse_saddle(mass, jacobian, rows, form, even);
}

}  // namespace driftless
