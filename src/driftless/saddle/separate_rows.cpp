#include "driftless/saddle/separate_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "driftless/base/hot.hpp"
#include "driftless/math/kernels.hpp"

namespace driftless {
namespace {

constexpr int kLanes = 4;
using Four = double __attribute__((vector_size(kLanes * sizeof(double))));

/// A column of V registers.
template <int V>
struct Lanes {
  Four x[V];

  [[gnu::always_inline]] static Lanes zero() {
    Lanes lanes;
    for (int v = 0; v < V; ++v) lanes.x[v] = Four{};
    return lanes;
  }
  [[gnu::always_inline]] static Lanes load(const double* from) {
    Lanes lanes;
    for (int v = 0; v < V; ++v) std::memcpy(&lanes.x[v], from + v * kLanes, sizeof(Four));
    return lanes;
  }
  [[gnu::always_inline]] void store(double* to) const {
    for (int v = 0; v < V; ++v) std::memcpy(to + v * kLanes, &x[v], sizeof(Four));
  }
  /// The first ones; the others are 0.
  template <int Count>
  [[gnu::always_inline]] static Lanes load_some(const double* from) {
    Lanes lanes = zero();
    for (int i = 0; i < Count; ++i) lanes.set(i, from[i]);
    return lanes;
  }
  [[gnu::always_inline]] double at(int i) const { return x[i / kLanes][i % kLanes]; }
  [[gnu::always_inline]] void set(int i, double value) { x[i / kLanes][i % kLanes] = value; }
  [[gnu::always_inline]] void add(const Lanes& other, double factor) {
    for (int v = 0; v < V; ++v) x[v] += other.x[v] * factor;
  }
  [[gnu::always_inline]] void scale(double factor) {
    for (int v = 0; v < V; ++v) x[v] *= factor;
  }
  [[gnu::always_inline]] double dot(const Lanes& other) const {
    Four sum = x[0] * other.x[0];
    for (int v = 1; v < V; ++v) sum += x[v] * other.x[v];
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }
};

}  // namespace

/// Of M rows.
template <int M>
struct SeparateRows::Passes {
  static constexpr int V = (M + kLanes - 1) / kLanes;
  static constexpr int kWidth = V * kLanes;
  using Column = Lanes<V>;

  [[gnu::always_inline]] static bool factorize(SeparateRows& rows, const CholeskyFactor& lower,
                                               const double* G, Eigen::Index stride) {
    const int n = rows.n_;
    double* const c = rows.c_.data();
    Column K[M];
    for_each(
        kRows, [&](auto j) __attribute__((always_inline)) { K[j] = Column::zero(); });
    for (int k = 0; k < n; ++k, G += stride) {
      auto own = Column::template load_some<M>(G);
      if (!lower.is_diagonal())
        for (int j = 0; j < k; ++j) own.add(Column::load(c + j * kWidth), -lower.at(k, j));
      own.scale(lower.inverse_pivot(k));
      own.store(c + k * kWidth);
      for_each(
          kRows, [&](auto j) __attribute__((always_inline)) { K[j].add(own, own.at(j)); });
    }
    double largest = 0.0;
    for_each(
        kRows, [&](auto j) __attribute__((always_inline)) {
          rows.squares_[j] = K[j].at(j);
          largest = std::max(largest, K[j].at(j));
        });
    if (!invert(K, rows, largest)) return false;
    for_each(
        kRows, [&](auto j)
                   __attribute__((always_inline)) { K[j].store(rows.k_.data() + j * kWidth); });
    return true;
  }

  [[gnu::always_inline]] static void solve(SeparateRows& rows, const CholeskyFactor& lower,
                                           const double* f, const double* b, double* x,
                                           double* lambda) {
    const int n = rows.n_;
    const double* const c = rows.c_.data();
    bool has_forces = false;  // half of all solutions are projections
    for (int k = 0; k < n; ++k) {
      x[k] = f[k];
      has_forces |= f[k] != 0.0;
    }
    auto right = Column::template load_some<M>(b);
    if (has_forces) {
      lower.solve(x);
      for (int k = 0; k < n; ++k) right.add(Column::load(c + k * kWidth), -x[k]);
    }
    auto y = Column::zero();
    for_each(
        kRows, [&](auto j) __attribute__((always_inline)) {
          y.add(Column::load(rows.k_.data() + j * kWidth), right.at(j));
        });
    for (int k = 0; k < n; ++k) x[k] += Column::load(c + k * kWidth).dot(y);
    lower.solve_transposed(x);
    for_each(
        kRows, [&](auto i) __attribute__((always_inline)) { lambda[i] = -y.at(i); });
  }

