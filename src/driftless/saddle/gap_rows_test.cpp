// Rows that close gaps between rigid bodies, with forms and masses of their own kinds: pins in the plane, ball joints,
// hinges and mixtures in space, slender rods, and redundant rows a little off the manifold. Against the dense engine.

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "driftless/math/decompositions.hpp"
#include "driftless/saddle/random_test.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {
namespace {

class GapRowsExam : public RandomExam {
 protected:
  struct Problem {
    BlockMatrix mass, jacobian;
  };
  struct Joint {
    int first, second;  // bodies; -1: the ground
    int rows;
  };

  /// Every body joined to one before it or to the ground, by joints with as many rows, or 3 to 5.
  std::vector<Joint> make_tree(int bodies, int rows) {
    std::vector<Joint> joints;
    for (int b = 0; b < bodies; ++b)
      joints.push_back(
          {b == 0 ? -1 : b - 1 - pick(std::min(b, 3)), b, rows > 0 ? rows : 3 + pick(3)});
    return joints;
  }

  /// size 3: in the plane; 6: in space.
  Problem make_problem(const std::vector<Joint>& joints, int bodies, int size, bool rods) {
    std::vector<BlockPlace> masses, places;
    for (int b = 0; b < bodies; ++b) masses.push_back({b * size, b * size, size, size});
    int row = 0;
    for (const Joint& joint : joints) {
      for (const int body : {joint.first, joint.second})
        if (body >= 0) places.push_back({row, body * size, joint.rows, size});
      row += joint.rows;
    }
    Problem problem{BlockMatrix(bodies * size, bodies * size, masses),
                    BlockMatrix(row, bodies * size, places)};
    for (int b = 0; b < bodies; ++b) {
      Eigen::Map<Matrix> block(problem.mass.data() + b * size * size, size, size);
      const int shifts = size == 3 ? 2 : 3;
      block.diagonal().head(shifts).setConstant(uniform(0.5, 4.0));
      block.bottomRightCorner(size - shifts, size - shifts) = make_inertia(size - shifts, rods);
    }
    set_rows(joints, size, problem.jacobian);
    return problem;
  }

  Matrix make_inertia(int turns, bool rod) {
    if (turns == 1) return Matrix::Constant(1, 1, uniform(0.1, 1.0));
    if (rod) {
      const Vector axis = random_vector(3).normalized();
      return uniform(0.1, 1.0) * (Matrix::Identity(3, 3) - axis * axis.transpose());
    }
    const Matrix A = Eigen::Map<const Matrix>(random_vector(9).data(), 3, 3);
    return A * A.transpose() + 0.2 * Matrix::Identity(3, 3);
  }

  /// Signs for good, turns at random.
  void set_rows(const std::vector<Joint>& joints, int size, BlockMatrix& jacobian) {
    const int shifts = size == 3 ? 2 : 3;
    int row = 0;
    for (const Joint& joint : joints) {
      for (const int body : {joint.first, joint.second}) {
        if (body < 0) continue;
        for (int i = 0; i < joint.rows; ++i) {
          for (int j = 0; j < size; ++j) {
            double value = uniform(-1, 1);
            if (j < shifts) value = i == j ? (body == joint.first ? -1.0 : 1.0) : 0.0;
            jacobian.row(row + i)[body * size + j] = value;
          }
        }
      }
      row += joint.rows;
    }
  }

  void compare(SaddleEngine& engine, const Problem& problem, double tolerance) {
    const auto dense = make_dense_saddle(problem.mass.columns(), problem.jacobian.rows());
    ASSERT_TRUE(dense->factorize(problem.mass, true, problem.jacobian, 1e-5));
    EXPECT_EQ(engine.rank(), dense->rank());
    const Matrix G = problem.jacobian.dense();
    const Vector f = random_vector(problem.mass.columns());
    const Vector b = G * random_vector(problem.mass.columns());
    Vector x = f, lambda = b, expected = f, other = b;
    engine.solve(f, b, x, lambda);
    dense->solve(f, b, expected, other);
    EXPECT_LE(max_abs(x - expected), tolerance * (1.0 + max_abs(expected)));
    const Vector force = G.transpose() * lambda, wanted = G.transpose() * other;
    EXPECT_LE(max_abs(force - wanted), 10.0 * tolerance * (1.0 + max_abs(wanted)));
    check_correction(engine, problem.mass, problem.jacobian, 1e-5, b);
  }

