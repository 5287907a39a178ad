// The tree's recursions against the dense saddle point of the same bodies in absolute coordinates.

#include "driftless/mechanism/tree_recursion.hpp"

#include <gtest/gtest.h>

#include "driftless/mechanism/random_tree_test.hpp"
#include "driftless/mechanism/tree_bodies.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {
namespace {

double max_abs(const Vector& a) { return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff(); }

/// A random tree in a random state, in both kinds of coordinates. Joints without a form, of the ConstantVelocity type, are
/// left out, so that nothing is cut.
struct Case {
  Case(unsigned seed, bool plane, int bodies) : random(seed, plane) {
    parts = random.make(bodies);
    std::vector<RowBlock> rows;
    parts->frame_rows = 0;
    for (RowBlock& row : parts->rows) {
      if (row.joint_form == JointForm::other) continue;
      row.first_row = parts->frame_rows;
      parts->frame_rows += row.block.function->outputs();
      rows.push_back(std::move(row));
    }
    parts->rows = std::move(rows);
    spanning = find_spanning_tree(*parts, {});
    recursion = std::make_unique<TreeRecursion>(spanning.tree);
    bodies_of = std::make_unique<TreeBodies>(*parts, spanning, *recursion);
    state = recursion->make_state();
    ws = bodies_of->make_workspace();
    system = make_mechanism_system(parts);
    q = random.numbers(recursion->nq(), 2.0);
    recursion->normalize(q);
    v = random.numbers(recursion->nv(), 2.0);
    body_q = Vector::Zero(system->info().nq);
    body_v = Vector::Zero(system->info().nv);
    place(q);
  }

  void place(const Vector& at) {
    recursion->place(at, state);
    bodies_of->find_coordinates(at, state, ws, body_q);
    bodies_of->find_velocities(v, state, ws, body_v);
  }

  testing::RandomTree random;
  std::shared_ptr<MechanismParts> parts;
  SpanningTree spanning;
  std::unique_ptr<TreeRecursion> recursion;
  std::unique_ptr<TreeBodies> bodies_of;
  std::unique_ptr<System> system;
  TreeState state;
  TreeBodiesWorkspace ws;
  Vector q, v, body_q, body_v;
};

class TreeRecursionTest : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Spaces, TreeRecursionTest, ::testing::Bool());

TEST_P(TreeRecursionTest, ClosesItsJoints) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Case c(seed, GetParam(), 12);
    EXPECT_TRUE(c.spanning.cut.empty());
    const auto ws = c.system->make_workspace();
    // a screw's angle counts from the start
    c.system->set_counted_angles(std::vector<double>(c.parts->counters.size(), NAN));
    c.system->eval_configuration(0.0, c.body_q, *ws);
    c.system->eval_motion(0.0, c.body_q, c.body_v, *ws);
    for (Eigen::Index i = 0; i < ws->phi.size(); ++i) {
      const std::string& name = c.system->info().rows[static_cast<std::size_t>(i)];
      // the turns of a screw are not in the pose
      const double whole = name.ends_with(".advance") ? 0.4 : 1e300;
      EXPECT_NEAR(std::remainder(ws->phi[i], whole), 0.0, 1e-13) << name;
      EXPECT_NEAR(ws->velocity_residual[i], 0.0, 1e-12) << name;
    }
  }
}

TEST_P(TreeRecursionTest, GivesTheAccelerationsOfAbsoluteCoordinates) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Case c(seed, GetParam(), 12);
    const auto ws = c.system->make_workspace();
    const SystemInfo& info = c.system->info();
    c.system->eval_configuration(0.0, c.body_q, *ws);
    c.system->eval_motion(0.0, c.body_q, c.body_v, *ws);
    const Vector pushed = c.random.numbers(info.nv, 5.0);
    const auto engine = make_dense_saddle(info.nv, info.row_count());
    ASSERT_TRUE(engine->factorize(ws->mass, true, ws->jacobian, 1e-9));
    Vector expected(info.nv);
    Vector lambda(info.row_count());
    engine->solve(Vector(ws->force + pushed), ws->gamma, expected, lambda);

    Vector force(c.recursion->nv());
    Vector v_dot(c.recursion->nv());
    c.recursion->factorize(c.state);
    EXPECT_EQ(c.state.lost, 0);
    c.recursion->move(c.v, c.parts->gravity, c.state, force);
    c.bodies_of->add_force(pushed, 1.0, c.state, c.ws, force);
    c.recursion->solve(force, c.state, v_dot);
    Vector found(info.nv);
    c.bodies_of->find_accelerations(v_dot, c.parts->gravity, c.state, c.ws, found);
    EXPECT_LE(max_abs(found - expected), 1e-9 * (1.0 + max_abs(expected))) << "seed " << seed;
  }
}

