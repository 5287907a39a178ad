// A mechanism in the order of its dependence: parameters, points, bodies, joints, constraints, forces, start values,
// records. All findings are gathered, so that a user sees them at once.

#include "driftless/mechanism/compile.hpp"

#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "driftless/elements/constraints/all.hpp"
#include "driftless/elements/forces/all.hpp"
#include "driftless/elements/joints/all.hpp"
#include "driftless/mechanism/measures.hpp"
#include "driftless/mechanism/mechanism_system.hpp"
#include "driftless/mechanism/placement.hpp"
#include "driftless/model/element_types.hpp"
#include "driftless/model/names.hpp"
#include "driftless/model/parameters.hpp"

namespace driftless {
namespace {

/// Calls `use` with a default spec of the type of that name; false: there is none.
template <class List, class Use>
bool with_type(std::string_view name, Use&& use) {
  bool found = false;
  std::apply(
      [&](auto... spec) {
        ((decltype(spec)::kName == name ? (use(spec), found = true) : false), ...);
      },
      List{});
  return found;
}

class Compiler {
 public:
  Compiler(const MechanismModel& model, const std::vector<std::string>& used_elsewhere)
      : model_(model),
        used_(used_elsewhere.begin(), used_elsewhere.end()),
        parameters_(used_),
        context_{parameters_, errors_, model.plane},
        measures_(parts_, model.plane) {}

  CompiledModel run() {
    out_.parameters = read_parameters(model_.parameters, parameters_, errors_);
    refuse_what_is_not_read();
    read_points();
    read_bodies();
    errors_.finish();  // what follows stands on the bodies
    read_joints();
    read_constraints();
    read_forces();
    parts_.frames.insert(parts_.frames.begin(), assembly_.frames.begin(), assembly_.frames.end());
    errors_.finish();
    read_records();
    read_start();
    errors_.finish();
    out_.system = make_mechanism_system(std::move(parts_));
    if (!targets_.empty()) {
      out_.targets =
          make_start_targets(*out_.system, std::move(targets_), std::move(target_measures_));
    }
    find_unused();
    return std::move(out_);
  }

 private:
  // The frames of elements come first and those of measures behind them: elements are read before any measure.
  Space space() const { return model_.plane ? Space::plane : Space::space; }

  /// Sections that the file may have and that mean nothing here: nothing is dropped silently.
  void refuse_what_is_not_read() {
    for (const ElementSpec& spec : model_.measures) {
      errors_.add(spec.where,
                  fmt::format("measure.{}: a mechanism cannot declare measures", spec.name),
                  "record an expression of those there are: [record] reach = \"crank.x\"");
    }
    for (const ConservedSpec& spec : model_.conserved) {
      errors_.add(
          spec.where,
          fmt::format("conserved.{}: of a mechanism the energy alone is watched", spec.name),
          "leave it out, or write the model as equations");
    }
    for (const TableSpec& table : model_.tables) {
      errors_.add(table.where, fmt::format("table.{}: a mechanism cannot use tables", table.name),
                  "leave it out, or write the model as equations");
    }
  }

  void read_points() {
    ElementSpec none;
    ElementReader reader("points", none, context_);
    for (const NamedValue& point : model_.points) {
      context_.points.emplace_back(point.name, reader.read_vector(point.value, point.name, "m"));
    }
    if (!model_.gravity.is_list() || !model_.gravity.list().empty()) {
      ElementSpec spec;
      spec.name = "gravity";
      ElementReader gravity("model", spec, context_);
      parts_.gravity = gravity.read_vector(model_.gravity, "gravity", "m/s^2");
    }
  }

  void read_bodies() {
    int q = 0;
    int v = 0;
    for (const ElementSpec& spec : model_.bodies) {
      DrawnBody drawn = read_body(spec, context_);
      drawn.body.q = q;
      drawn.body.v = v;
      q += drawn.body.nq();
      v += drawn.body.nv();
      assembly_.bodies.push_back(std::move(drawn));
    }
    if (model_.bodies.empty()) {
      errors_.add(model_.where, "the mechanism has no bodies", "add [body.NAME]");
    }
    parts_.name = model_.name;
    out_.q = Vector::Zero(q);
    out_.v = Vector::Zero(v);
    for (const DrawnBody& drawn : assembly_.bodies) {
      set_pose(drawn.body, drawn.pose, out_.q);
      parts_.bodies.push_back(drawn.body);
    }
  }

