// A System in joint coordinates against the one of the same mechanism in absolute coordinates, and against differences.

#include "driftless/mechanism/joint_system.hpp"

#include <gtest/gtest.h>

#include "driftless/mechanism/random_tree_test.hpp"
#include "driftless/mechanism/tree_bodies.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {
namespace {

double find_largest(const Matrix& a) { return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff(); }

/// A random tree with loops, some of them open by a gap, in a random state that does not keep them closed either.
struct Linkage {
  Linkage(unsigned seed, bool plane, int bodies, int loops) : random(seed, plane) {
    parts = random.make(bodies);
    close(loops, bodies);
    testing::RandomTree::record_reactions(*parts);
    spanning = std::make_shared<SpanningTree>(find_spanning_tree(*parts, {}));
    joint = make_joint_system(parts, spanning);
    absolute = make_mechanism_system(parts);
    q = find_tree_coordinates(*spanning, *parts, drawn);
    v = random.numbers(joint->info().nv, 1.0);
    recursion = std::make_unique<TreeRecursion>(spanning->tree);
    map = std::make_unique<TreeBodies>(*parts, *spanning, *recursion);
    tree = recursion->make_state();
    ws = map->make_workspace();
    body_q = drawn;
    body_v = Vector::Zero(absolute->info().nv);
    place();
  }

  /// Loops are closed at a random pose of the tree.
  void close(int loops, int bodies) {
    drawn = testing::draw_tree(random, *parts);
    for (int k = 0; k < loops; ++k) {
      random.add_loop(*parts, bodies - 1 - k, k - 1, drawn, 0.1 * k);
    }
  }

  void place() {
    recursion->place(q, tree);
    map->find_coordinates(q, tree, ws, body_q);
    map->find_velocities(v, tree, ws, body_v);
  }

  struct Solution {
    Vector v_dot, lambda, records;
    bool is_regular = true;
  };
  static Solution solve(const System& system, const Vector& q, const Vector& v,
                        EngineKind kind = EngineKind::dense) {
    const SystemInfo& info = system.info();
    const auto ws = system.make_workspace();
    system.eval_configuration(0.3, q, *ws);
    system.eval_motion(0.3, q, v, *ws);
    const auto engine = system.make_engine(*ws, info.row_count(), kind);
    EXPECT_TRUE(engine->factorize(ws->mass, true, ws->jacobian, 1e-9));
    Solution solution{Vector(info.nv), Vector(info.row_count()),
                      Vector(static_cast<Eigen::Index>(info.records.size())),
                      engine->rank() == info.row_count()};
    engine->solve(ws->force, ws->gamma, solution.v_dot, solution.lambda);
    system.eval_records({0.3, q, v, solution.v_dot, solution.lambda}, *ws, solution.records);
    return solution;
  }

  testing::RandomTree random;
  std::shared_ptr<MechanismParts> parts;
  std::shared_ptr<SpanningTree> spanning;
  std::unique_ptr<System> joint, absolute;
  std::unique_ptr<TreeRecursion> recursion;
  std::unique_ptr<TreeBodies> map;
  TreeState tree;
  TreeBodiesWorkspace ws;
  Vector drawn, q, v, body_q, body_v;
};

class JointSystemTest : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Spaces, JointSystemTest, ::testing::Bool());

