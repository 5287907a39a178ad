// Simbody: joint coordinates, loops by PointInPlane pairs (a hinge in space: a ball and two right angles), Runge-Kutta-Merson.
// Key accuracy: its error control, as it comes; key step: fixed steps, projected after each to 1e-10. Compile without -DNDEBUG:
// Debian's library is built without, and its headers differ.

#include <memory>

#include <Simbody.h>

#include "bench/common/data.hpp"
#include "bench/peers/tree.hpp"

namespace {

using bench::Arguments;
using bench::Closure;
using bench::JointKind;
using bench::Line;
using bench::RunFigures;
using bench::TreeBody;
using bench::TreeModel;
using SimTK::Real;
using SimTK::Rotation;
using SimTK::Stage;
using SimTK::Transform;

SimTK::Vec3 convert(bench::Vec3 p) { return {p.x, p.y, p.z}; }

class Simulator {
 public:
  explicit Simulator(const TreeModel& tree) : tree_(tree), matter_(system_), forces_(system_) {
    if (tree.gravity > 0) SimTK::Force::Gravity(forces_, matter_, -SimTK::YAxis, tree.gravity);
    for (const TreeBody& body : tree.bodies) add_body(body);
    for (const Closure& closure : tree.closures) add_closure(closure);
    if (tree.torque != 0) SimTK::Force::MobilityConstantForce(forces_, bodies_[0], 0, tree.torque);
    if (tree.spring_body >= 0) {
      SimTK::Force::TwoPointLinearSpring(forces_, matter_.Ground(), convert(tree.anchor),
                                         find_body(tree.spring_body), convert(tree.spring_point),
                                         tree.stiffness, tree.length);
    }
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const TreeBody& body = tree.bodies[k];
      if (body.joint == JointKind::ball) {
        bodies_[k].setQToFitRotation(
            state_, Rotation(body.start, body.start_about_z ? SimTK::CoordinateAxis(SimTK::ZAxis)
                                                            : SimTK::CoordinateAxis(SimTK::YAxis)));
      } else {
        bodies_[k].setOneQ(state_, 0, body.start);
        bodies_[k].setOneU(state_, 0, body.rate);
      }
    }
  }

  SimTK::MultibodySystem& system() { return system_; }
  SimTK::State& state() { return state_; }

  double find_energy(const SimTK::State& state) const {
    system_.realize(state, Stage::Dynamics);
    return system_.calcEnergy(state) - tree_.torque * bodies_[0].getOneQ(state, 0);
  }
  double find_largest_gap(const SimTK::State& state) const {
    system_.realize(state, Stage::Position);
    const SimTK::Vector& gaps = state.getQErr();
    double largest = 0;
    for (int k = 0; k < rows_; ++k) largest = std::max(largest, std::abs(gaps[k]));
    return largest;
  }
  double find_crank(const SimTK::State& state) const {
    double angle = tree_.crank_offset;
    for (const int body : tree_.crank)
      angle += bodies_[static_cast<std::size_t>(body)].getOneQ(state, 0);
    return angle;
  }
  /// Of body 0, about its own z axis.
  double find_acceleration(const SimTK::State& state) const {
    system_.realize(state, Stage::Acceleration);
    const SimTK::Vec3 a = bodies_[0].getBodyAngularAcceleration(state);
    return (~bodies_[0].getBodyRotation(state) * a)[2];
  }

 private:
  SimTK::MobilizedBody& find_body(int k) {
    return k < 0 ? static_cast<SimTK::MobilizedBody&>(matter_.updGround())
                 : bodies_[static_cast<std::size_t>(k)];
  }

  void add_body(const TreeBody& body) {
    const SimTK::Vec3 centre = convert(body.centre);
    const SimTK::Inertia inertia(body.inertia.x, body.inertia.y, body.inertia.z);
    const SimTK::Body::Rigid rigid(
        SimTK::MassProperties(body.mass, centre, inertia.shiftFromMassCenter(centre, body.mass)));
    SimTK::MobilizedBody& parent = find_body(body.parent);
    // A pin turns about z.
    const Rotation axis =
        body.joint == JointKind::hinge_y ? Rotation(-SimTK::Pi / 2, SimTK::XAxis) : Rotation();
    const Transform on_parent(axis, convert(body.origin)), on_body(axis);
    if (body.joint == JointKind::ball) {
      bodies_.push_back(SimTK::MobilizedBody::Ball(parent, on_parent, rigid, on_body));
    } else {
      bodies_.push_back(SimTK::MobilizedBody::Pin(parent, on_parent, rigid, on_body));
    }
  }

