#include "driftless/model/keys.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr KeyInfo named(KeyInfo info) {
  info.entries = Entries::named;
  return info;
}

constexpr KeyInfo dotted(KeyInfo info) {
  info.entries = Entries::dotted;
  return info;
}

constexpr KeyInfo needed(KeyInfo info) {
  info.needed = true;
  return info;
}

constexpr KeyInfo within(Bounds bounds, KeyInfo info) {
  info.bounds = bounds;
  return info;
}

constexpr Bounds kTableauOrders{1.0, 8.0};

constexpr std::array kKeys{
    needed(KeyInfo{"format", "version of the file format; the first line of every model",
                   "format = \"driftless/1\"", ValueKind::word}),
    KeyInfo{"name", "name of the model, shown in reports and plots", "name = \"slider-crank\"",
            ValueKind::text},
    KeyInfo{"description", "one line: what the model is for", "description = \"a first model\"",
            ValueKind::text},
    named(KeyInfo{"parameters", "numbers, or expressions of earlier ones; text may carry a unit",
                  "l = \"50 mm\""}),
    named(KeyInfo{
        "coordinates",
        "of equation models: the coordinates q, in the order of the result's columns; of a "
        "mechanism: \"absolute\" (default), a pose per body, or \"joint\", those of a tree of "
        "joints",
        "x = { start = 1, rate = 0 }", ValueKind::number_or_keys}),
    KeyInfo{"coordinates.start",
            "start value; left out: 0, and moved first to meet the constraints",
            "x = { start = \"l/2\" }"},
    KeyInfo{"coordinates.rate", "start rate; left out: 0, and moved first to meet the constraints",
            "x = { rate = \"1 m/s\" }"},
    named(KeyInfo{"state",
                  "of equation models: first-order states of forces, such as the stretch of a "
                  "damper behind a spring; forces and the potential energy may use them",
                  "[state]\nc = { start = 0, rate = \"(x - c)/tau\" }", ValueKind::keys}),
    KeyInfo{"state.start", "start value; left out: 0", "start = \"1 mm\"", ValueKind::number, "0"},
    needed(KeyInfo{"state.rate",
                   "how fast it changes: an expression of t, coordinates, rates and states",
                   "rate = \"(x - c)/tau\""}),
    KeyInfo{"energy", "where inertia and potential come from", "[energy]", ValueKind::keys},
    KeyInfo{"energy.kinetic",
            "kinetic energy T, at most quadratic in the rates; x' is the rate of x",
            "kinetic = \"m/2*x'^2\""},
    KeyInfo{"energy.potential", "potential energy U of coordinates, states and t",
            "potential = \"m*g*y\""},
    KeyInfo{"energy.mass", "the mass matrix itself, instead of kinetic: M q'' = forces - dU/dq",
            "mass = [[\"m\", 0], [0, \"m\"]]", ValueKind::rows},
    KeyInfo{"matrices", "a linear system M x'' + C x' + K x = E f(t), instead of [energy]",
            "M = [1, 1]", ValueKind::keys},
    needed(KeyInfo{"matrices.M", "mass matrix; a flat list is a diagonal", "M = [3, 3, 1]",
                   ValueKind::matrix}),
    KeyInfo{"matrices.C", "damping matrix", "C = [[1, 0], [0, 1]]", ValueKind::matrix},
    needed(KeyInfo{"matrices.K", "stiffness matrix", "K = [[500, -200], [-200, 300]]",
                   ValueKind::matrix}),
    KeyInfo{"matrices.E", "where the loads f act; left out: the identity", "E = [[1], [0]]",
            ValueKind::rows},
    KeyInfo{"matrices.f", "loads, expressions of t", "f = [\"300*sin(6*t)\"]", ValueKind::numbers},
    within(kNotNegative, KeyInfo{"matrices.damping_ratio",
                                 "modal damping instead of C: one ratio, or one per mode",
                                 "damping_ratio = 0.02", ValueKind::numbers}),
    named(KeyInfo{
        "force",
        "of equation models: generalised force per coordinate, of t, coordinates, rates and states",
        "x = \"-c*x'\""}),
    named(KeyInfo{
        "constraint",
        "of equation models: expressions of coordinates and t that stay 0; the key names it in "
        "messages",
        "rod = \"x^2 + y^2 - l^2\""}),
    named(KeyInfo{"velocity_constraint",
                  "expressions that stay 0 and may contain rates (nonholonomic)",
                  "edge = \"x'*sin(a) - y'*cos(a)\""}),
    named(KeyInfo{"conserved",
                  "quantities that stay constant but for the power fed in; in equation models T "
                  "and U may be used",
                  "momentum = \"m*x'\"", ValueKind::number_or_keys}),
    needed(KeyInfo{"conserved.value", "the quantity itself, where power stands beside it",
                   "p = { value = \"m*x'\", power = \"F\" }"}),
    KeyInfo{"conserved.power", "rate at which a conserved quantity is fed",
            "p = { value = \"m*x'\", power = \"F\" }", ValueKind::number, "0"},
    named(KeyInfo{"record", "expressions to write into the result, by name",
                  "x_s = \"2*l*cos(a1)\""}),
    named(KeyInfo{"table", "a CSV beside the model, read as a cubic spline by table(name, x)",
                  "road = \"road.csv\"", ValueKind::text}),
    KeyInfo{"space", "of a mechanism: \"space\" (default) or \"plane\", where points are [x, y]",
            "space = \"plane\"", ValueKind::word, "\"space\""},
    KeyInfo{"gravity", "of a mechanism: the acceleration of a free fall in m/s^2; left out: none",
            "gravity = [0, -9.81, 0]", ValueKind::vector},
    KeyInfo{"cut",
            "of a mechanism in joint coordinates: joints that stay constraints; left out: one of "
            "each loop, so that loops are short",
            "cut = [\"D\"]", ValueKind::words},
    named(KeyInfo{"points",
                  "of a mechanism: places in the world, as drawn, for bodies and joints to use",
                  "A = [0, 0, 0]", ValueKind::vector}),
    named(KeyInfo{"body", "[body.NAME] is a rigid body; the body \"ground\" is there already",
                  "[body.crank]", ValueKind::keys}),
    within(kPositive, KeyInfo{"body.mass", "mass in kg", "mass = \"1 kg\""}),
    within(kPositive,
           KeyInfo{"body.density", "instead of mass, with a shape: kg/m^3", "density = 7850"}),
    KeyInfo{"body.centre", "mass centre as drawn, if no shape between points gives it",
            "centre = \"P\"", ValueKind::point},
    within(
        kNotNegative,
        KeyInfo{
            "body.inertia",
            "moments of inertia about the mass centre in kg*m^2: one number in the plane, [Jx, Jy, "
            "Jz] or rows in space, along the body's own axes",
            "inertia = [0.1, 0.2, 0.2]", ValueKind::matrix}),
    KeyInfo{"body.pose",
            "origin and directions of the body's own axes as drawn; left out: at the mass centre, "
            "along the world's",
            "pose = { at = \"A\", x = [1, 0, 0] }", ValueKind::pose},
    KeyInfo{"body.pose.at", "origin of the body's own axes, as drawn", "pose = { at = \"A\" }",
            ValueKind::point},
    KeyInfo{"body.pose.x", "direction of the axis x; left out: the world's",
            "pose = { x = [0, 1, 0] }", ValueKind::vector},
    KeyInfo{"body.pose.z", "direction of the axis z; left out: the world's, or across x",
            "pose = { z = [1, 0, 0] }", ValueKind::vector},
    KeyInfo{"body.pose.axis", "the same as z; in the plane, as x", "pose = { axis = [1, 0, 0] }",
            ValueKind::vector},
    KeyInfo{"body.point", "true: a point mass, which does not turn", "point = true",
            ValueKind::flag, "false"},
    KeyInfo{"body.rod", "shape: a thin rod from one point to another; its mass is spread evenly",
            "rod = [\"A\", \"B\"]", ValueKind::points},
    within(kPositive,
           KeyInfo{"body.box",
                   "shape: a cuboid (in the plane a rectangle), by its edges along the body's axes",
                   "box = [0.4, 0.2, 0.1]", ValueKind::vector}),
    KeyInfo{"body.cylinder",
            "shape: a solid cylinder from one point to another, with the key radius",
            "cylinder = [\"A\", \"B\"]", ValueKind::points},
    within(kPositive, KeyInfo{"body.sphere", "shape: a solid sphere, by its radius",
                              "sphere = \"50 mm\"", ValueKind::number_or_keys}),
    needed(within(kPositive,
                  KeyInfo{"body.sphere.radius", "radius in m", "sphere = { radius = 0.1 }"})),
    within(kPositive,
           KeyInfo{"body.disc", "shape: a disc, by its radius, or by radius, thickness and axis",
                   "disc = { radius = 0.1, thickness = 0.01 }", ValueKind::number_or_keys}),
    needed(
        within(kPositive, KeyInfo{"body.disc.radius", "radius in m", "disc = { radius = 0.1 }"})),
    within(kPositive,
           KeyInfo{"body.disc.thickness", "thickness in m; left out: thin, without a volume",
                   "disc = { radius = 0.1, thickness = 0.01 }"}),
    KeyInfo{"body.disc.axis", "direction across the disc, as drawn; left out: z",
            "disc = { radius = 0.1, axis = [1, 0, 0] }", ValueKind::vector},
    KeyInfo{"body.cone",
            "shape: a solid cone from the middle of its base to its tip, with the key radius",
            "cone = [\"A\", \"B\"]", ValueKind::points},
    KeyInfo{"body.mesh",
            "for pictures alone: an .stl or .obj file beside the model, in m and in the body's own "
            "axes; drawn instead of the shape",
            "mesh = \"part.stl\"", ValueKind::text_or_keys},
    needed(KeyInfo{"body.mesh.file", "the file's name, without a path",
                   "mesh = { file = \"part.stl\" }", ValueKind::text}),
    KeyInfo{"body.mesh.unit", "what the file counts in",
            "mesh = { file = \"p.stl\", unit = \"mm\" }", ValueKind::text, "\"m\""},
    within(kPositive, KeyInfo{"body.mesh.scale", "factor on all its lengths",
                              "mesh = { file = \"p.stl\", scale = 2 }", ValueKind::number, "1"}),
    KeyInfo{"body.mesh.at", "where the origin of the file is, in the body's own axes",
            "mesh = { file = \"p.stl\", at = [0, 0, 1] }", ValueKind::vector},
    KeyInfo{"body.mesh.x", "direction of the file's axis x in the body's own axes",
            "mesh = { file = \"p.stl\", x = [0, 1, 0] }", ValueKind::vector},
    KeyInfo{"body.mesh.z", "direction of the file's axis z in the body's own axes",
            "mesh = { file = \"p.stl\", z = [1, 0, 0] }", ValueKind::vector},
    KeyInfo{"body.mesh.axis", "the same as z; in the plane, as x",
            "mesh = { file = \"p.stl\", axis = [1, 0, 0] }", ValueKind::vector},
    within(kPositive, KeyInfo{"body.radius", "of a cylinder or cone in m", "radius = 0.1"}),
    named(
        KeyInfo{"body.frame",
                "[body.NAME.frame.TIP] names a frame on the body, NAME.TIP, in the body's own axes",
                "[body.crank.frame.tip]", ValueKind::pose}),
    named(KeyInfo{"joint", "[joint.NAME] connects two bodies; see driftless list joints",
                  "[joint.A]", ValueKind::keys}),
    needed(KeyInfo{"joint.type", "which joint, constraint, force or measure it is",
                   "type = \"revolute\"", ValueKind::word}),
    KeyInfo{"joint.between", "the two bodies, also of constraints, forces and measures",
            "between = [\"ground\", \"crank\"]", ValueKind::names},
    KeyInfo{"joint.at",
            "where, as drawn: a point's name or coordinates; or a list of two, one on each body",
            "at = \"A\"", ValueKind::place},
    KeyInfo{
        "joint.axis",
        "direction of the axis, as drawn: numbers, or two points; or a list of two, one for each "
        "body (default [0, 0, 1]; in the plane, of a sliding joint, [1, 0])",
        "axis = [0, 0, 1]", ValueKind::direction},
    KeyInfo{"joint.x", "direction of the axis x, from which angles count, as drawn",
            "x = [1, 0, 0]", ValueKind::direction},
    KeyInfo{"joint.z", "the same as axis, in space", "z = [0, 0, 1]", ValueKind::direction},
    KeyInfo{"joint.body", "of what acts on one body alone: the body", "body = \"crank\"",
            ValueKind::text},
    KeyInfo{"joint.on", "the frame on the first body, instead of between and at",
            "on = { body = \"shaft\", at = [0, 0, \"l/2\"] }", ValueKind::frame},
    KeyInfo{"joint.on.body", "the body's name", "on = { body = \"shaft\" }", ValueKind::text},
    KeyInfo{"joint.on.at", "where, in the body's own axes; on the ground also a point's name",
            "on = { body = \"shaft\", at = [0, 0, 1] }", ValueKind::point},
    KeyInfo{"joint.on.x", "direction of the axis x in the body's own axes",
            "on = { body = \"shaft\", x = [0, 1, 0] }", ValueKind::vector},
    KeyInfo{"joint.on.z", "direction of the axis in the body's own axes",
            "on = { body = \"shaft\", z = [1, 0, 0] }", ValueKind::vector},
    KeyInfo{"joint.on.axis", "the same as z; in the plane, as x",
            "on = { body = \"shaft\", axis = [1, 0, 0] }", ValueKind::vector},
    KeyInfo{"joint.on.frame", "instead: a frame that a body names",
            "on = { frame = \"shaft.tip\" }", ValueKind::text},
    KeyInfo{"joint.to", "the frame on the second body, instead of between and at",
            "to = { frame = \"yoke.inner\" }", ValueKind::frame},
    needed(KeyInfo{
        "constraint.type",
        "[constraint.NAME] of a mechanism: what it keeps at 0; see driftless list constraints",
        "type = \"distance\"", ValueKind::word}),
    needed(KeyInfo{"force.type",
                   "[force.NAME] of a mechanism: which force acts; see driftless list forces",
                   "type = \"spring_damper\"", ValueKind::word}),
    named(KeyInfo{"measure",
                  "[measure.NAME] is a quantity of one's own, to record and to use in forces; see "
                  "driftless list measures",
                  "[measure.reach]", ValueKind::keys}),
    needed(KeyInfo{"measure.type", "[measure.NAME]: what is measured", "type = \"distance\"",
                   ValueKind::word}),
    dotted(KeyInfo{"start",
                   "start values of a mechanism, by dotted names; all others follow from them",
                   "A.angle = \"30 deg\"", ValueKind::number_or_keys}),
    needed(KeyInfo{"start.value", "the start value itself, where a priority stands beside it",
                   "A.rate = { value = \"10 rpm\", priority = \"exact\" }"}),
    KeyInfo{"start.priority",
            "how firmly a start value is kept: \"exact\", \"preferred\" (default) or \"guess\"",
            "A.rate = { value = \"10 rpm\", priority = \"exact\" }", ValueKind::word,
            "\"preferred\""},
    KeyInfo{"run", "how long, and how often a sample is written", "[run]", ValueKind::keys},
    within(kPositive, KeyInfo{"run.until", "end time in s (default 10)", "until = 100",
                              ValueKind::number, "10"}),
    within(kPositive,
           KeyInfo{"run.every", "time between samples in s (default until/1000)", "every = 0.01"}),
    KeyInfo{"run.start",
            "\"consistent\": start values are moved onto the constraints (default); \"given\": "
            "kept as they are",
            "start = \"given\"", ValueKind::word, "\"consistent\""},
    KeyInfo{"method", "the default method; [method.NAME] declares others", "[method]",
            ValueKind::keys},
    KeyInfo{"method.formulation",
            "how constraints enter the equations; see driftless list formulations",
            "formulation = \"braun_goldfarb\"", ValueKind::word, "\"braun_goldfarb\""},
    KeyInfo{"method.integrator", "how time is stepped; see driftless list integrators",
            "integrator = \"rk4\"", ValueKind::word, "\"rk4\""},
    KeyInfo{"method.drift",
            "drift controls; braun_goldfarb has [\"project\", \"energy\"] by default",
            "drift = [\"project\"]", ValueKind::words},
    needed(within(kTableauOrders,
                  KeyInfo{"method.tableau.order", "order of a method of your own; checked",
                          "order = 2", ValueKind::whole_number})),
    needed(KeyInfo{"method.tableau.a", "rows of the tableau, one per stage, the first one empty",
                   "a = [[], [1]]", ValueKind::rows}),
    needed(KeyInfo{"method.tableau.b", "weights of the stages", "b = [0.5, 0.5]", ValueKind::list}),
    KeyInfo{"method.tableau.c", "times of the stages; left out: the sums of the rows of a",
            "c = [0, 1]", ValueKind::list},
    KeyInfo{"method.tableau.b_hat", "weights of an embedded solution, for adaptive steps",
            "b_hat = [1, 0]", ValueKind::list},
    within(kTableauOrders, KeyInfo{"method.tableau.error_order", "order of the embedded solution",
                                   "error_order = 1", ValueKind::whole_number}),
    dotted(KeyInfo{"display", "units for plots and summaries, per column", "a = \"deg\"",
                   ValueKind::text}),
};