TEST_P(JointSystemTest, GivesTheMotionAndReactionsOfAbsoluteCoordinates) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 15; ++seed) {
    Linkage c(seed, GetParam(), 9, seed % 3);
    const auto joint =
        Linkage::solve(*c.joint, c.q, c.v, seed % 2 == 0 ? EngineKind::dense : EngineKind::sparse);
    const auto absolute = Linkage::solve(*c.absolute, c.body_q, c.body_v);
    if (!absolute.is_regular) continue;  // rows off the manifold that contradict each other
    ++compared;
    Vector unused(c.joint->info().nv);
    Vector body_v_dot(c.body_v.size());
    c.recursion->move(c.v, {}, c.tree, unused);
    c.map->find_accelerations(joint.v_dot, {}, c.tree, c.ws, body_v_dot);
    EXPECT_LE(find_largest(body_v_dot - absolute.v_dot),
              1e-8 * (1.0 + find_largest(absolute.v_dot)))
        << "seed " << seed;
    const std::vector<std::string>& names = c.joint->info().records;
    for (std::size_t k = 0; k < c.absolute->info().records.size(); ++k) {
      const auto place = std::find(names.begin(), names.end(), c.absolute->info().records[k]);
      ASSERT_NE(place, names.end());
      const double expected = absolute.records[static_cast<Eigen::Index>(k)];
      EXPECT_NEAR(joint.records[place - names.begin()], expected,
                  1e-8 * (1.0 + find_largest(absolute.lambda)))
          << *place << ", seed " << seed;
    }
    // poses of all bodies are among coordinates and records; of quaternions one of both signs
    const Vector body_q = c.joint->find_drawn_state({0.3, c.q, c.v}).q;
    EXPECT_EQ(body_q.cwiseAbs(), c.body_q.cwiseAbs());
    for (std::size_t k = 0; k < c.absolute->info().coordinates.size(); ++k) {
      const std::string& name = c.absolute->info().coordinates[k];
      const auto place = std::find(names.begin(), names.end(), name);
      if (place == names.end()) {
        const auto& own = c.joint->info().coordinates;
        EXPECT_NE(std::find(own.begin(), own.end(), name), own.end()) << name;
      } else {
        EXPECT_EQ(joint.records[place - names.begin()], body_q[static_cast<Eigen::Index>(k)]);
      }
    }
  }
  EXPECT_GE(compared, 10);
}

TEST_P(JointSystemTest, KnowsHowItsRowsAndInvariantsChange) {
  for (unsigned seed = 21; seed <= 24; ++seed) {
    Linkage c(seed, GetParam(), 7, 2);
    const SystemInfo& info = c.joint->info();
    const auto ws = c.joint->make_workspace();
    c.joint->eval_configuration(0.0, c.q, *ws);
    c.joint->eval_motion(0.0, c.q, c.v, *ws);
    c.joint->eval_invariants(0.0, c.q, c.v, *ws);
    c.joint->eval_invariant_gradients(0.0, c.q, c.v, *ws);
    const Vector a = c.random.numbers(info.nv, 1.0);
    const auto moved = c.joint->make_workspace();
    const double h = 1e-5;
    const auto go = [&](double by) {
      Vector q = c.q;
      c.joint->retract(q, Vector(by * c.v));
      const Vector v = c.v + by * a;
      c.joint->eval_configuration(0.0, q, *moved);
      c.joint->eval_motion(0.0, q, v, *moved);
      c.joint->eval_invariants(0.0, q, v, *moved);
    };
    go(h);
    const Vector phi = moved->phi;
    const Vector rho = moved->velocity_residual;
    const double energy = moved->invariant[0];
    const Matrix jacobian = moved->jacobian.dense();
    go(-h);
    EXPECT_LE(find_largest((phi - moved->phi) / (2 * h) - ws->velocity_residual), 1e-8);
    const Vector rho_dot = ws->jacobian.dense() * a - ws->gamma;
    EXPECT_LE(find_largest((rho - moved->velocity_residual) / (2 * h) - rho_dot),
              1e-7 * (1.0 + find_largest(rho_dot)));
    const double energy_dot = ws->invariant_v.row(0).dot(a) + ws->invariant_q.row(0).dot(c.v);
    EXPECT_NEAR((energy - moved->invariant[0]) / (2 * h), energy_dot,
                1e-6 * (1.0 + std::abs(energy_dot)));
    BlockMatrix blocks = ws->jacobian;
    c.joint->eval_jacobian_rate(0.0, c.q, c.v, *ws, blocks);
    const Matrix rate = blocks.dense();
    EXPECT_LE(find_largest((jacobian - moved->jacobian.dense()) / (2 * h) - rate),
              1e-7 * (1.0 + find_largest(rate)));
  }
}

