#include "driftless/model/keys.hpp"

#include <array>

namespace driftless {
namespace {

constexpr std::array kKeys{
    KeyInfo{"format", "version of the file format; the first line of every model",
            "format = \"driftless/1\""},
    KeyInfo{"name", "name of the model, shown in reports and plots", "name = \"slider-crank\""},
    KeyInfo{"description", "one line: what the model is for", "description = \"a first model\""},
    KeyInfo{"parameters", "numbers, or expressions of earlier ones; text may carry a unit",
            "l = \"50 mm\""},
    KeyInfo{"coordinates", "the coordinates q, in the order of the result's columns",
            "x = { start = 1, rate = 0 }"},
    KeyInfo{"coordinates.start",
            "start value; left out: 0, and moved first to meet the constraints",
            "x = { start = \"l/2\" }"},
    KeyInfo{"coordinates.rate", "start rate; left out: 0, and moved first to meet the constraints",
            "x = { rate = \"1 m/s\" }"},
    KeyInfo{"energy", "where inertia and potential come from", "[energy]"},
    KeyInfo{"energy.kinetic",
            "kinetic energy T, at most quadratic in the rates; x' is the rate of x",
            "kinetic = \"m/2*x'^2\""},
    KeyInfo{"energy.potential", "potential energy U of coordinates and t", "potential = \"m*g*y\""},
    KeyInfo{"energy.mass", "the mass matrix itself, instead of kinetic: M q'' = forces - dU/dq",
            "mass = [[\"m\", 0], [0, \"m\"]]"},
    KeyInfo{"matrices", "a linear system M x'' + C x' + K x = E f(t), instead of [energy]",
            "M = [1, 1]"},
    KeyInfo{"matrices.M", "mass matrix; a flat list is a diagonal", "M = [3, 3, 1]"},
    KeyInfo{"matrices.C", "damping matrix", "C = [[1, 0], [0, 1]]"},
    KeyInfo{"matrices.K", "stiffness matrix", "K = [[500, -200], [-200, 300]]"},
    KeyInfo{"matrices.E", "where the loads f act; left out: the identity", "E = [[1], [0]]"},
    KeyInfo{"matrices.f", "loads, expressions of t", "f = [\"300*sin(6*t)\"]"},
    KeyInfo{"matrices.damping_ratio", "modal damping instead of C: one ratio, or one per mode",
            "damping_ratio = 0.02"},
    KeyInfo{"force", "generalised force per coordinate, of t, coordinates and rates",
            "x = \"-c*x'\""},
    KeyInfo{"constraint",
            "expressions of coordinates and t that stay 0; the key names it in messages",
            "rod = \"x^2 + y^2 - l^2\""},
    KeyInfo{"velocity_constraint", "expressions that stay 0 and may contain rates (nonholonomic)",
            "edge = \"x'*sin(a) - y'*cos(a)\""},
    KeyInfo{"conserved",
            "quantities that stay constant but for the power fed in; T and U may be used",
            "momentum = \"m*x'\""},
    KeyInfo{"conserved.value", "the quantity itself, where power stands beside it",
            "p = { value = \"m*x'\", power = \"F\" }"},
    KeyInfo{"conserved.power", "rate at which a conserved quantity is fed",
            "p = { value = \"m*x'\", power = \"F\" }"},
    KeyInfo{"record", "expressions to write into the result, by name", "x_s = \"2*l*cos(a1)\""},
    KeyInfo{"table", "a CSV beside the model, read as a cubic spline by table(name, x)",
            "road = \"road.csv\""},
    KeyInfo{"run", "how long, and how often a sample is written", "[run]"},
    KeyInfo{"run.until", "end time in s (default 10)", "until = 100"},
    KeyInfo{"run.every", "time between samples in s (default until/1000)", "every = 0.01"},
    KeyInfo{"run.start",
            "\"consistent\": start values are moved onto the constraints (default); \"given\": "
            "kept as they are",
            "start = \"given\""},
    KeyInfo{"method", "the default method; [method.NAME] declares others", "[method]"},
    KeyInfo{"method.formulation",
            "how constraints enter the equations; see driftless list formulations",
            "formulation = \"braun_goldfarb\""},
    KeyInfo{"method.integrator", "how time is stepped; see driftless list integrators",
            "integrator = \"rk4\""},
    KeyInfo{"method.drift",
            "drift controls; braun_goldfarb has [\"project\", \"energy\"] by default",
            "drift = [\"project\"]"},
    KeyInfo{"method.tableau.order", "order of a method of your own, 1 to 8; checked", "order = 2"},
    KeyInfo{"method.tableau.a", "rows of the tableau, one per stage, the first one empty",
            "a = [[], [1]]"},
    KeyInfo{"method.tableau.b", "weights of the stages", "b = [0.5, 0.5]"},
    KeyInfo{"method.tableau.c", "times of the stages; left out: the sums of the rows of a",
            "c = [0, 1]"},
    KeyInfo{"method.tableau.b_hat", "weights of an embedded solution, for adaptive steps",
            "b_hat = [1, 0]"},
    KeyInfo{"method.tableau.error_order", "order of the embedded solution", "error_order = 1"},
    KeyInfo{"display", "units for plots and summaries, per column", "a = \"deg\""},
};

constexpr std::array kValues{
    ValueInfo{"driftless/1", "format", "the format that this version reads"},
    ValueInfo{"consistent", "run.start", "start values are moved onto the constraints"},
    ValueInfo{"given", "run.start", "start values are kept as they are"},
    ValueInfo{"alpha_beta", "method.notation", "Phi'' + alpha Phi' + beta Phi = 0"},
    ValueInfo{"2alpha_beta2", "method.notation", "Phi'' + 2 alpha Phi' + beta^2 Phi = 0"},
};

constexpr std::array kNames{
    NameInfo{"t", "the time in s"},
    NameInfo{"pi", "3.14159..."},
    NameInfo{"T", "the kinetic energy, in [conserved] and [record]"},
    NameInfo{"U", "the potential energy, in [conserved] and [record]"},
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
    ColumnInfo{"max_phi", "largest phi over all steps and samples"},
    ColumnInfo{"max_phi_dot", "largest phi_dot over all steps and samples"},
    ColumnInfo{"max_energy_error", "largest energy_error over all steps and samples"},
    ColumnInfo{"max_coupling",
               "largest inner product of the gradients of energy and constraints (Yoon, eq. 20)"},
    ColumnInfo{"energy_corrections_limited",
               "steps in which the energy correction was cut to its limit"},
    ColumnInfo{"energy_corrections_without_direction",
               "steps at rest, where energy cannot be corrected"},
};

}  // namespace

std::span<const KeyInfo> all_keys() { return kKeys; }
std::span<const ValueInfo> all_values() { return kValues; }
std::span<const NameInfo> all_fixed_names() { return kNames; }
std::span<const ColumnInfo> all_columns() { return kColumns; }

}  // namespace driftless
