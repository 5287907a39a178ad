#include "driftless/mechanism/mechanism_system.hpp"

#include <algorithm>

#include "driftless/mechanism/describe_parts.hpp"
#include "driftless/mechanism/mechanism_system_class.hpp"
#include "driftless/mechanism/system_layout.hpp"

namespace driftless {

MechanismSystem::MechanismSystem(std::shared_ptr<const MechanismParts> parts)
    : shared_(std::move(parts)),
      parts_(*shared_),
      kinematics_(parts_),
      tree_(parts_, kinematics_),
      laws_(parts_, kinematics_),
      forces_(parts_, kinematics_, laws_),
      recorder_(parts_, kinematics_, laws_, forces_),
      probes_(parts_, kinematics_, laws_),
      linearizer_(parts_, kinematics_) {
  info_.name = parts_.name;
  has_laws_ = !laws_.is_empty();
  counted_angles_ = parts_.start_angles;
  counted_angles_.resize(parts_.counters.size(), 0.0);
  counts_ = std::any_of(parts_.counters.begin(), parts_.counters.end(),
                        [](const TurnCounter& each) { return !each.continuous; });
  for (const Body& body : parts_.bodies) add_names(body, info_);
  for (const RowBlock& row : parts_.rows) {
    info_.rows.insert(info_.rows.end(), row.row_names.begin(), row.row_names.end());
    joint_counters_.insert(joint_counters_.end(), row.block.counters.begin(),
                           row.block.counters.end());
  }
  for (const LawParts::Row& row : parts_.laws.position_rows) info_.rows.push_back(row.name);
  for (const LawParts::Row& row : parts_.laws.velocity_rows) info_.rows.push_back(row.name);
  info_.position_rows = parts_.frame_rows + static_cast<int>(parts_.laws.position_rows.size());
  info_.velocity_rows = static_cast<int>(parts_.laws.velocity_rows.size());
  info_.velocity_rows_linear = laws_.velocity_rows_linear();
  info_.has_time_rows = laws_.uses_time_in_rows();
  info_.constant_mass = true;
  needed_counters_ = joint_counters_;
  needed_counters_.insert(needed_counters_.end(), laws_.counters().begin(), laws_.counters().end());
  add_states(parts_, info_);
  add_invariants(parts_, laws_, info_);
  info_.records = parts_.record_names;
  info_.record_units = parts_.record_units;
  info_.probes = probes_.elements();
  info_.records_need_reactions = recorder_.needs_accelerations();
  mass_ = make_mass(parts_, info_);
  even_mass_ = make_even_mass(parts_, info_);
  make_rows();
  describe_parts(parts_, info_);
}

std::unique_ptr<Workspace> MechanismSystem::make_workspace() const {
  auto ws = std::make_unique<MechanismWorkspace>();
  resize_workspace(info_, mass_, jacobian_, *ws);
  ws->motion = kinematics_.make_state();
  ws->motion.counted = counted_angles_;
  ws->motion.pair_vectors.resize(pairs_.vector_count());
  ws->motion.rod_vectors.resize(rods_.vector_count());
  ws->laws = laws_.make_workspace();
  ws->records = recorder_.make_workspace();
  ws->applied = ws->conservative = ws->momentum = Vector::Zero(info_.nv);
  return ws;
}

std::unique_ptr<SaddleEngine> MechanismSystem::make_engine(const Workspace& ws, int rows,
                                                           EngineKind kind) const {
  const bool gaps = other_rows_.empty() && rods_.is_empty() && rows == parts_.frame_rows &&
                    has_one_kind_of_body(parts_);
  return make_saddle(ws.mass, ws.jacobian, rows, kind, gaps ? RowForm::gaps : RowForm::any,
                     {even_mass_, {}});
}

void MechanismSystem::map_velocity(ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) const {
  if (info_.nq == info_.nv) {
    q_dot = v;
    return;
  }
  for (const Body& body : parts_.bodies) map_body_velocity(body, q, v, q_dot);
}

Vector MechanismSystem::find_turns_off(ConstVectorRef q) const {
  Vector angles = Vector::Zero(static_cast<Eigen::Index>(info_.elements.size()));
  angles.head(static_cast<Eigen::Index>(parts_.rows.size())) = tree_.find_turns_off(q);
  return angles;
}

void MechanismSystem::make_rows() {
  jacobian_ = BlockMatrix(info_.row_count(), info_.nv, find_row_places(parts_, laws_, info_));
  pairs_ = PairRows(parts_, jacobian_);
  pairs_.set_constant(jacobian_.data());
  rods_ = RodRows(parts_, jacobian_);
  for (std::size_t k = 0; k < parts_.rows.size(); ++k) {
    if (!parts_.rows[k].is_written_by_hand()) other_rows_.push_back(k);
  }
  std::vector<bool> is_other(static_cast<std::size_t>(info_.row_count()), true);
  for (const RowBlock& row : parts_.rows) {
    if (row.is_written_by_hand()) is_other[static_cast<std::size_t>(row.first_row)] = false;
  }
  for (std::size_t k = 0; k < jacobian_.strips().size(); ++k) {
    const int row = jacobian_.strips()[k].row;
    if (row < info_.position_rows && is_other[static_cast<std::size_t>(row)])
      other_strips_.push_back(static_cast<int>(k));
  }
}

std::unique_ptr<System> make_mechanism_system(std::shared_ptr<const MechanismParts> parts) {
  return std::make_unique<MechanismSystem>(std::move(parts));
}

}  // namespace driftless
