#include "driftless/saddle/separate_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
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
  [[gnu::always_inline]] void add(const Lanes& other, const Lanes& factor) {
    for (int v = 0; v < V; ++v) x[v] += other.x[v] * factor.x[v];
  }
  /// Four parts of the scalar product.
  [[gnu::always_inline]] Lanes<1> multiply(const Lanes& other) const {
    Lanes<1> sum = {x[0] * other.x[0]};
    for (int v = 1; v < V; ++v) sum.x[0] += x[v] * other.x[v];
    return sum;
  }
};

/// Whether a number is not 0: any bit of them but the sign.
[[gnu::always_inline]] inline bool is_any(const double* x, int n) {
  std::uint64_t bits = 0;
  for (int k = 0; k < n; ++k) bits |= std::bit_cast<std::uint64_t>(x[k]);
  return bits << 1 != 0;
}

/// The sum of each of four registers.
[[gnu::always_inline]] inline Lanes<1> sum_each(const Lanes<1>& a, const Lanes<1>& b,
                                                const Lanes<1>& c, const Lanes<1>& d) {
  const auto pairs = [](const Four& one, const Four& two) __attribute__((always_inline)) {
    return Lanes<1>{__builtin_shufflevector(one, two, 0, 4, 2, 6) +
                    __builtin_shufflevector(one, two, 1, 5, 3, 7)};
  };
  const Lanes<1> ab = pairs(a.x[0], b.x[0]), cd = pairs(c.x[0], d.x[0]);
  return {__builtin_shufflevector(ab.x[0], cd.x[0], 0, 1, 4, 5) +
          __builtin_shufflevector(ab.x[0], cd.x[0], 2, 3, 6, 7)};
}

}  // namespace

/// Of M rows.
template <int M>
struct SeparateRows::Passes {
  static constexpr int V = (M + kLanes - 1) / kLanes;
  static constexpr int kWidth = V * kLanes;
  using Column = Lanes<V>;

  [[gnu::always_inline]] static bool factorize(SeparateRows& rows, const CholeskyFactor& lower,
                                               const double* G, Eigen::Index stride) {
    Column K[M];
    for_each(
        kRows, [&](auto j) __attribute__((always_inline)) { K[j] = Column::zero(); });
    set_columns(
        rows.c_.data(), lower, G, stride,
        rows.n_, [&](const Column& own) __attribute__((always_inline)) {
          for_each(
              kRows, [&](auto j) __attribute__((always_inline)) { K[j].add(own, own.at(j)); });
        });
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
    set_moves(rows, lower);
    return true;
  }

  [[gnu::always_inline]] static void solve(const SeparateRows& rows, const CholeskyFactor& lower,
                                           const double* f, const double* b, double* x,
                                           double* lambda) {
    const int n = rows.n_;
    const bool has_forces = is_any(f, n);  // most solutions are projections
    auto right = Column::template load_some<M>(b);
    if (has_forces) {
      const double* c = rows.c_.data();
      for (int k = 0; k < n; ++k) x[k] = f[k];
      lower.solve(x);
      for (int k = 0; k < n; ++k, c += kWidth) right.add(Column::load(c), -x[k]);
      lower.solve_transposed(x);
    }
    auto y = Column::zero();
    for_each(
        kRows, [&](auto j) __attribute__((always_inline)) {
          y.add(Column::load(rows.k_.data() + j * kWidth), right.at(j));
        });
    const double* t = rows.t_.data();
    for (int k = 0; k < n; k += kLanes, t += kLanes * kWidth) {
      const auto moved = sum_each(Column::load(t).multiply(y), Column::load(t + kWidth).multiply(y),
                                  Column::load(t + 2 * kWidth).multiply(y),
                                  Column::load(t + 3 * kWidth).multiply(y));
      for (int i = 0; i < kLanes && k + i < n; ++i)
        x[k + i] = has_forces ? x[k + i] + moved.at(i) : moved.at(i);
    }
    for_each(
        kRows, [&](auto i) __attribute__((always_inline)) { lambda[i] = -y.at(i); });
  }

  /// The largest length of a row of `rate`, squared, relative to that row of G.
  [[gnu::always_inline]] static double find_change(SeparateRows& rows, const CholeskyFactor& lower,
                                                   const double* rate, Eigen::Index stride) {
    auto sum = Column::zero();
    set_columns(
        rows.rate_.data(), lower, rate, stride,
        rows.n_, [&](const Column& own) __attribute__((always_inline)) { sum.add(own, own); });
    double largest = 0.0;
    for_each(
        kRows, [&](auto j) __attribute__((always_inline)) {
          largest = std::max(largest, sum.at(j) / rows.squares_[j]);
        });
    return largest;
  }

 private:
  static constexpr auto kRows = std::make_integer_sequence<int, M>();

  template <class Use, int... I>
  [[gnu::always_inline]] static void for_each(std::integer_sequence<int, I...>, Use&& use) {
    (use(std::integral_constant<int, I>()), ...);
  }

  /// Those of G L⁻ᵀ, one after the other.
  template <class Use>
  [[gnu::always_inline]] static void set_columns(double* const columns, const CholeskyFactor& lower,
                                                 const double* G, Eigen::Index stride, int n,
                                                 Use use) {
    for (int k = 0; k < n; ++k, G += stride) {
      auto own = Column::template load_some<M>(G);
      if (!lower.is_diagonal())
        for (int j = 0; j < k; ++j) own.add(Column::load(columns + j * kWidth), -lower.at(k, j));
      own.scale(lower.inverse_pivot(k));
      own.store(columns + k * kWidth);
      use(own);
    }
  }

  /// T = L⁻ᵀ Cᵀ, row by row.
  [[gnu::always_inline]] static void set_moves(SeparateRows& rows, const CholeskyFactor& lower) {
    const double* const c = rows.c_.data();
    double* const t = rows.t_.data();
    for (int k = rows.n_ - 1; k >= 0; --k) {
      auto own = Column::load(c + k * kWidth);
      if (!lower.is_diagonal())
        for (int j = k + 1; j < rows.n_; ++j)
          own.add(Column::load(t + j * kWidth), -lower.at(j, k));
      own.scale(lower.inverse_pivot(k));
      own.store(t + k * kWidth);
    }
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
  rate_ = c_;
  t_.assign(static_cast<std::size_t>(width_ * ((rates + kLanes - 1) / kLanes * kLanes)), 0.0);
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
                                       const double* b, double* x, double* lambda) const {
    DRIFTLESS_FOR_ROWS(solve(*this, lower, f, b, x, lambda))}

DRIFTLESS_HOT double SeparateRows::find_change(const CholeskyFactor& lower, const double* rate,
                                               Eigen::Index stride) {
  DRIFTLESS_FOR_ROWS(find_change(*this, lower, rate, stride))
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
