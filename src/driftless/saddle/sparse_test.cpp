// The sparse engine against the dense one: chains, trees, ladders of loops and random graphs of bodies, regular and with
// redundant rows, mass ratios up to 1e12; straight chains of 1e5 bodies against the exact solution.

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "driftless/math/decompositions.hpp"
#include "driftless/saddle/elimination.hpp"
#include "driftless/saddle/random_test.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {
namespace {

class SparseSaddleExam : public RandomExam {
 protected:
  struct Problem {
    BlockMatrix mass, jacobian;
  };

  /// Bodies with `size` rates; a strip of `rows` (0: 1 to 6, -2: 1 or 2) between every body and one before it, or the ground, and
  /// `loops` more between any two.
  Problem make_graph(int bodies, int size, int rows, int loops, double ratio) {
    std::vector<BlockPlace> masses, places;
    for (int b = 0; b < bodies; ++b) masses.push_back({b * size, b * size, size, size});
    int row = 0;
    const auto add = [&](int a, int b) {
      const int count = rows > 0 ? rows : 1 + pick(rows < 0 ? -rows : std::min(6, size));
      places.push_back({row, b * size, count, size});
      if (a >= 0) places.push_back({row, a * size, count, size});
      row += count;
    };
    for (int b = 0; b < bodies; ++b) add(b == 0 ? -1 : b - 1 - pick(std::min(b, 3)), b);
    for (int k = 0; k < loops; ++k) {
      const int b = 1 + pick(bodies - 1);
      add(pick(b), b);
    }
    Problem problem{BlockMatrix(bodies * size, bodies * size, masses),
                    BlockMatrix(row, bodies * size, places)};
    for (int b = 0; b < bodies; ++b) {
      const Matrix A = Eigen::Map<const Matrix>(random_vector(size * size).data(), size, size);
      const double scale = std::pow(ratio, uniform(-0.5, 0.5));
      Eigen::Map<Matrix>(problem.mass.data() + b * size * size, size, size) =
          scale * (A * A.transpose() + Matrix::Identity(size, size));
    }
    for (double& each : Eigen::Map<Vector>(problem.jacobian.data(), count_values(problem.jacobian)))
      each = uniform(-1, 1);
    return problem;
  }

  static Eigen::Index count_values(const BlockMatrix& matrix) {
    const Block& last = matrix.blocks().back();
    return last.first + last.rows * last.columns;
  }

  /// Adds a joint of three rows that repeats one that is there, with its rows mixed.
  Problem repeat_a_joint(const Problem& given) {
    Problem problem = given;
    std::vector<BlockPlace> places;
    for (const Block& block : given.jacobian.blocks()) places.push_back(block);
    const Strip strip = given.jacobian.strips()[static_cast<std::size_t>(
        pick(static_cast<int>(given.jacobian.strips().size())))];
    const int row = given.jacobian.rows();
    for (int k = 0; k < strip.blocks; ++k) {
      BlockPlace copy = given.jacobian.blocks()[static_cast<std::size_t>(strip.first_block + k)];
      copy.row = row;
      places.push_back(copy);
    }
    Matrix whole(row + 3, given.jacobian.columns());
    const Matrix mix = Eigen::Map<const Matrix>(random_vector(9).data(), 3, 3);
    whole << given.jacobian.dense(), mix * given.jacobian.dense().middleRows(strip.row, 3);
    problem.jacobian = BlockMatrix(row + 3, given.jacobian.columns(), places);
    set_values(whole, problem.jacobian);
    return problem;
  }

  /// Of the rows at length 1 in the mass metric.
  static Vector find_row_values(const Problem& problem) {
    const Eigen::LLT<Matrix> mass(problem.mass.dense());
    Matrix C = mass.matrixL().solve(Matrix(problem.jacobian.dense().transpose())).transpose();
    for (Eigen::Index i = 0; i < C.rows(); ++i) C.row(i).normalize();
    return find_singular_values(C);
  }

