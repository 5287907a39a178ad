// What makes a table of numbers an explicit Runge-Kutta method of the order it claims.
//
// A user's table is typed or printed with ten to sixteen digits: sums are compared to 1e-9, far
// above rounding and far below any misprint that matters.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/order_conditions.hpp"
#include "driftless/integrators/tableau.hpp"

namespace driftless {
namespace {

constexpr double kTolerance = 1e-9;
constexpr int kHighestCheckedOrder = 8;  // 200 trees

class Checker {
 public:
  explicit Checker(const Tableau& tableau) : m_(tableau), s_(tableau.b.size()) {}

  void run() {
    check_shape();
    faults_.finish();  // what follows indexes by the shape
    check_finite();
    faults_.finish();
    check_explicit();
    check_sums();
    check_fsal();
    faults_.finish();
    check_order();
    faults_.finish();
  }

 private:
  void add(const std::string& fault, const std::string& remedy = {}) {
    faults_.add({}, fmt::format("tableau '{}': {}", m_.name, fault), remedy);
  }

  void check_size(const char* key, std::size_t size, std::size_t wanted) {
    if (size != wanted) {
      add(fmt::format("{} has {} entries, must have {}", key, size, wanted),
          "b gives the number of stages; a, c, e and b must agree");
    }
  }

  void check_shape() {
    if (s_ == 0) return add("b is empty", "give at least one stage");
    check_size("a", m_.a.size(), s_);
    check_size("c", m_.c.size(), s_);
    if (!m_.e.empty()) check_size("e", m_.e.size(), s_ + (has_ends() ? 2 : 0));
    if (!m_.e_low.empty()) check_size("e_low", m_.e_low.size(), s_);
    for (std::size_t i = 0; i < m_.a.size(); ++i) {
      if (m_.a[i].size() < i || m_.a[i].size() > s_) {
        add(fmt::format("a[{}] has {} entries, must have {} (or {} with zeros)", i, m_.a[i].size(),
                        i, s_));
      }
    }
    if (m_.order < 1) add(fmt::format("order = {}: must be at least 1", m_.order));
    if (m_.e.empty() != (m_.error_order < 1)) {
      add(fmt::format("error_order = {} with {} error weights e", m_.error_order, m_.e.size()),
          "give both, or neither (e empty, error_order 0)");
    }
    if (m_.e.empty() && !m_.e_low.empty()) add("e_low is given without e");
    check_dense_shape();
    check_half_explicit();
  }

  void check_half_explicit() {
    if (m_.half_explicit.empty()) return;
    check_size("half_explicit", m_.half_explicit.size(), s_);
    for (std::size_t i = 0; i < m_.half_explicit.size(); ++i) {
      const std::vector<double>& row = m_.half_explicit[i];
      if (i == 0 && row.empty()) continue;
      if (row.size() != i + 1) {
        add(fmt::format("half_explicit[{}] has {} entries, must have {}", i, row.size(), i + 1));
      } else if (row.back() == 0.0) {
        add(fmt::format("half_explicit[{}][{}] = 0: must not be 0", i, i),
            "it is what the stage's own slope contributes to the point of its constraints");
      }
    }
  }

  void check_dense_shape() {
    const std::size_t extra = m_.dense.a.size();
    const std::size_t first = s_ + (m_.fsal ? 0 : 1);
    check_size("dense.c", m_.dense.c.size(), extra);
    for (std::size_t i = 0; i < extra; ++i) {
      if (m_.dense.a[i].size() != first + i) {
        add(fmt::format("dense.a[{}] has {} entries, must have {}", i, m_.dense.a[i].size(),
                        first + i));
      }
    }
    for (std::size_t i = 0; i < m_.dense.d.size(); ++i) {
      if (m_.dense.d[i].size() != first + extra) {
        add(fmt::format("dense.d[{}] has {} entries, must have {}", i, m_.dense.d[i].size(),
                        first + extra));
      }
    }
  }

  void check_finite(const std::string& key, const std::vector<double>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!std::isfinite(row[i])) {
        add(fmt::format("{}[{}] = {}: must be finite", key, i, row[i]));
      }
    }
  }