  std::unique_ptr<SaddleEngine> make_engine(const Problem& problem, RowForm form = RowForm::gaps) {
    return make_saddle(problem.mass, problem.jacobian, problem.jacobian.rows(), EngineKind::sparse,
                       form);
  }

  void solve_as_dense(int size, int rows, RowForm form) {
    for (int trial = 0; trial < 10; ++trial) {
      const int bodies = 1 + pick(20);
      const auto joints = make_tree(bodies, rows);
      Problem problem = make_problem(joints, bodies, size, false);
      const auto engine = make_engine(problem, form);
      for (int pose = 0; pose < 3; ++pose) {
        set_rows(joints, size, problem.jacobian);
        ASSERT_TRUE(engine->factorize(problem.mass, pose == 0, problem.jacobian, 1e-5));
        compare(*engine, problem, 1e-7);
      }
    }
  }
};

TEST_F(GapRowsExam, SolvesAsTheDenseEngineDoes) {
  for (const auto& [size, rows] : {std::pair{3, 2}, {6, 3}, {6, 5}, {6, 4}, {6, 0}})
    solve_as_dense(size, rows, RowForm::gaps);
}

TEST_F(GapRowsExam, LeavesOutRowsOfWhatCannotMove) {
  for (const int rows : {3, 5, 0}) {
    auto joints = make_tree(4, rows);
    joints.insert(joints.begin() + 2, {-1, -1, 3});
    const Problem problem = make_problem(joints, 4, 6, false);
    const auto engine = make_engine(problem);
    ASSERT_TRUE(engine->factorize(problem.mass, true, problem.jacobian, 1e-5));
    compare(*engine, problem, 1e-7);
    Vector x(24), lambda(problem.jacobian.rows());
    engine->solve(Vector(Vector::Zero(24)), Vector(Vector::Ones(lambda.size())), x, lambda);
    const int first = joints[0].rows + joints[1].rows;
    EXPECT_EQ(max_abs(lambda.segment(first, 3)), 0.0);
  }
}

TEST_F(GapRowsExam, SolvesWithoutKnowingThatTheyCloseGaps) {
  for (const auto& [size, rows] : {std::pair{3, 1}, {3, 2}, {6, 1}, {6, 3}, {6, 5}, {6, 4}, {6, 0}})
    solve_as_dense(size, rows, RowForm::any);
}

// The first factorisation asks the dense engine whether anything holds the rods; the ones after it do without.
TEST_F(GapRowsExam, SlenderRodsNeedNoInertiaAboutThemselves) {
  for (const int rows : {5, 4, 0}) {
    for (int trial = 0; trial < 10; ++trial) {
      const int bodies = 1 + pick(10);
      const auto joints = make_tree(bodies, rows);
      Problem problem = make_problem(joints, bodies, 6, true);
      const auto engine = make_engine(problem);
      if (!engine->factorize(problem.mass, true, problem.jacobian, 1e-5)) continue;
      for (int pose = 0; pose < 3; ++pose) {
        set_rows(joints, 6, problem.jacobian);
        ASSERT_TRUE(engine->factorize(problem.mass, false, problem.jacobian, 1e-5));
        compare(*engine, problem, 1e-6);
      }
    }
  }
}

// So many rows are never given to the dense engine. Some rods are light, and their turns are held by heavy ones.
TEST_F(GapRowsExam, ManySlenderRodsSettle) {
  int compared = 0;
  for (int trial = 0; trial < 10; ++trial) {
    constexpr int kBodies = 25;  // of 100 rows
    const auto joints = make_tree(kBodies, 4);
    Problem problem = make_problem(joints, kBodies, 6, true);
    for (int k = 0; k < kBodies; ++k) {
      Eigen::Map<Matrix> block(problem.mass.data() + 36 * k, 6, 6);
      block *= std::pow(10.0, pick(4));
    }
    const auto dense = make_dense_saddle(6 * kBodies, problem.jacobian.rows());
    if (!dense->factorize(problem.mass, true, problem.jacobian, 1e-5)) continue;
    const auto engine = make_engine(problem);
    ASSERT_TRUE(engine->factorize(problem.mass, true, problem.jacobian, 1e-5));
    compare(*engine, problem, 1e-6);
    ++compared;
  }
  EXPECT_GT(compared, 2);
}

TEST_F(GapRowsExam, ARodThatMayTurnAboutItselfFreelyIsRefused) {
  const std::vector<Joint> joints{{-1, 0, 3}, {-1, 0, 3}};
  Problem problem = make_problem(joints, 1, 6, false);
  Eigen::Map<Matrix> block(problem.mass.data(), 6, 6);
  block.bottomRightCorner(3, 3) = Eigen::Vector3d(0.0, 0.5, 0.5).asDiagonal();
  for (int k = 0; k < 2;
       ++k) {  // ball joints at both ends of a rod along x: turns move them along y and z
    for (int i = 0; i < 3; ++i) {
      for (int j = 3; j < 6; ++j) problem.jacobian.row(3 * k + i)[j] = 0.0;
    }
    problem.jacobian.row(3 * k + 1)[5] = k == 0 ? -0.5 : 0.5;
    problem.jacobian.row(3 * k + 2)[4] = k == 0 ? 0.5 : -0.5;
  }
  EXPECT_FALSE(make_engine(problem)->factorize(problem.mass, true, problem.jacobian, 1e-5));
}

/// Beside many bodies, a rod on a ball joint and another one hinged to its end.
class TwoRodsBesideMany : public GapRowsExam {
 protected:
  /// The rods meet at this angle; 0: in a line. Each has axes of its own, in which its direction stays the same.
  Problem make_rods(double angle) {
    const int others = 12 + pick(15);
    auto joints = make_tree(others, 5);
    const int row = 5 * others;
    joints.push_back({-1, others, 3});
    joints.push_back({others, others + 1, 5});
    Problem problem = make_problem(joints, others + 2, 6, false);
    Eigen::Vector3d along = random_vector(3).normalized();
    if (pick(2) == 0) {  // nearly an axis
      along *= std::pow(10.0, uniform(-7, -1));
      along = (along + Eigen::Vector3d::UnitX()).normalized();
    }
    for (int k = 0; k < 2; ++k) {
      Eigen::Map<Matrix>(problem.mass.data() + 36 * (others + k), 6, 6).bottomRightCorner(3, 3) =
          std::pow(10.0, uniform(-2, 2)) * (Matrix::Identity(3, 3) - along * along.transpose());
    }
    const Eigen::Vector3d hinge = along.cross(Eigen::Vector3d(random_vector(3))).normalized();
    const Matrix bend = Eigen::AngleAxisd(angle, hinge).toRotationMatrix();
    const Matrix first = find_cross(uniform(0.1, 3.0) * along);
    const Matrix second = bend * find_cross(uniform(0.1, 3.0) * along);
    Matrix tilt(2, 3);  // whatever is not about the hinge
    tilt << along.transpose(), hinge.cross(along).transpose();
    const auto set_turns = [&](int at, int body, const Matrix& turns) {
      for (int i = 0; i < turns.rows(); ++i)
        for (int j = 0; j < 3; ++j) problem.jacobian.row(at + i)[6 * body + 3 + j] = turns(i, j);
    };
    set_turns(row, others, first);
    set_turns(row + 3, others, first);
    set_turns(row + 3, others + 1, second);
    set_turns(row + 6, others, -tilt);
    set_turns(row + 6, others + 1, tilt * bend);
    return problem;
  }

