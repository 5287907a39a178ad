// The unit of a row is read off its Jacobian g = (g_p, g_θ) at frames in no special position:
//   g_p not 0          a length                                             "m"
//   |g_θ| = 1 always   an angle; also a row that counts turns               "rad"                               [DSC.1]
//   else               a cosine, 0 where the row holds                      "1"
// So an element need not say it. Rows of laws say theirs: a gear is an angle, a belt a length though only turns change it.
// That of an equation which the user wrote is left open.
//
// A body is held if a chain of rows and forces connects it with the ground.

#include "driftless/mechanism/describe_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless {
namespace {

constexpr int kPoses = 3;

/// A frame in no special position; `index` tells them apart.
Frame<double> make_frame(int index, bool plane) {
  const double a = 0.7 + 1.3 * index;
  const double c = std::cos(a);
  const double s = std::sin(a);
  Frame<double> frame{{0.3 + 0.41 * index, -0.2 * index * index + 0.1, 0.0},
                      {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}},
                      a};
  if (plane) return frame;
  frame.origin.z = 0.17 + 0.23 * index;
  // then by b about the x axis
  const double b = 0.4 + 0.6 * index;
  const auto tilt = [&](const Vector3& v) {
    return Vector3{v.x, std::cos(b) * v.y - std::sin(b) * v.z,
                   std::sin(b) * v.y + std::cos(b) * v.z};
  };
  frame.axes = {tilt(frame.axes.x), tilt(frame.axes.y), tilt(frame.axes.z)};
  frame.angle = 0.0;
  return frame;
}

/// [DSC.1]
std::vector<std::string> find_row_units(const FrameFunction& function, bool plane) {
  const int rows = function.outputs();
  const auto columns = static_cast<std::size_t>(kTwist * function.frames());
  std::vector<double> jacobian(static_cast<std::size_t>(rows) * columns);
  std::vector<double> f(static_cast<std::size_t>(rows));
  std::vector<double> turned = f;
  const std::vector<double> no_turns(static_cast<std::size_t>(function.turn_inputs()), 0.0);
  const std::vector<double> some_turns(no_turns.size(), 1.0);
  std::vector<bool> has_shift(static_cast<std::size_t>(rows), false);
  std::vector<bool> is_angle(static_cast<std::size_t>(rows), true);
  std::vector<bool> counts_turns(static_cast<std::size_t>(rows), false);
  for (int pose = 0; pose < kPoses; ++pose) {
    std::vector<Frame<double>> frames;
    for (int j = 0; j < function.frames(); ++j) {
      frames.push_back(make_frame(function.frames() * pose + j, plane));
    }
    function.eval_jacobian(frames.data(), f.data(), jacobian.data(), no_turns.data());
    function.eval(frames.data(), turned.data(), some_turns.data());
    for (std::size_t i = 0; i < f.size(); ++i) {
      counts_turns[i] = counts_turns[i] || turned[i] != f[i];
      const double* g = jacobian.data() + i * columns;
      for (std::size_t k = 0; k < columns; ++k) {
        if (k % kTwist < 3 && std::abs(g[k]) > 1e-9) has_shift[i] = true;
      }
      const double* turn = g + columns - 3;
      is_angle[i] = is_angle[i] && std::abs(std::hypot(turn[0], turn[1], turn[2]) - 1.0) < 1e-9;
    }
  }
  std::vector<std::string> units;
  for (std::size_t i = 0; i < f.size(); ++i) {
    units.emplace_back(has_shift[i] ? "m" : is_angle[i] || counts_turns[i] ? "rad" : "1");
  }
  return units;
}

class Description {
 public:
  Description(const MechanismParts& parts, SystemInfo& info)
      : parts_(parts), info_(info), leader_(parts.bodies.size() + 1) {
    std::iota(leader_.begin(), leader_.end(), std::size_t{0});
  }

