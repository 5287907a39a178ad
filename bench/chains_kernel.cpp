// Open chains and binary trees in space: microseconds per body and evaluation of v' = M⁻¹ Q by the tree's recursions, next to a plain
// hand-written recursion (6 x 6 matrices of Eigen, body axes) in the same run. Links of 1 m and 1 kg, box section 0.1 m,
// with revolute axes that alternate, or ball joints.

#include <chrono>
#include <cmath>
#include <ctime>
#include <random>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "driftless/mechanism/tree_recursion.hpp"

namespace {

using namespace driftless;

constexpr double kGravity = 9.81;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A chain, or a tree in which two links hang on each.
std::vector<TreeBody> make_links(int count, bool balls, bool branches) {
  std::vector<TreeBody> bodies;
  for (int k = 0; k < count; ++k) {
    TreeBody body;
    body.kind = balls ? TreeJointKind::spherical : TreeJointKind::revolute;
    body.parent = branches ? (k + 1) / 2 : k;
    body.q = balls ? 4 * k : k;
    body.v = balls ? 3 * k : k;
    if (k > 0) body.offset = {1.0, 0.0, 0.0};
    // the axis z of the joint is along y of the link before
    if (!balls && k > 0) {
      body.axes = k % 2 == 1 ? Axes<double>{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}
                             : Axes<double>{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
    }
    const double along = 0.01 / 6.0;
    const double across = (1.0 + 0.01) / 12.0 + 0.25;
    body.mass = 1.0;
    body.moment = {0.5, 0.0, 0.0};
    body.inertia = {along, 0.0, 0.0, across, 0.0, across};
    bodies.push_back(body);
  }
  return bodies;
}

/// What anybody would write down: spatial vectors (angular, linear) along the body's axes.
class PlainRecursion {
 public:
  explicit PlainRecursion(const std::vector<TreeBody>& bodies)
      : bodies_(bodies), links_(bodies.size()) {}

  void eval(const Vector& q, const Vector& v, Vector& v_dot) {
    for (std::size_t i = 0; i < links_.size(); ++i)
      place(i, q[static_cast<Eigen::Index>(i)], v[static_cast<Eigen::Index>(i)]);
    for (std::size_t i = links_.size(); i-- > 0;) {
      Link& link = links_[i];
      link.u = link.inertia.col(2);
      link.d = link.u[2];
      link.y = -link.force[2];
      if (i == 0) continue;
      const Matrix6 rest = link.inertia - link.u * link.u.transpose() / link.d;
      const Vector6 force = link.force + rest * link.bias + link.u * (link.y / link.d);
      links_[i - 1].inertia += link.x.transpose() * rest * link.x;
      links_[i - 1].force += link.x.transpose() * force;
    }
    Vector6 a;
    a << 0, 0, 0, 0, kGravity, 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      Link& link = links_[i];
      a = link.x * a + link.bias;
      const double x = (link.y - link.u.dot(a)) / link.d;
      v_dot[static_cast<Eigen::Index>(i)] = x;
      a[2] += x;
    }
  }

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  struct Link {
    Matrix6 x, inertia;
    Vector6 v, bias, force, u;
    double d = 0.0, y = 0.0;
  };

  static Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
    Eigen::Matrix3d m;
    m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
    return m;
  }

  void place(std::size_t i, double q, double v) {
    const TreeBody& body = bodies_[i];
    Link& link = links_[i];
    Eigen::Matrix3d e;
    const double c = std::cos(q);
    const double s = std::sin(q);
    e << body.axes.x.x, body.axes.y.x, body.axes.z.x, body.axes.x.y, body.axes.y.y, body.axes.z.y,
        body.axes.x.z, body.axes.y.z, body.axes.z.z;
    Eigen::Matrix3d z;
    z << c, -s, 0, s, c, 0, 0, 0, 1;
    const Eigen::Matrix3d back = (e * z).transpose();
    const Eigen::Vector3d offset(body.offset.x, body.offset.y, body.offset.z);
    link.x << back, Eigen::Matrix3d::Zero(), -back * skew(offset), back;
    const Eigen::Matrix3d moment = skew({body.moment.x, body.moment.y, body.moment.z});
    link.inertia.setZero();
    link.inertia.diagonal() << body.inertia.xx, body.inertia.yy, body.inertia.zz, body.mass,
        body.mass, body.mass;
    link.inertia.block<3, 3>(0, 3) = moment;
    link.inertia.block<3, 3>(3, 0) = -moment;
    if (i == 0) {
      link.v.setZero();
    } else {
      link.v.noalias() = link.x * links_[i - 1].v;
    }
    link.v[2] += v;
    const Eigen::Vector3d w = link.v.head<3>();
    const Eigen::Vector3d u = link.v.tail<3>();
    link.bias << w.cross(Eigen::Vector3d(0, 0, v)), u.cross(Eigen::Vector3d(0, 0, v));
    const Vector6 momentum = link.inertia * link.v;
    link.force << w.cross(momentum.head<3>()) + u.cross(momentum.tail<3>()),
        w.cross(momentum.tail<3>());
  }

  const std::vector<TreeBody>& bodies_;
  std::vector<Link> links_;
};

/// The shortest of several rounds, per body, in microseconds.
template <class Work>
double measure(int bodies, Work&& work) {
  const int repeats = std::max(3, 200000 / bodies);
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    const double begin = cpu_seconds();
    for (int k = 0; k < repeats; ++k) work();
    best = std::min(best, (cpu_seconds() - begin) / repeats);
  }
  return 1e6 * best / bodies;
}

void run(int count, bool balls, bool branches) {
  const std::vector<TreeBody> bodies = make_links(count, balls, branches);
  const TreeRecursion tree(bodies);
  TreeState state = tree.make_state();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Vector q(tree.nq());
  Vector v(tree.nv());
  for (double& each : q) each = number(random);
  for (double& each : v) each = number(random);
  tree.normalize(q);
  Vector force(tree.nv());
  Vector v_dot(tree.nv());
  const Vector3 gravity{0.0, -kGravity, 0.0};
  const double place = measure(count, [&] { tree.place(q, state); });
  const double factorize = measure(count, [&] { tree.factorize(state); });
  const double move = measure(count, [&] { tree.move(v, gravity, state, force); });
  const double solve = measure(count, [&] { tree.solve(force, state, v_dot); });
  const double whole = measure(count, [&] {
    tree.place(q, state);
    tree.factorize(state);
    tree.move(v, gravity, state, force);
    tree.solve(force, state, v_dot);
  });
  fmt::print("{:<9} {:>6}  {:6.3f} = {:5.3f} + {:5.3f} + {:5.3f} + {:5.3f}",
             branches ? "tree"
             : balls  ? "spherical"
                      : "revolute",
             count, whole, place, factorize, move, solve);
  if (balls || branches) {
    fmt::print("\n");
    return;
  }
  PlainRecursion plain(bodies);
  Vector reference(tree.nv());
  const double hand = measure(count, [&] { plain.eval(q, v, reference); });
  fmt::print("   {:6.3f}  {:5.2f}  {:8.1e}\n", hand, whole / hand,
             (v_dot - reference).norm() / reference.norm());
}

}  // namespace

int main() {
  fmt::print(
      "joints     bodies   us per body = poses + factors + motion + solve    plain  ratio  "
      "difference\n");
  for (const int count : {10, 100, 1000, 10000}) run(count, false, false);
  for (const int count : {10, 100, 1000, 10000}) run(count, true, false);
  for (const int count : {10, 100, 1000, 10000}) run(count, false, true);
  return 0;
}