 private:
  static constexpr auto kRows = std::make_integer_sequence<int, M>();

  template <class Use, int... I>
  [[gnu::always_inline]] static void for_each(std::integer_sequence<int, I...>, Use&& use) {
    (use(std::integral_constant<int, I>()), ...);
  }

  /// Row j is solved for its unknown, which takes the row's place.
  [[gnu::always_inline]] static bool invert(Column* K, SeparateRows& rows, double largest) {
    constexpr double kEnough = 0.1;      // of a row, squared
    constexpr double kNothing = 1e-290;  // a row that is 0, or nearly so beside others
    constexpr double kSmall = 1e-28;
    const double least = std::max(kNothing, kSmall * largest);
    double smallest = 1.0;
    bool is_enough = true;
    for_each(
        kRows, [&](auto j) __attribute__((always_inline)) {
          const double square = rows.squares_[j];
          const double pivot = K[j].at(j);
          is_enough = is_enough && square > least && pivot > kEnough * square;
          const double inverse = 1.0 / pivot;
          smallest = std::min(smallest, pivot / square);
          const Column exchanged = K[j];
          for_each(
              kRows, [&](auto k) __attribute__((always_inline)) {
                if constexpr (k != j) {
                  const double part = K[k].at(j) * inverse;
                  K[k].add(exchanged, -part);
                  K[k].set(j, part);
                }
              });
          K[j].scale(-inverse);
          K[j].set(j, inverse);
        });
    rows.smallest_ = smallest;  // of rows that are not enough their own nobody asks for it
    return is_enough;
  }
};

SeparateRows::SeparateRows(int rows, int rates)
    : m_(rows), n_(rates), width_((rows + kLanes - 1) / kLanes * kLanes) {
  c_.assign(static_cast<std::size_t>(width_ * n_), 0.0);
  k_.assign(static_cast<std::size_t>(width_ * m_), 0.0);
  squares_.assign(static_cast<std::size_t>(m_), 0.0);
}

// One of each number of rows: so the columns of K stay in registers, up to eight rows.
#define DRIFTLESS_FOR_ROWS(Call)      \
  switch (m_) {                       \
    case 1: return Passes<1>::Call;   \
    case 2: return Passes<2>::Call;   \
    case 3: return Passes<3>::Call;   \
    case 4: return Passes<4>::Call;   \
    case 5: return Passes<5>::Call;   \
    case 6: return Passes<6>::Call;   \
    case 7: return Passes<7>::Call;   \
    case 8: return Passes<8>::Call;   \
    case 9: return Passes<9>::Call;   \
    case 10: return Passes<10>::Call; \
    case 11: return Passes<11>::Call; \
    default: return Passes<12>::Call; \
  }

DRIFTLESS_HOT bool SeparateRows::factorize(const CholeskyFactor& lower, const double* G,
                                           Eigen::Index stride){
    DRIFTLESS_FOR_ROWS(factorize(*this, lower, G, stride))}

DRIFTLESS_HOT void SeparateRows::solve(const CholeskyFactor& lower, const double* f,
                                       const double* b, double* x, double* lambda) {
  DRIFTLESS_FOR_ROWS(solve(*this, lower, f, b, x, lambda))
}

double SeparateRows::smallest_pivot() const { return std::sqrt(smallest_); }

void SeparateRows::find_triangle(Matrix& R) const {
  R.setZero();
  for (int j = 0; j < m_; ++j) {
    for (int i = 0; i <= j; ++i) {
      double sum = 0.0;
      for (int k = 0; k < n_; ++k) {
        const double* const column = c_.data() + k * width_;
        sum += column[i] * column[j];
      }
      sum /= std::sqrt(square(i) * square(j));
      sum -= R.col(i).head(i).dot(R.col(j).head(i));
      R(i, j) = i < j ? sum / R(i, i) : std::sqrt(sum);
    }
  }
}

}  // namespace driftless