  static Matrix find_cross(const Eigen::Vector3d& u) {
    Matrix cross(3, 3);
    cross << 0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0;
    return cross;
  }
};

TEST_F(TwoRodsBesideMany, AreRefusedWhereTheyTurnFreely) {
  for (int trial = 0; trial < 30; ++trial) {
    const Problem problem = make_rods(0.0);
    ASSERT_GT(problem.jacobian.rows(), 64);
    const auto dense = make_dense_saddle(problem.mass.columns(), problem.jacobian.rows());
    EXPECT_FALSE(dense->factorize(problem.mass, true, problem.jacobian, 1e-5));
    const auto engine = make_engine(problem);
    EXPECT_FALSE(engine->factorize(problem.mass, true, problem.jacobian, 1e-5));
    EXPECT_FALSE(engine->factorize(problem.mass, false, problem.jacobian, 1e-5));
  }
}

TEST_F(GapRowsExam, ARodWithoutJointsIsRefused) {
  for (const int others : {2, 15, 30}) {
    Problem problem = make_problem(make_tree(others, 5), others + 1, 6, false);
    Eigen::Map<Matrix>(problem.mass.data() + 36 * others, 6, 6).bottomRightCorner(3, 3) =
        make_inertia(3, true);
    const auto dense = make_dense_saddle(problem.mass.columns(), problem.jacobian.rows());
    EXPECT_FALSE(dense->factorize(problem.mass, true, problem.jacobian, 1e-5));
    EXPECT_FALSE(make_engine(problem)->factorize(problem.mass, true, problem.jacobian, 1e-5));
  }
}

// A rod's turn moves the other one, however light that is.
TEST_F(TwoRodsBesideMany, AreSolvedWhereTheyMeetAtAnAngle) {
  for (int trial = 0; trial < 30; ++trial) {
    const Problem problem = make_rods(uniform(0.3, 1.5));
    const auto engine = make_engine(problem);
    ASSERT_TRUE(engine->factorize(problem.mass, true, problem.jacobian, 1e-5));
    compare(*engine, problem, 1e-6);
  }
}

// What is held where a run starts is not refused in passing, whatever is on the right.
TEST_F(TwoRodsBesideMany, MayComeThroughALine) {
  for (int trial = 0; trial < 30; ++trial) {
    const auto same = random_;
    const Problem problem = make_rods(1.0);
    random_ = same;
    const BlockMatrix in_line = make_rods(0.0).jacobian;
    const auto engine = make_engine(problem);
    ASSERT_TRUE(engine->factorize(problem.mass, true, problem.jacobian, 1e-5));
    Vector x = Vector::Zero(problem.mass.columns()), lambda = Vector::Zero(in_line.rows());
    const Vector nothing = x;
    for (const double size : {1.0, 1e-283}) {
      ASSERT_TRUE(engine->factorize(problem.mass, false, in_line, 1e-5));
      const Vector b = size * random_vector(in_line.rows());
      engine->solve(nothing, b, x, lambda);
    }
    ASSERT_TRUE(engine->factorize(problem.mass, false, problem.jacobian, 1e-5));
    compare(*engine, problem, 1e-6);
  }
}

// All engines measure with the same inertia [MAS.2], in any unit of length, in small systems and large ones.
TEST_F(GapRowsExam, SlenderRodsHaveOneSingularValue) {
  for (int trial = 0; trial < 40; ++trial) {
    const int bodies = 3 + pick(25);
    auto joints = make_tree(bodies, 5);
    const bool repeats = trial % 2 == 1;
    if (repeats) joints.push_back(joints.back());
    Problem problem = make_problem(joints, bodies, 6, true);
    const int rows = problem.jacobian.rows(), rank = 5 * bodies;
    Matrix whole = problem.jacobian.dense();
    if (repeats) whole.bottomRows(5) = whole.middleRows(rank - 5, 5);
    set_values(whole, problem.jacobian);
    const auto sparse = make_engine(problem);
    const auto dense = make_dense_saddle(6 * bodies, rows);
    for (const double unit : {1.0, 1e3, 0.1}) {
      Vector round = problem.mass.find_diagonal();
      for (int k = 0; k < bodies; ++k) {
        Eigen::Map<Matrix> block(problem.mass.data() + 36 * k, 6, 6);
        block *= uniform(0.5, 2.0);
        block.bottomRightCorner(3, 3) *= unit * unit;
        round.segment(6 * k, 3).setConstant(block(0, 0));
        round.segment(6 * k + 3, 3).setConstant(block.bottomRightCorner(3, 3).trace() / 2.0);
        whole.middleCols(6 * k + 3, 3) *= unit;
      }
      set_values(whole, problem.jacobian);
      Matrix C = whole * round.cwiseSqrt().cwiseInverse().asDiagonal();
      C.rowwise().normalize();
      const double expected = find_singular_values(C)[rank - 1];
      for (SaddleEngine* engine : {sparse.get(), dense.get()}) {
        for (const bool mass_changed : {true, false}) {  // the second time without the dense engine
          ASSERT_TRUE(engine->factorize(problem.mass, mass_changed, problem.jacobian, 1e-5));
          EXPECT_NEAR(engine->calc_singular_value(problem.mass, problem.jacobian, rank), expected,
                      1e-8 * expected)
              << engine->describe() << ", " << unit;
        }
      }
    }
  }
}

// Off the manifold a small part of a redundant row is its own. It stays out, and the solution moves as little as the rows.
TEST_F(GapRowsExam, RedundantRowsStayOutNearTheManifold) {
  for (int trial = 0; trial < 20; ++trial) {
    const int bodies = 2 + pick(6);
    auto joints = make_tree(bodies, 5);
    const Joint twice = joints[static_cast<std::size_t>(pick(bodies))];
    joints.push_back(twice);
    Problem problem = make_problem(joints, bodies, 6, trial % 2 == 1);
    Matrix whole = problem.jacobian.dense();
    const auto at = [&] {
      for (int k = 0;; ++k) {
        const Joint& each = joints[static_cast<std::size_t>(k)];
        if (each.first == twice.first && each.second == twice.second) return 5 * k;
      }
    }();
    whole.bottomRows(5) = whole.middleRows(at, 5);
    set_values(whole, problem.jacobian);
    const auto engine = make_engine(problem);
    ASSERT_TRUE(engine->factorize(problem.mass, true, problem.jacobian, 1e-5));
    ASSERT_EQ(engine->rank(), 5 * bodies);
    const Vector f = random_vector(6 * bodies);
    const Vector b = whole * random_vector(6 * bodies);
    Vector x = f, lambda = b;
    engine->solve(f, b, x, lambda);
    const Vector on_it = x;
    Vector moved[2];
    BlockMatrix change = problem.jacobian;
    change.set_zero();
    for (int j = 3; j < 6; ++j) change.row(5 * bodies)[6 * twice.second + j] = uniform(-1, 1);
    for (int k = 0; k < 2; ++k) {
      const double size = k == 0 ? 1e-4 : 5e-5;
      set_values(whole + size * change.dense(), problem.jacobian);
      ASSERT_TRUE(engine->factorize(problem.mass, false, problem.jacobian, 1e-5));
      EXPECT_EQ(engine->rank(), 5 * bodies);
      engine->solve(f, b, x, lambda);
      moved[k] = (x - on_it) / size;
    }
    EXPECT_LE(max_abs(moved[0] - moved[1]), 1e-2 * (1.0 + max_abs(moved[0])));
  }
}

// [SPA.5]. An engine that left rows out names them; where the dense one is asked, there are none to name.
TEST_F(GapRowsExam, SmallPivotsAloneDoNotAskTheDenseEngine) {
  constexpr double kTolerance = 0.03;
  int small_pivots = 0, own = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int bodies = 2 + pick(3);
    auto joints = make_tree(bodies, 5);
    joints.push_back(joints.back());
    Problem problem = make_problem(joints, bodies, 6, trial % 2 == 1);
    Matrix whole = problem.jacobian.dense();
    whole.bottomRows(5) = whole.middleRows(5 * (bodies - 1), 5);
    set_values(whole, problem.jacobian);
    const auto engine = make_engine(problem);
    ASSERT_TRUE(engine->factorize(problem.mass, true, problem.jacobian, 1e-5));
    // Of the last row but one of the first joint little is its own, or much.
    whole.row(4) = whole.row(3) + std::pow(10.0, uniform(-2.5, 0.5)) * whole.row(4);
    set_values(whole, problem.jacobian);
    ASSERT_TRUE(engine->factorize(problem.mass, false, problem.jacobian, kTolerance));
    const auto dense = make_dense_saddle(problem.mass.columns(), problem.jacobian.rows());
    ASSERT_TRUE(dense->factorize(problem.mass, true, problem.jacobian, kTolerance));
    EXPECT_EQ(engine->rank(), dense->rank()) << trial;
    if (!(engine->smallest_pivot() < kPivotMargin * kTolerance)) continue;
    ++small_pivots;
    if (!engine->find_dropped().empty()) ++own;
  }
  EXPECT_GT(own, small_pivots / 10);
  EXPECT_LT(own, small_pivots);
}