  void compare(const Problem& problem, double tolerance) {
    const int rows = problem.jacobian.rows();
    const auto sparse = make_saddle(problem.mass, problem.jacobian, rows, EngineKind::sparse);
    const auto dense = make_saddle(problem.mass, problem.jacobian, rows, EngineKind::dense);
    ASSERT_TRUE(sparse->factorize(problem.mass, true, problem.jacobian, 1e-5));
    ASSERT_TRUE(dense->factorize(problem.mass, true, problem.jacobian, 1e-5));
    EXPECT_EQ(sparse->rank(), dense->rank());
    const Vector f = random_vector(problem.mass.columns());
    const Vector b = problem.jacobian.dense() * random_vector(problem.mass.columns());
    Vector x = f, lambda = b, expected = f, other = b;
    sparse->solve(f, b, x, lambda);
    dense->solve(f, b, expected, other);
    EXPECT_LE(max_abs(x - expected), tolerance * (1.0 + max_abs(expected)));
    const Vector force = problem.jacobian.dense().transpose() * lambda;
    const Vector wanted = problem.jacobian.dense().transpose() * other;
    EXPECT_LE(max_abs(force - wanted), 10.0 * tolerance * (1.0 + max_abs(wanted)));
    check_correction(*sparse, problem.mass, problem.jacobian, 1e-5, b);
    check_correction(*dense, problem.mass, problem.jacobian, 1e-5, b);
  }
};

TEST_F(SparseSaddleExam, SolvesChainsTreesAndLoopsAsTheDenseEngineDoes) {
  for (const auto& [size, rows] :
       {std::pair{3, 2}, {6, 3}, {6, 5}, {3, 1}, {6, 4}, {6, 0}, {3, 0}, {3, -2}}) {
    for (int trial = 0; trial < 12; ++trial) {
      const int bodies = 2 + pick(20);
      const bool fits = rows > 0 && rows < size;
      compare(make_graph(bodies, size, rows, fits ? pick(1 + bodies / (2 * rows)) : 0,
                         trial % 2 == 0 ? 1.0 : 1e4),
              1e-6);  // random rows are ill-conditioned, and S squares that
    }
  }
}

TEST_F(SparseSaddleExam, LeavesRedundantRowsOut) {
  for (int trial = 0; trial < 30; ++trial)
    compare(repeat_a_joint(make_graph(4 + pick(30), 6, 3, 0, 10.0)), 1e-7);
}

// In large systems too, where rows are left out instead of directions, and whichever were left out before.
TEST_F(SparseSaddleExam, KnowsTheSingularValueOfAllRows) {
  for (int trial = 0; trial < 30; ++trial) {
    Problem problem = make_graph(4 + pick(40), 6, 3, 0, 10.0);
    const int rank = problem.jacobian.rows();
    for (int k = pick(4); k >= 0; --k) problem = repeat_a_joint(problem);
    const int rows = problem.jacobian.rows();
    const auto sparse = make_saddle(problem.mass, problem.jacobian, rows, EngineKind::sparse);
    const auto dense = make_saddle(problem.mass, problem.jacobian, rows, EngineKind::dense);
    for (const double tolerance : {1e-5, 1e-3}) {
      ASSERT_TRUE(sparse->factorize(problem.mass, true, problem.jacobian, tolerance));
      ASSERT_TRUE(dense->factorize(problem.mass, true, problem.jacobian, tolerance));
      const Vector values = find_row_values(problem);
      const double expected = values[rank - 1];
      const auto value = [&](SaddleEngine& engine) {
        return engine.calc_singular_value(problem.mass, problem.jacobian, rank);
      };
      EXPECT_NEAR(value(*dense), expected, 1e-7 * expected) << rows << " rows, rank " << rank;
      if (expected > 10.0 * tolerance) {
        EXPECT_NEAR(value(*sparse), expected, 1e-6 * expected) << rows << " rows, rank " << rank;
      }
    }
  }
}

TEST_F(SparseSaddleExam, KnowsTheSmallestSingularValueAndHowRowsTurn) {
  for (int trial = 0; trial < 20; ++trial) {
    const Problem problem = make_graph(3 + pick(12), 6, 5, 0, 10.0);
    const int rows = problem.jacobian.rows();
    const auto sparse = make_saddle(problem.mass, problem.jacobian, rows, EngineKind::sparse);
    const auto dense = make_saddle(problem.mass, problem.jacobian, rows, EngineKind::dense);
    ASSERT_TRUE(sparse->factorize(problem.mass, true, problem.jacobian, 1e-5));
    ASSERT_TRUE(dense->factorize(problem.mass, true, problem.jacobian, 1e-5));
    const double sigma = dense->calc_singular_value(problem.mass, problem.jacobian, rows);
    EXPECT_NEAR(sparse->calc_singular_value(problem.mass, problem.jacobian, rows), sigma,
                1e-7 * sigma);
    BlockMatrix rate = problem.jacobian;
    for (double& each : Eigen::Map<Vector>(rate.data(), count_values(rate))) each = uniform(-1, 1);
    const double change = dense->find_row_change(rate, rows - 5);
    EXPECT_NEAR(sparse->find_row_change(rate, rows - 5), change, 1e-10 * change);
  }
}

// Whichever engine is asked first: the same rows are redundant, the later ones.
TEST_F(SparseSaddleExam, ReportsRowsAsTheDenseEngineDoes) {
  for (int trial = 0; trial < 20; ++trial) {
    Problem problem = make_graph(12 + pick(20), 6, 3, 0, 10.0);
    const bool repeats = trial % 2 == 1;
    if (repeats) {  // the last joint says what the one before it does
      const int row = problem.jacobian.rows();
      std::vector<BlockPlace> places;
      for (const Block& block : problem.jacobian.blocks()) places.push_back(block);
      const Strip strip = problem.jacobian.strips().back();
      for (int k = 0; k < strip.blocks; ++k) {
        BlockPlace copy = places[static_cast<std::size_t>(strip.first_block + k)];
        copy.row = row;
        places.push_back(copy);
      }
      Matrix whole(row + 3, problem.jacobian.columns());
      whole << problem.jacobian.dense(), 2.0 * problem.jacobian.dense().bottomRows(3);
      problem.jacobian = BlockMatrix(row + 3, problem.jacobian.columns(), places);
      set_values(whole, problem.jacobian);
    }
    const RowReport found = find_row_report(problem.mass, problem.jacobian);
    const RowReport exact =
        find_dense_row_report(problem.mass.find_diagonal(), problem.jacobian, 1e-9);
    EXPECT_EQ(found.rank, exact.rank);
    EXPECT_EQ(found.redundant, exact.redundant);
    EXPECT_EQ(found.redundant.empty(), !repeats);
    EXPECT_EQ(found.unique_reaction, exact.unique_reaction);
  }
}

// A row that says what two others say already, between strips of one row and of two: named by its own number.
TEST_F(SparseSaddleExam, KnowsWhichRowIsRedundantAmongStripsOfOneAndTwo) {
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<BlockPlace> masses{{0, 0, 3, 3}, {3, 3, 3, 3}};
    const std::vector<BlockPlace> places{
        {0, 0, 1, 3}, {1, 0, 2, 3}, {1, 3, 2, 3}, {3, 3, 1, 3}, {4, 0, 1, 3}};
    Problem problem{BlockMatrix(6, 6, masses), BlockMatrix(5, 6, places)};
    for (int k = 0; k < 6; ++k) problem.mass.data()[9 * (k / 3) + 4 * (k % 3)] = uniform(0.5, 2.0);
    Matrix whole = Matrix::Zero(5, 6);
    for (const BlockPlace& place : places) {
      for (int i = 0; i < place.rows; ++i)
        whole.block(place.row + i, place.column, 1, 3) = random_vector(3).transpose();
    }
    whole.row(4) = uniform(1, 2) * whole.row(0);
    set_values(whole, problem.jacobian);
    compare(problem, 1e-8);
    const auto engine = make_saddle(problem.mass, problem.jacobian, 5, EngineKind::sparse);
    for (int turn = 0; turn < 2; ++turn) {
      ASSERT_TRUE(engine->factorize(problem.mass, turn == 0, problem.jacobian, 1e-5));
      EXPECT_EQ(engine->rank(), 4);
      EXPECT_EQ(engine->truncated(), 0);
    }
    const std::vector<int> dropped = engine->find_dropped();
    ASSERT_EQ(dropped.size(), 1U);
    EXPECT_TRUE(dropped[0] == 0 || dropped[0] == 4) << dropped[0];
    EXPECT_GT(engine->find_row_change(problem.jacobian, 5), 0.99);
  }
}

