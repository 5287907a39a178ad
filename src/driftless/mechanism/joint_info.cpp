#include "driftless/mechanism/joint_info.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

namespace driftless {
namespace {

struct Name {
  std::string name;
  std::string unit;
};

/// Which of the joint's measures are the coordinates of the tree, in their order.
std::vector<std::size_t> find_measures(const RowBlock& row, const SpanningTree::Node& node) {
  switch (row.joint_form) {
    case JointForm::cylindrical: return {1, 0};
    case JointForm::screw: return {0};
    case JointForm::universal:
      return node.backward ? std::vector<std::size_t>{1, 0} : std::vector<std::size_t>{0, 1};
    default: break;
  }
  std::vector<std::size_t> all(row.coordinates.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

class Names {
 public:
  Names(const MechanismParts& parts, const SystemInfo& full) : parts_(parts), full_(full) {}

  void add(const SpanningTree::Node& node, const TreeBody& tree, SystemInfo& info) {
    const Body& body = parts_.bodies[static_cast<std::size_t>(node.body)];
    if (node.row < 0) {
      for (int k = 0; k < body.nq(); ++k) add_coordinate(info, find_coordinate(body.q + k));
      for (int k = 0; k < body.nv(); ++k) add_rate(info, find_rate(body.v + k));
      return;
    }
    const RowBlock& row = parts_.rows[static_cast<std::size_t>(node.row)];
    if (tree.kind == TreeJointKind::spherical) {
      for (const char* each : {".q0", ".q1", ".q2", ".q3"})
        add_coordinate(info, {row.name + each, ""});
      for (const char* each : {".wx", ".wy", ".wz"}) add_rate(info, {row.name + each, "rad/s"});
      return;
    }
    for (const std::size_t index : find_measures(row, node)) {
      const JointCoordinate& each = row.coordinates[index];
      const std::string unit(each.unit);
      add_coordinate(info, {row.name + "." + std::string(each.name), unit});
      add_rate(info, {row.name + "." + std::string(each.rate), unit + "/s"});
    }
  }

 private:
  Name find_coordinate(int k) const {
    const auto i = static_cast<std::size_t>(k);
    return {full_.coordinates[i], full_.coordinate_units[i]};
  }
  Name find_rate(int k) const {
    const auto i = static_cast<std::size_t>(k);
    return {full_.rates[i], full_.rate_units[i]};
  }
  static void add_coordinate(SystemInfo& info, const Name& name) {
    info.coordinates.push_back(name.name);
    info.coordinate_units.push_back(name.unit);
  }
  static void add_rate(SystemInfo& info, const Name& name) {
    info.rates.push_back(name.name);
    info.rate_units.push_back(name.unit);
  }

  const MechanismParts& parts_;
  const SystemInfo& full_;
};

int count_turns(TreeJointKind kind) {
  switch (kind) {
    case TreeJointKind::prismatic:
    case TreeJointKind::shift:
    case TreeJointKind::shift_plane:
    case TreeJointKind::fixed: return 0;
    case TreeJointKind::universal: return 2;
    case TreeJointKind::spherical:
    case TreeJointKind::free: return 3;
    default: return 1;
  }
}

}  // namespace

std::shared_ptr<const MechanismParts> make_open_parts(const MechanismParts& parts,
                                                      const SpanningTree& spanning) {
  auto open = std::make_shared<MechanismParts>(parts);
  open->rows.clear();
  open->frame_rows = 0;
  for (std::size_t k = 0; k < parts.rows.size(); ++k) {
    if (spanning.carries[k]) continue;
    open->rows.push_back(parts.rows[k]);
    open->rows.back().first_row = open->frame_rows;
    open->frame_rows += parts.rows[k].block.function->outputs();
  }
  open->measures.clear();
  open->records.clear();
  open->record_names.clear();
  open->record_units.clear();
  open->record_graph = Graph{};
  return open;
}

SystemInfo make_joint_info(const MechanismParts& parts, const SpanningTree& spanning,
                           const SystemInfo& open, const SystemInfo& full) {
  SystemInfo info = open;
  info.nq = info.nv = 0;
  info.constant_mass = false;
  info.normalizes = false;
  for (auto* list : {&info.coordinates, &info.rates, &info.coordinate_units, &info.rate_units}) {
    list->clear();
  }
  info.bodies.clear();
  Names names(parts, full);
  for (std::size_t k = 0; k < spanning.nodes.size(); ++k) {
    const SpanningTree::Node& node = spanning.nodes[k];
    const TreeBody& tree = spanning.tree[k];
    names.add(node, tree, info);
    const BodyInfo& body = full.bodies[static_cast<std::size_t>(node.body)];
    info.bodies.push_back(
        {body.name, tree.q, tree.v, count_rates(tree.kind), count_turns(tree.kind), body.is_held});
    info.nq += count_coordinates(tree.kind);
    info.nv += count_rates(tree.kind);
    info.normalizes |= has_quaternion(tree.kind);
  }
  for (ElementInfo& element : info.elements) {
    for (int& body : element.bodies) body = spanning.number[static_cast<std::size_t>(body)] - 1;
  }
  info.records.clear();
  info.record_units.clear();
  for (const JointRecord& record : list_joint_records(info, full)) {
    const auto i = static_cast<std::size_t>(record.index);
    using Kind = JointRecord::Kind;
    const bool is_rate = record.kind == Kind::body_rate;
    const bool is_record = record.kind == Kind::record;
    info.records.push_back((is_record ? full.records : is_rate ? full.rates : full.coordinates)[i]);
    info.record_units.push_back((is_record ? full.record_units
                                 : is_rate ? full.rate_units
                                           : full.coordinate_units)[i]);
  }
  info.records_need_reactions = full.records_need_reactions;
  return info;
}

std::vector<JointRecord> list_joint_records(const SystemInfo& joint, const SystemInfo& full) {
  std::set<std::string> known(joint.coordinates.begin(), joint.coordinates.end());
  known.insert(joint.rates.begin(), joint.rates.end());
  std::vector<JointRecord> list;
  const auto add = [&](const std::vector<std::string>& names, JointRecord::Kind kind) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (known.insert(names[k]).second) list.push_back({kind, static_cast<int>(k)});
    }
  };
  add(full.records, JointRecord::Kind::record);
  add(full.coordinates, JointRecord::Kind::body_coordinate);
  add(full.rates, JointRecord::Kind::body_rate);
  return list;
}

std::vector<CountedCoordinate> list_counted_coordinates(const MechanismParts& parts,
                                                        const SpanningTree& spanning) {
  std::vector<std::vector<int>> counters(parts.functions.size());
  for (std::size_t c = 0; c < parts.counters.size(); ++c) {
    counters[static_cast<std::size_t>(parts.counters[c].function)].push_back(static_cast<int>(c));
  }
  std::vector<CountedCoordinate> list;
  for (std::size_t k = 0; k < spanning.nodes.size(); ++k) {
    const SpanningTree::Node& node = spanning.nodes[k];
    if (node.row < 0) continue;
    const RowBlock& row = parts.rows[static_cast<std::size_t>(node.row)];
    // a screw's turns are told by its advance, and a ball has no angles
    if (row.coordinates_block < 0 || row.joint_form == JointForm::screw ||
        row.joint_form == JointForm::spherical)
      continue;
    const std::vector<std::size_t> measures = find_measures(row, node);
    for (const int counter : counters[static_cast<std::size_t>(row.coordinates_block)]) {
      const auto output =
          static_cast<std::size_t>(parts.counters[static_cast<std::size_t>(counter)].output);
      const auto at = std::find(measures.begin(), measures.end(), output) - measures.begin();
      if (at == static_cast<std::ptrdiff_t>(measures.size())) continue;
      list.push_back({spanning.tree[k].q + static_cast<int>(at), counter});
    }
  }
  return list;
}

}  // namespace driftless