TEST_F(GapRowsExam, NextToNothingOnTheRightIsNoRodThatTurnsFreely) {
  for (int trial = 0; trial < 20; ++trial) {
    const int bodies = 2 + pick(3);
    auto joints = make_tree(bodies, 5);
    joints.push_back(joints.back());
    Problem problem = make_problem(joints, bodies, 6, true);
    Matrix whole = problem.jacobian.dense();
    whole.bottomRows(5) = whole.middleRows(5 * (bodies - 1), 5);
    set_values(whole, problem.jacobian);
    const auto engine = make_engine(problem);
    if (!engine->factorize(problem.mass, true, problem.jacobian, 1e-5)) continue;
    ASSERT_TRUE(engine->factorize(problem.mass, false, problem.jacobian, 1e-5));
    if (engine->find_dropped().empty()) continue;
    const Vector b = 1e-283 * random_vector(problem.jacobian.rows());
    Vector x = Vector::Zero(problem.mass.columns()), lambda = b;
    const Vector nothing = x;
    engine->solve(nothing, b, x, lambda);
    ASSERT_TRUE(engine->factorize(problem.mass, false, problem.jacobian, 1e-5));
    EXPECT_FALSE(engine->find_dropped().empty());
  }
}

}  // namespace
}  // namespace driftless
