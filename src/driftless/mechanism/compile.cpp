// A mechanism in the order of its dependence: parameters, points, bodies, joints, measures, constraints, forces,
// records, start values. All findings are gathered, so that a user sees them at once.

#include "driftless/mechanism/compile.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "driftless/elements/constraints/all.hpp"
#include "driftless/elements/forces/all.hpp"
#include "driftless/elements/joints/all.hpp"
#include "driftless/elements/measures/all.hpp"
#include "driftless/mechanism/coordinate_choice.hpp"
#include "driftless/mechanism/law_reader.hpp"
#include "driftless/mechanism/mass_range.hpp"
#include "driftless/mechanism/mechanism_system.hpp"
#include "driftless/mechanism/point_mass_check.hpp"
#include "driftless/mechanism/record_reader.hpp"
#include "driftless/mechanism/relation_rows.hpp"
#include "driftless/mechanism/scene_maker.hpp"
#include "driftless/mechanism/start_reader.hpp"
#include "driftless/mechanism/unused_parts.hpp"
#include "driftless/mechanism/whole_turns.hpp"
#include "driftless/model/element_types.hpp"
#include "driftless/model/names.hpp"
#include "driftless/model/parameters.hpp"
#include "driftless/model/tables.hpp"

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
        context_{parameters_, errors_, model.plane, model.folder, model.meshes_may_be_gone},
        parts_(std::make_shared<MechanismParts>()),
        measures_(*parts_, assembly_, model.plane),
        laws_(*parts_, measures_, assembly_, model.plane, used_),
        records_(*parts_, measures_, parameters_, used_),
        relations_(*parts_, measures_, errors_) {}

  CompiledModel run() {
    out_.parameters = read_parameters(model_.parameters, parameters_, errors_);
    add_names(laws_.scope_of_names(), laws_.graph());
    add_names(records_.scope_of_names(), records_.graph());
    read_points();
    read_bodies();
    read_joints();
    check_cut(model_, errors_);
    read_measures();
    for (const auto& each : model_.constraints) measures_.add_later(each.name, {each.where, false});
    for (const auto& each : model_.forces) measures_.add_later(each.name, {each.where, true});
    read_constraints();
    read_forces();
    laws_.read_conserved(model_.conserved, errors_);
    records_.read(model_.records, expressions_, errors_);
    StartValues start = read_start(model_.start, measures_, context_);
    errors_.finish();
    if (model_.plane) settle_whole_turns(parts_->rows, assembly_.frames);
    parts_->frames = assembly_.frames;
    check_point_masses(*parts_, out_.q, errors_);
    errors_.finish();
    set_first_turns(start, *parts_, out_.q);
    parts_->expressions = expressions_;
    out_.system = make_mechanism_system(parts_);
    out_.scene = make_scene(model_.plane, parts_->gravity, assembly_, placed_, context_.points);
    if (!start.targets.empty()) {
      out_.targets =
          make_start_targets(parts_, std::move(start.targets), std::move(start.measures));
    }
    choose_coordinates(model_, parts_, out_);
    if (!out_.targets) out_.rate_given.assign(static_cast<std::size_t>(out_.v.size()), false);
    warn_of_unused(model_, assembly_.bodies, context_, used_, out_.warnings);
    warn_of_mass_range(parts_->bodies, out_.warnings);
    return std::move(out_);
  }

 private:
  /// Where it has grown, what was read meanwhile is not fit to be judged any further.
  std::size_t trouble() const { return context_.trouble() + measures_.doubts(); }

  Space space() const { return model_.plane ? Space::plane : Space::space; }

  void add_names(MeasureScope& scope, Graph& graph) {
    for (const auto& [name, value] : out_.parameters) {
      // A doubtful value must not be reckoned with: 1/(l - 1) is no fault if l = 1 only stands in.
      const bool doubtful = parameters_.is_doubtful(name);
      scope.add(name, doubtful ? *scope.find("t") : graph.constant(value));
    }
    for (const TableSpec& table : model_.tables) {
      scope.add_table(table.name, add_table(table, model_.folder, graph, errors_));
    }
  }

  void read_points() {
    ElementSpec none;
    ElementReader reader("points", none, context_);
    for (const NamedValue& point : model_.points) {
      const std::size_t before = trouble();
      context_.points.emplace_back(point.name, reader.read_vector(point.value, point.name, "m"));
      if (trouble() > before) context_.doubtful_points.insert(point.name);
    }
    if (!model_.gravity.is_list() || !model_.gravity.list().empty()) {
      ElementReader gravity("", none, context_);
      parts_->gravity = gravity.read_vector(model_.gravity, "gravity", "m/s^2");
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
    parts_->name = model_.name;
    out_.q = Vector::Zero(q);
    out_.v = Vector::Zero(v);
    for (std::size_t k = 0; k < assembly_.bodies.size(); ++k) {
      const DrawnBody& drawn = assembly_.bodies[k];
      set_pose(drawn.body, drawn.pose, out_.q);
      parts_->bodies.push_back(drawn.body);
      measures_.add_body(drawn, static_cast<int>(k));
    }
  }

  void add_rows(const ElementSpec& element, std::unique_ptr<FrameFunction> rows,
                const std::vector<std::string_view>& row_names, const std::vector<int>& frames,
                std::vector<int> counters, NearestPose find_nearest) {
    if (!rows) return;
    const std::string& name = element.name;
    counters.resize(static_cast<std::size_t>(rows->turn_inputs()));
    RowBlock row{name, {std::move(rows), frames, std::move(counters)}, {}};
    row.find_nearest = find_nearest;
    row.where = element.where;
    for (const std::string_view each : row_names) {
      row.row_names.push_back(name + "." + std::string(each));
    }
    row.first_row = parts_->frame_rows;
    parts_->frame_rows += row.block.function->outputs();
    measures_.add_joint_reactions(name, static_cast<int>(parts_->rows.size()));
    parts_->rows.push_back(std::move(row));
  }

  bool touches_points(const std::vector<int>& frames) const {
    return std::any_of(frames.begin(), frames.end(), [&](int frame) {
      const int body = assembly_.frames[static_cast<std::size_t>(frame)].body;
      return body >= 0 && assembly_.bodies[static_cast<std::size_t>(body)].body.is_point();
    });
  }

  /// Frames of the ground, for an element whose own are not known: its measures still have their names.
  std::vector<int> make_stand_ins(int count) {
    std::vector<int> frames;
    for (int k = 0; k < count; ++k) {
      frames.push_back(assembly_.add(assembly_.fix(-1, {}, Axes<double>{})));
    }
    return frames;
  }

  /// The frames that an element of this type stands on. If something is wrong with them, that is noted.
  template <class Spec>
  std::vector<int> read_frames(ElementReader& reader) {
    constexpr Attachment kAttachment = [] {
      if constexpr (requires { Spec::kAttachment; }) return Spec::kAttachment;
      return Attachment::two_frames;
    }();
    if constexpr (kAttachment == Attachment::measures) {
      return std::vector<int>{};
    } else if constexpr (kAttachment == Attachment::one_frame) {
      const auto frame = read_body_placement(reader, assembly_);
      return frame ? std::vector<int>{*frame} : make_stand_ins(1);
    } else {
      constexpr bool kHasPlace = [] {
        if constexpr (requires { Spec::kHasPlace; }) return Spec::kHasPlace;
        return true;
      }();
      const auto frames = read_placement(reader, assembly_, kHasPlace);
      return frames ? std::vector<int>(frames->begin(), frames->end()) : make_stand_ins(2);
    }
  }

  /// Reads one element and calls use(spec, frames), also if something is wrong with it: then is_sound_ says so, and its
  /// measures are there for others to name. False: there is no such type.
  template <class List, class Use>
  bool read_element(std::string_view kind, const ElementSpec& element, Use&& use) {
    return with_type<List>(element.type, [&](auto spec) {
      using Spec = decltype(spec);
      if constexpr (requires { Spec::kInPlane; }) {
        if (refuse_in_plane(element, Spec::kInPlane)) return;
      }
      ElementReader reader(kind, element, context_);
      reader.know("type");
      const std::size_t before = trouble();
      if constexpr (requires { spec.of.name; }) set_coordinate_unit(reader);
      reader.read_fields(spec);
      const std::vector<int> frames = read_frames<Spec>(reader);
      reader.finish();
      is_sound_ = trouble() == before;
      placed_.push_back({std::string(kind), element.name, element.type, frames, {}});
      if constexpr (requires { spec.of.name; }) placed_.back().of = spec.of.name;
      if constexpr (requires { spec.low.has_value(); }) {
        placed_.back().low = spec.low;
        placed_.back().high = spec.high;
      }
      if constexpr (requires { spec.wheels(); }) placed_.back().wheels = spec.wheels();
      if constexpr (requires { spec.of.front().name; })
        for (const MeasureName& each : spec.of) placed_.back().measures.push_back(each.name);
      laws_.begin(reader, frames, is_sound_);
      use(spec, frames);
    });
  }

  /// A field's unit may depend on what the element acts along.
  void set_coordinate_unit(ElementReader& reader) {
    const auto name = reader.has("of") ? reader.text("of") : std::nullopt;
    const Measure* measure = name ? measures_.find(*name) : nullptr;
    if (measure != nullptr) reader.set_coordinate_unit(measure->unit);
  }

  void read_joints() {
    for (const ElementSpec& element : model_.joints) {
      const auto use = [&](const auto& spec, const std::vector<int>& frames) {
        JointParts joint = make_joint(spec, space());
        if (joint.rows) placed_.back().freedom = find_freedom(*joint.rows, model_.plane);
        const bool is_measured = joint.coordinates != nullptr;
        std::vector<int> counters = measures_.add_joint(element.name, joint, frames);
        const int measured = is_measured ? static_cast<int>(parts_->functions.size()) - 1 : -1;
        if (!joint.rows) return;
        add_rows(element, std::move(joint.rows), joint.row_names, frames, std::move(counters),
                 joint.find_nearest);
        RowBlock& row = parts_->rows.back();
        if (!touches_points(frames)) row.form = std::move(joint.form);
        row.is_joint = true;
        row.joint_form = joint.joint_form;
        row.advance = joint.advance;
        row.coordinates = joint.coordinate_info;
        row.coordinates_block = measured;
      };
      if (!read_element<AllJoints>("joint", element, use)) refuse_type(element, "joint");
    }
  }

  void read_measures() {
    for (const ElementSpec& element : model_.measures) {
      const auto use = [&](const auto& spec, const std::vector<int>& frames) {
        if constexpr (requires { make_measure(spec, space()); }) {
          measures_.add_declared(element.name, make_measure(spec, space()), frames);
        } else if (!spec.value.given()) {
          measures_.add_doubtful(element.name);
        } else {
          measures_.add_expression(element.name, spec.value);
          expressions_.push_back(element.name);
        }
      };
      if (!read_element<AllMeasures>("measure", element, use)) refuse_type(element, "measure");
    }
  }

  void read_constraints() {
    for (const ElementSpec& element : model_.constraints) {
      const auto use = [&](const auto& spec, const std::vector<int>& frames) {
        if constexpr (requires { make_constraint(spec, space()); }) {
          const auto whole = complete(element, spec, frames);
          if (!whole) {
            measures_.add_doubtful(element.name);
            return;
          }
          ConstraintParts parts = make_constraint(*whole, space());
          add_rows(element, std::move(parts.rows), parts.row_names, frames, {}, nullptr);
          if (parts.rod_length > 0.0) parts_->rows.back().rod_length = parts.rod_length;
        } else {
          const std::size_t before = trouble();
          const Relation relation = make_relation(spec, laws_);
          is_sound_ = is_sound_ && trouble() == before;
          if (!relations_.add(element, relation, frames, is_sound_)) {
            measures_.add_doubtful(element.name);
          }
        }
      };
      if (!read_element<AllConstraints>("constraint", element, use)) {
        refuse_type(element, "constraint");
      }
      measures_.remove_later(element.name);
    }
  }

  /// The spec with what the drawing gives; nothing if that is out of bounds, which is noted.
  template <class Spec>
  std::optional<Spec> complete(const ElementSpec& element, Spec spec,
                               const std::vector<int>& frames) {
    if constexpr (requires { spec.complete(nullptr); }) {
      const Frame<double> drawn[] = {assembly_.find_drawn(frames[0]),
                                     assembly_.find_drawn(frames[1])};
      spec.complete(drawn);
      bool fits = true;
      for_each_field<Spec>([&](const auto& each) {
        const double value = *(spec.*(each.member));
        if (each.bounds.contains(value)) return;
        fits = false;
        if (!is_sound_) return;
        errors_.add(element.where,
                    fmt::format("constraint.{}.{} is left out and {} as drawn: out of bounds",
                                element.name, each.key, value),
                    std::string(each.description));
      });
      if (!fits) return {};
    }
    return spec;
  }

  void read_forces() {
    for (const ElementSpec& element : model_.forces) {
      const auto use = [&](const auto& spec, const std::vector<int>& frames) {
        if constexpr (requires { make_law(spec, laws_); }) {
          add_law(element, make_law(spec, laws_));
        } else {
          add_kernel(element, make_force(spec, laws_), frames);
        }
      };
      if (!read_element<AllForces>("force", element, use)) refuse_type(element, "force");
      measures_.remove_later(element.name);
    }
  }

  void add_law(const ElementSpec& element, const ScalarForce& force) {
    const std::string& name = element.name;
    const int scalar = laws_.find_scalar(force.along.value);
    if (scalar < 0) {  // something is wrong with it, which is noted
      measures_.add_doubtful(name);
      return;
    }
    Graph& graph = laws_.graph();
    const auto index = static_cast<int>(parts_->laws.forces.size());
    parts_->laws.forces.push_back({name, scalar, force.potential, force.applied, element.where});
    measures_.add_law_force(name, force.along.unit, index);
    NodeId effort = force.applied >= 0 ? force.applied : graph.constant(0.0);
    if (force.potential >= 0) {
      effort = graph.sub(effort, graph.derivative(force.potential, LawParts::value_of(scalar)));
    }
    laws_.add_effort(name + (force.along.unit == "rad" ? ".torque" : ".force"), effort);
  }

  void add_kernel(const ElementSpec& element, ForceParts force, const std::vector<int>& frames) {
    const std::string& name = element.name;
    if (!force.kernel) {
      measures_.add_doubtful(name);
      return;
    }
    const auto first = static_cast<int>(parts_->laws.inputs.size());
    parts_->laws.inputs.insert(parts_->laws.inputs.end(), force.inputs.begin(), force.inputs.end());
    measures_.add_kernel(name, static_cast<int>(parts_->forces.size()));
    parts_->forces.push_back({name, std::move(force.kernel), frames, first,
                              static_cast<int>(force.inputs.size()), element.where});
  }

  bool refuse_in_plane(const ElementSpec& spec, bool in_plane) {
    if (!model_.plane || in_plane) return false;
    errors_.add(spec.type_where,
                fmt::format("'{}': there is no {} in the plane", spec.name, spec.type),
                "leave out space = \"plane\", or choose another type");
    measures_.add_doubtful(spec.name);
    return true;
  }

  void refuse_type(const ElementSpec& spec, std::string_view kind) {
    measures_.add_doubtful(spec.name);
    errors_.add(spec.type_where.line > 0 ? spec.type_where : spec.where,
                fmt::format("{}.{}: type '{}' is not known", kind, spec.name, shorten(spec.type)),
                suggest_name(spec.type, known_types(kind)));
  }

  const MechanismModel& model_;
  std::set<std::string> used_;
  ParameterScope parameters_;
  DiagnosticList errors_;
  ReadingContext context_;
  Assembly assembly_;
  std::shared_ptr<MechanismParts> parts_;
  MeasureList measures_;
  LawReader laws_;
  RecordReader records_;
  RelationRows relations_;
  std::vector<std::string> expressions_;  // names of measures
  std::vector<PlacedElement> placed_;
  bool is_sound_ = true;  // nothing is wrong with the element that is being read
  CompiledModel out_;
};

}  // namespace

CompiledModel compile(const MechanismModel& model, const std::vector<std::string>& used_elsewhere) {
  return Compiler(model, used_elsewhere).run();
}

}  // namespace driftless