  void add_rows(const std::string& name, std::unique_ptr<FrameFunction> rows,
                const std::vector<std::string_view>& row_names, const std::vector<int>& frames,
                std::vector<int> counters) {
    if (!rows) return;
    RowBlock block{name, std::move(rows), frames, {}, std::move(counters)};
    for (const std::string_view row : row_names) {
      block.row_names.push_back(name + "." + std::string(row));
    }
    parts_.rows.push_back(std::move(block));
    reactions_.emplace_back(name, static_cast<int>(parts_.rows.size()) - 1);
  }

  void read_joints() {
    for (const ElementSpec& spec : model_.joints) {
      ElementReader reader("joint", spec, context_);
      const bool known = with_type<AllJoints>(spec.type, [&](auto joint) {
        if (refuse_in_plane(spec, joint.kInPlane)) return;
        reader.read_fields(joint);
        const auto frames = read_placement(reader, assembly_);
        reader.finish();
        if (!frames) return;
        JointParts parts = make_joint(joint, space());
        const std::vector<int> list(frames->begin(), frames->end());
        joints_.push_back({spec.name, std::move(parts), list});
      });
      if (!known) refuse_type(spec, "joint");
    }
    for (Joint& joint : joints_) {
      const auto first = static_cast<int>(parts_.counters.size());
      measures_.add_joint(joint.name, joint.parts, joint.frames);
      std::vector<int> counters;
      const int needed = joint.parts.rows ? joint.parts.rows->turn_inputs() : 0;
      for (int k = 0; k < needed; ++k) counters.push_back(first + k);
      add_rows(joint.name, std::move(joint.parts.rows), joint.parts.row_names, joint.frames,
               std::move(counters));
    }
  }

  void read_constraints() {
    for (const ElementSpec& spec : model_.constraints) {
      ElementReader reader("constraint", spec, context_);
      const bool known = with_type<AllConstraints>(spec.type, [&](auto constraint) {
        if (refuse_in_plane(spec, constraint.kInPlane)) return;
        const std::size_t before = error_count();
        reader.read_fields(constraint);
        const auto frames = read_placement(reader, assembly_);
        reader.finish();
        if (!frames || error_count() != before) return;
        ConstraintParts parts = make_constraint(constraint, space());
        add_rows(spec.name, std::move(parts.rows), parts.row_names, {(*frames)[0], (*frames)[1]},
                 {});
      });
      if (!known) refuse_type(spec, "constraint");
    }
  }

  void read_forces() {
    for (const ElementSpec& spec : model_.forces) {
      ElementReader reader("force", spec, context_);
      const bool known = with_type<AllForces>(spec.type, [&](auto force) {
        reader.read_fields(force);
        const auto frames = read_placement(reader, assembly_);
        reader.finish();
        if (!frames) return;
        parts_.forces.push_back(
            {spec.name, make_force(force, find_distance(*frames)), {(*frames)[0], (*frames)[1]}});
      });
      if (!known) refuse_type(spec, "force");
    }
  }

  /// Of the frames' origins in the drawing pose.
  double find_distance(const std::array<int, 2>& frames) const {
    Vector3 place[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const BodyFrame& frame = assembly_.frames[static_cast<std::size_t>(frames[k])];
      place[k] = frame.offset;
      if (frame.body < 0) continue;
      const BodyState& pose = assembly_.bodies[static_cast<std::size_t>(frame.body)].pose;
      place[k] = pose.position + apply(pose.axes, frame.offset);
    }
    return norm(place[1] - place[0]);
  }

  bool refuse_in_plane(const ElementSpec& spec, bool in_plane) {
    if (!model_.plane || in_plane) return false;
    errors_.add(spec.type_where,
                fmt::format("'{}': there is no {} in the plane", spec.name, spec.type),
                "leave out space = \"plane\", or choose another type");
    return true;
  }

  void refuse_type(const ElementSpec& spec, std::string_view kind) {
    errors_.add(spec.type_where.line > 0 ? spec.type_where : spec.where,
                fmt::format("{}.{}: type '{}' is not known", kind, spec.name, shorten(spec.type)),
                suggest_name(spec.type, known_types(kind)));
  }

  std::size_t error_count() const { return errors_.size(); }

  // -- start ------------------------------------------------------------------------------------

  static bool can_start(const Measure& measure) {
    return measure.kind == Measure::Kind::value || measure.kind == Measure::Kind::rate ||
           measure.kind == Measure::Kind::angular_velocity;
  }