TEST_P(JointSystemTest, LinearizesItsResidual) {
  for (unsigned seed = 31; seed <= 33; ++seed) {
    Linkage c(seed, GetParam(), 6, 2);
    const SystemInfo& info = c.joint->info();
    const auto ws = c.joint->make_workspace();
    const Vector a = c.random.numbers(info.nv, 1.0);
    const Vector lambda = c.random.numbers(info.row_count(), 3.0);
    Linearization found(info);
    c.joint->eval_linearization({0.0, c.q, c.v, a, lambda}, *ws, found);
    const auto eval = [&](const Vector& q, const Vector& v, Vector& rho) -> Vector {
      c.joint->eval_configuration(0.0, q, *ws);
      c.joint->eval_motion(0.0, q, v, *ws);
      rho = ws->velocity_residual;
      return ws->mass.dense() * a + ws->jacobian.dense().transpose() * lambda - ws->force;
    };
    const double h = 1e-6;
    const double size = 1.0 + found.stiffness.find_largest() + found.damping.find_largest();
    for (int k = 0; k < info.nv; ++k) {
      const Vector step = h * Vector::Unit(info.nv, k);
      Vector q_after = c.q;
      Vector q_before = c.q;
      c.joint->retract(q_after, step);
      c.joint->retract(q_before, Vector(-step));
      Vector rho_after;
      Vector rho_before;
      const Vector by_q =
          (eval(q_after, c.v, rho_after) - eval(q_before, c.v, rho_before)) / (2 * h);
      EXPECT_LE(find_largest(by_q - found.stiffness.dense().col(k)), 1e-6 * size);
      EXPECT_LE(find_largest((rho_after - rho_before) / (2 * h) - found.residual_q.dense().col(k)),
                1e-6 * size);
      const Vector by_v =
          (eval(c.q, c.v + step, rho_after) - eval(c.q, c.v - step, rho_before)) / (2 * h);
      EXPECT_LE(find_largest(by_v - found.damping.dense().col(k)), 1e-6 * size);
    }
  }
}

TEST_P(JointSystemTest, KnowsHowItsMomentumChanges) {
  Linkage c(41, GetParam(), 7, 1);
  const auto ws = c.joint->make_workspace();
  const auto eval = [&](double by) -> Vector {
    Vector q = c.q;
    c.joint->retract(q, Vector(by * c.v));
    c.joint->eval_configuration(0.0, q, *ws);
    return ws->mass.dense() * c.v;
  };
  const double h = 1e-5;
  Vector expected = (eval(h) - eval(-h)) / (2 * h);
  const Vector momentum = eval(0.0);
  for (const TreeBody& tree : c.spanning->tree) {
    if (!has_quaternion(tree.kind)) continue;
    const int at = tree.v + count_rates(tree.kind) - 3;
    expected[at] += c.v[at + 1] * momentum[at + 2] - c.v[at + 2] * momentum[at + 1];
    expected[at + 1] += c.v[at + 2] * momentum[at] - c.v[at] * momentum[at + 2];
    expected[at + 2] += c.v[at] * momentum[at + 1] - c.v[at + 1] * momentum[at];
  }
  Vector found = Vector::Zero(c.v.size());
  c.joint->add_momentum_rate(0.0, c.q, c.v, *ws, found);
  EXPECT_LE(find_largest(found - expected), 1e-6 * (1.0 + find_largest(expected)));
}

TEST(JointSystem, CutsTheJointsThatItIsTold) {
  testing::RandomTree random(5, false);
  const auto parts = random.make(6);
  const SpanningTree all = find_spanning_tree(*parts, {});
  std::string first;
  for (std::size_t k = 0; k < parts->rows.size(); ++k) {
    if (first.empty() && all.carries[k]) first = parts->rows[k].name;
  }
  const SpanningTree fewer = find_spanning_tree(*parts, {first});
  EXPECT_EQ(fewer.cut.size(), all.cut.size() + 1);
  EXPECT_EQ(parts->rows[static_cast<std::size_t>(fewer.cut.front())].name, first);
}

}  // namespace
}  // namespace driftless