// Balls on a line, each held to the one before: x_k = x_(k-1) + b_k.
TEST_F(SparseSaddleExam, KeepsStraightChainsOfAnyLengthWhole) {
  for (const int count : {1000, 100000}) {
    std::vector<BlockPlace> masses, places;
    for (int k = 0; k < count; ++k) {
      masses.push_back({3 * k, 3 * k, 3, 3});
      places.push_back({2 * k, 3 * k, 2, 3});
      if (k > 0) places.push_back({2 * k, 3 * (k - 1), 2, 3});
    }
    BlockMatrix mass(3 * count, 3 * count, masses), jacobian(2 * count, 3 * count, places);
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < 3; ++i) mass.data()[9 * k + 4 * i] = 1.0 + 0.3 * (k % 3);
      for (int i = 0; i < 2; ++i) {
        jacobian.row(2 * k + i)[3 * k + i] = 1.0;
        if (k > 0) jacobian.row(2 * k + i)[3 * (k - 1) + i] = -1.0;
      }
    }
    const auto engine = make_saddle(mass, jacobian, 2 * count, EngineKind::automatic);
    ASSERT_TRUE(engine->factorize(mass, true, jacobian, 0.03));
    EXPECT_EQ(engine->rank(), 2 * count);
    const Vector f = random_vector(3 * count), b = random_vector(2 * count);
    Vector x = f, lambda = b;
    engine->solve(f, b, x, lambda);
    double sum = 0.0, worst = 0.0;
    for (int k = 0; k < count; ++k) {
      sum += b[2 * k];
      worst = std::max(worst, std::abs(x[3 * k] - sum));
      EXPECT_NEAR(x[3 * k + 2], f[3 * k + 2] / (1.0 + 0.3 * (k % 3)), 1e-15);
    }
    EXPECT_LE(worst, 1e-13 * count);
  }
}

