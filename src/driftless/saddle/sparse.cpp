// The sizes for which the sparse engine is compiled, and the choice among them.

#include "driftless/saddle/sparse.hpp"

#include "driftless/base/hot.hpp"
#include "driftless/saddle/sparse_class.hpp"

namespace driftless {
namespace sparse_passes {

// As tried, these are worth it; in blocks of any size the loops over their rows take the time.
using PlanePins = SparseSaddle<2, 3, GapRows<2, 3>>;
using PlaneRows = SparseSaddle<2, 3, AnyRows<2, 3>>;
using SpaceBalls = SparseSaddle<3, 6, GapRows<3, 6>>;
using SpaceHinges = SparseSaddle<5, 6, GapRows<5, 6>>;
using SpaceRows = SparseSaddle<5, 6, AnyRows<5, 6>>;
#define DRIFTLESS_PASSES(Engine)                                                              \
  template <>                                                                                 \
  DRIFTLESS_HOT void decompose(Engine& engine, const BlockMatrix& G, bool mass_changed,       \
                               double threshold, const double* b) {                           \
    engine.pass_decompose(G, mass_changed, threshold, b);                                     \
  }                                                                                           \
  template <>                                                                                 \
  DRIFTLESS_HOT void find_motion(Engine& engine, const double* f, const double* b, double* x, \
                                 double* lambda) {                                            \
    engine.pass_motion(f, b, x, lambda);                                                      \
  }                                                                                           \
  template <>                                                                                 \
  DRIFTLESS_HOT void finish_motion(Engine& engine, double* x, double* lambda) {               \
    engine.pass_finish(x, lambda);                                                            \
  }                                                                                           \
  template <>                                                                                 \
  DRIFTLESS_HOT double estimate_value(Engine& engine) {                                       \
    return engine.pass_estimate();                                                            \
  }                                                                                           \
  template <>                                                                                 \
  DRIFTLESS_HOT void add_squares(Engine& engine, const double* rows) {                        \
    engine.pass_squares(rows);                                                                \
  }
DRIFTLESS_PASSES(PlanePins)
DRIFTLESS_PASSES(PlaneRows)
DRIFTLESS_PASSES(SpaceBalls)
DRIFTLESS_PASSES(SpaceHinges)
DRIFTLESS_PASSES(SpaceRows)

/// The one number of rows per strip, and of columns per block; 0 if they differ.
template <class List, class Get>
int find_common(const List& list, Get get) {
  if (list.empty()) return 0;
  const int first = get(list.front());
  const bool all =
      std::all_of(list.begin(), list.end(), [&](const auto& each) { return get(each) == first; });
  return all ? first : 0;
}

template <int R, int C>
std::unique_ptr<SaddleEngine> make_for_any(const BlockMatrix& mass, const BlockMatrix& jacobian,
                                           int rows, const EvenMasses& even) {
  return std::make_unique<SparseSaddle<R, C, AnyRows<R, C>>>(mass, jacobian, rows, even);
}
template <int R, int C>
std::unique_ptr<SaddleEngine> make_for_gaps(const BlockMatrix& mass, const BlockMatrix& jacobian,
                                            int rows, const EvenMasses& even) {
  return std::make_unique<SparseSaddle<R, C, GapRows<R, C>>>(mass, jacobian, rows, even);
}

}  // namespace sparse_passes

std::unique_ptr<SaddleEngine> make_sparse_saddle(const BlockMatrix& mass,
                                                 const BlockMatrix& jacobian, int rows,
                                                 RowForm form, const EvenMasses& even) {
  using namespace sparse_passes;
  const int strip = find_common(jacobian.strips(), [](const Strip& each) { return each.rows; });
  const int body = find_common(mass.blocks(), [](const Block& each) { return each.columns; });
  if (form == RowForm::gaps) {
    if (body == 3 && strip == 2) return make_for_gaps<2, 3>(mass, jacobian, rows, even);
    if (body == 6 && strip == 3) return make_for_gaps<3, 6>(mass, jacobian, rows, even);
    if (body == 6 && strip == 5) return make_for_gaps<5, 6>(mass, jacobian, rows, even);
    if (body == 6) return make_for_gaps<0, 6>(mass, jacobian, rows, even);
  }
  if (body == 3 && strip == 2) return make_for_any<2, 3>(mass, jacobian, rows, even);
  if (body == 6 && strip == 5) return make_for_any<5, 6>(mass, jacobian, rows, even);
  if (body == 6) return make_for_any<0, 6>(mass, jacobian, rows, even);
  return make_for_any<0, 0>(mass, jacobian, rows, even);
}

}  // namespace driftless