  void run() {
    bool plane = !parts_.bodies.empty();
    for (const Body& body : parts_.bodies) plane = plane && body.in_plane();
    describe_rows(plane);
    for (const ForceBlock& force : parts_.forces) connect_force(force.frames);
    for (const LawParts::Force& force : parts_.laws.forces)
      connect_law(find_frames(force.scalar), find_bodies(find_frames(force.scalar)));
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k) {
      const Body& body = parts_.bodies[k];
      const int turns = body.is_point() ? 0 : body.in_plane() ? 1 : 3;
      info_.bodies.push_back({body.name, body.q, body.v, body.nv(), turns, is_held(k)});
    }
  }

 private:
  void describe_rows(bool plane) {
    int row = 0;
    for (const RowBlock& block : parts_.rows) {
      for (std::string& unit : find_row_units(*block.block.function, plane))
        info_.row_units.push_back(std::move(unit));
      ElementInfo element{block.name, {}, find_bodies(block.block.frames), block.where};
      while (row < static_cast<int>(info_.row_units.size())) element.rows.push_back(row++);
      info_.elements.push_back(std::move(element));
      connect(block.block.frames);
    }
    info_.row_units.resize(static_cast<std::size_t>(info_.row_count()));
    for (const RelationBlock& relation : parts_.relations) {
      ElementInfo element{relation.name, {}, {}, relation.where};
      std::vector<int> frames = relation.frames;
      for (const int k : relation.rows) {
        element.rows.push_back(row + k);
        info_.row_units[static_cast<std::size_t>(row + k)] =
            parts_.laws.position_rows[static_cast<std::size_t>(k)].unit;
        add_frames(parts_.laws.position_rows[static_cast<std::size_t>(k)].node, frames);
      }
      for (const int k : relation.velocity_rows) {
        element.rows.push_back(info_.position_rows + k);
        add_frames(parts_.laws.velocity_rows[static_cast<std::size_t>(k)].node, frames);
      }
      element.bodies = find_bodies(frames);
      connect_law(frames, element.bodies);
      info_.elements.push_back(std::move(element));
    }
    info_.row_sources.resize(info_.row_units.size());
    for (const ElementInfo& element : info_.elements)
      for (const int each : element.rows)
        info_.row_sources[static_cast<std::size_t>(each)] = element.where;
  }

  const std::vector<int>& find_frames(int scalar) const {
    const LawScalar& law = parts_.laws.scalars[static_cast<std::size_t>(scalar)];
    const auto block = static_cast<std::size_t>(law.block);
    return law.is_velocity ? parts_.velocities[block].frames : parts_.functions[block].frames;
  }

  /// Of all scalars that occur in a row.
  void add_frames(NodeId node, std::vector<int>& frames) const {
    const LawParts& laws = parts_.laws;
    for (int scalar = 0; scalar < static_cast<int>(laws.scalars.size()); ++scalar) {
      if (!laws.graph.depends_on(node, LawParts::value_of(scalar)) &&
          !laws.graph.depends_on(node, LawParts::rate_of(scalar)))
        continue;
      if (laws.scalars[static_cast<std::size_t>(scalar)].state >= 0) continue;
      const std::vector<int>& more = find_frames(scalar);
      frames.insert(frames.end(), more.begin(), more.end());
    }
  }

  /// The bodies of some frames, each once, without the ground.
  std::vector<int> find_bodies(const std::vector<int>& frames) const {
    std::vector<int> bodies;
    for (const int frame : frames) {
      const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
      if (body >= 0 && std::find(bodies.begin(), bodies.end(), body) == bodies.end()) {
        bodies.push_back(body);
      }
    }
    return bodies;
  }

  // --- groups of bodies that elements connect, the ground being one of them -----------------------

  bool is_held(std::size_t body) const { return find(body) == find(ground()); }
  /// What measures one body alone measures it in the world.
  void connect_law(const std::vector<int>& frames, const std::vector<int>& bodies) {
    connect(frames);
    if (bodies.size() == 1) leader_[find(static_cast<std::size_t>(bodies[0]))] = find(ground());
  }
  void connect(const std::vector<int>& frames) {
    for (const int frame : frames) leader_[find(node(frame))] = find(node(frames.front()));
  }
  /// A force on one body comes from outside.
  void connect_force(const std::vector<int>& frames) {
    connect(frames);
    if (frames.size() == 1) leader_[find(node(frames.front()))] = find(ground());
  }
  std::size_t ground() const { return leader_.size() - 1; }
  std::size_t node(int frame) const {
    const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
    return body < 0 ? ground() : static_cast<std::size_t>(body);
  }
  std::size_t find(std::size_t node) const {
    while (leader_[node] != node) node = leader_[node];
    return node;
  }

  const MechanismParts& parts_;
  SystemInfo& info_;
  std::vector<std::size_t> leader_;
};

}  // namespace

void describe_parts(const MechanismParts& parts, SystemInfo& info) {
  Description(parts, info).run();
}

}  // namespace driftless