constexpr std::array kValues{
    ValueInfo{"driftless/1", "format", "the format that this version reads"},
    ValueInfo{"space", "space", "three-dimensional: points are [x, y, z]"},
    ValueInfo{"plane", "space", "two-dimensional: points are [x, y], an inertia is one number"},
    ValueInfo{"absolute", "coordinates", "a pose per body; joints are constraints"},
    ValueInfo{
        "joint", "coordinates",
        "those of the joints of a spanning tree; the joints that close loops are constraints"},
    ValueInfo{"exact", "start.priority", "the start value is kept"},
    ValueInfo{"preferred", "start.priority", "the start value moves only as far as it must"},
    ValueInfo{"guess", "start.priority", "the start value moves first"},
    ValueInfo{"consistent", "run.start", "start values are moved onto the constraints"},
    ValueInfo{"given", "run.start", "start values are kept as they are"},
    ValueInfo{"alpha_beta", "method.notation", "Phi'' + alpha Phi' + beta Phi = 0"},
    ValueInfo{"2alpha_beta2", "method.notation", "Phi'' + 2 alpha Phi' + beta^2 Phi = 0"},
    ValueInfo{"quaternion", "method.rotations", "unit quaternions"},
    ValueInfo{"euler", "method.rotations", "angles in a sequence that is not singular where it is"},
    ValueInfo{"lie", "method.rotations", "turns from where the last step ended"},
    ValueInfo{"so3", "method.group", "a step shifts and turns bodies apart: R3 x SO(3)"},
    ValueInfo{"se3", "method.group", "a step moves bodies along screws: SE(3)"},
    ValueInfo{"own", "method.algebra", "linear algebra by the structure of the equations"},
    ValueInfo{"dense", "method.algebra", "one LU factorisation of all equations"},
};

