// Models as a newcomer gets them wrong. Each message names the place, the element and the value, and says what to do.

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

struct WrongModel {
  std::string name;   ///< of the file in tests/cli/wrong
  int code;           ///< 2: misuse; 1: found out when the equations are solved
  std::string place;  ///< "line:column"; empty: the model as a whole
  Words fragments;    ///< in this order
  int errors = 1;  ///< how many are told: all of them, and nothing that only follows from another
};

void PrintTo(const WrongModel& model, std::ostream* out) { *out << model.name; }

const std::vector<WrongModel> kModels{
    {"misspelt_section",
     2,
     "15:2",
     {"[constrains]: there is no such section", "did you mean 'constraint'?"}},
    {"misspelt_coordinate", 2, "15:19", {"unknown name 'y_baed'", "did you mean 'y_bead'?"}},
    {"rate_in_position",
     2,
     "11:10",
     {"constraint 'wheel' contains x', y'", "move it to [velocity_constraint]"}},
    {"cubic_energy",
     2,
     "10:12",
     {"kinetic energy is not quadratic in the rates", "x'", "as in m/2*x'^2"}},
    {"missing_format",
     2,
     "1:1",
     {"does not say its format", "add this as the first line: format = \"driftless/1\""}},
    {"future_format",
     2,
     "1:11",
     {"driftless/2 needs a newer Driftless", "driftless/1", "install a newer version"}},
    {"wrong_unit",
     2,
     "12:9",
     {"method.step: '3 mm' has the dimension m, but s is wanted", "give it in s"}},
    {"unknown_force", 2, "10:1", {"force.z: there is no such coordinate", "known: x"}},
    {"foreign_option",
     2,
     "13:9",
     {"method.alpha is an option of baumgarte", "braun_goldfarb/rk4",
      "remove it, or use baumgarte"}},
    {"unknown_method",
     2,
     "10:16",
     {"there is no formulation 'baumgart'", "did you mean 'baumgarte'?"},
     2},
    {"syntax_error", 2, "4:27", {"the closing '}' is missing", "{ start = 1, rate = 0 }"}},
    {"unclosed_bracket", 2, "7:16", {"this '(' is never closed", "add the missing ')'"}},
    {"missing_multiplication",
     2,
     "11:18",
     {"missing operator between 'm' and 'x'", "write m*x"},
     2},
    {"given_twice",
     2,
     "7:1",
     {"gravty: there is no such key", "did you mean 'gravity'?",
      "the key 'A' is given twice in its section, first in line 5", "remove one of them",
      "the key 'mass' is given twice in its section, first in line 11",
      "the section [body.arm] is given twice, first in line 9", "put their lines together",
      "start.A1.rate = nan", "the key 'A1.rate' is given twice in its section, first in line 25"},
     6},
    {"other_words",
     2,
     "18:9",
     {"joint.A1.type = 'hinge': there is no such joint",
      "did you mean 'revolute' (a hinge: turns about its axis",
      "joint.B1.type = 'distance': there is no such joint",
      "a 'distance' stands under [constraint.NAME] or [measure.NAME]",
      "joint.C1 connects a body with itself: 'bob'", "name two different bodies in on and to",
      "force.k.type = 'spring': there is no such force",
      "did you mean 'spring_damper' or 'torsion_spring'?",
      "force.end.low: 0.523599 is not below high = -0.523599", "exchange low and high"},
     5},
    {"name_twice",
     2,
     "7:1",
     {"the name 'x' is given twice", "a parameter in line 4", "must have different names"}},
    {"reserved_name",
     2,
     "4:1",
     {"'pi' cannot be the name of a parameter", "choose another name"},
     2},
    {"negative_until", 2, "10:9", {"run.until = -5: out of bounds", "greater than 0"}},
    {"wrong_display", 2, "10:6", {"display.x: 'feet' is not a unit", "for example \"mm\""}},
    {"many_mistakes",
     2,
     "18:8",
     {"1/0 is not finite", "body.bob.mass = 1e999: too large", "'axxis' is not known here",
      "joint.B1 connects a body with itself", "force.k1.type = 'spring_dampr'",
      "force.k2.stiffness: 'k' has the dimension", "there is no measure 'A1.angel'",
      "unknown name 'A1.ratee'", "no value 'A1.angl'", "start.A1.rate.value: '3 deg'",
      "unknown name 'crank.xx'", "run.until = -1", "there is no integrator 'rk5'",
      "display.crank.x: 'feet'", "display.foo: there is no such key"},
     15},
    {"many_mistakes_of_equations",
     2,
     "8:27",
     {"cannot add 2 mm (m) and 1 s (s)", "coordinates.x.rate = nan",
      "give the number that is meant", "unknown name 'z0'", "kinetic energy is not quadratic",
      "unknown name 'g'", "force.z: there is no such coordinate", "accelerations cannot be used",
      "constraint 'wheel' contains x'", "run.every: '2 m'", "no formulation 'baumgart'"},
     10},
    {"velocity_without_rate",
     2,
     "15:13",
     {"constraint.v.equation contains no rate", "type = \"coupler\"", "A.angle'"}},
    {"units_of_formulas",
     2,
     "20:11",
     {"force.f.force: '-5 mm' has the dimension m", "force.f.torque: '4 s'", "give it in N*m",
      "force.m.torque: '-3 N'", "constraint.d.value: '3 m' has the dimension m, but 1 is wanted",
      "constraint.p.along_x: '20 deg'"},
     5},
    {"force_below",
     2,
     "24:12",
     {"'q.torque' is of force.q (line 26), and constraints do not depend on forces",
      "'q.torque' is of force.q, which is declared further below (line 26)",
      "move [force.q] above [force.p]", "'T', the kinetic energy of the whole mechanism",
      "forces and constraints depend on measures and t only",
      "'load' cannot be used here: measure.load is \"2*A.force.x\" (line 15)",
      "'A.force.x' depends on accelerations or reactions",
      "'s.torque' is what force.s itself gives: it cannot depend on it",
      "'d.torque' depends on accelerations or reactions",
      "'g.effort' depends on accelerations or reactions", "unknown name 'f'"},
     8},
    {"impossible_bodies",
     2,
     "10:11",
     {"body.unsymmetric.inertia is not symmetric: row 2 has 0.2", "row 1 has 0.1",
      "give both the same number", "negative principal moment -1", "check the numbers",
      "body.short.cylinder: its two ends are 1e-200 m apart", "name two different points",
      "body.turned: a point mass does not turn, but the box", "leave out point = true",
      "body.skew.pose: x and z must be at a right angle, but they are at 45 deg", "turn one of"},
     5},
    {"shapes_in_the_plane",
     2,
     "5:12",
     {"body.a.cylinder: not in the plane", "use rod, box or disc"}},
    {"idle_forces",
     2,
     "13:8",
     {"force.spring.stiffness: none of stiffness, damping and law is given",
      "force.torsion.stiffness: none of", "force.rub.viscous: neither viscous nor dry is given"},
     3},
    {"unfit_numbers",
     2,
     "17:9",
     {"gravity: unknown name 'g'",
      "parameters.k: 0/0 is not finite",
      "parameters.m: parameter 'n' is defined later (line 9)",
      "points.A: sqrt(-1) is not finite",
      "body.bar.mass: 0/0 is not finite",
      "check for a division by zero",
      "body.bar.mesh: cannot read \"",
      "none.stl\"",
      "put none.stl beside the model file",
      "body.plate.box: 1e300*1e300 is not finite",
      "body.plate.mass: 'kgg' is neither a unit",
      "joint.pin.at: 1/0 is not finite",
      "constraint.d.value: 1/0 is not finite",
      "constraint.teeth.of: 'plate.x' is measured in m; wanted: an angle",
      "name an angle; known: bar.angle, pin.angle, plate.angle",
      "constraint.teeth.ratio: the expression ends after '+'",
      "force.spring.stiffness: log(-2) is not finite",
      "force.push.force: unknown name 'pin.forc'",
      "known: bar.angle, bar.angle', bar.x, bar.x'",

      "force.rub.speed: it is 0, must be greater than 0",
      "conserved.sum: unknown name 'foo'",
      "start.pin.rate.value: 0/0 is not finite",
      "start.pin.angle.value is missing",
      "run.until: unknown name 'q'"},
     19},
    {"three_places",
     2,
     "19:6",
     {"points.B: '1.2 kg' has the dimension kg", "'ground' cannot be the name of a body",
      "there is no body 'baar'", "did you mean 'bar'?",
      "joint.pin.at has 3 places; wanted: one for both bodies, or two", "write at = \"A\"",
      "'radius' is not known here", "known: at, axis, between, on, to, type, x"},
     5},
    {"display_of_bodies",
     2,
     "14:10",
     {"display.bar.x: 'kg' does not fit: the column is in m", "give a unit that converts to m",
      "display.bar.angle': 'm/s' does not fit: the column is in rad/s",
      "display.pin.angle: 'mm' does not fit", "display.pin.force.x: 'lb' does not fit",
      "display.pin.angl: the result has no column of that name", "did you mean 'pin.angle'?"},
     5},
    {"display_of_coordinates", 2, "14:6", {"display.x: 'kg' does not fit: the column is in m"}},
    {"name_of_two_lines",
     2,
     "2:9",
     {"name contains a control character", "one line",
      "error: gravity: '-9.81 m' has the dimension m"},
     2},
    {"impossible_start",
     1,
     "",
     {"the constraints cannot be met at the start", "'circle' stays at 1", "check the dimensions"}},
    {"contradictory",
     1,
     "",
     {"the constraints cannot be met at the start: 'left' and 'right' contradict each other",
      "remove or correct one of 'left' and 'right'"}},
    {"massless",
     1,
     "",
     {"the mass matrix is not positive definite",
      "'y' has no mass: add y'^2 to the kinetic energy"}},
    {"negative_mass",
     1,
     "",
     {"the mass matrix is not positive definite", "check the masses and inertias of 'x'"}},
    {"division_by_zero",
     1,
     "",
     {"the force on 'r' is not finite at t = 0", "change the start values or the force on 'r'"}},
};