  void check_finite() {
    for (std::size_t i = 0; i < s_; ++i) check_finite(fmt::format("a[{}]", i), m_.a[i]);
    check_finite("b", m_.b);
    check_finite("c", m_.c);
    check_finite("e", m_.e);
    check_finite("e_low", m_.e_low);
    check_finite("dense.c", m_.dense.c);
    for (const auto& row : m_.dense.a) check_finite("dense.a", row);
    for (const auto& row : m_.dense.d) check_finite("dense.d", row);
    for (const auto& row : m_.half_explicit) check_finite("half_explicit", row);
    check_finite("pi_beta", {m_.pi_beta});
    if (!(m_.growth >= 1.0))
      add(fmt::format("growth = {}: must be at least 1, or steps only shrink", m_.growth));
    check_finite("growth", {m_.growth});
  }

  void check_explicit() {
    for (std::size_t i = 0; i < s_; ++i) {
      for (std::size_t j = i; j < m_.a[i].size(); ++j) {
        if (m_.a[i][j] != 0.0) {
          add(fmt::format("a[{}][{}] = {}: must be 0, the method is not explicit", i, j,
                          m_.a[i][j]),
              "stage i may use stages before it only");
        }
      }
    }
  }

  void check_sum(const std::string& key, const std::vector<double>& row, double wanted,
                 const std::string& meaning) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (!(std::abs(sum - wanted) <= kTolerance * std::max(1.0, std::abs(wanted)))) {
      add(fmt::format("the sum of {} is {}, must be {} = {}", key, sum, meaning, wanted),
          "look for a misprinted digit or sign in that row");
    }
  }

  void check_sums() {
    for (std::size_t i = 0; i < s_; ++i) {
      check_sum(fmt::format("a[{}]", i), m_.a[i], m_.c[i], fmt::format("c[{}]", i));
    }
    check_sum("b", m_.b, 1.0, "1");
    if (!m_.e.empty()) check_sum("e", m_.e, 0.0, "0");
    if (!m_.e_low.empty()) check_sum("e_low", m_.e_low, 0.0, "0");
    for (std::size_t i = 0; i < m_.dense.a.size(); ++i) {
      check_sum(fmt::format("dense.a[{}]", i), m_.dense.a[i], m_.dense.c[i],
                fmt::format("dense.c[{}]", i));
    }
  }

  // The engine takes the argument of the last stage as y1, so that row must be b to the last bit.
  void check_fsal() {
    if (!m_.fsal) return;
    if (m_.c.back() != 1.0) add(fmt::format("fsal, but c[{}] = {} is not 1", s_ - 1, m_.c.back()));
    for (std::size_t j = 0; j < s_; ++j) {
      const double a = j < m_.a.back().size() ? m_.a.back()[j] : 0.0;
      if (a != m_.b[j]) {
        add(fmt::format("fsal, but a[{}][{}] = {} is not b[{}] = {}", s_ - 1, j, a, j, m_.b[j]),
            "set fsal = false, or repeat b in the last row of a");
      }
    }
  }

  void check_order(const char* key, int claimed, const std::vector<double>& b) {
    std::vector<std::vector<double>> a = m_.a;
    if (b.size() > s_) {
      a.emplace_back();   // f0
      a.push_back(m_.b);  // f1
    }
    const OrderDefect worst = calc_worst_defect(a, b, std::min(claimed, kHighestCheckedOrder));
    if (!(worst.residual <= kTolerance)) {
      add(fmt::format("{} = {}, but the order condition of the tree {} of order {} fails by {:.1e}",
                      key, claimed, worst.tree, worst.order, worst.residual),
          fmt::format("lower {}, or look for a misprinted digit or sign in a, b, c or e", key));
    }
  }

  void check_order() {
    check_order("order", m_.order, m_.b);
    if (m_.e.empty()) return;
    std::vector<double> embedded = m_.b;
    embedded.resize(m_.e.size());
    for (std::size_t i = 0; i < m_.e.size(); ++i) embedded[i] -= m_.e[i];
    check_order("error_order", m_.e_low.empty() ? m_.error_order : 5, embedded);
  }

  /// The estimate has the slopes at both ends.
  bool has_ends() const { return !m_.half_explicit.empty() && m_.e.size() > s_; }

  const Tableau& m_;
  std::size_t s_;
  DiagnosticList faults_;
};

}  // namespace

void check_tableau(const Tableau& tableau) { Checker(tableau).run(); }

}  // namespace driftless