  void add_closure(const Closure& closure) {
    SimTK::MobilizedBody &a = find_body(closure.a), &b = find_body(closure.b);
    const SimTK::Vec3 p = convert(closure.on_a), q = convert(closure.on_b);
    const SimTK::UnitVec3 x(SimTK::XAxis), y(SimTK::YAxis), z(SimTK::ZAxis);
    switch (closure.kind) {
      case Closure::Kind::height:
        SimTK::Constraint::PointInPlane(a, y, 0.0, b, q);
        rows_ += 1;
        break;
      case Closure::Kind::pin:
        SimTK::Constraint::PointInPlane(a, x, p[0], b, q);
        SimTK::Constraint::PointInPlane(a, y, p[1], b, q);
        rows_ += 2;
        break;
      case Closure::Kind::hinge:
        SimTK::Constraint::Ball(a, p, b, q);
        SimTK::Constraint::ConstantAngle(a, x, b, z, SimTK::Pi / 2);
        SimTK::Constraint::ConstantAngle(a, y, b, z, SimTK::Pi / 2);
        rows_ += 5;
        break;
    }
  }

  TreeModel tree_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
  int rows_ = 0;
};

RunFigures run(const TreeModel& tree, Simulator& simulator, const Arguments& arguments,
               bool observe) {
  SimTK::RungeKuttaMersonIntegrator integrator(simulator.system());
  if (arguments.has("step")) {
    integrator.setFixedStepSize(arguments.number("step", 0.01));
    integrator.setConstraintTolerance(1e-10);
    integrator.setProjectEveryStep(true);
  } else {
    integrator.setAccuracy(arguments.number("accuracy", 1e-6));
  }
  integrator.setFinalTime(tree.end);
  integrator.setReturnEveryInternalStep(true);
  integrator.initialize(simulator.state());
  RunFigures figures;
  const double energy = simulator.find_energy(integrator.getState());
  while (integrator.getTime() < tree.end) {
    const auto status = integrator.stepTo(tree.end);
    if (status == SimTK::Integrator::EndOfSimulation) break;
    if (!observe) continue;
    const SimTK::State& state = integrator.getState();
    const double error = std::abs(simulator.find_energy(state) - energy);
    if (!(error <= figures.energy_error)) figures.energy_error = error;
    figures.max_phi = std::max(figures.max_phi, simulator.find_largest_gap(state));
  }
  figures.steps = integrator.getNumStepsTaken();
  figures.evaluations = integrator.getNumRealizations();
  figures.end = tree.find_end(simulator.find_crank(integrator.getState()));
  return figures;
}

void time_evaluation(Simulator& simulator, const TreeModel& tree, const Arguments& arguments,
                     Line& line) {
  SimTK::State& state = simulator.state();
  SimTK::MultibodySystem& system = simulator.system();
  double check = simulator.find_acceleration(state);
  if (tree.name == "chain") {
    state.updU() = bench::kChainSpeedTime * state.getUDot();
    check = simulator.find_acceleration(state);
  }
  line.set("status", std::string("ok")).set("check", check);
  line.set("seconds", bench::measure_call(
                          [&] {
                            state.updQ();  // everything from the positions on is computed anew
                            system.realize(state, Stage::Acceleration);
                          },
                          arguments));
}

/// One step of Runge-Kutta-Merson: five evaluations. Simbody has no method of order 4 with four.
void time_step(Simulator& simulator, const Arguments& arguments, Line& line) {
  SimTK::RungeKuttaMersonIntegrator integrator(simulator.system());
  integrator.setFixedStepSize(bench::kChainStep);
  integrator.setReturnEveryInternalStep(true);
  integrator.initialize(simulator.state());
  line.set("status", std::string("ok"));
  line.set("seconds", bench::measure_call([&] { integrator.stepTo(1e9); }, arguments));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_program(argc, argv, [](const Arguments& arguments, Line& line) {
    TreeModel tree = bench::make_tree_model(arguments, false);
    if (arguments.mode() != "run") bench::set_evaluation_pose(tree);
    Simulator simulator(tree);
    if (arguments.mode() == "evaluation") {
      time_evaluation(simulator, tree, arguments, line);
    } else if (arguments.mode() == "step") {
      time_step(simulator, arguments, line);
    } else {
      const auto go = [&](bool observe) { return run(tree, simulator, arguments, observe); };
      bench::report_run(line, go, arguments);
    }
  });
}