/// Words of a summary are wrapped: blanks and line ends count alike.
std::string join_words(const std::string& text) {
  std::string joined;
  for (const char c : text) {
    const char plain = c == '\n' ? ' ' : c;
    if (plain != ' ' || joined.empty() || joined.back() != ' ') joined += plain;
  }
  return joined;
}

void expect_in_order(const std::string& text, const Words& fragments) {
  std::size_t from = 0;
  for (const std::string& fragment : fragments) {
    const std::size_t found = text.find(fragment, from);
    EXPECT_NE(found, std::string::npos) << "'" << fragment << "' is not in\n" << text;
    if (found != std::string::npos) from = found + fragment.size();
  }
}

class WrongModels : public Program, public ::testing::WithParamInterface<WrongModel> {};

TEST_P(WrongModels, AreExplained) {
  const WrongModel& model = GetParam();
  const std::string file = model.name + ".toml";
  std::filesystem::copy_file(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "tests/cli/wrong" / file,
                             path(file));
  const Outcome outcome = run({"run", file});
  EXPECT_EQ(outcome.code, model.code) << outcome.out << outcome.err;
  const std::string& text = model.code == 2 ? outcome.err : outcome.out;
  if (!model.place.empty()) {
    EXPECT_NE(text.find(file + ":" + model.place + ": error: "), std::string::npos)
        << model.place << " in\n"
        << text;
  }
  expect_in_order(join_words(text), model.fragments);
  if (model.code == 2) {
    int errors = 0;
    for (const std::string& line : split_lines(text)) errors += contains(line, " error: ") ? 1 : 0;
    EXPECT_EQ(errors, model.errors) << text;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_FALSE(exists(model.name + ".h5")) << "misuse leaves nothing behind";
  }

  const Outcome json = run({"run", file, "--json"});
  EXPECT_EQ(json.code, model.code);
  EXPECT_EQ(find_value(json.out, "status"), model.code == 2 ? "\"invalid\"" : "\"failed\"");

  const Outcome check = run({"check", file});
  EXPECT_EQ(check.code, model.code) << "check sees it, too";
}

INSTANTIATE_TEST_SUITE_P(Newcomer, WrongModels, ::testing::ValuesIn(kModels),
                         [](const auto& each) { return each.param.name; });

TEST(WrongModelFiles, AllHaveTheirMessage) {
  std::set<std::string> expected;
  for (const WrongModel& model : kModels) expected.insert(model.name + ".toml");
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "tests/cli/wrong")) {
    found.insert(entry.path().filename().string());
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace driftless::testing