TEST_P(TreeRecursionTest, KnowsItsMassMatrix) {
  for (unsigned seed = 21; seed <= 30; ++seed) {
    Case c(seed, GetParam(), 12);
    const int n = c.recursion->nv();
    Matrix to_bodies(c.body_v.size(), n);
    for (int j = 0; j < n; ++j) {
      Vector column(c.body_v.size());
      c.bodies_of->find_velocities(Vector(Vector::Unit(n, j)), c.state, c.ws, column);
      to_bodies.col(j) = column;
    }
    const auto ws = c.system->make_workspace();
    c.system->eval_configuration(0.0, c.body_q, *ws);
    const Matrix expected = to_bodies.transpose() * ws->mass.dense() * to_bodies;
    Matrix mass(n, n);
    c.recursion->eval_mass(c.state, mass);
    const double size = expected.cwiseAbs().maxCoeff();
    EXPECT_LE((mass - expected).cwiseAbs().maxCoeff(), 1e-13 * size);
    Vector product(n);
    c.recursion->multiply(c.v, c.state, product);
    EXPECT_LE(max_abs(product - expected * c.v), 1e-13 * size);
    Vector back(n);
    c.recursion->factorize(c.state);
    c.recursion->solve(product, c.state, back);
    EXPECT_LE(max_abs(back - c.v), 1e-9);
    // Vᵀ F
    const Vector pushed = c.random.numbers(c.body_v.size(), 1.0);
    Vector force = Vector::Zero(n);
    c.bodies_of->add_force(pushed, 1.0, c.state, c.ws, force);
    EXPECT_LE(max_abs(force - to_bodies.transpose() * pushed), 1e-12);
  }
}

TEST_P(TreeRecursionTest, MovesAsItsRatesSay) {
  for (unsigned seed = 31; seed <= 40; ++seed) {
    Case c(seed, GetParam(), 12);
    Vector slope(c.body_q.size());
    c.system->map_velocity(c.body_q, c.body_v, slope);
    Vector force(c.recursion->nv());
    c.recursion->move(c.v, c.parts->gravity, c.state, force);
    Vector bias(c.body_v.size());
    c.bodies_of->find_accelerations(Vector(Vector::Zero(c.v.size())), c.parts->gravity, c.state,
                                    c.ws, bias);
    const double h = 1e-5;
    const auto shift = [&](double by) {
      Vector q = c.q;
      c.recursion->retract(q, Vector(by * c.v));
      Vector delta(c.v.size());
      c.recursion->find_increment(c.q, q, delta);
      EXPECT_LE(max_abs(delta - by * c.v), 1e-14);
      c.place(q);
      return std::pair(c.body_q, c.body_v);
    };
    const auto [q_after, v_after] = shift(h);
    const auto [q_before, v_before] = shift(-h);
    Vector moved(c.body_v.size());
    c.system->find_increment(q_before, q_after, moved);
    c.place(c.q);
    EXPECT_LE(max_abs(moved / (2.0 * h) - c.body_v), 1e-7) << "seed " << seed;
    EXPECT_LE(max_abs((v_after - v_before) / (2.0 * h) - bias), 1e-7 * (1.0 + max_abs(bias)));
    // q' = N(q) v, against the way that retract goes
    Vector q_dot(c.q.size());
    c.recursion->map_velocity(c.q, c.v, q_dot);
    Vector forth = c.q;
    Vector back = c.q;
    c.recursion->retract(forth, Vector(h * c.v));
    c.recursion->retract(back, Vector(-h * c.v));
    EXPECT_LE(max_abs((forth - back) / (2.0 * h) - q_dot), 1e-8);
  }
}

TEST_P(TreeRecursionTest, FindsItsCoordinatesFromPoses) {
  for (unsigned seed = 41; seed <= 50; ++seed) {
    Case c(seed, GetParam(), 12);
    const Vector found = find_tree_coordinates(c.spanning, *c.parts, c.body_q);
    const Vector wanted = c.body_q;
    c.place(found);
    Vector off(c.body_v.size());
    c.system->find_increment(wanted, c.body_q, off);
    EXPECT_LE(max_abs(off), 1e-13);
    if (!GetParam()) continue;
    EXPECT_LE(max_abs(found - c.q), 1e-13);  // with all turns
  }
}