/// [SPA.6]: three rows for two rates of a body. Turned by `angle` from the second one, the first row nearly says what that
/// does, and then it takes the third.
TEST_F(SparseSaddleExam, LeavesOutOtherRedundantRowsInOtherPoses) {
  constexpr double kMisfit = 1e-6;
  for (int turn = 0; turn < 3; ++turn) {
    const auto place_of = [&](int row) { return (row + turn) % 3; };
    BlockMatrix mass(3, 3, {{0, 0, 3, 3}});
    for (int i = 0; i < 3; ++i) mass.data()[4 * i] = 1.0;
    BlockMatrix rows(3, 3, {{0, 0, 1, 3}, {1, 0, 1, 3}, {2, 0, 1, 3}});
    const auto engine = make_saddle(mass, rows, 3, EngineKind::sparse);
    for (const double angle : {1.0, 0.3, 1e-3, -1e-3, 1e-4, 0.5}) {
      rows.set_zero();
      rows.row(place_of(0))[0] = std::cos(angle);
      rows.row(place_of(0))[1] = std::sin(angle);
      rows.row(place_of(1))[0] = 1.0;
      rows.row(place_of(2))[1] = 1.0;
      ASSERT_TRUE(engine->factorize(mass, angle == 1.0, rows, 1e-10));
      EXPECT_EQ(engine->rank(), 2);
      Vector b = Vector::Zero(3), x = b, lambda = b;
      const Vector no_force = b;
      b[place_of(1)] = kMisfit;
      engine->solve(no_force, b, x, lambda);
      EXPECT_LE(max_abs(x), 5.0 * kMisfit) << "order " << turn << ", angle " << angle;
    }
  }
}

/// Pins between bodies in the plane, every second one light: in the mass metric its two pins say nearly the same.
class LightBodies : public SparseSaddleExam {
 protected:
  void make_chain(int count, double light, int further_rows) {
    std::vector<BlockPlace> masses, places;
    for (int k = 0; k < count; ++k) {
      masses.push_back({3 * k, 3 * k, 3, 3});
      places.push_back({2 * k, 3 * k, 2, 3});
      if (k > 0) places.push_back({2 * k, 3 * (k - 1), 2, 3});
    }
    if (further_rows > 0) places.push_back({2 * count, 3 * (count - 1), further_rows, 3});
    mass_ = even_ = BlockMatrix(3 * count, 3 * count, masses);
    jacobian_ = BlockMatrix(2 * count + further_rows, 3 * count, places);
    for (int k = 0; k < count; ++k) {
      const double m = k % 2 == 0 ? light : 1.0;
      for (int i = 0; i < 3; ++i) {
        mass_.data()[9 * k + 4 * i] = i < 2 ? m : 0.01 * m;
        even_.data()[9 * k + 4 * i] = i < 2 ? 1.0 : 0.01;
      }
      for (int i = 0; i < 2; ++i) {
        jacobian_.row(2 * k + i)[3 * k + i] = 1.0;
        jacobian_.row(2 * k + i)[3 * k + 2] = uniform(-0.3, 0.3);
        if (k > 0) jacobian_.row(2 * k + i)[3 * (k - 1) + i] = -1.0;
        if (k > 0) jacobian_.row(2 * k + i)[3 * (k - 1) + 2] = uniform(-0.3, 0.3);
      }
    }
  }

