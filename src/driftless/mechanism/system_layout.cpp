#include "driftless/mechanism/system_layout.hpp"

#include <algorithm>
#include <utility>

#include "driftless/mechanism/mass_range.hpp"

namespace driftless {

void add_names(const Body& body, SystemInfo& info) {
  static const char* const kSpace[] = {"x", "y", "z", "q0", "q1", "q2", "q3"};
  static const char* const kPlane[] = {"x", "y", "angle"};
  static const char* const kRates[] = {"x'", "y'", "z'", "wx", "wy", "wz"};
  for (int i = 0; i < body.nq(); ++i) {
    info.coordinates.push_back(body.name + "." + (body.in_plane() ? kPlane[i] : kSpace[i]));
    const bool is_place = i < (body.in_plane() ? 2 : 3);
    info.coordinate_units.emplace_back(is_place ? "m" : body.in_plane() ? "rad" : "");
  }
  for (int i = 0; i < body.nv(); ++i) {
    info.rate_units.emplace_back(i < (body.in_plane() ? 2 : 3) ? "m/s" : "rad/s");
    info.rates.push_back(body.name + "." +
                         (body.in_plane() ? std::string(kPlane[i]) + "'" : std::string(kRates[i])));
  }
  info.nq += body.nq();
  info.normalizes |= body.kind == BodyKind::space_body;
  info.nv += body.nv();
}

void add_states(const MechanismParts& parts, SystemInfo& info) {
  const std::vector<LawParts::State>& states = parts.laws.states;
  info.nc = static_cast<int>(states.size());
  info.state_start = Vector::Zero(info.nc);
  for (std::size_t k = 0; k < states.size(); ++k) {
    info.states.push_back(states[k].name);
    info.state_units.push_back(states[k].unit);
    info.state_start[static_cast<Eigen::Index>(k)] = states[k].start;
  }
}

void add_invariants(const MechanismParts& parts, const Laws& laws, SystemInfo& info) {
  bool has_power =
      info.nc > 0 || laws.has_applied() || laws.uses_time_in_rows() || laws.velocity_rows_feed();
  for (const ForceBlock& force : parts.forces) has_power |= force.kernel->has_applied();
  info.invariants.push_back(
      {.name = "energy", .is_energy = true, .has_power = has_power, .unit = "J"});
  for (const LawParts::Invariant& each : parts.laws.invariants) {
    info.invariants.push_back({.name = each.name,
                               .is_energy = false,
                               .has_power = !parts.laws.graph.is_zero(each.power),
                               .unit = ""});
  }
}

BlockMatrix make_mass(const MechanismParts& parts, const SystemInfo& info) {
  std::vector<BlockPlace> places;
  for (const Body& body : parts.bodies) places.push_back({body.v, body.v, body.nv(), body.nv()});
  BlockMatrix mass(info.nv, info.nv, std::move(places));
  for (std::size_t k = 0; k < parts.bodies.size(); ++k) {
    const Body& body = parts.bodies[k];
    const int n = body.nv();
    Eigen::Map<Matrix> block(mass.data() + mass.blocks()[k].first, n, n);
    block.diagonal().head(body.in_plane() ? 2 : 3).setConstant(body.mass);
    if (body.kind == BodyKind::plane_body) block(2, 2) = body.inertia(2, 2);
    if (body.kind == BodyKind::space_body) block.bottomRightCorner(3, 3) = body.inertia;
  }
  return mass;
}

BlockMatrix make_even_mass(const MechanismParts& parts, const SystemInfo& info) {
  const std::optional<double> radius2 = find_even_radius(parts.bodies);
  if (!radius2) return {};
  BlockMatrix even = make_mass(parts, info);
  even.set_zero();
  for (std::size_t k = 0; k < parts.bodies.size(); ++k) {
    const Body& body = parts.bodies[k];
    Eigen::Map<Matrix> block(even.data() + even.blocks()[k].first, body.nv(), body.nv());
    const int shifts = body.in_plane() ? 2 : 3;
    block.diagonal().head(shifts).setOnes();
    block.diagonal().tail(body.nv() - shifts).setConstant(*radius2);
  }
  return even;
}

std::vector<BlockPlace> find_row_places(const MechanismParts& parts, const Laws& laws,
                                        const SystemInfo& info) {
  std::vector<BlockPlace> places;
  const auto add = [&](int row, int rows, const std::vector<int>& frames) {
    std::vector<int> bodies;
    for (const int frame : frames) {
      const int body = parts.frames[static_cast<std::size_t>(frame)].body;
      if (body < 0 || std::find(bodies.begin(), bodies.end(), body) != bodies.end()) continue;
      bodies.push_back(body);
      const Body& each = parts.bodies[static_cast<std::size_t>(body)];
      places.push_back({row, each.v, rows, each.nv()});
    }
  };
  for (const RowBlock& row : parts.rows)
    add(row.first_row, row.block.function->outputs(), row.block.frames);
  for (int k = parts.frame_rows; k < info.row_count(); ++k) {
    const bool is_velocity = k >= info.position_rows;
    const int first = is_velocity ? info.position_rows : parts.frame_rows;
    add(k, 1, laws.find_frames(is_velocity, k - first));
  }
  return places;
}

bool has_one_kind_of_body(const MechanismParts& parts) {
  const BodyKind kind = parts.bodies.front().kind;
  return (kind == BodyKind::plane_body || kind == BodyKind::space_body) &&
         std::all_of(parts.bodies.begin(), parts.bodies.end(),
                     [&](const Body& each) { return each.kind == kind; });
}

}  // namespace driftless