constexpr std::array kNames{
    NameInfo{"t", "the time in s"},
    NameInfo{"pi", "3.14159..."},
    NameInfo{"T", "the kinetic energy, in [record] and, of equation models, [conserved]"},
    NameInfo{"U", "the potential energy, in [record] and, of equation models, [conserved]"},
    NameInfo{"h", "the fixed step in s, in the options of [method]"},
};

constexpr std::array kColumns{
    ColumnInfo{"t", "time in s"},
    ColumnInfo{"phi", "largest |Phi| of all position constraints at that time"},
    ColumnInfo{
        "phi_dot",
        "largest |d Phi/dt| of all position constraints and residual of all velocity constraints"},
    ColumnInfo{"energy_error",
               "|E - E0 - work| in J: energy, less that at the start, less the work fed in"},
    ColumnInfo{"sigma_min",
               "smallest singular value of G, its rows of length 1 in the mass metric, but for as "
               "many as rows are redundant at the start: 0 at a singular pose"},
    ColumnInfo{"step", "step of the integrator in s that led to that time; 0 at the start"},
    ColumnInfo{"order", "order of that step"},
    ColumnInfo{"max_phi", "largest phi over all steps and samples"},
    ColumnInfo{"max_phi_dot", "largest phi_dot over all steps and samples"},
    ColumnInfo{"max_energy_error", "largest energy_error over all steps and samples"},
};

}  // namespace