/// A tree with long runs of hinges, some other joints between them, and branches.
std::vector<TreeBody> make_hinged_tree(testing::RandomTree& random, int count) {
  const TreeJointKind others[] = {TreeJointKind::prismatic, TreeJointKind::spherical,
                                  TreeJointKind::cylindrical, TreeJointKind::free,
                                  TreeJointKind::fixed};
  std::vector<TreeBody> bodies;
  int q = 0, v = 0;
  for (int k = 0; k < count; ++k) {
    TreeBody body;
    const bool is_hinge = random.number(0.0, 1.0) < 0.8;
    const auto other = static_cast<std::size_t>(random.number(0.0, 5.0));
    body.kind = is_hinge ? TreeJointKind::revolute : others[other];
    const bool branches = random.number(0.0, 1.0) < 0.2;
    body.parent = branches ? static_cast<int>(random.number(0.0, k + 1.0)) : k;
    body.q = q;
    body.v = v;
    q += count_coordinates(body.kind);
    v += count_rates(body.kind);
    const Body inertial = random.make_body(0);
    body.axes = random.axes();
    body.offset = random.vector();
    body.mass = inertial.mass;
    const Vector3 c = random.vector();
    body.moment = body.mass * c;
    const Matrix& j = inertial.inertia;
    body.inertia = {j(0, 0) + body.mass * (c.y * c.y + c.z * c.z),
                    j(0, 1) - body.mass * c.x * c.y,
                    j(0, 2) - body.mass * c.x * c.z,
                    j(1, 1) + body.mass * (c.x * c.x + c.z * c.z),
                    j(1, 2) - body.mass * c.y * c.z,
                    j(2, 2) + body.mass * (c.x * c.x + c.y * c.y)};
    bodies.push_back(body);
  }
  return bodies;
}

TEST(TreeRecursion, SolvesWithTheMassMatrixAlongHinges) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    testing::RandomTree random(seed, false);
    const TreeRecursion tree(make_hinged_tree(random, 15));
    TreeState state = tree.make_state();
    Vector q = random.numbers(tree.nq(), 2.0);
    tree.normalize(q);
    tree.place(q, state);
    tree.factorize(state);
    EXPECT_EQ(state.lost, 0);
    Matrix mass(tree.nv(), tree.nv());
    tree.eval_mass(state, mass);
    const Vector f = random.numbers(tree.nv(), 2.0);
    const Vector expected = mass.ldlt().solve(f);
    Vector found(tree.nv());
    tree.solve(f, state, found);
    EXPECT_LE(max_abs(found - expected), 1e-9 * (1.0 + max_abs(expected))) << "seed " << seed;
  }
}

TEST(TreeRecursion, TakesTheHintsOfAnyDepth) {
  // A chain so long that a recursion by calls, or a reference point for all, would be at its end.
  const int count = 100000;
  std::vector<TreeBody> bodies;
  for (int k = 0; k < count; ++k) {
    TreeBody body;
    body.kind = TreeJointKind::revolute;
    body.parent = k;
    body.q = body.v = k;
    body.offset = {k > 0 ? 1.0 : 0.0, 0.0, 0.0};
    if (k % 2 == 1) body.axes = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    body.mass = 1.0;
    body.moment = {0.5, 0.0, 0.0};
    body.inertia = {0.01, 0.0, 0.0, 1.0 / 3.0, 0.0, 1.0 / 3.0};
    bodies.push_back(body);
  }
  const TreeRecursion tree(bodies);
  TreeState state = tree.make_state();
  Vector q(count);
  Vector x(count);
  for (int k = 0; k < count; ++k) {
    q[k] = std::sin(3.7 * k);
    x[k] = std::cos(1.3 * k);
  }
  tree.place(q, state);
  tree.factorize(state);
  EXPECT_EQ(state.lost, 0);
  Vector f(count);
  Vector back(count);
  tree.multiply(x, state, f);
  tree.solve(f, state, back);
  Vector again(count);
  tree.multiply(back, state, again);
  EXPECT_LE(max_abs(again - f), 1e-9 * max_abs(f));
}