  void read_start() {
    for (const NamedValue& entry : model_.start) {
      const Measure* measure = measures_.find(entry.name);
      if (measure == nullptr || !can_start(*measure)) {
        errors_.add(entry.where,
                    fmt::format("start: there is no value '{}' to start with", shorten(entry.name)),
                    suggest_name(entry.name, list_start_names()));
        continue;
      }
      StartTarget target;
      target.name = entry.name;
      target.where = entry.where;
      target.unit = measure->unit;
      target.is_rate = measure->kind != Measure::Kind::value;
      read_target(entry, measure->unit, target);
      targets_.push_back(target);
      target_measures_.push_back(*measure);
    }
  }

  void read_target(const NamedValue& entry, const std::string& unit, StartTarget& target) {
    ElementSpec none;
    none.name = entry.name;
    ElementReader reader("start", none, context_);
    if (!entry.value.is_table()) {
      target.value = reader.read_number(entry.value, "value", unit);
      return;
    }
    ElementReader table("start." + entry.name, entry.value, context_);
    const auto value = table.number("value", unit);
    if (!value) table.fault(entry.where, table.path() + ".value is missing");
    target.value = value.value_or(0.0);
    if (const auto word = table.text("priority")) {
      if (*word == "exact") {
        target.priority = Priority::exact;
      } else if (*word == "guess") {
        target.priority = Priority::guess;
      } else if (*word != "preferred") {
        table.fault(entry.where,
                    fmt::format("{}.priority: '{}' is not known", table.path(), shorten(*word)),
                    "use \"exact\", \"preferred\" or \"guess\"");
      }
    }
    table.finish();
  }

  std::vector<std::string> list_start_names() const {
    std::vector<std::string> names;
    for (const std::string& name : measures_.names()) {
      if (can_start(*measures_.find(name))) names.push_back(name);
    }
    return names;
  }

  // -- records ----------------------------------------------------------------------------------

  void read_records() {
    for (std::size_t k = 0; k < assembly_.bodies.size(); ++k) {
      measures_.add_body(assembly_.bodies[k].body, static_cast<int>(k));
    }
    for (const auto& [name, block] : reactions_) measures_.add_reactions(name, block);
    Graph graph;
    NodeScope scope(used_);
    scope.add("t", graph.variable(0), "t");
    for (const auto& [name, value] : out_.parameters) scope.add(name, graph.constant(value), name);
    std::vector<NodeId> outputs;
    for (const Measure& measure : measures_.standard()) {
      parts_.record_names.push_back(measure.name);
      parts_.record_units.push_back(measure.unit);
      outputs.push_back(add_measure(measure, graph, scope));
    }
    for (const std::string& name : measures_.names()) {
      if (!scope.find(name)) add_measure(*measures_.find(name), graph, scope);
    }
    for (const NamedText& record : model_.records) {
      try {
        outputs.push_back(scope.parse(record.value, graph));
      } catch (const ModelError& error) {
        errors_.add(error);
        continue;
      }
      parts_.record_names.push_back(record.name);
      parts_.record_units.emplace_back();
    }
    const auto count = static_cast<int>(parts_.measures.size()) + 1;
    if (parts_.record_names.size() == outputs.size()) parts_.records = Tape(graph, outputs, count);
  }

  NodeId add_measure(const Measure& measure, Graph& graph, NodeScope& scope) {
    parts_.measures.push_back(measure);
    const NodeId node = graph.variable(static_cast<int>(parts_.measures.size()));
    scope.add(measure.name, node, measure.name);
    return node;
  }

  void find_unused() {
    for (const NamedText& parameter : model_.parameters) {
      if (used_.count(parameter.name) == 0) {
        out_.warnings.push_back(fmt::format("line {}: parameter '{}' is never used",
                                            parameter.where.line, parameter.name));
      }
    }
  }

  struct Joint {
    std::string name;
    JointParts parts;
    std::vector<int> frames;
  };

  const MechanismModel& model_;
  std::set<std::string> used_;
  ParameterScope parameters_;
  DiagnosticList errors_;
  ReadingContext context_;
  Assembly assembly_;
  MechanismParts parts_;
  MeasureList measures_;
  std::vector<Joint> joints_;
  std::vector<std::pair<std::string, int>> reactions_;
  std::vector<StartTarget> targets_;
  std::vector<Measure> target_measures_;
  CompiledModel out_;
};

}  // namespace

CompiledModel compile(const MechanismModel& model, const std::vector<std::string>& used_elsewhere) {
  return Compiler(model, used_elsewhere).run();
}

}  // namespace driftless
