#include "driftless/system/system.hpp"

#include <utility>

namespace driftless {

std::unique_ptr<SaddleEngine> System::make_engine(const Workspace& ws, int rows,
                                                  EngineKind kind) const {
  return make_saddle(ws.mass, ws.jacobian, rows, kind);
}

void System::eval_velocity(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const {
  eval_motion(t, q, v, ws);
}

std::pair<std::string, Source> System::find_faulty_force(double /*t*/, ConstVectorRef /*q*/,
                                                         ConstVectorRef /*v*/,
                                                         Workspace& /*ws*/) const {
  return {};
}

std::vector<System::UndirectedForce> System::find_undirected_forces(double /*t*/,
                                                                    ConstVectorRef /*q*/,
                                                                    ConstVectorRef /*v*/,
                                                                    Workspace& /*ws*/) const {
  return {};
}

void System::eval_probes(const Moment& /*moment*/, Workspace& /*ws*/, VectorRef /*values*/,
                         VectorRef /*slopes*/) const {}

void System::map_velocity(ConstVectorRef /*q*/, ConstVectorRef v, VectorRef q_dot) const {
  q_dot = v;
}

void System::retract(VectorRef q, ConstVectorRef delta) const { q += delta; }

void System::find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const {
  delta = to - from;
}

Vector System::find_turns_off(ConstVectorRef /*q*/) const {
  return Vector::Zero(static_cast<Eigen::Index>(info_.elements.size()));
}

void System::close_tree(VectorRef /*q*/) const {}

void System::accept(double /*t*/, ConstVectorRef /*q*/, ConstVectorRef /*v*/,
                    Workspace& /*ws*/) const {}

bool System::let_turns_free(Workspace& /*ws*/, TurnFreedom /*freedom*/) const { return false; }

std::vector<double> System::find_counted_angles(double /*t*/, ConstVectorRef /*q*/,
                                                Workspace& /*ws*/) const {
  return {};
}

State System::adopt_start(const State& start, const std::vector<double>& counted_angles) {
  set_counted_angles(counted_angles);
  return start;
}
void System::set_counted_angles(const std::vector<double>& /*angles*/) {}

void System::normalize(VectorRef /*q*/) const {}

void resize_workspace(const SystemInfo& info, Workspace& ws) {
  resize_workspace(info, BlockMatrix(info.nv, info.nv), BlockMatrix(info.row_count(), info.nv), ws);
}

void resize_workspace(const SystemInfo& info, BlockMatrix mass, BlockMatrix jacobian,
                      Workspace& ws) {
  const int nv = info.nv;
  const int rows = info.row_count();
  const auto count = static_cast<Eigen::Index>(info.invariants.size());
  ws.mass = std::move(mass);
  ws.jacobian = std::move(jacobian);
  ws.phi = Vector::Zero(info.position_rows);
  ws.force = Vector::Zero(nv);
  ws.gamma = Vector::Zero(rows);
  ws.velocity_residual = Vector::Zero(rows);
  ws.states = info.state_start;
  ws.state_rate = Vector::Zero(info.nc);
  ws.invariant = Vector::Zero(count);
  ws.invariant_v = Matrix::Zero(count, nv);
  ws.invariant_q = Matrix::Zero(count, nv);
  ws.invariant_t = Vector::Zero(count);
  ws.velocity_rows_q = Matrix::Zero(info.velocity_rows, nv);
  ws.power = Vector::Zero(count);
  ws.power_acceleration = Matrix::Zero(count, nv);
}

}  // namespace driftless