std::span<const KeyInfo> all_keys() { return kKeys; }

const KeyInfo* find_key(std::string_view key) {
  const auto found = std::find_if(kKeys.begin(), kKeys.end(),
                                  [&](const KeyInfo& info) { return info.key == key; });
  return found == kKeys.end() ? nullptr : &*found;
}

const Bounds& find_key_bounds(std::string_view key) {
  const KeyInfo* info = find_key(key);
  assert(info != nullptr);
  return info->bounds;
}

std::string describe_key(const KeyInfo& key) {
  const std::string bounds = describe_bounds(key.bounds);
  return bounds.empty() ? std::string(key.description)
                        : fmt::format("{} ({})", key.description, bounds);
}

std::string_view find_last_word(std::string_view key) { return key.substr(key.rfind('.') + 1); }

std::vector<const KeyInfo*> find_keys_below(std::string_view key) {
  std::vector<const KeyInfo*> below;
  for (const KeyInfo& info : kKeys) {
    const std::size_t dot = info.key.rfind('.');
    if (dot != std::string_view::npos && info.key.substr(0, dot) == key) below.push_back(&info);
  }
  return below;
}

std::vector<std::string> list_keys_below(std::string_view key) {
  std::vector<std::string> words;
  for (const KeyInfo* info : find_keys_below(key)) words.emplace_back(find_last_word(info->key));
  return words;
}

std::span<const ValueInfo> all_values() { return kValues; }
std::span<const NameInfo> all_fixed_names() { return kNames; }
std::span<const ColumnInfo> all_columns() { return kColumns; }

}  // namespace driftless
