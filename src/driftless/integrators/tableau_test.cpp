// Every tableau against the order conditions, and the checker against tables that are wrong.

#include "driftless/integrators/tableau.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/order_conditions.hpp"

namespace driftless {
namespace {

using Rows = std::vector<std::vector<double>>;

std::vector<Tableau> make_all() {
  return {make_euler_tableau(), make_heun_tableau(),   make_kutta3_tableau(),
          make_rk4_tableau(),   make_dopri5_tableau(), make_dop853_tableau()};
}

// The message of the ModelError that check_tableau throws; empty: none.
std::string find_fault(const Tableau& tableau) {
  try {
    check_tableau(tableau);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

std::vector<double> subtract(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

// The whole method with dense output: stages, the end slope as one more stage, the extra stages.
Rows make_extended_rows(const Tableau& m) {
  Rows rows = m.a;
  if (!m.fsal) rows.push_back(m.b);
  rows.insert(rows.end(), m.dense.a.begin(), m.dense.a.end());
  return rows;
}

// The weights b(theta) of the slopes in [RK.4] without a correction: r1 = h sum b_i k_i.
std::vector<double> calc_dense_weights(const Tableau& m, double theta) {
  const std::size_t n = make_extended_rows(m).size();
  const std::size_t end = m.fsal ? m.b.size() - 1 : m.b.size();
  std::vector<double> weights(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double f0 = i == 0 ? 1.0 : 0.0;
    const double f1 = i == end ? 1.0 : 0.0;
    std::vector<double> r(3);
    r[0] = i < m.b.size() ? m.b[i] : 0.0;
    r[1] = f0 - r[0];
    r[2] = 2.0 * r[0] - f0 - f1;
    for (const auto& row : m.dense.d) r.push_back(row[i]);
    for (std::size_t k = r.size(); k-- > 0;) {
      weights[i] = (weights[i] + r[k]) * (k % 2 == 0 ? theta : 1.0 - theta);
    }
  }
  return weights;
}

TEST(RootedTrees, AreAsManyAsTheyShouldBe) {
  const std::vector<RootedTree> trees = make_rooted_trees(8);
  std::vector<int> count(9);
  for (const RootedTree& tree : trees) ++count[static_cast<std::size_t>(tree.order)];
  EXPECT_EQ(count, (std::vector<int>{0, 1, 1, 2, 4, 9, 20, 48, 115}));
  EXPECT_EQ(to_string(trees, 0), "[]");
  EXPECT_EQ(to_string(trees, 1), "[[]]");
  EXPECT_EQ(trees[1].density, 2.0);
  const std::map<std::string, double> densities{
      {"[[][]]", 3.0}, {"[[[]]]", 6.0}, {"[[[]][]]", 8.0}, {"[[[][]]]", 12.0}, {"[[[[]]]]", 24.0}};
  std::size_t found = 0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const auto known = densities.find(to_string(trees, t));
    if (known == densities.end()) continue;
    EXPECT_EQ(trees[t].density, known->second) << known->first;
    ++found;
  }
  EXPECT_EQ(found, densities.size());
}

// Up to its order every condition holds to rounding; at the next order one of them fails.
TEST(Tableaus, MeetAllOrderConditionsAndNoMore) {
  for (const Tableau& m : make_all()) {
    EXPECT_EQ(find_fault(m), "") << m.name;
    EXPECT_LT(calc_worst_defect(m.a, m.b, m.order).residual, 2e-14) << m.name;
    const OrderDefect beyond = calc_worst_defect(m.a, m.b, m.order + 1);
    EXPECT_GT(beyond.residual, 1e-8) << m.name;
    EXPECT_EQ(beyond.order, m.order + 1) << m.name;
  }
}

TEST(Tableaus, EmbeddedSolutionsHaveTheirOrders) {
  const auto expect_order = [](const Tableau& m, const std::vector<double>& e, int order) {
    const std::vector<double> b = subtract(m.b, e);
    EXPECT_LT(calc_worst_defect(m.a, b, order).residual, 2e-14) << m.name << ", order " << order;
    EXPECT_GT(calc_worst_defect(m.a, b, order + 1).residual, 1e-6) << m.name << ", " << order + 1;
  };
  expect_order(make_dopri5_tableau(), make_dopri5_tableau().e, 4);
  expect_order(make_dop853_tableau(), make_dop853_tableau().e, 5);
  expect_order(make_dop853_tableau(), make_dop853_tableau().e_low, 3);
}

TEST(Tableaus, NodesAreRowSums) {
  const auto expect_sum = [](const std::string& name, const std::vector<double>& row, double c) {
    double sum = 0.0, size = 1.0;
    for (const double a : row) {
      sum += a;
      size += std::abs(a);  // each entry is rounded
    }
    EXPECT_NEAR(sum, c, 3e-16 * size) << name;
  };
  for (const Tableau& m : make_all()) {
    for (std::size_t i = 0; i < m.c.size(); ++i) expect_sum(m.name, m.a[i], m.c[i]);
    for (std::size_t i = 0; i < m.dense.c.size(); ++i) {
      expect_sum(m.name, m.dense.a[i], m.dense.c[i]);
    }
  }
}

TEST(Tableaus, DenseOutputsMeetTheOrderConditionsBetweenTheEnds) {
  for (const Tableau& m : make_all()) {
    const Rows rows = make_extended_rows(m);
    const int order = std::min(m.order, m.dense_order);
    for (const double theta : {0.1, 0.3, 0.5, 0.77, 1.0}) {
      const std::vector<double> b = calc_dense_weights(m, theta);
      EXPECT_LT(calc_worst_defect(rows, b, order, theta).residual, 2e-14) << m.name << " " << theta;
    }
    const std::vector<double> b = calc_dense_weights(m, 0.3);
    EXPECT_GT(calc_worst_defect(rows, b, order + 1, 0.3).residual, 1e-8) << m.name;
  }
}

TEST(Tableaus, OneFlippedSignIsFound) {
  for (const Tableau& m : make_all()) {
    const auto expect_fault = [&](const Tableau& wrong, const std::string& what) {
      EXPECT_NE(find_fault(wrong), "") << m.name << ": " << what;
      EXPECT_GT(calc_worst_defect(wrong.a, wrong.b, m.order).residual, 1e-6) << m.name << what;
    };
    for (std::size_t i = 0; i < m.b.size(); ++i) {
      Tableau wrong = m;
      wrong.b[i] = -wrong.b[i];
      if (m.b[i] != 0.0) expect_fault(wrong, "b" + std::to_string(i));
      if (m.fsal && i + 1 == m.b.size()) continue;  // the last row has no weight in b
      for (std::size_t j = 0; j < m.a[i].size(); ++j) {
        wrong = m;
        wrong.a[i][j] = -wrong.a[i][j];
        wrong.c[i] += 2.0 * wrong.a[i][j];  // so that the row sum does not give it away
        if (m.a[i][j] != 0.0) expect_fault(wrong, "a" + std::to_string(i) + std::to_string(j));
      }
    }
  }
}

TEST(Tableaus, OneFlippedSignInAnErrorWeightIsFound) {
  for (const Tableau& m : {make_dopri5_tableau(), make_dop853_tableau()}) {
    for (std::size_t i = 0; i < m.e.size(); ++i) {
      if (m.e[i] == 0.0) continue;
      Tableau wrong = m;
      wrong.e[i] = -wrong.e[i];
      EXPECT_NE(find_fault(wrong), "") << m.name << ": e" << i;
    }
  }
}

// The rows of [RK.5] end at these points, and are of order 2 there: sum_j abar_ij c_j = c^2/2.
TEST(Tableaus, ConstraintsOfHalfExplicitStagesAreWhereTheyBelong) {
  const auto check = [](const Tableau& m, std::size_t stage, double c) {
    const std::vector<double>& row = m.half_explicit[stage];
    double sum = 0.0, moment = 0.0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      sum += row[j];
      moment += row[j] * m.c[j];
    }
    EXPECT_NEAR(sum, c, 1e-14) << m.name << " " << stage;
    EXPECT_NEAR(moment, 0.5 * c * c, 1e-13) << m.name << " " << stage;
  };
  check(make_hedop5_tableau(), 6, 19.0 / 20);
  const double points[] = {3.0 / 8, 5.0 / 7, 1.0, 1.0, 19.0 / 30};
  for (std::size_t k = 0; k < std::size(points); ++k)
    check(make_phem56_tableau(), k + 2, points[k]);
}

TEST(TableauCheck, NamesTheEntry) {
  const auto expect_word = [](auto change, const std::string& word) {
    Tableau m = make_rk4_tableau();
    change(m);
    EXPECT_NE(find_fault(m).find(word), std::string::npos) << word << " in:\n" << find_fault(m);
  };
  expect_word([](Tableau& m) { m.b.clear(); }, "b is empty");
  expect_word([](Tableau& m) { m.c.pop_back(); }, "c has 3 entries, must have 4");
  expect_word([](Tableau& m) { m.a[2] = {1.0}; }, "a[2] has 1 entries");
  expect_word([](Tableau& m) { m.a[1] = {0.5, 0.25}; }, "a[1][1] = 0.25");
  expect_word([](Tableau& m) { m.a[2][1] = 0.4; }, "the sum of a[2] is 0.4");
  expect_word([](Tableau& m) { m.b[3] = 0.1; }, "the sum of b");
  expect_word([](Tableau& m) { m.b[3] = std::nan(""); }, "b[3] = nan");
  expect_word([](Tableau& m) { m.order = 5; }, "order = 5, but the order condition of the tree");
  expect_word([](Tableau& m) { m.order = 0; }, "order = 0");
  expect_word([](Tableau& m) { m.growth = 0.5; }, "growth = 0.5");
  expect_word([](Tableau& m) { m.fsal = true; }, "fsal, but a[3][0]");
  expect_word([](Tableau& m) { m.error_order = 3; }, "error_order = 3 with 0 error weights");
  expect_word(
      [](Tableau& m) {
        m.e = {1.0, 0.0, 0.0, -1.0}, m.error_order = 3;
      },
      "error_order = 3");
  expect_word([](Tableau& m) { m.dense.d = {{1.0}}; }, "dense.d[0] has 1 entries, must have 5");
}

TEST(TableauCheck, AcceptsFullRowsWithZeros) {
  Tableau m = make_rk4_tableau();
  for (auto& row : m.a) row.resize(4, 0.0);
  EXPECT_EQ(find_fault(m), "");
}

}  // namespace
}  // namespace driftless