// Out of the plane of parallel axes the chain is rigid: about its other axes the inertia of the first link with all that
// hangs on it is 10¹⁴ times what turns about its own.
TEST(TreeRecursion, SeesSmallInertiaBesideLarge) {
  const int count = 100000;
  std::vector<TreeBody> bodies(count);
  for (int k = 0; k < count; ++k) {
    TreeBody& body = bodies[static_cast<std::size_t>(k)];
    body.kind = TreeJointKind::revolute;
    body.parent = body.q = body.v = k;
    body.offset = {k > 0 ? 0.01 : 0.0, 0.0, 0.0};
    body.mass = 0.01;
    body.moment = {5e-5, 0.0, 0.0};
    body.inertia = {1e-6, 0.0, 0.0, 1.25e-6, 0.0, 1.25e-6};
  }
  const TreeRecursion tree(bodies);
  TreeState state = tree.make_state();
  Vector q(count);
  for (int k = 0; k < count; ++k) q[k] = k % 2 == 1 ? 0.3 : -0.3;
  tree.place(q, state);
  tree.factorize(state);
  EXPECT_EQ(state.lost, 0);
}

TEST(TreeRecursion, LeavesAtRestWhatOnlyTurnsInsideAnother) {
  // The inner of two bodies on one axis has no inertia about it, and the outer one is free of it: what is left is rounding.
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  TreeBody inner;
  inner.kind = TreeJointKind::revolute;
  inner.axes = {{1, 0, 0}, {0, c, s}, {0, -s, c}};
  inner.mass = 1.0;
  inner.moment = {0.0, 0.0, 0.5};
  inner.inertia = {1.0 / 3.0, 0.0, 0.0, 1.0 / 3.0, 0.0, 0.0};
  TreeBody outer = inner;
  outer.parent = outer.q = outer.v = 1;
  outer.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  outer.inertia = {37.0, 0.1, 0.3, 41.0, 0.7, 23.0};
  const TreeRecursion tree({inner, outer});
  TreeState state = tree.make_state();
  tree.place(Vector(Vector::Constant(2, 0.4)), state);
  tree.factorize(state);
  EXPECT_EQ(state.lost, 1);
}

TEST(TreeRecursion, LeavesWhatHasNoInertiaAtRest) {
  TreeBody rod;  // slender, about its own axis
  rod.kind = TreeJointKind::revolute;
  rod.axes = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};
  rod.mass = 1.0;
  rod.moment = {0.0, 0.0, 0.5};
  rod.inertia = {1.0 / 3.0, 0.0, 0.0, 1.0 / 3.0, 0.0, 0.0};
  const TreeRecursion tree({rod});
  TreeState state = tree.make_state();
  tree.place(Vector(Vector::Zero(1)), state);
  tree.factorize(state);
  EXPECT_EQ(state.lost, 1);
  Vector x(1);
  tree.solve(Vector(Vector::Ones(1)), state, x);
  EXPECT_EQ(x[0], 0.0);
}

// Behind the small pivot of a rod that is nearly along an axis rounding must not pass for inertia.
TEST(TreeRecursion, TellsARodOnABallHoweverItLies) {
  for (int k = 0; k < 60; ++k) {
    const double tilt = std::pow(10.0, -0.15 * k), angle = 0.7 + k;
    const double x = std::sqrt(1.0 - tilt * tilt / 4.0), y = tilt / 2.0 * std::cos(angle),
                 z = tilt / 2.0 * std::sin(angle);
    TreeBody rod;
    rod.kind = TreeJointKind::spherical;
    rod.mass = 3.0;
    rod.moment = {1.5 * x, 1.5 * y, 1.5 * z};
    rod.inertia = {1.0 - x * x, -x * y, -x * z, 1.0 - y * y, -y * z, 1.0 - z * z};
    const TreeRecursion tree({rod});
    TreeState state = tree.make_state();
    tree.place(Vector((Vector(4) << 0.9, std::sqrt(0.19), 0.0, 0.0).finished()), state);
    tree.factorize(state);
    EXPECT_EQ(state.lost, 1) << tilt;
    rod.inertia.xx += 1e-5;  // not so slender
    rod.inertia.yy += 1e-5;
    rod.inertia.zz += 1e-5;
    const TreeRecursion thick({rod});
    thick.place(Vector((Vector(4) << 0.9, std::sqrt(0.19), 0.0, 0.0).finished()), state);
    thick.factorize(state);
    EXPECT_EQ(state.lost, 0) << tilt;
  }
}

}  // namespace
}  // namespace driftless