  /// G x - b
  Vector solve(SaddleEngine& engine, double tolerance, Vector& x) {
    check_correction(engine, mass_, jacobian_, tolerance, random_vector(jacobian_.rows()));
    EXPECT_TRUE(engine.factorize(mass_, true, jacobian_, tolerance));
    const Vector f = mass_.dense() * random_vector(mass_.rows());
    const Vector b = random_vector(jacobian_.rows());
    Vector lambda = b;
    x = f;
    engine.solve(f, b, x, lambda);
    return jacobian_.dense() * x - b;
  }

  BlockMatrix mass_, even_, jacobian_;
};

TEST_F(LightBodies, LoseNoRows) {
  for (const int count : {2, 8, 40}) {  // 40: too many rows for the dense engine
    for (const double light : {1e-2, 1e-5, 1e-8}) {
      make_chain(count, light, 0);
      const int rows = jacobian_.rows();
      for (const EngineKind kind : {EngineKind::sparse, EngineKind::dense}) {
        const auto engine = make_saddle(mass_, jacobian_, rows, kind, RowForm::any, {even_, {}});
        for (const double tolerance : {1e-5, 0.03}) {
          Vector x;
          const Vector left = solve(*engine, tolerance, x);
          EXPECT_EQ(engine->rank(), rows) << count << " bodies, " << light << " kg";
          // [SPA.4] until rounding is left; of once, some 4e-16.
          const bool is_refined = kind == EngineKind::sparse && count == 40 && light < 1e-4;
          EXPECT_LE(max_abs(left), (is_refined ? 1e-16 : 5e-12) * max_abs(x))
              << count << " bodies, " << light << " kg";
        }
      }
    }
  }
}

/// Two rows that nearly say the same, beside light bodies: one direction is left out, and it is theirs.
TEST_F(LightBodies, LeaveOutWhatIsSingular) {
  for (const double light : {1.0, 1e-3, 1e-8}) {
    make_chain(4, light, 2);
    for (int i = 0; i < 2; ++i) {
      jacobian_.row(8 + i)[9] = i == 0 ? 1e-4 : -1e-4;
      jacobian_.row(8 + i)[11] = 1.0;
    }
    const auto engine =
        make_saddle(mass_, jacobian_, 10, EngineKind::dense, RowForm::any, {even_, {}});
    Vector x;
    const Vector left = solve(*engine, 1e-2, x);
    EXPECT_EQ(engine->rank(), 9) << light;
    EXPECT_EQ(engine->truncated(), 1);
    // The direction has parts of the size of the singular value in other rows.
    EXPECT_LE(max_abs(left.head(8)), 3e-3) << light;
    EXPECT_LE(std::abs(left[8] + left[9]), 3e-3) << light;
    EXPECT_GE(std::abs(left[8] - left[9]), 3e-2) << light;
  }
}

// A ladder whose strips are listed at random: the plan finds an order with as little fill as along the ladder.
TEST_F(SparseSaddleExam, OrdersCostAsMuchAsTheyMust) {
  for (const int count : {50, 500}) {
    std::vector<std::pair<int, int>> joints;  // rungs k, couplers count + k between k and k + 1
    for (int k = 0; k <= count; ++k) {
      joints.emplace_back(-1, k);
      if (k < count) joints.emplace_back(k, count + 1 + k);
      if (k < count) joints.emplace_back(k + 1, count + 1 + k);
    }
    const auto plan_of = [&] {
      std::vector<BlockPlace> places;
      for (std::size_t j = 0; j < joints.size(); ++j) {
        const int row = 2 * static_cast<int>(j);
        places.push_back({row, 3 * joints[j].second, 2, 3});
        if (joints[j].first >= 0) places.push_back({row, 3 * joints[j].first, 2, 3});
      }
      const int rows = 2 * static_cast<int>(joints.size());
      return make_elimination_plan(BlockMatrix(rows, 3 * (2 * count + 1), places), rows);
    };
    const double along = plan_of().operations;
    std::shuffle(joints.begin(), joints.end(), random_);
    EXPECT_LE(plan_of().operations, 1.5 * along);
    EXPECT_LE(along, 400.0 * count);
  }
}

}  // namespace
}  // namespace driftless
